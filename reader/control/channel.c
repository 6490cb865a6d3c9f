/* SPDX-License-Identifier: BSD-3-Clause */
/* channel.c - sends requests to a run and reads its answers; see channel.h. */
#include "control/channel.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "data/known.h"
#include "files/trust.h"
#include "text/date.h"
#include "text/text_new.h"
#include "text/utf8.h"

#define PAUSE_NS 20000000 /* pause between two checks for an answer, in nanoseconds */

static void pause_shortly(void)
{
    nanosleep(&(struct timespec){.tv_nsec = PAUSE_NS}, NULL);
}

/* Says "PATH: WHY: REMEDY"; remedy NULL: there is none. Returns false. */
static bool refuse(const struct ws_channel *c, const char *path, const char *why,
                   const char *remedy)
{
    return ws_say(c->messages, "%.300s: %s%s%s", path, why, remedy == NULL ? "" : ": ",
                  remedy == NULL ? "" : remedy);
}

/* ---- The files ------------------------------------------------------------------------------- */

/* Stores in `hint` the end of an error message. It names the last of the directories DIR-1, DIR-2,
 * ... in which a run takes requests, where DIR is `folder`; "" if there is none. A run records to
 * such a numbered directory if DIR already exists. */
static void hint_write(const char *folder, char *hint, size_t size)
{
    assert(size > 0);
    size_t length = strlen(folder);
    char other[PATH_MAX];
    int error = 0;
    hint[0] = '\0';
    while (length > 1 && folder[length - 1] == '/') {
        length--;
    }
    for (unsigned n = 1; error == 0; n++) {
        snprintf(other, sizeof other, "%.*s-%u", (int)length, folder, n);
        char *name = ws_find_ending(other, CONTROL_FILE_END, &error);
        if (name != NULL) {
            snprintf(hint, size, "; one does in %.400s", other);
        }
        free(name);
    }
}

/* Finds the files for requests and answers in the directory, and stores their paths in c. Returns
 * false, and says why, if there are none. */
static bool find(struct ws_channel *c, const char *folder)
{
    int error;
    char hint[512], *name = ws_find_ending(folder, CONTROL_FILE_END, &error);
    if (name != NULL) {
        c->requests_path = text_new("%s/%s", folder, name);
        c->answers_path = text_new("%s/%s.answers", folder, name);
        free(name);
        return (c->requests_path != NULL && c->answers_path != NULL) ||
               ws_fail_memory(c->messages, NULL);
    }
    if (error != 0 && error != ENOENT) {
        return refuse(c, folder, "cannot read the directory", strerror(error));
    }
    hint_write(folder, hint, sizeof hint);
    return ws_say(c->messages, "%s: %s%s", folder,
                  error == ENOENT
                      ? "there is no such directory; a run makes it when it starts, if it "
                        "records something or has a --stats-path"
                      : "no running simulation takes requests here: it is starting, has ended, "
                        "takes none any more, or was started with --no-control",
                  hint);
}

/* Opens the file for requests or for answers, which only this user may open. Returns the descriptor;
 * -1 on failure, and says why. */
static int open_checked(const struct ws_channel *c, const char *path, int flags)
{
    char why[TRUST_WHY_MAX];
    int fd = trust_open_private(path, flags, why, sizeof why);
    if (fd < 0) {
        refuse(c, path, errno == ENOENT ? "the run has just ended" : why, NULL);
    }
    return fd;
}

/* Reads the information about the run from the first line of the file for requests. Returns false,
 * and says why, if the line is missing or not valid. */
static bool read_head(struct ws_channel *c)
{
    assert(c->requests >= 0);
    char line[CONTROL_LINE_MAX + 1], *fields[CONTROL_FIELDS_MAX];
    ssize_t got = pread(c->requests, line, CONTROL_LINE_MAX, 0);
    line[got > 0 ? got : 0] = '\0';
    char *end = strchr(line, '\n');
    if (end == NULL) {
        return refuse(c, c->requests_path,
                      "has no first line; the run is about to start, or was killed then", NULL);
    }
    *end = '\0';
    unsigned n = control_line_read(line, fields);
    if (n < CONTROL_HEAD_FIELDS || strcmp(fields[CONTROL_HEAD_MARK], CONTROL_MARK_HEAD) != 0) {
        return refuse(c, c->requests_path, "is no file for requests to a run", NULL);
    }
    if (strcmp(fields[CONTROL_HEAD_VERSION], CONTROL_VERSION) != 0) {
        return ws_say(
            c->messages,
            "%s: the run takes requests of version %s, this command knows " CONTROL_VERSION,
            c->requests_path, fields[CONTROL_HEAD_VERSION]);
    }
    c->run.pid = strtol(fields[CONTROL_HEAD_PID], NULL, 10);
    snprintf(c->run.host, sizeof c->run.host, "%s", fields[CONTROL_HEAD_HOST]);
    snprintf(c->run.program, sizeof c->run.program, "%s", fields[CONTROL_HEAD_PROGRAM]);
    utf8_drop_controls(c->run.host);
    utf8_drop_controls(c->run.program);
    return true;
}

