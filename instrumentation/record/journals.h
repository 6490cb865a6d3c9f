/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * journals.h - journals for the buffers of all streams.
 */
#ifndef WARPSCOPE_RECORD_JOURNALS_H
#define WARPSCOPE_RECORD_JOURNALS_H

#include "record/recorder.h"

/*
 * Maps the buffers of all open streams from journals beside the record files. If that fails on some
 * ranks, rank 0 prints why it failed on the lowest of these ranks, and the run goes on. Collective.
 */
void journals_create(struct recorder *recorder, const tw_pe *pe);

/* Does the same as journals_create() during the run, for those streams in use whose kinds are
 * wanted. Each rank prints a warning if it cannot create a journal. Not collective. */
void journals_create_more(struct recorder *recorder, const bool wanted[RECORD_FILES]);

#endif
