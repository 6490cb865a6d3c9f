/* SPDX-License-Identifier: BSD-3-Clause */
/* words.h - the command line and options of the run, stored in recordings so that the run can be
 * repeated. */
#ifndef WARPSCOPE_ENGINE_WORDS_H
#define WARPSCOPE_ENGINE_WORDS_H

#include "ross.h"

/* Arguments of the run. The strings hold shell words, quoted where needed. The struct owns all
 * strings and the array. */
struct run_words {
    char *given; /* options on the command line and in args files, without --args-file */
    char *model; /* all options of the model with their values */
    char *other; /* arguments that are not options */
    /* NULL-terminated: values of the model's string options, then the arguments that are not
     * options. */
    char **texts;
};

/* Stores the arguments after options are read, before the model changes them. argv: remaining
 * arguments. */
void run_words_keep(struct run_words *words, int argc, char **argv);
void run_words_forget(struct run_words *words);
/* Returns the words of this process, valid from tw_init() to tw_end(). */
const struct run_words *run_words(void);

/* Returns the generator of the model's streams: "clcg4" or "fast". */
const char *run_rng_name(void);
/* Writes the effective seed of --rng-seed1 to 4: "1 2 3 4"; if core is true, of --core-rng-seed1 to
 * 4. */
void run_seed_text(char *text, size_t size, bool core);

#endif
