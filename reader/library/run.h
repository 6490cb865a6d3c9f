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

/* A kind of records: as callers see it (reader.h), and with the columns that scans read. */
struct run_kind {
    struct wsr_kind shown;
    struct ws_table_schema columns;
    struct wsr_field *fields;     /* owned; by number of the column */
    struct wsr_gap *gaps;         /* owned */
    struct ws_file *survey;       /* the stream */
    const struct wsr_file *files; /* of its parts */
};

/* Findings: as the rules wrote them, and as callers see them (reader.h). */
struct run_findings {
    struct ws_finding list[WS_FINDINGS_MAX];
    struct wsr_finding shown[WS_FINDINGS_MAX];
    size_t n;
};

struct wsr_run {
    char *path;
    unsigned flags;
    struct ws_files paths;
    struct ws_file *streams;      /* paths.n_streams */
    const struct ws_file **parts; /* paths.n; parts of streams */
    struct wsr_file *files;       /* paths.n */
    struct wsr_fact **facts;      /* paths.n, owned lists */
    struct run_kind *kinds;       /* n_kinds; they do not move */
    size_t n_kinds;
    const struct wsr_file *first;  /* the first readable file; NULL: none */
    struct run_findings *findings; /* owned; NULL: not asked for yet */
    bool opened;
    struct wsr_scan *scans; /* that are open */
    char message[MESSAGE_MAX];
};

/* Returns the status for an error of reading. */
int ws_run_status(const struct fmt_error *error);
/* Sets the message. Returns status. */
int ws_run_fail(struct wsr_run *run, int status, const char *words, ...)
    __attribute__((format(printf, 3, 4)));
/* Sets the message "out of memory". Returns WSR_NO_MEMORY. */
int ws_run_fail_memory(struct wsr_run *run);
/* Returns a receiver that keeps the first line as the message. */
struct ws_messages ws_run_keep_first(struct wsr_run *run);

/* Describes all files. Returns a status. */
int ws_run_files_describe(struct wsr_run *run);

/* Makes the kinds of all readable files. Returns a status. */
int ws_run_kinds_make(struct wsr_run *run);
void ws_run_kinds_free(struct wsr_run *run);

/* Converts the texts of a selection. Returns WSR_OK, or a status after a message. *to must be freed
 * in any case. */
int ws_run_select(struct wsr_run *run, struct ws_select *to, const struct wsr_select *from);

#endif
