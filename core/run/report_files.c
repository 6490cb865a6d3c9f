/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report_files.c - the files for the report: --report-json, --csv, and ross.csv, which programs
 * built for ROSS 8 write by default.
 */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "checkpoint/checkpoint.h"
#include "engine/process/error.h"
#include "engine/process/run.h"
#include "files/trust.h"
#include "move/move.h"
#include "run/report_files.h"
#include "text/text_new.h"

/* ---- Pipes ----------------------------------------------------------------------------------- */

/* Returns true if path names a pipe. Does not open the pipe, since closing it would signal the end
 * of the data to its reader. */
static bool is_pipe(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISFIFO(about.st_mode);
}

/* Opens a pipe as soon as it has a reader. Returns the descriptor, or -1 with the reason in
 * why. The function polls, since a blocking open() would miss a signal that came just before it. */
static int open_for_reader(const char *path, char why[TRUST_WHY_MAX])
{
    static const struct timespec pause = {.tv_nsec = 50 * 1000 * 1000};
    for (bool noted = false;; noted = true) {
        int fd = trust_open(TRUST_WRITE, path, O_WRONLY | O_NONBLOCK, 0, why, TRUST_WHY_MAX);
        if (fd >= 0 || errno != ENXIO) {
            return fd;
        }
        if (g_tw_signal != 0) {
            snprintf(why, TRUST_WHY_MAX, "%s", strerror(EINTR));
            return -1;
        }
        if (!noted) {
            run_warning("%s is a pipe without a reader; the report waits until a program reads it",
                        path);
        }
        nanosleep(&pause, NULL);
    }
}

bool report_pipe_hold(struct report_pipe *pipe, const char *path, char why[TRUST_WHY_MAX])
{
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    *pipe = (struct report_pipe){.fd = -1};
    sigemptyset(&ignore.sa_mask);
    sigaction(SIGPIPE, &ignore, &pipe->on_sigpipe);
    if (!is_pipe(path)) {
        return true;
    }
    pipe->fd = open_for_reader(path, why);
    if (pipe->fd >= 0) {
        fcntl(pipe->fd, F_SETFL, O_WRONLY); /* no O_NONBLOCK: writes wait while the pipe is full */
    }
    return pipe->fd >= 0;
}

int report_pipe_take(struct report_pipe *pipe)
{
    int fd = pipe->fd;
    pipe->fd = -1;
    return fd;
}

FILE *report_pipe_open(struct report_pipe *pipe, const char *path, char why[TRUST_WHY_MAX])
{
    if (pipe->fd < 0) {
        return trust_rewrite(path, why, TRUST_WHY_MAX);
    }
    FILE *file = fdopen(pipe->fd, "w");
    if (file == NULL) {
        snprintf(why, TRUST_WHY_MAX, "%s", strerror(errno));
    } else {
        report_pipe_take(pipe); /* the stream owns the descriptor from here on */
    }
    return file;
}

