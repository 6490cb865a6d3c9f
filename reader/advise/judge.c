/* SPDX-License-Identifier: BSD-3-Clause */
/* judge.c - functions that the rules share; see advise.h. */
#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "advise/advise.h"

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
