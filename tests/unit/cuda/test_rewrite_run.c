/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tests of rewritten modules on the interpreter: the records in the ring are the accesses of the original module, in
 * the same order, and results do not change.
 *
 * test: libs=warpscope_cuda_rewrite,warpscope_cuda_interp
 */
#include <CUnit/Basic.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "support/ptx_traced.h"
#include "support/suite.h"

#define HEADER ".version 8.0\n.target sm_80\n.address_size 64\n"
#define BEGIN                                                                                      \
    ".visible .entry k(.param .u64 a, .param .u64 n)\n{\n"                                         \
    ".reg .pred %p<9>; .reg .b32 %r<20>; .reg .b64 %rd<20>; .reg .f32 %f<9>;\n"                    \
    "ld.param.u64 %rd1, [a]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x;\n"                        \
    "mul.wide.u32 %rd2, %r1, 32; mad.wide.u32 %rd2, %r2, 4096, %rd2; add.s64 %rd2, %rd1, %rd2;\n"  \
    "and.b32 %r3, %r1, 1; setp.eq.u32 %p1, %r3, 0; setp.lt.u32 %p2, %r1, 5;\n"
#define END "ret;\n}\n"

static void check(const char *text, unsigned ctas, unsigned threads, size_t expected)
{
    size_t records = 0;
    CU_ASSERT_TRUE(traced_check(&text, 1, ctas, threads, &records));
    CU_ASSERT_EQUAL(records, expected);
    if (records != expected) {
        printf("\n    %zu records, expected %zu\n", records, expected);
    }
}

static void test_plain(void)
{
    check(HEADER BEGIN "ld.global.v4.u32 {%r4, %r5, %r6, %r7}, [%rd2+16];\n"
                       "st.global.v2.u32 [%rd2+8], {%r5, %r6};\n"
                       "atom.global.add.u32 %r8, [%rd1], %r4;\n"
                       "red.global.max.u32 [%rd1+4], %r4;\nldu.global.u8 %r9, [%rd2];\n" END,
          2, 50, 5 * 2 * 50);
}

static void test_guards(void)
{
    /* Two CTAs of a row, two rows; 20 of 40 threads are even, 5 are below 5. */
    check(HEADER BEGIN "@%p1 ld.global.u32 %r4, [%rd2];\n@!%p1 ld.global.u16 %r4, [%rd2+4];\n"
                       "@%p2 st.global.u32 [%rd2], %r4;\n@!%p2 red.global.add.u32 [%rd1], 1;\n" END,
          1, 40, 2 * 80);
}

/* Copies to shared memory, of 50 threads each: 4 bytes; none of the even threads; tid % 8 of 16 bytes, 0 for
 * each eighth thread; 3 of 8 bytes; nothing. */
static void test_copies(void)
{
    check(HEADER BEGIN
          ".shared .align 16 .b8 s[2048];\n"
          "mov.u32 %r4, s; shl.b32 %r5, %r1, 4; add.u32 %r4, %r4, %r5; and.b32 %r6, %r1, 7;\n"
          "cp.async.ca.shared.global [%r4], [%rd2], 4; cp.async.wait_all;\n"
          "ld.shared.u32 %r7, [%r4]; st.global.u32 [%rd2+16], %r7;\n"
          "cp.async.ca.shared.global [%r4], [%rd2+16], 8, %p1; cp.async.wait_all;\n"
          "ld.shared.u32 %r7, [%r4]; st.global.u32 [%rd2+20], %r7;\n"
          "cp.async.cg.shared.global.L2::128B [%r4], [%rd2+16], 16, %r6; cp.async.wait_all;\n"
          "ld.shared.v4.u32 {%r7, %r8, %r9, %r10}, [%r4];\n"
          "st.global.v4.u32 [%rd2+16], {%r7, %r8, %r9, %r10};\n"
          "@%p2 cp.async.ca.shared.global [%r4], [%rd2], 8, 3; cp.async.wait_group 0;\n"
          "cp.async.ca.shared.global [%r4], [%rd2], 8, 0;\n" END,
          1, 50, 2 * (2 * 50 + (25 + 50) + (43 + 50) + 5));
}

