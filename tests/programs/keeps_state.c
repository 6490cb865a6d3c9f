/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * keeps_state.c - a subscriber library with state: it adds up the record numbers of tasks for each LP,
 * and counts the records of its rank. The sums go with the LPs, the count with the first LP of the
 * rank. At the end, each rank writes both to state-<rank>.txt.
 *
 * test: kind=shared
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "st_task.h"

#define LPS 64u

struct saved {
    uint64_t sum, records;
};

static const st_api *the;
static uint64_t sums[LPS], records;

static void add(const st_record *record, void *arg)
{
    (void)arg;
    sums[record->lp % LPS] += record->number;
    records++;
}

void st_subscriber_init(const st_api *api, unsigned major, unsigned minor, const char *version,
                        const char *stream)
{
    (void)major, (void)minor, (void)version;
    the = api;
    if (strcmp(stream, ST_TASK_STREAM) == 0) {
        api->subscribe(api->stream_find(stream), ST_ALL_TYPES, ST_COMMITTED, add, NULL);
    }
}

void st_subscriber_fini(const char *stream)
{
    char path[4200];
    if (strcmp(stream, ST_TASK_STREAM) != 0) {
        return;
    }
    snprintf(path, sizeof path, "%s/state-%u.txt", the->stats_path(), the->rank());
    FILE *out = fopen(path, "w");
    if (out == NULL) {
        perror(path);
        return;
    }
    fprintf(out, "records %" PRIu64 "\n", records);
    for (unsigned lp = 0; lp < LPS; lp++) {
        if (sums[lp] > 0) {
            fprintf(out, "LP %u %" PRIu64 "\n", lp, sums[lp]);
        }
    }
    fclose(out);
}

size_t st_subscriber_save(tw_lpid lp, bool is_first, void *bytes, size_t size)
{
    const struct saved saved = {sums[lp % LPS], is_first ? records : 0};
    if (bytes != NULL) {
        memcpy(bytes, &saved, size);
    }
    return saved.sum > 0 || saved.records > 0 ? sizeof saved : 0;
}

bool st_subscriber_restore(tw_lpid lp, const void *bytes, size_t size)
{
    struct saved saved;
    if (size != sizeof saved) {
        return false;
    }
    memcpy(&saved, bytes, size);
    sums[lp % LPS] = saved.sum;
    records += saved.records;
    return true;
}

void st_subscriber_forget(void)
{
    memset(sums, 0, sizeof sums);
    records = 0;
}
