/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cells.c - see cells.h.
 *
 * A record becomes decided when another record of the cell is kept after it, since it can then no
 * longer change. While all decided records of a cell have the same actor, it is unknown whether
 * they are communication. Such records are held in a list, in which successive records with the
 * same superstep, SM and class are one item. The list has only stores and atomics, since loads of
 * an actor's own values are dropped. No two stores in it are consecutive, so it has more than one
 * item only if the actor uses atomics. When a record of another actor becomes decided, the cell
 * becomes shared: all its records are added to the sums.
 *
 * Invariants:
 * 1. Either L is W, or L is a load whose actor is not that of W.
 * 2. If the cell is not shared, all records in the list of held records have the same actor.
 * 3. A load that is decided makes the cell shared.
 * 4. The set of readers has the actors of all loads kept since W in the current superstep, except
 *    the actor of L.
 *
 * Cost of an access: constant, plus a look-up in the set of readers for each further load in a
 * superstep.
 */
#include "memtrace/cells.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

void ws_book_free(struct ws_book *book)
{
    ws_actors_free(&book->actors);
    for (int i = 0; i < WS_BOOK_SUMS; i++) {
        ws_sums_free(&book->sums[i]);
    }
    free(book->held);
    free(book->kept);
    ws_readers_free(&book->readers);
}

void ws_book_step(struct ws_book *book, uint32_t step)
{
    if (step != book->step) {
        ws_readers_clear(&book->readers);
    }
    book->step = step;
}

/* Adds up sums to sums with the numbers of their keys at the indices 0, `second` and `third`. */
static void sums_fold(struct ws_book *book, enum ws_book_sums from, enum ws_book_sums to,
                      int second, int third)
{
    ws_sums_settle(&book->sums[from]);
    for (size_t i = 0; i < book->sums[from].n_slots; i++) {
        const struct ws_sum *s = &book->sums[from].slots[i];
        if (s->values[0] != 0) {
            ws_sums_add(&book->sums[to], s->key[0], s->key[second], third == 0 ? 0 : s->key[third],
                        0, s->values[0], s->values[1]);
        }
    }
    ws_sums_settle(&book->sums[to]);
}

void ws_book_settle(struct ws_book *book)
{
    sums_fold(book, WS_BOOK_SMS, WS_BOOK_KERNELS, 1, 2);
    sums_fold(book, WS_BOOK_PLACES, WS_BOOK_FLOWS, 2, 0);
    ws_sums_settle(&book->sums[WS_BOOK_CTAS]);
    ws_sums_settle(&book->sums[WS_BOOK_TRANSFERS]);
    ws_sums_settle(&book->sums[WS_BOOK_BLOCKS]);
}

bool ws_book_good(const struct ws_book *book)
{
    bool good = !book->failed && !book->readers.failed;
    for (int i = 0; i < WS_BOOK_SUMS; i++) {
        good &= !book->sums[i].failed;
    }
    return good;
}

static struct ws_held *held_at(const struct ws_book *book, uint32_t number)
{
    assert(number != 0 && number <= book->n_held);
    return &book->held[number];
}

/* ---- Sums of communication ------------------------------------------------------------------- */

/* If the selection includes an access, adds `all` to the bytes accessed, and `communication` to the
 * bytes of communication. For a key that exists already, `all` may be 0. */
static void volume_add(struct ws_book *book, uint32_t actor, uint32_t step, uint32_t sm,
                       uint32_t class, uint64_t all, uint64_t communication)
{
    assert(actor < book->actors.n);
    if (ws_book_chooses(book, actor, step, sm)) {
        uint32_t kernel = book->actors.actors[actor].kernel;
        ws_sums_add(&book->sums[WS_BOOK_CTAS], actor, step, class, 0, all, communication);
        ws_sums_add(&book->sums[WS_BOOK_SMS], kernel, step, class, sm, all, communication);
    }
}

void ws_book_volume(struct ws_book *book, const struct ws_access_key *key)
{
    volume_add(book, key->actor, book->step, key->sm, ws_class_of(key->word),
               key->word & 0xfffffffu, 0);
}

