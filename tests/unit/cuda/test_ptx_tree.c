/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests of cuda/ptx: trees of modules that are written by hand, one language element after the other.
 *
 * test: libs=warpscope_cuda_ptx
 */
#include "support/ptx_dump.h"
#include "support/suite.h"

#define HEAD   ".version 8.5\n.target sm_80\n.address_size 64\n"
#define HEADED "85 sm_80 64\n"

/* Compares a module of variables. */
static void check_module(const char *text, const char *expected)
{
    char whole[4096], dump[4096];
    snprintf(whole, sizeof whole, HEAD "%s", text);
    snprintf(dump, sizeof dump, HEADED "%s", expected);
    ptx_compare(whole, dump);
}

/* Compares the statements of a function with some registers. */
static void check_body(const char *text, const char *expected)
{
    char whole[4096], dump[4096];
    snprintf(whole, sizeof whole,
             HEAD ".func f(){.reg .b32 %%r<9>;.reg .b64 %%d<9>;.reg .pred %%p<3>, q;%s}", text);
    snprintf(dump, sizeof dump,
             HEADED "func f 0 0\nreg b32 %%r<9>\nreg b64 %%d<9>\nreg pred %%p<3>\nreg pred q\n"
                    "declaration\ndeclaration\ndeclaration\n%s",
             expected);
    ptx_compare(whole, dump);
}

static void test_header(void)
{
    ptx_compare(".version 6.0\n.target sm_20", "60 sm_20 64\n");
    ptx_compare("// a\r\n/* b\n*/ .version 9.0 .target sm_90a, debug .address_size 64 ;\r\n",
                "90 sm_90a, debug 64\n");
    check_module(".file 1 \"a\\\"b.cu\", 12, 34\n.pragma \"nounroll\";\n.section .debug_abbrev\n{\n"
                 ".b8 1 // }\n.b32 .debug_info\n$L__a:\n}\n.loc 1 2 3\n",
                 "");
}

static void test_variables(void)
{
    check_module(".visible .global .align 4 .b8 a[3][2];\n.extern .shared .align 16 .b8 s[];\n"
                 ".weak .const .v4 .f32 c, d[2];\n.common .global .u32 e;\n",
                 "visible global align 4 b8 a[6]\nextern shared align 16 b8 s[0]\n"
                 "weak const v4 f32 c\nweak const v4 f32 d[2]\ncommon global u32 e\n");
    check_module(
        ".global .attribute(.managed) .align 8 .u64 m;.global .attribute(.unified(1,2)) .u32 u;"
        ".global .texref t;.tex .u32 x;.global .b128 w;",
        "global align 8 u64 m\nglobal u32 u\nglobal texref t\ntex u32 x\nglobal b128 w\n");
}

static void test_initialisers(void)
{
    check_module(".global .b8 a[] = {1, 0x2, 03, 0b100, 5U, -1};",
                 "global b8 a[6] = 1 2 3 4 5 ff\n");
    check_module(".global .s32 a[2][3] = {{1, 2}, {3}};.global .u16 b[][2] = {{1},{2,3},{4,5}};",
                 "global s32 a[6] = 1 2 0 3 0 0\nglobal u16 b[6] = 1 0 2 3 4 5\n");
    check_module(
        ".global .f32 f[3] = {0f3F800000, 0d3FF0000000000000, 1.5e0};.global .f64 d = -0f3F800000;"
        ".global .f64 e = 2;.global .f16 h[3] = {1.0, 65504.0, 0d3E70000000000000};",
        "global f32 f[3] = 3f800000 3f800000 3fc00000\nglobal f64 d = bff0000000000000\n"
        "global f64 e = 4000000000000000\nglobal f16 h[3] = 3c00 7bff 1\n");
    check_module(".global .u64 p[5] = {a, a+4, generic(a), generic(a)+8, generic(a-1)};",
                 "global u64 p[5] = a+0 a+4 generic:a+0 generic:a+8 generic:a-1\n");
    check_module(".global .u8 p[3] = {0xFF(a), 0xFF00(a+1), 0xFF00000000000000(generic(a)+2)};",
                 "global u8 p[3] = a+0>>0 a+1>>8 generic:a+2>>56\n");
    check_module(
        ".global .v2 .u8 v[2] = {{1, 2}, {3}};.global .samplerref s = {addr_mode_0 = wrap, "
        "force_unnormalized_coords = 1};",
        "global v2 u8 v[2] = 1 2 3 0\nglobal samplerref s = wrap+0 1\n");
}