/* Matrices of 8 x 32 numbers of 4 bits, 8 x 4 f64 (by columns), 32 x 8 f32, and 16 x 16 halves in shared memory. */
static void test_matrices(void)
{
    check(HEADER BEGIN ".shared .align 32 .b8 s[1024]; .reg .f64 %g<9>; mov.u64 %rd3, s; "
                       "cvta.shared.u64 %rd3, %rd3;\n"
                       "mov.u32 %r3, 64;\n"
                       "wmma.load.a.sync.aligned.row.m8n8k32.global.s4 {%r4}, [%rd1+64], %r3;\n"
                       "wmma.load.a.sync.aligned.col.m8n8k4.f64 {%g1}, [%rd1];\n"
                       "wmma.load.c.sync.aligned.row.m32n8k16.f32 {%f1, %f2, %f3, %f4, %f5, %f6, "
                       "%f7, %f8}, [%rd1+32], 12;\n"
                       "wmma.store.d.sync.aligned.col.m32n8k16.f32 [%rd1+8192], {%f1, %f2, %f3, "
                       "%f4, %f5, %f6, %f7, %f8}, 32;\n"
                       "wmma.load.b.sync.aligned.row.m16n16k16.f16 {%r4, %r5, %r6, %r7, %r8, %r9, "
                       "%r10, %r11}, [%rd3];\n"
                       "wmma.store.d.sync.aligned.row.m16n16k16.global.f16 [%rd1+12288], {%r4, "
                       "%r5, %r6, %r7};\n" END,
          2, 64, 2 * 64 * 5);
}

static void test_divergence(void)
{
    check(
        HEADER BEGIN
        "@%p1 bra EVEN;\nld.global.u32 %r4, [%rd2];\n@%p2 bra LOW;\nst.global.u32 [%rd2+4], %r4;\n"
        "LOW: ld.global.u32 %r5, [%rd2+8];\nbra JOIN;\nEVEN: st.global.u32 [%rd2+12], %r1;\n"
        "JOIN: mov.u32 %r6, 0;\n"
        "LOOP: ld.global.u32 %r7, [%rd2];\nadd.u32 %r6, %r6, 1;\nsetp.le.u32 %p3, %r6, %r3;\n"
        "@%p3 bra LOOP;\n@%p2 ret;\nst.global.u32 [%rd2], %r6;\n" END,
        1, 32, 2 * (16 + 14 + 16 + 16 + 16 + 32 + 27));
}

static void test_generic(void)
{
    /* Even threads use shared memory, threads 1 and 3 local memory, the others global memory. */
    check(HEADER BEGIN
          ".shared .align 8 .b8 s[512]; .local .align 8 .b8 l[16];\n"
          "mov.u64 %rd3, s; cvta.shared.u64 %rd3, %rd3;\n"
          "mov.u64 %rd4, l; cvta.local.u64 %rd4, %rd4;\n"
          "selp.b64 %rd5, %rd3, %rd2, %p1;\n"
          "not.pred %p4, %p1; and.pred %p5, %p4, %p2; selp.b64 %rd5, %rd4, %rd5, %p5;\n"
          "st.u32 [%rd5], %r1;\nld.u32 %r4, [%rd5+4];\natom.add.u32 %r5, [%rd1], 1;\n"
          "@%p1 ld.u64 %rd6, [%rd5];\n@!%p1 ld.u64 %rd6, [%rd5];\n" END,
          1, 32, 2 * (14 + 14 + 32 + 0 + 14));
}

static void test_constants_and_parameters(void)
{
    check(HEADER ".const .u32 c[4] = {1, 2, 3, 4};\n.global .u32 g[4] = {5, 6, 7, 8};\n" BEGIN
                 "mov.u64 %rd3, c; cvta.const.u64 %rd3, %rd3; ld.u32 %r4, [%rd3+4];\n"
                 "mov.b64 %rd4, a; cvta.param.u64 %rd4, %rd4; ld.u64 %rd5, [%rd4];\n"
                 "mov.u64 %rd6, g; cvta.global.u64 %rd6, %rd6; ld.u32 %r5, [%rd6+8];\n"
                 "ld.global.u32 %r6, [g+12]; add.u32 %r6, %r6, %r5; add.u32 %r6, %r6, %r4;\n"
                 "st.global.u32 [%rd2], %r6;\n" END,
          1, 3, 2 * 9);
}

