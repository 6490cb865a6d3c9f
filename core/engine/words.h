/*
 * words.h - what the run was started with, for records that tell how to repeat it.
 */
#ifndef WARPSCOPE_ENGINE_WORDS_H
#define WARPSCOPE_ENGINE_WORDS_H

#include "ross.h"

/* Lines are words for a shell, quoted where needed. All of it is owned. */
struct run_words {
    char *given;  /* options given on the command line and in args files, without --args-file */
    char *model;  /* all of the model's options with their values */
    char *other;  /* words of the command line that are no options */
    char **texts; /* NULL at the end: the values of the model's text options, and those words */
};

/* After the options were read, before the model may change them. argv: what is left. */
void run_words_keep(struct run_words *words, int argc, char **argv);
void run_words_forget(struct run_words *words);
/* Those of this process, from tw_init() to tw_end(). */
const struct run_words *run_words(void);

/* The generator of the model's streams: "clcg4" or "fast". */
const char *run_rng_name(void);
/* Its seed in effect, as in --rng-seed1 to 4: "1 2 3 4"; with core that of --core-rng-seed1 to
 * 4. */
void run_seed_text(char *text, size_t size, bool core);

#endif
