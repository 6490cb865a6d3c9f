/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * session.h - one run of what observes beside the recorder: the bus, hooks, tasks.
 *
 * st_extension.c calls these at the points of a run's life that engine/probe.h names.
 */
#ifndef WARPSCOPE_SESSION_H
#define WARPSCOPE_SESSION_H

#include "engine/probe.h"

/* After the recorder has been set up. Collective; the status is agreed, the message printed. */
enum tw_status session_setup(const tw_pe *pe, struct probe_table *table);
/* After the last commit, before LPs are finalised. */
void session_finish(void);
/* After LPs have been finalised: no record comes any more, libraries end. */
void session_end(void);
/* After a fatal error: libraries end, so that they can write what they have. */
void session_emergency(void);
/* Frees the recorder, the tasks and the bus, and sets all options and st.h globals to their defaults.
 * Another simulation can start then. */
void session_reset(void);

#endif