void ws_book_blocks(struct ws_book *book, const struct ws_access_key *key, uint64_t address)
{
    uint64_t left = key->word & 0xfffffffu;
    uint32_t kernel = book->actors.actors[key->actor].kernel;
    left = left - 1 > UINT64_MAX - address ? UINT64_MAX - address + 1 : left;
    for (uint64_t n; ws_book_chooses(book, key->actor, book->step, key->sm) && left > 0;
         address += n, left -= n) {
        n = WS_BLOCK - address % WS_BLOCK;
        n = n < left ? n : left;
        uint64_t block = address / WS_BLOCK;
        ws_sums_add(&book->sums[WS_BOOK_BLOCKS], kernel, ws_class_of(key->word),
                    (uint32_t)(block >> 32), (uint32_t)block, n, 0);
    }
}

/* Adds a record n times to the bytes of communication. ws_book_volume() has added the access. */
static void record_fold(struct ws_book *book, const struct ws_held *held, uint64_t n)
{
    volume_add(book, held->actor, held->step, held->sm, held->class, 0, held->bytes * n);
}

static void transfer_fold(struct ws_book *book, const struct ws_cell_state *cell, uint64_t n)
{
    uint64_t bytes = (cell->l_word & 0xfffffffu) * n;
    if (ws_book_chooses(book, cell->w_actor, cell->w_step, cell->w_sm) ||
        ws_book_chooses(book, cell->l_actor, cell->l_step, cell->l_sm)) {
        const struct ws_actor *actors = book->actors.actors;
        ws_sums_add(&book->sums[WS_BOOK_TRANSFERS], cell->w_actor, cell->w_step, cell->l_actor,
                    cell->l_step, bytes, n);
        ws_sums_add(&book->sums[WS_BOOK_PLACES], actors[cell->w_actor].kernel, cell->w_sm,
                    actors[cell->l_actor].kernel, cell->l_sm, bytes, n);
    }
}

/* ---- Records before L, the last record kept -------------------------------------------------- */

/* Returns the number of a new held record; 0 if memory is exhausted. */
static uint32_t held_new(struct ws_book *book)
{
    uint32_t number = book->held_unused;
    if (number != 0) {
        book->held_unused = held_at(book, number)->next;
    } else {
        number = ws_number_new(&book->held, &book->held_room, &book->n_held, sizeof *book->held);
    }
    book->failed |= number == 0;
    return number;
}

static void held_add(struct ws_book *book, struct ws_cell_state *cell, const struct ws_held *record)
{
    if (cell->link != 0) {
        struct ws_held *top = held_at(book, cell->link);
        if (top->step == record->step && top->sm == record->sm && top->class == record->class) {
            top->bytes += record->bytes;
            return;
        }
    }
    uint32_t number = held_new(book);
    if (number != 0) {
        struct ws_held *held = held_at(book, number);
        *held = *record;
        held->next = cell->link;
        cell->link = number;
    }
}

/* Frees the list of held records of a cell. If fold is true, first adds each of these records to
 * the sums n times. */
static void held_end(struct ws_book *book, struct ws_cell_state *cell, uint64_t n, bool fold)
{
    while (cell->link != 0) {
        struct ws_held *held = held_at(book, cell->link);
        uint32_t number = cell->link;
        if (fold) {
            record_fold(book, held, n);
        }
        cell->link = held->next;
        held->next = book->held_unused;
        book->held_unused = number;
    }
}

static void kept_add(struct ws_book *book, const struct ws_cell_state *cell, uint32_t *tail)
{
    assert(cell->l_word != 0);
    uint32_t number =
        ws_number_new(&book->kept, &book->kept_room, &book->n_kept, sizeof *book->kept);
    book->failed |= number == 0;
    if (number != 0) {
        book->kept[number] =
            (struct ws_kept){cell->l_actor, cell->l_step, cell->l_sm, cell->l_word, *tail};
        *tail = number;
    }
}

bool ws_kept_equal(const struct ws_book *book, uint32_t a, uint32_t b)
{
    while (a != b && a != 0 && b != 0) {
        const struct ws_kept *x = &book->kept[a], *y = &book->kept[b];
        if (memcmp(x, y, offsetof(struct ws_kept, before)) != 0) {
            return false;
        }
        a = x->before;
        b = y->before;
    }
    return a == b;
}

