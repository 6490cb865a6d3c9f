/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * self_check.h - WS_CHECK=N: checks of the data structures while a simulation runs.
 *
 * If the environment variable WS_CHECK is a positive integer N, each PE makes a check after every N
 * executed events. It checks the invariants of its pending queue, KPs, events and recorders. A
 * violation aborts the run with an error message. A check visits all events of the PE, so N=1 is
 * practical only for small models.
 *
 * The recorders' checks are assertions: they need a build with CMAKE_BUILD_TYPE=Debug.
 */
#ifndef WARPSCOPE_ENGINE_CHECKS_SELF_CHECK_H
#define WARPSCOPE_ENGINE_CHECKS_SELF_CHECK_H

struct pe;

/* Reads WS_CHECK and adds the checks to the probes. Called before LPs are initialised, on all
 * ranks; an invalid value ends the program. */
void self_check_begin(struct pe *pe);

/* Checks all data structures of the PE at once. For tests. */
void self_check(struct pe *pe);

#endif
