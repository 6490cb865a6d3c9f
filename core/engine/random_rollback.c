/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * random_rollback.c - rollbacks without a straggler, for tests of models (--random-rollbacks).
 *
 * A mistake in a reverse handler has an effect only if its event is rolled back. A run on one rank
 * never rolls back, and a run on several ranks rolls back unpredictably. With this option, after
 * each batch of events, a KP rolls back with a given probability: to the state before one of its
 * uncommitted events, as if a straggler had arrived. The committed events must stay the same.
 *
 * Invariants
 *  B1  The event that is rolled back comes after GVT, and not before this rank's contribution to
 *      the current GVT computation: a straggler could still arrive before it. GVT thus remains
 *      valid and advances.
 *  B2  The random numbers come from a separate stream, whose seed depends on the rank. The streams
 *      of the model are not used. Cost: one draw per batch.
 */
#include <assert.h>

#include "base/rng.h"
#include "engine/engine.h"

#define RANDOM_ROLLBACK_SEEDS {1u, 4u, 1u, 4u}, RNG_FAST

void engine_random_rollbacks_init(struct pe *pe, uint64_t one_in)
{
    static const struct tw_rng family = {RANDOM_ROLLBACK_SEEDS};
    pe->random_rollbacks = (struct random_rollbacks){.one_in = one_in};
    rng_stream_place(&pe->random_rollbacks.stream, &family, (uint64_t)pe->comm.rank);
}

/* Returns an integer from 0 to n - 1. */
static uint64_t random_below(struct random_rollbacks *random, uint64_t n)
{
    assert(n > 0);
    uint64_t number = (uint64_t)(rng_draw(&random->stream) * (double)n);
    return number < n ? number : n - 1;
}

/* Returns a KP that has uncommitted events; NULL: none. The search starts at a random KP. */
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

/* Returns true if a rollback may undo the event, see invariant B1. */
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
        engine_rollback_to(pe, kp, event, PROBE_TRIGGER_RANDOM);
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
