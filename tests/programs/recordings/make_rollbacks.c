/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * make_rollbacks.c - writes a trace of rollbacks of any length; see rollback_trace.h.
 *
 *     make_rollbacks FILE [pes=N] [lps=N] [n=N] [seed=N] [secondary=N] [missing=N] [gap=N]
 *         [circles=N] [back=N]
 */
/* test: libs=warpscope_format */
#include "support/rollback_trace.h"

static uint64_t number(int argc, char **argv, const char *name, uint64_t otherwise)
{
    size_t n = strlen(name);
    for (int i = 2; i < argc; i++) {
        if (strncmp(argv[i], name, n) == 0 && argv[i][n] == '=') {
            return strtoull(argv[i] + n + 1, NULL, 0);
        }
    }
    return otherwise;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        return 2;
    }
    const struct rollback_options o = {.pes = (uint32_t)number(argc, argv, "pes", 2),
                                       .lps = (uint32_t)number(argc, argv, "lps", 64),
                                       .n = number(argc, argv, "n", 1000),
                                       .seed = number(argc, argv, "seed", 1),
                                       .secondary = (uint32_t)number(argc, argv, "secondary", 60),
                                       .missing = (uint32_t)number(argc, argv, "missing", 0),
                                       .gap = number(argc, argv, "gap", 0),
                                       .circles = (uint32_t)number(argc, argv, "circles", 0),
                                       .back = number(argc, argv, "back", 0)};
    return rollback_write(&o, argv[1]) ? 0 : 1;
}
