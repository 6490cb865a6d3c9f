/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Faults of kernels and their messages, memory of devices, linking, and observed accesses.
 *
 * test: libs=warpscope_cuda_interp
 */
#include "interp/device.h"
#include "interp_run.h"

#include "support/suite.h"

/* Runs kernel k and expects an end whose message contains the words. */
static void expect_fault(struct run *run, const char *body, uint32_t threads, enum interp_end end,
                         const char *words)
{
    char text[8192];
    snprintf(text, sizeof text,
             "%s.shared .align 8 .b64 values[4];\n.visible .entry k(.param .u64 "
             "out)\n{\n%s%s\nret;\n}\n",
             PTX_HEAD, PTX_REGISTERS "ld.param.u64 %d0, [out]; mov.u32 %r0, %tid.x;\n", body);
    if (run_text(run, text, 1, threads, end) && !strstr(run->error, words)) {
        printf("\n  \"%s\" lacks \"%s\"\n", run->error, words);
        CU_FAIL("the message says what");
    }
    run_end(run);
}

static void test_faults(void)
{
    struct run run = {.options = {.instruction_limit = 100000}};
    expect_fault(&run, "ld.global.u32 %r1, [%d0+252];", 32, INTERP_DONE, "");
    expect_fault(&run, "st.global.u32 [%d0+256], %r1;", 32, INTERP_BAD_ADDRESS,
                 "store of 4 bytes outside allocations at global address");
    expect_fault(&run, "st.global.u32 [%d0+256], %r1;", 32, INTERP_BAD_ADDRESS,
                 "(256 bytes after the begin of 256 bytes at");
    expect_fault(&run, "mul.wide.u32 %d1, %r0, 4; add.s64 %d1, %d1, %d0;\nld.u8 %r1, [%d1+200];",
                 32, INTERP_BAD_ADDRESS,
                 "kernel k, CTA (0,0,0), thread (14,0,0), line 10 of the PTX");
    expect_fault(&run, "mov.u64 %d1, 0; ld.u32 %r1, [%d1];", 1, INTERP_BAD_ADDRESS,
                 "generic address 0x0");
    expect_fault(&run, "ld.global.v2.u32 {%r1, %r2}, [%d0+4];", 2, INTERP_MISALIGNED,
                 "misaligned load of 8 bytes at global address");
    expect_fault(&run, "ld.shared.u64 %d1, [values+32];", 1, INTERP_BAD_ADDRESS,
                 "shared address 0x20");
    expect_fault(&run, "setp.eq.u32 %p1, %r0, 3; @%p1 trap;", 32, INTERP_TRAP, "thread (3,0,0)");
    expect_fault(&run, "setp.lt.u32 %p1, %r0, 32; @%p1 bar.sync 0, 64;", 64, INTERP_DEADLOCK,
                 "deadlock: 32 threads wait at barrier 0 for 64");
    expect_fault(&run, "setp.lt.u32 %p1, %r0, 8; @%p1 bar.warp.sync -1;\nbar.sync 1;", 32,
                 INTERP_DEADLOCK, "deadlock");
    expect_fault(&run, "loop: bra loop;", 32, INTERP_LIMIT, "more than 100000 instructions");
    expect_fault(&run, "tensormap.replace.tile.rank.global.b1024.b32 [%d0], 5;", 1,
                 INTERP_UNSUPPORTED, "tensormap.replace.tile.rank.global.b1024.b32");
    expect_fault(&run, "mov.u64 %d1, 4096; call %d1, (), p;\np: .callprototype _ ();", 1,
                 INTERP_TRAP, "where no function is");
}

/* Loads a module with a kernel, which must fail with a message that contains the words. */
static void expect_refused(const char *parameters, const char *body, const char *words)
{
    char text[1024], error[INTERP_ERROR_MAX] = "";
    struct interp_options options = {0};
    struct interp *device = interp_create(&options, error);
    snprintf(text, sizeof text, "%s.visible .entry k(%s)\n{\n%s\nret;\n}\n", PTX_HEAD, parameters,
             body);
    struct ptx_module *tree = ptx_parse(text, strlen(text), error);
    CU_ASSERT_FATAL(device != NULL && tree != NULL);
    const struct ptx_module *trees[] = {tree};
    struct interp_module *module = interp_load(device, trees, 1, error);
    CU_ASSERT_PTR_NULL(module);
    CU_ASSERT_PTR_NOT_NULL(strstr(error, words));
    interp_unload(module);
    ptx_free(tree);
    interp_destroy(device);
}

