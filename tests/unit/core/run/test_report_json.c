/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests of report: the JSON object with its keys.
 */
#include <CUnit/Basic.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/json_check.h"
#include "support/report_sample.h"
#include "support/suite.h"
#include "text/json.h"

static char *json_of(const struct report *report, void (*extra)(struct json_writer *json))
{
    FILE *file = open_memstream(&memory_text, &memory_size);
    CU_ASSERT_EQUAL(report_write_json(report, file, extra), TW_OK);
    fclose(file);
    return memory_text;
}

static void write_extra(struct json_writer *json)
{
    json_put_u64(json, "extra_one", 1);
    json_object_open(json, "extra_two");
    json_object_close(json);
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
        {"end_seconds", "0.0625"},
        {"net_events", "1000"},
        {"event_rate", "500"},
        {"efficiency_percent", "90"},
        {"total_rollbacks", "50"},
        {"net_remote_events", "500"},
        {"remote_events_percent", "50"},
        {"reductions_per_gvt", "2.5"},
        {"gvt_pending_percent", "37.5"},
        {"gvt_overlap_percent", "25.25"},
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

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"members of the JSON object", test_json_members},
        {"JSON of extreme figures, extra members", test_json_extremes},
        {"keys of the JSON object are unique", test_json_keys_are_unique},
        {"JSON to a full disk", test_json_on_a_full_disk},
    };
    return suite_run("report: JSON", tests, sizeof tests / sizeof *tests);
}
