/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Control flow of the interpreter: divergence, calls, barriers, threads of a warp that act together or wait for each
 * other.
 *
 * test: libs=warpscope_cuda_interp
 */
#include "interp_run.h"

#include "support/suite.h"

/* Runs kernel k of the text, and compares each thread's result. */
static void expect(const char *text, uint32_t grid, uint32_t block,
                   uint64_t (*expected)(uint32_t thread))
{
    struct run run = {.options = {0}};
    if (run_text(&run, text, grid, block, INTERP_DONE)) {
        for (uint32_t i = 0; i < grid * block; i++) {
            if (run.out[i] != expected(i)) {
                printf("\n  thread %u: %llu, expected %llu\n", i, (unsigned long long)run.out[i],
                       (unsigned long long)expected(i));
                CU_FAIL("each thread has its result");
                break;
            }
        }
    }
    run_end(&run);
}

/* ---- Divergence ------------------------------------------------------------------------------------- */

static uint64_t collatz(uint32_t thread)
{
    uint64_t steps = 0;
    for (uint32_t n = thread + 1; n != 1; steps++) {
        n = n % 2 ? 3 * n + 1 : n / 2;
    }
    return steps;
}

static void test_loops(void)
{
    expect(PTX_HEAD PTX_KERNEL(
               "k", "add.u32 %r3, %r0, 1; mov.u64 %d2, 0;\n"
                    "loop: setp.eq.u32 %p1, %r3, 1; @%p1 bra done;\n"
                    "add.u64 %d2, %d2, 1; and.b32 %r4, %r3, 1; setp.eq.u32 %p2, %r4, 0;\n"
                    "@%p2 bra even; mad.lo.u32 %r3, %r3, 3, 1; bra.uni loop;\n"
                    "even: shr.u32 %r3, %r3, 1; bra.uni loop;\n"
                    "done: st.global.u64 [%d0], %d2;"),
           3, 100, collatz);
}

static uint64_t nested(uint32_t thread)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < thread % 7; i++) {
        for (uint32_t j = i; j < thread % 5; j++) {
            if ((i + j) % 3 == 1) {
                break;
            }
            sum += i * 10 + j;
        }
    }
    return sum;
}

static void test_nested_loops(void)
{
    expect(
        PTX_HEAD PTX_KERNEL(
            "k",
            "mov.u64 %d2, 0; rem.u32 %r3, %r0, 7; rem.u32 %r4, %r0, 5; mov.u32 %r5, 0;\n"
            "outer: setp.ge.u32 %p1, %r5, %r3; @%p1 bra done; mov.u32 %r6, %r5;\n"
            "inner: setp.ge.u32 %p1, %r6, %r4; @%p1 bra next;\n"
            "add.u32 %r7, %r5, %r6; rem.u32 %r7, %r7, 3; setp.eq.u32 %p2, %r7, 1; @%p2 bra next;\n"
            "mad.lo.u32 %r8, %r5, 10, %r6; cvt.u64.u32 %d3, %r8; add.u64 %d2, %d2, %d3;\n"
            "add.u32 %r6, %r6, 1; bra inner;\n"
            "next: add.u32 %r5, %r5, 1; bra outer;\n"
            "done: st.global.u64 [%d0], %d2;"),
        2, 77, nested);
}

static uint64_t early(uint32_t thread)
{
    return thread % 3 == 0 ? 7 : thread % 2 ? 66 : 1000 + thread;
}

/* Threads that exit do not hold up the barrier, which counts those that are left. */
static void test_exits(void)
{
    expect(PTX_HEAD ".shared .align 4 .b32 count[1];\n" PTX_KERNEL(
               "k",
               "mov.u64 %d2, 7; st.global.u64 [%d0], %d2; rem.u32 %r3, %r0, 3; setp.eq.u32 %p1, "
               "%r3, 0;\n"
               "@%p1 exit; atom.shared.add.u32 %r4, [count], 1; bar.sync 0;\n"
               "and.b32 %r5, %r0, 1; setp.eq.u32 %p2, %r5, 0; @%p2 bra even;\n"
               "ld.shared.u32 %r6, [count]; cvt.u64.u32 %d2, %r6; st.global.u64 [%d0], %d2; ret;\n"
               "even: add.u32 %r7, %r0, 1000; cvt.u64.u32 %d3, %r7; st.global.u64 [%d0], %d3;"),
           1, 100, early);
}

