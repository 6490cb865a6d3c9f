/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Clusters of CTAs, and their barrier.
 */
#include "interp/machine.h"
#include <assert.h>
#include <stdlib.h>

void cluster_check(struct cluster *cluster)
{
    uint32_t live = 0;
    for (uint32_t i = 0; i < cluster->size; i++) {
        live += cluster->ctas[i] ? cluster->ctas[i]->live : 0;
    }
    if (cluster->arrived < live || cluster->began < cluster->size) {
        return;
    }
    cluster->arrived = 0;
    for (uint32_t i = 0; i < cluster->size; i++) {
        struct cta *cta = cluster->ctas[i];
        for (uint32_t w = 0; cta && w < cta->warps[0].launch->warps; w++) {
            struct warp *warp = &cta->warps[w];
            warp->arrived = 0;
            for (uint32_t g = 0; g < warp->group_count; g++) {
                struct group *group = &warp->groups[g];
                if (group->state == GROUP_BARRIER && group->barrier == BARRIER_CLUSTER) {
                    group->state = GROUP_READY;
                }
            }
        }
    }
}

void cluster_exit(struct warp *warp, uint32_t mask)
{
    warp->cta->cluster->arrived -= (uint32_t)__builtin_popcount(warp->arrived & mask);
    warp->arrived &= ~mask;
    cluster_check(warp->cta->cluster);
}

void cluster_leave(struct cta *cta)
{
    struct cluster *cluster = cta->cluster;
    assert(cluster->ctas[cta->rank] == cta);
    cluster->ctas[cta->rank] = NULL;
    if (++cluster->ended == cluster->began) {
        free(cluster);
    }
}
