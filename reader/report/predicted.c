/* SPDX-License-Identifier: BSD-3-Clause */
/* predicted.c - writes what other numbers of ranks would need (predict/predict.h) as JSON; see report.h. */
#include "placement/cut.h"
#include "predict/predict.h"
#include "report/report.h"

/* "warpscope predict" has no such limit: it takes a second for ten times as many events. */
#define PREDICTED_EVENTS_MAX 300000u

const char *report_predicted_absent(struct ws_figures *run)
{
    const char *why = report_allows_absent(run);
    if (why == NULL && partition_cut_missing() != NULL) {
        why = "Not known: this program was built without METIS.";
    } else if (why == NULL && !run->evidence.handlers_timed) {
        why = "Not known: --event-trace=3 --event-times=1 records what events take.";
    } else if (why == NULL &&
               ws_figures_file_of(run, FMT_STREAM_EVTRACE)->stream.records > PREDICTED_EVENTS_MAX) {
        why = "The trace is long: warpscope predict shows this.";
    }
    return why;
}

void report_predicted_json(struct json_writer *json, struct ws_figures *run)
{
    struct predict p = {
        .ranks = {2, 4, 8, 16, 32}, .n_ranks = 5, .optimistic = true, .conservative = true};
    static const char *const tables[] = {"predictions", "counts", "times"};
    struct doc doc = {.n = 0};
    predict_costs_init(&p.costs, &run->evidence);
    if (predict_find(&p, &ws_figures_file_of(run, FMT_STREAM_EVTRACE)->stream, &run->evidence)) {
        predict_document(&doc, &p);
        json_object_line(json, "predicted");
        doc_findings_json(json, &doc);
        for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
            doc_table_json(json, doc_find(&doc, tables[i]));
        }
        json_object_close(json);
    }
    doc_free(&doc);
    predict_source_free(&p.source);
}
