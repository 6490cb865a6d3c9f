/*
 * memtrace_text.c - see memtrace_text.h.
 */
#include "memtrace_text.h"

#include <inttypes.h>
#include <string.h>

#include "text.h"

struct writer {
    FILE *out;
    const struct ws_memtrace *m;
    uint64_t rows, top;
};

void ws_memtrace_cta_text(char to[WS_CTA_TEXT_MAX], uint64_t cta)
{
    snprintf(to, WS_CTA_TEXT_MAX, "%" PRIu32 ",%" PRIu32 ",%" PRIu32, ws_cta_part(cta, 0),
             ws_cta_part(cta, 1), ws_cta_part(cta, 2));
}

static bool is_name(const struct ws_memtrace_column *c)
{
    return c->kind == WS_VALUE_KERNEL || c->kind == WS_VALUE_PATH || c->kind == WS_VALUE_CLASS;
}

/* Characters of a text in UTF-8. */
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
    ws_plain_text(to, size, is_long ? text : kernel->label);
    return is_long;
}

void ws_memtrace_text_kernels(const struct ws_memtrace *m, FILE *out)
{
    const struct ws_actors *actors = &m->book.actors;
    for (uint32_t i = 0; i < actors->names.n; i++) {
        if (actors->kernels[i].is_cut) {
            fprintf(out, "#%" PRIu32 " is ", i + 1);
            ws_plain_string(out, actors->kernels[i].label);
            fputc('\n', out);
        }
    }
}

static const char *name_of(const struct writer *w, const struct ws_memtrace_column *c, uint64_t v)
{
    if (c->kind == WS_VALUE_CLASS) {
        return ws_memtrace_classes[v];
    }
    if (c->kind == WS_VALUE_PATH) {
        return w->m->streams[v - 1].path;
    }
    return w->m->book.actors.kernels[v].shown;
}

/* ---- Text -------------------------------------------------------------------------------------
 */

static void head_write(const struct writer *w, const struct ws_memtrace_table *table)
{
    const char *space = "";
    for (const struct ws_memtrace_column *c = table->columns; c->name != NULL; c++) {
        if (c->width > 0) {
            bool last = c[1].name == NULL;
            int width = (int)c->width;
            fprintf(w->out, "%s%*s", space, is_name(c) && !last ? -width : width, c->heading);
            space = " ";
        }
    }
    fputc('\n', w->out);
}

static void name_write(struct writer *w, const struct ws_memtrace_column *c, uint64_t v)
{
    char text[4 * WS_COLUMN_MAX];
    const char *name = text;
    if (c->kind == WS_VALUE_KERNEL) {
        struct ws_kernel *kernel = &w->m->book.actors.kernels[v];
        kernel->is_cut |= ws_memtrace_kernel_text(text, sizeof text, kernel, v, c->width);
    } else {
        name = name_of(w, c, v);
    }
    ws_plain_column(w->out, name, c->width);
}

static bool row_write(void *ctx, const struct ws_memtrace_table *table, const uint64_t *values)
{
    struct writer *w = ctx;
    const char *space = "";
    if (w->rows++ >= w->top) {
        return true; /* to count them */
    }
    for (int i = 0; table->columns[i].name != NULL; i++) {
        const struct ws_memtrace_column *c = &table->columns[i];
        char text[WS_CTA_TEXT_MAX];
        int width = (int)c->width;
        if (width == 0) {
            continue;
        }
        fputs(space, w->out);
        space = " ";
        if (is_name(c)) {
            name_write(w, c, values[i]);
        } else if (c->kind == WS_VALUE_CTA) {
            ws_memtrace_cta_text(text, values[i]);
            fprintf(w->out, "%*s", width, text);
        } else if (c->kind == WS_VALUE_ADDRESS) {
            snprintf(text, sizeof text, "0x%" PRIx64, values[i]);
            fprintf(w->out, "%*s", width, text);
        } else {
            fprintf(w->out, "%*" PRIu64, width, values[i]);
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
    head_write(&w, &ws_memtrace_tables[id]);
    if (!ws_memtrace_rows(m, id, true, row_write, &w)) {
        return no_memory();
    }
    if (w.rows > top) {
        fprintf(out, "and %" PRIu64 " more (--top=N shows more, --csv all)\n", w.rows - top);
    }
    return true;
}

/* ---- CSV --------------------------------------------------------------------------------------
 */

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
        if (is_name(c)) {
            const char *name = name_of(w, c, values[i]);
            ws_csv_string(w->out, name, strlen(name));
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

/* ---- Tables as JSON
 * -------------------------------------------------------------------------------- */

struct json_rows {
    FILE *out;
    const struct ws_memtrace *m;
    bool any;
};

static bool json_row_write(void *ctx, const struct ws_memtrace_table *table, const uint64_t *v)
{
    struct json_rows *r = ctx;
    fprintf(r->out, "%s\n  {", r->any ? "," : "");
    r->any = true;
    for (int i = 0; table->columns[i].name != NULL; i++) {
        const struct ws_memtrace_column *c = &table->columns[i];
        fprintf(r->out, "%s\"%s\": ", i > 0 ? ", " : "", c->name);
        if (is_name(c)) {
            const struct writer w = {.m = r->m};
            const char *name = name_of(&w, c, v[i]);
            ws_json_string(r->out, name, strlen(name));
        } else {
            fprintf(r->out, "%" PRIu64, v[i]);
        }
    }
    fputc('}', r->out);
    return true;
}

bool ws_memtrace_json_tables(struct ws_memtrace *m, const enum ws_memtrace_table_id *ids, size_t n,
                             FILE *out)
{
    bool good = true;
    for (size_t i = 0; i < n; i++) {
        struct json_rows rows = {.out = out, .m = m};
        fprintf(out, "%s\n \"%s\": [", i == 0 ? "{" : ",", ws_memtrace_tables[ids[i]].name);
        good = good && ws_memtrace_rows(m, ids[i], false, json_row_write, &rows);
        fputs(rows.any ? "\n ]" : "]", out);
    }
    fputs("\n}\n", out);
    return good || no_memory();
}
