/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_rcheck_outcome.c - the record that --synch=6 makes of an execution: any difference between
 * two executions is found, and the message says where.
 */
#include <unistd.h>

#include "engine/rcheck.h"
#include "support/suite.h"

enum { BYTES = 16, SENDS_MOST = 40, NOTE_BYTES = 16 };

static unsigned char *payload(tw_event *event)
{
    return event_payload(event);
}

static struct pe pe = {.msg_bytes = BYTES};

/* Events are followed by their message, notes by their text. */
struct room {
    _Alignas(16) unsigned char bytes[256];
};
static struct room cause_room, send_room[SENDS_MOST], note_room[3];

static tw_event *cause(void)
{
    return (tw_event *)(void *)&cause_room;
}

/* The events sent, in the order of sending. */
static tw_event *sent(unsigned i)
{
    return (tw_event *)(void *)&send_room[i];
}

static struct event_note *note(unsigned i)
{
    return (struct event_note *)(void *)&note_room[i];
}

static void note_add(unsigned i, enum note_kind kind, const char *text)
{
    note(i)->kind = (uint16_t)kind;
    note(i)->size = (uint32_t)strlen(text);
    memcpy(note(i)->bytes, text, strlen(text));
    note(i)->next = cause()->notes;
    cause()->notes = note(i);
}

/* Begins an execution that made n + 1 events, sent n of them and printed two lines. */
static void begin(unsigned n)
{
    memset(&cause_room, 0, sizeof cause_room);
    memset(send_room, 0, sizeof send_room);
    memset(note_room, 0, sizeof note_room);
    for (unsigned i = 0; i < n; i++) {
        tw_event *event = sent(i);
        event->dest_lpid = 3 + i;
        event->recv_ts = 1.5 + i;
        event->prio = 1;
        event->tie = 0.5;
        event->state.lineage_len = 1;
        payload(event)[0] = (unsigned char)i;
        event->prev = cause()->caused_by_me;
        cause()->caused_by_me = event;
    }
    cause()->core_draws = n + 1;
    cause()->past_end = 1;
    note_add(0, NOTE_OUTPUT, "hello");
    note_add(1, NOTE_OUTPUT, "again");
    note_add(2, NOTE_NUMBERS, "xyz");
}

/* ---- Changes --------------------------------------------------------------------------------- */

static void change_nothing(void)
{
}
static void change_dest(void)
{
    sent(0)->dest_lpid = 9;
}
static void change_time(void)
{
    sent(1)->recv_ts = 7;
}
static void change_priority(void)
{
    sent(1)->prio = 2;
}
static void change_tie(void)
{
    sent(1)->tie = 0.25;
}
static void change_lineage(void)
{
    sent(1)->state.lineage_len = 2;
}
static void change_payload(void)
{
    payload(sent(1))[5] = 7;
}
static void change_sends(void)
{
    cause()->caused_by_me = sent(0);
}
static void change_past_end(void)
{
    cause()->past_end = 2;
}
static void change_past_end_note(void)
{
    note(2)->kind = NOTE_PAST_END;
}
static void change_draws(void)
{
    cause()->core_draws = 5;
}
static void change_message(void)
{
    payload(cause())[BYTES - 1] = 1;
}
static void change_bits(void)
{
    cause()->bf.c31 = 1;
}
static void change_output(void)
{
    note(0)->bytes[4] = '!';
}
static void change_last_output(void)
{
    note(1)->size = 4;
}
static void change_other_note(void)
{
    note(2)->bytes[0] = '!';
}

