/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_output.c - tw_output(): the text on stdout, its time and order.
 */
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "support/hand_engine.h"
#include "support/suite.h"

#define LPS 3

struct message {
    unsigned number;
    unsigned lines; /* number of lines that the handler writes */
    unsigned length;
};

static char captured[400000];
static FILE *capture_file;
static int real_stdout;

static void capture_begin(void)
{
    fflush(stdout);
    capture_file = tmpfile();
    real_stdout = dup(STDOUT_FILENO);
    dup2(fileno(capture_file), STDOUT_FILENO);
}

/* Returns the output to stdout since the last call. */
static const char *capture_take(void)
{
    fflush(stdout);
    rewind(capture_file);
    size_t n = fread(captured, 1, sizeof captured - 1, capture_file);
    captured[n] = '\0';
    rewind(capture_file);
    (void)!ftruncate(fileno(capture_file), 0);
    lseek(STDOUT_FILENO, 0, SEEK_SET);
    return captured;
}

static void capture_end(void)
{
    fflush(stdout);
    dup2(real_stdout, STDOUT_FILENO);
    close(real_stdout);
    fclose(capture_file);
}

static void on_event(void *state, tw_bf *bf, void *msg, tw_lp *lp)
{
    const struct message *m = msg;
    (void)state;
    (void)bf;
    for (unsigned i = 0; i < m->lines; i++) {
        CU_ASSERT_EQUAL(tw_output(lp, "%u.%u ", m->number, i % 10), 4);
    }
    if (m->length > 0) {
        char *text = calloc(1, m->length + 1);
        memset(text, 'x', m->length);
        CU_ASSERT_EQUAL(tw_output(lp, "%s", text), (int)m->length);
        free(text);
    }
}

static void on_reverse(void *state, tw_bf *bf, void *msg, tw_lp *lp)
{
    (void)state;
    (void)bf;
    (void)msg;
    tw_output(lp, "never ");
}

static void on_commit(void *state, tw_bf *bf, void *msg, tw_lp *lp)
{
    (void)state;
    (void)bf;
    tw_output(lp, "c%u ", ((const struct message *)msg)->number);
}

static tw_lptype plain = {.event = on_event, .revent = on_reverse, .state_sz = 8};
static tw_lptype with_commit = {
    .event = on_event, .revent = on_reverse, .commit = on_commit, .state_sz = 8};

static tw_event *make_event(struct pe *pe, tw_lpid dest, double ts, struct message m)
{
    pe->initialising = true;
    tw_event *event = tw_event_new(dest, ts, g_tw_lp[0]);
    *(struct message *)tw_event_data(event) = m;
    pe->unsent = NULL; /* the event belongs to the test */
    pe->initialising = false;
    return event;
}

static void put(struct pe *pe, tw_lpid dest, double ts, unsigned number, unsigned lines)
{
    engine_enqueue(pe, make_event(pe, dest, ts, (struct message){number, lines, 0}));
}

/* Text appears at the commit, in event order over all KPs; lines of an event keep their order. */
static void test_commit_order(void)
{
    struct pe *pe = hand_begin(LPS, sizeof(struct message), &plain, 1, OPTIMISTIC, 100.0);
    capture_begin();
    put(pe, 0, 5.0, 5, 2);
    put(pe, 1, 2.0, 2, 1);
    put(pe, 2, 3.0, 3, 3);
    put(pe, 1, 4.0, 4, 0);
    put(pe, 0, 1.0, 1, 1);
    while (hand_step(pe)) {
    }
    CU_ASSERT_STRING_EQUAL(capture_take(), "");
    engine_fossil_collect(pe, event_key_at(1.0));
    CU_ASSERT_STRING_EQUAL(capture_take(), "");
    engine_fossil_collect(pe, event_key_at(4.5));
    CU_ASSERT_STRING_EQUAL(capture_take(), "1.0 2.0 3.0 3.1 3.2 ");
    engine_fossil_collect(pe, event_key_at((double)INFINITY));
    CU_ASSERT_STRING_EQUAL(capture_take(), "5.0 5.1 ");
    engine_fossil_collect(pe, event_key_at((double)INFINITY));
    CU_ASSERT_STRING_EQUAL(capture_take(), "");
    capture_end();
    CU_ASSERT_EQUAL(pe->pool.in_use, 0);
    hand_end();
}

/* For an event that is rolled back and executed again, the text of the last execution appears. */
static void test_rollback(void)
{
    g_tw_nkp = 1;
    struct pe *pe = hand_begin(LPS, sizeof(struct message), &plain, 1, OPTIMISTIC, 100.0);
    capture_begin();
    tw_event *late = make_event(pe, 1, 1.0, (struct message){1, 1, 0});
    tw_event *gone = make_event(pe, 1, 2.5, (struct message){9, 4, 0});
    put(pe, 0, 2.0, 2, 2);
    engine_enqueue(pe, gone);
    put(pe, 0, 3.0, 3, 1);
    while (hand_step(pe)) {
    }
    engine_cancel(pe, gone);
    engine_enqueue(pe, late);
    while (hand_step(pe)) {
    }
    CU_ASSERT_EQUAL(pe->counters.events_rolled_back, 3);
    CU_ASSERT_STRING_EQUAL(capture_take(), "");
    engine_fossil_collect(pe, event_key_at((double)INFINITY));
    CU_ASSERT_STRING_EQUAL(capture_take(), "1.0 2.0 2.1 3.0 ");
    capture_end();
    CU_ASSERT_EQUAL(pe->pool.in_use, 0);
    hand_end();
    g_tw_nkp = 16;
}

