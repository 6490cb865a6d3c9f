/*
 * Tests of report_pipe: a report goes to the reader that was there when the pipe was opened, or
 * fails; nothing waits for another one. What waits too long ends the program.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report_csv.h"
#include "report_pipe.h"
#include "support/suite.h"

#define PATIENCE_S 60

static char path[64];
static char error[256];

static int read_end(void)
{
    int fd = open(path, O_RDONLY | O_NONBLOCK);
    CU_ASSERT_FATAL(fd >= 0);
    return fd;
}

/* Is a write to a pipe that is full waited for? */
static bool waits(int fd)
{
    return (fcntl(fd, F_GETFL) & O_NONBLOCK) == 0;
}

/* ---- The reader --------------------------------------------------------------------------------
 */

static void test_reader_is_there(void)
{
    struct report_pipe pipe;
    char text[16] = "";
    int reader = read_end();
    CU_ASSERT(report_pipe_hold(&pipe, path));
    CU_ASSERT(waits(pipe.fd));
    FILE *file = report_pipe_open(&pipe, path);
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    CU_ASSERT(fputs("a report", file) >= 0 && fclose(file) == 0);
    report_pipe_release(&pipe);
    CU_ASSERT_EQUAL(read(reader, text, sizeof text), 8);
    CU_ASSERT_STRING_EQUAL(text, "a report");
    CU_ASSERT_EQUAL(read(reader, text, sizeof text), 0); /* nobody has it open any more */
    close(reader);
}

static void test_reader_has_left(void)
{
    struct report report = {.program = "phold"};
    struct report_pipe pipe;
    int reader = read_end();
    CU_ASSERT(report_pipe_hold(&pipe, path));
    close(reader);
    FILE *file = report_pipe_open(&pipe, path);
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    CU_ASSERT(fputs("a report", file) >= 0);
    CU_ASSERT(fclose(file) != 0 && errno == EPIPE);
    report_pipe_release(&pipe);

    reader = read_end();
    CU_ASSERT(report_pipe_hold(&pipe, path));
    close(reader);
    int fd = report_pipe_take(&pipe);
    CU_ASSERT_EQUAL(report_csv_append(&report, path, fd, error, sizeof error), TW_ERR_IO);
    CU_ASSERT_PTR_NOT_NULL(strstr(error, strerror(EPIPE)));
    CU_ASSERT(fcntl(fd, F_GETFD) < 0 && errno == EBADF); /* closed */
    report_pipe_release(&pipe);
}

static void test_no_pipe(void)
{
    struct report_pipe pipe;
    CU_ASSERT(report_pipe_hold(&pipe, "/dev/null"));
    CU_ASSERT_EQUAL(report_pipe_take(&pipe), -1);
    FILE *file = report_pipe_open(&pipe, "/dev/null");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    fclose(file);
    CU_ASSERT_PTR_NULL(report_pipe_open(&pipe, "/no/such/folder"));
    report_pipe_release(&pipe);
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
