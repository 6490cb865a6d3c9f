/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests of text/json: fixed texts, numbers that read back unchanged, and random strings against a
 * decoder written from the definition of UTF-8.
 */
#include <CUnit/Basic.h>
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "support/json_check.h"
#include "support/suite.h"
#include "text/json.h"

struct capture {
    FILE *file;
    char *text;
    size_t size;
};

static FILE *capture_start(struct capture *capture)
{
    capture->file = open_memstream(&capture->text, &capture->size);
    if (capture->file == NULL) {
        abort();
    }
    return capture->file;
}

static const char *capture_text(struct capture *capture)
{
    fflush(capture->file);
    return capture->text;
}

static void capture_end(struct capture *capture)
{
    fclose(capture->file);
    free(capture->text);
}

/* Into memory and to a stream. */
static void check_bytes(const char *value, size_t size, const char *expected)
{
    struct capture capture;
    char text[128];
    CU_ASSERT_FATAL(json_string_max(size) < sizeof text);
    *json_write_string(text, value, size) = '\0';
    CU_ASSERT_STRING_EQUAL(text, expected);
    json_print_bytes(capture_start(&capture), value, size);
    CU_ASSERT_STRING_EQUAL(capture_text(&capture), expected);
    capture_end(&capture);
}

static void check_string(const char *value, const char *expected)
{
    check_bytes(value, strlen(value), expected);
}

static void test_strings(void)
{
    check_string("", "\"\"");
    check_string("plain text /", "\"plain text /\"");
    check_string("a\"b\\c", "\"a\\\"b\\\\c\"");
    check_string("\b\f\n\r\t\x01\x1f\x7f", "\"\\b\\f\\n\\r\\t\\u0001\\u001f\\u007f\"");
    check_string("\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80",
                 "\"\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80\"");
    check_string("\x80", "\"\\ufffd\"");
    check_string("\xc3", "\"\\ufffd\"");
    check_string("\xe2\x82", "\"\\ufffd\\ufffd\"");
    check_string("\xc0\xaf", "\"\\ufffd\\ufffd\"");                       /* overlong */
    check_string("\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\"");            /* surrogate */
    check_string("\xf4\x90\x80\x80", "\"\\ufffd\\ufffd\\ufffd\\ufffd\""); /* past U+10FFFF */
    check_bytes("a\0b", 3, "\"a\\u0000b\"");
    check_bytes("\xc3\xa9", 1, "\"\\ufffd\""); /* cut */
}

/* A stream gets texts in parts, which no character is cut for. */
static void test_long_string(void)
{
    char value[1000] = "";
    struct capture capture;
    for (size_t i = 0; i < 330; i++) {
        strcat(value, "\xe2\x82\xac");
    }
    char *end, expected[7000];
    end = json_write_string(expected, value, strlen(value));
    *end = '\0';
    CU_ASSERT_EQUAL(end - expected, 992);
    json_print_string(capture_start(&capture), value);
    CU_ASSERT_STRING_EQUAL(capture_text(&capture), expected);
    capture_end(&capture);
}

static void check_double(double value, const char *expected)
{
    struct capture capture;
    json_print_double(capture_start(&capture), value);
    const char *text = capture_text(&capture);
    if (expected != NULL) {
        CU_ASSERT_STRING_EQUAL(text, expected);
    }
    CU_ASSERT(json_is_valid(text));
    if (isfinite(value)) {
        double back = strtod(text, NULL);
        CU_ASSERT(back == value && signbit(back) == signbit(value));
    }
    capture_end(&capture);
}

static void test_doubles(void)
{
    check_double(0.0, "0");
    check_double(-0.0, "-0");
    check_double(0.1, "0.1");
    check_double(-2.5, "-2.5");
    check_double(100000.0, "100000");
    check_double(1e300, "1e+300");
    check_double(1.0 / 3.0, NULL);
    check_double(0.1 + 0.2, "0.30000000000000004");
    check_double(DBL_MAX, NULL);
    check_double(DBL_MIN, NULL);
    check_double(DBL_TRUE_MIN, NULL);
    check_double(9007199254740993.0, NULL);
    check_double(INFINITY, "null");
    check_double(-INFINITY, "null");
    check_double(NAN, "null");
}

