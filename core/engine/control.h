/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * control.h - functions with which the extension (extension.h) answers requests that "warpscope
 * ctl" sends to a running simulation.
 *
 * Rank 0 votes for a request in a GVT computation, see request.h. After that computation all ranks
 * call tw_extension.answer_request(). Only that function may call the functions below that change
 * the run.
 */
#ifndef WARPSCOPE_ENGINE_CONTROL_H
#define WARPSCOPE_ENGINE_CONTROL_H

#include "base/options.h"
#include "ross.h"

/* State of the run at the last GVT computation, for the answer to a request. Numbers of events are
 * sums over all ranks. */
struct control_state {
    double gvt;         /* GVT, but at most the end time */
    double end_time;    /* end time of the run; DBL_MAX: none */
    double seconds;     /* wall-clock seconds since execution began */
    uint64_t net;       /* number of events executed and not rolled back */
    uint64_t processed; /* number of events executed */
    uint64_t gvts;      /* number of GVT computations */
};
struct control_state control_state(const tw_pe *pe);

/* Returns true if an option with exactly this name exists; abbreviations do not count. */
bool control_has_option(const char *name);
/* Returns a copy of the engine's settings and of the marks that show which options were given. The
 * caller passes the copy to control_options_free(). */
struct control_options;
struct control_options *control_options_copy(void);
/* Restores settings and marks from the copy. The caller must restore the extension's own
 * variables. */
void control_options_restore(const struct control_options *copy);
void control_options_free(struct control_options *copy);
/*
 * Reads n words of the form --name=value, as from a command line. Stores either all values or none.
 * Returns TW_OK, or another status after writing a one-line error message to `error`. The result is
 * the same on all ranks.
 */
enum tw_status control_read_options(int n, char **words, char *error, size_t error_size);
/* Marks an option as not given. The caller must set the option's variable. */
void control_forget_option(const char *name);

/*
 * The next two functions are for the settings of the engine that may change during a run:
 * --stall-warning and --checkpoint-every. control_settings_check() returns TW_OK if their values
 * are valid; otherwise it writes a one-line error message to `error` and returns another status.
 * control_settings_apply() makes the values take effect, and cannot fail. All ranks make the same
 * calls.
 */
enum tw_status control_settings_check(const tw_pe *pe, char *error, size_t error_size);
void control_settings_apply(tw_pe *pe);

/* Undoes all events of this rank that GVT has not passed; they will be executed again. All ranks
 * make the same call. In an optimistic run the LPs are then exactly in their states at GVT. */
void control_return_to_gvt(tw_pe *pe);
/* Returns the virtual time up to which control_return_to_gvt() keeps executed events. It undoes all
 * later events, on every rank. */
double control_settled_time(const tw_pe *pe);
/* Ends the run regularly at the next GVT, as SIGTERM does; reports then state the request as the
 * reason. All ranks make the same call. Returns false if the run is ending already. */
bool control_stop(const tw_pe *pe);
/* Plans a checkpoint at the earliest possible virtual time. Returns true and sets *at to that time;
 * or returns false and writes a one-line error message to `error`. All ranks make the same call. */
bool control_checkpoint(tw_pe *pe, double *at, char *error, size_t error_size);

#endif
