/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report_files.c - the files for the report: --report-json, --csv, and ross.csv, which programs
 * built for ROSS 8 write by default.
 */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "checkpoint/checkpoint.h"
#include "engine/process/run.h"
#include "move/move.h"
#include "run/report.h"
#include "run/report_csv.h"
#include "run/report_pipe.h"
#include "run/run_report.h"

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

/* Opens a draft in the directory of path, with the permissions of the file at path, if any. Returns
 * NULL if the report must be written to path directly, for one of these reasons: path names a file
 * with several hard links, a dangling symbolic link, or no regular file; or its directory does not
 * allow a second file. */
static FILE *draft_open(struct report_draft *d, const char *path)
{
    assert(d->target == NULL && d->name == NULL);
    struct stat old, link;
    bool exists = stat(path, &old) == 0;
    if (exists ? !S_ISREG(old.st_mode) || old.st_nlink > 1 : lstat(path, &link) == 0) {
        return NULL;
    }
    d->target = exists ? realpath(path, NULL) : strdup(path);
    size_t size = d->target == NULL ? 0 : strlen(d->target) + 32;
    d->name = d->target == NULL ? NULL : malloc(size);
    if (d->name == NULL) {
        return NULL;
    }
    snprintf(d->name, size, "%s.tmp-%ld", d->target, (long)getpid());
    FILE *file = fopen(d->name, "wx");
    if (file != NULL && exists && chmod(d->name, old.st_mode & 07777) != 0) {
        fclose(file);
        unlink(d->name);
        file = NULL;
    }
    return file;
}

/* Opens path for the report, as a draft if possible. Returns NULL and sets errno on failure. */
static FILE *report_open(struct report_pipe *pipe, struct report_draft *d, const char *path)
{
    if (!report_pipe_hold(pipe, path)) {
        return NULL;
    }
    FILE *file = pipe->fd < 0 ? draft_open(d, path) : NULL;
    if (file == NULL) {
        draft_free(d);
        file = report_pipe_open(pipe, path);
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
    FILE *file = report_open(&pipe, &draft, path);
    enum tw_status status =
        file == NULL ? TW_ERR_IO : report_write_json(report, file, write_more_members);
    status = file == NULL ? status : report_close(file, &draft, status);
    int error = errno;
    report_pipe_release(&pipe);
    if (status != TW_OK) {
        tw_warning(TW_LOC, "the report could not be written to %s: %s", path, strerror(error));
        g_run.results_lost = true;
    }
}

/* Returns true if the CSV file is ross.csv, which programs built for ROSS 8 write by default. */
static bool csv_is_ross8s(void)
{
    return g_run.as_for_ross8 && !options_was_given(&g_run.options, "csv");
}

static void append_csv(const struct report *report)
{
    char error[256];
    const char *path = g_run.settings.csv;
    struct report_pipe pipe;
    if (path[0] == '\0') {
        return;
    }
    bool held = report_pipe_hold(&pipe, path);
    snprintf(error, sizeof error, "cannot be written: %s", held ? "" : strerror(errno));
    if (!held ||
        report_csv_append(report, path, report_pipe_take(&pipe), error, sizeof error) != TW_OK) {
        tw_warning(TW_LOC, "the row of this run is not in %s: it %s%s", path, error,
                   csv_is_ross8s() ? "; --csv=FILE names another, --csv=none makes none" : "");
        g_run.results_lost = g_run.results_lost || !csv_is_ross8s();
    }
    report_pipe_release(&pipe);
}

static void check_csv_file(struct pe *pe)
{
    char error[256] = "";
    const char *path = g_run.settings.csv;
    enum tw_status status = TW_OK;
    if (path[0] != '\0' && !csv_is_ross8s() && pe->comm.rank == 0) {
        status = report_csv_check(path, error, sizeof error);
    }
    if (comm_agree(&pe->comm, status) != TW_OK) {
        run_refuse("--csv=%s: %s", path, error);
    }
}

/* Opens a symbolic link whose target does not exist. Opening creates the target; the function
 * removes it again. Returns the descriptor, or -1 and sets errno on failure. */
static int open_behind_link(const char *path)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    char *target = fd >= 0 ? realpath(path, NULL) : NULL;
    if (target != NULL) {
        unlink(target);
        free(target);
    }
    return fd;
}

/* Checks that the report can be written to path. Returns 0 or an errno value. Does not leave an
 * empty file behind. */
static int check_json_file(const char *path)
{
    if (report_is_pipe(path)) {
        return access(path, W_OK) == 0 ? 0 : errno;
    }
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd >= 0) {
        unlink(path);
    } else if (errno == EEXIST) {
        fd = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    }
    if (fd < 0 && errno == ENOENT) {
        fd = open_behind_link(path);
    }
    int error = fd < 0 ? errno : 0;
    if (fd >= 0) {
        close(fd);
    }
    return error;
}

void run_check_report_files(struct pe *pe)
{
    const char *path = g_run.settings.report_json;
    int error = 0;
    if (path[0] != '\0' && pe->comm.rank == 0) {
        error = check_json_file(path);
    }
    if (comm_agree(&pe->comm, error == 0 ? TW_OK : TW_ERR_IO) != TW_OK) {
        run_refuse("--report-json=%s: cannot be written: %s", path, strerror(error));
    }
    check_csv_file(pe);
}

void run_write_report_files(const struct report *report)
{
    write_json(report);
    append_csv(report);
}
