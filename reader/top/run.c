/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * run.c - reads a run that is watched, and determines its state; see run.h.
 */
#include "top/run.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "access/bind.h"
#include "access/journals.h"
#include "data/known.h"
#include "figures/values.h"

/* Seconds, from the opening of the recording, during which the run possibly still creates files. */
#define LATE_FILES  3.0
#define SILENCE_MIN 3.0 /* minimum time without news, in seconds, for TOP_SILENT */
#define LOOK_EVERY  2.0 /* seconds between searches for files that begin during the run */
/* Age in seconds up to which a run has possibly not locked its files yet. */
#define YOUNG       3.0
#define FIND_EVERY  10.0 /* seconds between searches for processes */
#define CHECK_EVERY 2.0  /* seconds between checks whether a silent run has ended */

const char *top_run_type(const struct top_run *run, uint32_t id)
{
    for (size_t i = 0; i < run->n_files; i++) {
        const struct ws_live *live = run->files[i].live;
        const struct fmt_payload_desc *desc =
            live->sb->stream == FMT_STREAM_EVTRACE ? fmt_desc_set_find(&live->descs, id) : NULL;
        if (desc != NULL) {
            return desc->owner;
        }
    }
    return "";
}

double top_run_progress(const struct top_run *run)
{
    double sum = 0;
    for (size_t i = 0; i < run->n_files; i++) {
        sum += ws_live_progress(run->files[i].live);
    }
    return run->n_files == 0 ? 0 : sum / (double)run->n_files;
}

/* Finds the end of the run; returns false if there is none. If `changed` is false, considers only
 * files that no request has ended, and finds the most severe end of a PE. If `changed` is true,
 * considers only files that a request has ended, and finds the latest end of a PE. */
static bool end_find(const struct top_run *run, bool changed, struct top_end *end)
{
    *end = (struct top_end){.info = NULL};
    for (size_t i = 0; i < run->n_files; i++) {
        for (uint32_t pe = 0; pe < run->model.n_pes; pe++) {
            const struct ws_live_pe *p = ws_live_pe(run->files[i].live, pe);
            const struct fmt_end_info *info = &p->end.info;
            if (!p->ended || (info->code == FMT_END_CHANGED) != changed) {
                continue;
            }
            bool later = info->real_time > end->real_time;
            end->real_time = later ? info->real_time : end->real_time;
            if (end->info == NULL || (changed && later) ||
                ws_end_rank(info->code) > ws_end_rank(end->info->code) ||
                (!changed && info->code == end->info->code && info->gvt < end->info->gvt)) {
                end->info = info;
                end->live = run->files[i].live;
            }
        }
    }
    return end->info != NULL;
}

bool top_run_end(const struct top_run *run, struct top_end *end)
{
    /* The end of a file by a request counts only if no file has another end, since a stream that
     * the run still records continues in another file. */
    return end_find(run, false, end) || end_find(run, true, end);
}

/* ---- State ----------------------------------------------------------------------------------- */

/* Returns true if all files have ended, for all PEs that record here. */
static bool all_ended(const struct top_run *run)
{
    bool all = true;
    for (size_t i = 0; i < run->n_files; i++) {
        all = all && run->files[i].live->n_ended >= run->model.n_here;
    }
    return all;
}

/* Returns true if a request has ended all files. */
static bool is_changed(const struct top_run *run)
{
    struct top_end end;
    return all_ended(run) && !end_find(run, false, &end) && end_find(run, true, &end);
}

/* Returns true if the run goes on, although a request has ended all files. */
static bool is_unrecorded(const struct top_run *run)
{
    const char *prefix = top_run_fact(run, "prefix");
    return is_changed(run) &&
           top_takes_requests(run->files[0].path, prefix == NULL ? run->prefix : prefix);
}

/* Appends to run->warning. */
static __attribute__((format(printf, 2, 3))) void warn(struct top_run *run, const char *words, ...)
{
    size_t used = strlen(run->warning);
    WS_FORMAT(run->warning + used, sizeof run->warning - used, words);
}

static bool pe_is_stopped(const struct top_pe *pe)
{
    return pe->process_state == 'T' || pe->process_state == 't';
}

/* Reasons for which a PE delays the run, in ascending severity. */
enum trouble { TROUBLE_NONE, TROUBLE_BEHIND, TROUBLE_STOPPED, TROUBLE_GONE, TROUBLES };

/* Returns the trouble of a PE. than: number of seconds without news after which a PE counts as
 * behind. */
