/* SPDX-License-Identifier: BSD-3-Clause */
/* tracers.c - prints the results of tracers as tables; see show.h. */
#include <string.h>

#include "render/plot.h"
#include "render/text.h"
#include "show/show.h"

void ws_tracers_text(FILE *out, const struct ws_tracers *t)
{
    char number[WS_COUNT_MAX];
    fprintf(out, "\n  %-29s %8s %9s %9s %9s %9s\n", "tracer", "places", "begun", "ended", "busy",
            "mean");
    for (uint32_t i = 0; i < t->names.n; i++) {
        const struct ws_tracer_sum *sum = &t->sums[i];
        if (ws_tracers_step(t, i) != NULL) {
            continue;
        }
        fputs("  ", out);
        utf8_plain_column(out, t->names.names[i], 29);
        fprintf(out, " %8s", ws_count_fit(number, sum->places, 8));
        fprintf(out, " %9s", ws_count_fit(number, sum->begun, 9));
        fprintf(out, " %9s", ws_count_fit(number, sum->ended, 9));
        bool is_busy = strncmp(t->names.names[i], "busy", 4) == 0;
        fprintf(out, " %9s", is_busy ? ws_number_fit(number, sum->busy, 9) : "");
        fprintf(out, " %9s\n", ws_number_fit(number, ws_tracers_mean(sum), 9));
    }
    for (uint32_t i = 0; i < t->names.n; i++) {
        if (ws_tracers_step(t, i) != NULL) {
            fputs("  step ", out);
            utf8_plain_column(out, ws_tracers_step(t, i), 24);
            fprintf(out, " %8s", ws_count_fit(number, t->sums[i].places, 8));
            fprintf(out, " %9s times", ws_count_fit(number, t->sums[i].occurrences, 9));
            fprintf(out, " in %s tasks\n", ws_count_text(number, t->sums[i].tasks));
        }
    }
    if (t->left_out > 0) {
        fprintf(out, "  %s records are left out\n", ws_count_text(number, t->left_out));
    }
}