static const struct change {
    void (*make)(void);
    const char *text;  /* NULL: makes no difference */
    const char *shown; /* on stderr, or NULL */
} changes[] = {
    {change_nothing, NULL, NULL},
    {change_dest, "its event no. 1 went to LP 3, then to LP 9", NULL},
    {change_time, "its event no. 2 was for time 2.5, then for 7", NULL},
    {change_priority, "its event no. 2 had another priority", NULL},
    {change_tie, "its event no. 2 had another priority", NULL},
    {change_lineage, "its event no. 2 had another priority", NULL},
    {change_payload, "event no. 2, to LP 4, had 00 at offset 5, then 07", "message sent, 16"},
    {change_sends, "it sent 2 events, then 1", NULL},
    {change_past_end, "it made 3 events, 1 past the end, then 3, 2 past", NULL},
    {change_past_end_note, "it made 3 events, 1 past the end, then 3, 256 past", NULL},
    {change_draws, "it made 3 events, 1 past the end, then 5, 1 past", NULL},
    {change_message, "it left 00 at offset 15 of its message, then 01", "as it left it, 16"},
    {change_bits, "it set other bits in its tw_bf", NULL},
    {change_output, "it gave other text to tw_output()", NULL},
    {change_last_output, "it gave other text to tw_output()", NULL},
    {change_other_note, NULL, NULL},
};

/* Compares the outcomes. text: the output to stderr. */
static bool differs(const struct rcheck_outcome outcomes[2], bool say, char text[256],
                    char said[1000])
{
    FILE *err = tmpfile();
    CU_ASSERT_PTR_NOT_NULL_FATAL(err);
    fflush(stderr);
    int kept = dup(STDERR_FILENO);
    dup2(fileno(err), STDERR_FILENO);
    bool found = rcheck_outcome_differs(&pe, &outcomes[0], &outcomes[1], text, 256, say);
    fflush(stderr);
    dup2(kept, STDERR_FILENO);
    close(kept);
    rewind(err);
    said[fread(said, 1, 999, err)] = '\0';
    fclose(err);
    return found;
}

static void check_change(const struct change *c, struct rcheck_outcome outcomes[2])
{
    for (unsigned how = 0; how < 2; how++) {
        bool say = how == 0;
        bool wanted = c->text != NULL;
        char text[256] = "";
        char said[1000];
        bool found = differs(outcomes, say, text, said);
        bool shows = wanted && say && c->shown != NULL;
        if (found != wanted || (wanted && strstr(text, c->text) == NULL) ||
            (shows ? strstr(said, c->shown) == NULL : said[0] != '\0')) {
            printf("\n    change %td, %u: found %d, \"%s\", said \"%s\"\n", c - changes, how, found,
                   text, said);
            CU_FAIL("another difference");
        }
    }
}

static void test_differences(void)
{
    struct rcheck_outcome outcomes[2] = {0};
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        begin(2);
        rcheck_outcome_take(&pe, &outcomes[0], cause());
        changes[i].make();
        rcheck_outcome_take(&pe, &outcomes[1], cause());
        check_change(&changes[i], outcomes);
    }
    rcheck_outcome_free(&outcomes[0]);
    rcheck_outcome_free(&outcomes[1]);
}

/* Any number of events, more or fewer than before. */
static void test_room(void)
{
    static const unsigned numbers[] = {0, 1, 8, 9, 3, SENDS_MOST, 0, 17};
    struct rcheck_outcome outcomes[2] = {0};
    char text[256], said[1000];
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        unsigned n = numbers[i];
        begin(n);
        rcheck_outcome_take(&pe, &outcomes[0], cause());
        rcheck_outcome_take(&pe, &outcomes[1], cause());
        CU_ASSERT_EQUAL(outcomes[0].n_sends, n);
        CU_ASSERT_TRUE(outcomes[0].room >= n);
        CU_ASSERT_FALSE(differs(outcomes, false, text, said));
        for (unsigned k = 0; k < n; k++) {
            payload(sent(k))[BYTES - 1] = 1;
            rcheck_outcome_take(&pe, &outcomes[1], cause());
            CU_ASSERT_TRUE(differs(outcomes, false, text, said));
            payload(sent(k))[BYTES - 1] = 0;
        }
    }
    rcheck_outcome_free(&outcomes[0]);
    rcheck_outcome_free(&outcomes[1]);
    CU_ASSERT_PTR_NULL(outcomes[0].message);
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"differences", test_differences},
        {"room", test_room},
    };
    return suite_run("rcheck outcome", tests, sizeof tests / sizeof tests[0]);
}
