/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests of cuda/ptx: text that is not PTX gets one message, which states the line and the mistake. Random modules: the
 * tree is the known one, for any layout of the text; and a damaged module ends in a message or in a tree that holds its
 * invariants.
 *
 * test: libs=warpscope_cuda_ptx
 */
#include "support/ptx_dump.h"
#include "support/ptx_random.h"
#include "support/suite.h"

#define HEAD ".version 8.5\n.target sm_80\n.address_size 64\n"

struct mistake {
    const char *text, *message;
};

static void check(const char *text, const char *message)
{
    ptx_compare(text, message);
}

static void check_all(const struct mistake *mistakes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char text[1024];
        snprintf(text, sizeof text, HEAD "%s", mistakes[i].text);
        check(text, mistakes[i].message);
    }
}

static void test_header(void)
{
    check("", "line 1: a PTX module must begin with .version");
    check("\n\n.target sm_80", "line 3: a PTX module must begin with .version");
    check("\177ELF\001", "line 1: a PTX module must begin with .version");
    check(".version 0.9\n.target sm_80",
          "line 1: PTX version 0.9 is not supported; 1.0 to 9.9 are");
    check(".version 10.0", "line 1: expected a version such as 8.5, found \"10.0\"");
    check(".version 8.5\n.entry", "line 2: expected .target, found \".entry\"");
    check(".version 8.5 .target sm_80 .address_size 48",
          "line 1: the size of an address must be 32 or 64");
}

static void test_module(void)
{
    static const struct mistake mistakes[] = {
        {"\n.frob 3", "line 5: unknown directive .frob"},
        {"add.u32 a", "line 4: expected a directive, found \"add\""},
        {".global .u32 a", "line 4: expected ';' after a declaration, found the end of the text"},
        {".global a;", "line 4: a declaration without a type"},
        {".global .u33 a;", "line 4: unknown word .u33 in a declaration"},
        {".global .align 3 .u32 a;", "line 4: the alignment 3 is not a power of two"},
        {".global .u32 a[9999999999][99999999];", "line 4: a variable of more than 2^48 bytes"},
        {".global .u32 a = 1/0;", "line 4: division by zero in a constant expression"},
        {".global .u32 a = 0f3F80;", "line 4: 0f must have 8 hexadecimal digits"},
        {".global .u32 a = 09;", "line 4: \"09\" is not a number"},
        {".global .u32 a = 99999999999999999999;", "line 4: the number does not fit in 64 bits"},
        {".global .u32 a = 1.5;", "line 4: a real number as the value of an integer"},
        {".global .u32 a[2] = {1,2,3};", "line 4: more values than the array has elements"},
        {".global .u32 a[][] = b+8;", "line 4: a dimension of 0 that is not the first one"},
        {".global .u8 a = 0xF0(b);", "line 4: a mask that does not select one byte"},
        {".global .u32 a[2][9000000] = {{1},{2}};",
         "line 4: initialisers leave out more than 1048576 values"},
        {"\n/* \n\n", "line 5: the comment that begins on this line does not end"},
        {".file 1 \"abc\n\"", "line 4: the string does not end on its line"},
        {".section .debug_info {\n.b8 1", "line 4: the section of this line has no '}'"},
        {".func f(){}\n.func f(){}", "line 5: the function f is defined twice"}};
    check_all(mistakes, sizeof mistakes / sizeof *mistakes);
}

