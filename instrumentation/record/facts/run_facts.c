/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * run_facts.c - collects the facts of a run before it starts: its parameters, and what is needed to
 * repeat it. Results of the run are in the END blocks of the files.
 */
#include "record/facts/run_facts.h"

#include <assert.h>
#include <math.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "engine/probe.h"
#include "engine/words.h"
#include "format/identity.h"
#include "text/date.h"
#include "text/decimal.h"

#define RUN_VALUE_MAX 8192u /* maximum length of a value in a record file, in bytes */
#define HOSTS_TEXT    2048u
#define OPTION_KEY    "option_" /* beginning of the keys of facts about options */
/* Maximum size in bytes of a file that is hashed, so that hashing takes less than a second. */
#define HASHED_MAX (UINT64_C(1) << 30)

bool run_input_text(const char *path, char *text, size_t size)
{
    struct stat st;
    uint64_t hash = 0, bytes = 0;
    if (path[0] == '\0' || stat(path, &st) != 0 || !S_ISREG(st.st_mode)) {
        return false;
    }
    bytes = (uint64_t)st.st_size;
    if (bytes > HASHED_MAX || fmt_file_hash(path, &hash, &bytes) != 0) {
        snprintf(text, size, "- %" PRIu64 " %s", bytes, path);
    } else {
        snprintf(text, size, "xxh3:%016" PRIx64 " %" PRIu64 " %s", hash, bytes, path);
    }
    return true;
}

static void add_text(struct run_facts *facts, const char *key, const char *value)
{
    assert(facts->n < RUN_FACTS_MAX);
    facts->facts[facts->n++] = (struct fmt_text){key, value};
}

/* Adds a fact with a copy of text as its value. */
static void add_copy(struct run_facts *facts, const char *key, const char *text)
{
    assert(facts->n < RUN_FACTS_MAX && strlen(text) < sizeof facts->values[0]);
    char *kept = facts->values[facts->n];
    memcpy(kept, text, strlen(text) + 1);
    add_text(facts, key, kept);
}

/* Adds a fact with the value of an option whose values are words. */
static void add_word(struct run_facts *facts, const char *key, const char *option)
{
    char *kept = facts->values[facts->n];
    run_option_text(option, kept, sizeof facts->values[0]);
    add_text(facts, key, kept);
}

/* Adds a fact with a copy of text as its value; adds none if text is NULL or empty. If the text is
 * too long, omits the fact, since a truncated text would mislead, and adds its key to left_out. */
static void add_long(struct run_facts *facts, const char *key, const char *text)
{
    size_t size = text == NULL ? 0 : strlen(text) + 1;
    if (size <= 1) {
        return;
    }
    if (size > RUN_VALUE_MAX || size > sizeof facts->room - facts->used) {
        size_t length = strlen(facts->left_out);
        snprintf(facts->left_out + length, sizeof facts->left_out - length, "%s%s",
                 length > 0 ? " " : "", key);
        return;
    }
    char *kept = facts->room + facts->used;
    memcpy(kept, text, size);
    facts->used += size;
    add_text(facts, key, kept);
}

static void add_number(struct run_facts *facts, const char *key, unsigned long long value)
{
    char text[32];
    snprintf(text, sizeof text, "%llu", value);
    add_copy(facts, key, text);
}

static void add_real(struct run_facts *facts, const char *key, double value)
{
    char text[DECIMAL_MAX];
    decimal_f64(text, value);
    add_copy(facts, key, text);
}

