/*
 * fingerprint.c - two numbers by which runs are compared: what was committed, where it ended.
 *
 * Both are sums modulo 2^64 of hashes (XXH3), so they depend neither on the order of commits nor on
 * the number of ranks. An event counts with its place in the order, its send time, sender and
 * receiver; a final state with the LP's number, all bytes of the state, and the LP's streams. "All
 * bytes" includes padding: where a model leaves that to chance, equal runs may look different.
 */
#include <xxhash.h>

#include "engine/engine.h"

void fingerprint_add_event(struct fingerprint *f, const tw_event *event)
{
    struct {
        double recv_ts, prio, send_ts;
        uint64_t src, dest, lineage_len;
        double lineage[MAX_TIE_CHAIN];
    } key = {.recv_ts = event->recv_ts,
             .prio = event->prio,
             .send_ts = event->send_ts,
             .src = event->src,
             .dest = event->dest,
             .lineage_len = event->lineage_len};
    for (unsigned i = 0; i < event->lineage_len; i++) {
        key.lineage[i] = event_lineage(event, i);
    }
    f->committed += XXH3_64bits(&key, sizeof key);
}

void fingerprint_add_states(struct pe *pe)
{
    uint64_t sum = 0;
    for (tw_lpid i = 0; i < pe->lps.count; i++) {
        const tw_lp *lp = lp_table_at(&pe->lps, i);
        sum += XXH3_64bits_withSeed(lp->cur_state, lp->type->state_sz, lp->gid);
        for (unsigned r = 0; r < pe->n_streams; r++) {
            sum += XXH3_64bits_withSeed(lp->rng[r].c, sizeof lp->rng[r].c, ~lp->gid);
        }
        sum += XXH3_64bits_withSeed(lp->core_rng[0].c, sizeof lp->core_rng[0].c, lp->gid + 1);
    }
    pe->fingerprint.states += sum;
}
