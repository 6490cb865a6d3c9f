/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rules.h - the rules of advise, and their common functions; private to this directory.
 *
 * A rule sets the verdict and its evidence. It claims no more than the counts show: the events,
 * rounds or turns that the change can save at most.
 */
#ifndef WARPSCOPE_READER_ADVISE_RULES_H
#define WARPSCOPE_READER_ADVISE_RULES_H

#include "advise/advise.h"

#define EXECUTED_LEAST 1000.0 /* fewer events say nothing */
#define UNDONE_SOME    0.1    /* part of the executed events that makes a rule look */
#define UNDONE_MANY    0.2    /* part from which a bound of optimism may pay */
#define KPS_GOOD       16u    /* KPs per rank by default */
#define LPS_PER_KP_FEW 8u     /* so few LPs share a KP without loss */
#define BATCH_GOOD     16.0   /* events per batch by default */
#define BATCH_SMALL    4.0    /* below, the loop of the scheduler costs */
#define BATCH_LARGE    1024.0 /* from here on, stragglers wait */
#define ROUND_GOOD     1024.0 /* events of a rank between GVT computations */
#define ROUND_SMALL    64.0   /* so few are too few */
#define ROUND_LARGE    4096.0 /* more than adaptive runs ever have */
#define WINDOW_SMALL   8.0    /* events of a rank in a conservative window */
#define ROUNDS_MORE    4.0    /* times as many GVT computations as a bound may need */
#define TIME_LEAST     0.02   /* seconds of handlers, beside which one interruption is short */
#define ENGINE_NS      500.0  /* time of an event in the engine, about */
#define SLOW_TIMES     1.5    /* times as long as on other ranks that handlers take on a slow one */
#define SLOW_PHASES    2.0    /* the same, if the types of LPs are not considered */
#define HOT_LOAD       1.1    /* load of one LP, as a multiple of the mean of a rank */
#define PATH_LPS_FEW   4u     /* so few LPs with half of the critical path can be named */
#define WINDOW_WIDE    64.0   /* events of a rank in a window that is worth a barrier */
#define MORE_REMOTE    0.1    /* part of the events that may be remote on more ranks */
#define MORE_LPS       8u     /* LPs that each of more ranks has at least */

/* Write a sentence of an item. Text that does not fit is cut. */
void advise_say(char to[ADVISE_TEXT], const char *words, ...) __attribute__((format(printf, 2, 3)));
void advise_say_more(char to[ADVISE_TEXT], const char *words, ...)
    __attribute__((format(printf, 2, 3)));
/* Sets the expected gain. */
void advise_gain(struct advise_item *item, const char *measure, double least, double most);

/* Returns true if the totals of the run are known and say something. */
bool advise_is_known(const struct advise_facts *f);
/* Returns the events that a rank executed between two GVT computations. */
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
