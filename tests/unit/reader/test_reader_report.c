/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests of parts of "warpscope report": text that cannot end an element of the page, rows that KPs
 * share, numbers in few digits, distributions.
 *
 * test: libs=warpscope_reading
 */
#include <CUnit/Basic.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/report.h"
#include "support/suite.h"

/* ---- Text in the page ------------------------------------------------------------------------ */

/* Reads a string of JSON back, all escapes included; surrogates do not occur. Returns its size. */
static size_t unescape(char *to, const char *json, size_t size)
{
    char *begin = to;
    for (size_t i = 1; i + 1 < size; i++) {
        static const char from[] = "nrtbf\"\\/", what[] = "\n\r\t\b\f\"\\/";
        if (json[i] != '\\') {
            *to++ = json[i];
            continue;
        }
        const char *at = strchr(from, json[++i]);
        if (at != NULL) {
            *to++ = what[at - from];
            continue;
        }
        char digits[5] = "";
        memcpy(digits, json + i + 1, 4);
        unsigned long code = strtoul(digits, NULL, 16);
        i += 4;
        *to++ = (char)code; /* only ASCII is escaped below */
    }
    return (size_t)(to - begin);
}

static void test_escape(void)
{
    static const char *const pieces[] = {"</script>",    "<!--",         "]]>",          "&amp;",
                                         "\xe2\x80\xa8", "\xe2\x80\xa9", "\xe2\x80\xae", "\"",
                                         "\\u003c",      "\x01\x7f",     "\xc3\xa4",     "a'b\n"};
    uint64_t seed = suite_seed(), wrong = 0;
    suite_print_seed("reader_report", seed);
    for (int round = 0; round < 3000; round++) {
        char text[256] = "", json[6 * 256 + 2], escaped[sizeof json * REPORT_ESCAPE_MAX + 1];
        char back[sizeof escaped];
        uint64_t n = random_below(&seed, 12);
        for (uint64_t i = 0; i < n; i++) {
            strcat(text, pieces[random_below(&seed, sizeof pieces / sizeof pieces[0])]);
        }
        size_t size = (size_t)(json_write_string(json, text, strlen(text)) - json);
        size = report_json_escape(escaped, json, size);
        wrong += memchr(escaped, '<', size) != NULL || memchr(escaped, '>', size) != NULL;
        wrong += memchr(escaped, '&', size) != NULL;
        size = unescape(back, escaped, size);
        wrong += size != strlen(text) || memcmp(back, text, size) != 0;
    }
    CU_ASSERT_EQUAL(wrong, 0);
}

/* ---- Rows ------------------------------------------------------------------------------------ */

#define HITS 300

/* KPs come in any order and any size: the counts of rows that were folded equal those of a list. */
static void test_fold(void)
{
    uint64_t seed = suite_seed(), wrong = 0, folded = 0;
    struct ws_figures *run = calloc(1, sizeof *run);
    struct ws_hit(*expected)[WS_KP_ROWS] = calloc(WS_PE_ROWS + 1, sizeof *expected);
    run->traffic.hits = calloc(WS_CELLS, sizeof *run->traffic.hits);
    suite_print_seed("reader_report", seed);
    const size_t rounds = 20 / suite_step(4);
    for (size_t round = 0; round < rounds; round++) {
        uint32_t n_pes = 1 + (uint32_t)random_below(&seed, 200), pes[HITS], row;
        uint64_t kps[HITS], most = (uint64_t)1 << random_below(&seed, 40);
        memset(run->traffic.hits, 0, WS_CELLS * sizeof *run->traffic.hits);
        memset(expected, 0, (WS_PE_ROWS + 1) * sizeof *expected);
        ws_places_init(&run->places, n_pes, random_below(&seed, 2) * 16);
        CU_ASSERT_TRUE(run->places.pe_rows <= WS_PE_ROWS);
        CU_ASSERT_TRUE(run->places.pe_rows * run->places.kp_rows <= WS_KP_ROWS);
        for (uint32_t i = 0; i < HITS; i++) {
            pes[i] = (uint32_t)random_below(&seed, n_pes);
            kps[i] = random_below(&seed, 1 + most * i / HITS);
            while (!ws_kp_row(&run->places, pes[i], kps[i], &row)) {
                ws_places_fold(run);
                folded++;
            }
            run->places.kp_seen[row] = true;
            run->traffic.hits[i % WS_CELLS][0][row].count++;
            run->traffic.hits[i % WS_CELLS][0][row].undone += kps[i];
        }
        for (uint32_t i = 0; i < HITS; i++) {
            wrong += !ws_kp_row(&run->places, pes[i], kps[i], &row);
            wrong += !run->places.kp_seen[row];
            expected[0][row].count++;
            expected[0][row].undone += kps[i];
        }
        for (uint32_t r = 0; r < WS_KP_ROWS; r++) {
            struct ws_hit sum = {0, 0, 0};
            for (uint32_t bin = 0; bin < WS_CELLS; bin++) {
                sum.count += run->traffic.hits[bin][0][r].count;
                sum.undone += run->traffic.hits[bin][0][r].undone;
            }
            wrong += sum.count != expected[0][r].count || sum.undone != expected[0][r].undone;
            wrong += run->places.kp_seen[r] != (expected[0][r].count > 0);
        }
    }
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT_TRUE(folded > rounds);
    free(run->traffic.hits);
    free(expected);
    free(run);
}

/* ---- Numbers --------------------------------------------------------------------------------- */

static char *number_text(double v, int digits)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    struct json_writer json = {.out = out, .compact = true};
    json_array_open(&json, NULL);
    ws_put(&json, NULL, report_real(v, digits));
    json_array_close(&json);
    fclose(out);
    return text;
}

static void test_numbers(void)
{
    static const double special[] = {0.0, -0.0, 1.0, 999999.5, 1e-9, 123456789.0, 0.1, -2.5e-7};
    uint64_t seed = suite_seed(), wrong = 0;
    suite_print_seed("reader_report", seed);
    for (int round = 0; round < 4000; round++) {
        double v = round < 8 ? special[round]
                             : ldexp(random_unit(&seed) - 0.5, (int)random_below(&seed, 120) - 60);
        char *text = number_text(v, 6), expected[64];
        snprintf(expected, sizeof expected, "%.6g", v);
        double got = strtod(text + 1, NULL), want = strtod(expected, NULL);
        /* Halves may be rounded either way: the result is as near as six digits can be. */
        wrong += fabs(got - v) > fabs(want - v) * (1 + 1e-6) + 1e-15 * fabs(v) || strlen(text) > 20;
        free(text);
    }
    CU_ASSERT_EQUAL(wrong, 0);
    char *text = number_text((double)NAN, 6);
    CU_ASSERT_STRING_EQUAL(text, "[null]\n");
    free(text);
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"text in the page", test_escape},
        {"rows of KPs", test_fold},
        {"numbers", test_numbers},
    };
    return suite_run("reader_report", tests, sizeof tests / sizeof tests[0]);
}
