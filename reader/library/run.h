/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * run.h - the handle of the library, for the files of this directory.
 */
#ifndef WARPSCOPE_READER_LIBRARY_RUN_H
#define WARPSCOPE_READER_LIBRARY_RUN_H

#include "access/folder.h"
#include "access/select.h"
#include "access/stream.h"
#include "access/table_schema.h"
#include "findings/findings.h"
#include "warpscope/reader.h"

#define MESSAGE_MAX 1024u

/* A kind of record: `shown` is the public struct of reader.h, `columns` is the basis of scans. */
struct run_kind {
    struct wsr_kind shown;
    struct ws_table_schema columns;
    struct wsr_field *fields;     /* owned; by index of the column */
    struct wsr_gap *gaps;         /* owned */
    struct ws_file *survey;       /* the stream of this kind */
    const struct wsr_file *files; /* the files of the stream's parts */
};

/* Findings: `list` as the rules wrote them, `shown` as the public structs of reader.h. */
struct run_findings {
    struct ws_finding list[WS_FINDINGS_MAX];
    struct wsr_finding shown[WS_FINDINGS_MAX];
    size_t n;
};

struct wsr_run {
    char *path;
    unsigned flags;
    struct ws_files paths;
    struct ws_file *streams;      /* one per stream, paths.n_streams */
    const struct ws_file **parts; /* one per path, paths.n; elements of streams or of their parts */
    struct wsr_file *files;       /* one per path, paths.n */
    struct wsr_fact **facts;      /* one list of facts per path, paths.n; the lists are owned */
    struct run_kind *kinds;       /* n_kinds elements; their addresses stay valid */
    size_t n_kinds;
    const struct wsr_file *first;  /* the first readable file; NULL: none */
    struct run_findings *findings; /* owned; NULL: not computed yet */
    bool opened;
    struct wsr_scan *scans; /* list of the open scans */
    char message[MESSAGE_MAX];
};

/* Returns the enum wsr_status for an error of the file format library. */
int ws_run_status(const struct fmt_error *error);
/* Sets the text that wsr_message() returns. Returns status. */
int ws_run_fail(struct wsr_run *run, int status, const char *words, ...)
    __attribute__((format(printf, 3, 4)));
/* Sets that text to "out of memory". Returns WSR_NO_MEMORY. */
int ws_run_fail_memory(struct wsr_run *run);
/* Returns a receiver of messages that keeps the first line for wsr_message(). */
struct ws_messages ws_run_keep_first(struct wsr_run *run);

/* Fills run->files and run->facts. Returns a status. */
int ws_run_files_describe(struct wsr_run *run);

/* Fills run->kinds from all readable files. Returns a status. */
int ws_run_kinds_make(struct wsr_run *run);
void ws_run_kinds_free(struct wsr_run *run);

/* Converts a selection of the program (struct wsr_select) to one of the reader. Returns WSR_OK, or
 * a status with a message. *to must be freed in any case. */
int ws_run_select(struct wsr_run *run, struct ws_select *to, const struct wsr_select *from);

#endif
