/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * words.c - prints the parts that texts of several commands share, 80 columns wide; see show.h.
 */
#include <assert.h>
#include <string.h>

#include "render/plot.h"
#include "show/show.h"
#include "text/utf8.h"

const char *ws_stats_words(char *to, size_t size, const char *name)
{
    snprintf(to, size, "%s", name);
    for (char *p = to; *p != '\0'; p++) {
        *p = *p == '_' ? ' ' : *p;
    }
    return to;
}

struct doc_table *ws_stats_totals_table(struct doc *doc)
{
    return doc_table(doc, "totals", "", "what=|total|per second|per virtual time");
}

void ws_stats_total_row(struct doc_table *t, const char *words, uint64_t count,
                        const struct ws_stats_span *span)
{
    doc_row(t, doc_text(t->doc, "%s", words), doc_count(count),
            doc_if(span->wall > 0.0, doc_real((double)count / span->wall)),
            doc_if(span->virtual > 0.0, doc_real((double)count / span->virtual)));
}

void ws_stats_line_text(FILE *out, const char *words, const double *values, uint32_t n, double low,
                        double high, bool utf8)
{
    assert(n <= WS_STATS_BINS);
    char line[WS_PLOT_BYTES(WS_STATS_BINS)];
    ws_plot_line(line, values, n, low, high, utf8);
    fprintf(out, "  %-12s %s\n", words, line);
}

void ws_stats_run_text(FILE *out, const struct fmt_superblock *sb)
{
    static const char *const facts[][2] = {
        {"scheduler", ""}, {"ranks", " rank"}, {"total_lps", " LP"}, {"kps_per_pe", " KP"}};
    const char *command = ws_fact(sb, "command"), *between = "";
    if (command != NULL) {
        utf8_plain_print(out, command);
        fputc('\n', out);
    }
    for (size_t k = 0; k < sizeof facts / sizeof facts[0]; k++) {
        const char *value = ws_fact(sb, facts[k][0]);
        if (value != NULL) {
            fputs(between, out);
            utf8_plain_print(out, value);
            fputs(facts[k][1], out);
            fputs(k > 0 && strcmp(value, "1") != 0 ? "s" : "", out);
            fputs(k == 3 ? " per PE" : "", out);
            between = ", ";
        }
    }
    fputs(between[0] != '\0' ? "\n\n" : command != NULL ? "\n" : "", out);
}
