/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * path_out.c - writes the critical path as a table, or as a timeline for trace viewers; see
 * analyze.h.
 *
 * The events of the path are read in order of virtual time, and stored in the order of the path. These
 * orders differ where events of several PEs have the same time. The timeline has the trace
 * event format of Chrome, which Perfetto also reads. An event is a slice in the row of its LP, at
 * the earliest time at which it could have been executed.
 */
#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "analyze/analyze.h"
#include "data/known.h"
#include "text/decimal.h"
#include "text/json.h"

#define PATH_MEMORY ((size_t)16 << 20)

/* An event on the critical path, whose payload is not valid. by_cause: true if its predecessor there is its
 * cause. */
struct row {
    struct analyze_event event;
    bool by_cause;
};

bool analyze_path_out_begin(struct analyze *a)
{
    return ws_pages_init(&a->path_out, sizeof(struct row), a->path_events, PATH_MEMORY, &a->failed);
}

void analyze_path_out_add(struct analyze *a, const struct analyze_event *e, uint64_t element)
{
    assert(e->lp < a->n_lps && (element & ANALYZE_NUMBER) < a->path_events);
    struct row *row = ws_pages_at(&a->path_out, a->path_events - 1 - (element & ANALYZE_NUMBER));
    *row = (struct row){*e, (element & ANALYZE_BY_CAUSE) != 0};
}

/* The columns of the table. */
enum { STEP, VIA, LP, RANK, TYPE, SRC_LP, SEND_TS, RECV_TS, REAL_TIME, HANDLER_TIME, START };
#define COLUMNS "step|via|lp|rank|type|src_lp|send_ts|recv_ts|real_time|handler_time_ns|start"

/* Passes the events of the path to row(to, ...), as a doc_source_f. */
static bool rows_pass(void *from, doc_row_f row_take, void *to)
{
    struct analyze *a = from;
    uint64_t start = 0;
    bool more = true;
    for (uint64_t step = 0; more && step < a->path_events && !a->failed; step++) {
        const struct row *row = ws_pages_get(&a->path_out, step);
        const struct analyze_event *e = &row->event;
        const char *via = step == 0 ? "start" : row->by_cause ? "message" : "lp";
        const uint64_t weight = a->path_of == ANALYZE_TIME_LP ? e->handler_time : 1;
        const struct doc_cell cells[] = {
            [STEP] = doc_count(step),
            [VIA] = doc_name(via),
            [LP] = analyze_lp_cell(a, e->lp),
            [RANK] = doc_number(analyze_rank(a, e->lp, e->pe)),
            [TYPE] = doc_name(analyze_type_name(a, a->lps[e->lp].type)),
            [SRC_LP] = analyze_lp_cell(a, e->src),
            [SEND_TS] = doc_real(e->send_ts),
            [RECV_TS] = doc_real(e->ts),
            [REAL_TIME] = doc_real(e->real_time),
            [HANDLER_TIME] = doc_if(a->trace.times.is_timed, doc_count(e->handler_time)),
            [START] = doc_count(start)};
        more = row_take(to, cells);
        start += weight;
    }
    return true;
}

/* ---- Timeline -------------------------------------------------------------------------------- */

struct timeline {
    struct ws_out *out;
    bool by_time; /* true if lengths are in ns; false if they are in events, each shown as 1 us */
    bool good;
};

static bool row_json(void *to, const struct doc_cell *c)
{
    struct timeline *t = to;
    double unit = t->by_time ? 1e-3 : 1.0;
    double weight = t->by_time ? (double)c[HANDLER_TIME].as.count : 1.0;
    char name[512], ts[DECIMAL_MAX];
    *json_write_string(name, c[TYPE].as.text, strnlen(c[TYPE].as.text, 80)) = '\0';
    decimal_f64(ts, c[RECV_TS].as.real);
    t->good =
        ws_out_goes_on(c[STEP].as.count) &&
        ws_out_print(t->out,
                     "%s\n{\"ph\":\"X\",\"pid\":%" PRIu64 ",\"tid\":%" PRIu64
                     ",\"ts\":%.3f,\"dur\":%.3f,"
                     "\"name\":%s,\"args\":{\"step\":%" PRIu64 ",\"via\":\"%s\",\"recv_ts\":%s,"
                     "\"src_lp\":%" PRIu64 "}}",
                     c[STEP].as.count == 0 ? "" : ",", c[RANK].as.count, c[LP].as.count,
                     (double)c[START].as.count * unit, weight * unit, name, c[STEP].as.count,
                     c[VIA].as.text, ts, c[SRC_LP].as.count);
    return t->good;
}

static bool timeline_write(struct ws_outs *outs, struct analyze *a)
{
    struct timeline t = {.out = ws_out_begin(outs, a->options->path_file),
                         .by_time = a->path_of == ANALYZE_TIME_LP};
    t.good = t.out != NULL && ws_out_print(t.out, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
    return t.good && rows_pass(a, row_json, &t) && t.good && ws_out_print(t.out, "\n]}\n") &&
           ws_out_end(t.out);
}

bool analyze_write_path(struct ws_outs *outs, struct analyze *a)
{
    struct doc doc = {.n = 0};
    struct doc_table *table = doc_table(&doc, "path", NULL, COLUMNS);
    table->source = rows_pass;
    table->from = a;
    bool good = ws_ends_with(a->options->path_file, ".json")
                    ? timeline_write(outs, a)
                    : doc_table_csv(outs, a->options->path_file, table);
    doc_free(&doc);
    return good && !a->failed;
}
