/*
 * Tasks and tracers against naive models: the map of ids, unions of intervals, what calls return
 * while events are executed, undone and committed, and what tracers make of the tasks that commit.
 */
#include "support/fake_engine.h"
#include "support/suite.h"

#include <math.h>

#include "trace/busy_time.h"
#include "trace/id_map.h"
#include "trace/trace.h"

#define N_LPS  8u
#define EVENTS 64u /* uncommitted ones of a KP */
#define STEPS  20000u

/* ---- The map of ids -----------------------------------------------------------------------------
 */

static void test_id_map(void)
{
    enum { N = 300 };
    static int values[N];
    bool in[N] = {false};
    uint64_t random = suite_seed();
    suite_print_seed("id map", random);
    struct id_map map = {.n = 0};
    size_t n = 0;
    for (unsigned step = 0; step < STEPS; step++) {
        unsigned i = (unsigned)random_below(&random, N);
        st_task_id id = {i % 7 + 1, i / 7, i % 3 == 0 ? 5 : 0};
        struct id_map_slot *slot = id_map_find(&map, id);
        CU_ASSERT_EQUAL(slot != NULL, in[i]);
        CU_ASSERT(slot == NULL || slot->value == &values[i]);
        if (random_below(&random, 2) == 0) {
            CU_ASSERT(id_map_set(&map, id, &values[i]));
            n += !in[i];
            in[i] = true;
        } else {
            CU_ASSERT_PTR_EQUAL(id_map_remove(&map, id), in[i] ? &values[i] : NULL);
            n -= in[i];
            in[i] = false;
        }
        CU_ASSERT_EQUAL(map.n, n);
        if (step % 64 == 0) {
            id_map_check(&map);
        }
    }
    size_t seen = 0;
    for (size_t at = 0; id_map_next(&map, &at) != NULL;) {
        seen++;
    }
    CU_ASSERT_EQUAL(seen, n);
    id_map_fini(&map);
}

/* ---- Unions of intervals ------------------------------------------------------------------------
 */

static void test_union_example(void)
{
    struct busy_time busy = {.n = 0};
    CU_ASSERT(busy_time_add(&busy, 10.0, 20.0) && busy_time_add(&busy, 15.0, 30.0) &&
              busy_time_add(&busy, 25.0, 40.0));
    CU_ASSERT_DOUBLE_EQUAL(busy_time_length(&busy, INFINITY, 50.0), 30.0, 0.0);
    CU_ASSERT_DOUBLE_EQUAL(busy_time_length(&busy, 45.0, 50.0), 35.0, 0.0);
    CU_ASSERT_DOUBLE_EQUAL(busy_time_length(&busy, 35.0, 50.0), 40.0, 0.0);
    CU_ASSERT(busy_time_add(&busy, 60.0, 61.0) && busy_time_add(&busy, 5.0, 70.0));
    CU_ASSERT_DOUBLE_EQUAL(busy_time_length(&busy, INFINITY, 70.0), 65.0, 0.0);
    CU_ASSERT_EQUAL(busy.n, 1);
    busy_time_fini(&busy);
}

/* Intervals between whole numbers against a line of cells. */
static void test_union_random(void)
{
    enum { CELLS = 400 };
    uint64_t random = suite_seed();
    suite_print_seed("unions", random);
    for (unsigned round = 0; round < 200; round++) {
        bool cells[CELLS] = {false};
        struct busy_time busy = {.n = 0};
        for (unsigned now = 0; now < CELLS; now += (unsigned)random_below(&random, 12)) {
            unsigned back = (unsigned)random_below(&random, random_below(&random, 9) == 0 ? 99 : 6);
            unsigned start = back < now ? now - back : 0;
            CU_ASSERT(busy_time_add(&busy, start, now));
            for (unsigned i = start; i < now; i++) {
                cells[i] = true;
            }
        }
        unsigned from = CELLS - (unsigned)random_below(&random, 50);
        double length = busy_time_length(&busy, INFINITY, CELLS);
        unsigned n = 0, n_more = 0;
        for (unsigned i = 0; i < CELLS; i++) {
            n += cells[i];
            n_more += cells[i] || i >= from;
        }
        CU_ASSERT_DOUBLE_EQUAL(length, n, 0.0);
        CU_ASSERT_DOUBLE_EQUAL(busy_time_length(&busy, from, CELLS), n_more, 0.0);
        busy_time_check(&busy);
        busy_time_fini(&busy);
    }
}

/* ---- A run with tasks ---------------------------------------------------------------------------
 */

#define TASKS_MAX 40000u

/* A task as the model of the test knows it. */
struct known {
    st_task_id id;
    tw_lpid lp;
    double start, end; /* end < 0: open */
    bool is_work;      /* its kind is "work", else "rest" */
    bool at_door;      /* where */
    unsigned hits, misses;
};

