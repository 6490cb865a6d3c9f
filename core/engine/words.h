/* SPDX-License-Identifier: BSD-3-Clause */
/* words.h - the command line and options of the run, stored in recordings so that the run can be
 * repeated. */
#ifndef WARPSCOPE_ENGINE_WORDS_H
#define WARPSCOPE_ENGINE_WORDS_H

#include "ross.h"

/* Arguments of the run. The strings `given`, `model` and `other` hold shell words, quoted where
 * needed. The struct owns all strings and the array. */
struct run_words {
    char *given; /* options given on the command line and in args files, except --args-file */
    char *model; /* all options of the model with their values */
    char *other; /* arguments that are not options */
    /* NULL-terminated array: values of the model's string options, then the arguments that are not
     * options. */
    char **texts;
};

/* Stores the arguments in *words. Called after the options are read and before the model changes
 * them. argv: the argc arguments that remain after the options were removed. */
void run_words_keep(struct run_words *words, int argc, char **argv);
void run_words_forget(struct run_words *words);
/* Returns the words of this process, valid from tw_init() to tw_end(). */
const struct run_words *run_words(void);

/* Returns the name of the generator of the model's streams: "clcg4" or "fast". */
const char *run_rng_name(void);
/* Writes the four words of the effective seed to `text`, in a form such as "1 2 3 4". core: false
 * for the seed of --rng-seed1 to 4, true for that of --core-rng-seed1 to 4. */
void run_seed_text(char *text, size_t size, bool core);

/* Stores in text (size bytes) the first line of the version string of the MPI library, up to the
 * line's first comma. */
void run_mpi_text(char *text, size_t size);

#endif
