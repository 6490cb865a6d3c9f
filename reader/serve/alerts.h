/* SPDX-License-Identifier: BSD-3-Clause */
/* alerts.h - commands that "warpscope serve" starts when something happens to a run (--on). */
#ifndef WARPSCOPE_READER_SERVE_ALERTS_H
#define WARPSCOPE_READER_SERVE_ALERTS_H

#include <sys/types.h>

#include "serve/serve.h"

#define SERVE_CHILDREN_MAX 16u

enum serve_event {
    SERVE_STALLED,    /* no news comes, or GVT does not advance */
    SERVE_EFFICIENCY, /* the efficiency of the last seconds is below a bound */
    SERVE_ENDED,      /* the run is over */
    SERVE_FAILED      /* the run is over, and did not end as it should */
};

struct serve_alerts {
    unsigned n;
    struct serve_alert {
        enum serve_event event;
        double below;        /* in per cent */
        const char *text;    /* the option: event, colon, command */
        const char *command; /* in text */
    } list[WS_PATHS_MAX];
    struct {
        pid_t pid; /* 0: none */
        const struct serve_alert *alert;
    } children[SERVE_CHILDREN_MAX];
};

/* Reads EVENT:COMMAND. Returns false if it has another form. */
bool serve_alert_read(struct serve_alert *alert, const char *text);
/* Starts the commands of the alerts that a run gives since its last refresh: each when it begins to hold,
 * and at most once a minute. */
void serve_alerts_check(struct serve_alerts *alerts, struct serve_run *run);
/* Takes the exit statuses of commands that have ended. */
void serve_alerts_reap(struct serve_alerts *alerts);

#endif
