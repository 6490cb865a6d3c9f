/* SPDX-License-Identifier: BSD-3-Clause */
/* changes.c - prints the changes that requests made to a run, for "warpscope info". */
#include <inttypes.h>
#include <string.h>

#include "access/facts.h"
#include "info/info.h"
#include "text/date.h"
#include "text/decimal.h"
#include "text/utf8.h"

void ws_info_options_text(FILE *out, const struct fmt_superblock *sb,
                          const struct fmt_superblock *shown)
{
    bool first = true;
    for (uint32_t i = 0; i < sb->n_run; i++) {
        const char *key = sb->run[i].key, *before = ws_fact(shown, key);
        if (strncmp(key, WS_OPTION_FACT, strlen(WS_OPTION_FACT)) == 0 &&
            strcmp(sb->run[i].value, before == NULL ? "" : before) != 0) {
            fprintf(out, "  %-15s ", first ? "with" : "");
            utf8_plain_print(out, key);
            fputs(" ", out);
            utf8_plain_print(out, sb->run[i].value);
            fputc('\n', out);
            first = false;
        }
    }
}

void ws_info_changes_text(FILE *out, const struct ws_file *s)
{
    for (size_t i = 0; i < s->n_changes; i++) {
        const struct fmt_change *c = &s->changes[i];
        char gvt[DECIMAL_MAX], date[DATE_MAX];
        decimal_f64(gvt, c->gvt);
        date_text(date, c->date);
        fprintf(out, "  %-15s %" PRIu64 ". ", i == 0 ? "changes" : "", c->number);
        utf8_plain_print(out, c->text);
        fprintf(out, "\n%20s at GVT %s, %.6g s, %s", "", gvt, c->real_time, date);
        if (c->user[0] == '\0') { /* no user has requested this change */
            fputs(", by the run itself\n", out);
            continue;
        }
        fputs(", by ", out);
        utf8_plain_print(out, c->user);
        fputs(" on ", out);
        utf8_plain_print(out, c->host);
        fprintf(out, ", process %" PRIu32 "\n", c->pid);
    }
}
