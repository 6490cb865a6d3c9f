/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * run.c - describes the run of the statistics: its command, scheduler and ranks, once for
 * consecutive files of a run.
 */
#include <stdlib.h>
#include <string.h>

#include "render/text.h"
#include "stats/stats.h"

const char *ws_stats_fact(const struct fmt_superblock *sb, const char *key)
{
    for (uint32_t i = 0; i < sb->n_run; i++) {
        if (strcmp(sb->run[i].key, key) == 0) {
            return sb->run[i].value;
        }
    }
    return NULL;
}

/* Returns all facts in a row, each key and value with its terminator. The caller frees it. NULL:
 * out of memory. */
static char *facts_copy(const struct fmt_superblock *sb, size_t *size)
{
    *size = 1;
    for (uint32_t i = 0; i < sb->n_run; i++) {
        *size += strlen(sb->run[i].key) + strlen(sb->run[i].value) + 2;
    }
    char *facts = calloc(*size, 1), *to = facts;
    for (uint32_t i = 0; facts != NULL && i < sb->n_run; i++) {
        to = stpcpy(to, sb->run[i].key) + 1;
        to = stpcpy(to, sb->run[i].value) + 1;
    }
    return facts;
}

bool ws_stats_run_changes(struct ws_stats_run *run, const struct fmt_superblock *sb)
{
    size_t size;
    char *facts = facts_copy(sb, &size);
    bool same = facts != NULL && run->facts != NULL && size == run->size &&
                memcmp(facts, run->facts, size) == 0;
    free(run->facts);
    *run = (struct ws_stats_run){.facts = facts, .size = size};
    return !same;
}

void ws_stats_run_free(struct ws_stats_run *run)
{
    free(run->facts);
    *run = (struct ws_stats_run){.facts = NULL};
}

void ws_stats_run_text(FILE *out, const struct fmt_superblock *sb)
{
    static const char *const facts[][2] = {
        {"scheduler", ""}, {"ranks", " rank"}, {"total_lps", " LP"}, {"kps_per_pe", " KP"}};
    const char *command = ws_stats_fact(sb, "command"), *between = "";
    if (command != NULL) {
        utf8_plain_print(out, command);
        fputc('\n', out);
    }
    for (size_t k = 0; k < sizeof facts / sizeof facts[0]; k++) {
        const char *value = ws_stats_fact(sb, facts[k][0]);
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
