/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * info.c - "warpscope info": prints the contents of a recording, and says if it is complete.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "access/facts.h"
#include "access/file_json.h"
#include "cli/args.h"
#include "cli/files.h"
#include "commands.h"
#include "info/info.h"

struct info {
    bool json, merge;
};

static const struct ws_option options[] = {
    {"json", NULL, "print one JSON object", WS_INTO(struct info, json)},
    {"merge", NULL,
     "join the files that the hosts of a run wrote to their\n"
     "own disks; all other commands always join them",
     WS_INTO(struct info, merge)},
    {NULL, NULL, NULL},
};
static const struct ws_usage usage = {
    "info",
    "DIR-or-FILE...",
    "Shows facts about the run, and for each record file the number of records, the\n"
    "range of their times, losses, and whether the file is complete. For a single\n"
    "stream, also shows the fields of its records and the records of each PE. If\n"
    "\"warpscope ctl\" changed a stream, it has several files, its parts. All checksums\n"
    "are checked; the exit status is 0 only if all files are complete and valid.\n"
    "Bytes outside of blocks are ignored; \"warpscope verify\" reports them.\n",
    options,
    .examples = "What was recorded, and is all of it there?\n"
                "  warpscope info stats-output\n"
                "The same for a script:\n"
                "  warpscope info --json stats-output\n"
                "Are the files complete that two hosts have written to their own disks?\n"
                "  warpscope info --merge host1/rec host2/rec\n",
    .see = "stats verify recover"};

/* one: true if all files are parts of one stream. */
static void files_print(const struct ws_file *opened, size_t n, bool one)
{
    const struct fmt_superblock *shown = NULL;
    for (size_t i = 0; i < n; i++) {
        bool first =
            shown == NULL || opened[i].sb == NULL || !ws_facts_same_run(shown, opened[i].sb);
        shown = first ? opened[i].sb : shown;
        if (i > 0) {
            fputc('\n', stdout);
        }
        ws_info_text(stdout, &opened[i], one && i == 0, first ? NULL : shown);
    }
}

/* If the run is still going on, prints in one line how far it is. */
static void running_say(const struct ws_files *files)
{
    const struct ws_covers covers = ws_files_covers(files, false);
    if (covers.is_running) {
        ws_covers_say(stdout, "", &covers);
    }
}

static int files_show(void *command, const struct ws_args *args, const struct ws_files *files,
                      bool good)
{
    const struct info *info = command;
    size_t n = info->merge ? files->n : files->n_all;
    (void)args;
    struct ws_file *opened = calloc(n + 1, sizeof *opened);
    if (opened == NULL) {
        ws_no_memory(NULL);
        return WS_EXIT_DAMAGED;
    }
    for (size_t i = 0; i < n; i++) {
        if (info->merge) {
            ws_file_survey_joined(&opened[i], files, i, false, &ws_on_stderr);
        } else {
            ws_file_survey(&opened[i], files->paths[i], false, &ws_on_stderr);
            ws_file_place(&opened[i], files, i);
        }
        ws_file_check_bodies(&opened[i]);
        ws_file_faults_end(&opened[i]);
        good &= ws_file_good(&opened[i]);
    }
    if (n > 0 && info->json) {
        ws_files_json(stdout, files, opened, n, good);
    } else {
        running_say(files);
        files_print(opened, n, files->n_streams == 1);
    }
    for (size_t i = 0; i < n; i++) {
        ws_file_close(&opened[i]);
    }
    free(opened);
    return good ? WS_EXIT_OK : WS_EXIT_DAMAGED;
}

int ws_command_info(int argc, char **argv)
{
    struct info info = {.json = false};
    return ws_files_command(&usage, &info, NULL, files_show, argc, argv);
}
