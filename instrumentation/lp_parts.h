/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lp_parts.h - what observers know of an LP, as bytes that travel with the LP: in checkpoints, and
 * to other ranks. The functions are those of tw_extension (engine/extension.h), which has their
 * contract. They are not collective.
 *
 * The bytes consist of parts. Each part has a tag, its size, and the bytes of one observer. The
 * numbers are little-endian. An LP has the same bytes under every scheduler and on any rank, except
 * that the first LP of a rank carries the sums of its rank.
 */
#ifndef WARPSCOPE_LP_PARTS_H
#define WARPSCOPE_LP_PARTS_H

#include <stdbool.h>
#include <stddef.h>

#include "ross.h"

bool lp_parts_begin(void);
void lp_parts_end(void);
size_t lp_parts_write(const tw_lp *lp, void *bytes, size_t size);
bool lp_parts_read(tw_lp *lp, const void *bytes, size_t size, bool takes_over);

#endif
