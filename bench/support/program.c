/* SPDX-License-Identifier: BSD-3-Clause */
/* program.c - runs other programs for benchmarks, see measure.h. */
#define _GNU_SOURCE /* required for pipe2() and nftw() */

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/measure.h"

#define TIMED_OUT 124 /* status of timeout(1) if the command took too long */
#define TEXT_SIZE (PATH_MAX + PROGRAM_TEXT_SIZE) /* for text to be added to a command line */

void program_folder(char *folder)
{
    ssize_t length = readlink("/proc/self/exe", folder, PATH_MAX - 1);
    if (length <= 0) {
        measure_fail("/proc/self/exe: %s", strerror(errno));
    }
    folder[length] = '\0';
    *strrchr(folder, '/') = '\0';
}

/* ---- Command lines --------------------------------------------------------------------------- */

static void add(struct program_args *args, const char *word, size_t length)
{
    if (args->n == PROGRAM_ARGS_MAX) {
        measure_fail("a command line of more than %d arguments", PROGRAM_ARGS_MAX);
    }
    args->arg[args->n] = strndup(word, length);
    if (args->arg[args->n++] == NULL) {
        measure_fail("out of memory");
    }
}

/* Formats text for a command line. Ends the program if it is too long: a part would be another
 * command. */
static void format_text(char text[TEXT_SIZE], const char *format, va_list values)
{
    if (vsnprintf(text, TEXT_SIZE, format, values) >= TEXT_SIZE) {
        measure_fail("arguments of more than %d bytes: %.60s...", TEXT_SIZE - 1, text);
    }
}

void program_add(struct program_args *args, const char *format, ...)
{
    char text[TEXT_SIZE];
    va_list values;
    va_start(values, format);
    format_text(text, format, values);
    va_end(values);
    add(args, text, strlen(text));
}

void program_add_words(struct program_args *args, const char *format, ...)
{
    char text[TEXT_SIZE], *at = text;
    va_list values;
    va_start(values, format);
    format_text(text, format, values);
    va_end(values);
    while (*(at += strspn(at, " ")) != '\0') {
        size_t length = strcspn(at, " ");
        add(args, at, length);
        at += length;
    }
}

static void args_free(struct program_args *args)
{
    for (size_t i = 0; i < args->n; i++) {
        free(args->arg[i]);
    }
    *args = (struct program_args){0};
}

/* ---- Directory for output of programs -------------------------------------------------------- */

static struct {
    char path[PATH_MAX];
    pid_t remover; /* process that removes the directory when `held` is closed */
    int held;      /* descriptor that is open until this program ends */
} folder;

static int remove_entry(const char *path, const struct stat *file, int kind, struct FTW *where)
{
    (void)file;
    (void)kind;
    return where->level == 0 ? 0 : remove(path);
}

void program_empty_folder(void)
{
    nftw(folder.path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

static void remove_folder(void)
{
    close(folder.held);
    waitpid(folder.remover, NULL, 0);
}

const char *program_make_folder(const char *parent)
{
    const char *temporary = getenv("TMPDIR");
    int ends[2];
    if (parent[0] == '\0') {
        parent = temporary != NULL && temporary[0] != '\0' ? temporary : "/tmp";
    }
    if (snprintf(folder.path, PATH_MAX, "%s/warpscope-bench-XXXXXX", parent) >= PATH_MAX ||
        mkdtemp(folder.path) == NULL || pipe2(ends, O_CLOEXEC) != 0 ||
        (folder.remover = fork()) < 0) {
        measure_fail("%s: no directory can be made there: %s", parent, strerror(errno));
    }
    if (folder.remover == 0) {
        char none;
        setsid(); /* signals of the terminal are for the benchmark alone */
        close(ends[1]);
        while (read(ends[0], &none, 1) < 0 && errno == EINTR) {
        }
        program_empty_folder();
        rmdir(folder.path);
        _exit(0);
    }
    close(ends[0]);
    folder.held = ends[1];
    atexit(remove_folder);
    return folder.path;
}

/* ---- Runs ------------------------------------------------------------------------------------ */

/* Replaces the child process, in which this function runs, by the command, with `output` as its
 * standard output. */
static void become(const struct program_args *args, unsigned limit_s, int output, pid_t parent)
{
    char limit[16], name[] = "timeout", grace[] = "-k5";
    char *command[PROGRAM_ARGS_MAX + 4] = {name, grace, limit};
    int none = open("/dev/null", O_RDONLY | O_CLOEXEC);
    snprintf(limit, sizeof limit, "%u", limit_s);
    memcpy(command + 3, args->arg, sizeof args->arg);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (setpgid(0, 0) == 0 && getppid() == parent && dup2(none, 0) >= 0 && dup2(output, 1) >= 0) {
        execvp(name, command);
        fprintf(stderr, "%s: %s\n", name, strerror(errno));
    }
    _exit(127);
}

/* Runs the command, and sets *output as program_try() does. Returns its status from waitpid(). */
static int run(const struct program_args *args, unsigned limit_s, char **output)
{
    int ends[2], status = 0;
    size_t room = 0;
    pid_t pid = -1, parent = getpid();
    fflush(stdout);           /* otherwise the child would print the buffered output again */
    signal(SIGCHLD, SIG_DFL); /* if SIGCHLD is ignored, children cannot be waited for */
    if (pipe2(ends, O_CLOEXEC) != 0 || (pid = fork()) < 0) {
        measure_fail("no process for %s: %s", args->arg[0], strerror(errno));
    }
    if (pid == 0) {
        become(args, limit_s, ends[1], parent);
    }
    close(ends[1]);
    FILE *from = fdopen(ends[0], "r");
    *output = NULL;
    if (from != NULL && getdelim(output, &room, '\0', from) < 0) { /* no output */
        free(*output);
        *output = measure_alloc(1, 1);
    }
    if (from == NULL || waitpid(pid, &status, 0) < 0) {
        measure_fail("a program got lost: %s", strerror(errno));
    }
    fclose(from);
    kill(-pid, SIGKILL); /* ends the rest of the process group */
    return status;
}

enum program_outcome program_try(struct program_args *args, unsigned limit_s, char **output)
{
    int status = run(args, limit_s, output);
    bool timed_out = limit_s > 0 && WIFEXITED(status) && WEXITSTATUS(status) == TIMED_OUT;
    args_free(args);
    return status == 0 ? PROGRAM_FINE : timed_out ? PROGRAM_TIMEOUT : PROGRAM_FAILED;
}

char *program_output(struct program_args *args)
{
    char *output;
    int status = run(args, 0, &output);
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
