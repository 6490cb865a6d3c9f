/* SPDX-License-Identifier: BSD-3-Clause */
/* "warpscope serve": secrets, and numbers of requests; the events of --on, and when their commands start; since
 * when findings hold; heat maps; passes over all records. */
/* test: libs=warpscope_reading alone=yes */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "serve/serve.h"
#include "support/suite.h"

static void test_secrets(void)
{
    char a[SERVE_SECRET + 1], b[SERVE_SECRET + 1];
    CU_ASSERT_TRUE_FATAL(serve_secret_make(a) && serve_secret_make(b));
    CU_ASSERT_TRUE(strspn(a, "0123456789abcdef") == SERVE_SECRET && strcmp(a, b) != 0);
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
static size_t commands_await(const char *path)
{
    size_t lines = 0;
    while (wait(NULL) > 0) {
    }
    FILE *file = fopen(path, "r");
    for (int c; file != NULL && (c = getc(file)) != EOF;) {
        lines += c == '\n';
    }
    if (file != NULL) {
        fclose(file);
    }
    return lines;
}

/* Checks the alerts of a run. Returns how many commands have started so far. */
static size_t alerts_check(struct serve *serve, struct serve_run *run)
{
    serve_alerts_check(serve, run);
    return commands_await("alerts.txt");
}

static void alert_add(struct serve *serve, const char *text)
{
    CU_ASSERT_TRUE_FATAL(serve_alert_read(&serve->alerts[serve->n_alerts++], text));
}

/* Returns a run, without files, of a server. */
static struct serve_run *run_make(struct serve *serve)
{
    struct serve_run *run = calloc(1, sizeof *run);
    CU_ASSERT_FATAL(run != NULL && top_run_init(&run->top, "somewhere"));
    run->found = strdup("somewhere");
    serve->runs[serve->n_runs++] = run;
    return run;
}

/* A command starts when its event begins, not while it lasts, and not again within a minute. */
static void test_commands(void)
{
    struct serve *serve = calloc(1, sizeof *serve);
    CU_ASSERT_PTR_NOT_NULL_FATAL(serve);
    struct serve_run *run = run_make(serve);
    remove("alerts.txt");
    alert_add(serve, "stalled:echo $WARPSCOPE_EVENT >>alerts.txt");
    alert_add(serve, "failed:test $WARPSCOPE_DIRECTORY = somewhere && echo >>alerts.txt");
    run->top.state = TOP_RUNNING;
    for (size_t i = 0; i < 3; i++) {
        CU_ASSERT_EQUAL(alerts_check(serve, run), i == 0 ? 0 : 1);
        run->top.stalled = true;
    }
    run->top.stalled = false;
    CU_ASSERT_EQUAL(alerts_check(serve, run), 1);
    CU_ASSERT_FALSE(run->given[0].holds);
    run->top.state = TOP_SILENT;
    CU_ASSERT_EQUAL(alerts_check(serve, run), 1);
    run->given[0].at -= 61;
    CU_ASSERT_EQUAL(alerts_check(serve, run), 2);
    run->top.state = TOP_KILLED;
    run->was_over = true;
    CU_ASSERT_EQUAL(alerts_check(serve, run), 2);
    run->was_over = false;
    CU_ASSERT_EQUAL(alerts_check(serve, run), 3);
    serve_runs_free(serve);
    free(serve);
}

/* The efficiency of the latest seconds is 50 %: a bound above it starts the command, one below does not. The first
 * seconds of a run are not judged. */
static void test_efficiency(void)
{
    const struct ws_counts counts = {.processed = 3000, .undone = 1000};
    struct serve *serve = calloc(1, sizeof *serve);
    CU_ASSERT_PTR_NOT_NULL_FATAL(serve);
    struct serve_run *run = run_make(serve);
    remove("alerts.txt");
    alert_add(serve, "efficiency<49:echo wrong >>alerts.txt");
    alert_add(serve,
              "efficiency<51%:test $(printf %.0f $WARPSCOPE_EFFICIENCY) = 50 && echo >>alerts.txt");
    run->top.state = TOP_RUNNING;
    run->top.model.known[TOP_OF_PES] = 1u << WS_PROCESSED | 1u << WS_UNDONE;
    top_history_count(&run->top.model.history, 0, 11, &counts);
    run->top.elapsed = 9;
    CU_ASSERT_EQUAL(alerts_check(serve, run), 0);
    run->top.elapsed = 11;
    CU_ASSERT_EQUAL(alerts_check(serve, run), 1);
    CU_ASSERT_TRUE(run->given[1].holds && !run->given[0].holds);
    serve_runs_free(serve);
    free(serve);
}

/* ---- Heat maps ------------------------------------------------------------------------------- */

/* Adds a sample of PE 0, or of a KP, with its events executed and undone. */
static void sample_add(struct serve_run *run, enum top_entity of, double time, uint64_t kp,
                       uint64_t executed, uint64_t undone)
{
    static const struct fmt_field fields[] = {{.name = "real_time", .type = FMT_F64},
                                              {.name = "kp", .type = FMT_U64},
                                              {.name = "events_processed", .type = FMT_U64},
                                              {.name = "events_rolled_back", .type = FMT_U64}};
    const struct fmt_schema schema = {
        .n_fields = 4,
        .name = "rt_pe",
        .fields = fields,
        .role_field = {[FMT_ROLE_VIRTUAL_TIME] = -1, [FMT_ROLE_PAYLOAD_TYPE] = -1}};
    uint8_t *values[] = {(uint8_t *)&time, (uint8_t *)&kp, (uint8_t *)&executed,
                         (uint8_t *)&undone};
    struct fmt_columns columns = {.schema = &schema, .n_records = 1, .values = values};
    const struct ws_live_rows rows = {.columns = &columns};
    struct top_feed feed;
    struct fmt_wanted wanted;
    top_feed_init(&feed, of, &schema, &wanted);
    serve_heat_add(&run->heat, &run->top, &feed, &rows);
}

/* Returns the JSON of a heat map, which the caller frees. */
static char *heat_text(const struct serve_heat *heat, bool whole)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    struct json_writer json = {.out = out, .compact = true};
    json_object_open(&json, NULL);
    serve_heat_json(&json, heat, whole);
    json_object_close(&json);
    fclose(out);
    return text;
}

