/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * panes.c - puts the parts of the screen together; see panes.h.
 */
#include "top/panes.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "render/plot.h"
#include "render/text.h"

#define KPS_ONCE       10 /* rows in text */
#define FINDINGS_SHOWN 2  /* in the overview */

void top_missing(const struct top_run *run, char *to, size_t size)
{
    const struct top_has *has = &run->model.has;
    snprintf(to, size, "%s%s%s%s",
             !has->counts ? "  rates, efficiency: --real-time-samp=MS or --enable-gvt-stats=1" : "",
             has->counts && !has->phases ? "  times: --real-time-samp=MS" : "",
             !has->kps && !has->rollbacks ? "  KPs: --kp-data=1" : "",
             !has->types ? "  LP types: --event-trace=2" : "");
}

static int legend_draw(struct top_canvas *c, int y, const struct top_run *run)
{
    int x = 1;
    if (!run->model.has.phases) {
        return y;
    }
    for (int i = 0; i < TOP_PHASES; i++) {
        const struct top_phase_name *name = &top_phase_names[i];
        if (x + (int)strlen(name->words) + 3 >= c->cols) {
            y++;
            x = 1;
        }
        x = top_put(c, y, x, (enum top_style)(TOP_PHASE_STYLE + i), "%c", name->letter);
        x = top_put(c, y, x, TOP_DIM, " %s  ", name->words);
    }
    return y + 1;
}

/* With more PEs than the screen shows: those that stand out. */
static int extremes_draw(struct top_canvas *c, int y, const struct top_run *run)
{
    const struct top_model *m = &run->model;
    uint32_t slow = 0, full = 0, large = 0, ahead = 0;
    double least = INFINITY, now = top_clock();
    char number[WS_COUNT_MAX], bytes[64];
    uint32_t old = 0;
    for (uint32_t i = 0; i < m->n_pes; i++) {
        const struct top_pe *pe = &m->pes[i];
        double efficiency = top_efficiency(pe->processed, pe->undone);
        slow = efficiency < least ? i : slow;
        least = efficiency < least ? efficiency : least;
        full = pe->queue > m->pes[full].queue ? i : full;
        large = pe->memory > m->pes[large].memory ? i : large;
        ahead = pe->ahead > m->pes[ahead].ahead ? i : ahead;
        old = pe->news < m->pes[old].news ? i : old;
    }
    int x = top_put(c, y, 1, TOP_BOLD, "%" PRIu32 " PEs", m->n_pes);
    if (!isinf(least)) {
        x = top_put(c, y, x, TOP_PLAIN, "  efficiency from %.1f %% (PE %" PRIu32 ")", least, slow);
    }
    if (m->has.queue) {
        x = top_put(c, y, x, TOP_PLAIN, "  queue to %s (PE %" PRIu32 ")",
                    ws_count_text(number, m->pes[full].queue), full);
    }
    if (m->pes[large].memory > 0) {
        ws_format_bytes(bytes, sizeof bytes, m->pes[large].memory);
        x = top_put(c, y, x, TOP_PLAIN, "  memory to %s (PE %" PRIu32 ")", bytes, large);
    }
    if (m->has.ahead) {
        x = top_put(c, y, x, TOP_PLAIN, "  ahead to %s (PE %" PRIu32 ")",
                    ws_number_text(number, m->pes[ahead].ahead), ahead);
    }
    if (now - m->pes[old].news > 3) {
        top_put(c, y, x, TOP_WARNING, "  news %.0f s ago (PE %" PRIu32 ")", now - m->pes[old].news,
                old);
    }
    return y + 1;
}

static void overview_draw(struct top_canvas *c, int y, int bottom, const struct top_run *run,
                          struct top_view *view)
{
    const struct top_model *m = &run->model;
    struct ws_finding list[FINDINGS_SHOWN];
    int findings = (int)top_findings(run, list, FINDINGS_SHOWN), end = bottom;
    bottom -= bottom - y > 12 ? findings : 0;
    int space = bottom - y, pes = (int)(m->n_pes > 1000 ? 1000 : m->n_pes) + 1;
    bool has_kps = m->has.kps || m->has.ahead || m->has.rollbacks;
    int kps = has_kps ? (space - 3) * 2 / 5 : 1;
    y = legend_draw(c, y, run);
    space = bottom - y;
    int room = space - kps > 3 ? space - kps : 3;
    if (pes > room) {
        y = extremes_draw(c, y, run);
        room = bottom - y - kps;
        pes = room;
    }
    y = top_draw_table(c, y, pes < room ? pes : room, run, view, TOP_PES, true);
    if (bottom - y >= 2 || !has_kps) {
        int kp_rows = view->once && bottom - y > KPS_ONCE + 1 ? KPS_ONCE + 1 : bottom - y;
        y = top_draw_table(c, y, kp_rows, run, view, TOP_KPS, false);
    }
    top_draw_findings(c, view->once ? y : bottom, view->once ? y + end - bottom : end, run, false);
    char missing[256];
    top_missing(run, missing, sizeof missing);
    if (y < bottom && missing[0] != '\0' && !view->once) {
        top_put(c, bottom - 1, 1, TOP_DIM, "not recorded:%s", missing);
    }
}

