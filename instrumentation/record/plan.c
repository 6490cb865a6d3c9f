/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plan.c - determines what the run records, before anything is created.
 *
 * Each rank first makes the checks that need no communication: options, registrations,
 * descriptions. If all checks succeed, the ranks exchange the names of LP types and agree on the
 * values that must be equal on all ranks.
 */
#include "record/plan.h"

#include <assert.h>

#include "record/base/agree.h"
#include "record/describe/trace_filter.h"
#include "record/describe/type_names.h"

#define TRACE_LPS_ALL "all" /* value of --trace-lps that selects all LPs */

/* Space in bytes for the payload of a model sample if init may still set its size. */
#define LATE_SIZE_MAX ((size_t)64 << 10)

uint32_t record_file_stream(enum record_file_id kind)
{
    assert(kind < RECORD_FILES);
    static const uint32_t stream[RECORD_FILES] = {
        FMT_STREAM_GVT,     FMT_STREAM_RT,   FMT_STREAM_VT,    FMT_STREAM_MODEL,
        FMT_STREAM_EVTRACE, FMT_STREAM_TASK, FMT_STREAM_TRACER};
    return stream[kind];
}

const char *record_file_text(enum record_file_id kind, const struct record_options *options)
{
    static const char *const trace_text[] = {
        "", "every execution of an event, also those undone later (--event-trace=1)",
        "the events that caused rollbacks (--event-trace=2)",
        "every committed event, once (--event-trace=3)"};
    assert(options->event_trace < sizeof trace_text / sizeof trace_text[0]);
    switch (kind) {
    case RECORD_GVT:
        return "the engine's counters at GVT, changes since the sample before";
    case RECORD_RT:
        return "the engine's counters and times by wall clock, changes since the sample before";
    case RECORD_VT:
        return "committed events at exact virtual times, changes since the sample before";
    case RECORD_MODEL:
        return "the model's own data of each LP";
    case RECORD_TASK:
        return "beginnings, steps and ends of the model's tasks, of committed events";
    case RECORD_TRACER:
        return "what the tracers of tasks found (--tracer)";
    default:
        return trace_text[options->event_trace];
    }
}

/* Reads and checks the options and the registrations. */
static enum tw_status take_options(struct recorder *recorder, char *error, size_t size)
{
    const struct record_options *o = &recorder->options;
    enum tw_status status = record_options_read(&recorder->options, error, size);
    g_st_use_analysis_lps = status == TW_OK && record_options_at_vt(o);
    if (status == TW_OK) {
        status = registry_check(&recorder->registry, error, size);
    }
    if (status == TW_OK &&
        registry_resolve(&recorder->registry, g_tw_lp, g_tw_nlp, g_st_model_types,
                         g_st_model_types_v8, g_tw_lp_typemap) != TW_OK) {
        snprintf(error, size, "out of memory for the callbacks of %llu LPs",
                 (unsigned long long)g_tw_nlp);
        status = TW_ERR_MEMORY;
    }
    return status;
}

/* Returns true if --trace-lps selects an LP of any rank, as it always does if the numbers of LPs
 * have no holes. Collective. */
static bool any_is_traced(const struct recorder *recorder)
{
    bool any = run_lps_end() == g_tw_total_lps;
    if (any) {
        return true;
    }
    for (tw_lpid lp = 0; recorder->traced != NULL && lp < g_tw_nlp; lp++) {
        any = any || recorder->traced[lp];
    }
    MPI_Allreduce(MPI_IN_PLACE, &any, 1, MPI_C_BOOL, MPI_LOR, MPI_COMM_ROSS);
    return any;
}

/* Marks in recorder->traced the LPs that --trace-lps names, unless it selects all LPs. If it has names
 * that LPs may still get, and are_more is true, marks all LPs, until plan_models() marks the right ones.
 * Collective. */
