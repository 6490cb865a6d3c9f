/* SPDX-License-Identifier: BSD-3-Clause */
/* record_numbers.c - see record_numbers.h. */
#include "bus/record_numbers.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "ross.h"

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
    if (stream >= numbers->n_streams) {
        const size_t n = ((size_t)stream + 16) / 16 * 16;
        assert(n > stream && n > numbers->n_streams);
        struct record_counts *of = realloc(numbers->of, n * sizeof *of);
        if (of == NULL) {
            tw_error(TW_LOC, "out of memory for the numbers of records of %zu streams", n);
        }
        memset(of + numbers->n_streams, 0, (n - numbers->n_streams) * sizeof *of);
        numbers->of = of;
        numbers->n_streams = n;
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

void record_numbers_fini(struct record_numbers *numbers)
{
    for (size_t i = 0; i < numbers->n_streams; i++) {
        free(numbers->of[i].emitted);
        free(numbers->of[i].settled);
    }
    free(numbers->of);
    *numbers = (struct record_numbers){0};
}
