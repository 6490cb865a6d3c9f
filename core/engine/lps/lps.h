/* SPDX-License-Identifier: BSD-3-Clause */
/* lps.h - operations on the LPs of a PE: set-up, saved states, suspension, fingerprints. */
#ifndef WARPSCOPE_ENGINE_LPS_LPS_H
#define WARPSCOPE_ENGINE_LPS_LPS_H

#include "engine/pe/pe.h"

struct lp_map;

/* Defined in setup.c. Checks globals that the model has set after the options were checked. Ends
 * the program with status 2 on all ranks if the run is impossible. Collective. */
void engine_check_globals(struct pe *pe);
/* Defined in setup.c. Frees the LPs of this PE with their states, and makes those of another
 * placement, without types and states. placed: table of all LPs as for mapping_place(); owned by
 * the mapping from now on. map: their KPs, freed. No event may exist. */
void engine_remake_lps(struct pe *pe, uint32_t *placed, tw_lpid count, struct lp_map *map);
/* Defined in setup.c. Makes pe->lp_times of a conservative run: no LP has executed an event. */
void engine_begin_lp_times(struct pe *pe);
/* Defined in setup.c. Sets the scheduler of the run, which models may query. */
void engine_choose_scheduler(struct pe *pe);

/* Defined in state_save.c. Stores the state of the event's LP, whose type has no reverse
 * handler. */
void engine_save_state(struct pe *pe, tw_event *event);
void engine_restore_state(struct pe *pe, tw_event *event);

/* Defined in suspend.c. */
/* Suspends an LP, see tw_lp_suspend(). event is NULL at a restart: the event that suspended the LP
 * has been committed. */
void engine_suspend(tw_lp *lp, const tw_event *event, bool undo_event, int error_num);
/* Returns true if the LP is suspended; then sets *error_num. */
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

/* Defined in fingerprint.c. Adds a committed event to the fingerprint of the run. */
void fingerprint_add_event(struct fingerprint *f, const tw_event *event);
/* Type of functions that return the model's functions for writing the state of an LP; NULL: raw
 * bytes. */
typedef const tw_state_io *(*state_io_f)(const struct pe *pe, const tw_lp *lp);
/* Calls the model's save for the state of an LP. bytes: buffer of n zeroed bytes, where n is
 * io->size(), and STATE_WRITE_FENCE more, which are undefined after the call. Ends the run if save
 * writes more than n bytes. */
#define STATE_WRITE_FENCE ((size_t)16)
void fingerprint_write_state(const tw_lp *lp, const tw_state_io *io, unsigned char *bytes,
                             size_t n);
/* Adds the final states of all LPs of this PE. */
void fingerprint_add_states(struct pe *pe, state_io_f io_of);

#endif
