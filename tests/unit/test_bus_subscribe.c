/*
 * Subscriptions and emitting, through st_bus.h.
 * test: libs=warpscope
 */
#include <stdlib.h>
#include <string.h>

#include "bus/state.h"
#include "support/suite.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* ---- Against a naive model ----------------------------------------------------------------------
 *
 * Random subscriptions, removals, closings and emissions, also from within callbacks. For each
 * emission the model says at its beginning who is to be called, in which order.
 */

#define STREAMS 3
#define ARGS    4
#define SUBS    400 /* more than there can be: streams x types x classes x callbacks x arguments */
#define CALLS   64  /* of one emission, at most */
#define DEPTH   4

static const st_type types[] = {ST_TASK, ST_TASK_END, 0x0302, ST_ALL_TYPES};

struct emission {
    int wanted[CALLS];
    size_t n_wanted;
    int got[CALLS];
    size_t n_got;
};

struct sub {
    st_stream_id stream;
    st_type type;
    st_class records;
    unsigned callback, arg;
    bool active;
};

static struct {
    uint64_t random;
    st_stream_id ids[STREAMS];
    unsigned references[STREAMS];
    struct sub subs[SUBS];
    int n_subs;
    struct emission emissions[DEPTH + 1];
    unsigned depth; /* emissions in progress */
    unsigned changed[STREAMS + 1];
    bool args[ARGS];
} model;

static void step(void);

static int find_sub(const struct sub *s)
{
    for (int i = 0; i < model.n_subs; i++) {
        const struct sub *m = &model.subs[i];
        if (m->stream == s->stream && m->type == s->type && m->records == s->records &&
            m->callback == s->callback && m->arg == s->arg) {
            return i;
        }
    }
    return -1;
}

/* The callbacks: note who is called, and do something else at times. */
static void called(unsigned callback, const st_record *record, void *arg)
{
    struct emission *e = &model.emissions[model.depth];
    CU_ASSERT_EQUAL_FATAL(record->size, sizeof(st_class));
    struct sub key = {.stream = record->stream,
                      .type = record->type,
                      .records = *(const st_class *)record->data,
                      .callback = callback,
                      .arg = (unsigned)((bool *)arg - model.args)};
    /* of the two subscriptions that may be meant, the next one expected */
    int own = find_sub(&key);
    key.type = ST_ALL_TYPES;
    int all = find_sub(&key);
    int next = e->n_got < e->n_wanted ? e->wanted[e->n_got] : -1;
    CU_ASSERT_FATAL(e->n_got < CALLS);
    e->got[e->n_got++] = next == all ? all : own;
    if (random_below(&model.random, 8) == 0) {
        step();
    }
}

static void callback_0(const st_record *record, void *arg)
{
    called(0, record, arg);
}

static void callback_1(const st_record *record, void *arg)
{
    called(1, record, arg);
}

static const st_callback callbacks[] = {callback_0, callback_1};

static bool model_listens(int stream, st_type type, int records)
{
    for (int i = 0; i < model.n_subs; i++) {
        const struct sub *s = &model.subs[i];
        if (s->active && s->stream == model.ids[stream] && model.references[stream] > 0 &&
            (s->type == type || s->type == ST_ALL_TYPES || type == ST_ALL_TYPES) &&
            (records < 0 || s->records == (st_class)records)) {
            return true;
        }
    }
    return false;
}

static void emit(void)
{
    int stream = (int)random_below(&model.random, STREAMS);
    st_type type = types[random_below(&model.random, COUNT(types) - 1)];
    st_class records = (st_class)random_below(&model.random, 2);
    model.depth++;
    struct emission *e = &model.emissions[model.depth];
    *e = (struct emission){.n_wanted = 0};
    for (int i = 0; i < model.n_subs && model.references[stream] > 0; i++) {
        const struct sub *s = &model.subs[i];
        if (s->active && s->stream == model.ids[stream] && s->records == records &&
            (s->type == type || s->type == ST_ALL_TYPES)) {
            CU_ASSERT_FATAL(e->n_wanted < CALLS);
            e->wanted[e->n_wanted++] = i;
        }
    }
    const st_record record = {.stream = model.ids[stream],
                              .type = type,
                              .size = sizeof records,
                              .data = &records,
                              .lp = ST_NO_LP};
    bus_dispatch(&record, records);
    CU_ASSERT_EQUAL(e->n_got, e->n_wanted);
    CU_ASSERT_EQUAL(memcmp(e->got, e->wanted, e->n_wanted * sizeof e->got[0]), 0);
    model.depth--;
}

