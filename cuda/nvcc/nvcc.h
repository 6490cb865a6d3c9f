/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * nvcc.h - the parts of warpscope-nvcc, which runs nvcc and rewrites the PTX between its steps.
 */
#ifndef WARPSCOPE_CUDA_NVCC_NVCC_H
#define WARPSCOPE_CUDA_NVCC_NVCC_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* ---- Options: usage.c ------------------------------------------------------------------------ */

/* The options that warpscope-nvcc has besides those of nvcc. */
/* Variable with the list of kernels to trace, for the steps. */
#define NVCC_KERNELS "WARPSCOPE_NVCC_KERNELS"

struct nvcc_options {
    bool is_quiet;
    bool is_link; /* true if the program must print the options for a linker */
    bool is_version;
    const char *nvcc, *kernels;
};

/*
 * Removes the options of this program from argv, and sets *options. The remaining words are for
 * nvcc; argv stays terminated by NULL. Returns true if the program should continue. Otherwise, help
 * was printed on stdout, or one line on stderr, and *exit_status is set.
 */
bool nvcc_options_take(struct nvcc_options *options, char **argv, int *exit_status);

/* ---- Messages and notes: say.c --------------------------------------------------------------- */

/* nvcc runs several steps at once with --threads, and compiles a file once for each architecture.
 * Each step therefore adds its notes to a file in memory that it inherits. When nvcc has ended,
 * warpscope-nvcc prints each note once, even if several steps have added it. */

/* Prints one line on stderr: "warpscope-nvcc: " and the formatted words. */
void nvcc_say(const char *words, ...) __attribute__((format(printf, 1, 2)));

/* Creates the file for notes. An environment variable passes the file's descriptor to the steps. If
 * this fails, notes are printed at once. */
void nvcc_notes_begin(void);

/* Adds a note of one line to the file for notes. Called in a step. */
void nvcc_note(const char *words, ...) __attribute__((format(printf, 1, 2)));

/* Prints the notes, unless is_quiet is true. */
void nvcc_notes_end(bool is_quiet);

/* ---- Paths and files: paths.c, files.c ------------------------------------------------------- */

struct nvcc_paths {
    char self[PATH_MAX];    /* path of this program */
    char nvcc[PATH_MAX];    /* path of NVIDIA's nvcc */
    char library[PATH_MAX]; /* path of the directory of the tracing library */
};

/*
 * Finds the paths. wanted: path or name of nvcc. If it is NULL, the search uses the environment
 * variable WARPSCOPE_NVCC, then PATH, CUDA_HOME, CUDA_PATH, and NVIDIA's usual directory. The
 * search skips this program if its file is named nvcc. If a path is not found, prints an error
 * message and returns false.
 */
bool nvcc_paths_find(struct nvcc_paths *paths, const char *wanted);

/* Returns true if the program named `program` is in the directory of nvcc or in PATH. */
bool nvcc_paths_has(const struct nvcc_paths *paths, const char *program);

/* Reads a whole file into *text, which the caller frees, and sets *size to the file's size in
 * bytes. A zero byte follows the text. If this fails, prints an error message and returns false. */
bool nvcc_file_read(const char *path, char **text, size_t *size);

/* Replaces the contents of a file by `first`, followed by `second`. If this fails, prints an error
 * message, removes the file and returns false. */
bool nvcc_file_write(const char *path, const char *first, size_t first_size, const char *second,
                     size_t second_size);

/* Returns the text that print() writes, which the caller frees, and sets *size to its length. Prints an
 * error message and returns NULL if memory is exhausted. */
char *nvcc_printed(void (*print)(const void *what, FILE *out), const void *what, size_t *size);
/* Adds such a text to a file: at its end, or at its begin. Returns false after an error message. */
bool nvcc_file_add(const char *path, bool at_end, void (*print)(const void *what, FILE *out),
                   const void *what);

/* ---- Steps: step.c, module.c ----------------------------------------------------------------- */

/*
 * The options --cudafe-prefix, --cicc-prefix and --ptxas-prefix of nvcc put this program before the command of a
 * step. nvcc itself does everything else: its options, the order of steps, parallel steps and exit
 * statuses are unchanged.
 *
 * - cudafe++ writes the host code. In that code, this program renames the calls of functions that
 *   the tracing library wraps. Tracing therefore works even if an ordinary host compiler links the
 *   program, as with CMake.
 * - cicc writes PTX, which ptxas and fatbinary then read. This program rewrites the PTX in place.
 *   cicc also writes host code that registers the kernels. This program adds the table of traced
 *   kernels to that code.
 * - ptxas assembles rewritten PTX as a part of a program, which nvlink links alone (see step.c).
 */

/* First argument of this program when it runs a step. */
#define NVCC_STEP "--warpscope-step"

/* Runs the command of a step, argv, then processes the step's output. Returns the exit status. */
int nvcc_step(char **argv);

/*
 * Rewrites the PTX in the file `ptx`. stub: file with the host code that registers the kernels, to
 * which this function appends the table of traced kernels; NULL: none. source: name of the source
 * file in messages. If this fails, prints an error message and returns false; the PTX file is then
 * removed, unless it could not be read.
 */
bool nvcc_module_rewrite(const char *ptx, const char *stub, const char *source);

/* Names of the functions of the CUDA runtime that the tracing library wraps, terminated by NULL. The
 * build makes this table from trace/wrap.txt. */
extern const char *const nvcc_wrapped[];

#endif
