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
#include "serve/spawn.h"
#include "text/date.h"
#include "text/text_new.h"

#define AGAIN  60.0 /* seconds between two commands for the same alert and run */
#define SETTLE 10.0 /* seconds of a run before its efficiency is judged */

extern char **environ;

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

#define FACTS 11u

/* Makes the variables that tell a command what has happened; NULL where nothing is known. */
static void facts_make(char *facts[FACTS], const struct serve_alert *alert,
                       const struct top_run *run)
{
    const struct top_model *m = &run->model;
    const char *command = top_run_fact(run, "command");
    struct top_rates r;
    top_rates_now(run, &r);
    const struct {
        const char *name;
        double value;
    } numbers[] = {{"GVT", m->gvt},
                   {"END_TIME", run->end_time},
                   {"ELAPSED", run->elapsed},
                   {"EFFICIENCY", efficiency_of(run)},
                   {"COMMITTED_PER_SECOND", r.of.committed}};
    unsigned n = 0;
    facts[n++] =
        text_new("WARPSCOPE_EVENT=%.*s", (int)(alert->command - alert->text - 1), alert->text);
    facts[n++] = text_new("WARPSCOPE_DIRECTORY=%s", run->folder);
    facts[n++] = text_new("WARPSCOPE_STATE=%s", top_state_word(run));
    facts[n++] = text_new("WARPSCOPE_WARNING=%s", run->warning);
    facts[n++] = text_new("WARPSCOPE_COMMAND=%s", command == NULL ? "" : command);
    facts[n++] = text_new("WARPSCOPE_EVENTS_COMMITTED=%llu", (unsigned long long)m->sum.committed);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        facts[n++] = isnan(numbers[i].value)
                         ? text_new("WARPSCOPE_%s=", numbers[i].name)
                         : text_new("WARPSCOPE_%s=%.15g", numbers[i].name, numbers[i].value);
    }
}

/* Starts the command of an alert, with the environment of this process and the facts. */
static pid_t command_start(const struct serve_alert *alert, const struct top_run *run)
{
    size_t n = 0, at = 0;
    char *facts[FACTS], *command = strdup(alert->command);
    while (environ[n] != NULL) {
        n++;
    }
    char **all = calloc(n + FACTS + 1, sizeof *all);
    facts_make(facts, alert, run);
    for (size_t i = 0; all != NULL && i < n + FACTS; i++) {
        char *one = i < FACTS ? facts[i] : environ[i - FACTS];
        bool is_known = one == NULL;
        for (size_t k = 0; k < FACTS && i >= FACTS && !is_known; k++) {
            is_known = facts[k] != NULL && strncmp(one, facts[k], strcspn(facts[k], "=") + 1) == 0;
        }
        if (!is_known) {
            all[at++] = one;
        }
    }
    char *words[] = {(char[]){"sh"}, (char[]){"-c"}, command, NULL};
    errno = ENOMEM;
    pid_t child = all == NULL || command == NULL ? -1 : serve_spawn("/bin/sh", words, all, -1);
    for (size_t i = 0; i < FACTS; i++) {
        free(facts[i]);
    }
    free(all);
    free(command);
    return child;
}

static void alert_give(struct serve_alerts *alerts, const struct serve_alert *alert,
                       const struct top_run *run)
{
    for (unsigned i = 0; i < SERVE_CHILDREN_MAX; i++) {
        if (alerts->children[i].pid == 0) {
            pid_t child = command_start(alert, run);
            if (child < 0) {
                ws_say(&ws_on_stderr, "--on=%s: %s", alert->text, strerror(errno));
                return;
            }
            alerts->children[i].pid = child;
            alerts->children[i].alert = alert;
            return;
        }
    }
    ws_say(&ws_on_stderr, "--on=%s: not started, since %u commands are still running", alert->text,
           SERVE_CHILDREN_MAX);
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
