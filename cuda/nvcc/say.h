/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * say.h - messages of warpscope-nvcc, and notes that the steps of nvcc leave for it.
 *
 * nvcc runs several steps at once with --threads, and compiles a file once for each architecture.
 * Each step therefore adds its notes to a file in memory that it inherits. When nvcc has ended,
 * warpscope-nvcc prints each note once, even if several steps have added it.
 */
#ifndef WARPSCOPE_CUDA_NVCC_SAY_H
#define WARPSCOPE_CUDA_NVCC_SAY_H

#include <stdbool.h>

/* Prints one line on stderr: "warpscope-nvcc: " and the formatted words. */
void nvcc_say(const char *words, ...) __attribute__((format(printf, 1, 2)));

/* Creates the file for notes. An environment variable passes the file's descriptor to the steps. If
 * this fails, notes are printed at once. */
void nvcc_notes_begin(void);

/* Adds a note of one line to the file for notes. Called in a step. */
void nvcc_note(const char *words, ...) __attribute__((format(printf, 1, 2)));

/* Prints the notes, unless is_quiet is true. */
void nvcc_notes_end(bool is_quiet);

#endif
