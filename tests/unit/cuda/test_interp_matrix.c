/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Matrices: mma in all its shapes and types, compared with products that the host computes, with the places of elements
 * in registers as the ISA's tables have them; accesses of wmma.load and wmma.store; clusters.
 *
 * test: libs=warpscope_cuda_interp
 */
#include "interp_run.h"
#include "support/suite.h"

/* A form of mma: n...: 32-bit words (f64: of 64 bits) of A, B and C that a thread has; bits of an element of A and B. */
static const struct form {
    const char *name;
    int m, n, k, bits, na, nb, nc;
    char a,
        c; /* h half, b bf16, t tf32, s signed, u unsigned, x bits (xor), d double; f float, i int */
} forms[] = {
    {"m16n8k8.row.col.f32.f16.f16.f32", 16, 8, 8, 16, 2, 1, 4, 'h', 'f'},
    {"m16n8k16.row.col.f32.f16.f16.f32", 16, 8, 16, 16, 4, 2, 4, 'h', 'f'},
    {"m16n8k8.row.col.f32.bf16.bf16.f32", 16, 8, 8, 16, 2, 1, 4, 'b', 'f'},
    {"m16n8k16.row.col.f32.bf16.bf16.f32", 16, 8, 16, 16, 4, 2, 4, 'b', 'f'},
    {"m16n8k4.row.col.f32.tf32.tf32.f32", 16, 8, 4, 32, 2, 1, 4, 't', 'f'},
    {"m16n8k8.row.col.f32.tf32.tf32.f32", 16, 8, 8, 32, 4, 2, 4, 't', 'f'},
    {"m8n8k16.row.col.s32.s8.s8.s32", 8, 8, 16, 8, 1, 1, 2, 's', 'i'},
    {"m16n8k16.row.col.s32.u8.u8.s32", 16, 8, 16, 8, 2, 1, 4, 'u', 'i'},
    {"m16n8k32.row.col.s32.s8.s8.s32", 16, 8, 32, 8, 4, 2, 4, 's', 'i'},
    {"m8n8k32.row.col.s32.s4.s4.s32", 8, 8, 32, 4, 1, 1, 2, 's', 'i'},
    {"m16n8k32.row.col.s32.u4.u4.s32", 16, 8, 32, 4, 2, 1, 4, 'u', 'i'},
    {"m16n8k64.row.col.s32.s4.s4.s32", 16, 8, 64, 4, 4, 2, 4, 's', 'i'},
    {"m8n8k128.row.col.s32.b1.b1.s32.xor.popc", 8, 8, 128, 1, 1, 1, 2, 'x', 'i'},
    {"m16n8k256.row.col.s32.b1.b1.s32.and.popc", 16, 8, 256, 1, 4, 2, 4, 'u', 'i'},
    {"m8n8k4.row.col.f64.f64.f64.f64", 8, 8, 4, 64, 1, 1, 2, 'd', 'd'},
    {"m16n8k4.row.col.f64.f64.f64.f64", 16, 8, 4, 64, 2, 1, 4, 'd', 'd'},
    {"m16n8k8.row.col.f64.f64.f64.f64", 16, 8, 8, 64, 4, 2, 4, 'd', 'd'},
    {"m16n8k16.row.col.f64.f64.f64.f64", 16, 8, 16, 64, 8, 4, 4, 'd', 'd'},
};

/* A small integer for an element, and its bits in the type. */
static int number(const struct form *f, int matrix, int row, int column)
{
    int v = (row * 5 + column * 3 + matrix + row * column) % 5;
    return f->a == 'x' || f->bits == 1 ? v & 1 : f->a == 'u' ? v : v - 2;
}

static uint64_t bits_of(const struct form *f, int v)
{
    static const uint16_t half[] = {0xc000, 0xbc00, 0, 0x3c00, 0x4000};
    float real = (float)v;
    double wide = v;
    uint32_t word;
    uint64_t result;
    memcpy(&word, &real, sizeof word);
    memcpy(&result, &wide, sizeof result);
    return f->a == 'h'   ? half[v + 2]
           : f->a == 'b' ? word >> 16
           : f->a == 't' ? word | 0x5 /* the low bits do not count */
           : f->a == 'd' ? result
                         : (uint64_t)v & ((1u << f->bits) - 1);
}

/* Registers of one thread: `width` words of 64 bits, one a register, in the order A, B, C. */
enum { REGISTERS = 16 };

