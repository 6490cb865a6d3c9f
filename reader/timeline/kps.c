/* SPDX-License-Identifier: BSD-3-Clause */
/* kps.c - times in ns, and the states of the KPs of a PE; see private.h. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "store/array.h"
#include "timeline/private.h"

#define TIME_MAX 9e18 /* limit of times in ns, which fits into int64_t */

bool tl_ns(double time, double unit_s, int64_t *ns)
{
    double scaled = time * unit_s * 1e9;
    if (!(scaled >= 0 && scaled < TIME_MAX)) {
        return false;
    }
    *ns = (int64_t)llround(scaled);
    return true;
}

void tl_kps_init(struct tl_kps *kps, size_t size)
{
    assert(size > 0);
    *kps = (struct tl_kps){.size = size};
}

void *tl_kps_at(struct tl_kps *kps, uint32_t kp)
{
    if (kp >= TL_KPS_MAX) {
        return NULL;
    }
    if (!array_reserve_zero(&kps->states, &kps->n, kp + 1u, sizeof *kps->states)) {
        return NULL;
    }
    if (kps->states[kp] == NULL) {
        kps->states[kp] = calloc(1, kps->size);
    }
    return kps->states[kp];
}

void tl_kps_free(struct tl_kps *kps)
{
    for (uint32_t i = 0; i < kps->n; i++) {
        free(kps->states[i]);
    }
    free(kps->states);
    *kps = (struct tl_kps){0};
}
