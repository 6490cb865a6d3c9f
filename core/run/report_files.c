/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report_files.c - the report files: --report-json, --csv, and ross.csv of programs built for ROSS
 * 8.
 */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "checkpoint/checkpoint.h"
#include "engine/process/run.h"
#include "run/report.h"
#include "run/report_csv.h"
#include "run/report_pipe.h"
#include "run/run_report.h"

static void write_more_members(struct json_writer *json)
{
    checkpoint_report_json(pe_self(), json);
    if (tw_extension.report_json != NULL) {
        tw_extension.report_json(json);
    }
}

static void write_json(const struct report *report)
{
    const char *path = g_run.settings.report_json;
    if (path[0] == '\0') {
        return;
    }
    struct report_pipe pipe;
    FILE *file = report_pipe_hold(&pipe, path) ? report_pipe_open(&pipe, path) : NULL;
    enum tw_status status =
        file == NULL ? TW_ERR_IO : report_write_json(report, file, write_more_members);
    int error = errno;
    if (file != NULL && fclose(file) != 0) {
        status = TW_ERR_IO;
        error = errno;
    }
    report_pipe_release(&pipe);
    if (status != TW_OK) {
        tw_warning(TW_LOC, "the report could not be written to %s: %s", path, strerror(error));
        g_run.results_lost = true;
    }
}

/* Returns true if the table is the ross.csv that the user has not requested. */
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

/* Checks that the report can be written to path. Returns 0 or an errno. Does not leave an empty
 * file behind. */
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
