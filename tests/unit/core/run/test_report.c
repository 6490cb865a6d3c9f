/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests of report: derived figures in extreme cases, the lines that scripts search for, and the
 * width of the text.
 */
#include <CUnit/Basic.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/efficiency.h"
#include "support/report_sample.h"
#include "support/suite.h"

/* ---- Derived figures ------------------------------------------------------------------------- */

static void test_net_events(void)
{
    struct report report = sample_report();
    CU_ASSERT_EQUAL(report_net_events(&report), 1000);
    CU_ASSERT_EQUAL(report_net_remote_events(&report), 500);
    report.counters.events_rolled_back = 1101;
    report.counters.anti_sends = 511;
    CU_ASSERT_EQUAL(report_net_events(&report), 0);
    CU_ASSERT_EQUAL(report_net_remote_events(&report), 0);
}

static void test_efficiency(void)
{
    CU_ASSERT_DOUBLE_EQUAL(efficiency_percent(1100, 100), 90.0, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(efficiency_percent(300, 200), -100.0, 1e-12);
    CU_ASSERT_EQUAL(efficiency_percent(0, 0), 100.0);
    CU_ASSERT_EQUAL(efficiency_percent(5, 0), 100.0);
    CU_ASSERT_EQUAL(efficiency_percent(5, 5), 0.0);
    CU_ASSERT_EQUAL(efficiency_percent(5, 6), 0.0);
    CU_ASSERT_EQUAL(efficiency_percent(UINT64_MAX, 0), 100.0);
    CU_ASSERT(isfinite(efficiency_percent(UINT64_MAX, UINT64_MAX - 1)));
}

static void test_event_rate(void)
{
    struct report report = sample_report();
    CU_ASSERT_EQUAL(report_event_rate(&report), 500.0);
    static const double no_time[] = {0.0, -1.0, NAN, DBL_TRUE_MIN};
    for (size_t i = 0; i < sizeof no_time / sizeof *no_time; i++) {
        report.run_seconds = no_time[i];
        CU_ASSERT_EQUAL(report_event_rate(&report), 0.0);
    }
}

/* ---- Text ------------------------------------------------------------------------------------ */

static char *text_of(const struct report *report)
{
    FILE *file = open_memstream(&memory_text, &memory_size);
    report_print(report, file);
    fclose(file);
    return memory_text;
}

/* Returns true if there is a line "label ... value", with only blanks around and between. */
static bool has_line(const char *text, const char *label, const char *value)
{
    for (const char *at = text; (at = strstr(at, label)) != NULL; at++) {
        const char *rest = at + strlen(label);
        rest += strspn(rest, " ");
        size_t length = strlen(value);
        if (at > text && (at[-1] == '\t' || at[-1] == '\n') && strncmp(rest, value, length) == 0 &&
            rest[length] == '\n') {
            return true;
        }
    }
    return false;
}

static size_t widest_line(const char *text)
{
    size_t widest = 0;
    size_t column = 0;
    for (; *text != '\0'; text++) {
        if (*text == '\n') {
            column = 0;
        } else {
            column += *text == '\t' ? 8 - column % 8 : 1;
        }
        widest = column > widest ? column : widest;
    }
    return widest;
}

/* The lines of the text of sample_report(): {label, value}. */
static const char *const lines[][2] = {
    {"Total PEs", "2"},
    {"Total LPs", "2000"},
    {"Simulation End Time", "100.50"},
    {"Final GVT", "101.25"},
    {"Run Ended:", "reached the end time"},
    {"Random Generator:", "fast"},
    {"Committed Events Fingerprint", "0123456789abcdef"},
    {"Final States Fingerprint", "000000000000000f"},
    {": Running Time = ", "2.0000 seconds"},
    {"TW Library Statistics:", ""},
    {"Total Events Processed", "1100"},
    {"Events Aborted (part of RBs)", "7"},
    {"Events Rolled Back", "100"},
    {"Event Ties Detected in PE Queues", "3"},
    {"Efficiency", "90.00 %"},
    {"Total Remote (network) Events Processed", "500"},
    {"Percent Remote Events", "50.00 %"},
    {"Total Roll Backs", "50"},
    {"Primary Roll Backs", "20"},
    {"Secondary Roll Backs", "30"},
    {"Fossil Collect Attempts", "55"},
    {"Total GVT Computations", "40"},
    {"Net Events Processed", "1000"},
    {"Event Rate (events/sec)", "500.0"},
    {"Total Events Scheduled Past End Time", "44"},
    {"Total Events Committed", "1000"},
    {"Turns Held Back by Limits of Memory", "9"},
    {"Differences of LP States Kept (snapshots)", "12"},
    {"Total Size of Differences, Compressed (KiB)", "3"},
    {"LPs suspended", "6"},
    {"LPs suspended with error -7", "1"},
    {"LPs suspended with error 5", "3"},
    {"Events for Suspended LPs", "21"},
    {"TW Memory Statistics:", ""},
    {"Events Allocated", "4096"},
    {"Memory Allocated for Events (KiB)", "1024"},
    {"Memory of LPs (KiB)", "3"},
    {"TW Network Statistics:", ""},
    {"Remote sends", "560"},
    {"Remote recvs", "561"},
    {"Remote events sent", "510"},
    {"Remote events committed", "500"},
    {"TW Data Structure sizes in bytes (sizeof):", ""},
    {"LP Model struct", "8"},
    {"Total LP", "104"},
    {"Event struct with Model", "128"},
    {"TW Clock Cycle Statistics (MAX values in secs at 2.5000 GHz):", ""},
    {"Initialization", "0.1250"},
    {"Ending of Threads", "0.0625"},
    {"TW Phase Statistics (SUM over PEs in secs, sampled):", ""},
    {"executing events", "1.2500   71.43 %"},
    {"pending queue", "0.5000   28.57 %"},
    {"TW GVT Statistics: MPI AllReduce", ""},
    {"GVT Interval (adapts; last)", "17"},
    {"Batch Size", "16"},
    {"Total All Reduce Calls", "100"},
    {"Average Reduction / GVT", "2.50"},
};

static void test_text_lines(void)
{
    struct report report = sample_report();
    char *text = text_of(&report);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        bool found = has_line(text, lines[i][0], lines[i][1]);
        if (!found) {
            printf(" (missing: %s %s) ", lines[i][0], lines[i][1]);
        }
        CU_ASSERT(found);
    }
    CU_ASSERT_PTR_NULL(strstr(text, "anti-messages received")); /* a run of 0 seconds */
    CU_ASSERT(widest_line(text) <= 80);
    free(text);
}

