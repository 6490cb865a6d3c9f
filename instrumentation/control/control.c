/* SPDX-License-Identifier: BSD-3-Clause */
/* control.c - see control.h. */
#include "control/control.h"

#include <assert.h>
#include <stdlib.h>
#include <time.h>

#include "base/clock.h"
#include "base/efficiency.h"
#include "bus/sources/row_streams.h"
#include "control/mailbox.h"
#include "control/settings.h"
#include "engine/control.h"
#include "record/base/agree.h"
#include "record/change.h"
#include "record/context.h"

#define LOOK_SECONDS 0.1
/* Environment variable for tests: time between two checks of the mailbox, in milliseconds. */
#define LOOK_VARIABLE "WARPSCOPE_CONTROL_MS"

struct control {
    struct mailbox box;
    /* Value of clock_ticks() at which the next check of the mailbox is due. */
    uint64_t look_ticks;
    uint64_t interval_ticks;
};

/* A request in the form in which rank 0 sends it to all ranks. */
struct request {
    /* start of the request's execution, in wall-clock seconds since the start of the run */
    double seconds;
    double date; /* start of the request's execution, in seconds since 1970 */
    unsigned n_fields;
    char *fields[CONTROL_FIELDS_MAX];
    char line[CONTROL_LINE_MAX];
};

/* Outcome of a request: `done` is true if the request was carried out; `text` is the text of the
 * answer. Equal on all ranks. */
struct outcome {
    bool done;
    char text[AGREE_MESSAGE_MAX];
};

void control_begin(const struct recorder *recorder, const tw_pe *pe)
{
    char error[AGREE_MESSAGE_MAX];
    if (pe->id != 0 || recorder->dir == NULL || recorder->options.no_control != 0 ||
        g_tw_synchronization_protocol == OPTIMISTIC_DEBUG) {
        return; /* --synch=4 computes no GVT, so no request could be answered */
    }
    assert(g_st_control == NULL);
    struct control *control = tw_calloc(TW_LOC, "control", sizeof *control, 1);
    const char *given = getenv(LOOK_VARIABLE);
    double look_seconds = given != NULL ? strtod(given, NULL) * 1e-3 : LOOK_SECONDS;
    control->interval_ticks = (uint64_t)(look_seconds * run_ticks_per_second());
    if (!mailbox_open(&control->box, recorder->dir, recorder->options.prefix, run_program_name(),
                      error, sizeof error)) {
        run_warning("the run goes on without requests of warpscope ctl: %s", error);
        free(control);
        return;
    }
    g_st_control = control;
}

bool control_has_request(void)
{
    struct control *control = g_st_control;
    if (control == NULL) {
        return false;
    }
    if (!control->box.has_request) {
        uint64_t now = clock_ticks();
        if (now < control->look_ticks) {
            return false;
        }
        control->look_ticks = now + control->interval_ticks;
    }
    return mailbox_look(&control->box);
}

/* ---- Requests -------------------------------------------------------------------------------- */

/* Describes the request in *change, which can then be written to the record files. */
static void describe(const struct request *request, const tw_pe *pe, struct fmt_change *change)
{
    assert(request->n_fields > CONTROL_REQUEST_WORDS);
    *change = (struct fmt_change){.number = context_recorder()->n_changes + 1,
                                  .gvt = control_state(pe).gvt,
                                  .real_time = request->seconds,
                                  .date = request->date};
    char *const *fields = request->fields;
    change->pid = (uint32_t)strtoul(fields[CONTROL_REQUEST_PID], NULL, 10);
    snprintf(change->user, sizeof change->user, "%s", fields[CONTROL_REQUEST_USER]);
    snprintf(change->host, sizeof change->host, "%s", fields[CONTROL_REQUEST_HOST]);
    size_t used = 0;
    for (unsigned i = CONTROL_REQUEST_WORDS; i < request->n_fields; i++) {
        used += (size_t)snprintf(change->text + used, sizeof change->text - used, "%s%s",
                                 used > 0 ? " " : "", fields[i]);
        assert(used < sizeof change->text); /* a request is no longer than CONTROL_LINE_MAX */
    }
}