static void set_registers(const struct form *f, uint64_t (*in)[REGISTERS])
{
    int each = f->bits >= 32 ? 1 : 32 / f->bits;
    for (int lane = 0; lane < 32; lane++) {
        int group = lane / 4, in_group = lane % 4;
        for (int i = 0; i < f->na * each;
             i++) { /* a_i; registers alternate between rows g and g + 8 */
            int r = i / each, row = group + (r % 2 == 1 ? 8 : 0);
            int column = in_group * each + i % each + (r / 2) * (4 * each);
            in[lane][r] |= bits_of(f, number(f, 0, row, column)) << (i % each * f->bits % 64);
        }
        for (int i = 0; i < f->nb * each; i++) {
            int r = i / each, row = in_group * each + i % each + r * (4 * each);
            in[lane][f->na + r] |= bits_of(f, number(f, 1, row, group))
                                   << (i % each * f->bits % 64);
        }
    }
}

static void write_mma(char *text, size_t size, const struct form *f)
{
    bool wide = f->a == 'd';
    int at = snprintf(text, size,
                      ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param "
                      ".u64 out)\n{\n.reg .b32 %%r<40>; .reg "
                      ".b64 %%d<40>; .reg .b64 %%a, %%i;\nld.param.u64 %%a, [out]; mov.u32 %%r39, "
                      "%%tid.x; mul.wide.u32 %%i, "
                      "%%r39, 128; add.s64 %%a, %%a, %%i;\n");
    for (int i = 0; i < f->na + f->nb + f->nc; i++) {
        at +=
            snprintf(text + at, size - (size_t)at,
                     "ld.global.b64 %%d%d, [%%a+%d]; cvt.u32.u64 %%r%d, %%d%d;\n", i, i * 8, i, i);
    }
    at += snprintf(text + at, size - (size_t)at, "mma.sync.aligned.%s ", f->name);
    int first[] = {f->na + f->nb, 0, f->na, f->na + f->nb}, count[] = {f->nc, f->na, f->nb, f->nc};
    for (int list = 0; list < 4; list++) {
        for (int i = 0; i < count[list]; i++) {
            at += snprintf(text + at, size - (size_t)at, "%s%%%c%d",
                           i      ? ", "
                           : list ? ", {"
                                  : "{",
                           wide ? 'd' : 'r', first[list] + i);
        }
        at += snprintf(text + at, size - (size_t)at, "}");
    }
    at += snprintf(text + at, size - (size_t)at, ";\n");
    for (int i = first[0]; i < first[0] + f->nc; i++) {
        at += snprintf(text + at, size - (size_t)at, "%s%%d%d, %%%c%d;\n",
                       wide ? "mov.b64 " : "cvt.u64.u32 ", i, wide ? 'd' : 'r', i);
        at += snprintf(text + at, size - (size_t)at, "st.global.b64 [%%a+%d], %%d%d;\n", i * 8, i);
    }
    snprintf(text + at, size - (size_t)at, "ret;\n}\n");
}

static double result_of(const struct form *f, uint64_t bits)
{
    uint32_t word = (uint32_t)bits;
    float real;
    double wide;
    memcpy(&real, &word, sizeof real);
    memcpy(&wide, &bits, sizeof wide);
    return f->c == 'f' ? (double)real : f->c == 'd' ? wide : (double)(int32_t)word;
}

static void test_products(void)
{
    for (size_t n = 0; n < sizeof forms / sizeof *forms; n++) {
        const struct form *f = &forms[n];
        struct run run = {.options = {0}};
        char text[8192];
        write_mma(text, sizeof text, f);
        if (!run_begin(&run, text)) {
            printf("  of %s\n", f->name);
            continue;
        }
        uint64_t(*in)[REGISTERS] = (void *)(uintptr_t)interp_alloc(run.device, sizeof *in * 32);
        run.launch =
            (struct interp_launch){.grid = {1, 1, 1}, .block = {32, 1, 1}, .parameters = &in};
        set_registers(f, in);
        if (interp_launch(run.device, interp_kernel(run.module, "k"), &run.launch, run.error) !=
            INTERP_DONE) {
            printf("\n  %s: %s\n", f->name, run.error);
            CU_FAIL("the kernel ends");
        }
        for (int lane = 0; lane < 32; lane++) {
            for (int i = 0; i < f->nc; i++) {
                int row = lane / 4 + (i >= 2 ? 8 : 0), column = lane % 4 * 2 + i % 2, sum = 0;
                for (int k = 0; k < f->k; k++) {
                    int x = number(f, 0, row, k), y = number(f, 1, k, column);
                    sum += f->a == 'x' ? x ^ y : x * y;
                }
                double got = result_of(f, in[lane][f->na + f->nb + i]);
                if (got != sum) {
                    printf("\n  %s: row %d, column %d: %g, expected %d\n", f->name, row, column,
                           got, sum);
                    CU_FAIL("the product is right");
                    lane = 32;
                    break;
                }
            }
        }
        run.out = NULL;
        run_end(&run);
    }
}

