/*
 * main.c - memsim: the memory system of a GPU. README.md tells what it models and how to use it.
 */
#include "feed.h"
#include "report.h"
#include "spool.h"

enum { EXIT_INPUT = 1, EXIT_USAGE = 2 };

static int fail(const struct model_error *error, int status)
{
    if (tw_ismaster()) {
        fprintf(stderr, "memsim: %s\n", error->text);
    }
    tw_end();
    return status;
}

/* Runs the model on a script that is there. */
static int run(struct ms_script *script)
{
    struct model_error error;
    const struct ms_settings *settings = ms_settings();
    bool is_traced = settings->trace_out[0] != '\0';
    if (is_traced && !ms_spool_open(settings->trace_out, script->n_streams, settings->scratch,
                                    MPI_COMM_ROSS, &error)) {
        return fail(&error, EXIT_INPUT);
    }
    ms_model_define(script);
    if (tw_ismaster()) {
        ms_report_heading(stdout, ms_model(), script);
    }
    tw_run();
    ms_report_results(stdout, ms_model(), script);
    if (is_traced &&
        !ms_spool_write(script, ms_report_begun(), settings->trace_out, MPI_COMM_ROSS, &error)) {
        return fail(&error, EXIT_INPUT);
    }
    tw_end();
    return 0;
}

int main(int argc, char **argv)
{
    struct model_error error;
    struct ms_script script;
    tw_opt_add(ms_settings_options());
    tw_init(&argc, &argv);
    if (!ms_settings_check(argc, argv, &error)) {
        return fail(&error, EXIT_USAGE);
    }
    int status = ms_feed_all(&script, ms_settings(), MPI_COMM_ROSS, &error)
                     ? run(&script)
                     : fail(&error, EXIT_INPUT);
    ms_script_fini(&script);
    return status;
}
