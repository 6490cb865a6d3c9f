/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The engine's stream and hooks. The calls for each position agree with the engine's counters.
 * Committed subscribers get every record under every scheduler. Subscriptions may change during a
 * run. Without subscribers and hooks the engine has no extra calls.
 */
#include "bus/bus.h"
#include "bus/deferred.h"
#include "bus/sources/hooks.h"
#include "engine/pe/pe.h"
#include "format/format.h"
#include "support/engine_seen.h"

#define N_LPS    24u /* divides by 1, 2, 3 and 4 */
#define N_KPS    3u
#define END_TIME 40.0

static st_stream_id stream, sends;
static st_domain *own; /* the model's domain */
static uint64_t own_calls, forward_calls;

/* ---- The model ------------------------------------------------------------------------------- */

static void send(tw_lp *lp)
{
    bool near = tw_rand_unif(lp->rng) < 0.3;
    tw_lpid dest = near ? lp->gid : (tw_lpid)tw_rand_integer(lp->rng, 0, N_LPS - 1);
    tw_event_send(tw_event_new(dest, 0.5 + tw_rand_exponential(lp->rng, 0.5), lp));
}

static void init(void *state, tw_lp *lp)
{
    (void)state;
    send(lp);
    send(lp);
}

static void forward(void *state, tw_bf *bf, void *msg, tw_lp *lp)
{
    (void)state;
    (void)bf;
    forward_calls++;
    ST_HOOK(own, 5, msg, lp);
    send(lp);
}

static void final(void *state, tw_lp *lp)
{
    (void)state;
    (void)lp;
}

/* A function of the PE that sends for an LP. */
static void start(tw_pe *pe)
{
    (void)pe;
    if (g_tw_mynode == 0) {
        tw_event_send(tw_event_new(N_LPS - 1, 0.25, g_tw_lp[0]));
    }
}

static const tw_petype start_type = {.post_lp_init = start};

static tw_lptype model[] = {{.init = init, .event = forward, .final = final, .state_sz = 8}};

static void on_own_hook(const st_hook_context *context, void *arg)
{
    (void)arg;
    own_calls++;
    wrong += context->position != 5 || context->domain != own;
    wrong += context->item == NULL || ((const tw_lp *)context->detail)->gid >= N_LPS;
}

/* ---- Runs ------------------------------------------------------------------------------------ */

static uint64_t n_local;       /* LPs of this rank */
static uint32_t wanted_at_end; /* bits of the probe table after all had been detached */

static bool recording;

static struct tw_counters simulate(MPI_Comm comm, tw_synch synch, void (*listen)(void))
{
    char name[] = "engine", quiet[] = "--quiet", random[] = "--random-rollbacks=2";
    char trace[] = "--event-trace=3", samples[] = "--enable-gvt-stats=1";
    char scratch[] = "--disable-output=1";
    char *args[] = {name, quiet, random, trace, samples, scratch, NULL};
    char **argv = args;
    int argc = recording ? 6 : 3;
    int n_ranks;
    MPI_Comm_size(comm, &n_ranks);
    seen_begin();
    own_calls = forward_calls = 0;
    tw_comm_set(comm);
    g_tw_synchronization_protocol = synch;
    g_tw_ts_end = END_TIME;
    g_tw_lookahead = 0.5;
    g_tw_mblock = 4;
    g_tw_nkp = N_KPS;
    tw_init(&argc, &argv);
    tw_define_lps(N_LPS / (tw_lpid)n_ranks, 8);
    for (tw_lpid i = 0; i < g_tw_nlp; i++) {
        tw_lp_settype(i, &model[0]);
    }
    tw_pe_settype(&start_type);
    st_stream_open(ST_ENGINE_STREAM, 1, 0, &stream);
    st_stream_open(ST_SEND_STREAM, 1, 0, &sends);
    own = st_domain_create("own");
    n_local = g_tw_nlp;
    listen();
    tw_run();
    struct tw_counters counters = *pe_counters(g_tw_pe);
    wanted_at_end = pe_self()->probes.wanted;
    deferred_check(&g_st_deferred);
    hooks_check(&g_st_hooks);
    CU_ASSERT_EQUAL(probe_observer_bytes(), 0);
    tw_end();
    CU_ASSERT_EQUAL(wrong, 0);
    return counters;
}

