/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tracers of random tasks, which are executed, undone and committed, against naive results; also
 * the results of invalid calls.
 *
 * test: alone=yes
 */
#include "support/fake_engine.h"
#include "support/suite.h"

#include <math.h>

#include "task/context.h"

#define N_LPS  8u
#define EVENTS 64u /* uncommitted events of a KP */
#define STEPS  20000u

/* ---- A run with tasks ------------------------------------------------------------------------ */

#define TASKS_MAX 40000u

/* A task in the naive model. */
struct known {
    st_task_id id;
    tw_lpid lp;
    double start, end; /* end < 0: open */
    bool is_work;      /* its kind is "work", else "rest" */
    bool at_door;      /* where */
    unsigned hits, misses;
};

/* The effect of an event on one task. */
enum deed { DEED_BEGIN, DEED_STEP, DEED_END, DEED_WHOLE };

struct done {
    enum deed deed;
    struct known task; /* state before the event, except for beginnings and whole tasks */
};

struct executed {
    struct fake_event event;
    struct done done;
    bool did;
    uint64_t numbers; /* counts of the LP before the event */
};

static struct executed kps[4][EVENTS];
static unsigned old[4], young[4];
static double kp_ts[4];
static struct known speculative[TASKS_MAX], committed[TASKS_MAX]; /* all tasks, open and ended */
static size_t n_speculative, n_committed;

static struct known *find(struct known *tasks, size_t n, st_task_id id)
{
    for (size_t i = n; i-- > 0;) {
        if (st_task_is_same(tasks[i].id, id)) {
            return &tasks[i];
        }
    }
    return NULL;
}

/* Draws an open task of the LP, after the executed events; NULL if the draw found none. */
static struct known *some_open(uint64_t *random, tw_lpid lp)
{
    for (unsigned tries = 0; n_speculative > 0 && tries < 20; tries++) {
        size_t back = 1 + random_below(random, n_speculative < 200 ? n_speculative : 200);
        struct known *task = &speculative[n_speculative - back];
        if (task->lp == lp && task->end < 0.0) {
            return task;
        }
    }
    return NULL;
}

/* Makes calls that must report an error. */
static void call_wrongly(tw_lp *lp)
{
    st_task_id none = {0, 0, 0};
    st_task_id id = none;
    st_task_id unknown = {lp->gid + 1, 1000000, 0};
    st_step late = {kp_ts[lp->kp->id] + 1.0, "late"};
    CU_ASSERT_EQUAL(st_task_begin(lp, none, NULL, "a", NULL, &id), ST_INVALID);
    CU_ASSERT_EQUAL(st_task_begin(lp, none, "", "a", NULL, &id), ST_INVALID);
    CU_ASSERT_EQUAL(st_task_begin(lp, none, "a", "", NULL, &id), ST_INVALID);
    CU_ASSERT_EQUAL(st_task_begin(&fake.lps[(lp->id + 1) % N_LPS], none, "a", "a", NULL, &id),
                    ST_WRONG_STATE);
    CU_ASSERT_EQUAL(st_task_step(lp, unknown, "a"), ST_NOT_FOUND);
    CU_ASSERT_EQUAL(st_task_step(lp, unknown, ""), ST_INVALID);
    CU_ASSERT_EQUAL(st_task_end(lp, unknown), ST_NOT_FOUND);
    CU_ASSERT_EQUAL(st_task_end(lp, none), ST_NOT_FOUND);
    CU_ASSERT_EQUAL(st_task_detail(lp, unknown, "a"), ST_NOT_FOUND);
    CU_ASSERT_EQUAL(st_request_receive(lp, none, "a"), ST_INVALID);
    CU_ASSERT_EQUAL(st_request_complete(lp, unknown), ST_NOT_FOUND);
    CU_ASSERT_EQUAL(st_request_finalize(lp, unknown), ST_NOT_FOUND);
    CU_ASSERT_EQUAL(st_task_add(lp, &unknown, none, "a", "a", NULL, late.ts, NULL, 0), ST_INVALID);
    CU_ASSERT_EQUAL(st_task_add(lp, &unknown, none, "a", "a", NULL, 0.0, &late, 1), ST_INVALID);
    CU_ASSERT(st_task_is_none(id));
    for (size_t i = n_speculative; i-- > 0 && i + 50 > n_speculative;) {
        const struct known *task = &speculative[i];
        if (task->lp != lp->gid ||
            task->end >= 0.0) { /* a task of another LP, or one that has ended */
            CU_ASSERT_EQUAL(st_task_end(lp, task->id), ST_NOT_FOUND);
        }
    }
}