/* Declarations of enormous size are refused, even if the sum of the sizes passes 2^32 bytes. */
static void test_enormous_declarations(void)
{
    static const char large[] = "are too large";
    expect_refused("", ".reg .b64 %q<1048576>; .reg .b64 %s<1048576>; mov.b64 %q1048575, 1;",
                   large);
    expect_refused("", ".reg .v8 .b128 %q<1048576>; mov.b64 %q1048575, 1;", large);
    expect_refused(".param .align 1073741824 .b8 a[8], .param .align 1073741824 .b8 b[8]", "",
                   large);
    expect_refused(".param .align 1073741824 .b8 a[8], .param .align 1073741824 .b8 b[8],\n"
                   ".param .align 1073741824 .b8 c[8], .param .align 1073741824 .b8 d[8],\n"
                   ".param .align 1073741824 .b8 e[8]",
                   "", large);
    expect_refused("", ".local .align 1073741824 .b8 a[8]; .local .align 1073741824 .b8 b[8];",
                   large);
}

/* Registers of 128 bits in instructions of other widths. */
static void test_wide_registers(void)
{
    static const char *const forms[] = {
        "cvt.u64.u32 %q1, %r0", "st.global.v2.b128 [%d0], {%q1, %q1}",
        "ld.global.v2.u64 {%q1, _}, [%d0]", "mov.b128 %q1, 5", "st.global.v2.u64 [%d0], {%q1, 5}"};
    struct run run = {.options = {0}};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        char body[128], word[32];
        snprintf(body, sizeof body, ".reg .b128 %%q<2>;\n%s;", forms[i]);
        snprintf(word, sizeof word, "%.*s", (int)strcspn(forms[i], " "), forms[i]);
        expect_fault(&run, body, 1, INTERP_UNSUPPORTED, word);
    }
}

/* Calls that the interpreter cannot make end the launch, whether direct or indirect. */
static void test_calls_that_cannot_be(void)
{
    static const char *const functions[] = {".func callee(.reg .pred %x) { ret; }\n",
                                            ".func callee(.reg .b128 %x) { ret; }\n",
                                            ".func (.reg .b128 %y) callee(.reg .b64 %x) { ret; }\n",
                                            ".visible .entry callee(.param .b64 x) { ret; }\n"};
    static const char *const calls[] = {"call callee, (%d0)",
                                        "mov.u64 %d1, callee; call %d1, (%d0), p"};
    struct run run = {.options = {0}};
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        for (size_t k = 0; k < 2; k++) {
            char text[2048];
            bool entry = strstr(functions[i], "entry") != NULL;
            snprintf(text, sizeof text, "%s%s%s%s; p: .callprototype _ (.reg .b64 x);\nret;\n}\n",
                     PTX_HEAD, functions[i],
                     ".visible .entry k(.param .u64 out)\n{\n" PTX_REGISTERS
                     "ld.param.u64 %d0, [out];\n",
                     calls[k]);
            if (run_text(&run, text, 1, 32, entry && k == 1 ? INTERP_TRAP : INTERP_UNSUPPORTED)) {
                CU_ASSERT_PTR_NOT_NULL(strstr(run.error, entry && k == 1 ? "where no function is"
                                                                         : "cannot call callee"));
            }
            run_end(&run);
        }
    }
}

/* A kernel that launches a kernel (dynamic parallelism) ends with what to do instead. */
static void test_launch_by_kernel(void)
{
    struct run run = {.options = {0}};
    if (run_text(
            &run,
            PTX_HEAD
            ".extern .func (.param .b64 r) cudaGetParameterBufferV2(.param .b64 f);\n" PTX_KERNEL(
                "k", "{ .param .b64 f; .param .b64 r; st.param.b64 [f], %d0;\n"
                     "call.uni (r), cudaGetParameterBufferV2, (f); ld.param.b64 %d2, [r]; }"),
            1, 32, INTERP_UNSUPPORTED)) {
        CU_ASSERT_PTR_NOT_NULL(strstr(run.error, "call.uni cudaGetParameterBufferV2 "));
        CU_ASSERT_PTR_NOT_NULL(strstr(run.error, "dynamic parallelism; launch the kernel from"));
        CU_ASSERT_PTR_NOT_NULL(strstr(run.error, "kernel k"));
    }
    run_end(&run);
}