/* What an event did to one task. */
enum deed { DEED_BEGIN, DEED_STEP, DEED_END, DEED_WHOLE };

struct done {
    enum deed deed;
    struct known task; /* as of before, but for beginnings and whole tasks */
};

struct executed {
    struct fake_event event;
    struct done done;
    bool did;
    uint64_t numbers; /* of the LP before */
};

static struct executed kps[4][EVENTS];
static unsigned old[4], young[4];
static double kp_ts[4];
static struct known speculative[TASKS_MAX], committed[TASKS_MAX]; /* all tasks of either state */
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

static void enter(enum probe_context context, struct fake_event *event)
{
    fake.now = (struct probe_now){context, event->view.lp, event->view.recv_ts};
    fake.pe.cur_event = (tw_event *)(void *)event;
}

static void leave(void)
{
    fake.now = (struct probe_now){PROBE_IN_NOTHING, NULL, fake.pe.GVT};
    fake.pe.cur_event = NULL;
}

/* A task of the LP that is open, as of what was executed; NULL: none was hit upon. */
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

/* Calls that must say that they are wrong. */
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
        if (task->lp != lp->gid || task->end >= 0.0) { /* another LP's, or ended */
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
    e->numbers = probe_lp_numbers(&fake.lps[lp]);
    enter(PROBE_IN_EVENT, &e->event);
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
    leave();
}

static void undo(unsigned k)
{
    if (young[k] == old[k]) {
        return;
    }
    struct executed *e = &kps[k][--young[k] % EVENTS];
    st_task_id id;
    st_task_id none = {0, 0, 0};
    enter(PROBE_IN_REVERSE, &e->event);
    CU_ASSERT_EQUAL(st_task_begin(e->event.view.lp, none, "a", "b", NULL, &id), ST_WRONG_STATE);
    CU_ASSERT_EQUAL(st_task_end(e->event.view.lp, e->done.task.id), ST_WRONG_STATE);
    fake_undo(&e->event);
    leave();
    struct known *task = find(speculative, n_speculative, e->done.task.id);
    if (e->done.deed == DEED_BEGIN || e->done.deed == DEED_WHOLE) {
        memmove(task, task + 1, (size_t)(speculative + n_speculative - (task + 1)) * sizeof(*task));
        n_speculative--;
    } else {
        *task = e->done.task;
    }
    fake.numbers[e->event.view.lp->id] = e->numbers;
}

static void commit(unsigned k)
{
    if (young[k] == old[k]) {
        return;
    }
    struct executed *e = &kps[k][old[k]++ % EVENTS];
    enter(PROBE_IN_COMMIT, &e->event);
    fake_commit(&e->event);
    leave();
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
    default: /* the steps up to the end of the run are those of the speculative state */
        CU_ASSERT_PTR_NOT_NULL(after);
    }
}

/* ---- The naive results --------------------------------------------------------------------------
 */

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
    CU_ASSERT_DOUBLE_EQUAL(row->total, total, 0.0); /* whole numbers: exact in any order */
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

/* Steps of committed tasks: everything has been committed when results are looked at. */
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
    leave();
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
    }
    for (unsigned k = 0; k < 4; k++) {
        while (young[k] > old[k]) {
            commit(k);
        }
    }
    copy_steps();
    CU_ASSERT(n_committed > 1000);
    CU_ASSERT_EQUAL(n_committed, n_speculative);
    size_t n_open = 0;
    for (size_t i = 0; i < n_committed; i++) {
        n_open += committed[i].end < 0.0;
    }
    CU_ASSERT_EQUAL(trace_context()->open.n, n_open);
    CU_ASSERT_EQUAL(trace_context()->book.open.n, n_open);
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

/* ---- Observers ----------------------------------------------------------------------------------
 */

/* What is told of LP 1's task tries to begin, add and end others. */
static void meddle(const st_record *record, void *arg)
{
    st_task_id none = {0, 0, 0}, id = none;
    tw_lp *lp = &fake.lps[1];
    (void)record;
    if (++*(unsigned *)arg > 4) {
        return; /* it is told of its own ones */
    }
    CU_ASSERT_EQUAL(st_task_begin(lp, none, "a", "b", NULL, &id), ST_WRONG_STATE);
    CU_ASSERT_EQUAL(st_task_add(lp, &id, none, "a", "b", NULL, 1.0, NULL, 0), ST_WRONG_STATE);
    CU_ASSERT_EQUAL(st_task_step(lp, id, "c"), ST_WRONG_STATE);
    CU_ASSERT_EQUAL(st_task_detail(lp, id, "c"), ST_WRONG_STATE);
    CU_ASSERT_EQUAL(st_task_end(lp, id), ST_WRONG_STATE);
}

