/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * text.c - see text.h.
 */
#include "memtrace/text.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "render/layout.h"
#include "render/text.h"
#include "text/csv.h"

struct writer {
    FILE *out;
    const struct ws_memtrace *m;
    uint64_t rows, top;
    /* Layout of the columns that are printed, without those of width 0. */
    struct ws_layout_column layout[WS_MEMTRACE_COLUMNS_MAX];
};

void ws_memtrace_cta_text(char to[WS_CTA_TEXT_MAX], uint64_t cta)
{
    snprintf(to, WS_CTA_TEXT_MAX, "%" PRIu32 ",%" PRIu32 ",%" PRIu32, ws_cta_part(cta, 0),
             ws_cta_part(cta, 1), ws_cta_part(cta, 2));
}

/* Returns the number of characters of a UTF-8 string. */
static size_t characters_of(const char *text)
{
    size_t n = 0;
    for (; *text != '\0'; text++) {
        n += ((unsigned char)*text & 0xc0) != 0x80;
    }
    return n;
}

bool ws_memtrace_kernel_text(char *to, size_t size, const struct ws_kernel *kernel, uint64_t number,
                             size_t width)
{
    char text[4 * WS_COLUMN_MAX + 32];
    bool is_long = characters_of(kernel->label) > width;
    snprintf(text, sizeof text, "#%" PRIu64 " %.*s", number + 1, (int)(4 * WS_COLUMN_MAX),
             kernel->label);
    utf8_plain(to, size, is_long ? text : kernel->label, SIZE_MAX);
    return is_long;
}

void ws_memtrace_text_kernels(const struct ws_memtrace *m, FILE *out)
{
    const struct ws_actors *actors = &m->book.actors;
    for (uint32_t i = 0; i < actors->names.n; i++) {
        if (actors->kernels[i].is_cut) {
            fprintf(out, "#%" PRIu32 " is ", i + 1);
            utf8_plain_print(out, actors->kernels[i].label);
            fputc('\n', out);
        }
    }
}

/* ---- Output as text -------------------------------------------------------------------------- */

/* Writes the text of a value to `to`. The value must not be one that is shown as a name. Returns
 * the length of the text. */
static unsigned value_text(char to[WS_CTA_TEXT_MAX], enum ws_memtrace_kind kind, uint64_t v)
{
    if (kind == WS_VALUE_CTA) {
        ws_memtrace_cta_text(to, v);
    } else {
        snprintf(to, WS_CTA_TEXT_MAX, kind == WS_VALUE_ADDRESS ? "0x%" PRIx64 : "%" PRIu64, v);
    }
    return (unsigned)strlen(to);
}

/* Returns the number of characters that a value needs; 0 for the name of a kernel or a path, which
 * may be shortened. */
static unsigned value_length(enum ws_memtrace_kind kind, uint64_t v)
{
    char text[WS_CTA_TEXT_MAX];
    if (kind == WS_VALUE_KERNEL || kind == WS_VALUE_PATH) {
        return 0;
    }
    return kind == WS_VALUE_CLASS ? (unsigned)strlen(ws_memtrace_classes[v])
                                  : value_text(text, kind, v);
}

/* Widens the columns for the values of a row. Returns false after the last row that will be
 * printed. */
static bool row_measure(void *ctx, const struct ws_memtrace_table *table, const uint64_t *values)
{
    struct writer *w = ctx;
    size_t at = 0;
    for (int i = 0; table->columns[i].name != NULL; i++) {
        const struct ws_memtrace_column *c = &table->columns[i];
        if (c->width > 0) {
            struct ws_layout_column *place = &w->layout[at++];
            unsigned length = value_length(c->kind, values[i]);
            place->need = length > place->need ? length : place->need;
        }
    }
    return ++w->rows < w->top;
}

/* Computes the widths of the columns from the rows that will be printed. Returns false if out of
 * memory. */
static bool layout_make(struct writer *w, struct ws_memtrace *m, enum ws_memtrace_table_id id)
{
    size_t n = 0;
    for (const struct ws_memtrace_column *c = ws_memtrace_tables[id].columns; c->name != NULL;
         c++) {
        if (c->width > 0) {
            w->layout[n++] = (struct ws_layout_column){.width = c->width,
                                                       .need = (unsigned)strlen(c->heading),
                                                       .is_name = c->kind == WS_VALUE_KERNEL ||
                                                                  c->kind == WS_VALUE_PATH};
        }
    }
    bool good = w->top == 0 || ws_memtrace_rows(m, id, true, row_measure, w);
    w->rows = 0;
    ws_layout_fit(w->layout, n);
    return good;
}

static void head_write(const struct writer *w, const struct ws_memtrace_table *table)
{
    size_t at = 0;
    for (const struct ws_memtrace_column *c = table->columns; c->name != NULL; c++) {
        if (c->width > 0) {
            bool last = c[1].name == NULL;
            int width = (int)w->layout[at].width;
            ws_layout_space(w->layout, at++, w->out);
            fprintf(w->out, "%*s", ws_memtrace_is_name(c) && !last ? -width : width, c->heading);
        }
    }
    fputc('\n', w->out);
}

static void name_write(struct writer *w, const struct ws_memtrace_column *c, uint64_t v,
                       unsigned width)
{
    if (c->kind == WS_VALUE_PATH) {
        utf8_plain_path_column(w->out, ws_memtrace_name(w->m, c, v), width);
    } else if (c->kind == WS_VALUE_CLASS) {
        utf8_plain_column(w->out, ws_memtrace_name(w->m, c, v), width);
    } else {
        char text[4 * WS_COLUMN_MAX];
        struct ws_kernel *kernel = &w->m->book.actors.kernels[v];
        kernel->is_cut |= ws_memtrace_kernel_text(text, sizeof text, kernel, v, width);
        utf8_plain_column(w->out, text, width);
    }
}

