/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rules.h - the rules of advise, and functions that they share (inside advise only).
 *
 * A rule sets the verdict and its evidence. It claims no more than the counts show: the number of
 * events, GVT computations or turns that the change can save at most.
 */
#ifndef WARPSCOPE_READER_ADVISE_RULES_H
#define WARPSCOPE_READER_ADVISE_RULES_H

#include "advise/advise.h"

#define EXECUTED_LEAST 1000.0 /* least number of executed events for which rules apply */
/* Share of executed events that were undone, from which rules examine a run. */
#define UNDONE_SOME    0.1
#define UNDONE_MANY    0.2  /* share of undone events from which a bound of optimism may help */
#define KPS_GOOD       16u  /* default number of KPs per rank */
#define LPS_PER_KP_FEW 8u   /* up to this number of LPs may share a KP without harm */
#define BATCH_GOOD     16.0 /* default number of events per batch */
/* With fewer events per batch, the loop of the scheduler costs much. */
#define BATCH_SMALL 4.0
#define BATCH_LARGE 1024.0 /* with more events per batch, stragglers wait long */
#define ROUND_GOOD  1024.0 /* good number of events of a rank between two GVT computations */
#define ROUND_SMALL 64.0   /* so few events make GVT computations expensive */
/* More events than adaptive runs ever have between GVT computations. */
#define ROUND_LARGE  4096.0
#define WINDOW_SMALL 8.0 /* too few events of a rank in a conservative window */
/* Greatest factor by which a bound of optimism may increase GVT computations. */
#define ROUNDS_MORE 4.0
/* Least total time of handlers in seconds, so that one interruption hardly matters. */
#define TIME_LEAST 0.02
#define ENGINE_NS  500.0 /* approximate time that the engine spends on an event */
/* Factor by which handlers take longer on a rank that counts as slow. */
#define SLOW_TIMES 1.5
/* Factor by which phases take longer on a slow rank, if the types of LPs are not considered. */
#define SLOW_PHASES 2.0
/* Load of an LP that counts as hot, as a multiple of the mean load of a rank. */
#define HOT_LOAD 1.1
/* Greatest number of LPs with half of the critical path that the advice names. */
#define PATH_LPS_FEW 4u
#define WINDOW_WIDE  64.0 /* events of a rank in a window that are worth a barrier */
#define MORE_REMOTE  0.1  /* greatest share of remote events for advice to use more ranks */
#define MORE_LPS     8u   /* least number of LPs per rank for advice to use more ranks */

/* Write a sentence of an item. Text that does not fit is cut. */
void advise_say(char to[ADVISE_TEXT], const char *words, ...) __attribute__((format(printf, 2, 3)));
void advise_say_more(char to[ADVISE_TEXT], const char *words, ...)
    __attribute__((format(printf, 2, 3)));
/* Sets the expected gain. */
void advise_gain(struct advise_item *item, const char *measure, double least, double most);

/* Returns true if the totals of the run are known and large enough. */
bool advise_is_known(const struct advise_facts *f);
/* Returns the mean number of events that a rank executed between two GVT computations. */
double advise_per_round(const struct advise_facts *f);

/* Rules of rules.c: options of the optimistic scheduler. */
void advise_judge_random(struct advise_item *item, const struct advise_facts *f);
void advise_judge_kps(struct advise_item *item, const struct advise_facts *f);
void advise_judge_optimism(struct advise_item *item, const struct advise_facts *f);
void advise_judge_batch(struct advise_item *item, const struct advise_facts *f);
void advise_judge_gvt(struct advise_item *item, const struct advise_facts *f);

/* Rules of places.c: ranks and LPs. */
void advise_judge_placement(struct advise_item *item, const struct advise_facts *f);
void advise_judge_slow(struct advise_item *item, const struct advise_facts *f);
void advise_judge_hot(struct advise_item *item, const struct advise_facts *f);
void advise_judge_ranks(struct advise_item *item, const struct advise_facts *f);

/* Rule of schedulers.c. */
void advise_judge_synch(struct advise_item *item, const struct advise_facts *f);

#endif
