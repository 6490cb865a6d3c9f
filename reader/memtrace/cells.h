/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cells.h - decides, access by access, which accesses of an address are communication.
 *
 * A cell stands for an address, or for n consecutive bytes with the same records. These rules state
 * which accesses it keeps as records. L is the last record kept, W the last store or atomic kept:
 *
 *   store   the first is kept. If L is of an earlier superstep: kept if L is another actor's,
 *           otherwise it replaces L. In L's superstep: kept if L is a load of the same actor,
 *           otherwise dropped.
 *   load    dropped if nothing is kept, if W is of the same actor, or if the same actor has a
 *           record in this superstep after W; otherwise kept.
 *   atomic  kept.
 *
 * At the end, a store that is the last record of its list is dropped, and then every list whose
 * records all have the same actor. All remaining records are communication. The cell does not store
 * the list: only L can still change, and earlier records, which are decided, are added to sums
 * (struct ws_book).
 */
#ifndef WARPSCOPE_READER_MEMTRACE_CELLS_H
#define WARPSCOPE_READER_MEMTRACE_CELLS_H

#include "data/ranges.h"
#include "memtrace/actors.h"
#include "memtrace/arena.h"
#include "memtrace/readers.h"
#include "memtrace/sums.h"

/* State of a cell in 32 bytes. All zero: the cell has no records, and was never read. */
struct ws_cell_state {
    uint32_t w_actor, w_sm; /* actor and SM of W, the last store or atomic kept */
    /* Actor and SM of L, the last record kept. L is the same record as W unless L is a load. */
    uint32_t l_actor, l_sm;
    uint32_t l_word; /* type << 28 | size of L; 0: no record is kept */
    uint32_t w_step : 31;
    uint32_t is_shared : 1; /* 1: records before L have several actors, and are in the sums */
    uint32_t l_step : 31;
    uint32_t is_wide : 1; /* 1: several streams touched the cell; valid if a record is kept */
    /* If the cell is not shared: list of the records before L, in `held`. If it is shared and L is
     * a load of the current superstep: set of the other readers since W, in `readers`. */
    uint32_t link;
};

struct ws_access_key { /* An access without its address. */
    uint32_t actor, sm, word;
};

/* A record before L, while all records of the cell have the same actor. Equal records are stored
 * once. */
struct ws_held {
    uint32_t next, actor, step, sm;
    uint64_t bytes;
    uint32_t class; /* class of the access: 0 load, 1 store, 2 atomic */
};

/* A decided record in the list of an address or range. It never changes. */
struct ws_kept {
    uint32_t before, actor, step, sm, word;
};

/* Criteria by which rows of an analysis are chosen. A NULL member chooses all. Kernels and actors
 * hold further criteria. */
struct ws_book_choice {
    const struct ws_ranges *steps, *sms;
    bool any; /* true if there is at least one criterion */
};

/* The sums of an analysis, and the memory that cells share. */
struct ws_book {
    struct ws_actors actors;
    struct ws_sums ctas; /* sums by (actor, superstep, class, 0): bytes, bytes of communication */
    struct ws_sums sms;  /* sums by (kernel, superstep, class, SM): bytes, bytes of communication */
    struct ws_sums transfers; /* sums by (actor, superstep, actor, superstep): bytes, loads */
    struct ws_sums places;    /* sums by (kernel, SM, kernel, SM): bytes, loads */
    struct ws_arena held;     /* memory of the held records (struct ws_held) */
    struct ws_arena kept;     /* memory of the kept records (struct ws_kept) */
    struct ws_readers readers;
    struct ws_book_choice choice;
    uint32_t step; /* number of the current superstep */
    bool several;  /* true if there are several streams */
    bool failed;   /* true if memory was exhausted */
};

/* Returns true if the result for the cell depends on the order of streams. */
static inline bool ws_cell_is_wide(const struct ws_cell_state *cell)
{
    return cell->is_wide && cell->l_word != 0;
}

/* Returns true if loads of locations without records matter, because another stream may write
 * there. */
static inline bool ws_book_minds_loads(const struct ws_book *book)
{
    return book->several;
}

static inline uint32_t ws_class_of(uint32_t word)
{
    uint32_t type = word >> 28;
    return type < 2 ? type : 2;
}

void ws_book_init(struct ws_book *book);
void ws_book_free(struct ws_book *book);
/* Begins a superstep. step: its number, at least that of the previous one. */
void ws_book_step(struct ws_book *book, uint32_t step);
/* Adds the additions that wait in the queues of the sums. */
void ws_book_settle(struct ws_book *book);
/* Returns true if memory has never been exhausted. */
bool ws_book_good(const struct ws_book *book);
/* Adds an access to the sums over all accesses. */
void ws_book_volume(struct ws_book *book, const struct ws_access_key *key);

/* Processes an access to the n bytes of a cell. A record that becomes decided is added to the sums
 * n times. tail: number of the last record in the list of the cell, or NULL if records are not
 * kept. */
void ws_cell_access(struct ws_book *book, struct ws_cell_state *cell, uint32_t *tail, uint64_t n,
                    const struct ws_access_key *key);
/* Returns true if an access certainly does not change the cell; false if it may. */
bool ws_cell_drops(const struct ws_book *book, const struct ws_cell_state *cell,
                   const struct ws_access_key *key);
/* Returns true if two lists have equal records. 0 is the empty list. Cost: one step per record that
 * the lists do not share. */
bool ws_kept_equal(const struct ws_book *book, uint32_t a, uint32_t b);
/* Ends a cell at the end of the analysis. Returns true if it has communication. */
bool ws_cell_end(struct ws_book *book, struct ws_cell_state *cell, uint32_t *tail, uint64_t n);

/* Returns the set of readers that link holds, or 0 if it holds none. */
static inline uint32_t ws_cell_readers(const struct ws_book *book, const struct ws_cell_state *cell)
{
    return cell->is_shared && cell->l_step == book->step && cell->l_word >> 28 == 0 ? cell->link
                                                                                    : 0;
}
/* Splits a range: makes `other` the cell of its second part, with the same records. */
void ws_cell_cut(struct ws_book *book, struct ws_cell_state *cell, struct ws_cell_state *other);
/* Returns true if both cells have the same records. The function has then freed `other`. */
bool ws_cell_join(struct ws_book *book, const struct ws_cell_state *cell,
                  const struct ws_cell_state *other);

#endif