static void change_subscription(bool add)
{
    struct sub s = {.stream = model.ids[random_below(&model.random, STREAMS)],
                    .type = types[random_below(&model.random, COUNT(types))],
                    .records = (st_class)random_below(&model.random, 2),
                    .callback = (unsigned)random_below(&model.random, COUNT(callbacks)),
                    .arg = (unsigned)random_below(&model.random, ARGS)};
    int i = find_sub(&s);
    bool was_active = i >= 0 && model.subs[i].active;
    unsigned before = model.changed[s.stream];
    if (add) {
        st_result wanted = i < 0 ? ST_OK : was_active ? ST_DUPLICATE : ST_RESTORED;
        if (i < 0) {
            i = model.n_subs++;
            CU_ASSERT_FATAL(i < SUBS);
            model.subs[i] = s;
        }
        model.subs[i].active = true;
        CU_ASSERT_EQUAL(
            st_subscribe(s.stream, s.type, s.records, callbacks[s.callback], &model.args[s.arg]),
            wanted);
    } else {
        st_result wanted = i < 0 ? ST_NOT_FOUND : was_active ? ST_OK : ST_DUPLICATE;
        if (i >= 0) {
            model.subs[i].active = false;
        }
        CU_ASSERT_EQUAL(
            st_unsubscribe(s.stream, s.type, s.records, callbacks[s.callback], &model.args[s.arg]),
            wanted);
    }
    CU_ASSERT_TRUE(was_active == add || i < 0 || model.changed[s.stream] > before);
}

static void open_or_close(bool open)
{
    static const char *const names[STREAMS] = {"a", "b", "c"};
    uint64_t i = random_below(&model.random, STREAMS);
    st_stream_id id = 0;
    if (open) {
        CU_ASSERT_EQUAL(st_stream_open(names[i], 1, 0, &id),
                        model.references[i] == 0 ? ST_OK : ST_DUPLICATE);
        CU_ASSERT_EQUAL(id, model.ids[i]);
        model.references[i]++;
    } else if (model.references[i] > 0) {
        CU_ASSERT_EQUAL(st_stream_close(names[i]), ST_OK);
        model.references[i]--;
    } else {
        CU_ASSERT_EQUAL(st_stream_close(names[i]), ST_NOT_FOUND);
    }
}

static void step(void)
{
    uint64_t what = random_below(&model.random, 20);
    if (what < 8) {
        if (model.depth < DEPTH) {
            emit();
        }
    } else if (what < 13) {
        change_subscription(true);
    } else if (what < 18) {
        change_subscription(false);
    } else {
        open_or_close(what == 18);
    }
}

static void check_enabled(void)
{
    bool any = false;
    for (int stream = 0; stream < STREAMS; stream++) {
        for (size_t t = 0; t < COUNT(types) - 1; t++) {
            CU_ASSERT_EQUAL(st_enabled(model.ids[stream], types[t]),
                            model_listens(stream, types[t], -1));
            for (int c = 0; c < 2; c++) {
                CU_ASSERT_EQUAL(bus_listens(model.ids[stream], types[t], (st_class)c),
                                model_listens(stream, types[t], c));
            }
        }
        CU_ASSERT_EQUAL(g_st_listened[model.ids[stream]], model_listens(stream, ST_ALL_TYPES, -1));
        any = any || model_listens(stream, ST_ALL_TYPES, -1);
    }
    CU_ASSERT_EQUAL(st_trace_enabled(), any);
}

static void changed(void *ctx, st_stream_id stream)
{
    CU_ASSERT_PTR_EQUAL(ctx, &model);
    model.changed[stream]++;
}

