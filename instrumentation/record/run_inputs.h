/*
 * run_inputs.h - input files of a model: what its options name, as facts of the run.
 */
#ifndef WARPSCOPE_RECORD_RUN_INPUTS_H
#define WARPSCOPE_RECORD_RUN_INPUTS_H

#include <stdbool.h>
#include <stddef.h>

/* If text is the path of a regular file: "xxh3:HASH BYTES PATH", or of a large file "- BYTES PATH",
 * with the path as given. */
bool run_input_text(const char *path, char *text, size_t size);

#endif
