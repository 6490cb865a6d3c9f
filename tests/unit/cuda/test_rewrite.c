/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tests of the rewriter of PTX: inserted text, what is left alone, limits, and that all else is a copy.
 *
 * test: libs=warpscope_cuda_rewrite
 */
#include <CUnit/Basic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rewrite/rewrite.h"
#include "support/suite.h"

#define HEADER ".version 9.0\n.target sm_90\n.address_size 64\n"
#define BODY                                                                                       \
    ".reg .pred %p<4>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 %f<9>; .reg .b128 %q<3>;\n"
#define KERNEL(text) HEADER ".visible .entry k(.param .u64 a)\n{\n" BODY text "\nret;\n}\n"
#define CALL         "call __warpscope_record, (%ws_slot, "

/* A module and what became of it. */
static struct ptx_module *module;
static struct rewrite_result *result;
static char error[PTX_ERROR_MAX];

static void drop(void)
{
    rewrite_free(result);
    ptx_free(module);
    result = NULL;
    module = NULL;
}

/* Returns the number of line ends. */
static size_t lines_of(const char *text, size_t size)
{
    size_t lines = 0;
    for (size_t i = 0; i < size; i++) {
        lines += text[i] == '\n';
    }
    return lines;
}

/* True if each line of the source is in the same line of the result, up to insertions. */
static bool keeps_lines(const char *source, const char *text)
{
    while (*source != '\0') {
        size_t have = strcspn(text, "\n"), at = 0;
        for (; *source != '\0' && *source != '\n'; source++, at++) {
            while (at < have && text[at] != *source) {
                at++;
            }
            if (at == have) {
                return false;
            }
        }
        text += have + (text[have] == '\n');
        source += *source == '\n';
    }
    return true;
}

/* Rewrites a module without an error; checks what is true of all results. */
static const char *rewrite(const char *source)
{
    drop();
    module = ptx_parse(source, strlen(source), error);
    if (module == NULL) {
        CU_FAIL_FATAL("the test's PTX is wrong");
        return "";
    }
    result = rewrite_module(module, NULL, error);
    if (result == NULL) {
        CU_FAIL_FATAL("not rewritten");
        return "";
    }
    CU_ASSERT_EQUAL(strlen(result->text), result->size);
    bool replaced =
        (strstr(source, ".version 6.0") != NULL || strstr(source, ".version 1.4") != NULL) &&
        result->size > strlen(source);
    CU_ASSERT_TRUE(replaced || keeps_lines(source, result->text));
    return result->text;
}

static void check_contains(const char *text, const char *part)
{
    CU_ASSERT_PTR_NOT_NULL(strstr(text, part));
    if (strstr(text, part) == NULL) {
        printf("\n    no \"%s\" in: %.3000s\n", part, text);
    }
}

static void check_lacks(const char *text, const char *part)
{
    CU_ASSERT_PTR_NULL(strstr(text, part));
}

/* ---- Accesses ---------------------------------------------------------------------------------- */

/* Writes a module with a kernel that has the instruction. */
static void in_kernel(char *source, size_t size, const char *instruction)
{
    snprintf(source, size, "%s%s\n%s",
             HEADER ".global .u32 g[4]; .visible .entry k(.param .u64 a)\n{ " BODY, instruction,
             "ret;\n}\n");
}

