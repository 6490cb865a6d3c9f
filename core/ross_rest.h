/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ross_rest.h - the part of ross.h with names of ROSS that few models use. ross.h includes this
 * header. docs/porting-from-ross.md lists the names of ROSS that have no equivalent.
 */
#ifndef WARPSCOPE_ROSS_REST_H
#define WARPSCOPE_ROSS_REST_H

#include "ross.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the LP (KP) of this rank after `last`, in the order of local numbers; last NULL: the
 * first one. Returns NULL after the last one, and if there is no simulation. */
tw_lp *tw_lp_next_onpe(tw_lp *last, tw_pe *pe);
tw_kp *tw_kp_next_onpe(tw_kp *last, tw_pe *pe);
/* Type map (g_tw_lp_typemap) of a model with one LP type: returns 0. */
tw_lpid map_onetype(tw_lpid gid);

/* Returns 1 if a GVT computation is in progress on this rank, else 0. */
int tw_gvt_inprogress(tw_pe *pe);
/* Equals tw_trigger_gvt_hook_at(time.recv_ts): all events before that time are committed, and no
 * others, even if `time` is a later position among the events of that time. */
void tw_trigger_gvt_hook_at_event_sig(tw_event_sig time);

/* Waits until all ranks have called it. Has no effect if there is no simulation. Collective. */
void tw_net_barrier(void);
/* Prints all options with their values to stdout, one in each line; nothing on other ranks than 0.
 * Not collective. */
void tw_opt_print(void);

/* Sets g to the start of a stream with the state `seed` (four numbers, clamped to valid values), and
 * its count to 0. rng is ignored. */
void rng_set_seed(tw_rng_stream *g, uint32_t *seed, tw_rng *rng);

/* Wall-clock time. */
typedef struct timeval tw_wtime;
void tw_wall_now(tw_wtime *t);
void tw_wall_sub(tw_wtime *result, tw_wtime *a, tw_wtime *b); /* *result = *a - *b */
double tw_wall_to_double(tw_wtime *t);                        /* returns seconds */
/* Returns the ticks of tw_clock_read() since the first event was executed, in a restarted run with
 * those of the run before it; 0 before. */
tw_clock tw_clock_now(tw_pe *pe);

/* Position after every event. */
extern const tw_event_sig g_tw_max_sig;
/* 1 from the time when tw_run() has initialised the LPs until tw_end(), else 0. */
extern unsigned int g_tw_sim_started;
/* Options: --max-opt-lookahead (ULLONG_MAX: not set by option or model) and --lz4-knob. A model may
 * set them before tw_run(). */
extern unsigned long long g_tw_max_opt_lookahead;
extern unsigned int g_tw_lz4_knob;
/* The engine ignores the other variables, which models for ROSS may set. */
extern unsigned int g_tw_events_per_pe_extra;
extern unsigned int g_tw_gvt_threshold;
extern unsigned long long g_tw_gvt_realtime_interval;
extern unsigned int g_tw_hash_size;
extern unsigned int g_tw_net_device_size;
extern uint32_t g_tw_buddy_alloc;
extern size_t g_tw_delta_sz;
extern int g_tw_fossil_attempts;
/* `unsigned int nkp_per_pe` exists, too, but models declare it themselves: number of KPs per PE, as
 * --nkp sets it, after tw_define_lps() g_tw_nkp. A model may set it before tw_define_lps(). */

#ifdef __cplusplus
}
#endif

#endif
