/* SPDX-License-Identifier: BSD-3-Clause */
/* lps.h - operations on the LPs of a PE: set-up, saved states, suspension, fingerprints. */
#ifndef WARPSCOPE_ENGINE_LPS_LPS_H
#define WARPSCOPE_ENGINE_LPS_LPS_H

#include "engine/pe/pe.h"

struct lp_map;

/* Defined in setup.c. Checks globals that the model may have set after the options were checked.
 * Ends the program with status 2 on all ranks if the run is impossible. Collective. */
void engine_check_globals(struct pe *pe);
/* Defined in setup.c. Frees the LPs of this PE with their states. Then creates the LPs that a new
 * placement puts on this rank; they have no types and states yet. placed, count: as for
 * mapping_place(). map: KPs of the new LPs; this function frees its arrays. No event may exist. */
void engine_remake_lps(struct pe *pe, uint32_t *placed, tw_lpid count, struct lp_map *map);
/* Defined in setup.c. Allocates pe->lp_times for a conservative run, and marks each LP as having
 * executed no event. */
void engine_begin_lp_times(struct pe *pe);
/* Defined in setup.c. Determines the scheduler of the run, and stores it where models may read
 * it. */
void engine_choose_scheduler(struct pe *pe);

/* Defined in state_save.c. engine_save_state() saves the state of the event's LP, whose type has no
 * reverse handler. engine_restore_state() restores that state. */
void engine_save_state(struct pe *pe, tw_event *event);
void engine_restore_state(struct pe *pe, tw_event *event);

/* The next five functions are defined in suspend.c. */
/* Suspends an LP, see tw_lp_suspend(). event: the event that suspends the LP; NULL at a restart,
 * since that event has been committed. */
void engine_suspend(tw_lp *lp, const tw_event *event, bool undo_event, int error_num);
/* If the LP is suspended, sets *error_num and returns true. */
bool engine_is_suspended(const tw_lp *lp, int *error_num);
/* Returns the type that the model gave the LP; lp->type of a suspended LP is a type of the
 * engine. */
tw_lptype *engine_model_type(const tw_lp *lp);
/* Gives the suspended LPs of this PE their original types. */
void engine_resume_suspended(struct pe *pe);
/* At the end of the run: stores the error numbers of suspended LPs and gives the LPs their original
 * types. */
void engine_settle_suspended(struct pe *pe);

/* Defined in snapshot.c. Frees the buffers of tw_snapshot(). */
void engine_free_snapshots(struct pe *pe);

/* Defined in fingerprint.c. Adds a committed event to the fingerprint f. */
void fingerprint_add_event(struct fingerprint *f, const tw_event *event);
/* Returns the model's functions for writing the state of an LP; NULL: the bytes of the state are
 * written. */
typedef const tw_state_io *(*state_io_f)(const struct pe *pe, const tw_lp *lp);
/* Calls the model's function io->save for the state of an LP. n: result of io->size(). bytes:
 * buffer of n zeroed bytes, followed by STATE_WRITE_FENCE bytes, which are undefined after the
 * call. Ends the run if io->save writes more than n bytes. */
#define STATE_WRITE_FENCE ((size_t)16)
void fingerprint_write_state(const tw_lp *lp, const tw_state_io *io, unsigned char *bytes,
                             size_t n);
/* Adds the final states of all LPs of this PE to its fingerprint. */
void fingerprint_add_states(struct pe *pe, state_io_f io_of);

#endif
