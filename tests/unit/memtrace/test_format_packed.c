/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The packed form of memory traces: what was written is read, by every function, for random accesses and for those of
 * a GPU, which take a small part of version 1. A truncated file and changed bytes are errors, also if their checksums
 * are right, and what is before them can be read.
 *
 * test: libs=warpscope_memtrace_format
 */
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "format/bytes.h"
#include "format/memtrace_pack.h"
#include "fuzz/fuzz_input.h"
#include "support/suite.h"

#define PATH "memtrace-packed.trc"
enum { RECORDS = 100000, SMALL = 300 };

static uint8_t records[RECORDS * MEMTRACE_RECORD_SIZE], file[RECORDS * 32], changed[RECORDS * 32];

static void record_put(size_t i, const struct memtrace_access *a)
{
    uint8_t *p = records + i * MEMTRACE_RECORD_SIZE;
    fmt_put_u64(p, (uint64_t)a->sm << 32 | (uint64_t)a->type << 28 | a->size);
    fmt_put_u64(p + 8, a->address);
    fmt_put_u64(p + 16, a->cta);
}

static struct memtrace_access record_get(size_t i)
{
    const uint8_t *p = records + i * MEMTRACE_RECORD_SIZE;
    uint64_t what = fmt_get_u64(p);
    return (struct memtrace_access){.address = fmt_get_u64(p + 8),
                                    .cta = fmt_get_u64(p + 16),
                                    .sm = (uint32_t)(what >> 32),
                                    .size = (uint32_t)what & MEMTRACE_SIZE_MAX,
                                    .type = (uint32_t)(what >> 28) & 15u};
}

/* Warps load one array and store to another; or any valid accesses. */
static void records_make(uint64_t *seed, bool is_random)
{
    uint32_t cta = 0;
    uint64_t place = 0;
    for (size_t i = 0; i < RECORDS; i++) {
        if (i % 32 == 0) {
            cta = (uint32_t)random_below(seed, 100);
            place = random_below(seed, 1000) * 128;
        }
        struct memtrace_access a = {.address = 0x7f0000000000u + place + i % 32 * 4,
                                    .cta = memtrace_cta(cta, 0, 0),
                                    .sm = cta % 80,
                                    .size = 4,
                                    .type = i / 32 % 3 == 2};
        if (is_random) {
            a = (struct memtrace_access){.address = random_bits(seed),
                                         .cta = random_bits(seed),
                                         .sm = (uint32_t)random_bits(seed),
                                         .size = 1 + (uint32_t)random_below(seed, 0xfffffff),
                                         .type = (uint32_t)random_below(seed, 15)};
        }
        record_put(i, &a);
    }
}

/* Writes a launch for each number of records. Returns the file's size, with its bytes in `file`. */
static size_t trace_write(const size_t *counts, size_t n, uint64_t *seed)
{
    char error[256], name[32];
    struct memtrace_writer *w = memtrace_writer_create_as(PATH, MEMTRACE_PACKED);
    CU_ASSERT_PTR_NOT_NULL_FATAL(w);
    size_t at = 0;
    for (size_t l = 0; l < n; l++) {
        snprintf(name, sizeof name, "kernel<%zu>", l);
        CU_ASSERT(memtrace_writer_launch(w, name));
        for (size_t end = at + counts[l]; at < end;) {
            size_t some = 1 + (size_t)random_below(seed, end - at);
            struct memtrace_access a = record_get(at);
            if (some == 1) {
                CU_ASSERT(memtrace_writer_add(w, &a));
            } else {
                CU_ASSERT(memtrace_writer_records(w, records + at * MEMTRACE_RECORD_SIZE, some));
            }
            CU_ASSERT(random_below(seed, 20) != 0 || memtrace_writer_flush(w));
            at += some;
        }
    }
    CU_ASSERT(memtrace_writer_close(w, error, sizeof error));
    FILE *f = fopen(PATH, "rb");
    size_t size = fread(file, 1, sizeof file, f);
    fclose(f);
    return size;
}

