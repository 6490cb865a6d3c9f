/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Committed subscribers get equal records under every scheduler and for any number of ranks. So do
 * speculative subscribers, less the withdrawn records.
 *
 * A model whose LPs emit in init, event, commit and final handlers runs sequentially on each rank
 * alone, then on all ranks together. Some records are beginnings and ends of visits of points. Each
 * run's records, sorted, are compared line by line.
 */
#include "bus/deferred.h"
#include "engine/pe/pe.h"
#include "st.h"
#include "support/suite.h"
#include "support/text_lines.h"

#define N_LPS    24u /* divides by 1, 2, 3 and 4 */
#define END_TIME 30.0

static struct lines committed, speculative;
static st_stream_id streams[2];
static uint64_t undone_calls, undone_records;

/* ---- The model ------------------------------------------------------------------------------- */

struct state {
    uint64_t events;
    uint64_t visit; /* begun by an earlier event; 0: none */
};

struct message {
    uint64_t hops;
};

struct payload {
    uint64_t events;
    uint64_t filler[20];
};

static void emit(const struct state *s, unsigned which, st_type type, unsigned words)
{
    struct payload payload = {.events = s->events};
    for (unsigned i = 0; i < words; i++) {
        payload.filler[i] = s->events * i;
    }
    ST_NOTIFY(streams[which], type, ST_POINT(), &payload, 8 + 8 * words);
}

/* Visits of points: an event begins and ends one, and begins another one that a later event
 * ends. */
static void visit(struct state *s, const st_point *parent)
{
    uint64_t data = s->events;
    ST_SCOPE_DATA(streams[1], ST_REGION, parent, ST_POINT(), &data, sizeof data);
    if (s->visit == 0) {
        ST_NOTIFY_INSTANCE(streams[0], ST_WAIT, parent, ST_POINT(), &s->visit, &data, 8);
    } else {
        ST_NOTIFY_INSTANCE(streams[0], ST_WAIT_END, NULL, ST_POINT(), &s->visit, &data, 8);
        s->visit = 0;
    }
    emit(s, 1, ST_LOCK, (unsigned)(data % 3));
    data += 7; /* in the record of the end */
}

static void send(tw_lp *lp, uint64_t hops)
{
    tw_lpid dest =
        tw_rand_unif(lp->rng) < 0.7 ? (tw_lpid)tw_rand_integer(lp->rng, 0, N_LPS - 1) : lp->gid;
    tw_event *e = tw_event_new(dest, 0.5 + tw_rand_exponential(lp->rng, 0.5), lp);
    ((struct message *)tw_event_data(e))->hops = hops + 1;
    tw_event_send(e);
}

static void init(void *state, tw_lp *lp)
{
    struct state *s = state;
    s->events = lp->gid;
    emit(s, 0, ST_GRAPH, 1);
    send(lp, 0);
    send(lp, 0);
}

static void forward(void *state, tw_bf *bf, void *msg, tw_lp *lp)
{
    struct state *s = state;
    const struct message *m = msg;
    (void)bf;
    s->events = s->events * 7 + m->hops;
    for (uint64_t i = 0; i < s->events % 4; i++) {
        emit(s, (unsigned)(i & 1), s->events % 3 == 0 ? ST_NODE : ST_EDGE,
             (unsigned)(s->events % 20));
    }
    if (s->events % 2 == 0) {
        visit(s, s->events % 4 == 0 ? ST_POINT() : NULL);
    }
    send(lp, m->hops);
}

static void commit(void *state, tw_bf *bf, void *msg, tw_lp *lp)
{
    const struct message *m = msg;
    (void)state;
    (void)bf;
    (void)lp;
    if (m->hops % 5 == 0) {
        ST_SCOPE(streams[1], ST_TRANSFER, ST_POINT());
        ST_NOTIFY(streams[1], ST_SIGNAL, NULL, &m->hops, sizeof(m->hops));
    }
}

static void final(void *state, tw_lp *lp)
{
    (void)lp;
    emit(state, 0, ST_GRAPH_END, 0);
}

