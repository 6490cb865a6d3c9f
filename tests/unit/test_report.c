/*
 * Tests of report: derived figures in all corners, the lines that scripts search for, the width of
 * the text, and the JSON object with its keys.
 */
#include <CUnit/Basic.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../support/json_check.h"
#include "base/efficiency.h"
#include "report.h"
#include "support/suite.h"

static const struct report_phase phases[] = {
    {"priority_queue", "pending queue", 0.5},
    {"event_processing", "executing events", 1.25},
    {"cancelq", "anti-messages received", 0.0},
};

static const struct report_suspended suspended[] = {{-7, 1}, {0, 2}, {5, 3}};

static struct report sample_report(void)
{
    return (struct report){
        .program = "phold",
        .command_line = "phold --synch=3 \"--run=a b\"",
        .version = "Warpscope 0.1.0",
        .scheduler = "optimistic",
        .transport = "shared memory",
        .rng = "fast",
        .run_end = "reached the end time",
        .ranks = 2,
        .total_lps = 2000,
        .kps_per_pe = 16,
        .batch = 16,
        .gvt_interval = 17,
        .gvt_interval_adapts = true,
        .end_time = 100.5,
        .final_gvt = 101.25,
        .run_seconds = 2.0,
        .init_seconds = 0.125,
        .clock_rate_hz = 2.5e9,
        .counters = {.events_processed = 1100,
                     .events_rolled_back = 100,
                     .events_aborted = 7,
                     .event_ties = 3,
                     .events_past_end = 44,
                     .primary_rollbacks = 20,
                     .secondary_rollbacks = 30,
                     .fossil_collects = 55,
                     .network_sends = 560,
                     .network_recvs = 561,
                     .remote_events = 510,
                     .anti_sends = 10,
                     .events_committed = 1000,
                     .state_saves = 1,
                     .snapshots = 12,
                     .snapshot_bytes = 2049,
                     .events_suspended = 21,
                     .turns_held_back = 9,
                     .gvt_rounds = 40,
                     .all_reduces = 100},
        .memory = {4096, 1 << 20, 2049, 3072, 1ull << 40, 5121},
        .sizes = {1, 2, 64, 8, 32, 112, 128},
        .phase_times = "sampled",
        .phases = phases,
        .n_phases = 3,
        .suspended = suspended,
        .n_suspended = 3,
        .has_fingerprints = true,
        .committed_fingerprint = 0x0123456789abcdefu,
        .state_fingerprint = 0xfu,
    };
}

/* ---- Derived figures ---------------------------------------------------------------------------
 */

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

/* ---- Text --------------------------------------------------------------------------------------
 */

/* Static, because gcc 12 takes what open_memstream() stores for a pointer to a local variable. */
static char *memory_text;
static size_t memory_size;

static char *text_of(const struct report *report)
{
    FILE *file = open_memstream(&memory_text, &memory_size);
    report_print(report, file);
    fclose(file);
    return memory_text;
}

/* Is there a line "label ... value", with nothing but blanks around and between? */
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

static void test_text_lines(void)
{
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
        {"Memory They Took, Compressed, in All (KiB)", "3"},
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
        {"TW Data Structure sizes in bytes (sizeof):", ""},
        {"LP Model struct", "8"},
        {"Total LP", "104"},
        {"Event struct with Model", "128"},
        {"TW Clock Cycle Statistics (MAX values in secs at 2.5000 GHz):", ""},
        {"Initialization", "0.1250"},
        {"TW Phase Statistics (SUM over PEs in secs, sampled):", ""},
        {"executing events", "1.2500   71.43 %"},
        {"pending queue", "0.5000   28.57 %"},
        {"TW GVT Statistics: MPI AllReduce", ""},
        {"GVT Interval (adapts; last)", "17"},
        {"Batch Size", "16"},
        {"Total All Reduce Calls", "100"},
        {"Average Reduction / GVT", "2.50"},
    };
    struct report report = sample_report();
    char *text = text_of(&report);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        bool found = has_line(text, lines[i][0], lines[i][1]);
        if (!found) {
            printf(" (missing: %s %s) ", lines[i][0], lines[i][1]);
        }
        CU_ASSERT(found);
    }
    CU_ASSERT_PTR_NULL(strstr(text, "anti-messages received")); /* took no time */
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

/* Is the wrapped text that starts at at all of command, with line breaks for some of the blanks? */
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

/* ---- JSON --------------------------------------------------------------------------------------
 */

static char *json_of(const struct report *report, void (*extra)(FILE *out))
{
    FILE *file = open_memstream(&memory_text, &memory_size);
    CU_ASSERT_EQUAL(report_write_json(report, file, extra), TW_OK);
    fclose(file);
    return memory_text;
}

static void write_extra(FILE *out)
{
    fputs(", \"extra_one\": 1, \"extra_two\": {\"a\": []}", out);
}

