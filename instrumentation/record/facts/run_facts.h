/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * run_facts.h - facts about a run, for the superblocks of its record files and for its README.
 */
#ifndef WARPSCOPE_RECORD_FACTS_RUN_FACTS_H
#define WARPSCOPE_RECORD_FACTS_RUN_FACTS_H

#include <stdio.h>

#include "format/format.h"
#include "record/facts/run_place.h"
#include "record/options/options.h"

#define RUN_FACTS_MAX 96
/* Maximum size of all values in bytes: a superblock has 64 KiB in all. */
#define RUN_FACTS_ROOM   (32u << 10)
#define RUN_FACTS_INPUTS 16 /* maximum number of input files of a model */

struct run_facts {
    size_t n;
    struct fmt_text facts[RUN_FACTS_MAX]; /* keys and values, valid as long as this object exists */
    char values[RUN_FACTS_MAX][64];
    char room[RUN_FACTS_ROOM]; /* memory for longer values */
    size_t used;               /* number of bytes in use in `room` */
    char left_out[256];        /* keys of the values that were omitted, for the fact "left_out" */
    char input_keys[RUN_FACTS_INPUTS][16];
    char date[32];
    char host[256];
};

/* Collects the facts from the engine and the options, which must outlive the facts. Called on rank
 * 0. kps_per_pe: maximum number of KPs on a PE. start: virtual time at which a restarted run goes on;
 * 0 for other runs. hosts: hosts of all ranks, see run_place.h. */
void run_facts_init(struct run_facts *facts, const struct record_options *options,
                    uint64_t kps_per_pe, double start, struct run_hosts *hosts);

/* Sets facts to those in `before`, but with the current options. Adds the GVT and the wall-clock
 * time of `change`, at which the new files begin. `before` and `options` must outlive the facts. */
void run_facts_again(struct run_facts *facts, const struct run_facts *before,
                     const struct record_options *options, const struct fmt_change *change);

/* Adds the fact that a file has only the blocks of these PEs. pes: a list such as "0-3,8", which
 * must outlive the facts. */
void run_facts_place(struct run_facts *facts, const char *pes);

/* Returns all keys and values as one block of *size bytes, to be sent to another rank. The caller
 * frees the block. */
char *run_facts_pack(const struct run_facts *facts, unsigned long *size);
/* Returns the facts in a block made by run_facts_pack(). The caller frees them with free(). */
struct run_facts *run_facts_unpack(const char *bytes, unsigned long size);

/* Describes the input file `path` in text (size bytes): "xxh3:HASH BYTES PATH", or "- BYTES PATH"
 * if the file is too large or cannot be hashed. Returns true if `path` is a regular file; otherwise
 * stores nothing and returns false. */
bool run_input_text(const char *path, char *text, size_t size);

/* A file that the README mentions. */
struct readme_file {
    /* File name without the directory. */
    const char *name;
    /* Description of the contents. */
    const char *text;
};

/* Writes the README of a recording to the new file `path`. The README lists the n_files files and
 * the facts of the run, and says how to read the files. Returns 0 or an errno value. */
int readme_write(const char *path, const struct run_facts *facts, const struct readme_file *files,
                 size_t n_files);

#endif
