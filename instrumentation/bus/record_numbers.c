/* SPDX-License-Identifier: BSD-3-Clause */
/* record_numbers.c - see record_numbers.h. */
#include "bus/record_numbers.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "bus/state.h"
#include "ross.h"
#include "store/array.h"

static uint64_t *make_counts(const struct record_numbers *numbers, st_stream_id stream)
{
    assert(numbers->n_lps > 0);
    uint64_t *counts = calloc(numbers->n_lps + 1, sizeof *counts);
    if (counts == NULL) {
        tw_error(TW_LOC,
                 "out of memory for the numbers of records: %zu bytes for the stream %s; use more "
                 "ranks, or no tool that subscribes to it",
                 (size_t)(numbers->n_lps + 1) * sizeof *counts, st_stream_name(stream));
    }
    return counts;
}

static struct record_counts *counts_of(struct record_numbers *numbers, st_stream_id stream)
{
    const size_t n = (size_t)stream + 1;
    if (!array_reserve_zero(&numbers->of, &numbers->n_streams, n, sizeof *numbers->of)) {
        tw_error(TW_LOC, "out of memory for the numbers of records of %zu streams", n);
    }
    return &numbers->of[stream];
}

uint64_t *record_numbers_make_emitted(struct record_numbers *numbers, st_stream_id stream)
{
    struct record_counts *counts = counts_of(numbers, stream);
    if (counts->emitted == NULL) {
        counts->emitted = make_counts(numbers, stream);
    }
    return counts->emitted;
}

uint64_t *record_numbers_make_settled(struct record_numbers *numbers, st_stream_id stream)
{
    struct record_counts *counts = counts_of(numbers, stream);
    if (counts->settled == NULL) {
        counts->settled = make_counts(numbers, stream);
    }
    return counts->settled;
}

void record_numbers_write(const struct record_numbers *numbers, tw_lpid lp, struct fmt_out *out)
{
    for (size_t i = 0; i < numbers->n_streams; i++) {
        const struct record_counts *counts = &numbers->of[i];
        uint64_t emitted = counts->emitted != NULL ? counts->emitted[lp] : 0;
        uint64_t settled = counts->settled != NULL ? counts->settled[lp] : 0;
        if (emitted > 0 || settled > 0) {
            fmt_out_u64(out, emitted);
            fmt_out_u64(out, settled);
            fmt_out_string(out, st_stream_name((st_stream_id)i));
        }
    }
}

bool record_numbers_read(struct record_numbers *numbers, tw_lpid lp, struct fmt_in *in,
                         bool takes_over)
{
    while (!in->bad && in->pos < in->size) {
        uint8_t room[STREAMS_NAME_MAX + 1];
        struct fmt_arena arena = {.data = room, .capacity = sizeof(room)};
        uint64_t emitted = fmt_in_u64(in);
        uint64_t settled = fmt_in_u64(in);
        const char *name = fmt_in_string(in, &arena);
        if (in->bad || arena.full || !streams_name_is_valid(name)) {
            return false;
        }
        st_stream_id stream =
            takes_over ? streams_reserve(&g_st_bus.streams, &g_st_program.strings, name) : 0;
        if (takes_over && stream == 0) {
            tw_error(TW_LOC, "no memory, or no number left, for the stream %s", name);
        }
        if (takes_over && emitted > 0) {
            record_numbers_emitted(numbers, stream)[lp] = emitted;
        }
        if (takes_over && settled > 0) {
            record_numbers_settled(numbers, stream)[lp] = settled;
        }
    }
    return !in->bad;
}

void record_numbers_fini(struct record_numbers *numbers)
{
    for (size_t i = 0; i < numbers->n_streams; i++) {
        free(numbers->of[i].emitted);
        free(numbers->of[i].settled);
    }
    free(numbers->of);
    *numbers = (struct record_numbers){0};
}
