/* SPDX-License-Identifier: BSD-3-Clause */
/* report.c - writes the placement map, and the prediction as text or JSON; see partition.h. */
#include "partition/partition.h"

#include <assert.h>
#include <inttypes.h>

#include "access/facts.h"
#include "document/document.h"
#include "render/text.h"
#include "ross.config.h"
#include "text/utf8.h"

/* ---- The placement map ----------------------------------------------------------------------- */

bool partition_map_save(struct ws_outs *outs, const char *path, const struct partition *p,
                        const struct analyze_trace *trace)
{
    assert(p->rank != NULL && (p->n_kps == 0 || p->kp != NULL) && p->chosen < PARTITION_KINDS);
    const uint64_t n_lps = p->graph->n_lps;
    const struct partition_sums *s = &p->sums[p->chosen];
    const struct fmt_superblock *sb = trace->file->sb;
    const struct id_set *lps = &trace->lps;
    struct ws_out *out = ws_out_begin(outs, path);
    bool good =
        out != NULL && ws_out_print(out,
                                    "warpscope-lp-map 1\n"
                                    "# warpscope " WARPSCOPE_VERSION ": %" PRIu64 " LPs on %" PRIu32
                                    " ranks. Of %" PRIu64
                                    " recorded events %.0f are between ranks; balance %.3f.\n"
                                    "# LPS RANK%s\n",
                                    n_lps, p->n_ranks, p->graph->events, s->remote, s->balance,
                                    p->n_kps > 0 ? " KP" : "");
    uint64_t end, first = 0;
    /* Consecutive LPs of the same rank and KP share a line. */
    for (uint64_t lp = 0; good && lp < n_lps; lp = end) {
        end = lp + 1;
        while (end < n_lps && p->rank[end] == p->rank[lp] && p->kp[end] == p->kp[lp]) {
            end++;
        }
        uint64_t last = id_set_at(lps, end - 1);
        if (n_lps == ws_fact_u64(sb, "total_lps")) {
            first = id_set_at(lps, lp);
        } else { /* covers the numbers up to the next line, for LPs that are not known */
            last = end < n_lps ? id_set_at(lps, end) - 1 : ws_fact_u64(sb, "largest_lp");
        }
        good = ws_out_print(out, "%" PRIu64, first) &&
               (last == first || ws_out_print(out, "-%" PRIu64, last)) &&
               ws_out_print(out, " %" PRIu32, p->rank[lp]) &&
               (p->n_kps == 0 || ws_out_print(out, " %" PRIu32, p->kp[lp])) &&
               ws_out_write(out, "\n", 1);
        first = last + 1;
    }
    return good && ws_out_end(out) && ws_outs_publish(outs);
}

/* ---- The prediction -------------------------------------------------------------------------- */

static const char *const kind_names[PARTITION_KINDS] = {"recorded", "linear", "random", "metis"};
static const char *const kind_words[PARTITION_KINDS] = {"as recorded", "linear",
                                                        "random (expected)", "by METIS"};

static const char *const kp_names[PARTITION_KP_KINDS] = {"blocks", "metis"};

static void change_print(FILE *out, const struct partition *p, enum partition_kind kind)
{
    assert(kind < PARTITION_KINDS && p->chosen < PARTITION_KINDS);
    double before = p->sums[kind].remote;
    double now = p->sums[p->chosen].remote;
    if (p->sums[kind].known && before > 0.0) {
        fprintf(out, "  %-19s %+.1f %% remote events\n", kind_words[kind],
                100.0 * (now - before) / before);
    }
}

static struct doc_cell mark(bool is_chosen)
{
    return doc_if(is_chosen, doc_name("<- the map"));
}

/* Adds the table of placements. */
static void placements_make(struct doc *doc, const struct partition *p)
{
    struct doc_table *t = doc_table(doc, "placements", "",
                                    "(kind)|=placement|remote_events=remote events|=share|balance|"
                                    "speed_up_at_most=bound|speed_up_in_order=in order|=");
    t->is_first = t->is_keyed = true;
    for (int kind = 0; kind < PARTITION_KINDS; kind++) {
        const struct partition_sums *s = &p->sums[kind];
        bool has_bound = s->at_most > 0.0;
        if (s->known) {
            doc_row(t, doc_name(kind_names[kind]), doc_name(kind_words[kind]), doc_real(s->remote),
                    doc_share(s->remote, (double)p->graph->events), doc_real(s->balance),
                    doc_if(has_bound, doc_real(s->at_most)),
                    doc_if(has_bound, doc_real(s->in_order)), mark(kind == (int)p->chosen));
        }
    }
}

