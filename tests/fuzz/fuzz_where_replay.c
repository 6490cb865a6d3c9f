/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fuzz_where_replay N: what the fuzzer fuzz_where does with one input, with N random ones made of
 * words of the language, and with cut and changed bytes.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/suite.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int main(int argc, char **argv)
{
    static const char *const words[] = {
        "a",      "b",    "c",       "hops",   "name",       "load_0", "payload.hops",
        "record", "type", "lp_type", "router", "nothing",    "0",      "1",
        "-2",     "1e9",  "0.5",     "'hop'",  "\"router\"", "''",     "==",
        "!=",     "<",    "<=",      ">",      ">=",         "&&",     "||",
        "!",      "(",    ")",       " ",      "(((",        ")))",    "'",
        "=",      "&",    "\xc3\xa4"};
    unsigned long rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000;
    uint64_t seed = suite_seed();
    suite_print_seed("fuzz_where", seed);
    for (unsigned long round = 0; round < rounds; round++) {
        char text[512] = "";
        size_t length = 0;
        uint64_t n = random_below(&seed, 24);
        for (uint64_t i = 0; i < n; i++) {
            const char *word = words[random_below(&seed, sizeof words / sizeof words[0])];
            length += (size_t)snprintf(text + length, sizeof text - length, "%s", word);
        }
        if (length > 0 && random_below(&seed, 4) == 0) {
            text[random_below(&seed, length)] = (char)random_below(&seed, 256);
        }
        LLVMFuzzerTestOneInput((const uint8_t *)text, length);
    }
    printf("%lu expressions\n", rounds);
    return 0;
}
