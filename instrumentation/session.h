/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * session.h - set-up and end of the observers beside the recorder: the bus, hooks, tasks.
 *
 * st_extension.c calls these functions at the points of a run that engine/extension.h names.
 */
#ifndef WARPSCOPE_SESSION_H
#define WARPSCOPE_SESSION_H

#include "engine/probe.h"

/* Sets up the observers, after the recorder. Collective; the status is agreed, the message
 * printed. */
enum tw_status session_setup(const tw_pe *pe, struct probe_table *table);
/* Called after the last commit and before LP final: delivers the remaining records. */
void session_finish(void);
/* Called after LP final, when no record comes any more. Ends the recording session and its
 * libraries. */
void session_end(void);
/* Called after a fatal error: libraries end, so that they can write their data. */
void session_emergency(void);
/* Frees the recorder, the tasks and the bus, and sets all options and st.h globals to their
 * defaults. Another simulation can start then. */
void session_reset(void);

#endif