static void test_forms(void)
{
    static const struct {
        const char *instruction;
        const char *inserted; /* before it */
    } forms[] = {
        {"ld.global.u32 %r1, [%rd1];", CALL "%rd1, 4); "},
        {"ld.u32 %r1, [%rd1];", CALL "%rd1, 2147483652); "},
        {"@%p1 st.global.f32 [%rd1+8], %f1;",
         "add.s64 %ws_a0, %rd1, 8; mov.b32 %ws_what, 268435460; @!%p1 and.b32 %ws_what, %ws_what, "
         "0; " CALL "%ws_a0, %ws_what); "},
        {"@!%p2 atom.global.add.u64 %rd3, [%rd1+-8], %rd2;",
         "add.s64 %ws_a0, %rd1, -8; mov.b32 %ws_what, 536870920; @%p2 and.b32 %ws_what, %ws_what, "
         "0; " CALL "%ws_a0, %ws_what); "},
        {"red.global.add.u32 [%rd1], %r1;", CALL "%rd1, 536870916); "},
        {"ld.global.u8 %r1, [%r2];", "cvt.u64.u32 %ws_a0, %r2; " CALL "%ws_a0, 1); "},
        {"ld.global.u8 %r1, [%r2+3];",
         "cvt.u64.u32 %ws_a0, %r2; add.s64 %ws_a0, %ws_a0, 3; " CALL "%ws_a0, 1); "},
        {"ld.global.u16 %r1, [g+4];", "mov.u64 %ws_a0, g+4; " CALL "%ws_a0, 2); "},
        {"ld.global.u32 %r1, [4096];", "mov.u64 %ws_a0, 4096; " CALL "%ws_a0, 4); "},
        {"cp.async.ca.shared.global [%r1], [%rd1+4], 8;",
         "add.s64 %ws_a0, %rd1, 4; " CALL "%ws_a0, 8); "},
        {"cp.async.cg.shared.global.L2::cache_hint [%r1], [%rd1], 16, %r2, %rd2;",
         "min.u32 %ws_what, %r2, 16; " CALL "%rd1, %ws_what); "},
        {"@%p1 cp.async.ca.shared.global [%r1], [%rd1], 4, %p2;",
         "mov.b32 %ws_what, 4; @!%p1 and.b32 %ws_what, %ws_what, 0; @%p2 and.b32 %ws_what, "
         "%ws_what, 0; " CALL "%rd1, %ws_what); "},
        {"cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r1], %r2;",
         "min.u32 %ws_what, %r2, 268435455; or.b32 %ws_what, %ws_what, 268435456; " CALL
         "%rd1, %ws_what); "},
        /* 8 columns of 16 halves: 4 lanes each, 8 bytes a lane; the lines of B by columns are columns */
        {"wmma.load.b.sync.aligned.col.m32n8k16.global.f16 {%r1, %r2, %r3, %r4, %r5, %r6, %r7, "
         "%r8}, [%rd1], %r2;",
         "mov.u32 %ws_part, %laneid; shr.u32 %ws_line, %ws_part, 2; and.b32 %ws_part, %ws_part, 3; "
         "mul.wide.u32 %ws_skip, %ws_line, %r2; mul.lo.s64 %ws_skip, %ws_skip, 16; "
         "shr.u64 %ws_skip, %ws_skip, 3; add.s64 %ws_a0, %ws_skip, %rd1; "
         "mad.wide.u32 %ws_a0, %ws_part, 8, %ws_a0; " CALL "%ws_a0, 8); "},
    };
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        char source[1024], expected[1024];
        in_kernel(source, sizeof source, forms[i].instruction);
        bool is_load = strncmp(forms[i].instruction, "ld", 2) == 0;
        snprintf(expected, sizeof expected, "\n%s%s%s\n",
                 is_load ? forms[i].instruction : forms[i].inserted, is_load ? "\n" : "",
                 is_load ? forms[i].inserted : forms[i].instruction);
        expected[strlen(expected) - is_load] = '\0';
        check_contains(rewrite(source), expected);
    }
}