static void set(const struct request *request, tw_pe *pe, struct probe_table *table,
                struct outcome *outcome)
{
    struct recorder *recorder = context_recorder();
    struct record_options *to = tw_calloc(TW_LOC, "request", sizeof *to, 1);
    struct settings_before *before = tw_calloc(TW_LOC, "request", sizeof *before, 1);
    struct fmt_change *change = tw_calloc(TW_LOC, "request", sizeof *change, 1);
    char **words = (char **)(uintptr_t)&request->fields[CONTROL_REQUEST_WORDS + 1];
    int n = (int)(request->n_fields - CONTROL_REQUEST_WORDS) - 1;
    describe(request, pe, change);
    enum tw_status status = n == 0 ? TW_ERR_USAGE
                                   : settings_read(n, words, pe, &recorder->options, to, before,
                                                   outcome->text, sizeof outcome->text);
    if (n == 0) {
        snprintf(outcome->text, sizeof outcome->text, "set needs NAME=VALUE");
    }
    if (status == TW_OK) {
        status =
            recorder_change(recorder, pe, table, to, change, outcome->text, sizeof outcome->text);
        row_streams_refresh(&g_st_row_streams);
        if (status != TW_OK) {
            settings_restore(before);
        }
    }
    outcome->done = status == TW_OK;
    if (outcome->done) {
        control_settings_apply(pe);
        settings_text(&recorder->options, outcome->text, sizeof outcome->text);
    }
    settings_forget(before);
    free(change);
    free(before);
    free(to);
}

static void record_change(const struct request *request, const tw_pe *pe)
{
    struct fmt_change *change = tw_calloc(TW_LOC, "request", sizeof *change, 1);
    describe(request, pe, change);
    recorder_add_change(context_recorder(), pe, change);
    free(change);
}

static void checkpoint(const struct request *request, tw_pe *pe, struct outcome *outcome)
{
    double at = 0.0;
    outcome->done = control_checkpoint(pe, &at, outcome->text, sizeof outcome->text);
    if (outcome->done) {
        record_change(request, pe);
        snprintf(outcome->text, sizeof outcome->text, "a checkpoint at time %.17g", at);
    }
}

static void stop(const struct request *request, const tw_pe *pe, struct outcome *outcome)
{
    record_change(request, pe);
    outcome->done = true;
    if (!control_stop(pe)) {
        snprintf(outcome->text, sizeof outcome->text, "the run is ending already");
    } else {
        snprintf(outcome->text, sizeof outcome->text, "the run ends at the next GVT");
    }
}

/* Saves the records of the flight recorder to files, and fills *outcome. */
static void save(const struct request *request, const tw_pe *pe, struct outcome *outcome)
{
    struct recorder *recorder = context_recorder();
    if (recorder->flight.is_on) {
        record_change(request, pe);
    }
    outcome->done =
        flight_save(recorder, pe, "warpscope ctl", outcome->text, sizeof outcome->text) == TW_OK;
    row_streams_refresh(&g_st_row_streams);
    if (outcome->done) {
        snprintf(outcome->text, sizeof outcome->text, "the last records are saved, number %u",
                 recorder->flight.n_saves);
    }
}

static void say_status(const tw_pe *pe, struct outcome *outcome)
{
    struct control_state s = control_state(pe);
    char *text = outcome->text;
    size_t size = sizeof outcome->text, used = 0;
    outcome->done = true;
    used += (size_t)snprintf(text, size, "GVT %.10g", s.gvt);
    if (s.end_time < DBL_MAX) {
        used += (size_t)snprintf(text + used, size - used, " of %.10g", s.end_time);
    }
    used += (size_t)snprintf(text + used, size - used,
                             "\n%.1f s\n%.0f net events, %.4g per second\nefficiency %.2f %%\n",
                             s.seconds, (double)s.net,
                             s.seconds > 0.0 ? (double)s.net / s.seconds : 0.0,
                             efficiency_percent(s.processed, s.processed - s.net));
    assert(used < size);
    settings_text(&context_recorder()->options, text + used, size - used);
}

