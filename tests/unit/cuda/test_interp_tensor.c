/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Copies of boxes of tensors (cp.async.bulk.tensor) and reductions, compared with a model that visits each element;
 * the accesses that they are; where tensor maps may be; what is refused.
 *
 * test: libs=warpscope_cuda_interp
 */
#include "interp/tensor.h"
#include "interp_run.h"
#include "support/suite.h"
#include <stddef.h>

enum { MEMORY = 1 << 16, BOX = 1 << 13, RANK = INTERP_TENSOR_RANK, ROWS = 4096 };
enum { U8, U16, U32, S32, U64, S64, F16, F32, F64, BF16 };
static const uint8_t widths[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2};

#define VARIABLES                                                                                  \
    ".shared .align 8 .b64 bar;\n.shared .align 1024 .b8 tile[9216];\n"                            \
    ".global .align 256 .b8 memory[65536];\n.global .align 64 .b8 map[128];\n"                     \
    ".const .align 64 .b8 fixed[128];\n.global .align 256 .b8 box[8192];\n"
/* The barrier %s expects bytes: %u; waiting for them. */
#define EXPECT                                                                                     \
    "mbarrier.init.shared.b64 [bar], 1;\nmbarrier.arrive.expect_tx.shared::cta.b64 %%d5, [bar], "  \
    "%u;\n"
#define WAIT "wait: mbarrier.try_wait.shared::cta.b64 %%p1, [bar], %%d5; @!%%p1 bra wait;\n"
#define BULK "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
#define LOAD "cp.async.bulk.tensor.%ud.shared::cluster.global.tile.mbarrier::complete_tx::bytes "

static struct interp_access seen[ROWS];
static size_t seen_count;
static uint64_t seen_begin;

/* Keeps the accesses to the variable "memory". */
static void observe(void *user, const struct interp_access *accesses, size_t count)
{
    (void)user;
    for (size_t i = 0; i < count; i++) {
        if (accesses[i].address - seen_begin < MEMORY && seen_count < ROWS) {
            seen[seen_count++] = accesses[i];
        }
    }
}

static void *variable(const struct run *run, const char *name)
{
    uint64_t address = 0, bytes;
    CU_ASSERT_TRUE_FATAL(interp_variable(run->module, name, &address, &bytes));
    return (void *)(uintptr_t)address;
}

/* Loads a kernel k with this body. Its tensor map describes the variable "memory", `offset` bytes from its begin on. */
static bool begin(struct run *run, const char *body, struct interp_tensor *map, uint64_t offset)
{
    static char text[16384];
    snprintf(text, sizeof text, "%s%s%s\nret;\n}\n", PTX_HEAD VARIABLES,
             ".visible .entry k(.param .u64 out)\n{\n" PTX_REGISTERS
             "ld.param.u64 %d0, [out]; mov.u64 %d3, map; mov.u32 %r1, %cluster_ctarank;\n",
             body);
    run->options.instruction_limit = 1000000;
    if (!run_begin(run, text)) {
        return false;
    }
    seen_begin = (uint64_t)(uintptr_t)variable(run, "memory");
    seen_count = 0;
    map->address = seen_begin + offset;
    memcpy(variable(run, "map"), map, sizeof *map);
    memcpy(variable(run, "fixed"), map, sizeof *map);
    run->launch.observe = observe;
    return true;
}

/* ---- The model ---------------------------------------------------------------------------------- */

static uint64_t random_state;

static uint32_t draw(uint32_t n)
{
    return (uint32_t)random_below(&random_state, n);
}

struct trial {
    struct interp_tensor map;
    uint64_t offset;
    int64_t at[RANK], count[RANK];
    uint32_t skip, elements, bytes;
    char kind; /* l load, s store, a add */
};

