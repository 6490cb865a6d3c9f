/* SPDX-License-Identifier: BSD-3-Clause */
/* forms.c - documents as JSON and as CSV files; see document.h. */
#include <string.h>

#include "document/document.h"
#include "text/csv.h"
#include "text/decimal.h"

/* ---- JSON ------------------------------------------------------------------------------------ */

struct rows_json {
    struct json_writer *json;
    const struct doc_table *table;
    size_t rows;
};

static bool row_json(void *to, const struct doc_cell *cells)
{
    struct rows_json *r = to;
    const struct doc_table *t = r->table;
    bool compact = r->json->compact;
    if (r->rows++ == t->n_json) {
        return false;
    }
    if (!t->is_keyed) {
        r->json->compact = true;
        json_line(r->json);
    }
    json_object_open(r->json, t->is_keyed ? cells[0].as.text : NULL);
    for (uint32_t c = t->is_keyed; c < t->n_columns; c++) {
        if (t->columns[c].name[0] != '\0') {
            ws_cell_json(r->json, t->columns[c].name, &cells[c]);
        }
    }
    json_object_close(r->json);
    r->json->compact = compact;
    return true;
}

bool doc_table_json(struct json_writer *json, const struct doc_table *t)
{
    struct rows_json r = {.json = json, .table = t};
    if (t->n_json == 0) {
        return true;
    }
    (t->is_keyed ? json_object_open : json_array_open)(json, t->name);
    bool good = doc_rows(t, row_json, &r);
    (t->is_keyed ? json_object_close : json_array_close)(json);
    return good;
}

bool doc_json(struct json_writer *json, const struct doc *doc)
{
    bool good = true;
    for (uint32_t i = 0; i < doc->n; i++) {
        good &= doc_table_json(json, &doc->tables[i]);
    }
    return good;
}

void doc_findings_json(struct json_writer *json, const struct doc *doc)
{
    json_array_open(json, "findings");
    for (size_t i = 0; i < doc->n_findings; i++) {
        json_put_string(json, NULL, doc->findings[i]);
    }
    json_array_close(json);
}

/* ---- CSV ------------------------------------------------------------------------------------- */

static bool cell_csv(struct ws_out *out, const struct doc_cell *cell)
{
    bool is_name = cell->kind == DOC_NAME || cell->kind == DOC_PATH;
    size_t size = is_name ? strlen(cell->as.text) : 0;
    char *to = (char *)ws_out_room(out, is_name ? csv_max(size) : 3 * DECIMAL_MAX), *end = to;
    if (to == NULL) {
        return false;
    }
    switch ((enum doc_kind)cell->kind) {
    case DOC_NONE:
        break;
    case DOC_BOOL:
    case DOC_COUNT:
    case DOC_NUMBER:
    case DOC_ADDRESS:
        end += decimal_u64(to, cell->as.count);
        break;
    case DOC_TRIPLE:
        for (int i = 0; i < 3; i++) {
            end += decimal_u64(end, doc_triple_part(cell->as.count, i));
            *end = ',';
            end += i < 2;
        }
        break;
    case DOC_NAME:
    case DOC_PATH:
        end = csv_write(to, cell->as.text, size);
        break;
    default:
        end += decimal_f64(to, cell->as.real);
    }
    ws_out_take(out, (size_t)(end - to));
    return true;
}

struct rows_csv {
    struct ws_out *out;
    const struct doc_table *table;
    uint64_t rows;
    bool good;
};

static bool row_csv(void *to, const struct doc_cell *cells)
{
    struct rows_csv *r = to;
    r->good = ws_out_goes_on(r->rows++);
    for (uint32_t c = 0; r->good && c < r->table->n_columns; c++) {
        r->good = (c == 0 || ws_out_write(r->out, ",", 1)) && cell_csv(r->out, &cells[c]);
    }
    r->good = r->good && ws_out_write(r->out, "\n", 1);
    return r->good;
}

bool doc_table_csv(struct ws_outs *outs, const char *path, const struct doc_table *t)
{
    struct rows_csv r = {.out = ws_out_begin(outs, path), .table = t};
    r.good = r.out != NULL;
    for (uint32_t c = 0; r.good && c < t->n_columns; c++) {
        const char *name = t->columns[c].name, *comma = c > 0 ? "," : "";
        r.good = t->columns[c].kind == DOC_TRIPLE
                     ? ws_out_print(r.out, "%s%s_x,%s_y,%s_z", comma, name, name, name)
                     : ws_out_print(r.out, "%s%s", comma, name);
    }
    r.good = r.good && ws_out_write(r.out, "\n", 1);
    if (r.good && !doc_rows(t, row_csv, &r)) {
        return ws_out_failed(r.out, "out of memory", 0);
    }
    return r.good && ws_out_goes_on(0) && ws_out_end(r.out);
}

bool doc_csv(struct ws_outs *outs, const char *directory, const struct doc *doc)
{
    bool good = ws_outs_folder(outs, directory);
    for (uint32_t i = 0; good && i < doc->n; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%.4000s/%s.csv", directory, doc->tables[i].name);
        good = doc_table_csv(outs, path, &doc->tables[i]);
    }
    return good;
}
