/*
 * recorder.c - sets the streams up, and ends them.
 *
 * Set-up goes in steps, each followed by an agreement over ranks, and makes the directory last:
 * whatever is wrong with options, descriptions or memory is found before anything is written.
 *
 * When samples are taken is in sampling.c; after every GVT the buffers that are nearly full are
 * written.
 */
#include "record/recorder.h"

#include "record/agree.h"
#include "record/files.h"
#include "record/option_aliases.h"

uint32_t record_kind_stream(enum record_kind kind)
{
    static const uint32_t stream[RECORD_KINDS] = {FMT_STREAM_GVT, FMT_STREAM_RT, FMT_STREAM_VT,
                                                  FMT_STREAM_MODEL, FMT_STREAM_EVTRACE};
    return stream[kind];
}

const char *record_kind_text(enum record_kind kind, const struct record_options *options)
{
    static const char *const trace_text[] = {
        "", "every execution of an event, also those undone later (--event-trace=1)",
        "the events that caused rollbacks (--event-trace=2)",
        "every committed event, once (--event-trace=3)"};
    switch (kind) {
    case RECORD_GVT:
        return "the engine's counters at GVT, changes since the sample before";
    case RECORD_RT:
        return "the engine's counters and times by wall clock, changes since the sample before";
    case RECORD_VT:
        return "committed events at exact virtual times, changes since the sample before";
    case RECORD_MODEL:
        return "the model's own data of each LP";
    default:
        return trace_text[options->event_trace];
    }
}

/* ---- Set-up -------------------------------------------------------------------------------------
 */

/* Step 1: the options, the registrations, the descriptions. */
static enum tw_status take_registrations(struct recorder *recorder, char *error, size_t size)
{
    enum tw_status status = record_options_read(&recorder->options, error, size);
    if (status == TW_OK) {
        status = registry_check(&recorder->registry, error, size);
    }
    if (status == TW_OK && registry_resolve(&recorder->registry, g_tw_lp, g_tw_nlp,
                                            g_st_model_types, g_tw_lp_typemap) != TW_OK) {
        snprintf(error, size, "out of memory for the callbacks of %llu LPs",
                 (unsigned long long)g_tw_nlp);
        status = TW_ERR_MEMORY;
    }
    const struct record_options *o = &recorder->options;
    if (status == TW_OK && o->event_trace != RECORD_TRACE_OFF) {
        st_payload_kind kind =
            o->event_trace == RECORD_TRACE_ROLLBACKS ? ST_PAYLOAD_RBEV : ST_PAYLOAD_EV;
        status = payload_types_collect(&recorder->trace_payloads, &recorder->registry, kind,
                                       g_tw_nlp, error, size);
    }
    if (status == TW_OK && o->model_stats != 0) {
        status = payload_types_collect(&recorder->model_payloads, &recorder->registry,
                                       ST_PAYLOAD_MODEL, g_tw_nlp, error, size);
    }
    if (status == TW_OK && o->model_stats == RECORD_MODEL_VT) {
        status = payload_types_collect(&recorder->sample_payloads, &recorder->registry,
                                       ST_PAYLOAD_SAMPLE, g_tw_nlp, error, size);
    }
    return status;
}

/* One line when an option asks for model data and no LP of any rank has any. */
static void note_missing(const struct recorder *recorder, const uint64_t n_lps[2])
{
    const struct record_options *o = &recorder->options;
    if (o->event_trace != RECORD_TRACE_OFF && n_lps[0] == 0) {
        fprintf(stderr, "%s: --event-trace=%u: no LP registers %s, records have no model data\n",
                run_program_name(), o->event_trace,
                o->event_trace == RECORD_TRACE_ROLLBACKS ? "rbev_trace" : "ev_trace");
    }
    if (o->model_stats != 0 && n_lps[1] == 0) {
        fprintf(stderr,
                "%s: --model-stats=%u: no LP registers model_stat_fn%s, nothing is recorded "
                "for it\n",
                run_program_name(), o->model_stats,
                o->model_stats == RECORD_MODEL_VT ? " or sample_event_fn" : "");
    }
    const char *idle = option_aliases_idle(o);
    if (idle != NULL) {
        fprintf(stderr, "%s: --%s has no effect: what it is about is not recorded\n",
                run_program_name(), idle);
    }
}

static void add_record(struct record_file *file, uint32_t record)
{
    size_t row_bytes = fmt_schema_builtin(record)->row_size;
    file->in_use = true;
    file->records[file->n_records++] = record;
    file->row_bytes_max = row_bytes > file->row_bytes_max ? row_bytes : file->row_bytes_max;
}

