/*
 * context.h - the one place that the instrumentation's state hangs on.
 */
#ifndef WARPSCOPE_RECORD_CONTEXT_H
#define WARPSCOPE_RECORD_CONTEXT_H

struct recorder;

/* The recorder, created at the first call: models register before the run is set up. Out of memory
 * is fatal. */
struct recorder *context_recorder(void);

/* The recorder if there is one. */
struct recorder *context_recorder_or_null(void);

/* Frees the recorder and sets all options and st.h globals to their defaults. */
void context_reset(void);

#endif
