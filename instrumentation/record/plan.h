/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plan.h - plans the records and payloads of a run.
 */
#ifndef WARPSCOPE_RECORD_PLAN_H
#define WARPSCOPE_RECORD_PLAN_H

#include "record/recorder.h"

/*
 * Reads the options and registrations. Sets the recorder's options and payload types, the files in
 * use, and the kinds of their records. Creates nothing. Collective; all ranks return the same
 * status, and an error message is printed.
 */
enum tw_status plan_make(struct recorder *recorder, const tw_pe *pe);

/* Sets the names of the types of the local LPs, recorder->names. Collective. */
void plan_name_lps(struct recorder *recorder);

/*
 * Plans the samples of models once all LPs are initialised, because models for ROSS 8 set the sizes
 * of their samples in init. Sets the payload types of these samples. Collective; all ranks return
 * the same status, and an error message is printed.
 */
enum tw_status plan_models(struct recorder *recorder, const tw_pe *pe);

/* For a change during the run: plans the records of `next` from its options. Of the other members
 * of `next`, only registry and names need to be set. Returns a status equal on all ranks; after a
 * failure error (size bytes) has one line, equal on all ranks. Prints no error messages.
 * Collective. */
enum tw_status plan_again(struct recorder *next, const tw_pe *pe, char *error, size_t size);

#endif
