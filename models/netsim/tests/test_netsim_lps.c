/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * netsim's routers and hosts without an engine: the events that their handlers send. The reverse
 * handlers restore every byte of state, message and random stream, over many events.
 */
/* test: libs=netsim_model,no_instrumentation ranks=1 alone=yes */
#include "support/netsim_engine.h"

/* ---- One LP on its own ----------------------------------------------------------------------- */

#define DEPTH 200

struct step {
    struct ns_packet before; /* the message before the event */
    struct ns_packet packet;
    tw_bf bf;
    void *state_before;
    tw_rng_stream rng_before;
    double now_s;
};

struct bench {
    tw_lp lp;
    tw_kp kp;
    tw_rng_stream rng;
    const tw_lptype *type;
    struct step steps[DEPTH];
    uint32_t depth;
    struct ns_packet next_send; /* next event of a host */
};

static void bench_init(struct bench *b, tw_lpid gid)
{
    const struct ns_model *m = ns_model();
    uint32_t site = ns_site_of_gid(&m->layout, gid);
    memset(b, 0, sizeof *b);
    b->type = ns_place_of_gid(&m->layout, gid) == 0 ? &m->router_types[site] : &m->host_type;
    b->rng.reserved = random_bits(&seed);
    b->lp = (tw_lp){.gid = gid, .kp = &b->kp, .rng = &b->rng};
    b->lp.cur_state = calloc(1, b->type->state_sz);
    for (uint32_t i = 0; i < DEPTH; i++) {
        b->steps[i].state_before = malloc(b->type->state_sz);
    }
    n_sent = 0;
    if (b->type->init != NULL) {
        b->type->init(b->lp.cur_state, &b->lp);
        CU_ASSERT_EQUAL_FATAL(n_sent, 1);
        b->next_send = sent[0].message;
    }
}

static void bench_fini(struct bench *b)
{
    free(b->lp.cur_state);
    for (uint32_t i = 0; i < DEPTH; i++) {
        free(b->steps[i].state_before);
    }
}

/* A packet that may arrive at the LP. */
static struct ns_packet random_arrival(const struct bench *b)
{
    const struct ns_model *m = ns_model();
    uint32_t n = m->topology.n_sites;
    uint32_t site = ns_site_of_gid(&m->layout, b->lp.gid);
    uint32_t place = ns_place_of_gid(&m->layout, b->lp.gid);
    uint32_t count = ns_through_count(&m->through, site);
    uint32_t flow =
        m->through.flows[m->through.begin[m->through.index[site]] + test_random_below(count)];
    uint32_t to = place == 0 ? flow % n : site;
    uint32_t from = place == 0 ? flow / n : (site + 1 + test_random_below(n - 1)) % n;
    return (struct ns_packet){
        .id = random_bits(&seed),
        .sent_s = b->kp.last_time * random_unit(&seed),
        .queued_s = b->kp.last_time * (1 - random_unit(&seed) * 1e-3),
        .arc = (uint16_t)test_random_below(m->topology.n_arcs),
        .from_site = (uint16_t)from,
        .to_site = (uint16_t)to,
        .to_host = (uint16_t)(place == 0 ? test_random_below(m->layout.hosts) : place - 1),
        .hops = (uint16_t)(1 + test_random_below(5)),
        .size_bytes = 40 + test_random_below(1461),
        .kind = place == 0 ? NS_FORWARD : NS_DELIVER};
}

/* Checks the members of a packet that do not change on its way. */
static bool same_packet(const struct ns_packet *a, const struct ns_packet *b)
{
    static const struct ns_packet zero;
    return a->id == b->id && a->from_site == b->from_site && a->to_site == b->to_site &&
           a->to_host == b->to_host && a->size_bytes == b->size_bytes &&
           memcmp(&b->undo, &zero.undo, sizeof b->undo) == 0;
}

static void check_traced(unsigned lines, unsigned journeys, unsigned drops)
{
    CU_ASSERT_EQUAL(n_traced[0], lines);
    CU_ASSERT_EQUAL(n_traced[1], lines);
    CU_ASSERT_EQUAL(n_traced[2], journeys);
    CU_ASSERT_EQUAL(n_traced[3], drops);
}

