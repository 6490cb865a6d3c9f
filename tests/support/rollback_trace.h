/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rollback_trace.h - traces of rollbacks that name their causes, of any length, for tests and
 * measurements of warpscope rollbacks. Each rollback is computed from its PE and number alone.
 */
#ifndef WARPSCOPE_TESTS_ROLLBACK_TRACE_H
#define WARPSCOPE_TESTS_ROLLBACK_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "format/format.h"
#include "support/random_bits.h"

struct rollback_options {
    uint32_t pes, lps;
    uint64_t n; /* rollbacks of each PE, the missing ones included */
    uint64_t seed;
    uint32_t secondary; /* per cent of rollbacks with a cause */
    uint32_t missing;   /* one in so many rollbacks is missing; 0: none */
    uint64_t gap;       /* number of the first one of n / 4 rollbacks that are missing; 0: none */
    uint32_t circles;   /* one in so many causes comes later, so that there are circles; 0: none */
    uint64_t back;      /* greatest distance of a cause, in numbers; 0: 50 */
};

struct rollback_row {
    uint64_t src_lp, dest_lp, number, cause_number, events_undone;
    double recv_ts, kp_ts, real_time, send_time, passed_time;
    int64_t undone_time;
    int32_t cause_pe, src_pe;
    uint32_t pe, kp, cause, trigger;
};

#define ROLLBACK_FIELD(type_, name_, role_, member_)                                               \
    {                                                                                              \
        .name = name_, .unit = "", .text = "a field", .type = FMT_##type_,                         \
        .role = FMT_ROLE_##role_, .offset = offsetof(struct rollback_row, member_)                 \
    }
static const struct fmt_field rollback_fields[] = {
    ROLLBACK_FIELD(U64, "src_lp", NONE, src_lp),
    ROLLBACK_FIELD(U64, "dest_lp", NONE, dest_lp),
    ROLLBACK_FIELD(U64, "number", NONE, number),
    ROLLBACK_FIELD(U64, "cause_number", NONE, cause_number),
    ROLLBACK_FIELD(U64, "events_undone", NONE, events_undone),
    ROLLBACK_FIELD(F64, "recv_ts", VIRTUAL_TIME, recv_ts),
    ROLLBACK_FIELD(F64, "kp_ts", NONE, kp_ts),
    ROLLBACK_FIELD(F64, "real_time", REAL_TIME, real_time),
    ROLLBACK_FIELD(F64, "send_time", NONE, send_time),
    ROLLBACK_FIELD(F64, "passed_time", NONE, passed_time),
    ROLLBACK_FIELD(I64, "undone_time", NONE, undone_time),
    ROLLBACK_FIELD(I32, "cause_pe", NONE, cause_pe),
    ROLLBACK_FIELD(I32, "src_pe", NONE, src_pe),
    ROLLBACK_FIELD(U32, "pe", PE, pe),
    ROLLBACK_FIELD(U32, "kp", NONE, kp),
    ROLLBACK_FIELD(U32, "cause", NONE, cause),
    ROLLBACK_FIELD(U32, "trigger", NONE, trigger),
};
#define ROLLBACK_FIELDS (sizeof rollback_fields / sizeof rollback_fields[0])
static const struct fmt_schema rollback_schema = {.id = FMT_RECORD_ROLLBACK,
                                                  .n_fields = ROLLBACK_FIELDS,
                                                  .row_size = sizeof(struct rollback_row),
                                                  .role_field = {-1, 13, 5, 7, -1, -1, -1, -1},
                                                  .name = "rollback",
                                                  .text = "a rollback",
                                                  .fields = rollback_fields};

