/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * change.h - changes of what a run records, in the middle of the run.
 *
 * A stream whose kinds of records or whose meaning changes ends its file, with the reason
 * FMT_END_CHANGED, and begins the next one: <prefix>-evtrace.bin, <prefix>-2-evtrace.bin ... The
 * facts in a file thus hold for all of its records. Intervals of samples change within a file.
 */
#ifndef WARPSCOPE_RECORD_CHANGE_H
#define WARPSCOPE_RECORD_CHANGE_H

#include "record/recorder.h"

/*
 * Records what the options `to` request, from this GVT on. Traces of committed events and samples at
 * virtual times are exact from there. Notes the change in all files.
 *
 * Returns TW_OK. TW_ERR_USAGE or TW_ERR_IO: nothing has changed. TW_ERR_MEMORY: as before, or the
 * streams concerned have ended, as error says. error (size bytes) has the same line on all ranks.
 * Collective; call it from tw_extension.answer_request() only.
 */
enum tw_status recorder_change(struct recorder *recorder, tw_pe *pe, struct probe_table *table,
                               const struct record_options *to, const struct fmt_change *change,
                               char *error, size_t size);

/* Notes a change in all files of this PE, if it is PE 0. Not collective. */
void recorder_note_change(struct recorder *recorder, const tw_pe *pe,
                          const struct fmt_change *change);

#endif