/* Makes L, the last record kept in a cell, a decided record, because it can no longer change. */
static void last_decide(struct ws_book *book, struct ws_cell_state *cell, uint32_t *tail,
                        uint64_t n)
{
    assert(cell->l_word != 0);
    struct ws_held record = {.actor = cell->l_actor,
                             .step = cell->l_step,
                             .sm = cell->l_sm,
                             .bytes = cell->l_word & 0xfffffffu,
                             .class = ws_class_of(cell->l_word)};
    if (tail != NULL) {
        kept_add(book, cell, tail);
    }
    if (!cell->is_shared) {
        if (cell->link == 0 || held_at(book, cell->link)->actor == record.actor) {
            held_add(book, cell, &record);
            return;
        }
        held_end(book, cell, n, true);
        cell->is_shared = true;
    }
    record_fold(book, &record, n);
    if (record.class == 0) {
        transfer_fold(book, cell, n);
    }
}

/* ---- Accesses -------------------------------------------------------------------------------- */

static void last_set(const struct ws_book *book, struct ws_cell_state *cell,
                     const struct ws_access_key *key)
{
    cell->l_actor = key->actor;
    cell->l_sm = key->sm;
    cell->l_word = key->word;
    cell->l_step = book->step & 0x7fffffffu;
}

/* Makes a store or an atomic both the last record (L) and the last write (W) of a cell. */
static void write_set(const struct ws_book *book, struct ws_cell_state *cell,
                      const struct ws_access_key *key)
{
    last_set(book, cell, key);
    cell->w_actor = key->actor;
    cell->w_sm = key->sm;
    cell->w_step = cell->l_step;
    if (cell->is_shared) {
        cell->link = 0;
    }
}

/* Returns true if L, the last record of the cell, is a load from the current superstep. */
static bool is_read_now(const struct ws_book *book, const struct ws_cell_state *cell)
{
    return cell->l_word >> 28 == 0 && cell->l_step == book->step;
}

static bool load_drops(const struct ws_book *book, const struct ws_cell_state *cell,
                       const struct ws_access_key *key)
{
    return cell->w_actor == key->actor ||
           (is_read_now(book, cell) &&
            (cell->l_actor == key->actor ||
             ws_readers_have(&book->readers, ws_cell_readers(book, cell), key->actor)));
}

/* Returns true if a store, by the original rule, leaves the cell unchanged. */
static bool original_drops(const struct ws_book *book, const struct ws_cell_state *cell,
                           const struct ws_access_key *key)
{
    return cell->l_step == book->step && (cell->l_actor != key->actor || cell->l_word >> 28 != 0);
}

/* Returns true if a store would leave the cell unchanged. */
static bool store_drops(const struct ws_book *book, const struct ws_cell_state *cell,
                        const struct ws_access_key *key)
{
    return book->original ? original_drops(book, cell, key)
                          : cell->l_word == key->word && cell->l_step == book->step &&
                                cell->l_actor == key->actor && cell->l_sm == key->sm;
}

bool ws_cell_drops(const struct ws_book *book, const struct ws_cell_state *cell,
                   const struct ws_access_key *key)
{
    uint32_t class = ws_class_of(key->word);
    if (book->actors.several || class == 2) {
        return false;
    }
    return class == 0 ? cell->l_word == 0 || load_drops(book, cell, key)
                      : cell->l_word != 0 && store_drops(book, cell, key);
}

static void store(struct ws_book *book, struct ws_cell_state *cell, uint32_t *tail, uint64_t n,
                  const struct ws_access_key *key)
{
    if (store_drops(book, cell, key)) {
        return;
    }
    bool stays = book->original ? cell->l_step == book->step || cell->l_actor != key->actor
                                : cell->l_word >> 28 != 1;
    if (stays) {
        last_decide(book, cell, tail, n);
    }
    write_set(book, cell, key);
}

