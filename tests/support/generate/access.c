/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Random numbers, words and guards, and random accesses to memory.
 */
#include "support/generate/state.h"
#include <assert.h>

enum space { GLOBAL, SHARED, LOCAL, GENERIC };

enum { INDEX_MASK = 255 /* maximum byte index in shared and local memory */, OFFSET_MAX = 64 };

unsigned generate_pick(struct generate_state *g, unsigned n)
{
    assert(n > 0);
    /* splitmix64 (Steele, Lea & Flood, OOPSLA 2014) */
    uint64_t z = g->random += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (unsigned)((z ^ z >> 31) % n);
}

const char *generate_word(struct generate_state *g, const char *const *words, unsigned n)
{
    return words[generate_pick(g, n)];
}

void generate_guard(struct generate_state *g)
{
    if (generate_pick(g, 3) == 0) {
        fprintf(g->out, "@%s%%p%u ", generate_pick(g, 2) ? "!" : "",
                generate_pick(g, GENERATE_PREDICATES));
    }
}

static unsigned next_address(struct generate_state *g)
{
    return g->addresses = (g->addresses + 1) % GENERATE_ADDRESSES;
}

/* Writes code that sets a register %a to a random multiple of `size` that is less than `limit`.
 * Returns the register's number. */
static unsigned index_register(struct generate_state *g, unsigned limit, unsigned size)
{
    assert((limit & (limit - 1)) == 0 && (size & (size - 1)) == 0 && size <= limit);
    unsigned a = next_address(g);
    fprintf(g->out, "\tand.b32 \t%%a%u, %%r%u, %u;\n", a, generate_pick(g, GENERATE_WORDS),
            (limit - 1) & ~(size - 1));
    return a;
}

/* Writes code that computes an address into a register %ad, or into %a for shared memory. Returns
 * the register's number. */
static unsigned address_register(struct generate_state *g, enum space space, unsigned size)
{
    unsigned a = index_register(g, space == GLOBAL ? 1024 : INDEX_MASK + 1, size);
    if (space == SHARED) {
        fprintf(g->out, "\tadd.u32 \t%%a%u, %%a%u, %%slice;\n", a, a);
        return a;
    }
    const char *base = space == GLOBAL ? "%base" : "%frame";
    fprintf(g->out, "\tcvt.u64.u32 \t%%ad%u, %%a%u;\n\tadd.s64 \t%%ad%u, %%ad%u, %s;\n", a, a, a, a,
            base);
    return a;
}

/* Writes code that computes a generic address into a register %ad. The code chooses for each thread
 * one of two addresses, which may lie in different state spaces. Returns the register's number. */
static unsigned generic_register(struct generate_state *g, unsigned size)
{
    static const char *const names[] = {"global", "shared", "local"};
    unsigned chosen[2];
    for (int i = 0; i < 2; i++) {
        enum space space = (enum space)generate_pick(g, 3);
        unsigned a = address_register(g, space, size);
        if (space == SHARED) {
            fprintf(g->out, "\tcvt.u64.u32 \t%%ad%u, %%a%u;\n", a, a);
        }
        fprintf(g->out, "\tcvta.%s.u64 \t%%ad%u, %%ad%u;\n", names[space], a, a);
        chosen[i] = a;
    }
    unsigned a = next_address(g);
    fprintf(g->out, "\tselp.b64 \t%%ad%u, %%ad%u, %%ad%u, %%p%u;\n", a, chosen[0], chosen[1],
            generate_pick(g, GENERATE_PREDICATES));
    return a;
}

static void write_address(struct generate_state *g, enum space space, unsigned a, unsigned size)
{
    assert(size > 0 && size <= OFFSET_MAX);
    int offset = (int)(generate_pick(g, OFFSET_MAX / size) * size);
    if (space == GLOBAL && generate_pick(g, 2)) {
        offset = -offset;
    }
    fprintf(g->out, "[%%a%s%u", space == SHARED ? "" : "d", a);
    if (offset) {
        fprintf(g->out, "+%d", offset);
    }
    fprintf(g->out, "]");
}

