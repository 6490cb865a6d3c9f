/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * replace.h - rules for options of recording that overlap: in a running simulation, the latest
 * request has precedence.
 *
 * The command line of a run refuses options that contradict each other. A request instead replaces
 * overlapping options of the command line and of earlier requests:
 *
 *  real-time-samp, rt-interval    replace each other. rt-interval=MS means real-time-samp=MS,
 *                                 except where it is only the interval of the model's samples
 *  engine-stats                   replaces enable-gvt-stats and real-time-samp; the interval of
 *                                 real-time-samp stays
 *  enable-gvt-stats, real-time-samp, rt-interval, vt-interval
 *                                 change one part of engine-stats; its other parts stay
 *  granularity                    replaces kp-data and lp-data
 *  kp-data, lp-data               change one part of granularity; its other part stays
 *  vt-interval=0                  withdraws vt-interval and vt-samp-end
 *  trace-lps=                     withdraws trace-lps
 *  trace-from=, trace-to=         withdraw these limits of the window
 *
 * Contradictions within one request are refused.
 */
#ifndef WARPSCOPE_CONTROL_REPLACE_H
#define WARPSCOPE_CONTROL_REPLACE_H

#include "record/options/options.h"

#define REPLACE_WORDS_MAX 96u

/* A request in the form of command-line options. */
struct replace_words {
    char *options[REPLACE_WORDS_MAX]; /* owned; each has the form "--name=value" */
    int n;
};

/*
 * Composes in *to the command-line options that have the effect of a request, and withdraws from
 * g_st_options the options that the request replaces. The request has n words "name=value"; each
 * name must be that of an option. now: the options in force. Free *to with replace_words_free().
 */
void replace_older(int n, char *const *words, const struct record_options *now,
                   struct replace_words *to);
void replace_words_free(struct replace_words *words);

#endif