static void test_bad_launches(void)
{
    struct run run = {.options = {0}};
    if (!run_begin(&run,
                   PTX_HEAD ".visible .entry k(.param .u64 out) .maxntid 64, 1, 1 { ret; }\n")) {
        return;
    }
    CU_ASSERT_EQUAL(run_kernel(&run, "k", 1, 64), INTERP_DONE);
    CU_ASSERT_EQUAL(run_kernel(&run, "k", 1, 65), INTERP_BAD_LAUNCH);
    CU_ASSERT_PTR_NOT_NULL(strstr(run.error, "1 to 64 are possible"));
    CU_ASSERT_EQUAL(run_kernel(&run, "k", 0, 64), INTERP_BAD_LAUNCH);
    run.launch.shared_bytes = 300000;
    CU_ASSERT_EQUAL(run_kernel(&run, "k", 1, 64), INTERP_BAD_LAUNCH);
    CU_ASSERT_PTR_NOT_NULL(strstr(run.error, "300000 dynamic bytes"));
    run_end(&run);
}

static void test_cancel(void)
{
    const int cancel = 1;
    struct run run = {.options = {0}};
    if (run_begin(&run, PTX_HEAD PTX_KERNEL("k", "loop: bra loop;"))) {
        run.launch.cancel = &cancel;
        CU_ASSERT_EQUAL(run_kernel(&run, "k", 1, 64), INTERP_LIMIT);
        CU_ASSERT_PTR_NOT_NULL(strstr(run.error, "cancelled"));
    }
    run_end(&run);
}

/* CTAs of a cooperative launch meet at a barrier in the workspace that special registers name. */
static void test_cooperative(void)
{
    struct run run = {.options = {0}};
    if (run_begin(
            &run,
            PTX_HEAD PTX_KERNEL(
                "k",
                "mov.u32 %r3, %envreg2; mov.u32 %r4, %envreg1; mov.b64 %d2, {%r3, %r4};\n"
                "setp.ne.u32 %p1, %r2, 0; @%p1 bra others; atom.add.release.gpu.u32 %r5, [%d2+4], "
                "1;\n"
                "wait: ld.acquire.gpu.u32 %r5, [%d2+4]; setp.lt.u32 %p2, %r5, 40; @%p2 bra wait;\n"
                "others: bar.sync 0; ld.u32 %r6, [%d2+4]; cvt.u64.u32 %d3, %r6; st.global.u64 "
                "[%d0], %d3;"))) {
        run.launch.cooperative = true;
        for (unsigned times = 0; times < 2; times++) {
            CU_ASSERT_EQUAL(run_kernel(&run, "k", 40, 64), INTERP_DONE);
            CU_ASSERT(run.out[0] == 40 && run.out[40 * 64 - 1] == 40);
        }
    }
    run_end(&run);
}

/* ---- Memory --------------------------------------------------------------------------------------- */

static void test_memory(void)
{
    char error[INTERP_ERROR_MAX];
    struct interp_options options = {.memory = 1 << 20};
    struct interp *device = interp_create(&options, error), *second;
    if (!device) {
        CU_FAIL_FATAL("a device");
    }
    uint64_t a = interp_alloc(device, 100), b = interp_alloc(device, 1), begin = 0, bytes = 0;
    CU_ASSERT(a && b && a % 256 == 0 && b >= a + 256);
    CU_ASSERT(interp_find(device, a + 99, &begin, &bytes) && begin == a && bytes == 100);
    CU_ASSERT_FALSE(interp_find(device, a + 100, &begin, &bytes));
    CU_ASSERT_FALSE(interp_find(device, a - 1, &begin, &bytes));
    CU_ASSERT_FALSE(interp_free(device, a + 1));
    memset((void *)(uintptr_t)a, 7, 100);
    CU_ASSERT(interp_free(device, a));
    CU_ASSERT_FALSE(interp_free(device, a));
    uint64_t apart = interp_alloc_apart(device, 100000), again = interp_alloc(device, 50);
    CU_ASSERT(apart && again == a && *(char *)(uintptr_t)again == 0);
    CU_ASSERT_EQUAL(interp_alloc(device, 1 << 20), 0);
    CU_ASSERT_EQUAL(interp_alloc(device, 0), 0);
    CU_ASSERT_PTR_NULL(interp_create(&options, error)); /* the same number: its range is taken */
    options.number = 1;
    second = interp_create(&options, error);
    CU_ASSERT_PTR_NOT_NULL(second);
    interp_destroy(second);
    interp_destroy(device);
}