/* Returns true if a rollback (number: from 1) is in the trace, and stores it. */
static inline bool rollback_make(const struct rollback_options *o, uint32_t pe, uint64_t number,
                                 struct rollback_row *row)
{
    uint64_t state = o->seed ^ (uint64_t)pe << 48 ^ number << 8;
    random_bits(&state);
    if ((o->missing > 0 && random_below(&state, o->missing) == 0) ||
        (o->gap > 0 && number >= o->gap && number < o->gap + o->n / 4)) {
        return false;
    }
    const uint64_t back = o->back == 0 ? 50 : o->back;
    const uint64_t most = number - 1 < back ? number - 1 : back;
    const bool is_secondary = most > 0 && random_below(&state, 100) < o->secondary;
    const double ts = (double)number * 0.01;
    *row = (struct rollback_row){.src_lp = random_below(&state, o->lps),
                                 .dest_lp = random_below(&state, o->lps),
                                 .number = number,
                                 .events_undone = 1 + random_below(&state, 20),
                                 .recv_ts = ts,
                                 .kp_ts = ts + random_unit(&state),
                                 .real_time = ts * 1e-3,
                                 .undone_time = (int64_t)random_below(&state, 5000),
                                 .src_pe = (int32_t)random_below(&state, o->pes),
                                 .pe = pe,
                                 .kp = (uint32_t)random_below(&state, 16),
                                 .cause = is_secondary ? 2 : 1,
                                 .trigger = is_secondary ? 3 : 1 + (uint32_t)(number % 2)};
    row->send_time = row->real_time - random_unit(&state) * 1e-4;
    row->passed_time = row->real_time - random_unit(&state) * 1e-4;
    if (is_secondary) {
        row->cause_pe = (int32_t)random_below(&state, o->pes);
        row->cause_number = number - 1 - random_below(&state, most);
        if (o->circles > 0 && random_below(&state, o->circles) == 0) {
            row->cause_number = number + random_below(&state, most);
        }
    }
    return true;
}

#define ROLLBACK_BATCH 4096u

static inline bool rollback_pe_write(const struct rollback_options *o, struct fmt_file *file,
                                     const struct fmt_superblock *sb, uint32_t pe)
{
    struct fmt_writer w;
    struct fmt_error error = {0};
    struct rollback_row *rows = calloc(ROLLBACK_BATCH, sizeof *rows);
    struct fmt_counter sums[] = {
        {"primary_rollbacks", 0}, {"secondary_rollbacks", 0}, {"events_rolled_back", 0}};
    size_t n = 0;
    bool good = fmt_writer_init(&w, &file->io, sb->schemas, 1, &sb->layout, pe, sizeof *rows,
                                &error) == FMT_OK;
    for (uint64_t number = 1; number <= o->n && good; number++) {
        if (rollback_make(o, pe, number, &rows[n])) {
            sums[rows[n].cause == 2].value++;
            sums[2].value += rows[n].events_undone;
            n++;
        }
        if (n == ROLLBACK_BATCH || number == o->n) {
            good = fmt_writer_append(&w, sb->schemas[0], rows, n * sizeof *rows, 0.0, NULL,
                                     &error) == FMT_OK;
            n = 0;
        }
    }
    good = good &&
           fmt_writer_end(&w,
                          &(struct fmt_end_info){
                              .code = FMT_END_TIME, .text = "", .n_counters = 3, .counters = sums},
                          &error) == FMT_OK;
    if (!good) {
        fprintf(stderr, "%s\n", error.text);
    }
    fmt_writer_fini(&w);
    free(rows);
    return good;
}

/* Writes a trace. */
static inline bool rollback_write(const struct rollback_options *o, const char *path)
{
    const struct fmt_schema *schemas = &rollback_schema;
    struct fmt_text run[] = {{"option_event_trace", "2"}};
    struct fmt_superblock sb = {
        .stream = FMT_STREAM_EVTRACE, .n_schemas = 1, .schemas = &schemas, .n_run = 1, .run = run};
    struct fmt_file file;
    struct fmt_error error = {0};
    unlink(path);
    fmt_layout_init(&sb.layout, sb.stream, o->pes, 11, sizeof(struct rollback_row));
    bool good = fmt_file_create(&file, path, &error) == FMT_OK;
    if (good) {
        good = fmt_superblock_write(&file.io, &sb, &error) == FMT_OK;
        for (uint32_t pe = 0; pe < o->pes && good; pe++) {
            good = rollback_pe_write(o, &file, &sb, pe);
        }
        good = fmt_file_close(&file, &error) == FMT_OK && good;
    }
    if (!good) {
        fprintf(stderr, "%s: %s\n", path, error.text);
    }
    return good;
}

#endif