/* Samples are in the second in which they were taken, whenever they are read; those of the latest five
 * minutes are kept. */
static void test_heat(void)
{
    struct fmt_superblock sb = {.n_run = 0};
    struct ws_live live = {.sb = &sb};
    struct serve *serve = calloc(1, sizeof *serve);
    CU_ASSERT_PTR_NOT_NULL_FATAL(serve);
    struct serve_run *run = run_make(serve);
    run->top.files[0].live = &live;
    run->top.model.n_pes = 1;
    char *text = heat_text(&run->heat, true);
    CU_ASSERT_STRING_EQUAL(text, "{}\n");
    free(text);
    sample_add(run, TOP_OF_PES, 0.5, 0, 10, 1);
    sample_add(run, TOP_OF_PES, 2.25, 0, 20, 2);
    sample_add(run, TOP_OF_PES, 2.75, 0, 30, 3);
    sample_add(run, TOP_OF_KPS, 2.75, 3, 7, 4);
    sample_add(run, TOP_OF_LPS, 9.0, 3, 7, 4); /* not shown */
    text = heat_text(&run->heat, true);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"first\":0,\"pes\":[0]"));
    CU_ASSERT_PTR_NOT_NULL(
        strstr(text, "\"pe_sums\":{\"undone\":[[1,null,5]],\"executed\":[[10,null,50]]}"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"kp_sums\":{\"undone\":[[null,null,4]],"));
    free(text);
    sample_add(run, TOP_OF_PES, 301.5, 0, 40, 6); /* it takes the place of second 1 */
    sample_add(run, TOP_OF_PES, 0.5, 0, 10, 1);   /* it is too old */
    text = heat_text(&run->heat, true);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"first\":2,"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"undone\":[[5,null,"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, ",null,6]],\"executed\""));
    free(text);
    text = heat_text(&run->heat, false);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"first\":287,"));
    free(text);
    run->top.opened = 1; /* the files are read again */
    sample_add(run, TOP_OF_PES, 0.5, 0, 10, 1);
    text = heat_text(&run->heat, true);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"pe_sums\":{\"undone\":[[1]],\"executed\":[[10]]}"));
    free(text);
    run->top.files[0].live = NULL;
    run->top.model.n_pes = 0;
    serve_runs_free(serve);
    free(serve);
}

/* ---- Findings -------------------------------------------------------------------------------- */

/* Takes the findings of a run at a date. Returns since when the finding about its KPs holds; 0: never. */
static double since_take(struct serve_run *run, double now)
{
    double since = 0;
    serve_state_take(run, now);
    for (size_t i = 0; i < SERVE_SINCE; i++) {
        const struct serve_since *s = &run->since[i];
        if (s->rule != NULL && s->seen >= now) {
            CU_ASSERT_EQUAL(since, 0);
            since = s->since;
        }
    }
    return since;
}