/* Returns the end of the range that a block occupies: whole granules, and one unused granule. */
static uint64_t end_of(const struct block *block)
{
    return block->begin + (block->bytes + GRANULE - 1) / GRANULE * GRANULE + GRANULE;
}

/* Returns true if blocks are in order and do not overlap, and if device->usable matches their sizes. */
static bool check_arena(const struct interp *device, const struct arena *arena)
{
    uint64_t at = arena->begin;
    for (size_t i = 0; i < arena->count; i++) {
        const struct block *b = &arena->blocks[i];
        if (b->begin < at || (i < arena->packed && b->begin != at) || b->begin % GRANULE ||
            !b->bytes || b->bytes > device->bytes || end_of(b) > arena->end) {
            return false;
        }
        uint64_t first = (b->begin - device->base) >> GRANULE_SHIFT;
        uint64_t last = (b->begin + b->bytes - 1 - device->base) >> GRANULE_SHIFT;
        uint64_t rest = (b->bytes - 1) % GRANULE + 1;
        if (device->usable[last] != rest || device->usable[last + 1] != 0 ||
            (first != last && device->usable[first] != GRANULE)) {
            return false;
        }
        at = end_of(b);
    }
    return arena->packed <= arena->count;
}

/* Returns true if the arenas and the table `usable` are sound. */
static bool device_check(struct interp *device)
{
    bool good = true;
    pthread_mutex_lock(&device->lock);
    for (int i = 0; i < ARENAS && good; i++) {
        good = check_arena(device, &device->arenas[i]);
    }
    pthread_mutex_unlock(&device->lock);
    return good;
}

/* Many allocations and releases in random order never overlap, and all can be had again. */
static void test_many_allocations(void)
{
    enum { COUNT = 300 };
    char error[INTERP_ERROR_MAX];
    struct interp_options options = {.memory = 1 << 22};
    struct interp *device = interp_create(&options, error);
    uint64_t at[COUNT] = {0}, sizes[COUNT], seed = suite_seed() | 1;
    if (!device) {
        CU_FAIL_FATAL("a device");
    }
    for (unsigned round = 0; round < 5000; round++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        unsigned i = (unsigned)(seed >> 33) % COUNT;
        if (at[i]) {
            const unsigned char *last = (const unsigned char *)(uintptr_t)(at[i] + sizes[i] - 1);
            CU_ASSERT(*(unsigned char *)(uintptr_t)at[i] == i % 256 && *last == i % 256);
            CU_ASSERT(interp_free(device, at[i]));
            at[i] = 0;
        } else {
            sizes[i] = (seed >> 20) % 5000 + 1;
            at[i] = interp_alloc(device, sizes[i]);
            CU_ASSERT_FATAL(at[i] != 0);
            memset((void *)(uintptr_t)at[i], (int)i, sizes[i]);
        }
        CU_ASSERT_FATAL(device_check(device));
    }
    for (unsigned i = 0; i < COUNT; i++) {
        CU_ASSERT(!at[i] || interp_free(device, at[i]));
    }
    CU_ASSERT_NOT_EQUAL(interp_alloc(device, (1 << 22) - 256), 0);
    CU_ASSERT(device_check(device));
    interp_destroy(device);
}

