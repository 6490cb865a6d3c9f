/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Barriers in shared memory (mbarrier) and the copies that they wait for (cp.async.bulk), as the interpreter executes
 * them: phases, parities, expected bytes, and what is refused.
 *
 * test: libs=warpscope_cuda_interp
 */
#include "interp_run.h"
#include "support/suite.h"

#define SHARED                                                                                     \
    ".shared .align 8 .b64 bar;\n.shared .align 16 .b32 tile[128];\n"                              \
    ".global .align 16 .b32 input[128];\n.global .align 16 .b32 result[128];\n"
/* %p0: the first thread, which makes the barrier. %d2: the thread's element of tile. */
#define BEGIN(count)                                                                               \
    "setp.eq.u32 %p0, %r2, 0; @%p0 mbarrier.init.shared.b64 [bar], " count "; bar.sync 0;\n"       \
    "mov.u64 %d2, tile; mul.wide.u32 %d3, %r2, 4; add.s64 %d2, %d2, %d3;\n"

/* Threads of three warps write their elements, and read those of others after all have arrived, in rounds. */
static void test_phases(void)
{
    struct run run = {.options = {0}};
    const char *text = PTX_HEAD SHARED PTX_KERNEL(
        "k",
        BEGIN("96") "mov.u64 %d4, tile; sub.u32 %r3, 95, %r2; mul.wide.u32 %d3, %r3, 4;\n"
                    "add.s64 %d4, %d4, %d3; mov.u32 %r10, 0; mov.u32 %r11, 0;\n"
                    "again: mad.lo.u32 %r12, %r2, 100, %r10; st.shared.u32 [%d2], %r12;\n"
                    "mbarrier.arrive.shared::cta.b64 %d5, [bar];\n"
                    "wait: mbarrier.try_wait.shared::cta.b64 %p1, [bar], %d5; @!%p1 bra wait;\n"
                    "ld.shared.u32 %r13, [%d4]; add.u32 %r11, %r11, %r13;\n"
                    "mbarrier.arrive.shared::cta.b64 _, [bar], 1;\n"
                    "wait_parity: mbarrier.test_wait.parity.shared::cta.b64 %p1, [bar], 1;\n"
                    "@!%p1 bra wait_parity;\n"
                    "add.u32 %r10, %r10, 1; setp.lt.u32 %p2, %r10, 3; @%p2 bra again;\n"
                    "cvt.u64.u32 %d6, %r11; st.global.u64 [%d0], %d6;");
    if (run_text(&run, text, 2, 96, INTERP_DONE)) {
        for (unsigned i = 0; i < 192; i++) {
            CU_ASSERT_EQUAL(run.out[i], 300 * (95 - i % 96) + 3);
        }
    }
    run_end(&run);
}

static unsigned bulk_loads, bulk_stores;

static void count_bulk(void *user, const struct interp_access *accesses, size_t count)
{
    (void)user;
    for (size_t i = 0; i < count; i++) {
        bulk_loads += accesses[i].size == 512 && accesses[i].type == 0;
        bulk_stores += accesses[i].size == 512 && accesses[i].type == 1;
    }
}

/* One thread copies 512 bytes to shared memory and back, others wait for the bytes. Each copy is one access. */
static void test_copies(void)
{
    struct run run = {.options = {0}};
    const char *text = PTX_HEAD SHARED PTX_KERNEL(
        "k",
        "mov.u64 %d9, input; mul.wide.u32 %d3, %r2, 4; add.s64 %d9, %d9, %d3;\n"
        "mul.lo.u32 %r4, %r2, 7; st.global.u32 [%d9], %r4;\n" BEGIN(
            "128") "@!%p0 bra arrive; mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [bar], 384;\n"
                   "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], "
                   "[input], 512, [bar];\n"
                   "mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 %d5, [bar], 128; bra "
                   "wait;\n"
                   "arrive: mbarrier.arrive.shared::cta.b64 %d5, [bar];\n"
                   "wait: mbarrier.try_wait.shared::cta.b64 %p1, [bar], %d5; @!%p1 bra wait;\n"
                   "ld.shared.u32 %r5, [%d2]; add.u32 %r5, %r5, 1; st.shared.u32 [%d2], %r5;\n"
                   "fence.proxy.async.shared::cta; bar.sync 0; @!%p0 bra done;\n"
                   "cp.async.bulk.global.shared::cta.bulk_group [result], [tile], 512;\n"
                   "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;\n"
                   "done: bar.sync 0; mov.u64 %d7, result; add.s64 %d7, %d7, %d3;\n"
                   "ld.global.u32 %r6, [%d7]; cvt.u64.u32 %d6, %r6; st.global.u64 [%d0], %d6;");
    run.launch.observe = count_bulk;
    bulk_loads = bulk_stores = 0;
    if (run_begin(&run, text)) {
        run.launch.observe = count_bulk;
        CU_ASSERT_EQUAL(run_kernel(&run, "k", 1, 128), INTERP_DONE);
        for (unsigned i = 0; i < 128; i++) {
            CU_ASSERT_EQUAL(run.out[i], 7 * i + 1);
        }
    }
    CU_ASSERT_EQUAL(bulk_loads, 1);
    CU_ASSERT_EQUAL(bulk_stores, 1);
    run_end(&run);
}