/* Checks the drops of each flow: one more for the flow that lost a packet, if its packets count. */
static void check_flow_drops(const struct bench *b, const struct step *s)
{
    const struct ns_model *m = ns_model();
    uint32_t site = ns_site_of_gid(&m->layout, b->lp.gid);
    const uint64_t *before = ns_router_flow_drops(m, s->state_before, site);
    const uint64_t *now = ns_router_flow_drops(m, b->lp.cur_state, site);
    bool counts = n_sent == 0 && ns_window_has_sent(&m->window, s->before.sent_s);
    for (uint32_t i = 0; i < ns_through_count(&m->through, site); i++) {
        uint32_t flow = m->through.flows[m->through.begin[m->through.index[site]] + i];
        bool lost = counts && flow == ns_flow(m, s->before.from_site, s->before.to_site);
        CU_ASSERT_EQUAL(now[i], before[i] + lost);
    }
}

static unsigned local_drops; /* lines of routers precede those of hosts */

static void check_router_sent(const struct bench *b, const struct step *s)
{
    const struct ns_model *m = ns_model();
    uint32_t site = ns_site_of_gid(&m->layout, b->lp.gid);
    CU_ASSERT_EQUAL_FATAL(n_sent, s->bf.c0);
    check_traced(1, 0, !s->bf.c0);
    check_flow_drops(b, s);
    local_drops += n_sent == 0 && s->before.to_site == site;
    if (n_sent == 0) {
        return;
    }
    const struct ns_packet *p = &sent[0].message;
    CU_ASSERT_TRUE(same_packet(&s->before, p));
    CU_ASSERT_EQUAL(p->hops, s->before.hops + 1);
    CU_ASSERT_EQUAL(p->sent_s, s->before.sent_s);
    CU_ASSERT_EQUAL(p->queued_s, b->kp.last_time);
    if (p->to_site == site) {
        CU_ASSERT_EQUAL(p->kind, NS_DELIVER);
        CU_ASSERT_EQUAL(sent[0].dest, ns_gid_of_host(&m->layout, site, p->to_host));
        CU_ASSERT_TRUE(sent[0].offset >= m->settings->access_delay_s);
    } else {
        const struct ns_arc *arc = &m->topology.arcs[ns_route_next(&m->routes, site, p->to_site)];
        CU_ASSERT_EQUAL(p->kind, NS_FORWARD);
        CU_ASSERT_EQUAL(sent[0].dest, ns_gid_of_router(&m->layout, arc->to));
        CU_ASSERT_EQUAL(arc, &m->topology.arcs[p->arc]);
        CU_ASSERT_TRUE(sent[0].offset >= arc->delay_s && sent[0].offset >= m->lookahead_s);
    }
}

static void check_host_sent(struct bench *b, const struct step *s)
{
    const struct ns_model *m = ns_model();
    if (s->before.kind == NS_DELIVER) {
        CU_ASSERT_EQUAL(n_sent, 0);
        check_traced(1, 1, 0);
        return;
    }
    CU_ASSERT_EQUAL_FATAL(n_sent, 2);
    check_traced(0, 0, 0);
    const struct ns_packet *p = &sent[0].message;
    uint32_t site = ns_site_of_gid(&m->layout, b->lp.gid);
    CU_ASSERT_TRUE(same_packet(&s->before, p));
    CU_ASSERT_TRUE(p->kind == NS_FORWARD && p->hops == 1 && p->sent_s == b->kp.last_time);
    CU_ASSERT_EQUAL(sent[0].dest, ns_gid_of_router(&m->layout, site));
    const struct ns_packet *next = &sent[1].message;
    CU_ASSERT_EQUAL(sent[1].dest, b->lp.gid);
    CU_ASSERT_TRUE(same_packet(next, next) && next->kind == NS_SEND && next->id == p->id + 1);
    CU_ASSERT_TRUE(next->from_site == site && next->to_site != site);
    CU_ASSERT_TRUE(next->to_site < m->topology.n_sites && next->to_host < m->layout.hosts);
    b->next_send = *next;
}