/* Adds the table of the divisions of ranks into KPs. */
static void kps_make(struct doc *doc, const struct partition *p)
{
    static const char *const words[PARTITION_KP_KINDS] = {"blocks of LPs", "by METIS"};
    double local = (double)p->graph->events - p->sums[p->chosen].remote;
    struct doc_table *t = doc_table(doc, "kp_divisions", "",
                                    "(kind)|=division|events_between_kps=between KPs|=share|"
                                    "(load_with_remote_events)|=load of KPs with remote events|=");
    t->is_first = t->is_keyed = true;
    for (int kind = 0; kind < PARTITION_KP_KINDS; kind++) {
        const struct partition_kps *kps = &p->kps[kind];
        doc_row(t, doc_name(kp_names[kind]), doc_name(words[kind]), doc_count(kps->cut),
                doc_share((double)kps->cut, local), doc_real(kps->exposed),
                doc_measure(DOC_SHARE, kps->exposed), mark(kind == (int)p->kp_chosen));
    }
}

static void bounds_print(FILE *out, const struct partition *p)
{
    char bound[WS_COUNT_MAX];
    if (!(p->any > 0.0)) {
        fprintf(out, "bounds of the speed-up are unknown: %s\n",
                p->bounds_why != NULL ? p->bounds_why : "the handlers took no time");
        return;
    }
    fprintf(out,
            "speed-up beside one rank\n"
            "  bound     most, because of critical path (%s) and busiest rank\n"
            "  in order  for ranks that keep to the order of events\n",
            ws_number_text(bound, p->any));
    if (p->causes_missing > 0) {
        fprintf(out,
                "  note: the causes of %" PRIu64 " events are not in the trace; bounds may be "
                "lower\n",
                p->causes_missing);
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
    fprintf(out, "%" PRIu32 " rank%s, weighed by %s\n", p->n_ranks, p->n_ranks == 1 ? "" : "s",
            g->by_time ? "the times of handlers" : "events");
    struct doc doc = {.n = 0}, kps = {.n = 0};
    placements_make(&doc, p);
    doc_print_free(out, &doc);
    bounds_print(out, p);
    fputs(p->n_ranks > 1 ? "with the map instead of\n" : "", out);
    change_print(out, p, PARTITION_RECORDED);
    change_print(out, p, PARTITION_LINEAR);
    change_print(out, p, PARTITION_RANDOM);
    if (p->n_kps > 0) {
        fprintf(out, "%" PRIu32 " KPs per rank\n", p->n_kps);
        kps_make(&kps, p);
        doc_print_free(out, &kps);
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
    ws_document_open(&json);
    json_put_string(&json, "path", source->path);
    ws_stream_covers_json(&json, source);
    ws_put(&json, "map|events|committed|lps|lps_without_events|pairs|events_to_same_lp|weights",
           doc_name(map), doc_count(g->events), doc_bool(!g->all_executed), doc_count(g->n_lps),
           doc_count(p->silent), doc_count(g->n_pairs), doc_count(g->self),
           doc_name(g->by_time ? "time" : "events"));
    bool known = p->any > 0.0;
    ws_put(&json, "ranks|kps|seed|chosen|speed_up_at_most|causes_missing|speed_up_unknown",
           doc_count(p->n_ranks), doc_count(p->n_kps), doc_count(p->cut.seed),
           doc_name(kind_names[p->chosen]), doc_if(known, doc_real(p->any)),
           doc_if(known, doc_count(p->causes_missing)),
           doc_if(!known && p->bounds_why != NULL, doc_name(p->bounds_why)));
    struct doc doc = {.n = 0};
    placements_make(&doc, p);
    doc_json(&json, &doc);
    doc_free(&doc);
    if (p->n_kps > 0) {
        json_put_string(&json, "kps_chosen", kp_names[p->kp_chosen]);
        kps_make(&doc, p);
        doc_json(&json, &doc);
        doc_free(&doc);
    }
    json_object_close(&json);
}
