/*
 * crash.h - where the model was when it crashed: SIGSEGV, SIGBUS, SIGILL, SIGFPE and SIGABRT.
 *
 * A line on stderr says which LP was called with which event, and how the recording is completed.
 * Then the signal does what it did before: a core dump, or MPI's own message. Only write(2) is
 * called, on a stack of its own. Nothing is done per event.
 *
 * A handler that the program has of its own stays, unless it is for one signal only (SA_RESETHAND):
 * such a one cannot mean to go on, and comes after ours.
 */
#ifndef WARPSCOPE_CRASH_H
#define WARPSCOPE_CRASH_H

/* Before MPI is started, which may set handlers: sees which the program has. */
void crash_see_handlers(void);
/* From the simulation's thread, when there is a PE. */
void crash_watch(void);
/* What the signals did before is done again, but where the model has changed it since. */
void crash_unwatch(void);

#endif
