/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests of text/utf8: characters, and plain texts that are no wider than they may be, whatever their
 * bytes are.
 *
 */
#include <CUnit/Basic.h>
#include <string.h>

#include "support/suite.h"
#include "text/utf8.h"

static void test_lengths(void)
{
    CU_ASSERT_EQUAL(utf8_length("a", UTF8_MAX), 1);
    CU_ASSERT_EQUAL(utf8_length("", UTF8_MAX), 1);
    CU_ASSERT_EQUAL(utf8_length("\xc3\xa4", UTF8_MAX), 2);
    CU_ASSERT_EQUAL(utf8_length("\xe2\x82\xac", UTF8_MAX), 3);
    CU_ASSERT_EQUAL(utf8_length("\xf0\x9f\x98\x80", UTF8_MAX), 4);
    CU_ASSERT_EQUAL(utf8_length("\xc3", UTF8_MAX), 0); /* cut */
    CU_ASSERT_EQUAL(utf8_length("\xe2\x82", UTF8_MAX), 0);
    CU_ASSERT_EQUAL(utf8_length("\xc0\xaf", UTF8_MAX), 0);         /* overlong */
    CU_ASSERT_EQUAL(utf8_length("\xed\xa0\x80", UTF8_MAX), 0);     /* a surrogate */
    CU_ASSERT_EQUAL(utf8_length("\xf4\x90\x80\x80", UTF8_MAX), 0); /* beyond U+10FFFF */
    CU_ASSERT_EQUAL(utf8_length("\xa4", UTF8_MAX), 0);
    CU_ASSERT_EQUAL(utf8_length("\xc3\xa4", 1), 0);
    CU_ASSERT_EQUAL(utf8_length("\0", 2), 1);
    CU_ASSERT_EQUAL(utf8_columns("\xc3\xa4-\xe2\x82\xac", 6), 3);
}

/* Wide characters have two columns, combining marks none, bytes that are not UTF-8 one. */
static void test_widths(void)
{
    static const struct {
        const char *text;
        size_t columns;
    } widths[] = {{"\xe6\xb8\xaf\xe5\x8f\xa3", 4}, /* two ideographs */
                  {"\xed\x95\x9c", 2},             /* a syllable of Hangul */
                  {"\xef\xbc\xa1", 2},             /* the fullwidth letter A */
                  {"\xef\xbd\xb1", 1},             /* a halfwidth letter */
                  {"\xf0\x9f\x9a\x80", 2},         /* a picture */
                  {"e\xcc\x81", 1},                /* a letter with an accent */
                  {"\xe2\x96\x88", 1},             /* a block */
                  {"\xe6\xb8", 2},                 /* two bytes of three */
                  {"a\xff\x80", 3}};
    for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++) {
        CU_ASSERT_EQUAL(utf8_columns(widths[i].text, strlen(widths[i].text)), widths[i].columns);
    }
    char to[16];
    CU_ASSERT_STRING_EQUAL(utf8_plain(to, sizeof to, "a\xe6\xb8\xaf\xe5\x8f\xa3", 4),
                           "a\xe6\xb8\xaf");
}