/* A barrier that the copies of a thread (cp.async) arrive at, and dropped arrivals. */
static void test_arrivals(void)
{
    struct run run = {.options = {0}};
    const char *text = PTX_HEAD SHARED PTX_KERNEL(
        "k",
        BEGIN("64") "cp.async.ca.shared.global [%d2], [input], 4;\n"
                    "cp.async.mbarrier.arrive.shared::cta.b64 [bar];\n"
                    "mbarrier.arrive.shared::cta.b64 %d5, [bar];\n"
                    "mbarrier.pending_count.b64 %r7, %d5;\n"
                    "wait: mbarrier.try_wait.shared::cta.b64 %p1, [bar], %d5; @!%p1 bra wait;\n"
                    "@%p0 bra dropped; cp.async.mbarrier.arrive.noinc.shared::cta.b64 [bar]; bra "
                    "rest;\n"
                    "dropped: mbarrier.arrive_drop.shared::cta.b64 %d5, [bar];\n"
                    "rest: bar.sync 0; @%p0 bra out; mbarrier.arrive.shared::cta.b64 %d5, [bar];\n"
                    "last: mbarrier.try_wait.shared::cta.b64 %p1, [bar], %d5; @!%p1 bra last;\n"
                    "out: cvt.u64.u32 %d6, %r7; st.global.u64 [%d0], %d6;");
    if (run_text(&run, text, 1, 64, INTERP_DONE)) {
        uint64_t sum = 0;
        for (unsigned i = 0; i < 64; i++) {
            sum += run.out[i];
        }
        CU_ASSERT_EQUAL(sum, 64 * 65 / 2); /* each number of missing arrivals once */
    }
    run_end(&run);
}

static void test_refused(void)
{
    static const struct {
        const char *body;
        enum interp_end end;
        const char *says;
    } cases[] = {
        {"@%p0 mbarrier.arrive.shared.b64 %d5, [bar], 3;", INTERP_TRAP,
         "3 arrivals, 2 are expected"},
        {"@%p0 mbarrier.init.shared.b64 [bar], 0;", INTERP_TRAP, "a count of 0"},
        {"@%p0 cp.async.bulk.global.shared::cta.bulk_group [result], [tile], 24;",
         INTERP_MISALIGNED, "24 bytes, not a multiple of 16"},
        {"@%p0 cp.async.bulk.global.shared::cta.bulk_group [result], [tile+8], 16;",
         INTERP_MISALIGNED, "shared address"},
        {"@%p0 cp.async.bulk.global.shared::cta.bulk_group [result], [tile], 1024;",
         INTERP_BAD_ADDRESS, "outside"},
        {"@%p0 cp.reduce.async.bulk.global.shared::cta.bulk_group.mul.u32 [result], [tile], 16;",
         INTERP_UNSUPPORTED, "cannot execute cp.reduce"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[4096];
        struct run run = {.options = {0}};
        snprintf(text, sizeof text, "%s%s%s%s", PTX_HEAD SHARED,
                 ".visible .entry k(.param .u64 out)\n{\n" PTX_REGISTERS
                 "ld.param.u64 %d0, [out]; mov.u32 %r2, %tid.x;\n" BEGIN("2"),
                 cases[i].body, "\nret;\n}\n");
        if (run_text(&run, text, 1, 32, cases[i].end)) {
            CU_ASSERT_PTR_NOT_NULL(strstr(run.error, cases[i].says));
        }
        run_end(&run);
    }
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"phases and parities", test_phases},
        {"copies with expected bytes", test_copies},
        {"arrivals of copies, dropped arrivals", test_arrivals},
        {"what is refused", test_refused},
    };
    return suite_run("barriers in shared memory", tests, sizeof tests / sizeof *tests);
}
