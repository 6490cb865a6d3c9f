/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ross_event.h - the part of ross.h about existing events: members that models may read, and
 * functions that withdraw pending events at a GVT and reinject them. Included by ross.h.
 */
#ifndef WARPSCOPE_ROSS_EVENT_H
#define WARPSCOPE_ROSS_EVENT_H

#include "ross.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An event. Models may read the first part in handlers (lp->pe->cur_event), in tw_withdraw_events()
 * and of withdrawn events. Use tw_event_data() for the message, and tw_now() for the time because
 * it is cheaper. The second part belongs to the engine. */
struct tw_event {
    tw_lpid send_lp;   /* gid of the LP that sent the event */
    tw_lpid dest_lpid; /* gid of the LP that receives the event */
    tw_stime send_ts;  /* virtual time of the sender when it sent the event */
    tw_stime recv_ts;  /* virtual time at which the receiver executes the event */
    tw_stime prio;     /* priority given by the model, 0 to 1 */
    tw_lp *dest_lp;    /* LP that receives the event; NULL if it is on another rank */

    double tie; /* first number of the lineage, which orders simultaneous events */
    struct event_note *notes;
    /* Members of the second cache line. */
    tw_event *caused_by_me; /* events that this event sent to its own PE, linked by prev; in an
                               unsent event: the previous unsent event */
    tw_event *sent;         /* events that this event sent to other ranks, linked by prev */
    tw_event *prev;         /* next event in the list that holds this event; in a withdrawn event:
                               for use by the model */
    tw_bf bf;               /* bits that the forward handler sets for the reverse handler */
    uint32_t core_draws;    /* draws from the core stream during the execution of this event */
    uint32_t send_pe;       /* for remote events: number of the other rank */
    uint32_t handle;        /* for remote events: slot at the receiver, see event/remote_table.h */
    union {
        /* In the sender's copy of a remote event: distinguishes successive events with the same
         * handle; 0: the sender cannot cancel the event. */
        uint32_t event_id;
        /* In all other events: number set by probe_number_sends() (engine/probe.h). */
        int32_t send_order;
    };
    struct {
        uint8_t owner;           /* state of the event: an enum event_state */
        uint8_t remote : 1;      /* true if the event came from another rank */
        uint8_t lineage_len : 7; /* length of the lineage, 1 to MAX_TIE_CHAIN */
    } state;
    /* Number of events past the end time that this event sent; PAST_END_OF_NOTE of them become a
     * note of kind NOTE_PAST_END. */
    uint8_t past_end;
    uint8_t numbers; /* record numbers that this event took, see probe_record_number() */
};

/* ---- Events in g_tw_gvt_hook ----------------------------------------------------------------- */

/*
 * A hybrid model replaces a part of itself by a simpler one (a surrogate) for a while; other models
 * suspend a part. Such a model withdraws the events of that part at one GVT and reinjects them at a
 * later one. It does so in g_tw_gvt_hook, on each rank for the events of that rank.
 *
 * In a settled PE the hook may also send events, by tw_event_new() and tw_event_send(), with any LP
 * of the rank as sender. tw_now() is GVT for all of them. The engine never rolls back what the hook
 * does.
 *
 * Results are the same for any number of ranks and every scheduler under three conditions: the hook
 * is called "at a time" (tw_trigger_gvt_hook_at()), each LP sends only for itself, and choices
 * depend only on the event and its receiver.
 */

/* Rolls all LPs back to GVT: every rank undoes what it executed past GVT, and no message stays in
 * transit. Collective. Before a call "at a time", the engine has already done so; further calls
 * have no effect. */
void tw_settle_at_gvt(tw_pe *pe);

/* Decision of a model about an event. */
typedef enum tw_event_choice {
    TW_EVENT_STAYS,     /* leave the event in its place */
    TW_EVENT_MOVES,     /* withdraw or reinject the event */
    TW_EVENT_IS_DROPPED /* discard the event: it is never executed */
} tw_event_choice;
/* Decides about an event. The function may read the event, its message and the receiver's state. It
 * may change the message. */
typedef tw_event_choice (*tw_event_choice_f)(void *ctx, tw_event *event);

/*
 * Calls choose for each pending event of the rank, in event order. Returns the number of events
 * withdrawn or dropped. The engine owns withdrawn events, and checkpoints include them. Events
 * still withdrawn at the end of the run are never executed. The PE must be settled. Not
 * collective.
 */
size_t tw_withdraw_events(tw_pe *pe, tw_event_choice_f choose, void *ctx);
/*
 * Reinjects withdrawn events at their receive times plus `later`; the result must not lie before
 * GVT. Calls choose for each, in any order; NULL reinjects all. Returns the number of events that
 * were reinjected or dropped. An event at or past the end time is counted and dropped. The PE must
 * be settled. Not collective.
 */
size_t tw_reinject_events(tw_pe *pe, tw_event_choice_f choose, void *ctx, tw_stime later);

/* Functions with the names of ROSS, for models that keep withdrawn events in lists of their own
 * (linked by prev) and set recv_ts themselves. New models use the functions above: no checkpoint is
 * possible while a model holds events. queue is pe->pq, table is pe->hash_t; the functions on the
 * table have no effect. */
tw_event *tw_pq_dequeue(struct tw_pq *queue); /* returns the next event, or NULL */
void tw_pq_enqueue(struct tw_pq *queue, tw_event *event);
void tw_event_free(tw_pe *pe, tw_event *event);
void tw_hash_insert(struct tw_hash *table, tw_event *event, long send_pe);
void tw_hash_remove(struct tw_hash *table, tw_event *event, long send_pe);
void tw_scheduler_rollback_and_cancel_events_pe(tw_pe *pe); /* equals tw_settle_at_gvt() */
void tw_kp_put_back_output_buffer(void *buffer);            /* has no effect */
void buddy_free(void *block);                               /* has no effect */

#ifdef __cplusplus
}
#endif

#endif
