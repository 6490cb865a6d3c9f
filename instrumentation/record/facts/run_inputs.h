/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * run_inputs.h - facts about the input files that a model's options name.
 */
#ifndef WARPSCOPE_RECORD_FACTS_RUN_INPUTS_H
#define WARPSCOPE_RECORD_FACTS_RUN_INPUTS_H

#include <stdbool.h>
#include <stddef.h>

/* Describes the input file `path` in text (size bytes): "xxh3:HASH BYTES PATH", or "- BYTES PATH"
 * if the file is too large or cannot be hashed. Returns true if `path` is a regular file; otherwise
 * stores nothing and returns false. */
bool run_input_text(const char *path, char *text, size_t size);

#endif
