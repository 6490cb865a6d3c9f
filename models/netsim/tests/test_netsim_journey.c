/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The exact records of a packet's journey: names of lines, flows and tasks, and the times when a
 * line began and ended its transmission, for packets that waited and packets that did not.
 */
/* test: libs=netsim_model,no_instrumentation ranks=1 alone=yes */
#include "support/netsim_engine.h"

static void test_line_names(void)
{
    static const char *const names[] = {
        "A > B",     "A > B (2)",
        "A > B (3)", "B > A",
        "B > A (2)", "B > a-name-of-more-than-sixty-characters-all-of-which-are-diffe",
        "B > A (3)", "a-name-of-more-than-sixty-characters-all-of-which-are-diffe > B"};
    triple_init(2);
    CU_ASSERT_EQUAL_FATAL(ns_model()->topology.n_arcs, sizeof names / sizeof *names);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        CU_ASSERT_STRING_EQUAL(ns_model()->arc_names[i], names[i]);
    }
    ns_model_fini();
}

/* Checks the tasks of a packet that crossed a line: its time from the queue on, the transmission,
 * its journey. */
static void check_line(const struct ns_packet *p, tw_lp *lp, const char *kind, const char *where,
                       double rate_bps, double delay_s)
{
    double now_s = lp->kp->last_time, taken_s = p->size_bytes * 8 / rate_bps;
    double sent_s = fmax(now_s - delay_s, p->queued_s),
           begun_s = fmax(sent_s - taken_s, p->queued_s);
    st_task_id journey = st_request_in((st_task_id){1 + 1, 99 + 1, 0}, 5); /* see packet_of_a() */
    ns_trace_line(ns_model(), p, lp);
    CU_ASSERT_STRING_EQUAL(traced[1].kind, kind);
    CU_ASSERT_STRING_EQUAL(traced[1].what, "A > B");
    CU_ASSERT_STRING_EQUAL(traced[1].where, where);
    CU_ASSERT_EQUAL(memcmp(&traced[1].parent, &journey, sizeof journey), 0);
    CU_ASSERT_EQUAL(traced[1].start_s, p->queued_s);
    CU_ASSERT_DOUBLE_EQUAL(traced[1].begun_s, begun_s, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(traced[1].sent_s, sent_s, 1e-12);
    CU_ASSERT_STRING_EQUAL(traced[0].kind, "transmission");
    CU_ASSERT_STRING_EQUAL(traced[0].what, "A > B");
    CU_ASSERT_STRING_EQUAL(traced[0].where, where);
    CU_ASSERT_EQUAL(memcmp(&traced[0].parent, &traced[1].id, sizeof journey), 0);
    CU_ASSERT_DOUBLE_EQUAL(traced[0].start_s, begun_s + (now_s - sent_s), 1e-12);
    ns_trace_journey(ns_model(), p, lp);
    CU_ASSERT_EQUAL(memcmp(&traced[0].id, &journey, sizeof journey), 0);
    CU_ASSERT_TRUE(strcmp(traced[0].kind, "journey") == 0 && traced[0].start_s == p->sent_s);
    ns_trace_drop(ns_model(), p, lp);
    CU_ASSERT_EQUAL(memcmp(&traced[0].parent, &journey, sizeof journey), 0);
    CU_ASSERT_TRUE(strcmp(traced[0].kind, "drop") == 0 && traced[0].start_s == p->sent_s);
}

/* Packet no. 99 from host 0 of A (LP 1) to host 1 of B (LP 5), queued so long ago. */
static struct ns_packet packet_of_a(double now_s, double queued_before_s)
{
    return (struct ns_packet){.id = (uint64_t)6 << 40 | 99, /* host 0, whatever its site */
                              .sent_s = 0.25,
                              .queued_s = now_s - queued_before_s,
                              .to_site = 1,
                              .to_host = 1,
                              .size_bytes = 1000};
}

/* Packets that waited, packets that did not, and packets that arrive too early through rounding. */
static void test_journeys(void)
{
    tw_kp kp = {.last_time = 1.5};
    tw_lp lp = {.gid = 5, .kp = &kp};
    triple_init(2);
    for (int waited = 0; waited < 3; waited++) {
        static const double more_s[] = {1e-2, 0, -1e-4};
        struct ns_packet p = packet_of_a(1.5, 2e-3 + 8000 / 5e6 + more_s[waited]);
        p.kind = NS_DELIVER;
        p.hops = 2;
        check_line(&p, &lp, "access", "B > B host 1", 5e6, 2e-3);
        p.kind = NS_FORWARD;
        p.hops = 1;
        check_line(&p, &lp, "access", "A host 0 > A", 5e6, 2e-3);
        p = packet_of_a(1.5, 4e-3 + 8000 / 2e6 + more_s[waited]);
        p.kind = NS_FORWARD;
        p.hops = 2;
        p.arc = 1;
        check_line(&p, &lp, "hop", "A > B (2)", 2e6, 4e-3);
    }
    ns_model_fini();
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {
        {"names of lines", test_line_names},
        {"journeys", test_journeys},
    };
    return mpi_suite_run(&argc, &argv, "netsim journeys", tests, sizeof tests / sizeof *tests);
}
