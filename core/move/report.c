/* SPDX-License-Identifier: BSD-3-Clause */
/* report.c - texts about the move of LPs, for the report and for notices. */
#include <assert.h>

#include "move/move_private.h"
#include "text/json.h"

static const char *reason_of(const struct move_outcome *o)
{
    return o->is_decided ? o->why : "the run ended before the time of the move";
}

void move_text(const struct pe *pe, char *text, size_t size)
{
    assert(pe->mover != NULL);
    const struct move_outcome *o = &pe->mover->outcome;
    snprintf(text, size,
             "--map=auto: %" PRIu64 " of %" PRIu64
             " LPs move at time %.6g; remote events %.1f %% -> %.1f %%, balance %.3f -> %.3f",
             o->n_lps, (uint64_t)pe->mapping.total, o->at, 100.0 * o->remote_before,
             100.0 * o->remote_after, o->balance_before, o->balance_after);
}

void move_report_text(const struct pe *pe, FILE *out)
{
    const struct mover *m = pe->mover;
    const struct move_outcome *o = m != NULL ? &m->outcome : NULL;
    if (o == NULL) {
        return;
    }
    fputs("\nTW Placement Statistics:\n", out);
    if (!o->moves) {
        fprintf(out, "\tLPs Not Moved: %s\n", reason_of(o));
    }
    if (!o->is_decided) {
        return;
    }
    fprintf(out, "\t%-50s %11" PRIu64 "\n", "LPs Moved", o->moves ? o->n_lps : 0);
    fprintf(out, "\t%-50s %11.6g\n", "Events Counted until Time", o->at);
    fprintf(out, "\t%-50s %11" PRIu64 "\n", "Events Counted", o->events);
    if (o->lost > 0) {
        fprintf(out, "\t%-50s %11" PRIu64 "\n", "Events of Pairs without Space", o->lost);
    }
    fprintf(out, "\t%-50s %11.2f\n", "Remote Events (Percent)", 100.0 * o->remote_before);
    fprintf(out, "\t%-50s %11.2f\n", "Remote Events in the Placement Found (Percent)",
            100.0 * o->remote_after);
    fprintf(out, "\t%-50s %11.3f\n", "Balance", o->balance_before);
    fprintf(out, "\t%-50s %11.3f\n", "Balance in the Placement Found", o->balance_after);
    fprintf(out, "\t%-50s %11.4f\n", "Simulation Stopped for the Move (secs)", o->seconds);
}

void move_report_json(const struct pe *pe, struct json_writer *json)
{
    const struct mover *m = pe->mover;
    if (m == NULL) {
        return;
    }
    const struct move_outcome *o = &m->outcome;
    json_object_open(json, "placement");
    json_put_u64(json, "lps_moved", o->moves ? o->n_lps : 0);
    if (!o->moves) {
        json_put_string(json, "reason", reason_of(o));
    }
    if (o->is_decided) {
        json_put_double(json, "at", o->at);
        json_put_u64(json, "events", o->events);
        json_put_double(json, "remote_share_before", o->remote_before);
        json_put_double(json, "remote_share_after", o->remote_after);
        json_put_double(json, "balance_before", o->balance_before);
        json_put_double(json, "balance_after", o->balance_after);
        json_put_double(json, "seconds", o->seconds);
    }
    json_object_close(json);
}
