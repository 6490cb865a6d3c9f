/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests of reader/thrift: bytes that the protocol's specification gives, and random structures read
 * back by a small reader.
 *
 * test: libs=warpscope_reading
 */
#include <CUnit/Basic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "export/parquet/thrift.h"
#include "support/suite.h"

static void check_bytes(struct ws_thrift *t, const char *hex)
{
    char text[256] = "";
    CU_ASSERT_FALSE(t->failed);
    for (size_t i = 0; i < t->size && i < 100; i++) {
        snprintf(text + 2 * i, 3, "%02x", t->bytes[i]);
    }
    CU_ASSERT_STRING_EQUAL(text, hex);
    free(t->bytes);
}

static void test_numbers(void)
{
    struct ws_thrift t = {0};
    ws_thrift_i32(&t, 1, 1);
    ws_thrift_i64(&t, 2, -1);
    ws_thrift_i8(&t, 4, -2);
    ws_thrift_i32(&t, 5, INT32_MIN);
    ws_thrift_end(&t);
    check_bytes(&t, "15021601"
                    "23fe"
                    "15ffffffff0f"
                    "00");
}

static void test_ids(void)
{
    struct ws_thrift t = {0};
    ws_thrift_bool(&t, 15, true);
    ws_thrift_bool(&t, 31, false); /* too far from 15 for a nibble */
    ws_thrift_bool(&t, 300, true);
    ws_thrift_end(&t);
    check_bytes(&t, "f1023e01d80400");
}

static void test_texts_and_lists(void)
{
    struct ws_thrift t = {0};
    ws_thrift_string(&t, 1, "ab");
    ws_thrift_list(&t, 2, WS_THRIFT_I32, 2);
    ws_thrift_element_i32(&t, 3);
    ws_thrift_element_i32(&t, -64);
    ws_thrift_list(&t, 3, WS_THRIFT_STRUCT, 1);
    ws_thrift_element_begin(&t);
    ws_thrift_i32(&t, 1, 7);
    ws_thrift_end(&t);
    ws_thrift_begin(&t, 4); /* continues from 3, whatever fields the element had */
    ws_thrift_end(&t);
    ws_thrift_list(&t, 5, WS_THRIFT_BINARY, 15);
    ws_thrift_end(&t);
    check_bytes(&t, "18026162"
                    "1925067f"
                    "191c150e00"
                    "1c00"
                    "19f80f"
                    "00");
}

/* ---- Random numbers, read back --------------------------------------------------------------- */

static uint64_t varint_read(const uint8_t **p)
{
    uint64_t value = 0;
    for (int shift = 0;; shift += 7) {
        uint8_t byte = *(*p)++;
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) {
            return value;
        }
    }
}

static int64_t zigzag_read(const uint8_t **p)
{
    uint64_t v = varint_read(p);
    return (int64_t)(v >> 1) ^ -(int64_t)(v & 1);
}

static void test_random(void)
{
    uint64_t seed = suite_seed();
    suite_print_seed("reader_thrift", seed);
    for (int round = 0; round < 2000; round++) {
        struct ws_thrift t = {0};
        int16_t ids[20], id = 0;
        int64_t values[20];
        for (int i = 0; i < 20; i++) {
            id =
                (int16_t)(id + 1 + (int)random_below(&seed, random_below(&seed, 4) == 0 ? 900 : 6));
            ids[i] = id;
            values[i] = (int64_t)(random_bits(&seed) >> random_below(&seed, 64));
            values[i] = random_below(&seed, 2) == 0 ? values[i] : -values[i];
            ws_thrift_i64(&t, id, values[i]);
        }
        ws_thrift_end(&t);
        const uint8_t *p = t.bytes;
        int16_t last = 0;
        bool good = !t.failed;
        for (int i = 0; good && i < 20; i++) {
            uint8_t head = *p++;
            last = head >> 4 != 0 ? (int16_t)(last + (head >> 4)) : (int16_t)zigzag_read(&p);
            good = (head & 15) == 6 && last == ids[i] && zigzag_read(&p) == values[i];
        }
        good = good && *p++ == 0 && p == t.bytes + t.size;
        CU_ASSERT_TRUE(good);
        free(t.bytes);
    }
}

int main(void)
{
    static const CU_TestInfo tests[] = {{"numbers", test_numbers},
                                        {"ids of fields", test_ids},
                                        {"texts and lists", test_texts_and_lists},
                                        {"random numbers", test_random}};
    return suite_run("reader_thrift", tests, sizeof tests / sizeof tests[0]);
}
