/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * phold.c - the LPs of PHOLD.
 *
 * The forward handler draws random numbers in this order: a number u; if u <= remote, the
 * destination; the offset. Bit c0 of the event is set if a destination was drawn, so that the
 * reverse handler undoes the right number of draws.
 *
 * The bytes of a message after its head are words computed from the message's receiver, receive
 * time and hops. The receiver computes the words again, and thus detects bytes that were lost or
 * belong to another message.
 */
#include "phold.h"

#include <assert.h>

/* The options of the model. They are global, because handlers have no argument for them. */
struct phold_options phold_options = {
    .remote = 0.25,
    .nlp = 8,
    .mean = 1.0,
    .mult = 1.4,
    .lookahead = 1.0,
    .start_events = 1,
    .stagger = 0,
    .memory = 100,
    .payload = sizeof(struct phold_message),
    .work = 0,
    .slow_rank = "all",
    .hot_lps = 0,
    .run = "undefined",
};

/* Returns the rank that --slow-rank names; -1: "all"; -2: the option's text is invalid. */
static long slow_rank(const struct phold_options *options)
{
    char *end;
    const char *text = options->slow_rank;
    if (strcmp(text, "all") == 0) {
        return -1;
    }
    long rank = strtol(text, &end, 10);
    return text[0] >= '0' && text[0] <= '9' && *end == '\0' ? rank : -2;
}

bool phold_options_check(const struct phold_options *options, unsigned ranks,
                         struct model_error *error)
{
    long rank = slow_rank(options);
    if (options->lookahead > options->mean) {
        return model_fail(error, "--lookahead: must not be greater than --mean; lower the one or "
                                 "raise the other");
    }
    if (rank < -1 || rank >= (long)ranks) {
        return model_fail(
            error,
            "--slow-rank=%s: must be the number of a rank, from 0 to %u here, or the word all",
            options->slow_rank, ranks - 1);
    }
    if (rank >= 0 && options->work == 0) {
        return model_fail(error, "--slow-rank: has nothing to do without --work");
    }
    return options->hot_lps <= (unsigned long)options->nlp * ranks ||
           model_fail(error, "--hot-lps: must not be greater than the number of LPs, --nlp times "
                             "the ranks");
}

void phold_options_settle(struct phold_options *options, unsigned rank, unsigned ranks)
{
    long slow = slow_rank(options);
    if (slow >= 0 && (unsigned)slow != rank) {
        options->work = 0;
    }
    if (options->hot_lps == 0) {
        options->hot_lps = (unsigned long)options->nlp * ranks;
    }
}

/* ---- Events ---------------------------------------------------------------------------------- */

/* Draws the offset of an event. If the mean equals the lookahead, the offset is the lookahead, but
 * a random number is drawn nevertheless. */
static tw_stime draw_offset(tw_lp *lp)
{
    assert(phold_options.lookahead <= phold_options.mean);
    const struct phold_options *o = &phold_options;
    return tw_rand_exponential(lp->rng, o->mean - o->lookahead) + o->lookahead;
}

/* Difference between consecutive words in the bytes after the head of a message. rest_first()
 * returns the first word. */
#define REST_STEP 0x9e3779b97f4a7c15u

static uint64_t rest_first(tw_lpid dest, tw_stime recv_ts, long hops)
{
    uint64_t time_bits;
    memcpy(&time_bits, &recv_ts, sizeof time_bits);
    uint64_t x = time_bits ^ (dest + 1) * 0xbf58476d1ce4e5b9u ^ (uint64_t)hops << 1;
    x = (x ^ x >> 31) * 0x94d049bb133111ebu;
    return x ^ x >> 29;
}

static void fill_rest(struct phold_message *message, uint64_t first)
{
    assert(phold_options.payload >= sizeof *message);
    unsigned char *rest = (unsigned char *)(message + 1);
    size_t size = phold_options.payload - sizeof *message;
    for (size_t i = 0; i < size / 8; i++) {
        uint64_t word = first + i * REST_STEP;
        memcpy(rest + 8 * i, &word, 8);
    }
    uint64_t word = first + size / 8 * REST_STEP;
    memcpy(rest + size / 8 * 8, &word, size % 8);
}

