/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fingerprint.c - two numbers for comparing runs: hashes of all committed events and of all final
 * states.
 *
 * Both are sums modulo 2^64 of hashes (XXH3), so they depend neither on the order of commits nor on
 * the number of ranks. The hash of an event covers its position in the order, its send time, sender
 * and receiver. The hash of a final state covers the LP's number, all bytes of the state, and the
 * LP's streams. The bytes of the state include padding: hashes of equal runs may differ if a model
 * leaves padding undefined. If a type defines how its states are written (tw_lptype_state_io()),
 * the hash covers the written bytes instead, since pointers differ between runs.
 */
#include <assert.h>
#include <xxhash.h>

#include "base/fence.h"
#include "engine/lps/lps.h"

void fingerprint_add_event(struct fingerprint *f, const tw_event *event)
{
    assert(event->state.lineage_len <= MAX_TIE_CHAIN);
    struct {
        double recv_ts, prio, send_ts;
        uint64_t src, dest, lineage_len;
        double lineage[MAX_TIE_CHAIN];
    } key = {.recv_ts = event->recv_ts,
             .prio = event->prio,
             .send_ts = event->send_ts,
             .src = event->send_lp,
             .dest = event->dest_lpid,
             .lineage_len = event->state.lineage_len};
    for (unsigned i = 0; i < event->state.lineage_len; i++) {
        key.lineage[i] = event_lineage(event, i);
    }
    f->committed += XXH3_64bits(&key, sizeof key);
}

void fingerprint_write_state(const tw_lp *lp, const tw_state_io *io, unsigned char *bytes, size_t n)
{
    assert(io != NULL && io->save != NULL);
    fence_fill(bytes + n, STATE_WRITE_FENCE);
    io->save(lp->cur_state, lp, bytes);
    if (fence_look(bytes + n, 0, STATE_WRITE_FENCE).end > 0) {
        tw_error(TW_LOC,
                 "LP %" PRIu64 ": save of its type's tw_state_io has written beyond the end of the "
                 "%zu bytes that size asked for",
                 lp->gid, n);
    }
}

static uint64_t state_hash(const tw_lp *lp, const tw_state_io *io)
{
    if (io == NULL || io->save == NULL) {
        return XXH3_64bits_withSeed(lp->cur_state, lp->type->state_sz, lp->gid);
    }
    size_t n = io->size(lp->cur_state, lp);
    unsigned char *bytes = tw_calloc(TW_LOC, "a state's bytes", 1, n + STATE_WRITE_FENCE);
    fingerprint_write_state(lp, io, bytes, n);
    uint64_t hash = XXH3_64bits_withSeed(bytes, n, lp->gid);
    free(bytes);
    return hash;
}

void fingerprint_add_states(struct pe *pe, state_io_f io_of)
{
    uint64_t sum = 0;
    for (tw_lpid i = 0; i < pe->lps.count; i++) {
        const tw_lp *lp = lp_table_at(&pe->lps, i);
        sum += state_hash(lp, io_of(pe, lp));
        for (unsigned r = 0; r < pe->n_streams; r++) {
            sum += XXH3_64bits_withSeed(lp->rng[r].c, sizeof lp->rng[r].c, ~lp->gid);
        }
        sum += XXH3_64bits_withSeed(lp->core_rng[0].c, sizeof lp->core_rng[0].c, lp->gid + 1);
    }
    pe->fingerprint.states += sum;
}
