/* SPDX-License-Identifier: BSD-3-Clause */
/* deal.h - sorts elements by numbers that they contain. */
#ifndef WARPSCOPE_READER_ORDER_DEAL_H
#define WARPSCOPE_READER_ORDER_DEAL_H

#include <stddef.h>

/* Sorts n elements of WS_DEAL_SIZE bytes by the uint64_t at an offset in each, without its lowest
 * `shift` bits, a multiple of 8. Elements that are equal in that keep their order. to: memory for n
 * elements. Returns the sorted elements, which are in `from` or `to`. */
#define WS_DEAL_SIZE 16u
void *ws_deal(void *from, void *to, size_t n, size_t offset, unsigned shift);

#endif
