/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * options.c - the option table of the instrumentation and the check of its values.
 *
 * The table points to the variables of st_globals.c. Every rank reads the same command line, so the
 * check gives the same result everywhere. The ranks must still agree on it, because a model may set
 * the g_st_ variables differently on each rank.
 */
#include "record/options/options.h"

#include "engine/probe.h"

const tw_optdef record_option_table[] = {
    TWOPT_GROUP("Warpscope instrumentation: samples of the engine's counters"),
    TWOPT_FLAG("enable-gvt-stats", g_st_options.gvt_stats,
               "sample the counters of PEs after GVT computations"),
    TWOPT_UINT("num-gvt", g_st_options.num_gvt,
               "<1..> sample (the model as well) at each Nth GVT computation"),
    TWOPT_UINT("real-time-samp", g_st_options.real_time_samp,
               "<MS> milliseconds between samples by wall clock; 0: none"),
    TWOPT_STIME("vt-interval", g_st_options.vt_interval,
                "sample the committed run at virtual times T, 2T, 3T, ... (if not given: a "
                "hundredth of the end time)"),
    TWOPT_STIME("vt-samp-end", g_st_options.vt_samp_end,
                "virtual time of the last such sample (if not given: the end of the run)"),
    TWOPT_FLAG("granularity", g_st_options.granularity,
               "1: records of KPs and LPs as well, not of PEs only"),
    TWOPT_GROUP("Warpscope instrumentation: other names, of later versions of ROSS"),
    TWOPT_UINT(
        "engine-stats", g_st_options.engine_stats,
        "<0..4> sample 0 never, 1 at GVT, 2 by wall clock, 3 by virtual time, 4 all of them"),
    TWOPT_UINT("rt-interval", g_st_options.rt_interval,
               "<MS> milliseconds between samples by wall clock; alone it is --real-time-samp"),
    TWOPT_FLAG("pe-data", g_st_options.pe_data, "records of PEs"),
    TWOPT_FLAG("kp-data", g_st_options.kp_data, "records of KPs"),
    TWOPT_FLAG("lp-data", g_st_options.lp_data, "records of LPs"),
    TWOPT_GROUP("Warpscope instrumentation: the model's data and events"),
    TWOPT_UINT(
        "model-stats", g_st_model_stats,
        "<0..4> sample the model's own data: 0 no, 1 at GVT, 2 by wall clock (each 1000 ms unless "
        "--real-time-samp says otherwise), 3 both, 4 at virtual times (--vt-interval). In "
        "programs built as for ROSS 8, and with --stats-format=ross8 or both: 3 at virtual "
        "times, 4 all three"),
    TWOPT_UINT(
        "event-trace", g_st_ev_trace,
        "<0..3> record events: 0 none, 1 all executed, 2 those that caused rollbacks, 3 committed"),
    TWOPT_UINT(
        "event-times", g_st_options.event_times,
        "<N> with --event-trace: measure the time of the handler for one of N events; 1: for "
        "every event; 0: for none"),
    TWOPT_CHAR(
        "trace-lps", g_st_options.trace_lps,
        "<LIST> only events that these LPs receive: numbers, ranges and names of types and LPs, "
        "such as "
        "0-15,router*; all: every LP, even if the model registers callbacks for some LPs only"),
    TWOPT_STIME("trace-from", g_st_options.trace_from,
                "with --event-trace: only events whose virtual time is not before this one"),
    TWOPT_STIME("trace-to", g_st_options.trace_to,
                "with --event-trace: only events before this virtual time (if not given: the end)"),
    TWOPT_GROUP("Warpscope instrumentation: the model's tasks"),
    TWOPT_FLAG("task-trace", g_st_options.task_trace,
               "record beginning, steps and end of every task"),
    TWOPT_CHAR("tracer", g_st_options.tracers,
               "<LIST> measure tasks: busy, total, average, count, steps, backtrace or database; "
               "after a colon, the tasks to measure; tracers are separated by ;, such as "
               "busy:kind=req_in,where=router*;count"),
    TWOPT_GROUP("Warpscope instrumentation: buffers and files"),
    TWOPT_WORD(
        "stats-format", g_st_options.format,
        "<warpscope|ross8|both> files of the recording: warpscope, ross8 (the layouts of ROSS 8, "
        "made at the end), or both; in programs built for ROSS 8, both if not given"),
    TWOPT_CHAR("stats-filename", g_st_options.prefix,
               "<PREFIX> prefix of the file names; of ROSS 8's files if there are any (then "
               "ross-stats if not given)"),
    TWOPT_CHAR("stats-prefix", g_st_options.prefix_alias,
               "<PREFIX> another name of --stats-filename"),
    TWOPT_CHAR(
        "stats-path", g_st_options.path,
        "<DIR> directory for the files; if it exists, the next free one of DIR-1, DIR-2, ..."),
    TWOPT_BYTES(
        "stats-limit", g_st_options.stats_limit,
        "maximum size of all record files together, such as 2G; at this size recording ends, "
        "and the run goes on; 0: no limit"),
    TWOPT_ULONGLONG("buffer-size", g_st_options.buffer_size,
                    "<BYTES> size of the buffer per PE and file"),
    TWOPT_BYTES(
        "buffer-overwrite", g_st_options.buffer_overwrite,
        "flight recorder: keep the last records per PE and file, such as 16M, and write them at "
        "the end, after an error, or on request; 0: off"),
    TWOPT_CHAR(
        "flight-trigger", g_st_options.flight_trigger,
        "<LIST> with --buffer-overwrite: write the records when efficiency:0.5 (below one half "
        "for a second) or gvt-stuck:10s (no progress of GVT for this time, 1s or more); "
        "separated by commas"),
    TWOPT_UINT(
        "buffer-free", g_st_options.buffer_free,
        "<PERCENT> after a GVT computation, write records until this percentage of the buffer is "
        "free"),
    TWOPT_WORD(
        "buffer-full", g_st_options.buffer_full,
        "<spill|block|drop> when the buffer is full: spill takes more memory (up to 16 times "
        "its size), block writes at once, drop discards and counts records"),
    TWOPT_WORD("writer-thread", g_st_options.writer_thread,
               "<auto|on|off> compress and write in a thread of each rank: on, off, or auto, if "
               "there are more cores than ranks"),
    TWOPT_FLAG("crash-safe", g_st_options.crash_safe,
               "keep buffers in files, so that warpscope recover finds their records if the run is "
               "killed"),
    TWOPT_FLAG("no-control", g_st_options.no_control,
               "make no file for requests of warpscope ctl to the running simulation"),
    TWOPT_FLAG(
        "disable-output", g_st_options.disable_output,
        "fill and overwrite the buffers, and write nothing, to measure the cost of collecting"),
    TWOPT_END()};

