/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * address.h - maps a line of memory to its slice of the L2 cache, DRAM channel, bank and row.
 *
 * The number of a line is address / line size. Its bits are divided into groups of log2(slices)
 * bits. The index of the slice is the exclusive or of all groups if m->hash is set, otherwise the
 * lowest group alone. The other groups form the number of the line within the slice. Therefore the
 * slice and the number within the slice identify a line. Lines that differ only in the lowest group
 * are in different slices.
 *
 * The lowest bits of the slice's index are the index of the channel. The lines of a channel are in
 * the order of their numbers within their slices; among lines with the same number, in the order of
 * slices. Consecutive lines of a channel fill a row of one bank, then a row of the next bank.
 * Neighbouring lines thus share a row, and while that row is read, the next bank can open its row.
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

/* Returns the index, within its slice, of the set to which a line belongs. */
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