/* m8n8k4: lanes 4 q to 4 q + 3 and 16 more multiply matrices of their own. Rows of A and columns of B are the place of a
 * lane in its eight; each has four elements. C is f16: row by row. */
static void test_quads(void)
{
    struct run run = {.options = {0}};
    const char *text = PTX_HEAD PTX_KERNEL(
        "k",
        "add.u32 %r3, %r0, 1; cvt.rn.f16.u32 %h0, %r3; mov.b16 %h1, 0; mov.b32 %r4, {%h0, %h1};\n"
        "mov.b32 %r5, 0; mov.b16 %h2, 0x3c00; mov.b32 %r6, {%h2, %h2};\n"
        "mma.sync.aligned.m8n8k4.row.col.f16.f16.f16.f16 {%r7, %r8, %r9, %r10}, {%r4, %r5}, {%r4, "
        "%r5}, "
        "{%r6, %r6, %r6, %r6};\nmov.b32 {%h3, %h4}, %r10; cvt.rzi.u32.f16 %r11, %h4;\n"
        "cvt.u64.u32 %d2, %r11; st.global.u64 [%d0], %d2;");
    if (run_text(&run, text, 1, 32, INTERP_DONE)) {
        for (unsigned i = 0; i < 32; i++) {
            unsigned last = (i & 12) + 16 + 3; /* the lane that has column 7 of B */
            CU_ASSERT_EQUAL(run.out[i], (i + 1) * (last + 1) + 1);
        }
    }
    run_end(&run);
}

struct seen {
    uint64_t base;
    unsigned loads, stores, wrong;
};

static void look(void *user, const struct interp_access *accesses, size_t count)
{
    struct seen *seen = user;
    for (size_t i = 0; i < count; i++) {
        const struct interp_access *a = &accesses[i];
        seen->loads += a->type == 0 && a->size == 16;
        seen->stores += a->type == 1 && a->size == 32;
        if (a->type == 0) { /* two lanes a row of 32 bytes, rows are 48 bytes apart */
            seen->wrong += a->address != seen->base + a->thread / 2 * 48ull + a->thread % 2 * 16ull;
        }
    }
}

/* A diverged warp meets before wmma, whose 32 accesses have one part of the matrix each. Strides may be registers. */
static void test_wmma(void)
{
    struct run run = {.options = {0}};
    const char *text = PTX_HEAD
        ".global .align 32 .b16 input[1024];\n.global .align 32 .b32 result[1024];\n" PTX_KERNEL(
            "k", "mov.u64 %d2, input; st.global.u64 [%d0], %d2; mov.u32 %r3, 24; and.b32 %r4, %r0, "
                 "1; setp.eq.u32 %p1, %r4, 0;\n"
                 "mov.u64 %d3, 0; @%p1 bra join; add.u64 %d3, %d3, 1;\njoin:\n"
                 "wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {%r10, %r11, %r12, %r13, %r14, "
                 "%r15, %r16, %r17}, [%d2], %r3;\n"
                 "mov.f32 %f0, 0f3f800000; mov.u64 %d4, result;\n"
                 "wmma.store.d.sync.aligned.col.m16n16k16.global.f32 [%d4], {%f0, %f0, %f0, %f0, "
                 "%f0, %f0, %f0, %f0}, 16;\n");
    struct seen seen = {0};
    if (run_begin(&run, text)) {
        uint64_t bytes;
        CU_ASSERT_TRUE(interp_variable(run.module, "input", &seen.base, &bytes));
        run.launch.observe = look;
        run.launch.user = &seen;
        CU_ASSERT_EQUAL(run_kernel(&run, "k", 1, 32), INTERP_DONE);
        CU_ASSERT_EQUAL(seen.loads, 32);
        CU_ASSERT_EQUAL(seen.stores, 32);
        CU_ASSERT_EQUAL(seen.wrong, 0);
    }
    run_end(&run);
}

/* Two lanes at different instructions, which never meet. */
static void test_apart(void)
{
    struct run run = {.options = {0}};
    const char *text = PTX_HEAD PTX_KERNEL(
        "k", "setp.eq.u32 %p1, %r0, 0; @%p1 bra other;\nmovmatrix.sync.aligned.m8n8.trans.b16 %r3, "
             "%r0; ret;\n"
             "other: movmatrix.sync.aligned.m8n8.trans.b16 %r3, %r0; bar.sync 0;");
    run_text(&run, text, 1, 32, INTERP_DEADLOCK);
    run_end(&run);
}

