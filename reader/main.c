/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * main.c - the warpscope command: chooses the subcommand, and checks that output was written.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/args.h"
#include "cli/emit.h"
#include "cli/help.h"
#include "cli/messages.h"
#include "commands.h"
#include "ross.config.h"
#include "text/completion.h"
#include "text/nearest.h"

static int help(int argc, char **argv);
static int completion(int argc, char **argv);

#ifdef WARPSCOPE_CUDA
/* Runs "warpscope report", or "warpscope memtrace page" if a word is a directory of memory traces. */
static int report(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        char path[4096], page[] = "page";
        snprintf(path, sizeof path, "%s/MemTrace-pipe-1", argv[i]);
        char **words = access(path, F_OK) == 0 ? calloc((size_t)argc + 2, sizeof *words) : NULL;
        if (words != NULL) {
            words[0] = argv[0];
            words[1] = page;
            memcpy(words + 2, argv + 1, ((size_t)argc - 1) * sizeof *words);
            int status = ws_command_memtrace(argc + 1, words);
            free(words);
            return status;
        }
    }
    return ws_command_report(argc, argv);
}
#else
#define report ws_command_report
#endif

static const struct ws_command commands[] = {
    {NULL, NULL, "a run at a glance"},
    {"info", ws_command_info, "the records of a run, and whether they are complete"},
    {"top", ws_command_top, "a run while it goes on: progress, rates, its PEs and KPs"},
    {"serve", ws_command_serve,
     "running simulations on a live page in the browser; metrics, alerts"},
    {"stats", ws_command_stats, "totals, rates, efficiency over time, worst KPs and LPs"},
    {"report", report, "a page of HTML: what ran, what cost most, and pictures"},
    {"analyze", ws_command_analyze, "critical path, parallelism: how fast the model could run"},
    {"rollbacks", ws_command_rollbacks, "why it rolled back: cascades, causes, lateness"},
    {"advise", ws_command_advise, "which options would make the next run faster"},
    {"partition", ws_command_partition, "a placement of the LPs with fewer events between ranks"},
    {"predict", ws_command_predict, "time, speed and counts on other numbers of ranks"},
    {"tasks", ws_command_tasks, "durations of tasks, busy times of places, one task's life"},
    {NULL, NULL, "its records as data"},
    {"dump", ws_command_dump, "records as CSV or JSON"},
    {"export", ws_command_export, "records for other programs: sqlite, parquet, numpy ..."},
    {NULL, NULL, "two runs"},
    {"diff", ws_command_diff, "whether two runs committed the same, and their first difference"},
    {NULL, NULL, "many runs"},
    {"study", ws_command_study, "an experiment: parameters varied, runs repeated, intervals"},
    {NULL, NULL, "a running simulation"},
    {"ctl", ws_command_ctl, "change what a run records, end it, write a checkpoint"},
    {NULL, NULL, "the files of a run"},
    {"verify", ws_command_verify, "check files byte by byte"},
    {"recover", ws_command_recover, "complete the files of a run that was killed"},
    {"rerun", ws_command_rerun, "the command that repeats a run, and what has changed since"},
#ifdef WARPSCOPE_CUDA
    {NULL, NULL, "memory traces of GPUs"},
    {"memtrace", ws_command_memtrace, "what GPU kernels communicate through global memory"},
#endif
    {NULL, NULL, "this program"},
    {"help", help, "this text, or the help of a command"},
    {"completion", completion, "a script with which bash, zsh or fish complete at the Tab key"},
    {NULL, NULL, NULL},
};
#define N_COMMANDS (sizeof commands / sizeof commands[0])

