/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Random computations, branches, loops and calls.
 */
#include "support/generate/state.h"
#include <assert.h>

enum { LOOP_NESTING = 2, LOOP_COUNT = 4, TABLE = 3 };

static unsigned word(struct generate_state *g)
{
    return generate_pick(g, GENERATE_WORDS);
}

static unsigned wide(struct generate_state *g)
{
    return generate_pick(g, GENERATE_DOUBLES);
}

static unsigned predicate(struct generate_state *g)
{
    return generate_pick(g, GENERATE_PREDICATES);
}

static void set_predicate(struct generate_state *g)
{
    static const char *const comparisons[] = {"lt.u32", "ge.s32", "eq.s32", "ne.u32", "gt.u32"};
    unsigned to = predicate(g), mask = 1u << generate_pick(g, 6);
    fprintf(g->out, "\tand.b32 \t%%t, %%r%u, %u;\n", word(g), mask * 2 - 1);
    fprintf(g->out, "\tsetp.%s \t%%p%u, %%t, %u;\n", PICK(g, comparisons), to, mask);
}

static void compute(struct generate_state *g)
{
    static const char *const three[] = {"add.s32", "sub.s32", "mul.lo.s32", "xor.b32",
                                        "and.b32", "or.b32",  "min.u32",    "max.s32"};
    static const char *const wides[] = {"add.s64", "xor.b64", "sub.s64", "mul.lo.s64", "or.b64"};
    switch (generate_pick(g, 9)) {
    case 0:
        set_predicate(g);
        break;
    case 1:
        fprintf(g->out, "\t%s \t%%d%u, %%d%u, %%d%u;\n", PICK(g, wides), wide(g), wide(g), wide(g));
        break;
    case 2:
        fprintf(g->out, "\tmul.wide.u32 \t%%d%u, %%r%u, %%r%u;\n", wide(g), word(g), word(g));
        break;
    case 3:
        fprintf(g->out, "\tcvt.u32.u64 \t%%r%u, %%d%u;\n", word(g), wide(g));
        break;
    case 4:
        fprintf(g->out, "\tselp.b32 \t%%r%u, %%r%u, %u, %%p%u;\n", word(g), word(g),
                generate_pick(g, 100000), predicate(g));
        break;
    case 5:
        fprintf(g->out, "\tshr.u32 \t%%r%u, %%r%u, %u;\n", word(g), word(g), generate_pick(g, 8));
        break;
    case 6:
        fprintf(g->out, "\tmad.lo.s32 \t%%r%u, %%r%u, %u, %%r%u;\n", word(g), word(g),
                generate_pick(g, 1000) * 2 + 1, word(g));
        break;
    default:
        fprintf(g->out, "\t");
        generate_guard(g);
        fprintf(g->out, "%s \t%%r%u, %%r%u, %%r%u;\n", PICK(g, three), word(g), word(g), word(g));
        break;
    }
}

/* Writes statements that some threads of a warp skip. */
static void divergent(struct generate_state *g, unsigned budget)
{
    bool top = g->top;
    g->top = false;
    generate_statements(g, budget);
    g->top = top;
}

static void condition(struct generate_state *g, unsigned budget)
{
    unsigned otherwise = g->labels++, end = g->labels++;
    bool has_else = generate_pick(g, 2);
    set_predicate(g);
    fprintf(g->out, "\t@%s%%p%u bra \t$L%u;\n", generate_pick(g, 2) ? "!" : "", predicate(g),
            otherwise);
    divergent(g, budget / 2);
    if (has_else) {
        fprintf(g->out, "\tbra \t$L%u;\n", end);
    }
    fprintf(g->out, "$L%u:\n", otherwise);
    if (has_else) {
        divergent(g, budget / 2);
        fprintf(g->out, "$L%u:\n", end);
    }
}

