/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * dump.h - prints the engine's data structures to stderr, for use from a debugger:
 *
 *     (gdb) call ws_dump_pe()
 *     (gdb) call ws_dump_kp(3)
 *
 * The functions print this process's PE and change nothing but the order inside the pending queue.
 * scripts/gdb.py prints the same from a core file, without calling the program.
 */
#ifndef WARPSCOPE_ENGINE_CHECKS_DUMP_H
#define WARPSCOPE_ENGINE_CHECKS_DUMP_H

/* Prints GVT, counters and sizes of the PE. */
void ws_dump_pe(void);
/* Prints the uncommitted events of the KP with number `kp`, oldest first. */
void ws_dump_kp(unsigned long kp);
/* Prints the first n events of the pending queue, in event order; 0: all events. */
void ws_dump_pending(unsigned long n);

#endif
