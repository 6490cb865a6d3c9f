/* SPDX-License-Identifier: BSD-3-Clause */
/* cell.c - see cell.h. */
#include "data/cell.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "ross.config.h"

void ws_document_open(struct json_writer *json)
{
    json_object_open(json, NULL);
    json_put_string(json, "version", WARPSCOPE_VERSION);
}

void ws_cell_json(struct json_writer *json, const char *key, const struct doc_cell *cell)
{
    switch ((enum doc_kind)cell->kind) {
    case DOC_NONE:
        break;
    case DOC_BOOL:
        json_put_bool(json, key, cell->as.count != 0);
        break;
    case DOC_COUNT:
    case DOC_NUMBER:
    case DOC_ADDRESS:
    case DOC_TRIPLE:
        json_put_u64(json, key, cell->as.count);
        if (cell->name != NULL && key != NULL) {
            char name[WS_CELL_NAME_MAX + 8];
            snprintf(name, sizeof name, "%s_name", key);
            json_put_string(json, name, cell->name);
        }
        break;
    case DOC_NAME:
    case DOC_PATH:
        json_put_string(json, key, cell->as.text);
        break;
    default:
        json_put_double(json, key, cell->as.real);
    }
}

void ws_cells_json(struct json_writer *json, const char *names, const struct doc_cell *cells,
                   size_t n)
{
    for (size_t i = 0; names == NULL && i < n; i++) {
        ws_cell_json(json, NULL, &cells[i]);
    }
    for (size_t i = 0; names != NULL && i < n; i++) {
        char name[WS_CELL_NAME_MAX];
        size_t length = strcspn(names, "|");
        assert(length > 0 && length < sizeof name);
        memcpy(name, names, length);
        name[length] = '\0';
        ws_cell_json(json, name, &cells[i]);
        names += length + (names[length] == '|');
    }
    assert(names == NULL || names[0] == '\0');
}