static enum trouble trouble_of(const struct top_pe *pe, double now, double than)
{
    bool gone = pe->process_state == 'X' || pe->process_state == 'Z';
    return pe->elsewhere           ? TROUBLE_NONE
           : gone                  ? TROUBLE_GONE
           : pe_is_stopped(pe)     ? TROUBLE_STOPPED
           : now - pe->news > than ? TROUBLE_BEHIND
                                   : TROUBLE_NONE;
}

/* Returns true if the processes of all PEs that record here have ended. */
static bool all_gone(const struct top_model *m)
{
    bool all = m->n_here > 0;
    for (uint32_t i = 0; i < m->n_pes; i++) {
        all = all && (m->pes[i].elsewhere || m->pes[i].process_state == 'X');
    }
    return all;
}

/* Returns the PE with the most severe trouble; of several, the one without news for the longest
 * time. Sets n[t] to the number of PEs with trouble t. */
static uint32_t pe_behind(const struct top_model *m, double now, double than, uint32_t n[TROUBLES])
{
    uint32_t worst = 0;
    enum trouble most = TROUBLE_NONE;
    memset(n, 0, TROUBLES * sizeof *n);
    for (uint32_t i = 0; i < m->n_pes; i++) {
        enum trouble one = trouble_of(&m->pes[i], now, than);
        n[one]++;
        if (one > most || (one == most && m->pes[i].news < m->pes[worst].news)) {
            worst = i;
            most = one;
        }
    }
    return worst;
}

/* Appends the trouble of PEs to the warning; see pe_behind(). Returns false if there is none. */
static bool warn_behind(struct top_run *run, double now, double than)
{
    static const char *const words[TROUBLES][2] = {{"", ""},
                                                   {"is behind", "are behind"},
                                                   {"is stopped", "are stopped"},
                                                   {"has ended", "have ended"}};
    const struct top_model *m = &run->model;
    uint32_t n[TROUBLES], i = pe_behind(m, now, than, n);
    const struct top_pe *pe = &m->pes[i];
    enum trouble trouble = trouble_of(pe, now, than);
    if (trouble == TROUBLE_NONE) {
        return false;
    }
    bool several = n[trouble] > 1;
    run->behind = (struct top_behind){i, n[trouble] - 1, words[trouble][0], pe->news};
    warn(run, "%sPE %" PRIu32, run->warning[0] == '\0' ? "" : "; ", i);
    if (pe->process != 0) {
        warn(run, " (process %ld)", pe->process);
    }
    if (several) {
        warn(run, " and %" PRIu32 " more", n[trouble] - 1);
    }
    warn(run, " %s", words[trouble][several]);
    if (now - pe->news >= 1 && isfinite(than)) { /* if `than` is infinite, all PEs are silent */
        warn(run, ", no news of %s for %.0f s", several ? "the first" : "it", now - pe->news);
    }
    for (int t = (int)trouble - 1; t > TROUBLE_NONE; t--) {
        if (n[t] > 0) {
            warn(run, "; %" PRIu32 " more %s", n[t], words[t][n[t] > 1]);
        }
    }
    return true;
}

/* Appends to the warning the PE whose last sample is the oldest, with the time of that sample.
 * Called if all PEs are silent. */
static void warn_oldest(struct top_run *run)
{
    const struct top_model *m = &run->model;
    uint32_t oldest = 0;
    for (uint32_t i = 1; i < m->n_pes; i++) {
        bool is_older = m->pes[oldest].elsewhere || m->pes[i].real_time < m->pes[oldest].real_time;
        oldest = !m->pes[i].elsewhere && is_older ? i : oldest;
    }
    if (m->n_here > 1 && m->known[TOP_OF_PES] != 0) {
        run->behind = (struct top_behind){oldest, 0, "has the oldest sample", m->pes[oldest].news};
        warn(run, "; the last sample of PE %" PRIu32 " is the oldest, at %.2f s", oldest,
             m->pes[oldest].real_time);
    }
}

/* Returns true if no process holds the lock of a file of the run. */
static bool is_dead(const struct top_run *run)
{
    bool dead = true;
    for (size_t i = 0; dead && i < run->n_files; i++) {
        dead = ws_journals_lock(&run->files[i].live->file) == 0;
    }
    return dead;
}

/* Moves the time of the latest news back by the age of the latest record, which may be old already
 * when the recording is opened. That age follows from the start of the run and the time of the
 * record. */
