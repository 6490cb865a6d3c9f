/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * packing.h - decides how many ranks share a processor while other programs use the machine.
 *
 * Each GVT computation waits for the last rank. A rank that loses its processor to another program
 * for a time slice thus stops all ranks, and optimistic ranks execute events meanwhile that will be
 * undone. Ranks that share a processor take turns at each GVT computation instead, and lose it
 * together: their speed comes near that of one rank. The ranks of a machine with idle processors are
 * slower if they share them. So rank 0 measures which is faster.
 *
 * Rank 0 looks at the progress of the run at intervals. If ranks were ready to run and had no
 * processor for a large part of the time, it tries the double number of ranks per processor, and
 * keeps that number if the ranks then committed more events per second. While ranks share
 * processors, it also tries half of the number from time to time. Trials that bring nothing become
 * rarer. The speed with each number of ranks is an average of recent intervals, because it varies
 * much while other programs run.
 *
 * Cost: reading a thread's times once per millisecond; nothing per event.
 */
#ifndef WARPSCOPE_ENGINE_PACKING_H
#define WARPSCOPE_ENGINE_PACKING_H

#include <stdbool.h>
#include <stdint.h>

#define PACKING_LEVELS 16

struct packing {
    /* Levels: at level i, 2^i ranks share a processor. */
    unsigned top;        /* highest level; 0: never packs */
    unsigned now;        /* level that rank 0 wants; differs from `home` in a trial */
    unsigned home;       /* best level that is known */
    bool went_up;        /* true if the last trial was of a level above `home` */
    double hold_s;       /* time between two trials in seconds */
    double change_at_s;  /* end of the trial; outside of a trial: start of the next one if needed */
    bool has_changed;    /* true if the interval began with a change of `now`, and is left out */
    unsigned looks_left; /* number of intervals that must be seen before the end of the trial */
    double trial_at_s;   /* start of the last trial */
    double trial_lost_s; /* value of lost_s then, see packing_look() */
    struct packing_pace {
        double events; /* number of events in recent intervals at this level */
        double s;      /* length of these intervals in seconds */
    } paces[PACKING_LEVELS];
    /* values at the start of the current interval, see packing_look() */
    double began_s;
    uint64_t began_events;
    double began_lost_s;
    double lost_before; /* share of the time lost in the interval before, outside of trials */
};

/* ranks: number of ranks; 1: they never pack. */
void packing_init(struct packing *p, unsigned ranks);
/* Sets p->now. now_s: time in seconds, from any start; events: number of events executed and not
 * undone, over all ranks; lost_s: seconds for which ranks were ready and had no processor, summed
 * over the `ranks` ranks. */
void packing_look(struct packing *p, double now_s, uint64_t events, double lost_s, unsigned ranks);
/* Returns true if the members of *p agree. */
bool packing_check(const struct packing *p);

#endif
