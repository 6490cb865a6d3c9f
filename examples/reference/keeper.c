/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * keeper.c - a subscriber library whose counts survive a restart from a checkpoint and moves of LPs.
 *
 *     cc -shared -fPIC -o keeper.so keeper.c $(pkg-config --cflags warpscope-bus)
 *     ./events --synch=1 --end=20 --subscribers=./keeper.so --checkpoint-every=8
 *     ./events --synch=1 --end=20 --subscribers=./keeper.so --restart=checkpoints
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "st_hook.h"

#define LPS_MAX 1024

static const st_api *api;
static uint64_t counts[LPS_MAX]; /* [gid]: committed events */

static void on_commit(const st_record *record, void *arg)
{
    (void)arg;
    counts[record->lp % LPS_MAX]++;
}

void st_subscriber_init(const st_api *given, unsigned major, unsigned minor, const char *version,
                        const char *stream)
{
    st_type commit;
    (void)major, (void)minor, (void)version;
    api = given;
    if (strcmp(stream, ST_ENGINE_STREAM) == 0) {
        api->type_register("warpscope", ST_POS_COMMIT, &commit);
        api->subscribe(api->stream_find(stream), commit, ST_COMMITTED, on_commit, NULL);
    }
}

void st_subscriber_fini(const char *stream)
{
    uint64_t sum = 0;
    for (size_t lp = 0; lp < LPS_MAX; lp++) {
        sum += counts[lp];
    }
    if (strcmp(stream, ST_ENGINE_STREAM) == 0) {
        printf("rank %u: %" PRIu64 " committed events\n", api->rank(), sum);
    }
}

size_t st_subscriber_save(tw_lpid lp, bool is_first, void *bytes, size_t size)
{
    (void)is_first; /* there is nothing that belongs to no LP */
    if (bytes != NULL && size == sizeof counts[0]) {
        memcpy(bytes, &counts[lp % LPS_MAX], size);
    }
    return sizeof counts[0];
}

bool st_subscriber_restore(tw_lpid lp, const void *bytes, size_t size)
{
    uint64_t count;
    if (size != sizeof count) {
        return false;
    }
    memcpy(&count, bytes, size);
    counts[lp % LPS_MAX] += count;
    return true;
}

void st_subscriber_forget(void)
{
    memset(counts, 0, sizeof counts);
}
