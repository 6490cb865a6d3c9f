/* SPDX-License-Identifier: BSD-3-Clause */
/* lp.h - the LPs: simulated processors, see machine/processor.h. */
#ifndef WARP_LP_H
#define WARP_LP_H

#include "common/observe.h"
#include "model.h"

/* Payload of every event of this model, as opposed to events of the simulated run. */
struct warp_message {
    struct wp_message body;
    struct wp_event undo; /* in WP_DATA: old content of the slot that the event overwrites */
};
_Static_assert(sizeof(struct warp_message) == 40, "a message has no padding");

/* Returns the size of a state in bytes: a struct wp_processor, followed by the memory of the ranks:
 * for each rank, the kp_last values of its KPs, and its slots, see wp_self. */
size_t warp_state_bytes(const struct wp_model *m);

/* Allocates the working memory for turns, which all LPs of this process share. */
void warp_lps_init(void);
/* Frees the memory that warp_lps_init() allocated. */
void warp_lps_fini(void);

void warp_lp_init(void *state, tw_lp *lp);
void warp_lp_event(void *state, tw_bf *bf, void *message, tw_lp *lp);
void warp_lp_revent(void *state, tw_bf *bf, void *message, tw_lp *lp);
void warp_lp_commit(void *state, tw_bf *bf, void *message, tw_lp *lp);

/* The next three functions are defined in report.c. */
/* Adds the counts of a processor's ranks to the sums of this process. Final function of LPs. */
void warp_lp_final(void *state, tw_lp *lp);

/* Prints to out a heading with the parameters. Called on rank 0 only. */
void warp_report_heading(FILE *out, const struct wp_model *m);

/* Prints the results to out on rank 0. Prints an error message on rank 0 and returns false if the
 * simulated run reached an impossible state. Must be called after tw_run(). Collective. */
bool warp_report_results(FILE *out, const struct wp_model *m);

/* Defined in observe.c. */
extern struct model_observers warp_observers;

#endif