static bool make_trial(struct trial *t)
{
    struct interp_tensor *m = &t->map;
    memset(t, 0, sizeof *t);
    m->magic = INTERP_TENSOR_MAGIC;
    m->rank = (uint8_t)(1 + draw(RANK));
    t->kind = "lsa"[draw(3)];
    m->type = (uint8_t)(t->kind == 'a' ? U32 + draw(4) : draw(10));
    m->bytes = widths[m->type];
    m->fill = m->type >= F16 && draw(2) ? 0xff : 0;
    m->swizzle = (uint8_t)(1u << draw(4));
    t->skip = 128 * draw(8);
    t->offset = 16 * draw(9);
    uint64_t extent = 0;
    t->elements = 1;
    for (unsigned d = 0; d < m->rank; d++) {
        uint32_t row = 16 * (m->swizzle > 1 ? m->swizzle : 1 + draw(8)) / m->bytes;
        m->size[d] = 1 + draw(d ? 6 : 40);
        m->box[d] = (uint16_t)(d ? 1 + draw(5) : row);
        m->step[d] = (uint8_t)(1 + draw(3));
        t->at[d] = (int64_t)draw(d ? 10 : 60) - (d ? 4 : 20);
        for (uint32_t k = 0; k < m->box[d]; k += d ? m->step[d] : 1) {
            t->count[d]++;
        }
        if (d + 1 < m->rank) {
            uint64_t least = d ? m->stride[d - 1] * m->size[d] : m->size[d] * m->bytes;
            m->stride[d] = (least + 15) / 16 * 16 + 16 * draw(3);
        }
        extent += (m->size[d] - 1) * (d ? m->stride[d - 1] : m->bytes);
        t->elements *= (uint32_t)t->count[d];
    }
    t->bytes = t->elements * m->bytes;
    return t->bytes <= BOX && m->box[0] <= INTERP_TENSOR_BOX && t->offset + extent + 8 <= MEMORY;
}

/* Element n of the box. Sets *place to its byte in the box. Returns false if it is outside of the tensor, else sets
 * *from to its byte in the memory. */
static bool find_element(const struct trial *t, uint32_t n, uint32_t *place, uint64_t *from)
{
    bool inside = true;
    uint32_t index = n, byte = t->skip + n * t->map.bytes;
    uint32_t line = byte / 128, part = byte / 16 % 8;
    *place = line * 128 + (part ^ line % t->map.swizzle) * 16 + byte % 16 - t->skip;
    *from = t->offset;
    for (unsigned d = 0; d < t->map.rank; d++) {
        int64_t k = index % (uint32_t)t->count[d], at = t->at[d] + k * (d ? t->map.step[d] : 1);
        inside = inside && at >= 0 && at < (int64_t)t->map.size[d];
        *from += (uint64_t)at * (d ? t->map.stride[d - 1] : t->map.bytes);
        index /= (uint32_t)t->count[d];
    }
    return inside;
}

static void model(const struct trial *t, unsigned char *memory, unsigned char *box)
{
    size_t rows = 0;
    uint64_t end = UINT64_MAX, from, row = UINT64_MAX;
    uint32_t place, width = t->map.bytes;
    static struct interp_access expected[ROWS];
    for (uint32_t n = 0; n < t->elements; n++) {
        bool inside = find_element(t, n, &place, &from);
        if (inside && from == end && n / (uint32_t)t->count[0] == row) {
            expected[rows - 1].size += width;
        } else if (inside) {
            expected[rows++] = (struct interp_access){.address = from, .size = width};
        }
        row = n / (uint32_t)t->count[0];
        end = inside ? from + width : UINT64_MAX;
        uint64_t old = 0, by = 0;
        memcpy(&old, memory + (inside ? from : 0), width);
        memcpy(&by, box + place, width);
        by += t->kind == 'a' ? old : 0;
        if (t->kind != 'l' && inside) {
            memcpy(memory + from, &by, width);
        } else if (t->kind == 'l' && inside) {
            memcpy(box + place, &old, width);
        } else if (t->kind == 'l') {
            memset(box + place, t->map.fill, width);
        }
    }
    CU_ASSERT_EQUAL(seen_count, rows);
    for (size_t i = 0; i < rows && i < seen_count; i++) {
        CU_ASSERT_EQUAL(seen[i].address - seen_begin, expected[i].address);
        CU_ASSERT_EQUAL(seen[i].size, expected[i].size);
        CU_ASSERT_EQUAL(seen[i].type, t->kind == 'l' ? 0 : t->kind == 's' ? 1 : 2);
    }
}

static void write_body(const struct trial *t, char *body, size_t size)
{
    char at[128];
    size_t n = 0;
    for (unsigned d = 0; d < t->map.rank; d++) {
        n += (size_t)snprintf(at + n, sizeof at - n, "%s%d", d ? ", " : "", (int)t->at[d]);
    }
    if (t->kind == 'l') {
        snprintf(body, size,
                 EXPECT LOAD "[tile+%u], [map, {%s}], [bar];\n" WAIT
                             "cp.async.bulk.global.shared::cta.bulk_group [box], [tile+%u], %u;",
                 t->bytes, t->map.rank, t->skip, at, t->skip, t->bytes);
    } else {
        snprintf(body, size,
                 EXPECT BULK "[tile+%u], [box], %u, [bar];\n" WAIT
                             "cp.%sasync.bulk.tensor.%ud.global.shared::cta%s.bulk_group "
                             "[%%d3, {%s}], [tile+%u];",
                 t->bytes, t->skip, t->bytes, t->kind == 'a' ? "reduce." : "", t->map.rank,
                 t->kind == 'a' ? ".add" : "", at, t->skip);
    }
}