static bool row_write(void *ctx, const struct ws_memtrace_table *table, const uint64_t *values)
{
    struct writer *w = ctx;
    size_t at = 0;
    if (w->rows++ >= w->top) {
        return true; /* further rows are only counted */
    }
    for (int i = 0; table->columns[i].name != NULL; i++) {
        const struct ws_memtrace_column *c = &table->columns[i];
        if (c->width == 0) {
            continue;
        }
        unsigned width = w->layout[at].width;
        ws_layout_space(w->layout, at++, w->out);
        if (ws_memtrace_is_name(c)) {
            name_write(w, c, values[i], width);
        } else {
            char text[WS_CTA_TEXT_MAX];
            value_text(text, c->kind, values[i]);
            fprintf(w->out, "%*s", (int)width, text);
        }
    }
    fputc('\n', w->out);
    return true;
}

static bool no_memory(void)
{
    fputs("warpscope memtrace: out of memory\n", stderr);
    return false;
}

bool ws_memtrace_text(struct ws_memtrace *m, enum ws_memtrace_table_id id, uint64_t top, FILE *out)
{
    struct writer w = {.out = out, .m = m, .top = top};
    if (!layout_make(&w, m, id)) {
        return no_memory();
    }
    head_write(&w, &ws_memtrace_tables[id]);
    if (!ws_memtrace_rows(m, id, true, row_write, &w)) {
        return no_memory();
    }
    if (w.rows == 0 && top > 0) {
        fprintf(out, "none%s\n",
                m->book.choice.any                 ? " that the options select"
                : id >= WS_MEMTRACE_TRANSFERS      ? ": no CTA loads what another CTA has stored"
                : id >= WS_MEMTRACE_VOLUMES_KERNEL ? ": the launches have made no accesses"
                                                   : ": the trace has no launches");
    }
    if (w.rows > top) {
        fprintf(out, "and %" PRIu64 " more (--top=N shows more, --csv all)\n", w.rows - top);
    }
    return true;
}

/* ---- Output as CSV --------------------------------------------------------------------------- */

static void csv_head_write(const struct writer *w, const struct ws_memtrace_table *table)
{
    const char *comma = "";
    for (const struct ws_memtrace_column *c = table->columns; c->name != NULL; c++) {
        if (c->kind == WS_VALUE_CTA) {
            fprintf(w->out, "%s%s_x,%s_y,%s_z", comma, c->name, c->name, c->name);
        } else {
            fprintf(w->out, "%s%s", comma, c->name);
        }
        comma = ",";
    }
    fputc('\n', w->out);
}

static bool csv_row_write(void *ctx, const struct ws_memtrace_table *table, const uint64_t *values)
{
    struct writer *w = ctx;
    for (int i = 0; table->columns[i].name != NULL; i++) {
        const struct ws_memtrace_column *c = &table->columns[i];
        char cta[WS_CTA_TEXT_MAX];
        if (i > 0) {
            fputc(',', w->out);
        }
        if (ws_memtrace_is_name(c)) {
            const char *name = ws_memtrace_name(w->m, c, values[i]);
            csv_print(w->out, name, strlen(name));
        } else if (c->kind == WS_VALUE_CTA) {
            ws_memtrace_cta_text(cta, values[i]);
            fputs(cta, w->out);
        } else {
            fprintf(w->out, "%" PRIu64, values[i]);
        }
    }
    fputc('\n', w->out);
    return ferror(w->out) == 0;
}

bool ws_memtrace_csv(struct ws_memtrace *m, enum ws_memtrace_table_id id, FILE *out)
{
    struct writer w = {.out = out, .m = m};
    csv_head_write(&w, &ws_memtrace_tables[id]);
    return ws_memtrace_rows(m, id, false, csv_row_write, &w) || no_memory();
}

/* ---- Tables as JSON -------------------------------------------------------------------------- */

struct json_rows {
    struct json_writer *json;
    struct ws_memtrace *m;
};

/* Writes a row as a JSON object on one line. */
static bool json_row_write(void *ctx, const struct ws_memtrace_table *table, const uint64_t *v)
{
    struct json_rows *r = ctx;
    json_object_open(r->json, NULL);
    r->json->compact = true;
    for (int i = 0; table->columns[i].name != NULL; i++) {
        const struct ws_memtrace_column *c = &table->columns[i];
        if (ws_memtrace_is_name(c)) {
            json_put_string(r->json, c->name, ws_memtrace_name(r->m, c, v[i]));
        } else {
            json_put_u64(r->json, c->name, v[i]);
        }
    }
    json_object_close(r->json);
    r->json->compact = false;
    return true;
}

bool ws_memtrace_json_rows(struct json_writer *json, struct ws_memtrace *m,
                           enum ws_memtrace_table_id id)
{
    struct json_rows rows = {.json = json, .m = m};
    json_array_open(json, ws_memtrace_tables[id].name);
    bool good = ws_memtrace_rows(m, id, false, json_row_write, &rows);
    json_array_close(json);
    return good;
}

bool ws_memtrace_json_tables(struct ws_memtrace *m, const enum ws_memtrace_table_id *ids, size_t n,
                             FILE *out)
{
    struct json_writer json = {.out = out, .indent = 1};
    bool good = true;
    json_object_open(&json, NULL);
    for (size_t i = 0; i < n; i++) {
        good = ws_memtrace_json_rows(&json, m, ids[i]) && good;
    }
    json_object_close(&json);
    return good || no_memory();
}
