/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Special registers whose values are constant while a warp runs.
 */
#include "interp/machine.h"
#include <assert.h>

/* The registers: name here and in PTX, number of members (.x, .y, .z; 1: a register without members),
 * and the value of member k if all lanes have the SAME. */
#define REGISTERS(SAME, EACH)                                                                      \
    SAME(ZERO, "%reserved_smem_offset_begin", 1, 0)                                                \
    SAME(RESERVED_END, "%reserved_smem_offset_end", 1, 0)                                          \
    SAME(RESERVED_CAP, "%reserved_smem_offset_cap", 1, 0)                                          \
    SAME(RESERVED_0, "%reserved_smem_offset_0", 1, 0)                                              \
    SAME(RESERVED_1, "%reserved_smem_offset_1", 1, 0)                                              \
    EACH(TID, "%tid", 3, )                                                                         \
    SAME(NTID, "%ntid", 3, block[k])                                                               \
    SAME(CTAID, "%ctaid", 3, cta->id[k])                                                           \
    SAME(NCTAID, "%nctaid", 3, grid[k])                                                            \
    SAME(CLUSTERID, "%clusterid", 3, cta->id[k] / cluster[k])                                      \
    SAME(NCLUSTERID, "%nclusterid", 3, grid[k] / cluster[k])                                       \
    SAME(CLUSTER_CTAID, "%cluster_ctaid", 3, cta->id[k] % cluster[k])                              \
    SAME(CLUSTER_NCTAID, "%cluster_nctaid", 3, cluster[k])                                         \
    SAME(CLUSTER_RANK, "%cluster_ctarank", 1, cta->rank)                                           \
    SAME(CLUSTER_SIZE, "%cluster_nctarank", 1, size)                                               \
    SAME(IS_CLUSTER, "%is_explicit_cluster", 1, size > 1 ? ALL_LANES : 0) /* a predicate */        \
    EACH(LANEID, "%laneid", 1, )                                                                   \
    SAME(WARPID, "%warpid", 1, warp->number)                                                       \
    SAME(NWARPID, "%nwarpid", 1, launch->warps)                                                    \
    SAME(SMID, "%smid", 1, cta->sm)                                                                \
    SAME(NSMID, "%nsmid", 1, launch->device->sms)                                                  \
    EACH(MASK_EQ, "%lanemask_eq", 1, )                                                             \
    EACH(MASK_LE, "%lanemask_le", 1, )                                                             \
    EACH(MASK_LT, "%lanemask_lt", 1, )                                                             \
    EACH(MASK_GE, "%lanemask_ge", 1, )                                                             \
    EACH(MASK_GT, "%lanemask_gt", 1, )                                                             \
    SAME(DYNAMIC_SHARED, "%dynamic_smem_size", 1, launch->options->shared_bytes)                   \
    SAME(TOTAL_SHARED, "%total_smem_size", 1, launch->shared_bytes)                                \
    SAME(AGGREGATE_SHARED, "%aggr_smem_size", 1, launch->shared_bytes)                             \
    SAME(GRIDID_LOW, "%gridid", 1, launch->grid_id)                                                \
    /* Address of the barrier, which the driver provides for cooperative groups. */                \
    SAME(WORKSPACE_HIGH, "%envreg1", 1, launch->workspace >> 32)                                   \
    SAME(WORKSPACE_LOW, "%envreg2", 1, launch->workspace)

enum special {
#define NUMBER(name, text, members, ...) name, name##_END = name + (members)-1,
    REGISTERS(NUMBER, NUMBER) GRIDID, /* 64 bits wide, so that it occupies two arrays */
    SPECIALS = GRIDID + 2
};

enum { ARRAY_BYTES = WARP_LANES * sizeof(uint32_t) };

size_t special_bytes(void)
{
    return (size_t)SPECIALS * ARRAY_BYTES;
}

bool special_operand(const struct ptx_operand *name, uint32_t width, operand *result)
{
    static const struct {
        const char *name;
        uint32_t at, members;
    } names[] = {
#define ROW(name, text, members, ...) {text, name, members},
        REGISTERS(ROW, ROW)};
    int i = PTX_FIND(name->name, names);
    if (i < 0) {
        return false;
    }
    uint32_t at = names[i].at, member = name->member ? (uint32_t)(name->member - 'x') : 0;
    if (name->member == 'w') {
        at = ZERO;
        member = 0;
    } else if (member >= names[i].members) {
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

static void fill_lanes(uint32_t (*array)[WARP_LANES], uint32_t first, const uint32_t *block)
{
    for (unsigned i = 0; i < WARP_LANES; i++) {
        uint32_t thread = first + i, bit = 1u << i;
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
    const struct cta *cta = warp->cta;
    const uint32_t *block = launch->options->block, *grid = launch->options->grid;
    const uint32_t *cluster = launch->cluster, size = cta->cluster->size;
    uint32_t(*array)[WARP_LANES] = (void *)warp->special;
    uint64_t *wide = (uint64_t *)(void *)array[GRIDID];
    fill_lanes(array, warp->number * WARP_LANES, block);
#define FILL(name, text, members, value)                                                           \
    for (unsigned k = 0; k < (members); k++) {                                                     \
        const uint32_t same = (uint32_t)(value);                                                   \
        for (unsigned i = 0; i < WARP_LANES; i++) {                                                \
            array[name + k][i] = same;                                                             \
        }                                                                                          \
    }
#define SKIP(...)
    REGISTERS(FILL, SKIP)
    for (unsigned i = 0; i < WARP_LANES; i++) {
        wide[i] = launch->grid_id;
    }
}
