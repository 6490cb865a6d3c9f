/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ross_state.h - the part of ross.h about states and commits: memory, snapshots, functions at GVT,
 * checks of reverse handlers, checkpoints, and the placement of LPs. Included by ross.h.
 */
#ifndef WARPSCOPE_ROSS_STATE_H
#define WARPSCOPE_ROSS_STATE_H

#include "ross.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Memory ---------------------------------------------------------------------------------- */

/*
 * Checks that `bytes` more bytes are available, before a model allocates that much. An operating
 * system may grant more memory than it has, and then kill the program that uses it. The check sums
 * the requests of all ranks of a machine, and respects limits of the process. If memory is short,
 * the run ends with status 2 and a message that begins with `what` ("the routing tables of 5000
 * sites").
 *
 * bytes: the need of this rank, not negative, 0 if this rank needs none; may exceed the memory of
 * any computer. The engine itself checks for LPs, KPs and states. Collective, between tw_init() and
 * tw_run().
 */
void tw_ask_memory(const char *what, double bytes);

/* ---- State saving for models with a reverse handler ------------------------------------------ */

/*
 * These functions reverse handlers that are hard to reverse by hand. The forward handler calls
 * tw_snapshot() first and tw_snapshot_delta() last; the reverse handler calls
 * tw_snapshot_restore(). The engine keeps the difference with the event, compressed (LZ4,
 * --lz4-knob).
 *
 * state_sz: bytes of the state, from its beginning, equal in all three calls. Random streams and
 * the message are not included: the reverse handler undoes draws and changes of the message as
 * usual. One snapshot per event; calls in another order are fatal. Sequential and conservative runs
 * keep nothing. The report has the total size.
 */
void tw_snapshot(tw_lp *lp, size_t state_sz);
/* Returns the number of bytes kept, 0 if the run keeps none. */
long tw_snapshot_delta(tw_lp *lp, size_t state_sz);
void tw_snapshot_restore(tw_lp *lp, size_t state_sz);

/* ---- Functions at GVT ------------------------------------------------------------------------ */

/*
 * Each rank calls g_tw_gvt_hook after GVT has advanced: events before pe->GVT are committed, and
 * LPs of an optimistic run may be ahead. One of the first three functions below selects the calls;
 * without it the hook is not called. Models call it before tw_run() or in the hook, equally on
 * every rank; a later call replaces an earlier one. All ranks call the hook at the same GVT, so it
 * may communicate on MPI_COMM_ROSS. nothing_left is true if no rank has a pending event, and in the
 * last call of a run. The last call comes exactly once, also after a signal; the LPs are then in
 * the states that final gets.
 *
 * "At a time" calls the hook once, when GVT equals that time, under every scheduler. Exactly the
 * events before that time are committed, LPs are in their states of that time, and the hook may
 * send, withdraw and reinject events (ross_event.h). If GVT has passed the time, the call comes as
 * soon as possible. For the other selections, the number of calls and pe->GVT in them depend on the
 * scheduler. A request by an LP takes effect when its event commits; one call answers all requests
 * before the same GVT.
 */
extern void (*g_tw_gvt_hook)(tw_pe *pe, bool nothing_left);
void tw_trigger_gvt_hook_at(tw_stime time);      /* calls the hook once, when GVT equals time */
void tw_trigger_gvt_hook_every(int n);           /* calls the hook at every n-th GVT */
void tw_trigger_gvt_hook_when_model_calls(void); /* calls the hook only when LPs request it */
void tw_trigger_gvt_hook_now(tw_lp *lp);         /* requests a call; for forward handlers */
void tw_trigger_gvt_hook_now_rev(tw_lp *lp);     /* undoes the request; for reverse handlers */

/* ---- Checking reverse handlers: --synch=6 ---------------------------------------------------- */

/* By default, --synch=4 and --synch=6 check that all bytes of the LP's state and its random streams
 * are restored. A model defines the comparison for an LP type if its states hold pointers, or parts
 * that need not be restored. A NULL function selects the default. */
typedef void (*save_checkpoint_state_f)(void *into, void const *from);
typedef void (*clean_checkpoint_state_f)(void *state);
typedef bool (*check_states_f)(void *current_state, void const *before_state);
typedef void (*print_lpstate_f)(FILE *out, char const *prefix, void *state);
typedef void (*print_checkpoint_state_f)(FILE *out, char const *prefix, void *state);
typedef void (*print_event_f)(FILE *out, char const *prefix, void *lp_state, void *event_msg);
typedef struct crv_checkpointer {
    tw_lptype *lptype;
    size_t sz_storage;                 /* size of a copy in bytes; 0: state_sz */
    save_checkpoint_state_f save_lp;   /* into: sz_storage zeroed bytes; from: state of the LP */
    clean_checkpoint_state_f clean_lp; /* frees memory that save_lp allocated */
    check_states_f check_lps;          /* returns true if the two states are equal */
    print_lpstate_f print_lp;
    print_checkpoint_state_f print_checkpoint;
    print_event_f print_event;
} crv_checkpointer;
/* Sets the comparison for an LP type. Call it between tw_init() and tw_run(). checkpointer must
 * stay valid until tw_end(). */
