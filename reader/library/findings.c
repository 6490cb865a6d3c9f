/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * findings.c - finds the greatest costs of a run; see warpscope/reader.h.
 */
#include <stdlib.h>
#include <string.h>

#include "figures/over_time.h"
#include "library/run.h"

/* Computes run->findings from n files of one run. report: memory for temporary use. Returns an enum
 * wsr_status. */
static int files_read(struct wsr_run *run, struct ws_figures *report, const char *const *paths,
                      int n)
{
    struct ws_select all;
    struct ws_messages first = ws_run_keep_first(run);
    int status = ws_run_select(run, &all, NULL);
    if (status == WSR_OK && !ws_figures_open(report, paths, n, &all, &first)) {
        status = run->message[0] == '\0' ? ws_run_fail_memory(run) : WSR_SYSTEM;
    } else if (status == WSR_OK && !ws_figures_gather(report)) {
        status = ws_run_fail_memory(run);
    }
    struct run_findings *found = status == WSR_OK ? calloc(1, sizeof *found) : NULL;
    if (status == WSR_OK && found == NULL) {
        status = ws_run_fail_memory(run);
    }
    if (found != NULL) {
        found->n = ws_findings_find(&report->evidence, found->list, WS_FINDINGS_MAX);
    }
    for (size_t i = 0; found != NULL && i < found->n; i++) {
        const struct ws_finding *f = &found->list[i];
        ws_finding_advice(found->advice[i], f);
        found->shown[i] = (struct wsr_finding){f->rule, f->text, found->advice[i], f->weight};
    }
    run->findings = found;
    ws_figures_free(report);
    ws_select_free(&all);
    return status;
}

/* Computes run->findings from the files that have the same prefix as the first readable file.
 * Returns an enum wsr_status. */
static int findings_make(struct wsr_run *run)
{
    const struct ws_files *all = &run->paths;
    const struct ws_stream_files *chosen = NULL;
    const char **paths = calloc(all->n + 1, sizeof *paths);
    struct ws_figures *report = calloc(1, sizeof *report);
    int n = 0, status;
    for (size_t k = 0; paths != NULL && k < all->n_streams; k++) {
        const struct ws_stream_files *s = &all->streams[k];
        if (run->streams[k].pes == NULL) {
            continue;
        }
        chosen = chosen == NULL ? s : chosen;
        if (s->stem == chosen->stem &&
            strncmp(all->paths[s->first], all->paths[chosen->first], s->stem) == 0) {
            for (size_t i = 0; i < s->n; i++) {
                paths[n++] = all->paths[s->first + i];
            }
        }
    }
    status = paths == NULL || report == NULL ? ws_run_fail_memory(run)
                                             : files_read(run, report, paths, n);
    free(paths);
    free(report);
    return status;
}

int wsr_findings(wsr_run *run, const struct wsr_finding **findings, size_t *n)
{
    if (run == NULL || findings == NULL || n == NULL) {
        return WSR_INVALID;
    }
    *findings = NULL;
    *n = 0;
    int status = ws_run_ready(run);
    if (status == WSR_OK && run->findings == NULL) {
        status = findings_make(run);
    }
    if (status == WSR_OK) {
        run->message[0] = '\0';
        *n = run->findings->n;
        *findings = *n > 0 ? run->findings->shown : NULL;
    }
    return status;
}