static void add_options(struct run_facts *facts, const struct record_options *o)
{
    add_number(facts, "option_enable_gvt_stats", o->gvt_stats);
    add_number(facts, "option_num_gvt", o->num_gvt);
    add_number(facts, "option_real_time_samp", o->rt_stats != 0 ? o->rt_interval_ms : 0);
    add_number(facts, "option_pe_data", o->pe_data);
    add_number(facts, "option_kp_data", o->kp_data);
    add_number(facts, "option_lp_data", o->lp_data);
    add_number(facts, "option_event_trace", o->event_trace);
    add_number(facts, "option_model_stats", o->model_stats);
    add_word(facts, "option_stats_format", "stats-format");
    if (o->rt_stats != 0 || record_options_model_at_rt(o)) {
        add_number(facts, "option_rt_interval", o->rt_interval_ms);
    }
    if (o->event_times != 0) {
        add_number(facts, "option_event_times", o->event_times);
    }
    if (o->trace_lps[0] != '\0') {
        add_text(facts, "option_trace_lps", o->trace_lps);
    }
    if (isfinite(o->trace_from)) {
        add_real(facts, "option_trace_from", o->trace_from);
    }
    if (isfinite(o->trace_to)) {
        add_real(facts, "option_trace_to", o->trace_to);
    }
    add_number(facts, "option_task_trace", o->task_trace);
    if (o->tracers[0] != '\0') {
        add_text(facts, "option_tracer", o->tracers);
    }
    if (o->vt_interval > 0.0) {
        add_real(facts, "option_vt_interval", o->vt_interval);
    }
    if (o->buffer_overwrite != 0) {
        add_number(facts, "option_buffer_overwrite", o->buffer_overwrite);
    }
    if (o->flight_trigger[0] != '\0') {
        add_text(facts, "option_flight_trigger", o->flight_trigger);
    }
    if (o->stats_limit != 0) {
        add_number(facts, "option_stats_limit", o->stats_limit);
    }
    add_number(facts, "option_buffer_size", o->buffer_size);
    add_number(facts, "option_buffer_free", o->buffer_free);
    add_word(facts, "option_buffer_full", "buffer-full");
    add_word(facts, "option_writer_thread", "writer-thread");
    add_number(facts, "option_crash_safe", o->crash_safe);
}

