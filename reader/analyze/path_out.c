/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * path_out.c - writes the critical path as a table, or as a timeline for trace viewers; see
 * output.h.
 *
 * The events of the path are read in order of virtual time, then sorted into the order of the path.
 * These orders differ where events of several PEs have the same time. The timeline has the trace
 * event format of Chrome, which Perfetto also reads. An event is a slice in the row of its LP, at
 * the earliest time at which it could have been executed.
 */
#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/output.h"
#include "cli/messages.h"
#include "order/sorter.h"
#include "text/csv.h"
#include "text/decimal.h"
#include "text/json.h"

#define SORT_MEMORY ((size_t)16 << 20)

/* An event on the critical path. */
struct row {
    double ts, send_ts, real_time;
    uint64_t handler_time;
    uint64_t lp, src; /* numbers of the LPs */
    uint32_t pe, type;
    bool by_cause;
};

struct analyze_path_out {
    struct ws_sorter sorter;
};

struct analyze_path_out *analyze_path_out_begin(struct analyze *a)
{
    struct analyze_path_out *o = calloc(1, sizeof *o);
    if (o == NULL) {
        ws_no_memory(&a->failed);
        return NULL;
    }
    ws_sorter_init(&o->sorter, 8, sizeof(struct row), SORT_MEMORY);
    return o;
}

bool analyze_path_out_add(struct analyze_path_out *o, const struct analyze *a,
                          const struct analyze_event *e, uint64_t element)
{
    assert(e->lp < a->n_lps && (element & ANALYZE_NUMBER) < a->path_events);
    uint8_t key[8];
    struct row row;
    memset(&row, 0, sizeof row);
    row = (struct row){.ts = e->ts,
                       .send_ts = e->send_ts,
                       .real_time = e->real_time,
                       .handler_time = e->handler_time,
                       .lp = analyze_lp_number(a, e->lp),
                       .src = analyze_lp_number(a, e->src),
                       .pe = analyze_rank(a, e->lp, e->pe),
                       .type = a->lps[e->lp].type,
                       .by_cause = (element & ANALYZE_BY_CAUSE) != 0};
    ws_key_u64(key, a->path_events - 1 - (element & ANALYZE_NUMBER));
    return ws_sorter_add(&o->sorter, key, &row, sizeof row);
}

static const char *via(const struct row *row, uint64_t step)
{
    return step == 0 ? "start" : row->by_cause ? "message" : "lp";
}

static bool row_csv(struct ws_out *out, const struct analyze *a, const struct row *row,
                    uint64_t step, uint64_t start)
{
    char ts[DECIMAL_MAX], send_ts[DECIMAL_MAX], real[DECIMAL_MAX], type[1024];
    const char *name = analyze_type_name(a, row->type);
    decimal_f64(ts, row->ts);
    decimal_f64(send_ts, row->send_ts);
    decimal_f64(real, row->real_time);
    *csv_write(type, name, strnlen(name, 250)) = '\0';
    return ws_out_print(out, "%" PRIu64 ",%s,%" PRIu64 ",%" PRIu32 ",%s,%" PRIu64 ",%s,%s,%s,",
                        step, via(row, step), row->lp, row->pe, type, row->src, send_ts, ts,
                        real) &&
           (!a->trace.is_timed || ws_out_print(out, "%" PRIu64, row->handler_time)) &&
           ws_out_print(out, ",%" PRIu64 "\n", start);
}

static bool row_json(struct ws_out *out, const struct analyze *a, const struct row *row,
                     uint64_t step, uint64_t start, uint64_t weight)
{
    /* Number of microseconds in the timeline per unit of length: a length is in ns, or in events,
     * each of which is shown as 1 us. */
    double unit = a->path_of == ANALYZE_TIME_LP ? 1e-3 : 1.0;
    char name[512], ts[DECIMAL_MAX];
    const char *type = analyze_type_name(a, row->type);
    *json_write_string(name, type, strnlen(type, 80)) = '\0';
    decimal_f64(ts, row->ts);
    return ws_out_print(out,
                        "%s\n{\"ph\":\"X\",\"pid\":%" PRIu32 ",\"tid\":%" PRIu64
                        ",\"ts\":%.3f,\"dur\":%.3f,"
                        "\"name\":%s,\"args\":{\"step\":%" PRIu64 ",\"via\":\"%s\",\"recv_ts\":%s,"
                        "\"src_lp\":%" PRIu64 "}}",
                        step == 0 ? "" : ",", row->pe, row->lp, (double)start * unit,
                        (double)weight * unit, name, step, via(row, step), ts, row->src);
}

static bool is_timeline(const char *path)
{
    size_t n = strlen(path);
    return n > 5 && strcmp(path + n - 5, ".json") == 0;
}

static bool rows_write(struct analyze_path_out *o, struct ws_out *out, const struct analyze *a,
                       bool timeline)
{
    uint64_t step = 0, start = 0;
    const uint8_t *key;
    const void *data;
    bool good = ws_out_print(
        out, "%s",
        timeline
            ? "{\"displayTimeUnit\":\"ns\",\"traceEvents\":["
            : "step,via,lp,rank,type,src_lp,send_ts,recv_ts,real_time,handler_time_ns,start\n");
    while (good && ws_out_goes_on(step) && (data = ws_sorter_next(&o->sorter, &key)) != NULL) {
        struct row row;
        memcpy(&row, data, sizeof row);
        uint64_t weight = a->path_of == ANALYZE_TIME_LP ? row.handler_time : 1;
        good = timeline ? row_json(out, a, &row, step, start, weight)
                        : row_csv(out, a, &row, step, start);
        start += weight;
        step++;
    }
    return good && !o->sorter.failed && step == a->path_events &&
           (!timeline || ws_out_print(out, "\n]}\n"));
}

void analyze_path_out_free(struct analyze_path_out *o)
{
    if (o != NULL) {
        ws_sorter_free(&o->sorter);
        free(o);
    }
}

bool analyze_write_path(struct ws_outs *outs, const struct analyze *a)
{
    struct analyze_path_out *o = a->path_out;
    const char *path = a->options->path_file;
    struct ws_out *out = ws_sorter_ready(&o->sorter) ? ws_out_begin(outs, path) : NULL;
    return out != NULL && rows_write(o, out, a, is_timeline(path)) && ws_out_end(out);
}