/* Returns true if the run is known to have ended. A run holds a lock on its answers file until it
 * ends. If the file system has no locks, checks that the process does not exist, which works only
 * on the host of the run. */
static bool run_is_over(const struct ws_channel *c)
{
    assert(c->answers >= 0);
    char host[256] = "";
    if (flock(c->answers, LOCK_SH | LOCK_NB) == 0) {
        flock(c->answers, LOCK_UN);
        return true;
    }
    if (errno == EWOULDBLOCK) {
        return false;
    }
    gethostname(host, sizeof host - 1);
    return strcmp(host, c->run.host) == 0 && c->run.pid > 0 && kill((pid_t)c->run.pid, 0) != 0 &&
           errno == ESRCH;
}

bool ws_channel_open(struct ws_channel *c, const char *folder, const struct ws_messages *messages)
{
    struct stat st;
    *c = (struct ws_channel){.requests = -1, .answers = -1, .messages = messages};
    if (!find(c, folder)) {
        return false;
    }
    c->requests = open_checked(c, c->requests_path, O_RDWR | O_APPEND);
    if (c->requests < 0) {
        return false;
    }
    c->answers = open_checked(c, c->answers_path, O_RDONLY);
    if (c->answers < 0 || !read_head(c)) {
        return false;
    }
    if (!run_is_over(c)) {
        return true;
    }
    if (fstat(c->answers, &st) != 0 || st.st_nlink == 0) {
        return refuse(c, folder, "the run has just ended", NULL);
    }
    int error;
    char *records = ws_find_ending(folder, ".bin", &error);
    ws_say(c->messages,
           "%s: the run that made this file is not there any more: process %ld (%s) on %s was "
           "killed%s%s",
           c->requests_path, c->run.pid, c->run.program, c->run.host,
           records != NULL ? "; for its records: warpscope recover " : "",
           records != NULL ? folder : "");
    free(records);
    return false;
}

void ws_channel_close(struct ws_channel *c)
{
    if (c->requests >= 0) {
        close(c->requests);
    }
    if (c->answers >= 0) {
        close(c->answers);
    }
    free(c->requests_path);
    free(c->answers_path);
    *c = (struct ws_channel){.requests = -1, .answers = -1};
}

/* ---- A request ------------------------------------------------------------------------------- */

/* Composes the line of a request, with a new id. Returns its length in bytes, or 0 if it is too
 * long. */
static size_t compose(struct ws_channel *c, char *const *words, int n, char line[CONTROL_LINE_MAX])
{
    const char *fields[CONTROL_FIELDS_MAX];
    char host[256] = "", pid[32], user[TRUST_USER_MAX];
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    gethostname(host, sizeof host - 1);
    snprintf(pid, sizeof pid, "%ld", (long)getpid());
    snprintf(c->id, sizeof c->id, "%ld-%lld-%ld-%08lx", (long)getpid(), (long long)t.tv_sec,
             t.tv_nsec, (unsigned long)gethostid() & 0xfffffffful);
    fields[CONTROL_REQUEST_MARK] = CONTROL_MARK_REQUEST;
    fields[CONTROL_REQUEST_ID] = c->id;
    fields[CONTROL_REQUEST_USER] = trust_user_name(geteuid(), user);
    fields[CONTROL_REQUEST_HOST] = host;
    fields[CONTROL_REQUEST_PID] = pid;
    if (n > (int)CONTROL_FIELDS_MAX - CONTROL_REQUEST_WORDS) {
        return 0;
    }
    for (int i = 0; i < n; i++) {
        fields[CONTROL_REQUEST_WORDS + i] = words[i];
    }
    return control_line_write(line, fields, CONTROL_REQUEST_WORDS + (unsigned)n);
}

/* Appends a line to the file for requests. If another command has left an incomplete line at the
 * end of the file, first ends that line. Returns false, and says why, on failure. */
static bool append(struct ws_channel *c, const char *line, size_t size)
{
    assert(size > 0 && size <= CONTROL_LINE_MAX && line[size - 1] == '\n');
    struct stat st;
    char last = '\n', whole[CONTROL_LINE_MAX + 1];
    if (fstat(c->requests, &st) != 0 || st.st_nlink == 0) {
        return refuse(c, c->requests_path, "the run has just ended", NULL);
    }
    if (st.st_size > 0 && pread(c->requests, &last, 1, st.st_size - 1) != 1) {
        return refuse(c, c->requests_path, strerror(errno), NULL);
    }
    whole[0] = '\n';
    memcpy(whole + 1, line, size);
    size_t skip = last == '\n' ? 1 : 0;
    errno = ENOSPC;
    ssize_t done = write(c->requests, whole + skip, size + 1 - skip);
    return done == (ssize_t)(size + 1 - skip) ||
           refuse(c, c->requests_path, "cannot write", strerror(errno));
}

