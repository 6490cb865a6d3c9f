/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tensor maps that cuTensorMapEncodeTiled() of the interpreter's CUDA library makes or refuses.
 *
 * test: libs=cudart_cpu
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "cuda/interp/tensor.h"
#include "support/cuda_calls.h"
#include "support/suite.h"

typedef int encode_tiled(void *map, int type, unsigned rank, void *address, const uint64_t *size,
                         const uint64_t *stride, const unsigned *box, const unsigned *step,
                         int interleave, int swizzle, int promotion, int fill);
int cuTensorMapReplaceAddress(void *map, void *address);
int cuTensorMapEncodeIm2col(void);

static encode_tiled *encode;

/* The arguments by which the maps below differ from a valid one. */
enum { TYPE, RANK, ADDRESS, SIZE0, SIZE1, STRIDE, BOX0, BOX1, STEP1, LAYOUT, SWIZZLE, L2, FILL };

/* Such a difference, and the code that is returned: 1, an invalid value; 801, refused. */
static const struct {
    int what;
    uint64_t value;
    int code;
} cases[] = {{TYPE, 7, 0},
             {TYPE, 16, 1},
             {TYPE, 10, 801},
             {TYPE, 13, 801},
             {RANK, 1, 0},
             {RANK, 0, 1},
             {RANK, 6, 1},
             {ADDRESS, 8, 1},
             {SIZE0, 0, 1},
             {SIZE0, 1, 0},
             {SIZE1, 1ull << 32, 0},
             {SIZE1, (1ull << 32) + 1, 1},
             {STRIDE, 24, 1},
             {STRIDE, 1ull << 40, 1},
             {STRIDE, (1ull << 40) - 16, 0},
             {BOX0, 0, 1},
             {BOX0, 6, 1},
             {BOX0, 12, 1},
             {BOX0, 4, 801},
             {BOX1, 256, 0},
             {BOX1, 257, 1},
             {BOX1, 0, 1},
             {STEP1, 8, 0},
             {STEP1, 0, 1},
             {STEP1, 9, 1},
             {LAYOUT, 1, 801},
             {LAYOUT, 3, 1},
             {SWIZZLE, 0, 0},
             {SWIZZLE, 2, 801},
             {SWIZZLE, 4, 801},
             {SWIZZLE, 7, 1},
             {L2, 3, 0},
             {L2, 4, 1},
             {FILL, 1, 1},
             {FILL, 2, 1}};

static void test_case(size_t i)
{
    _Alignas(64) struct interp_tensor map;
    uint64_t v[] = {3, 2, 1 << 20, 40, 30, 160, 8,
                    8, 1, 0,       1,  0,  0}; /* words, swizzle of 32 bytes */
    v[cases[i].what] = cases[i].value;
    const uint64_t size[] = {v[SIZE0], v[SIZE1], 1, 1, 1, 1}, stride[] = {v[STRIDE], 0, 0, 0, 0};
    const unsigned box[] = {(unsigned)v[BOX0], (unsigned)v[BOX1], 1, 1, 1, 1};
    const unsigned step[] = {1, (unsigned)v[STEP1], 1, 1, 1, 1};
    memset(&map, 0, sizeof map);
    int code = encode(&map, (int)v[TYPE], (unsigned)v[RANK], (void *)(uintptr_t)v[ADDRESS], size,
                      stride, box, step, (int)v[LAYOUT], (int)v[SWIZZLE], (int)v[L2], (int)v[FILL]);
    CU_ASSERT_EQUAL(code, cases[i].code);
    CU_ASSERT_EQUAL(map.magic, code ? 0 : INTERP_TENSOR_MAGIC);
    if (code != cases[i].code) {
        printf("\n  case %zu: %d\n", i, code);
    }
    CU_ASSERT_TRUE(code || (map.rank == v[RANK] && map.address == v[ADDRESS] &&
                            map.size[1] == (v[RANK] > 1 ? v[SIZE1] : 0) && map.bytes == 4 &&
                            map.swizzle == 1 << v[SWIZZLE] && map.box[0] == 8));
}

static void test_encoding(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        test_case(i);
    }
}

static void test_address(void)
{
    _Alignas(64) struct interp_tensor map[2] = {{0}};
    CU_ASSERT_EQUAL(cuTensorMapReplaceAddress(map, (void *)32), 1); /* no map yet */
    const uint64_t size[] = {64};
    const unsigned box[] = {64}, step[] = {1};
    void *place = (char *)map + 16;
    CU_ASSERT_EQUAL(encode(place, 6, 1, NULL, size, NULL, box, step, 0, 0, 0, 0), 1);
    CU_ASSERT_EQUAL(encode(map, 6, 1, NULL, size, NULL, box, step, 0, 0, 0, 1), 0);
    CU_ASSERT_TRUE(map->fill == 0xff && map->bytes == 2 && map->swizzle == 1 && map->step[0] == 1);
    CU_ASSERT_EQUAL(cuTensorMapReplaceAddress(map, (void *)8), 1);
    CU_ASSERT_EQUAL(cuTensorMapReplaceAddress(map, (void *)32), 0);
    CU_ASSERT_EQUAL(map->address, 32);
    CU_ASSERT_EQUAL(cuTensorMapEncodeIm2col(), 801);
}

int main(void)
{
    static const CU_TestInfo tests[] = {{"encoding", test_encoding}, {"addresses", test_address}};
    void *function = NULL;
    int status = 9;
    if (cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000, 0, &status) !=
            0 ||
        function == NULL || status != 0) {
        fputs("cuTensorMapEncodeTiled is missing\n", stderr);
        return 1;
    }
    memcpy(&encode, &function, sizeof encode);
    return suite_run("tensor maps", tests, sizeof tests / sizeof tests[0]);
}