static void test_sizes(void)
{
    static const struct {
        const char *instruction;
        int type, size;
    } forms[] = {
        {"ldu.global.v2.f32 {%f1, %f2}, [%rd1];", 0, 8},
        {"ld.global.nc.L1::evict_last.v4.u32 {%r1, %r2, %r3, %r4}, [%rd1];", 0, 16},
        {"ld.global.v8.b32 {%r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8}, [%rd1];", 0, 32},
        {"ld.global.v4.b64 {%rd2, %rd3, %rd4, %rd5}, [%rd1];", 0, 32},
        {"ld.volatile.global.u8 %r1, [%rd1];", 0, 1},
        {"ld.acquire.gpu.global.b128 %q1, [%rd1];", 0, 16},
        {"ld.relaxed.sys.global.L2::128B.s16 %r1, [%rd1];", 0, 2},
        {"st.release.sys.global.v2.b64 [%rd1], {%rd2, %rd3};", 1, 16},
        {"st.global.cs.b8 [%rd1], %r1;", 1, 1},
        {"atom.cas.global.b128 %q1, [%rd1], %q1, %q2;", 2, 16},
        {"atom.global.gpu.acq_rel.cas.b16 %r1, [%rd1], %r2, %r3;", 2, 2},
        {"atom.global.add.noftz.f16x2 %r1, [%rd1], %r2;", 2, 4},
        {"atom.global.v4.f32.add {%f1, %f2, %f3, %f4}, [%rd1], {%f5, %f6, %f7, %f8};", 2, 16},
        {"red.global.add.noftz.v2.bf16x2 [%rd1], {%r1, %r2};", 2, 8},
        {"cp.async.cg.shared::cta.global.L2::128B [%r1], [%rd1], 16, 12;", 0, 12},
        {"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd1], 64, "
         "[%r2];",
         0, 64},
        {"cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%rd1], [%r1], 4096;", 2,
         4096},
    };
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        char source[1024], expected[200];
        in_kernel(source, sizeof source, forms[i].instruction);
        snprintf(expected, sizeof expected, "(%%ws_slot, %%rd1, %d); ",
                 forms[i].type << 28 | forms[i].size);
        check_contains(rewrite(source), expected);
        CU_ASSERT_EQUAL(result->counts.loads + result->counts.stores + result->counts.atomics, 1);
    }
}

/* Loads share a call with each other and with the access behind them; what may let another thread store, and writes to
 * registers that the record needs, end it. */
static void test_groups(void)
{
    static const struct {
        const char *source, *text;
    } groups[] = {
        {"ld.global.u32 %r1, [%rd1]; ld.u64 %rd2, [%rd3+8]; @%p1 st.global.u32 [%rd3], %r1;",
         "ld.global.u32 %r1, [%rd1]; ld.u64 %rd2, [%rd3+8]; add.s64 %ws_a1, %rd3, 8; "
         "mov.b32 %ws_what, 1739530; @!%p1 and.b32 %ws_what, %ws_what, 4278255615; call "
         "__warpscope_records_3, (%ws_slot, %rd1, %ws_a1, %rd3, %ws_what); @%p1 st.global.u32 "
         "[%rd3], %r1;"},
        {"ld.global.u32 %r1, [%rd1]; add.s64 %rd1, %rd1, 4; ld.global.u32 %r2, [%rd1];",
         "ld.global.u32 %r1, [%rd1]; " CALL
         "%rd1, 4); add.s64 %rd1, %rd1, 4; ld.global.u32 %r2, [%rd1];"},
        {"ld.global.v2.u64 {%rd3, %rd1}, [%rd1];",
         "\n" CALL "%rd1, 16); ld.global.v2.u64 {%rd3, %rd1}, [%rd1];"},
        {"@%p1 ld.global.u32 %r1, [%rd1]; setp.eq.u32 %p2|%p1, %r1, 0;",
         "%r1, [%rd1]; mov.b32 %ws_what, 4; @!%p1 and.b32 %ws_what, %ws_what, 0; " CALL
         "%rd1, %ws_what); setp.eq.u32 %p2|%p1, %r1, 0;"},
        {"ld.global.u32 %r1, [%rd1]; cp.async.ca.shared.global [%r1], [%rd2], 16, %r2;",
         CALL "%rd1, 4); min.u32 %ws_what, %r2, 16; " CALL "%rd2, %ws_what); cp.async"},
        {"ld.global.u32 %r1, [%rd1]; bar.sync 0;", CALL "%rd1, 4); bar.sync 0;"},
        {"ld.global.u32 %r1, [%rd1]; st.shared.u32 [%r2], %r1;",
         CALL "%rd1, 4); st.shared.u32 [%r2], %r1;"},
        {"ld.global.u32 %r1, [%rd1]; add.cc.u32 %r2, %r2, 1;",
         CALL "%rd1, 4); add.cc.u32 %r2, %r2, 1;"},
        {"ld.global.u32 %r1, [%rd1];\nL: add.u32 %r2, %r2, 1;",
         CALL "%rd1, 4); L: add.u32 %r2, %r2, 1;"},
        {"ld.global.u8 %r1, [%rd1]; ld.global.u8 %r1, [%rd2]; ld.global.u8 %r1, [%rd3]; "
         "ld.global.u8 %r1, [%rd4]; "
         "ld.global.u8 %r1, [%rd5];",
         "call __warpscope_records_4, (%ws_slot, %rd1, %rd2, %rd3, %rd4, 134744072); ld.global.u8 "
         "%r1, [%rd5];"},
    };
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        char source[1024];
        in_kernel(source, sizeof source, groups[i].source);
        check_contains(rewrite(source), groups[i].text);
    }
    check_contains(result->text, "\n.func __warpscope_records_4(");
    check_lacks(result->text, "\n.func __warpscope_records_2(");
}

