/* SPDX-License-Identifier: BSD-3-Clause */
/* program.c - see program.h. */
#define _GNU_SOURCE /* required for memfd_create() and nftw() */
#include "support/program.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/measure.h"

#define GRACE_S   5.0 /* time in seconds that a launcher has to end its ranks */
#define LOOK_S    60  /* longest sleep in seconds; a signal ends the sleep sooner */
#define TIME_OVER (-1)

/* ---- Command lines --------------------------------------------------------------------------- */

void program_add(struct program_args *args, const char *format, ...)
{
    char text[PATH_MAX + PROGRAM_TEXT_SIZE];
    va_list values;
    if (args->n == PROGRAM_ARGS_MAX) {
        measure_fail("a command line of more than %d arguments", PROGRAM_ARGS_MAX);
    }
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    args->arg[args->n] = strdup(text);
    if (args->arg[args->n++] == NULL) {
        measure_fail("out of memory");
    }
}

void program_add_words(struct program_args *args, const char *text)
{
    while (*(text += strspn(text, " ")) != '\0') {
        size_t length = strcspn(text, " ");
        program_add(args, "%.*s", (int)length, text);
        text += length;
    }
}

static void args_free(struct program_args *args)
{
    for (size_t i = 0; i < args->n; i++) {
        free(args->arg[i]);
    }
    *args = (struct program_args){0};
}

/* ---- Start of programs ----------------------------------------------------------------------- */

/* Returns the signals to wait for: SIGCHLD, and the signals that end this program, except those
 * that this program ignores. */
static sigset_t awaited_signals(void)
{
    static const int ending[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    struct sigaction now;
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++) {
        if (sigaction(ending[i], NULL, &now) == 0 && now.sa_handler != SIG_IGN) {
            sigaddset(&set, ending[i]);
        }
    }
    return set;
}

/* Replaces the child process, in which this function runs, by the command. output: descriptor for
 * the standard output of the command; mask: signals that the command blocks. */
static void become(const struct program_args *args, int output, pid_t parent, const sigset_t *mask)
{
    int none = open("/dev/null", O_RDONLY);
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent || dup2(none, 0) < 0 || dup2(output, 1) < 0) {
        _exit(127);
    }
    sigprocmask(SIG_SETMASK, mask, NULL);
    execvp(args->arg[0], args->arg);
    fprintf(stderr, "%s: %s\n", args->arg[0], strerror(errno));
    _exit(127);
}

static pid_t start(const struct program_args *args, int output, const sigset_t *mask)
{
    pid_t parent = getpid();
    fflush(stdout); /* otherwise the child would print the buffered output again */
    pid_t pid = fork();
    if (pid < 0) {
        measure_fail("no process for %s: %s", args->arg[0], strerror(errno));
    }
    if (pid == 0) {
        become(args, output, parent, mask);
    }
    setpgid(pid, pid); /* the child does this, too; the earlier of the two calls takes effect */
    return pid;
}

/* Waits for the end of the child until the time `until` of measure_seconds(). Returns 0 when the
 * child has ended (without reaping it), the number of a signal that should end this program, or
 * TIME_OVER. */
static int await(pid_t pid, const sigset_t *awaited, double until)
{
    for (;;) {
        siginfo_t child = {0};
        if (waitid(P_PID, (id_t)pid, &child, WEXITED | WNOHANG | WNOWAIT) != 0) {
            measure_fail("a program got lost: %s", strerror(errno));
        }
        double left = fmin(until - measure_seconds(), LOOK_S);
        if (child.si_pid == pid) {
            return 0;
        } else if (left <= 0.0) {
            return TIME_OVER;
        }
        struct timespec most = {.tv_sec = (time_t)left,
                                .tv_nsec = (long)(1e9 * (left - floor(left)))};
        int number = sigtimedwait(awaited, NULL, &most);
        if (number > 0 && number != SIGCHLD) {
            return number;
        }
    }
}

/* ---- Directory for output of programs -------------------------------------------------------- */

static char folder[PATH_MAX]; /* path of the directory that program_make_folder() made; "": none */

static int remove_entry(const char *path, const struct stat *file, int kind, struct FTW *where)
{
    (void)file;
    (void)kind;
    return where->level == 0 ? 0 : remove(path);
}

