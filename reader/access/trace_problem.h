/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * trace_problem.h - reasons for which an event trace does not allow what a command does with it.
 */
#ifndef WARPSCOPE_READER_ACCESS_TRACE_PROBLEM_H
#define WARPSCOPE_READER_ACCESS_TRACE_PROBLEM_H

#include "access/record_file.h"

/* Properties that a trace must have for a command. */
enum ws_trace_needs {
    WS_TRACE_COMMITTED = 1, /* committed events only */
    WS_TRACE_ALL_LPS = 2,   /* events of all LPs */
    WS_TRACE_COMPLETE = 4   /* all parts can be read; no record is lost, no gap between parts */
};

/* Returns the first reason, in the order of the parts, for which a trace lacks what is needed,
 * according to its facts and headers; NULL: there is none. Stores the part with the problem, and
 * a remedy for the user. needs: sum of enum ws_trace_needs. */
const char *ws_trace_problem(const struct ws_file *trace, unsigned needs,
                             const struct ws_file **where, const char **what_to_do);

#endif
