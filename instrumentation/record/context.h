/* SPDX-License-Identifier: BSD-3-Clause */
/* context.h - access to the recorder, which owns all state of recording. */
#ifndef WARPSCOPE_RECORD_CONTEXT_H
#define WARPSCOPE_RECORD_CONTEXT_H

struct recorder;
extern struct recorder *g_st_recorder; /* owned; NULL: not created yet; defined in st_globals.c */

/* Returns the recorder. The first call creates it, because models register callbacks before the run
 * is set up. Lack of memory is fatal. */
struct recorder *context_recorder(void);

#endif