void program_empty_folder(void)
{
    nftw(folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

static void remove_folder(void)
{
    if (folder[0] != '\0') {
        program_empty_folder();
        rmdir(folder);
        folder[0] = '\0';
    }
}

const char *program_make_folder(const char *parent)
{
    const char *temporary = getenv("TMPDIR");
    if (parent[0] == '\0') {
        parent = temporary != NULL && temporary[0] != '\0' ? temporary : "/tmp";
    }
    if (snprintf(folder, sizeof folder, "%s/warpscope-bench-XXXXXX", parent) >=
            (int)sizeof folder ||
        mkdtemp(folder) == NULL) {
        folder[0] = '\0';
        measure_fail("%s: no directory can be made there: %s", parent, strerror(errno));
    }
    atexit(remove_folder);
    return folder;
}

/* ---- Signals and runs ------------------------------------------------------------------------ */

/* Ends this program by the signal `number`, as if the signal had not been blocked. */
static void die_of(int number, const sigset_t *mask)
{
    remove_folder();
    signal(number, SIG_DFL);
    raise(number);
    sigprocmask(SIG_SETMASK, mask, NULL);
    _exit(128 + number);
}

/* Runs the command with `output` as its standard output. Returns its status from waitpid(). */
static int run(const struct program_args *args, unsigned limit_s, int output, bool *timed_out)
{
    sigset_t awaited = awaited_signals();
    sigset_t mask;
    int status;
    double limit = limit_s == 0 ? (double)INFINITY : (double)limit_s;
    signal(SIGCHLD, SIG_DFL); /* if SIGCHLD is ignored, children cannot be waited for */
    sigprocmask(SIG_BLOCK, &awaited, &mask);
    pid_t pid = start(args, output, &mask);
    int why = await(pid, &awaited, measure_seconds() + limit);
    if (why != 0) {
        kill(-pid, SIGTERM);
        await(pid, &awaited, measure_seconds() + GRACE_S);
    }
    kill(-pid, SIGKILL); /* ends the rest of the process group */
    waitpid(pid, &status, 0);
    if (why > 0) {
        die_of(why, &mask);
    }
    sigprocmask(SIG_SETMASK, &mask, NULL);
    *timed_out = why == TIME_OVER;
    return status;
}

/* Returns the contents of the file fd as a string, which the caller frees, and closes fd. */
static char *take_output(int fd)
{
    struct stat file;
    if (fstat(fd, &file) != 0) {
        measure_fail("output of a program: %s", strerror(errno));
    }
    size_t size = (size_t)file.st_size;
    char *text = measure_alloc(size + 1, 1);
    if (pread(fd, text, size, 0) != (ssize_t)size) {
        measure_fail("output of a program cannot be read");
    }
    close(fd);
    return text;
}

/* Creates a file in memory for the output of a program, and returns its descriptor. Writes append
 * to the file, so that text written to /dev/stdout and to standard output does not overlap. */
static int open_output(void)
{
    int fd = memfd_create("output", 0);
    if (fd < 0 || fcntl(fd, F_SETFL, O_APPEND) != 0) {
        measure_fail("no memory for the output of a program: %s", strerror(errno));
    }
    return fd;
}

enum program_outcome program_try(struct program_args *args, unsigned limit_s, char **output)
{
    bool timed_out;
    int fd = open_output();
    int status = run(args, limit_s, fd, &timed_out);
    *output = take_output(fd);
    args_free(args);
    if (timed_out) {
        return PROGRAM_TIMEOUT;
    }
    return status == 0 ? PROGRAM_FINE : PROGRAM_FAILED;
}

char *program_output(struct program_args *args)
{
    bool timed_out;
    int fd = open_output();
    int status = run(args, 0, fd, &timed_out);
    char *output = take_output(fd);
    for (size_t i = 0; status != 0 && i < args->n; i++) {
        fprintf(stderr, "%s%c", args->arg[i], i + 1 < args->n ? ' ' : '\n');
    }
    if (WIFSIGNALED(status)) {
        measure_fail("the command above was ended by signal %d", WTERMSIG(status));
    } else if (status != 0) {
        measure_fail("the command above failed with status %d", WEXITSTATUS(status));
    }
    args_free(args);
    return output;
}

double program_number(const char *json, const char *key)
{
    char text[128];
    snprintf(text, sizeof text, "\"%s\": ", key);
    const char *found = strstr(json, text);
    char *end = NULL;
    double value = found == NULL ? 0.0 : strtod(found + strlen(text), &end);
    if (found == NULL || end == found + strlen(text)) {
        measure_fail("a program reported no number \"%s\"", key);
    }
    return value;
}

double program_sum(const char *json, const char *key)
{
    char text[128];
    int length = snprintf(text, sizeof text, "\"%s\": ", key);
    double sum = 0.0;
    for (const char *at = strstr(json, text); at != NULL; at = strstr(at + length, text)) {
        sum += strtod(at + length, NULL);
    }
    return sum;
}
