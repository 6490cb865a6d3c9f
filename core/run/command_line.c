/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * command_line.c - reads the options of the engine, the extension and the model, and checks the
 * remaining arguments.
 */
#include "run/command_line.h"

#include <assert.h>

#include "checkpoint/checkpoint.h"
#include "engine/control.h"
#include "engine/engine.h"
#include "engine/process/run.h"
#include "run/report_files.h"
#include "run/watchdog.h"

void tw_opt_add(const tw_optdef *options)
{
    options_add(&g_run.options, options);
}

static void print_version(void)
{
    char mpi[MPI_MAX_LIBRARY_VERSION_STRING], id[200] = "";
    run_mpi_text(mpi, sizeof mpi);
    if (tw_extension.build_id != NULL) {
        tw_extension.build_id(id, sizeof id);
    }
    printf("%s: %s\nbuild id: %s\nMPI: %s\n", g_run.program, run_version(),
           id[0] == '\0' ? "not known" : id, mpi);
}

static void print_help(void)
{
    struct options_choice choices[2] = {run_most_used_options};
    unsigned n_choices = 1;
    if (tw_extension.most_used_options != NULL) {
        choices[n_choices++] = *tw_extension.most_used_options;
    }
    options_print_brief(&g_run.options, g_run.program, run_is_model_table, choices, n_choices,
                        stdout);
}

/* Prints the requested help or version, and ends the program on all ranks. */
__attribute__((noreturn)) static void answer(struct pe *pe)
{
    if (pe->comm.rank == 0) {
        switch (g_run.options.asked) {
        case OPTIONS_ASKED_VERSION:
            print_version();
            break;
        case OPTIONS_ASKED_HELP_ALL:
            options_print_help(&g_run.options, g_run.program, stdout);
            break;
        default:
            print_help();
            break;
        }
    }
    bool complete = run_stdout_is_complete();
    comm_fini(&pe->comm);
    exit(complete ? TW_EXIT_OK : TW_EXIT_FAILURE);
}

/* Adds the option tables of the engine and the extension to those of the model. */
static void add_tables(void)
{
    run_add_options(&g_run.options);
    if (tw_extension.option_tables != NULL) {
        for (const tw_optdef *const *table = tw_extension.option_tables(); *table != NULL;
             table++) {
            options_add(&g_run.options, *table);
        }
    }
    g_run.options.has_version = true;
}

void command_line_complete(int argc, char **argv)
{
    static const char form[] = "--help=";
    const size_t length = sizeof form - 1;
    assert(argc >= 1);
    if (argc != 2 || strncmp(argv[1], form, length) != 0) {
        return;
    }
    /* command_line_read() adds the tables again, which has no effect. */
    add_tables();
    if (options_print_form(&g_run.options, g_run.program, argv[1] + length, stdout)) {
        exit(run_stdout_is_complete() ? TW_EXIT_OK : TW_EXIT_FAILURE);
    }
}

/* Reads the options. Ends the program on all ranks if options are invalid or request help. */
static void read_options(struct pe *pe, int *argc, char **argv)
{
    char error[1024] = "";
    add_tables();
    g_run.options.keeps_tail = g_run.as_for_ross8;
    enum tw_status status = options_parse(&g_run.options, argc, argv, error, sizeof error);
    if (status == TW_OK) {
        status = run_apply_settings(error, sizeof error);
    }
    if (status == TW_OK && pe->comm.rank == 0 &&
        options_share_file(&g_run.options, error, sizeof error)) {
        status = TW_ERR_USAGE;
    }
    status = comm_agree(&pe->comm, status);
    if (status == TW_ERR_HELP) {
        answer(pe);
    }
    if (status != TW_OK) {
        run_refuse("%s", error[0] != '\0' ? error : "another rank refused its options");
    }
    if (g_run.options.not_taken != NULL && pe->comm.rank == 0) {
        assert(g_run.options.taken != NULL);
        run_warning(
            "a shortened option is taken as --%s, but may also stand for --%s; write it in full",
            g_run.options.taken->name, g_run.options.not_taken->name);
    }
}

/* Stores the first argument before "--" that begins with a hyphen. tw_run() warns of this
 * argument. */
static void find_unread(int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0 && !g_run.as_for_ross8; i++) {
        if (argv[i][0] == '-' && g_run.unread[0] == '\0') {
            options_echo(argv[i], g_run.unread);
        }
    }
}

void command_line_read(struct pe *pe, int *argc, char **argv)
{
    read_options(pe, argc, argv);
    run_words_keep(&g_run.words, *argc, argv);
    find_unread(*argc, argv);
}

void command_line_warn(const struct pe *pe)
{
    if (g_run.unread[0] != '\0' && pe->comm.rank == 0) {
        run_warning("%s is not an option, and the model possibly ignores it; write -- before "
                    "arguments of the model",
                    g_run.unread);
    }
}

void tw_opt_words_max(int argc, char *const *argv, int most)
{
    char echo[OPTIONS_ECHO_MAX + 1];
    int words = 0;
    engine_self("tw_opt_words_max()");
    for (int i = 1; i < argc; i++) {
        words += strcmp(argv[i], "--") != 0;
        if (words > most) {
            run_refuse("unexpected argument \"%s\"; options are written --name=value",
                       options_echo(argv[i], echo));
        }
    }
    g_run.unread[0] = '\0';
}

/* ---- Settings that a request changes during a run, see engine/control.h ----------------------- */

enum tw_status control_settings_check(const tw_pe *of, char *error, size_t error_size)
{
    enum tw_status status = run_check_stall_warning(error, error_size);
    return status != TW_OK ? status : checkpoint_check_interval(pe_of(of), error, error_size);
}

void control_settings_apply(tw_pe *of)
{
    struct pe *pe = pe_of(of);
    struct watchdog *watchdog = g_run.watchdog;
    double limit_s = 0.0;
    bool in_seconds;
    duration_read(g_run.settings.stall_warning, &limit_s, &in_seconds);
    if (watchdog != NULL && (limit_s < watchdog->limit_s || limit_s > watchdog->limit_s)) {
        watchdog_stop(watchdog);
        watchdog_start(watchdog, pe, limit_s, watchdog->stop_s);
    }
    checkpoint_change_interval(pe);
}