void crv_add_custom_state_checkpoint(crv_checkpointer *checkpointer);

/* ---- Checkpoints of the run: --checkpoint-every, --restart ----------------------------------- */

/*
 * By default a checkpoint holds the state_sz bytes of each LP's state. An LP type whose state holds
 * pointers must define how to write it. A restarted run calls restore instead of init and pre_run;
 * restore cannot send events and must repeat the other effects of init. A type defines all three
 * functions, or restore alone, which then gets the bytes of the state. --fingerprint hashes the
 * output of save instead of the bytes of the state.
 */
typedef struct tw_state_io {
    /* Returns the number of bytes that save will write for this state. */
    size_t (*size)(const void *state, const tw_lp *lp);
    /* bytes: space of size() bytes, zeroed and 8-aligned. */
    void (*save)(const void *state, const tw_lp *lp, void *bytes);
    /* state: state_sz zeroed bytes. Returns false if the bytes are invalid, which ends the
     * restart. */
    bool (*restore)(void *state, tw_lp *lp, const void *bytes, size_t size);
} tw_state_io;
/* Sets the functions that write and read the states of an LP type. Call it between tw_init() and
 * tw_run(). type and io must stay valid until tw_end(). */
void tw_lptype_state_io(const tw_lptype *type, const tw_state_io *io);

/* ---- Placement of LPs: --lp-map, --map=auto -------------------------------------------------- */

/*
 * --lp-map=FILE places LPs on ranks and KPs, independently of g_tw_mapping. tw_define_lps() then
 * sets g_tw_nlp to the number of LPs that the map puts on this rank, which differs from its
 * argument. Local LPs are numbered in ascending order of gids. No custom mapping function is
 * called. g_tw_lp_offset is a number far above all gids, so that arithmetic with it fails.
 *
 * tw_lp_map_allow() states that the model supports maps: after tw_define_lps() it uses g_tw_nlp,
 * and the gid of each LP, g_tw_lp[i]->gid. It computes neither of them from the other or from the
 * rank. Without this call, a run with a map ends with status 2 if the mapping is CUSTOM, or if the
 * model gives LPs several types by tw_lp_settype(). Call it between tw_init() and tw_define_lps(),
 * on every rank. Returns true if the run has a map, or if LPs are to move (see below).
 */
bool tw_lp_map_allow(void);

/*
 * --map=auto: LPs move to other ranks once during the run. A move works like a checkpoint and a
 * restart with another map, but without files and in the same processes. Each state is written on
 * one rank and restored on another (see tw_lptype_state_io()), even if the LP remains on its rank.
 * Neither init nor final is called. The engine frees the old state without a call of the model.
 * Memory to which the old state points stays allocated.
 *
 * tw_lp_map_moves() states that the model supports moves: between calls of handlers it keeps no
 * pointer to a tw_lp, no local number of an LP, and no table by local LP, except tables that its
 * function arrive creates again.
 */
typedef struct tw_lp_moves {
    /* Called on every rank before the move, when tw_lp_rank() already returns the new ranks.
     * Returns false to prevent the move. For conservative runs it sets g_tw_lookahead to a value
     * that holds with the new ranks. NULL: the model accepts every placement. May be collective. */
    bool (*accept)(void);
    /* Called on every rank when g_tw_nlp, g_tw_lp and the gids of the LPs have their new values,
     * and before states are restored. Gives all local LPs their types and their callbacks by
     * tw_lp_settype() and st_model_settype(), as the program did before tw_run(), and makes tables of
     * local LPs again. May be collective. NULL: all LPs have one type, or get their types by
     * tw_lp_setup_types(). */
    void (*arrive)(void);
} tw_lp_moves;
/* Call it between tw_init() and tw_run(), on every rank. The functions must stay valid until
 * tw_end(). Without this call, a run with --map=auto ends with status 2. */
void tw_lp_map_moves(const tw_lp_moves *functions);
/* Returns the rank of an LP, with and without a map. With CUSTOM mapping it calls the function map
 * of the type of a local LP. This rank must then have an LP, and the types must be set. Otherwise,
 * and if gid is not below g_tw_total_lps, the call is fatal. For use after tw_define_lps(). Not
 * collective. Cost: that of finding the receiver of an event. */
tw_peid tw_lp_rank(tw_lpid gid);

#ifdef __cplusplus
}
#endif

#endif
