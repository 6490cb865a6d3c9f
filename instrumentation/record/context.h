/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * context.h - access to the recorder, the root of all state of the instrumentation.
 */
#ifndef WARPSCOPE_RECORD_CONTEXT_H
#define WARPSCOPE_RECORD_CONTEXT_H

struct recorder;

/* Returns the recorder. The first call creates it, because models register before the run is set
 * up. Lack of memory is fatal. */
struct recorder *context_recorder(void);

/* Returns the recorder, or NULL if it has not been created. */
struct recorder *context_recorder_or_null(void);

/* Frees the recorder and sets all options and st.h globals to their defaults. */
void context_reset(void);

#endif