/* Which records the samples of the engine are. */
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
                add_record(files[mode], levels[mode][l]);
            }
        }
    }
    if (o->rt_stats != 0 && o->kp_data == 0) { /* always recorded; records of KPs have it, too */
        add_record(&recorder->files[RECORD_RT], FMT_RECORD_RT_AHEAD);
    }
}

/* Step 2: what has to be equal on all ranks. Collective. */
static void agree_on_records(struct recorder *recorder, const tw_pe *pe)
{
    const struct record_options *o = &recorder->options;
    payload_types_number(&recorder->trace_payloads, 1, MPI_COMM_ROSS);
    uint32_t next_id = payload_types_number(&recorder->model_payloads, 1, MPI_COMM_ROSS);
    payload_types_number(&recorder->sample_payloads, next_id, MPI_COMM_ROSS);
    uint64_t mine[2] = {
        recorder->trace_payloads.size_max,
        ROSS_MAX(recorder->model_payloads.size_max, recorder->sample_payloads.size_max)};
    uint64_t size_max[2];
    MPI_Allreduce(mine, size_max, 2, MPI_UINT64_T, MPI_MAX, MPI_COMM_ROSS);
    uint64_t mine_n[2] = {recorder->trace_payloads.n_lps,
                          recorder->model_payloads.n_lps + recorder->sample_payloads.n_lps};
    uint64_t n_lps[2] = {0, 0};
    MPI_Reduce(mine_n, n_lps, 2, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_ROSS);
    if (pe->id == 0 && !run_is_quiet()) {
        note_missing(recorder, n_lps);
    }
    plan_samples(recorder);
    recorder->files[RECORD_MODEL] =
        (struct record_file){.in_use = o->model_stats != 0,
                             .records = {FMT_RECORD_MODEL_LP},
                             .n_records = 1,
                             .row_bytes_max = model_stats_row_bytes(size_max[1])};
    recorder->files[RECORD_EVTRACE] =
        (struct record_file){.in_use = o->event_trace != RECORD_TRACE_OFF,
                             .records = {FMT_RECORD_EVENT},
                             .n_records = 1,
                             .row_bytes_max = event_trace_row_bytes(size_max[0])};
}

/* Step 3: the buffers. */
static enum tw_status take_buffers(struct recorder *recorder, const tw_pe *pe, char *error,
                                   size_t size)
{
    const struct record_options *o = &recorder->options;
    struct stream_buffers buffers = {.size = o->buffer_size, .free = o->buffer_free};
    for (int kind = 0; kind < RECORD_KINDS; kind++) {
        const struct record_file *file = &recorder->files[kind];
        if (file->in_use && stream_init(&recorder->streams[kind], (uint32_t)pe->id, file->records,
                                        file->n_records, &buffers, file->row_bytes_max) != TW_OK) {
            snprintf(error, size, "--buffer-size=%llu: out of memory", o->buffer_size);
            return TW_ERR_MEMORY;
        }
    }
    struct vt_slots slots = {recorder->sample_payloads.slots, recorder->model_payloads.slots};
    if (sampling_init(&recorder->sampling, o, &recorder->streams[RECORD_GVT],
                      &recorder->streams[RECORD_RT], &recorder->model) != TW_OK ||
        vt_sampling_init(&recorder->vt, o, &recorder->streams[RECORD_VT],
                         &recorder->streams[RECORD_MODEL], slots) != TW_OK) {
        snprintf(error, size, "out of memory for the counters of %llu LPs",
                 (unsigned long long)g_tw_nlp);
        return TW_ERR_MEMORY;
    }
    return TW_OK;
}

/* The probe at GVT, after the samples. */
static void gvt_advanced(void *ctx, const tw_pe *pe, tw_stime gvt)
{
    struct recorder *recorder = ctx;
    (void)pe;
    for (int kind = 0; kind < RECORD_KINDS; kind++) {
        stream_gvt_advanced(&recorder->streams[kind], record_virtual_time(gvt));
    }
}

/* Step 4: from here on events are recorded. */
static void attach(struct recorder *recorder, const tw_pe *pe, struct probe_table *table)
{
    if (recorder->files[RECORD_MODEL].in_use) {
        recorder->model = (struct model_stats){
            .lane = stream_lane(&recorder->streams[RECORD_MODEL], FMT_RECORD_MODEL_LP),
            .slots = recorder->model_payloads.slots,
            .n_lps = g_tw_nlp,
            .pe = (uint32_t)pe->id};
    }
    if (recorder->files[RECORD_EVTRACE].in_use) {
        recorder->trace = (struct event_trace){
            .lane = stream_lane(&recorder->streams[RECORD_EVTRACE], FMT_RECORD_EVENT),
            .slots = recorder->trace_payloads.slots,
            .pe = (uint32_t)pe->id};
        event_trace_attach(&recorder->trace, recorder->options.event_trace, table);
    }
    sampling_attach(&recorder->sampling, table);
    vt_sampling_attach(&recorder->vt, table);
    PROBE_ADD(table, gvt_advanced, gvt_advanced, recorder);
    recorder->running = true;
}