/* The operators of constant expressions, by precedence and signedness. */
static void test_expressions(void)
{
    static const struct {
        const char *expression;
        const char *bits;
    } cases[] = {{"1+2*3", "7"},
                 {"(1+2)*3", "9"},
                 {"7-2-1", "4"},
                 {"-7/2", "fffffffffffffffd"},
                 {"-7%3", "ffffffffffffffff"},
                 {"7 % 4", "3"},
                 {"1<<4|1", "11"},
                 {"-8>>1", "fffffffffffffffc"},
                 {"0x8000000000000000>>63", "1"},
                 {"(.s64)0x8000000000000000>>63", "ffffffffffffffff"},
                 {"-1<1", "1"},
                 {"-1<1U", "0"},
                 {"(.u64)-1>1", "1"},
                 {"2>=2", "1"},
                 {"3<=2", "0"},
                 {"1==1", "1"},
                 {"1!=1", "0"},
                 {"6&3^1", "3"},
                 {"~0", "ffffffffffffffff"},
                 {"!5", "0"},
                 {"!!5", "1"},
                 {"0&&1||1", "1"},
                 {"1?2:3", "2"},
                 {"0?2:0?4:5", "5"},
                 {"WARP_SZ*2", "40"},
                 {"1.5<2.0", "1"},
                 {"1<<70", "0"},
                 {"0x7fffffffffffffff+1", "8000000000000000"},
                 {"18446744073709551615", "ffffffffffffffff"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[200], expected[200];
        snprintf(text, sizeof text, ".global .b64 a = %s;", cases[i].expression);
        snprintf(expected, sizeof expected, "global b64 a = %s\n", cases[i].bits);
        check_module(text, expected);
    }
}

static void test_heads(void)
{
    check_module(
        ".visible .entry k(.param .u64 .ptr .global .align 16 a, .param .align 8 .b8 b[24])\n"
        ".maxntid 128, 2\n.minnctapersm 2 .reqnctapercluster 4,1,1 {ret;}",
        "visible entry k 0 2 threads 128 2 1 cluster 4 1 1\n"
        "param align 16 ptr u64 a\nparam align 8 b8 b[24]\nret\n");
    check_module(
        ".extern .func (.param .b32 r) p(.param .b64 _, .param .b64 _) .noreturn;.weak .func "
        "g\n(){}"
        ".alias h, g;.entry e .pragma \"x\", \"y\"; .explicitcluster {}",
        "extern func p 1 2;\nparam b32 r\nparam b64 _\nparam b64 _\nweak func g 0 0\n"
        "alias h g;\nentry e 0 0\n");
    check_module(
        ".func (.reg .u32 a) f(.reg .u32 b, .reg .v2 .f32 c) {mov.u32 a, b;add.f32 b, c.x, c.y;}",
        "func f 1 2\nreg u32 a\nreg u32 b\nreg v2 f32 c\nmov.u32 r0,r1\nadd.f32 r1,r2.x,r2.y\n");
    check_module(".func .attribute(.unified(1,2)) u;", "func u 0 0;\n");
}

static void test_operands(void)
{
    check_body("mov.u32 %r1, %tid.x;mov.u64 %d0,%clock64 ; mov\t.u32 %r8 ,\n-1;",
               "mov.u32 r0:1,s%tid.x\nmov.u64 r1:0,s%clock64\nmov.u32 r0:8,i-1\n");
    check_body(
        "ld.global.v2.u32 {%r1,_}, [%d2+8];st.shared::cta.b32 [%d3-4], {%r1};ld.u32 %r0,[16];",
        "ld.global.v2.u32 {r0:1,_},[r1:2+8]\nst.shared::cta.b32 [r1:3-4],{r0:1}\nld.u32 "
        "r0:0,[i16]\n");
    check_body("@%p1 setp.lt.and.s32 %p0|q, %r1, 5, !%p2;@!q ret;",
               "@r2:1 setp.lt.and.s32  r2:0|r3 ,r0:1,i5,!r2:2\n@!r3 ret\n");
    check_body(
        "mov.f32 %r1, 0f3F800000;mov.f64 %d1, 1.0;mov.f64 %d1, 0dBFF0000000000000;",
        "mov.f32 r0:1,f3f800000\nmov.f64 r1:1,d3ff0000000000000\nmov.f64 r1:1,dbff0000000000000\n");
    check_body(
        "vadd.u32.u32.u32 %r1, %r2.b3, %r3.h1;mov.u32 %r1, %envreg3;mov.u32 %r1, %new_one;",
        "vadd.u32.u32.u32 r0:1,r0:2.b3,r0:3.h1\nmov.u32 r0:1,s%envreg3\nmov.u32 r0:1,s%new_one\n");
    check_body("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes "
               "[%d0], [%d1, {%r1, 2}], [%d2];",
               "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes "
               "[r1:0],[r1:1,{r0:1,i2}],[r1:2]\n");
    check_body("tex.2d.v4.f32.f32 {%r1,%r2,%r3,%r4}, [tx, sm, {%r1,%r2}];",
               "tex.2d.v4.f32.f32 {r0:1,r0:2,r0:3,r0:4},[?tx,?sm,{r0:1,r0:2}]\n");
    check_body("frobnicate.x::y.16x64b.v9 %r1, {{1}}; bar.sync 0;",
               "frobnicate.x::y.16x64b.v9 r0:1,{{i1}}\nbar.sync i0\n");
}

static void test_names(void)
{
    check_body("mov.u64 %d1, g+4;mov.u64 %d1, f;ld.param.u32 %r1, [g+8];",
               "mov.u64 r1:1,?g+4\nmov.u64 r1:1,Ff\nld.param.u32 r0:1,[?g+8]\n");
    check_module(".func f(){.reg .b64 a;mov.u64 a, g;mov.u64 a, h;} .global .u32 g; .func h(){}",
                 "global u32 g\nfunc f 0 0\nreg b64 a\ndeclaration\nmov.u64 r0,g0\nmov.u64 r0,Fh\n"
                 "func h 0 0\n");
    check_module(
        ".global .u32 a; .func f(.param .u32 b){.reg .u32 r; ld.u32 r, [a]; ld.u32 r, [b];"
        "{.shared .u32 a; ld.u32 r, [a];} ld.u32 r, [a];}",
        "global u32 a\nfunc f 0 1\nparam u32 b\nreg u32 r\nshared u32 a\ndeclaration\n"
        "ld.u32 r1,[g0]\nld.u32 r1,[l0]\n{\ndeclaration\nld.u32 r1,[l2]\n}\nld.u32 r1,[g0]\n");
}

/* Families of registers: the innermost one that has the number. */
static void test_shadowing(void)
{
    check_module(
        ".func f(){.reg .b32 %r<9>;{.reg .b32 %r<2>;mov.u32 %r1,%r2;{.reg .b32 %r2;"
        "mov.u32 %r1,%r2;}}mov.u32 %r1,%r2;}",
        "func f 0 0\nreg b32 %r<9>\nreg b32 %r<2>\nreg b32 %r2\ndeclaration\n{\ndeclaration\n"
        "mov.u32 r1:1,r0:2\n{\ndeclaration\nmov.u32 r1:1,r2\n}\n}\nmov.u32 r0:1,r0:2\n");
    check_module(
        ".func f(){.reg .b32 %r1<4>;mov.u32 %r10,%r13;{.reg .b32 %r<12>;mov.u32 %r10,%r13;}}",
        "func f 0 0\nreg b32 %r1<4>\nreg b32 %r<12>\ndeclaration\nmov.u32 r0:0,r0:3\n{\n"
        "declaration\nmov.u32 r1:10,r0:3\n}\n");
    check_module(".func f(){.reg .b32 a01, a<3>;mov.u32 a01,a1;}",
                 "func f 0 0\nreg b32 a01\nreg b32 a<3>\ndeclaration\nmov.u32 r0,r1:1\n");
}

static void test_labels(void)
{
    check_body("$A: bra $B; {$B: bra $B; bra $A; bra.uni %C;} $B: %C : @q bra $A;",
               "$A:\nbra L11\n{\n$B:\nbra L6\nbra L3\nbra.uni L12\n}\n$B:\n%C:\n@r3 bra L3\n");
}

static void test_calls(void)
{
    check_body("call f;call.uni (%r1), g, (%r2, 3, {%r1}), P;call (_), %d1, (), P;",
               "call Ff\ncall.uni (r0:1),?g,(r0:2,i3,{r0:1}),?P\ncall (_),r1:1,(),?P\n");
    check_body("P: .callprototype (.param .b32 _) _ (.param .b64 _) .noreturn;T: .calltargets f, g;"
               "call (%r1), %d1, (%r2), P;call %d1, (), T;",
               "P:\n.callprototype\nT:\n.calltargets Ff,?g\ncall (r0:1),r1:1,(r0:2),L3\n"
               "call r1:1,(),L5\n");
}

static void test_tables(void)
{
    check_body("A: B: T: .branchtargets A, B;brx.idx %r1, T;.pragma \"nounroll\";.loc 1 2 3\n"
               ".loc 1 2 3, function_name $L+4, inlined_at 4 5 6\nret;;",
               "A:\nB:\nT:\n.branchtargets L3,L4\nbrx.idx r0:1,L5\n.pragma\n.loc\n.loc\nret\n");
}

int main(void)
{
    static const CU_TestInfo tests[] = {{"header", test_header},
                                        {"variables", test_variables},
                                        {"initialisers", test_initialisers},
                                        {"constant expressions", test_expressions},
                                        {"heads of functions", test_heads},
                                        {"operands", test_operands},
                                        {"names", test_names},
                                        {"shadowing", test_shadowing},
                                        {"labels", test_labels},
                                        {"calls", test_calls},
                                        {"tables of labels", test_tables}};
    return suite_run("ptx_tree", tests, sizeof tests / sizeof tests[0]);
}
