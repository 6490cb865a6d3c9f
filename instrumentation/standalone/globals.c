/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * globals.c - all mutable globals of the bus in a program that is not a simulation.
 */
#define _GNU_SOURCE /* required for PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP */
#include "bus/tables/tables.h"
#include "standalone/state.h"

unsigned char g_st_listened[ST_STREAMS_MAX] = {0};
struct stream *g_st_streams[ST_STREAMS_MAX] = {NULL};
struct standalone g_st_standalone = {.life = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP,
                                     .tables = PTHREAD_MUTEX_INITIALIZER,
                                     .points = {.strings = &g_st_standalone.strings},
                                     .dispatching = {.depth = 1}};
const struct tables g_st_tables = {.strings = &g_st_standalone.strings,
                                   .points = &g_st_standalone.points,
                                   .types = &g_st_standalone.types,
                                   .streams = &g_st_standalone.streams,
                                   .lock = &g_st_standalone.tables};
_Thread_local struct bus_thread *g_st_thread = NULL;
