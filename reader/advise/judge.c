/* SPDX-License-Identifier: BSD-3-Clause */
/* judge.c - applies the rules, and has functions that they share; see rules.h. */
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

void advise_unknown(struct advise_item *item, const char *evidence, const char *advice)
{
    item->verdict = ADVISE_UNKNOWN;
    advise_say(item->evidence, "%s", evidence);
    advise_say(item->advice, "%s", advice);
}

void advise_gain(struct advise_item *item, const char *measure, double least, double most)
{
    item->measure = measure;
    item->least = fmin(fmax(least, 0.0), 1.0);
    item->most = fmin(fmax(most, 0.0), 1.0);
}

double advise_wasted(const struct advise_facts *f)
{
    return f->e.sum.processed >= EXECUTED_LEAST && f->e.sum.undone > 0.0
               ? f->e.sum.undone / f->e.sum.processed
               : 0.0;
}

bool advise_is_known(const struct advise_facts *f)
{
    return f->e.sum.processed >= EXECUTED_LEAST && f->e.sum.undone == f->e.sum.undone;
}

double advise_per_round(const struct advise_facts *f)
{
    return f->e.sum.processed / fmax(1.0, f->e.sum.gvts) / f->e.ranks;
}

static const struct advise_rule *const lists[] = {advise_optimism_rules, advise_place_rules,
                                                  advise_scheduler_rules};

void advise_judge(struct advise_list *list, const struct advise_facts *facts)
{
    list->n = 0;
    for (size_t l = 0; l < sizeof lists / sizeof lists[0]; l++) {
        for (const struct advise_rule *rule = lists[l]; rule->subject != NULL; rule++) {
            struct advise_item item = {.subject = rule->subject, .verdict = ADVISE_KEEP};
            rule->judge(&item, facts);
            assert(item.verdict < ADVISE_VERDICTS && list->n < ADVISE_ITEMS_MAX);
            uint32_t at = list->n++;
            for (; at > 0 && list->items[at - 1].weight < item.weight; at--) {
                list->items[at] = list->items[at - 1];
            }
            list->items[at] = item;
        }
    }
}
