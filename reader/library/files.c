/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * files.c - describes the files of a recording, the facts about their run, and the faults; see
 * warpscope/reader.h.
 */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "access/journals.h"
#include "library/run.h"

static void times_describe(struct wsr_file *to, const struct ws_file *s)
{
    to->virtual_from = to->virtual_to = to->real_from = to->real_to = NAN;
    to->end_gvt = to->end_real_time = NAN;
    if (s->virtual_time.known) {
        to->virtual_from = s->virtual_time.min;
        to->virtual_to = s->virtual_time.max;
    }
    if (s->real_time.known) {
        to->real_from = s->real_time.min;
        to->real_to = s->real_time.max;
    }
    if (s->pes_ended > 0) {
        to->outcome = s->end_text[0] == '\0' ? ws_end_words(s->end_code, 1) : s->end_text;
        to->end_gvt = s->end_gvt;
        to->end_real_time = s->end_real_time;
    }
}

/* Describes an open file in *to, and its facts in *facts. Returns false if out of memory. */
static bool file_describe(struct wsr_file *to, struct wsr_fact **facts, const struct ws_file *s)
{
    *to = (struct wsr_file){.path = s->path, .faults = s->n_faults};
    times_describe(to, s);
    if (s->pes == NULL) {
        return true;
    }
    assert(s->sb != NULL && *facts == NULL);
    to->readable = true;
    to->stream = fmt_stream_name(s->sb->stream);
    to->records = s->records;
    to->missing = s->missing;
    to->dropped = s->dropped;
    to->blocks = s->blocks;
    to->bytes = s->stored_bytes;
    to->unknown_blocks = s->unknown_blocks;
    to->n_pes = s->sb->layout.n_pes;
    to->complete = ws_file_good(s);
    to->loss_unknown = s->pes_unknown_loss > 0;
    to->journals = (uint32_t)ws_journals_count(s);
    to->running = to->journals > 0 && ws_journals_running(s);
    *facts = calloc((size_t)s->sb->n_run + 1, sizeof **facts);
    for (uint32_t i = 0; *facts != NULL && i < s->sb->n_run; i++) {
        (*facts)[i] = (struct wsr_fact){s->sb->run[i].key, s->sb->run[i].value};
    }
    to->facts = *facts;
    to->n_facts = s->sb->n_run;
    return *facts != NULL;
}

int ws_run_files_describe(struct wsr_run *run)
{
    for (size_t k = 0; k < run->paths.n_streams; k++) {
        size_t first = run->paths.streams[k].first;
        for (uint32_t p = 0; p < ws_stream_parts(&run->streams[k]); p++) {
            struct wsr_file *file = &run->files[first + p];
            if (!file_describe(file, &run->facts[first + p], ws_stream_part(&run->streams[k], p))) {
                return ws_run_fail_memory(run);
            }
            file->part = run->paths.numbers[first + p];
            run->first = run->first == NULL && file->readable ? file : run->first;
        }
    }
    return WSR_OK;
}

size_t wsr_file_count(const wsr_run *run)
{
    return run == NULL || run->files == NULL ? 0 : run->paths.n;
}

const struct wsr_file *wsr_file_at(const wsr_run *run, size_t i)
{
    return i < wsr_file_count(run) ? &run->files[i] : NULL;
}

size_t wsr_fact_count(const wsr_run *run)
{
    return run == NULL || run->first == NULL ? 0 : run->first->n_facts;
}

const struct wsr_fact *wsr_fact_at(const wsr_run *run, size_t i)
{
    return i < wsr_fact_count(run) ? &run->first->facts[i] : NULL;
}

const char *wsr_fact(const wsr_run *run, const char *name)
{
    for (size_t i = 0; name != NULL && i < wsr_fact_count(run); i++) {
        if (strcmp(run->first->facts[i].name, name) == 0) {
            return run->first->facts[i].text;
        }
    }
    return NULL;
}

const char *wsr_lp_name(const wsr_run *run, uint64_t lp)
{
    const char *name = NULL;
    for (size_t i = 0; name == NULL && wsr_file_count(run) > 0 && i < run->paths.n_streams; i++) {
        name = ws_lp_name(&ws_run_stream(run, i)->descs, lp);
    }
    return name;
}

static size_t faults_of(const struct ws_file *file)
{
    return file->n_faults < WS_FAULTS_SHOWN ? (size_t)file->n_faults : WS_FAULTS_SHOWN;
}

size_t wsr_fault_count(const wsr_run *run)
{
    size_t n = 0;
    for (size_t k = 0; wsr_file_count(run) > 0 && k < run->paths.n_streams; k++) {
        n += faults_of(ws_run_stream(run, k));
    }
    return n;
}

const char *wsr_fault_at(const wsr_run *run, size_t i)
{
    for (size_t k = 0; wsr_file_count(run) > 0 && k < run->paths.n_streams; k++) {
        const struct ws_file *stream = ws_run_stream(run, k);
        size_t n = faults_of(stream);
        if (i < n) {
            return stream->faults[i].text;
        }
        i -= n;
    }
    return NULL;
}