/* Without history the text appears when the handler has returned. */
static void test_at_once(void)
{
    struct pe *pe = hand_begin(LPS, sizeof(struct message), &plain, 1, SEQUENTIAL, 100.0);
    capture_begin();
    put(pe, 0, 2.0, 2, 2);
    put(pe, 1, 1.0, 1, 1);
    hand_step(pe);
    CU_ASSERT_STRING_EQUAL(capture_take(), "1.0 ");
    hand_step(pe);
    CU_ASSERT_STRING_EQUAL(capture_take(), "2.0 2.1 ");
    capture_end();
    hand_end();
}

/* Text outside of events cannot be rolled back. */
static void test_outside(void)
{
    struct pe *pe = hand_begin(LPS, sizeof(struct message), &plain, 1, OPTIMISTIC, 100.0);
    capture_begin();
    CU_ASSERT_EQUAL(tw_output(g_tw_lp[0], "%s %d", "init", 7), 6);
    CU_ASSERT_STRING_EQUAL(capture_take(), "init 7");
    capture_end();
    CU_ASSERT_EQUAL(pe->pool.in_use, 0);
    hand_end();
}

/* A commit handler may write as well; each event's lines stay together, in event order. */
static void test_commit_handler(void)
{
    static const tw_synch synchs[] = {SEQUENTIAL, OPTIMISTIC};
    for (int i = 0; i < 2; i++) {
        struct pe *pe = hand_begin(LPS, sizeof(struct message), &with_commit, 1, synchs[i], 100.0);
        capture_begin();
        put(pe, 0, 2.0, 2, 1);
        put(pe, 1, 1.0, 1, 0);
        put(pe, 2, 3.0, 3, 2);
        while (hand_step(pe)) {
        }
        engine_fossil_collect(pe, event_key_at((double)INFINITY));
        CU_ASSERT_STRING_EQUAL(capture_take(), "c1 2.0 c2 3.0 3.1 c3 ");
        capture_end();
        hand_end();
    }
}

static void test_long_text(void)
{
    static const unsigned lengths[] = {1, 15, 16, 17, 47, 48, 63, 64, 1000, 300000};
    struct pe *pe = hand_begin(LPS, sizeof(struct message), &plain, 1, OPTIMISTIC, 100.0);
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        capture_begin();
        engine_enqueue(pe, make_event(pe, 0, 1.0 + (double)i, (struct message){1, 0, lengths[i]}));
        hand_step(pe);
        engine_fossil_collect(pe, event_key_at((double)INFINITY));
        const char *text = capture_take();
        capture_end();
        CU_ASSERT_EQUAL(strlen(text), lengths[i]);
        CU_ASSERT_EQUAL(strspn(text, "x"), lengths[i]);
    }
    hand_end();
}

/* A reader for which each write is a message: no message ends inside the text of an event. */
static void test_whole_texts(void)
{
    static const unsigned lines[] = {3, 20, 100, 1, 7000, 2};
    static char buffer[4096]; /* stdout of a program in a pipe has one; CUnit removes it */
    int ends[2];
    unsigned writes = 0;
    size_t bytes = 0;
    struct pe *pe = hand_begin(LPS, sizeof(struct message), &plain, 1, OPTIMISTIC, 100.0);
    for (unsigned i = 0; i < 300; i++) {
        put(pe, i % LPS, 1.0 + i * 0.25, 1, lines[i % 4]);
    }
    put(pe, 0, 90.0, 1, lines[4]);
    put(pe, 0, 91.0, 1, lines[5]);
    while (hand_step(pe)) {
    }
    CU_ASSERT_EQUAL_FATAL(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends), 0);
    int room = 1 << 20;
    setsockopt(ends[0], SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
    fflush(stdout);
    setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
    real_stdout = dup(STDOUT_FILENO);
    dup2(ends[0], STDOUT_FILENO);
    fputs("1.0 ", stdout); /* the first text after setvbuf() is not buffered yet */
    fflush(stdout);
    engine_fossil_collect(pe, event_key_at((double)INFINITY));
    fflush(stdout);
    dup2(real_stdout, STDOUT_FILENO);
    setvbuf(stdout, NULL, _IONBF, 0);
    close(real_stdout);
    close(ends[0]);
    for (ssize_t n; (n = recv(ends[1], captured, sizeof captured - 1, 0)) > 0; writes++) {
        captured[n] = '\0';
        CU_ASSERT_EQUAL(strncmp(captured, "1.0 ", 4), 0); /* begins with a text ... */
        CU_ASSERT_EQUAL(captured[n - 1], ' ');            /* ... and ends with one */
        bytes += (size_t)n;
    }
    close(ends[1]);
    CU_ASSERT(writes > 5);
    CU_ASSERT(bytes > 60000);
    hand_end();
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {
        {"in event order, when it commits", test_commit_order},
        {"not if it is rolled back", test_rollback},
        {"at once without history", test_at_once},
        {"outside of events", test_outside},
        {"from commit handlers", test_commit_handler},
        {"long text", test_long_text},
        {"whole texts", test_whole_texts},
    };
    MPI_Init(&argc, &argv);
    int status = suite_run("output", tests, sizeof tests / sizeof *tests);
    MPI_Finalize();
    return status;
}
