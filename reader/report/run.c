/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * run.c - opens the files of a run, computes the ranges of both clocks, and calls the functions
 * that read the records; see report.h.
 */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "access/stream_files.h"
#include "data/number.h"
#include "report/report.h"

/* ---- Opening --------------------------------------------------------------------------------- */

/* Returns the length of a path without "-STREAM.bin" and the number of a part; the length of the
 * whole path if its name has another form. */
static size_t prefix_length(const char *path)
{
    struct ws_part_name name;
    return ws_part_name_find(&name, path) ? name.stem : strlen(path);
}

/* Sets run->name to the last component of run->path, without trailing slashes. For a file, also
 * removes "-STREAM.bin". */
static void name_set(struct report_run *run)
{
    size_t end = prefix_length(run->path), begin;
    while (end > 1 && run->path[end - 1] == '/') {
        end--;
    }
    begin = end;
    while (begin > 0 && run->path[begin - 1] != '/') {
        begin--;
    }
    begin = begin == end ? 0 : begin;
    size_t size = end - begin < sizeof run->name ? end - begin : sizeof run->name - 1;
    memcpy(run->name, run->path + begin, size);
    run->name[size] = '\0';
}

/* Returns true if no two files have the same stream. Otherwise prints that these files belong to
 * two runs, and returns false. */
static bool streams_differ(const struct report_run *run, const struct ws_messages *messages)
{
    for (size_t i = 0; i < run->n; i++) {
        for (size_t k = 0; k < i; k++) {
            const struct ws_file *a = &run->list[k].stream, *b = &run->list[i].stream;
            if (a->pes != NULL && b->pes != NULL && a->sb->stream == b->sb->stream) {
                ws_say(messages, "%s and %s are of two runs: name the files of one, PREFIX-*.bin",
                       a->path, b->path);
                return false;
            }
        }
    }
    return true;
}

bool report_run_open(struct report_run *run, const char *const *operands, int n,
                     struct ws_select *select, const struct ws_messages *messages)
{
    *run = (struct report_run){.path = operands[0], .select = select};
    ws_evidence_init(&run->evidence);
    name_set(run);
    run->found = ws_files_gather(&run->files, operands, n, messages);
    run->list = calloc(run->files.n_streams + 1, sizeof *run->list);
    if (run->list == NULL) {
        return false;
    }
    for (run->n = 0; run->n < run->files.n_streams; run->n++) {
        struct report_file *file = &run->list[run->n];
        ws_stream_survey(&file->stream, &run->files, run->n, messages);
        /* Prints each fault once, although several passes find it. */
        file->stream.faults_once = true;
        file->first_faults = file->stream.n_faults;
        if (file->stream.pes != NULL && run->first == NULL) {
            run->first = file;
        }
    }
    return run->first != NULL && streams_differ(run, messages);
}

void report_run_free(struct report_run *run)
{
    for (size_t i = 0; i < run->n; i++) {
        ws_samples_free(run->list[i].samples);
        ws_events_free(run->list[i].events);
        ws_tasks_free(run->list[i].tasks);
        ws_file_close(&run->list[i].stream);
    }
    free(run->list);
    free(run->events.hits);
    free(run->events.traffic);
    free(run->events.types);
    report_spread_free(&run->events.lengths);
    report_spread_free(&run->events.offsets);
    for (uint32_t i = 0; i < run->n_kinds; i++) {
        report_spread_free(&run->kinds[i].durations);
    }
    free(run->kinds);
    free(run->model.fields);
    free(run->busy);
    free(run->pes);
    ws_files_free(&run->files);
}

struct ws_covers report_run_covers(const struct report_run *run)
{
    struct ws_covers covers = {.what = WS_COVERS_ALL};
    for (size_t i = 0; i < run->n; i++) {
        ws_covers_add(&covers, &run->list[i].stream);
    }
    return covers;
}

bool report_run_good(struct report_run *run)
{
    bool good = run->found && run->n > 0;
    for (size_t i = 0; i < run->n; i++) {
        ws_file_faults_end(&run->list[i].stream);
        good &= ws_file_good(&run->list[i].stream);
    }
    return good && report_run_covers(run).what < WS_COVERS_RUNNING;
}

/* ---- Facts and totals ------------------------------------------------------------------------ */

struct report_file *report_file_of(struct report_run *run, uint32_t stream)
{
    for (size_t i = 0; i < run->n; i++) {
        const struct ws_file *file = &run->list[i].stream;
        if (file->pes != NULL && file->sb->stream == stream) {
            return &run->list[i];
        }
    }
    return NULL;
}

const char *report_fact(const struct report_run *run, const char *key)
{
    return run->first == NULL ? NULL : ws_fact(run->first->stream.sb, key);
}

double report_fact_number(const struct report_run *run, const char *key)
{
    const char *text = report_fact(run, key);
    double v;
    return text != NULL && ws_parse_f64(text, &v) ? v : (double)NAN;
}

const struct ws_samples *report_totals(const struct report_run *run)
{
    static const uint32_t streams[] = {FMT_STREAM_GVT, FMT_STREAM_RT, FMT_STREAM_VT};
    for (size_t s = 0; s < sizeof streams / sizeof streams[0]; s++) {
        for (size_t i = 0; i < run->n; i++) {
            const struct report_file *file = &run->list[i];
            if (file->samples != NULL && file->samples->primary != NULL &&
                file->samples->records > 0 && file->stream.sb->stream == streams[s]) {
                return file->samples;
            }
        }
    }
    return NULL;
}

