/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * main.c - netsim: packets over a network. README.md describes the model and its use.
 *
 * All errors in options and input files are found before tw_run(). After an error, rank 0 prints
 * one error message, every rank exits with status 2, and no file has been written.
 */
#include "common/collective.h"
#include "common/program.h"
#include "results.h"

/* Files of --links-csv and --flows-csv; NULL: none. */
struct csv {
    FILE *links, *flows;
};

static bool csv_open(struct csv *csv, struct model_error *error)
{
    const struct ns_settings *s = ns_settings();
    return model_results_open(&csv->links, "links-csv", s->links_csv, MPI_COMM_ROSS, error) &&
           model_results_open(&csv->flows, "flows-csv", s->flows_csv, MPI_COMM_ROSS, error);
}

static int results_report(const struct csv *csv)
{
    struct ns_results results;
    ns_results_gather(&results, MPI_COMM_ROSS);
    int status = MODEL_OK;
    if (tw_ismaster()) {
        struct model_error errors[2] = {{""}, {""}};
        ns_report_tables(stdout, ns_model(), &results);
        ns_csv_write_links(csv->links, &results, &errors[0]);
        ns_csv_write_flows(csv->flows, &results, &errors[1]);
        for (int i = 0; i < 2; i++) {
            if (errors[i].text[0] != '\0') {
                fprintf(stderr, "netsim: %s\n", errors[i].text);
                status = MODEL_FAILED;
            }
        }
    }
    MPI_Bcast(&status, 1, MPI_INT, 0, MPI_COMM_ROSS);
    ns_results_fini(&results);
    return status;
}

static bool lps_accept(void)
{
    bool good = ns_model_accept();
    g_tw_lookahead = ns_model()->lookahead_s;
    return good;
}

static void lps_arrive(void)
{
    ns_model_arrive();
    model_kept_begin_again(&ns_kept, g_tw_nlp);
}

static const tw_lp_moves moves = {.accept = lps_accept, .arrive = lps_arrive};

static bool lps_define(struct model_error *error)
{
    bool has_map = tw_lp_map_allow();
    tw_lp_map_moves(&moves);
    tw_define_lps(ns_model_local_lps(), sizeof(struct ns_packet));
    return !has_map || ns_model_place(error);
}

int main(int argc, char **argv)
{
    struct model_error error;
    struct csv csv;
    g_tw_ts_end = NS_DEFAULT_END_S;
    tw_opt_add(ns_options);
    tw_init(&argc, &argv);
    if (!ns_settings_check(ns_settings(), argc, argv, &error) ||
        !ns_model_init(ns_settings(), MPI_COMM_ROSS, &error) || !lps_define(&error) ||
        !csv_open(&csv, &error)) {
        ns_model_fini();
        return model_end("netsim", error.text, MODEL_REFUSED);
    }
    const struct ns_model *m = ns_model();
    g_tw_lookahead = m->lookahead_s;
    ns_model_settypes();
    model_ask_results(ns_through_flows_bytes(&m->through) + model_states_bytes() +
                      (double)ns_results_bytes(m));
    ns_model_fill();
    model_kept_begin(&ns_kept, g_tw_nlp);
    if (tw_ismaster()) {
        ns_report_heading(stdout, m);
    }
    tw_run();
    int status = results_report(&csv);
    model_kept_end(&ns_kept);
    ns_model_fini();
    tw_end();
    return status;
}
