/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A single subscriber to commits has a delivery path of its own. It is called once for each commit,
 * in the order of events, and guarded by its name, while other subscriptions change.
 *
 * test: ranks=1,2
 */
#include "bus/bus.h"
#include "bus/deferred.h"
#include "bus/state.h"
#include "engine/pe/pe.h"
#include "support/suite.h"

#define N_LPS       24u
#define END_TIME    300.0
#define MANY        4500u /* commits; some of them are beyond the checked ones */
#define ANSWER      1
#define WORD        2
#define WORD_ONE_IN 50 /* events */

static st_stream_id engine, answers, words;
static st_type commit_type;

/* Observations on this rank. */
static struct seen {
    uint64_t commits, late, answers, words, unguarded, unchecked, wrong;
    uint64_t numbers[N_LPS]; /* the last of each LP */
    tw_stime last_ts;
} seen;
static uint64_t events;    /* executed */
static uint64_t late_from; /* number of commits when the second subscriber was added */

/* ---- The model ------------------------------------------------------------------------------- */

static void send(tw_lp *lp)
{
    tw_lpid dest = (tw_lpid)tw_rand_integer(lp->rng, 0, N_LPS - 1);
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
    (void)msg;
    if (++events % WORD_ONE_IN == 0) {
        st_notify(words, WORD, NULL, &lp->gid, sizeof lp->gid);
    }
    send(lp);
}

static void reverse(void *state, tw_bf *bf, void *msg, tw_lp *lp)
{
    (void)state;
    (void)bf;
    (void)msg;
    tw_rand_reverse_unif(lp->rng);
    tw_rand_reverse_unif(lp->rng);
}

static tw_lptype model[] = {{.init = init, .event = forward, .revent = reverse, .state_sz = 8}};

static struct tw_counters simulate(tw_synch synch, void (*listen)(void))
{
    char name[] = "listener", quiet[] = "--quiet";
    char *args[] = {name, quiet, NULL};
    char **argv = args;
    int argc = 2;
    int n_ranks;
    MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
    seen = (struct seen){.last_ts = -1.0};
    events = late_from = 0;
    g_tw_synchronization_protocol = synch;
    g_tw_ts_end = END_TIME;
    g_tw_lookahead = 0.5;
    g_tw_mblock = 4;
    tw_init(&argc, &argv);
    tw_define_lps(N_LPS / (tw_lpid)n_ranks, 8);
    for (tw_lpid i = 0; i < g_tw_nlp; i++) {
        tw_lp_settype(i, &model[0]);
    }
    st_stream_open(ST_ENGINE_STREAM, 1, 0, &engine);
    st_stream_open("answers", 1, 0, &answers);
    st_stream_open("words", 1, 0, &words);
    commit_type = st_engine_type(ST_POS_COMMIT);
    listen();
    tw_run();
    struct tw_counters counters = *pe_counters(g_tw_pe);
    deferred_check(&g_st_deferred);
    CU_ASSERT_EQUAL(pe_self()->guard.depth, 0);
    CU_ASSERT_PTR_NULL(pe_self()->guard.commit.observer);
    CU_ASSERT_EQUAL(pe_self()->dest_end, N_LPS);
    CU_ASSERT_EQUAL(g_st_bus.dispatching.depth, 0);
    CU_ASSERT_PTR_NULL(g_st_bus.dispatching.retired);
    CU_ASSERT_PTR_NULL(g_st_deferred.answer.answered);
    tw_end();
    CU_ASSERT_EQUAL(seen.wrong, 0);
    CU_ASSERT_EQUAL(seen.unguarded, 0);
    return counters;
}

/* ---- Listeners ------------------------------------------------------------------------------- */

static void look(const st_record *record)
{
    const struct guard *guard = &pe_self()->guard;
    seen.wrong += record->stream != engine || record->type != commit_type ||
                  record->ts < seen.last_ts || record->lp >= N_LPS;
    seen.wrong += ++seen.numbers[record->lp] != record->number;
    seen.last_ts = record->ts;
    seen.wrong += g_st_bus.dispatching.depth != 1;
    seen.unguarded += !probe_is_guarded();
    seen.unchecked += guard->depth == 0 && guard->commit.observer != NULL;
    seen.commits++;
}

static void on_commit(const st_record *record, void *arg)
{
    (void)arg;
    look(record);
}

static void listen_alone(void)
{
    st_subscribe(engine, commit_type, ST_COMMITTED, on_commit, NULL);
}

