/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * commands.h - the subcommands of warpscope; see struct ws_command (cli/help.h).
 */
#ifndef WARPSCOPE_READER_COMMANDS_H
#define WARPSCOPE_READER_COMMANDS_H

int ws_command_info(int argc, char **argv);
int ws_command_dump(int argc, char **argv);
int ws_command_export(int argc, char **argv);
int ws_command_diff(int argc, char **argv);
int ws_command_stats(int argc, char **argv);
int ws_command_report(int argc, char **argv);
int ws_command_analyze(int argc, char **argv);
int ws_command_serve(int argc, char **argv);
int ws_command_top(int argc, char **argv);
int ws_command_rollbacks(int argc, char **argv);
int ws_command_advise(int argc, char **argv);
int ws_command_partition(int argc, char **argv);
int ws_command_predict(int argc, char **argv);
int ws_command_tasks(int argc, char **argv);
int ws_command_memtrace(int argc, char **argv);
int ws_command_ctl(int argc, char **argv);
int ws_command_verify(int argc, char **argv);
int ws_command_recover(int argc, char **argv);
int ws_command_rerun(int argc, char **argv);
int ws_command_study(int argc, char **argv);

#endif