static void test_random(void)
{
    memset(&model, 0, sizeof model);
    model.random = suite_seed();
    suite_print_seed("subscriptions", model.random);
    bus_on_listen(changed, &model);
    CU_ASSERT_EQUAL(st_stream_open("a", 1, 0, &model.ids[0]), ST_OK);
    CU_ASSERT_EQUAL(st_stream_open("b", 1, 0, &model.ids[1]), ST_OK);
    CU_ASSERT_EQUAL(st_stream_open("c", 1, 0, &model.ids[2]), ST_OK);
    for (int i = 0; i < STREAMS; i++) {
        CU_ASSERT_FATAL(model.ids[i] == i + 1);
        model.references[i] = 1;
    }
    for (unsigned i = 0; i < 20000; i++) {
        step();
        if (i % 100 == 0) {
            check_enabled();
            CU_ASSERT_TRUE(bus_check());
        }
    }
    CU_ASSERT_EQUAL(g_st_bus.dispatching.depth, 0);
    CU_ASSERT_PTR_NULL(g_st_bus.dispatching.retired);
    bus_fini();
    CU_ASSERT_TRUE(bus_check());
    CU_ASSERT_FALSE(st_trace_enabled());
}

/* ---- One by one ---------------------------------------------------------------------------------
 */

struct seen {
    unsigned n;
    st_record last;
    char data[64];
};

static void see(const st_record *record, void *arg)
{
    struct seen *seen = arg;
    seen->n++;
    seen->last = *record;
    memcpy(seen->data, record->data == NULL ? "" : record->data, record->size);
}

static unsigned evaluated(unsigned *n)
{
    return ++*n;
}

static void test_notify(void)
{
    st_stream_id id = 0;
    unsigned n = 0;
    struct seen seen = {0};
    ST_NOTIFY(0, (st_type)evaluated(&n), NULL, NULL, 0);
    ST_NOTIFY(999, (st_type)evaluated(&n), NULL, NULL, 0);
    CU_ASSERT_EQUAL(st_notify(999, ST_TASK, NULL, NULL, 0), ST_OK);
    CU_ASSERT_EQUAL(st_stream_open("s", 3, 4, &id), ST_OK);
    ST_NOTIFY(id, (st_type)evaluated(&n), NULL, NULL, 0);
    CU_ASSERT_EQUAL(n, 0);
    CU_ASSERT_EQUAL(st_subscribe(id, ST_TASK, ST_COMMITTED, see, &seen), ST_OK);
    const st_point *point = ST_POINT();
    ST_NOTIFY(id, ST_TASK, point, "hallo", (size_t)evaluated(&n) + 5);
    CU_ASSERT_EQUAL(n, 1);
    CU_ASSERT_EQUAL(seen.n, 1);
    CU_ASSERT_EQUAL(seen.last.stream, id);
    CU_ASSERT_EQUAL(seen.last.type, ST_TASK);
    CU_ASSERT_EQUAL(seen.last.size, 6);
    CU_ASSERT_PTR_EQUAL(seen.last.point, point);
    CU_ASSERT_STRING_EQUAL(seen.data, "hallo");
    CU_ASSERT_EQUAL(st_notify(id, ST_TASK_END, NULL, NULL, 0), ST_OK); /* of another type */
    CU_ASSERT_EQUAL(seen.n, 1);
    static const char large[65537];
    CU_ASSERT_EQUAL(st_notify(id, ST_TASK, NULL, large, sizeof large), ST_INVALID);
    CU_ASSERT_EQUAL(st_notify(id, ST_TASK, NULL, NULL, 1), ST_INVALID);
    CU_ASSERT_EQUAL(st_notify(id, ST_ALL_TYPES, NULL, NULL, 0), ST_INVALID);
    CU_ASSERT_EQUAL(seen.n, 1);
    bus_fini();
}

static void leave_early(st_stream_id id, int how)
{
    for (int i = 0; i < 3; i++) {
        ST_SCOPE(id, ST_REGION, ST_POINT());
        ST_SCOPE(id, ST_LOCK, ST_POINT());
        if (how == 0) {
            return;
        }
        if (how == 1) {
            break;
        }
        if (how == 2) {
            goto out;
        }
    }
out:
    return;
}

