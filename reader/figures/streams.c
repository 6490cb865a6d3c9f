/* SPDX-License-Identifier: BSD-3-Clause */
/* streams.c - opens the files of a run, and finds streams, facts and totals; see over_time.h. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "access/stream_files.h"
#include "figures/over_time.h"

/* ---- Opening --------------------------------------------------------------------------------- */

/* Sets run->name to the last component of run->path, without trailing slashes. For a file, also
 * removes "-STREAM.bin". */
static void name_set(struct ws_figures *run)
{
    struct ws_part_name name;
    size_t end = ws_part_name_find(&name, run->path) ? name.stem : strlen(run->path);
    while (end > 1 && run->path[end - 1] == '/') {
        end--;
    }
    size_t begin = end;
    while (begin > 0 && (run->path[begin - 1] != '/' || end == 1)) {
        begin--;
    }
    snprintf(run->name, sizeof run->name, "%.*s", (int)(end - begin), run->path + begin);
}

/* Returns true if no two files have the same stream. Otherwise prints that these files belong to
 * two runs, and returns false. */
static bool streams_differ(const struct ws_figures *run, const struct ws_messages *messages)
{
    for (size_t i = 0; i < run->n; i++) {
        const struct ws_file *file = &run->list[i].stream;
        const struct ws_figures_file *first =
            file->pes == NULL ? NULL : ws_figures_file_of(run, file->sb->stream);
        if (first != NULL && first != &run->list[i]) {
            return ws_say(messages,
                          "%s and %s are of two runs: name the files of one, PREFIX-*.bin",
                          first->stream.path, file->path);
        }
    }
    return true;
}

bool ws_figures_open(struct ws_figures *run, const char *const *operands, int n,
                     struct ws_select *select, const struct ws_messages *messages)
{
    *run = (struct ws_figures){.path = operands[0], .select = select};
    name_set(run);
    run->found = ws_files_gather(&run->files, operands, n, messages);
    run->list = calloc(run->files.n_streams + 1, sizeof *run->list);
    if (run->list == NULL) {
        return false;
    }
    for (run->n = 0; run->n < run->files.n_streams; run->n++) {
        struct ws_figures_file *file = &run->list[run->n];
        ws_stream_survey(&file->stream, &run->files, run->n, messages);
        if (file->stream.pes != NULL && run->first == NULL) {
            run->first = file;
        }
    }
    return run->first != NULL && streams_differ(run, messages);
}

void ws_stats_sums_free(struct ws_stats_sums *sums)
{
    ws_counted_free(sums->counted);
    ws_model_free(sums->model);
    ws_tasks_free(sums->tasks);
    ws_tracers_free(sums->tracers);
}

void ws_figures_free(struct ws_figures *run)
{
    for (size_t i = 0; i < run->n; i++) {
        ws_stats_sums_free(&run->list[i].sums);
        ws_file_close(&run->list[i].stream);
    }
    free(run->list);
    free(run->traffic.hits);
    free(run->traffic.pes);
    free(run->traffic.types);
    ws_dists_free(&run->traffic.lengths);
    ws_dists_free(&run->traffic.offsets);
    ws_lps_free(&run->lps);
    for (uint32_t i = 0; i < run->n_kinds; i++) {
        ws_dists_free(&run->kinds[i].durations);
    }
    free(run->kinds);
    free(run->busy);
    free(run->evidence.pes);
    ws_files_free(&run->files);
}

struct ws_covers ws_figures_covers(const struct ws_figures *run)
{
    struct ws_covers covers = {.what = WS_COVERS_ALL};
    for (size_t i = 0; i < run->n; i++) {
        ws_covers_add(&covers, &run->list[i].stream);
    }
    return covers;
}

bool ws_figures_good(struct ws_figures *run)
{
    bool good = run->found && run->n > 0;
    for (size_t i = 0; i < run->n; i++) {
        ws_file_faults_end(&run->list[i].stream);
        good &= ws_file_good(&run->list[i].stream);
    }
    return good && ws_figures_covers(run).what < WS_COVERS_RUNNING;
}

bool ws_evidence_is_of_one_run(const struct ws_file *streams, size_t n)
{
    const struct ws_file *first = NULL;
    bool same = true;
    for (size_t i = 0; i < n; i++) {
        first = first == NULL && streams[i].pes != NULL ? &streams[i] : first;
        same &= streams[i].pes == NULL || ws_facts_same_run(first->sb, streams[i].sb);
    }
    return same && first != NULL;
}

/* ---- Ends ------------------------------------------------------------------------------------ */

const struct ws_file *ws_figures_end(const struct ws_figures *run)
{
    const struct ws_file *worst = NULL;
    for (size_t i = 0; i < run->n; i++) {
        const struct ws_file *s = &run->list[i].stream;
        if (s->pes != NULL && s->pes_ended > 0 &&
            (worst == NULL || ws_end_rank(s->end_code) > ws_end_rank(worst->end_code))) {
            worst = s;
        }
    }
    return worst;
}

/* ---- Facts and totals ------------------------------------------------------------------------ */

struct ws_figures_file *ws_figures_file_of(const struct ws_figures *run, uint32_t stream)
{
    for (size_t i = 0; i < run->n; i++) {
        const struct ws_file *file = &run->list[i].stream;
        if (file->pes != NULL && file->sb->stream == stream) {
            return &run->list[i];
        }
    }
    return NULL;
}

const char *ws_figures_fact(const struct ws_figures *run, const char *key)
{
    return run->first == NULL ? NULL : ws_fact(run->first->stream.sb, key);
}

const struct ws_counted *ws_figures_totals(const struct ws_figures *run)
{
    static const uint32_t streams[] = {FMT_STREAM_GVT, FMT_STREAM_RT, FMT_STREAM_VT};
    for (size_t s = 0; s < sizeof streams / sizeof streams[0]; s++) {
        const struct ws_figures_file *file = ws_figures_file_of(run, streams[s]);
        if (file != NULL && file->sums.counted != NULL && file->sums.counted->all.records > 0) {
            return file->sums.counted;
        }
    }
    return NULL;
}

double ws_figures_total(const struct ws_counted *samples, const char *name)
{
    int32_t at = samples == NULL ? -1 : ws_stats_count_find(&samples->counts, name);
    return at < 0 ? (double)NAN : (double)samples->all.sums[at];
}

bool ws_is_covered(const struct ws_source *source, const struct ws_stats_axis *axis, uint32_t i)
{
    double step = (axis->high - axis->low) / axis->n, from = axis->low + i * step;
    return source->stream == NULL ||
           ws_stream_share(source->stream, source->kind, axis->clock == WS_VIRTUAL, from,
                           from + step) > 0;
}
