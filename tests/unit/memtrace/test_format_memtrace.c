/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory traces: written traces are read back by every function. A truncated file, changed bytes
 * and a full disk are errors with the right offset. A file appears complete or not at all.
 */
/* test: libs=warpscope_memtrace_format */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "format/memtrace.h"
#include "support/root_dir.h"
#include "support/suite.h"

#define PATH         "memtrace-format.trc"
#define LAUNCHES_MAX 20u
#define RECORDS_MAX  3000u

static struct memtrace_access accesses[RECORDS_MAX];
static char names[LAUNCHES_MAX][MEMTRACE_NAME_MAX + 1];
static size_t firsts[LAUNCHES_MAX + 1]; /* of a launch */
static uint32_t n_launches;

static void trace_make(uint64_t *seed, size_t records)
{
    size_t n = 0;
    n_launches = 1 + (uint32_t)random_below(seed, LAUNCHES_MAX);
    for (uint32_t l = 0; l < n_launches; l++) {
        size_t length = l == 0 ? MEMTRACE_NAME_MAX : 1 + random_below(seed, 30);
        for (size_t i = 0; i < length; i++) {
            names[l][i] = (char)(11 + random_below(seed, 240));
        }
        names[l][length] = '\0';
        firsts[l] = n;
        for (uint64_t k = random_below(seed, records / n_launches + 1); k > 0; k--) {
            accesses[n++] =
                (struct memtrace_access){.address = random_bits(seed),
                                         .cta = random_bits(seed),
                                         .sm = (uint32_t)random_bits(seed),
                                         .size = 1 + (uint32_t)random_below(seed, 0xfffffff),
                                         .type = (uint32_t)random_below(seed, 15)};
        }
    }
    firsts[n_launches] = n;
}

static bool trace_write(const char *path)
{
    char error[256];
    struct memtrace_writer *w = memtrace_writer_create(path);
    uint64_t size = 1;
    CU_ASSERT_PTR_NOT_NULL_FATAL(w);
    for (uint32_t l = 0; l < n_launches; l++) {
        CU_ASSERT(memtrace_writer_launch(w, names[l]));
        size += strlen(names[l]) + 2;
        for (size_t i = firsts[l]; i < firsts[l + 1]; i++, size += MEMTRACE_RECORD_SIZE) {
            CU_ASSERT(memtrace_writer_add(w, &accesses[i]));
        }
        CU_ASSERT_EQUAL(memtrace_writer_offset(w), size);
        size += MEMTRACE_RECORD_SIZE;
    }
    return memtrace_writer_close(w, error, sizeof error);
}

static bool access_equal(const struct memtrace_access *a, const struct memtrace_access *b)
{
    return a->address == b->address && a->cta == b->cta && a->sm == b->sm && a->size == b->size &&
           a->type == b->type;
}

/* Reads all, some accesses at a time. */
static void trace_compare(uint64_t *seed)
{
    char error[256];
    struct memtrace_access got[100];
    struct memtrace_reader *r = memtrace_reader_open(PATH, error, sizeof error);
    CU_ASSERT_PTR_NOT_NULL_FATAL(r);
    size_t at = 0;
    uint32_t launches = 0;
    enum memtrace_item item;
    while ((item = memtrace_reader_next(r, got)) < MEMTRACE_ITEM_END) {
        if (item == MEMTRACE_ITEM_LAUNCH) {
            CU_ASSERT_EQUAL(at, firsts[launches]);
            CU_ASSERT_STRING_EQUAL(memtrace_reader_kernel(r), names[launches]);
            CU_ASSERT_EQUAL(memtrace_reader_superstep(r), launches);
            launches++;
        } else {
            CU_ASSERT(at < RECORDS_MAX && access_equal(&accesses[at], got));
            at++;
        }
        size_t n = memtrace_reader_accesses(r, got, (size_t)random_below(seed, 100));
        for (size_t i = 0; i < n; i++, at++) {
            CU_ASSERT(access_equal(&accesses[at], &got[i]));
        }
    }
    CU_ASSERT_EQUAL(item, MEMTRACE_ITEM_END);
    CU_ASSERT_EQUAL(memtrace_reader_next(r, got), MEMTRACE_ITEM_END);
    CU_ASSERT_EQUAL(at, firsts[n_launches]);
    CU_ASSERT_EQUAL(launches, n_launches);
    struct stat st;
    CU_ASSERT_EQUAL(stat(PATH, &st), 0);
    CU_ASSERT_EQUAL(memtrace_reader_offset(r), (uint64_t)st.st_size);
    memtrace_reader_close(r);
}

