/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests of report_pipe_hold(): a report goes to the reader that was there when the pipe was opened, or
 * fails. The report does not wait for another reader. A run that waits too long ends.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/pe/pe.h"
#include "engine/process/run.h"
#include "run/report_files.h"
#include "support/suite.h"

#define PATIENCE_S 60

static char path[64];
static char error[256], why[TRUST_WHY_MAX];

static int read_end(void)
{
    int fd = open(path, O_RDONLY | O_NONBLOCK);
    CU_ASSERT_FATAL(fd >= 0);
    return fd;
}

/* Returns true if a write to a full pipe waits. */
static bool waits(int fd)
{
    return (fcntl(fd, F_GETFL) & O_NONBLOCK) == 0;
}

/* ---- The reader ------------------------------------------------------------------------------ */

static void test_reader_is_there(void)
{
    struct report_pipe held;
    char text[16] = "";
    int reader = read_end();
    CU_ASSERT(report_pipe_hold(&held, path, why));
    CU_ASSERT(waits(held.fd));
    FILE *file = report_pipe_open(&held, path, why);
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    CU_ASSERT(fputs("a report", file) >= 0 && fclose(file) == 0);
    report_pipe_release(&held);
    CU_ASSERT_EQUAL(read(reader, text, sizeof text), 8);
    CU_ASSERT_STRING_EQUAL(text, "a report");
    CU_ASSERT_EQUAL(read(reader, text, sizeof text), 0); /* no open write end is left */
    close(reader);
}

static void test_reader_has_left(void)
{
    struct report report = {.program = "phold"};
    struct report_pipe held;
    int reader = read_end();
    CU_ASSERT(report_pipe_hold(&held, path, why));
    close(reader);
    FILE *file = report_pipe_open(&held, path, why);
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    CU_ASSERT(fputs("a report", file) >= 0);
    CU_ASSERT(fclose(file) != 0 && errno == EPIPE);
    report_pipe_release(&held);

    reader = read_end();
    CU_ASSERT(report_pipe_hold(&held, path, why));
    close(reader);
    int fd = report_pipe_take(&held);
    CU_ASSERT_FALSE(report_csv_append(&report, path, fd, error, sizeof error));
    CU_ASSERT_PTR_NOT_NULL(strstr(error, strerror(EPIPE)));
    CU_ASSERT(fcntl(fd, F_GETFD) < 0 && errno == EBADF); /* closed */
    report_pipe_release(&held);
}

/* ---- Signals --------------------------------------------------------------------------------- */

static char program[] = "test_report_pipe";

/* Sets the flags of a signal without interrupting any call. */
static void *signal_after_note(void *fd)
{
    char letter;
    CU_ASSERT_EQUAL(read(*(int *)fd, &letter, 1), 1);
    g_tw_signal = SIGTERM;
    return NULL;
}

static void test_signal_before(void)
{
    struct report_pipe held;
    g_tw_signal = SIGTERM;
    CU_ASSERT(!report_pipe_hold(&held, path, why));
    CU_ASSERT_STRING_EQUAL(why, strerror(EINTR));
    report_pipe_release(&held);
    int reader = read_end();
    CU_ASSERT(report_pipe_hold(&held, path, why));
    CU_ASSERT_NOT_EQUAL(held.fd, -1);
    report_pipe_release(&held);
    close(reader);
    g_tw_signal = 0;
}

/* The signal arrives outside of open(): when the note has been written. */
static void test_signal_after_the_note(void)
{
    struct report_pipe held;
    pthread_t thread;
    int note[2];
    int kept = dup(STDERR_FILENO);
    CU_ASSERT_FATAL(kept >= 0 && pipe(note) == 0);
    g_run.program = program;
    CU_ASSERT_EQUAL_FATAL(pthread_create(&thread, NULL, signal_after_note, &note[0]), 0);
    dup2(note[1], STDERR_FILENO);
    CU_ASSERT(!report_pipe_hold(&held, path, why));
    CU_ASSERT_STRING_EQUAL(why, strerror(EINTR));
    dup2(kept, STDERR_FILENO);
    report_pipe_release(&held);
    pthread_join(thread, NULL);
    g_tw_signal = 0;
    close(kept);
    close(note[0]);
    close(note[1]);
}

static void test_no_pipe(void)
{
    struct report_pipe held;
    CU_ASSERT(report_pipe_hold(&held, "/dev/null", why));
    CU_ASSERT_EQUAL(report_pipe_take(&held), -1);
    FILE *file = report_pipe_open(&held, "/dev/null", why);
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    fclose(file);
    CU_ASSERT_PTR_NULL(report_pipe_open(&held, "/no/such/folder", why));
    report_pipe_release(&held);
}

int main(void)
{
    char folder[] = "/tmp/test_report_pipeXXXXXX";
    if (mkdtemp(folder) == NULL) {
        return EXIT_FAILURE;
    }
    snprintf(path, sizeof path, "%s/pipe", folder);
    static const CU_TestInfo tests[] = {
        {"a reader that is there", test_reader_is_there},
        {"a reader that has left", test_reader_has_left},
        {"a signal before", test_signal_before},
        {"a signal after the note", test_signal_after_the_note},
        {"a path that is no pipe", test_no_pipe},
    };
    alarm(PATIENCE_S);
    int status = mkfifo(path, 0600) == 0
                     ? suite_run("report_pipe", tests, sizeof tests / sizeof tests[0])
                     : EXIT_FAILURE;
    unlink(path);
    rmdir(folder);
    return status;
}