static void carry_out(const struct request *request, tw_pe *pe, struct probe_table *table,
                      struct outcome *outcome)
{
    const char *word = request->fields[CONTROL_REQUEST_WORDS];
    bool alone = request->n_fields == CONTROL_REQUEST_WORDS + 1;
    if (strcmp(word, "set") == 0) {
        set(request, pe, table, outcome);
    } else if (strcmp(word, "status") == 0 && alone) {
        say_status(pe, outcome);
    } else if (strcmp(word, "checkpoint") == 0 && alone) {
        checkpoint(request, pe, outcome);
    } else if (strcmp(word, "save") == 0 && alone) {
        save(request, pe, outcome);
    } else if (strcmp(word, "stop") == 0 && alone) {
        stop(request, pe, outcome);
    } else {
        snprintf(outcome->text, sizeof outcome->text,
                 "the request is not known: set NAME=VALUE..., checkpoint, save, stop or status");
    }
}

static void answer(const tw_pe *pe, const struct request *request, const struct outcome *outcome)
{
    assert(pe->id == 0 && g_st_control != NULL); /* only rank 0 has a mailbox */
    const struct mailbox_answer a = {.done = outcome->done,
                                     .gvt = control_state(pe).gvt,
                                     .seconds = request->seconds,
                                     .date = request->date,
                                     .text = outcome->text};
    mailbox_answer(&g_st_control->box, &a);
}

static void take_time(struct request *request)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    request->seconds = run_seconds();
    request->date = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void control_answer(tw_pe *pe, struct probe_table *table)
{
    int asked = g_st_control != NULL && g_st_control->box.has_request;
    MPI_Bcast(&asked, 1, MPI_INT, 0, MPI_COMM_ROSS);
    if (asked == 0) {
        return;
    }
    struct request *request = tw_calloc(TW_LOC, "request", sizeof *request, 1);
    struct outcome *outcome = tw_calloc(TW_LOC, "request", sizeof *outcome, 1);
    take_time(request);
    if (pe->id == 0) {
        const struct mailbox *box = &g_st_control->box;
        control_line_write(request->line, (const char *const *)box->fields, box->n_fields);
    }
    MPI_Bcast(request->line, CONTROL_LINE_MAX, MPI_CHAR, 0, MPI_COMM_ROSS);
    request->line[strcspn(request->line, "\n")] = '\0';
    request->n_fields = control_line_read(request->line, request->fields);
    if (request->n_fields > CONTROL_REQUEST_WORDS) {
        enum tw_phase before = probe_phase_enter(TW_PHASE_recording);
        carry_out(request, pe, table, outcome);
        probe_phase_enter(before);
    } else {
        snprintf(outcome->text, sizeof outcome->text, "the request is too long");
    }
    if (pe->id == 0) {
        answer(pe, request, outcome);
    }
    free(outcome);
    free(request);
}

/* ---- The end --------------------------------------------------------------------------------- */

void control_end(const tw_pe *pe)
{
    struct control *control = g_st_control;
    struct outcome late = {.text = "the run has ended"};
    struct request request = {.n_fields = 0};
    take_time(&request);
    while (control != NULL && mailbox_look(&control->box)) {
        answer(pe, &request, &late);
    }
    control_fini();
}

void control_emergency(void)
{
    control_fini();
}

void control_fini(void)
{
    if (g_st_control != NULL) {
        mailbox_close(&g_st_control->box);
        free(g_st_control);
        g_st_control = NULL;
    }
}