static enum tw_status take_traced(struct recorder *recorder, bool are_more, char *error,
                                  size_t size)
{
    const struct record_options *o = &recorder->options;
    if (o->event_trace == RECORD_TRACE_OFF || o->trace_lps[0] == '\0' ||
        strcmp(o->trace_lps, TRACE_LPS_ALL) == 0) {
        return TW_OK;
    }
    free(recorder->traced);
    recorder->traced = tw_calloc(TW_LOC, "LPs to trace", sizeof(*recorder->traced), g_tw_nlp + 1);
    recorder->traced_later = false;
    enum tw_status status =
        trace_filter_read(o->trace_lps, &recorder->names, &recorder->own_names,
                          are_more ? &recorder->traced_later : NULL, g_tw_lp, g_tw_nlp,
                          run_lps_end(), recorder->traced, error, size);
    if (status == TW_OK && recorder->traced_later) {
        memset(recorder->traced, true, g_tw_nlp * sizeof(*recorder->traced));
    } else if (status == TW_OK && !any_is_traced(recorder)) {
        snprintf(error, size,
                 "--trace-lps: no LP has a number that it names; the numbers of the %llu LPs have "
                 "holes, and the largest is %llu",
                 (unsigned long long)g_tw_total_lps, (unsigned long long)run_lps_end() - 1);
        status = TW_ERR_USAGE;
    }
    return status;
}

static bool has_callbacks(const st_model_types *types)
{
    return types != NULL && (types->rbev_trace != NULL || types->ev_trace != NULL ||
                             types->model_stat_fn != NULL || types->sample_event_fn != NULL);
}

/*
 * Applies the default of --trace-lps: if some LPs of the model have callbacks for the trace and
 * others have no callbacks at all, only LPs with callbacks are traced. (Callbacks for samples alone
 * select nothing.) Programs built for ROSS 8 trace all LPs, as there. Collective.
 */
static void take_registered(struct recorder *recorder, const tw_pe *pe)
{
    const struct record_options *o = &recorder->options;
    if (o->event_trace == RECORD_TRACE_OFF || o->trace_lps[0] != '\0' || o->built_for_ross8) {
        return;
    }
    /* [0]: number of LPs with callbacks for the trace; [1]: number of LPs with any callbacks. */
    uint64_t mine[2] = {0, 0};
    uint64_t all[2];
    for (tw_lpid lp = 0; lp < g_tw_nlp; lp++) {
        const st_model_types *types = registry_get(&recorder->registry, lp);
        mine[0] +=
            types != NULL && (o->event_trace == RECORD_TRACE_ROLLBACKS ? types->rbev_trace != NULL
                                                                       : types->ev_trace != NULL);
        mine[1] += has_callbacks(types);
    }
    MPI_Allreduce(mine, all, 2, MPI_UINT64_T, MPI_SUM, MPI_COMM_ROSS);
    if (all[0] == 0 || all[1] == g_tw_total_lps) {
        return;
    }
    recorder->traced = tw_calloc(TW_LOC, "LPs to trace", sizeof(*recorder->traced), g_tw_nlp + 1);
    for (tw_lpid lp = 0; lp < g_tw_nlp; lp++) {
        recorder->traced[lp] = has_callbacks(registry_get(&recorder->registry, lp));
    }
    if (pe->id == 0) {
        run_notice(
            "--event-trace=%u: events of %llu of %llu LPs are recorded, those that the model "
            "registers callbacks for; --trace-lps=" TRACE_LPS_ALL " records all",
            o->event_trace, (unsigned long long)all[1], (unsigned long long)g_tw_total_lps);
    }
}

/* Returns true if samples may leave out LPs whose payloads hold: if files have all other records, and
 * only events change states. */
static bool may_hold(const struct record_options *o)
{
    return g_tw_gvt_hook == NULL && o->format == RECORD_FORMAT_WARPSCOPE &&
           o->buffer_full != STREAM_DROP && o->buffer_overwrite == 0;
}

static enum tw_status collect_payloads(struct recorder *recorder, struct payload_types *types,
                                       st_payload_kind kind, char *error, size_t size)
{
    return payload_types_collect(types, &recorder->registry, &recorder->names, kind,
                                 may_hold(&recorder->options), g_tw_nlp, error, size);
}