enum tw_status recorder_setup(struct recorder *recorder, const tw_pe *pe, struct probe_table *table)
{
    char error[AGREE_MESSAGE_MAX];
    enum tw_status status = take_registrations(recorder, error, sizeof(error));
    status = agree_on_status(status, error);
    if (status != TW_OK || !record_options_any(&recorder->options)) {
        return status;
    }
    agree_on_records(recorder, pe);
    status = take_buffers(recorder, pe, error, sizeof(error));
    status = agree_on_status(status, error);
    if (status == TW_OK && recorder->options.disable_output == 0) {
        status = files_create(recorder, pe);
    }
    if (status != TW_OK) {
        return status;
    }
    if (pe->id == 0 && recorder->dir != NULL && !run_is_quiet()) {
        fprintf(stderr, "%s: recording to %s\n", run_program_name(), recorder->dir);
    }
    attach(recorder, pe, table);
    return TW_OK;
}

/* ---- The end ------------------------------------------------------------------------------------
 */

#define X(name, text) +1
enum { N_COUNTERS = 0 TW_COUNTER_LIST(X) };
#undef X

/* What the END blocks of a PE say. counters: room for N_COUNTERS, must live as long as the result.
 */
static struct fmt_end_info end_info(const tw_pe *pe, enum run_end why, struct fmt_counter *counters)
{
    const struct tw_counters *now = pe_counters(pe);
    size_t n = 0;
#define X(name, text) counters[n++] = (struct fmt_counter){#name, now->name};
    TW_COUNTER_LIST(X)
#undef X
    return (struct fmt_end_info){.code = (uint32_t)why,
                                 .n_counters = (uint32_t)n,
                                 .gvt = record_virtual_time(pe->GVT),
                                 .real_time = run_seconds(),
                                 .text = run_end_text(why),
                                 .counters = counters};
}

static void end_streams(struct recorder *recorder, const tw_pe *pe, enum run_end why)
{
    struct fmt_counter counters[N_COUNTERS];
    struct fmt_end_info end = end_info(pe, why, counters);
    for (int kind = 0; kind < RECORD_KINDS; kind++) {
        struct record_stream *stream = &recorder->streams[kind];
        stream->gvt = end.gvt;
        stream_end(stream, &end);
    }
    recorder->running = false;
}

/* Sums over ranks, the same on all of them. Collective. */
static void sum_totals(struct recorder *recorder)
{
    uint64_t mine[RECORD_KINDS][5];
    uint64_t sum[RECORD_KINDS][5];
    for (int kind = 0; kind < RECORD_KINDS; kind++) {
        struct stream_totals t = stream_totals(&recorder->streams[kind]);
        mine[kind][0] = t.collected;
        mine[kind][1] = t.written;
        mine[kind][2] = t.lost;
        mine[kind][3] = t.bytes;
        mine[kind][4] = t.failed;
    }
    MPI_Allreduce(mine, sum, RECORD_KINDS * 5, MPI_UINT64_T, MPI_SUM, MPI_COMM_ROSS);
    for (int kind = 0; kind < RECORD_KINDS; kind++) {
        recorder->files[kind].totals = (struct stream_totals){.collected = sum[kind][0],
                                                              .written = sum[kind][1],
                                                              .lost = sum[kind][2],
                                                              .bytes = sum[kind][3],
                                                              .failed = sum[kind][4] != 0};
    }
}

void recorder_finish(struct recorder *recorder, const tw_pe *pe, enum run_end why)
{
    if (!recorder->running) {
        return;
    }
    sampling_finish(&recorder->sampling, pe, true);
    vt_sampling_finish(&recorder->vt, pe, why);
    end_streams(recorder, pe, why);
    sum_totals(recorder);
}

void recorder_emergency(struct recorder *recorder)
{
    if (recorder->running) {
        const tw_pe *pe = g_tw_pe;
        sampling_finish(&recorder->sampling, pe, false); /* the model is not to be trusted */
        end_streams(recorder, pe, RUN_END_ERROR);
    }
}

void recorder_fini(struct recorder *recorder)
{
    for (int kind = 0; kind < RECORD_KINDS; kind++) {
        stream_fini(&recorder->streams[kind]);
        free(recorder->files[kind].path);
    }
    sampling_fini(&recorder->sampling);
    vt_sampling_fini(&recorder->vt);
    payload_types_fini(&recorder->trace_payloads);
    payload_types_fini(&recorder->model_payloads);
    payload_types_fini(&recorder->sample_payloads);
    registry_fini(&recorder->registry);
    free(recorder->dir);
    *recorder = (struct recorder){0};
}