static uint64_t chosen(uint32_t thread)
{
    static const uint64_t values[] = {11, 22, 33, 44};
    return values[thread * 7 % 4];
}

static void test_brx(void)
{
    expect(PTX_HEAD PTX_KERNEL("k", "mul.lo.u32 %r3, %r0, 7; and.b32 %r3, %r3, 3;\n"
                                    "list: .branchtargets a, b, c, d;\n"
                                    "brx.idx %r3, list;\n"
                                    "a: mov.u64 %d2, 11; bra done;\nb: mov.u64 %d2, 22; bra done;\n"
                                    "c: mov.u64 %d2, 33; bra done;\nd: mov.u64 %d2, 44;\n"
                                    "done: st.global.u64 [%d0], %d2;"),
           1, 64, chosen);
}

/* ---- Calls ------------------------------------------------------------------------------------------ */

static uint64_t fibonacci(uint32_t n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

static uint64_t fibonacci_of(uint32_t thread)
{
    return fibonacci(thread % 13);
}

static void test_recursion(void)
{
    expect(PTX_HEAD
           ".func (.param .b64 r) fib(.param .b32 n)\n{\n" PTX_REGISTERS
           "ld.param.u32 %r1, [n]; setp.lt.u32 %p1, %r1, 2; cvt.u64.u32 %d1, %r1; @%p1 bra out;\n"
           "sub.u32 %r2, %r1, 1; sub.u32 %r3, %r1, 2;\n"
           "{ .param .b32 a; .param .b64 b; st.param.b32 [a], %r2; call.uni (b), fib, (a);\n"
           "ld.param.b64 %d2, [b]; }\n"
           "{ .param .b32 a; .param .b64 b; st.param.b32 [a], %r3; call.uni (b), fib, (a);\n"
           "ld.param.b64 %d3, [b]; }\n"
           "add.u64 %d1, %d2, %d3;\n"
           "out: st.param.b64 [r], %d1; ret;\n}\n" PTX_KERNEL(
               "k",
               "rem.u32 %r3, %r0, 13;\n"
               "{ .param .b32 a; .param .b64 b; st.param.b32 [a], %r3; call.uni (b), fib, (a);\n"
               "ld.param.b64 %d2, [b]; }\n"
               "st.global.u64 [%d0], %d2;"),
           1, 70, fibonacci_of);
}

static uint64_t indirect(uint32_t thread)
{
    return thread % 3 == 0 ? thread + 5ull : thread % 3 == 1 ? thread * 3ull : 9000;
}

/* Function pointers in a table; register parameters; a call under a predicate with numbers as arguments. */
static void test_indirect(void)
{
    expect(PTX_HEAD
           ".func (.reg .b32 %x) plus(.reg .b32 %y);\n"
           ".func (.reg .b32 %x) times(.reg .b32 %y);\n"
           ".global .align 8 .u64 table[2] = {plus, times};\n" PTX_KERNEL(
               "k",
               "rem.u32 %r3, %r0, 3; setp.lt.u32 %p1, %r3, 2; mov.u32 %r4, 0;\n"
               "@!%p1 bra constant; mul.wide.u32 %d2, %r3, 8; mov.u64 %d3, table;\n"
               "add.s64 %d3, %d3, %d2; ld.global.u64 %d4, [%d3];\n"
               "proto: .callprototype (.reg .b32 _) _ (.reg .b32 _);\n"
               "call (%r4), %d4, (%r0), proto;\n"
               "constant: @!%p1 call (%r4), plus, (8995);\n"
               "cvt.u64.u32 %d5, %r4; st.global.u64 [%d0], %d5;") ".func (.reg .b32 %x) plus(.reg "
                                                                  ".b32 %y) { add.u32 %x, %y, 5; "
                                                                  "ret; }\n"
                                                                  ".func (.reg .b32 %x) times(.reg "
                                                                  ".b32 %y) { mul.lo.u32 %x, %y, "
                                                                  "3; ret; }\n",
           1, 64, indirect);
}

static uint64_t several(uint32_t thread)
{
    uint32_t quotient = thread / 7, rest = thread % 7;
    return quotient + 100ull * rest + (rest == 0 ? 10000 : 0) + (thread % 2 ? 20000 : 0);
}

/* A call with three results, of which one is a predicate, as is one of the arguments; directly, by pointer, and with
 * results that are not used. */
static void test_several_results(void)
{
    expect(
        PTX_HEAD
        ".func (.reg .b32 %q, .reg .b64 %r, .reg .pred %z) divide(.reg .b32 %x, .reg .pred %odd);\n"
        ".global .align 8 .u64 table[1] = {divide};\n" PTX_KERNEL(
            "k",
            "and.b32 %r3, %r0, 1; setp.ne.u32 %p1, %r3, 0; setp.lt.u32 %p2, %r0, 40; mov.u64 %d5, "
            "0;\n"
            "@!%p2 bra POINTER;\n"
            "call (%r4, %d4, %p3), divide, (%r0, %p1); call (%r4, _, _), divide, (%r0, %p1);\n"
            "bra.uni END;\n"
            "POINTER: ld.global.u64 %d6, [table];\n"
            "proto: .callprototype (.reg .b32 _, .reg .b64 _, .reg .pred _) _ (.reg .b32 _, .reg "
            ".pred _);\n"
            "call (%r4, %d4, %p3), %d6, (%r0, %p1), proto;\n"
            "END: mul.lo.u64 %d4, %d4, 100; cvt.u64.u32 %d5, %r4; add.u64 %d5, %d5, %d4;\n"
            "@%p3 add.u64 %d5, %d5, 10000; st.global.u64 [%d0], %d5;") ".func (.reg .b32 %q, .reg "
                                                                       ".b64 %r, .reg .pred %z) "
                                                                       "divide(.reg .b32 %x, .reg "
                                                                       ".pred %odd)\n{\n"
                                                                       ".reg .b32 %t; div.u32 %q, "
                                                                       "%x, 7; rem.u32 %t, %x, 7; "
                                                                       "cvt.u64.u32 %r, %t; "
                                                                       "setp.eq.u32 %z, %t, 0;\n"
                                                                       "@%odd add.u32 %q, %q, "
                                                                       "20000; ret;\n}\n",
        1, 96, several);
}

static uint64_t vectors(uint32_t thread)
{
    return thread * 3ull + 5 + ((uint64_t)thread << 32);
}

/* Registers that are vectors: as a whole in ld, st and mov, and by their elements. */
static void test_vector_registers(void)
{
    expect(PTX_HEAD PTX_KERNEL(
               "k", ".reg .v2 .b32 %v; .reg .v2 .b32 %w; .reg .v2 .b32 %many<3>;\n"
                    "mov.u32 %v.x, %r0; add.u32 %v.y, %r0, 5; st.global.v2.b32 [%d0], %v;\n"
                    "ld.global.v2.b32 %w, [%d0]; mad.lo.u32 %many2.x, %w.x, 2, %w.y;\n"
                    "mov.u32 %many2.y, %w.r; mov.b32 %many1.x, 77; mov.b64 %d5, %many2;\n"
                    "st.global.u64 [%d0], %d5;"),
           1, 40, vectors);
}

/* ---- Waiting for each other --------------------------------------------------------------------------- */

static uint64_t all_threads(uint32_t thread)
{
    (void)thread;
    return 4 * 96;
}

/* A lock between threads of one warp, and between CTAs. The counter itself is not atomic. */
static void test_lock(void)
{
    expect(
        PTX_HEAD
        ".global .align 8 .u32 lock[1]; .global .align 8 .u32 count[1]; .global .align 8 .u32 "
        "done[1];\n" PTX_KERNEL(
            "k",
            "mov.u64 %d2, lock; mov.u64 %d3, count; mov.u64 %d4, done;\n"
            "spin: atom.global.cas.b32 %r3, [%d2], 0, 1; setp.ne.u32 %p1, %r3, 0; @%p1 bra spin;\n"
            "ld.volatile.global.u32 %r4, [%d3]; add.u32 %r4, %r4, 1; st.volatile.global.u32 [%d3], "
            "%r4;\n"
            "membar.gl; atom.global.exch.b32 %r5, [%d2], 0; red.global.add.u32 [%d4], 1;\n"
            "wait: ld.volatile.global.u32 %r6, [%d4]; setp.ne.u32 %p1, %r6, 384; @%p1 bra wait;\n"
            "ld.volatile.global.u32 %r4, [%d3]; cvt.u64.u32 %d5, %r4; st.global.u64 [%d0], %d5;"),
        4, 96, all_threads);
}

static uint64_t reversed(uint32_t thread)
{
    uint32_t cta = thread / 128, i = thread % 128;
    return cta * 128 + (127 - i) + 1000 * 43;
}

/* Shared memory behind a barrier, and bar.red. */
static void test_barrier(void)
{
    expect(PTX_HEAD ".shared .align 8 .b64 values[128];\n" PTX_KERNEL(
               "k",
               "mov.u64 %d2, values; mul.wide.u32 %d3, %r2, 8; add.s64 %d2, %d2, %d3; cvt.u64.u32 "
               "%d4, %r0;\n"
               "st.shared.u64 [%d2], %d4; bar.sync 0; sub.u32 %r3, 127, %r2; mul.wide.u32 %d5, "
               "%r3, 8;\n"
               "mov.u64 %d6, values; cvta.shared.u64 %d6, %d6; add.s64 %d6, %d6, %d5; ld.u64 %d7, "
               "[%d6];\n"
               "rem.u32 %r4, %r2, 3; setp.eq.u32 %p1, %r4, 0; barrier.sync.aligned 1;\n"
               "bar.red.popc.u32 %r5, 0, %p1; mad.lo.u32 %r5, %r5, 1000, 0; cvt.u64.u32 %d8, %r5;\n"
               "add.u64 %d7, %d7, %d8; st.global.u64 [%d0], %d7;"),
           3, 128, reversed);
}

static uint64_t handed(uint32_t thread)
{
    return thread < 64 ? 1 : 2 * (thread - 64) + 1;
}

/* Producers arrive, consumers wait, at a barrier with a number of threads. */
static void test_producers(void)
{
    expect(PTX_HEAD ".shared .align 8 .b64 values[64];\n" PTX_KERNEL(
               "k",
               "setp.lt.u32 %p1, %r0, 64; @%p1 bra produce;\n"
               "sub.u32 %r3, %r0, 64; bar.sync 3, 128; mov.u64 %d2, values; mul.wide.u32 %d3, %r3, "
               "8;\n"
               "add.s64 %d2, %d2, %d3; ld.shared.u64 %d4, [%d2]; st.global.u64 [%d0], %d4; ret;\n"
               "produce: mov.u64 %d2, values; mul.wide.u32 %d3, %r0, 8; add.s64 %d2, %d2, %d3;\n"
               "mad.lo.u32 %r4, %r0, 2, 1; cvt.u64.u32 %d4, %r4; st.shared.u64 [%d2], %d4;\n"
               "bar.arrive 3, 128; mov.u64 %d5, 1; st.global.u64 [%d0], %d5;"),
           1, 128, handed);
}

/* ---- Threads of a warp ---------------------------------------------------------------------------------- */

static uint64_t shuffled(uint32_t thread)
{
    uint32_t lane = thread % 32;
    uint32_t down = lane + 3 < 32 ? thread + 3 : thread, up = lane % 16 >= 2 ? thread - 2 : thread;
    uint32_t butterfly = thread ^ 5, index = thread - lane + (lane & 24) + 6;
    return down + 1000ull * up + 1000000ull * butterfly + 1000000000ull * index +
           (lane + 3 < 32 ? 1ull << 60 : 0);
}

static void test_shuffles(void)
{
    expect(
        PTX_HEAD PTX_KERNEL(
            "k",
            "shfl.sync.down.b32 %r3|%p1, %r0, 3, 31, -1; shfl.sync.up.b32 %r4, %r0, 2, 0x1000, "
            "-1;\n"
            "shfl.sync.bfly.b32 %r5, %r0, 5, 31, -1; shfl.sync.idx.b32 %r6, %r0, 6, 0x181f, -1;\n"
            "cvt.u64.u32 %d2, %r3; cvt.u64.u32 %d3, %r4; mad.lo.u64 %d2, %d3, 1000, %d2;\n"
            "cvt.u64.u32 %d3, %r5; mad.lo.u64 %d2, %d3, 1000000, %d2;\n"
            "cvt.u64.u32 %d3, %r6; mad.lo.u64 %d2, %d3, 1000000000, %d2;\n"
            "selp.u64 %d4, 0x1000000000000000, 0, %p1; add.u64 %d2, %d2, %d4; st.global.u64 [%d0], "
            "%d2;"),
        2, 64, shuffled);
}

static uint64_t voted(uint32_t thread)
{
    uint32_t odd = 0xaaaaaaaau, mask = thread % 2 ? odd : ~odd;
    uint32_t third = 0, same = 0, sum = 0, least = UINT32_MAX;
    for (uint32_t lane = 0; lane < 32; lane++) {
        uint32_t other = thread / 32 * 32 + lane;
        if (mask >> lane & 1) {
            third |= (uint32_t)(other % 3 == 0) << lane;
            same |= (uint32_t)(other % 4 == thread % 4) << lane;
            sum += other;
            least = other < least ? other : least;
        }
    }
    return (third ^ same) + ((uint64_t)(sum + least) << 32);
}

/* Votes, matches and reductions of the odd and the even threads, in both sides of a branch. */
static void test_votes(void)
{
#define HALF(mask)                                                                                 \
    "vote.sync.ballot.b32 %r4, %p2, " mask "; match.any.sync.b32 %r5, %r8, " mask ";\n"            \
    "redux.sync.add.s32 %r6, %r0, " mask "; redux.sync.min.u32 %r7, %r0, " mask ";\n"
    expect(
        PTX_HEAD PTX_KERNEL(
            "k",
            "and.b32 %r3, %r0, 1; setp.eq.u32 %p1, %r3, 1; rem.u32 %r9, %r0, 3;\n"
            "setp.eq.u32 %p2, %r9, 0; and.b32 %r8, %r0, 3; @%p1 bra odd;\n" HALF(
                "0x55555555") "bra done;\nodd:\n" HALF("0xaaaaaaaa") "done: xor.b32 %r4, %r4, %r5; "
                                                                     "add.u32 %r6, %r6, %r7; "
                                                                     "mov.b64 %d2, {%r4, %r6};\n"
                                                                     "st.global.u64 [%d0], %d2;"),
        2, 64, voted);
}

static uint64_t met(uint32_t thread)
{
    return (thread ^ 1) + 1;
}

/* Threads of both sides of a branch meet in a shuffle of all members. */
static void test_meeting(void)
{
    expect(PTX_HEAD PTX_KERNEL(
               "k",
               "and.b32 %r3, %r0, 1; setp.eq.u32 %p1, %r3, 1; add.u32 %r5, %r0, 1; @%p1 bra odd;\n"
               "shfl.sync.bfly.b32 %r4, %r5, 1, 31, -1; bra done;\n"
               "odd: add.u32 %r6, %r0, 9; shfl.sync.bfly.b32 %r4, %r5, 1, 31, -1;\n"
               "done: bar.warp.sync -1; cvt.u64.u32 %d2, %r4; st.global.u64 [%d0], %d2;"),
           1, 64, met);
}

/* ---- Atomics -------------------------------------------------------------------------------------------- */

static uint64_t summed(uint32_t thread)
{
    (void)thread;
    /* add 1 each of 128, then max 1000, exch; float sum of 128 halves; inc modulo 10 */
    return 128 + 64 * 1000ull + 127 * 1000000ull + 8 * 1000000000ull;
}

static void test_atomics(void)
{
    expect(
        PTX_HEAD ".global .align 8 .b64 sums[8];\n" PTX_KERNEL(
            "k",
            "mov.u64 %d2, sums; atom.global.add.u32 %r3, [%d2], 1; mov.f32 %f1, 0f3F000000;\n"
            "atom.add.f32 %f2, [%d2+8], %f1; red.relaxed.gpu.global.max.s32 [%d2+16], %r0;\n"
            "atom.global.inc.u32 %r4, [%d2+24], 9; bar.sync 0; ld.global.u32 %r5, [%d2];\n"
            "ld.global.f32 %f3, [%d2+8]; cvt.rzi.u32.f32 %r6, %f3; ld.global.u32 %r7, [%d2+16];\n"
            "ld.global.u32 %r8, [%d2+24]; cvt.u64.u32 %d3, %r5; cvt.u64.u32 %d4, %r6;\n"
            "mad.lo.u64 %d3, %d4, 1000, %d3; cvt.u64.u32 %d4, %r7; mad.lo.u64 %d3, %d4, 1000000, "
            "%d3;\n"
            "cvt.u64.u32 %d4, %r8; mad.lo.u64 %d3, %d4, 1000000000, %d3; st.global.u64 [%d0], "
            "%d3;"),
        1, 128, summed);
}

/* ---- Order ----------------------------------------------------------------------------------------------- */

struct order {
    uint64_t hash, count;
};

static void hash_accesses(void *user, const struct interp_access *accesses, size_t count)
{
    struct order *order = user;
    for (size_t i = 0; i < count; i++) {
        order->hash = (order->hash ^ accesses[i].thread ^ (uint64_t)accesses[i].cta[0] << 12 ^
                       (accesses[i].address & 0xffff) << 24 ^ (uint64_t)accesses[i].type << 44) *
                      0x100000001b3u;
        order->count++;
    }
}

/* A function of a tool, in which one thread leads, and the call that is inserted before accesses. */
#define TOOL                                                                                       \
    ".func note_warpscope(.reg .b32 %x) { .reg .pred %p<3>; .reg .b32 %r<8>;\n"                    \
    "activemask.b32 %r1; mov.u32 %r2, %laneid; brev.b32 %r3, %r1; clz.b32 %r3, %r3;\n"             \
    "setp.ne.u32 %p1, %r2, %r3; @%p1 bra follow; mov.u32 %r4, 3; again: sub.u32 %r4, %r4, 1;\n"    \
    "setp.ne.u32 %p2, %r4, 0; @%p2 bra again; follow: shfl.sync.idx.b32 %r5, %r4, %r3, 31, %r1;\n" \
    "and.b32 %r6, %r2, 1; setp.eq.u32 %p1, %r6, 0; @%p1 ret; activemask.b32 %r7; bar.warp.sync "   \
    "%r7; ret; }\n"
#define ORDERED(note)                                                                              \
    PTX_HEAD ".global .align 8 .u32 lock[1]; .global .align 8 .u32 done[1];\n" TOOL PTX_KERNEL(    \
        "k", "mov.u64 %d2, lock; mov.u64 %d4, done; rem.u32 %r9, %r2, 5; mov.u32 %r10, 0;\n"       \
             "loop:" note " red.global.add.u32 [%d4], 1; add.u32 %r10, %r10, 1;\n"                 \
             "mul.lo.u32 %r11, %r9, 40; setp.lt.u32 %p1, %r10, %r11; @%p1 bra loop;\n"             \
             "spin:" note " atom.global.cas.b32 %r3, [%d2], 0, 1;\n"                               \
             "setp.ne.u32 %p1, %r3, 0; @%p1 bra spin; and.b32 %r12, %r2, 3; setp.eq.u32 %p2, "     \
             "%r12, 0;\n"                                                                          \
             "@%p2 bra skip;" note " st.volatile.global.u32 [%d0], %r0;\n"                         \
             "skip: mov.u32 %r13, 0; work:" note " ld.volatile.global.u32 %r4, [%d0];\n"           \
             "add.u32 %r13, %r13, 1; setp.lt.u32 %p1, %r13, %r9; @%p1 bra work;\n" note            \
             " atom.global.exch.b32 %r5, [%d2], 0;")

/* Accesses come in the same order when a tool's calls stand between them, even where groups have turns. */
static void test_order(void)
{
    static const char *const texts[] = {ORDERED(""), ORDERED("call note_warpscope, (-1);")};
    struct order orders[2] = {{0, 0}, {0, 0}};
    for (unsigned i = 0; i < 2; i++) {
        struct run run = {.options = {0}};
        if (run_begin(&run, texts[i])) {
            run.launch.observe = hash_accesses;
            run.launch.user = &orders[i];
            CU_ASSERT_EQUAL(run_kernel(&run, "k", 2, 96), INTERP_DONE);
        }
        run_end(&run);
    }
    CU_ASSERT(orders[0].count > 2 * 96 * 4);
    CU_ASSERT_EQUAL(orders[0].count, orders[1].count);
    CU_ASSERT_EQUAL(orders[0].hash, orders[1].hash);
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"loops of unequal length", test_loops},
        {"nested loops with breaks", test_nested_loops},
        {"exits before a barrier", test_exits},
        {"branches by table", test_brx},
        {"recursion", test_recursion},
        {"indirect and predicated calls", test_indirect},
        {"several results of a call", test_several_results},
        {"registers that are vectors", test_vector_registers},
        {"locks within a warp and among CTAs", test_lock},
        {"barriers", test_barrier},
        {"producers and consumers at a barrier", test_producers},
        {"shuffles", test_shuffles},
        {"votes, matches and reductions of a part of the warp", test_votes},
        {"both sides of a branch meet", test_meeting},
        {"atomic operations", test_atomics},
        {"order of accesses with a tool's calls", test_order},
    };
    return suite_run("control flow of the interpreter", tests, sizeof tests / sizeof *tests);
}
