/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * make_causal.c - writes a trace of committed events that name their causes; see causal_trace.h.
 *
 *     make_causal FILE [shape=random|zero|ring|independent|phold] [lps=N] [pes=N] [events=N]
 *         [seed=N] [timed=N] [marked=N] [self=N] [payload=1] [old=1] [mode=3] [round_robin=1] [harm=N]
 */
/* test: libs=warpscope_format */
#include "support/causal_trace.h"

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

static enum causal_shape shape(int argc, char **argv)
{
    static const char *const names[] = {"shape=random", "shape=zero", "shape=ring",
                                        "shape=independent", "shape=phold"};
    for (int i = 2; i < argc; i++) {
        for (int k = 0; k < 5; k++) {
            if (strcmp(argv[i], names[k]) == 0) {
                return (enum causal_shape)k;
            }
        }
    }
    return CAUSAL_RANDOM;
}

int main(int argc, char **argv)
{
    struct causal_trace t;
    char mode[32];
    if (argc < 2) {
        return 2;
    }
    struct causal_options o = {.shape = shape(argc, argv),
                               .lps = (uint32_t)number(argc, argv, "lps", 8),
                               .pes = (uint32_t)number(argc, argv, "pes", 1),
                               .events = number(argc, argv, "events", 200),
                               .seed = number(argc, argv, "seed", 1),
                               .timed = (uint32_t)number(argc, argv, "timed", 0),
                               .marked = (uint32_t)number(argc, argv, "marked", 0),
                               .self = (uint32_t)number(argc, argv, "self", 0),
                               .old = number(argc, argv, "old", 0) != 0,
                               .payload = number(argc, argv, "payload", 0) != 0,
                               .round_robin = number(argc, argv, "round_robin", 0) != 0};
    snprintf(mode, sizeof mode, "%u", (unsigned)number(argc, argv, "mode", 3));
    causal_make(&t, &o);
    causal_harm(&t, number(argc, argv, "harm", 0));
    bool good = causal_write(&t, argv[1], mode);
    causal_free(&t);
    return good ? 0 : 1;
}
