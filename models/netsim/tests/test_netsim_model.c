/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Values that netsim derives from its settings: lines, the time window in which packets count, the
 * load, and the lookahead, against a search over the lines between ranks.
 */
/* test: libs=netsim_model,no_instrumentation ranks=1,2,3,4 alone=yes */
#include "support/netsim_engine.h"

/* The settings of triple_init(), with these changes. */
static void begin(unsigned hosts, double end_s, double warmup_s)
{
    g_tw_ts_end = end_s;
    ns_settings()->warmup_s = warmup_s;
    triple_init(hosts);
}

static void check_line(const struct ns_line *line, double rate_bps, double delay_s, double buffer_s)
{
    CU_ASSERT_DOUBLE_EQUAL(line->s_per_byte, 8 / rate_bps, 1e-20);
    CU_ASSERT_EQUAL(line->delay_s, delay_s);
    CU_ASSERT_TRUE(line->buffer_s == buffer_s || fabs(line->buffer_s - buffer_s) < 1e-12);
}

/* Buffers belong to routers; a host never drops its packets. */
static void test_lines(void)
{
    begin(2, 1, NS_AUTO);
    const struct ns_model *m = ns_model();
    double buffer_bits = 8 * m->settings->buffer_bytes;
    check_line(&m->uplink, 5e6, 2e-3, (double)INFINITY);
    check_line(&m->downlink, 5e6, 2e-3, buffer_bits / 5e6);
    check_line(&m->arc_lines[1], 2e6, 4e-3, buffer_bits / 2e6);
    check_line(&m->arc_lines[5], 3e6, 5e-3, buffer_bits / 3e6);
    ns_model_fini();
}

/* The longest way consists of links of 3 and 5 ms, and 2 ms from and to a host. */
static void test_window(void)
{
    static const struct {
        double end_s, warmup_s, from_s, sent_to_s;
    } cases[] = {{1, NS_AUTO, 0.012, 0.988},  {0.0245, NS_AUTO, 0.012, 0.0125},
                 {0.02, NS_AUTO, 0.01, 0.02}, /* the window would be empty */
                 {0.1, 0, 0, 0.088},          {0.1, 0.05, 0.05, 0.088},
                 {0.1, 0.09, 0.09, 0.1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        begin(1, cases[i].end_s, cases[i].warmup_s);
        CU_ASSERT_DOUBLE_EQUAL(ns_model()->longest_way_s, 0.012, 1e-12);
        CU_ASSERT_DOUBLE_EQUAL(ns_model()->window.from_s, cases[i].from_s, 1e-12);
        CU_ASSERT_DOUBLE_EQUAL(ns_model()->window.sent_to_s, cases[i].sent_to_s, 1e-12);
        CU_ASSERT_EQUAL(ns_model()->window.to_s, cases[i].end_s);
        ns_model_fini();
    }
}

/* Load of the busiest link. */
static void test_load(void)
{
    static const double loads[] = {0, 0.7};
    for (size_t i = 0; i < 2; i++) {
        double most = 0;
        ns_settings()->load = loads[i];
        begin(1, 1, NS_AUTO);
        for (uint32_t a = 0; a < ns_model()->topology.n_arcs; a++) {
            most = fmax(most, ns_model()->traffic.arc_load[a]);
        }
        CU_ASSERT_DOUBLE_EQUAL(most, i == 0 ? NS_DEFAULT_LOAD : loads[i], 1e-12);
        ns_model_fini();
    }
    ns_settings()->load = 0;
}

/* Returns the least time over a line from one rank to another, or between sites if there is
 * none. */
static double naive_lookahead_s(const struct ns_model *m)
{
    const struct ns_layout *l = &m->layout;
    double smallest_bits = 8 * 40, remote_s = INFINITY, any_s = INFINITY;
    for (uint32_t a = 0; a < m->topology.n_arcs; a++) {
        const struct ns_arc *arc = &m->topology.arcs[a];
        double s = smallest_bits / arc->rate_bps + arc->delay_s;
        bool remote = ns_layout_rank(l, ns_gid_of_router(l, arc->from)) !=
                      ns_layout_rank(l, ns_gid_of_router(l, arc->to));
        any_s = fmin(any_s, s);
        remote_s = remote ? fmin(remote_s, s) : remote_s;
    }
    for (tw_lpid gid = 0; gid < ns_layout_total(l); gid++) {
        tw_lpid router = ns_gid_of_router(l, ns_site_of_gid(l, gid));
        if (ns_layout_rank(l, gid) != ns_layout_rank(l, router)) {
            remote_s = fmin(remote_s, smallest_bits / 5e6 + 2e-3);
        }
    }
    return isinf(remote_s) ? any_s : remote_s;
}

/* The lookahead never exceeds that time, which lines between ranks would violate; it is slightly
 * less. */
static void test_lookahead(void)
{
    for (unsigned hosts = 1; hosts < 13; hosts++) { /* borders of ranks may divide a site */
        begin(hosts, 1, NS_AUTO);
        double naive_s = naive_lookahead_s(ns_model());
        CU_ASSERT_TRUE(ns_model()->lookahead_s < naive_s);
        CU_ASSERT_DOUBLE_EQUAL(ns_model()->lookahead_s, naive_s, 1e-9 * naive_s);
        ns_model_fini();
    }
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {{"lines", test_lines},
                                        {"the window", test_window},
                                        {"the load", test_load},
                                        {"lookahead", test_lookahead}};
    return mpi_suite_run(&argc, &argv, "netsim model", tests, sizeof tests / sizeof *tests);
}