static void test_text_of_nothing(void)
{
    struct report report = {.ranks = 1};
    char *text = text_of(&report);
    CU_ASSERT(has_line(text, "Efficiency", "100.00 %"));
    CU_ASSERT(has_line(text, "Percent Remote Events", "0.00 %"));
    CU_ASSERT(has_line(text, "Event Rate (events/sec)", "0.0"));
    CU_ASSERT(has_line(text, "Average Reduction / GVT", "0.00"));
    CU_ASSERT(has_line(text, "Run Ended:", "unknown"));
    CU_ASSERT_PTR_NULL(strstr(text, "Fingerprint"));
    CU_ASSERT_PTR_NULL(strstr(text, "Phase"));
    CU_ASSERT_PTR_NULL(strstr(text, "Held Back"));
    CU_ASSERT_PTR_NULL(strstr(text, "nan"));
    CU_ASSERT_PTR_NULL(strstr(text, "inf"));
    free(text);
}

static void test_text_of_extremes(void)
{
    struct report report = sample_report();
    memset(&report.counters, 0xff, sizeof report.counters);
    memset(&report.memory, 0xff, sizeof report.memory);
    report.counters.events_rolled_back -= 1;
    report.counters.anti_sends = 0;
    report.end_time = DBL_MAX;
    report.final_gvt = INFINITY;
    report.clock_rate_hz = 1e9;
    static const struct report_phase long_phases[] = {{"a", "all of it", 1e300}, {"b", "b", 1e-9}};
    report.phases = long_phases;
    report.n_phases = 2;
    char *text = text_of(&report);
    CU_ASSERT(widest_line(text) <= 80);
    CU_ASSERT(has_line(text, "Remote sends", "18446744073709551615"));
    CU_ASSERT(has_line(text, "Simulation End Time", "1.798e+308"));
    CU_ASSERT(has_line(text, "all of it", "1e+300  100.00 %"));
    free(text);
}

/* Returns true if the text at `at` is the whole command; line breaks may replace blanks. */
static bool is_wrapped(const char *at, const char *command)
{
    for (; *command != '\0'; command++) {
        if (*command == ' ' && at[0] == '\n' && at[1] == '\t') {
            at += 2;
        } else if (*at++ != *command) {
            return false;
        }
    }
    return *at == '\n';
}

static void test_command_line_wraps(void)
{
    struct report report = sample_report();
    char *text;
    for (int first = 1; first <= 70; first++) { /* each possible distance to the right edge */
        char command[1000];
        size_t used = (size_t)snprintf(command, sizeof command, "%.*s", first,
                                       "modelmodelmodelmodelmodelmodelmodel"
                                       "modelmodelmodelmodelmodelmodelmodel");
        for (int i = 0; i < 30; i++) {
            used += (size_t)snprintf(command + used, sizeof command - used, " --option-%d=%d", i,
                                     i * i);
        }
        report.command_line = command;
        text = text_of(&report);
        CU_ASSERT(widest_line(text) <= 80);
        CU_ASSERT(is_wrapped(strstr(text, "\tm") + 1, command));
        free(text);
    }
    report.command_line = " ";
    text = text_of(&report);
    CU_ASSERT(has_line(text, "Total PEs", "2"));
    free(text);
}

/* Many errors: the first few, and the number of the rest. No line if no LP is suspended. */
static void test_suspended_lps(void)
{
    struct report_suspended many[20];
    struct report report = sample_report();
    for (int i = 0; i < 20; i++) {
        many[i] = (struct report_suspended){i + 1, 2};
    }
    report.suspended = many;
    report.n_suspended = 20;
    char *text = text_of(&report);
    CU_ASSERT(has_line(text, "LPs suspended", "40"));
    CU_ASSERT(has_line(text, "LPs suspended with error 8", "2"));
    CU_ASSERT_FALSE(has_line(text, "LPs suspended with error 9", "2"));
    CU_ASSERT(has_line(text, "LPs suspended with other errors", "24"));
    free(text);
    report.n_suspended = 0;
    text = text_of(&report);
    CU_ASSERT_PTR_NULL(strstr(text, "uspended"));
    free(text);
    CU_ASSERT_EQUAL(report_suspended_lps(&report), 0);
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"net events and remote events", test_net_events},
        {"efficiency", test_efficiency},
        {"event rate", test_event_rate},
        {"lines of the text", test_text_lines},
        {"text when nothing was executed", test_text_of_nothing},
        {"text of extreme figures", test_text_of_extremes},
        {"suspended LPs", test_suspended_lps},
        {"long command line", test_command_line_wraps},
    };
    return suite_run("report", tests, sizeof tests / sizeof *tests);
}
