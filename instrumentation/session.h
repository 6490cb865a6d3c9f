/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * session.h - set-up and end of all observers except the recorder: the bus, hooks and tasks.
 *
 * st_extension.c calls these functions at the points of a run that engine/extension.h defines.
 */
#ifndef WARPSCOPE_SESSION_H
#define WARPSCOPE_SESSION_H

#include "engine/probe.h"

/* Sets up the observers. Called after the set-up of the recorder. Collective; all ranks return the
 * same status. If the status is not TW_OK, an error message has been printed. */
enum tw_status session_setup(const tw_pe *pe, struct probe_table *table);
/* For --map=auto: discards what observers know of the LPs that were local. Called when LPs have moved
 * between ranks, before lp_parts_read(). */
void session_lps_made(void);
/* Makes the streams "warpscope.sample" and "warpscope.trace" deliver the rows of the recorder's new
 * files. Called when the recorder begins to record other data. */
void session_rows_changed(void);
/* Delivers the remaining records to subscribers. Called after the last commit, and before the final
 * functions of the LPs. */
void session_finish(void);
/* Announces the end of all streams to the subscriber libraries. Called after the final functions of
 * the LPs, when no more records can be emitted. */
void session_end(void);
/* Announces the end of all streams to the subscriber libraries after a fatal error, so that they
 * can write their data. */
void session_emergency(void);
/* Frees the recorder, the tasks and the bus, and sets all options and the globals of st.h to their
 * defaults. Another simulation can start after this call. */
void session_reset(void);

#endif
