/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plan.h - plans the records and payloads of a run.
 */
#ifndef WARPSCOPE_RECORD_PLAN_H
#define WARPSCOPE_RECORD_PLAN_H

#include "record/recorder.h"

/*
 * Reads the options and registrations. Sets the recorder's options, payload types, and the files in
 * use with their records. Creates nothing. Collective; the status is agreed, and its message is
 * printed.
 */
enum tw_status plan_make(struct recorder *recorder, const tw_pe *pe);

/*
 * Plans the samples of models once all LPs are initialised, because models for ROSS 8 set the sizes
 * of their samples in init. Sets their payload types. Collective; the status is agreed, and its
 * message is printed.
 */
enum tw_status plan_models(struct recorder *recorder, const tw_pe *pe);

/* For a change during the run: plans what `next` shall record by its options; it has the registry and
 * names of the recorder, and nothing else. Returns the agreed status; error (size bytes) then has the
 * same line on all ranks. Prints no errors. Collective. */
enum tw_status plan_again(struct recorder *next, const tw_pe *pe, char *error, size_t size);

#endif
