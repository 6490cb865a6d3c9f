/* SPDX-License-Identifier: BSD-3-Clause */
/* mailbox.c - see mailbox.h. */
#define _GNU_SOURCE /* required for O_NOFOLLOW */
#include "control/mailbox.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "engine/probe.h"
#include "files/trust.h"
#include "text/text_new.h"

#define OWNER_ONLY 0600

/* Creates a file at path that only its owner can access. Returns the descriptor; on failure -1,
 * with errno set. */
static int create(const char *path)
{
    int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC | O_APPEND, OWNER_ONLY);
    if (fd >= 0 && fchmod(fd, OWNER_ONLY) != 0) {
        int why = errno;
        close(fd);
        unlink(path);
        errno = why;
        return -1;
    }
    return fd;
}

static bool write_all(int fd, const char *bytes, size_t size)
{
    /* One write() for each line, so that lines of several writers do not mix. */
    ssize_t done = write(fd, bytes, size);
    if (done >= 0 && (size_t)done < size) {
        errno = ENOSPC;
    }
    return done == (ssize_t)size;
}

static bool write_head(const struct mailbox *box, const char *program)
{
    char host[256] = "", pid[32], date[32], line[CONTROL_LINE_MAX];
    if (gethostname(host, sizeof host - 1) != 0) {
        host[0] = '\0';
    }
    snprintf(pid, sizeof pid, "%ld", (long)getpid());
    snprintf(date, sizeof date, "%lld", (long long)time(NULL));
    const char *const fields[CONTROL_HEAD_FIELDS] = {[CONTROL_HEAD_MARK] = CONTROL_MARK_HEAD,
                                                     [CONTROL_HEAD_VERSION] = CONTROL_VERSION,
                                                     [CONTROL_HEAD_PID] = pid,
                                                     [CONTROL_HEAD_HOST] = host,
                                                     [CONTROL_HEAD_DATE] = date,
                                                     [CONTROL_HEAD_PROGRAM] = program};
    size_t size = control_line_write(line, fields, CONTROL_HEAD_FIELDS);
    if (size == 0) {
        errno = ENAMETOOLONG;
        return false;
    }
    return write_all(box->requests, line, size);
}

bool mailbox_open(struct mailbox *box, const char *dir, const char *prefix, const char *program,
                  char *error, size_t error_size)
{
    *box = (struct mailbox){.requests = -1, .answers = -1};
    box->requests_path = text_new("%s/%s" CONTROL_FILE_END, dir, prefix);
    box->answers_path = text_new("%s/%s" CONTROL_ANSWERS_END, dir, prefix);
    const char *path = box->answers_path;
    errno = ENOMEM;
    bool good = box->requests_path != NULL && box->answers_path != NULL &&
                (box->answers = create(box->answers_path)) >= 0;
    if (good) {
        /* The lock on the file of answers shows that the run is active. A failure to lock is
         * ignored. */
        flock(box->answers, LOCK_EX | LOCK_NB);
        path = box->requests_path;
        box->requests = create(box->requests_path);
        good = box->requests >= 0 && write_head(box, program);
    }
    if (!good) {
        snprintf(error, error_size, "%s: %s", path != NULL ? path : dir, strerror(errno));
        mailbox_close(box);
    }
    return good;
}

/* Removes the file at path if it is still the file that this process created. fd, the descriptor of
 * that file, stays open. */
static void remove_file(int fd, const char *path)
{
    struct stat ours, named;
    if (fd >= 0 && fstat(fd, &ours) == 0 && lstat(path, &named) == 0 &&
        ours.st_dev == named.st_dev && ours.st_ino == named.st_ino) {
        unlink(path);
    }
}

/* ---- Requests -------------------------------------------------------------------------------- */

/* Refuses all further requests after an error; why: the error. Removes both files, so that commands
 * do not wait for an answer. The lock on the file of answers still shows that the run is active. */
static void switch_off(struct mailbox *box, const char *why)
{
    run_warning("%s: %s: the run goes on without requests of warpscope ctl", box->requests_path,
                why);
    remove_file(box->answers, box->answers_path);
    remove_file(box->requests, box->requests_path);
    box->is_off = true;
}

/* Ends the line in box->line after length bytes and splits it into box->fields. Returns true if the
 * line is a request; other lines are ignored. */