static void begin_task(uint64_t *random, tw_lp *lp, struct executed *e)
{
    bool is_whole = random_below(random, 3) == 0;
    st_task_id none = {0, 0, 0};
    struct known *task = &speculative[n_speculative++];
    *task = (struct known){.lp = lp->gid,
                           .start = e->event.view.recv_ts,
                           .end = -1.0,
                           .is_work = random_below(random, 2) == 0,
                           .at_door = random_below(random, 3) == 0};
    const char *kind = task->is_work ? "work" : "rest";
    const char *where = task->at_door ? "door" : NULL;
    if (is_whole) {
        st_step steps[2] = {{task->start, "hit"}, {task->start, "hit"}};
        task->start = floor(task->start * random_unit(random));
        task->end = e->event.view.recv_ts;
        task->hits = 2;
        CU_ASSERT_EQUAL(st_task_add(lp, &task->id, none, kind, "x", where, task->start, steps, 2),
                        ST_OK);
    } else {
        CU_ASSERT_EQUAL(st_task_begin(lp, none, kind, "x", where, &task->id), ST_OK);
    }
    e->done = (struct done){is_whole ? DEED_WHOLE : DEED_BEGIN, *task};
}

static void execute(uint64_t *random)
{
    tw_lpid lp = random_below(random, N_LPS);
    unsigned k = (unsigned)(lp % 4);
    if (young[k] - old[k] == EVENTS || n_speculative == TASKS_MAX) {
        return;
    }
    struct executed *e = &kps[k][young[k]++ % EVENTS];
    kp_ts[k] += (double)random_below(random, 4);
    fake_event_init(&e->event, 0, lp, 0.0, kp_ts[k], NULL);
    e->numbers = probe_record_numbers(&fake.lps[lp]);
    fake_enter(PROBE_IN_EVENT, &e->event);
    struct known *task = some_open(random, lp);
    e->did = true;
    if (task == NULL || random_below(random, 3) == 0) {
        begin_task(random, &fake.lps[lp], e);
    } else if (random_below(random, 2) == 0) {
        bool hit = random_below(random, 2) == 0;
        e->done = (struct done){DEED_STEP, *task};
        CU_ASSERT_EQUAL(st_task_step(&fake.lps[lp], task->id, hit ? "hit" : "miss"), ST_OK);
        task->hits += hit;
        task->misses += !hit;
    } else {
        e->done = (struct done){DEED_END, *task};
        CU_ASSERT_EQUAL(st_task_end(&fake.lps[lp], task->id), ST_OK);
        task->end = kp_ts[k];
    }
    if (random_below(random, 8) == 0) {
        call_wrongly(&fake.lps[lp]);
    }
    fake_execute(&e->event);
    fake_leave();
}

static void undo(unsigned k)
{
    if (young[k] == old[k]) {
        return;
    }
    struct executed *e = &kps[k][--young[k] % EVENTS];
    st_task_id id;
    st_task_id none = {0, 0, 0};
    fake_enter(PROBE_IN_REVERSE, &e->event);
    CU_ASSERT_EQUAL(st_task_begin(e->event.view.dest_lp, none, "a", "b", NULL, &id),
                    ST_WRONG_STATE);
    CU_ASSERT_EQUAL(st_task_end(e->event.view.dest_lp, e->done.task.id), ST_WRONG_STATE);
    fake_undo(&e->event);
    fake_leave();
    struct known *task = find(speculative, n_speculative, e->done.task.id);
    if (e->done.deed == DEED_BEGIN || e->done.deed == DEED_WHOLE) {
        memmove(task, task + 1, (size_t)(speculative + n_speculative - (task + 1)) * sizeof(*task));
        n_speculative--;
    } else {
        *task = e->done.task;
    }
    fake.numbers[e->event.view.dest_lp->id] = e->numbers;
}

static void commit(unsigned k)
{
    if (young[k] == old[k]) {
        return;
    }
    struct executed *e = &kps[k][old[k]++ % EVENTS];
    fake_enter(PROBE_IN_COMMIT, &e->event);
    fake_commit(&e->event);
    fake_leave();
    const struct known *after = find(speculative, n_speculative, e->done.task.id);
    struct known *task = find(committed, n_committed, e->done.task.id);
    switch (e->done.deed) {
    case DEED_BEGIN:
    case DEED_WHOLE:
        committed[n_committed++] = e->done.task;
        break;
    case DEED_END:
        task->end = e->event.view.recv_ts;
        break;
    default: /* steps up to the end of the run include those of uncommitted events */
        CU_ASSERT_PTR_NOT_NULL(after);
    }
}

/* ---- The naive results ----------------------------------------------------------------------- */

struct wanted {
    const struct st_tracer *tracer;
    double now;
    bool only_work;
    unsigned rows;
};

static int by_start(const void *a, const void *b)
{
    const struct known *x = a, *y = b;
    return (x->start > y->start) - (x->start < y->start);
}

