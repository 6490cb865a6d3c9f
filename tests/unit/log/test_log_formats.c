/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loggers: the formats CSV, text and Chrome's JSON.
 */
/* test: libs=warpscope_log */
#include <math.h>

#include "support/json_check.h"
#include "support/log_sink.h"
#include "support/suite.h"

/* ---- Formats --------------------------------------------------------------------------------- */

static void test_csv(void)
{
    st_log_arg args[] = {text_arg("say", "\"hi\""), f64_arg("x", 0.1)};
    st_log_entry entries[] = {{.name = "a,b\"c",
                               .category = "two\r\nlines",
                               .phase = 'X',
                               .time = 0.1,
                               .duration = 2,
                               .pid = 1,
                               .tid = 2,
                               .level = -3},
                              {.name = "plain",
                               .time = -1e200,
                               .id = UINT64_MAX,
                               .scope = 'g',
                               .args = args,
                               .n_args = 2}};
    char *text = log_text(st_log_csv_create, NULL, entries, 2);
    CU_ASSERT_STRING_EQUAL(text, "time,duration,phase,name,category,pid,tid,id,scope,level,args\r\n"
                                 "0.1,2,X,\"a,b\"\"c\",\"two\r\nlines\",1,2,0,,-3,\r\n"
                                 "-1e+200,0,i,plain,,0,0,18446744073709551615,g,0,"
                                 "\"{\"\"say\"\":\"\"\\\"\"hi\\\"\"\"\",\"\"x\"\":0.1}\"\r\n");
    free(text);
    text = log_text(st_log_csv_create, NULL, NULL, 0);
    CU_ASSERT_STRING_EQUAL(text,
                           "time,duration,phase,name,category,pid,tid,id,scope,level,args\r\n");
    free(text);
}

/* Booleans, hexadecimal numbers, vectors; columns of their own. */
static void test_attributes(void)
{
    static const int64_t sizes[] = {3, -1, INT64_MIN};
    static const char *const columns[] = {"hash", "hit", "sizes", "to, from", "x"};
    st_log_arg args[] = {
        {.key = "hash", .kind = ST_LOG_HEX, .value = {.u64 = 0xabc}},
        {.key = "hit", .kind = ST_LOG_BOOL, .value = {.boolean = true}},
        {.key = "sizes", .kind = ST_LOG_VECTOR, .value = {.vector = {sizes, 3}}},
        text_arg("to, from", "\"a\", b"),
        {.key = "hash", .kind = ST_LOG_HEX, .value = {.u64 = UINT64_MAX}},
        {.key = "none", .kind = ST_LOG_VECTOR, .value = {.vector = {NULL, 0}}},
        {.key = "miss", .kind = ST_LOG_BOOL, .value = {.boolean = false}},
    };
    st_log_entry entries[] = {{.name = "a", .args = args, .n_args = 7},
                              {.name = "b", .args = args, .n_args = 1},
                              {.name = "c"}};
    st_log_options options = {.columns = columns, .n_columns = 5};
    char *text = log_text(st_log_csv_create, &options, entries, 3);
    CU_ASSERT_STRING_EQUAL(
        text, "time,duration,phase,name,category,pid,tid,id,scope,level,hash,hit,sizes,"
              "\"to, from\",x,args\r\n"
              "0,0,i,a,,0,0,0,,0,0xabc,true,\"[3,-1,-9223372036854775808]\","
              "\"\"\"a\"\", b\",,"
              "\"{\"\"hash\"\":\"\"0xffffffffffffffff\"\",\"\"none\"\":[],\"\"miss\"\":false}\"\r\n"
              "0,0,i,b,,0,0,0,,0,0xabc,,,,,\r\n"
              "0,0,i,c,,0,0,0,,0,,,,,,\r\n");
    free(text);
    text = log_text(st_log_text_create, NULL, entries, 1);
    CU_ASSERT_STRING_EQUAL(text, "0 i 0.0 a hash=0xabc hit=true sizes=[3,-1,-9223372036854775808] "
                                 "to, from=\"a\", b hash=0xffffffffffffffff none=[] miss=false\n");
    free(text);
    text = log_text(st_log_chrome_create, NULL, entries, 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(
        text, "\"args\":{\"hash\":\"0xabc\",\"hit\":true,\"sizes\":[3,-1,-9223372036854775808],"));
    free(text);
}

/* Invalid columns; copies in memory. */
static void test_attribute_errors(void)
{
    static const int64_t one[] = {1};
    static const char *const twice[] = {"a", "b", "a"}, *const nameless[] = {""};
    st_log_target target = {.path = "never.csv"};
    st_logger *log = NULL;
    st_log_options options = {.columns = twice, .n_columns = 3};
    CU_ASSERT_EQUAL(st_log_csv_create(&target, &options, &log), ST_INVALID);
    options = (st_log_options){.columns = nameless, .n_columns = 1};
    CU_ASSERT_EQUAL(st_log_csv_create(&target, &options, &log), ST_INVALID);
    options = (st_log_options){.columns = NULL, .n_columns = 1};
    CU_ASSERT_EQUAL(st_log_csv_create(&target, &options, &log), ST_INVALID);

    size_t n = 0;
    st_log_arg arg = {.key = "v", .kind = ST_LOG_VECTOR, .value = {.vector = {one, 1}}};
    st_log_entry entry = {.name = "a", .args = &arg, .n_args = 1};
    CU_ASSERT_EQUAL(st_log_memory_create(4, &log), ST_OK);
    CU_ASSERT_EQUAL(st_logger_start(log), ST_OK);
    CU_ASSERT_EQUAL(st_logger_add(log, &entry), ST_OK);
    const st_log_entry *kept = st_log_memory_entries(log, &n);
    CU_ASSERT_EQUAL_FATAL(n, 1);
    CU_ASSERT_PTR_NOT_EQUAL(kept->args[0].value.vector.items, one);
    CU_ASSERT_EQUAL(kept->args[0].value.vector.items[0], 1);
    st_logger_destroy(log);
}