static void test_functions(void)
{
    static const struct mistake mistakes[] = {
        {".entry k(",
         "line 4: expected a state space such as .reg or .param, found the end of the text"},
        {".func f(.reg .u32 a, .local .b8 b[4096]){}",
         "line 4: a parameter in a state space other than .param and .reg"},
        {".entry k(.reg .u32 a){}", "line 4: a parameter in a state space other than .param"},
        {".entry k()\n",
         "line 5: expected ';' or '{' after the head of a function, found the end of the text"},
        {".func f(){\nret;",
         "line 5: expected an instruction, a directive or '}', found the end of the text"},
        {".func f(){\nld.u32 a b;}", "line 5: expected ';' after the operands of ld, found \"b\""},
        {".func f(){\nret\n}", "line 6: expected an operand, found \"}\""},
        {".func f(){mov.u32 %r1, 2;}", "line 4: the register %r1 is not declared"},
        {".func f(){.reg .u32 %r<2>;mov.u32 %r1, \n%r2;}",
         "line 5: the register %r2 is not declared"},
        {".func f(){.reg .u32 a;.reg .u64 a;}", "line 4: a is declared twice in one block"},
        {".func f(){A:\nA:}", "line 5: the label A is defined twice"},
        {".func f(){\nbra B;\n}", "line 5: the label B is not defined"},
        {".func f(){bra B;{B:}}", "line 4: the label B is not defined"},
        {".func f(){mov.u32 a.q, 1;}", "line 4: a has no member .q"},
        {".func f(){@5 ret;}", "line 4: expected a predicate after '@', found \"5\""},
        {".func f(){\n.maxntid 3;}", "line 5: unknown directive .maxntid in a function"},
        {".func f(){ld.u32 a,[b}", "line 4: expected ']' after the address, found \"}\""},
        {".func f(){ld.u32 {a,b;}",
         "line 4: expected '}' after the elements of a vector, found \";\""},
        {".func f(){ld. u32 a;}", "line 4: expected a word after '.', found \".\""},
        {".func f(){x.y {{{{{{{{{{1}}}}}}}}}};}",
         "line 4: an operand with more than 8 nested brackets"}};
    check_all(mistakes, sizeof mistakes / sizeof *mistakes);
}

/* Bytes of the text that a message quotes do not reach the terminal, and long names are cut. */
static void test_quoted(void)
{
    check(HEAD "\033[2J", "line 4: expected a directive, found \"?\"");
    check(HEAD ".func f()\373}",
          "line 4: expected ';' or '{' after the head of a function, found \"?\"");
    char text[1000] = HEAD ".";
    size_t begin = strlen(text);
    memset(text + begin, 'x', sizeof text - begin - 1);
    char message[PTX_ERROR_MAX];
    char name[61] = "";
    memset(name, 'x', 60);
    snprintf(message, sizeof message, "line 4: unknown directive .%s", name);
    check(text, message);
}

/* Returns text with count copies of one piece. */
static char *repeat(const char *before, const char *piece, size_t count, const char *after)
{
    size_t length = strlen(piece);
    char *text = malloc(strlen(before) + length * count + strlen(after) + 1), *at = text;
    at = stpcpy(at, before);
    for (size_t i = 0; i < count; i++) {
        memcpy(at, piece, length);
        at += length;
    }
    strcpy(at, after);
    return text;
}

static void test_nesting(void)
{
    char *text = repeat(HEAD ".func f(){", "{", 300, "");
    check(text, "line 4: more than 256 nested blocks");
    free(text);
    text = repeat(HEAD ".global .u32 a = ", "-", 300000, "1;");
    check(text, "line 4: a constant expression with more than 100 nested operators");
    free(text);
    text = repeat(HEAD ".global .u32 a = ", "(", 300000, "1;");
    check(text, "line 4: a constant expression with more than 100 nested operators");
    free(text);
    text = repeat(HEAD ".global .u32 a = ", "1?", 300000, "1;");
    check(text, "line 4: a constant expression with more than 100 nested operators");
    free(text);
    text = repeat(HEAD ".global .u32 a[4] = ", "{", 300000, "1;");
    check(text, "line 4: more nested braces than the array has dimensions");
    free(text);
    text = repeat(HEAD ".func f(){x ", "!", 300000, "a;}");
    check(text, "line 4: expected a predicate after '!', found \"!\"");
    free(text);
    text = repeat(HEAD ".func f(){x ", "a|", 300000, "a;}");
    check(text, "line 4: an operand with more than 8 nested brackets");
    free(text);
}

