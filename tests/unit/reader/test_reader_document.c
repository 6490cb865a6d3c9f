/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests of reader/document: text stays within the page and loses no number, for any table; JSON and
 * CSV have all digits and escapes; rows from a source make the same output as stored rows.
 *
 * test: libs=warpscope_reading
 */
#include <CUnit/Basic.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "document/document.h"
#include "render/text.h"
#include "support/suite.h"
#include "text/utf8.h"

/* The output of a test, made by text_of() or json_of(). */
static char output[1 << 20];

static const char *text_of(const struct doc *doc)
{
    output[0] = '\0';
    FILE *out = fmemopen(output, sizeof output, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(out);
    CU_ASSERT(doc_print(out, doc));
    fclose(out);
    return output;
}

static const char *json_of(const struct doc *doc)
{
    output[0] = '\0';
    FILE *out = fmemopen(output, sizeof output, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(out);
    struct json_writer json = {.out = out, .compact = true};
    json_object_open(&json, NULL);
    doc_findings_json(&json, doc);
    CU_ASSERT(doc_json(&json, doc));
    json_object_close(&json);
    fclose(out);
    return output;
}

static const char *csv_of(const struct doc_table *t)
{
    char path[] = "/tmp/document.XXXXXX";
    struct ws_outs outs = {.force = true};
    int fd = mkstemp(path);
    CU_ASSERT_FATAL(fd >= 0);
    CU_ASSERT(doc_table_csv(&outs, path, t) && ws_outs_publish(&outs));
    ws_outs_free(&outs);
    close(fd);
    FILE *in = fopen(path, "r");
    CU_ASSERT_PTR_NOT_NULL_FATAL(in);
    output[fread(output, 1, sizeof output - 1, in)] = '\0';
    fclose(in);
    unlink(path);
    return output;
}

/* Every kind of cell in every form. */
static void test_forms(void)
{
    struct doc doc = {.n = 0};
    struct doc_table *t = doc_table(&doc, "all", "Title",
                                    "name$|count=n|number|address|cta@=CTA|real|share|percent|"
                                    "time|(hidden)|none");
    doc_row(t, doc_name("a, \"b\"\n"), doc_count(1234567), doc_number(1234567),
            doc_integer(DOC_ADDRESS, 4096),
            doc_integer(DOC_TRIPLE, (uint64_t)3 << 32 | 2 << 16 | 1), doc_real(0.1),
            doc_share(1, 4), doc_measure(DOC_PERCENT, 12.5), doc_seconds(0.0015), doc_count(7));
    CU_ASSERT_STRING_EQUAL(
        text_of(&doc),
        "\nTitle\n"
        "  name             n   number  address    CTA    real   share  percent      time\n"
        "  a, \"b\"?  1,234,567  1234567   0x1000  3,2,1  0.1000  25.0 %  12.50 %  1.500 ms\n");
    CU_ASSERT_STRING_EQUAL(json_of(&doc),
                           "{\"findings\":[],\"all\":[\n"
                           "{\"name\":\"a, \\\"b\\\"\\n\",\"count\":1234567,\"number\":1234567,"
                           "\"address\":4096,\"cta\":12885032961,\"real\":0.1,\"share\":0.25,"
                           "\"percent\":12.5,\"time\":0.0015,\"hidden\":7}]}\n");
    CU_ASSERT_STRING_EQUAL(csv_of(t), "name,count,number,address,cta_x,cta_y,cta_z,real,share,"
                                      "percent,time,hidden,none\n"
                                      "\"a, \"\"b\"\"\n\",1234567,1234567,4096,3,2,1,0.1,0.25,"
                                      "12.5,0.0015,7,\n");
    doc_free(&doc);
}

/* NaN and infinities are null in JSON; the largest numbers keep all digits. */
static void test_extremes(void)
{
    struct doc doc = {.n = 0};
    struct doc_table *t = doc_table(&doc, "t", "", "nan|inf|count|number|share");
    t->is_first = true;
    doc_row(t, doc_real((double)NAN), doc_real((double)INFINITY), doc_count(UINT64_MAX),
            doc_number(UINT64_MAX), doc_share(0, 0));
    CU_ASSERT_STRING_EQUAL(text_of(&doc), "  nan  inf     count                number  share\n"
                                          "    -  inf  1.84e+19  18446744073709551615  0.0 %\n");
    CU_ASSERT_STRING_EQUAL(json_of(&doc),
                           "{\"findings\":[],\"t\":[\n{\"nan\":null,\"inf\":null,"
                           "\"count\":18446744073709551615,\"number\":18446744073709551615,"
                           "\"share\":0}]}\n");
    doc_free(&doc);
}

static void test_empty(void)
{
    struct doc doc = {.n = 0};
    struct doc_table *t = doc_table(&doc, "t", "Title", "a|b");
    CU_ASSERT_STRING_EQUAL(text_of(&doc), "");
    CU_ASSERT_STRING_EQUAL(json_of(&doc), "{\"findings\":[],\"t\":[]}\n");
    CU_ASSERT_STRING_EQUAL(csv_of(t), "a,b\n");
    t->none = "nothing";
    CU_ASSERT_STRING_EQUAL(text_of(&doc), "\nTitle\n  a  b\n  nothing\n");
    doc_free(&doc);
}

/* Characters of several bytes count as one column. */
static void test_utf8(void)
{
    struct doc doc = {.n = 0};
    struct doc_table *t = doc_table(&doc, "t", "", "größe|n");
    t->is_first = true;
    doc_row(t, doc_name("ä€𝄞"), doc_count(1));
    doc_row(t, doc_name("\xff"), doc_count(2));
    CU_ASSERT_STRING_EQUAL(text_of(&doc), "  größe  n\n  ä€𝄞    1\n  ?      2\n");
    doc_free(&doc);
}

/* Names are cut before counts are shortened, the widest name first. */
static void test_cuts(void)
{
    static const char longest[] = "a name of forty characters, no fewer, ok";
    struct doc doc = {.n = 0};
    struct doc_table *t = doc_table(&doc, "t", "", "name|path|n");
    t->is_first = true;
    doc_row(t, (struct doc_cell){.kind = DOC_NAME, .number = 7, .as.text = longest},
            (struct doc_cell){.kind = DOC_PATH, .as.text = longest}, doc_count(123456789012345));
    const char *text = text_of(&doc);
    CU_ASSERT_PTR_NOT_NULL(strstr(
        text,
        "  #7 a name of forty character a name o...ters, no fewer, ok 123,456,789,012,345\n"));
    doc_free(&doc);
}

static bool row_pass(void *from, doc_row_f row, void *to)
{
    return doc_rows(from, row, to);
}

/* Returns the number of characters in the longest line of `text`. */
static size_t longest_line(const char *text)
{
    size_t most = 0;
    for (size_t length; *text != '\0'; text += length + (text[length] == '\n')) {
        length = strcspn(text, "\n");
        size_t columns = utf8_columns(text, length);
        most = columns > most ? columns : most;
    }
    return most;
}

static struct doc_cell cell_random(struct doc *doc, uint64_t *seed, int kind)
{
    uint64_t v = random_below(seed, UINT64_MAX) >> random_below(seed, 64);
    switch (kind) {
    case 0:
        return doc_text(doc, "%.*s", (int)random_below(seed, 30), "nämes of any length up to 30.");
    case 1:
        return doc_number(v);
    case 2:
        return doc_count(v);
    case 3:
        return doc_seconds((double)v * 1e-9);
    default:
        return doc_real((double)v / 1000.0);
    }
}

static void test_random(void)
{
    uint64_t seed = suite_seed();
    suite_print_seed("reader_document", seed);
    static char stored[sizeof output];
    bool broke = false, fits = false;
    for (int round = 0; round < 2000; round++) {
        static const char *const columns[] = {"a", "b", "a long heading"};
        struct doc doc = {.n = 0}, other = {.n = 0};
        struct doc_table *t = doc_table(&doc, "t", "", "first");
        int kinds[12] = {0}, n = 1 + (int)random_below(&seed, 11);
        for (int c = 0; c < n; c++) {
            kinds[c] = (int)random_below(&seed, 5);
            if (c > 0) {
                doc_column(t, "c", columns[random_below(&seed, 3)]);
            }
        }
        size_t rows = 1 + random_below(&seed, 5);
        for (size_t row = 0; row < rows; row++) {
            struct doc_cell cells[12];
            for (int c = 0; c < n; c++) {
                cells[c] = cell_random(&doc, &seed, kinds[c]);
            }
            doc_row_add(t, cells, (size_t)n);
        }
        CU_ASSERT_FATAL(longest_line(text_of(&doc)) <= 80);
        for (size_t i = 0; i < rows * (size_t)n; i++) { /* no number is cut */
            char number[32];
            snprintf(number, sizeof number, "%" PRIu64, t->cells[i].as.count);
            CU_ASSERT_FATAL(t->cells[i].kind != DOC_NUMBER || strstr(output, number) != NULL);
        }
        broke |= strstr(output, "\n    ") != NULL;
        strcpy(stored, output);
        struct doc_table *s = doc_table(&other, "t", "", "first");
        memcpy(s->columns, t->columns, sizeof s->columns);
        s->n_columns = t->n_columns;
        s->source = row_pass;
        s->from = t;
        fits |= strcmp(text_of(&other), stored) == 0;
        CU_ASSERT_STRING_EQUAL_FATAL(output, stored);
        strcpy(stored, json_of(&doc));
        CU_ASSERT_STRING_EQUAL_FATAL(json_of(&other), stored);
        if (round % 100 == 0) {
            strcpy(stored, csv_of(t));
            CU_ASSERT_STRING_EQUAL_FATAL(csv_of(s), stored);
        }
        doc_free(&doc);
        doc_free(&other);
    }
    CU_ASSERT(broke && fits);
}

static void test_limits(void)
{
    struct doc doc = {.n = 0}, other = {.n = 0};
    struct doc_table *t = doc_table(&doc, "t", "", "n");
    for (uint64_t i = 0; i < 5; i++) {
        doc_row(t, doc_number(i));
    }
    t->is_first = true;
    t->n_text = 2;
    CU_ASSERT_STRING_EQUAL(text_of(&doc), "  n\n  0\n  1\n  ... and 3 more (--json has all)\n");
    struct doc_table *s = doc_table(&other, "t", "", "n");
    s->is_first = true;
    s->n_text = 2;
    s->source = row_pass;
    s->from = t;
    s->more = "--top";
    CU_ASSERT_STRING_EQUAL(text_of(&other), "  n\n  0\n  1\n  ... and 3 more (--top)\n");
    t->n_text = t->n_json = 1;
    CU_ASSERT_STRING_EQUAL(text_of(&doc), "  n\n  0\n");
    CU_ASSERT_STRING_EQUAL(json_of(&doc), "{\"findings\":[],\"t\":[\n{\"n\":0}]}\n");
    doc_free(&doc);
    doc_free(&other);
}

/* Lines break between words, but not before "%". */
static void test_sentences(void)
{
    struct doc doc = {.n = 0};
    doc_say(
        &doc, "# # % #",
        doc_name("A sentence of several lines, which breaks where the next word does not fit, by"),
        doc_count(50), doc_name("of it."));
    output[0] = '\0';
    FILE *out = fmemopen(output, sizeof output, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(out);
    doc_findings_print(out, &doc);
    CU_ASSERT_EQUAL(ws_text_wrap(out, "", 5, 5), 5);
    fclose(out);
    CU_ASSERT_STRING_EQUAL(
        output, "- A sentence of several lines, which breaks where the next word does not fit, by\n"
                "  50 % of it.\n");
    doc_free(&doc);
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"all kinds in all forms", test_forms}, {"extreme numbers", test_extremes},
        {"empty tables", test_empty},           {"UTF-8", test_utf8},
        {"names are cut", test_cuts},           {"random tables", test_random},
        {"numbers of rows", test_limits},       {"sentences", test_sentences}};
    return suite_run("reader_document", tests, sizeof tests / sizeof tests[0]);
}