static void age_find(struct top_run *run, double now)
{
    struct top_model *m = &run->model;
    double age = (double)time(NULL) - run->started - m->real_time - 1;
    run->age_known = true;
    if (run->started > 0 && age > SILENCE_MIN) {
        m->news = m->gvt_news = now - age;
    }
    for (uint32_t i = 0; m->known[TOP_OF_PES] != 0 && i < m->n_pes; i++) {
        m->pes[i].news = m->news - (m->real_time - m->pes[i].real_time);
    }
}

/* Finds what happened to a run that no process writes any more, and that has not ended all files: if
 * some PEs have ended and no buffers are left, the recording is damaged rather than the run killed. */
static void killed_find(struct top_run *run)
{
    struct top_end end;
    bool journals = false;
    for (size_t i = 0; i < run->n_files; i++) {
        for (uint32_t pe = 0; pe < run->model.n_pes; pe++) {
            const struct ws_live_pe *seen = ws_live_pe(run->files[i].live, pe);
            journals |= seen->has_journal && !seen->ended;
        }
    }
    if (!journals && end_find(run, false, &end)) {
        run->state = TOP_ENDED;
        run->elapsed = end.real_time;
        warn(run,
             "the run ended, but parts of its files are missing or damaged; \"warpscope verify "
             "%.200s\" lists them",
             run->folder);
    } else {
        run->elapsed = run->model.real_time;
        warn(run, "the run was killed; \"warpscope recover %.200s\" completes its files",
             run->folder);
    }
}

/* Determines run->state and run->warning. Must be called after all new records were read. */
static void state_find(struct top_run *run)
{
    struct top_model *m = &run->model;
    double now = date_clock();
    run->warning[0] = '\0';
    run->stalled = false;
    run->behind.words = NULL;
    run->unrecorded = is_unrecorded(run);
    struct top_end end;
    if (all_ended(run) && !run->unrecorded && top_run_end(run, &end)) {
        run->elapsed = end.real_time;
        run->state = TOP_ENDED;
        return;
    }
    if (!run->age_known) {
        age_find(run, now);
    }
    /* m->news is before now if the latest record was already old when the recording was opened. */
    if (m->real_time > run->clock_at) {
        run->clock_at = m->real_time;
        run->clock_news = m->news;
    }
    double silence = now - m->news, bound = 4 * m->pace > SILENCE_MIN ? 4 * m->pace : SILENCE_MIN;
    run->elapsed = run->clock_at + (now > run->clock_news ? now - run->clock_news : 0);
    if (run->state != TOP_KILLED || run->unrecorded) {
        run->state = TOP_RUNNING;
    }
    if (run->unrecorded && top_run_end(run, &end)) {
        double age = run->elapsed - end.real_time;
        if (strcmp(end.info->text, FMT_END_TEXT_LIMIT) == 0) {
            warn(run, "--stats-limit ended the recording %.0f s ago, and the run goes on",
                 age > 0 ? age : 0);
            return;
        }
        warn(
            run,
            "a request ended the recording %.0f s ago, and the run goes on; \"warpscope ctl %.200s "
            "set real-time-samp=1000\" records again",
            age > 0 ? age : 0, run->folder);
        return;
    }
    bool never = run->checked <= 0 || all_gone(m);
    if ((never || silence > SILENCE_MIN) && (never || now - run->checked > CHECK_EVERY)) {
        bool is_young = silence <= SILENCE_MIN && m->real_time < YOUNG;
        run->checked = now;
        run->state = !is_young && is_dead(run) ? TOP_KILLED : TOP_RUNNING;
    }
    if (run->state == TOP_KILLED) {
        killed_find(run);
    } else if (silence > bound) {
        run->state = TOP_SILENT;
        warn(run, "no news for %.0f s", silence);
        if (!warn_behind(run, now, INFINITY)) {
            warn_oldest(run);
        }
    } else if (m->n_here > 1) {
        run->stalled = m->gvt > 0 && now - m->gvt_news > bound;
        if (run->stalled) {
            warn(run, "GVT has not advanced for %.0f s", now - m->gvt_news);
        }
        warn_behind(run, now, bound);
    }
}

/* ---- Refreshes ------------------------------------------------------------------------------- */

/* Forgets a recording before another one is read, for the reason in run->notice. */
static void forget(struct top_run *run)
{
    memset(run->chains, 0, sizeof run->chains);
    run->clock_at = run->clock_news = 0;
    top_files_close(run);
    run->state = TOP_WAITING;
    run->followed++;
}

/* Reads the new records of a file until the time `until` by date_clock(). Sets *done to false if
 * records remain. Returns false if the file was replaced. */