static void test_scope(void)
{
    st_stream_id id = 0;
    struct seen begins = {0}, ends = {0}, locks = {0};
    CU_ASSERT_EQUAL(st_stream_open("s", 1, 0, &id), ST_OK);
    leave_early(id, 0);
    st_subscribe(id, ST_REGION, ST_SPECULATIVE, see, &begins);
    st_subscribe(id, ST_REGION_END, ST_SPECULATIVE, see, &ends);
    st_subscribe(id, ST_LOCK_END, ST_COMMITTED, see, &locks);
    static const unsigned n_wanted[] = {1, 2, 3, 6};
    for (int how = 0; how < 4; how++) {
        leave_early(id, how);
        CU_ASSERT_EQUAL(begins.n, n_wanted[how]);
        CU_ASSERT_EQUAL(ends.n, n_wanted[how]);
        CU_ASSERT_EQUAL(locks.n, n_wanted[how]);
    }
    CU_ASSERT_PTR_NOT_NULL(begins.last.point);
    CU_ASSERT_PTR_EQUAL(begins.last.point, ends.last.point);
    CU_ASSERT_PTR_NOT_EQUAL(begins.last.point, locks.last.point);
    bus_fini();
}

static void test_undone(void)
{
    st_stream_id id = 0;
    struct seen all = {0}, tasks = {0}, rollbacks = {0}, committed = {0};
    st_stream_open("s", 1, 0, &id);
    st_subscribe(id, ST_ALL_TYPES, ST_SPECULATIVE, see, &all);
    st_subscribe(id, ST_TASK, ST_SPECULATIVE, see, &tasks);
    st_subscribe(id, ST_ROLLBACK, ST_SPECULATIVE, see, &rollbacks);
    st_subscribe(id, ST_ALL_TYPES, ST_COMMITTED, see, &committed);
    const st_undone undone = {.lp = 7, .first = 5, .n = 3};
    bus_dispatch_undone(id, &undone, 2.5);
    CU_ASSERT_EQUAL(all.n, 1);
    CU_ASSERT_EQUAL(tasks.n, 0);
    CU_ASSERT_EQUAL(rollbacks.n, 1);
    CU_ASSERT_EQUAL(committed.n, 0);
    CU_ASSERT_EQUAL(rollbacks.last.type, ST_ROLLBACK);
    CU_ASSERT_EQUAL(rollbacks.last.lp, 7);
    CU_ASSERT_EQUAL(rollbacks.last.number, 5);
    CU_ASSERT_EQUAL(rollbacks.last.ts, 2.5);
    CU_ASSERT_EQUAL(memcmp(rollbacks.data, &undone, sizeof undone), 0);
    bus_fini();
}

static void test_errors(void)
{
    st_stream_id id = 0;
    st_stream_open("s", 1, 0, &id);
    st_stream_id unknown = (st_stream_id)(id + 1);
    CU_ASSERT_EQUAL(st_subscribe(id, ST_TASK, ST_COMMITTED, NULL, NULL), ST_INVALID);
    CU_ASSERT_EQUAL(st_subscribe(id, ST_TASK, (st_class)2, see, NULL), ST_INVALID);
    CU_ASSERT_EQUAL(st_subscribe(0, ST_TASK, ST_COMMITTED, see, NULL), ST_INVALID);
    CU_ASSERT_EQUAL(st_subscribe(unknown, ST_TASK, ST_COMMITTED, see, NULL), ST_INVALID);
    CU_ASSERT_EQUAL(st_unsubscribe(unknown, ST_TASK, ST_COMMITTED, see, NULL), ST_NOT_FOUND);
    CU_ASSERT_EQUAL(st_unsubscribe(id, ST_TASK, ST_COMMITTED, see, NULL), ST_NOT_FOUND);
    CU_ASSERT_EQUAL(st_stream_close("unknown"), ST_NOT_FOUND);
    CU_ASSERT_EQUAL(st_stream_close(NULL), ST_NOT_FOUND);
    st_stream_id next = 0;
    CU_ASSERT_EQUAL(st_stream_open("next", 1, 0, &next), ST_OK);
    CU_ASSERT_EQUAL(next, unknown); /* the failures have taken no id */
    CU_ASSERT_STRING_EQUAL(st_stream_name(next), "next");
    CU_ASSERT_PTR_NULL(st_stream_name((st_stream_id)(next + 1)));
    CU_ASSERT_EQUAL(st_stream_find("next"), next);
    CU_ASSERT_STRING_EQUAL(st_result_text(ST_FULL), "the table is full");
    CU_ASSERT_STRING_EQUAL(st_result_text((st_result)77), "unknown result");
    bus_fini();
}