static bool take_line(struct mailbox *box, size_t length)
{
    assert(length < sizeof box->line);
    box->line[length] = '\0';
    if (strlen(box->line) != length) {
        return false;
    }
    box->n_fields = control_line_read(box->line, box->fields);
    return box->n_fields > CONTROL_REQUEST_WORDS &&
           strcmp(box->fields[CONTROL_REQUEST_MARK], CONTROL_MARK_REQUEST) == 0 &&
           strlen(box->fields[CONTROL_REQUEST_ID]) < CONTROL_ID_MAX;
}

/* Reads lines from the file of requests, which has size bytes, until a line is a request. Returns
 * false if there is no further request. */
static bool read_lines(struct mailbox *box, uint64_t size)
{
    assert(!box->has_request && box->requests >= 0);
    while (box->read_to < size) {
        ssize_t got = pread(box->requests, box->line, CONTROL_LINE_MAX, (off_t)box->read_to);
        if (got <= 0) {
            return false;
        }
        const char *end = memchr(box->line, '\n', (size_t)got);
        if (end == NULL && (size_t)got < CONTROL_LINE_MAX && !box->skips) {
            return false; /* the line is not complete yet */
        }
        size_t length = end != NULL ? (size_t)(end - box->line) : (size_t)got;
        bool skipped = box->skips;
        box->skips = end == NULL;
        box->read_to += length + (end != NULL);
        if (end != NULL && !skipped && take_line(box, length)) {
            return true;
        }
    }
    return false;
}

bool mailbox_look(struct mailbox *box)
{
    struct stat now;
    char why[TRUST_WHY_MAX];
    if (box->has_request || box->is_off || box->requests_path == NULL) {
        return box->has_request;
    }
    if (fstat(box->requests, &now) != 0) {
        switch_off(box, strerror(errno));
    } else if (now.st_nlink == 0) {
        switch_off(box, "the file was removed");
    } else if (trust_private(&now, why, sizeof why) != NULL) {
        switch_off(box, (now.st_mode & 0077) != 0 ? "other users may open the file" : why);
    } else if ((uint64_t)now.st_size < box->read_to) {
        box->read_to = (uint64_t)now.st_size; /* the file was truncated */
    } else if ((uint64_t)now.st_size > box->read_to) {
        box->has_request = read_lines(box, (uint64_t)now.st_size);
    }
    return box->has_request;
}

void mailbox_answer(struct mailbox *box, const struct mailbox_answer *answer)
{
    assert(box->has_request);
    char gvt[32], seconds[32], date[32], text[1024], line[CONTROL_LINE_MAX];
    box->has_request = false;
    snprintf(gvt, sizeof gvt, "%.17g", answer->gvt);
    snprintf(seconds, sizeof seconds, "%.6f", answer->seconds);
    snprintf(date, sizeof date, "%.3f", answer->date);
    snprintf(text, sizeof text, "%s", answer->text);
    const char *const fields[CONTROL_ANSWER_FIELDS] = {
        [CONTROL_ANSWER_MARK] = CONTROL_MARK_ANSWER,
        [CONTROL_ANSWER_ID] = box->fields[CONTROL_REQUEST_ID],
        [CONTROL_ANSWER_RESULT] = answer->done ? "done" : "refused",
        [CONTROL_ANSWER_GVT] = gvt,
        [CONTROL_ANSWER_SECONDS] = seconds,
        [CONTROL_ANSWER_DATE] = date,
        [CONTROL_ANSWER_TEXT] = text};
    size_t size = control_line_write(line, fields, CONTROL_ANSWER_FIELDS);
    if (size > 0 && !box->is_off && !write_all(box->answers, line, size)) {
        switch_off(box, strerror(errno));
    }
}

/* ---- The end --------------------------------------------------------------------------------- */

/* Removes the file at path, unless path is NULL, and closes fd, unless it is negative. */
static void end_file(int fd, const char *path)
{
    if (path != NULL) {
        remove_file(fd, path);
    }
    if (fd >= 0) {
        close(fd);
    }
}

void mailbox_close(struct mailbox *box)
{
    /* The lock on the file of answers is released before the file of requests is removed. A command
     * that finds the file of requests removed while the lock is held concludes that the run goes on
     * without requests. */
    end_file(box->answers, box->answers_path);
    end_file(box->requests, box->requests_path);
    free(box->requests_path);
    free(box->answers_path);
    *box = (struct mailbox){.requests = -1, .answers = -1};
}
