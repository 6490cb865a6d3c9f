/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mailbox.h - the files through which a run gets requests and gives answers, see
 * format/control_file.h. Used on rank 0 only.
 *
 * Rank 0 checks the file of requests for new lines at intervals, by one fstat(), and takes no lock.
 * It accepts requests only while the file belongs to the user of the run and its mode gives no
 * access to others.
 */
#ifndef WARPSCOPE_CONTROL_MAILBOX_H
#define WARPSCOPE_CONTROL_MAILBOX_H

#include <stdbool.h>
#include <stdint.h>

#include "format/control_file.h"

/* The two files of a run, and the current request. All zeros: no mailbox. */
struct mailbox {
    char *requests_path; /* owned; path of the file of requests; NULL: no mailbox */
    char *answers_path;  /* owned; path of the file of answers */
    int requests;
    int answers;
    uint64_t read_to; /* number of bytes of the file of requests that have been read */
    bool skips;       /* true while the rest of a line that is too long is skipped */
    bool is_off;      /* true after an error: no more requests are read */
    bool has_request;
    char line[CONTROL_LINE_MAX + 1];  /* line of the current request */
    char *fields[CONTROL_FIELDS_MAX]; /* fields of the current request, within `line` */
    unsigned n_fields;
};

/* Creates the two files in the directory dir. On failure returns false, with one line in error, and
 * leaves no file. */
bool mailbox_open(struct mailbox *box, const char *dir, const char *prefix, const char *program,
                  char *error, size_t error_size);
/* Looks for a request. Returns true if there is one; it stays the current request until
 * mailbox_answer(). */
bool mailbox_look(struct mailbox *box);

struct mailbox_answer {
    bool done;
    double gvt;
    double seconds; /* wall-clock seconds from the start of the run to the start of the request */
    double date;    /* start of the request, in seconds since 1970 */
    const char *text;
};
/* Writes the answer to the current request, and removes the request. */
void mailbox_answer(struct mailbox *box, const struct mailbox_answer *answer);

/* Removes the two files and frees the paths. */
void mailbox_close(struct mailbox *box);

#endif
