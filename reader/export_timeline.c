/*
 * export_timeline.c - a run's files as one timeline (timeline.h) to a format.
 */
#include "export_timeline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const ws_category_names[WS_CATEGORIES] = {"event", "undone", "rollback"};

enum arg { LP, SRC_LP, RECV_TS, SEND_TS, TO_TS, FROM_TS, UNDONE, CAUSE };
const char *const ws_arg_names[WS_ARG_NAMES] = {
    [LP] = "lp",         [SRC_LP] = "src_lp",     [RECV_TS] = "recv_ts", [SEND_TS] = "send_ts",
    [TO_TS] = "back_to", [FROM_TS] = "back_from", [UNDONE] = "undone",   [CAUSE] = "cause"};

/* ---- Moments ----------------------------------------------------------------------------------
 */

bool ws_seen_note(struct ws_seen *s, const struct ws_moment *m)
{
    s->new_pe = !s->any || m->pe != s->pe;
    s->new_kp = false;
    if (s->new_pe && s->n_kps > 0) {
        memset(s->kps, 0, s->n_kps);
    }
    s->any = true;
    s->pe = m->pe;
    if (m->kind != WS_MOMENT_BEGIN) {
        return true;
    }
    if (m->kp >= s->n_kps) {
        uint8_t *kps = realloc(s->kps, 2 * (size_t)m->kp + 64);
        if (kps == NULL) {
            return false;
        }
        memset(kps + s->n_kps, 0, 2 * (size_t)m->kp + 64 - s->n_kps);
        s->kps = kps;
        s->n_kps = 2 * m->kp + 64;
    }
    s->new_kp = s->kps[m->kp] == 0;
    s->kps[m->kp] = 1;
    return true;
}

void ws_seen_free(struct ws_seen *s)
{
    free(s->kps);
    *s = (struct ws_seen){0};
}

enum ws_category ws_moment_category(const struct ws_moment *m)
{
    return (m->flags & WS_MOMENT_ROLLBACK) != 0 ? WS_CATEGORY_ROLLBACK
           : (m->flags & WS_MOMENT_UNDONE) != 0 ? WS_CATEGORY_UNDONE
                                                : WS_CATEGORY_EVENT;
}

static uint32_t number_add(struct ws_moment_arg *args, uint32_t n, enum arg key, uint64_t number)
{
    args[n] = (struct ws_moment_arg){.key = key, .number = number};
    return n + 1;
}

static uint32_t time_add(struct ws_moment_arg *args, uint32_t n, enum arg key, double time)
{
    args[n] = (struct ws_moment_arg){.key = key, .is_time = true, .time = time};
    return n + 1;
}

uint32_t ws_moment_args(const struct ws_moment *m, struct ws_moment_arg *args)
{
    bool rollback = (m->flags & WS_MOMENT_ROLLBACK) != 0;
    uint32_t n = number_add(args, 0, LP, m->lp);
    n = number_add(args, n, SRC_LP, m->src_lp);
    n = time_add(args, n, rollback ? TO_TS : RECV_TS, m->recv_ts);
    n = time_add(args, n, rollback ? FROM_TS : SEND_TS, m->send_ts);
    if ((m->flags & WS_MOMENT_RECORD) != 0) {
        n = number_add(args, n, UNDONE, m->undone);
        n = number_add(args, n, CAUSE, m->cause);
    }
    return n;
}

/* ---- The command ------------------------------------------------------------------------------
 */

/* The only readable file of a stream; NULL: there is none, or (*good false) several. */
static struct ws_survey *stream_find(struct ws_survey *surveys, size_t n, uint32_t stream,
                                     bool *good)
{
    struct ws_survey *found = NULL;
    for (size_t i = 0; i < n; i++) {
        if (surveys[i].pes == NULL || surveys[i].sb->stream != stream) {
            continue;
        }
        if (found != NULL) {
            fprintf(stderr,
                    "warpscope: %s: a timeline shows one run, and there is %s as well: name the"
                    " files of one\n",
                    surveys[i].path, found->path);
            *good = false;
            return NULL;
        }
        found = &surveys[i];
    }
    return found;
}

static bool files_find(struct ws_timeline *t, struct ws_survey *surveys, size_t n)
{
    bool good = true;
    t->evtrace = stream_find(surveys, n, FMT_STREAM_EVTRACE, &good);
    t->gvt = stream_find(surveys, n, FMT_STREAM_GVT, &good);
    t->rt = stream_find(surveys, n, FMT_STREAM_RT, &good);
    if (good && t->evtrace == NULL) {
        fputs("warpscope: a timeline needs an event trace (PREFIX-evtrace.bin), which there is"
              " none of: run the model with --event-trace=1 (all executions), 2 (rollbacks) or 3"
              " (committed events)\n",
              stderr);
        return false;
    }
    return good;
}

bool ws_export_timeline(struct ws_export *x, struct ws_survey *surveys, size_t n)
{
    struct ws_timeline t = {.options = x->timeline, .select = &x->select};
    if (!files_find(&t, surveys, n)) {
        return false;
    }
    x->survey = t.evtrace;
    x->prefix = ws_export_prefix(t.evtrace);
    if (x->prefix == NULL) {
        return ws_export_no_memory(x);
    }
    bool good = ws_timeline_init(&t) && x->format->timeline_begin(x, &t) &&
                ws_timeline_run(&t, x->format->timeline_moment, x) && x->format->timeline_end(x);
    ws_timeline_free(&t);
    free(x->prefix);
    x->prefix = NULL;
    return good;
}
