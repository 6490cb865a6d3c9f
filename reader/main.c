/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * main.c - the warpscope command: chooses the subcommand, and checks that output was written.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "access/emit.h"
#include "cli/args.h"
#include "cli/commands.h"
#include "cli/exit.h"
#include "ross.config.h"
#include "text/nearest.h"

struct command {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *text;
};

static const struct command commands[] = {
    {"info", ws_command_info, "the records of a run, and whether they are complete"},
    {"stats", ws_command_stats, "totals, rates, efficiency over time, worst KPs and LPs"},
    {"tasks", ws_command_tasks, "durations of tasks, busy times of places, one task's life"},
    {"dump", ws_command_dump, "records as CSV or JSON"},
    {"export", ws_command_export, "records for other programs: sqlite, parquet, numpy ..."},
    {"diff", ws_command_diff, "whether two runs committed the same, and their first difference"},
    {"memtrace", ws_command_memtrace, "what GPU kernels communicate through global memory"},
    {"verify", ws_command_verify, "check files byte by byte"},
    {"recover", ws_command_recover, "complete the files of a run that was killed"},
    {"rerun", ws_command_rerun, "the command that repeats a run, and what has changed since"},
};
#define N_COMMANDS (sizeof commands / sizeof commands[0])

static void help_print(FILE *out)
{
    fputs("usage: warpscope COMMAND [options] DIR-or-FILE\n"
          "\n"
          "Reads what a Warpscope run recorded: the directory stats-output, or the files\n"
          "PREFIX-gvt.bin, -rt.bin, -vt.bin, -model.bin, -evtrace.bin,\n"
          "-task.bin, -tracer.bin in it.\n"
          "\n"
          "commands:\n",
          out);
    for (size_t i = 0; i < N_COMMANDS; i++) {
        fprintf(out, "  %-10s  %s\n", commands[i].name, commands[i].text);
    }
    fputs("\noptions:\n"
          "  -h, --help     print this and exit; warpscope COMMAND --help, or warpscope\n"
          "                 help COMMAND, says more\n"
          "  -V, --version  print the version and exit\n\n"
          "exit status: 0 input complete and valid, 1 missing, damaged or incomplete,\n"
          "2 wrong command line, 3 different (diff).\n",
          out);
}

static int command_unknown(const char *word)
{
    const char *names[N_COMMANDS + 2] = {"--help", "--version"};
    for (size_t i = 0; i < N_COMMANDS; i++) {
        names[i + 2] = commands[i].name;
    }
    const char *near = nearest_in(word, names, N_COMMANDS + 2);
    fprintf(stderr, "warpscope: no command %s%s%s%s (see warpscope --help)\n", word,
            near == NULL ? "" : "; did you mean ", near == NULL ? "" : near,
            near == NULL ? "" : "?");
    return WS_EXIT_USAGE;
}

/* Handles "warpscope help COMMAND" like "warpscope COMMAND --help". */
static int help(int argc, char **argv)
{
    char option[] = "--help";
    if (argc < 3) {
        help_print(stdout);
        return WS_EXIT_OK;
    }
    for (size_t i = 0; i < N_COMMANDS; i++) {
        if (strcmp(argv[2], commands[i].name) == 0) {
            char *words[] = {argv[2], option, NULL};
            return commands[i].run(2, words);
        }
    }
    return command_unknown(argv[2]);
}

static int run(int argc, char **argv)
{
    if (argc < 2) {
        help_print(stderr);
        return WS_EXIT_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
        strcmp(argv[1], "help") == 0) {
        return help(strcmp(argv[1], "help") == 0 ? argc : 2, argv);
    }
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
        puts("warpscope " WARPSCOPE_VERSION);
        return WS_EXIT_OK;
    }
    for (size_t i = 0; i < N_COMMANDS; i++) {
        if (strcmp(argv[1], commands[i].name) == 0) {
            return commands[i].run(argc - 1, argv + 1);
        }
    }
    return command_unknown(argv[1]);
}

/* Occupies the descriptors of closed standard files with a read-only file. Otherwise the next file
 * opened would get such a descriptor, and messages would go into it. */
static void standard_files_hold(void)
{
    int fd;
    do {
        fd = open("/dev/null", O_RDONLY);
    } while (fd >= 0 && fd <= STDERR_FILENO);
    close(fd);
}

int main(int argc, char **argv)
{
    standard_files_hold();
    /* A large buffer: most output is written while main() can still detect errors. */
    setvbuf(stdout, NULL, _IOFBF, 1 << 20);
    int status = run(argc, argv);
    errno = 0;
    if (status != WS_EXIT_OUTPUT && (fflush(stdout) != 0 || ferror(stdout))) {
        status = ws_output_failed(errno);
    }
    return status == WS_EXIT_OUTPUT ? WS_EXIT_DAMAGED : status;
}
