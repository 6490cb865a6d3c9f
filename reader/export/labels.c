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
#include "text/json.h"
#include "text/text_new.h"

/* Writes an object with the names of n values. The values are ids of payload types, or codes from 0
 * on; labels->places[first] belongs to the first of them. */
static void names_write(struct json_writer *json, const char *key, const struct ws_labels *labels,
                        uint32_t first, uint32_t n)
{
    assert(first <= labels->n_places && n <= labels->n_places - first);
    json_object_open(json, key);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t place = labels->places[first + i];
        bool of_types = labels->kind == WS_LABELS_TYPES;
        char number[16];
        snprintf(number, sizeof number, "%" PRIu32, of_types ? labels->descs->descs[i].id : i);
        if (place != WS_NO_LABEL) {
            json_put_string(json, number, labels->names[place]);
        }
    }
    json_object_close(json);
}

/* Writes the object of each column that has values of a field. */
static void labels_write(struct json_writer *json, const struct ws_table_schema *kind,
                         struct ws_labels *labels)
{
    if (labels->kind != WS_LABELS_SOURCES) {
        names_write(json, kind->schema->fields[labels->field].name, labels, 0, labels->n_places);
        return;
    }
    ws_table_schema_sort(kind, labels);
    const struct ws_label_source *s = labels->sources, *end = s + labels->n_sources;
    while (s < end && s->column != WS_NO_COLUMN) {
        uint32_t column = s->column;
        json_object_open(json, kind->columns[column].name);
        for (; s < end && s->column == column; s++) {
            char id[16];
            snprintf(id, sizeof id, "%" PRIu32, s->desc->id);
            names_write(json, id, labels, s->first, s->n);
        }
        json_object_close(json);
    }
}

/* Begins the file of names. Its path is that of the array, with the extension .labels.json. Returns
 * NULL after an error message. */
static struct ws_out *out_begin(struct ws_export *x, const struct ws_table_schema *kind)
{
    char *path = ws_export_path(x, kind->name);
    size_t n = path == NULL ? 0 : strlen(path), end = n - strlen(x->format->extension);
    bool usual =
        end > 1 && end < n && path[end - 1] == '.' && strcmp(path + end, x->format->extension) == 0;
    char *name =
        path == NULL ? NULL : text_new("%.*s.labels.json", (int)(usual ? end - 1 : n), path);
    struct ws_out *out = name == NULL ? NULL : ws_out_begin(&x->outs, name);
    if (name == NULL) {
        ws_no_memory(&x->outs.failed);
    }
    free(path);
    free(name);
    return out;
}

bool ws_export_labels(struct ws_export *x, const struct ws_table_schema *kind)
{
    struct ws_label_set set;
    bool good =
        ws_label_set_init(&set, kind->schema, &x->stream->descs) || ws_no_memory(&x->outs.failed);
    if (good && set.n > 0) {
        struct ws_out *out = out_begin(x, kind);
        struct json_writer json = {.out = out == NULL ? NULL : ws_out_stream(out), .compact = true};
        good = json.out != NULL;
        if (good) {
            json_object_open(&json, NULL);
            for (uint32_t i = 0; i < set.n; i++) {
                labels_write(&json, kind, &set.list[i]);
            }
            json_object_close(&json);
        }
        good = ws_out_stream_end(out, json.out) && good;
    }
    ws_label_set_free(&set);
    return good;
}