/* A record of a handler is no answer, even between the deliveries of commits. */
static void on_word(const st_record *record, void *arg)
{
    tw_lpid gid;
    (void)arg;
    memcpy(&gid, record->data, sizeof gid);
    seen.words++;
    seen.wrong += gid != record->lp;
}

static void listen_to_words(void)
{
    listen_alone();
    st_subscribe(words, WORD, ST_COMMITTED, on_word, NULL);
}

static void test_words(void)
{
    int n_ranks;
    MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
    struct tw_counters c = simulate(n_ranks == 1 ? SEQUENTIAL : CONSERVATIVE, listen_to_words);
    CU_ASSERT_EQUAL(seen.commits, c.events_committed);
    CU_ASSERT_EQUAL(seen.words, c.events_committed / WORD_ONE_IN);
    CU_ASSERT(seen.unchecked > 0);
}

static void test_alone(void)
{
    static const tw_synch synchs[] = {SEQUENTIAL, OPTIMISTIC, CONSERVATIVE};
    for (size_t i = 0; i < sizeof synchs / sizeof *synchs; i++) {
        int n_ranks;
        MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
        if (n_ranks > 1 && synchs[i] == SEQUENTIAL) {
            continue;
        }
        struct tw_counters c = simulate(synchs[i], listen_alone);
        CU_ASSERT_EQUAL(seen.commits, c.events_committed);
        CU_ASSERT(seen.commits > MANY && seen.unchecked > seen.commits - MANY);
    }
}

static void on_answer(const st_record *record, void *arg)
{
    uint64_t count;
    (void)arg;
    memcpy(&count, record->data, sizeof count);
    seen.answers++;
    const struct guard *guard = &pe_self()->guard;
    seen.wrong += count != seen.commits || guard->depth == 0;
    bool outer_is_checked = guard->commit.observer == NULL && guard->level[0].lp != NULL;
    seen.wrong += outer_is_checked && guard->level[1].lp == NULL;
}

/* Answers each commit, and every third one twice. Subscribers to the answers are called within this
 * call. */
static void answer(const st_record *record, void *arg)
{
    const char *observer = pe_self()->guard.commit.observer;
    (void)arg;
    look(record);
    uint64_t count = seen.commits;
    for (unsigned n = count % 3 == 0 ? 2 : 1; n > 0; n--) {
        st_notify(answers, ANSWER, NULL, &count, sizeof count);
    }
    seen.wrong += pe_self()->guard.commit.observer != observer || seen.answers != count + count / 3;
    seen.unguarded += !probe_is_guarded();
}

static void listen_and_answer(void)
{
    st_subscribe(engine, commit_type, ST_COMMITTED, answer, NULL);
    st_subscribe(answers, ST_ALL_TYPES, ST_COMMITTED, on_answer, NULL);
}

static void test_answers(void)
{
    struct tw_counters c = simulate(OPTIMISTIC, listen_and_answer);
    CU_ASSERT_EQUAL(seen.commits, c.events_committed);
    CU_ASSERT_EQUAL(seen.answers, c.events_committed + c.events_committed / 3);
    CU_ASSERT(seen.unchecked > 0);
}

/* Adds another subscriber late, which later remains alone. */
static void on_late(const st_record *record, void *arg)
{
    (void)arg;
    if (seen.late++ == 0) {
        seen.wrong += seen.commits != late_from;
    }
    look(record);
}

static void hand_over(const st_record *record, void *arg)
{
    look(record);
    if (seen.commits == MANY + 100) {
        late_from = seen.commits;
        CU_ASSERT_EQUAL(st_subscribe(engine, commit_type, ST_COMMITTED, on_late, NULL), ST_OK);
        CU_ASSERT_EQUAL(st_unsubscribe(engine, commit_type, ST_COMMITTED, hand_over, arg), ST_OK);
    }
}

static void listen_and_hand_over(void)
{
    st_subscribe(engine, commit_type, ST_COMMITTED, hand_over, NULL);
}

static void test_hand_over(void)
{
    struct tw_counters c = simulate(OPTIMISTIC, listen_and_hand_over);
    CU_ASSERT_EQUAL(late_from, MANY + 100);
    CU_ASSERT_EQUAL(seen.commits, c.events_committed);
    CU_ASSERT_EQUAL(seen.late, c.events_committed - late_from);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {
        {"alone", test_alone},
        {"words of handlers", test_words},
        {"answers", test_answers},
        {"hands over", test_hand_over},
    };
    MPI_Init(&argc, &argv);
    int status = suite_run("bus/commit_listener", tests, sizeof tests / sizeof *tests);
    MPI_Finalize();
    return status;
}
