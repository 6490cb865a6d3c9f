/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * run.c - finds out if consecutive files belong to the same run; see stats.h.
 */
#include <stdlib.h>
#include <string.h>

#include "stats/stats.h"

/* Returns the facts that are equal in all files of a run as a sequence of bytes: each key and value
 * with its terminating zero. Sets *size to its length in bytes. The caller frees it. Returns NULL
 * if memory is exhausted. */
static char *facts_copy(const struct fmt_superblock *sb, size_t *size)
{
    *size = 1;
    for (uint32_t i = 0; i < sb->n_run; i++) {
        *size += strlen(sb->run[i].key) + strlen(sb->run[i].value) + 2;
    }
    char *facts = calloc(*size, 1), *to = facts;
    for (uint32_t i = 0; facts != NULL && i < sb->n_run; i++) {
        if (!ws_fact_is_of_file(sb->run[i].key)) {
            to = stpcpy(to, sb->run[i].key) + 1;
            to = stpcpy(to, sb->run[i].value) + 1;
        }
    }
    *size = facts != NULL ? (size_t)(to - facts) : 0;
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