/* Writes a loop. The number of iterations is a constant, or differs among the threads of a warp. */
static void loop(struct generate_state *g, unsigned budget)
{
    assert(g->nesting <= LOOP_NESTING && g->loops <= GENERATE_LOOPS);
    if (g->nesting == LOOP_NESTING || g->loops == GENERATE_LOOPS) {
        compute(g);
        return;
    }
    unsigned counter = g->loops++, begin = g->labels++;
    if (generate_pick(g, 2)) {
        fprintf(g->out, "\tmov.u32 \t%%c%u, %u;\n", counter, 1 + generate_pick(g, LOOP_COUNT));
    } else {
        fprintf(g->out, "\tand.b32 \t%%c%u, %%r%u, %u;\n", counter, word(g), LOOP_COUNT - 1);
    }
    fprintf(g->out, "$L%u:\n", begin);
    g->nesting++;
    divergent(g, budget);
    g->nesting--;
    fprintf(g->out, "\tadd.s32 \t%%c%u, %%c%u, -1;\n", counter, counter);
    fprintf(g->out, "\tsetp.gt.s32 \t%%q, %%c%u, 0;\n\t@%%q bra \t$L%u;\n", counter, begin);
}

static void table(struct generate_state *g, unsigned budget)
{
    unsigned first = g->labels;
    g->labels += TABLE + 1;
    fprintf(g->out, "\trem.u32 \t%%t, %%r%u, %u;\n$T%u: .branchtargets $L%u, $L%u, $L%u;\n",
            word(g), TABLE, first, first, first + 1, first + 2);
    fprintf(g->out, "\tbrx.idx \t%%t, $T%u;\n", first);
    for (unsigned i = 0; i < TABLE; i++) {
        fprintf(g->out, "$L%u:\n", first + i);
        divergent(g, budget / TABLE);
        if (i + 1 < TABLE && generate_pick(g, 3)) {
            fprintf(g->out, "\tbra.uni \t$L%u;\n", first + TABLE);
        }
    }
    fprintf(g->out, "$L%u:\n", first + TABLE);
}

static void call(struct generate_state *g)
{
    unsigned argument = word(g), result = word(g);
    if (!g->callees) {
        compute(g);
        return;
    }
    fprintf(
        g->out,
        "\t{\n\t.param .b64 param0;\n\tst.param.b64 \t[param0+0], %%base;\n"
        "\t.param .b32 param1;\n\tst.param.b32 \t[param1+0], %%r%u;\n"
        "\t.param .b32 retval0;\n\tcall.uni (retval0), \n\tf%u, \n\t(\n\tparam0, \n\tparam1\n\t);\n"
        "\tld.param.b32 \t%%r%u, [retval0+0];\n\t}\n",
        argument, generate_pick(g, g->callees), result);
}

static void together(struct generate_state *g)
{
    static const char *const shuffles[] = {"idx", "up", "down", "bfly"};
    if (generate_pick(g, 2)) {
        fprintf(g->out, "\tbar.sync \t0;\n");
    } else {
        fprintf(g->out, "\tshfl.sync.%s.b32 \t%%r%u|%%p%u, %%r%u, %u, 31, -1;\n", PICK(g, shuffles),
                word(g), predicate(g), word(g), generate_pick(g, 32));
    }
}

/* Writes code by which some threads return early. The statements after it must not require all
 * threads of the CTA. */
static void leave(struct generate_state *g)
{
    set_predicate(g);
    fprintf(g->out, "\t@%%p%u ret;\n", predicate(g));
}

void generate_statements(struct generate_state *g, unsigned budget)
{
    while (budget > 0) {
        unsigned inner = 1 + generate_pick(g, budget);
        unsigned choice = generate_pick(g, 24);
        unsigned used = 1;
        if (choice < 10) {
            generate_access(g);
        } else if (choice < 15) {
            compute(g);
        } else if (choice < 18) {
            condition(g, inner);
            used = inner;
        } else if (choice < 20) {
            loop(g, inner);
            used = inner;
        } else if (choice == 20) {
            table(g, inner);
            used = inner;
        } else if (choice == 21) {
            call(g);
        } else if (g->top && choice == 22) {
            together(g);
        } else if (g->kernel && !g->top && generate_pick(g, 6) == 0 && budget < 3) {
            leave(g);
        }
        budget -= used;
    }
}
