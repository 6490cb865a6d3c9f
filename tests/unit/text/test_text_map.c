/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_text_map.c - the text of maps of LPs: places of LPs, and the message for each mistake,
 * with its line.
 */
#include <CUnit/Basic.h>
#include <string.h>

#include "support/suite.h"
#include "text/map_text.h"

enum { LPS = 10, RANKS = 3, KPS = 4 };

static uint32_t rank_of[LPS], kp_of[LPS];

/* Gids of the LPs; dense unless a test sets them. */
static struct id_set gids = {.n = LPS};

/* Reads `size` bytes as the file "m" for LPS, RANKS and KPS. */
static bool read_bytes(struct map_text *map, const char *text, size_t size)
{
    FILE *file = tmpfile();
    CU_ASSERT_FATAL(file != NULL && fwrite(text, 1, size, file) == size);
    rewind(file);
    *map = (struct map_text){.path = "m",
                             .lps = &gids,
                             .n_ranks = RANKS,
                             .n_kps = KPS,
                             .rank_of = rank_of,
                             .kp_of = kp_of};
    bool good = map_text_read(map, file);
    fclose(file);
    return good;
}

static bool read_text(struct map_text *map, const char *text)
{
    return read_bytes(map, text, strlen(text));
}

static void test_places(void)
{
    static const char text[] = "\n# made by hand\n  warpscope-lp-map 1 # version\n"
                               "2-4 1 3\r\n\t0\t2  0 # LP 0\n1 0\n\n5-9 1 1";
    static const uint32_t ranks[LPS] = {2, 0, 1, 1, 1, 1, 1, 1, 1, 1};
    static const uint32_t kps[LPS] = {0, MAP_TEXT_NONE, 3, 3, 3, 1, 1, 1, 1, 1};
    struct map_text map;
    CU_ASSERT_TRUE_FATAL(read_text(&map, text));
    CU_ASSERT_EQUAL(memcmp(rank_of, ranks, sizeof ranks), 0);
    CU_ASSERT_EQUAL(memcmp(kp_of, kps, sizeof kps), 0);
}

#define TITLE "warpscope-lp-map 1\n"

static void test_mistakes(void)
{
    static const struct {
        const char *text, *error;
    } cases[] = {
        {"", "m: is empty; a map of LPs begins with \"warpscope-lp-map 1\""},
        {"# nothing\n\n", "m: is empty; a map of LPs begins with \"warpscope-lp-map 1\""},
        {"0 1\n", "m:1: is no map of LPs: the first line must be \"warpscope-lp-map 1\""},
        {"warpscope-lp-map\n",
         "m:1: is no map of LPs: the first line must be \"warpscope-lp-map 1\""},
        {"warpscope-lp-maps 1\n",
         "m:1: is no map of LPs: the first line must be \"warpscope-lp-map 1\""},
        {"warpscope-lp-map 1 1\n", "m:1: must be \"warpscope-lp-map 1\""},
        {"warpscope-lp-map one\n", "m:1: must be \"warpscope-lp-map 1\""},
        {"\nwarpscope-lp-map 2\n", "m:2: the map has version 2; this program reads version 1"},
        {TITLE "0-9 1\n", NULL},
        {TITLE "0-8 1\n", "m: LP 9 has no line"},
        {TITLE "0 1\n2-3 1\n5-9 1", "m: 2 of the model's 10 LPs have no line, LP 1 first"},
        {TITLE "0-9 1\n4 1\n", "m:3: LP 4 has a line already"},
        {TITLE "0-5 1\n\n3-9 1\n", "m:4: LP 3 has a line already"},
        {TITLE "0-10 1\n", "m:2: LP 10, but the model has 10 LPs, 0 to 9"},
        {TITLE "0-99999999999999999999999999 1\n",
         "m:2: LP 18446744073709551615, but the model has 10 LPs, 0 to 9"},
        {TITLE "5-4 1\n", "m:2: the range 5-4 is empty"},
        {TITLE "0-9 3\n", "m:2: rank 3, but the run has 3 ranks, 0 to 2"},
        {TITLE "0-9 4294967296\n", "m:2: rank 4294967296, but the run has 3 ranks, 0 to 2"},
        {TITLE "0-9 1 4\n", "m:2: KP 4, but the run has 4 KPs per rank, 0 to 3; give --nkp=5 or "
                            "more"},
    };
    static const char *const bad_lines[] = {"0",     "0-",     "-1 1",   "0- 9 1", "0-9 1 1 1",
                                            "0-9,1", "0-9 1,", "a 1",    "0 -1",   "0 1.5",
                                            "0x1 1", "+1 1",   "0-1-2 1"};
    struct map_text map;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bool good = read_text(&map, cases[i].text);
        CU_ASSERT_EQUAL(good, cases[i].error == NULL);
        if (cases[i].error != NULL && strcmp(map.error, cases[i].error) != 0) {
            printf("\n%s -> %s\n", cases[i].text, map.error);
            CU_FAIL("message");
        }
    }
    for (size_t i = 0; i < sizeof bad_lines / sizeof *bad_lines; i++) {
        char text[100];
        snprintf(text, sizeof text, TITLE "#\n%s\n", bad_lines[i]);
        CU_ASSERT_FALSE(read_text(&map, text));
        CU_ASSERT_PTR_NOT_NULL(strstr(map.error, "m:3: must be \"LP RANK\""));
    }
}