/* A cut text is a mistake at any byte, or a shorter module; no byte behind the end is read. */
static void test_cut(void)
{
    static const char text[] =
        HEAD "/* c */ .global .align 4 .b8 a[] = {0xFF(b), 0d3FF0000000000000, (1<<4)};\n"
             ".visible .entry k(.param .u64 p) .maxntid 1,1,1 {.reg .b32 %r<3>;.reg .pred %p<2>;\n"
             "@!%p1 ld.global.v2.u32 {%r1,_}, [a+4]; $L: bra $L;.loc 1 2 3, inlined_at 1 2 3\n"
             "{call (%r1), f, (%r2);} T: .branchtargets $L; // end\n}\n.file 1 \"x\"";
    for (size_t size = 0; size < sizeof text; size++) {
        char error[PTX_ERROR_MAX] = "";
        char *copy = malloc(size ? size : 1);
        memcpy(copy, text, size);
        struct ptx_module *module = ptx_parse(copy, size, error);
        CU_ASSERT_TRUE(module != NULL || strncmp(error, "line ", 5) == 0);
        if (module) {
            ptx_check(module);
        }
        ptx_free(module);
        free(copy);
    }
}

/* ---- Random modules --------------------------------------------------------------------------- */

enum { MODULES = 1500, DAMAGES = 20 };

static uint64_t seed;

static void test_trees(void)
{
    for (unsigned i = 0; i < MODULES; i++) {
        struct random_ptx *r = malloc(sizeof *r);
        random_module(r, seed + i);
        unsigned failures = CU_get_number_of_failures();
        ptx_compare(r->text, r->tree);
        if (CU_get_number_of_failures() != failures) {
            printf("module of WS_TEST_SEED=%" PRIu64 "\n%s\n", seed + i, r->text);
            i = MODULES; /* one is enough to read */
        }
        free(r->text);
        free(r->tree);
        free(r);
    }
}

/* Changes some bytes, or moves a piece of the text elsewhere. */
static void damage(char *text, size_t size, uint64_t *state)
{
    static const char bytes[] = "{}()[];,.:@!%$_|<>=+-*/\"'\n 019azUx\\";
    for (uint64_t n = 1 + random_below(state, 3); n > 0; n--) {
        text[random_below(state, size)] = bytes[random_below(state, sizeof bytes)];
    }
    if (random_below(state, 4) == 0) {
        size_t length = random_below(state, size / 4 + 1);
        memmove(text + random_below(state, size - length),
                text + random_below(state, size - length), length);
    }
}

static void test_damage(void)
{
    uint64_t state = seed;
    unsigned trees = 0, messages = 0;
    for (unsigned i = 0; i < MODULES / 10; i++) {
        struct random_ptx *r = malloc(sizeof *r);
        random_module(r, seed + i);
        for (unsigned k = 0; k < DAMAGES; k++) {
            char *text = malloc(r->text_size), error[PTX_ERROR_MAX] = "";
            memcpy(text, r->text, r->text_size);
            damage(text, r->text_size, &state);
            struct ptx_module *module = ptx_parse(text, r->text_size, error);
            if (module) {
                ptx_check(module);
                trees++;
            } else {
                CU_ASSERT_TRUE(strncmp(error, "line ", 5) == 0);
                messages++;
            }
            ptx_free(module);
            free(text);
        }
        free(r->text);
        free(r->tree);
        free(r);
    }
    CU_ASSERT_TRUE(trees > 0 && messages > 0);
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"header", test_header},        {"module", test_module},
        {"functions", test_functions},  {"quoted text", test_quoted},
        {"nesting", test_nesting},      {"cut text", test_cut},
        {"random modules", test_trees}, {"damaged modules", test_damage}};
    seed = suite_seed();
    suite_print_seed("ptx_errors", seed);
    return suite_run("ptx_errors", tests, sizeof tests / sizeof tests[0]);
}