static void bench_forward(struct bench *b)
{
    struct step *s = &b->steps[b->depth++];
    s->now_s = b->kp.last_time;
    b->kp.last_time += 2e-6 * random_unit(&seed);
    bool send = b->type->init != NULL && test_random_below(2) == 0;
    s->before = send ? b->next_send : random_arrival(b);
    s->packet = s->before;
    s->bf = (tw_bf){0};
    s->rng_before = b->rng;
    memcpy(s->state_before, b->lp.cur_state, b->type->state_sz);
    n_sent = 0;
    memset(n_traced, 0, sizeof n_traced);
    b->type->event(b->lp.cur_state, &s->bf, &s->packet, &b->lp);
    if (b->type->init == NULL) {
        check_router_sent(b, s);
    } else {
        check_host_sent(b, s);
    }
}

/* Reverse handlers of netsim do not use the time, so that it is arbitrary. */
static void bench_reverse(struct bench *b)
{
    struct step *s = &b->steps[--b->depth];
    b->type->revent(b->lp.cur_state, &s->bf, &s->packet, &b->lp);
    b->kp.last_time = s->now_s;
    CU_ASSERT_EQUAL(memcmp(b->lp.cur_state, s->state_before, b->type->state_sz), 0);
    CU_ASSERT_EQUAL(memcmp(&s->packet, &s->before, sizeof s->packet), 0);
    CU_ASSERT_EQUAL(memcmp(&b->rng, &s->rng_before, sizeof b->rng), 0);
    if (s->before.kind == NS_SEND) {
        b->next_send = s->before;
    }
}

static void lp_exercise(tw_lpid gid, unsigned *drops, unsigned *passed)
{
    static struct bench b;
    bench_init(&b, gid);
    for (int round = 0; round < 3000; round++) {
        if (b.depth < DEPTH && (b.depth == 0 || test_random_below(100) < 55)) {
            bench_forward(&b);
            *drops += b.type->init == NULL && n_sent == 0;
            *passed += n_sent > 0;
        } else {
            bench_reverse(&b);
        }
    }
    bench_fini(&b);
}

/* A few kinds of network: hosts per site, buffer, access. */
static void test_reverse(void)
{
    static const struct {
        unsigned hosts;
        double buffer_bytes;
        double access_rate_bps;
        double access_delay_s;
        double warmup_s;
    } cases[] = {{1, 3000, 3e9, 1e-6, 0},
                 {3, 3000, 1e9, 0, 5e-5},
                 {2, 0, 0, 0, 1e-4},
                 {2, 1e6, 1e8, 1e-3, 0}};
    g_tw_ts_end = 0.0243; /* sent_to_s is between the times of the events */
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ns_settings *s = ns_settings();
        struct model_error error = {""};
        char program[] = "netsim";
        char *argv[] = {program, NULL};
        s->hosts = cases[i].hosts;
        s->buffer_bytes = cases[i].buffer_bytes;
        s->access_rate_bps = cases[i].access_rate_bps;
        s->access_delay_s = cases[i].access_delay_s;
        s->warmup_s = cases[i].warmup_s;
        CU_ASSERT_TRUE_FATAL(ns_settings_check(s, 1, argv, &error));
        CU_ASSERT_TRUE_FATAL(ns_model_init(s, MPI_COMM_WORLD, &error));
        ns_model_fill();
        unsigned drops = 0;
        unsigned passed = 0;
        local_drops = 0;
        for (tw_lpid gid = 0; gid < ns_layout_total(&ns_model()->layout); gid++) {
            lp_exercise(gid, &drops, &passed);
        }
        CU_ASSERT_EQUAL(drops > 0, cases[i].buffer_bytes == 3000);
        CU_ASSERT_EQUAL(local_drops > 0, cases[i].buffer_bytes == 3000);
        CU_ASSERT_TRUE(passed > 1000);
        ns_model_fini();
    }
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {
        {"forwards and back", test_reverse},
    };
    return mpi_suite_run(&argc, &argv, "netsim LPs", tests, sizeof tests / sizeof *tests);
}