/* The ids of a model's tasks are the same with any observer. */
static void test_observers_make_no_tasks(void)
{
    unsigned n = 0;
    struct fake_event event;
    st_task_id none = {0, 0, 0}, first, second;
    begin();
    tw_lp *lp = &fake.lps[1];
    CU_ASSERT_EQUAL(
        st_subscribe(st_stream_find(ST_TASK_STREAM), ST_ALL_TYPES, ST_SPECULATIVE, meddle, &n),
        ST_OK);
    fake_event_init(&event, 0, 1, 0.0, 5.0, NULL);
    enter(PROBE_IN_EVENT, &event);
    CU_ASSERT_EQUAL(st_task_begin(lp, none, "a", "b", NULL, &first), ST_OK);
    CU_ASSERT_EQUAL(st_task_begin(lp, none, "a", "b", NULL, &second), ST_OK);
    CU_ASSERT_EQUAL(second.number, first.number + 1);
    CU_ASSERT_EQUAL(n, 2);
    fake_execute(&event);
    leave();
    enter(PROBE_IN_COMMIT, &event);
    fake_commit(&event);
    leave();
    fake_finish();
    fake_end();
}

/* ---- Ids, requests, ancestors -------------------------------------------------------------------
 */

static void test_ids(void)
{
    st_tracer *tracer;
    struct fake_event event;
    st_task_id none = {0, 0, 0}, listened[2], asked, chain, whole = none;
    begin();
    tw_lp *lp = &fake.lps[3];
    fake_event_init(&event, 0, 3, 0.0, 5.0, NULL);
    enter(PROBE_IN_EVENT, &event);
    CU_ASSERT_EQUAL(st_task_begin(lp, none, "a", "b", NULL, &listened[0]), ST_OK);
    CU_ASSERT_EQUAL(st_task_end(lp, none), ST_OK); /* nobody listens */
    CU_ASSERT_EQUAL(st_tracer_create("backtrace", &tracer, NULL, 0), ST_OK);
    CU_ASSERT_EQUAL(st_tracer_attach(tracer), ST_OK);
    CU_ASSERT_EQUAL(st_task_end(lp, listened[0]), ST_NOT_FOUND);
    CU_ASSERT_EQUAL(st_task_begin(lp, none, "a", "b", NULL, &listened[1]), ST_OK);
    CU_ASSERT_EQUAL(listened[1].number, listened[0].number + 1);
    CU_ASSERT_EQUAL(listened[1].lp, lp->gid + 1);

    CU_ASSERT_EQUAL(st_request_initiate(lp, listened[1], "q", &asked), ST_OK);
    st_task_id in = st_request_in(asked, lp->gid);
    CU_ASSERT(in.number == asked.number && in.from == asked.lp && in.lp == lp->gid + 1);
    CU_ASSERT_FALSE(st_task_is_same(in, st_request_in(asked, lp->gid + 1)));
    CU_ASSERT(st_task_is_none(st_request_in(none, lp->gid)));
    CU_ASSERT_EQUAL(st_request_receive(lp, asked, "q"), ST_OK);
    CU_ASSERT_EQUAL(st_request_receive(lp, asked, "q"), ST_DUPLICATE);
    CU_ASSERT_EQUAL(st_task_begin(lp, in, "work", "w", "here", &chain), ST_OK);
    CU_ASSERT_EQUAL(st_task_add(lp, &chain, none, "a", "b", NULL, 1.0, NULL, 0), ST_DUPLICATE);
    CU_ASSERT_EQUAL(st_task_add(lp, &whole, in, "a", "b", NULL, 1.0, NULL, 0), ST_OK);
    CU_ASSERT_EQUAL(whole.number, chain.number + 1);
    fake_execute(&event);
    leave();
    enter(PROBE_IN_COMMIT, &event);
    fake_commit(&event);
    leave();

    st_task_record tasks[8];
    CU_ASSERT_EQUAL(st_tracer_backtrace(tracer, chain, tasks, 8), 4);
    CU_ASSERT_STRING_EQUAL(tasks[0].kind, "work");
    CU_ASSERT_STRING_EQUAL(tasks[0].where, "here");
    CU_ASSERT_STRING_EQUAL(tasks[1].kind, "req_in");
    CU_ASSERT_STRING_EQUAL(tasks[2].kind, "req_out");
    CU_ASSERT_STRING_EQUAL(tasks[2].where, "lp.3");
    CU_ASSERT(st_task_is_same(tasks[3].id, listened[1]));
    CU_ASSERT_EQUAL(st_tracer_backtrace(tracer, chain, tasks, 2), 2);
    CU_ASSERT_EQUAL(st_tracer_backtrace(tracer, whole, tasks, 8), 0);
    CU_ASSERT_EQUAL(st_tracer_backtrace(tracer, none, tasks, 8), 0);

    fake_event_init(&event, 0, 3, 5.0, 6.0, NULL);
    enter(PROBE_IN_EVENT, &event);
    CU_ASSERT_EQUAL(st_request_complete(lp, asked), ST_OK);
    CU_ASSERT_EQUAL(st_request_complete(lp, asked), ST_NOT_FOUND);
    CU_ASSERT_EQUAL(st_request_finalize(lp, asked), ST_OK);
    fake_execute(&event);
    leave();
    enter(PROBE_IN_COMMIT, &event);
    fake_commit(&event);
    leave();
    CU_ASSERT_EQUAL(st_tracer_backtrace(tracer, chain, tasks, 8), 1);
    fake_finish();
    fake_end();
    st_tracer_destroy(tracer); /* outlives the run */
}