static void test_json_members(void)
{
    static const char *const members[][2] = {
        {"report_version", "1"},
        {"program", "\"phold\""},
        {"command_line", "\"phold --synch=3 \\\"--run=a b\\\"\""},
        {"version", "\"Warpscope 0.1.0\""},
        {"scheduler", "\"optimistic\""},
        {"transport", "\"shared memory\""},
        {"rng", "\"fast\""},
        {"ranks", "2"},
        {"total_lps", "2000"},
        {"kps_per_pe", "16"},
        {"batch", "16"},
        {"gvt_interval", "17"},
        {"gvt_interval_adapts", "true"},
        {"end_time", "100.5"},
        {"final_gvt", "101.25"},
        {"run_end", "\"reached the end time\""},
        {"run_seconds", "2"},
        {"init_seconds", "0.125"},
        {"net_events", "1000"},
        {"event_rate", "500"},
        {"efficiency_percent", "90"},
        {"total_rollbacks", "50"},
        {"net_remote_events", "500"},
        {"remote_events_percent", "50"},
        {"reductions_per_gvt", "2.5"},
        {"committed_fingerprint", "\"0123456789abcdef\""},
        {"state_fingerprint", "\"000000000000000f\""},
        {"events_processed", "1100"},
        {"events_committed", "1000"},
        {"all_reduces", "100"},
        {"events_allocated", "4096"},
        {"lps_suspended", "6"},
        {"-7", "1"},
        {"5", "3"},
        {"max_rss_bytes", "1099511627776"},
        {"transport_bytes", "5121"},
        {"event_with_model", "128"},
        {"phase_times", "\"sampled\""},
        {"event_processing", "1.25"},
        {"cancelq", "0"},
    };
    struct report report = sample_report();
    char *text = json_of(&report, NULL);
    CU_ASSERT(json_is_valid(text));
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        bool right = json_member_is(text, members[i][0], members[i][1]);
        if (!right) {
            printf(" (wrong: %s) ", members[i][0]);
        }
        CU_ASSERT(right);
    }
#define X(name, text_for_people) CU_ASSERT_STRING_NOT_EQUAL(json_find(text, #name), "");
    TW_COUNTER_LIST(X)
#undef X
    free(text);
}

static void test_json_extremes(void)
{
    struct report report = {0};
    memset(&report.counters, 0xff, sizeof report.counters);
    report.final_gvt = INFINITY;
    report.end_time = DBL_MAX;
    report.run_seconds = NAN;
    char *text = json_of(&report, write_extra);
    CU_ASSERT(json_is_valid(text));
    CU_ASSERT(json_member_is(text, "program", "null"));
    CU_ASSERT(json_member_is(text, "final_gvt", "null"));
    CU_ASSERT(json_member_is(text, "run_seconds", "null"));
    CU_ASSERT(json_member_is(text, "committed_fingerprint", "null"));
    CU_ASSERT(json_member_is(text, "state_fingerprint", "null"));
    CU_ASSERT(json_member_is(text, "remote_events", "18446744073709551615"));
    CU_ASSERT(strtod(json_find(text, "end_time"), NULL) == DBL_MAX);
    CU_ASSERT(json_member_is(text, "extra_one", "1"));
    CU_ASSERT_STRING_NOT_EQUAL(json_find(text, "extra_two"), "");
    free(text);
}

/* Each key stands once, so that a script may search the text for it. */
static void test_json_keys_are_unique(void)
{
    struct report report = sample_report();
    char *text = json_of(&report, NULL);
    unsigned n_keys = 0;
    for (char *at = strstr(text, "\": "); at != NULL; at = strstr(at + 1, "\": ")) {
        char *start = at;
        while (start[-1] != '"') {
            start--;
        }
        char key[64];
        snprintf(key, sizeof key, "\"%.*s\": ", (int)(at - start), start);
        char *first = strstr(text, key);
        CU_ASSERT(first == start - 1);
        n_keys++;
    }
    CU_ASSERT(n_keys > 50);
    free(text);
}

static void test_json_on_a_full_disk(void)
{
    FILE *full = fopen("/dev/full", "w");
    if (full == NULL) {
        printf(" (no /dev/full here: not tested) ");
        return;
    }
    struct report report = sample_report();
    CU_ASSERT_EQUAL(report_write_json(&report, full, NULL), TW_ERR_IO);
    fclose(full);
}

/* Many errors: the first few, and how many others. Nothing at all when no LP is suspended. */
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
        {"members of the JSON object", test_json_members},
        {"JSON of extreme figures, extra members", test_json_extremes},
        {"keys of the JSON object are unique", test_json_keys_are_unique},
        {"JSON to a full disk", test_json_on_a_full_disk},
    };
    return suite_run("report", tests, sizeof tests / sizeof *tests);
}
