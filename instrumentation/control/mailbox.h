/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mailbox.h - the files of a run for requests and answers, see format/control_file.h. For rank 0.
 *
 * Rank 0 looks at the requests in intervals, by one fstat(), and waits for no lock. Requests count only
 * while the file belongs to the user of the run and its mode excludes all others.
 */
#ifndef WARPSCOPE_CONTROL_MAILBOX_H
#define WARPSCOPE_CONTROL_MAILBOX_H

#include <stdbool.h>
#include <stdint.h>

#include "format/control_file.h"

/* All zeros: no mailbox. */
struct mailbox {
    char *requests_path; /* owned; NULL: no mailbox */
    char *answers_path;  /* owned */
    int requests;
    int answers;
    uint64_t read_to; /* bytes of the requests that have been read */
    bool skips;       /* true within a line that is too long */
    bool is_off;      /* true after an error */
    bool has_request;
    char line[CONTROL_LINE_MAX + 1];  /* the request */
    char *fields[CONTROL_FIELDS_MAX]; /* of the request, in line */
    unsigned n_fields;
};

/* Creates the files in the directory dir. Returns false, with one line in error, if that fails; there
 * are no files then. */
bool mailbox_open(struct mailbox *box, const char *dir, const char *prefix, const char *program,
                  char *error, size_t error_size);
/* Looks for a request. Returns true if there is one; it stays until mailbox_answer(). */
bool mailbox_look(struct mailbox *box);

struct mailbox_answer {
    bool done;
    double gvt;
    double seconds; /* since the run began */
    double date;    /* in seconds since 1970 */
    const char *text;
};
/* Answers the request. */
void mailbox_answer(struct mailbox *box, const struct mailbox_answer *answer);

/* Removes the files. */
void mailbox_close(struct mailbox *box);

#endif