static void test_structure(void)
{
    struct capture capture;
    struct json_writer json = {.out = capture_start(&capture)};
    json_object_open(&json, NULL);
    json_put_u64(&json, "largest", UINT64_MAX);
    json_put_bool(&json, "yes", true);
    json_put_null(&json, "nothing");
    json_array_open(&json, "list");
    json_put_bool(&json, NULL, false);
    json_put_string(&json, NULL, "x");
    json_object_open(&json, NULL);
    json_object_close(&json);
    json_array_close(&json);
    json_array_open(&json, "empty");
    json_array_close(&json);
    json_put_double(&json, "\"", 1.5);
    json_object_close(&json);
    const char *text = capture_text(&capture);
    CU_ASSERT_STRING_EQUAL(text, "{\n"
                                 "  \"largest\": 18446744073709551615,\n"
                                 "  \"yes\": true,\n"
                                 "  \"nothing\": null,\n"
                                 "  \"list\": [\n"
                                 "    false,\n"
                                 "    \"x\",\n"
                                 "    {}\n"
                                 "  ],\n"
                                 "  \"empty\": [],\n"
                                 "  \"\\\"\": 1.5\n"
                                 "}\n");
    CU_ASSERT(json_is_valid(text));
    capture_end(&capture);
}

static void test_compact(void)
{
    struct capture capture;
    struct json_writer json = {.out = capture_start(&capture), .compact = true};
    json_object_open(&json, NULL);
    json_put_string(&json, "a", NULL);
    json_line(&json);
    json_array_open(&json, "list");
    json_line(&json);
    json_put_string(&json, NULL, "xy");
    json_line(&json);
    json_put_double(&json, NULL, -1.0);
    json_put_double(&json, NULL, NAN);
    json_array_close(&json);
    json_object_close(&json);
    CU_ASSERT_STRING_EQUAL(capture_text(&capture), "{\"a\":null,\n"
                                                   "\"list\":[\n"
                                                   "\"xy\",\n"
                                                   "-1,null]}\n");
    CU_ASSERT(json_is_valid(capture_text(&capture)));
    capture_end(&capture);
}

static void test_depth(void)
{
    struct capture capture;
    struct json_writer json = {.out = capture_start(&capture)};
    for (int i = 0; i < JSON_MAX_DEPTH; i++) {
        json_array_open(&json, NULL);
    }
    json_put_u64(&json, NULL, 7);
    for (int i = 0; i < JSON_MAX_DEPTH; i++) {
        json_array_close(&json);
    }
    CU_ASSERT(json_is_valid(capture_text(&capture)));
    CU_ASSERT_EQUAL(json.depth, 0);
    capture_end(&capture);
}

/* ---- Random input ---------------------------------------------------------------------------- */

/* Returns the code point that starts at bytes, *length bytes long, or U+FFFD and 1: decodes,
 * encodes again and requires identical bytes. */
static uint32_t naive_decode(const unsigned char *bytes, size_t *length)
{
    static const unsigned char lead[] = {0x00, 0x00, 0xC0, 0xE0, 0xF0};
    uint32_t code = 0xFFFD;
    *length = 1;
    if (bytes[0] < 0x80) {
        return bytes[0];
    }
    for (size_t n = 2; n <= 4; n++) {
        uint32_t mask = 0xFFu >> (n + 1);
        if ((bytes[0] & ~mask & 0xFFu) != lead[n]) {
            continue;
        }
        uint32_t value = bytes[0] & mask;
        for (size_t i = 1; i < n; i++) {
            if ((bytes[i] & 0xC0) != 0x80) {
                return code;
            }
            value = value << 6 | (bytes[i] & 0x3Fu);
        }
        size_t needed = value < 0x80 ? 1 : value < 0x800 ? 2 : value < 0x10000 ? 3 : 4;
        if (needed == n && value <= 0x10FFFF && (value < 0xD800 || value > 0xDFFF)) {
            *length = n;
            code = value;
        }
        return code;
    }
    return code;
}