/* Reads the file at PATH up to its end or an error, and compares. Returns the last item; *read: accesses. */
static enum memtrace_item trace_read(uint64_t *seed, size_t *read, size_t *launches)
{
    char error[256];
    struct memtrace_access got[100];
    struct memtrace_reader *r = memtrace_reader_open(PATH, error, sizeof error);
    enum memtrace_item item;
    bool good = true;
    *read = *launches = 0;
    while ((item = memtrace_reader_next(r, got)) < MEMTRACE_ITEM_END) {
        size_t n = item == MEMTRACE_ITEM_ACCESS;
        *launches += item == MEMTRACE_ITEM_LAUNCH;
        do {
            for (size_t i = 0; i < n; i++, ++*read) {
                struct memtrace_access a = record_get(*read);
                good = good && a.address == got[i].address && a.cta == got[i].cta &&
                       a.sm == got[i].sm && a.size == got[i].size && a.type == got[i].type;
            }
            n = memtrace_reader_accesses(r, got, (size_t)random_below(seed, 100));
        } while (n > 0);
    }
    CU_ASSERT(good);
    CU_ASSERT_EQUAL(memtrace_reader_next(r, got), item);
    CU_ASSERT_EQUAL(memtrace_reader_accesses(r, got, 1), 0);
    memtrace_reader_close(r);
    return item;
}

static void bytes_put(const uint8_t *bytes, size_t size)
{
    FILE *f = fopen(PATH, "wb");
    fwrite(bytes, 1, size, f);
    fclose(f);
}

static void round_trip(void)
{
    static const size_t counts[] = {0, 70000, 1, 32, 29967, 0};
    uint64_t seed = suite_seed();
    suite_print_seed("packed", seed);
    for (int is_random = 0; is_random < 2; is_random++) {
        size_t read, launches;
        records_make(&seed, is_random != 0);
        size_t size = trace_write(counts, 6, &seed);
        CU_ASSERT_EQUAL(trace_read(&seed, &read, &launches), MEMTRACE_ITEM_END);
        CU_ASSERT_EQUAL(read, RECORDS);
        CU_ASSERT_EQUAL(launches, 6);
        CU_ASSERT(size < (is_random ? 25u : 3u) * RECORDS);
    }
    unlink(PATH);
}

/* A truncated file is an error everywhere, and the blocks before are read. */
static void cut(void)
{
    static const size_t counts[] = {200, 100};
    uint64_t seed = 5;
    size_t read, launches, before = 0;
    records_make(&seed, false);
    size_t size = trace_write(counts, 2, &seed);
    for (size_t n = 0; n < size; n += n < 100 || n + 60 > size ? 1 : 13) {
        bytes_put(file, n);
        CU_ASSERT_EQUAL(trace_read(&seed, &read, &launches), MEMTRACE_ITEM_ERROR);
        CU_ASSERT(read >= before);
        before = read;
    }
    CU_ASSERT_EQUAL(before, SMALL);
    memcpy(changed, file, size);
    changed[size] = 0;
    bytes_put(changed, size + 1);
    CU_ASSERT_EQUAL(trace_read(&seed, &read, &launches), MEMTRACE_ITEM_ERROR);
    unlink(PATH);
}

/* Reads hostile bytes; nothing is promised about the accesses, except that each is valid. */
static bool hostile_read(void)
{
    char error[256];
    struct memtrace_access got[64];
    struct memtrace_reader *r = memtrace_reader_open(PATH, error, sizeof error);
    enum memtrace_item item;
    while ((item = memtrace_reader_next(r, got)) < MEMTRACE_ITEM_END) {
        size_t n = item == MEMTRACE_ITEM_ACCESS;
        do {
            for (size_t i = 0; i < n; i++) {
                CU_ASSERT(got[i].size > 0 && got[i].type <= MEMTRACE_TYPE_MAX);
            }
            n = memtrace_reader_accesses(r, got, 64);
        } while (n > 0);
    }
    memtrace_reader_close(r);
    return item == MEMTRACE_ITEM_END;
}

static void changes(void)
{
    static const size_t counts[] = {200, 100};
    uint64_t seed = suite_seed();
    suite_print_seed("changes", seed);
    records_make(&seed, false);
    size_t size = trace_write(counts, 2, &seed), resealed_errors = 0;
    for (int i = 0; i < 300; i++) {
        memcpy(changed, file, size);
        size_t at = random_below(&seed, size);
        changed[at] = (uint8_t)(changed[at] + 1 + random_below(&seed, 255));
        bytes_put(changed, size);
        if (at != 0) { /* the first byte is that of version 1, or of no trace */
            CU_ASSERT_FALSE(hostile_read());
        }
        for (int k = 0; k < 3; k++) {
            changed[random_below(&seed, size)] = (uint8_t)random_bits(&seed);
        }
        memcpy(changed, MEMTRACE_PACK_MAGIC, 8);
        fuzz_trace_reseal(changed, size);
        bytes_put(changed, size);
        resealed_errors += !hostile_read();
    }
    CU_ASSERT(resealed_errors > 0 && resealed_errors < 300);
    unlink(PATH);
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"round trip", round_trip}, {"truncated files", cut}, {"changed bytes", changes}};
    return suite_run("packed traces", tests, sizeof tests / sizeof tests[0]);
}
