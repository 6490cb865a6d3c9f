/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pass.c - starts other commands of this program, and takes their output from an unnamed file; see serve.h.
 * "warpscope report" needs a pass over all records: it has the lowest priority. "warpscope ctl" passes requests
 * to a run, under its own rules. Of each kind, one runs at a time.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <libgen.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "format/control_file.h"
#include "serve/serve.h"

#define FDS_MAX 4096 /* more than a server has open */
#define SHARE   20   /* passes of a kind take at most one of so many parts of the time */
#define EVERY   10.0 /* least number of seconds between them */

pid_t serve_fork(int out)
{
    sigset_t none;
    pid_t child = fork();
    if (child != 0) {
        return child;
    }
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    setpgid(0, 0);
    dup2(out < 0 ? STDERR_FILENO : out, STDOUT_FILENO);
    for (int fd = STDERR_FILENO + 1; fd < FDS_MAX; fd++) {
        close(fd);
    }
    close(STDIN_FILENO);
    open("/dev/null", O_RDWR);
    return 0;
}

/* Becomes a command about a run. */
static _Noreturn void command_begin(struct serve_run *run, enum serve_kind kind)
{
    const struct top_file *files = run->top.files;
    const char *words[8 + TOP_FILES_MAX + CONTROL_FIELDS_MAX] = {"warpscope", "report",
                                                                 "--output=-"};
    char text[PATH_MAX], *rest;
    int n = 3;
    if (kind == SERVE_CONTROL) {
        const bool has_files = run->top.n_files > 0;
        snprintf(text, sizeof text, "%s", has_files ? files[0].path : run->top.folder);
        words[1] = "ctl";
        words[2] = "--";
        words[n++] = has_files ? dirname(text) : text;
        for (char *word = strtok_r(run->request, "\n", &rest);
             word != NULL && n < 4 + (int)CONTROL_FIELDS_MAX; word = strtok_r(NULL, "\n", &rest)) {
            words[n++] = word;
        }
        dup2(STDOUT_FILENO, STDERR_FILENO);
    } else {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        setpriority(PRIO_PROCESS, 0, 19);
    }
    if (kind == SERVE_REPORT) {
        words[n++] = "--";
        words[n++] = run->top.folder;
    } else if (kind == SERVE_LP) {
        snprintf(text, sizeof text, "--lp=%" PRIu64, run->lp);
        words[n++] = text;
        words[n++] = "--format=json";
        words[n++] = "--";
        for (size_t i = 0; i < run->top.n_files; i++) {
            if (files[i].live->sb->stream == FMT_STREAM_MODEL) {
                words[n++] = files[i].path;
            }
        }
        dup2(STDIN_FILENO, STDERR_FILENO); /* that the run goes on is no news */
    }
    execv("/proc/self/exe", (char *const *)(uintptr_t)words);
    _exit(EXIT_FAILURE);
}

/* ---- In the server --------------------------------------------------------------------------- */

static void pass_begin(struct serve *serve, struct serve_run *run, enum serve_kind kind)
{
    FILE *result = tmpfile();
    pid_t child = result == NULL ? -1 : serve_fork(fileno(result));
    if (child == 0) {
        command_begin(run, kind);
    }
    run->made[kind].is_wanted = false;
    if (child > 0) {
        serve->pass[kind].child = child;
        serve->pass[kind].result = result;
        serve->pass[kind].run = run;
        serve->pass[kind].began = date_clock();
    } else {
        run->made[kind].is_made = true;
        if (result != NULL) {
            fclose(result);
        }
    }
}

/* Returns what the process has written; NULL if that is nothing. */
static char *result_read(FILE *result)
{
    long size = fseek(result, 0, SEEK_END) == 0 ? ftell(result) : 0;
    char *text = size > 0 ? calloc(1, (size_t)size + 1) : NULL;
    rewind(result);
    if (text != NULL && fread(text, 1, (size_t)size, result) != (size_t)size) {
        free(text);
        text = NULL;
    }
    return text;
}

/* Takes the output of a command that has ended, and its status, as waitpid() stores it. */
static void pass_end(struct serve *serve, enum serve_kind kind, int status)
{
    struct serve_made *made = &serve->pass[kind].run->made[kind];
    const double now = date_clock();
    free(made->text);
    made->text = result_read(serve->pass[kind].result);
    made->is_made = true;
    made->is_good = WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS;
    made->due = kind == SERVE_LP ? now + fmax(EVERY, SHARE * (now - serve->pass[kind].began)) : 0;
    fclose(serve->pass[kind].result);
    serve->pass[kind].child = 0;
}

void serve_pass_tend(struct serve *serve)
{
    int status;
    pid_t ended; /* commands of alerts, too */
    while ((ended = waitpid(-1, &status, WNOHANG)) > 0) {
        for (int k = 0; k < SERVE_KINDS; k++) {
            if (serve->pass[k].child == ended) {
                pass_end(serve, (enum serve_kind)k, status);
            }
        }
    }
    for (int k = 0; k < SERVE_KINDS; k++) {
        for (uint32_t i = 0; i < serve->n_runs && serve->pass[k].child == 0; i++) {
            struct serve_run *run = serve->runs[i];
            if (run->made[k].is_wanted && (run->top.state > TOP_READING || k == SERVE_CONTROL)) {
                pass_begin(serve, run, (enum serve_kind)k);
            }
        }
    }
}

void serve_pass_forget(struct serve *serve, struct serve_run *run, enum serve_kind kind)
{
    if (serve->pass[kind].child != 0 && serve->pass[kind].run == run) {
        kill(serve->pass[kind].child, SIGKILL);
        fclose(serve->pass[kind].result);
        serve->pass[kind].child = 0;
    }
    free(run->made[kind].text);
    run->made[kind] = (struct serve_made){.text = NULL};
}
