/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fuzz_replay - the inputs of tests/fuzz/corpus, and WS_TEST_ROUNDS random changes of them (default
 * 2000, from WS_TEST_SEED), through fuzz_reader.c: where clang's fuzzer is not there, and for a
 * look at one input:
 *
 *   fuzz_replay [ROUNDS] FILE-or-FOLDER...
 *
 * Standard output and error of what is tested are dropped.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/suite.h"

#define FILES_MAX 4096u
#define SIZE_MAX_ ((size_t)1 << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed);

struct corpus {
    uint8_t *bytes[FILES_MAX];
    size_t sizes[FILES_MAX];
    size_t n;
};

/* Stands in for libFuzzer's: one or two bytes become others. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size)
{
    static uint64_t state = 1;
    for (uint64_t n = 1 + random_below(&state, 2); size > 0 && n > 0; n--) {
        uint64_t bits = random_bits(&state);
        data[bits % size] = (uint8_t)(bits >> (bits >> 40 & 1 ? 48 : 56));
    }
    return size < max_size ? size : max_size;
}

static int file_add(struct corpus *corpus, const char *path)
{
    FILE *f = fopen(path, "rb");
    uint8_t *bytes = malloc(SIZE_MAX_);
    if (f == NULL || bytes == NULL || corpus->n == FILES_MAX) {
        perror(path);
        return -1;
    }
    corpus->sizes[corpus->n] = fread(bytes, 1, SIZE_MAX_, f);
    corpus->bytes[corpus->n++] = bytes;
    return fclose(f);
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int path_add(struct corpus *corpus, const char *path)
{
    struct dirent **names;
    struct stat st;
    int status = 0;
    if (stat(path, &st) != 0 || !S_ISDIR(st.st_mode)) {
        return file_add(corpus, path);
    }
    int n = scandir(path, &names, NULL, by_name);
    for (int i = 0; i < n; i++) {
        char name[4096];
        snprintf(name, sizeof name, "%s/%s", path, names[i]->d_name);
        if (names[i]->d_name[0] != '.') {
            status |= file_add(corpus, name);
        }
        free(names[i]);
    }
    free(names);
    return n < 0 ? -1 : status;
}

static void rounds_run(const struct corpus *corpus, unsigned long rounds, uint64_t seed)
{
    uint8_t *bytes = malloc(SIZE_MAX_);
    for (unsigned long i = 0; i < rounds; i++) {
        size_t k = (size_t)random_below(&seed, corpus->n), size = corpus->sizes[k];
        memcpy(bytes, corpus->bytes[k], size);
        for (uint64_t n = 1 + random_below(&seed, 3); n > 0; n--) {
            size = LLVMFuzzerCustomMutator(bytes, size, SIZE_MAX_, (unsigned)random_bits(&seed));
        }
        LLVMFuzzerTestOneInput(bytes, size);
    }
    free(bytes);
}

int main(int argc, char **argv)
{
    static struct corpus corpus;
    const char *given = getenv("WS_TEST_ROUNDS");
    unsigned long rounds = given == NULL ? 0 : strtoul(given, NULL, 10);
    uint64_t seed = suite_seed();
    int first = 1, status = 0;
    if (argc > 1 && argv[1][0] >= '0' && argv[1][0] <= '9') {
        rounds = given == NULL ? strtoul(argv[1], NULL, 10) : rounds;
        first = 2;
    }
    suite_print_seed("fuzz_replay", seed);
    for (int i = first; i < argc; i++) {
        status |= path_add(&corpus, argv[i]);
    }
    if (status != 0 || corpus.n == 0) {
        fputs("fuzz_replay: needs files or folders that can be read\n", stderr);
        return EXIT_FAILURE;
    }
    printf("%zu inputs, %lu changed ones\n", corpus.n, rounds);
    fflush(stdout);
    int out = dup(STDOUT_FILENO), null = open("/dev/null", O_WRONLY);
    dup2(null, STDOUT_FILENO);
    if (rounds > 0) {
        dup2(null, STDERR_FILENO);
    }
    for (size_t i = 0; i < corpus.n; i++) {
        LLVMFuzzerTestOneInput(corpus.bytes[i], corpus.sizes[i]);
    }
    rounds_run(&corpus, rounds, seed);
    dprintf(out, "all done\n");
    for (size_t i = 0; i < corpus.n; i++) {
        free(corpus.bytes[i]);
    }
    return EXIT_SUCCESS;
}