static void test_text(void)
{
    st_log_arg args[] = {text_arg("to", "LP\n7"),
                         {.key = "n", .kind = ST_LOG_I64, .value = {.i64 = INT64_MIN}}};
    st_log_entry entry = {.name = "job\t1",
                          .category = "work",
                          .phase = 'X',
                          .time = 1.25,
                          .duration = 0.0005,
                          .pid = 3,
                          .tid = 4,
                          .id = 9,
                          .args = args,
                          .n_args = 2};
    char *text = log_text(st_log_text_create, NULL, &entry, 1);
    CU_ASSERT_STRING_EQUAL(
        text, "1.25 X 3.4 job 1 [work] for=0.0005 id=9 to=LP 7 n=-9223372036854775808\n");
    free(text);
    st_log_entry odd = {.name = "M\xfcnchen \x01S\xc3\xa3o"};
    text = log_text(st_log_text_create, NULL, &odd, 1);
    CU_ASSERT_STRING_EQUAL(text, "0 i 0.0 M\xef\xbf\xbdnchen  S\xc3\xa3o\n");
    free(text);
}

static void test_chrome(void)
{
    st_log_arg args[] = {f64_arg("nan", NAN),
                         f64_arg("inf", -INFINITY),
                         {.key = "u", .kind = ST_LOG_U64, .value = {.u64 = UINT64_MAX}}};
    st_log_entry entries[] = {{.name = "slice",
                               .category = "c",
                               .phase = 'X',
                               .time = 1234567,
                               .duration = 89,
                               .pid = 1,
                               .tid = 2,
                               .color = "terrible",
                               .args = args,
                               .n_args = 3},
                              {.name = "flow", .phase = 'f', .time = 1e15 + 1, .id = 12},
                              {.name = "note", .time = 0},
                              {.name = "end", .phase = 'E', .time = 1e-3, .tid = 5}};
    st_log_options ns = {.unit_s = 1e-9};
    char *text = log_text(st_log_chrome_create, &ns, entries, 4);
    CU_ASSERT_STRING_EQUAL(
        text,
        "[\n{\"name\":\"slice\",\"cat\":\"c\",\"ph\":\"X\",\"ts\":1234.567,\"dur\":0.089,\"pid\":1,"
        "\"tid\":2,\"cname\":\"terrible\",\"args\":{\"nan\":null,\"inf\":null,"
        "\"u\":18446744073709551615}},\n"
        "{\"name\":\"flow\",\"cat\":\"\",\"ph\":\"f\",\"ts\":1000000000000.001,\"pid\":0,\"tid\":0,"
        "\"id\":\"12\",\"bp\":\"e\"},\n"
        "{\"name\":\"note\",\"ph\":\"i\",\"ts\":0,\"pid\":0,\"tid\":0,\"s\":\"t\"},\n"
        "{\"name\":\"end\",\"ph\":\"E\",\"ts\":1e-06,\"pid\":0,\"tid\":5}\n]\n");
    CU_ASSERT(json_is_valid(text));
    free(text);
    st_log_entry second = {.name = "s", .phase = 'X', .time = 0.25, .duration = 1e-9};
    text = log_text(st_log_chrome_create, NULL, &second, 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"ts\":250000,\"dur\":0.001,"));
    free(text);
    text = log_text(st_log_chrome_create, NULL, NULL, 0);
    CU_ASSERT(json_is_valid(text));
    free(text);
}

static void escape_check(const char *name, const char *expected)
{
    st_log_entry entry = {.name = name};
    char *text = log_text(st_log_chrome_create, NULL, &entry, 1), wanted[300];
    snprintf(wanted, sizeof wanted, "{\"name\":\"%s\",\"ph\"", expected);
    if (strstr(text, wanted) == NULL) {
        printf("%s lacks %s\n", text, wanted);
        CU_FAIL("escapes");
    }
    CU_ASSERT(json_is_valid(text));
    free(text);
}

static void test_escapes(void)
{
    escape_check(NULL, "");
    escape_check("\"\\/", "\\\"\\\\/");
    escape_check("\n\x01\xff\xc3\xa4", "\\n\\u0001\\ufffd\xc3\xa4");
}

int main(void)
{
    static const CU_TestInfo tests[] = {{"CSV", test_csv},
                                        {"attributes", test_attributes},
                                        {"attributes that make no sense", test_attribute_errors},
                                        {"text", test_text},
                                        {"Chrome", test_chrome},
                                        {"escapes", test_escapes}};
    return suite_run("log formats", tests, sizeof tests / sizeof tests[0]);
}
