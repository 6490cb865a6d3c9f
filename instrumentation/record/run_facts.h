/*
 * run_facts.h - what files say about the run that made them: for the superblock and for people.
 */
#ifndef WARPSCOPE_RECORD_RUN_FACTS_H
#define WARPSCOPE_RECORD_RUN_FACTS_H

#include <stdio.h>

#include "format/format.h"
#include "record/options.h"
#include "record/run_place.h"

#define RUN_FACTS_MAX    96
#define RUN_FACTS_ROOM   (32u << 10) /* bytes of texts: a superblock has 64 KiB in all */
#define RUN_FACTS_INPUTS 16          /* input files of the model */

struct run_facts {
    size_t n;
    struct fmt_text facts[RUN_FACTS_MAX]; /* keys and values live as long as this object */
    char values[RUN_FACTS_MAX][64];
    char room[RUN_FACTS_ROOM]; /* longer values */
    size_t used;               /* bytes of room */
    char left_out[256];        /* keys of those that are too long, for the fact of this name */
    char input_keys[RUN_FACTS_INPUTS][16];
    char date[32];
    char host[256];
};

/* Takes them from the engine and the options, which must outlive the facts. On rank 0. kps_per_pe:
 * most KPs of a PE; hosts: those of all ranks, see run_place.h. */
void run_facts_init(struct run_facts *facts, const struct record_options *options,
                    uint64_t kps_per_pe, struct run_host *hosts);

/* A file that the README names. */
struct readme_file {
    const char *name;
    const char *text;
};

/* Writes <prefix>-README.txt: the files, the run, how to read them. 0 or an errno value. */
int readme_write(const char *path, const struct run_facts *facts, const struct readme_file *files,
                 size_t n_files);

#endif
