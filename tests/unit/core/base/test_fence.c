/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_fence.c - fences: any changed byte is found, with its place; skipped bytes are not checked.
 */
#include "base/fence.h"

#include <string.h>

#include "support/suite.h"

static unsigned char block[FENCE_BYTES_MAX + 64];

static void each_byte_is_watched(void)
{
    for (size_t start = 0; start < 3; start++) { /* fences need no alignment */
        for (size_t size = 0; size < 70; size++) {
            unsigned char *fence = block + start;
            memset(block, 0, sizeof block);
            fence_fill(fence, size);
            CU_ASSERT_EQUAL(fence[size], 0);
            CU_ASSERT_EQUAL(fence_look(fence, 0, size).end, 0);
            for (size_t i = 0; i < size; i++) {
                fence[i] ^= 1;
                struct fence_damage damage = fence_look(fence, 0, size);
                CU_ASSERT(damage.first == i && damage.end == i + 1);
                CU_ASSERT_EQUAL(fence_look(fence, i + 1, size).end, 0);
                CU_ASSERT_EQUAL(fence_look(fence, i, size).end, i + 1);
                fence[i] ^= 1;
            }
        }
    }
}

static void damage_is_all_there_is(void)
{
    fence_fill(block, FENCE_BYTES_MAX);
    CU_ASSERT_EQUAL(fence_look(block, 0, FENCE_BYTES_MAX).end, 0);
    block[100] ^= 0x80;
    block[3000] ^= 0x01;
    struct fence_damage damage = fence_look(block, 0, FENCE_BYTES_MAX);
    CU_ASSERT(damage.first == 100 && damage.end == 3001);
    damage = fence_look(block, 101, FENCE_BYTES_MAX);
    CU_ASSERT(damage.first == 3000 && damage.end == 3001);
}

/* One byte value everywhere, as memset() writes it, changes at least fifteen of sixteen bytes. */
static void no_single_value_passes(void)
{
    for (int value = 0; value < 256; value++) {
        fence_fill(block, 16);
        memset(block, value, 2);
        CU_ASSERT(fence_look(block, 0, 16).end > 0);
    }
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"each byte is watched", each_byte_is_watched},
        {"damage is all there is", damage_is_all_there_is},
        {"no single value passes", no_single_value_passes},
    };
    return suite_run("fence", tests, sizeof tests / sizeof *tests);
}
