/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * export.h - declarations that the formats of "warpscope export" share.
 *
 * export.c opens the record files, selects records and passes them to the functions of the format,
 * table by table (table_schema.h) and block by block. It calls these functions in this order:
 *
 *     for each stream:       file_begin, kind_begin for each kind of record,
 *                            kind_rows for each block with selected records, or kind_batch
 *                            for each batch of them,
 *                            kind_end for each kind, file_end
 *     after the last stream: end
 *
 * It calls kind_fini and fini at the end, even after an error. A function that fails prints an
 * error message (mostly through out.h) and returns false. After a failure, only kind_fini and fini
 * are called, and no output gets its final name.
 */
#ifndef WARPSCOPE_READER_EXPORT_EXPORT_H
#define WARPSCOPE_READER_EXPORT_EXPORT_H

#include "access/record_batch.h"
#include "access/record_scan.h"
#include "access/stream.h"
#include "cli/messages.h"
#include "cli/out.h"
#include "cli/progress.h"
#include "cli/select.h"
#include "timeline/timeline.h"

struct ws_export;

/* A format that shows a timeline (timeline.h) uses all files together. Instead of the functions for
 * files and kinds, it has those whose names begin with timeline_. */

/* One format of exports. A function pointer that is NULL is not called. */
struct ws_export_format {
    const char *name;
    const char *extension; /* file name extension of the format, such as ".csv" */
    /* Error message if this build lacks a library for the format; else NULL. */
    const char *missing;
    bool to_pipe;  /* true if the format can be written to standard output */
    bool is_text;  /* true if the format is text, whose columns --fields can select */
    bool per_kind; /* true if each kind of record needs a file of its own */
    /* True if the format has additional columns with the names of numeric values (labels.h). */
    bool with_labels;
    size_t state_size; /* size of the state for the whole export, x->state; zeros at first */
    size_t sink_size;  /* size of the state for a kind of record, kind->sink; zeros at first */
    bool (*file_begin)(struct ws_export *x);
    bool (*kind_begin)(struct ws_export *x, struct ws_table_schema *kind);
    /* Writes the selected records of a block, or those of a batch; a format has one of the two. */
    bool (*kind_rows)(struct ws_export *x, struct ws_table_schema *kind,
                      const struct ws_rows *rows);
    bool (*kind_batch)(struct ws_export *x, struct ws_table_schema *kind,
                       const struct ws_record_batch *batch);
    bool (*kind_end)(struct ws_export *x, struct ws_table_schema *kind);
    bool (*file_end)(struct ws_export *x);
    /* Exports all streams, which are of one run, as one timeline: ws_export_timeline(). */
    bool (*timeline)(struct ws_export *x);
    bool without_ends; /* true for timelines whose slices have a duration and no END */
    bool (*timeline_begin)(struct ws_export *x);
    bool (*timeline_moment)(struct ws_export *x, const struct ws_moment *moment);
    bool (*timeline_end)(struct ws_export *x);
    bool (*end)(struct ws_export *x);
    void (*kind_fini)(struct ws_table_schema *kind);
    void (*fini)(struct ws_export *x);
};

extern const struct ws_export_format ws_export_csv, ws_export_tsv, ws_export_json, ws_export_jsonl,
    ws_export_npy, ws_export_parquet, ws_export_ross, ws_export_sqlite, ws_export_chrome,
    ws_export_perfetto, ws_export_ctf;

/* State of the command. */
struct ws_export {
    const struct ws_export_format *format;
    char *folder;     /* owned; directory for the outputs; NULL: the current one */
    const char *file; /* path of the only output, "-" for standard output; NULL: use `folder` */
    bool compress;
    struct ws_timeline_options timeline;
    struct ws_outs outs;
    struct ws_files files;         /* paths of the record files of all streams */
    struct ws_file *streams;       /* owned; the opened streams, in the order of the paths */
    struct ws_file *stream;        /* borrowed; the current stream */
    struct ws_table_schema *kinds; /* owned; the selected kinds of records of the stream */
    uint32_t n_kinds;
    struct ws_record_batch *batches; /* owned; [i]: of kinds[i], for formats with kind_batch */
    void *state;                     /* owned; state of the format */

    /* Members that only walk.c uses. */
    struct ws_select select;
    struct ws_fields fields;
    /* Owned array; [i]: the element of `kinds` for schema i of the current stream; NULL: not
     * selected. */
    struct ws_table_schema **by_schema;
    struct ws_rows_memory rows;
    struct ws_progress progress;
};

/* Exports the records of one open stream. Returns false after an error message, or if a signal has
 * interrupted the export. */
bool ws_export_file(struct ws_export *x, struct ws_file *stream);

/* Begins the output file whose path ws_export_path() returns for `name` and the extension of the
 * format. Returns NULL after an error message. */
struct ws_out *ws_export_out(struct ws_export *x, const char *name);
/* Returns the path of an output file: the path on the command line if this names a file, otherwise
 * DIRECTORY/PREFIX-NAME with the extension, or without -NAME if name is NULL. PREFIX is that of the
 * current stream: "a" for the record file "run/a-gvt.bin". The caller frees the path. Returns NULL
 * after an error message. */
char *ws_export_path(struct ws_export *x, const char *name, const char *extension);

#endif
