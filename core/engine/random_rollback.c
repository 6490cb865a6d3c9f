/*
 * random_rollback.c - rollbacks that nothing calls for (--random-rollbacks).
 *
 * What an event changes and its reverse handler forgets to undo shows only when that event is
 * rolled back. On one rank none ever is, on more it is up to the machine's mood. So after a batch
 * of events, with a given probability, a KP goes back to before one of its uncommitted events as
 * if a straggler had come. Nothing that is committed may change by that.
 *
 * Invariants
 *  B1  the event is one that a straggler could still precede: not before what this rank has said
 *      to the GVT computation that is going on, nor the one that GVT waits for. So GVT holds, and
 *      advances.
 *  B2  the numbers come from a stream of its own, seeded by rank: the model's are untouched.
 * Cost: a draw per batch.
 */
#include "base/rng.h"
#include "engine/engine.h"

#define RANDOM_ROLLBACK_SEEDS {1u, 4u, 1u, 4u}, RNG_FAST

void engine_random_rollbacks_init(struct pe *pe, uint64_t one_in)
{
    static const struct tw_rng family = {RANDOM_ROLLBACK_SEEDS};
    pe->random_rollbacks = (struct random_rollbacks){.one_in = one_in};
    rng_stream_place(&pe->random_rollbacks.stream, &family, (uint64_t)pe->comm.rank);
}

/* 0 .. n - 1 */
static uint64_t random_below(struct random_rollbacks *random, uint64_t n)
{
    uint64_t number = (uint64_t)(rng_draw(&random->stream) * (double)n);
    return number < n ? number : n - 1;
}

/* A KP that has uncommitted events, the first from a random place on, or NULL. */
static struct kp *random_kp(struct pe *pe)
{
    tw_kpid first = random_below(&pe->random_rollbacks, pe->n_kps);
    for (tw_kpid i = 0; i < pe->n_kps; i++) {
        struct kp *kp = &pe->kps[(first + i) % pe->n_kps];
        if (!kp_is_empty(kp)) {
            return kp;
        }
    }
    return NULL;
}

/* See B1. */
static bool may_be_undone(const struct pe *pe, const tw_event *event)
{
    struct event_key key = event_key(event);
    bool passed = pe->gvt.in_round && event_key_before(&key, &pe->gvt.contributed);
    return !passed && event_key_before(&pe->gvt.result.least, &key);
}

static void roll_back_at_random(struct pe *pe)
{
    struct random_rollbacks *random = &pe->random_rollbacks;
    struct kp *kp = random_kp(pe);
    if (kp == NULL) {
        return;
    }
    uint64_t place = kp->old + random_below(random, kp->young - kp->old);
    tw_event *event = kp->ring[place & kp->mask];
    if (may_be_undone(pe, event)) {
        uint64_t before = pe->counters.events_rolled_back;
        engine_rollback_to(pe, kp, event);
        random->undone += pe->counters.events_rolled_back - before;
    }
}

void engine_random_rollback(struct pe *pe)
{
    struct random_rollbacks *random = &pe->random_rollbacks;
    if (random->one_in != 0 && random_below(random, random->one_in) == 0) {
        roll_back_at_random(pe);
    }
}