/* Determines the traced LPs and their payloads. */
static enum tw_status take_lps(struct recorder *recorder, bool are_more, char *error, size_t size)
{
    const struct record_options *o = &recorder->options;
    enum tw_status status = take_traced(recorder, are_more, error, size);
    if (status == TW_OK && o->event_trace != RECORD_TRACE_OFF) {
        st_payload_kind kind =
            o->event_trace == RECORD_TRACE_ROLLBACKS ? ST_PAYLOAD_RBEV : ST_PAYLOAD_EV;
        status = collect_payloads(recorder, &recorder->trace_payloads, kind, error, size);
    }
    return status;
}

/* Determines the payloads of model samples. */
static enum tw_status take_models(struct recorder *recorder, char *error, size_t size)
{
    const struct record_options *o = &recorder->options;
    enum tw_status status = TW_OK;
    registry_refresh(&recorder->registry);
    if (record_options_call_stat_fn(o)) {
        status =
            collect_payloads(recorder, &recorder->model_payloads, ST_PAYLOAD_MODEL, error, size);
    }
    if (status == TW_OK && record_options_model_at_vt(o)) {
        status =
            collect_payloads(recorder, &recorder->sample_payloads, ST_PAYLOAD_SAMPLE, error, size);
    }
    size_t most = ROSS_MAX(recorder->model_payloads.size_max, recorder->sample_payloads.size_max);
    if (status == TW_OK && most > recorder->model_room) {
        snprintf(error, size,
                 "st_model_types: init has set a size of %zu bytes of model data, but the buffer "
                 "has %zu; register the larger size before tw_run()",
                 most, recorder->model_room);
        status = TW_ERR_USAGE;
    }
    return status;
}

/* Returns the space in bytes for the payload of a model sample: the largest size registered so far,
 * or, if larger, the size that init may still register. */
static size_t model_room(const struct recorder *recorder)
{
    size_t room = recorder->options.built_for_ross8 ? LATE_SIZE_MAX : 0;
    for (tw_lpid lp = 0; lp < g_tw_nlp; lp++) {
        const st_model_types *types = registry_get(&recorder->registry, lp);
        room = ROSS_MAX(room, registry_size(types, ST_PAYLOAD_MODEL));
        room = ROSS_MAX(room, registry_size(types, ST_PAYLOAD_SAMPLE));
    }
    return room < FMT_PAYLOAD_MAX ? room : FMT_PAYLOAD_MAX;
}

/* Warns if samples at virtual times were requested but will not be taken. */
static void warn_of_left_out(const struct record_options *o)
{
    if (o->vt_is_left_out) {
        run_warning("nothing is sampled at virtual times: the run has no end time, so give "
                    "--vt-interval=T");
    }
    if (o->vt_engine_is_left_out) {
        run_warning("--stats-format=ross8: the engine is not sampled at virtual times, which have "
                    "no place in ROSS 8's files; --stats-format=both keeps them");
    }
}

/* Warns if an option requests model data that no LP of any rank has. n_lps[0]: number of LPs with
 * callbacks for the event trace; n_lps[1]: number of LPs with callbacks for samples. */
static void warn_of_missing(const struct recorder *recorder, const uint64_t n_lps[2])
{
    const struct record_options *o = &recorder->options;
    if (o->event_trace != RECORD_TRACE_OFF && n_lps[0] == 0) {
        run_warning("--event-trace=%u: no LP registers %s, so records have no model data",
                    o->event_trace,
                    o->event_trace == RECORD_TRACE_ROLLBACKS ? "rbev_trace" : "ev_trace");
    }
    if (o->model_stats != 0 && n_lps[1] == 0) {
        bool stat_fn = record_options_call_stat_fn(o), sample_fn = record_options_model_at_vt(o);
        run_warning("--model-stats=%u: no LP registers %s%s%s, so no model values are recorded",
                    o->model_stats_given, stat_fn ? "model_stat_fn" : "",
                    stat_fn && sample_fn ? " or " : "", sample_fn ? "sample_event_fn" : "");
    }
}

/* If the run has no files, returns the name of an option that was given although it applies to
 * files only; NULL if there is no such option. Returns NULL if the run has files. */
