/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * json.c - prints the results as JSON; see output.h.
 */
#include "text/json.h"
#include "access/covers.h"
#include "analyze/output.h"

static void facts_json(struct json_writer *json, const struct analyze *a)
{
    const struct analyze_trace *t = &a->trace;
    json_put_string(json, "path", t->file->path);
    ws_stream_covers_json(json, t->file);
    ws_put(json, "causes_known|handlers_timed|handlers_sampled", doc_bool(t->is_exact),
           doc_bool(t->is_timed), doc_bool(t->is_sampled));
    ws_put(json,
           "events|lps_of_run|initial|causes_missing|causes_ambiguous|left_out|handler_time|"
           "remote|lps_moved|cycle_count",
           doc_count(a->events), doc_count(analyze_lps_of_run(a)), doc_count(a->initial),
           doc_count(a->missing), doc_count(a->ambiguous), doc_count(t->left_out),
           doc_real((double)a->handler_time * 1e-9), doc_count(a->remote), doc_count(a->moves),
           doc_count(a->lengths[ANALYZE_EVENTS_LP]));
    ws_put(json, "path_weight|path_events|path_time|path_remote|lookahead",
           doc_name(a->path_of == ANALYZE_TIME_LP ? "handler time" : "events"),
           doc_count(a->path_events), doc_real((double)a->path_time * 1e-9),
           doc_count(a->path_remote), doc_real(analyze_lookahead(a)));
    ws_put(json, "open_events_most|edge_count|events_to_self", doc_count(a->opens_most),
           doc_count(a->graph.edges), doc_count(a->graph.self));
    if (a->graph.communities > 0) {
        ws_put(json, "community_count|modularity|community_share", doc_count(a->graph.communities),
               doc_real(a->graph.modularity),
               doc_share((double)a->graph.community_events, (double)a->graph.between_events));
    }
}

void analyze_print_json(FILE *out, const struct analyze *a, const struct doc *doc)
{
    struct json_writer json = {.out = out};
    json_object_open(&json, NULL);
    facts_json(&json, a);
    doc_findings_json(&json, doc);
    doc_json(&json, doc);
    json_object_close(&json);
}
