/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cells.h - decides, access by access, which accesses to an address are communication.
 *
 * A cell stands for an address, or for n consecutive bytes with the same records. These rules state
 * which accesses it keeps as records. L is the last record kept, W the last store or atomic kept:
 *
 *   store   Replaces L if L is a store, whose value no other actor has read. Otherwise kept.
 *   load    Dropped if no record is kept, if W is of the same actor, or if the same actor has a
 *           record in this superstep after W. Otherwise kept.
 *   atomic  Kept.
 *
 * The original programs of the format have another rule for stores (ws_book.original). The first
 * store is kept. If L is from an earlier superstep: kept if L is another actor's; otherwise the
 * store replaces L, even if L is a load. If L is from the same superstep: kept if L is a load of
 * the same actor; otherwise dropped. This rule loses values that were read.
 *
 * At the end, a store that is the last record of a cell is dropped. Then all records of a cell are
 * dropped if they all have the same actor. The remaining records are communication. A cell does not
 * store all its records: only L can still change, and earlier records, which are decided, are added
 * to sums (struct ws_book).
 */
#ifndef WARPSCOPE_READER_MEMTRACE_CELLS_H
#define WARPSCOPE_READER_MEMTRACE_CELLS_H

#include "memtrace/actors.h"
#include "memtrace/readers.h"
#include "memtrace/sums.h"

/* State of a cell, 32 bytes. If all members are zero, the cell has no records and was never
 * read. */
struct ws_cell_state {
    uint32_t w_actor, w_sm; /* actor and SM of W, the last store or atomic kept */
    /* Actor and SM of L, the last record kept. L is the same record as W unless L is a load. */
    uint32_t l_actor, l_sm;
    uint32_t l_word; /* type of L << 28 | size of L in bytes; 0: no record is kept */
    uint32_t w_step : 31;
    uint32_t is_shared : 1; /* 1: the records before L have several actors, and are in the sums */
    uint32_t l_step : 31;
    uint32_t is_wide : 1; /* 1: several streams touched the cell; valid if l_word is not 0 */
    /* If is_shared is 0: number of the latest record before L, in book->held. If is_shared is
     * 1 and L is a load of the current superstep: number of the set, in `readers`, of the other
     * actors that have read since W. 0: none. */
    uint32_t link;
};

/* An access without its address. word: type << 28 | size in bytes. */
struct ws_access_key {
    uint32_t actor, sm, word;
};

/* A record before L, in a cell whose records before L all have the same actor. Successive records
 * that differ only in size are stored as one. */
struct ws_held {
    uint64_t bytes;
    uint32_t actor, step, sm;
    uint32_t class; /* class of the access: 0 load, 1 store, 2 atomic */
    uint32_t next;
};

/* A decided record, which never changes, in the list of an address or range. */
struct ws_kept {
    uint32_t actor, step, sm, word, before;
};

/* The sums of an analysis. The first three are bytes accessed and bytes of communication, the others
 * the number of bytes transferred and the number of loads that read them. */
enum ws_book_sums {
    WS_BOOK_KERNELS,   /* key: kernel, superstep, class, 0; made from WS_BOOK_SMS at the end */
    WS_BOOK_CTAS,      /* key: actor, superstep, class, 0 */
    WS_BOOK_SMS,       /* key: kernel, superstep, class, SM */
    WS_BOOK_TRANSFERS, /* key: actor and superstep of the write, actor and superstep of the read */
    WS_BOOK_FLOWS,     /* key: kernel of the write, kernel of the read, 0, 0; from WS_BOOK_PLACES */
    WS_BOOK_PLACES,    /* key: kernel and SM of the write, kernel and SM of the read */
    /* key: kernel, class, upper and lower half of address / WS_BLOCK; bytes and 0; only with lists */
    WS_BOOK_BLOCKS,
    /* key: index of the allocation, or WS_PLACES_UNKNOWN, kernel, class, 0; bytes and accesses; only if a
     * file of allocations is beside the traces */
    WS_BOOK_ALLOCATIONS,
    WS_BOOK_SUMS
};

