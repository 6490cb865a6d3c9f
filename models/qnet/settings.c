/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * settings.c - qnet's own options: table, default values, limits.
 */
#include "model.h"

#include "common/program.h"

static struct qn_settings the_settings = {
    .network = "open3",
    .copies = 1,
    .transit = 0.1,
    .warmup = QN_AUTO,
    .batches = 20,
    .rows = 20,
};

const tw_optdef qn_options[] = {
    TWOPT_GROUP("qnet: queueing networks"),
    TWOPT_CHAR("network", the_settings.network,
               "<WORD> one of the networks central, closed, mmc, open3 and tandem"),
    TWOPT_CHAR("network-file", the_settings.file,
               "<FILE> a network of your own, in place of --network"),
    TWOPT_UINT("jobs", the_settings.jobs, "jobs of a closed network (0: as it says)"),
    TWOPT_DOUBLE("load", the_settings.load,
                 "utilisation of the busiest station of an open network; scales all arrivals (0: "
                 "as it says)"),
    TWOPT_UINT("copies", the_settings.copies, "<1..10000000> copies of the network"),
    TWOPT_DOUBLE("cross", the_settings.cross,
                 "<0..1> probability that a job goes on in a copy drawn at random (open networks)"),
    TWOPT_STIME(
        "transit", the_settings.transit,
        "<0..1e9> time that a job takes from one station to the next; the lookahead of --synch=2"),
    TWOPT_STIME("warmup", the_settings.warmup,
                "time before statistics begin (-1: a tenth of the run)"),
    TWOPT_UINT("batches", the_settings.batches, "<2..1000> batches for the confidence intervals"),
    TWOPT_UINT("rows", the_settings.rows, "stations in the printed table"),
    TWOPT_CHAR("results", the_settings.results, "<FILE> JSON file for the results of all stations"),
    TWOPT_END(),
};

struct qn_settings *qn_settings(void)
{
    return &the_settings;
}

bool qn_settings_check(const struct qn_settings *s, int argc, char **argv,
                       struct model_error *error)
{
    if (!model_setup_check(1e-6, 1e15, argc, argv, error)) {
        return false;
    }
    if (s->load != 0 && !(s->load >= 1e-6 && s->load < 1)) {
        return model_fail(error,
                          "--load=%g is out of range: from 1e-6 to less than 1, or 0 for what the "
                          "network says",
                          s->load);
    }
    if (s->warmup != QN_AUTO && !(s->warmup >= 0 && s->warmup < g_tw_ts_end)) {
        return model_fail(
            error,
            "--warmup=%g is out of range: 0 up to, but not including, --end=%g; or -1 "
            "for a tenth of that",
            s->warmup, g_tw_ts_end);
    }
    return true;
}
