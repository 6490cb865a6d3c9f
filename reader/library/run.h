/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * run.h - the handle of the library, struct wsr_run, for the files in this directory.
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
    struct wsr_field *fields;     /* owned; [i]: field of column i */
    struct wsr_gap *gaps;         /* owned; gaps of the kind */
    struct ws_file *file;         /* borrowed; the stream that has the kind */
    const struct wsr_file *files; /* borrowed; [i]: file of part i of the stream */
};

/* Findings: `list` as the rules wrote them, `shown` as the public structs of reader.h, with the texts of
 * `advice`. */
struct run_findings {
    struct ws_finding list[WS_FINDINGS_MAX];
    char advice[WS_FINDINGS_MAX][WS_FINDING_TEXT];
    struct wsr_finding shown[WS_FINDINGS_MAX];
    size_t n;
};

struct wsr_run {
    char *path;
    struct ws_files paths;
    /* Owned; [k], with paths.n_streams elements: stream k without its journals; then as many with their
     * journals, which are open only if the caller wants journals and the stream has some. */
    struct ws_file *streams;
    struct wsr_file *files;  /* owned; paths.n elements, one per path */
    struct wsr_fact **facts; /* owned, with the lists; [i]: list of the facts that file i states */
    struct run_kind *kinds;  /* owned; n_kinds elements, whose addresses do not change */
    size_t n_kinds;
    const struct wsr_file *first;  /* the first readable file; NULL: none */
    struct run_findings *findings; /* owned; NULL: not computed yet */
    bool opened;
    struct wsr_scan *scans; /* linked list of the open scans */
    char message[MESSAGE_MAX];
};

/* Returns stream number k, with its journals if these are read. */
static inline struct ws_file *ws_run_stream(const struct wsr_run *run, size_t k)
{
    struct ws_file *full = &run->streams[run->paths.n_streams + k];
    return full->pes != NULL ? full : &run->streams[k];
}

/* Returns the enum wsr_status for an error of the file format library. */
int ws_run_status(const struct fmt_error *error);
/* Sets the text that wsr_message() returns, made from the printf() format `words`. Returns
 * status. */
int ws_run_fail(struct wsr_run *run, int status, const char *words, ...)
    __attribute__((format(printf, 3, 4)));
/* Sets the text that wsr_message() returns to "out of memory". Returns WSR_NO_MEMORY. */
int ws_run_fail_memory(struct wsr_run *run);
/* Returns WSR_OK if wsr_open() has succeeded, otherwise WSR_INVALID after setting that text. */
int ws_run_ready(struct wsr_run *run);
/* Clears the text that wsr_message() returns. Returns a receiver of messages that stores the first
 * line as this text. */
struct ws_messages ws_run_keep_first(struct wsr_run *run);

/* Fills run->files and run->facts. Returns an enum wsr_status. */
int ws_run_files_describe(struct wsr_run *run);

/* Fills run->kinds from all readable files. Returns an enum wsr_status. */
int ws_run_kinds_make(struct wsr_run *run);
void ws_run_kinds_free(struct wsr_run *run);

/* Converts the selection of a program to that of the reader. from NULL: all records. Returns
 * WSR_OK, or another enum wsr_status after setting the text that wsr_message() returns. *to must be
 * freed even after an error. */
int ws_run_select(struct wsr_run *run, struct ws_select *to, const struct wsr_select *from);

#endif
