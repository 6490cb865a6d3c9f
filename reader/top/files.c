/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * files.c - finds and opens the record files of a run that is watched; see run.h.
 */
#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "access/facts.h"
#include "access/folder.h"
#include "access/stream_files.h"
#include "data/known.h"
#include "figures/values.h"
#include "format/control_file.h"
#include "text/text_new.h"
#include "top/run.h"

static bool is_open(const struct top_run *run, const char *path)
{
    for (size_t i = 0; i < run->n_files; i++) {
        if (strcmp(run->files[i].path, path) == 0) {
            return true;
        }
    }
    return false;
}

/* Opens a record file. If it cannot be read yet, sets run->problem; a later call tries again. */
static void file_open(struct top_run *run, const char *path, unsigned long part)
{
    assert(run->n_files <= TOP_FILES_MAX);
    struct fmt_error error = {0};
    struct ws_live *live = NULL;
    if (run->n_files == TOP_FILES_MAX || is_open(run, path)) {
        return;
    }
    char *copy = strdup(path);
    if (copy == NULL || ws_live_open(&live, path, &error) != FMT_OK) {
        snprintf(run->problem, sizeof run->problem, "%.250s",
                 copy == NULL ? "out of memory" : error.text);
        free(copy);
        return;
    }
    const struct top_file *first = run->n_files > 0 ? &run->files[0] : NULL;
    if (first != NULL && !ws_facts_same_run(first->live->sb, live->sb)) {
        ws_live_close(live); /* the file belongs to another run */
        free(copy);
        return;
    }
    size_t at = run->n_files++;
    for (; at > 0 && run->files[at - 1].part > part; at--) {
        run->files[at] = run->files[at - 1];
    }
    run->files[at] = (struct top_file){.path = copy, .part = part, .live = live};
}

/* Sets `elsewhere` of the PEs that record on disks of other hosts, model.n_here and first_here. */
static void elsewhere_read(struct top_run *run)
{
    assert(run->n_files > 0 && run->model.pes != NULL);
    const struct ws_live *live = run->files[0].live;
    struct top_model *m = &run->model;
    for (uint32_t pe = m->n_pes; pe-- > 0;) {
        m->pes[pe].elsewhere = ws_live_pe(live, pe)->elsewhere;
        m->first_here = m->pes[pe].elsewhere ? m->first_here : pe;
    }
    m->n_here = live->n_here;
}

static void facts_read(struct top_run *run)
{
    const char *start = top_run_fact(run, "start_date");
    struct tm date = {0};
    run->end_time = ws_fact_number(run->files[0].live->sb, "end_time", NAN);
    run->end_time = run->end_time < 1e300 ? run->end_time : NAN;
    bool dated = start != NULL && strptime(start, "%Y-%m-%dT%H:%M:%SZ", &date) != NULL;
    run->started = dated ? (double)timegm(&date) : 0;
}

/* Returns the number of the stream that was written last; if files are open, of their first one. */
static size_t stream_choose(const struct top_run *run, const struct ws_files *files)
{
    size_t chosen = 0;
    struct timespec latest = {0, 0};
    for (size_t k = 0; k < files->n_streams; k++) {
        const struct ws_stream_files *s = &files->streams[k];
        for (size_t i = s->first; i < s->first + s->n; i++) {
            struct stat st;
            if (run->n_files > 0 && strcmp(run->files[0].path, files->paths[i]) == 0) {
                return k;
            }
            if (stat(files->paths[i], &st) == 0 &&
                (st.st_mtim.tv_sec > latest.tv_sec ||
                 (st.st_mtim.tv_sec == latest.tv_sec && st.st_mtim.tv_nsec > latest.tv_nsec))) {
                latest = st.st_mtim;
                chosen = k;
            }
        }
    }
    return chosen;
}

/* Opens the files that belong to the chosen stream's run and are not open yet. */
static void run_open(struct top_run *run, const struct ws_files *files)
{
    const struct ws_stream_files *chosen = &files->streams[stream_choose(run, files)];
    const char *path = files->paths[chosen->first];
    const char *name = ws_path_name(path);
    snprintf(run->prefix, sizeof run->prefix, "%.*s", (int)(path + chosen->stem - name), name);
    for (size_t i = 0; i < files->n_streams; i++) {
        const struct ws_stream_files *s = &files->streams[i];
        bool same =
            s->stem == chosen->stem && strncmp(files->paths[s->first], path, chosen->stem) == 0;
        for (size_t k = s->first; same && k < s->first + s->n; k++) {
            file_open(run, files->paths[k], files->numbers[k]);
        }
    }
}

