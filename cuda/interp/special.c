/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Special registers whose values are constant while a warp runs.
 */
#include "interp/machine.h"
#include <assert.h>
#include <string.h>

enum special {
    TID,
    NTID = TID + 3,
    CTAID = NTID + 3,
    NCTAID = CTAID + 3,
    LANEID = NCTAID + 3,
    WARPID,
    NWARPID,
    SMID,
    NSMID,
    MASK_EQ,
    MASK_LE,
    MASK_LT,
    MASK_GE,
    MASK_GT,
    DYNAMIC_SHARED,
    TOTAL_SHARED,
    ZERO,
    CLUSTERID,
    NCLUSTERID = CLUSTERID + 3,
    CLUSTER_CTAID = NCLUSTERID + 3,
    CLUSTER_NCTAID = CLUSTER_CTAID + 3,
    CLUSTER_RANK = CLUSTER_NCTAID + 3,
    CLUSTER_SIZE,
    IS_CLUSTER, /* a predicate */
    GRIDID,     /* 64 bits wide, so that it occupies two arrays */
    GRIDID_LOW = GRIDID + 2,
    WORKSPACE_HIGH,
    WORKSPACE_LOW,
    SPECIALS
};

static const struct {
    const char *name;
    enum special x; /* the register, or its member .x; .y and .z follow */
    bool members;
} names[] = {
    {"%tid", TID, true},
    {"%ntid", NTID, true},
    {"%ctaid", CTAID, true},
    {"%nctaid", NCTAID, true},
    {"%clusterid", CLUSTERID, true},
    {"%nclusterid", NCLUSTERID, true},
    {"%cluster_ctaid", CLUSTER_CTAID, true},
    {"%cluster_nctaid", CLUSTER_NCTAID, true},
    {"%cluster_ctarank", CLUSTER_RANK, false},
    {"%cluster_nctarank", CLUSTER_SIZE, false},
    {"%is_explicit_cluster", IS_CLUSTER, false},
    {"%laneid", LANEID, false},
    {"%warpid", WARPID, false},
    {"%nwarpid", NWARPID, false},
    {"%smid", SMID, false},
    {"%nsmid", NSMID, false},
    {"%lanemask_eq", MASK_EQ, false},
    {"%lanemask_le", MASK_LE, false},
    {"%lanemask_lt", MASK_LT, false},
    {"%lanemask_ge", MASK_GE, false},
    {"%lanemask_gt", MASK_GT, false},
    {"%dynamic_smem_size", DYNAMIC_SHARED, false},
    {"%total_smem_size", TOTAL_SHARED, false},
    {"%aggr_smem_size", TOTAL_SHARED, false},
    {"%reserved_smem_offset_begin", ZERO, false},
    {"%reserved_smem_offset_end", ZERO, false},
    {"%reserved_smem_offset_cap", ZERO, false},
    {"%reserved_smem_offset_0", ZERO, false},
    {"%reserved_smem_offset_1", ZERO, false},
    {"%gridid", GRIDID_LOW, false},
    /* Address of the barrier, which the driver provides for cooperative groups. */
    {"%envreg1", WORKSPACE_HIGH, false},
    {"%envreg2", WORKSPACE_LOW, false},
};

enum { ARRAY_BYTES = WARP_LANES * sizeof(uint32_t) };

size_t special_bytes(void)
{
    return (size_t)SPECIALS * ARRAY_BYTES;
}

bool special_operand(const struct ptx_operand *name, uint32_t width, operand *result)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (!ptx_is(name->name, names[i].name)) {
            continue;
        }
        uint32_t at = names[i].x, member = name->member ? (uint32_t)(name->member - 'x') : 0;
        if (name->member == 'w') {
            at = ZERO;
            member = 0;
        } else if (member > (names[i].members ? 2u : 0u)) {
            return false;
        }
        at += member;
        if (at == GRIDID_LOW && width == 8) {
            at = GRIDID;
        } else if (width != (at == IS_CLUSTER ? 1 : 4)) {
            return false;
        }
        assert(at < SPECIALS);
        *result = at * ARRAY_BYTES | BASE_SPECIAL;
        return true;
    }
    return false;
}

static void fill(struct warp *warp, enum special at, uint32_t value)
{
    assert(at < SPECIALS);
    uint32_t *array = (uint32_t *)(void *)(warp->special + (size_t)at * ARRAY_BYTES);
    for (unsigned i = 0; i < WARP_LANES; i++) {
        array[i] = value;
    }
}

static void fill_lanes(struct warp *warp)
{
    uint32_t(*array)[WARP_LANES] = (void *)warp->special;
    const uint32_t *block = warp->launch->options->block;
    for (unsigned i = 0; i < WARP_LANES; i++) {
        uint32_t thread = warp->number * WARP_LANES + i, bit = 1u << i;
        array[TID][i] = thread % block[0];
        array[TID + 1][i] = thread / block[0] % block[1];
        array[TID + 2][i] = thread / block[0] / block[1];
        array[LANEID][i] = i;
        array[MASK_EQ][i] = bit;
        array[MASK_LT][i] = bit - 1;
        array[MASK_LE][i] = bit | (bit - 1);
        array[MASK_GE][i] = ~(bit - 1);
        array[MASK_GT][i] = ~(bit | (bit - 1));
    }
}

void special_begin(struct warp *warp)
{
    const struct launch *launch = warp->launch;
    fill_lanes(warp);
    for (unsigned i = 0; i < 3; i++) {
        fill(warp, NTID + i, launch->options->block[i]);
        fill(warp, CTAID + i, warp->cta->id[i]);
        fill(warp, NCTAID + i, launch->options->grid[i]);
        fill(warp, CLUSTERID + i, warp->cta->id[i] / launch->cluster[i]);
        fill(warp, NCLUSTERID + i, launch->options->grid[i] / launch->cluster[i]);
        fill(warp, CLUSTER_CTAID + i, warp->cta->id[i] % launch->cluster[i]);
        fill(warp, CLUSTER_NCTAID + i, launch->cluster[i]);
    }
    fill(warp, WARPID, warp->number);
    fill(warp, NWARPID, launch->warps);
    fill(warp, SMID, warp->cta->sm);
    fill(warp, NSMID, launch->device->sms);
    fill(warp, DYNAMIC_SHARED, launch->options->shared_bytes);
    fill(warp, TOTAL_SHARED, launch->shared_bytes);
    fill(warp, ZERO, 0);
    fill(warp, CLUSTER_RANK, warp->cta->rank);
    fill(warp, CLUSTER_SIZE, warp->cta->cluster->size);
    fill(warp, IS_CLUSTER, warp->cta->cluster->size > 1 ? ALL_LANES : 0);
    fill(warp, GRIDID_LOW, (uint32_t)launch->grid_id);
    fill(warp, WORKSPACE_HIGH, (uint32_t)(launch->workspace >> 32));
    fill(warp, WORKSPACE_LOW, (uint32_t)launch->workspace);
    uint64_t *wide = (uint64_t *)(void *)(warp->special + (size_t)GRIDID * ARRAY_BYTES);
    for (unsigned i = 0; i < WARP_LANES; i++) {
        wide[i] = launch->grid_id;
    }
}
