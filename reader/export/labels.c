/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * labels.c - the names of numbers in a file beside an array: one JSON object, whose keys are the
 * numbers of a field.
 *
 *     {"payload_type":{"1":"router","2":"host"},"cause":{"1":"straggler","2":"secondary"}}
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "export/export.h"
#include "render/render.h"

static bool text_write(struct ws_export *x, struct ws_out *out, const char *text)
{
    size_t length = strlen(text);
    char *json = malloc(ws_render_max(length));
    if (json == NULL) {
        return ws_export_no_memory(x);
    }
    char *end = ws_render_json(json, (const uint8_t *)text, length);
    bool good = ws_out_write(out, json, (size_t)(end - json));
    free(json);
    return good;
}

/* Returns the number of entry i: the id of the payload type, or the code itself. */
static uint32_t number_of(const struct ws_labels *labels, uint32_t i)
{
    return labels->descs == NULL ? i : labels->descs->descs[i].id;
}

static bool field_write(struct ws_export *x, struct ws_out *out, const char *field,
                        const struct ws_labels *labels)
{
    bool good = text_write(x, out, field) && ws_out_write(out, ":{", 2);
    const char *between = "";
    for (uint32_t i = 0; good && i < labels->n_places; i++) {
        char number[32];
        if (labels->places[i] != WS_NO_LABEL) {
            int n = snprintf(number, sizeof number, "%s\"%" PRIu32 "\":", between,
                             number_of(labels, i));
            good = ws_out_write(out, number, (size_t)n) &&
                   text_write(x, out, labels->names[labels->places[i]]);
            between = ",";
        }
    }
    return good && ws_out_write(out, "}", 1);
}

/* Begins a file beside the array, with another extension. */
static struct ws_out *out_begin(struct ws_export *x, const struct ws_table_schema *kind)
{
    static const char tail[] = ".labels.json";
    char *path = ws_export_path(x, kind->name);
    size_t n = path == NULL ? 0 : strlen(path), end = strlen(x->format->extension) + 1;
    char *grown = path == NULL ? NULL : realloc(path, n + sizeof tail);
    if (grown == NULL) {
        free(path);
        ws_export_no_memory(x);
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
    bool good = ws_label_set_init(&set, kind->schema, &x->survey->descs) || ws_export_no_memory(x);
    struct ws_out *out = good && set.n > 0 ? out_begin(x, kind) : NULL;
    if (good && set.n > 0) {
        good = out != NULL && ws_out_write(out, "{", 1);
        for (uint32_t i = 0; good && i < set.n; i++) {
            const struct ws_labels *labels = &set.list[i];
            good = (i == 0 || ws_out_write(out, ",", 1)) &&
                   field_write(x, out, kind->schema->fields[labels->field].name, labels);
        }
        good = good && ws_out_write(out, "}\n", 2) && ws_out_end(out);
    }
    ws_label_set_free(&set);
    return good;
}