static void test_other_spaces(void)
{
    rewrite(KERNEL(
        ".shared .u32 s; .local .u32 l;\n"
        "ld.param.u64 %rd1, [a]; ld.shared.u32 %r1, [s]; st.local.u32 [l], %r1;\n"
        "ld.const.u32 %r1, [%rd1]; atom.shared.add.u32 %r1, [s], 1;\n"
        "ld.shared::cta.u32 %r1, [s]; ld.u32 %r2, [l]; red.shared::cluster.add.u32 [%r1], 2;"));
    CU_ASSERT_EQUAL(result->counts.other_spaces, 8);
    CU_ASSERT_EQUAL(result->counts.loads + result->counts.stores + result->counts.atomics, 0);
    check_lacks(result->text, "call");
    check_lacks(result->text, ".func");
}

static void test_notes(void)
{
    rewrite(KERNEL("cp.async.bulk.tensor.1d.global.shared::cta.bulk_group [%rd1, {%r1}], [%r2];\n"
                   "cp.async.commit_group; cp.async.ca.shared.global [%r1], [%rd1], 4, 0;\n"
                   "@%p1 frobnicate.global.u32 %r1, [%rd1];\n"
                   "multimem.red.relaxed.sys.global.add.u32 [%rd1], %r1;\n"
                   "prefetch.global.L2 [%rd1]; prefetch.tensormap [%rd1];\n"
                   "cp.async.bulk.prefetch.tensor.1d.L2.global.tile [%rd1, {%r1}];\n"
                   "fence.proxy.tensormap::generic.acquire.gpu [%rd1], 128;"));
    CU_ASSERT_EQUAL_FATAL(result->note_count, 3);
    const struct rewrite_note *notes = result->notes;
    CU_ASSERT_TRUE(
        ptx_is(notes[0].instruction, "cp.async.bulk.tensor.1d.global.shared::cta.bulk_group"));
    CU_ASSERT_TRUE(ptx_is(notes[0].function, "k"));
    CU_ASSERT_EQUAL(notes[0].kind, REWRITE_UNTRACED);
    CU_ASSERT_EQUAL(notes[0].line, 7);
    CU_ASSERT_TRUE(ptx_is(notes[1].instruction, "frobnicate.global.u32"));
    CU_ASSERT_EQUAL(notes[1].kind, REWRITE_UNKNOWN);
    CU_ASSERT_EQUAL(notes[1].line, 9);
    CU_ASSERT_TRUE(ptx_is(notes[2].instruction, "multimem.red.relaxed.sys.global.add.u32"));
}

/* ---- Kernels and functions --------------------------------------------------------------------- */

static void test_parameters(void)
{
    const char *text = rewrite(HEADER ".visible .entry two(.param .u64 a, .param .u32 b)\n{ret;}\n"
                                      ".entry none()\n{ret;}\n.entry bare\n{ret;}\n");
    check_contains(text, ".param .u32 b, .param .u64 two_warpscope_slot)\n");
    check_contains(text, ".entry none(.param .u64 none_warpscope_slot)\n");
    check_contains(text, ".entry bare(.param .u64 bare_warpscope_slot)\n");
    check_contains(text, "ld.param.u64 %ws_slot, [two_warpscope_slot];");
    CU_ASSERT_EQUAL_FATAL(result->kernel_count, 3);
    CU_ASSERT_EQUAL(result->kernels[0].parameters, 2);
    CU_ASSERT_EQUAL(result->kernels[0].line, 4);
    CU_ASSERT_PTR_NULL(result->kernels[0].reason);
    CU_ASSERT_TRUE(ptx_is(result->kernels[2].name, "bare"));
}