static const struct ws_option options[] = {
    {"version", NULL, "print the version and exit; also -V"},
    {NULL, NULL, NULL},
};
static const struct ws_option no_options[] = {{NULL, NULL, NULL}};
static const struct ws_section sections[] = {
    {"files", "A simulation that records writes a directory, by default stats-output, with a\n"
              "file for each kind of instrumentation:\n"
              "\n"
              "  PREFIX-gvt.bin      counters after GVT computations\n"
              "                      (records gvt_pe, gvt_kp, gvt_lp)\n"
              "  PREFIX-rt.bin       counters and times by wall clock\n"
              "                      (rt_pe, rt_kp, rt_lp, rt_ahead)\n"
              "  PREFIX-vt.bin       committed events at exact virtual times\n"
              "                      (vt_pe, vt_kp, vt_lp)\n"
              "  PREFIX-model.bin    values of the model (model_lp)\n"
              "  PREFIX-evtrace.bin  events (event, rollback)\n"
              "  PREFIX-task.bin     tasks of the model (task_begin, task_step, task_end)\n"
              "  PREFIX-tracer.bin   results of tracers (tracer, tracer_step, tracer_open)\n"
              "\n"
              "A file is complete if every PE has ended its part and no record is missing:\n"
              "none was damaged, dropped because buffers were full (--buffer-full=drop), or\n"
              "could not be written.\n"},
    {"environment", "  NO_COLOR        if set and not empty: no colours\n"
                    "  CLICOLOR_FORCE  if set and neither empty nor 0: colours in pipes and files\n"
                    "                  too; otherwise on terminals only, unless TERM is dumb\n"
                    "  LC_ALL, LC_CTYPE, LANG\n"
                    "                  the first that is set: whether pictures are in UTF-8\n"},
    {NULL, NULL},
};
static const struct ws_usage usage = {
    .name = "",
    .operands = "COMMAND [options] DIR-or-FILE...",
    .text = "Reads what a Warpscope simulation recorded. A directory stands for the record\n"
            "files in it. warpscope COMMAND --help, or man warpscope-COMMAND, says more.\n"
            "\n"
            "Input is not trusted: damage is reported on standard error with its position\n"
            "in the file, and the readable parts of a damaged file are used.\n",
    .options = options,
    .sections = sections,
    .exit_status = "  0  all input is complete and valid\n"
                   "  1  input is missing, damaged or incomplete, or lacks the requested data; or\n"
                   "     the output could not be written\n"
                   "  2  the command line is wrong; no file was read\n"
                   "  3  the runs differ (diff), or the run cannot be repeated as it was (rerun)\n",
    .examples = "What did this run do, and which KPs roll back most?\n"
                "  warpscope stats stats-output --by=total_rollbacks --top=10\n"
                "The rollbacks of two LPs in a part of the run:\n"
                "  warpscope dump stats-output --type=rollback --lp=17,23 --from=100\n"
                "Which options would make the next run faster?\n"
                "  warpscope advise stats-output\n"
                "A table for DuckDB or pandas:\n"
                "  warpscope export --format=parquet --output=tables stats-output\n"
                "How fast could this model run on any number of ranks?\n"
                "  warpscope analyze stats-output\n"
                "Did the parallel run commit the same events as the sequential one?\n"
                "  warpscope diff sequential/stats-output parallel/stats-output\n",
    .see = "info stats dump export diff"};
#define SUMMARY "read what a Warpscope simulation recorded"

static int command_unknown(const char *word)
{
    const char *names[N_COMMANDS + 2] = {"--help", "--version"};
    size_t n = 2;
    for (const struct ws_command *c = commands; c->text != NULL; c++) {
        if (c->name != NULL) {
            names[n++] = c->name;
        }
    }
    if (strcmp(word, "memtrace") == 0) { /* in the table of a build with the component CUDA */
        fputs(
            "warpscope memtrace: this program was built without the component CUDA, which has this"
            " command; configure with -DWARPSCOPE_CUDA=ON and build again\n",
            stderr);
        return WS_EXIT_USAGE;
    }
    const char *near = nearest_in(word, names, n);
    ws_say(&ws_on_stderr, "no command %s%s%s%s (see warpscope --help)", word,
           near == NULL ? "" : "; did you mean ", near == NULL ? "" : near,
           near == NULL ? "" : "?");
    return WS_EXIT_USAGE;
}

static const struct ws_command *command_find(const char *given)
{
    const char *name = strcmp(given, "watch") == 0 ? "top" : given;
    for (const struct ws_command *c = commands; c->text != NULL; c++) {
        if (c->name != NULL && strcmp(name, c->name) == 0) {
            return c;
        }
    }
    return NULL;
}

/* Handles two forms of "help" that the build uses. "help --commands" prints the names of the
 * commands, and "help --roff [COMMAND]" prints a manual page. */
static int pages(int argc, char **argv)
{
    char form[] = "--help=roff", text[128];
    if (strcmp(argv[1], "--commands") == 0) {
        for (const struct ws_command *c = commands; c->text != NULL; c++) {
            if (c->name != NULL) {
                puts(c->name);
            }
        }
        return WS_EXIT_OK;
    }
    if (argc == 2) {
        ws_manual_print(&usage, commands, SUMMARY, stdout);
        return WS_EXIT_OK;
    }
    const struct ws_command *command = command_find(argv[2]);
    if (command == NULL) {
        return command_unknown(argv[2]);
    }
    snprintf(text, sizeof text, "%s", command->text);
    char *words[] = {argv[2], form, text, NULL};
    return command->run(3, words);
}

