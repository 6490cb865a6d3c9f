/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * say.h - messages of warpscope-nvcc, and notes that its steps leave for it.
 *
 * nvcc runs the steps, several at once with --threads, and a file once for each architecture. Steps
 * therefore add their notes to a file in memory that they inherit. The program prints it when nvcc
 * has ended, each note once.
 */
#ifndef WARPSCOPE_CUDA_NVCC_SAY_H
#define WARPSCOPE_CUDA_NVCC_SAY_H

#include <stdbool.h>

/* Prints one line on stderr, "warpscope-nvcc: words". */
void nvcc_say(const char *words, ...) __attribute__((format(printf, 1, 2)));

/* Creates the file for notes and names it to the steps by the environment. Without such a file,
 * notes are printed at once. */
void nvcc_notes_begin(void);

/* In a step: adds a note of one line. */
void nvcc_note(const char *words, ...) __attribute__((format(printf, 1, 2)));

/* Prints the notes, unless is_quiet. */
void nvcc_notes_end(bool is_quiet);

#endif
