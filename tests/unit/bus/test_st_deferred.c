/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Times of delivery: random emissions, rollbacks, commits and changes of subscriptions, against
 * lists of the records that each subscriber must get.
 *
 * test: alone=yes
 */
#include "support/deferred_seen.h"
#include "support/suite.h"

#define N_LPS     12u
#define N_STREAMS 3u
#define N_SUBS    (N_STREAMS * 2 * 2) /* all types or one, of both classes */
#define LOG_MAX   4096u
#define RECORDS   24u /* of one event, at most */
#define EVENTS    64u /* uncommitted ones of a KP */

struct subscriber {
    st_stream_id stream;
    st_type type;
    st_class records;
    bool on;
    struct seen want[LOG_MAX], got[LOG_MAX];
    size_t n_want, n_got;
};

struct emission {
    struct seen seen;
    bool kept; /* stored with its data, for committed subscribers */
};

struct executed {
    struct fake_event event;
    struct emission records[RECORDS];
    unsigned n;
    bool reports_undone; /* a rollback must be reported */
};

static struct subscriber subs[N_SUBS];
static struct subscriber undo_log; /* calls of deferred_on_undo() functions */
static st_stream_id streams[N_STREAMS];
static struct executed kps[4][EVENTS];
static unsigned old[4], young[4]; /* kps[k][old .. young), both modulo EVENTS */
static uint64_t emitted[N_LPS][N_STREAMS], settled[N_LPS][N_STREAMS];
static double kp_ts[4];
static unsigned wrong_guards;

static void log_add(struct seen *log, size_t *n, const struct seen *seen)
{
    if (*n < LOG_MAX) {
        log[(*n)++] = *seen;
    }
}

static void on_record(const st_record *record, void *arg)
{
    struct subscriber *s = arg;
    struct seen seen = seen_of(record);
    wrong_guards += fake.observer_depth != 1 || ((uintptr_t)record->data & 7u) != 0;
    log_add(s->got, &s->n_got, &seen);
}

static void on_undo(void *ctx, const st_record *record)
{
    struct subscriber *s = ctx;
    struct seen seen = seen_of(record);
    log_add(s->got, &s->n_got, &seen);
}

/* ---- The naive model ------------------------------------------------------------------------- */

static bool wants(const struct subscriber *s, st_stream_id stream, st_type type, st_class records)
{
    return s->on && s->stream == stream && s->records == records &&
           (s->type == ST_ALL_TYPES || s->type == type);
}

static bool anybody(st_stream_id stream, st_type type, st_class records)
{
    bool any = false;
    for (unsigned i = 0; i < N_SUBS; i++) {
        any = any || wants(&subs[i], stream, type, records);
    }
    return any;
}

/* Returns true if the type counts: all types do if any subscriber listens to one of them. */
static bool counts(const struct seen *seen)
{
    bool any = false;
    for (unsigned i = 0; i < N_SUBS; i++) {
        any = any || (subs[i].on && subs[i].stream == seen->stream);
    }
    return any;
}

static unsigned stream_index(const struct seen *seen)
{
    unsigned i = 0;
    while (streams[i] != seen->stream) {
        i++;
    }
    return i;
}

static void expect(const struct seen *seen, st_class records)
{
    for (unsigned i = 0; i < N_SUBS; i++) {
        if (wants(&subs[i], seen->stream, seen->type, records)) {
            log_add(subs[i].want, &subs[i].n_want, seen);
        }
    }
}

static unsigned differences(struct subscriber *s)
{
    unsigned bad = s->n_want != s->n_got;
    for (size_t i = 0; i < s->n_want && i < s->n_got; i++) {
        const struct seen *a = &s->want[i];
        const struct seen *b = &s->got[i];
        bad += a->stream != b->stream || a->type != b->type || a->size != b->size ||
               a->sum != b->sum || a->lp != b->lp || a->number != b->number || a->ts < b->ts ||
               a->ts > b->ts;
    }
    s->n_want = 0;
    s->n_got = 0;
    return bad;
}

static unsigned all_differences(void)
{
    unsigned bad = differences(&undo_log);
    for (unsigned i = 0; i < N_SUBS; i++) {
        bad += differences(&subs[i]);
    }
    return bad;
}

/* ---- Actions --------------------------------------------------------------------------------- */

