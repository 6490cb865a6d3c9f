/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * session.h - set-up and end of all observers except the recorder: the bus, hooks, tasks.
 *
 * st_extension.c calls these functions at the points of a run that engine/extension.h names.
 */
#ifndef WARPSCOPE_SESSION_H
#define WARPSCOPE_SESSION_H

#include "engine/probe.h"

/* Sets up the observers, after the recorder. Collective; all ranks return the same status, and an
 * error message is printed. */
enum tw_status session_setup(const tw_pe *pe, struct probe_table *table);
/* For --map=auto, see tw_extension: returns why LPs cannot move, or NULL. */
const char *session_why_lps_stay(void);
/* For --map=auto: makes deferred records and the task trace use the new local LPs. */
void session_lps_arrive(void);
/* Connects the streams of rows with new files of the recorder. */
void session_rows_changed(void);
/* Called after the last commit and before LP final: delivers the remaining records. */
void session_finish(void);
/* Called after LP final, when no more records can be emitted. Ends all streams for the subscriber
 * libraries, and unloads the libraries. */
void session_end(void);
/* Called after a fatal error: ends all streams for the subscriber libraries, so that they can write
 * their data. */
void session_emergency(void);
/* Frees the recorder, the tasks and the bus, and sets all options and the globals of st.h to their
 * defaults. Another simulation can then start. */
void session_reset(void);

#endif
