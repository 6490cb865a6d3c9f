/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fat binaries: the right PTX of several, all compressions, and damaged containers, which give an error and read no
 * byte outside.
 *
 * test: libs=warpscope_cuda_runtime
 */
#include <lz4.h>
#include <stdio.h>

#include "runtime/fatbin.h"
#include "support/cuda_calls.h"
#include "support/suite.h"

static const char text[] =
    "\n.version 7.5\n.target sm_75\n.address_size 64\n// a text that repeats repeats repeats\n";

static enum fatbin_result read_it(const unsigned char *data, size_t size, unsigned architecture,
                                  char *found, size_t room)
{
    struct fatbin_ptx ptx;
    char error[FATBIN_ERROR_MAX];
    enum fatbin_result result = fatbin_ptx(data, size, architecture, &ptx, error);
    CU_ASSERT_EQUAL(result == FATBIN_DAMAGED, error[0] != '\0');
    if (result == FATBIN_FOUND) {
        snprintf(found, room, "%u:%u:%s", ptx.version, ptx.architecture, ptx.text);
        CU_ASSERT_EQUAL(strlen(ptx.text), ptx.size);
        free(ptx.text);
    }
    return result;
}

static void test_choice(void)
{
    size_t size = 0;
    char found[512];
    unsigned char *c = cuda_entry(NULL, &size, CUDA_ELF, 90, "\177ELF", 4, 0, 0);
    CU_ASSERT_EQUAL(read_it(c, size, 90, found, sizeof found), FATBIN_NO_PTX);
    c = cuda_entry(c, &size, CUDA_PTX, 75, "seven", 5, 0, 0);
    c = cuda_entry(c, &size, CUDA_PTX, 100, "ten", 3, 0, 0);
    c = cuda_entry(c, &size, CUDA_PTX, 80, "eight", 5, 0, 0);
    CU_ASSERT_EQUAL(read_it(c, size, 90, found, sizeof found), FATBIN_FOUND);
    CU_ASSERT_STRING_EQUAL(found, "75:80:eight");
    CU_ASSERT_EQUAL(read_it(c, FATBIN_SIZE_UNKNOWN, 75, found, sizeof found), FATBIN_FOUND);
    CU_ASSERT_STRING_EQUAL(found, "75:75:seven");
    CU_ASSERT_EQUAL(read_it(c, size, 50, found, sizeof found), FATBIN_FOUND);
    CU_ASSERT_STRING_EQUAL(found, "75:75:seven");
    free(c);
}

/* nvcc 13 compressed the text by zstd (--compress-mode=size); the tests' build may lack the library. */
static void test_compression(void)
{
    char packed[512], found[512], expected[512];
    size_t size = 0;
    int n = LZ4_compress_default(text, packed, sizeof text, sizeof packed);
    CU_ASSERT_TRUE_FATAL(n > 0);
    snprintf(expected, sizeof expected, "75:75:%s", text);
    unsigned char *c =
        cuda_entry(NULL, &size, CUDA_PTX, 75, packed, (size_t)n, 0x2000, sizeof text);
    CU_ASSERT_EQUAL(read_it(c, size, 90, found, sizeof found), FATBIN_FOUND);
    CU_ASSERT_STRING_EQUAL(found, expected);
    cuda_put(c + CUDA_HEADER + 56, sizeof text + 1, 8);
    CU_ASSERT_EQUAL(read_it(c, size, 90, found, sizeof found), FATBIN_DAMAGED);
    cuda_put(c + CUDA_HEADER + 56, (uint64_t)1 << 40, 8); /* a bomb */
    CU_ASSERT_EQUAL(read_it(c, size, 90, found, sizeof found), FATBIN_DAMAGED);
    free(c);

    /* One raw block of 11 bytes in a zstd frame with its size. */
    static const unsigned char frame[] = {0x28, 0xb5, 0x2f, 0xfd, 0x20, 11,  0x59, 0x00, 0x00, 't',
                                          'e',  'x',  't',  ' ',  'i',  'n', ' ',  'z',  's',  't'};
    size = 0;
    c = cuda_entry(NULL, &size, CUDA_PTX, 75, frame, sizeof frame, 0x8000, 11);
    enum fatbin_result result = read_it(c, size, 90, found, sizeof found);
    CU_ASSERT_TRUE(result == FATBIN_FOUND || result == FATBIN_UNSUPPORTED);
    if (result == FATBIN_FOUND) {
        CU_ASSERT_STRING_EQUAL(found, "75:75:text in zst");
        cuda_put(c + CUDA_HEADER + 56, 12, 8);
        CU_ASSERT_EQUAL(read_it(c, size, 90, found, sizeof found), FATBIN_DAMAGED);
    }
    free(c);
}

static void test_truncated(void)
{
    size_t size = 0;
    char found[512];
    unsigned char *c = cuda_entry(NULL, &size, CUDA_PTX, 75, text, sizeof text, 0, 0);
    for (size_t n = 0; n < size; n++) {
        unsigned char *part = malloc(n + 1); /* the sanitizer sees reads beyond n */
        memcpy(part, c, n);
        CU_ASSERT_EQUAL(read_it(part, n, 90, found, sizeof found), FATBIN_DAMAGED);
        free(part);
    }
    c[0] ^= 1;
    CU_ASSERT_EQUAL(read_it(c, size, 90, found, sizeof found), FATBIN_DAMAGED);
    free(c);
}

/* Any bytes in the headers: an error or a text, and no access outside. */
static void test_mutated(void)
{
    uint64_t seed = suite_seed();
    suite_print_seed("test_mutated", seed);
    char packed[512], found[4096];
    int n = LZ4_compress_default(text, packed, sizeof text, sizeof packed);
    for (int round = 0; round < 20000; round++) {
        size_t size = 0;
        unsigned char *c = cuda_entry(NULL, &size, CUDA_ELF, 90, "\177ELF", 4, 0, 0);
        c = cuda_entry(c, &size, CUDA_PTX, 75, packed, (size_t)n, 0x2000, sizeof text);
        for (int k = 0; k < 3; k++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            size_t at = 4 + (size_t)(seed >> 33) % (size - 4);
            c[at] = (unsigned char)(seed >> 25);
        }
        unsigned char *copy = malloc(size);
        memcpy(copy, c, size);
        read_it(copy, size, 90, found, sizeof found);
        free(copy);
        free(c);
    }
}

int main(void)
{
    static const CU_TestInfo tests[] = {{"the best PTX", test_choice},
                                        {"compressed texts", test_compression},
                                        {"truncated containers", test_truncated},
                                        {"mutated containers", test_mutated}};
    return suite_run("fat binaries", tests, sizeof tests / sizeof tests[0]);
}