/* The check finds a wrong size in the table, blocks that overlap, and room that nothing would fill. */
static void test_device_check(void)
{
    char error[INTERP_ERROR_MAX];
    struct interp_options options = {.memory = 1 << 20};
    struct interp *device = interp_create(&options, error);
    if (!device) {
        CU_FAIL_FATAL("a device");
    }
    uint64_t a = interp_alloc(device, 1000), b = interp_alloc(device, 10);
    CU_ASSERT(interp_alloc(device, 10) && interp_free(device, b) && device_check(device));
    struct arena *arena = &device->arenas[ARENA_MAIN];
    uint16_t *last = &device->usable[(a + 999 - device->base) >> GRANULE_SHIFT];
    *last -= 1;
    CU_ASSERT_FALSE(device_check(device));
    *last += 1;
    arena->blocks[1].begin = a;
    CU_ASSERT_FALSE(device_check(device));
    arena->blocks[1].begin = b + 512;
    CU_ASSERT(device_check(device));
    arena->packed = 2;
    CU_ASSERT_FALSE(device_check(device));
    arena->packed = 1;
    CU_ASSERT(device_check(device));
    interp_destroy(device);
}

/* ---- Linking ---------------------------------------------------------------------------------------- */

static const char first[] =
    PTX_HEAD ".extern .global .align 4 .b32 shared_value;\n"
             ".weak .global .align 4 .b32 weak_value = 1;\n"
             ".global .align 4 .b32 own = 10;\n"
             ".extern .func (.param .b32 r) helper(.param .b32 x);\n" PTX_KERNEL(
                 "k", "{ .param .b32 a; .param .b32 b; st.param.b32 [a], 5;\n"
                      "call (b), helper, (a); ld.param.b32 %r3, [b]; }\n"
                      "ld.global.u32 %r4, [shared_value]; ld.global.u32 %r5, [weak_value];\n"
                      "ld.global.u32 %r6, [own]; mad.lo.u32 %r3, %r3, 100, %r4;\n"
                      "mad.lo.u32 %r3, %r3, 100, %r5; mad.lo.u32 %r3, %r3, 100, %r6;\n"
                      "cvt.u64.u32 %d2, %r3; st.global.u64 [%d0], %d2;");
static const char second[] = PTX_HEAD
    ".visible .global .align 4 .b32 shared_value = 42;\n.weak .global .align 4 .b32 weak_value = "
    "1;\n"
    ".global .align 4 .b32 own = 3;\n.visible .global .align 8 .u64 pointer = generic(own)+0;\n"
    ".visible .func (.param .b32 r) helper(.param .b32 x) { .reg .b32 %r<4>; .reg .b64 %d<4>;\n"
    "ld.param.u32 %r1, [x]; ld.global.u64 %d1, [pointer]; ld.u32 %r2, [%d1]; add.u32 %r1, %r1, "
    "%r2;\n"
    "st.param.b32 [r], %r1; ret; }\n";

static struct interp_module *load(struct interp *device, const char *const *texts, size_t count,
                                  char *error)
{
    struct ptx_module *trees[2] = {NULL, NULL};
    struct interp_module *module = NULL;
    bool parsed = true;
    for (size_t i = 0; i < count; i++) {
        trees[i] = ptx_parse(texts[i], strlen(texts[i]), error);
        parsed = parsed && trees[i];
    }
    if (parsed) {
        module = interp_load(device, (const struct ptx_module *const *)trees, count, error);
    }
    ptx_free(trees[0]);
    ptx_free(trees[1]);
    return module;
}

static void test_links(void)
{
    char error[INTERP_ERROR_MAX] = "";
    struct interp_options options = {0};
    struct interp *device = interp_create(&options, error);
    const char *both[] = {first, second}, *twice[] = {second, second};
    struct interp_module *module = load(device, both, 2, error);
    if (!module) {
        puts(error);
        CU_FAIL_FATAL("modules link");
    }
    uint64_t out = interp_alloc(device, 8), address = 0, bytes = 0;
    struct interp_launch launch = {.grid = {1, 1, 1}, .block = {1, 1, 1}, .parameters = &out};
    CU_ASSERT_EQUAL(interp_launch(device, interp_kernel(module, "k"), &launch, error), INTERP_DONE);
    CU_ASSERT_EQUAL(*(uint64_t *)(uintptr_t)out, 8420110);
    CU_ASSERT(interp_variable(module, "shared_value", &address, &bytes) && bytes == 4);
    CU_ASSERT_FALSE(interp_variable(module, "nothing", &address, &bytes));
    CU_ASSERT_PTR_NULL(interp_kernel(module, "helper"));
    interp_unload(module);
    CU_ASSERT_PTR_NULL(load(device, &both[0], 1, error));
    CU_ASSERT_PTR_NOT_NULL(strstr(error, "shared_value"));
    CU_ASSERT_PTR_NULL(load(device, twice, 2, error));
    CU_ASSERT_PTR_NOT_NULL(strstr(error, "defined twice"));
    interp_destroy(device);
}

