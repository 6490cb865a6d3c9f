/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * main.c - qnet: queueing networks. README.md describes the model and its use.
 *
 * All errors in options and input files are found before tw_define_lps(). After an error, rank 0
 * prints one error message, every rank exits with status 2, and no file has been written.
 */
#include "common/collective.h"
#include "common/program.h"
#include "results.h"

static int results_report(FILE *json)
{
    struct qn_results results;
    qn_results_gather(&results, MPI_COMM_ROSS);
    int status = MODEL_OK;
    if (tw_ismaster()) {
        struct model_error error;
        qn_report_table(stdout, qn_model(), &results);
        if (!qn_json_write(json, qn_model(), &results, &error)) {
            fprintf(stderr, "qnet: %s\n", error.text);
            status = MODEL_FAILED;
        }
    }
    MPI_Bcast(&status, 1, MPI_INT, 0, MPI_COMM_ROSS);
    qn_results_fini(&results);
    return status;
}

static void lps_arrive(void)
{
    qn_model_settypes();
    model_kept_begin_again(&qn_kept, g_tw_nlp);
}

static const tw_lp_moves moves = {.arrive = lps_arrive};

int main(int argc, char **argv)
{
    struct model_error error;
    FILE *json;
    g_tw_ts_end = QN_DEFAULT_END;
    tw_opt_add(qn_options);
    tw_init(&argc, &argv);
    if (!qn_settings_check(qn_settings(), argc, argv, &error) ||
        !qn_model_init(qn_settings(), MPI_COMM_ROSS, &error) ||
        !model_results_open(&json, "results", qn_settings()->results, MPI_COMM_ROSS, &error)) {
        qn_model_fini();
        return model_end("qnet", error.text, MODEL_REFUSED);
    }
    const struct qn_model *m = qn_model();
    unsigned rank = (unsigned)g_tw_mynode;
    g_tw_lookahead = m->settings->transit;
    g_tw_nRNG_per_lp = QN_STREAMS;
    (void)tw_lp_map_allow();
    tw_lp_map_moves(&moves);
    tw_define_lps(qn_model_first(m, rank + 1) - qn_model_first(m, rank), sizeof(struct qn_job));
    qn_model_settypes();
    model_ask_results((double)g_tw_nlp * (m->window.n + 1.0) * (double)sizeof(struct qn_batch));
    model_kept_begin(&qn_kept, g_tw_nlp);
    if (tw_ismaster()) {
        qn_report_heading(stdout, m);
    }
    tw_run();
    int status = results_report(json);
    model_kept_end(&qn_kept);
    qn_model_fini();
    tw_end();
    return status;
}
