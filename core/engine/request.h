/*
 * request.h - what a signal asks of a run that goes on: its status, a checkpoint.
 *
 * A signal may reach one rank, some or all. Each rank votes for what it was asked in its next GVT
 * computation; when one has, all ranks do it after the same computation.
 *
 * Launchers hand a signal to all ranks, some of which may get it after the others have voted. So a
 * rank that did not vote for what was done last takes a signal within REQUEST_COPY_NS for a copy of
 * the one that has been answered.
 */
#ifndef WARPSCOPE_ENGINE_REQUEST_H
#define WARPSCOPE_ENGINE_REQUEST_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#define REQUEST_COPY_NS 2000000000u

/* Starts as all zero. */
struct request {
    volatile sig_atomic_t came; /* signals so far, counted by the handler */
    sig_atomic_t voted;         /* those known when this rank voted last */
    sig_atomic_t answered;
    bool took_part;   /* this rank had voted for what was done last */
    uint64_t done_ns; /* monotonic clock when that was; 0: never */
};

struct pe;

/* This rank's vote: 1 if it asks, else 0. A computation may take several votes; the last counts. */
uint64_t request_vote(struct request *r);
/* All ranks know that some rank has asked. */
void request_done(struct request *r);

/* Collective, after a GVT computation in which some rank has voted for a request. */
void engine_answer_requests(struct pe *pe);
/* The same for a scheduler without GVT computations, on one rank; whether or not anything is
 * asked. */
void engine_answer_alone(struct pe *pe);

#endif
