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

/* Returns true if the run that wrote a record file still takes requests. prefix: prefix of the names of
 * the run's files. */
bool top_takes_requests(const char *record_file, const char *prefix);

#endif
