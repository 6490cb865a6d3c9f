/* SPDX-License-Identifier: BSD-3-Clause */
/* Which requests "warpscope serve" answers: secrets, hosts, origins, numbers; the events of --on, and when their
 * commands start. */
/* test: libs=warpscope_reading */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "serve/alerts.h"
#include "support/suite.h"

static void test_secrets(void)
{
    char a[SERVE_SECRET + 1], b[SERVE_SECRET + 1];
    CU_ASSERT_TRUE_FATAL(serve_secret_make(a) && serve_secret_make(b));
    CU_ASSERT_TRUE(serve_secret_is_valid(a) && strcmp(a, b) != 0);
    CU_ASSERT_TRUE(serve_secret_is(a, SERVE_SECRET, a));
    CU_ASSERT_FALSE(serve_secret_is(b, SERVE_SECRET, a));
    CU_ASSERT_FALSE(serve_secret_is("", 0, a));
    for (size_t size = 0; size < SERVE_SECRET; size++) {
        char wrong[SERVE_SECRET + 1];
        CU_ASSERT_FALSE(serve_secret_is(a, size, a));
        memcpy(wrong, a, sizeof wrong);
        wrong[size] ^= 1;
        CU_ASSERT_FALSE(serve_secret_is(wrong, SERVE_SECRET, a));
        CU_ASSERT_FALSE(serve_secret_is(wrong, size + 1, a));
    }
    char longer[2 * SERVE_SECRET + 1];
    snprintf(longer, sizeof longer, "%s%s", a, a);
    CU_ASSERT_FALSE(serve_secret_is(longer, SERVE_SECRET + 1, a));
    CU_ASSERT_FALSE(serve_secret_is(longer, 2 * SERVE_SECRET, a));
    CU_ASSERT_FALSE(serve_secret_is_valid(longer) || serve_secret_is_valid(""));
    CU_ASSERT_FALSE(serve_secret_is_valid("0123456789abcdef0123456789abcdeF"));

    char value[SERVE_SECRET + 32];
    static const char *const good[] = {"Bearer %s", "bearer %s", "BEARER   %s"};
    static const char *const bad[] = {"%s",     "Basic %s", "Bearer%s",  "Bearer %s ",
                                      "Bearer", "",         " Bearer %s"};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        snprintf(value, sizeof value, good[i], a);
        CU_ASSERT_TRUE(serve_bearer_is(value, a));
        CU_ASSERT_FALSE(serve_bearer_is(value, b));
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        snprintf(value, sizeof value, bad[i], a);
        CU_ASSERT_FALSE(serve_bearer_is(value, a));
    }
    CU_ASSERT_FALSE(serve_bearer_is(NULL, a));
}

