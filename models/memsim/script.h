/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * script.h - the work of this rank's SMs: the accesses of each SM in each stream.
 *
 * The script is filled once, launch by launch. It can then be read at any position, so that a
 * rollback can return to earlier accesses. A temporary file, which is mapped, holds the accesses, in
 * blocks. Memory holds a few bytes per block.
 */
#ifndef MEMSIM_SCRIPT_H
#define MEMSIM_SCRIPT_H

#include <stdint.h>

#include "common/error.h"
#include "format/memtrace.h"
#include "store/index.h"

/* An access of a script, in 40 bytes without padding. */
struct ms_item {
    uint64_t ordinal; /* index of the access among all accesses of all streams, from 0 */
    uint64_t address;
    uint64_t cta;
    uint32_t sm;
    uint32_t size;
    uint32_t type;
    uint32_t unused; /* unused, always 0 */
};
_Static_assert(sizeof(struct ms_item) == 40, "an item has no padding");

struct ms_launch {
    uint32_t name;  /* index of the kernel's name in `names` */
    uint64_t first; /* `ordinal` of the launch's first access */
    uint64_t count; /* number of accesses of the launch, by all SMs */
};

/* Returns `digest`, extended by `word`. A digest detects mistakes but not attacks. */
static inline uint64_t ms_digest_add(uint64_t digest, uint64_t word)
{
    uint64_t mixed = (digest ^ word) * 0x9e3779b97f4a7c15u;
    return mixed ^ mixed >> 32;
}

struct ms_part; /* the accesses of one SM in one stream */

struct ms_stream {
    struct ms_launch *launches;
    size_t n_launches, room;
    struct ms_part **parts; /* [i]: accesses of SM i; NULL: this rank stores none */
};

struct ms_script {
    int fd;
    struct ms_item *items; /* the n_items items in the file; NULL until ms_script_seal() */
    uint64_t n_items;
    uint8_t *done;  /* owned; bits of the items that are done; NULL: none is */
    unsigned n_sms; /* number of elements of each array `parts` */
    unsigned n_streams;
    struct ms_stream *streams;
    char **names; /* names of kernels, owned */
    size_t names_room;
    struct index name_index; /* finds the names */
    uint64_t accesses;       /* number of accesses by all SMs in all streams */
    uint64_t digest;         /* digest of all launches and accesses, equal on all ranks */
};

/* Creates an empty script for SMs with indices below n_sms. scratch: directory for the temporary
 * file, see ms_scratch_open(). Returns false after an error, with an error message in *error. The
 * caller frees the script by ms_script_fini(), also after an error. */
bool ms_script_init(struct ms_script *s, unsigned n_streams, unsigned n_sms, const char *scratch,
                    struct model_error *error);
void ms_script_fini(struct ms_script *s);

/* Begins the next launch of `stream`. name: name of the launched kernel. The caller fills the
 * streams one after another. */
void ms_script_launch(struct ms_script *s, unsigned stream, const char *name);
/* Adds an access to the present launch of `stream`. Stores the access if is_local is true, that is,
 * if its SM is on this rank; otherwise only counts it. Returns false, with an error message in
 * *error, if the temporary file cannot be written. */
bool ms_script_add(struct ms_script *s, unsigned stream, const struct memtrace_access *access,
                   bool is_local, struct model_error *error);
/* Ends the filling of the script. Returns false, with an error message in *error, if the temporary
 * file cannot be written. */
bool ms_script_seal(struct ms_script *s, struct model_error *error);

/* Finds the items of an SM in a launch: items *begin to *end - 1 of the SM in the stream. Items
 * before *begin belong to earlier launches. If the launch has no items on this SM, *begin equals
 * *end. */
void ms_script_span(const struct ms_script *s, unsigned stream, unsigned sm, uint64_t launch,
                    uint64_t *begin, uint64_t *end);
/* Returns item i (from 0) of an SM in a stream. */
const struct ms_item *ms_script_item(const struct ms_script *s, unsigned stream, unsigned sm,
                                     uint64_t i);
/* Marks an item as done: its access was completed and committed. */
void ms_script_done(struct ms_script *s, unsigned stream, unsigned sm, uint64_t i);
/* Copies the next items that are done, at most n, from the item with the number *at in the file on.
 * Returns their number, and moves *at behind them. */
size_t ms_script_take(const struct ms_script *s, uint64_t *at, struct ms_item *to, size_t n);

/* Returns the name of the kernel of a launch. */
const char *ms_script_name(const struct ms_script *s, unsigned stream, uint64_t launch);

/* ---- Temporary files ------------------------------------------------------------------------- */

/* Opens a new file for reading and writing in the directory `folder`, or in $TMPDIR or /tmp if
 * `folder` is "". The file is unlinked, so it disappears when the process ends. Returns the file
 * descriptor; -1 after an error, with an error message in *error. */
int ms_scratch_open(const char *folder, struct model_error *error);
/* Maps a file of n items, with the protection of mmap(). Returns NULL after an error, with the reason in
 * errno. */
struct ms_item *ms_scratch_map(int fd, uint64_t n, int protection);
void ms_scratch_unmap(struct ms_item *items, uint64_t n);

#endif
