/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * journals.h - journals for the buffers of all streams.
 */
#ifndef WARPSCOPE_RECORD_JOURNALS_H
#define WARPSCOPE_RECORD_JOURNALS_H

#include "record/recorder.h"

/*
 * Maps the buffers of all open streams from journals beside the files. If that fails, rank 0 prints
 * one reason, and the run goes on. Collective.
 */
void journals_create(struct recorder *recorder, const tw_pe *pe);

/* Like journals_create(), for streams of the wanted kinds in use, during the run. Each rank prints
 * a message for a stream whose journal it cannot create. Not collective. */
void journals_create_more(struct recorder *recorder, const bool wanted[RECORD_FILES]);

#endif