/* Handles "warpscope help COMMAND" like "warpscope COMMAND --help". */
static int help(int argc, char **argv)
{
    static const struct ws_usage help_usage = {
        .name = "help",
        .operands = "[COMMAND]",
        .text = "Prints the help of a command, the same as warpscope COMMAND --help. Without\n"
                "COMMAND, prints what the commands are.\n",
        .options = no_options,
        .exit_status = "  0  help was printed\n  2  there is no such command\n"};
    struct ws_args args;
    char option[] = "--help";
    int status;
    if (argc >= 2 && (strcmp(argv[1], "--commands") == 0 || strcmp(argv[1], "--roff") == 0)) {
        return pages(argc, argv);
    }
    if (!ws_args_parse(&args, &help_usage, NULL, argc, argv, &status)) {
        return status;
    }
    if (args.n_operands == 0) {
        ws_help_print(&usage, commands, stdout);
        return WS_EXIT_OK;
    }
    const struct ws_command *command = command_find(args.operands[0]);
    if (command == NULL) {
        return command_unknown(args.operands[0]);
    }
    char *words[] = {args.operands[0], option, NULL};
    return command->run(2, words);
}

/* Writes the completions of all subcommands to the script. */
static void commands_complete(const struct completion *c)
{
    char form[32], nothing[] = "";
    snprintf(form, sizeof form, "--help=%s", completion_shell_name(c->shell));
    for (const struct ws_command *command = commands; command->text != NULL; command++) {
        char name[32];
        if (command->name == NULL || strcmp(command->name, "help") == 0) {
            continue; /* completion_names_end() writes the completion of "help" */
        }
        snprintf(name, sizeof name, "%s", command->name);
        char *words[] = {name, form, nothing, NULL};
        command->run(3, words);
    }
}

/* Handles "warpscope completion": prints the script with which a shell completes command lines. */
static int completion(int argc, char **argv)
{
    static const struct ws_usage completion_usage = {
        .name = "completion",
        .operands = "bash|zsh|fish",
        .text = "Prints a script with which a shell completes the commands, options, values and\n"
                "files of warpscope at the Tab key. Installed packages have these scripts where\n"
                "the shells look for them. Simulations print such a script for their own\n"
                "options: MODEL --help=bash, --help=zsh, --help=fish.\n",
        .options = no_options,
        .exit_status = "  0  the script was printed\n"
                       "  1  the output could not be written\n"
                       "  2  the command line is wrong\n",
        .examples = "In this bash, for a build without installation:\n"
                    "  source <(build/bin/warpscope completion bash)\n"
                    "  source <(build/bin/netsim --help=bash)\n"};
    struct ws_args args;
    int status;
    struct completion c = {
        .out = stdout, .program = "warpscope", .has_commands = true, .is_spaced = true};
    if (!ws_args_parse(&args, &completion_usage, NULL, argc, argv, &status)) {
        return status;
    }
    if (args.n_operands != 1 || !completion_shell_find(args.operands[0], &c.shell)) {
        return ws_usage_error(&completion_usage, "needs the name of a shell: bash, zsh or fish");
    }
    completion_begin(&c);
    for (const struct ws_command *command = commands; command->text != NULL; command++) {
        if (command->name != NULL) {
            completion_name(&c, command->name, command->text);
        }
    }
    completion_names_end(&c);
    commands_complete(&c);
    completion_end(&c);
    return WS_EXIT_OK;
}

static int run(int argc, char **argv)
{
    if (argc < 2) {
        ws_help_print(&usage, commands, stderr);
        return WS_EXIT_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        ws_help_print(&usage, commands, stdout);
        return WS_EXIT_OK;
    }
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
        puts("warpscope " WARPSCOPE_VERSION);
        return WS_EXIT_OK;
    }
    const struct ws_command *command = command_find(argv[1]);
    return command == NULL ? command_unknown(argv[1]) : command->run(argc - 1, argv + 1);
}

/* Occupies the descriptors of closed standard files with a read-only file. Otherwise the next file
 * that is opened would get such a descriptor, and messages would be written into it. */
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
    /* The buffer is large, so that most output is written by fflush() below, whose errors main()
     * detects. */
    setvbuf(stdout, NULL, _IOFBF, 1 << 20);
    int status = run(argc, argv);
    errno = 0;
    if (status != WS_EXIT_OUTPUT && (fflush(stdout) != 0 || ferror(stdout))) {
        status = ws_output_failed(errno);
    }
    return status == WS_EXIT_OUTPUT ? WS_EXIT_DAMAGED : status;
}
