/*
 * memtrace_readers.h - sets of actors that have read something in the present superstep.
 *
 * A set may have a parent, whose actors are its own as well: two halves of what was one range have
 * sets of their own with the same parent. Sets are numbered from 1; 0 is the empty one.
 */
#ifndef WARPSCOPE_READER_MEMTRACE_READERS_H
#define WARPSCOPE_READER_MEMTRACE_READERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Zero-initialise; free in any case. */
struct ws_readers {
    uint64_t *pairs; /* hash table of set << 32 | actor, 0: empty; at most half full */
    size_t n, n_slots;
    uint32_t *parents; /* by set; of sets that are not in use, the next such set */
    uint32_t n_sets, room, unused;
    uint64_t *live; /* a bit per set, while ws_readers_mark() may be called */
    bool failed;    /* no memory: sets are wrong */
};

/* A new set. 0: no memory. */
uint32_t ws_readers_set(struct ws_readers *readers, uint32_t parent);
bool ws_readers_have(const struct ws_readers *readers, uint32_t set, uint32_t actor);
void ws_readers_add(struct ws_readers *readers, uint32_t set, uint32_t actor);
/* All sets are gone. */
void ws_readers_clear(struct ws_readers *readers);
void ws_readers_free(struct ws_readers *readers);

/*
 * Forgetting sets that nobody has any more. Worth it when ws_readers_full() says so, given how much
 * has to be looked through for sets: begin; mark each set that is still there; end.
 */
static inline bool ws_readers_full(const struct ws_readers *readers, size_t cells)
{
    return 2 * readers->n >= readers->n_slots && readers->n_slots > cells && readers->n > 1024;
}
bool ws_readers_sweep_begin(struct ws_readers *readers);
void ws_readers_mark(struct ws_readers *readers, uint32_t set);
void ws_readers_sweep_end(struct ws_readers *readers);

/* Asserts that each pair is found and its set in use. */
void ws_readers_check(const struct ws_readers *readers);

#endif
