/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * journals.h - journals for the buffers of all streams.
 */
#ifndef WARPSCOPE_RECORD_JOURNALS_H
#define WARPSCOPE_RECORD_JOURNALS_H

#include "record/recorder.h"

/*
 * Keeps the buffers of all open streams in journals beside the files. If that fails, rank 0 prints
 * one reason, and the run goes on. Collective.
 */
void journals_create(struct recorder *recorder, const tw_pe *pe);

/* Creates journals of the wanted kinds in use, during the run. A stream without its journal has a
 * message on its rank. Not collective. */
void journals_create_more(struct recorder *recorder, const bool wanted[RECORD_FILES]);

#endif
