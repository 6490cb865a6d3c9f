/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Random modules: device functions, and a kernel that may call them.
 */
#include "support/generate/generate.h"
#include "support/generate/state.h"
#include <assert.h>
#include <stdlib.h>

enum {
    FUNCTIONS = 2,
    SLICE = 512 /* size in bytes of the shared memory of one warp */,
    FRAME = 512
};

static void declarations(struct generate_state *g)
{
    fprintf(g->out,
            "{\n\t.local .align 16 .b8 \tframe[%d];\n\t.reg .pred \t%%p<%d>, %%q;\n"
            "\t.reg .b32 \t%%r<%d>, %%a<%d>, %%c<%d>, %%t, %%u, %%slice;\n"
            "\t.reg .b64 \t%%d<%d>, %%ad<%d>, %%base, %%common, %%frame, %%data;\n",
            FRAME, GENERATE_PREDICATES, GENERATE_WORDS, GENERATE_ADDRESSES, GENERATE_LOOPS,
            GENERATE_DOUBLES, GENERATE_ADDRESSES);
}

/* Writes code that sets %r0 to the linear index of the thread, %r1 to the linear index of the CTA,
 * and %slice to the address of the warp's part of shared memory. */
static void places(struct generate_state *g)
{
    fprintf(g->out,
            "\tmov.u32 \t%%r0, %%tid.x;\n\tmov.u32 \t%%r1, %%tid.y;\n\tmov.u32 \t%%t, %%ntid.x;\n"
            "\tmad.lo.s32 \t%%r0, %%r1, %%t, %%r0;\n");
    fprintf(
        g->out,
        "\tmov.u32 \t%%r1, %%ctaid.y;\n\tmov.u32 \t%%t, %%nctaid.x;\n\tmov.u32 \t%%r2, %%ctaid.x;\n"
        "\tmad.lo.s32 \t%%r1, %%r1, %%t, %%r2;\n");
    fprintf(g->out,
            "\tshr.u32 \t%%u, %%r0, 5;\n\tmov.u32 \t%%slice, slices;\n"
            "\tmad.lo.s32 \t%%slice, %%u, %d, %%slice;\n\tmov.u64 \t%%frame, frame;\n",
            SLICE);
}

/* Writes code that initialises the registers and local memory. from: index of the first %r register
 * that has no value yet. */
static void values(struct generate_state *g, unsigned from)
{
    assert(from >= 2); /* each word is computed from the two before it */
    for (unsigned i = from; i < GENERATE_WORDS; i++) {
        fprintf(g->out, "\tmad.lo.s32 \t%%r%u, %%r%u, %u, %%r%u;\n", i, i - 1,
                generate_pick(g, 100000) * 2 + 1, i - 2);
    }
    for (unsigned i = 0; i < GENERATE_DOUBLES; i++) {
        fprintf(g->out, "\tmul.wide.u32 \t%%d%u, %%r%u, %%r%u;\n", i, i, i + 4);
    }
    for (unsigned i = 0; i < GENERATE_PREDICATES; i++) {
        fprintf(g->out, "\tand.b32 \t%%t, %%r%u, %u;\n\tsetp.ne.s32 \t%%p%u, %%t, 0;\n", i, 1u << i,
                i);
    }
    for (unsigned i = 0; i < FRAME; i += 16) {
        fprintf(g->out, "\tst.local.v2.u64 \t[frame+%u], {%%d%u, %%d%u}; ", i,
                generate_pick(g, GENERATE_DOUBLES), generate_pick(g, GENERATE_DOUBLES));
        fputs(i % 64 ? "" : "\n", g->out);
    }
    fprintf(g->out, "\n");
}

static void function(struct generate_state *g)
{
    fprintf(g->out,
            ".func (.param .b32 func_retval0) f%u(\n\t.param .b64 f%u_param_0,\n\t.param .b32 "
            "f%u_param_1\n)\n",
            g->callees, g->callees, g->callees);
    declarations(g);
    places(g);
    fprintf(g->out,
            "\tld.param.u64 \t%%base, [f%u_param_0];\n\tld.param.u32 \t%%r2, [f%u_param_1];\n"
            "\tmov.u64 \t%%common, %%base;\n",
            g->callees, g->callees);
    values(g, 3);
    g->kernel = g->top = false;
    g->loops = 0;
    g->nesting = 1; /* the function may be called in a loop of its caller */
    generate_statements(g, 1 + generate_pick(g, 8));
    fprintf(g->out, "\tst.param.b32 \t[func_retval0+0], %%r%u;\n\tret;\n}\n\n",
            generate_pick(g, GENERATE_WORDS));
    g->callees++;
}

static void kernel(struct generate_state *g)
{
    fprintf(g->out, ".visible .entry kernel(\n\t.param .u64 kernel_param_0\n)\n");
    declarations(g);
    places(g);
    fprintf(g->out,
            "\tld.param.u64 \t%%data, [kernel_param_0];\n\tcvta.to.global.u64 \t%%data, %%data;\n"
            "\tmad.lo.s32 \t%%u, %%r1, %d, %%u;\n\tmul.wide.u32 \t%%base, %%u, %d;\n"
            "\tadd.s64 \t%%base, %%base, %%data;\n\tadd.s64 \t%%base, %%base, %d;\n"
            "\tadd.s64 \t%%common, %%data, %d;\n",
            GENERATE_WARPS, GENERATE_PART, GENERATE_PART / 4, GENERATE_BYTES - GENERATE_PART);
    values(g, 2);
    fprintf(g->out,
            "\tand.b32 \t%%t, %%r0, 31;\n\tshl.b32 \t%%t, %%t, 4;\n\tadd.u32 \t%%t, %%t, %%slice;\n"
            "\tst.shared.v2.u64 \t[%%t], {%%d1, %%d2};\n\tbar.sync \t0;\n");
    g->kernel = g->top = true;
    g->loops = g->nesting = 0;
    generate_statements(g, 4 + generate_pick(g, 30));
    fprintf(g->out, "\tret;\n}\n");
}

struct generate_kernel generate_kernel(uint64_t seed)
{
    static const unsigned versions[] = {64, 70, 78, 85};
    struct generate_state g = {.random = seed};
    struct generate_kernel made = {0};
    g.out = open_memstream(&made.text, &made.size);
    if (!g.out) {
        return made;
    }
    unsigned version = versions[generate_pick(&g, 4)];
    g.copies = version >= 70;
    fprintf(g.out, "// seed %llu\n.version %u.%u\n.target sm_%d\n.address_size 64\n\n",
            (unsigned long long)seed, version / 10, version % 10, g.copies ? 80 : 75);
    fprintf(g.out, ".shared .align 16 .b8 slices[%d];\n\n", SLICE * GENERATE_WARPS);
    for (unsigned n = generate_pick(&g, FUNCTIONS + 1); n > 0; n--) {
        function(&g);
    }
    kernel(&g);
    made.grid[0] = 1 + generate_pick(&g, 3);
    made.grid[1] = 1 + generate_pick(&g, GENERATE_CTAS / 3);
    made.block[0] = generate_pick(&g, 3) ? 32 : 1 + generate_pick(&g, 32);
    made.block[1] = 1 + generate_pick(&g, GENERATE_WARPS);
    made.grid[2] = made.block[2] = 1;
    if (fclose(g.out) != 0) {
        free(made.text);
        made.text = NULL;
    }
    return made;
}
