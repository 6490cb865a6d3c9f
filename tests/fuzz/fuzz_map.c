/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Maps of LPs on hostile input. For any text, reading ends; an error has a message of one line. A
 * map that is accepted gives each LP a rank of the run, and a KP of the rank or none.
 */
#include <stdio.h>

#include "fuzz/fuzz_promise.h"
#include "text/map_text.h"

#define LPS   40u
#define RANKS 5u
#define KPS   7u

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint32_t rank_of[LPS], kp_of[LPS];
    const struct id_set lps = {.n = LPS};
    struct map_text map = {.path = "map",
                           .lps = &lps,
                           .n_ranks = RANKS,
                           .n_kps = KPS,
                           .rank_of = rank_of,
                           .kp_of = kp_of};
    char *copy = fuzz_string(data, size);
    FILE *file = size > 0 ? fmemopen(copy, size, "r") : NULL;
    if (file == NULL) {
        free(copy);
        return 0;
    }
    if (!map_text_read(&map, file)) {
        promise_message(map.error, sizeof map.error);
    } else {
        for (uint32_t lp = 0; lp < LPS; lp++) {
            promise(rank_of[lp] < RANKS, "each LP has a rank of the run");
            promise(kp_of[lp] < KPS || kp_of[lp] == MAP_TEXT_NONE, "a KP is one of the rank");
        }
    }
    fclose(file);
    free(copy);
    return 0;
}