/* Emits a random record. Returns its expected form. */
static struct seen notify(uint64_t *random, const tw_lp *lp, double ts)
{
    static unsigned char data[66000];
    static const uint32_t sizes[] = {0, 1, 8, 13, 24, 100, 1000, 5000};
    uint32_t size = sizes[random_below(random, 8)];
    size = random_below(random, 300) == 0 ? 65536 : size;
    unsigned offset = (unsigned)random_below(random, 9);
    for (uint32_t i = 0; i < size && i < 16; i++) {
        data[offset + i] = (unsigned char)random_bits(random);
    }
    struct seen seen = {.stream = streams[random_below(random, N_STREAMS)],
                        .type = random_below(random, 2) == 0 ? ST_NODE : ST_EDGE,
                        .size = size,
                        .sum = sum_of(data + offset, size),
                        .lp = lp->gid,
                        .ts = ts};
    st_notify(seen.stream, seen.type, NULL, data + offset, size);
    return seen;
}

static void execute(uint64_t *random)
{
    tw_lpid lp = random_below(random, N_LPS);
    unsigned k = (unsigned)(lp % 4);
    if (young[k] - old[k] == EVENTS) {
        return;
    }
    struct executed *e = &kps[k][young[k]++ % EVENTS];
    e->n = 0;
    e->reports_undone = false;
    kp_ts[k] += random_unit(random);
    fake_event_init(&e->event, 0, lp, 0.0, kp_ts[k], NULL);
    fake_enter(PROBE_IN_EVENT, &e->event);
    unsigned n = random_below(random, 3) == 0 ? (unsigned)random_below(random, RECORDS) : 0;
    for (unsigned i = 0; i < n; i++) {
        struct seen seen = notify(random, e->event.view.dest_lp, kp_ts[k]);
        bool speculative = anybody(seen.stream, seen.type, ST_SPECULATIVE);
        bool kept = anybody(seen.stream, seen.type, ST_COMMITTED);
        bool listens = undo_log.on && seen.stream == streams[0];
        if (counts(&seen)) {
            seen.number = ++emitted[lp][stream_index(&seen)];
            expect(&seen, ST_SPECULATIVE);
            e->records[e->n++] = (struct emission){seen, kept || listens};
            e->reports_undone = e->reports_undone || speculative || listens;
        }
    }
    fake_execute(&e->event);
    fake_leave();
}

/* One notice for consecutive records of a stream, the youngest records first. */
static void expect_undone(const struct executed *e)
{
    for (unsigned end = e->n; end > 0;) {
        unsigned begin = end;
        while (begin > 0 && e->records[begin - 1].seen.stream == e->records[end - 1].seen.stream) {
            begin--;
        }
        struct seen first = e->records[begin].seen;
        st_undone undone = {first.lp, first.number, end - begin};
        struct seen seen = {.stream = first.stream,
                            .type = ST_ROLLBACK,
                            .size = sizeof(undone),
                            .sum = sum_of(&undone, sizeof(undone)),
                            .lp = first.lp,
                            .ts = first.ts,
                            .number = first.number};
        expect(&seen, ST_SPECULATIVE);
        end = begin;
    }
}

static void undo(unsigned k, uint64_t *random)
{
    if (young[k] == old[k]) {
        return;
    }
    struct executed *e = &kps[k][--young[k] % EVENTS];
    fake_enter(PROBE_IN_REVERSE, &e->event);
    notify(random, e->event.view.dest_lp,
           e->event.view.recv_ts); /* no effect in a reverse handler */
    fake_undo(&e->event);
    fake_leave();
    for (unsigned i = e->n; i-- > 0;) {
        const struct seen *seen = &e->records[i].seen;
        emitted[e->event.view.dest_lp->id][stream_index(seen)]--;
        if (undo_log.on && seen->stream == streams[0]) {
            log_add(undo_log.want, &undo_log.n_want, seen);
        }
    }
    if (e->reports_undone) {
        expect_undone(e);
    }
}

/* Commits an event, with or without a commit handler that emits. */
static void commit(unsigned k, uint64_t *random)
{
    if (young[k] == old[k]) {
        return;
    }
    struct executed *e = &kps[k][old[k]++ % EVENTS];
    tw_lp *lp = e->event.view.dest_lp;
    fake_enter(PROBE_IN_COMMIT, &e->event);
    bool emits = random_below(random, 4) == 0;
    for (unsigned i = 0; i < e->n; i++) {
        if (e->records[i].kept) {
            expect(&e->records[i].seen, ST_COMMITTED);
        }
    }
    if (emits) {
        struct seen seen = notify(random, lp, e->event.view.recv_ts);
        settled[lp->id][stream_index(&seen)] += counts(&seen);
        seen.number = ST_NUMBER_SETTLED + settled[lp->id][stream_index(&seen)];
        expect(&seen, ST_SPECULATIVE);
        expect(&seen, ST_COMMITTED);
    }
    fake_commit(&e->event);
    fake_leave();
}

static void toggle(struct subscriber *s)
{
    st_result result = s->on ? st_unsubscribe(s->stream, s->type, s->records, on_record, s)
                             : st_subscribe(s->stream, s->type, s->records, on_record, s);
    CU_ASSERT(result == ST_OK || result == ST_RESTORED);
    s->on = !s->on;
}

