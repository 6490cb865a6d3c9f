/*
 * ross_state.h - the part of ross.h about states and what is committed: memory, snapshots,
 * functions at GVT, checks of reverse handlers, checkpoints. ross.h includes it.
 */
#ifndef WARPSCOPE_ROSS_STATE_H
#define WARPSCOPE_ROSS_STATE_H

#include "ross.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Memory -------------------------------------------------------------------------------------
 *
 * A system promises more memory than it has, and kills the program that uses it. So a model that is
 * about to take much, by an option's value, asks first: with less at hand on a machine than all its
 * ranks ask for together, or less than a limit of the process allows, the run ends with a message
 * that begins with `what` ("the routing tables of 5000 sites"), and status 2. The engine asks for
 * LPs, KPs and states. bytes: of this rank, 0 if it needs none; not negative, may be more than any
 * computer has. Collective, between tw_init() and tw_run().
 */
void tw_ask_memory(const char *what, double bytes);

/* ---- State saving for models with a reverse handler ---------------------------------------------
 *
 * For handlers that are hard to reverse: tw_snapshot() at the beginning of the forward handler,
 * tw_snapshot_delta() at its end, tw_snapshot_restore() in the reverse handler. What differs is
 * kept with the event, compressed (LZ4, --lz4-knob). state_sz: bytes of the state, from its
 * beginning, the same in all three. Random streams and the message are not included: undo draws and
 * changes of the message as ever. Once per event; calls in another order are fatal. Sequential and
 * conservative runs keep nothing, and the delta is of 0 bytes. The report has the sum.
 */
void tw_snapshot(tw_lp *lp, size_t state_sz);
long tw_snapshot_delta(tw_lp *lp, size_t state_sz); /* bytes kept */
void tw_snapshot_restore(tw_lp *lp, size_t state_sz);

/* ---- Functions at GVT ---------------------------------------------------------------------------
 *
 * g_tw_gvt_hook is called on each rank when GVT has advanced: what is before pe->GVT has committed,
 * LPs of an optimistic run may be ahead. One of the first three below says when, before tw_run() or
 * in the function itself, and the same on every rank; a later call replaces an earlier one; without
 * any the function is not called. The ranks call at the same GVT, so the function may communicate
 * on MPI_COMM_ROSS. nothing_left: no rank has a pending event; the function is called so for the
 * last time, once, when the run is over, also if a signal ended it, and all is as final will find
 * it.
 *
 * "At a time" calls once, when GVT is that time exactly, in every scheduler: all events before it
 * have been committed and no others, LPs are in their states of that time, and the function may
 * send, withdraw and put back events (ross_event.h). A time that GVT has passed means as soon as
 * can be. Schedulers differ in when they compute GVT otherwise, so how often "every n" calls, and
 * the pe->GVT of a call, may differ. A request by an LP counts when its event commits; several
 * before the same GVT have one call.
 */
extern void (*g_tw_gvt_hook)(tw_pe *pe, bool nothing_left);
void tw_trigger_gvt_hook_at(tw_stime time);      /* when GVT is time; again in the function */
void tw_trigger_gvt_hook_every(int n);           /* at every n-th GVT */
void tw_trigger_gvt_hook_when_model_calls(void); /* only when some LP asks: */
void tw_trigger_gvt_hook_now(tw_lp *lp);         /* in a forward handler, for the GVT after it */
void tw_trigger_gvt_hook_now_rev(tw_lp *lp);     /* in its reverse handler */

/* ---- Checking reverse handlers: --synch=6 -------------------------------------------------------
 *
 * By default the whole state of the LP and its random streams must be as before, byte by byte. A
 * model whose states hold pointers, or parts that need not come back, says for each of its LP types
 * how to compare. A NULL function stands for what is done by default.
 */
typedef void (*save_checkpoint_state_f)(void *into, void const *from);
typedef void (*clean_checkpoint_state_f)(void *state);
typedef bool (*check_states_f)(void *current_state, void const *before_state);
typedef void (*print_lpstate_f)(FILE *out, char const *prefix, void *state);
typedef void (*print_checkpoint_state_f)(FILE *out, char const *prefix, void *state);
typedef void (*print_event_f)(FILE *out, char const *prefix, void *lp_state, void *event_msg);
typedef struct crv_checkpointer {
    tw_lptype *lptype;
    size_t sz_storage;                 /* bytes of a checkpoint, 0: state_sz */
    save_checkpoint_state_f save_lp;   /* into: sz_storage zeros; from: the state */
    clean_checkpoint_state_f clean_lp; /* frees what save_lp made */
    check_states_f check_lps;          /* true: the same */
    print_lpstate_f print_lp;
    print_checkpoint_state_f print_checkpoint;
    print_event_f print_event;
} crv_checkpointer;
/* Between tw_init() and tw_run(); must stay valid until tw_end(). */
void crv_add_custom_state_checkpoint(crv_checkpointer *checkpointer);

/* ---- Checkpoints of the run: --checkpoint-every, --restart --------------------------------------
 *
 * The state of an LP is written as its state_sz bytes unless its type says otherwise here, which it
 * must if the state holds pointers. A restarted run calls restore instead of init and pre_run; it
 * cannot send events. So what init does beside filling the state is for restore to do as well. Of
 * the three functions all may be given, or restore alone: it then gets the state's bytes.
 * --fingerprint hashes what save writes, in place of the bytes of the state.
 */
typedef struct tw_state_io {
    /* Bytes that save will write for this state. */
    size_t (*size)(const void *state, const tw_lp *lp);
    void (*save)(const void *state, const tw_lp *lp, void *bytes); /* bytes: zeros, 8-aligned */
    /* state: state_sz zeros. False: these bytes make no sense, which ends the restart. */
    bool (*restore)(void *state, tw_lp *lp, const void *bytes, size_t size);
} tw_state_io;
/* Between tw_init() and tw_run(); both must stay valid until tw_end(). */
void tw_lptype_state_io(const tw_lptype *type, const tw_state_io *io);

#ifdef __cplusplus
}
#endif

#endif
