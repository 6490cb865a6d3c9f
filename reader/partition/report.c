/* SPDX-License-Identifier: BSD-3-Clause */
/* report.c - prints the prediction for a placement as text and as JSON; see report.h. */
#include "partition/report.h"

#include <assert.h>
#include <inttypes.h>

#include "text/json.h"
#include "text/utf8.h"

static const char *const kind_names[PARTITION_KINDS] = {"recorded", "linear", "random", "metis"};
static const char *const kind_words[PARTITION_KINDS] = {"as recorded", "linear",
                                                        "random (expected)", "by METIS"};

static const char *const kp_names[PARTITION_KP_KINDS] = {"blocks", "metis"};

static double percent(double part, double whole)
{
    return whole > 0.0 ? 100.0 * part / whole : 0.0;
}

static void change_print(FILE *out, const struct partition *p, enum partition_kind kind)
{
    assert(kind < PARTITION_KINDS && p->chosen < PARTITION_KINDS);
    double before = p->sums[kind].remote;
    double now = p->sums[p->chosen].remote;
    if (p->sums[kind].known && before > 0.0) {
        fprintf(out, "  %-19s %+.1f %% remote events\n", kind_words[kind],
                percent(now - before, before));
    }
}

static void placements_print(FILE *out, const struct partition *p)
{
    const struct partition_graph *g = p->graph;
    fprintf(out, "  %-17s %13s %7s %7s", "placement", "remote events", "share", "balance");
    fputs(p->any > 0.0 ? "   bound  in order\n" : "\n", out);
    for (int kind = 0; kind < PARTITION_KINDS; kind++) {
        const struct partition_sums *s = &p->sums[kind];
        if (!s->known) {
            continue;
        }
        fprintf(out, "  %-17s %13.0f %5.1f %% %7.3f", kind_words[kind], s->remote,
                percent(s->remote, (double)g->events), s->balance);
        if (s->at_most > 0.0) {
            fprintf(out, " %7.4g  %8.4g", s->at_most, s->in_order);
        }
        fprintf(out, "%s\n", kind == (int)p->chosen ? "  <- the map" : "");
    }
}

static void bounds_print(FILE *out, const struct partition *p)
{
    if (!(p->any > 0.0)) {
        fprintf(out, "bounds of the speed-up are unknown: %s\n",
                p->bounds_why != NULL ? p->bounds_why : "the handlers took no time");
        return;
    }
    fprintf(out,
            "speed-up beside one rank\n"
            "  bound     most, because of critical path (%.4g) and busiest rank\n"
            "  in order  for ranks that keep to the order of events\n",
            p->any);
    if (p->causes_missing > 0) {
        fprintf(out,
                "  note: the causes of %" PRIu64 " events are not in the trace; bounds may be "
                "lower\n",
                p->causes_missing);
    }
}

static void kps_print(FILE *out, const struct partition *p)
{
    static const char *const words[PARTITION_KP_KINDS] = {"blocks of LPs", "by METIS"};
    double local = (double)p->graph->events - p->sums[p->chosen].remote;
    fprintf(out, "%" PRIu32 " KPs per rank\n  %-19s %14s %7s  load of KPs with remote events\n",
            p->n_kps, "division", "between KPs", "share");
    for (int kind = 0; kind < PARTITION_KP_KINDS; kind++) {
        const struct partition_kps *kps = &p->kps[kind];
        fprintf(out, "  %-19s %14" PRIu64 " %5.1f %%  %5.1f %%%s\n", words[kind], kps->cut,
                percent((double)kps->cut, local), 100.0 * kps->exposed,
                kind == (int)p->kp_chosen ? "  <- the map" : "");
    }
}

void partition_text(FILE *out, const struct partition *p, const char *source, const char *map)
{
    assert(p->chosen < PARTITION_KINDS);
    const struct partition_graph *g = p->graph;
    utf8_plain_print(out, source);
    fprintf(out,
            "\n  %" PRIu64 " events%s of %" PRIu64 " LPs, between %zu pairs of LPs; %" PRIu64
            " to the same LP\n",
            g->events, g->all_executed ? " (executed)" : "", g->n_lps, g->n_pairs, g->self);
    if (g->all_executed) {
        fputs("  note: these are all executed events, also those rolled back; --event-trace=3\n"
              "  records the committed ones, which do not depend on the placement\n",
              out);
    }
    if (p->silent > 0) {
        fprintf(out, "  %" PRIu64 " LPs have no events; they are spread evenly\n", p->silent);
    }
    fprintf(out, "%" PRIu32 " ranks, weighed by %s\n", p->n_ranks,
            g->by_time ? "the times of handlers" : "events");
    placements_print(out, p);
    bounds_print(out, p);
    fputs("with the map instead of\n", out);
    change_print(out, p, PARTITION_RECORDED);
    change_print(out, p, PARTITION_LINEAR);
    change_print(out, p, PARTITION_RANDOM);
    if (p->n_kps > 0) {
        kps_print(out, p);
    }
    fputs("run the model on as many ranks with --lp-map=", out);
    utf8_plain_print(out, map);
    fputc('\n', out);
}

void partition_json(FILE *out, const struct partition *p, const struct ws_file *source,
                    const char *map)
{
    assert(p->chosen < PARTITION_KINDS);
    const struct partition_graph *g = p->graph;
    struct json_writer json = {.out = out};
    json_object_open(&json, NULL);
    json_put_string(&json, "path", source->path);
    ws_stream_covers_json(&json, source);
    json_put_string(&json, "map", map);
    json_put_u64(&json, "events", g->events);
    json_put_bool(&json, "committed", !g->all_executed);
    json_put_u64(&json, "lps", g->n_lps);
    json_put_u64(&json, "lps_without_events", p->silent);
    json_put_u64(&json, "pairs", g->n_pairs);
    json_put_u64(&json, "events_to_same_lp", g->self);
    json_put_string(&json, "weights", g->by_time ? "time" : "events");
    json_put_u64(&json, "ranks", p->n_ranks);
    json_put_u64(&json, "kps", p->n_kps);
    json_put_u64(&json, "seed", p->cut.seed);
    json_put_string(&json, "chosen", kind_names[p->chosen]);
    if (p->any > 0.0) {
        json_put_double(&json, "speed_up_at_most", p->any);
        json_put_u64(&json, "causes_missing", p->causes_missing);
    } else if (p->bounds_why != NULL) {
        json_put_string(&json, "speed_up_unknown", p->bounds_why);
    }
    json_object_open(&json, "placements");
    for (int kind = 0; kind < PARTITION_KINDS; kind++) {
        if (p->sums[kind].known) {
            json_object_open(&json, kind_names[kind]);
            json_put_double(&json, "remote_events", p->sums[kind].remote);
            json_put_double(&json, "balance", p->sums[kind].balance);
            if (p->sums[kind].at_most > 0.0) {
                json_put_double(&json, "speed_up_at_most", p->sums[kind].at_most);
                json_put_double(&json, "speed_up_in_order", p->sums[kind].in_order);
            }
            json_object_close(&json);
        }
    }
    json_object_close(&json);
    if (p->n_kps > 0) {
        json_put_string(&json, "kps_chosen", kp_names[p->kp_chosen]);
        json_object_open(&json, "kp_divisions");
        for (int kind = 0; kind < PARTITION_KP_KINDS; kind++) {
            json_object_open(&json, kp_names[kind]);
            json_put_u64(&json, "events_between_kps", p->kps[kind].cut);
            json_put_double(&json, "load_with_remote_events", p->kps[kind].exposed);
            json_object_close(&json);
        }
        json_object_close(&json);
    }
    json_object_close(&json);
}
