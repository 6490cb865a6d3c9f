/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pointers.c - detects states that hold pointers. Another process cannot use pointers, so such
 * states must not be written as bytes.
 *
 * A pointer is recognised by its value: eight aligned bytes that are an address of readable mapped
 * memory of this process. Other data may have such a value by chance. A value therefore counts as a
 * pointer only if each LP of the same type has an address or zero at the same offset.
 * --checkpoint-pointers overrides false alarms that remain. Addresses below 4 GiB are ignored,
 * since small integers look like them; pointers into position-dependent programs, which are mapped
 * there, are thus not detected. Types with a tw_state_io are skipped, since the model restores
 * their states.
 *
 * Cost: a comparison per eight bytes of state, at the start and at each checkpoint, and a second
 * check of the few candidates. Only Linux lists mapped memory (/proc/self/maps); on other systems
 * no pointers are detected.
 */
#include <assert.h>
#include <stdio.h>

#include "checkpoint/checkpoint_private.h"
#include "engine/engine.h"
#include "store/array.h"
#include "store/search.h"

#define LOWEST_ADDRESS 0x100000000u
#define PLACES_MOST    64u

struct memory {
    struct mapped {
        uint64_t from, to;
    } * mapped; /* array of the mapped ranges of addresses, ascending; `to` is excluded */
    size_t n;
};

/* An offset in the states of an LP type. At least one LP holds an address at this offset. */
struct place {
    const tw_lptype *type;
    size_t offset;
    const tw_lp *lp; /* first LP of the type with an address at this offset */
};

struct places {
    struct place of[PLACES_MOST];
    size_t n;
};

static bool memory_add(struct memory *m, uint64_t from, uint64_t to)
{
    if (m->n > 0 && m->mapped[m->n - 1].to == from) {
        m->mapped[m->n - 1].to = to;
        return true;
    }
    if (!array_append(&m->mapped, m->n, sizeof *m->mapped)) {
        return false;
    }
    m->mapped[m->n++] = (struct mapped){from, to};
    return true;
}

/* Reads the ranges of readable mapped addresses from LOWEST_ADDRESS on. Skips invalid lines. Omits
 * further ranges if memory is short. */
static struct memory memory_read(void)
{
    struct memory m = {0};
    FILE *maps = fopen("/proc/self/maps", "r");
    char *line = NULL;
    size_t size = 0;
    while (maps != NULL && getline(&line, &size, maps) > 0) {
        unsigned long long from, to;
        char may_read;
        if (sscanf(line, "%llx-%llx %c", &from, &to, &may_read) == 3 && may_read == 'r' &&
            from >= LOWEST_ADDRESS && !memory_add(&m, from, to)) {
            break;
        }
    }
    free(line);
    if (maps != NULL) {
        fclose(maps);
    }
    return m;
}

static bool is_mapped(const struct memory *m, uint64_t value)
{
    size_t i;
    BINARY_SEARCH(i, 0, m->n, m->mapped[i].to <= value);
    return i < m->n && m->mapped[i].from <= value;
}

static uint64_t word_at(const tw_lp *lp, size_t offset)
{
    assert(offset + sizeof(uint64_t) <= lp->type->state_sz);
    uint64_t value;
    memcpy(&value, (const char *)lp->cur_state + offset, sizeof value);
    return value;
}

static void note_place(struct places *p, const tw_lp *lp, size_t offset)
{
    const tw_lptype *type = engine_model_type(lp);
    for (size_t i = 0; i < p->n; i++) {
        if (p->of[i].type == type && p->of[i].offset == offset) {
            return;
        }
    }
    if (p->n < PLACES_MOST) {
        p->of[p->n++] = (struct place){type, offset, lp};
    }
}

static void look_at(const struct memory *m, const tw_lp *lp, struct places *p)
{
    assert(m->n > 0);
    uint64_t lowest = m->mapped[0].from;
    uint64_t range = m->mapped[m->n - 1].to - lowest;
    size_t size = lp->type->state_sz;
    for (size_t offset = 0; offset + sizeof(uint64_t) <= size; offset += sizeof(uint64_t)) {
        uint64_t value = word_at(lp, offset);
        if (value - lowest < range && is_mapped(m, value)) {
            note_place(p, lp, offset);
        }
    }
}

/* Returns true if each local LP of place->type holds an address or zero at place->offset. */
static bool all_point(const struct pe *pe, const struct memory *m, const struct place *place)
{
    for (tw_lpid i = 0; i < pe->lps.count; i++) {
        const tw_lp *lp = lp_table_at(&pe->lps, i);
        if (engine_model_type(lp) == place->type) {
            uint64_t value = word_at(lp, place->offset);
            if (value != 0 && !is_mapped(m, value)) {
                return false;
            }
        }
    }
    return true;
}

static bool find(const struct pe *pe, const struct memory *m, struct ckpt_pointer *found)
{
    struct places places = {.n = 0};
    for (tw_lpid i = 0; i < pe->lps.count; i++) {
        const tw_lp *lp = lp_table_at(&pe->lps, i);
        if (ckpt_state_io(pe, lp) == NULL) {
            look_at(m, lp, &places);
        }
    }
    for (size_t i = 0; i < places.n; i++) {
        const struct place *place = &places.of[i];
        if (all_point(pe, m, place)) {
            *found =
                (struct ckpt_pointer){place->lp->gid, place->offset, place->lp->type->state_sz};
            return true;
        }
    }
    return false;
}

bool ckpt_find_pointer(const struct pe *pe, struct ckpt_pointer *found)
{
    struct memory m = memory_read();
    bool any = m.n > 0 && find(pe, &m, found);
    free(m.mapped);
    return any;
}
