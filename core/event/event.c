/* SPDX-License-Identifier: BSD-3-Clause */
/* event.c - lineages of events, and comparisons of positions in the event order; see event.h. */
#include "event/event.h"

static const struct event_note *note_next(const struct event_note *note, enum note_kind kind)
{
    do {
        note = note->next;
    } while (note->kind != (uint16_t)kind);
    return note;
}

double event_lineage(const tw_event *event, unsigned i)
{
    assert(i < event->state.lineage_len);
    if (i == 0) {
        return event->tie;
    }
    const struct event_note *note = event_note_find(event, NOTE_LINEAGE);
    for (i--; i >= LINEAGE_OF_NOTE; i -= LINEAGE_OF_NOTE) {
        note = note_next(note, NOTE_LINEAGE);
    }
    assert(note != NULL);
    return ((const double *)note->bytes)[i];
}

void event_copy_lineage(const tw_event *event, void *doubles)
{
    unsigned char *at = doubles;
    const struct event_note *note = event->notes;
    for (; note != NULL; note = note->next) {
        if (note->kind == NOTE_LINEAGE) {
            memcpy(at, note->bytes, note->size);
            at += note->size;
        }
    }
}

int event_compare_rest(const tw_event *a, const tw_event *b)
{
    unsigned common =
        a->state.lineage_len < b->state.lineage_len ? a->state.lineage_len : b->state.lineage_len;
    for (unsigned i = 1; i < common; i++) {
        double x = event_lineage(a, i);
        double y = event_lineage(b, i);
        if (x != y) {
            return x < y ? -1 : 1;
        }
    }
    if (a->state.lineage_len != b->state.lineage_len) {
        return a->state.lineage_len < b->state.lineage_len ? -1 : 1;
    }
    return (a->send_lp > b->send_lp) - (a->send_lp < b->send_lp);
}

void event_signature(const tw_event *event, tw_event_sig *out)
{
    out->recv_ts = event->recv_ts;
    out->priority = event->prio;
    out->tie_lineage_length = event->state.lineage_len;
    for (unsigned i = 0; i < MAX_TIE_CHAIN; i++) {
        out->event_tiebreaker[i] = i < event->state.lineage_len ? event_lineage(event, i) : 0.0;
    }
}

int tw_event_sig_compare_ptr(const tw_event_sig *a, const tw_event_sig *b)
{
    if (a->recv_ts != b->recv_ts) {
        return a->recv_ts < b->recv_ts ? -1 : 1;
    }
    if (a->priority != b->priority) {
        return a->priority < b->priority ? -1 : 1;
    }
    unsigned common = a->tie_lineage_length < b->tie_lineage_length ? a->tie_lineage_length
                                                                    : b->tie_lineage_length;
    for (unsigned i = 0; i < common; i++) {
        if (a->event_tiebreaker[i] != b->event_tiebreaker[i]) {
            return a->event_tiebreaker[i] < b->event_tiebreaker[i] ? -1 : 1;
        }
    }
    return (a->tie_lineage_length > b->tie_lineage_length) -
           (a->tie_lineage_length < b->tie_lineage_length);
}