static const char functions[] =
    HEADER ".visible .func (.param .b32 r) leaf(.param .b64 p, .param .b32 x)\n{\n"
           ".reg .b64 %d<4>; .reg .b32 %e<4>; ld.param.u64 %d1, [p]; ld.param.u32 %e1, [x];\n"
           "ld.u32 %e2, [%d1+4]; add.u32 %e2, %e2, %e1; st.global.u32 [%d1+8], %e2;\n"
           "st.param.b32 [r], %e2; ret;\n}\n"
           ".visible .func (.param .b32 r) down(.param .b64 p, .param .b32 x)\n{\n"
           ".reg .b64 %d<4>; .reg .b32 %e<4>; .reg .pred %p; ld.param.u64 %d1, [p];\n"
           "ld.param.u32 %e1, [x]; mov.u32 %e3, 0; setp.eq.u32 %p, %e1, 0; @%p bra OUT;\n"
           "ld.global.u32 %e2, [%d1]; sub.u32 %e1, %e1, 1;\n"
           "{ .param .b64 p2; .param .b32 x2; .param .b32 r2; st.param.b64 [p2], %d1;\n"
           "st.param.b32 [x2], %e1; call (r2), down, (p2, x2); ld.param.b32 %e3, [r2]; }\n"
           "add.u32 %e3, %e3, %e2;\nOUT: st.param.b32 [r], %e3; ret;\n}\n";
static const char callers[] =
    HEADER ".extern .func (.param .b32 r) leaf(.param .b64 p, .param .b32 x);\n"
           ".extern .func (.param .b32 r) down(.param .b64 p, .param .b32 x);\n"
           ".global .u64 table[2] = {leaf, down};\n" BEGIN "and.b32 %r4, %r1, 3;\n"
           "{ .param .b64 p; .param .b32 x; .param .b32 r; st.param.b64 [p], %rd2;\n"
           "st.param.b32 [x], %r4; call (r), down, (p, x); ld.param.b32 %r5, [r]; }\n"
           "mul.wide.u32 %rd3, %r3, 8; mov.u64 %rd4, table; add.s64 %rd3, %rd3, %rd4;\n"
           "ld.global.u64 %rd5, [%rd3];\n"
           "{ .param .b64 p; .param .b32 x; .param .b32 r; st.param.b64 [p], %rd2;\n"
           "st.param.b32 [x], %r4; proto: .callprototype (.param .b32 _) _ (.param .b64 _, .param "
           ".b32 _);\n"
           "call (r), %rd5, (p, x), proto; ld.param.b32 %r6, [r]; }\n"
           "add.u32 %r6, %r6, %r5; st.global.u32 [%rd2+16], %r6;\n" END;

static void test_functions(void)
{
    /* Of four threads, the kernel makes 8 accesses, down() 0+1+2+3, and through the table leaf() 2+2 and down() 1+3. */
    const char *const texts[] = {callers, functions};
    size_t records = 0;
    CU_ASSERT_TRUE(traced_check(texts, 2, 1, 4, &records));
    CU_ASSERT_EQUAL(records, 2 * (8 + 6 + 4 + 4));
    CU_ASSERT_TRUE(traced_check(texts, 2, 3, 70, &records));
}

static void test_barriers(void)
{
    check(HEADER BEGIN
          ".shared .align 4 .b8 s[512];\n"
          "mov.u32 %r4, s; shl.b32 %r5, %r1, 2; add.u32 %r4, %r4, %r5;\n"
          "ld.global.u32 %r6, [%rd2]; st.shared.u32 [%r4], %r6; bar.sync 0;\n"
          "mov.u32 %r7, 64;\n"
          "HALF: setp.ge.u32 %p3, %r1, %r7; @%p3 bra NOT;\n"
          "shl.b32 %r8, %r7, 2; add.u32 %r8, %r4, %r8; ld.shared.u32 %r9, [%r8];\n"
          "ld.shared.u32 %r10, [%r4]; add.u32 %r10, %r10, %r9; st.shared.u32 [%r4], %r10;\n"
          "NOT: bar.sync 0;\nshr.u32 %r7, %r7, 1; setp.ne.u32 %p4, %r7, 0;\n"
          "@%p4 bra HALF;\nsetp.eq.u32 %p5, %r1, 0; @%p5 ld.shared.u32 %r11, [s];\n"
          "@%p5 atom.global.add.u32 %r12, [%rd1], %r11;\n" END,
          3, 128, 6 * 128 + 6);
}

/* ---- Waiting for room -------------------------------------------------------------------------- */