static void listen_to_all(void)
{
    st_subscribe(stream, ST_ALL_TYPES, ST_SPECULATIVE, on_speculative, NULL);
    st_subscribe(stream, ST_ALL_TYPES, ST_COMMITTED, on_committed, NULL);
    st_subscribe(sends, ST_ALL_TYPES, ST_COMMITTED, on_committed, NULL);
    CU_ASSERT_EQUAL(st_hook_attach(st_domain_pe(), ST_AT_ALL, on_hook, by_pe), ST_OK);
    for (tw_kpid k = 0; k < N_KPS; k++) {
        CU_ASSERT_EQUAL(st_hook_attach(st_domain_kp(k), ST_AT_ALL, on_hook, by_kp), ST_OK);
    }
    for (tw_lpid i = 0; i < N_LPS; i++) {
        CU_ASSERT_EQUAL(st_hook_attach(st_domain_lp(i), ST_AT_ALL, on_hook, by_lp), ST_OK);
    }
    CU_ASSERT_EQUAL(st_hook_attach(own, ST_AT(5), on_own_hook, NULL), ST_OK);
}

/* Checks that hooks get the calls of subscribers, each from its domains. */
static void check_hooks(void)
{
    static const uint64_t without_lp = ST_AT(ST_POS_ROLLBACK_END) | ST_AT(ST_POS_GVT_BEGIN) |
                                       ST_AT(ST_POS_GVT_END) | ST_AT(ST_POS_FOSSILS);
    for (unsigned p = 0; p < ST_POSITIONS; p++) {
        bool has_lp = (without_lp & ST_AT(p)) == 0;
        bool has_kp = has_lp || p == ST_POS_ROLLBACK_END;
        CU_ASSERT_EQUAL(by_pe[p], emitted[p]);
        CU_ASSERT_EQUAL(by_kp[p], has_kp ? emitted[p] : 0);
        CU_ASSERT_EQUAL(by_lp[p], has_lp ? emitted[p] : 0);
    }
    CU_ASSERT_EQUAL(own_calls, forward_calls);
}

static void check_counts(const struct tw_counters *c)
{
    CU_ASSERT_EQUAL(emitted[ST_POS_BEFORE_EVENT], c->events_processed);
    CU_ASSERT_EQUAL(emitted[ST_POS_AFTER_EVENT], c->events_processed);
    CU_ASSERT_EQUAL(emitted[ST_POS_QUEUE_POP], c->events_processed);
    CU_ASSERT_EQUAL(emitted[ST_POS_COMMIT], c->events_committed);
    CU_ASSERT_EQUAL(emitted[ST_POS_UNDO], c->events_rolled_back);
    CU_ASSERT_EQUAL(emitted[ST_POS_STRAGGLER], c->primary_rollbacks);
    CU_ASSERT_EQUAL(emitted[ST_POS_ROLLBACK_END], c->primary_rollbacks + c->secondary_rollbacks);
    CU_ASSERT_EQUAL(undone_by_rollbacks, c->events_rolled_back);
    CU_ASSERT_EQUAL(emitted[ST_POS_RECEIVE] + emitted[ST_POS_ANTI_MESSAGE],
                    c->network_recvs + c->anti_sends);
    CU_ASSERT_EQUAL(emitted[ST_POS_FOSSILS], c->gvt_rounds);
    CU_ASSERT_EQUAL(fossils, c->events_committed);
    CU_ASSERT_EQUAL(emitted[ST_POS_GVT_BEGIN], c->gvt_rounds);
    CU_ASSERT_EQUAL(emitted[ST_POS_GVT_END], c->gvt_rounds); /* the last one, too */
    CU_ASSERT_EQUAL(emitted[ST_POS_LP_INIT], n_local);
    CU_ASSERT_EQUAL(emitted[ST_POS_LP_FINAL], n_local);
    uint64_t pushed = emitted[ST_POS_RECEIVE] + emitted[ST_POS_UNDO] + emitted[ST_POS_SEND];
    CU_ASSERT(emitted[ST_POS_QUEUE_PUSH] <= pushed &&
              emitted[ST_POS_QUEUE_PUSH] + c->network_sends + c->events_aborted >= pushed);
}