/* Adds the facts that "warpscope rerun" needs to repeat the run. */
static void add_start(struct run_facts *facts)
{
    const struct run_words *words = run_words();
    char text[RECORD_PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", text, sizeof text - 1);
    text[length < 0 ? 0 : length] = '\0';
    add_long(facts, "program", text);
    char id[FMT_BUILD_ID_MAX];
    if (length > 0 && fmt_build_id(text, id) == 0) {
        add_long(facts, "build_id", id);
    }
    add_long(facts, "working_directory", getcwd(text, sizeof text));
    char *launcher = run_launcher_words();
    add_long(facts, "launcher", launcher);
    free(launcher);
    add_long(facts, "given_options", words->given);
    add_long(facts, "other_words", words->other);
}

/* Adds the facts about hosts, processors, batch job and MPI library. */
static void add_place(struct run_facts *facts, struct run_hosts *hosts)
{
    char text[HOSTS_TEXT];
    run_hosts_text(hosts, text, sizeof text);
    add_long(facts, "hosts", text);
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    if (processors > 0) {
        add_number(facts, "processors", (unsigned long long)processors);
    }
    run_job_text(text, sizeof text);
    add_long(facts, "job", text);
    run_mpi_text(text, sizeof text);
    add_long(facts, "mpi", text);
}

static void add_inputs(struct run_facts *facts)
{
    char text[RECORD_PATH_MAX + 64];
    unsigned n = 0;
    for (char *const *t = run_words()->texts; t != NULL && *t != NULL; t++) {
        if (n < RUN_FACTS_INPUTS && run_input_text(*t, text, sizeof text)) {
            snprintf(facts->input_keys[n], sizeof facts->input_keys[n], "input_%u", n + 1);
            add_long(facts, facts->input_keys[n], text);
            n++;
        }
    }
}

void run_facts_init(struct run_facts *facts, const struct record_options *options,
                    uint64_t kps_per_pe, double start, struct run_hosts *hosts)
{
    facts->n = 0;
    facts->used = 0;
    facts->left_out[0] = '\0';
    date_text(facts->date, (double)time(NULL));
    if (gethostname(facts->host, sizeof(facts->host)) != 0) {
        facts->host[0] = '\0';
    }
    facts->host[sizeof(facts->host) - 1] = '\0';
    add_text(facts, "command", run_command_line());
    add_text(facts, "version", run_version());
    add_text(facts, "scheduler", run_scheduler_name());
    add_text(facts, "start_date", facts->date);
    add_text(facts, "host", facts->host);
    add_text(facts, "prefix", options->prefix);
    add_number(facts, "ranks", tw_nnodes());
    add_number(facts, "total_lps", g_tw_total_lps);
    if (run_lps_end() != g_tw_total_lps) {
        add_number(facts, "largest_lp", run_lps_end() - 1);
    }
    add_number(facts, "kps_per_pe", kps_per_pe);
    if (start > 0.0) {
        add_real(facts, "restarted_at", start);
    }
    add_real(facts, "end_time", g_tw_ts_end);
    add_real(facts, "lookahead", g_tw_lookahead);
    add_number(facts, "message_size", g_tw_msg_sz);
    add_number(facts, "batch", g_tw_mblock);
    add_number(facts, "gvt_interval", g_tw_gvt_interval);
    add_real(facts, "ticks_per_second", run_ticks_per_second());
    add_text(facts, "phase_times", run_phase_times());
    char seed[64];
    add_text(facts, "rng", run_rng_name());
    run_seed_text(seed, sizeof seed, false);
    add_copy(facts, "rng_seed", seed);
    run_seed_text(seed, sizeof seed, true);
    add_copy(facts, "core_rng_seed", seed);
    add_options(facts, options);
    add_start(facts);
    add_place(facts, hosts);
    add_inputs(facts);
    add_long(facts, "model_options", run_words()->model);
    if (facts->left_out[0] != '\0') {
        add_text(facts, "left_out", facts->left_out);
    }
}

void run_facts_again(struct run_facts *facts, const struct run_facts *before,
                     const struct record_options *options, const struct fmt_change *change)
{
    bool has_options = false;
    facts->n = 0;
    facts->used = 0;
    for (size_t i = 0; i < before->n; i++) {
        const struct fmt_text *fact = &before->facts[i];
        bool is_option = strncmp(fact->key, OPTION_KEY, strlen(OPTION_KEY)) == 0;
        if (!is_option) {
            add_text(facts, fact->key, fact->value);
        } else if (!has_options) {
            add_options(facts, options);
            has_options = true;
        }
    }
    add_real(facts, "begins_gvt", change->gvt);
    add_real(facts, "begins_real_time", change->real_time);
}

void run_facts_place(struct run_facts *facts, const char *pes)
{
    add_text(facts, "recorded_pes", pes);
}

char *run_facts_pack(const struct run_facts *facts, unsigned long *size)
{
    size_t total = 0;
    for (size_t i = 0; i < facts->n; i++) {
        total += strlen(facts->facts[i].key) + strlen(facts->facts[i].value) + 2;
    }
    char *bytes = tw_calloc(TW_LOC, "run facts", 1, total), *to = bytes;
    for (size_t i = 0; i < facts->n; i++) {
        to = stpcpy(stpcpy(to, facts->facts[i].key) + 1, facts->facts[i].value) + 1;
    }
    *size = total;
    return bytes;
}

struct run_facts *run_facts_unpack(const char *bytes, unsigned long size)
{
    struct run_facts *facts = tw_calloc(TW_LOC, "run facts", 1, sizeof *facts + size);
    char *copy = (char *)(facts + 1);
    memcpy(copy, bytes, size);
    for (char *end = copy + size; copy < end && facts->n < RUN_FACTS_MAX;) {
        const char *value = copy + strlen(copy) + 1;
        add_text(facts, copy, value);
        copy += strlen(copy) + strlen(value) + 2;
    }
    return facts;
}
