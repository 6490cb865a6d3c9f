/* SPDX-License-Identifier: BSD-3-Clause */
/* select.c - see select.h. */
#include "cli/select.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/messages.h"
#include "data/known.h"
#include "data/number.h"
#include "text/utf8.h"

/* Prints an error message about --where: the error, the expression `text`, and a caret below the
 * position of the error. */
static void where_error_print(const char *command, const char *text,
                              const struct ws_where_error *error)
{
    if (error->words == NULL) {
        ws_no_memory(NULL);
        return;
    }
    size_t column = utf8_columns(text, error->at);
    fprintf(stderr, "warpscope %s: --where: column %zu: %s\n  ", command, column + 1, error->words);
    utf8_plain_print(stderr, text);
    fprintf(stderr, "\n  %*s^ (see warpscope %s --help)\n", (int)column, "", command);
}

int ws_select_read(struct ws_select *s, const struct ws_usage *usage,
                   const struct ws_select_words *words)
{
    struct ws_select_texts texts = {.pes = words->pes,
                                    .kps = words->kps,
                                    .lps = words->lps,
                                    .types = words->types,
                                    .from = NAN,
                                    .to = NAN};
    struct ws_select_bad bad;
    struct ws_where_error error;
    *s = (struct ws_select){.sb = NULL};
    if (words->from != NULL && !ws_parse_f64(words->from, &texts.from)) {
        return ws_usage_error(usage, "--from=%s: must be a number", words->from);
    }
    if (words->to != NULL && !ws_parse_f64(words->to, &texts.to)) {
        return ws_usage_error(usage, "--to=%s: must be a number", words->to);
    }
    if (!ws_select_set(s, &texts, &bad)) {
        return bad.must != NULL
                   ? ws_usage_error(usage, "--%s=%s: %s", bad.option, bad.text, bad.must)
               : bad.option != NULL ? ws_usage_error(usage, "--from=%s is later than --to=%s",
                                                     words->from, words->to)
                                    : ws_usage_error(usage, "out of memory");
    }
    if (words->where != NULL && (s->where = ws_where_parse(words->where, &error)) == NULL) {
        where_error_print(usage->name, words->where, &error);
        return WS_EXIT_USAGE;
    }
    return WS_EXIT_OK;
}

/* ---- Columns --------------------------------------------------------------------------------- */

bool ws_fields_read(struct ws_fields *f, const struct ws_usage *usage, const char *text)
{
    if (text == NULL) {
        return true;
    }
    bool good = ws_name_list_read(&f->names, text);
    if (!good) {
        ws_usage_error(usage, "--fields=%s: must be names of columns, such as lp,kind", text);
    }
    return good;
}

void ws_fields_free(struct ws_fields *f)
{
    ws_name_list_free(&f->names);
    *f = (struct ws_fields){0};
}

void ws_fields_look(struct ws_fields *f, const struct ws_table *t, uint32_t kind)
{
    for (uint32_t c = 0; f->names.n > 0 && c < t->n_columns; c++) {
        const char *name = f->names.text;
        if (!ws_table_has(t, kind, c)) {
            continue;
        }
        ws_known_add(f->known, sizeof f->known, t->names[c]);
        for (size_t i = 0; i < f->names.n; i++, name += strlen(name) + 1) {
            f->names.found[i] |= strcmp(t->names[c], name) == 0;
        }
    }
}

bool ws_fields_apply(struct ws_fields *f, struct ws_table *t)
{
    assert(f->names.n == 0 || t->shown == NULL);
    const char *name = f->names.text;
    if (f->names.n == 0) {
        return true;
    }
    t->shown = calloc(f->names.n, sizeof *t->shown);
    t->n_shown = 0;
    if (t->shown == NULL) {
        return false;
    }
    t->chosen = true;
    for (size_t i = 0; i < f->names.n; i++, name += strlen(name) + 1) {
        for (uint32_t c = 0; c < t->n_columns; c++) {
            if (strcmp(t->names[c], name) == 0) {
                t->shown[t->n_shown++] = c;
            }
        }
    }
    return true;
}

bool ws_fields_found(const struct ws_fields *f)
{
    bool good = true;
    const char *name = f->names.text;
    for (size_t i = 0; i < f->names.n && f->known[0] != '\0'; i++, name += strlen(name) + 1) {
        if (!f->names.found[i]) {
            ws_say(&ws_on_stderr, "--fields: no column %s; there are %s", name, f->known);
            good = false;
        }
    }
    return good;
}
