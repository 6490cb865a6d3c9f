/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * setups.c - determines whether both runs were set up to record the same data. If not, differences
 * are no sign of an error; see diff.h.
 */
#include <string.h>

#include "diff/diff.h"
#include "render/text.h"

/* Facts about a run that determine what its files contain. */
static const struct {
    const char *key;
    bool of_events, of_samples; /* kinds of streams to which the fact applies */
    const char *words;
    const char *unit;
    const char *absent; /* meaning of a missing fact; NULL: it has none */
} facts[] = {
    {"total_lps", true, true, "The runs are not of the same model size", " LPs", NULL},
    {"option_trace_lps", true, false, "The runs traced different LPs", "", "all"},
    {"option_event_trace", true, false, "The runs traced with different --event-trace", "", NULL},
    {"option_vt_interval", false, true, "The runs sampled at different virtual times: interval", "",
     NULL},
};

bool ws_diff_setups_differ(FILE *out, const struct ws_diff *d)
{
    bool events = d->sides[WS_A].survey->sb->stream == FMT_STREAM_EVTRACE, differ = false;
    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++) {
        const char *a = ws_diff_fact(&d->sides[WS_A], facts[i].key);
        const char *b = ws_diff_fact(&d->sides[WS_B], facts[i].key);
        a = a == NULL ? facts[i].absent : a;
        b = b == NULL ? facts[i].absent : b;
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