/* ---- Observed accesses ------------------------------------------------------------------------------ */

struct observed {
    size_t count, loads, stores, atomics;
    uint64_t bytes, previous_cta;
    bool ordered;
};

static void observe(void *user, const struct interp_access *accesses, size_t count)
{
    struct observed *observed = user;
    for (size_t i = 0; i < count; i++) {
        observed->count++;
        observed->loads += accesses[i].type == 0;
        observed->stores += accesses[i].type == 1;
        observed->atomics += accesses[i].type == 2;
        observed->bytes += accesses[i].size;
        observed->ordered &= accesses[i].cta[0] >= observed->previous_cta &&
                             accesses[i].sm == accesses[i].cta[0] % 16 && accesses[i].thread < 40;
        observed->previous_cta = accesses[i].cta[0];
    }
}

/* Shared, local and constant memory, a tool's variables and its apart memory are not observed. */
static void test_observer(void)
{
    struct run run = {.options = {0}};
    struct observed observed = {.ordered = true};
    if (!run_begin(
            &run, PTX_HEAD
            ".shared .align 8 .b64 s[4]; .const .align 8 .b64 c[2] = {1, 2};\n"
            ".global .align 8 .b64 x_warpscope_y[1];\n" PTX_KERNEL(
                "k", ".local .align 8 .b64 depot[2];\n"
                     "st.global.v2.u32 [%d0], {%r0, %r1}; ld.u32 %r3, [%d0];\n"
                     "setp.lt.u32 %p1, %r2, 10; @%p1 red.global.add.u32 [%d0], 1;\n"
                     "st.shared.u64 [s], %d0; ld.const.u64 %d3, [c+8]; st.local.u64 [depot], %d3;\n"
                     "mov.u64 %d4, depot; cvta.local.u64 %d4, %d4; ld.u64 %d5, [%d4];\n"
                     "mov.u64 %d6, x_warpscope_y; st.global.u64 [%d6], %d5;"))) {
        return;
    }
    run.launch.observe = observe;
    run.launch.user = &observed;
    CU_ASSERT_EQUAL(run_kernel(&run, "k", 20, 40), INTERP_DONE);
    CU_ASSERT_EQUAL(observed.stores, 800);
    CU_ASSERT_EQUAL(observed.loads, 800);
    CU_ASSERT_EQUAL(observed.atomics, 200);
    CU_ASSERT_EQUAL(observed.bytes, 800 * 8 + 800 * 4 + 200 * 4);
    CU_ASSERT_TRUE(observed.ordered);
    uint64_t address = 0, bytes = 0;
    CU_ASSERT(interp_variable(run.module, "x_warpscope_y", &address, &bytes) &&
              *(uint64_t *)(uintptr_t)address == 2);
    run_end(&run);
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"faults and their messages", test_faults},
        {"declarations of enormous size", test_enormous_declarations},
        {"registers of 128 bits", test_wide_registers},
        {"calls that cannot be", test_calls_that_cannot_be},
        {"launches that cannot be", test_bad_launches},
        {"cancelled launches", test_cancel},
        {"cooperative launches", test_cooperative},
        {"allocations", test_memory},
        {"many allocations", test_many_allocations},
        {"a launch by a kernel", test_launch_by_kernel},
        {"the check of a device's memory", test_device_check},
        {"linking", test_links},
        {"observed accesses", test_observer},
    };
    return suite_run("devices of the interpreter", tests, sizeof tests / sizeof *tests);
}
