/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mailbox.h - the two files through which a run receives requests and gives answers, see
 * format/control_file.h. Used on rank 0 only.
 *
 * Rank 0 checks at intervals if the file of requests has grown, with one fstat() and without a
 * lock. It accepts requests only while the file belongs to the user of the run and its mode gives
 * no access to others.
 */
#ifndef WARPSCOPE_CONTROL_MAILBOX_H
#define WARPSCOPE_CONTROL_MAILBOX_H

#include <stdbool.h>
#include <stdint.h>

#include "format/control_file.h"

/* The two files of a run, and the current request. If all members are zero, the mailbox has no
 * files. */
struct mailbox {
    char *requests_path; /* owned; path of the file of requests; NULL: no mailbox */
    char *answers_path;  /* owned; path of the file of answers */
    int requests;
    int answers;
    /* Number of bytes that have been read from the file of requests. */
    uint64_t read_to;
    /* True while reading skips the rest of a line that is too long. */
    bool skips;
    /* True after an error: no more requests are accepted. */
    bool is_off;
    bool has_request;
    /* Line of the current request, split into fields. */
    char line[CONTROL_LINE_MAX + 1];
    /* Fields of the current request; they point into `line`. */
    char *fields[CONTROL_FIELDS_MAX];
    unsigned n_fields;
};

/* Creates the two files, whose names begin with prefix, in the directory dir. program: name of the
 * simulator, for the first line of the file of requests. On failure leaves no file and returns
 * false, with one line in error (error_size bytes). */
bool mailbox_open(struct mailbox *box, const char *dir, const char *prefix, const char *program,
                  char *error, size_t error_size);
/* Looks for a request. Returns true if there is one. It stays the current request until
 * mailbox_answer() is called. */
bool mailbox_look(struct mailbox *box);

struct mailbox_answer {
    bool done;
    double gvt;
    /* start of the request's execution, in wall-clock seconds since the start of the run */
    double seconds;
    double date; /* start of the request's execution, in seconds since 1970 */
    const char *text;
};
/* Writes the answer to the current request to the file of answers. There is no current request
 * afterwards. */
void mailbox_answer(struct mailbox *box, const struct mailbox_answer *answer);

/* Removes the two files from the directory and frees their paths. */
void mailbox_close(struct mailbox *box);

#endif