static void test_hosts(void)
{
    static const struct {
        const char *value, *address;
        uint16_t port;
        const char *name;
        bool good;
    } cases[] = {
        {"127.0.0.1:8470", "127.0.0.1", 8470, "localhost", true},
        {"localhost:8470", "127.0.0.1", 8470, "localhost", true},
        {"LocalHost:8470", "127.0.0.1", 8470, "localhost", true},
        {"[::1]:8470", "::1", 8470, "localhost", true},
        {"[0:0::1]:8470", "::1", 8470, "localhost", true},
        {"127.0.0.1", "127.0.0.1", 80, NULL, true},
        {"[::1]", "::1", 80, NULL, true},
        {"node17:9", "10.0.0.7", 9, "node17", true},
        {NULL, "127.0.0.1", 8470, "localhost", false},
        {"", "127.0.0.1", 80, "localhost", false},
        {"", "127.0.0.1", 80, "", false},
        {"127.0.0.1", "127.0.0.1", 8470, "localhost", false},
        {"127.0.0.1:80", "127.0.0.1", 8470, "localhost", false},
        {"127.0.0.1:8470x", "127.0.0.1", 8470, "localhost", false},
        {"127.0.0.1:8470:8470", "127.0.0.1", 8470, "localhost", false},
        {"127.0.0.1.evil.example:8470", "127.0.0.1", 8470, "localhost", false},
        {"localhost.evil.example:8470", "127.0.0.1", 8470, "localhost", false},
        {"evil.example:8470", "127.0.0.1", 8470, "localhost", false},
        {"127.0.0.2:8470", "127.0.0.1", 8470, "localhost", false},
        {"127.1:8470", "127.0.0.1", 8470, "localhost", false},
        {"::1:8470", "::1", 8470, "localhost", false},
        {"[::1:8470", "::1", 8470, "localhost", false},
        {"[::1]8470", "::1", 8470, "localhost", false},
        {"[127.0.0.1]:8470", "127.0.0.1", 8470, "localhost", false},
        {"[localhost]:8470", "127.0.0.1", 8470, "localhost", false},
        {"127.0.0.1:-1", "127.0.0.1", 65535, "localhost", false},
        {"127.0.0.1:65536", "127.0.0.1", 0, "localhost", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        bool is = serve_host_is(cases[i].value, cases[i].address, cases[i].port, cases[i].name);
        if (is != cases[i].good) {
            printf("host %s\n", cases[i].value == NULL ? "missing" : cases[i].value);
        }
        CU_ASSERT_EQUAL(is, cases[i].good);
    }
    char large[1000];
    memset(large, '1', sizeof large - 1);
    large[sizeof large - 1] = '\0';
    CU_ASSERT_FALSE(serve_host_is(large, "127.0.0.1", 80, large));

    CU_ASSERT_TRUE(serve_origin_is("http://127.0.0.1:8470", "127.0.0.1:8470"));
    static const char *const others[] = {"null",
                                         "",
                                         "http://",
                                         "https://127.0.0.1:8470",
                                         "http://127.0.0.1",
                                         "http://127.0.0.1:84700",
                                         "http://127.0.0.1:8470/",
                                         "127.0.0.1:8470"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        CU_ASSERT_FALSE(serve_origin_is(others[i], "127.0.0.1:8470"));
    }
}

static void test_numbers(void)
{
    uint64_t n;
    CU_ASSERT_TRUE(serve_number_read(NULL, 5, 77, &n) && n == 77);
    CU_ASSERT_TRUE(serve_number_read("5", 5, 77, &n) && n == 5);
    CU_ASSERT_TRUE(serve_number_read("18446744073709551615", UINT64_MAX, 0, &n) && n == UINT64_MAX);
    static const char *const bad[] = {
        "", "6", "-1", "+1", " 1", "1 ", "0x1", "1e0", "18446744073709551616"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        CU_ASSERT_FALSE(serve_number_read(bad[i], 5, 0, &n));
    }
}

static void test_events(void)
{
    struct serve_alert alert;
    CU_ASSERT_TRUE(serve_alert_read(&alert, "stalled:a:b") && alert.event == SERVE_STALLED &&
                   strcmp(alert.command, "a:b") == 0);
    CU_ASSERT_TRUE(serve_alert_read(&alert, "ended:x") && alert.event == SERVE_ENDED);
    CU_ASSERT_TRUE(serve_alert_read(&alert, "failed: x") && alert.event == SERVE_FAILED);
    CU_ASSERT_TRUE(serve_alert_read(&alert, "efficiency<62.5:x y") &&
                   alert.event == SERVE_EFFICIENCY && alert.below > 62.4 && alert.below < 62.6 &&
                   strcmp(alert.command, "x y") == 0);
    CU_ASSERT_TRUE(serve_alert_read(&alert, "efficiency<50%:x"));
    static const char *const bad[] = {"",
                                      ":",
                                      "stalled",
                                      "stalled:",
                                      "Stalled:x",
                                      "efficiency:x",
                                      "efficiency<:x",
                                      "efficiency<x:y",
                                      "efficiency<50",
                                      "efficiency<50:",
                                      "efficiency<50%%:x",
                                      "efficiency<101:x",
                                      "efficiency<nan:x",
                                      "efficiency>50:x",
                                      "endedx:y"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        CU_ASSERT_FALSE(serve_alert_read(&alert, bad[i]));
    }
}

/* Waits until the commands have ended. Returns the number of lines that they have written. */
static size_t commands_await(struct serve_alerts *alerts, const char *path)
{
    size_t lines = 0;
    for (unsigned i = 0; i < SERVE_CHILDREN_MAX; i++) {
        siginfo_t info;
        if (alerts->children[i].pid != 0) {
            waitid(P_PID, (id_t)alerts->children[i].pid, &info, WEXITED | WNOWAIT);
        }
    }
    serve_alerts_reap(alerts);
    FILE *file = fopen(path, "r");
    for (int c; file != NULL && (c = getc(file)) != EOF;) {
        lines += c == '\n';
    }
    if (file != NULL) {
        fclose(file);
    }
    return lines;
}

/* A command starts when its event begins, not while it lasts, and not again within a minute. */
static void test_commands(void)
{
    struct serve_alerts alerts = {.n = 2};
    struct serve_run *run = calloc(1, sizeof *run);
    CU_ASSERT_PTR_NOT_NULL_FATAL(run);
    remove("alerts.txt");
    CU_ASSERT_TRUE(serve_alert_read(&alerts.list[0], "stalled:echo $WARPSCOPE_EVENT >>alerts.txt"));
    CU_ASSERT_TRUE(
        serve_alert_read(&alerts.list[1], "failed:echo $WARPSCOPE_DIRECTORY >>alerts.txt"));
    CU_ASSERT_TRUE_FATAL(top_run_init(&run->top, "somewhere"));
    run->top.state = TOP_RUNNING;
    for (int i = 0; i < 3; i++) {
        serve_alerts_check(&alerts, run);
        CU_ASSERT_EQUAL(commands_await(&alerts, "alerts.txt"), i == 0 ? 0 : 1);
        run->top.stalled = true;
    }
    run->top.stalled = false;
    serve_alerts_check(&alerts, run);
    CU_ASSERT_EQUAL(run->alerted, 0);
    run->top.state = TOP_SILENT;
    serve_alerts_check(&alerts, run);
    CU_ASSERT_EQUAL(commands_await(&alerts, "alerts.txt"), 1);
    run->alert_at[0] -= 61;
    serve_alerts_check(&alerts, run);
    CU_ASSERT_EQUAL(commands_await(&alerts, "alerts.txt"), 2);
    run->top.state = TOP_KILLED;
    run->was_over = true;
    serve_alerts_check(&alerts, run);
    CU_ASSERT_EQUAL(commands_await(&alerts, "alerts.txt"), 2);
    run->was_over = false;
    serve_alerts_check(&alerts, run);
    CU_ASSERT_EQUAL(commands_await(&alerts, "alerts.txt"), 3);
    for (unsigned i = 0; i < SERVE_CHILDREN_MAX; i++) {
        CU_ASSERT_EQUAL(alerts.children[i].pid, 0);
    }
    top_run_free(&run->top);
    free(run);
}

int main(void)
{
    static const CU_TestInfo tests[] = {{"secrets", test_secrets},
                                        {"hosts and origins", test_hosts},
                                        {"numbers", test_numbers},
                                        {"events", test_events},
                                        {"commands", test_commands}};
    return suite_run("reader_serve", tests, sizeof tests / sizeof tests[0]);
}