/* A launch with a ring of 64 records, and the host that drains it. */
struct small_ring {
    struct traced_run run;
    struct ws_slot_control *control;
    struct ws_slot_record *ring;
    size_t taken; /* records, in order */
    bool in_order;
    atomic_bool ended;
};

static const char many[] =
    HEADER BEGIN "mov.u32 %r4, 0;\nLOOP: st.global.u32 [%rd2], %r4; add.u32 %r4, %r4, 1;\n"
                 "setp.lt.u32 %p3, %r4, 10; @%p3 bra LOOP;\n" END;

static void *drain(void *user)
{
    struct small_ring *small = user;
    for (;;) {
        bool ended = small->ended;
        volatile struct ws_slot_record *record = &small->ring[small->taken % 64];
        if (record->what != 0) {
            atomic_thread_fence(memory_order_acquire);
            /* One warp: its threads store ten times each, all of them together. */
            uint64_t expected = small->run.buffer + small->taken % 32 * 32;
            small->in_order &= record->address == expected;
            record->what = 0;
            atomic_store_explicit((_Atomic uint64_t *)&small->control->drained, ++small->taken,
                                  memory_order_release);
        } else if (ended) {
            return NULL;
        } else {
            sched_yield();
        }
    }
}

/* Runs the rewritten kernel `many` in a CTA of 32 threads; draining: the host drains, else it is dead. */
static void run_small(struct small_ring *small, bool draining)
{
    struct rewrite_result *rewritten;
    struct ptx_module *traced, *plain = traced_parse(many, &rewritten, &traced);
    char error[INTERP_ERROR_MAX];
    const struct interp_options options = {.sms = 1};
    *small = (struct small_ring){.run.device = interp_create(&options, error), .in_order = true};
    const struct ptx_module *const modules[] = {traced};
    small->run.loaded = interp_load(small->run.device, modules, 1, error);
    CU_ASSERT_PTR_NOT_NULL_FATAL(small->run.loaded);
    uint64_t parameters[3] = {interp_alloc(small->run.device, TRACED_BUFFER), 0,
                              traced_slot(&small->run)};
    small->run.buffer = parameters[0];
    struct ws_slot *slot = small->run.slot;
    slot->mask = 63;
    slot->patience = draining ? 20000000000 : 1000000;
    small->ring = (struct ws_slot_record *)(uintptr_t)slot->records;
    small->control = (struct ws_slot_control *)(uintptr_t)slot->control;
    pthread_t thread;
    if (draining) {
        CU_ASSERT_EQUAL(pthread_create(&thread, NULL, drain, small), 0);
    }
    const struct interp_launch launch = {
        .grid = {1, 1, 1}, .block = {32, 1, 1}, .parameters = parameters};
    CU_ASSERT_EQUAL(
        interp_launch(small->run.device, interp_kernel(small->run.loaded, "k"), &launch, error),
        INTERP_DONE);
    small->ended = true;
    if (draining) {
        pthread_join(thread, NULL);
    }
    ptx_free(traced);
    rewrite_free(rewritten);
    ptx_free(plain);
}

static void test_draining(void)
{
    struct small_ring small;
    run_small(&small, true);
    CU_ASSERT_EQUAL(small.taken, 320);
    CU_ASSERT_TRUE(small.in_order);
    CU_ASSERT_EQUAL(small.run.slot->lost, 0);
    CU_ASSERT_EQUAL(small.run.slot->reserved, 320);
    traced_end(&small.run);
}

/* The first warp that waits loses patience, and later ones do not wait at all. */
static void test_dead_host(void)
{
    struct small_ring small;
    run_small(&small, false);
    CU_ASSERT_EQUAL(small.run.slot->reserved, 320);
    CU_ASSERT_EQUAL(small.run.slot->lost, 256);
    for (size_t i = 0; i < 64; i++) {
        CU_ASSERT_NOT_EQUAL(small.ring[i].what, 0);
    }
    traced_end(&small.run);
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"loads, stores and atomics", test_plain},
        {"guards", test_guards},
        {"copies to shared memory", test_copies},
        {"matrices", test_matrices},
        {"divergence", test_divergence},
        {"generic addresses", test_generic},
        {"constants and parameters", test_constants_and_parameters},
        {"functions of another module", test_functions},
        {"barriers", test_barriers},
        {"a ring that the host drains", test_draining},
        {"a host that is dead", test_dead_host},
    };
    return suite_run("rewrite_run", tests, sizeof tests / sizeof *tests);
}