/* Writes the name of a register for an element of `size` bytes. */
static void write_register(struct generate_state *g, unsigned size)
{
    if (size == 8) {
        fprintf(g->out, "%%d%u", generate_pick(g, GENERATE_DOUBLES));
    } else {
        fprintf(g->out, "%%r%u", generate_pick(g, GENERATE_WORDS));
    }
}

/* Writes a vector of distinct registers, as vector loads require. */
static void write_vector(struct generate_state *g, unsigned count, unsigned size)
{
    unsigned registers = size == 8 ? GENERATE_DOUBLES : GENERATE_WORDS;
    assert(count <= registers);
    unsigned first = generate_pick(g, registers);
    fprintf(g->out, "{");
    for (unsigned i = 0; i < count; i++) {
        fprintf(g->out, "%s%%%c%u", i ? ", " : "", size == 8 ? 'd' : 'r', (first + i) % registers);
    }
    fprintf(g->out, "}");
}

static const char *const space_words[] = {".global", ".shared", ".local", ""};

/* Writes the modifiers of a load or store: caching or ordering, and its state space. Some are ordered
 * or volatile. */
static void access_modifiers(struct generate_state *g, enum space space, bool store)
{
    static const char *const load_orders[] = {".relaxed.cta", ".relaxed.gpu", ".relaxed.sys",
                                              ".acquire.gpu", ".acquire.cta", ".volatile"};
    static const char *const store_orders[] = {".relaxed.cta", ".relaxed.gpu", ".relaxed.sys",
                                               ".release.gpu", ".release.cta", ".volatile"};
    static const char *const load_caches[] = {".ca", ".cg", ".cs", ".lu", ".cv"};
    static const char *const store_caches[] = {".wb", ".cg", ".cs", ".wt"};
    static const char *const read_only[] = {".nc", ".ca.nc", ".cg.nc"};
    unsigned choice = generate_pick(g, 8);
    if (choice < 2 && space != LOCAL) {
        fprintf(g->out, "%s%s", store ? PICK(g, store_orders) : PICK(g, load_orders),
                space_words[space]);
    } else if (choice == 2 && space == GLOBAL && !store) {
        fprintf(g->out, ".global%s", PICK(g, read_only));
    } else if (choice == 3) {
        fprintf(g->out, "%s%s", space_words[space],
                store ? PICK(g, store_caches) : PICK(g, load_caches));
    } else {
        fprintf(g->out, "%s%s", choice == 4 ? ".weak" : "", space_words[space]);
    }
}

static char type_letter(struct generate_state *g, unsigned size)
{
    return "busf"[generate_pick(g, size >= 4 ? 4 : 3)];
}

static unsigned write_base(struct generate_state *g, enum space space, unsigned size)
{
    return space == GENERIC ? generic_register(g, size) : address_register(g, space, size);
}

/* Writes an ld, ldu or st instruction. */
static void plain_access(struct generate_state *g, enum space space, bool store)
{
    unsigned size = 1u << generate_pick(g, 4);
    unsigned count = 1u << (generate_pick(g, 2) ? 0 : generate_pick(g, size == 8 ? 2 : 3));
    unsigned a = write_base(g, space, size * count);
    bool ldu = !store && space == GLOBAL && generate_pick(g, 8) == 0;
    fprintf(g->out, "\t");
    generate_guard(g);
    if (ldu) {
        fprintf(g->out, "ldu.global");
    } else {
        fprintf(g->out, store ? "st" : "ld");
        access_modifiers(g, space, store);
    }
    if (count > 1) {
        fprintf(g->out, ".v%u", count);
    }
    fprintf(g->out, ".%c%u \t", type_letter(g, size), size * 8);
    if (store) {
        write_address(g, space, a, size * count);
        fprintf(g->out, ", ");
    }
    if (count > 1) {
        write_vector(g, count, size);
    } else {
        write_register(g, size);
    }
    if (!store) {
        fprintf(g->out, ", ");
        write_address(g, space, a, size * count);
    }
    fprintf(g->out, ";\n");
}