/* Returns the next character inside a JSON string. */
static uint32_t naive_unescape(const char **text)
{
    static const char letters[] = "bfnrt\"\\";
    static const char plain[] = "\b\f\n\r\t\"\\";
    const char *at = *text;
    if (*at != '\\') {
        size_t length;
        uint32_t code = naive_decode((const unsigned char *)at, &length);
        *text = at + length;
        return code;
    }
    if (at[1] == 'u') {
        char digits[5] = {at[2], at[3], at[4], at[5], '\0'};
        *text = at + 6;
        return (uint32_t)strtoul(digits, NULL, 16);
    }
    *text = at + 2;
    return (unsigned char)plain[strchr(letters, at[1]) - letters];
}

static bool string_round_trips(const char *value)
{
    struct capture capture;
    json_print_string(capture_start(&capture), value);
    const char *text = capture_text(&capture);
    bool same = json_is_valid(text);
    const char *at = text + 1;
    for (const unsigned char *in = (const unsigned char *)value; same && *in != '\0';) {
        size_t length;
        uint32_t code = naive_decode(in, &length);
        same = code == naive_unescape(&at);
        in += length;
    }
    same = same && strcmp(at, "\"") == 0;
    capture_end(&capture);
    return same;
}

static void test_random_strings(void)
{
    static const unsigned char likely[] =
        "\"\\\n\x1f\x7f\x80\xbf\xc0\xc2\xdf\xe0\xa0\xed\x9f\xf0\x90"
        "\xf4\x8f\xf5\xff";
    uint64_t state = suite_seed();
    suite_print_seed("text_json", state);
    unsigned failures = 0;
    for (int round = 0; round < 20000; round++) {
        char value[24];
        size_t length = random_below(&state, sizeof value);
        for (size_t i = 0; i < length; i++) {
            uint64_t r = random_bits(&state);
            value[i] = (char)(r & 1 ? likely[(r >> 8) % (sizeof likely - 1)] : 1 + (r >> 8) % 255);
        }
        value[length] = '\0';
        failures += !string_round_trips(value);
    }
    CU_ASSERT_EQUAL(failures, 0);
}

/* Texts of plain bytes with a special one in some place: json_write_string(), which tests words of
 * bytes, writes the same as json_print_bytes(), which looks at each byte. */
static void test_rare_specials(void)
{
    static const char special[] = "\"\\\n\x01\x1f\x7f\x80\xc3\xff";
    uint64_t state = suite_seed();
    unsigned differences = 0;
    for (int round = 0; round < 20000; round++) {
        char value[40], text[6 * sizeof value + 2];
        size_t length = random_below(&state, sizeof value);
        for (size_t i = 0; i < length; i++) {
            value[i] = (char)(' ' + random_below(&state, 95));
        }
        if (length > 0 && round % 4 != 0) {
            value[random_below(&state, length)] = special[random_below(&state, sizeof special - 1)];
        }
        struct capture capture;
        json_print_bytes(capture_start(&capture), value, length);
        size_t size = (size_t)(json_write_string(text, value, length) - text);
        const char *printed = capture_text(&capture);
        differences += size != capture.size || memcmp(text, printed, size) != 0;
        capture_end(&capture);
    }
    CU_ASSERT_EQUAL(differences, 0);
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"strings are escaped", test_strings},
        {"doubles read back the same", test_doubles},
        {"long strings", test_long_string},
        {"objects and arrays", test_structure},
        {"compact documents", test_compact},
        {"deepest nesting", test_depth},
        {"random bytes against a naive decoder", test_random_strings},
        {"rare special bytes", test_rare_specials},
    };
    return suite_run("text_json", tests, sizeof tests / sizeof *tests);
}
