/* SPDX-License-Identifier: BSD-3-Clause */
/* alerts.c - starts commands when something happens to a run; see alerts.h. */
#include "serve/alerts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "access/facts.h"
#include "access/record_file.h"
#include "cli/messages.h"
#include "data/number.h"
#include "text/date.h"

#define AGAIN  60.0 /* seconds between two commands for the same alert and run */
#define SETTLE 10.0 /* seconds of a run before its efficiency is judged */

bool serve_alert_read(struct serve_alert *alert, const char *text)
{
    static const char *const words[] = {[SERVE_STALLED] = "stalled:",
                                        [SERVE_EFFICIENCY] = "efficiency<",
                                        [SERVE_ENDED] = "ended:",
                                        [SERVE_FAILED] = "failed:"};
    const char *rest = NULL;
    *alert = (struct serve_alert){.text = text};
    for (unsigned i = 0; i < sizeof words / sizeof words[0] && rest == NULL; i++) {
        if (strncmp(text, words[i], strlen(words[i])) == 0) {
            alert->event = (enum serve_event)i;
            rest = text + strlen(words[i]);
        }
    }
    if (rest != NULL && alert->event == SERVE_EFFICIENCY) {
        const char *end = ws_f64_read(rest, &alert->below);
        size_t percent = end != NULL && *end == '%';
        rest = end != NULL && end[percent] == ':' && alert->below <= 100 ? end + percent + 1 : NULL;
    }
    alert->command = rest;
    return rest != NULL && *rest != '\0';
}

/* ---- Conditions ------------------------------------------------------------------------------ */

static bool is_over(const struct top_run *run)
{
    return run->state == TOP_ENDED || run->state == TOP_KILLED;
}

static bool has_failed(const struct top_run *run)
{
    struct top_end end;
    return run->state == TOP_KILLED ||
           (run->state == TOP_ENDED &&
            (run->warning[0] != '\0' ||
             (top_run_end(run, &end) && ws_end_is_early(end.info->code))));
}

static double efficiency_of(const struct top_run *run)
{
    struct top_rates r;
    top_rates_now(run, &r);
    return ws_efficiency(r.of.processed, r.of.undone);
}

static bool alert_holds(const struct serve_alert *alert, const struct serve_run *run)
{
    const struct top_run *top = &run->top;
    switch (alert->event) {
    case SERVE_STALLED:
        return top->state == TOP_SILENT || (top->state == TOP_RUNNING && top->stalled);
    case SERVE_EFFICIENCY:
        return top->state == TOP_RUNNING && top->elapsed > SETTLE &&
               efficiency_of(top) < alert->below;
    case SERVE_ENDED:
        return !run->was_over && is_over(top);
    case SERVE_FAILED:
        return !run->was_over && has_failed(top);
    }
    return false;
}

/* ---- Commands -------------------------------------------------------------------------------- */

/* Sets an environment variable of this process, which commands inherit. */
static void number_set(const char *name, double value)
{
    char text[32] = "";
    if (!isnan(value)) {
        snprintf(text, sizeof text, "%.15g", value);
    }
    setenv(name, text, 1);
}

/* Sets the variables that tell a command what has happened; "" where nothing is known. */
static void facts_set(const struct serve_alert *alert, const struct top_run *run)
{
    char event[64];
    const char *command = top_run_fact(run, "command");
    struct top_rates r;
    top_rates_now(run, &r);
    snprintf(event, sizeof event, "%.*s", (int)(alert->command - alert->text - 1), alert->text);
    setenv("WARPSCOPE_EVENT", event, 1);
    setenv("WARPSCOPE_DIRECTORY", run->folder, 1);
    setenv("WARPSCOPE_STATE", top_state_word(run), 1);
    setenv("WARPSCOPE_WARNING", run->warning, 1);
    setenv("WARPSCOPE_COMMAND", command == NULL ? "" : command, 1);
    number_set("WARPSCOPE_GVT", run->model.gvt);
    number_set("WARPSCOPE_END_TIME", run->end_time);
    number_set("WARPSCOPE_ELAPSED", run->elapsed);
    number_set("WARPSCOPE_EFFICIENCY", efficiency_of(run));
    number_set("WARPSCOPE_EVENTS_COMMITTED", (double)run->model.sum.committed);
    number_set("WARPSCOPE_COMMITTED_PER_SECOND", r.of.committed);
}

/* Starts the command of an alert. */
static void alert_give(struct serve_alerts *alerts, const struct serve_alert *alert,
                       const struct top_run *run)
{
    unsigned i = 0;
    while (i < SERVE_CHILDREN_MAX && alerts->children[i].pid != 0) {
        i++;
    }
    if (i == SERVE_CHILDREN_MAX) {
        ws_say(&ws_on_stderr, "--on=%s: not started, since %u commands are still running",
               alert->text, SERVE_CHILDREN_MAX);
        return;
    }
    char *words[] = {(char[]){"sh"}, (char[]){"-c"}, strdup(alert->command), NULL};
    facts_set(alert, run);
    pid_t child = words[2] == NULL ? -1 : serve_spawn("/bin/sh", words, -1);
    if (child < 0) {
        ws_say(&ws_on_stderr, "--on=%s: %s", alert->text, strerror(errno));
    } else {
        alerts->children[i].pid = child;
        alerts->children[i].alert = alert;
    }
    free(words[2]);
}

void serve_alerts_check(struct serve_alerts *alerts, struct serve_run *run)
{
    double now = date_clock();
    for (unsigned i = 0; i < alerts->n; i++) {
        const struct serve_alert *alert = &alerts->list[i];
        bool holds = alert_holds(alert, run), held = (run->alerted >> i & 1u) != 0;
        if (holds && !held && (run->alert_at[i] <= 0 || now - run->alert_at[i] > AGAIN)) {
            alert_give(alerts, alert, &run->top);
            run->alert_at[i] = now;
            run->alerted |= 1u << i;
        } else if (!holds) {
            run->alerted &= ~(1u << i);
        }
    }
}

void serve_alerts_reap(struct serve_alerts *alerts)
{
    for (unsigned i = 0; i < SERVE_CHILDREN_MAX; i++) {
        int status;
        pid_t pid = alerts->children[i].pid;
        if (pid == 0 || waitpid(pid, &status, WNOHANG) == 0) {
            continue;
        }
        alerts->children[i].pid = 0;
        if (status != 0) {
            ws_say(&ws_on_stderr, "--on=%s: the command ended by %s %d",
                   alerts->children[i].alert->text, WIFSIGNALED(status) ? "signal" : "status",
                   WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
        }
    }
}
