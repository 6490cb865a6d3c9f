/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * forms.c - the results as JSON and as CSV files; see results.h.
 */
#include <string.h>

#include "results/results.h"
#include "text/csv.h"
#include "text/decimal.h"
#include "text/json.h"

/* ---- JSON ------------------------------------------------------------------------------------ */

static void cell_json(struct json_writer *json, const char *key, const struct ws_result_cell *cell)
{
    switch (cell->kind) {
    case WS_RESULT_COUNT:
        json_put_u64(json, key, cell->as.count);
        break;
    case WS_RESULT_REAL:
    case WS_RESULT_SHARE:
    case WS_RESULT_SECONDS:
        json_put_double(json, key, cell->as.real);
        break;
    case WS_RESULT_TEXT:
        json_put_string(json, key, cell->as.text);
        break;
    case WS_RESULT_NONE:
    default:
        break;
    }
}

void ws_result_json(struct json_writer *json, const struct ws_result_table *t)
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

void ws_result_findings_json(struct json_writer *json, const struct ws_result_findings *findings)
{
    json_array_open(json, "findings");
    for (uint32_t i = 0; i < findings->n; i++) {
        json_put_string(json, NULL, findings->words[i]);
    }
    json_array_close(json);
}

void ws_results_json(struct json_writer *json, const struct ws_results *results)
{
    for (uint32_t i = 0; i < results->n; i++) {
        ws_result_json(json, &results->list[i]);
    }
}

/* ---- CSV ------------------------------------------------------------------------------------- */

static bool text_csv(struct ws_out *out, const char *text)
{
    size_t size = strlen(text);
    char *to = (char *)ws_out_room(out, csv_max(size));
    if (to == NULL) {
        return false;
    }
    ws_out_take(out, (size_t)(csv_write(to, text, size) - to));
    return true;
}

static bool cell_csv(struct ws_out *out, const struct ws_result_cell *cell)
{
    char text[DECIMAL_MAX];
    size_t n = 0;
    switch (cell->kind) {
    case WS_RESULT_COUNT:
        n = decimal_u64(text, cell->as.count);
        break;
    case WS_RESULT_REAL:
    case WS_RESULT_SHARE:
    case WS_RESULT_SECONDS:
        n = decimal_f64(text, cell->as.real);
        break;
    case WS_RESULT_TEXT:
        return text_csv(out, cell->as.text);
    case WS_RESULT_NONE:
    default:
        break;
    }
    return ws_out_write(out, text, n);
}

static bool table_csv(struct ws_outs *outs, const char *folder, const struct ws_result_table *t)
{
    char path[4096];
    snprintf(path, sizeof path, "%.4000s/%s.csv", folder, t->name);
    struct ws_out *out = ws_out_begin(outs, path);
    bool good = out != NULL;
    for (uint32_t c = 0; good && c < t->n_columns; c++) {
        good = ws_out_print(out, "%s%s", c > 0 ? "," : "", t->columns[c].name);
    }
    good = good && ws_out_write(out, "\n", 1);
    for (size_t row = 0; good && ws_out_goes_on(row) && row < t->n_rows; row++) {
        for (uint32_t c = 0; good && c < t->n_columns; c++) {
            good = (c == 0 || ws_out_write(out, ",", 1)) &&
                   cell_csv(out, &t->cells[row * t->n_columns + c]);
        }
        good = good && ws_out_write(out, "\n", 1);
    }
    return good && ws_out_goes_on(0) && ws_out_end(out);
}

bool ws_results_csv(struct ws_outs *outs, const char *folder, const struct ws_results *results)
{
    bool good = ws_outs_folder(outs, folder);
    for (uint32_t i = 0; good && i < results->n; i++) {
        good = table_csv(outs, folder, &results->list[i]);
    }
    return good;
}
