/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * overrun - a model that writes beyond the end of memory that it was given: of a message, a state,
 * or a block of bytes for the instrumentation. For tests of --synch=6 and of the instrumentation.
 *
 * Messages have 8 bytes, states 24, blocks 8. LPs of the types "walker" and "runner" take turns. LP
 * 5, a runner, makes the mistake at its third event. --overrun names the place, see the table of
 * options. --bytes is the number of bytes written beyond the end, --gap the number left out before
 * them.
 */
#include "ross.h"
#include "support/even_ranks.h"

#define LEAST_OFFSET 0.5
#define WRONG_LP     5u
#define WRONG_EVENT  3u

struct message {
    uint64_t value;
};

struct state {
    uint64_t count;
    uint64_t sum;
    uint64_t sampled;
};

static unsigned int lps_per_rank = 8;
static unsigned int beyond = 16;
static unsigned int gap = 0;
static unsigned long long state_tail = 0;
static unsigned int message_bytes = sizeof(struct message);
static char overrun[24] = "nothing";

static bool is(const char *where)
{
    return strcmp(overrun, where) == 0;
}

/* Writes beyond the end if this is the chosen place and LP. */
static void write_beyond(const char *where, const tw_lp *lp, void *block, size_t size)
{
    if (is(where) && lp->gid == WRONG_LP) {
        memset((char *)block + size + gap, 0x42, beyond);
    }
}

static void in_handler(const char *where, const tw_lp *lp, const struct state *s, void *block,
                       size_t size)
{
    if (s->count == WRONG_EVENT) {
        write_beyond(where, lp, block, size);
    }
}

static void send_next(tw_lp *lp, const struct state *s)
{
    tw_lpid dest = (lp->gid + 1 + (tw_lpid)tw_rand_integer(lp->rng, 0, 1)) % g_tw_total_lps;
    double offset = LEAST_OFFSET + tw_rand_unif(lp->rng);
    if (is("past-end") && s->count == WRONG_EVENT) {
        offset = 2.0 * g_tw_ts_end;
    }
    tw_event *event = tw_event_new(dest, offset, lp);
    ((struct message *)tw_event_data(event))->value = s->sum;
    in_handler("sent", lp, s, tw_event_data(event), message_bytes);
    in_handler("past-end", lp, s, tw_event_data(event), message_bytes);
    if (is("unsent") && lp->gid == WRONG_LP) {
        in_handler("unsent", lp, s, tw_event_data(tw_event_new(dest, offset, lp)), message_bytes);
    }
    tw_event_send(event);
}

static void init(void *sv, tw_lp *lp)
{
    struct state *s = sv;
    s->sum = lp->gid;
    send_next(lp, s);
    write_beyond("init", lp, s, sizeof *s);
}

static void pre_run(void *sv, tw_lp *lp)
{
    write_beyond("pre-run", lp, sv, sizeof(struct state));
}

static void forward(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
    struct state *s = sv;
    const struct message *m = msg;
    (void)bf;
    s->count++;
    s->sum += m->value + 1;
    send_next(lp, s);
    in_handler("message", lp, s, msg, message_bytes);
    in_handler("state", lp, s, s, sizeof *s);
    if (is("front") && lp->gid == WRONG_LP && s->count == WRONG_EVENT) {
        memset((char *)sv - 8, 0x42, 4);
    }
    if (is("neighbour") && lp->gid == WRONG_LP - 1 && s->count == WRONG_EVENT) {
        tw_lp *next = tw_getlocal_lp(WRONG_LP);
        memset((char *)next->cur_state + sizeof(struct state), 0x42, beyond);
    }
}

static void reverse(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
    struct state *s = sv;
    const struct message *m = msg;
    (void)bf;
    in_handler("reverse", lp, s, msg, message_bytes);
    s->sum -= m->value + 1;
    s->count--;
    tw_rand_reverse_unif(lp->rng);
    tw_rand_reverse_unif(lp->rng);
}

static void commit(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
    (void)bf;
    in_handler("commit", lp, sv, msg, message_bytes);
}

static void final(void *sv, tw_lp *lp)
{
    write_beyond("final", lp, sv, sizeof(struct state));
}

/* ---- The instrumentation --------------------------------------------------------------------- */

#define BLOCK_BYTES 8u

static void ev_trace(void *msg, tw_lp *lp, char *buffer, int *collect_flag)
{
    (void)collect_flag;
    memcpy(buffer, msg, BLOCK_BYTES);
    write_beyond("ev_trace", lp, buffer, BLOCK_BYTES);
}

