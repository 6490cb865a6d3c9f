/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * forms.c - the results as JSON and as CSV files; see output.h.
 */
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "analyze/output.h"
#include "text/csv.h"
#include "text/decimal.h"
#include "text/json.h"

/* ---- JSON ------------------------------------------------------------------------------------ */

static void cell_json(struct json_writer *json, const char *key, const struct analyze_cell *cell)
{
    switch (cell->kind) {
    case ANALYZE_COUNT:
        json_put_u64(json, key, cell->as.count);
        break;
    case ANALYZE_REAL:
    case ANALYZE_SHARE:
    case ANALYZE_SECONDS:
        json_put_double(json, key, cell->as.real);
        break;
    case ANALYZE_TEXT:
        json_put_string(json, key, cell->as.text);
        break;
    case ANALYZE_NONE:
    default:
        break;
    }
}

void analyze_table_json(struct json_writer *json, const struct analyze_table *t)
{
    size_t rows = t->n_rows < t->n_json ? t->n_rows : t->n_json;
    if (t->n_json == 0) {
        return;
    }
    bool compact = json->compact;
    json_array_open(json, t->name);
    for (size_t row = 0; row < rows; row++) {
        json->compact = true;
        json_line(json);
        json_object_open(json, NULL);
        for (uint32_t c = 0; c < t->n_columns; c++) {
            cell_json(json, t->columns[c].name, &t->cells[row * t->n_columns + c]);
        }
        json_object_close(json);
        json->compact = compact;
    }
    json_array_close(json);
}

static void facts_json(struct json_writer *json, const struct analyze *a)
{
    const struct analyze_trace *t = &a->trace;
    json_put_string(json, "path", t->file->path);
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

void analyze_print_json(FILE *out, const struct analyze *a, const struct analyze_tables *tables)
{
    struct json_writer json = {.out = out};
    struct analyze_findings findings = {.n = 0};
    analyze_findings_find(&findings, a);
    json_object_open(&json, NULL);
    facts_json(&json, a);
    json_array_open(&json, "findings");
    for (uint32_t i = 0; i < findings.n; i++) {
        json_put_string(&json, NULL, findings.words[i]);
    }
    json_array_close(&json);
    for (uint32_t i = 0; i < tables->n; i++) {
        analyze_table_json(&json, &tables->list[i]);
    }
    json_object_close(&json);
}

/* ---- CSV ------------------------------------------------------------------------------------- */

bool analyze_out_print(struct ws_out *out, const char *words, ...)
{
    char text[1024];
    va_list args;
    va_start(args, words);
    int n = vsnprintf(text, sizeof text, words, args);
    va_end(args);
    return n >= 0 && ws_out_write(out, text, (size_t)n < sizeof text ? (size_t)n : sizeof text - 1);
}

static bool cell_csv(struct ws_out *out, const struct analyze_cell *cell)
{
    char text[DECIMAL_MAX], quoted[1024];
    size_t n = 0;
    switch (cell->kind) {
    case ANALYZE_COUNT:
        n = decimal_u64(text, cell->as.count);
        break;
    case ANALYZE_REAL:
    case ANALYZE_SHARE:
    case ANALYZE_SECONDS:
        n = decimal_f64(text, cell->as.real);
        break;
    case ANALYZE_TEXT:
        n = strnlen(cell->as.text, (sizeof quoted - 2) / 2);
        return ws_out_write(out, quoted, (size_t)(csv_write(quoted, cell->as.text, n) - quoted));
    case ANALYZE_NONE:
    default:
        break;
    }
    return ws_out_write(out, text, n);
}

static bool table_csv(struct ws_outs *outs, const char *folder, const struct analyze_table *t)
{
    char path[4096];
    snprintf(path, sizeof path, "%.4000s/%s.csv", folder, t->name);
    struct ws_out *out = ws_out_begin(outs, path);
    bool good = out != NULL;
    for (uint32_t c = 0; good && c < t->n_columns; c++) {
        good = analyze_out_print(out, "%s%s", c > 0 ? "," : "", t->columns[c].name);
    }
    good = good && ws_out_write(out, "\n", 1);
    for (size_t row = 0; good && analyze_goes_on(row) && row < t->n_rows; row++) {
        for (uint32_t c = 0; good && c < t->n_columns; c++) {
            good = (c == 0 || ws_out_write(out, ",", 1)) &&
                   cell_csv(out, &t->cells[row * t->n_columns + c]);
        }
        good = good && ws_out_write(out, "\n", 1);
    }
    return good && analyze_goes_on(0) && ws_out_end(out);
}

bool analyze_write_csv(struct ws_outs *outs, const struct analyze *a,
                       const struct analyze_tables *tables)
{
    bool good = ws_outs_folder(outs, a->options->csv_folder);
    for (uint32_t i = 0; good && i < tables->n; i++) {
        good = table_csv(outs, a->options->csv_folder, &tables->list[i]);
    }
    return good;
}
