/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * command.c - "warpscope study": starts the Python package that is installed beside this command, which
 * runs experiments of many runs. This file only finds it.
 *
 * The installation writes the script libexec/warpscope/python beside the directory of the command, which
 * knows the Python to use and the directory of the package.
 */
#include "study/study.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/args.h"
#include "cli/messages.h"
#include "commands.h"

static const struct ws_option options[] = {
    {"directory", "DIR", "run, script: directory of the study\n(default: NAME-study)", .min = 1},
    {"processors", "N", "run: ranks at a time (default: all processors)"},
    {"retry", NULL, "run: repeat runs that failed"},
    {"run", "N", "run: do only run number N, from 0 (for job arrays)"},
    {"quiet", NULL, "run: no progress, and no table at the end"},
    {"runs", NULL, "table: a row for each run instead of each case"},
    {"format", "csv|sqlite", "table: form of the output; sqlite has both tables"},
    {"output", "FILE", "table: file to write (default: stdout)", .min = 1},
    {"at-once", "N", "script: jobs at a time (default 50)"},
    {NULL, NULL, NULL},
};
static const struct ws_usage usage = {
    "study",
    "WHAT PLAN-or-DIR",
    "Runs an experiment: a command with varied parameters, several times with random\n"
    "streams that do not overlap, and reports what it collected with intervals.\n"
    "\n"
    "  run     do the runs that a study lacks, as many at a time as there are\n"
    "          processors; finished runs are never repeated\n"
    "  status  say how far a study is, with its results so far\n"
    "  table   write the cases with their estimates, or the runs\n"
    "  script  begin a study, and print a script for an array of SLURM jobs\n"
    "\n"
    "A plan is a file in JSON or TOML. warpscope report DIR makes a page of a study.\n"
    "It needs Python 3.9 or later with numpy.\n",
    options,
    .words = "run|status|table|script",
    .exit_status = "  0  all runs so far are good\n"
                   "  1  a run failed, or the study cannot go on\n"
                   "  2  the command line or the plan is wrong; nothing was run\n",
    .examples = "Which load does the network carry?\n"
                "  warpscope study run load.json\n"
                "  warpscope report load-study\n",
    .see = "report stats"};

bool ws_is_study(const char *path)
{
    char plan[PATH_MAX];
    return path[0] != '-' && snprintf(plan, sizeof plan, "%s/plan.json", path) < PATH_MAX &&
           access(plan, R_OK) == 0 && snprintf(plan, sizeof plan, "%s/runs", path) < PATH_MAX &&
           access(plan, R_OK) == 0;
}

int ws_study_start(const char *module, int n, char **words)
{
    char self[PATH_MAX], path[PATH_MAX + 32], name[64],
        **argv = calloc((size_t)n + 3, sizeof *argv);
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (argv == NULL) {
        return ws_no_memory(NULL), WS_EXIT_DAMAGED;
    }
    self[length > 0 ? length : 0] = '\0';
    setenv("WARPSCOPE_COMMAND", self, 1);
    for (int i = 0; i < 2 && strrchr(self, '/') != NULL; i++) {
        *strrchr(self, '/') = '\0';
    }
    snprintf(path, sizeof path, "%s/libexec/warpscope/python", self);
    snprintf(name, sizeof name, "%s", module);
    argv[0] = path;
    argv[1] = name;
    memcpy(argv + 2, words, (size_t)n * sizeof *argv);
    fflush(NULL);
    execv(path, argv);
    ws_say(&ws_on_stderr, "the Python package is not installed beside this command: %s: %s", path,
           strerror(errno));
    free(argv);
    return WS_EXIT_DAMAGED;
}

int ws_command_study(int argc, char **argv)
{
    char **words = malloc((size_t)argc * sizeof *words);
    struct ws_args args;
    int status = WS_EXIT_DAMAGED;
    if (words == NULL) {
        return status;
    }
    memcpy(words, argv, (size_t)argc * sizeof *words);
    if (ws_args_parse(&args, &usage, NULL, argc, words, &status)) {
        status = args.n_operands != 2
                     ? ws_usage_error(&usage, "give one of %s, and a plan or directory",
                                      "run, status, table and script")
                 : ws_args_word(&usage, args.operands[0]) < 0
                     ? WS_EXIT_USAGE
                     : ws_study_start("warpscope.study", argc - 1, argv + 1);
    }
    free(words);
    return status;
}