static void test_specs(void)
{
    static const char *const bad[] = {
        "",         "buzy",         "busy:", "busy:kind",   "busy:kind=",
        "busy:a=b", "busy:kind=a,", "Busy",  "busy,kind=a", "count:kind=a,kind=b"};
    st_tracer *tracer = NULL;
    char error[200];
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        error[0] = '\0';
        CU_ASSERT_EQUAL(st_tracer_create(bad[i], &tracer, error, sizeof(error)), ST_INVALID);
        CU_ASSERT(strncmp(error, "--tracer=", 9) == 0 && strchr(error, '\n') == NULL);
        CU_ASSERT_PTR_NULL(tracer);
    }
    CU_ASSERT_EQUAL(st_tracer_create(NULL, &tracer, NULL, 0), ST_INVALID);
    st_tracer_destroy(NULL);
}

/* Records hold what was said, cut where it is too long, at the end of a character. */
static void take_text(const st_record *record, void *arg)
{
    st_task_record task;
    CU_ASSERT(st_task_unpack(record, &task));
    CU_ASSERT_EQUAL(record->size % 8, 0);
    if (task.kind != NULL) {
        CU_ASSERT_EQUAL(strlen(task.kind), ST_TASK_TEXT_MAX - 1);
        CU_ASSERT_STRING_EQUAL(task.what, "w");
        ++*(unsigned *)arg;
    }
    for (size_t i = 0; i < task.n_steps; i++) {
        st_step step = st_task_record_step(&task, i);
        CU_ASSERT(step.ts >= 1.0 && step.ts <= 5.0);
        CU_ASSERT_EQUAL(strlen(step.what), ST_STEP_TEXT_MAX);
        ++*(unsigned *)arg;
    }
}

static void test_long_texts(void)
{
    static char text[3000], step_text[300];
    st_step steps[ST_TASK_STEPS_MAX + 1];
    struct fake_event event;
    st_task_id none = {0, 0, 0}, id = none;
    unsigned n = 0;
    begin();
    for (size_t i = 0; i + 2 < sizeof(text); i += 2) {
        memcpy(text + i, "\xc3\xa9", 2);
    }
    memset(step_text, 's', sizeof(step_text) - 1);
    for (size_t i = 0; i <= ST_TASK_STEPS_MAX; i++) {
        steps[i] = (st_step){1.0 + (double)i / 100.0, step_text};
    }
    CU_ASSERT_EQUAL(
        st_subscribe(st_stream_find(ST_TASK_STREAM), ST_ALL_TYPES, ST_SPECULATIVE, take_text, &n),
        ST_OK);
    fake_event_init(&event, 0, 1, 0.0, 5.0, NULL);
    enter(PROBE_IN_EVENT, &event);
    tw_lp *lp = &fake.lps[1];
    CU_ASSERT_EQUAL(st_task_add(lp, &id, none, text, "w", text, 1.0, steps, ST_TASK_STEPS_MAX),
                    ST_OK);
    CU_ASSERT_EQUAL(n, ST_TASK_STEPS_MAX + 1);
    CU_ASSERT_EQUAL(st_task_add(lp, NULL, none, text, "w", text, 1.0, steps, ST_TASK_STEPS_MAX + 1),
                    ST_INVALID);
    fake_execute(&event);
    leave();
    enter(PROBE_IN_COMMIT, &event);
    fake_commit(&event);
    leave();
    fake_finish();
    fake_end();
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {{"map of ids", test_id_map},
                                        {"10-20, 15-30, 25-40 is 30", test_union_example},
                                        {"unions of random intervals", test_union_random},
                                        {"tracers of random tasks", test_tracers},
                                        {"observers make no tasks", test_observers_make_no_tasks},
                                        {"ids, requests, ancestors", test_ids},
                                        {"texts that name tracers", test_specs},
                                        {"long texts", test_long_texts}};
    MPI_Init(&argc, &argv);
    int status = suite_run("tracer", tests, sizeof(tests) / sizeof(tests[0]));
    MPI_Finalize();
    return status;
}
