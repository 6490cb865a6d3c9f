/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * export.h - declarations that the formats of "warpscope export" share.
 *
 * export.c opens the record files, chooses the records and hands them to the format, table by table
 * (table_schema.h) and block by block, in this order:
 *
 *     for each stream:       file_begin, kind_begin for each kind of record,
 *                            kind_rows for each block with chosen records,
 *                            kind_end for each kind, file_end
 *     after the last:        end
 *
 * kind_fini and fini follow in any case. A function that fails prints a message (mostly through
 * out.h) and returns false. After a failure only kind_fini and fini are called, and no output gets
 * its final name.
 */
#ifndef WARPSCOPE_READER_EXPORT_EXPORT_H
#define WARPSCOPE_READER_EXPORT_EXPORT_H

#include "access/fields.h"
#include "access/record_scan.h"
#include "access/stream.h"
#include "access/table_schema.h"
#include "cli/out.h"
#include "cli/progress.h"
#include "timeline/timeline.h"

struct ws_export;

/* Formats that show a timeline (timeline.h) use all files together. They have the functions whose
 * names begin with timeline_, and `end`, instead of those for tables. */

/* One format. A function pointer may be NULL: no action. */
struct ws_export_format {
    const char *name;
    const char *extension; /* file name extension of the format */
    const char *missing;   /* library that is missing in this build; NULL: none */
    bool to_pipe;          /* true if the format can be written to standard output */
    bool is_text;          /* true if the format is text, for which columns can be chosen */
    bool per_kind;         /* true if each kind of record has a file of its own */
    /* True if the format has additional columns with the names of numeric values (labels.h) */
    bool with_labels;
    bool (*file_begin)(struct ws_export *x);
    bool (*kind_begin)(struct ws_export *x, struct ws_table_schema *kind);
    bool (*kind_rows)(struct ws_export *x, struct ws_table_schema *kind,
                      const struct ws_rows *rows);
    bool (*kind_end)(struct ws_export *x, struct ws_table_schema *kind);
    bool (*file_end)(struct ws_export *x);
    bool (*timeline_begin)(struct ws_export *x, const struct ws_timeline *timeline);
    /* Called with each moment of the timeline; ctx is the struct ws_export. */
    ws_moment_f timeline_moment;
    bool (*timeline_end)(struct ws_export *x);
    bool (*end)(struct ws_export *x);
    void (*kind_fini)(struct ws_table_schema *kind);
    void (*fini)(struct ws_export *x);
};

extern const struct ws_export_format ws_export_csv, ws_export_tsv, ws_export_json, ws_export_jsonl,
    ws_export_npy, ws_export_parquet, ws_export_ross, ws_export_sqlite, ws_export_chrome,
    ws_export_perfetto, ws_export_ctf;

/* State of one run of the command. */
struct ws_export {
    const struct ws_export_format *format;
    const char *folder; /* directory for outputs that the command line does not name */
    const char *file;   /* name of the only output, "-" for standard output; or NULL */
    bool compress;
    struct ws_timeline_options timeline;
    struct ws_outs outs;
    const struct ws_files *files;  /* borrowed; all record files */
    struct ws_file *surveys;       /* borrowed; their streams */
    struct ws_file *survey;        /* the current stream */
    char *prefix;                  /* prefix of the stream's files */
    struct ws_table_schema *kinds; /* kinds of records chosen in the stream */
    uint32_t n_kinds;
    void *state; /* state of the format */

    /* Members that only walk.c uses. */
    struct ws_select select;
    struct ws_fields fields;
    /* Kind of each schema of the current file; NULL: not chosen. */
    struct ws_table_schema **by_schema;
    uint32_t *rows;  /* numbers of the chosen records of a block */
    int32_t *plans;  /* plan for the payload of each record in rows */
    size_t rows_max; /* number of allocated entries of rows and plans */
    struct ws_progress progress;
    bool interrupted;
};

/* Exports one open stream. Returns false after a message, or if interrupted. */
bool ws_export_file(struct ws_export *x, struct ws_file *survey);

/* Exports the files of one run as one timeline. Returns false after a message, or if
 * interrupted. */
bool ws_export_timeline(struct ws_export *x, struct ws_file *surveys, size_t n);

/* Returns the prefix of the output names for a stream of x->surveys: "a" for "run/a-gvt.bin". The
 * caller frees it. Returns NULL if memory is exhausted. */
char *ws_export_prefix(const struct ws_export *x, const struct ws_file *survey);

/* Begins the output DIRECTORY/PREFIX-NAME.EXTENSION, or the one that the command line names.
 * Returns NULL on failure. */
struct ws_out *ws_export_out(struct ws_export *x, const char *name);
/* Returns the path of the output that ws_export_out() begins; DIRECTORY/PREFIX.EXTENSION if name is
 * NULL. The caller frees it. Returns NULL after an error, which was printed. */
char *ws_export_path(struct ws_export *x, const char *name);
/* For a kind of record, writes the names of numeric values (labels.h) to a file beside its output.
 * Writes nothing if no field has such names. */
bool ws_export_labels(struct ws_export *x, const struct ws_table_schema *kind);
/* Prints "out of memory". Returns false. */
bool ws_export_no_memory(struct ws_export *x);

#endif
