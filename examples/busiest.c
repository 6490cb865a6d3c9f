/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * busiest.c - a subscriber library that finds the LP with most committed events.
 *
 *     cc -shared -fPIC -o busiest.so busiest.c      (and -I for the headers)
 *     ./model --subscribers=./busiest.so
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "st_hook.h"

static const st_api *api;
static uint64_t *events_of, all; /* committed events of each LP, and of all LPs */
static tw_lpid n_lps;

static void count(const st_record *record, void *arg)
{
    (void)arg;
    if (record->lp >= n_lps) {
        tw_lpid n = record->lp * 2 + 1;
        uint64_t *more = realloc(events_of, n * sizeof *more);
        if (more == NULL) {
            return;
        }
        memset(more + n_lps, 0, (n - n_lps) * sizeof *more);
        events_of = more;
        n_lps = n;
    }
    events_of[record->lp]++;
    all++;
}

void st_subscriber_init(const st_api *given, unsigned major, unsigned minor, const char *version,
                        const char *stream)
{
    (void)major, (void)minor, (void)version;
    if (strcmp(stream, ST_ENGINE_STREAM) == 0) { /* subscribes to the records of this stream only */
        st_type commit;
        api = given;
        api->type_register("warpscope", ST_POS_COMMIT, &commit);
        api->subscribe(api->stream_find(stream), commit, ST_COMMITTED, count, NULL);
    }
}

void st_subscriber_fini(const char *stream)
{
    if (strcmp(stream, ST_ENGINE_STREAM) == 0 && n_lps > 0) {
        tw_lpid most = 0;
        for (tw_lpid lp = 1; lp < n_lps; lp++) {
            most = events_of[lp] > events_of[most] ? lp : most;
        }
        printf("rank %u: LP %" PRIu64 " executed %" PRIu64 " of %" PRIu64 " events\n", api->rank(),
               (uint64_t)most, events_of[most], all);
        fflush(stdout);
        free(events_of);
    }
}
