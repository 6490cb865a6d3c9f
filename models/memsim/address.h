/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * address.h - the place of a line of memory: slice of the L2 cache, channel, bank, row.
 *
 * Lines are numbered (address / line size). The slice is the exclusive or of all groups of
 * log2(slices) bits of the number, or its lowest bits alone. The number without its lowest group is
 * the line's number in the slice. Therefore slice and number in the slice identify a line, and
 * lines that differ only in their lowest group are in different slices.
 *
 * The lowest bits of the slice are the channel; the slices of a channel take turns in its lines. A
 * channel fills a row of one bank, then of the next. Neighbouring lines thus share a row, and the
 * next row can be opened meanwhile.
 */
#ifndef MEMSIM_ADDRESS_H
#define MEMSIM_ADDRESS_H

#include "settings.h"

static inline unsigned ms_slice_of_line(const struct ms_model *m, uint64_t line)
{
    uint64_t mask = m->slices - 1;
    uint64_t folded = line & mask;
    if (m->hash && m->slice_bits > 0) {
        for (uint64_t rest = line >> m->slice_bits; rest != 0; rest >>= m->slice_bits) {
            folded ^= rest & mask;
        }
    }
    return (unsigned)folded;
}

/* Returns the index of the line's set in its slice. */
static inline unsigned ms_set_of_line(const struct ms_model *m, uint64_t line)
{
    return (unsigned)(line >> m->slice_bits) & (m->sets - 1);
}

static inline unsigned ms_channel_of_slice(const struct ms_model *m, unsigned slice)
{
    return slice & (m->channels - 1);
}

struct ms_dram_place {
    unsigned bank;
    uint64_t row;
};

static inline struct ms_dram_place ms_dram_place_of_line(const struct ms_model *m, uint64_t line)
{
    unsigned turn_bits = m->slice_bits - m->channel_bits;
    uint64_t turn = ms_slice_of_line(m, line) >> m->channel_bits;
    uint64_t rows = ((line >> m->slice_bits << turn_bits) | turn) / m->row_lines;
    return (struct ms_dram_place){(unsigned)(rows & (m->banks - 1)), rows / m->banks};
}

#endif
