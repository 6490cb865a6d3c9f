/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ross_event.h - the part of ross.h about existing events: members that models may read, and
 * functions that withdraw pending events at a GVT and reinject them. ross.h includes this header.
 */
#ifndef WARPSCOPE_ROSS_EVENT_H
#define WARPSCOPE_ROSS_EVENT_H

#include "ross.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An event. Models may read the members send_lp to dest_lp of these events: the event in execution
 * (lp->pe->cur_event), events passed to a tw_event_choice_f, and withdrawn events. tw_event_data()
 * returns the message; tw_now() returns recv_ts and is cheaper. The other members belong to the
 * engine. */
struct tw_event {
    tw_lpid send_lp;   /* gid of the LP that sent the event */
    tw_lpid dest_lpid; /* gid of the LP that receives the event */
    tw_stime send_ts;  /* virtual time of the sender when it sent the event */
    tw_stime recv_ts;  /* virtual time at which the receiver executes the event */
    tw_stime prio;     /* priority given by the model, 0 to 1 */
    tw_lp *dest_lp;    /* LP that receives the event; NULL: it is on another rank */

    double tie; /* first number of the lineage, which orders simultaneous events */
    struct event_note *notes;
    /* Members of the second cache line. */
    tw_event *caused_by_me; /* list of events that this event sent to its own PE, linked by prev; in
                               an unsent event: the previous unsent event */
    tw_event *sent;         /* list of events that this event sent to other ranks, linked by prev */
    tw_event *prev;         /* next event in the list that holds this event; in a withdrawn event:
                               for use by the model */
    tw_bf bf;               /* bits that the forward handler sets for the reverse handler */
    /* Number of random numbers drawn from the LP's core streams while this event was executed. */
    uint32_t core_draws;
    uint32_t send_pe; /* in a remote event: number of the other rank */
    uint32_t handle;  /* in a remote event: its handle, see event/remote_table.h */
    union {
        /* In the sender's copy of a remote event: number that distinguishes successive events with
         * the same handle; 0: the sender cannot cancel the event. */
        uint32_t event_id;
        /* In all other events: the number that probe_number_sends() set (engine/probe.h). */
        int32_t send_order;
    };
    struct {
        uint8_t owner;           /* state of the event: an enum event_state */
        uint8_t remote : 1;      /* true if the event came from another rank */
        uint8_t lineage_len : 7; /* length of the lineage, 1 to MAX_TIE_CHAIN */
    } state;
    /* Number of events that this event sent for times past the end time. Each note of kind
     * NOTE_PAST_END stands for PAST_END_OF_NOTE further such events. */
    uint8_t past_end;
    uint8_t numbers; /* count of record numbers that this event took, see probe_record_number() */
};

/* ---- Events in g_tw_gvt_hook ----------------------------------------------------------------- */

/*
 * A hybrid model replaces a part of itself by a simpler one (a surrogate) for a while; other models
 * suspend a part. Such a model withdraws the events of that part at one GVT and reinjects them at a
 * later one. It does so in g_tw_gvt_hook, on each rank for the events of that rank.
 *
 * In a settled PE the hook may also send events by tw_event_new() and tw_event_send(). The sender
 * may be any LP of the rank; tw_now() is GVT for each LP. The engine never rolls back the effects
 * of the hook.
 *
 * The results of the run do not depend on the scheduler or the number of ranks if three conditions
 * hold. tw_trigger_gvt_hook_at() selects the calls of the hook; the hook lets each LP send only the
 * LP's own events; and a choice depends only on the event and its receiver.
 */

/* Settles the PE: rolls all LPs back to GVT, so that no effect of a later event remains and no
 * message is in transit. Collective. For a call of the hook "at a time", the engine has already
 * settled the PE; settling it again has no effect. */
void tw_settle_at_gvt(tw_pe *pe);

/* Decision of the model about an event. */
typedef enum tw_event_choice {
    TW_EVENT_STAYS,     /* the event stays where it is: pending or withdrawn */
    TW_EVENT_MOVES,     /* the event is withdrawn or reinjected */
    TW_EVENT_IS_DROPPED /* the event is discarded and never executed */
} tw_event_choice;
/* Returns the model's decision about an event. May read the event, its message and the receiver's
 * state, and may change the message. */
typedef tw_event_choice (*tw_event_choice_f)(void *ctx, tw_event *event);

/*
 * Calls `choose` for each pending event of the rank, in event order. Returns the number of events
 * that were withdrawn or dropped. The engine owns withdrawn events, and checkpoints include them.
 * Events that are still withdrawn at the end of the run are never executed. The PE must be settled.
 * Not collective.
 */
size_t tw_withdraw_events(tw_pe *pe, tw_event_choice_f choose, void *ctx);
/*
 * Reinjects withdrawn events at their receive times plus `later`; the new time must not be before
 * GVT. Calls `choose` for each withdrawn event, in no particular order; NULL reinjects all.
 * Returns the number of events that were reinjected or dropped. An event whose new time is at or
 * past the end time is counted and dropped. The PE must be settled. Not collective.
 */
size_t tw_reinject_events(tw_pe *pe, tw_event_choice_f choose, void *ctx, tw_stime later);

/* Functions of ROSS, for models that keep withdrawn events in their own lists (linked by prev) and
 * set recv_ts themselves. New models should use the functions above, since no checkpoint is
 * possible while a model holds events. Arguments: pe->pq for queue, pe->hash_t for table. Functions
 * with the parameter table have no effect. */
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
