/* SPDX-License-Identifier: BSD-3-Clause */
/* html.c - tables of documents as HTML; see document.h. */
#include <string.h>

#include "document/document.h"
#include "render/text.h"
#include "text/utf8.h"

#define HTML_NAME_MOST 80u /* maximum width of a name in characters */

struct rows_html {
    FILE *out;
    const struct doc_table *table;
    size_t rows;
};

static bool row_html(void *to, const struct doc_cell *cells)
{
    struct rows_html *r = to;
    const struct doc_table *t = r->table;
    char text[DOC_CELL_MAX];
    if (r->rows++ >= t->n_text) {
        return true;
    }
    fputs("<tr>", r->out);
    for (uint32_t c = 0; c < t->n_columns; c++) {
        if (t->columns[c].heading != NULL) {
            bool is_name = cells[c].kind == DOC_NAME || cells[c].kind == DOC_PATH;
            fputs(is_name ? "<td class=\"name\">" : "<td>", r->out);
            ws_xml_print(r->out, doc_cell_text(text, &cells[c], HTML_NAME_MOST, true), SIZE_MAX);
            fputs("</td>", r->out);
            doc_cell_cut(t, &cells[c], HTML_NAME_MOST);
        }
    }
    fputs("</tr>\n", r->out);
    return true;
}

bool doc_table_html(FILE *out, const struct doc_table *t)
{
    struct rows_html r = {.out = out, .table = t};
    fprintf(out, "<section><h2>%s</h2>\n", t->title);
    if (t->note != NULL) {
        fprintf(out, "<p>%s</p>\n", t->note);
    }
    fputs("<div class=\"wide\"><table><thead><tr>", out);
    for (uint32_t c = 0; c < t->n_columns; c++) {
        if (t->columns[c].heading != NULL) {
            bool is_name = t->columns[c].kind == DOC_NAME;
            fprintf(out, "<th%s>%s</th>", is_name ? " class=\"name\"" : "", t->columns[c].heading);
        }
    }
    fputs("</tr></thead>\n<tbody>\n", out);
    bool good = doc_rows(t, row_html, &r);
    fputs("</tbody></table></div>\n", out);
    if (r.rows == 0 && t->none != NULL) {
        fprintf(out, "<p>%s</p>\n", t->none);
    } else if (r.rows > t->n_text) {
        fprintf(out, "<p>and %zu more (%s)</p>\n", r.rows - t->n_text, t->more);
    }
    fputs("</section>\n", out);
    return good;
}