bool ws_channel_send(struct ws_channel *c, char *const *words, int n, double timeout_s)
{
    assert(c->requests >= 0 && c->answers >= 0 && n > 0);
    char line[CONTROL_LINE_MAX];
    struct stat st;
    double end = date_clock() + timeout_s;
    size_t size = compose(c, words, n, line);
    if (size == 0) {
        return ws_say(c->messages, "the request is too long: at most some %u characters",
                      CONTROL_LINE_MAX - 256u);
    }
    while (flock(c->requests, LOCK_EX | LOCK_NB) != 0) {
        if (errno != EWOULDBLOCK && errno != EINTR) {
            break; /* the file system has no locks */
        }
        if (date_clock() > end) {
            return refuse(c, c->requests_path,
                          "another command holds the lock on it; is one stopped?", NULL);
        }
        pause_shortly();
    }
    c->read_to = fstat(c->answers, &st) == 0 ? (uint64_t)st.st_size : 0;
    bool good = append(c, line, size);
    flock(c->requests, LOCK_UN);
    return good;
}

/* ---- The answer ------------------------------------------------------------------------------ */

/* Reads the next line of the answers file. If it is the answer to the latest request, stores it in
 * *answer and returns true. Sets *more to true if there was a complete line, otherwise to false. */
static bool read_answer(struct ws_channel *c, struct ws_answer *answer, bool *more)
{
    char line[CONTROL_LINE_MAX + 1], *fields[CONTROL_FIELDS_MAX];
    ssize_t got = pread(c->answers, line, CONTROL_LINE_MAX, (off_t)c->read_to);
    line[got > 0 ? got : 0] = '\0';
    char *end = strchr(line, '\n');
    *more = end != NULL;
    if (end == NULL) {
        return false;
    }
    *end = '\0';
    c->read_to += (uint64_t)(end - line) + 1;
    if (control_line_read(line, fields) < CONTROL_ANSWER_FIELDS ||
        strcmp(fields[CONTROL_ANSWER_ID], c->id) != 0) {
        return false;
    }
    *answer = (struct ws_answer){.done = strcmp(fields[CONTROL_ANSWER_RESULT], "done") == 0,
                                 .gvt = strtod(fields[CONTROL_ANSWER_GVT], NULL),
                                 .seconds = strtod(fields[CONTROL_ANSWER_SECONDS], NULL),
                                 .date = strtod(fields[CONTROL_ANSWER_DATE], NULL)};
    snprintf(answer->text, sizeof answer->text, "%s", fields[CONTROL_ANSWER_TEXT]);
    return true;
}

enum ws_wait ws_channel_wait(struct ws_channel *c, double timeout_s, struct ws_answer *answer)
{
    assert(c->requests >= 0 && c->answers >= 0);
    double end = date_clock() + timeout_s;
    for (;;) {
        /* The removal is checked before the lock: a run that ends releases its lock before it
         * removes the file. A run that removed the file and still holds the lock thus goes on. */
        struct stat st;
        bool removed = fstat(c->requests, &st) == 0 && st.st_nlink == 0;
        /* The lock is checked before the answers are read: a run answers before it ends, so that no
         * answer comes after the lock is released. */
        bool over = run_is_over(c);
        bool more = true;
        while (more) {
            if (read_answer(c, answer, &more)) {
                return WS_WAIT_ANSWER;
            }
        }
        if (over) {
            return WS_WAIT_ENDED;
        }
        if (removed) {
            return WS_WAIT_OFF;
        }
        if (date_clock() > end) {
            return WS_WAIT_TIMEOUT;
        }
        pause_shortly();
    }
}

void ws_channel_silence_say(const struct ws_channel *c, enum ws_wait why, double timeout_s)
{
    if (why == WS_WAIT_ENDED) {
        ws_say(c->messages, "the run ended before it answered");
    } else if (why == WS_WAIT_OFF) {
        ws_say(c->messages,
               "the run takes no requests any more, and says why on its standard error");
    } else {
        ws_say(c->messages,
               "no answer within %g s: process %ld (%.100s) on %.100s is alive, but has reached no "
               "GVT; it may be stopped, or in one long event. The request stays, and takes effect "
               "when the run goes on",
               timeout_s, c->run.pid, c->run.program, c->run.host);
    }
}