/* The sums of an analysis, and the memory that all cells share. Zero-initialise. */
struct ws_book {
    struct ws_actors actors;
    struct ws_sums sums[WS_BOOK_SUMS];
    /* [number]: the held and the kept records, from number 1 on. Held records that are not used any
     * more are a list, which begins at held_unused; 0: there are none. */
    struct ws_held *held;
    struct ws_kept *kept;
    size_t held_room, kept_room;
    uint32_t n_held, n_kept, held_unused;
    struct ws_readers readers;
    uint32_t step; /* number of the current superstep */
    bool original; /* true for the rule for stores of the original programs of the format */
    bool failed;   /* true if memory was exhausted */
};

/* Returns true if the result for the cell depends on the order of the streams' launches. */
static inline bool ws_cell_is_wide(const struct ws_cell_state *cell)
{
    return cell->is_wide && cell->l_word != 0;
}

/* Returns true if the user's selection includes the accesses of an actor in a superstep on an SM. */
static inline bool ws_book_chooses(const struct ws_book *book, uint32_t actor, uint32_t step,
                                   uint32_t sm)
{
    const struct ws_memtrace_choice *c = book->actors.choice;
    return !c->any || (book->actors.actors[actor].chosen && ws_allows(&c->steps, step) &&
                       ws_allows(&c->sms, sm));
}

static inline uint32_t ws_class_of(uint32_t word)
{
    uint32_t type = word >> 28;
    return type < 2 ? type : 2;
}

void ws_book_free(struct ws_book *book);
/* Begins the superstep with the number `step`, which must not be less than the number of the
 * previous superstep. */
void ws_book_step(struct ws_book *book, uint32_t step);
/* Performs the additions that wait in the queues of all sums, and makes those of kernels. */
void ws_book_settle(struct ws_book *book);
/* Returns true if memory has never been exhausted. */
bool ws_book_good(const struct ws_book *book);
/* Adds the size of an access to the bytes accessed, in the sums of CTAs and of SMs. */
void ws_book_volume(struct ws_book *book, const struct ws_access_key *key);
/* Adds the bytes of an access to the blocks in which they are. */
#define WS_BLOCK UINT64_C(256)
void ws_book_blocks(struct ws_book *book, const struct ws_access_key *key, uint64_t address);

/* Processes an access to a cell, which stands for n bytes, or for a start address if n is 1. If a
 * record becomes decided, adds it to the sums n times. *tail: number of the last record in the list
 * of the cell; the function updates *tail. tail: NULL if records are not kept. */
void ws_cell_access(struct ws_book *book, struct ws_cell_state *cell, uint32_t *tail, uint64_t n,
                    const struct ws_access_key *key);
/* Returns true only if it is certain that an access will not change the cell. */
bool ws_cell_drops(const struct ws_book *book, const struct ws_cell_state *cell,
                   const struct ws_access_key *key);
/* Returns true if two lists have equal records. a, b: number of the last record in each list; 0:
 * the list is empty. The cost is proportional to the number of records that the lists do not
 * share. */
bool ws_kept_equal(const struct ws_book *book, uint32_t a, uint32_t b);
/* Decides the last record of a cell, at the end of the analysis. tail, n: see ws_cell_access(). */
void ws_cell_end(struct ws_book *book, struct ws_cell_state *cell, uint32_t *tail, uint64_t n);

/* Returns the number of the set of readers in cell->link; 0 if link does not hold a set. */
static inline uint32_t ws_cell_readers(const struct ws_book *book, const struct ws_cell_state *cell)
{
    return cell->is_shared && cell->l_step == book->step && cell->l_word >> 28 == 0 ? cell->link
                                                                                    : 0;
}
/* Splits the range of a cell in two. `cell` becomes the cell of the first range, `other` that of
 * the second, with the same records. */
void ws_cell_cut(struct ws_book *book, struct ws_cell_state *cell, struct ws_cell_state *other);
/* If both cells have the same records, frees the memory that `other` uses, and returns true.
 * Otherwise returns false. */
bool ws_cell_join(struct ws_book *book, const struct ws_cell_state *cell,
                  const struct ws_cell_state *other);

#endif
