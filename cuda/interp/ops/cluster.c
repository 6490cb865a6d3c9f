/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Clusters of CTAs: their barrier, and addresses of shared memory of other CTAs.
 *
 * Of an address in the window of shared memory, the bits from CLUSTER_SHIFT on are 0 for the thread's
 * own CTA, or 1 more than the rank of a CTA of its cluster.
 */
#include "interp/rules.h"

void barrier_release(struct cta *cta, uint32_t number,
                     void (*result)(const struct group *, const struct barrier *))
{
    for (uint32_t i = 0; i < cta->warps[0].launch->warps; i++) {
        struct warp *warp = &cta->warps[i];
        for (uint32_t g = 0; g < warp->group_count; g++) {
            struct group *group = &warp->groups[g];
            if (group->state == GROUP_BARRIER && group->barrier == number) {
                group->state = GROUP_READY;
                if (result) {
                    result(group, &cta->barriers[number]);
                }
            }
        }
    }
}

static void cluster_check(struct cluster *cluster)
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
            cta->warps[w].arrived = 0;
        }
        if (cta) {
            barrier_release(cta, BARRIER_CLUSTER, NULL);
        }
    }
}

void cluster_exit(struct warp *warp, uint32_t mask)
{
    warp->cta->cluster->arrived -= (uint32_t)__builtin_popcount(warp->arrived & mask);
    warp->arrived &= ~mask;
    cluster_check(warp->cta->cluster);
}

static void arrive(struct warp *warp, const struct op *op)
{
    (void)op;
    uint32_t new = warp->mask & ~warp->arrived;
    warp->arrived |= new;
    warp->cta->cluster->arrived += (uint32_t)__builtin_popcount(new);
    cluster_check(warp->cta->cluster);
}

static void wait(struct warp *warp, const struct op *op)
{
    uint32_t waiting = warp->mask & warp->arrived;
    if (waiting) {
        struct group *group = warp_split(warp, waiting, warp->pc);
        group->state = GROUP_BARRIER;
        group->barrier = BARRIER_CLUSTER;
        group->wait = op;
    }
}

bool decode_cluster_barrier(struct decoder *decoder)
{
    decoder->op->run = ptx_has(decoder->in, "arrive") ? arrive : wait;
    return true;
}

/* Handler of mapa. op->a: address; op->b: rank of the CTA; op->size: width of the addresses; op->imm:
 * address of the window, 0 for addresses in shared memory. */
static void mapa(struct warp *warp, const struct op *op)
{
    const void *a = reg(warp, op->a);
    const uint32_t *rank = reg(warp, op->b);
    void *d = reg(warp, op->d);
    FOR_MASK(warp->mask, {
        uint64_t offset = (lane_value(a, op->size, i) - (uint64_t)op->imm) & (CLUSTER_STRIDE - 1);
        uint64_t part = rank[i] == warp->cta->rank ? 0 : rank[i] + 1;
        set_lane(d, op->size, i, (part << CLUSTER_SHIFT) + offset + (uint64_t)op->imm);
    })
}

static void getctarank(struct warp *warp, const struct op *op)
{
    const void *a = reg(warp, op->a);
    uint32_t *d = reg(warp, op->d);
    FOR_MASK(warp->mask, {
        uint64_t part = (lane_value(a, op->size, i) - (uint64_t)op->imm) >> CLUSTER_SHIFT;
        d[i] = part ? (uint32_t)part - 1 : warp->cta->rank;
    })
}

static bool decode_mapa(struct decoder *decoder)
{
    struct op *op = decoder->op;
    bool maps = ptx_is(decoder->in->word, "mapa");
    op->size = (uint8_t)(ptx_instruction_type(decoder->in).bits / 8u);
    op->imm = ptx_instruction_space(decoder->in) == PTX_SHARED
                  ? 0
                  : (int64_t)(decoder->module->device->base + SHARED_WINDOW);
    op->d = decode_destination_at(decoder, 0, maps ? op->size : 4);
    op->a = decode_source_at(decoder, 1, op->size);
    op->b = maps ? decode_source_at(decoder, 2, 4) : 0;
    op->run = maps ? mapa : getctarank;
    return op->size == 4 || op->size == 8;
}

const struct rule cluster_rules[] = {{"mapa", .decode = decode_mapa},
                                     {"getctarank", .decode = decode_mapa},
                                     {NULL, NULL, NULL, NULL}};
