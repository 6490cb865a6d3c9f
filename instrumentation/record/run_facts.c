/*
 * run_facts.c - collects what is known of a run before it starts, and writes the README of its
 * directory. What comes out of the run is in the END blocks of the files.
 */
#include "record/run_facts.h"

#include <assert.h>
#include <errno.h>
#include <time.h>
#include <unistd.h>

#include "engine/probe.h"

static void add_text(struct run_facts *facts, const char *key, const char *value)
{
    assert(facts->n < RUN_FACTS_MAX);
    facts->facts[facts->n++] = (struct fmt_text){key, value};
}

/* A value that is made here: kept with the facts. */
static void add_copy(struct run_facts *facts, const char *key, const char *text)
{
    char *kept = facts->values[facts->n];
    memcpy(kept, text, strlen(text) + 1);
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
    char text[32];
    for (int digits = 15; digits <= 17; digits++) { /* the fewest that read back the same */
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value) {
            break;
        }
    }
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
    add_text(facts, "option_stats_format", o->stats_format);
    if (o->rt_stats != 0 || record_options_model_at_rt(o)) {
        add_number(facts, "option_rt_interval", o->rt_interval_ms);
    }
    if (o->trace_lps[0] != '\0') {
        add_text(facts, "option_trace_lps", o->trace_lps);
    }
    add_number(facts, "option_task_trace", o->task_trace);
    if (o->tracers[0] != '\0') {
        add_text(facts, "option_tracer", o->tracers);
    }
    if (o->vt_interval > 0.0) {
        add_real(facts, "option_vt_interval", o->vt_interval);
    }
    add_number(facts, "option_buffer_size", o->buffer_size);
    add_number(facts, "option_buffer_free", o->buffer_free);
    add_text(facts, "option_buffer_full", o->buffer_full);
    add_text(facts, "option_writer_thread", o->writer_thread);
    add_number(facts, "option_crash_safe", o->crash_safe);
}

void run_facts_init(struct run_facts *facts, const struct record_options *options,
                    uint64_t kps_per_pe)
{
    facts->n = 0;
    time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(facts->date, sizeof(facts->date), "%Y-%m-%dT%H:%M:%SZ", &utc);
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
    add_number(facts, "kps_per_pe", kps_per_pe);
    add_real(facts, "end_time", g_tw_ts_end);
    add_real(facts, "lookahead", g_tw_lookahead);
    add_number(facts, "message_size", g_tw_msg_sz);
    add_number(facts, "batch", g_tw_mblock);
    add_number(facts, "gvt_interval", g_tw_gvt_interval);
    add_real(facts, "ticks_per_second", run_ticks_per_second());
    add_text(facts, "phase_times", run_phase_times());
    add_options(facts, options);
}

static void print_readme(FILE *out, const struct run_facts *facts, const struct readme_file *files,
                         size_t n_files)
{
    fprintf(out, "What a simulation recorded\n==========================\n\nFiles\n-----\n\n");
    for (size_t i = 0; i < n_files; i++) {
        fprintf(out, "%s\n    %s\n", files[i].name, files[i].text);
    }
    fprintf(out,
            "\nEach file holds the records of all PEs (one PE per MPI rank), its schema (names, "
            "units,\ntypes) and what follows here. Why the run ended is at the end of the "
            "files.\n\nRun\n---\n\n");
    for (size_t i = 0; i < facts->n; i++) {
        fprintf(out, "%-24s %s\n", facts->facts[i].key, facts->facts[i].value);
    }
    fprintf(out, "\nReading\n-------\n\n"
                 "warpscope info DIRECTORY               what is there, and is it complete?\n"
                 "warpscope dump FILE --format=csv       the records, one per line\n"
                 "warpscope verify FILE                  every checksum\n"
                 "warpscope recover DIRECTORY            if the run was killed: the rest\n"
                 "warpscope export --format=ross FILE    the layouts of ROSS 8\n\n"
                 "The layout of the files, byte by byte, is in docs/FORMAT.md of Warpscope.\n");
}

int readme_write(const char *path, const struct run_facts *facts, const struct readme_file *files,
                 size_t n_files)
{
    FILE *out = fopen(path, "wx");
    if (out == NULL) {
        return errno;
    }
    errno = 0;
    print_readme(out, facts, files, n_files);
    bool failed = ferror(out) != 0 || fflush(out) != 0;
    int why = errno != 0 ? errno : EIO;
    if (fclose(out) != 0 && !failed) {
        failed = true;
        why = errno;
    }
    return failed ? why : 0;
}
