/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * setups.c - finds out if both runs were set up to record the same data. If they were not,
 * differences between the files are no sign of an error; see diff.h.
 */
#include <string.h>

#include "access/facts.h"
#include "diff/diff.h"
#include "render/text.h"

/* Facts about a run that determine what its files contain. */
static const struct {
    const char *key;
    /* of_events: the fact matters for event traces. of_samples: the fact matters for other
     * streams. */
    bool of_events, of_samples;
    const char *words;
    const char *unit;
    const char *absent; /* default for a missing fact; NULL: a missing fact is not compared */
} facts[] = {
    {"total_lps", true, true, "The runs are not of the same model size", " LPs", NULL},
    {"option_trace_lps", true, false, "The runs traced different LPs", "", "all"},
    {"option_event_trace", true, false, "The runs traced with different --event-trace", "", NULL},
    {"option_vt_interval", false, true, "The runs sampled at different virtual times: interval", "",
     NULL},
};

#define VALUE_MAX 256u

/* Stores the value of a fact in `to`. If the value differs between the parts of the stream, stores
 * all values, such as "0-7, then all". Returns `to`, or NULL if no part has a value. */
static const char *value_of(char to[VALUE_MAX], const struct ws_diff_side *side, const char *key,
                            const char *absent)
{
    const char *last = NULL;
    size_t used = 0;
    for (uint32_t i = 0; i < ws_stream_parts(side->stream); i++) {
        const struct ws_file *part = ws_stream_part(side->stream, i);
        if (!ws_diff_part_counts(part)) {
            continue;
        }
        const char *value = ws_fact(part->sb, key);
        value = value == NULL ? absent : value;
        if (value != NULL && (last == NULL || strcmp(last, value) != 0) && used < VALUE_MAX) {
            used += (size_t)snprintf(to + used, VALUE_MAX - used, "%s%s",
                                     last == NULL ? "" : ", then ", value);
            last = value;
        }
    }
    return last == NULL ? NULL : to;
}

bool ws_diff_setups_differ(FILE *out, const struct ws_diff *d)
{
    bool events = d->sides[WS_A].stream->sb->stream == FMT_STREAM_EVTRACE, differ = false;
    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++) {
        char values[WS_SIDES][VALUE_MAX];
        const char *a = value_of(values[WS_A], &d->sides[WS_A], facts[i].key, facts[i].absent);
        const char *b = value_of(values[WS_B], &d->sides[WS_B], facts[i].key, facts[i].absent);
        bool matters = events ? facts[i].of_events : facts[i].of_samples;
        if (matters && a != NULL && b != NULL && strcmp(a, b) != 0) {
            fprintf(out, "%s  %s: A has ", differ ? "" : "\n", facts[i].words);
            utf8_plain_print(out, a);
            fprintf(out, "%s, B ", facts[i].unit);
            utf8_plain_print(out, b);
            fputs("\n", out);
            differ = true;
        }
    }
    if (differ) {
        fputs("  That alone makes them differ, so that no handler is to be suspected.\n", out);
    }
    return differ;
}