static void rbev_trace(void *msg, tw_lp *lp, char *buffer, int *collect_flag)
{
    (void)collect_flag;
    memcpy(buffer, msg, BLOCK_BYTES);
    write_beyond("rbev_trace", lp, buffer, BLOCK_BYTES);
}

static void model_stat(void *sv, tw_lp *lp, char *buffer)
{
    memcpy(buffer, sv, BLOCK_BYTES);
    write_beyond("model_stat_fn", lp, buffer, BLOCK_BYTES);
}

static void sample(void *sv, tw_bf *bf, tw_lp *lp, void *bytes)
{
    struct state *s = sv;
    (void)bf;
    memcpy(bytes, &s->count, BLOCK_BYTES);
    s->sampled++;
    write_beyond("sample_event_fn", lp, bytes, BLOCK_BYTES);
}

static void unsample(void *sv, tw_bf *bf, tw_lp *lp, void *bytes)
{
    struct state *s = sv;
    (void)bf;
    s->sampled--;
    write_beyond("sample_revent_fn", lp, bytes, BLOCK_BYTES);
}

static st_model_types observed = {.rbev_trace = rbev_trace,
                                  .rbev_sz = BLOCK_BYTES,
                                  .ev_trace = ev_trace,
                                  .ev_sz = BLOCK_BYTES,
                                  .model_stat_fn = model_stat,
                                  .mstat_sz = BLOCK_BYTES};
static st_model_types sampled = {
    .sample_event_fn = sample, .sample_revent_fn = unsample, .sample_struct_sz = BLOCK_BYTES};

/* ---- Checkpoints ----------------------------------------------------------------------------- */

static void save_copy(void *into, const void *from)
{
    memcpy(into, from, sizeof(struct state));
    if (is("save_lp")) {
        memset((char *)into + sizeof(struct state), 0x42, beyond);
    }
}

static size_t state_bytes(const void *state, const tw_lp *lp)
{
    (void)state;
    (void)lp;
    return sizeof(struct state);
}

static void write_state(const void *state, const tw_lp *lp, void *bytes)
{
    memcpy(bytes, state, sizeof(struct state));
    write_beyond("state_io", lp, bytes, sizeof(struct state));
}

static bool restore_state(void *state, tw_lp *lp, const void *bytes, size_t size)
{
    (void)lp;
    memcpy(state, bytes, size);
    return true;
}

static const tw_state_io io = {state_bytes, write_state, restore_state};

/* ---- The run --------------------------------------------------------------------------------- */

static tw_lptype walker = {.init = init,
                           .pre_run = pre_run,
                           .event = forward,
                           .revent = reverse,
                           .final = final,
                           .map = rank_of,
                           .state_sz = sizeof(struct state)};
static tw_lptype runner;
static crv_checkpointer copies = {.lptype = &runner, .save_lp = save_copy};

static const tw_optdef options[] = {
    TWOPT_GROUP("overrun"),
    TWOPT_UINT("lps", lps_per_rank, "on each rank"),
    TWOPT_CHAR("overrun", overrun,
               "message, reverse, commit: of the handler's message; sent, unsent, past-end: of a "
               "message that it makes; state, init, pre-run, final, front, neighbour: of a state; "
               "ev_trace, rbev_trace, model_stat_fn, sample_event_fn, sample_revent_fn; save_lp, "
               "state_io; nothing"),
    TWOPT_UINT("bytes", beyond, "beyond the end"),
    TWOPT_UINT("gap", gap, "bytes in between"),
    TWOPT_ULONGLONG("state-tail", state_tail, "unused bytes at the end of a state"),
    TWOPT_UINT("message-size", message_bytes, "that tw_define_lps() is given"),
    TWOPT_END(),
};

int main(int argc, char **argv)
{
    g_tw_ts_end = 20.0;
    g_tw_lookahead = LEAST_OFFSET;
    tw_opt_add(options);
    tw_init(&argc, &argv);
    walker.state_sz += state_tail;
    runner = walker;
    runner.commit = is("commit") ? commit : NULL;
    tw_define_lps(lps_per_rank, message_bytes);
    st_lptype_name(&walker, "walker");
    st_lptype_name(&runner, "runner");
    for (tw_lpid i = 0; i < g_tw_nlp; i++) {
        tw_lp_settype(i, i % 2 == 0 ? &walker : &runner);
        st_model_settype(i, strncmp(overrun, "sample", 6) == 0 ? &sampled : &observed);
    }
    if (is("save_lp")) {
        copies.sz_storage = sizeof(struct state);
        crv_add_custom_state_checkpoint(&copies);
    }
    if (is("state_io")) {
        tw_lptype_state_io(&runner, &io);
    }
    tw_run();
    tw_end();
    return 0;
}
