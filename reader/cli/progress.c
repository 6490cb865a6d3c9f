/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * progress.c - shows the progress of a long command in a line on the terminal; see progress.h.
 */
#include "cli/progress.h"

#include <stdio.h>
#include <unistd.h>

#include "text/date.h"

#define INTERVAL 0.25 /* seconds between updates of the line */

void ws_progress_begin(struct ws_progress *p, const char *what, uint64_t total)
{
    *p = (struct ws_progress){.what = what, .total = total, .on = isatty(STDERR_FILENO) == 1};
    p->begin = p->on ? date_clock() : 0;
    p->shown = p->begin + 1 - INTERVAL;
}

void ws_progress_add(struct ws_progress *p, uint64_t records)
{
    p->done += records;
    if (!p->on) {
        return;
    }
    double t = date_clock();
    if (t - p->shown < INTERVAL) {
        return;
    }
    p->shown = t;
    p->visible = true;
    fprintf(stderr, "\033[K%.40s: %.0f %%, %.1f million records/s\r", p->what,
            p->total == 0 ? 100.0 : 100.0 * (double)p->done / (double)p->total,
            (double)p->done / (t - p->begin) / 1e6);
    fflush(stderr);
}

void ws_progress_hide(struct ws_progress *p)
{
    if (p->visible) {
        fputs("\033[K", stderr);
        fflush(stderr);
    }
    p->visible = false;
}
