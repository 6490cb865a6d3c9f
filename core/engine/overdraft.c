/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * overdraft.c - handles events and notes that take more memory than --max-memory allows.
 *
 * Optimistic runs stay below the limit by extrapolating from the events created so far (see
 * sched/optimistic.c). A rank cannot predict that an event will create a thousand others; once that
 * event has been executed, its messages are already in transit. A rank may therefore exceed its
 * limit for a short time. It then executes no event, and reports the overdraft in its next vote for
 * GVT.
 *
 * After that round all ranks retreat: they undo all events that GVT has not passed, and execute
 * none until the next round has ended. By then all anti-messages have arrived. Each rank then holds
 * the same events as a sequential run at that virtual time would hold for its LPs: those sent by
 * committed events. If these events fit below the limit, the event that GVT waits for can be
 * executed and committed before the next retreat. This holds even if it creates many events. The
 * run thus progresses. If these events exceed the limit, the run ends with an error message.
 *
 * Invariants
 *  O1  Outside of optimistic runs, and while LPs are initialised, the limit is never exceeded.
 *  O2  All ranks retreat after the same rounds.
 */
#include <assert.h>

#include "engine/engine.h"
#include "engine/process/run.h"

/* Bounds of the overdraft. If the user gave the limit, the bound is OVERDRAFT_BYTES. If the limit
 * was derived from the memory of the machine or cgroup, the bound is also at most 1/OVERDRAFT_SHARE
 * of the limit. */
#define OVERDRAFT_BYTES ((size_t)64 << 20)
#define OVERDRAFT_SHARE 16u

#define MIB ((size_t)1 << 20)
/* Allowance, in bytes, for memory that the arena takes in addition to the events. */
#define CHUNK_HEADS_BYTES ((size_t)16 << 10)

static size_t mib_for(uint64_t bytes)
{
    return (size_t)(bytes + CHUNK_HEADS_BYTES + MIB - 1) / MIB;
}

void engine_allow_overdraft(struct pe *pe)
{
    assert(pe->synch == OPTIMISTIC || pe->synch == OPTIMISTIC_REALTIME); /* holds by invariant O1 */
    size_t bytes = OVERDRAFT_BYTES;
    if (g_run.settings.max_memory_mib == 0 && pe->memory_limit_bytes / OVERDRAFT_SHARE < bytes) {
        bytes = pe->memory_limit_bytes / OVERDRAFT_SHARE;
    }
    event_pool_allow_overdraft(&pe->pool, bytes);
}

uint64_t engine_overdrawn_bytes(struct pe *pe)
{
    if (event_pool_overdrawn_bytes(&pe->pool) == 0) {
        return 0;
    }
    pending_drop_cancelled(pe->pending);
    return event_pool_overdrawn_bytes(&pe->pool);
}

void engine_retreat(struct pe *pe)
{
    engine_rollback_all(pe);
    pending_drop_cancelled(pe->pending);
}

void engine_check_retreated(struct pe *pe)
{
    const struct event_pool *pool = &pe->pool;
    const size_t overdrawn = event_pool_overdrawn_bytes(pool);
    if (overdrawn > 0) {
        tw_error(TW_LOC,
                 "out of event memory: the %" PRIu64
                 " events of %zu bytes that are pending on this rank at GVT %g take more than the "
                 "%zu MiB of --max-memory; give at least %zu, or use more ranks",
                 pool->in_use, pool->event_size, pe->head.GVT, pe->memory_limit_bytes / MIB,
                 mib_for(pool->limit_bytes + overdrawn));
    }
}

/* Returns the number of events that other ranks have sent to this rank and that it has not received
 * yet. Collective. */
static uint64_t events_to_come(const struct pe *pe)
{
    size_t n;
    const int *peers = transport_peers(pe->transport, &n);
    uint64_t sent =
        comm_sum_for_me(&pe->comm, transport_sent_to(pe->transport), peers, n, COMM_DENSE_RANKS);
    assert(sent >= pe->counters.network_recvs);
    return sent - pe->counters.network_recvs;
}

void engine_check_first_events(struct pe *pe)
{
    const struct event_pool *pool = &pe->pool;
    uint64_t to_come = events_to_come(pe);
    bool fits = pe->first_missing == 0 &&
                (to_come == 0 || to_come <= event_pool_left_bytes(pool) / pool->event_size);
    if (comm_agree(&pe->comm, fits ? TW_OK : TW_ERR_MEMORY) == TW_OK) {
        return;
    }
    uint64_t events = pool->in_use + pe->first_missing + to_come;
    MPI_Allreduce(MPI_IN_PLACE, &events, 1, MPI_UINT64_T, MPI_MAX, pe->comm.comm);
    run_refuse("out of event memory: the LPs begin with %" PRIu64
               " events of %zu bytes%s, but --max-memory allows %zu MiB; give at least %zu%s",
               events, pool->event_size, pe->comm.n_ranks > 1 ? " on a rank" : "",
               pe->memory_limit_bytes / MIB, mib_for(events * pool->event_size),
               pe->comm.n_ranks > 1 ? ", or use more ranks" : "");
}
