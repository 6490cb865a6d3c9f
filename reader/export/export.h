/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * export.h - what the formats of "warpscope export" have in common.
 *
 * export.c opens the record files, chooses the records and hands them to the format, table by
 * table (kind.h) and block by block, in this order:
 *
 *     for each record file:  file_begin, kind_begin for each kind of record,
 *                            kind_rows for each block with chosen records,
 *                            kind_end for each kind, file_end
 *     after the last:        end
 *
 * and whatever happened, kind_fini and fini. A function that fails has said why (mostly out.h does)
 * and returns false: nothing more is called but kind_fini and fini, and no output gets its name.
 */
#ifndef WARPSCOPE_READER_EXPORT_EXPORT_H
#define WARPSCOPE_READER_EXPORT_EXPORT_H

#include "access/fields.h"
#include "access/record_scan.h"
#include "access/table_schema.h"
#include "cli/out.h"
#include "cli/progress.h"
#include "timeline/timeline.h"

struct ws_export;

/* Formats that show a timeline (timeline.h), which is made of all files together, have the
 * functions timeline_... instead of those for tables, and end. */

/* One format. Functions that are NULL have nothing to do. */
struct ws_export_format {
    const char *name;
    const char *extension; /* of its files */
    const char *missing;   /* not NULL: what this program was built without */
    bool to_pipe;          /* can it go to standard output? */
    bool is_text;          /* columns can be chosen */
    bool per_kind;         /* a file for each kind of record */
    bool with_labels;      /* names of numbers are further columns (labels.h) */
    bool (*file_begin)(struct ws_export *x);
    bool (*kind_begin)(struct ws_export *x, struct ws_table_schema *kind);
    bool (*kind_rows)(struct ws_export *x, struct ws_table_schema *kind,
                      const struct ws_rows *rows);
    bool (*kind_end)(struct ws_export *x, struct ws_table_schema *kind);
    bool (*file_end)(struct ws_export *x);
    bool (*timeline_begin)(struct ws_export *x, const struct ws_timeline *timeline);
    ws_moment_f timeline_moment; /* ctx: the struct ws_export */
    bool (*timeline_end)(struct ws_export *x);
    bool (*end)(struct ws_export *x);
    void (*kind_fini)(struct ws_table_schema *kind);
    void (*fini)(struct ws_export *x);
};

extern const struct ws_export_format ws_export_csv, ws_export_tsv, ws_export_json, ws_export_jsonl,
    ws_export_npy, ws_export_parquet, ws_export_ross, ws_export_sqlite, ws_export_chrome,
    ws_export_perfetto, ws_export_ctf;

/* One run of the command. */
struct ws_export {
    const struct ws_export_format *format;
    const char *folder; /* of outputs without a name from the command line */
    const char *file;   /* the only output, "-" for standard output; or NULL */
    bool compress;
    struct ws_timeline_options timeline;
    struct ws_outs outs;
    struct ws_file *survey;        /* of the record file at hand */
    char *prefix;                  /* of its name */
    struct ws_table_schema *kinds; /* that are chosen in it */
    uint32_t n_kinds;
    void *state; /* of the format */

    /* the walk's own */
    struct ws_select select;
    struct ws_fields fields;
    struct ws_table_schema **by_schema; /* of the file at hand; NULL where not chosen */
    uint32_t *rows;                     /* numbers of the chosen records of a block */
    int32_t *plans;                     /* by number of record */
    size_t rows_max;                    /* that rows and plans have room for */
    struct ws_progress progress;
    bool interrupted;
};

/* Exports one record file, opened. False: said why, or interrupted. */
bool ws_export_file(struct ws_export *x, struct ws_file *survey);

/* Exports the files of one run as a timeline; the same. */
bool ws_export_timeline(struct ws_export *x, struct ws_file *surveys, size_t n);

/* What outputs of this record file are called: "run/a-gvt.bin" gives "a". Heap; NULL: no memory. */
char *ws_export_prefix(const struct ws_file *survey);

/* Begins the output FOLDER/PREFIX-NAME.EXTENSION, or the one of the command line. NULL: failed. */
struct ws_out *ws_export_out(struct ws_export *x, const char *name);
/* Where that is; heap, NULL after a message. name NULL: FOLDER/PREFIX.EXTENSION. */
char *ws_export_path(struct ws_export *x, const char *name);
/* Writes the names of a kind's numbers, if there are any, to a file beside its output. */
bool ws_export_labels(struct ws_export *x, const struct ws_table_schema *kind);
/* Says "out of memory"; false. */
bool ws_export_no_memory(struct ws_export *x);

#endif