static void test_declared_kernel(void)
{
    const char *text = rewrite(HEADER ".visible .entry k(.param .u64 a);\n"
                                      ".extern .entry other(.param .u64 b);\n"
                                      ".visible .entry k(.param .u64 a)\n{ret;}\n");
    check_contains(text, "k(.param .u64 a, .param .u64 k_warpscope_slot);\n");
    check_contains(text, "other(.param .u64 b);\n");
    CU_ASSERT_EQUAL(result->kernel_count, 1);
}

static void test_untraced_kernels(void)
{
    const char *text = rewrite(HEADER ".entry full(.param .align 8 .b8 a[32760])\n"
                                      "{\n" BODY "ld.global.u32 %r1, [%rd1]; call f;\nret;\n}\n"
                                      ".entry fits(.param .align 8 .b8 a[32756])\n{ret;}\n"
                                      ".entry child(.param .u64 a)\n{ret;}\n"
                                      ".entry child2(.param .u64 a)\n{ret;}\n"
                                      ".global .u64 t[1] = {child2};\n"
                                      ".func f()\n{\n" BODY "mov.u64 %rd1, child;\nret;\n}\n");
    check_lacks(text, "_warpscope_slot");
    CU_ASSERT_EQUAL_FATAL(result->kernel_count, 4);
    for (size_t i = 0; i < 4; i++) {
        CU_ASSERT_PTR_NOT_NULL(result->kernels[i].reason);
    }
    CU_ASSERT_EQUAL(result->counts.loads, 0);
    check_contains(text, "mov.u64 %ws_slot, 0; st.shared.v2.b64 [__warpscope_cta], ");
    check_contains(rewrite(HEADER ".entry fits(.param .align 8 .b8 a[32752])\n{ret;}\n"),
                   "a[32752], .param .u64 fits_warpscope_slot");
}

static void test_functions(void)
{
    const char *text =
        rewrite(HEADER ".func f(.param .u64 a)\n{\n" BODY
                       "ld.param.u64 %rd1, [a]; ld.u32 %r1, [%rd1+4];\nret;\n}\n"
                       ".entry k(.param .u64 a)\n{\n" BODY "call f, (%rd1);\nret;\n}\n");
    check_contains(text, ".weak .shared .align 16 .b64 __warpscope_cta[2];\n");
    check_contains(text, "ld.shared.v2.b64 {%ws_slot, %ws_check}, [__warpscope_cta]; ");
    check_contains(text, "st.shared.v2.b64 [__warpscope_cta], {%ws_slot, %ws_a0};\n");
    check_contains(text, ".func f(.param .u64 a)\n");
    check_contains(text, "\n.func __warpscope_record(");
    check_contains(text, "isspacep.global");
    check_lacks(text, "\n.func __warpscope_records_");
    CU_ASSERT_EQUAL(result->functions, 1);
    CU_ASSERT_EQUAL(result->counts.generic, 1);
}

static void test_system_calls(void)
{
    const char *text =
        rewrite(HEADER ".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);\n"
                       ".entry k()\n{\n" BODY ".param .b32 r;\n"
                       "call (r), vprintf, (%rd1, %rd2);\nret;\n}\n");
    check_lacks(text, "__warpscope_cta");
}

#define USES_SHARED(bytes)                                                                         \
    HEADER ".func f()\n{\n" BODY "ld.global.u32 %r1, [%rd1];\nret;\n}\n"                           \
           ".entry k()\n{\n" BODY ".shared .align 4 .b8 s[" bytes "];\n"                           \
           "call f; ld.global.u32 %r1, [%rd1];\nret;\n}\n"

