/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * held.h - fills in the samples of models that a run has left out.
 *
 * If the description of a payload says that it holds (FMT_PAYLOAD_HELD), an LP with such payloads
 * has no record at a sampling point where it has the values of its record before. The first
 * sampling point of a PE in a file has a record of each LP, in the order of the LPs, and each later
 * point has at least one record. Readers thus get all LPs at each point: the blocks that the run
 * wrote go in, and one block per sampling point comes out. Samples at virtual times hold apart from
 * those at GVT and by wall clock.
 *
 * If records of a PE are lost, later values are not known: from there on, or in the whole file if it
 * is not known where records are missing, blocks come out as they were written. The same is true of
 * the last point of a PE that did not end its file.
 *
 * Memory: one record of each LP of a PE.
 */
#ifndef WARPSCOPE_READER_ACCESS_HELD_H
#define WARPSCOPE_READER_ACCESS_HELD_H

#include "access/record_file.h"

struct ws_held; /* records of the LPs of one PE at the current sampling point; on the heap */

/* Returns true if records of the kind `schema` are left out in a part of file. */
bool ws_held_any(const struct ws_file *file, uint32_t part, const struct fmt_schema *schema);

/* Returns an object for blocks of the kind `schema`, without records; NULL if memory is exhausted.
 * file and schema must outlive it. Release it with ws_held_free(), which also accepts NULL. */
struct ws_held *ws_held_create(const struct ws_file *file, const struct fmt_schema *schema);
void ws_held_free(struct ws_held *held);

/* Takes a block, after ws_held_next() has returned FMT_END. */
void ws_held_take(struct ws_held *held, const struct fmt_block *block);
/* Ends the blocks of a PE; ws_held_next() then returns the last sampling point. */
void ws_held_end(struct ws_held *held);

/* Sets *block to the header of the next block that comes out, and *columns to its records; *columns
 * keeps its memory. They are valid until the next call with this object. Returns FMT_END if there is
 * none before another block is taken; or another status like ws_file_decode(), with *error. */
enum fmt_status ws_held_next(struct ws_held *held, struct fmt_block *block,
                             struct fmt_columns *columns, struct fmt_error *error);

#endif
