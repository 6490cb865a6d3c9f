/* SPDX-License-Identifier: BSD-3-Clause */
/* run.c - prints the run that the statistics describe: its command, and its size in one line; see
 * show.h. */
#include <stdlib.h>
#include <string.h>

#include "show/show.h"
#include "text/utf8.h"

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
