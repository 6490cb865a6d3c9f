/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * output.h - the results of an analysis as tables, text, JSON, CSV, and files of other programs
 * (inside analyze only).
 */
#ifndef WARPSCOPE_READER_ANALYZE_OUTPUT_H
#define WARPSCOPE_READER_ANALYZE_OUTPUT_H

#include <stdio.h>

#include "analyze/analyze.h"
#include "cli/out.h"
#include "text/json.h"

/* ---- Tables ---------------------------------------------------------------------------------- */

enum analyze_cell_kind {
    ANALYZE_NONE = 0, /* no value */
    ANALYZE_COUNT,
    ANALYZE_REAL,
    ANALYZE_SHARE,   /* a part from 0 to 1; per cent in text */
    ANALYZE_SECONDS, /* a duration in seconds */
    ANALYZE_TEXT
};

struct analyze_cell {
    enum analyze_cell_kind kind;
    union {
        uint64_t count;
        double real;
        const char *text; /* borrowed, or of the table's memory */
    } as;
};

/* A column. heading: in text; NULL: the column is not shown there. */
struct analyze_column {
    const char *name, *heading;
};

#define ANALYZE_COLUMNS_MAX 20u

struct analyze_table {
    const char *name;  /* name in JSON, and of the CSV file */
    const char *title; /* title in text; NULL: the table is not shown there */
    const char *note;  /* line below the title; NULL: none */
    struct analyze_column columns[ANALYZE_COLUMNS_MAX];
    uint32_t n_columns;
    struct analyze_cell *cells; /* owned; n_columns per row */
    size_t n_rows, room;
    size_t n_text, n_json; /* most rows in text and in JSON */
    char **texts;          /* owned; texts of cells */
    size_t n_texts, texts_room;
};

#define ANALYZE_TABLES_MAX 24u
struct analyze_tables {
    struct analyze_table list[ANALYZE_TABLES_MAX];
    uint32_t n;
    bool no_memory;
    struct analyze_cell lost[ANALYZE_COLUMNS_MAX]; /* row that is used without memory */
};

/* Begins a table with columns that end with a NULL name. */
struct analyze_table *analyze_table_begin(struct analyze_tables *tables, const char *name,
                                          const char *title, const struct analyze_column *columns);
/* Adds a row of empty cells. Returns its first cell; a row that is overwritten if memory is
 * exhausted. */
struct analyze_cell *analyze_table_row(struct analyze_tables *tables, struct analyze_table *table);
/* Copies a text into the table's memory. */
const char *analyze_table_text(struct analyze_tables *tables, struct analyze_table *table,
                               const char *words, ...) __attribute__((format(printf, 3, 4)));

static inline struct analyze_cell analyze_count(uint64_t v)
{
    return (struct analyze_cell){.kind = ANALYZE_COUNT, .as.count = v};
}
static inline struct analyze_cell analyze_real(enum analyze_cell_kind kind, double v)
{
    return (struct analyze_cell){.kind = kind, .as.real = v};
}
static inline struct analyze_cell analyze_text(const char *v)
{
    return (struct analyze_cell){.kind = ANALYZE_TEXT, .as.text = v};
}

/* Make the tables of the results. */
void analyze_tables_make(struct analyze_tables *tables, const struct analyze *a);
void analyze_tables_paths(struct analyze_tables *tables, const struct analyze *a);
void analyze_tables_structure(struct analyze_tables *tables, const struct analyze *a);
void analyze_tables_lps(struct analyze_tables *tables, const struct analyze *a);
void analyze_tables_free(struct analyze_tables *tables);

/* ---- Findings -------------------------------------------------------------------------------- */

#define ANALYZE_FINDINGS_MAX 16u
struct analyze_findings {
    char words[ANALYZE_FINDINGS_MAX][400]; /* one sentence or two each */
    uint32_t n;
};
void analyze_findings_find(struct analyze_findings *findings, const struct analyze *a);

/* Returns work divided by the length of a path; 0 if the path has no length. */
double analyze_speed_up(const struct analyze *a, enum analyze_length length);
/* Returns the work, or the length of a path, in seconds or events. */
double analyze_work_of(const struct analyze *a, enum analyze_length length);
double analyze_length_of(const struct analyze *a, enum analyze_length length);
/* Returns true if the length is in seconds. */
bool analyze_is_time(const struct analyze *a, enum analyze_length length);
/* Returns the largest work of a PE, in the same unit. */
double analyze_busiest(const struct analyze *a, enum analyze_length length);
/* Returns the part of the path's weight in a sum of events and time. */
double analyze_path_part(const struct analyze *a, uint64_t events, uint64_t time);
/* Returns the name of a type by number plus 1; "unknown" for 0. */
const char *analyze_type_name(const struct analyze *a, uint32_t type);

/* ---- Forms ----------------------------------------------------------------------------------- */

void analyze_print_text(FILE *out, const struct analyze *a, const struct analyze_tables *tables);
void analyze_print_json(FILE *out, const struct analyze *a, const struct analyze_tables *tables);
/* Writes a table as a member of an object. */
void analyze_table_json(struct json_writer *json, const struct analyze_table *table);
/* Returns a table by its name; NULL if there is none. */
const struct analyze_table *analyze_table_of(const struct analyze_tables *tables, const char *name);
/* Write files. Return false after a message. */
bool analyze_write_csv(struct ws_outs *outs, const struct analyze *a,
                       const struct analyze_tables *tables);
bool analyze_write_graph(struct ws_outs *outs, const struct analyze *a);
bool analyze_write_path(struct ws_outs *outs, const struct analyze *a);
/* Returns false if a signal waits. Called with each number of a row while a file is written. */
static inline bool analyze_goes_on(uint64_t row)
{
    return row % 1024 != 0 || ws_interrupt_waits() == 0;
}

/* Writes text to a file; at most 1024 bytes. */
bool analyze_out_print(struct ws_out *out, const char *words, ...)
    __attribute__((format(printf, 2, 3)));

/* ---- The critical path as a file ------------------------------------------------------------- */

struct analyze_path_out;

/* Begins to collect the events of the path. Returns NULL after a message. */
struct analyze_path_out *analyze_path_out_begin(struct analyze *a);
/* element: that of the event in a->before. Returns false after a message. */
bool analyze_path_out_add(struct analyze_path_out *out, const struct analyze *a,
                          const struct analyze_event *e, uint64_t element);
void analyze_path_out_free(struct analyze_path_out *out);

#endif
