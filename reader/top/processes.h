/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * processes.h - the local processes of a run, as far as /proc shows them: the PE of each process,
 * whether it is stopped, and its memory. The processes are only observed.
 */
#ifndef WARPSCOPE_READER_TOP_PROCESSES_H
#define WARPSCOPE_READER_TOP_PROCESSES_H

#include "top/model.h"

/* Finds the processes that have mapped journals of a record file, and stores their ids in the PEs
 * of model. record_file: path without symbolic links. PEs whose process is not found stay unknown.
 * Cost: reads the mappings of all processes of the user. */
void top_processes_find(struct top_model *model, const char *record_file);

/* Updates the state and the memory of the processes that were found. The state of a process that
 * has ended becomes 'X'. */
void top_processes_look(struct top_model *model);

enum top_alive { TOP_ALIVE, TOP_DEAD, TOP_ALIVE_UNKNOWN };
/* Returns TOP_ALIVE if a process holds the lock of a record file, TOP_DEAD if none does. If the
 * system lists no lock, a process on another machine may still hold one: then tries to take the
 * lock for an instant if may_lock is true, otherwise returns TOP_ALIVE_UNKNOWN. */
enum top_alive top_processes_hold(const struct fmt_file *file, bool may_lock);
/* Returns TOP_ALIVE if the run that wrote a record file still takes requests, TOP_DEAD if it does
 * not. prefix: prefix of the names of the run's files. */
enum top_alive top_control_hold(const char *record_file, const char *prefix);

#endif