void top_files_open(struct top_run *run)
{
    const char *operand = run->folder;
    const size_t before = run->n_files;
    struct ws_files files;
    run->problem[0] = '\0';
    run->looked = date_clock();
    ws_files_gather(&files, &operand, 1, NULL);
    if (files.n_streams > 0) {
        run_open(run, &files);
    }
    ws_files_free(&files);
    if (run->n_files == 0 && run->problem[0] == '\0' && access(run->folder, R_OK) != 0) {
        snprintf(run->problem, sizeof run->problem, "%.180s: %s", run->folder, strerror(errno));
    } else if (run->n_files == 0 && run->problem[0] == '\0') {
        int error;
        char *requests = ws_find_ending(run->folder, CONTROL_FILE_END, &error);
        snprintf(run->problem, sizeof run->problem,
                 requests != NULL ? "%.100s: the run records nothing yet; warpscope ctl %.80s set "
                                    "real-time-samp=1000 begins to"
                                  : "%.200s: no record files yet",
                 run->folder, run->folder);
        free(requests);
    }
    if (run->n_files == 0 || run->n_files == before) {
        return;
    }
    /* A file has appeared since the others were opened. All files are read again into empty sums,
     * so that each record is counted once. */
    if (before > 0) {
        top_files_close(run);
        top_files_open(run);
        return;
    }
    run->opened = run->searched = date_clock();
    const struct fmt_superblock *sb = run->files[0].live->sb;
    if (!top_model_init(&run->model, sb->layout.n_pes)) {
        top_files_close(run);
        snprintf(run->problem, sizeof run->problem, "out of memory");
        return;
    }
    elsewhere_read(run);
    top_feeds_make(run);
    facts_read(run);
}

void top_files_close(struct top_run *run)
{
    for (size_t i = 0; i < run->n_files; i++) {
        ws_live_close(run->files[i].live);
        free(run->files[i].path);
    }
    memset(run->files, 0, sizeof run->files);
    run->n_files = 0;
    top_model_free(&run->model);
    run->round_done = run->age_known = false;
    run->checked = 0;
    run->warning[0] = '\0';
}

bool top_run_init(struct top_run *run, const char *path)
{
    struct stat st;
    *run = (struct top_run){.state = TOP_WAITING, .end_time = NAN, .folder = strdup(path)};
    run->is_file = stat(path, &st) == 0 && S_ISREG(st.st_mode);
    size_t length = run->folder == NULL ? 0 : strlen(run->folder);
    while (length > 1 && run->folder[length - 1] == '/') {
        run->folder[--length] = '\0';
    }
    return run->folder != NULL;
}

void top_run_free(struct top_run *run)
{
    top_files_close(run);
    free(run->folder);
}

const char *top_run_fact(const struct top_run *run, const char *key)
{
    return run->n_files == 0 ? NULL : ws_fact(run->files[0].live->sb, key);
}

/* ---- Restarts -------------------------------------------------------------------------------- */

/* Returns the length of NAME if name has the form NAME-N; otherwise the length of name. */
static size_t unnumbered(const char *name)
{
    size_t length = strlen(name), end = length;
    while (end > 0 && name[end - 1] >= '0' && name[end - 1] <= '9') {
        end--;
    }
    return end < length && end > 1 && name[end - 1] == '-' ? end - 1 : length;
}

/* Returns N for the path of a directory NAME-N; 0 for other names. */
static unsigned long number_of(const char *folder)
{
    const char *name = ws_path_name(folder);
    size_t length = unnumbered(name);
    return name[length] == '\0' ? 0 : strtoul(name + length + 1, NULL, 10);
}

/* Returns true if the directory has a later run of the same program. Sets *started to the start of
 * that run. */
static bool continues(const struct top_run *run, const char *folder, double *started)
{
    struct top_run other;
    bool good = top_run_init(&other, folder);
    if (good) {
        top_files_open(&other);
    }
    const char *ours = top_run_fact(run, "program"), *theirs = top_run_fact(&other, "program");
    good = good && other.n_files > 0 &&
           (other.started > run->started ||
            (other.started >= run->started && number_of(folder) > number_of(run->folder))) &&
           (ours == NULL) == (theirs == NULL) && (ours == NULL || strcmp(ours, theirs) == 0);
    *started = other.started;
    top_run_free(&other);
    return good;
}

char *top_restart_find(const struct top_run *run)
{
    const char *slash = strrchr(run->folder, '/');
    const char *own = ws_path_name(run->folder);
    size_t stem = unnumbered(own);
    char *parent =
        slash == NULL ? strdup(".") : strndup(run->folder, (size_t)(slash - run->folder) + 1);
    DIR *dir = parent == NULL || run->is_file || stem == 0 ? NULL : opendir(parent);
    char *best = NULL;
    double best_started = 0;
    const struct dirent *entry;
    while (dir != NULL && (entry = readdir(dir)) != NULL) {
        const char *name = entry->d_name;
        double started = 0;
        if (unnumbered(name) != stem || strncmp(name, own, stem) != 0 || strcmp(name, own) == 0) {
            continue;
        }
        char *path = slash == NULL ? strdup(name) : text_new("%s%s", parent, name);
        if (path != NULL && continues(run, path, &started) &&
            (best == NULL || started > best_started)) {
            free(best);
            best = path;
            best_started = started;
        } else {
            free(path);
        }
    }
    if (dir != NULL) {
        closedir(dir);
    }
    free(parent);
    return best;
}

const char *top_run_lp_name(const struct top_run *run, uint64_t lp)
{
    const char *name = NULL;
    for (size_t i = 0; name == NULL && i < run->n_files; i++) {
        name = ws_lp_name(&run->files[i].live->descs, lp);
    }
    return name;
}