static void test_round_trip(void)
{
    uint64_t seed = suite_seed();
    suite_print_seed("round trip", seed);
    for (int i = 0; i < 30; i++) {
        trace_make(&seed, i % 2 == 0 ? RECORDS_MAX : 20);
        CU_ASSERT(trace_write(PATH));
        trace_compare(&seed);
    }
    unlink(PATH);
}

/* The documented bytes. */
static void test_bytes(void)
{
    static const uint8_t expected[] = {
        24,   '\n', 'k',  '\n', 4, 0, 0, 0x10, 7, 0, 0, 0, 0x88, 0x77, 0x66, 0x55,
        0x44, 0x33, 0x22, 0x11, /* CTA 0x10002, 3, 4 */
        4,    0,    3,    0,    2, 0, 1, 0,    0, 0, 0, 0, 0,    0,    0,    0,
        0,    0,    0,    0,    0, 0, 0, 0,    0, 0, 0, 0, 0,    0,    0,    0};
    const struct memtrace_access a = {0x1122334455667788u, memtrace_cta(0x10002, 3, 4), 7, 4,
                                      MEMTRACE_STORE};
    uint8_t got[sizeof expected + 1];
    char error[256];
    struct memtrace_writer *w = memtrace_writer_create(PATH);
    CU_ASSERT(memtrace_writer_launch(w, "k") && memtrace_writer_add(w, &a));
    CU_ASSERT(memtrace_writer_close(w, error, sizeof error));
    FILE *f = fopen(PATH, "rb");
    CU_ASSERT_EQUAL(fread(got, 1, sizeof got, f), sizeof expected);
    fclose(f);
    CU_ASSERT_EQUAL(memcmp(got, expected, sizeof expected), 0);
    unlink(PATH);
}

/* ---- Errors ---------------------------------------------------------------------------------- */

/* Returns the error for a file of these bytes, without its path; "" for none. */
static const char *error_of(const void *bytes, size_t size)
{
    static char error[512];
    struct memtrace_access a;
    enum memtrace_item item;
    FILE *f = fopen(PATH, "wb");
    fwrite(bytes, 1, size, f);
    fclose(f);
    struct memtrace_reader *r = memtrace_reader_open(PATH, error, sizeof error);
    while ((item = memtrace_reader_next(r, &a)) < MEMTRACE_ITEM_END) {
    }
    snprintf(error, sizeof error, "%s",
             item == MEMTRACE_ITEM_END ? "" : memtrace_reader_error(r) + strlen(PATH) + 2);
    CU_ASSERT_EQUAL(memtrace_reader_next(r, &a), item);
    memtrace_reader_close(r);
    unlink(PATH);
    return error;
}

static bool has(const char *text, const char *part)
{
    bool found = strstr(text, part) != NULL;
    if (!found) {
        printf("'%s' has no '%s'\n", text, part);
    }
    return found;
}

/* Two launches, "a" with a store and an atomic, "bc" with nothing: 1 + 3 + 48 + 24 + 4 + 24. */
#define SMALL_SIZE 104u
static size_t small_make(uint8_t *to)
{
    static const struct memtrace_access two[] = {{0x100, 1, 2, 256, MEMTRACE_STORE},
                                                 {0x200, 1, 2, 4, 14}};
    char error[256];
    struct memtrace_writer *w = memtrace_writer_create(PATH);
    memtrace_writer_launch(w, "a");
    memtrace_writer_add(w, &two[0]);
    memtrace_writer_add(w, &two[1]);
    memtrace_writer_launch(w, "bc");
    CU_ASSERT(memtrace_writer_close(w, error, sizeof error));
    FILE *f = fopen(PATH, "rb");
    size_t n = fread(to, 1, SMALL_SIZE + 1, f);
    fclose(f);
    unlink(PATH);
    return n;
}

/* A file truncated anywhere is an error, except between two launches. */
static void test_cut(void)
{
    uint8_t bytes[SMALL_SIZE + 1];
    char where[64];
    CU_ASSERT_EQUAL(small_make(bytes), SMALL_SIZE);
    CU_ASSERT_STRING_EQUAL(error_of(bytes, SMALL_SIZE), "");
    CU_ASSERT_STRING_EQUAL(error_of(bytes, 76), "");
    CU_ASSERT(has(error_of(bytes, 0), "at byte 0: the file is empty"));
    CU_ASSERT(has(error_of(bytes, 1), "at byte 1: the file has no kernel"));
    for (size_t n = 2; n < SMALL_SIZE; n++) {
        const char *error = n == 76 ? "truncated" : error_of(bytes, n);
        size_t part = n < 4 ? 1 : n < 76 ? (n - 4) / 24 * 24 + 4 : n < 80 ? 76 : 80;
        CU_ASSERT(has(error, "truncated"));
        snprintf(where, sizeof where, "at byte %zu: ", part);
        CU_ASSERT(n == 76 || has(error, where));
    }
    CU_ASSERT(has(error_of(bytes, 80), "end marker of the last kernel (24 zero bytes) is missing"));
    CU_ASSERT(has(error_of(bytes, 103), "at byte 80: the file is truncated: it ends inside the end "
                                        "marker, after 23 of 24 bytes"));
    CU_ASSERT(has(error_of(bytes, 40), "it ends inside a record, after 12 of 24 bytes"));
}

