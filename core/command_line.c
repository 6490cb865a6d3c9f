/*
 * command_line.c - reads the options of engine, extension and model, and looks after the words that
 * are none.
 */
#include "command_line.h"

#include "engine/engine.h"
#include "engine/run.h"
#include "run_report.h"

void tw_opt_add(const tw_optdef *options)
{
    options_add(&g_run.options, options);
}

/* Reads the command line; ends the program on all ranks when it is wrong or asks for help. */
static void read_options(struct pe *pe, int *argc, char **argv)
{
    char error[1024] = "";
    run_add_options(&g_run.options);
    if (tw_extension.option_tables != NULL) {
        for (const tw_optdef *const *table = tw_extension.option_tables(); *table != NULL;
             table++) {
            options_add(&g_run.options, *table);
        }
    }
    g_run.options.keeps_tail = g_run.as_for_ross8;
    enum tw_status status = options_parse(&g_run.options, argc, argv, error, sizeof error);
    if (status == TW_OK) {
        status = run_apply_settings(error, sizeof error);
    }
    status = comm_agree(&pe->comm, status);
    if (status == TW_ERR_HELP) {
        if (pe->comm.rank == 0) {
            options_print_help(&g_run.options, g_run.program, stdout);
        }
        bool complete = run_stdout_is_complete();
        comm_fini(&pe->comm);
        exit(complete ? TW_EXIT_OK : TW_EXIT_FAILURE);
    }
    if (status != TW_OK) {
        run_refuse("%s", error[0] != '\0' ? error : "another rank refused its options");
    }
    if (g_run.options.not_taken != NULL && pe->comm.rank == 0) {
        run_warning("a shortened option is taken as --%s; --%s begins so, too: write it in full",
                    g_run.options.taken->name, g_run.options.not_taken->name);
    }
}

/* Remembers a word that looks like an option of other programs, for tw_run(). */
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
        run_warning("%s is no option, and the model may not read it; behind -- any word may stand",
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