void top_draw_help(struct top_canvas *c, int y, const struct top_run *run)
{
    static const char *const lines[][2] = {
        {"a", "overview"},
        {"p  k  t", "PEs, KPs, types of LPs"},
        {"f", "findings: what costs most so far, and what to try"},
        {"Enter", "KPs of the selected PE; again: of all PEs"},
        {"Up Down PgUp PgDn Home End", "select, scroll"},
        {"s  S", "sort by the next, the previous column (marked by >)"},
        {"r", "reverse the order (marked by <)"},
        {"Space", "pause the screen; the run and the reading go on"},
        {"+  -", "refresh more often, less often"},
        {"h  ?", "this help; any key leaves it"},
        {"q", "quit; the run goes on"},
    };
    char missing[256];
    top_put(c, y++, 1, TOP_BOLD, "Keys");
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++, y++) {
        top_put(c, y, 1, TOP_BOLD, "%s", lines[i][0]);
        top_put(c, y, 30, TOP_PLAIN, "%s", lines[i][1]);
    }
    y++;
    top_put(c, y++, 1, TOP_PLAIN,
            "rest: time without work. ahead: virtual time beyond GVT, of the KP");
    top_put(c, y++, 1, TOP_PLAIN, "farthest ahead. just now: counts of the latest seconds.");
    top_missing(run, missing, sizeof missing);
    if (missing[0] != '\0') {
        top_put(c, y, 1, TOP_PLAIN, "not recorded:%s", missing);
    }
}

static void footer_draw(struct top_canvas *c, const struct top_view *view)
{
    int y = c->rows - 1;
    static const char *const pages[] = {"overview", "PEs", "KPs", "LP types", "findings", "help"};
    top_put(c, y, 0, TOP_TITLE, "%*s", c->cols, "");
    int x = top_put(c, y, 1, TOP_TITLE, "%s", pages[view->page]);
    if (view->page == TOP_KPS && view->only_pe >= 0) {
        x = top_put(c, y, x, TOP_TITLE, " of PE %" PRId64, view->only_pe);
    }
    if (view->n_rows > view->page_rows && view->page != TOP_HELP) {
        x = top_put(c, y, x, TOP_TITLE, ", %zu of %zu", view->selected + 1, view->n_rows);
    }
    static const char keys[] =
        "q quit  h help  p PEs  k KPs  t LP types  f findings  a all  s sort  Space pause  Enter "
        "KPs of PE";
    int room = c->cols - x - 3;
    if (room > 8) {
        top_put_right(c, y, c->cols - 1, TOP_TITLE, "%.*s", room, keys);
    }
}

void top_draw(struct top_canvas *c, const struct top_run *run, struct top_view *view)
{
    int bottom = c->rows - (view->once ? 0 : 1);
    view->n_rows = 0;
    view->chosen_pe = -1;
    if (c->rows < 4 || c->cols < 20) {
        top_put(c, 0, 0, TOP_PLAIN, "too small");
        return;
    }
    int y = top_draw_head(c, run, view);
    bool ready = run->n_files > 0 && run->state != TOP_READING;
    if (view->page == TOP_HELP) {
        top_draw_help(c, y + 1, run);
    } else if (ready && view->page == TOP_OVERVIEW) {
        overview_draw(c, y, bottom, run, view);
    } else if (ready && view->page == TOP_FINDINGS) {
        top_draw_findings(c, y, bottom, run, true);
    } else if (ready) {
        y = view->page == TOP_PES ? legend_draw(c, y, run) : y;
        if (view->page == TOP_PES && (int)run->model.n_pes > bottom - y - 1) {
            y = extremes_draw(c, y, run);
        }
        top_draw_table(c, y, bottom - y, run, view, view->page, true);
    }
    if (!view->once) {
        footer_draw(c, view);
    }
}
