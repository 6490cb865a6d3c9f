/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rules.h - the rules of advise, and functions that they share. Used only in reader/advise.
 *
 * A rule sets the verdict of an item and the evidence for it. The gain that it claims is never
 * larger than the number of events, GVT computations or turns that the change can save at most.
 */
#ifndef WARPSCOPE_READER_ADVISE_RULES_H
#define WARPSCOPE_READER_ADVISE_RULES_H

#include "advise/advise.h"

#define EXECUTED_LEAST 1000.0 /* smallest number of executed events for which rules apply */
/* If at least this share of the executed events was undone, rules look for a remedy. */
#define UNDONE_SOME 0.1
/* If at least this share of the executed events was undone, a bound on optimism may help. */
#define UNDONE_MANY    0.2
#define KPS_GOOD       16u  /* default number of KPs per rank */
#define LPS_PER_KP_FEW 8u   /* fewer LPs than this may share one KP without harm */
#define BATCH_GOOD     16.0 /* default number of events per batch */
/* With fewer events per batch than this, the loop of the scheduler costs much time. */
#define BATCH_SMALL 4.0
#define BATCH_LARGE 1024.0 /* with this many events per batch or more, stragglers wait long */
/* Good number of events that a rank executes between two GVT computations. */
#define ROUND_GOOD 1024.0
/* If a rank executes fewer events than this between two GVT computations, the computations cost
 * much time. */
#define ROUND_SMALL 64.0
/* In adaptive runs, a rank never executes more events than this between two GVT computations. */
#define ROUND_LARGE  4096.0
#define WINDOW_SMALL 8.0 /* a conservative window with fewer events per rank is too short */
/* Largest factor by which a bound on optimism may increase the number of GVT computations. */
#define ROUNDS_MORE 4.0
/* Smallest sum of the times of handlers, in seconds, that is reliable: one interruption then hardly
 * matters. */
#define TIME_LEAST 0.02
#define ENGINE_NS  500.0 /* approximate time in ns that the engine spends on an event */
/* On a slow rank, handlers take at least this many times as long as on the other ranks. */
#define SLOW_TIMES 1.5
/* Like SLOW_TIMES, but for ranks that are compared by the times of phases, regardless of LP
 * types. */
#define SLOW_PHASES 2.0
/* Smallest load of a hot LP, as a multiple of the mean load of a rank. */
#define HOT_LOAD 1.1
/* The advice names the LPs that make up half of the critical path if there are at most this
 * many. */
#define PATH_LPS_FEW 4u
/* A window is worth a barrier if it has at least this many events per rank. */
#define WINDOW_WIDE 64.0
#define MORE_REMOTE 0.1 /* more ranks are advised only if this share of events or less is remote */
#define MORE_LPS    8u  /* more ranks are advised only if each has at least this number of LPs */

/* advise_say() writes a sentence to `to`, the evidence or advice of an item; advise_say_more()
 * appends one. Text that does not fit is cut. */
void advise_say(char to[ADVISE_TEXT], const char *words, ...) __attribute__((format(printf, 2, 3)));
void advise_say_more(char to[ADVISE_TEXT], const char *words, ...)
    __attribute__((format(printf, 2, 3)));
/* Says that there is evidence for a change. */
static inline void advise_change(struct advise_item *item, double weight)
{
    item->verdict = ADVISE_CHANGE;
    item->weight = weight;
}
/* Says that evidence is missing, and how to record it. */
void advise_unknown(struct advise_item *item, const char *evidence, const char *advice);
/* Sets the expected gain of an item. */
void advise_gain(struct advise_item *item, const char *measure, double least, double most);

/* Returns true if the totals of the run are known, and it executed enough events for the rules. */
bool advise_is_known(const struct advise_facts *f);
/* Returns the mean number of events that a rank executed between two GVT computations. */
double advise_per_round(const struct advise_facts *f);

struct advise_rule {
    const char *subject;
    void (*judge)(struct advise_item *item, const struct advise_facts *facts);
};

/* The rules in rules.c, for options of the optimistic scheduler; in places.c, for ranks and LPs; in
 * schedulers.c, for the choice of the scheduler. An element without a subject ends each list. */
extern const struct advise_rule advise_optimism_rules[], advise_place_rules[],
    advise_scheduler_rules[];

/* Rules whose advice the choice of the scheduler takes into account. */
void advise_judge_kps(struct advise_item *item, const struct advise_facts *f);
void advise_judge_optimism(struct advise_item *item, const struct advise_facts *f);
void advise_judge_batch(struct advise_item *item, const struct advise_facts *f);
void advise_judge_gvt(struct advise_item *item, const struct advise_facts *f);
void advise_judge_slow(struct advise_item *item, const struct advise_facts *f);

#endif
