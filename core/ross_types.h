/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ross_types.h - the basic types of the engine's interface. ross.h includes this header, and so do
 * the headers of the bus (st_bus.h), which need neither the rest of ross.h nor MPI.
 */
#ifndef WARPSCOPE_ROSS_TYPES_H
#define WARPSCOPE_ROSS_TYPES_H

#include <stdint.h>

typedef unsigned long tw_peid;      /* index of a PE: the MPI rank within MPI_COMM_ROSS */
typedef unsigned long tw_kpid;      /* index of a KP within its PE */
typedef uint64_t tw_lpid;           /* index of an LP: global (gid), or local to the PE if stated */
typedef double tw_stime;            /* virtual time */
typedef unsigned long long tw_stat; /* value of a counter */
typedef uint64_t tw_clock;          /* clock ticks, see tw_clock_read() */

/* An event; tw_event_data() returns its message, see ross_event.h. */
typedef struct tw_event tw_event;
typedef struct tw_lp tw_lp;
typedef struct tw_kp tw_kp;
typedef struct tw_pe tw_pe;

#endif