static bool is_here(const struct known *task, const st_tracer_row *row, bool only_work)
{
    bool at_door = strcmp(row->where, "door") == 0;
    return task->lp == row->lp && task->at_door == at_door && (task->is_work || !only_work);
}

static double naive_union(const st_tracer_row *row, const struct wanted *w)
{
    static struct known sorted[TASKS_MAX];
    double length = 0.0, until = -1.0;
    memcpy(sorted, committed, n_committed * sizeof(*sorted));
    qsort(sorted, n_committed, sizeof(*sorted), by_start);
    for (size_t i = 0; i < n_committed; i++) {
        if (is_here(&sorted[i], row, w->only_work)) {
            double end = sorted[i].end >= 0.0 ? sorted[i].end : w->now;
            double from = sorted[i].start > until ? sorted[i].start : until;
            length += end > from ? end - from : 0.0;
            until = end > until ? end : until;
        }
    }
    return length;
}

static void check_row(const st_tracer_row *row, void *arg)
{
    struct wanted *w = arg;
    uint64_t begun = 0, ended = 0, hits = 0, hit_tasks = 0, misses = 0, miss_tasks = 0;
    double total = 0.0, least = INFINITY, most = 0.0;
    for (size_t i = 0; i < n_committed; i++) {
        const struct known *task = &committed[i];
        if (is_here(task, row, w->only_work)) {
            double duration = task->end >= 0.0 ? task->end - task->start : 0.0;
            begun++;
            ended += task->end >= 0.0;
            total += duration;
            least = task->end >= 0.0 && duration < least ? duration : least;
            most = duration > most ? duration : most;
            hits += task->hits;
            hit_tasks += task->hits > 0;
            misses += task->misses;
            miss_tasks += task->misses > 0;
        }
    }
    w->rows++;
    CU_ASSERT_EQUAL(row->begun, begun);
    CU_ASSERT_EQUAL(row->ended, ended);
    CU_ASSERT_EQUAL(row->open, begun - ended);
    CU_ASSERT_DOUBLE_EQUAL(row->total, total, 0.0); /* integers: sums are exact in any order */
    CU_ASSERT_DOUBLE_EQUAL(row->average, ended > 0 ? total / (double)ended : 0.0, 0.0);
    CU_ASSERT(row->least <= (ended > 0 ? least : 0.0) && row->least >= (ended > 0 ? least : 0.0));
    CU_ASSERT_DOUBLE_EQUAL(row->most, most, 0.0);
    if (w->tracer->spec.kind == TRACER_BUSY) {
        CU_ASSERT_DOUBLE_EQUAL(row->busy, naive_union(row, w), 0.0);
    }
    if (row->step != NULL) {
        bool hit = strcmp(row->step, "hit") == 0;
        CU_ASSERT_EQUAL(row->occurrences, hit ? hits : misses);
        CU_ASSERT_EQUAL(row->tasks, hit ? hit_tasks : miss_tasks);
    }
}

static bool is_work(const st_task_record *task, void *arg)
{
    (void)arg;
    return strcmp(task->kind, "work") == 0;
}

/* Steps of committed tasks: all events are committed when results are read. */
static void copy_steps(void)
{
    for (size_t i = 0; i < n_committed; i++) {
        const struct known *task = find(speculative, n_speculative, committed[i].id);
        if (task != NULL) {
            committed[i].hits = task->hits;
            committed[i].misses = task->misses;
        }
    }
}

static void begin(void)
{
    fake_begin(N_LPS);
    CU_ASSERT_EQUAL_FATAL(fake_setup(), TW_OK);
    memset(old, 0, sizeof(old));
    memset(young, 0, sizeof(young));
    memset(kp_ts, 0, sizeof(kp_ts));
    n_speculative = 0;
    n_committed = 0;
    fake_leave();
}

static void commit_all(void)
{
    for (unsigned k = 0; k < 4; k++) {
        while (young[k] > old[k]) {
            commit(k);
        }
    }
}

/* ---- LPs in checkpoints and moves ------------------------------------------------------------ */

struct packed {
    unsigned char *bytes;
    size_t size;
};

static void pack(struct packed packed[N_LPS])
{
    CU_ASSERT_FATAL(tw_extension.lps_pack());
    for (unsigned i = 0; i < N_LPS; i++) {
        packed[i].size = tw_extension.lp_write(&fake.lps[i], NULL, 0);
        packed[i].bytes = malloc(packed[i].size);
        CU_ASSERT_EQUAL(tw_extension.lp_write(&fake.lps[i], packed[i].bytes, packed[i].size),
                        packed[i].size);
    }
    tw_extension.lps_packed();
}

