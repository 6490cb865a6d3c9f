/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * covers.h - how much of its run a recording has. The answer rests on the facts and END blocks of
 * the files alone, so that a copied recording gives the same one.
 */
#ifndef WARPSCOPE_READER_ACCESS_COVERS_H
#define WARPSCOPE_READER_ACCESS_COVERS_H

#include "access/record_file.h"
#include "text/json.h"

/* Kinds of coverage, in ascending order of what is missing. */
enum ws_covers_what {
    WS_COVERS_ALL,
    WS_COVERS_PART,    /* a part that the user chose: a window, some LPs, the last records */
    WS_COVERS_RUNNING, /* all so far: the run is still going on */
    WS_COVERS_CUT      /* records are missing, or the run or its recording ended early */
};

#define WS_COVERS_CLAUSES 16u
#define WS_COVERS_CLAUSE  160u
#define WS_COVERS_TEXT    (64u + WS_COVERS_CLAUSES * (WS_COVERS_CLAUSE + 2u))

/* Coverage of some streams of one run. Zero-initialised: no stream was added yet. */
struct ws_covers {
    enum ws_covers_what what;
    uint32_t n_streams;
    bool is_running; /* true if the run is still going on */
    double gvt;      /* GVT of the running simulation so far */
    /* Range of virtual time that all streams cover; virtual_to is INFINITY at the end of the run. */
    double virtual_from, virtual_to;
    uint64_t lost;   /* number of records lost while recording, or to damage */
    bool loses_more; /* true if an unknown number of further records may be missing */
    /* Different reasons why the streams do not cover the whole run; further ones are left out. */
    char clauses[WS_COVERS_CLAUSES][WS_COVERS_CLAUSE];
    uint32_t n_clauses;
};

/* Adds an open stream of the run. */
void ws_covers_add(struct ws_covers *covers, const struct ws_file *stream);

/* Returns the coverage of all streams among the files, from their headers. is_damaged: true if the
 * caller found damage elsewhere in them. */
struct ws_covers ws_files_covers(const struct ws_files *files, bool is_damaged);

/* Stores a sentence without a final dot in `to`: what the recording covers, and why not more.
 * Returns its first word, which tells how much this is: "whole", "part", "running" or "cut". */
const char *ws_covers_text(const struct ws_covers *covers, char to[WS_COVERS_TEXT]);

/* Writes what the recording covers as the member "covers" of a JSON object. */
void ws_covers_json(struct json_writer *json, const struct ws_covers *covers);
/* Like ws_covers_json(), for a recording of which only one stream is used. */
void ws_stream_covers_json(struct json_writer *json, const struct ws_file *stream);
/* Like ws_covers_json(), with the result of ws_files_covers(); null if there is no stream. */
void ws_files_covers_json(struct json_writer *json, const struct ws_files *files, bool is_damaged);

/* Properties that a command needs in a trace. */
enum ws_trace_needs {
    WS_TRACE_COMMITTED = 1, /* committed events only */
    WS_TRACE_ALL_LPS = 2,   /* events of all LPs */
    WS_TRACE_COMPLETE = 4,  /* all parts can be read, and no record is lost */
    /* All times from the beginning on, as long as the recording went: no window, no gap between
     * parts, no overwritten records. */
    WS_TRACE_ALL_TIMES = 8,
    WS_TRACE_PLACEMENT = WS_TRACE_ALL_LPS | WS_TRACE_ALL_TIMES /* to judge placements of LPs */
};

/* Returns the first reason, in the order of the parts, why a trace lacks a needed property; NULL if
 * it has all of them. The reason comes from the facts and headers of the parts. Sets *where to the
 * part with the problem, and *what_to_do to a remedy for the user. needs: bitwise OR of enum
 * ws_trace_needs. */
const char *ws_trace_problem(const struct ws_file *trace, unsigned needs,
                             const struct ws_file **where, const char **what_to_do);

#endif
