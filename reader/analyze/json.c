/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * json.c - prints the results as JSON; see output.h.
 */
#include <math.h>

#include "access/covers.h"
#include "analyze/output.h"
#include "text/json.h"

static void facts_json(struct json_writer *json, const struct analyze *a)
{
    const struct analyze_trace *t = &a->trace;
    json_put_string(json, "path", t->file->path);
    ws_stream_covers_json(json, t->file);
    json_put_bool(json, "causes_known", t->is_exact);
    json_put_bool(json, "handlers_timed", t->is_timed);
    json_put_bool(json, "handlers_sampled", t->is_sampled);
    json_put_u64(json, "events", a->events);
    json_put_u64(json, "lps_of_run", analyze_lps_of_run(a));
    json_put_u64(json, "initial", a->initial);
    json_put_u64(json, "causes_missing", a->missing);
    json_put_u64(json, "causes_ambiguous", a->ambiguous);
    json_put_u64(json, "left_out", t->left_out);
    json_put_double(json, "handler_time", (double)a->handler_time * 1e-9);
    json_put_u64(json, "remote", a->remote);
    json_put_u64(json, "lps_moved", a->moves);
    json_put_u64(json, "cycle_count", a->lengths[ANALYZE_EVENTS_LP]);
    json_put_string(json, "path_weight", a->path_of == ANALYZE_TIME_LP ? "handler time" : "events");
    json_put_u64(json, "path_events", a->path_events);
    json_put_double(json, "path_time", (double)a->path_time * 1e-9);
    json_put_u64(json, "path_remote", a->path_remote);
    double lookahead = analyze_lookahead(a);
    json_put_double(json, "lookahead", lookahead);
    json_put_u64(json, "open_events_most", a->opens_most);
    json_put_u64(json, "edge_count", a->graph.edges);
    json_put_u64(json, "events_to_self", a->graph.self);
    if (a->graph.communities > 0) {
        json_put_u64(json, "community_count", a->graph.communities);
        json_put_double(json, "modularity", a->graph.modularity);
        json_put_double(json, "community_share",
                        (double)a->graph.community_events /
                            fmax(1.0, (double)a->graph.between_events));
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
