/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * processes.h - the local processes of a run, as far as /proc shows them: the PE of each process,
 * whether it is stopped, and its memory. The processes are only observed.
 */
#ifndef WARPSCOPE_READER_TOP_PROCESSES_H
#define WARPSCOPE_READER_TOP_PROCESSES_H

#include "top/model.h"

/* Finds the processes that have mapped journals of a record file. record_file: a path without
 * symbolic links. PEs without a process found stay unknown. Cost: reads the mappings of all
 * processes of the user. */
void top_processes_find(struct top_model *model, const char *record_file);

/* Updates the state and memory of the processes found. The state of a process that has ended
 * becomes 'X'. */
void top_processes_look(struct top_model *model);

enum top_alive { TOP_ALIVE, TOP_DEAD, TOP_ALIVE_UNKNOWN };
/* Returns whether a process holds the lock of a record file. may_lock: if the system lists no lock,
 * tries to take it for an instant, because a process on another machine may hold it. */
enum top_alive top_processes_hold(const struct fmt_file *file, bool may_lock);
/* Returns whether the run that wrote a record file still takes requests. prefix: that of the file
 * names. */
enum top_alive top_control_hold(const char *record_file, const char *prefix);

#endif