void report_pipe_release(struct report_pipe *pipe)
{
    if (pipe->fd >= 0) {
        close(pipe->fd);
    }
    sigaction(SIGPIPE, &pipe->on_sigpipe, NULL);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void write_more_members(struct json_writer *json)
{
    checkpoint_report_json(pe_self(), json);
    move_report_json(pe_self(), json);
    if (tw_extension.report_json != NULL) {
        tw_extension.report_json(json);
    }
}

/* A report that is written under a temporary name until it is complete. */
struct report_draft {
    char *target; /* owned; final path of the report; NULL: there is no draft */
    char *name;   /* owned; temporary path; NULL: there is no draft */
};

static void draft_free(struct report_draft *d)
{
    free(d->target);
    free(d->name);
    *d = (struct report_draft){NULL, NULL};
}

/* Opens a draft beside the file that path leads to, with the permissions of this file, if it exists.
 * Returns NULL if the report must be written to path directly, for one of these reasons: path names
 * a file with several hard links, or no regular file; or its directory does not allow a second
 * file. */
static FILE *draft_open(struct report_draft *d, const char *path)
{
    assert(d->target == NULL && d->name == NULL);
    struct stat old;
    char real[PATH_MAX], why[TRUST_WHY_MAX];
    if (!trust_check(TRUST_WRITE, path, real, &old, why, sizeof why) ||
        strncmp(real, "/proc/", 6) == 0) {
        return NULL;
    }
    bool exists = old.st_mode != 0;
    if (exists && (!S_ISREG(old.st_mode) || old.st_nlink > 1)) {
        return NULL;
    }
    d->target = strdup(real);
    d->name = text_new("%s.tmp-%ld", real, (long)getpid());
    if (d->target == NULL || d->name == NULL) {
        return NULL;
    }
    FILE *file = fopen(d->name, "wx");
    if (file != NULL && exists && chmod(d->name, old.st_mode & 07777) != 0) {
        fclose(file);
        unlink(d->name);
        file = NULL;
    }
    return file;
}

/* Opens path for the report, as a draft if possible. Returns NULL on failure, with the reason in
 * why. */
static FILE *report_open(struct report_pipe *pipe, struct report_draft *d, const char *path,
                         char why[TRUST_WHY_MAX])
{
    if (!report_pipe_hold(pipe, path, why)) {
        return NULL;
    }
    FILE *file = pipe->fd < 0 ? draft_open(d, path) : NULL;
    if (file == NULL) {
        draft_free(d);
        file = report_pipe_open(pipe, path, why);
    }
    return file;
}

/* Closes the report, and renames a complete draft to its final name. status: result of writing the
 * report. Returns this status; on failure, returns TW_ERR_IO and sets errno. */
static enum tw_status report_close(FILE *file, struct report_draft *d, enum tw_status status)
{
    assert((d->name == NULL) == (d->target == NULL));
    if (fclose(file) != 0) {
        status = TW_ERR_IO;
    }
    if (d->name != NULL && status == TW_OK && rename(d->name, d->target) != 0) {
        status = TW_ERR_IO;
    }
    int error = errno;
    if (d->name != NULL && status != TW_OK) {
        unlink(d->name);
    }
    draft_free(d);
    errno = error;
    return status;
}

static void write_json(const struct report *report)
{
    const char *path = g_run.settings.report_json;
    if (path[0] == '\0') {
        return;
    }
    struct report_pipe pipe;
    struct report_draft draft = {NULL, NULL};
    char why[TRUST_WHY_MAX];
    FILE *file = report_open(&pipe, &draft, path, why);
    enum tw_status status = TW_ERR_IO;
    if (file != NULL) {
        status = report_close(file, &draft, report_write_json(report, file, write_more_members));
        snprintf(why, sizeof why, "%s", strerror(errno));
    }
    report_pipe_release(&pipe);
    if (status != TW_OK) {
        tw_warning(TW_LOC, "the report could not be written to %s: %s", path, why);
        g_run.results_lost = true;
    }
}

/* ---- CSV ------------------------------------------------------------------------------------- */

/* Returns true if the CSV file is ross.csv, which programs built for ROSS 8 write by default. */
static bool csv_is_ross8s(void)
{
    return g_run.as_for_ross8 && !options_was_given(&g_run.options, "csv");
}

static void append_csv(const struct report *report)
{
    char error[TRUST_WHY_MAX + 32], why[TRUST_WHY_MAX] = "";
    const char *path = g_run.settings.csv;
    struct report_pipe pipe;
    if (path[0] == '\0') {
        return;
    }
    bool held = report_pipe_hold(&pipe, path, why);
    snprintf(error, sizeof error, "cannot be written: %s", why);
    if (!held || !report_csv_append(report, path, report_pipe_take(&pipe), error, sizeof error)) {
        tw_warning(TW_LOC, "the row of this run is not in %s: it %s%s", path, error,
                   csv_is_ross8s() ? "; --csv=FILE names another, --csv=none makes none" : "");
        g_run.results_lost = g_run.results_lost || !csv_is_ross8s();
    }
    report_pipe_release(&pipe);
}

static void check_csv_file(struct pe *pe)
{
    char error[TRUST_WHY_MAX + 32] = "";
    const char *path = g_run.settings.csv;
    bool is_checked = path[0] != '\0' && !csv_is_ross8s() && pe->comm.rank == 0;
    bool good = !is_checked || report_csv_check(path, error, sizeof error);
    if (comm_agree(&pe->comm, good ? TW_OK : TW_ERR_IO) != TW_OK) {
        run_refuse("--csv=%s: %s", path, error);
    }
}

/* ---- Before the run -------------------------------------------------------------------------- */

/* Checks that the report can be written to path. Returns true, or writes the reason to why. Does not
 * leave an empty file behind. */
static bool check_json_file(const char *path, char why[TRUST_WHY_MAX])
{
    struct stat old;
    char real[PATH_MAX];
    if (!trust_check(TRUST_WRITE, path, real, &old, why, TRUST_WHY_MAX)) {
        return false;
    }
    if (S_ISFIFO(old.st_mode)) {
        bool good = access(path, W_OK) == 0;
        snprintf(why, TRUST_WHY_MAX, "%s", strerror(errno));
        return good;
    }
    int fd =
        trust_open(TRUST_WRITE, path, O_WRONLY | O_CREAT | O_NONBLOCK, 0666, why, TRUST_WHY_MAX);
    if (fd >= 0) {
        close(fd);
    }
    if (fd >= 0 && old.st_mode == 0) {
        unlink(real);
    }
    return fd >= 0;
}

void run_check_report_files(struct pe *pe)
{
    const char *path = g_run.settings.report_json;
    char why[TRUST_WHY_MAX] = "";
    bool good = path[0] == '\0' || pe->comm.rank != 0 || check_json_file(path, why);
    if (comm_agree(&pe->comm, good ? TW_OK : TW_ERR_IO) != TW_OK) {
        run_refuse("--report-json=%s: cannot be written: %s", path, why);
    }
    check_csv_file(pe);
}

void run_write_report_files(const struct report *report)
{
    write_json(report);
    append_csv(report);
}
