/* SPDX-License-Identifier: BSD-3-Clause */
/* judge.c - the table of rules, and functions that the rules share; see rules.h. */
#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "advise/rules.h"

__attribute__((format(printf, 2, 0))) static void append(char to[ADVISE_TEXT], const char *words,
                                                         va_list args)
{
    size_t used = strlen(to);
    assert(used < ADVISE_TEXT);
    vsnprintf(to + used, ADVISE_TEXT - used, words, args);
}

void advise_say(char to[ADVISE_TEXT], const char *words, ...)
{
    va_list args;
    va_start(args, words);
    to[0] = '\0';
    append(to, words, args);
    va_end(args);
}

void advise_say_more(char to[ADVISE_TEXT], const char *words, ...)
{
    va_list args;
    va_start(args, words);
    append(to, words, args);
    va_end(args);
}

void advise_gain(struct advise_item *item, const char *measure, double least, double most)
{
    item->measure = measure;
    item->least = fmin(fmax(least, 0.0), 1.0);
    item->most = fmin(fmax(most, 0.0), 1.0);
}

double advise_wasted(const struct advise_facts *f)
{
    return f->executed >= EXECUTED_LEAST && f->undone > 0.0 ? f->undone / f->executed : 0.0;
}

bool advise_is_known(const struct advise_facts *f)
{
    return f->executed >= EXECUTED_LEAST && f->undone == f->undone;
}

double advise_per_round(const struct advise_facts *f)
{
    return f->executed / fmax(1.0, f->rounds) / f->ranks;
}

static const struct rule {
    const char *subject;
    void (*judge)(struct advise_item *item, const struct advise_facts *facts);
} rules[] = {
    {"random-rollbacks", advise_judge_random},
    {"nkp", advise_judge_kps},
    {"max-opt-lookahead", advise_judge_optimism},
    {"batch", advise_judge_batch},
    {"gvt-interval", advise_judge_gvt},
    {"placement", advise_judge_placement},
    {"slow-rank", advise_judge_slow},
    {"hot-lps", advise_judge_hot},
    {"ranks", advise_judge_ranks},
    {"synch", advise_judge_synch},
};
#define N_RULES (sizeof rules / sizeof rules[0])
_Static_assert(N_RULES <= ADVISE_ITEMS_MAX, "a list has room for all rules");

void advise_judge(struct advise_list *list, const struct advise_facts *facts)
{
    list->n = 0;
    for (size_t i = 0; i < N_RULES; i++) {
        struct advise_item item = {.subject = rules[i].subject, .verdict = ADVISE_KEEP};
        rules[i].judge(&item, facts);
        assert(item.verdict < ADVISE_VERDICTS && list->n < ADVISE_ITEMS_MAX);
        uint32_t at = list->n++;
        for (; at > 0 && list->items[at - 1].weight < item.weight; at--) {
            list->items[at] = list->items[at - 1];
        }
        list->items[at] = item;
    }
}
