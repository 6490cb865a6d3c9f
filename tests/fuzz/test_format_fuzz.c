/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Hostile record files. For any bytes, the decoder must not crash, read outside of its input, take
 * memory without bound or run for ever. Without valid checksums it must not accept a changed file.
 *
 * As a test it changes small files at random, and corrects the checksums in half of the cases, so
 * that the code behind the checks is reached: WS_TEST_ROUNDS changes (default 4000) from
 * WS_TEST_SEED. For libFuzzer build it with clang -DWS_LIBFUZZER
 * -fsanitize=fuzzer,address,undefined; its arguments are files or directories to start from.
 *
 * test: libs=warpscope_format timeout=300 alone=yes
 */
#include "support/format_example.h"
#include "support/format_hostile.h"
#include "support/format_memory.h"
#include "support/format_reseal.h"
#include "support/suite.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Reads the bytes strictly and otherwise. Returns the result that is not strict. */
static struct look read_bytes(uint8_t *bytes, size_t size)
{
    struct memory_io m;
    memory_io_init(&m);
    m.bytes = bytes;
    m.size = m.capacity = size;
    look_through(&m.io, true);
    return look_through(&m.io, false);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *copy = malloc(size + 1);
    memcpy(copy, data, size);
    read_bytes(copy, size);
    reseal_file(copy, size);
    read_bytes(copy, size);
    free(copy);
    return 0;
}

#ifndef WS_LIBFUZZER

/* One round on a copy of the file. Returns false if a change without corrected checksums was not
 * noticed. */
static bool round_run(uint64_t *seed, const struct memory_io *file, const struct look *right)
{
    size_t size = file->size;
    uint8_t *bytes = malloc(size);
    memcpy(bytes, file->bytes, size);
    for (uint64_t n = 1 + random_below(seed, 4); n > 0; n--) {
        hostile_change(seed, bytes, &size);
    }
    bool reseal = random_below(seed, 2);
    if (reseal) {
        reseal_file(bytes, size);
    }
    struct look look = read_bytes(bytes, size);
    free(bytes);
    return reseal || look.faults > 0 || look.hash == right->hash;
}

int main(void)
{
    static const struct example examples[] = {
        {.n_pes = 2, .rows_per_pe = 40, .extent_size = 8192, .described = true},
        {.n_pes = 1, .rows_per_pe = 900, .extent_size = 4096, .described = true},
        {.n_pes = 4, .rows_per_pe = 200, .extent_size = 4096},
    };
    const char *given = getenv("WS_TEST_ROUNDS");
    unsigned long rounds = given == NULL ? 4000 / suite_step(8) : strtoul(given, NULL, 10),
                  unnoticed = 0;
    uint64_t seed = suite_seed();
    suite_print_seed("format_fuzz", seed);
    for (size_t i = 0; i < 3; i++) {
        struct memory_io file;
        memory_io_init(&file);
        if (example_write(&file.io, &examples[i], NULL) != FMT_OK) {
            return EXIT_FAILURE;
        }
        struct look right = look_through(&file.io, true);
        if (right.faults != 0 || right.records != example_records(&examples[i])) {
            return EXIT_FAILURE;
        }
        for (unsigned long k = 0; k < rounds / 3; k++) {
            unnoticed += !round_run(&seed, &file, &right);
        }
        memory_io_fini(&file);
    }
    printf("%lu changed files read, %lu called good wrongly\n", rounds, unnoticed);
    return unnoticed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

#endif
