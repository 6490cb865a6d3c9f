/* SPDX-License-Identifier: BSD-3-Clause */
/* alerts.c - starts commands when something happens to a run (--on); see serve.h. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "access/record_file.h"
#include "cli/messages.h"
#include "data/number.h"
#include "serve/serve.h"

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

/* Returns true if the run is over, and did not end as it should. */
static bool has_failed(const struct top_run *run)
{
    struct top_end end;
    return run->state == TOP_KILLED ||
           (run->state == TOP_ENDED &&
            (run->warning[0] != '\0' ||
             (top_run_end(run, &end) && ws_end_is_early(end.info->code))));
}

static bool alert_holds(const struct serve_alert *alert, const struct serve_run *run)
{
    const struct top_run *top = &run->top;
    struct top_rates r;
    switch (alert->event) {
    case SERVE_STALLED:
        return top->state == TOP_SILENT || (top->state == TOP_RUNNING && top->stalled);
    case SERVE_EFFICIENCY:
        top_rates_now(top, &r);
        return top->state == TOP_RUNNING && top->elapsed > SETTLE &&
               ws_efficiency(r.of.processed, r.of.undone) < alert->below;
    case SERVE_ENDED:
        return !run->was_over && (top->state == TOP_ENDED || top->state == TOP_KILLED);
    case SERVE_FAILED:
        return !run->was_over && has_failed(top);
    }
    return false;
}

/* Sets the environment variables that tell a command what has happened; "" where nothing is known. */
static void environment_set(const struct serve_alert *alert, const struct top_run *run)
{
    struct doc_cell facts[SERVE_FACTS];
    const char *name = SERVE_FACT_NAMES;
    char text[64];
    serve_facts_find(facts, run);
    snprintf(text, sizeof text, "%.*s", (int)(alert->command - alert->text - 1), alert->text);
    setenv("WARPSCOPE_EVENT", text, 1);
    for (int i = 0; i < SERVE_FACTS; i++, name += *name == '|') {
        char variable[64] = "WARPSCOPE_", *to = variable + strlen(variable);
        const char *value = text;
        for (; *name != '|' && *name != '\0'; name++) {
            *to++ = (char)toupper((unsigned char)*name);
        }
        text[0] = '\0';
        if (facts[i].kind == DOC_NAME) {
            value = facts[i].as.text == NULL ? "" : facts[i].as.text;
        } else if (facts[i].kind == DOC_COUNT) {
            snprintf(text, sizeof text, "%" PRIu64, facts[i].as.count);
        } else if (!isnan(facts[i].as.real)) {
            snprintf(text, sizeof text, "%.15g", facts[i].as.real);
        }
        setenv(variable, value, 1);
    }
}

void serve_alerts_check(const struct serve *serve, struct serve_run *run)
{
    double now = date_clock();
    for (int i = 0; i < serve->n_alerts; i++) {
        const struct serve_alert *alert = &serve->alerts[i];
        bool held = run->given[i].holds, holds = alert_holds(alert, run);
        run->given[i].holds = holds && held;
        if (!holds || held || (run->given[i].at > 0 && now - run->given[i].at <= AGAIN)) {
            continue;
        }
        run->given[i].holds = true;
        run->given[i].at = now;
        pid_t child = serve_fork(-1);
        if (child == 0) {
            environment_set(alert, &run->top);
            execl("/bin/sh", "sh", "-c", alert->command, (char *)NULL);
            _exit(127);
        }
        if (child < 0) {
            ws_say(&ws_on_stderr, "--on=%s: %s", alert->text, strerror(errno));
        }
    }
}