#define MODEL_STATS_MAX 4 /* largest value of --model-stats */
#define EVENT_TIMES_MAX 1000000000u

/* Returns true if file names with this prefix stay within the directory of the recording. */
static bool prefix_is_valid(const char *prefix)
{
    if (prefix[0] == '\0' || prefix[0] == '.' || prefix[0] == '-') {
        return false;
    }
    for (const char *c = prefix; *c != '\0'; c++) {
        if (*c == '/' || (unsigned char)*c < ' ' || *c == 127) {
            return false;
        }
    }
    return true;
}

/* Returns true if the path ends in a name that can be created and numbered: not "/", "." or
 * "..". */
static bool path_is_valid(const char *path)
{
    size_t end = strlen(path);
    while (end > 0 && path[end - 1] == '/') {
        end--;
    }
    size_t start = end;
    while (start > 0 && path[start - 1] != '/') {
        start--;
    }
    size_t length = end - start;
    return !(length == 0 || (length == 1 && path[start] == '.') ||
             (length == 2 && path[start] == '.' && path[start + 1] == '.'));
}

static enum tw_status check_modes(const struct record_options *o, char *error, size_t size)
{
    if (o->event_trace > RECORD_TRACE_COMMITTED) {
        return REFUSE(error, size, "--event-trace=%u: give 0, 1, 2 or 3", o->event_trace);
    }
    if (o->event_times > EVENT_TIMES_MAX) {
        return REFUSE(error, size, "--event-times=%u: give 0 to %u, for one of so many events",
                      o->event_times, EVENT_TIMES_MAX);
    }
    if (o->model_stats_given > MODEL_STATS_MAX) {
        return REFUSE(error, size, "--model-stats=%u: give 0, 1, 2, 3 or 4", o->model_stats_given);
    }
    if (o->num_gvt == 0) {
        return REFUSE(error, size, "--num-gvt=0: give 1 to sample at each GVT, N for each Nth");
    }
    return TW_OK;
}

static enum tw_status check_storage(const struct record_options *o, char *error, size_t size)
{
    if (o->buffer_size == 0) {
        return REFUSE(error, size, "--buffer-size=0: give the bytes of a buffer, such as 8388608");
    }
    if (o->buffer_overwrite != 0 && o->format != RECORD_FORMAT_WARPSCOPE) {
        return REFUSE(error, size,
                      "--buffer-overwrite=%llu: files of ROSS 8 have all records of a run; add "
                      "--stats-format=warpscope",
                      o->buffer_overwrite);
    }
    if (o->flight_trigger[0] != '\0' && o->buffer_overwrite == 0) {
        return REFUSE(error, size,
                      "--flight-trigger=%.100s: needs --buffer-overwrite=SIZE, such as 16M",
                      o->flight_trigger);
    }
    if (o->buffer_free > 100) {
        return REFUSE(error, size, "--buffer-free=%u: give a per cent, 0 to 100", o->buffer_free);
    }
    if (!prefix_is_valid(o->prefix)) {
        return REFUSE(
            error, size,
            "--stats-filename=%s: give a plain file name, without '/' and not starting with "
            "'.' or '-' (--stats-path says the directory)",
            o->prefix);
    }
    if (!path_is_valid(o->path)) {
        return REFUSE(error, size,
                      "--stats-path=%s: give the name of a directory to make, such as run1",
                      o->path);
    }
    return TW_OK;
}

enum tw_status record_options_read(struct record_options *out, char *error, size_t error_size)
{
    *out = g_st_options;
    out->event_trace = g_st_ev_trace;
    out->model_stats_given = g_st_model_stats;
    out->disable_output = out->disable_output != 0;
    enum tw_status status = check_modes(out, error, error_size);
    if (status == TW_OK) {
        status = record_options_settle(out, error, error_size);
    }
    if (status == TW_OK) {
        status = check_storage(out, error, error_size);
    }
    if (status == TW_OK) {
        record_options_settle_names(out);
    }
    return status;
}

bool record_options_any(const struct record_options *options)
{
    return options->gvt_stats != 0 || options->rt_stats != 0 || options->vt_stats != 0 ||
           options->event_trace != RECORD_TRACE_OFF || options->model_stats != 0 ||
           options->task_trace != 0 || options->tracers[0] != '\0';
}

bool record_options_later(const struct record_options *options)
{
    return run_option_was_given("stats-path") && options->no_control == 0 &&
           options->disable_output == 0 && g_tw_synchronization_protocol != OPTIMISTIC_DEBUG;
}