/* Draws a trial that is possible, and writes its kernel. */
static void draw_trial(struct trial *t, char *body, size_t size)
{
    while (!make_trial(t)) {
    }
    write_body(t, body, size);
}

static void test_random(void)
{
    static unsigned char memory[MEMORY], box[BOX];
    uint64_t seed = suite_seed();
    suite_print_seed("test_random", seed);
    random_state = seed;
    for (int done = 1; done <= 300; done++) {
        struct trial t;
        struct run run = {.options = {0}};
        char body[2048];
        draw_trial(&t, body, sizeof body);
        if (!begin(&run, body, &t.map, t.offset)) {
            return;
        }
        for (int i = 0; i < MEMORY + BOX; i++) {
            *(i < MEMORY ? &memory[i] : &box[i - MEMORY]) = (unsigned char)draw(256);
        }
        memcpy(variable(&run, "memory"), memory, sizeof memory);
        memcpy(variable(&run, "box"), box, sizeof box);
        CU_ASSERT_EQUAL(run_kernel(&run, "k", 1, 1), INTERP_DONE);
        model(&t, memory, box);
        bool same = memcmp(variable(&run, "memory"), memory, sizeof memory) == 0 &&
                    memcmp(variable(&run, "box"), box, sizeof box) == 0;
        CU_ASSERT_TRUE(same);
        if (!same || run.error[0]) {
            printf("\n  trial %d: %s\n%s\n", done, run.error, body);
        }
        run_end(&run);
    }
}

/* Copies with maps that a kernel has damaged end with a fault or access allowed memory only. */
static void test_damaged(void)
{
    uint64_t seed = suite_seed();
    suite_print_seed("test_damaged", seed);
    random_state = seed;
    for (int done = 1; done <= 300; done++) {
        struct trial t;
        struct run run = {.options = {0}};
        char body[2048];
        draw_trial(&t, body, sizeof body);
        for (uint32_t n = 1 + draw(3); n > 0; n--) {
            size_t first = offsetof(struct interp_tensor, size);
            ((unsigned char *)&t.map)[first + draw(sizeof t.map - (uint32_t)first)] ^=
                (unsigned char)(1u << draw(8));
        }
        if (begin(&run, body, &t.map, t.offset)) {
            enum interp_end end = run_kernel(&run, "k", 1, 1);
            CU_ASSERT_TRUE(end == INTERP_DONE || run.error[0] != '\0');
        }
        run_end(&run);
    }
}

/* ---- Reductions, places of maps, several CTAs ----------------------------------------------------- */

/* A tensor of 64 elements of one dimension, and of boxes of 64 bytes. */
static struct interp_tensor line_map(int type)
{
    return (struct interp_tensor){.magic = INTERP_TENSOR_MAGIC,
                                  .size = {64},
                                  .box = {(uint16_t)(64 / widths[type])},
                                  .step = {1},
                                  .rank = 1,
                                  .type = (uint8_t)type,
                                  .bytes = widths[type],
                                  .swizzle = 1};
}

