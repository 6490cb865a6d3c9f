/*
 * ross_event.h - the part of ross.h about events that exist: what models may read of one, and how
 * they take pending events out of the run at a GVT and put them back. ross.h includes it.
 */
#ifndef WARPSCOPE_ROSS_EVENT_H
#define WARPSCOPE_ROSS_EVENT_H

#include "ross.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * An event. Models may read the members of the first part in handlers of the event
 * (lp->pe->cur_event), in tw_withdraw_events() and of withdrawn events. Use tw_event_data() for the
 * message and tw_now(), which costs less, for the time. The second part belongs to the engine.
 */
struct tw_event {
    tw_lpid send_lp;   /* gid of the sender */
    tw_lpid dest_lpid; /* gid of the receiver */
    tw_stime send_ts;  /* virtual time of the sender when it sent the event */
    tw_stime recv_ts;  /* virtual time at which the event happens */
    tw_stime prio;     /* user priority, 0 to 1 */
    tw_lp *dest_lp;    /* the receiver; NULL if it is on another rank */

    double tie; /* first number of the tie lineage */
    struct event_note *notes;
    /* second cache line */
    tw_event *caused_by_me; /* events that this one sent to its own PE, linked by prev; of an
                               unsent event: the previous in the list */
    tw_event *sent;         /* events that this one sent to other ranks, linked by prev */
    tw_event *prev;         /* next in one of these lists, in the list of unsent events or the free
                               list; of a withdrawn event: the model's */
    tw_bf bf;               /* bits of the handlers */
    uint32_t core_draws;    /* draws from the core stream during its execution */
    uint32_t send_pe;       /* remote events: the other rank */
    uint32_t handle;        /* remote events: slot at the receiver, see event/remote_table.h */
    uint32_t event_id;      /* tells users of one handle apart; 0: its sender cannot cancel it */
    struct {
        uint8_t owner;           /* where the event is: enum event_state */
        uint8_t remote : 1;      /* the event came from another rank */
        uint8_t lineage_len : 7; /* 1 to MAX_TIE_CHAIN */
    } state;
    uint8_t past_end; /* events past the end that it made, see also NOTE_PAST_END */
    uint8_t numbers;  /* of its LP that it took, see probe_lp_number() and NOTE_NUMBERS */
};

/* ---- Events in g_tw_gvt_hook --------------------------------------------------------------------
 *
 * A model that replaces a part of itself by a simpler one for a while (a hybrid or surrogate
 * model), or suspends a part of it, takes the events of that part out of the run at one GVT and
 * puts them back at a later one. It does so in g_tw_gvt_hook, on each rank for the events of that
 * rank.
 *
 * In a settled PE the function may also send events, by tw_event_new() and tw_event_send() in the
 * name of any LP of the rank; tw_now() is GVT for all of them. Nothing of this is ever rolled back.
 *
 * Results are the same on any number of ranks and under every scheduler if the function is called
 * "at a time" (tw_trigger_gvt_hook_at()), each LP sends only for itself, and choices depend on the
 * event and its receiver alone.
 */

/*
 * Takes all LPs back to GVT: what a rank has executed past it is rolled back, and no message stays
 * in transit. Collective. "At a time" the engine has done so before it calls the function; another
 * call does nothing.
 */
void tw_settle_at_gvt(tw_pe *pe);

/* What becomes of an event. */
typedef enum tw_event_choice {
    TW_EVENT_STAYS,     /* where it is */
    TW_EVENT_MOVES,     /* it is withdrawn, or put back */
    TW_EVENT_IS_DROPPED /* it never happens */
} tw_event_choice;
/* May read the event and its message, and the receiver's state; may change the message. */
typedef tw_event_choice (*tw_event_choice_f)(void *ctx, tw_event *event);

/*
 * Asks choose for each pending event of the rank, in event order; returns how many did not stay.
 * The engine keeps withdrawn events, and checkpoints hold them. Those that are still withdrawn when
 * the run ends never happen. Not collective; the PE is settled.
 */
size_t tw_withdraw_events(tw_pe *pe, tw_event_choice_f choose, void *ctx);
/*
 * Puts withdrawn events back, `later` after their receive times, which must not lie before GVT.
 * Asks choose for each, in any order; NULL: all move. Returns how many did not stay. An event
 * that comes to lie at or past the end is counted and dropped. Not collective; the PE is settled.
 */
size_t tw_reinject_events(tw_pe *pe, tw_event_choice_f choose, void *ctx, tw_stime later);

/*
 * The same by names of ROSS, for models that keep such events themselves, linked by prev, and set
 * recv_ts. New models use the functions above: a checkpoint cannot be made while a model keeps
 * events. queue is pe->pq, table pe->hash_t; the functions of the table do nothing.
 */
tw_event *tw_pq_dequeue(struct tw_pq *queue); /* the next event; NULL: there is none */
void tw_pq_enqueue(struct tw_pq *queue, tw_event *event);
void tw_event_free(tw_pe *pe, tw_event *event);
void tw_hash_insert(struct tw_hash *table, tw_event *event, long send_pe);
void tw_hash_remove(struct tw_hash *table, tw_event *event, long send_pe);
void tw_scheduler_rollback_and_cancel_events_pe(tw_pe *pe); /* tw_settle_at_gvt() */
void tw_kp_put_back_output_buffer(void *buffer);            /* does nothing */
void buddy_free(void *block);                               /* does nothing */

#ifdef __cplusplus
}
#endif

#endif