static const char *idle_without_files(const struct record_options *o)
{
    bool has_files = (record_options_any(o) || record_options_later(o)) && o->disable_output == 0;
    return has_files                      ? NULL
           : o->flight_trigger[0] != '\0' ? "flight-trigger"
           : o->buffer_overwrite != 0     ? "buffer-overwrite"
           : o->stats_limit != 0          ? "stats-limit"
                                          : NULL;
}

/* Warns if an option has no effect because the run records nothing to which the option applies. */
static void warn_of_idle(const struct record_options *o)
{
    const char *idle = idle_without_files(o);
    idle = idle != NULL ? idle : record_options_idle(o);
    if (idle != NULL) {
        run_warning("--%s has no effect: this run records nothing that it applies to", idle);
    }
}

/* Warns if the window of the event trace ends before the time at which a restarted run goes on. */
static void warn_of_window(const struct record_options *o, const tw_pe *pe)
{
    if (o->event_trace != RECORD_TRACE_OFF && !(o->trace_to > pe->GVT)) {
        run_warning("--trace-to=%g: the run goes on at virtual time %g, so no event is recorded",
                    o->trace_to, pe->GVT);
    }
}

/* Plans records of this kind, each with at most payload_max bytes behind its row. */
static void add_record(struct record_file *file, uint32_t record, size_t payload_max)
{
    assert(file->n_records < STREAM_CHANNELS_MAX);
    size_t row_bytes = fmt_row_bytes(fmt_schema_builtin(record)->row_size, payload_max);
    file->in_use = true;
    file->records[file->n_records++] = record;
    file->row_bytes_max = row_bytes > file->row_bytes_max ? row_bytes : file->row_bytes_max;
}

/* Plans the kinds of records for samples of the engine. */
static void plan_samples(struct recorder *recorder)
{
    enum { MODES = 3 };
    static const uint32_t levels[MODES][3] = {
        {FMT_RECORD_GVT_PE, FMT_RECORD_GVT_KP, FMT_RECORD_GVT_LP},
        {FMT_RECORD_RT_PE, FMT_RECORD_RT_KP, FMT_RECORD_RT_LP},
        {FMT_RECORD_VT_PE, FMT_RECORD_VT_KP, FMT_RECORD_VT_LP},
    };
    const struct record_options *o = &recorder->options;
    const bool wanted[MODES] = {o->gvt_stats != 0, o->rt_stats != 0, o->vt_stats != 0};
    const bool level[3] = {o->pe_data != 0, o->kp_data != 0, o->lp_data != 0};
    struct record_file *files[MODES] = {&recorder->files[RECORD_GVT], &recorder->files[RECORD_RT],
                                        &recorder->files[RECORD_VT]};
    for (int mode = 0; mode < MODES; mode++) {
        for (int l = 0; wanted[mode] && l < 3; l++) {
            if (level[l]) {
                add_record(files[mode], levels[mode][l], 0);
            }
        }
    }
    /* Rows of kind rt_ahead are always recorded, unless records of KPs contain the same data. */
    if (o->rt_stats != 0 && o->kp_data == 0) {
        add_record(&recorder->files[RECORD_RT], FMT_RECORD_RT_AHEAD, 0);
    }
}

static void plan_tasks(struct recorder *recorder)
{
    static const uint32_t records[2][3] = {
        {FMT_RECORD_TASK_BEGIN, FMT_RECORD_TASK_STEP, FMT_RECORD_TASK_END},
        {FMT_RECORD_TRACER, FMT_RECORD_TRACER_STEP, FMT_RECORD_TRACER_OPEN}};
    const struct record_options *o = &recorder->options;
    const bool wanted[2] = {o->task_trace != 0, o->tracers[0] != '\0'};
    struct record_file *files[2] = {&recorder->files[RECORD_TASK], &recorder->files[RECORD_TRACER]};
    for (int i = 0; i < 2; i++) {
        for (int k = 0; wanted[i] && k < 3; k++) {
            add_record(files[i], records[i][k], RECORD_TASK_TEXTS_MAX);
        }
    }
}

/* Plans the records and their files from values that are made equal on all ranks: ids of payload
 * types, maximum sizes, and the maximum number of KPs. Collective. */
