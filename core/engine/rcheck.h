/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rcheck.h - checks that reverse handlers undo forward handlers. --synch=6 checks each event;
 * --synch=4 checks once, after all events have been rolled back.
 *
 * When the events of an LP have been undone, the LP must equal the copy that was made of it before
 * these events were executed. The first difference ends the run with status 3 and a report on
 * stderr.
 */
#ifndef WARPSCOPE_ENGINE_RCHECK_H
#define WARPSCOPE_ENGINE_RCHECK_H

#include "engine/checks/rcheck_copy.h"
#include "engine/checks/rcheck_outcome.h"
#include "engine/checks/rcheck_report.h"

struct rcheck {
    struct rcheck_copy before;         /* copy of the LP before its event */
    struct rcheck_copy forwards;       /* copy of the LP after the first execution */
    struct rcheck_copy uncommitted;    /* copy of the LP before the commit handler */
    struct rcheck_outcome outcomes[2]; /* outcomes of the two trial runs */
    unsigned char *message;            /* copy of the message before the event */
    unsigned char *reversed;           /* copy of the message after the first reverse handler */
    uint64_t checked;                  /* number of events checked */
    /* Number of messages that a reverse handler did not restore, but whose changes had no effect on
     * the second trial run. */
    uint64_t messages_changed;
};

void rcheck_init(const struct pe *pe, struct rcheck *check);
void rcheck_fini(struct rcheck *check);
/* Executes, checks and commits an event taken from the pending queue. */
void rcheck_execute(struct pe *pe, struct rcheck *check, tw_event *event);

#endif
