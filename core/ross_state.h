/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ross_state.h - the part of ross.h about states and commits: memory, snapshots, functions at GVT,
 * checks of reverse handlers, checkpoints, and the placement of LPs. ross.h includes this header.
 */
#ifndef WARPSCOPE_ROSS_STATE_H
#define WARPSCOPE_ROSS_STATE_H

#include "ross.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Memory ---------------------------------------------------------------------------------- */

/*
 * Checks that `bytes` more bytes of memory are available. A model calls this function before it
 * allocates that much. Without this check, an operating system may grant more memory than it has,
 * and then kill the program that uses it. The check sums the requests of all ranks of a machine,
 * and respects limits of the process. If memory is short, the run ends with status 2 and a message
 * that begins with `what`, for example "the routing tables of 5000 sites".
 *
 * bytes: memory that this rank needs, not negative; 0: none. The value may exceed the memory of any
 * computer. The engine itself makes this check for LPs, KPs and states. Collective; call it between
 * tw_init() and tw_run().
 */
void tw_ask_memory(const char *what, double bytes);

/* ---- State saving for models with a reverse handler ------------------------------------------ */

/*
 * These functions undo changes of a state that are hard to reverse by hand. The forward handler
 * calls tw_snapshot() first and tw_snapshot_delta() last; the reverse handler calls
 * tw_snapshot_restore(). The engine keeps the difference between the states before and after the
 * event, compressed (LZ4, --lz4-knob).
 *
 * state_sz: number of bytes of the state to restore, from its beginning, equal in all three calls.
 * Random streams and the message are not included: the reverse handler undoes draws and changes of
 * the message as usual. An event has at most one snapshot; calls in any other order are fatal.
 * Sequential and conservative runs keep no differences. The report states the total size of the
 * differences.
 */
void tw_snapshot(tw_lp *lp, size_t state_sz);
/* Returns the number of bytes kept with the event; 0 if the run keeps no differences. */
long tw_snapshot_delta(tw_lp *lp, size_t state_sz);
void tw_snapshot_restore(tw_lp *lp, size_t state_sz);

/* ---- Functions at GVT ------------------------------------------------------------------------ */

/*
 * Each rank calls g_tw_gvt_hook after GVT has advanced: events before pe->GVT are committed, and
 * LPs of an optimistic run may be ahead. One of the first three functions below selects the GVTs at
 * which the hook is called; without a selection the engine never calls the hook. Models select
 * before tw_run() or in the hook, equally on every rank; a later selection replaces an earlier one.
 * All ranks call the hook at the same GVT, so the hook may communicate on MPI_COMM_ROSS.
 *
 * nothing_left is true in the last call of a run, and in an earlier call if no rank has a pending
 * event. The last call comes exactly once, also after a signal. The LPs are then in the states that
 * `final` receives.
 *
 * A call "at a time" (tw_trigger_gvt_hook_at()) comes once, when GVT equals that time, under every
 * scheduler. Exactly the events before that time are committed, and LPs are in their states at that
 * time. The hook may then send, withdraw and reinject events (ross_event.h). If GVT has passed the
 * time, the call comes as soon as possible. For the other two selections, the number of calls and
 * the values of pe->GVT depend on the scheduler. A request by an LP takes effect when the event
 * that made it commits; one call answers all requests that committed since the previous GVT
 * computation.
 */
extern void (*g_tw_gvt_hook)(tw_pe *pe, bool nothing_left);
/* Selects a single call of the hook, at the moment when GVT equals `time`. */
void tw_trigger_gvt_hook_at(tw_stime time);
/* Selects a call of the hook at every n-th GVT. */
void tw_trigger_gvt_hook_every(int n);
/* Selects calls of the hook only when LPs request them by tw_trigger_gvt_hook_now(). */
void tw_trigger_gvt_hook_when_model_calls(void);
/* Requests a call of the hook; for the forward handler of lp. */
void tw_trigger_gvt_hook_now(tw_lp *lp);
/* Undoes the request of the forward handler; for the reverse handler of lp. */
void tw_trigger_gvt_hook_now_rev(tw_lp *lp);

/* ---- Checking reverse handlers: --synch=6 ---------------------------------------------------- */

/* By default, --synch=4 and --synch=6 check that reverse handlers restore all bytes of the LP's
 * state and its random streams. A model defines its own comparison for an LP type whose states hold
 * pointers, or parts that need not be restored. A member that is NULL selects the default. */
typedef void (*save_checkpoint_state_f)(void *into, void const *from);
typedef void (*clean_checkpoint_state_f)(void *state);
typedef bool (*check_states_f)(void *current_state, void const *before_state);
typedef void (*print_lpstate_f)(FILE *out, char const *prefix, void *state);
typedef void (*print_checkpoint_state_f)(FILE *out, char const *prefix, void *state);
typedef void (*print_event_f)(FILE *out, char const *prefix, void *lp_state, void *event_msg);
typedef struct crv_checkpointer {
    tw_lptype *lptype;
    size_t sz_storage;                 /* size of the copy of a state in bytes; 0: state_sz */
    save_checkpoint_state_f save_lp;   /* copies a state to `into` (sz_storage zeroed bytes) */
    clean_checkpoint_state_f clean_lp; /* frees memory that save_lp allocated for a copy */
    check_states_f check_lps;          /* returns true if the state equals the copy */
    print_lpstate_f print_lp;
    print_checkpoint_state_f print_checkpoint;
    print_event_f print_event;
} crv_checkpointer;
/* Sets the comparison for an LP type. Call it between tw_init() and tw_run(). checkpointer must
 * stay valid until tw_end(). */
