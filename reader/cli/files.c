/* SPDX-License-Identifier: BSD-3-Clause */
/* files.c - see files.h. */
#include "cli/files.h"

bool ws_files_find(struct ws_files *files, char **operands, int n)
{
    return ws_files_gather(files, (const char *const *)operands, n, &ws_on_stderr);
}

void ws_file_open(struct ws_file *survey, const char *path, bool strict)
{
    ws_file_survey(survey, path, strict, &ws_on_stderr);
}

int ws_files_command(const struct ws_usage *usage, int argc, char **argv, ws_files_run_f run)
{
    struct ws_args args;
    struct ws_files files;
    int status;
    if (!ws_args_parse_paths(&args, usage, argc, argv, &status)) {
        return status;
    }
    bool found = ws_files_find(&files, args.operands, args.n_operands);
    status = run(&args, &files, found);
    ws_files_free(&files);
    return status;
}
