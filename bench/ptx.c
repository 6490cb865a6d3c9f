/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bench_ptx - measures the speed of the parser and the rewriter on one core, in megabytes of PTX
 * per second. The program generates the text: kernels like those of nvcc, which compute addresses,
 * load, compute, branch and store. Times are CPU times; the fastest run counts.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ptx/ptx.h"
#include "rewrite/rewrite.h"
#include "support/measure.h"

#define BLOCKS 60 /* number of sequences of instructions in a kernel, see block_write() */

static const char head[] = "//\n// Generated for a measurement\n//\n\n.version 8.5\n.target sm_80\n"
                           ".address_size 64\n\n";

/* Writes the sequence of instructions number b of kernel k. Its operands depend on b. */
static void block_write(FILE *out, unsigned k, unsigned b)
{
    unsigned r = b % 40 + 1, d = b % 20 + 1;
    fprintf(
        out,
        "$L__BB%u_%u:\n\t.loc\t1 %u 9\n\tmul.wide.s32 \t%%rd%u, %%r%u, 4;\n\tadd.s64 \t%%rd%u, "
        "%%rd1, %%rd%u;\n"
        "\tld.global.u32 \t%%r%u, [%%rd%u+%u];\n\tld.global.nc.v2.f32 \t{%%f%u, %%f%u}, [%%rd%u];\n"
        "\tfma.rn.f32 \t%%f%u, %%f%u, 0f3F800000, %%f%u;\n\tsetp.ge.s32 \t%%p%u, %%r%u, %u;\n"
        "\t@%%p%u bra \t$L__BB%u_%u;\n\tadd.s32 \t%%r%u, %%r%u, -%u;\n\tst.global.f32 \t[%%rd%u], "
        "%%f%u;\n"
        "\tshl.b32 \t%%r%u, %%r%u, 2;\n\tmad.lo.s32 \t%%r%u, %%r2, %%r%u, %%r3;\n\n",
        k, b, b + 10, d, r, d + 1, d, r + 1, d + 1, b * 8, r, r + 1, d, r + 2, r, r + 1, b % 7, r,
        b, b % 7, k, b + 1, r, r + 1, b, d + 1, r + 2, r, r + 1, r + 2, r);
}

static char *text_make(size_t bytes, size_t *size)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, size);
    if (out == NULL) {
        measure_fail("out of memory");
    }
    fputs(head, out);
    for (unsigned k = 0; (size_t)ftell(out) < bytes; k++) {
        fprintf(out,
                "\t// .globl\t_Z6kernel%u\n.visible .entry _Z6kernel%uPfi(\n\t.param .u64 "
                "_Z6kernel%uPfi_param_0,\n"
                "\t.param .u32 _Z6kernel%uPfi_param_1\n)\n{\n\t.reg .pred \t%%p<8>;\n\t.reg .f32 "
                "\t%%f<50>;\n"
                "\t.reg .b32 \t%%r<50>;\n\t.reg .b64 \t%%rd<30>;\n\n\tld.param.u64 \t%%rd1, "
                "[_Z6kernel%uPfi_param_0];\n",
                k, k, k, k, k);
        for (unsigned b = 0; b < BLOCKS; b++) {
            block_write(out, k, b);
        }
        fprintf(out, "$L__BB%u_%u:\n\tret;\n\n}\n", k, BLOCKS);
    }
    if (fclose(out) != 0) {
        measure_fail("out of memory");
    }
    return text;
}

/* Parses the text, then rewrites it if `rewriting` is true. Returns the CPU time in seconds. */
static double parse(const char *text, size_t size, bool rewriting)
{
    char error[PTX_ERROR_MAX];
    double begin = measure_cpu_seconds();
    struct ptx_module *module = ptx_parse(text, size, error);
    struct rewrite_result *result =
        module && rewriting ? rewrite_module(module, NULL, error) : NULL;
    if (module == NULL || (rewriting && result == NULL)) {
        measure_fail("%s", error);
    }
    rewrite_free(result);
    ptx_free(module);
    return measure_cpu_seconds() - begin;
}

static unsigned megabytes = 20, runs = 5;

static const tw_optdef table[] = {
    TWOPT_GROUP("Speed of the parser and the rewriter of PTX"),
    TWOPT_UINT("megabytes", megabytes, "<1..1000> size of the text"),
    TWOPT_UINT("runs", runs, "<1..> turns, of which the best counts"),
    TWOPT_END(),
};

static void run(void)
{
    size_t size;
    char *text = text_make((size_t)megabytes * 1000000, &size);
    for (int rewriting = 0; rewriting < 2; rewriting++) {
        double best = 0;
        for (unsigned i = 0; i < runs; i++) {
            double seconds = parse(text, size, rewriting != 0);
            best = i == 0 || seconds < best ? seconds : best;
        }
        printf("%-20s %8.1f MB/s\n", rewriting ? "parse and rewrite" : "parse",
               (double)size / best / 1e6);
    }
    free(text);
}

const struct measure_program measure_program = {
    "Megabytes of PTX per second of CPU time, on one core.", table, run};
