/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * state_save.c - state saving by copying, for LP types without a reverse handler.
 *
 * Before an event, the engine copies the LP's state, its model streams and the message into a note
 * on the event. A rollback copies them back. Draws from the core stream are undone by their count,
 * as for all LPs.
 */
#include <assert.h>

#include "engine/lps/lps.h"

static size_t streams_bytes(const struct pe *pe)
{
    return pe->n_streams * sizeof(tw_rng_stream);
}

void engine_save_state(struct pe *pe, tw_event *event)
{
    assert(event->state.owner == EVENT_PROCESSING);
    enum tw_phase before = phase_enter(&pe->phases, TW_PHASE_state_saving);
    const tw_lp *lp = event->dest_lp;
    size_t state_bytes = lp->type->state_sz;
    struct event_note *note = event_pool_add_note(&pe->pool, event, NOTE_STATE,
                                                  state_bytes + streams_bytes(pe) + pe->msg_bytes);
    if (note == NULL) {
        tw_error(TW_LOC, "out of event memory for saved states; raise --max-memory");
    }
    unsigned char *at = note->bytes;
    memcpy(at, lp->rng, streams_bytes(pe));
    at += streams_bytes(pe);
    memcpy(at, event_payload(event), pe->msg_bytes);
    at += pe->msg_bytes;
    if (state_bytes > 0) {
        memcpy(at, lp->cur_state, state_bytes);
    }
    pe->counters.state_saves++;
    phase_enter(&pe->phases, before);
}

void engine_restore_state(struct pe *pe, tw_event *event)
{
    enum tw_phase before = phase_enter(&pe->phases, TW_PHASE_state_saving);
    const tw_lp *lp = event->dest_lp;
    const struct event_note *note = event_note_find(event, NOTE_STATE);
    assert(note != NULL);
    const unsigned char *at = note->bytes;
    memcpy(lp->rng, at, streams_bytes(pe));
    at += streams_bytes(pe);
    memcpy(event_payload(event), at, pe->msg_bytes);
    at += pe->msg_bytes;
    if (lp->type->state_sz > 0) {
        memcpy(lp->cur_state, at, lp->type->state_sz);
    }
    phase_enter(&pe->phases, before);
}