#define CLUSTER(body)                                                                              \
    ".version 8.0\n.target sm_90\n.address_size 64\n.shared .align 8 .b32 value[4];\n"             \
    ".visible .entry k(.param .u64 out) .reqnctapercluster 1, 2, 1\n{\n" PTX_REGISTERS             \
    "ld.param.u64 %d0, [out]; mov.u32 %r0, %cluster_ctarank; mov.u32 %r1, %clusterid.y; mov.u32 "  \
    "%r2, %ctaid.y;\n"                                                                             \
    "mul.wide.u32 %d1, %r2, 8; add.s64 %d0, %d0, %d1; add.u32 %r9, %r2, 100; mov.u32 %r8, "        \
    "%nctaid.x;\n" body "\nret;\n}\n"

/* Clusters of two CTAs one above the other: each reads what the other has stored. */
static void test_clusters(void)
{
    struct run run = {.options = {0}};
    const char *text = CLUSTER(
        "st.shared.u32 [value], %r9; barrier.cluster.arrive.aligned; "
        "barrier.cluster.wait.aligned;\n"
        "xor.b32 %r3, %r0, 1; mov.u32 %r4, value; mapa.shared::cluster.u32 %r5, %r4, %r3;\n"
        "ld.shared::cluster.u32 %r6, [%r5]; getctarank.shared::cluster.u32 %r7, %r5;\n"
        "mad.lo.u32 %r6, %r7, 1000, %r6; mad.lo.u32 %r6, %r1, 10000, %r6; cvt.u64.u32 %d2, %r6;\n"
        "st.global.u64 [%d0], %d2; barrier.cluster.arrive; barrier.cluster.wait;");
    if (run_begin(&run, text)) {
        run.out = (uint64_t *)(uintptr_t)interp_alloc(run.device, 4 * 8);
        run.launch =
            (struct interp_launch){.grid = {1, 4, 1}, .block = {32, 1, 1}, .parameters = &run.out};
        CU_ASSERT_EQUAL(
            interp_launch(run.device, interp_kernel(run.module, "k"), &run.launch, run.error),
            INTERP_DONE);
        for (unsigned i = 0; i < 4; i++) {
            CU_ASSERT_EQUAL(run.out[i], 100 + (i ^ 1) + 1000 * ((i ^ 1) % 2) + 10000 * (i / 2));
        }
        run.launch.grid[1] = 3; /* not a whole number of clusters */
        CU_ASSERT_EQUAL(
            interp_launch(run.device, interp_kernel(run.module, "k"), &run.launch, run.error),
            INTERP_BAD_LAUNCH);
    }
    run_end(&run);
}

/* A CTA that waits for ever, and one that reads shared memory of a CTA that the cluster does not have. */
static void test_bad_clusters(void)
{
    static const struct {
        const char *text, *says;
        enum interp_end end;
    } cases[] = {
        {CLUSTER("setp.eq.u32 %p1, %r0, 0; @%p1 barrier.cluster.arrive; @%p1 barrier.cluster.wait; "
                 "bar.sync 0;\n"
                 "@%p1 ret; mov.u32 %r3, %tid.x; setp.lt.u32 %p2, %r3, 5; @%p2 bar.sync 1, 64;"),
         "deadlock", INTERP_DEADLOCK},
        {CLUSTER("mov.u32 %r4, value; mapa.shared::cluster.u32 %r5, %r4, 2; ld.shared::cluster.u32 "
                 "%r6, [%r5];"),
         "shared address 0xc0000", INTERP_BAD_ADDRESS},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct run run = {.options = {0}};
        if (run_begin(&run, cases[i].text)) {
            run.out = (uint64_t *)(uintptr_t)interp_alloc(run.device, 4 * 8);
            run.launch = (struct interp_launch){
                .grid = {1, 2, 1}, .block = {32, 1, 1}, .parameters = &run.out};
            CU_ASSERT_EQUAL(
                interp_launch(run.device, interp_kernel(run.module, "k"), &run.launch, run.error),
                cases[i].end);
            CU_ASSERT_PTR_NOT_NULL(strstr(run.error, cases[i].says));
        }
        run_end(&run);
    }
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"mma against the host", test_products},
        {"mma.m8n8k4", test_quads},
        {"accesses of wmma", test_wmma},
        {"threads that never meet", test_apart},
        {"clusters", test_clusters},
        {"clusters that cannot go on", test_bad_clusters},
    };
    return suite_run("matrices and clusters", tests, sizeof tests / sizeof *tests);
}
