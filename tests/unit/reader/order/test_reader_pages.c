/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays in bounded memory, against plain arrays; their temporary files. */
/* test: libs=warpscope_reading */
#include <string.h>
#include <unistd.h>

#include "order/pages.h"
#include "order/temp_file.h"
#include "support/suite.h"

#define PAGES 7u

static uint64_t seed;

/* Compares an array of elements of some size with a plain one. memory: bytes for pages. */
static void pages_compare(size_t element, size_t memory)
{
    struct ws_pages pages = {.file.fd = -1};
    bool failed = false;
    const uint64_t n = PAGES * (WS_PAGE_BYTES / element);
    char *expected = calloc(n, element);
    bool good = expected != NULL && ws_pages_init(&pages, element, n, memory, &failed);
    CU_ASSERT_FATAL(good);
    for (uint32_t step = 0; step < 3000 && good; step++) {
        const uint64_t i = random_below(&seed, n);
        const bool changes = step % 3 > 0;
        char *at = changes ? ws_pages_at(&pages, i) : NULL;
        const char *old = changes ? at : ws_pages_get(&pages, i);
        good = !failed && memcmp(old, expected + i * element, element) == 0;
        if (good && changes) {
            memset(at, (int)random_below(&seed, 256), element);
            memcpy(expected + i * element, at, element);
        }
    }
    for (uint64_t i = 0; i < n && good; i++) {
        const char *at = ws_pages_get(&pages, i);
        good = !failed && memcmp(at, expected + i * element, element) == 0;
    }
    CU_ASSERT(good);
    CU_ASSERT(ws_pages_check(&pages));
    CU_ASSERT_EQUAL(pages.kept_max < pages.n_pages, pages.file.fd >= 0);
    ws_pages_free(&pages);
    free(expected);
}

static void test_pages(void)
{
    static const size_t sizes[] = {1, 8, 40, 1000};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        pages_compare(sizes[i], 0);
        pages_compare(sizes[i], 4 * WS_PAGE_BYTES);
        pages_compare(sizes[i], 100 * WS_PAGE_BYTES);
    }
}

/* Makes an array of three pages, of which two stay in memory, in a directory. */
static void pages_make(struct ws_pages *pages, const char *folder, bool *failed)
{
    char *kept = getenv("TMPDIR") == NULL ? NULL : strdup(getenv("TMPDIR"));
    *failed = false;
    CU_ASSERT_FATAL(ws_pages_init(pages, 8, 3 * WS_PAGE_BYTES / 8 - 1, 0, failed));
    if (folder != NULL) {
        setenv("TMPDIR", folder, 1);
    }
    for (uint64_t i = 0; i < 8; i++) {
        memset(ws_pages_at(pages, (i % 3) << pages->bits), 1, 8);
    }
    if (kept == NULL) {
        unsetenv("TMPDIR");
    } else {
        setenv("TMPDIR", kept, 1);
    }
    free(kept);
}

/* Returns true if the element of the page that is not in memory is zero. */
static bool is_lost(struct ws_pages *pages)
{
    const uint64_t *at = ws_pages_at(pages, 2u << pages->bits);
    return *at == 0;
}

static void test_without_directory(void)
{
    struct ws_pages pages;
    bool failed;
    pages_make(&pages, "/no/such/directory", &failed);
    CU_ASSERT(failed && is_lost(&pages));
    CU_ASSERT_PTR_NOT_NULL(strstr(pages.file.error, "No such file or directory"));
    ws_pages_free(&pages);
}

/* A page that is missing from the temporary file is no lack of space on the disk. */
static void test_shortened(void)
{
    struct ws_pages pages;
    bool failed;
    pages_make(&pages, NULL, &failed);
    CU_ASSERT_FATAL(!failed);
    CU_ASSERT_EQUAL(ftruncate(pages.file.fd, 0), 0);
    CU_ASSERT(is_lost(&pages) && failed && is_lost(&pages)); /* at both accesses */
    CU_ASSERT_PTR_NOT_NULL(strstr(pages.file.error, "cannot read a temporary file in"));
    CU_ASSERT_PTR_NOT_NULL(strstr(pages.file.error, "it has become shorter"));
    CU_ASSERT_PTR_NULL(strstr(pages.file.error, "TMPDIR"));
    ws_pages_free(&pages);
}

static void test_temp_file(void)
{
    struct ws_temp temp = {.fd = -1};
    char text[8];
    CU_ASSERT_FATAL(ws_temp_write(&temp, "01234567", 8, 100));
    CU_ASSERT(ws_temp_read(&temp, text, 4, 102));
    CU_ASSERT_NSTRING_EQUAL(text, "2345", 4);
    CU_ASSERT_STRING_EQUAL(temp.error, "");
    CU_ASSERT_FALSE(ws_temp_read(&temp, text, 8, 101));
    CU_ASSERT_PTR_NOT_NULL(strstr(temp.error, "it has become shorter"));
    close(temp.fd);
    CU_ASSERT_FALSE(ws_temp_write(&temp, text, 1, 0));
    CU_ASSERT_PTR_NOT_NULL(strstr(temp.error, "cannot write to a temporary file in"));
}

int main(void)
{
    CU_TestInfo tests[] = {{"paged elements", test_pages},
                           {"no directory for temporary files", test_without_directory},
                           {"a temporary file that was shortened", test_shortened},
                           {"temporary files", test_temp_file}};
    seed = suite_seed();
    suite_print_seed("reader_pages", seed);
    return suite_run("reader_pages", tests, sizeof tests / sizeof tests[0]);
}