static bool file_read(struct top_run *run, struct top_file *file, double until, bool *done)
{
    assert(file->live != NULL);
    struct ws_live_rows rows;
    struct fmt_error error = {0};
    const struct fmt_superblock *sb = file->live->sb;
    for (;;) {
        enum ws_live_got got = ws_live_next(file->live, &rows, &error);
        if (got == WS_LIVE_REPLACED) {
            return false;
        }
        if (got == WS_LIVE_ERROR) {
            snprintf(run->problem, sizeof run->problem, "%.250s", error.text);
            return true;
        }
        if (got == WS_LIVE_ROUND) {
            break;
        }
        const struct top_feed *feed = &file->feeds[ws_schema_number(sb, rows.columns->schema)];
        if (run->rows_seen != NULL) {
            run->rows_seen(run->rows_to, run, feed, &rows);
        }
        top_model_add(&run->model, feed, &rows);
        if (date_clock() > until) {
            *done = false;
            return true;
        }
    }
    for (uint32_t pe = 0; pe < run->model.n_pes; pe++) {
        top_model_note(&run->model, pe, ws_live_pe(file->live, pe));
    }
    if (file->live->damage[0] != '\0') {
        snprintf(run->problem, sizeof run->problem, "%.250s", file->live->damage);
    }
    return true;
}

static void processes_refresh(struct top_run *run, double now)
{
    bool known = true;
    for (uint32_t i = 0; known && i < run->model.n_pes; i++) {
        const struct top_pe *pe = &run->model.pes[i];
        known = pe->elsewhere || (pe->process != 0 && pe->process_state != 'X');
    }
    if (!known && (run->searched <= run->opened || now - run->searched > FIND_EVERY)) {
        char *target = realpath(run->files[0].path, NULL);
        run->searched = now;
        if (target != NULL) {
            top_processes_find(&run->model, target);
        }
        free(target);
    }
    top_processes_look(&run->model);
}

static void restart_follow(struct top_run *run)
{
    char *folder = top_restart_find(run);
    if (folder != NULL) {
        snprintf(run->notice, sizeof run->notice, "the run goes on in %.200s", folder);
        forget(run);
        free(run->folder);
        run->folder = folder;
        top_files_open(run);
    }
}

/* Opens files that are not open yet. Returns true if there were any, or if records remain to be
 * read that existed when the recording was opened. */
static bool files_are_more(struct top_run *run)
{
    size_t before = run->n_files;
    top_files_open(run);
    return run->n_files != before || !run->round_done;
}

/* Reads all files again if a request has ended a counted source of samples and another source can
 * replace it. Opens new files first, because they may continue the ended source. */
static void sources_follow(struct top_run *run)
{
    if (run->round_done && top_feeds_change(run, false) && !files_are_more(run) &&
        top_feeds_change(run, true)) {
        top_files_close(run);
        top_files_open(run);
        run->state = TOP_READING;
    }
}

void top_run_refresh(struct top_run *run, double seconds, bool patient)
{
    double begin = date_clock();
    bool done = true;
    if (run->state == TOP_KILLED && patient) {
        restart_follow(run);
    }
    if (run->n_files == 0 || begin - run->opened < LATE_FILES ||
        (run->state != TOP_ENDED && begin - run->looked > LOOK_EVERY)) {
        top_files_open(run);
    }
    if (run->n_files == 0) {
        run->state = TOP_WAITING;
        return;
    }
    if (run->round_done && run->state != TOP_ENDED) {
        top_model_fade(&run->model);
    }
    for (size_t i = 0; i < run->n_files; i++) {
        if (!file_read(run, &run->files[i],
                       begin + seconds * (double)(i + 1) / (double)run->n_files, &done)) {
            snprintf(run->notice, sizeof run->notice,
                     "there is another recording in this place now");
            forget(run);
            return;
        }
    }
    if (done && !run->round_done) {
        run->round_done = true;
        top_model_forget(&run->model);
    }
    if (run->round_done && is_changed(run) && files_are_more(run)) {
        run->state = TOP_READING;
        return;
    }
    top_model_settle(&run->model);
    processes_refresh(run, begin);
    if (!run->round_done) {
        run->state = TOP_READING;
        return;
    }
    state_find(run);
    sources_follow(run);
    if (run->model.known[TOP_OF_PES] == 0 && run->state == TOP_RUNNING) {
        top_history_gvt(&run->model.history, run->elapsed, run->model.gvt);
    }
}
