/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Subscriptions, against a naive model, through st_bus.h.
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
#define SUBS    400 /* more than possible: streams x types x classes x callbacks x arguments */
#define CALLS   64  /* callbacks of one emission, at most */
#define DEPTH   4

static const st_type types[] = {ST_TASK, ST_TASK_END, 0x0302, ST_ALL_TYPES};

struct emission {
    _Alignas(8) st_class records; /* class that gets the record; the data of the record */
    int wanted[CALLS];
    size_t n_wanted;
    size_t n_speculative; /* of these, with st_notify(); else SIZE_MAX */
    unsigned closings;    /* of its stream before */
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
    unsigned closings[STREAMS]; /* that were the last */
    struct sub subs[SUBS];
    int n_subs;
    struct emission emissions[DEPTH + 1];
    unsigned depth; /* depth of nested emissions */
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

/* The callbacks record their calls, and sometimes change subscriptions. */
static void called(unsigned callback, const st_record *record, void *arg)
{
    struct emission *e = &model.emissions[model.depth];
    CU_ASSERT_EQUAL_FATAL(record->size, sizeof(st_class));
    if (e->n_got == e->n_speculative) {
        e->records = ST_COMMITTED;
        CU_ASSERT(model.references[record->stream - 1] > 0);
    }
    struct sub key = {.stream = record->stream,
                      .type = record->type,
                      .records = *(const st_class *)record->data,
                      .callback = callback,
                      .arg = (unsigned)((bool *)arg - model.args)};
    /* of two subscriptions that the call may belong to, the next expected one */
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

/* Adds the expected callbacks for a record after the earlier ones. */
static void want(struct emission *e, int stream, st_type type, st_class records)
{
    for (int i = 0; i < model.n_subs && model.references[stream] > 0; i++) {
        const struct sub *s = &model.subs[i];
        if (s->active && s->stream == model.ids[stream] && s->records == records &&
            (s->type == type || s->type == ST_ALL_TYPES)) {
            CU_ASSERT_FATAL(e->n_wanted < CALLS);
            e->wanted[e->n_wanted++] = i;
        }
    }
}

/* Emits a record for one class of subscribers. */
static void dispatch(struct emission *e, int stream, st_type type)
{
    e->records = (st_class)random_below(&model.random, 2);
    want(e, stream, type, e->records);
    e->n_speculative = SIZE_MAX;
    const st_record record = {.stream = model.ids[stream],
                              .type = type,
                              .size = sizeof e->records,
                              .data = &e->records,
                              .lp = ST_NO_LP};
    bus_dispatch(&record, e->records);
}

/* Emits a record for both classes in turn; only for the first if a callback closes the stream. */
static void notify(struct emission *e, int stream, st_type type)
{
    want(e, stream, type, ST_SPECULATIVE);
    e->n_speculative = e->n_wanted;
    want(e, stream, type, ST_COMMITTED);
    CU_ASSERT_EQUAL(st_notify(model.ids[stream], type, NULL, &e->records, sizeof e->records),
                    ST_OK);
    if (e->n_got == e->n_speculative && model.closings[stream] > e->closings) {
        e->n_wanted = e->n_got;
    }
}

static void emit(void)
{
    int stream = (int)random_below(&model.random, STREAMS);
    st_type type = types[random_below(&model.random, COUNT(types) - 1)];
    model.depth++;
    struct emission *e = &model.emissions[model.depth];
    *e = (struct emission){.closings = model.closings[stream]};
    if (random_below(&model.random, 2) == 0) {
        dispatch(e, stream, type);
    } else {
        notify(e, stream, type);
    }
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
        model.closings[i] += --model.references[i] == 0;
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

int main(void)
{
    static const CU_TestInfo tests[] = {{"subscriptions against a naive model", test_random}};
    unsetenv("ROSS_TRACE_ENABLE");
    return suite_run("bus subscriptions", tests, COUNT(tests));
}