static void agree_on_records(struct recorder *recorder)
{
    const struct record_options *o = &recorder->options;
    payload_types_number(&recorder->trace_payloads, 1, MPI_COMM_ROSS);
    uint64_t mine[3] = {recorder->trace_payloads.size_max, model_room(recorder), g_tw_nkp};
    uint64_t size_max[3];
    MPI_Allreduce(mine, size_max, 3, MPI_UINT64_T, MPI_MAX, MPI_COMM_ROSS);
    recorder->model_room = size_max[1];
    recorder->kps_per_pe = size_max[2];
    plan_samples(recorder);
    plan_tasks(recorder);
    if (o->model_stats != 0) {
        add_record(&recorder->files[RECORD_MODEL], FMT_RECORD_MODEL_LP, size_max[1]);
    }
    if (o->event_trace != RECORD_TRACE_OFF) {
        bool rollbacks = o->event_trace == RECORD_TRACE_ROLLBACKS;
        add_record(&recorder->files[RECORD_EVTRACE],
                   rollbacks ? FMT_RECORD_ROLLBACK : FMT_RECORD_EVENT, size_max[0]);
    }
    for (int kind = 0; kind < RECORD_FILES; kind++) {
        recorder->files[kind].kind = (enum record_file_id)kind;
    }
}

void plan_name_lps(struct recorder *recorder)
{
    if (recorder->options.built_for_ross8) { /* such models cannot name their types */
        type_names_find(&recorder->names, g_tw_lp, g_tw_nlp);
    }
    lp_names_collect(&recorder->names, g_tw_lp, g_tw_nlp, MPI_COMM_ROSS);
}

enum tw_status plan_make(struct recorder *recorder, const tw_pe *pe)
{
    char error[AGREE_MESSAGE_MAX];
    enum tw_status status = take_options(recorder, error, sizeof(error));
    status = agree_on_status(status, error);
    if (status == TW_OK && pe->id == 0) {
        warn_of_left_out(&recorder->options);
        warn_of_idle(&recorder->options);
        warn_of_window(&recorder->options, pe);
    }
    if (status != TW_OK ||
        (!record_options_any(&recorder->options) && !record_options_later(&recorder->options))) {
        return status;
    }
    plan_name_lps(recorder);
    status = take_lps(recorder, true, error, sizeof(error));
    status = agree_on_status(status, error);
    if (status == TW_OK) {
        take_registered(recorder, pe);
        agree_on_records(recorder);
    }
    return status;
}

enum tw_status plan_again(struct recorder *next, const tw_pe *pe, char *error, size_t size)
{
    enum tw_status status = take_lps(next, false, error, size);
    status = agree_on_error(status, error, size);
    if (status == TW_OK) {
        take_registered(next, pe);
        agree_on_records(next);
        status = take_models(next, error, size);
        status = agree_on_error(status, error, size);
    }
    if (status == TW_OK) {
        uint32_t next_id = payload_types_number(&next->model_payloads, 1, MPI_COMM_ROSS);
        payload_types_number(&next->sample_payloads, next_id, MPI_COMM_ROSS);
    }
    return status;
}

enum tw_status plan_models(struct recorder *recorder, const tw_pe *pe)
{
    char error[AGREE_MESSAGE_MAX];
    enum tw_status status = TW_OK;
    if (recorder->traced_later) {
        status = take_traced(recorder, false, error, sizeof(error));
    }
    if (status == TW_OK) {
        status = take_models(recorder, error, sizeof(error));
    }
    status = agree_on_status(status, error);
    if (status != TW_OK) {
        return status;
    }
    uint32_t next_id = payload_types_number(&recorder->model_payloads, 1, MPI_COMM_ROSS);
    payload_types_number(&recorder->sample_payloads, next_id, MPI_COMM_ROSS);
    uint64_t mine[2] = {recorder->trace_payloads.n_lps,
                        recorder->model_payloads.n_lps + recorder->sample_payloads.n_lps};
    uint64_t n_lps[2] = {0, 0};
    MPI_Reduce(mine, n_lps, 2, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_ROSS);
    if (pe->id == 0) {
        warn_of_missing(recorder, n_lps);
    }
    return TW_OK;
}