void crv_add_custom_state_checkpoint(crv_checkpointer *checkpointer);

/* ---- Checkpoints of the run: --checkpoint-every, --restart ----------------------------------- */

/*
 * By default a checkpoint holds the state_sz bytes of each LP's state. A model must define these
 * functions for an LP type whose states hold pointers. A restarted run calls `restore` instead of
 * init and pre_run. `restore` cannot send events and must repeat the other effects of init. A type
 * has all three functions, or `restore` alone, which then receives the bytes of the state. If a
 * type has `save`, --fingerprint hashes its output instead of the bytes of the state.
 */
typedef struct tw_state_io {
    /* Returns the number of bytes that `save` will write for this state. */
    size_t (*size)(const void *state, const tw_lp *lp);
    /* Writes the state to `bytes`, a zeroed and 8-aligned buffer of the size that `size`
     * returned. */
    void (*save)(const void *state, const tw_lp *lp, void *bytes);
    /* Reads the state from `bytes` into `state`, which consists of state_sz zeroed bytes. Returns
     * false if the bytes are invalid, which ends the restart. */
    bool (*restore)(void *state, tw_lp *lp, const void *bytes, size_t size);
} tw_state_io;
/* Sets the functions that write and read the states of LPs of a type. Call it between tw_init() and
 * tw_run(). *type and *io must stay valid until tw_end(). */
void tw_lptype_state_io(const tw_lptype *type, const tw_state_io *io);

/* ---- Placement of LPs: --lp-map, --map=auto -------------------------------------------------- */

/*
 * --lp-map=FILE names a placement map, which places LPs on ranks and KPs independently of
 * g_tw_mapping. tw_define_lps() then sets g_tw_nlp to the number of LPs that the map places on this
 * rank; this number may differ from the argument. Local LPs are numbered in ascending order of
 * gids. With CUSTOM mapping, g_tw_custom_initial_mapping is called once, for the gids of the model;
 * its places have no effect, and no other custom mapping function is called. A model that leaves
 * both functions NULL has the gids 0 to g_tw_total_lps - 1. g_tw_lp_offset is a number far above all
 * gids, so that no gid computed from it is valid.
 *
 * tw_lp_map_allow() states that the model supports maps: after tw_define_lps() the model takes the
 * number of LPs from g_tw_nlp, and gids from g_tw_lp[i]->gid. It does not compute them from each
 * other or from the rank. Without this call, a run with a map ends with status 2 if the mapping is
 * CUSTOM. The same happens if the model gives LPs several types by tw_lp_settype(). Call
 * tw_lp_map_allow() between tw_init() and tw_define_lps(), on every rank. Returns true if the run
 * has a map, or if LPs are to move (see below).
 */
bool tw_lp_map_allow(void);

/*
 * With --map=auto, LPs move to other ranks once during the run. A move works like a checkpoint and
 * a restart with another map, but without files and in the same processes. Each state is written,
 * and restored on the LP's new rank (see tw_lptype_state_io()), even if the LP stays on its rank.
 * Neither init nor final is called. The engine frees the old state without calling the model.
 * Memory to which the old state points stays allocated.
 *
 * tw_lp_map_moves() states that the model supports moves. Between calls of its handlers, such a
 * model keeps no pointer to a tw_lp and no local number of an LP. It keeps no table indexed by
 * local LP either, except tables that its function `arrive` creates again.
 */
typedef struct tw_lp_moves {
    /* Called on every rank before the move, when tw_lp_rank() already returns the new ranks.
     * Returns false to prevent the move. For conservative runs, sets g_tw_lookahead to a value that
     * is valid for the new ranks. NULL: the model accepts every placement. May be collective. */
    bool (*accept)(void);
    /* Called on every rank when g_tw_nlp, g_tw_lp and the gids of the LPs have their new values,
     * and before states are restored. Gives all local LPs their types by tw_lp_settype() and their
     * callbacks by st_model_settype(), as the program did before tw_run(). Also recreates the
     * tables that are indexed by local LP. May be collective. NULL: all LPs have one type, or
     * tw_lp_setup_types() determines their types. */
    void (*arrive)(void);
} tw_lp_moves;
/* Sets the model's functions for moves. Call it between tw_init() and tw_run(), on every rank.
 * *functions must stay valid until tw_end(). Without this call, a run with --map=auto ends with
 * status 2. */
void tw_lp_map_moves(const tw_lp_moves *functions);
/* Returns the rank of an LP, with and without a map; (tw_peid)-1 before tw_define_lps() and after
 * tw_end(). With CUSTOM mapping it calls the function `map` of the type of a local LP; without a
 * local LP that has a type, the call is fatal. The call is also fatal if gid is larger than that of
 * any LP. Not collective. Cost: that of finding the receiver of an event. */
tw_peid tw_lp_rank(tw_lpid gid);

#ifdef __cplusplus
}
#endif

#endif
