/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * processor_time.h - the time for which the calling thread had a processor, and for which it was ready
 * to run and had none, because other threads had it. From getrusage(RUSAGE_THREAD) and, on Linux,
 * /proc/thread-self/schedstat: man 2 getrusage; Documentation/scheduler/sched-stats of Linux.
 */
#ifndef WARPSCOPE_BASE_PROCESSOR_TIME_H
#define WARPSCOPE_BASE_PROCESSOR_TIME_H

#include <stdint.h>

/* List of the figures: X(name, description). Those that the system does not tell are 0. */
#define PROCESSOR_TIME_LIST(X)                                                                     \
    X(processor_wall_ns, "wall-clock time in ns that these figures cover")                         \
    X(processor_user_ns, "processor time in ns, in the program")                                   \
    X(processor_system_ns, "processor time in ns, in the system")                                  \
    X(processor_lost_ns, "time in ns for which the thread was ready, but other threads ran")       \
    X(switches_voluntary, "times that the thread slept")                                           \
    X(switches_involuntary, "times that the thread had to leave the processor to another")         \
    X(page_faults, "page faults")

/* Also what the engine adds, which samples do not have. */
#define PROCESSOR_END_LIST(X)                                                                      \
    PROCESSOR_TIME_LIST(X)                                                                         \
    X(processor_shared_ns, "time in ns for which ranks shared processors, see comm/packing.h")

#define X(name, text) +1
enum { PROCESSOR_TIMES = 0 PROCESSOR_END_LIST(X) };
#undef X

struct processor_time {
#define X(name, text) uint64_t name;
    PROCESSOR_END_LIST(X)
#undef X
};

/* Returns how often the calling thread had to leave the processor to another. Takes some 0.5 us. */
uint64_t processor_switches(void);

/* The figures of one thread since its clock was started. Zero-initialise it before use; until it is
 * started, all figures are 0. */
struct processor_clock {
    int schedstat; /* file, open while the process lives; 0: not started, negative: none */
    struct processor_time start;  /* figures of the thread since it began, at the start */
    struct processor_time latest; /* figures since the start, at the latest reading */
};

/* Starts the clock, again if it was started before. Only the calling thread may read it. */
void processor_clock_start(struct processor_clock *clock);
/* Returns the figures since the start, which are at most age_ns old. A reading takes some 1.5 us of
 * processor time; figures that are not read again take 20 to 30 ns. */
struct processor_time processor_clock_read(struct processor_clock *clock, uint64_t age_ns);

#endif
