/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Requests to running simulations: lines of the control files, and bodies of CHANGE blocks. What is
 * written can be read, and what is cut off or damaged anywhere is refused.
 */
#include "format/control_file.h"
#include "format/meta.h"
#include "support/suite.h"

#define ROUNDS 2000

static uint64_t seed;

static void lines_round_trip(void)
{
    const char *const fields[] = {"request",         "",   "two words", "100%", "a\nb\t\x7f",
                                  "\xc3\xa4 = \x01", "end"};
    enum { N = sizeof fields / sizeof fields[0] };
    char line[CONTROL_LINE_MAX], *read[CONTROL_FIELDS_MAX];
    size_t size = control_line_write(line, fields, N);
    CU_ASSERT_EQUAL_FATAL(line[size - 1], '\n');
    CU_ASSERT_PTR_NULL(memchr(line, '\n', size - 1));
    line[size - 1] = '\0';
    CU_ASSERT_EQUAL_FATAL(control_line_read(line, read), N);
    for (int i = 0; i < N; i++) {
        CU_ASSERT_STRING_EQUAL(read[i], fields[i]);
    }
}

static void cut_lines_are_none(void)
{
    const char *const fields[] = {"request", "id", "stop"};
    char line[CONTROL_LINE_MAX], cut[CONTROL_LINE_MAX], *read[CONTROL_FIELDS_MAX];
    size_t size = control_line_write(line, fields, 3);
    for (size_t length = 0; length + 1 < size; length++) {
        memcpy(cut, line, length);
        cut[length] = '\0';
        CU_ASSERT_EQUAL(control_line_read(cut, read), 0);
    }
}

static void bad_lines_are_none(void)
{
    static const char *const bad[] = {"",         " end",      "a  end",     "a %zz end",
                                      "a %4 end", "a %4G end", "a b%00 end", "a %00b end",
                                      "a\tb end", "a endx",    "a end ",     "%"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char line[64], *read[CONTROL_FIELDS_MAX];
        snprintf(line, sizeof line, "%s", bad[i]);
        CU_ASSERT_EQUAL(control_line_read(line, read), 0);
    }
}

static void long_lines_are_refused(void)
{
    char text[CONTROL_LINE_MAX + 1], line[CONTROL_LINE_MAX], *read[CONTROL_FIELDS_MAX];
    for (size_t length = CONTROL_LINE_MAX - 40; length <= CONTROL_LINE_MAX; length++) {
        memset(text, 'x', length);
        text[length] = '\0';
        const char *const fields[] = {text, ""};
        size_t size = control_line_write(line, fields, 2);
        CU_ASSERT(size <= CONTROL_LINE_MAX);
        CU_ASSERT(size > 0 || length + 16 > CONTROL_LINE_MAX);
        if (size > 0) {
            line[size - 1] = '\0';
            CU_ASSERT_EQUAL(control_line_read(line, read), 2);
        }
    }
    char many[4 * CONTROL_FIELDS_MAX + 8] = "";
    for (unsigned i = 0; i <= CONTROL_FIELDS_MAX; i++) {
        memcpy(many + strlen(many), "a ", 3);
    }
    memcpy(many + strlen(many), "end", 4);
    CU_ASSERT_EQUAL(control_line_read(many, read), 0);
}

static void random_lines_do_no_harm(void)
{
    for (int round = 0; round < ROUNDS; round++) {
        char line[128], *read[CONTROL_FIELDS_MAX];
        size_t length = (size_t)(random_bits(&seed) % (sizeof line - 1));
        for (size_t i = 0; i < length; i++) {
            static const char some[] = "ab %0eEnd\n\xff";
            line[i] = some[random_bits(&seed) % (sizeof some - 1)];
        }
        line[length] = '\0';
        unsigned n = control_line_read(line, read);
        CU_ASSERT(n <= CONTROL_FIELDS_MAX);
        for (unsigned i = 0; i < n; i++) {
            CU_ASSERT(read[i] >= line && read[i] + strlen(read[i]) <= line + length);
        }
    }
}

static struct fmt_change usual(void)
{
    struct fmt_change c = {
        .number = 3, .gvt = 1.5, .real_time = 2.25, .date = 1700000000.125, .pid = 4711};
    snprintf(c.user, sizeof c.user, "alice");
    snprintf(c.host, sizeof c.host, "node1");
    snprintf(c.text, sizeof c.text, "set event-trace=3");
    return c;
}

static void changes_round_trip(void)
{
    uint8_t body[8192];
    struct fmt_out out = {.data = body, .capacity = sizeof body};
    struct fmt_change from = usual(), to;
    fmt_change_encode(&out, &from);
    CU_ASSERT_FALSE(out.full);
    CU_ASSERT_TRUE_FATAL(fmt_change_decode(&to, body, out.size));
    CU_ASSERT_EQUAL(memcmp(&from, &to, offsetof(struct fmt_change, user)), 0);
    CU_ASSERT_STRING_EQUAL(to.user, from.user);
    CU_ASSERT_STRING_EQUAL(to.host, from.host);
    CU_ASSERT_STRING_EQUAL(to.text, from.text);
    body[out.size] = 1; /* of a later version */
    CU_ASSERT_TRUE(fmt_change_decode(&to, body, out.size + 1));
    for (size_t size = 0; size < out.size; size++) {
        CU_ASSERT_FALSE(fmt_change_decode(&to, body, size));
    }
}

static void damaged_changes_are_refused(void)
{
    uint8_t body[8192];
    struct fmt_out out = {.data = body, .capacity = sizeof body};
    struct fmt_change from = usual(), to;
    memset(from.user, 'u', sizeof from.user - 1);
    fmt_change_encode(&out, &from);
    CU_ASSERT_TRUE(fmt_change_decode(&to, body, out.size));
    size_t user_at = 8 + 3 * 8 + 4;
    body[user_at]++; /* one byte longer than fits */
    CU_ASSERT_FALSE(fmt_change_decode(&to, body, out.size));
    body[user_at]--;
    body[user_at + 5] = 0; /* a zero in a string */
    CU_ASSERT_FALSE(fmt_change_decode(&to, body, out.size));
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"lines round trip", lines_round_trip},
        {"cut lines are none", cut_lines_are_none},
        {"bad lines are none", bad_lines_are_none},
        {"long lines are refused", long_lines_are_refused},
        {"random lines do no harm", random_lines_do_no_harm},
        {"changes round trip", changes_round_trip},
        {"damaged changes are refused", damaged_changes_are_refused}};
    seed = suite_seed();
    suite_print_seed("control", seed);
    return suite_run("format/control", tests, sizeof(tests) / sizeof(tests[0]));
}