/* ---- Tests ----------------------------------------------------------------------------------- */

static void begin(bool undo_listener)
{
    fake_begin(N_LPS);
    CU_ASSERT_EQUAL_FATAL(fake_setup(), TW_OK);
    for (unsigned i = 0; i < N_STREAMS; i++) {
        char name[20];
        snprintf(name, sizeof(name), "stream %u", i);
        st_stream_open(name, 1, 0, &streams[i]);
    }
    for (unsigned i = 0; i < N_SUBS; i++) {
        subs[i] = (struct subscriber){.stream = streams[i / 4],
                                      .type = i / 2 % 2 == 0 ? (st_type)ST_ALL_TYPES : ST_NODE,
                                      .records = i % 2 == 0 ? ST_SPECULATIVE : ST_COMMITTED};
    }
    undo_log = (struct subscriber){.on = undo_listener};
    if (undo_listener) {
        deferred_on_undo(streams[0], on_undo, &undo_log);
    }
    memset(old, 0, sizeof(old));
    memset(young, 0, sizeof(young));
    memset(emitted, 0, sizeof(emitted));
    memset(settled, 0, sizeof(settled));
    memset(kp_ts, 0, sizeof(kp_ts));
    wrong_guards = 0;
    fake_leave();
}

/* Without subscribers and deferred records there are no probes and no memory in use. */
static void end(uint64_t *random)
{
    for (unsigned k = 0; k < 4; k++) {
        while (young[k] != old[k]) {
            commit(k, random);
        }
    }
    CU_ASSERT_EQUAL(all_differences(), 0);
    for (unsigned i = 0; i < N_SUBS; i++) {
        if (subs[i].on) {
            toggle(&subs[i]);
        }
    }
    CU_ASSERT_EQUAL(deferred_check(&g_st_deferred), 0);
    CU_ASSERT_EQUAL(probes_of_deferred(), 0);
    CU_ASSERT_EQUAL(fake.observer_bytes, 0);
    CU_ASSERT(fake.observer_bytes_most > 0);
    CU_ASSERT_EQUAL(wrong_guards, 0);
    fake_finish();
    fake_end();
}

static void act(uint64_t *random, unsigned toggles)
{
    unsigned k = (unsigned)random_below(random, 4);
    switch (random_below(random, 6)) {
    case 0:
        for (uint64_t n = random_below(random, 6); n > 0; n--) {
            undo(k, random);
        }
        break;
    case 1:
        for (uint64_t n = random_below(random, 8); n > 0; n--) {
            commit((unsigned)random_below(random, 4), random);
        }
        break;
    default:
        execute(random);
    }
    if (toggles > 0 && random_below(random, toggles) == 0) {
        toggle(&subs[random_below(random, N_SUBS)]);
    }
}

/* Advances the record numbers, as after very many records: they have 64 bits. */
static void skip_numbers(void)
{
    for (unsigned s = 0; s < N_STREAMS; s++) {
        uint64_t *counts = record_numbers_emitted(&g_st_deferred.numbers, streams[s]);
        for (unsigned lp = 0; lp < N_LPS; lp += 2) {
            emitted[lp][s] = UINT32_MAX - 3 * lp;
            counts[lp] = emitted[lp][s];
        }
    }
}

static void run_random(uint64_t seed, bool undo_listener, unsigned toggles)
{
    uint64_t random = seed;
    begin(undo_listener);
    if (seed % 2 == 0) {
        skip_numbers();
    }
    for (unsigned i = 0; i < N_SUBS; i++) {
        if (random_below(&random, 2) == 0) {
            toggle(&subs[i]);
        }
    }
    unsigned bad = 0;
    for (unsigned i = 0; i < 4000 && bad == 0; i++) {
        act(&random, toggles);
        bad += all_differences();
        if (i % 16 == 0) {
            deferred_check(&g_st_deferred);
        }
    }
    CU_ASSERT_EQUAL(bad, 0);
    end(&random);
}

static uint64_t seed;

static void test_random(void)
{
    run_random(seed, false, 0);
    run_random(seed + 1, true, 0);
}

static void test_listeners_come_and_go(void)
{
    run_random(seed + 2, false, 10);
    run_random(seed + 3, true, 100);
    run_random(seed + 4, true, 1);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {
        {"random", test_random},
        {"listeners come and go", test_listeners_come_and_go},
    };
    seed = suite_seed();
    suite_print_seed("bus/deferred", seed);
    MPI_Init(&argc, &argv);
    int status = suite_run("bus/deferred", tests, sizeof(tests) / sizeof(tests[0]));
    MPI_Finalize();
    return status;
}