static bool rest_is_right(const struct phold_message *message, uint64_t first)
{
    assert(phold_options.payload >= sizeof *message);
    const unsigned char *rest = (const unsigned char *)(message + 1);
    size_t size = phold_options.payload - sizeof *message;
    uint64_t wrong = 0;
    for (size_t i = 0; i < size / 8; i++) {
        uint64_t word;
        memcpy(&word, rest + 8 * i, 8);
        wrong |= word ^ (first + i * REST_STEP);
    }
    uint64_t word = first + size / 8 * REST_STEP;
    return wrong == 0 && memcmp(rest + size / 8 * 8, &word, size % 8) == 0;
}

static void check_message(const struct phold_message *message, const tw_lp *lp)
{
    if (phold_options.payload > sizeof *message &&
        !rest_is_right(message, rest_first(lp->gid, tw_now(lp), message->hops))) {
        tw_error(TW_LOC, "the message of %u bytes is not the one that was sent",
                 phold_options.payload);
    }
}

static void send_event(tw_lpid dest, tw_stime offset, long hops, tw_lp *lp)
{
    tw_event *event = tw_event_new(dest, offset, lp);
    struct phold_message *message = tw_event_data(event);
    message->hops = hops;
    if (phold_options.payload > sizeof *message) {
        fill_rest(message, rest_first(dest, tw_now(lp) + offset, hops));
    }
    tw_event_send(event);
}

/* Consumes processor time: executes `rounds` rounds of a xorshift generator (Marsaglia, 2003). Each
 * round depends on the previous one. x never becomes 0, but the compiler cannot know that. */
static void busy_work(unsigned long rounds, tw_lpid gid)
{
    uint64_t x = gid + 1;
    for (unsigned long i = 0; i < rounds; i++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
    }
    if (x == 0) {
        tw_error(TW_LOC, "xorshift came to 0");
    }
}

/* Returns the start time of an LP with --stagger: the gid modulo the integer part of the end
 * time. */
static tw_stime stagger_delay(tw_lpid gid)
{
    double whole_units = floor(g_tw_ts_end);
    return whole_units >= 1.0 ? fmod((double)gid, whole_units) : 0.0;
}

static void phold_init(void *state, tw_lp *lp)
{
    ((struct phold_state *)state)->dummy_state = 0;
    tw_stime delay = phold_options.stagger ? stagger_delay(lp->gid) : 0.0;
    if (lp->gid >= phold_options.hot_lps) {
        return;
    }
    for (unsigned int i = 0; i < phold_options.start_events; i++) {
        send_event(lp->gid, draw_offset(lp) + delay, 0, lp);
    }
}

static void phold_event(void *state, tw_bf *bf, void *msg, tw_lp *lp)
{
    const struct phold_message *message = msg;
    (void)state;
    check_message(message, lp);
    busy_work(phold_options.work, lp->gid);
    tw_lpid dest = lp->gid;
    if (tw_rand_unif(lp->rng) <= phold_options.remote) {
        bf->c0 = 1;
        dest = (tw_lpid)tw_rand_integer(lp->rng, 0, (long)phold_options.hot_lps - 1);
    }
    send_event(dest, draw_offset(lp), message->hops + 1, lp);
}

static void phold_event_reverse(void *state, tw_bf *bf, void *msg, tw_lp *lp)
{
    (void)state;
    (void)msg;
    tw_rand_reverse_unif(lp->rng); /* undoes the draw of the offset */
    if (bf->c0) {
        tw_rand_reverse_unif(lp->rng); /* undoes the draw of the destination */
    }
    tw_rand_reverse_unif(lp->rng); /* undoes the draw of u */
}

/* Returns the rank of an LP. Every rank has the same number of LPs, and rank 0 has those with the
 * lowest gids. */
static tw_peid phold_map(tw_lpid gid)
{
    return (tw_peid)(gid / g_tw_nlp);
}

tw_lptype phold_lp_type = {
    .init = phold_init,
    .event = phold_event,
    .revent = phold_event_reverse,
    .map = phold_map,
    .state_sz = sizeof(struct phold_state),
};

/* ---- Instrumentation ------------------------------------------------------------------------- */

#define EVENT_FIELDS(X, r) X(r, I64, hops, "events", LEVEL, NULL)
MODEL_PAYLOAD(event, EVENT_FIELDS)

#define STATE_FIELDS(X, r) X(r, I64, dummy_state, "", LEVEL, NULL)
MODEL_PAYLOAD(state, STATE_FIELDS)

MODEL_EVENT(event, const struct phold_message *message)
{
    return (struct event){message->hops};
}

MODEL_PURE_SAMPLE(state, const struct phold_state *state)
{
    return (struct state){state->dummy_state};
}

struct model_observers phold_observers = MODEL_OBSERVERS(event, state);