static void test_shared_limit(void)
{
    const char *text = rewrite(USES_SHARED("49136"));
    check_contains(text, "__warpscope_cta");
    CU_ASSERT_EQUAL(result->counts.loads, 2);
    text = rewrite(USES_SHARED("49137"));
    check_lacks(text, "__warpscope_cta");
    CU_ASSERT_EQUAL(result->counts.loads, 1);
    CU_ASSERT_EQUAL_FATAL(result->note_count, 1);
    CU_ASSERT_TRUE(ptx_is(result->notes[0].function, "f"));
    CU_ASSERT_PTR_NOT_NULL(result->notes[0].reason);
}

/* ---- Whole modules ----------------------------------------------------------------------------- */

static void test_idempotent(void)
{
    static const char *const modules[] = {
        KERNEL("ld.global.u32 %r1, [%rd1]; ld.u32 %r1, [%rd1];"),
        HEADER ".func f()\n{\n" BODY "ld.u32 %r1, [%rd1];\nret;\n}\n",
        HEADER ".entry k\n{ret;}\n",
    };
    for (size_t i = 0; i < sizeof modules / sizeof *modules; i++) {
        char *once = strdup(rewrite(modules[i]));
        CU_ASSERT_FALSE(result->already);
        CU_ASSERT_STRING_EQUAL(rewrite(once), once);
        CU_ASSERT_TRUE(result->already);
        for (size_t k = 0; k < result->kernel_count; k++) {
            CU_ASSERT_PTR_NULL(result->kernels[k].reason);
            CU_ASSERT_EQUAL(result->kernels[k].parameters, i == 0);
        }
        drop();
        free(once);
    }
}

static void test_lines(void)
{
    static const char source[] =
        "// A comment.\n.version 9.0\n.target sm_90, debug\n.address_size 64 // 64\n\n"
        ".visible .entry k(\n\t.param .u64 a\n)\n.maxntid 32, 1, 1\n{\n" BODY
        "\t.loc\t1 2 3\n\tld.global.u32 \t%r1, [%rd1]; // a load\n\tret;\n}\n"
        ".file 1 \"a.cu\"\n// the end";
    const char *text = rewrite(source);
    check_contains(text, "\n\t.loc\t1 2 3\n\tld.global.u32 \t%r1, [%rd1]; // a load\n\t" CALL
                         "%rd1, 4); ret;\n}\n");
    check_contains(text, "// the end\n// Added by Warpscope");
    const char *added = strstr(text, "\n// Added by");
    CU_ASSERT_PTR_NOT_NULL_FATAL(added);
    CU_ASSERT_EQUAL(lines_of(text, (size_t)(added - text)), lines_of(source, sizeof source));
}

static void test_version(void)
{
    const char *text =
        rewrite("// .version 1.0\n/* .version */ .version 6.0\n.target sm_70\n"
                ".address_size 64\n.entry k()\n{\n" BODY "ld.u32 %r1, [%rd1];\nret;\n}\n");
    check_contains(text, "// .version 1.0\n/* .version */ .version 6.3\n.target sm_70\n");
    check_lacks(text, "isspacep.param");
    check_contains(rewrite(KERNEL("ld.u32 %r1, [%rd1];")), "isspacep.param");
    check_contains(rewrite(".version 6.0\n.target sm_70\n.address_size 64\n.entry k\n{ret;}\n"),
                   ".version 6.0\n");
    text = rewrite(
        ".version 6.0 .target sm_30, texmode_independent .address_size 64\n.entry k()\n{\n" BODY
        "ld.u32 %r1, [%rd1];\nret;\n}\n");
    check_contains(text, ".version 6.3 .target sm_70, texmode_independent .address_size 64");
    CU_ASSERT_STRING_EQUAL(result->raised, "sm_70");
    text = rewrite(
        ".version 1.4\n.target sm_10, map_f64_to_f32\n.entry k()\n{\n" BODY
        "ld.u32 %r1, [%rd1];\nret;\n}\n.func f(.reg .u32 a)\n.func f(.reg .u32 a)\n{ret;}\n");
    check_contains(text, ".version 6.3\n.target sm_70 .func");
    check_contains(rewrite(".version 6.0\n.target sm_35\n.address_size 64\n.entry k\n{ret;}\n"),
                   ".target sm_35\n");
    CU_ASSERT_PTR_NULL(result->raised);
}

