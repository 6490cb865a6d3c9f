/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * so_far.h - the contents that a record file of a running or killed simulation would have if the run
 * were killed now and recovered: its blocks, and the records in its journals. Nothing is written to the
 * file. The blocks that recovery would write are kept in memory, over the contents of the file.
 *
 * The blocks before the checkpoint of a journal do not change any more. A journal does change while
 * it is read, so it is copied until a copy shows its buffers as they were at one moment. Memory: a
 * copy of one journal, and the compressed records of all journals of the file.
 */
#ifndef WARPSCOPE_READER_ACCESS_SO_FAR_H
#define WARPSCOPE_READER_ACCESS_SO_FAR_H

#include <stdbool.h>

#include "access/record_file.h"

struct ws_so_far;

/* Reads source number `source` of a file together with the journals of the PEs whose blocks it has,
 * which lie beside it. The source must outlive the result. Returns NULL if memory is exhausted or
 * the source cannot be read. A PE whose journal changes too quickly ends with its last block. Sets
 * *damage, which is zero before, to the first reason why records of a journal are missing. */
struct ws_so_far *ws_so_far_open(const struct ws_file *file, uint32_t source,
                                 struct fmt_error *damage);
void ws_so_far_close(struct ws_so_far *so_far); /* so_far may be NULL */

/* Returns the functions that read the contents. */
const struct fmt_io *ws_so_far_io(const struct ws_so_far *so_far);
/* Returns true if the file lacked the END block of at least one PE. */
bool ws_so_far_is_open(const struct ws_so_far *so_far);

#endif
