/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * document.h - the results of a command as a document, which one renderer turns into text, JSON,
 * CSV or rows of a database.
 *
 * A document consists of findings, which are sentences, and of tables. A table has named columns
 * and rows of typed cells; the type of a cell says what its number means, and each form writes it
 * in its own way. A share of 0.25 is "25.0 %" in text, and 0.25 in JSON. The rows are stored in the
 * table, or come from a function that makes them anew for each form (doc_source). Such tables need
 * no memory per row.
 *
 * Text fits the width of the page. Columns are as wide as their values. If a line is too long, the
 * blanks between columns become one, then names are cut, the widest first, then large counts get a
 * unit, as in "1,235 M". If that is not enough, a row continues on further lines. Other numbers are
 * never cut.
 *
 * Invariants
 *  D1  Text never exceeds the page, unless a single cell does.
 *  D2  JSON and CSV have all digits of all numbers; NaN and infinities are null in JSON.
 *  D3  A table whose memory was exhausted is marked (no_memory) and is not to be written.
 */
#ifndef WARPSCOPE_READER_DOCUMENT_DOCUMENT_H
#define WARPSCOPE_READER_DOCUMENT_DOCUMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "cli/out.h"
#include "data/cell.h"
#include "data/histogram.h"
#include "text/json.h"

struct ws_file;

/* ---- Tables ---------------------------------------------------------------------------------- */

struct doc_column {
    const char *name;    /* name in JSON and CSV; "": JSON does not have the column */
    const char *heading; /* heading in text; NULL: text does not show the column */
    enum doc_kind kind;  /* DOC_NAME, DOC_TRIPLE, or DOC_NONE for all others */
};

/* Receives the cells of a row, one per column. Returns false if it wants no more rows. */
typedef bool (*doc_row_f)(void *to, const struct doc_cell *cells);
/* Passes the rows of a table to row(to, ...). Called once per form; twice for text. Returns false
 * if out of memory. */
typedef bool (*doc_source_f)(void *from, doc_row_f row, void *to);

#define DOC_COLUMNS_MAX 20u

struct doc_table {
    struct doc *doc;
    const char *name;  /* key in JSON, and name of the CSV file */
    const char *title; /* title in text; "": none; NULL: text does not show the table */
    bool is_first;     /* true: no empty line before the table in text */
    bool is_keyed;     /* true: JSON has an object, whose keys are the names in the first column */
    const char *note;  /* line below the title in text; NULL: none */
    const char *none;  /* text of a table without rows; NULL: text does not show the table */
    const char *more;  /* where text does not show all rows: what shows them; NULL: --json */
    struct doc_column columns[DOC_COLUMNS_MAX];
    uint32_t n_columns;
    struct doc_cell *cells; /* owned; the rows one after another, n_columns cells each */
    size_t n_rows, room;
    size_t n_text, n_json; /* maximum number of rows in text, and in JSON */
    doc_source_f source;   /* makes the rows; NULL: they are stored in `cells` */
    void *from;            /* borrowed; argument of source */
    /* Called with cell.number of each name that text cuts; NULL: nothing is called. */
    void (*cut)(void *from, uint32_t number);
};

#define DOC_TABLES_MAX 24u

/* A document. Zero-initialise; must not be moved while it has tables. */
struct doc {
    struct doc_table tables[DOC_TABLES_MAX];
    uint32_t n;
    char **findings; /* owned, with its elements */
    size_t n_findings, findings_room;
    char **texts; /* owned, with its elements; copies of texts for cells */
    size_t n_texts, texts_room;
    bool utf8; /* true: bars with block characters of UTF-8 */
    bool no_memory;
    struct doc_cell lost[DOC_COLUMNS_MAX]; /* row that callers fill if memory is exhausted */
};

/*
 * Begins a table. Descriptions of columns are separated by vertical bars:
 *
 *   name            column with its name as heading
 *   name=heading    column with another heading
 *   (name)          column that text does not show
 *   =heading        column that only text shows
 *
 * Forms that have to know the types of columns before the first row also need "name$" for names and
 * "name@" for triples.
 */
struct doc_table *doc_table(struct doc *doc, const char *name, const char *title,
                            const char *columns);
/* Adds a column to a table without rows. The strings are borrowed. */
void doc_column(struct doc_table *table, const char *name, const char *heading);
/* Adds a row; cells that are missing at its end have no value. Returns its first cell. If memory is
 * exhausted, returns a row that is not part of the table. */
#define doc_row(table, ...)                                                                        \
    doc_row_add(table, (const struct doc_cell[]){__VA_ARGS__},                                     \
                sizeof((const struct doc_cell[]){__VA_ARGS__}) / sizeof(struct doc_cell))