#define OLD(variables, statements)                                                                 \
    ".version 1.4\n.target sm_10\n" variables ".entry k()\n{\n" BODY                               \
    ".reg .f64 %d<4>;\nst.global.f32 [%rd1], %f1;\n" statements "\nret;\n}\n"

/* Old forms that later versions write in another way or do not have. */
static void test_old_forms(void)
{
    const char *text = rewrite(OLD(".tex .u64 tex;\n.global .u32 g;\n",
                                   "mad.f32 %f1, %f2, %f3, %f1; mad.sat.f32 %f1, %f2, %f3, %f1; "
                                   "mad.f64 %d1, %d2, %d3, %d1; mad.rz.f32 %f1, %f2, %f3, %f1; "
                                   "mad.lo.s32 %r1, %r2, %r1, %r2;"));
    check_contains(text, "\n.global .texref tex;\n.global .u32 g;\n");
    check_contains(text,
                   "mad.rn.ftz.f32 %f1, %f2, %f3, %f1; mad.rn.ftz.sat.f32 %f1, %f2, %f3, %f1; "
                   "mad.rn.f64 %d1, %d2, %d3, %d1; mad.rz.f32 %f1, %f2, %f3, %f1; "
                   "mad.lo.s32 %r1, %r2, %r1, %r2;");
    check_contains(rewrite(KERNEL("mad.rn.f32 %f1, %f2, %f3, %f1; ld.u32 %r1, [%rd1];")),
                   "mad.rn.f32");
    /* A module without accesses stays as it is. */
    check_contains(rewrite(".version 1.4\n.target sm_10\n.local .u32 l;\n.entry k()\n{ret;}\n"),
                   ".local .u32 l;");
}

/* A register with a constant, which may be an operand of its own, and parameters with .hidden. */
static void test_new_operands(void)
{
    check_contains(rewrite(KERNEL("st.global.u32 [%rd1], %r1 + 5;")),
                   "(%ws_slot, %rd1, 268435460); st.global.u32 [%rd1], %r1 + 5;");
    check_contains(rewrite(KERNEL("cp.async.ca.shared.global [%r1], [%rd1], 8, %r2 + 1;")),
                   "min.u32 %ws_what, %r2+1, 8; ");
    rewrite(HEADER ".entry k(.param .u64 a, .hidden .param .align 64 .b8 b[128])\n{\n" BODY
                   "ld.global.u32 %r1, [%rd1];\nret;\n}\n");
    CU_ASSERT_PTR_NOT_NULL(strstr(result->kernels[0].reason, ".hidden"));
    CU_ASSERT_STRING_EQUAL(result->kernels[0].untraced,
                           "all accesses, since it has parameters with the attribute .hidden");
}

static void check_refused(const char *source, const char *part)
{
    drop();
    module = ptx_parse(source, strlen(source), error);
    CU_ASSERT_PTR_NOT_NULL_FATAL(module);
    result = rewrite_module(module, NULL, error);
    CU_ASSERT_PTR_NULL(result);
    check_contains(error, part);
}

static void test_refused(void)
{
    check_refused(".version 6.3\n.target odd\n.address_size 64\n",
                  "target is odd; traces need sm_70");
    check_refused(".version 6.3\n.target sm_75\n.address_size 32\n", "32 bits");
    check_refused(OLD(".local .u32 l;\n", ""), "line 3: variables in .local outside of functions");
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"forms of addresses and guards", test_forms},
        {"types and sizes", test_sizes},
        {"records that are written together", test_groups},
        {"other spaces", test_other_spaces},
        {"notes", test_notes},
        {"hidden parameter", test_parameters},
        {"declared kernels", test_declared_kernel},
        {"kernels that are not traced", test_untraced_kernels},
        {"device functions", test_functions},
        {"calls of the system", test_system_calls},
        {"limit of shared memory", test_shared_limit},
        {"rewriting twice", test_idempotent},
        {"lines and comments", test_lines},
        {"versions and targets", test_version},
        {"operands with constants, hidden parameters", test_new_operands},
        {"forms of old versions", test_old_forms},
        {"refused modules", test_refused},
    };
    int status = suite_run("rewrite", tests, sizeof tests / sizeof *tests);
    drop();
    return status;
}
