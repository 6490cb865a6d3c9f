/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * trace_problem.h - finds the reason why a command cannot use an event trace.
 */
#ifndef WARPSCOPE_READER_ACCESS_TRACE_PROBLEM_H
#define WARPSCOPE_READER_ACCESS_TRACE_PROBLEM_H

#include "access/record_file.h"

/* Properties that a command needs in a trace. */
enum ws_trace_needs {
    WS_TRACE_COMMITTED = 1, /* committed events only */
    WS_TRACE_ALL_LPS = 2,   /* events of all LPs */
    WS_TRACE_COMPLETE = 4   /* all parts can be read; no record is lost, no gap between parts */
};

/* Returns the first reason, in the order of the parts, why a trace lacks a needed property; NULL if
 * it has all of them. The reason comes from the facts and headers of the parts. Sets *where to the
 * part with the problem, and *what_to_do to a remedy for the user. needs: bitwise OR of enum
 * ws_trace_needs. */
const char *ws_trace_problem(const struct ws_file *trace, unsigned needs,
                             const struct ws_file **where, const char **what_to_do);

#endif
