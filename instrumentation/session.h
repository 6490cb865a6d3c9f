/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * session.h - the end of the instrumentation.
 */
#ifndef WARPSCOPE_SESSION_H
#define WARPSCOPE_SESSION_H

/* Frees the recorder, the tasks and the bus, and sets all options and the globals of st.h to their
 * defaults. Another simulation can start after this call. Defined in st_extension.c. */
void session_reset(void);

#endif