static void test_wrong(void)
{
    uint8_t good[SMALL_SIZE + 1], bytes[SMALL_SIZE + 1];
    small_make(good);
    static const struct {
        size_t at, n;
        uint8_t to;
        const char *error;
    } changes[] = {{0, 1, 25, "at byte 0: the size of a record is 25 instead of 24"},
                   {1, 1, 'x', "at byte 1: a line feed and a kernel's name must follow"},
                   {2, 1, '\n', "at byte 1: a kernel's name is empty"},
                   {2, 1, '\0', "at byte 1: a kernel's name has a zero byte"},
                   {31, 1, 0xf0, "at byte 28: a record of the unknown type 15"},
                   {28, 1, 0, "at byte 28: a record of size 0"},
                   {76, 1, '\r', "at byte 76: a line feed and a kernel's name must follow"},
                   {81, 23, 1, "the file is truncated"}};
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        memcpy(bytes, good, SMALL_SIZE);
        memset(bytes + changes[i].at, changes[i].to, changes[i].n);
        CU_ASSERT(has(error_of(bytes, SMALL_SIZE), changes[i].error));
    }
    static uint8_t name[MEMTRACE_NAME_MAX + 100];
    memset(name, 'n', sizeof name);
    name[0] = 24;
    name[1] = '\n';
    CU_ASSERT(has(error_of(name, sizeof name), "at byte 1: a kernel's name of more than 4095"));
    memset(name + 2 + MEMTRACE_NAME_MAX, 0, 25);
    name[2 + MEMTRACE_NAME_MAX] = '\n';
    CU_ASSERT_STRING_EQUAL(error_of(name, MEMTRACE_NAME_MAX + 2 + 25), "");
}

static void test_open(void)
{
    char error[256] = "";
    struct memtrace_access a;
    CU_ASSERT_PTR_NULL(memtrace_reader_open("no/such/file", error, sizeof error));
    CU_ASSERT(has(error, "no/such/file: cannot open: No such file"));
    struct memtrace_reader *r = memtrace_reader_open(".", error, sizeof error);
    CU_ASSERT_EQUAL(memtrace_reader_next(r, &a), MEMTRACE_ITEM_ERROR);
    CU_ASSERT(has(memtrace_reader_error(r), "is a directory; name the traces in it"));
    memtrace_reader_close(r);
}

/* ---- Writing --------------------------------------------------------------------------------- */

static bool exists(const char *path)
{
    return access(path, F_OK) == 0;
}

static void test_writer_mistakes(void)
{
    static const struct memtrace_access wrong[] = {
        {0, 0, 0, 0, 0}, {0, 0, 0, 1u << 28, 0}, {0, 0, 0, 4, 15}, {0, 0, 0, 4, 0}};
    char error[256];
    for (int i = 0; i < 4; i++) {
        struct memtrace_writer *w = memtrace_writer_create(PATH);
        CU_ASSERT(i == 3 || memtrace_writer_launch(w, "k"));
        CU_ASSERT_FALSE(memtrace_writer_add(w, &wrong[i]));
        CU_ASSERT_FALSE(memtrace_writer_launch(w, "again"));
        CU_ASSERT_FALSE(memtrace_writer_close(w, error, sizeof error));
        CU_ASSERT(has(error, i == 3   ? "before the first launch"
                             : i == 0 ? "of size 0"
                                      : "too great"));
        CU_ASSERT_FALSE(exists(PATH));
    }
    static const char *const bad_names[] = {"", "a\nb"};
    for (int i = 0; i < 2; i++) {
        struct memtrace_writer *w = memtrace_writer_create(PATH);
        CU_ASSERT_FALSE(memtrace_writer_launch(w, bad_names[i]));
        CU_ASSERT_FALSE(memtrace_writer_close(w, error, sizeof error));
    }
    CU_ASSERT_FALSE(memtrace_writer_close(memtrace_writer_create(PATH), error, sizeof error));
    CU_ASSERT(has(error, "no kernel was launched"));
    CU_ASSERT_FALSE(exists(PATH));
    CU_ASSERT_PTR_NULL(memtrace_writer_create("no/such/folder/x"));
    CU_ASSERT_EQUAL(errno, ENOENT);
}

