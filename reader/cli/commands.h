/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * commands.h - the subcommands of warpscope. Each function gets the subcommand's name in argv[0],
 * and returns the exit status. When the function returns, output may still be in the buffer of
 * stdout.
 */
#ifndef WARPSCOPE_READER_CLI_COMMANDS_H
#define WARPSCOPE_READER_CLI_COMMANDS_H

struct ws_command {
    /* Name of the command; NULL: the member `text` is the title of the group of commands that
     * follows. */
    const char *name;
    int (*run)(int argc, char **argv);
    const char *text; /* description of the command in one line; NULL ends the table */
};

int ws_command_info(int argc, char **argv);
int ws_command_dump(int argc, char **argv);
int ws_command_export(int argc, char **argv);
int ws_command_diff(int argc, char **argv);
int ws_command_stats(int argc, char **argv);
int ws_command_report(int argc, char **argv);
int ws_command_analyze(int argc, char **argv);
int ws_command_top(int argc, char **argv);
int ws_command_rollbacks(int argc, char **argv);
int ws_command_advise(int argc, char **argv);
int ws_command_partition(int argc, char **argv);
int ws_command_tasks(int argc, char **argv);
int ws_command_memtrace(int argc, char **argv);
int ws_command_ctl(int argc, char **argv);
int ws_command_verify(int argc, char **argv);
int ws_command_recover(int argc, char **argv);
int ws_command_rerun(int argc, char **argv);

#endif
