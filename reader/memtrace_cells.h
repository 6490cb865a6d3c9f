/*
 * memtrace_cells.h - which accesses of an address are communication, decided as they come.
 *
 * A cell stands for an address, or for n bytes in a row with the same past. It keeps a list of
 * records by these rules, where L is the last record kept and W the last store or atomic kept:
 *
 *   store   the first is kept. If L is of an earlier superstep: kept if L is another actor's,
 *           otherwise it takes L's place. In L's superstep: kept if L is a load of the same actor,
 *           otherwise dropped.
 *   load    dropped if nothing is kept, if W is of the same actor, and if the same actor has a
 *           record in this superstep behind W; otherwise kept.
 *   atomic  kept.
 *
 * In the end a store that is the last record of its list is dropped, and then every list whose
 * records are all of one actor. What is left is communication. The list itself need not be stored:
 * only L can still change, and what was decided before goes into sums (struct ws_book).
 */
#ifndef WARPSCOPE_READER_MEMTRACE_CELLS_H
#define WARPSCOPE_READER_MEMTRACE_CELLS_H

#include "memtrace_actors.h"
#include "memtrace_arena.h"
#include "memtrace_readers.h"
#include "memtrace_sums.h"
#include "ranges.h"

/* Zero: nothing is kept, and nobody has read. 32 bytes. */
struct ws_cell_state {
    uint32_t w_actor, w_sm; /* W */
    uint32_t l_actor, l_sm; /* L; the same record as W if it is no load */
    uint32_t l_word;        /* type << 28 | size; 0: nothing is kept */
    uint32_t w_step : 31;
    uint32_t is_shared : 1; /* records before L are of several actors: in the sums */
    uint32_t l_step : 31;
    uint32_t is_wide : 1; /* touched by several streams; of interest if something is kept */
    uint32_t link; /* not shared: records before L (held); shared, and L a load of the present
                      superstep: the others that have read since W (readers) */
};

struct ws_access_key { /* an access without its address */
    uint32_t actor, sm, word;
};

/* A record before L while all are of one actor: equal ones as one. */
struct ws_held {
    uint32_t next, actor, step, sm;
    uint64_t bytes;
    uint32_t class; /* 0 load, 1 store, 2 atomic */
};

/* A record that was decided, in the list of an address or range; it never changes. */
struct ws_kept {
    uint32_t before, actor, step, sm, word;
};

/* What the rows of an analysis are chosen by. NULL: all. The others are in kernels and actors. */
struct ws_book_choice {
    const struct ws_ranges *steps, *sms;
    bool any; /* is anything chosen at all? */
};

/* The sums. */
struct ws_book {
    struct ws_actors actors;
    struct ws_sums ctas;      /* actor, step, class, 0: bytes, bytes of communication */
    struct ws_sums sms;       /* kernel, step, class, SM: the same */
    struct ws_sums transfers; /* actor, step, actor, step: bytes, loads */
    struct ws_sums places;    /* kernel, SM, kernel, SM: bytes, loads */
    struct ws_arena held;     /* of struct ws_held */
    struct ws_arena kept;     /* of struct ws_kept */
    struct ws_readers readers;
    struct ws_book_choice choice;
    uint32_t step; /* at hand */
    bool several;  /* streams */
    bool failed;   /* no memory */
};

/* Does what is said about the cell depend on the order of streams? */
static inline bool ws_cell_is_wide(const struct ws_cell_state *cell)
{
    return cell->is_wide && cell->l_word != 0;
}

/* Does a load matter where nothing was written yet? It does if another stream may write there. */
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
/* Another superstep begins; never an earlier one than before. */
void ws_book_step(struct ws_book *book, uint32_t step);
/* Settles the sums: all that was added is in them. */
void ws_book_settle(struct ws_book *book);
/* Was there memory for everything? */
bool ws_book_good(const struct ws_book *book);
/* Adds bytes to the volumes of all accesses. */
void ws_book_volume(struct ws_book *book, const struct ws_access_key *key);

/* An access to the n bytes of a cell; what is decided about each goes into the sums n times. tail:
 * the last record of the address's list, or NULL if lists are not wanted. */
void ws_cell_access(struct ws_book *book, struct ws_cell_state *cell, uint32_t *tail, uint64_t n,
                    const struct ws_access_key *key);
/* Would an access change nothing? False in doubt. */
bool ws_cell_drops(const struct ws_book *book, const struct ws_cell_state *cell,
                   const struct ws_access_key *key);
/* Have two lists the same records? 0 is the empty one. Cost: one step per record, but for those
 * that both share. */
bool ws_kept_equal(const struct ws_book *book, uint32_t a, uint32_t b);
/* The end: is there communication? */
bool ws_cell_end(struct ws_book *book, struct ws_cell_state *cell, uint32_t *tail, uint64_t n);

/* The set in link, or 0. */
static inline uint32_t ws_cell_readers(const struct ws_book *book, const struct ws_cell_state *cell)
{
    return cell->is_shared && cell->l_step == book->step && cell->l_word >> 28 == 0 ? cell->link
                                                                                    : 0;
}
/* For a range that is cut in two: a second cell with the same past. */
void ws_cell_cut(struct ws_book *book, struct ws_cell_state *cell, struct ws_cell_state *other);
/* Have both the same past? If so, other has been given back. */
bool ws_cell_join(struct ws_book *book, const struct ws_cell_state *cell,
                  const struct ws_cell_state *other);

#endif