/* An existing file remains until the new one is complete, and if that fails; links remain links. */
static void test_whole_or_not(void)
{
    uint64_t seed = 1;
    char error[256], temp[64];
    struct stat before, after;
    snprintf(temp, sizeof temp, "%s.part-%ld", PATH, (long)getpid());
    trace_make(&seed, 100);
    CU_ASSERT(trace_write(PATH));
    stat(PATH, &before);
    struct memtrace_writer *w = memtrace_writer_create(PATH);
    CU_ASSERT(exists(temp));
    memtrace_writer_launch(w, "k");
    memtrace_writer_discard(w);
    CU_ASSERT_FALSE(exists(temp));
    stat(PATH, &after);
    CU_ASSERT(before.st_ino == after.st_ino && before.st_size == after.st_size);
    CU_ASSERT_EQUAL(symlink(PATH, "memtrace-link"), 0);
    w = memtrace_writer_create("memtrace-link");
    memtrace_writer_launch(w, "k");
    CU_ASSERT(memtrace_writer_close(w, error, sizeof error));
    lstat("memtrace-link", &after);
    CU_ASSERT(S_ISLNK(after.st_mode));
    stat(PATH, &after);
    CU_ASSERT_EQUAL(after.st_size, 28);
    CU_ASSERT_FALSE(exists(temp));
    unlink("memtrace-link");
    unlink(PATH);
}

/* Files of other writers stay unchanged and do no harm. */
static void test_leftovers(void)
{
    char left[64], second[80], error[256], name[64] = "none";
    CU_ASSERT_EQUAL(memtrace_writer_leftovers(PATH, name, sizeof name), 0);
    CU_ASSERT_STRING_EQUAL(name, "none");
    snprintf(left, sizeof left, "%s.part-%ld", PATH, (long)getpid());
    snprintf(second, sizeof second, "%s-2", left);
    FILE *file = fopen(left, "w");
    fputs("left", file);
    fclose(file);
    for (int i = 0; i < 2; i++) {
        struct memtrace_writer *w = memtrace_writer_create(PATH);
        CU_ASSERT_PTR_NOT_NULL_FATAL(w);
        CU_ASSERT(exists(second));
        CU_ASSERT_EQUAL(memtrace_writer_leftovers("./" PATH, name, sizeof name), 2);
        memtrace_writer_launch(w, "k");
        CU_ASSERT(memtrace_writer_close(w, error, sizeof error));
        CU_ASSERT_FALSE(exists(second));
    }
    struct stat st;
    CU_ASSERT(stat(PATH, &st) == 0 && st.st_size == 28);
    CU_ASSERT(stat(left, &st) == 0 && st.st_size == 4);
    CU_ASSERT_EQUAL(memtrace_writer_leftovers(PATH, name, sizeof name), 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(name, left));
    unlink(left);
    unlink(PATH);
    fclose(fopen(PATH ".part-", "w")); /* other names */
    fclose(fopen(PATH ".part-1x", "w"));
    fclose(fopen(PATH ".part-1-", "w"));
    CU_ASSERT_EQUAL(memtrace_writer_leftovers(PATH, name, sizeof name), 0);
    unlink(PATH ".part-");
    unlink(PATH ".part-1x");
    unlink(PATH ".part-1-");
}

static void test_full_disk(void)
{
    uint64_t seed = 2;
    char error[256];
    trace_make(&seed, RECORDS_MAX);
    CU_ASSERT_FALSE(trace_write("/dev/full"));
    struct memtrace_writer *w = memtrace_writer_create("/dev/full");
    CU_ASSERT(memtrace_writer_launch(w, "k"));
    bool good = true;
    for (int i = 0; i < 50000; i++) { /* more than the buffer */
        good = memtrace_writer_add(w, &accesses[0]);
    }
    CU_ASSERT_FALSE(good);
    CU_ASSERT_FALSE(memtrace_writer_close(w, error, sizeof error));
    CU_ASSERT(has(error, "/dev/full: at byte "));
    CU_ASSERT(has(error, "cannot write: No space left on device; the trace is incomplete"));
}

int main(void)
{
    static const CU_TestInfo tests[] = {{"what is written is read", test_round_trip},
                                        {"the bytes", test_bytes},
                                        {"cut anywhere", test_cut},
                                        {"wrong bytes", test_wrong},
                                        {"files that cannot be read", test_open},
                                        {"mistakes of the writer", test_writer_mistakes},
                                        {"whole or not at all", test_whole_or_not},
                                        {"files that were left", test_leftovers},
                                        {"full disk", test_full_disk}};
    return root_suite_run_inside("memory traces", tests, sizeof tests / sizeof tests[0]);
}
