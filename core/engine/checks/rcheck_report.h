/* SPDX-License-Identifier: BSD-3-Clause */
/* rcheck_report.h - reports of mistakes in handlers, on stderr. They end the run with status 3. */
#ifndef WARPSCOPE_ENGINE_CHECKS_RCHECK_REPORT_H
#define WARPSCOPE_ENGINE_CHECKS_RCHECK_REPORT_H

#include "engine/checks/rcheck_copy.h"

/* Data of an event for a report. They stay valid when the event has been freed. */
struct rcheck_event {
    double recv_ts, send_ts, prio;
    tw_lpid src;
    const unsigned char *message; /* message of g_tw_msg_sz bytes; NULL if it is no longer known */
};
struct rcheck_event rcheck_event_of(const tw_event *event, const unsigned char *message);

/* Expected and actual bytes of a state or message. */
struct rcheck_bytes {
    /* label of the expected bytes, such as "before"; at most 8 characters */
    const char *should_name;
    /* label of the actual bytes, such as "after"; at most 8 characters */
    const char *is_name;
    const unsigned char *should;
    const unsigned char *is;
    size_t size;
};

/* Context of a difference: the LP, its event and the check that found it. */
struct rcheck_place {
    const tw_lp *lp;
    const struct rcheck_event *event; /* event being checked; NULL if there is none */
    const char *option;               /* option that requested the check, such as "--synch=6" */
    /* mistake that the check found, such as "a write beyond the end"; NULL stands for "a
     * difference" */
    const char *found;
};

/* Returns the offset of the first byte that differs, or bytes->size if there is none. */
size_t rcheck_first_difference(const struct rcheck_bytes *bytes);

/* Prints the first lines of a report: the LP and the event. */
void rcheck_say_place(const struct rcheck_place *place);
/* Prints the offsets of the bytes that differ, and at most four of the rows of 16 bytes in which
 * expected and actual bytes differ. what: name of the bytes, such as "state". */
void rcheck_say_bytes(const char *what, const struct rcheck_bytes *bytes);
/* Ends the run with status 3 and an error message such as "LP 7 at time 1.5, event from LP 3:
 * text". */
_Noreturn void rcheck_fail(const struct rcheck_place *place, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Reports how lp differs from its copy, and ends the run. after: time of the comparison, such as
 * "after the event was undone". culprit: function at fault, such as "the reverse handler". */
_Noreturn void rcheck_fail_copy(const struct pe *pe, const struct rcheck_place *place,
                                const struct rcheck_copy *copy, struct rcheck_difference difference,
                                const char *after, const char *culprit);

#endif