/* Writes the encoding of a number to text, whether UTF-8 allows it or not. Returns its length. */
static size_t encode(uint32_t number, unsigned n, char text[4])
{
    static const unsigned first[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (unsigned i = n; i-- > 1; number >>= 6) {
        text[i] = (char)(0x80 | (number & 0x3f));
    }
    text[0] = (char)(first[n] | number);
    return n;
}

/* All numbers in 2 to 4 bytes: a character has one encoding, the shortest. */
static void test_all_characters(void)
{
    static const uint32_t end[] = {0, 0, 0x800, 0x10000, 0x200000};
    uint64_t wrong = 0;
    for (unsigned n = 2; n <= 4; n++) {
        for (uint32_t c = 0; c < end[n]; c++) {
            char text[4];
            unsigned shortest = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
            bool good = n == shortest && c <= 0x10ffff && !(c >= 0xd800 && c <= 0xdfff);
            wrong += utf8_length(text, encode(c, n, text)) != (good ? n : 0);
        }
    }
    CU_ASSERT_EQUAL(wrong, 0);
}

static void test_dashes(void)
{
    static const uint32_t dashes[] = {0x2010, 0x2011, 0x2012, 0x2013, 0x2014,
                                      0x2015, 0x2212, 0xfe58, 0xfe63, 0xff0d};
    uint64_t wrong = 0;
    CU_ASSERT_EQUAL(utf8_dash_length("-"), 1);
    CU_ASSERT_EQUAL(utf8_dash_length(""), 0);
    CU_ASSERT_EQUAL(utf8_dash_length("a"), 0);
    for (uint32_t c = 0x800; c < 0x10000; c++) {
        char text[8] = "";
        bool is_dash = false;
        encode(c, 3, text);
        for (size_t i = 0; i < sizeof dashes / sizeof *dashes; i++) {
            is_dash |= dashes[i] == c;
        }
        wrong += utf8_dash_length(text) != (is_dash ? 3 : 0);
    }
    CU_ASSERT_EQUAL(wrong, 0);
}

/* Each byte that is in no character becomes one U+FFFD; the others stay. */
static void test_repair(void)
{
    static const char in[] = "a\xff\xc3\xa4\xe2\x82\xf0\x90\x80\x80\xc3";
    static const char out[] =
        "a\xef\xbf\xbd\xc3\xa4\xef\xbf\xbd\xef\xbf\xbd\xf0\x90\x80\x80\xef\xbf"
        "\xbd";
    char to[64];
    memset(to, 'x', sizeof to);
    CU_ASSERT_PTR_EQUAL(utf8_repair(to, in, sizeof in - 1), to + sizeof out - 1);
    CU_ASSERT_EQUAL(memcmp(to, out, sizeof out - 1), 0);
    CU_ASSERT_EQUAL(to[sizeof out - 1], 'x');
    CU_ASSERT_PTR_EQUAL(utf8_repair(to, in, 0), to);
    CU_ASSERT_PTR_EQUAL(utf8_repair(to, "\xc3\xa4", 1), to + 3); /* cut: the rest is not read */
}

static void check_plain(const char *text, size_t size, size_t columns, const char *expected)
{
    char to[64];
    CU_ASSERT_STRING_EQUAL(utf8_plain(to, size, text, columns), expected);
}

static void test_plain(void)
{
    check_plain("w\xc3\xa4\xc3\xa4nde", 64, 64, "w\xc3\xa4\xc3\xa4nde");
    check_plain("w\xc3\xa4\xc3\xa4nde", 64, 3, "w\xc3\xa4\xc3\xa4");
    check_plain("w\xc3\xa4\xc3\xa4nde", 5, 64, "w\xc3\xa4"); /* no half of a character */
    check_plain("a\tb\x1b[m\x7f\xc2\x9b\xff", 64, 64, "a?b?[m???");
    check_plain("abc", 1, 64, "");
    check_plain("abc", 4, 64, "abc");
    check_plain("abc", 64, 0, "");
}

/* Any bytes: valid, as wide as was asked for at most, and within the memory. */
static void test_random(void)
{
    uint64_t seed = suite_seed();
    suite_print_seed("text_utf8", seed);
    for (int round = 0; round < 100000; round++) {
        char text[24] = "", to[40];
        size_t n = random_below(&seed, sizeof text), columns = random_below(&seed, 20);
        size_t size = 1 + random_below(&seed, 32);
        static const char bytes[] = "ab\x01\x7f\x80\x9f\xa4\xbf\xc2\xc3\xe2\xed\xf0\xf4\xff";
        for (size_t i = 0; i < n; i++) {
            text[i] = bytes[random_below(&seed, sizeof bytes - 1)];
        }
        memset(to, 'x', sizeof to);
        utf8_plain(to, size, text, columns);
        size_t length = strnlen(to, size);
        CU_ASSERT_FATAL(length < size && to[size] == 'x');
        CU_ASSERT_FATAL(utf8_columns(to, length) <= columns);
        for (size_t i = 0; i < length; i += utf8_length(to + i, UTF8_MAX)) {
            CU_ASSERT_FATAL(utf8_length(to + i, UTF8_MAX) > 0 && (unsigned char)to[i] >= 0x20);
        }
    }
}

static void check_column(void (*print)(FILE *, const char *, size_t), const char *in, size_t width,
                         const char *expected)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    CU_ASSERT_PTR_NOT_NULL_FATAL(out);
    print(out, in, width);
    fclose(out);
    CU_ASSERT_STRING_EQUAL(text, expected);
    free(text);
}

/* Characters are counted, and cut between them. */
static void test_column(void)
{
    check_column(utf8_plain_column, "", 3, "   ");
    check_column(utf8_plain_column, "abc", 5, "abc  ");
    check_column(utf8_plain_column, "abcdef", 5, "abcde");
    check_column(utf8_plain_column, "gr\xc3\xbc\xc3\x9f", 5, "gr\xc3\xbc\xc3\x9f ");
    check_column(utf8_plain_column, "gr\xc3\xbc\xc3\x9f", 3, "gr\xc3\xbc");
    check_column(utf8_plain_column, "\xe6\x9d\xb1\xe4\xba\xac", 1, " "); /* no half of a wide one */
    check_column(utf8_plain_column, "\xe6\x9d\xb1\xe4\xba\xac", 3, "\xe6\x9d\xb1 ");
    check_column(utf8_plain_column, "\x1b\xff", 3, "?? ");
}

static void test_controls(void)
{
    char text[] = "a\tb\x1b[2J\x7f \xc3\xa4\xc2\x9b\xc2\xa0 \xc2", cut[] = "\xc2";
    utf8_drop_controls(text);
    CU_ASSERT_STRING_EQUAL(text, "a?b?[2J? \xc3\xa4??\xc2\xa0 ?");
    utf8_drop_controls(cut);
    CU_ASSERT_STRING_EQUAL(cut, "?");
}

int main(void)
{
    static const CU_TestInfo tests[] = {{"characters", test_lengths},
                                        {"all characters", test_all_characters},
                                        {"widths", test_widths},
                                        {"dashes", test_dashes},
                                        {"repair", test_repair},
                                        {"plain texts", test_plain},
                                        {"random bytes", test_random},
                                        {"columns", test_column},
                                        {"control characters in place", test_controls}};
    return suite_run("text_utf8", tests, sizeof tests / sizeof tests[0]);
}
