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

/* State of a run for the answer to a request: sums over all ranks, at the last GVT computation. */
struct control_state {
    double gvt;         /* GVT, but at most the end time */
    double end_time;    /* end time of the run; DBL_MAX: none */
    double seconds;     /* wall-clock seconds since execution began */
    uint64_t net;       /* events executed and not rolled back */
    uint64_t processed; /* events executed */
    uint64_t gvts;      /* number of GVT computations */
};
struct control_state control_state(const tw_pe *pe);

/* Returns true if an option of that name exists, not abbreviated. */
bool control_has_option(const char *name);
/* Copies which options were given, and the settings of the engine. The caller passes the copy to
 * control_options_free(). */
struct control_options;
struct control_options *control_options_copy(void);
/* Restores the options and settings of the copy. The caller restores variables of the extension. */
void control_options_restore(const struct control_options *copy);
void control_options_free(struct control_options *copy);
/*
 * Reads n words "--name=value" like a command line and stores their values, all or none. Returns
 * TW_OK or, with one line in error, another status. Gives the same result on all ranks.
 */
enum tw_status control_read_options(int n, char **words, char *error, size_t error_size);
/* Marks an option as not given. The caller sets its variable. */
void control_forget_option(const char *name);

/*
 * Settings of the engine that may change during a run: --stall-warning and --checkpoint-every.
 * control_settings_check() returns TW_OK if their values are good, or another status with one line
 * in error. control_settings_apply() lets them take effect, and cannot fail. All ranks make the
 * same calls.
 */
enum tw_status control_settings_check(const tw_pe *pe, char *error, size_t error_size);
void control_settings_apply(tw_pe *pe);

/* Undoes all events of this rank that GVT has not passed; they will be executed again. All ranks
 * make the same call. In an optimistic run the LPs are then exactly in their states at GVT. */
void control_return_to_gvt(tw_pe *pe);
/* Returns the least time such that each executed event of all ranks is before it or is undone by
 * control_return_to_gvt(). */
double control_settled_time(const tw_pe *pe);
/* Ends the run in order at the next GVT, like SIGTERM; reports name the request as the reason. All
 * ranks make the same call. Returns false if the run is ending already. */
bool control_stop(const tw_pe *pe);
/* Plans a checkpoint as early as possible. Returns true and its time, or false with one line in
 * error. All ranks make the same call. */
bool control_checkpoint(tw_pe *pe, double *at, char *error, size_t error_size);

#endif