/* Writes an atom or red instruction. */
static void atomic_access(struct generate_state *g, enum space space)
{
    static const char *const orders[] = {"",         ".relaxed",    ".relaxed.gpu", ".release.sys",
                                         ".acq_rel", ".acquire.cta"};
    static const char *const words[] = {"add.u32", "add.s32", "min.s32", "max.u32", "and.b32",
                                        "or.b32",  "xor.b32", "inc.u32", "dec.u32", "add.f32"};
    static const char *const doubles[] = {"add.u64", "min.u64", "max.s64", "and.b64",
                                          "or.b64",  "xor.b64", "add.f64"};
    assert(space != LOCAL); /* PTX has no such operations */
    unsigned size = generate_pick(g, 3) ? 4 : 8;
    unsigned a = write_base(g, space, size);
    bool result = generate_pick(g, 2);
    /* 0: exch; 1: cas; else another operation */
    unsigned exchange = result ? generate_pick(g, 4) : 3;
    const char *order = orders[generate_pick(g, result ? 6 : 4)]; /* red has no acquire order */
    fprintf(g->out, "\t");
    generate_guard(g);
    fprintf(g->out, "%s%s%s.", result ? "atom" : "red", order, space_words[space]);
    if (exchange < 2) {
        fprintf(g->out, "%s.b%u \t", exchange ? "cas" : "exch", size * 8);
    } else {
        fprintf(g->out, "%s \t", size == 8 ? PICK(g, doubles) : PICK(g, words));
    }
    if (result) {
        write_register(g, size);
        fprintf(g->out, ", ");
    }
    write_address(g, space, a, size);
    fprintf(g->out, ", ");
    write_register(g, size);
    if (exchange == 1) {
        fprintf(g->out, ", ");
        write_register(g, size);
    }
    fprintf(g->out, ";\n");
}

/* Writes an integer addition (red) to the part of the array that all warps share. The final sum
 * does not depend on the order of the additions. */
static void common_reduction(struct generate_state *g)
{
    unsigned a = index_register(g, 1024, 4);
    fprintf(g->out, "\tcvt.u64.u32 \t%%ad%u, %%a%u;\n\tadd.s64 \t%%ad%u, %%ad%u, %%common;\n\t", a,
            a, a, a);
    generate_guard(g);
    fprintf(g->out, "red.global.add.u32 \t[%%ad%u], ", a);
    write_register(g, 4);
    fprintf(g->out, ";\n");
}

/* Writes a cp.async instruction. It has a constant size; a number of bytes to read, constant or in a
 * register; or a predicate to read nothing. */
static void copy_access(struct generate_state *g)
{
    static const char *const hints[] = {"", ".L2::64B", ".L2::128B"};
    unsigned size = 4u << generate_pick(g, 3), kind = generate_pick(g, 4);
    unsigned to = write_base(g, SHARED, size), from = write_base(g, GLOBAL, size);
    fprintf(g->out, "\tand.b32 \t%%t, %%r%u, %u;\n\t", generate_pick(g, GENERATE_WORDS), size - 1);
    generate_guard(g);
    fprintf(g->out, "cp.async.%s.shared.global%s \t", size == 16 && kind > 0 ? "cg" : "ca",
            PICK(g, hints));
    write_address(g, SHARED, to, size);
    fprintf(g->out, ", ");
    write_address(g, GLOBAL, from, size);
    fprintf(g->out, ", %u", size);
    if (kind == 1) {
        fprintf(g->out, ", %u", generate_pick(g, size + 1));
    } else if (kind == 2) {
        fprintf(g->out, ", %%t");
    } else if (kind == 3) {
        fprintf(g->out, ", %%p%u", generate_pick(g, GENERATE_PREDICATES));
    }
    fprintf(g->out, ";\n\tcp.async.wait_all;\n");
}

void generate_access(struct generate_state *g)
{
    static const enum space spaces[] = {GLOBAL,  GLOBAL,  GLOBAL, GLOBAL,
                                        GENERIC, GENERIC, SHARED, LOCAL};
    enum space space = spaces[generate_pick(g, 8)];
    unsigned choice = generate_pick(g, 10);
    if (choice < 4) {
        plain_access(g, space, false);
    } else if (choice == 4 && g->copies && (space == SHARED || space == LOCAL)) {
        copy_access(g);
    } else if (choice < 7) {
        plain_access(g, space, true);
    } else if (choice == 9) {
        common_reduction(g);
    } else {
        /* Atomic operations do not support local memory. */
        atomic_access(g, space == LOCAL || space == GENERIC ? GLOBAL : space);
    }
}
