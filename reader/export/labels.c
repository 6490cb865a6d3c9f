/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * labels.c - writes the names of numeric values to a file beside an array file (npy.c). The file is
 * a JSON object with one object per column, which maps numbers to names. In a column for payload
 * fields, the names depend on the payload type: the object of the column maps each payload type to
 * another object, which maps numbers to names.
 *
 *     {"payload_type":{"1":"router","2":"host"},"cause":{"1":"straggler","2":"secondary"},
 *      "kind":{"1":{"1":"send","2":"forward"},"2":{"1":"send"}}}
 */
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "export/export.h"
#include "render/text.h"
#include "text/json.h"

static bool text_write(struct ws_export *x, struct ws_out *out, const char *text)
{
    size_t length = strlen(text);
    char *json = malloc(json_string_max(length));
    if (json == NULL) {
        return ws_no_memory(&x->outs.failed);
    }
    char *end = json_write_string(json, text, length);
    bool good = ws_out_write(out, json, (size_t)(end - json));
    free(json);
    return good;
}

/* A file of names that is being written. */
struct writing {
    struct ws_export *x;
    struct ws_out *out;
    const char *between; /* text before the next key of the outermost object */
};

/* Writes the key for a column and begins its object. Returns false on failure. */
static bool column_begin(struct writing *w, const char *column)
{
    bool good = ws_out_write(w->out, w->between, strlen(w->between)) &&
                text_write(w->x, w->out, column) && ws_out_write(w->out, ":{", 2);
    w->between = ",";
    return good;
}

/* Writes the names of n values, and ends the object. The values are ids of payload types, or codes
 * from 0 on; labels->places[first] belongs to the first of them. */
static bool names_write(const struct writing *w, const struct ws_labels *labels, uint32_t first,
                        uint32_t n)
{
    assert(first <= labels->n_places && n <= labels->n_places - first);
    const char *between = "";
    bool good = true;
    for (uint32_t i = 0; good && i < n; i++) {
        uint32_t place = labels->places[first + i];
        if (place != WS_NO_LABEL) {
            bool of_types = labels->kind == WS_LABELS_TYPES;
            char number[32];
            int length = snprintf(number, sizeof number, "%s\"%" PRIu32 "\":", between,
                                  of_types ? labels->descs->descs[i].id : i);
            good = ws_out_write(w->out, number, (size_t)length) &&
                   text_write(w->x, w->out, labels->names[place]);
            between = ",";
        }
    }
    return good && ws_out_write(w->out, "}", 1);
}

/* Writes the object of a column for payload fields. columns[i]: the column with the values of
 * labels->sources[i]. The function sets the elements that it has processed to WS_NO_COLUMN. */
static bool column_write(struct writing *w, const struct ws_table_schema *kind,
                         const struct ws_labels *labels, uint32_t *columns, uint32_t column)
{
    const char *between = "";
    bool good = column_begin(w, kind->columns[column].name);
    for (uint32_t i = 0; good && i < labels->n_sources; i++) {
        const struct ws_label_source *source = &labels->sources[i];
        char id[32];
        if (columns[i] == column) {
            int length = snprintf(id, sizeof id, "%s\"%" PRIu32 "\":{", between, source->desc->id);
            good = ws_out_write(w->out, id, (size_t)length) &&
                   names_write(w, labels, source->first, source->n);
            columns[i] = WS_NO_COLUMN;
            between = ",";
        }
    }
    return good && ws_out_write(w->out, "}", 1);
}

static bool sources_write(struct writing *w, const struct ws_table_schema *kind,
                          const struct ws_labels *labels)
{
    uint32_t *columns = ws_table_schema_sources(kind, labels);
    bool good = columns != NULL || ws_no_memory(&w->x->outs.failed);
    for (uint32_t i = 0; good && i < labels->n_sources; i++) {
        good = columns[i] == WS_NO_COLUMN || column_write(w, kind, labels, columns, columns[i]);
    }
    free(columns);
    return good;
}

static bool labels_write(struct writing *w, const struct ws_table_schema *kind,
                         const struct ws_labels *labels)
{
    if (labels->kind == WS_LABELS_SOURCES) {
        return sources_write(w, kind, labels);
    }
    return column_begin(w, kind->schema->fields[labels->field].name) &&
           names_write(w, labels, 0, labels->n_places);
}

/* Begins the file of names. Its path is that of the array, with the extension .labels.json. Returns
 * NULL after an error message. */
static struct ws_out *out_begin(struct ws_export *x, const struct ws_table_schema *kind)
{
    static const char tail[] = ".labels.json";
    char *path = ws_export_path(x, kind->name);
    size_t n = path == NULL ? 0 : strlen(path), end = strlen(x->format->extension) + 1;
    char *grown = path == NULL ? NULL : realloc(path, n + sizeof tail);
    if (grown == NULL) {
        free(path);
        ws_no_memory(&x->outs.failed);
        return NULL;
    }
    bool usual =
        n > end && grown[n - end] == '.' && strcmp(grown + n - end + 1, x->format->extension) == 0;
    memcpy(grown + (usual ? n - end : n), tail, sizeof tail);
    struct ws_out *out = ws_out_begin(&x->outs, grown);
    free(grown);
    return out;
}

bool ws_export_labels(struct ws_export *x, const struct ws_table_schema *kind)
{
    struct ws_label_set set;
    bool good =
        ws_label_set_init(&set, kind->schema, &x->stream->descs) || ws_no_memory(&x->outs.failed);
    if (good && set.n > 0) {
        struct writing w = {.x = x, .out = out_begin(x, kind), .between = ""};
        good = w.out != NULL && ws_out_write(w.out, "{", 1);
        for (uint32_t i = 0; good && i < set.n; i++) {
            good = labels_write(&w, kind, &set.list[i]);
        }
        good = good && ws_out_write(w.out, "}\n", 2) && ws_out_end(w.out);
    }
    ws_label_set_free(&set);
    return good;
}
