/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * run_inputs.h - input files that the options of a model name, as facts of the run.
 */
#ifndef WARPSCOPE_RECORD_FACTS_RUN_INPUTS_H
#define WARPSCOPE_RECORD_FACTS_RUN_INPUTS_H

#include <stdbool.h>
#include <stddef.h>

/* If path is a regular file, returns true and stores "xxh3:HASH BYTES PATH" in text, or "- BYTES
 * PATH" for a large file. PATH is the path as given. */
bool run_input_text(const char *path, char *text, size_t size);

#endif