double report_total(const struct ws_samples *samples, const char *name)
{
    int32_t at = samples == NULL || samples->primary == NULL
                     ? -1
                     : ws_stats_count_find(&samples->counts, name);
    return at < 0 ? (double)NAN : (double)samples->sums[at];
}

bool report_is_covered(const struct report_source *source, const struct ws_stats_axis *axis,
                       uint32_t i)
{
    double step = (axis->high - axis->low) / axis->n, from = axis->low + i * step;
    return source->stream == NULL ||
           ws_stream_share(source->stream, source->kind, axis->virtual_time, from, from + step) > 0;
}

/* ---- Clocks ---------------------------------------------------------------------------------- */

/* Computes the ranges of both clocks, which include the records of all streams. */
static void axes_find(struct report_run *run)
{
    struct ws_stats_clocks all = {.virtual_from = (double)INFINITY, .real_from = (double)INFINITY};
    bool whole = !run->select->by_time;
    for (size_t i = 0; i < run->n; i++) {
        struct ws_file *stream = &run->list[i].stream;
        struct ws_stats_clocks clocks;
        if (stream->pes == NULL) {
            continue;
        }
        ws_select_file(run->select, stream->sb, &stream->descs);
        ws_stats_clocks_find(&clocks, stream, run->select, NULL);
        struct ws_range *const to[] = {&all.real_time, &all.virtual_time};
        const struct ws_range *const from[] = {&clocks.real_time, &clocks.virtual_time};
        for (int c = 0; c < 2; c++) {
            if (from[c]->known) {
                ws_range_add(to[c], from[c]->min, from[c]->max);
            }
        }
        all.virtual_from = fmin(all.virtual_from, clocks.virtual_from);
        all.real_from = fmin(all.real_from, clocks.real_from);
        if (whole && stream->pes_ended > 0 && from[0]->known) {
            ws_range_add(&all.real_time, from[0]->min, stream->end_real_time);
        }
        if (whole && stream->pes_ended > 0 && stream->end_code != FMT_END_NO_EVENTS &&
            from[1]->known && isfinite(stream->end_gvt)) {
            ws_range_add(&all.virtual_time, from[1]->min, stream->end_gvt);
        }
    }
    for (int c = 0; c < REPORT_CLOCKS; c++) {
        ws_stats_axis_init(&run->axes[c], &all, whole, c == REPORT_VIRTUAL, WS_STATS_BINS);
        run->axes[c].n = REPORT_BINS;
        run->cell_axes[c] = run->axes[c];
        run->cell_axes[c].n = REPORT_CELLS;
    }
}

/* Sets run->clock where GVT is unknown, by linear interpolation between known values. Also makes
 * GVT non-decreasing. */
static void clock_fill(struct report_run *run)
{
    double *clock = run->clock, most = run->axes[REPORT_VIRTUAL].low;
    uint32_t last = 0;
    bool any = false;
    if (run->has_clock && !run->select->by_time) {
        clock[0] = clock[0] == clock[0] ? clock[0] : run->axes[REPORT_VIRTUAL].low;
    }
    for (uint32_t i = 0; i <= REPORT_BINS; i++) {
        if (clock[i] != clock[i]) {
            continue;
        }
        clock[i] = fmin(fmax(clock[i], most), run->axes[REPORT_VIRTUAL].high);
        for (uint32_t k = last + 1; any && k < i; k++) {
            clock[k] = most + (clock[i] - most) * (k - last) / (i - last);
        }
        most = clock[i];
        last = i;
        any = true;
    }
    for (uint32_t k = last + 1; any && k <= REPORT_BINS; k++) {
        clock[k] = most;
    }
}

/* ---- Gathering ------------------------------------------------------------------------------- */

/* Computes the sums over the records of a stream with the functions in stats/ and tasks/. Returns
 * false if out of memory. */
static bool sums_gather(struct report_run *run, struct report_file *file)
{
    static const struct ws_tasks_filter all = {.kind = NULL};
    char known[WS_STATS_BY_MAX] = "";
    bool found = false;
    const struct ws_stats_options options = {.top = 5, .by_found = &found, .by_known = known};
    struct ws_file *stream = &file->stream;
    if (stream->pes == NULL) {
        return true;
    }
    ws_select_file(run->select, stream->sb, &stream->descs);
    switch (stream->sb->stream) {
    case FMT_STREAM_GVT:
    case FMT_STREAM_RT:
    case FMT_STREAM_VT:
        file->samples = ws_samples_gather(stream, run->select, &options);
        return file->samples != NULL;
    case FMT_STREAM_EVTRACE:
        file->events = ws_events_gather(stream, run->select, &options);
        return file->events != NULL;
    case FMT_STREAM_TASK:
        file->tasks = ws_tasks_gather(stream, run->select, &all);
        return file->tasks != NULL;
    default:
        return true;
    }
}

bool report_run_gather(struct report_run *run)
{
    assert(run->first != NULL);
    double kps = report_fact_number(run, "kps_per_pe");
    axes_find(run);
    report_places_init(&run->places, run->first->stream.sb->layout.n_pes,
                       kps >= 1.0 && kps < 0x1p62 ? (uint64_t)kps : 0);
    for (uint32_t i = 0; i <= REPORT_BINS; i++) {
        run->clock[i] = (double)NAN;
    }
    for (size_t i = 0; i < run->n; i++) {
        if (!sums_gather(run, &run->list[i])) {
            return false;
        }
    }
    if (!report_samples_gather(run) || !report_events_gather(run) || !report_model_gather(run) ||
        !report_tasks_gather(run)) {
        return false;
    }
    clock_fill(run);
    return report_evidence_gather(run);
}