static tw_lptype model[] = {{.init = init,
                             .event = forward,
                             .commit = commit,
                             .final = final,
                             .state_sz = sizeof(struct state)}};

/* ---- Logs ------------------------------------------------------------------------------------ */

/* Sorts by time, LP and number when sorted as text. */
static void line_of(char *line, const st_record *r)
{
    uint64_t first = 0;
    memcpy(&first, r->size == 0 ? "" : r->data, r->size < 8 ? r->size : 8);
    snprintf(line, TEXT_MAX, "%024.12f %04llu %016llu %-10s %3u %5u %20llu %17llu %u", r->ts,
             (unsigned long long)r->lp, (unsigned long long)r->number, st_stream_name(r->stream),
             r->type, r->size, (unsigned long long)first, (unsigned long long)r->instance,
             r->parent == NULL ? 0 : r->parent->line);
}

static uint64_t unpaired; /* records with an unexpected instance */

/* A beginning has its own number. An end has the beginning's number, which is less. Other records
 * have none. */
static void check_instance(const st_record *r)
{
    const st_type begin = r->type & (st_type)~1u;
    const bool is_visit = begin == ST_WAIT || begin == ST_TRANSFER || begin == ST_REGION;
    const bool is_begin = (r->type & 1u) == 0;
    unpaired += !is_visit  ? r->instance != 0
                : is_begin ? r->instance != r->number
                           : r->instance == 0 || r->instance >= r->number;
}

static void on_committed(const st_record *record, void *arg)
{
    char line[TEXT_MAX];
    (void)arg;
    check_instance(record);
    line_of(line, record);
    lines_add(&committed, line);
}

/* Removes the latest lines of the LP and stream. */
static void on_undone(const st_undone *undone, const char *stream)
{
    char place[16];
    snprintf(place, sizeof(place), " %04llu ", (unsigned long long)undone->lp);
    undone_calls++;
    undone_records += undone->n;
    uint64_t left = undone->n;
    for (size_t i = speculative.n; i-- > 0 && left > 0;) {
        char *line = speculative.text[i];
        if (memcmp(line + 24, place, 6) == 0 && memcmp(line + 47, stream, 8) == 0) {
            uint64_t number = strtoull(line + 30, NULL, 10);
            if (number > ST_NUMBER_SETTLED) {
                continue; /* a commit handler's */
            }
            CU_ASSERT(number == undone->first + left - 1);
            memmove(line, line + TEXT_MAX, (speculative.n - i - 1) * TEXT_MAX);
            speculative.n--;
            left--;
        }
    }
    CU_ASSERT_EQUAL(left, 0);
}

static void on_speculative(const st_record *record, void *arg)
{
    char line[TEXT_MAX];
    (void)arg;
    if (record->type == ST_ROLLBACK) {
        on_undone(record->data, st_stream_name(record->stream));
        return;
    }
    line_of(line, record);
    lines_add(&speculative, line);
}

/* Returns true if the log is in order within the rank. Ties are in the engine's order. */
static bool is_in_order(const struct lines *lines)
{
    for (size_t i = 1; i < lines->n; i++) {
        if (memcmp(lines->text[i - 1], lines->text[i], 24) > 0) {
            return false;
        }
    }
    return true;
}

/* ---- Runs ------------------------------------------------------------------------------------ */

static void subscribe(bool listen_to_undone)
{
    st_stream_open("first   ", 1, 0, &streams[0]);
    st_stream_open("second  ", 1, 0, &streams[1]);
    for (unsigned i = 0; i < 2; i++) {
        CU_ASSERT_EQUAL(st_subscribe(streams[i], ST_ALL_TYPES, ST_COMMITTED, on_committed, NULL),
                        ST_OK);
        if (listen_to_undone) {
            st_subscribe(streams[i], ST_ALL_TYPES, ST_SPECULATIVE, on_speculative, NULL);
        }
    }
}

static unsigned memory_bytes = 64u << 20;

