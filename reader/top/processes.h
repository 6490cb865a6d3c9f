/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * processes.h - the processes of a run on this machine, as far as the system shows them: which one
 * has which PE, whether it is stopped, and its memory. Nothing of them is touched.
 */
#ifndef WARPSCOPE_READER_TOP_PROCESSES_H
#define WARPSCOPE_READER_TOP_PROCESSES_H

#include "top/model.h"

/* Finds the processes that have mapped journals of a record file, whose path has no symbolic link.
 * Leaves other PEs unknown. Cost: reads the mappings of all processes of the user. */
void top_processes_find(struct top_model *model, const char *record_file);

/* Reads state and memory of the processes that were found. A process that has ended becomes state
 * 'X'. */
void top_processes_look(struct top_model *model);

enum top_alive { TOP_ALIVE, TOP_DEAD, TOP_ALIVE_UNKNOWN };
/* Returns whether a process holds the lock of a record file. may_lock: if the system does not list
 * a lock, tries to take it for an instant: it may be held on another machine. */
enum top_alive top_processes_hold(const struct fmt_file *file, bool may_lock);
/* Returns whether the run that has made a record file takes requests; prefix: of its files. */
enum top_alive top_control_hold(const char *record_file, const char *prefix);

#endif