static void load(struct ws_book *book, struct ws_cell_state *cell, uint32_t *tail, uint64_t n,
                 const struct ws_access_key *key)
{
    if (load_drops(book, cell, key)) {
        return;
    }
    bool again = is_read_now(book, cell);
    uint32_t set = ws_cell_readers(book, cell), other = cell->l_actor;
    last_decide(book, cell, tail, n);
    if (again) {
        set = set == 0 ? ws_readers_set(&book->readers, 0) : set;
        ws_readers_add(&book->readers, set, other);
    }
    if (cell->is_shared) {
        cell->link = again ? set : 0;
    }
    last_set(book, cell, key);
}

/* Sets cell->is_wide if the access and L, the last record of the cell, are of different streams.
 * While the cell has no records, the last load takes the place of L, and l_sm is the number of its
 * stream; 0: none. */
static void stream_note(const struct ws_book *book, struct ws_cell_state *cell,
                        const struct ws_access_key *key)
{
    uint32_t stream = ws_actor_stream(&book->actors, key->actor);
    uint32_t before =
        cell->l_word != 0 ? ws_actor_stream(&book->actors, cell->l_actor) : cell->l_sm;
    cell->is_wide |= before != 0 && before != stream;
    if (cell->l_word == 0) {
        cell->l_sm = stream;
    }
}

void ws_cell_access(struct ws_book *book, struct ws_cell_state *cell, uint32_t *tail, uint64_t n,
                    const struct ws_access_key *key)
{
    assert(key->actor < book->actors.n);
    uint32_t class = ws_class_of(key->word);
    if (book->actors.several) {
        stream_note(book, cell, key);
    }
    if (cell->l_word == 0) {
        if (class != 0) {
            write_set(book, cell, key);
        }
        return;
    }
    if (class == 0) {
        load(book, cell, tail, n, key);
    } else if (class == 1) {
        store(book, cell, tail, n, key);
    } else {
        last_decide(book, cell, tail, n);
        write_set(book, cell, key);
    }
}

void ws_cell_end(struct ws_book *book, struct ws_cell_state *cell, uint32_t *tail, uint64_t n)
{
    if (cell->l_word != 0 && cell->l_word >> 28 != 1) {
        last_decide(book, cell, tail, n);
    }
    if (cell->is_shared) {
        cell->link = 0;
    } else {
        held_end(book, cell, n, false);
    }
    cell->l_word = 0;
}

/* ---- Cells of ranges ------------------------------------------------------------------------- */

void ws_cell_cut(struct ws_book *book, struct ws_cell_state *cell, struct ws_cell_state *other)
{
    assert(cell != other);
    *other = *cell;
    other->link = 0;
    if (cell->is_shared) {
        uint32_t set = ws_cell_readers(book, cell);
        cell->link = set == 0 ? 0 : ws_readers_set(&book->readers, set);
        other->link = set == 0 ? 0 : ws_readers_set(&book->readers, set);
        return;
    }
    for (uint32_t from = cell->link, last = 0; from != 0; from = held_at(book, from)->next) {
        uint32_t number = held_new(book);
        if (number == 0) {
            return;
        }
        *held_at(book, number) = *held_at(book, from);
        held_at(book, number)->next = 0;
        *(last == 0 ? &other->link : &held_at(book, last)->next) = number;
        last = number;
    }
}

static bool held_equal(const struct ws_book *book, uint32_t a, uint32_t b)
{
    while (a != 0 && b != 0) {
        const struct ws_held *x = held_at(book, a), *y = held_at(book, b);
        if (memcmp(x, y, offsetof(struct ws_held, next)) != 0) {
            return false;
        }
        a = x->next;
        b = y->next;
    }
    return a == b;
}

bool ws_cell_join(struct ws_book *book, const struct ws_cell_state *cell,
                  const struct ws_cell_state *other)
{
    if (memcmp(cell, other, offsetof(struct ws_cell_state, link)) != 0) {
        return false;
    }
    if (cell->is_shared) {
        return ws_cell_readers(book, cell) == ws_cell_readers(book, other);
    }
    if (!held_equal(book, cell->link, other->link)) {
        return false;
    }
    struct ws_cell_state gone = *other;
    held_end(book, &gone, 0, false);
    return true;
}
