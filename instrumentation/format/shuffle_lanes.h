/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * shuffle_lanes.h - selects the fastest way to transpose lanes of rows on this processor (internal
 * to gather.c).
 */
#ifndef WARPSCOPE_FORMAT_SHUFFLE_LANES_H
#define WARPSCOPE_FORMAT_SHUFFLE_LANES_H

#include "format/shuffle_plain.h"

#ifdef __SSE2__
#include "format/shuffle_sse2.h"
#define shuffle_lane shuffle_lane_sse2
#else
#define shuffle_lane shuffle_lane_none
#endif

/* Transposes no row, so that the caller does it: for processors without a faster way. */
static inline uint32_t shuffle_lane_none(uint8_t *planes, size_t pitch, const uint8_t *const *row,
                                         uint32_t n, size_t at, uint64_t *all, uint64_t *any)
{
    (void)planes, (void)pitch, (void)row, (void)n, (void)at, (void)all, (void)any;
    return 0;
}

#endif