/* A finding holds since it was made first, unless it names another KP or did not hold for half a minute. */
static void test_since(void)
{
    struct top_part kps[] = {
        {.kp = 3, .counts = {.rollbacks = 90000}}, {.kp = 4}, {.kp = 5}, {.kp = 6}, {.kp = 7}};
    const size_t n = sizeof kps / sizeof kps[0];
    struct fmt_superblock sb = {.n_run = 0};
    struct ws_live live = {.sb = &sb};
    struct serve *serve = calloc(1, sizeof *serve);
    CU_ASSERT_PTR_NOT_NULL_FATAL(serve);
    struct serve_run *run = run_make(serve);
    run->top.files[0].live = &live;
    run->top.n_files = 1;
    run->top.state = TOP_RUNNING;
    run->top.model.parts[TOP_OF_KPS].list = kps;
    CU_ASSERT_EQUAL(since_take(run, 100), 0);
    run->top.model.parts[TOP_OF_KPS].n = n;
    CU_ASSERT_EQUAL(since_take(run, 110), 110);
    CU_ASSERT_EQUAL(since_take(run, 120), 110);
    kps[1].counts.rollbacks = 9000000;
    CU_ASSERT_EQUAL(since_take(run, 130), 130);
    run->top.model.parts[TOP_OF_KPS].n = 0;
    CU_ASSERT_EQUAL(since_take(run, 140), 0);
    run->top.model.parts[TOP_OF_KPS].n = n;
    CU_ASSERT_EQUAL(since_take(run, 150), 130);
    CU_ASSERT_EQUAL(since_take(run, 190), 190);
    run->top.model.parts[TOP_OF_KPS] = (struct top_parts){.n = 0};
    run->top.files[0].live = NULL;
    run->top.n_files = 0;
    serve_runs_free(serve);
    free(serve);
}

/* ---- Passes ---------------------------------------------------------------------------------- */

/* A command about a run starts once it is wanted and the records were read. It is this program, which prints its
 * arguments. */
static void test_passes(void)
{
    struct serve *serve = calloc(1, sizeof *serve);
    CU_ASSERT_PTR_NOT_NULL_FATAL(serve);
    struct serve_run *run = run_make(serve);
    static const char *const texts[SERVE_KINDS] = {
        [SERVE_REPORT] = "report --output=- -- somewhere\n",
        [SERVE_LP] = "report --output=- --lp=7 --format=json --\n",
        [SERVE_CONTROL] = "ctl -- somewhere set --lp-data=1\n"};
    run->lp = 7;
    snprintf(run->request, sizeof run->request, "set\n--lp-data=1");
    for (int kind = 0; kind < SERVE_KINDS; kind++) {
        struct serve_made *made = &run->made[kind];
        made->is_wanted = true;
        run->top.state = TOP_READING;
        serve_pass_tend(serve);
        CU_ASSERT_EQUAL(serve->pass[kind].child != 0, kind == SERVE_CONTROL);
        run->top.state = TOP_RUNNING;
        serve_pass_tend(serve);
        CU_ASSERT_TRUE(!made->is_wanted && !made->is_made);
        siginfo_t info;
        waitid(P_PID, (id_t)serve->pass[kind].child, &info, WEXITED | WNOWAIT);
        serve_pass_tend(serve);
        CU_ASSERT_TRUE_FATAL(made->is_made && made->text != NULL && serve->pass[kind].child == 0);
        CU_ASSERT_STRING_EQUAL(made->text, texts[kind]);
        CU_ASSERT_EQUAL(made->due > 0, kind == SERVE_LP);
        serve_pass_forget(serve, run, (enum serve_kind)kind);
        CU_ASSERT_TRUE(!made->is_made && made->text == NULL);
    }
    serve_runs_free(serve);
    free(serve);
}

int main(int argc, char **argv)
{
    if (argc > 1) { /* see test_passes() */
        for (int i = 1; i < argc; i++) {
            printf("%s%c", argv[i], i + 1 < argc ? ' ' : '\n');
        }
        return EXIT_SUCCESS;
    }
    static const CU_TestInfo tests[] = {
        {"secrets", test_secrets},   {"numbers", test_numbers},       {"events", test_events},
        {"commands", test_commands}, {"efficiency", test_efficiency}, {"heat maps", test_heat},
        {"findings", test_since},    {"passes", test_passes}};
    return suite_run("reader_serve", tests, sizeof tests / sizeof tests[0]);
}
