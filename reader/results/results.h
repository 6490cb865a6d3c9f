/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * results.h - the results of a command as tables and sentences, which become text, JSON or CSV.
 */
#ifndef WARPSCOPE_READER_RESULTS_RESULTS_H
#define WARPSCOPE_READER_RESULTS_RESULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "cli/out.h"
#include "text/json.h"

/* ---- Tables ---------------------------------------------------------------------------------- */

enum ws_result_kind {
    WS_RESULT_NONE = 0, /* no value */
    WS_RESULT_COUNT,
    WS_RESULT_REAL,
    WS_RESULT_SHARE,   /* a share from 0 to 1; shown in per cent in text */
    WS_RESULT_SECONDS, /* a duration in seconds */
    WS_RESULT_TEXT
};

struct ws_result_cell {
    enum ws_result_kind kind;
    union {
        uint64_t count;
        double real;
        const char *text; /* borrowed; the table owns it if ws_result_text() made it */
    } as;
};

/* A column. name: its name in JSON and CSV. heading: its heading in text; NULL: text does not show
 * the column. */
struct ws_result_column {
    const char *name, *heading;
};

#define WS_RESULT_COLUMNS_MAX 20u

struct ws_result_table {
    const char *name;  /* key in JSON, and name of the CSV file */
    const char *title; /* title in text; NULL: text does not show the table */
    const char *note;  /* line below the title in text; NULL: none */
    struct ws_result_column columns[WS_RESULT_COLUMNS_MAX];
    uint32_t n_columns;
    struct ws_result_cell *cells; /* owned; the rows one after another, n_columns cells each */
    size_t n_rows, room;
    size_t n_text, n_json; /* maximum number of rows in text, and in JSON */
    char **texts;          /* owned, with its elements; copies of texts for cells */
    size_t n_texts, texts_room;
};

#define WS_RESULTS_MAX 24u
struct ws_results {
    struct ws_result_table list[WS_RESULTS_MAX];
    uint32_t n;
    bool no_memory;
    /* Row that callers fill if memory is exhausted. */
    struct ws_result_cell lost[WS_RESULT_COLUMNS_MAX];
};

/* Begins a table. The array columns ends with an element whose name is NULL. */
struct ws_result_table *ws_result_begin(struct ws_results *tables, const char *name,
                                        const char *title, const struct ws_result_column *columns);
/* Adds a row of empty cells to table. Returns its first cell. If memory is exhausted, returns a row
 * that is not part of the table. */
struct ws_result_cell *ws_result_row(struct ws_results *tables, struct ws_result_table *table);
/* Makes a text from the printf() format `words`, at most 255 bytes of it, in the memory of the
 * table. Returns the text; "" if memory is exhausted. */
const char *ws_result_text(struct ws_results *tables, struct ws_result_table *table,
                           const char *words, ...) __attribute__((format(printf, 3, 4)));

static inline struct ws_result_cell ws_result_count(uint64_t v)
{
    return (struct ws_result_cell){.kind = WS_RESULT_COUNT, .as.count = v};
}
static inline struct ws_result_cell ws_result_real(enum ws_result_kind kind, double v)
{
    return (struct ws_result_cell){.kind = kind, .as.real = v};
}
static inline struct ws_result_cell ws_result_words(const char *v)
{
    return (struct ws_result_cell){.kind = WS_RESULT_TEXT, .as.text = v};
}

/* Returns a table by its name; NULL if there is none. */
const struct ws_result_table *ws_result_of(const struct ws_results *results, const char *name);
void ws_results_free(struct ws_results *results);

/* ---- Findings -------------------------------------------------------------------------------- */

#define WS_RESULT_FINDINGS_MAX 16u
struct ws_result_findings {
    char words[WS_RESULT_FINDINGS_MAX][800]; /* text of each finding: a few sentences */
    uint32_t n;
};
/* Adds a finding, whose text is made from the printf() format `words`. Ignores it if there are
 * already WS_RESULT_FINDINGS_MAX. */
void ws_result_say(struct ws_result_findings *findings, const char *words, ...)
    __attribute__((format(printf, 2, 3)));

/* ---- Forms ----------------------------------------------------------------------------------- */

/* Prints findings as text of 80 columns. Lines break between words, but not before "%". */
void ws_result_findings_print(FILE *out, const struct ws_result_findings *findings);
/* Prints a table as text of 80 columns. Prints nothing if the table has no title or no rows. */
void ws_result_print(FILE *out, const struct ws_result_table *table);
/* Prints the heading of a section of text. */
void ws_result_heading(FILE *out, const char *title);
#define WS_RESULT_CELL_MAX 128u
/* Stores the text of a cell, as tables show it, in `to`. Returns the text. */
const char *ws_result_cell_text(char to[WS_RESULT_CELL_MAX], const struct ws_result_cell *cell);

/* Writes findings to the current JSON object as the array "findings" of strings. */
void ws_result_findings_json(struct json_writer *json, const struct ws_result_findings *findings);
/* Writes a table to the current JSON object as an array with an object per row. */
void ws_result_json(struct json_writer *json, const struct ws_result_table *table);
/* Writes all tables to the current JSON object, like ws_result_json(). */
void ws_results_json(struct json_writer *json, const struct ws_results *results);

/* Creates the directory `folder`, and writes each table to the file NAME.csv in it, where NAME is
 * the name of the table. Returns false after an error message, or if a signal has arrived. */
bool ws_results_csv(struct ws_outs *outs, const char *folder, const struct ws_results *results);

#endif