static void simulate(MPI_Comm comm, tw_synch synch, tw_kpid n_kps, const char *option)
{
    char name[] = "held", quiet[] = "--quiet", memory[64], more[64];
    snprintf(more, sizeof(more), "%s", option == NULL ? quiet : option);
    snprintf(memory, sizeof(memory), "--observer-memory=%u", memory_bytes);
    char *args[] = {name, quiet, memory, more, NULL};
    char **argv = args;
    int argc = 4;
    int n_ranks;
    MPI_Comm_size(comm, &n_ranks);
    lines_free(&committed);
    lines_free(&speculative);
    undone_calls = 0;
    undone_records = 0;
    tw_comm_set(comm);
    g_tw_synchronization_protocol = synch;
    g_tw_ts_end = END_TIME;
    g_tw_lookahead = 0.5;
    g_tw_mblock = 4;
    g_tw_nkp = n_kps;
    tw_init(&argc, &argv);
    tw_define_lps(N_LPS / (tw_lpid)n_ranks, sizeof(struct message));
    for (tw_lpid i = 0; i < g_tw_nlp; i++) {
        tw_lp_settype(i, &model[0]);
    }
    subscribe(true);
    tw_run();
    CU_ASSERT_EQUAL(deferred_check(&g_st_deferred), 0);
    CU_ASSERT_EQUAL(probe_observer_bytes(), 0);
    CU_ASSERT_EQUAL(g_st_deferred.lost, 0);
    tw_end();
    CU_ASSERT(is_in_order(&committed));
}

static struct lines reference;

static void compare_with_reference(const char *what)
{
    struct lines all = lines_gather(&committed);
    CU_ASSERT_EQUAL(lines_differ(what, &reference, &all), 0);
    lines_free(&all);
}

/* Compares the rest of the speculative log with the committed one, numbers included. */
static void compare_speculative(void)
{
    struct lines a = lines_copy(&committed);
    struct lines b = lines_copy(&speculative);
    lines_sort(&a);
    lines_sort(&b);
    CU_ASSERT_EQUAL(lines_differ("speculative", &a, &b), 0);
    lines_free(&a);
    lines_free(&b);
}

static void test_reference(void)
{
    simulate(MPI_COMM_SELF, SEQUENTIAL, 4, NULL);
    CU_ASSERT(committed.n > 1000);
    CU_ASSERT_EQUAL(undone_calls, 0);
    compare_speculative();
    CU_ASSERT_EQUAL(unpaired, 0);
    lines_sort(&committed);
    reference = committed;
    committed = (struct lines){0};
}

static void test_conservative(void)
{
    simulate(MPI_COMM_WORLD, CONSERVATIVE, 3, NULL);
    compare_with_reference("conservative");
    compare_speculative();
}

static void test_optimistic(void)
{
    for (tw_kpid n_kps = 1; n_kps <= 6; n_kps += 5) {
        simulate(MPI_COMM_WORLD, OPTIMISTIC, n_kps, NULL);
        compare_with_reference("optimistic");
        compare_speculative();
    }
}

static void test_random_rollbacks(void)
{
    uint64_t undone = 0;
    simulate(MPI_COMM_WORLD, OPTIMISTIC, 3, "--random-rollbacks=1");
    compare_with_reference("random rollbacks");
    compare_speculative();
    undone = undone_records;
    MPI_Allreduce(MPI_IN_PLACE, &undone, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    CU_ASSERT(undone > 100);
}

/* With very little memory for deferred records the run continues and loses nothing. */
static void test_little_memory(void)
{
    memory_bytes = 5000;
    simulate(MPI_COMM_WORLD, OPTIMISTIC, 3, NULL);
    compare_with_reference("little memory");
    memory_bytes = 64u << 20;
}

static void test_end(void)
{
    lines_free(&reference);
    lines_free(&committed);
    lines_free(&speculative);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {
        {"sequential, on each rank", test_reference},
        {"conservative", test_conservative},
        {"optimistic", test_optimistic},
        {"random rollbacks", test_random_rollbacks},
        {"little memory", test_little_memory},
        {"the end", test_end},
    };
    MPI_Init(&argc, &argv);
    int status = suite_run("bus/deferred on ranks", tests, sizeof(tests) / sizeof(tests[0]));
    MPI_Finalize();
    return status;
}