/* Checks that each committed event was sent, and each sent one committed. The run ends for lack of
 * events. */
static void check_sends(const struct commit *all, size_t n)
{
    st_event_info *sent = calloc(n + 1, sizeof(*sent));
    st_event_info *came = calloc(n + 1, sizeof(*came));
    size_t n_sent = 0, n_came = 0;
    for (size_t i = 0; i < n; i++) {
        if (all[i].position == ST_POS_SEND) {
            sent[n_sent++] = all[i].info;
        } else if (all[i].position == ST_POS_COMMIT) {
            came[n_came++] = all[i].info;
        }
    }
    CU_ASSERT(n_came > 500);
    CU_ASSERT_EQUAL(n_sent, n_came);
    uint64_t sum[2][4] = {{0}};
    for (size_t i = 0; i < n_sent && i < n_came; i++) {
        const st_event_info *info[2] = {&sent[i], &came[i]};
        for (int k = 0; k < 2; k++) {
            uint64_t bits[2];
            memcpy(bits, &info[k]->send_ts, sizeof(bits));
            sum[k][0] += bits[0] * (info[k]->dest + 1) * 0x9e3779b97f4a7c15u;
            sum[k][1] += bits[1] * (info[k]->src + 1) * 0x9e3779b97f4a7c15u;
            sum[k][2] += info[k]->src;
            sum[k][3] += info[k]->dest;
        }
    }
    CU_ASSERT(memcmp(sum[0], sum[1], sizeof(sum[0])) == 0);
    free(sent);
    free(came);
}

