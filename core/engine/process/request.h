/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * request.h - requests that signals make to a running simulation: for its status, or for a
 * checkpoint.
 *
 * A signal may reach one rank, several ranks or all ranks. Each rank votes for its requests in its
 * next GVT computation. If a rank has voted for a request, all ranks answer it after that
 * computation.
 *
 * Launchers forward a signal to all ranks, and some ranks may receive it after the others have
 * voted. Such a late signal is a copy of a signal that was answered. A rank that did not vote for
 * the last answered request therefore ignores a signal that comes within REQUEST_COPY_NS after the
 * answer.
 */
#ifndef WARPSCOPE_ENGINE_PROCESS_REQUEST_H
#define WARPSCOPE_ENGINE_PROCESS_REQUEST_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#define REQUEST_COPY_NS 2000000000u

/* State of one kind of request. All members are zero at the start. */
struct request {
    volatile sig_atomic_t came; /* number of signals so far, counted by the signal handler */
    sig_atomic_t voted;         /* value of `came` at the last vote */
    sig_atomic_t answered;
    bool took_part;   /* true if this rank voted for the last answered request */
    uint64_t done_ns; /* monotonic clock in nanoseconds at the last answer; 0: none yet */
};

struct pe;

/* Returns this rank's vote: 1 if it has a request, else 0. If a rank votes several times in a GVT
 * computation, its last vote counts. */
uint32_t request_vote(struct request *r);
/* Marks the request as answered by all ranks. */
void request_done(struct request *r);

/* Answers the requests for which ranks voted in the last GVT computation. Collective. */
void engine_answer_requests(struct pe *pe);
/* Answers requests in a run on one rank whose scheduler computes no GVT. Does nothing if there is
 * no request. */
void engine_answer_alone(struct pe *pe);

#endif
