/* SPDX-License-Identifier: BSD-3-Clause */
/* tracers.c - prints the results of tracers as tables; see show.h. */
#include <string.h>

#include "render/plot.h"
#include "show/show.h"

void ws_tracers_text(FILE *out, const struct ws_tracers *t)
{
    char number[WS_COUNT_MAX];
    struct doc doc = {.n = 0};
    struct doc_table *tracers =
        doc_table(&doc, "tracers", "", "tracer|places|begun|ended|busy|mean");
    struct doc_table *steps = doc_table(&doc, "steps", "", "step|places|times|tasks=in tasks");
    for (uint32_t i = 0; i < t->names.n; i++) {
        const struct ws_tracer_sum *sum = &t->sums[i];
        const char *step = ws_tracers_step(t, i), *name = t->names.names[i];
        if (step == NULL) {
            doc_row(tracers, doc_name(name), doc_count(sum->places), doc_count(sum->begun),
                    doc_count(sum->ended),
                    doc_if(strncmp(name, "busy", 4) == 0, doc_real(sum->busy)),
                    doc_real(ws_tracers_mean(sum)));
        } else {
            doc_row(steps, doc_name(step), doc_count(sum->places), doc_count(sum->occurrences),
                    doc_count(sum->tasks));
        }
    }
    doc_print_free(out, &doc);
    if (t->left_out > 0) {
        fprintf(out, "  %s records are left out\n", ws_count_text(number, t->left_out));
    }
}