/* Bytes that are no text, long lines, long comments. */
static void test_hostile(void)
{
    static char text[5000];
    struct map_text map;
    CU_ASSERT_FALSE(read_bytes(&map, TITLE "0-9 1\0\n", sizeof TITLE "0-9 1\0\n" - 1));
    CU_ASSERT_STRING_EQUAL(map.error, "m:2: is not text");
    snprintf(text, sizeof text, TITLE "%*s0-9 1", 990, "");
    CU_ASSERT_TRUE(read_text(&map, text));
    snprintf(text, sizeof text, TITLE "%*s0-9 1", 996, "");
    CU_ASSERT_FALSE(read_text(&map, text));
    CU_ASSERT_STRING_EQUAL(map.error, "m:2: has more than 1000 characters");
    snprintf(text, sizeof text, TITLE "0-9 1 #%*s", 4000, "");
    CU_ASSERT_TRUE(read_text(&map, text));
}

static void test_holes(void)
{
    static uint64_t ids[] = {3, 4, 10, 12, 13, 20, 21, 500, UINT64_MAX / 2, UINT64_MAX - 1};
    static const struct {
        const char *text, *error;
    } cases[] = {
        {TITLE "0-20 1\n21-18446744073709551614 2\n", NULL},
        {TITLE "3-12 1\n13 0\n14-100 1\n101-18446744073709551614 2\n", NULL},
        {TITLE "5 1\n",
         "m:2: LP 5, but the model has 10 LPs, 3 to 18446744073709551614 with holes"},
        {TITLE "0-2 1\n",
         "m:2: LP 0, but the model has 10 LPs, 3 to 18446744073709551614 with holes"},
        {TITLE "3-18446744073709551615 1\n", "m:2: LP 18446744073709551615, but the model has 10 "
                                             "LPs, 3 to 18446744073709551614 with holes"},
        {TITLE "0-499 1\n", "m: 3 of the model's 10 LPs have no line, LP 500 first"},
        {TITLE "0-12 1\n11-19 1\n", "m:3: LP 12 has a line already"},
    };
    struct map_text map;
    gids = (struct id_set){.ids = ids, .n = LPS, .capacity = LPS};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bool good = read_text(&map, cases[i].text);
        CU_ASSERT_EQUAL(good, cases[i].error == NULL);
        if (cases[i].error != NULL) {
            CU_ASSERT_STRING_EQUAL(map.error, cases[i].error);
        } else {
            CU_ASSERT_TRUE(rank_of[0] == 1 && rank_of[3] == 1 && rank_of[5] == 1 &&
                           rank_of[9] == 2);
        }
    }
    gids = (struct id_set){.n = LPS};
}

int main(void)
{
    static const CU_TestInfo tests[] = {{"places", test_places},
                                        {"mistakes", test_mistakes},
                                        {"gids with holes", test_holes},
                                        {"hostile bytes", test_hostile}};
    return suite_run("map text", tests, sizeof tests / sizeof *tests);
}
