/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * main.c - memsim: the memory system of a GPU. README.md describes the model and its use.
 */
#include "common/program.h"
#include "feed.h"
#include "model.h"
#include "spool.h"

/* Runs the model on a complete script. Returns the exit status. */
static int run(struct ms_script *script)
{
    struct model_error error;
    const struct ms_settings *settings = ms_settings();
    bool is_traced = settings->trace_out[0] != '\0';
    if (is_traced &&
        !ms_spool_check(settings->trace_out, script->n_streams, MPI_COMM_ROSS, &error)) {
        return model_end("memsim", error.text, MODEL_REFUSED);
    }
    ms_model_define(script);
    if (tw_ismaster()) {
        ms_report_heading(stdout, ms_model(), script);
    }
    tw_run();
    ms_report_results(stdout, ms_model(), script);
    if (is_traced && !ms_spool_write(script, ms_report_begun(), settings->trace_out,
                                     settings->scratch, MPI_COMM_ROSS, &error)) {
        return model_end("memsim", error.text, MODEL_FAILED);
    }
    tw_end();
    return MODEL_OK;
}

int main(int argc, char **argv)
{
    struct model_error error;
    struct ms_script script;
    g_tw_ts_end = MS_DEFAULT_END;
    tw_opt_add(ms_options);
    tw_init(&argc, &argv);
    if (!ms_settings_check(argc, argv, &error)) {
        return model_end("memsim", error.text, MODEL_REFUSED);
    }
    int status = ms_feed_all(&script, ms_settings(), MPI_COMM_ROSS, &error)
                     ? run(&script)
                     : model_end("memsim", error.text, MODEL_REFUSED);
    ms_script_fini(&script);
    return status;
}