/* ROSS_TRACE_ENABLE is read once in a run. */
static void test_switch(void)
{
    static const struct {
        const char *value;
        bool on;
    } cases[] = {{"0", false}, {"false", false}, {"1", true}, {"true", true}, {NULL, true}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct seen seen = {0};
        st_stream_id id = 0;
        if (cases[i].value != NULL) {
            setenv("ROSS_TRACE_ENABLE", cases[i].value, 1);
        } else {
            unsetenv("ROSS_TRACE_ENABLE");
        }
        CU_ASSERT_EQUAL(st_stream_open("s", 1, 0, &id), ST_OK);
        CU_ASSERT_FALSE(st_trace_enabled());
        CU_ASSERT_EQUAL(st_subscribe(id, ST_TASK, ST_COMMITTED, see, &seen), ST_OK);
        CU_ASSERT_EQUAL(st_trace_enabled(), cases[i].on);
        CU_ASSERT_EQUAL(st_enabled(id, ST_TASK), cases[i].on);
        CU_ASSERT_EQUAL(st_notify(id, ST_TASK, NULL, NULL, 0), ST_OK);
        CU_ASSERT_EQUAL(seen.n, cases[i].on ? 1 : 0);
        bus_fini();
    }
}

static void count_keys(const char *key, const char *value, void *arg)
{
    char *text = arg;
    strcat(text, key);
    strcat(text, "=");
    strcat(text, value);
    strcat(text, ";");
}

static const st_point *visit(void)
{
    return ST_POINT_NAMED("visited");
}

static void test_points(void)
{
    uint64_t instance = 0;
    const st_point *point = st_point_make("f", "f.c", 10, 2, &instance);
    CU_ASSERT_EQUAL(instance, 1);
    CU_ASSERT_PTR_EQUAL(st_point_make("f", "f.c", 10, 2, &instance), point);
    CU_ASSERT_EQUAL(instance, 2);
    CU_ASSERT_PTR_EQUAL(st_point_by_id(point->id), point);
    CU_ASSERT_PTR_NULL(st_point_by_id(point->id + 1));
    CU_ASSERT_PTR_NULL(st_point_make(NULL, NULL, 1, 1, NULL));
    CU_ASSERT_EQUAL(st_point_set(point, "unit", "s"), ST_OK);
    CU_ASSERT_EQUAL(st_point_set(point, "kind", "a"), ST_OK);
    CU_ASSERT_EQUAL(st_point_set(point, "unit", "ms"), ST_DUPLICATE);
    CU_ASSERT_STRING_EQUAL(st_point_get(point, "unit"), "ms");
    CU_ASSERT_PTR_NULL(st_point_get(point, "nothing"));
    CU_ASSERT_EQUAL(st_point_set(point, NULL, "x"), ST_INVALID);
    CU_ASSERT_EQUAL(st_point_set(point, "", "x"), ST_INVALID);
    CU_ASSERT_EQUAL(st_point_set(point, "x", NULL), ST_INVALID);
    st_point copy = *point;
    CU_ASSERT_EQUAL(st_point_set(&copy, "x", "x"), ST_INVALID);
    CU_ASSERT_EQUAL(st_point_set(NULL, "x", "x"), ST_INVALID);
    char keys[64] = "";
    st_point_each(point, count_keys, keys);
    CU_ASSERT_STRING_EQUAL(keys, "unit=ms;kind=a;");
    const st_point *here = visit();
    CU_ASSERT_STRING_EQUAL(st_string_text(here->function), "visited");
    bus_fini(); /* points stay, what was noted goes */
    CU_ASSERT_PTR_EQUAL(visit(), here);
    CU_ASSERT_PTR_EQUAL(st_point_by_id(here->id), here);
    CU_ASSERT_PTR_NULL(st_point_get(point, "unit"));
    CU_ASSERT_EQUAL(st_string(NULL), 0);
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"subscriptions against a naive model", test_random},
        {"records", test_notify},
        {"scopes end however they are left", test_scope},
        {"what was undone", test_undone},
        {"errors change nothing", test_errors},
        {"ROSS_TRACE_ENABLE", test_switch},
        {"points and what is noted of them", test_points},
    };
    unsetenv("ROSS_TRACE_ENABLE");
    return suite_run("bus subscriptions", tests, COUNT(tests));
}