struct doc_cell *doc_row_add(struct doc_table *table, const struct doc_cell *cells, size_t n);
/* Adds a row with the name, number, mean, median, 90th percentile and maximum of the numbers in a
 * distribution, unless it is empty; with the 99th percentile before the maximum if the table has
 * seven columns. kind: DOC_REAL or DOC_SECONDS. */
void doc_dist_row(struct doc_table *table, const char *what, const struct ws_histogram *dist,
                  enum doc_kind kind);
/* Begins a table of totals with their rates. Adds a row to it: a count, which grew in this wall-clock and
 * virtual time, each 0 if not known. */
struct doc_table *doc_totals(struct doc *doc);
void doc_total_row(struct doc_table *table, const char *words, uint64_t count, double wall,
                   double virtual);
/* Returns a name made from the printf() format `words`, at most 4095 bytes of it, in the memory of
 * the document. */
struct doc_cell doc_text(struct doc *doc, const char *words, ...)
    __attribute__((format(printf, 2, 3)));
/* Adds a finding: a few sentences, at most 799 bytes. */
void doc_finding_add(struct doc *doc, const char *words);

/* Returns a table by its name; NULL if there is none. */
const struct doc_table *doc_find(const struct doc *doc, const char *name);
/* Passes the rows of a table to row(to, ...). Returns false if out of memory. */
bool doc_rows(const struct doc_table *table, doc_row_f row, void *to);
void doc_free(struct doc *doc);

/* ---- Text ------------------------------------------------------------------------------------ */

/* Stores the text of a cell, as tables show it, in `to`; at most `width` characters of a name or
 * count. Returns the text. */
#define DOC_CELL_MAX 288u
const char *doc_cell_text(char to[DOC_CELL_MAX], const struct doc_cell *cell, unsigned width,
                          bool utf8);
/* Calls the table's cut() if the cell is a name with a number that is longer than `width`. */
void doc_cell_cut(const struct doc_table *table, const struct doc_cell *cell, unsigned width);
/* Prints a table. Returns false if out of memory. */
bool doc_table_print(FILE *out, const struct doc_table *table);
/* Prints all tables. Returns false if out of memory. */
bool doc_print(FILE *out, const struct doc *doc);
/* Like doc_print(); then frees the document. */
bool doc_print_free(FILE *out, struct doc *doc);
/* Prints the heading of a section, after an empty line. */
void doc_heading(FILE *out, const char *title);
/* Prints the findings, each after a dash and broken into lines. */
void doc_findings_print(FILE *out, const struct doc *doc);
void doc_finding_print(FILE *out, const char *words);
/* Adds a finding made from `words`, in which each '#' stands for the next cell, a struct doc_cell:
 * doc_say(doc, "# of # events", doc_count(n), doc_count(all)). */
void doc_say(struct doc *doc, const char *words, ...);
/* A list of words with commas between them, in lines that fit the page. The caller sets the first
 * two members. */
struct doc_list {
    FILE *out;
    const char *lead; /* text before the first item; further lines are indented by its length */
    size_t column;    /* width of the current line; 0: there are no items yet */
};
void doc_list_add(struct doc_list *list, const char *words);
/* Ends the line if there are items. */
void doc_list_end(struct doc_list *list);

/* ---- HTML, JSON, CSV ------------------------------------------------------------------------------- */

/* Writes a table that has a title as a section of HTML, with as many rows as text has. Returns false if
 * out of memory. */
bool doc_table_html(FILE *out, const struct doc_table *table);
/* Writes a table to the current object: an array with an object per row. Returns false if out of
 * memory. */
bool doc_table_json(struct json_writer *json, const struct doc_table *table);
/* Writes all tables to the current object. Returns false if out of memory. */
bool doc_json(struct json_writer *json, const struct doc *doc);
/* Writes the findings to the current object: the array "findings" of strings. */
void doc_findings_json(struct json_writer *json, const struct doc *doc);

/* Writes a table to the file at `path`, "-" for standard output. This function and the next return
 * false after an error message, or if a signal has arrived. */
bool doc_table_csv(struct ws_outs *outs, const char *path, const struct doc_table *table);
/* Creates the directory `directory`, and writes each table to the file NAME.csv in it, where NAME
 * is the name of the table. */
bool doc_csv(struct ws_outs *outs, const char *directory, const struct doc *doc);

/* ---- The results of a command ------------------------------------------------------------------ */

/* Publishes the results of a command that read `file`: writes the tables to the directory csv_folder,
 * unless that is NULL, publishes all output files, and prints the document. facts: writes what JSON
 * has beside it, of `from`; NULL: prints text. Returns false after an error message. */
bool doc_publish(const struct doc *doc, struct ws_outs *outs, const char *csv_folder,
                 const struct ws_file *file,
                 void (*facts)(struct json_writer *json, const void *from), const void *from);

#endif