static void test_reductions(void)
{
    static const struct {
        const char *name;
        int type;
        uint64_t old, by, result;
    } cases[] = {
        {"add", F32, 0x3fc00000, 0x40100000, 0x40700000},
        {"add", F64, 0x3ff8000000000000, 0x3ff0000000000000, 0x4004000000000000},
        {"add", F16, 0x3c00, 0x4000, 0x4200},
        {"add", BF16, 0x3f80, 0x4000, 0x4040},
        {"min", F16, 0x3c00, 0xc000, 0xc000},
        {"max", BF16, 0x3f80, 0xc000, 0x3f80},
        {"min", S32, 5, 0xfffffffd, 0xfffffffd},
        {"min", U32, 5, 0xfffffffd, 5},
        {"max", S64, 5, UINT64_MAX, 5},
        {"max", U64, 5, UINT64_MAX, UINT64_MAX},
        {"inc", U32, 7, 7, 0},
        {"inc", U32, 6, 7, 7},
        {"dec", U32, 0, 7, 7},
        {"and", U32, 6, 3, 2},
        {"or", S32, 6, 3, 7},
        {"xor", U64, 6, 3, 5},
        {"min", F32, 1, 2, 0}, /* there are none of these */
        {"and", F32, 1, 2, 0},
        {"add", U8, 1, 2, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct interp_tensor map = line_map(cases[i].type);
        struct run run = {.options = {0}};
        char body[1024];
        uint64_t value = cases[i].old;
        snprintf(body, sizeof body,
                 "mov.u64 %%d5, %llu; st.shared.b64 [tile], %%d5;\ncp.reduce.async.bulk.tensor.1d"
                 ".global.shared::cta.%s.tile.bulk_group.L2::cache_hint [map, {0}], [tile], %%d6;",
                 (unsigned long long)cases[i].by, cases[i].name);
        if (begin(&run, body, &map, 0)) {
            bool exists = cases[i].result != 0 || cases[i].old == 7;
            memcpy(variable(&run, "memory"), &value, sizeof value);
            CU_ASSERT_EQUAL(run_kernel(&run, "k", 1, 1), exists ? INTERP_DONE : INTERP_UNSUPPORTED);
            memcpy(&value, variable(&run, "memory"), map.bytes);
            CU_ASSERT_EQUAL(value, exists ? cases[i].result : cases[i].old);
            CU_ASSERT_TRUE(exists || strstr(run.error, "no such operation on elements") != NULL);
        }
        run_end(&run);
    }
}

/* A map in constant memory, and in a parameter, whose address the program makes a generic one. */
static void test_places(void)
{
    static const char *const bodies[] = {"mov.u64 %%d4, fixed; cvta.const.u64 %%d4, %%d4;",
                                         "mov.u64 %%d4, k_map; cvta.param.u64 %%d4, %%d4;"};
    for (int i = 0; i < 2; i++) {
        char body[2048], text[4096];
        struct interp_tensor map = line_map(U32);
        struct run run = {.options = {0}};
        size_t n = (size_t)snprintf(body, sizeof body, "%s", "");
        n += (size_t)snprintf(body + n, sizeof body - n, bodies[i], 0);
        snprintf(body + n, sizeof body - n,
                 EXPECT LOAD "[tile], [%%d4, {3}], [bar];\n" WAIT
                             "ld.shared.u64 %%d6, [tile]; st.global.u64 [%%d0], %%d6;",
                 64u, 1u);
        snprintf(
            text, sizeof text, "%s%s%s\nret;\n}\n", PTX_HEAD VARIABLES,
            ".visible .entry k(.param .align 64 .b8 k_map[128], .param .u64 out)\n{\n" PTX_REGISTERS
            "ld.param.u64 %d0, [out];\n",
            body);
        if (run_begin(&run, text)) {
            struct {
                struct interp_tensor map;
                uint64_t out;
            } parameters;
            uint32_t *memory = variable(&run, "memory");
            uint64_t *out = (uint64_t *)(uintptr_t)interp_alloc(run.device, 8);
            map.address = (uint64_t)(uintptr_t)memory;
            memcpy(variable(&run, "fixed"), &map, sizeof map);
            map.magic = i == 1 ? map.magic : 0;
            parameters.map = map;
            parameters.out = (uint64_t)(uintptr_t)out;
            memory[3] = 5;
            memory[4] = 6;
            run.launch = (struct interp_launch){
                .grid = {1, 1, 1}, .block = {1, 1, 1}, .parameters = &parameters};
            CU_ASSERT_EQUAL(
                interp_launch(run.device, interp_kernel(run.module, "k"), &run.launch, run.error),
                INTERP_DONE);
            CU_ASSERT_EQUAL(*out, 5 | 6ull << 32);
        }
        run_end(&run);
    }
}

/* One CTA of a cluster copies a box to both. It is one access. */
static void test_multicast(void)
{
    char body[2048];
    struct interp_tensor map = line_map(U32);
    struct run run = {.options = {0}};
    snprintf(body, sizeof body,
             EXPECT
             "barrier.cluster.arrive; barrier.cluster.wait; setp.eq.u32 %%p0, %%r1, 1;\n"
             "mov.b16 %%h1, 3; @%%p0 cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier"
             "::complete_tx::bytes.multicast::cluster.L2::cache_hint [tile+128], [map, {0}], "
             "[bar], %%h1, %%d9;\n" WAIT
             "ld.shared.u64 %%d6, [tile+128]; mul.wide.u32 %%d7, %%r1, 8;\n"
             "add.s64 %%d0, %%d0, %%d7; st.global.u64 [%%d0], %%d6;\n"
             "barrier.cluster.arrive; barrier.cluster.wait;",
             64u);
    if (begin(&run, body, &map, 32)) {
        uint32_t *memory = variable(&run, "memory");
        memory[8] = 7;
        memory[9] = 8;
        run.launch.cluster[0] = 2;
        run.launch.cluster[1] = run.launch.cluster[2] = 1;
        CU_ASSERT_EQUAL(run_kernel(&run, "k", 2, 1), INTERP_DONE);
        CU_ASSERT_EQUAL(run.out[0], 7 | 8ull << 32);
        CU_ASSERT_EQUAL(run.out[1], 7 | 8ull << 32);
        CU_ASSERT_TRUE(seen_count == 1 && seen[0].size == 64 && seen[0].cta[0] == 1);
    }
    run_end(&run);
}

#define STORE "cp.async.bulk.tensor.2d.global.shared::cta"
static void test_refused(void)
{
    static const struct {
        const char *body;
        enum interp_end end;
        const char *says;
        uint64_t offset;
        uint16_t height; /* of the box */
    } cases[] = {
        {STORE ".bulk_group [map, {0, 0}], [tile];", INTERP_DONE, "", 0, 4},
        {STORE ".bulk_group [box, {0, 0}], [tile];", INTERP_BAD_ADDRESS,
         "no tensor map of 2 dimensions is at 0x", 0, 4},
        {"cp.async.bulk.tensor.1d.global.shared::cta.bulk_group [map, {0}], [tile];",
         INTERP_BAD_ADDRESS, "no tensor map of 1 dimensions", 0, 4},
        {"add.s64 %d3, %d3, 16; " STORE ".bulk_group [%d3, {0, 0}], [tile];", INTERP_MISALIGNED,
         "misaligned load", 0, 4},
        {STORE ".bulk_group [map, {0, 0}], [tile+64];", INTERP_MISALIGNED, "shared address", 0, 4},
        {STORE ".bulk_group [map, {0, 0}], [tile+9088];", INTERP_BAD_ADDRESS, "shared address", 0,
         4},
        {STORE ".bulk_group [map, {0, 3}], [tile];", INTERP_BAD_ADDRESS,
         "store of 16 bytes outside allocations at global", MEMORY - 256, 4},
        {STORE ".bulk_group [map, {0, 0}], [tile];", INTERP_BAD_ADDRESS, "a box of 524288 bytes", 0,
         0},
        {STORE ".bulk_group [map, {0}], [tile];", INTERP_UNSUPPORTED, "tensor.2d", 0, 4},
        {STORE ".im2col_no_offs.bulk_group [map, {0, 0}], [tile];", INTERP_UNSUPPORTED, "im2col", 0,
         4},
        {STORE ".tile::scatter4.bulk_group [map, {0, 0}], [tile];", INTERP_UNSUPPORTED,
         "tile::scatter4", 0, 4},
        {"cp.reduce.async.bulk.tensor.2d.global.shared::cta.mul.bulk_group [map, {0, 0}], [tile];",
         INTERP_UNSUPPORTED, "cannot execute cp.reduce", 0, 4},
        {"cp.async.bulk.prefetch.tensor.2d.L2.global.tile [map, {0, 0}]; prefetch.tensormap "
         "[map];\n"
         "fence.proxy.tensormap::generic.release.gpu;\n"
         "fence.proxy.tensormap::generic.acquire.gpu [map], 128;",
         INTERP_DONE, "", MEMORY, 4},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bool enormous = cases[i].height == 0;
        struct interp_tensor map = line_map(enormous ? U64 : U32);
        struct run run = {.options = {0}};
        map.rank = 2;
        map.size[1] = 8;
        map.stride[0] = 256;
        map.box[1] = cases[i].height;
        map.step[1] = 1;
        if (enormous) {
            map.box[0] = map.box[1] = 256;
        }
        if (begin(&run, cases[i].body, &map, cases[i].offset)) {
            enum interp_end end = run_kernel(&run, "k", 1, 1);
            CU_ASSERT_EQUAL(end, cases[i].end);
            if (end != cases[i].end || !strstr(run.error, cases[i].says)) {
                printf("\n  end %d: \"%s\" lacks \"%s\"\n", (int)end, run.error, cases[i].says);
                CU_FAIL("the message says what");
            }
            CU_ASSERT_TRUE(i == 0 ? seen_count == 4 : end != INTERP_DONE || seen_count == 0);
        }
        run_end(&run);
    }
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"random boxes against a model", test_random},
        {"damaged maps", test_damaged},
        {"reductions by type", test_reductions},
        {"maps in constant memory and in parameters", test_places},
        {"a box for several CTAs", test_multicast},
        {"what is refused", test_refused},
    };
    return suite_run("copies of tensors", tests, sizeof tests / sizeof *tests);
}