/* Replaces everything that observers know of LPs by what was packed, after some damaged bytes. */
static void replace(uint64_t *random, const struct packed packed[N_LPS])
{
    for (unsigned i = 0; i < N_LPS && packed[i].size > 0; i++) {
        unsigned char *damaged = malloc(packed[i].size);
        memcpy(damaged, packed[i].bytes, packed[i].size);
        for (unsigned n = 0; n < 3; n++) {
            unsigned char *at = &damaged[random_below(random, packed[i].size)];
            *at = random_below(random, 2) == 0 ? 0xff : (unsigned char)random_below(random, 256);
        }
        size_t size =
            random_below(random, 4) == 0 ? random_below(random, packed[i].size) : packed[i].size;
        tw_extension.lps_made(&fake.pe);
        if (tw_extension.lp_read(&fake.lps[i], damaged, size, false)) {
            tw_extension.lp_read(&fake.lps[i], damaged, size, true);
        }
        free(damaged);
    }
    tw_extension.lps_made(&fake.pe);
    CU_ASSERT_EQUAL(task_context()->open.n, 0);
    for (unsigned i = 0; i < N_LPS; i++) {
        const struct packed *p = &packed[i];
        CU_ASSERT(tw_extension.lp_read(&fake.lps[i], p->bytes, p->size, false));
        CU_ASSERT(tw_extension.lp_read(&fake.lps[i], p->bytes, p->size, true));
    }
}

/* Makes a cut of the run: what observers know of each LP is packed and restored. */
static void cut(uint64_t *random)
{
    struct packed packed[N_LPS], again[N_LPS];
    commit_all();
    pack(packed);
    replace(random, packed);
    pack(again);
    for (unsigned i = 0; i < N_LPS; i++) {
        CU_ASSERT_EQUAL(packed[i].size, again[i].size);
        CU_ASSERT_EQUAL(memcmp(packed[i].bytes, again[i].bytes, packed[i].size), 0);
        free(packed[i].bytes);
        free(again[i].bytes);
    }
}

static void test_tracers(void)
{
    uint64_t random = suite_seed();
    suite_print_seed("tracers", random);
    static const char *const specs[] = {"busy",         "busy:kind=w*", "total:kind=work,where=*",
                                        "steps:what=x", "count",        "average:kind=wor[k]"};
    enum { N = sizeof(specs) / sizeof(specs[0]) };
    st_tracer *tracers[N + 1];
    begin();
    for (unsigned i = 0; i <= N; i++) {
        CU_ASSERT_EQUAL(st_tracer_create(i < N ? specs[i] : "busy", &tracers[i], NULL, 0), ST_OK);
        CU_ASSERT_EQUAL(st_tracer_filter(tracers[i], i < N ? NULL : is_work, NULL), ST_OK);
        CU_ASSERT_EQUAL(st_tracer_attach(tracers[i]), ST_OK);
        CU_ASSERT_EQUAL(st_tracer_attach(tracers[i]), ST_DUPLICATE);
        CU_ASSERT_EQUAL(st_tracer_filter(tracers[i], NULL, NULL), ST_WRONG_STATE);
    }
    for (unsigned step = 0; step < STEPS; step++) {
        unsigned k = (unsigned)random_below(&random, 4);
        unsigned action = (unsigned)random_below(&random, 10);
        if (action < 5) {
            execute(&random);
        } else if (action < 7) {
            undo(k);
        } else {
            commit(k);
        }
        if (random_below(&random, STEPS / 20) == 0) {
            cut(&random);
        }
    }
    commit_all();
    cut(&random);
    copy_steps();
    CU_ASSERT(n_committed > 1000);
    CU_ASSERT_EQUAL(n_committed, n_speculative);
    size_t n_open = 0;
    for (size_t i = 0; i < n_committed; i++) {
        n_open += committed[i].end < 0.0;
    }
    CU_ASSERT_EQUAL(task_context()->open.n, n_open);
    CU_ASSERT_EQUAL(task_context()->book.open.n, n_open);
    for (unsigned i = 0; i <= N; i++) {
        struct wanted w = {
            .tracer = tracers[i], .now = 1e6, .only_work = i == 1 || i == 2 || i == 5 || i == N};
        st_tracer_read(tracers[i], w.now, check_row, &w);
        CU_ASSERT_EQUAL(w.rows, i == 3 ? 4 * N_LPS : 2 * N_LPS);
        st_tracer_destroy(tracers[i]);
    }
    CU_ASSERT_FALSE(st_enabled(st_stream_find(ST_TASK_STREAM), ST_TASK));
    fake_finish();
    fake_end();
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {{"tracers of random tasks", test_tracers}};
    MPI_Init(&argc, &argv);
    int status = suite_run("tracer", tests, sizeof(tests) / sizeof(tests[0]));
    MPI_Finalize();
    return status;
}
