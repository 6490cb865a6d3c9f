/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cell.h - typed values: the cells of documents (document/document.h), and the members of JSON
 * objects. The type of a cell says what its number means, and each form writes it in its own way.
 */
#ifndef WARPSCOPE_READER_DATA_CELL_H
#define WARPSCOPE_READER_DATA_CELL_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "text/json.h"

enum doc_kind {
    DOC_NONE = 0, /* no value: nothing in text and CSV, no member in JSON */
    DOC_BOOL,     /* "yes" or "no" in text; 1 or 0 in CSV */
    DOC_COUNT,
    DOC_NUMBER,  /* number that identifies something; without separators, never shortened */
    DOC_ADDRESS, /* hexadecimal in text */
    DOC_TRIPLE,  /* three packed numbers, see doc_triple_part(); three columns in CSV */
    DOC_REAL,
    DOC_SHARE,   /* a share from 0 to 1; in per cent in text */
    DOC_PERCENT, /* a share in per cent */
    DOC_SECONDS, /* a duration in seconds; with a unit in text */
    DOC_BAR,     /* a share from 0 to 1; a bar in text */
    DOC_NAME,
    DOC_PATH /* like a name, but cut in the middle */
};

struct doc_cell {
    uint32_t kind;   /* enum doc_kind */
    uint32_t number; /* of a name: if not 0, it precedes the name where this is cut, as "#12 " */
    union {
        uint64_t count;
        double real;
        const char *text; /* borrowed; NULL: null in JSON */
    } as;
    /* Borrowed; of a DOC_NUMBER: name of what it identifies, which text shows in its place, and JSON in
     * a further member, such as lp_name; NULL: none. */
    const char *name;
};

static inline struct doc_cell doc_none(void)
{
    return (struct doc_cell){.kind = DOC_NONE};
}
static inline struct doc_cell doc_integer(enum doc_kind kind, uint64_t v)
{
    return (struct doc_cell){.kind = kind, .as.count = v};
}
static inline struct doc_cell doc_count(uint64_t v)
{
    return doc_integer(DOC_COUNT, v);
}
static inline struct doc_cell doc_bool(bool v)
{
    return doc_integer(DOC_BOOL, v);
}
static inline struct doc_cell doc_number(uint64_t v)
{
    return doc_integer(DOC_NUMBER, v);
}
static inline struct doc_cell doc_measure(enum doc_kind kind, double v)
{
    return (struct doc_cell){.kind = kind, .as.real = v};
}
static inline struct doc_cell doc_real(double v)
{
    return doc_measure(DOC_REAL, v);
}
/* Returns a count; a measure that is not a number if it is not known, which is null in JSON. */
static inline struct doc_cell doc_known(bool known, uint64_t v)
{
    return known ? doc_count(v) : doc_real((double)NAN);
}
static inline struct doc_cell doc_share(double part, double whole)
{
    return doc_measure(DOC_SHARE, whole > 0.0 ? part / whole : 0.0);
}
static inline struct doc_cell doc_seconds(double v)
{
    return doc_measure(DOC_SECONDS, v);
}
static inline struct doc_cell doc_name(const char *v)
{
    return (struct doc_cell){.kind = DOC_NAME, .as.text = v};
}
static inline struct doc_cell doc_if(bool known, struct doc_cell cell)
{
    return known ? cell : doc_none();
}
/* Returns number i, from 0 to 2, of a triple: its upper 32 bits, and two times 16 bits. */
static inline uint32_t doc_triple_part(uint64_t triple, int i)
{
    return i == 0 ? (uint32_t)(triple >> 32) : (uint32_t)(triple >> (i == 1 ? 16 : 0)) & 0xffffu;
}

/* ---- JSON ------------------------------------------------------------------------------------ */

/* Opens the object of a document, which begins with the version of the program that writes it. */
void ws_document_open(struct json_writer *json);

/* Writes the value of a cell as a member of the current object; nothing if it has no value. */
void ws_cell_json(struct json_writer *json, const char *key, const struct doc_cell *cell);
/* Writes n cells as members of the current object. names: their n names, each shorter than
 * WS_CELL_NAME_MAX bytes, separated by vertical bars; NULL in an array. */
#define WS_CELL_NAME_MAX 64u
void ws_cells_json(struct json_writer *json, const char *names, const struct doc_cell *cells,
                   size_t n);
#define ws_put(json, names, ...)                                                                   \
    ws_cells_json(json, names, (const struct doc_cell[]){__VA_ARGS__},                             \
                  sizeof((const struct doc_cell[]){__VA_ARGS__}) / sizeof(struct doc_cell))
/* Like ws_put(), for an array or an object of its own with the key `key`; NULL in an array. */
#define ws_put_array(json, key, ...)                                                               \
    (json_array_open(json, key), ws_put(json, NULL, __VA_ARGS__), json_array_close(json))
#define ws_put_object(json, key, names, ...)                                                       \
    (json_object_open(json, key), ws_put(json, names, __VA_ARGS__), json_object_close(json))

#endif
