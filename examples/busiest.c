/*
 * busiest.c - a subscriber library: which LP of the model emits the most records that count?
 *
 *     cc -shared -fPIC -o busiest.so busiest.c      (and -I for the headers, see
 * docs/writing-a-tool.md)
 *     ./model --subscribers=busiest.so
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "st_bus.h"

static const st_api *api;
static unsigned n_streams;        /* open ones that we listen to */
static uint64_t *records_of, all; /* by LP; of all */
static tw_lpid n_lps;

static void count(const st_record *record, void *arg)
{
    (void)arg;
    if (record->lp == ST_NO_LP) {
        return;
    }
    if (record->lp >= n_lps) {
        tw_lpid n = record->lp * 2 + 1;
        records_of = realloc(records_of, n * sizeof *records_of);
        memset(records_of + n_lps, 0, (n - n_lps) * sizeof *records_of);
        n_lps = n;
    }
    records_of[record->lp]++;
    all++;
}

void st_subscriber_init(const st_api *given, unsigned major, unsigned minor, const char *version,
                        const char *stream)
{
    (void)major, (void)minor, (void)version;
    if (strncmp(stream, "warpscope.", 10) != 0) { /* the model's streams, not ours */
        api = given;
        n_streams++;
        api->subscribe(api->stream_find(stream), ST_ALL_TYPES, ST_COMMITTED, count, NULL);
    }
}

void st_subscriber_fini(const char *stream)
{
    if (strncmp(stream, "warpscope.", 10) != 0 && --n_streams == 0) {
        tw_lpid most = 0;
        for (tw_lpid lp = 1; lp < n_lps; lp++) {
            most = records_of[lp] > records_of[most] ? lp : most;
        }
        printf("rank %u: LP %" PRIu64 " emitted %" PRIu64 " of %" PRIu64 " records\n", api->rank(),
               (uint64_t)most, n_lps == 0 ? 0 : records_of[most], all);
        fflush(stdout);
        free(records_of);
    }
}
