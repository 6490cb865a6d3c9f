/* SPDX-License-Identifier: BSD-3-Clause */
/* fields.c - see fields.h. */
#include "cli/fields.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "data/known.h"

bool ws_fields_parse(struct ws_fields *f, const char *text)
{
    f->text = strdup(text);
    f->n = 1;
    bool good = f->text != NULL && text[0] != '\0' && text[0] != ',';
    for (char *p = f->text; good && *p != '\0'; p++) {
        if (*p == ',') {
            good = p[1] != ',' && p[1] != '\0';
            *p = '\0';
            f->n++;
        }
    }
    f->found = calloc(f->n, sizeof *f->found);
    return good && f->found != NULL;
}

void ws_fields_free(struct ws_fields *f)
{
    free(f->text);
    free(f->found);
    *f = (struct ws_fields){0};
}

void ws_fields_look(struct ws_fields *f, const struct ws_table *t, uint32_t kind)
{
    for (uint32_t c = 0; f->n > 0 && c < t->n_columns; c++) {
        const char *name = f->text;
        if (!ws_table_has(t, kind, c)) {
            continue;
        }
        ws_known_add(f->known, sizeof f->known, t->names[c]);
        for (size_t i = 0; i < f->n; i++, name += strlen(name) + 1) {
            f->found[i] |= strcmp(t->names[c], name) == 0;
        }
    }
}

bool ws_fields_apply(struct ws_fields *f, struct ws_table *t)
{
    assert(f->n == 0 || t->shown == NULL);
    const char *name = f->text;
    if (f->n == 0) {
        return true;
    }
    t->shown = calloc(f->n, sizeof *t->shown);
    t->n_shown = 0;
    if (t->shown == NULL) {
        return false;
    }
    t->chosen = true;
    for (size_t i = 0; i < f->n; i++, name += strlen(name) + 1) {
        for (uint32_t c = 0; c < t->n_columns; c++) {
            if (strcmp(t->names[c], name) == 0) {
                t->shown[t->n_shown++] = c;
            }
        }
    }
    return true;
}

bool ws_fields_found(const struct ws_fields *f, const struct ws_messages *messages)
{
    bool good = true;
    const char *name = f->text;
    for (size_t i = 0; i < f->n && f->known[0] != '\0'; i++, name += strlen(name) + 1) {
        if (!f->found[i]) {
            ws_say(messages, "--fields: no column %s; there are %s", name, f->known);
            good = false;
        }
    }
    return good;
}
