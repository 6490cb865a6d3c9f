/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rerun.c - "warpscope rerun": prints or runs the command that repeats a run, from the facts in its
 * files.
 *
 * Facts in a file are not trusted: they are printed before use, and only --go runs the command.
 */
#include "info/rerun.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "access/facts.h"
#include "access/record_file.h"
#include "cli/args.h"
#include "cli/emit.h"
#include "cli/exit.h"
#include "cli/files.h"
#include "commands.h"
#include "data/number.h"

struct rerun {
    bool go;
};

static const struct ws_option options[] = {
    {"go", NULL,
     "start the command, which is the one in the files; use\nthis only with files that you trust",
     WS_INTO(struct rerun, go)},
    {NULL, NULL, NULL},
};
static const struct ws_usage usage = {
    "rerun",
    "DIR-or-FILE...",
    "Prints the command that repeats the run: directory, launcher, ranks, program,\n"
    "and all options from the command line, files and the environment. Prints changes\n"
    "since the run on standard error: a program that is missing or was rebuilt,\n"
    "another MPI, fewer processors, input files that changed. With --go, the command\n"
    "is started in spite of changes, unless its directory, program or launcher is\n"
    "missing.\n",
    options,
    .exit_status = "  0  nothing has changed\n"
                   "  1  the files do not have the command of the run\n"
                   "  2  the command line is wrong; no file was read\n"
                   "  3  something has changed\n"
                   "\n"
                   "With --go, the exit status is that of the started command.\n",
    .examples = "How was this run started?\n"
                "  warpscope rerun stats-output\n",
    .see = "info diff"};

/* Prints a word for a shell, in single quotes if necessary. */
static void word_print(FILE *out, const char *word)
{
    bool plain = word[0] != '\0' && word[0] != '-';
    for (const char *c = word; *c != '\0'; c++) {
        plain &= (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') ||
                 strchr("_./+-=:,@%", *c) != NULL;
    }
    if (plain) {
        fputs(word, out);
        return;
    }
    fputc('\'', out);
    for (const char *c = word; *c != '\0'; c++) {
        if (*c == '\'') {
            fputs("'\\''", out);
        } else {
            fputc(*c, out);
        }
    }
    fputc('\'', out);
}

/* Returns the command that repeats a run, such as "cd DIRECTORY && mpirun -n 4 PROGRAM --nlp=8".
 * The caller frees it. Returns NULL if memory is exhausted. */
static char *command_make(const struct ws_rerun *run)
{
    assert(run->program != NULL);
    char *command = NULL;
    size_t size;
    FILE *out = open_memstream(&command, &size);
    if (out == NULL) {
        return NULL;
    }
    if (run->folder != NULL) {
        fputs("cd ", out);
        word_print(out, run->folder);
        fputs(" && ", out);
    }
    const char *launcher = run->launcher != NULL ? run->launcher : run->fallback;
    fprintf(out, "%s%s", launcher, launcher[0] != '\0' ? " " : "");
    word_print(out, run->program);
    const char *rest[] = {run->options, run->words};
    for (int i = 0; i < 2; i++) {
        if (rest[i] != NULL && rest[i][0] != '\0') {
            fprintf(out, " %s", rest[i]);
        }
    }
    return fclose(out) == 0 ? command : NULL;
}

/* Reads the facts about the start of a run from the superblock of a file into *run. If facts are
 * missing, prints an error message with the path of the file and returns false. */
static bool run_take(struct ws_rerun *run, const struct fmt_superblock *sb, const char *path)
{
    const char *left_out = ws_fact(sb, "left_out"), *ranks = ws_fact(sb, "ranks");
    uint64_t n = 0;
    *run = (struct ws_rerun){.sb = sb,
                             .program = ws_fact(sb, "program"),
                             .folder = ws_fact(sb, "working_directory"),
                             .launcher = ws_fact(sb, "launcher"),
                             .options = ws_fact(sb, "given_options"),
                             .words = ws_fact(sb, "other_words")};
    bool has_all = left_out == NULL || (strstr(left_out, "given_options") == NULL &&
                                        strstr(left_out, "other_words") == NULL);
    if (run->program == NULL || ranks == NULL || !ws_parse_u64(ranks, &n) || n == 0) {
        fprintf(stderr, "warpscope: %s: does not say how the run was started\n", path);
        return false;
    }
    if (!has_all) {
        fprintf(stderr, "warpscope: %s: the command line was too long to be stored in the file\n",
                path);
        return false;
    }
    run->ranks = (unsigned long)n;
    if (n > 1) {
        snprintf(run->fallback, sizeof run->fallback, "mpirun -n %lu", run->ranks);
    }
    return true;
}

static bool is_printable(const char *command)
{
    for (const char *c = command; *c != '\0'; c++) {
        if (((unsigned char)*c < ' ' && *c != '\n' && *c != '\t') || *c == 127) {
            return false;
        }
    }
    return true;
}

/* Runs a command with the shell. Returns the exit status of the command, or 128 plus the number of
 * the signal that ended it. */
static int command_start(const char *command)
{
    int status = system(command);
    if (status == -1) {
        fprintf(stderr, "warpscope: cannot start the command: %s\n", strerror(errno));
        return WS_EXIT_DAMAGED;
    }
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static int run_again(const struct ws_rerun *run, bool go)
{
    assert(run->sb != NULL);
    bool possible;
    char *command = command_make(run);
    int status = WS_EXIT_DAMAGED;
    if (command == NULL) {
        ws_no_memory(NULL);
    } else if (!is_printable(command)) {
        fputs("warpscope: the command has control characters in it and is not shown\n", stderr);
    } else {
        errno = 0;
        puts(command);
        if (fflush(stdout) != 0) {
            free(command);
            return ws_output_failed(errno);
        }
        status = ws_rerun_differences(run, &possible) > 0 ? WS_EXIT_DIFFERENT : WS_EXIT_OK;
        if (go && !possible) {
            fputs("warpscope: the command is not started\n", stderr);
            status = WS_EXIT_DAMAGED;
        } else if (go) {
            status = command_start(command);
        }
    }
    free(command);
    return status;
}

/* Prints or runs the command that repeats the run of the first file. Prints an error message
 * instead if another file belongs to a different run. Returns an exit status. */
static int files_rerun(void *command, const struct ws_args *args, const struct ws_files *files,
                       bool found)
{
    (void)args;
    if (!found || files->n == 0) {
        return WS_EXIT_DAMAGED;
    }
    struct ws_file first, other;
    struct ws_rerun run;
    ws_file_open(&first, files->paths[0], false);
    bool good = first.sb != NULL && run_take(&run, first.sb, files->paths[0]);
    int status = WS_EXIT_DAMAGED;
    for (size_t i = 1; i < files->n && good; i++) {
        ws_file_open(&other, files->paths[i], false);
        if (other.sb != NULL && !ws_facts_same_run(first.sb, other.sb)) {
            good = false;
            status = ws_usage_error(&usage, "files of several runs: name one of them");
        }
        ws_file_close(&other);
    }
    if (good) {
        status = run_again(&run, ((const struct rerun *)command)->go);
    }
    ws_file_close(&first);
    return status;
}

int ws_command_rerun(int argc, char **argv)
{
    struct rerun rerun = {.go = false};
    return ws_files_command(&usage, &rerun, NULL, files_rerun, argc, argv);
}