static void test_counts(void)
{
    size_t n_want, n;
    struct tw_counters c = simulate(MPI_COMM_SELF, SEQUENTIAL, listen_to_all);
    check_counts(&c);
    check_hooks();
    struct commit *want = gather(MPI_COMM_SELF, &n_want);
    check_sends(want, n_want);
    uint64_t undone = 0;
    for (int synch = CONSERVATIVE; synch <= OPTIMISTIC; synch++) {
        c = simulate(MPI_COMM_WORLD, (tw_synch)synch, listen_to_all);
        check_counts(&c);
        check_hooks();
        struct commit *all = gather(MPI_COMM_WORLD, &n);
        CU_ASSERT_EQUAL_FATAL(n, n_want);
        CU_ASSERT(memcmp(all, want, n * sizeof(*all)) == 0);
        free(all);
        undone = c.events_rolled_back;
    }
    free(want);
    MPI_Allreduce(MPI_IN_PLACE, &undone, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    CU_ASSERT(undone > 50);
}

static void listen_to_nothing(void)
{
    for (unsigned p = 0; p < ST_POSITIONS; p++) {
        st_type type = st_engine_type((st_position)p);
        bool offered = p == ST_POS_COMMIT || p == ST_POS_GVT_END || p == ST_POS_LP_INIT ||
                       p == ST_POS_LP_FINAL;
        CU_ASSERT_EQUAL(st_subscribe(stream, type, ST_COMMITTED, on_committed, NULL),
                        offered ? ST_OK : ST_INVALID);
        CU_ASSERT_EQUAL(st_unsubscribe(stream, type, ST_COMMITTED, on_committed, NULL),
                        offered ? ST_OK : ST_NOT_FOUND);
    }
    st_result result = st_hook_attach(st_domain_pe(), ST_AT_ALL, on_hook, by_pe);
    CU_ASSERT_EQUAL(result, ST_OK);
    st_subscribe(stream, ST_ALL_TYPES, ST_COMMITTED, on_committed, NULL);
    CU_ASSERT_EQUAL(st_hook_detach(st_domain_pe(), on_hook, by_pe), ST_OK);
    st_unsubscribe(stream, ST_ALL_TYPES, ST_COMMITTED, on_committed, NULL);
}

static void test_nothing(void)
{
    simulate(MPI_COMM_WORLD, OPTIMISTIC, listen_to_nothing);
    CU_ASSERT_EQUAL(wanted_at_end & ~PROBE_ENGINE_HISTORY, 0);
    CU_ASSERT_EQUAL(n_commits, 0);
    CU_ASSERT_EQUAL(own_calls, 0);
}

/* A hook that adds and removes subscribers and hooks continually. */
static void change_all(const st_hook_context *context, void *arg)
{
    static uint64_t random = 7;
    (void)arg;
    (void)context;
    st_class records = random_below(&random, 2) == 0 ? ST_SPECULATIVE : ST_COMMITTED;
    st_callback callback = records == ST_COMMITTED ? on_committed : on_speculative;
    st_domain *domain = random_below(&random, 2) == 0 ? st_domain_pe() : st_domain_lp(3);
    uint64_t positions = random_bits(&random) | 1;
    switch (random_below(&random, 4)) {
    case 0:
        st_subscribe(stream, ST_ALL_TYPES, records, callback, NULL);
        break;
    case 1:
        st_unsubscribe(stream, ST_ALL_TYPES, records, callback, NULL);
        break;
    case 2:
        st_hook_attach(domain, positions, on_hook, by_pe);
        break;
    default:
        st_hook_detach(domain, on_hook, by_pe);
    }
    hooks_check(&g_st_hooks);
}

static void listen_to_change(void)
{
    st_hook_attach(st_domain_pe(), ST_AT(ST_POS_BEFORE_EVENT) | ST_AT(ST_POS_COMMIT), change_all,
                   NULL);
}

static void test_come_and_go(void)
{
    struct tw_counters c = simulate(MPI_COMM_WORLD, OPTIMISTIC, listen_to_change);
    CU_ASSERT(c.events_committed > 0);
    CU_ASSERT(n_commits > 10 && by_pe[ST_POS_AFTER_EVENT] > 10 && emitted[ST_POS_SEND] > 10);
}

/* ---- Rows ------------------------------------------------------------------------------------ */

static uint64_t traced, samples;

static void on_trace(const st_record *record, void *arg)
{
    const struct fmt_event_row *row = record->data;
    (void)arg;
    traced++;
    wrong += record->type != st_row_type(FMT_RECORD_EVENT) || record->size != sizeof(*row);
    wrong += row->dest_lp != record->lp || row->recv_ts < record->ts || row->recv_ts > record->ts;
}

static void on_sample(const st_record *record, void *arg)
{
    (void)arg;
    samples++;
    wrong += record->type != st_row_type(FMT_RECORD_GVT_PE);
}

static void listen_to_rows(void)
{
    st_stream_id rows;
    st_stream_open(ST_TRACE_STREAM, 1, 0, &rows);
    st_subscribe(rows, ST_ALL_TYPES, ST_COMMITTED, on_trace, NULL);
    st_stream_open(ST_SAMPLE_STREAM, 1, 0, &rows);
    st_subscribe(rows, ST_ALL_TYPES, ST_COMMITTED, on_sample, NULL);
    traced = samples = 0;
}

/* Recorded rows are also emitted as records. */
static void test_rows(void)
{
    recording = true;
    struct tw_counters c = simulate(MPI_COMM_WORLD, OPTIMISTIC, listen_to_rows);
    CU_ASSERT_EQUAL(traced, c.events_committed);
    CU_ASSERT(samples > 0 && samples <= c.gvt_rounds + 1);
    recording = false;
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {
        {"each position", test_counts},
        {"nothing attached", test_nothing},
        {"listeners come and go", test_come_and_go},
        {"rows", test_rows},
    };
    MPI_Init(&argc, &argv);
    int status = suite_run("bus/engine_stream", tests, sizeof(tests) / sizeof(tests[0]));
    free(commits);
    MPI_Finalize();
    return status;
}
