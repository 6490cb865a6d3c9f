/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Classification of instructions for the rewriter; see access.h.
 */
#include "rewrite/access.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- Classes of all instruction words of PTX up to ISA 9 ------------------------------------- */

enum word_class {
    WORD_UNKNOWN,
    WORD_PLAIN, /* never accesses the contents of global memory */
    WORD_LOAD,
    WORD_STORE,
    WORD_ATOM,
    WORD_COPY,   /* cp: some forms access global memory */
    WORD_MATRIX, /* wmma: .load and .store access memory, the lanes of a warp together */
    WORD_MAP,    /* tensormap: accesses global memory unless its operand is in shared memory */
    /* Accesses global memory in a way that is not traced: textures, surfaces, multimem. */
    WORD_UNTRACED
};

/* The instruction words of all classes but WORD_PLAIN. */
static const struct {
    const char *word;
    enum word_class class;
} words[] = {
    {"ld", WORD_LOAD},       {"st", WORD_STORE},       {"ldu", WORD_LOAD},
    {"atom", WORD_ATOM},     {"red", WORD_ATOM},       {"cp", WORD_COPY},
    {"wmma", WORD_MATRIX},   {"tensormap", WORD_MAP},  {"multimem", WORD_UNTRACED},
    {"suld", WORD_UNTRACED}, {"sured", WORD_UNTRACED}, {"sust", WORD_UNTRACED},
    {"tex", WORD_UNTRACED},  {"tld4", WORD_UNTRACED},
};

/* Those of WORD_PLAIN, in the order of strcmp(): first those that only compute registers from registers. */
/* clang-format off */
static const char quiet[][24] = {
    "abs", "add", "addc", "and", "bfe", "bfi", "bfind", "bmsk", "brev", "clz", "cnot", "copysign",
    "cos", "cvt", "cvta", "div", "dp2a", "dp4a", "ex2", "fma", "fns", "isspacep", "istypep", "lg2",
    "lop3", "mad", "mad24", "madc", "max", "min", "mov", "mul", "mul24", "neg", "not", "or", "popc",
    "prmt", "rcp", "rem", "rsqrt", "sad", "selp", "set", "setp", "shf", "shl", "shr", "sin", "slct",
    "sqrt", "sub", "subc", "szext", "tanh", "testp", "vabsdiff", "vabsdiff2", "vabsdiff4", "vadd",
    "vadd2", "vadd4", "vavrg2", "vavrg4", "vmad", "vmax", "vmax2", "vmax4", "vmin", "vmin2",
    "vmin4", "vset", "vset2", "vset4", "vshl", "vshr", "vsub", "vsub2", "vsub4", "xor",
};
static const char plain[][24] = {
    "activemask", "alloca", "applypriority", "bar", "barrier", "bra", "brkpt", "brx", "call",
    "clusterlaunchcontrol", "createpolicy", "discard", "elect", "exit", "fence", "getctarank",
    "griddepcontrol", "ldmatrix", "mapa", "match", "mbarrier", "membar", "mma", "movmatrix",
    "nanosleep", "pmevent", "prefetch", "prefetchu", "redux", "ret", "setmaxnreg", "shfl",
    "stackrestore", "stacksave", "stmatrix", "suq", "tcgen05", "trap", "txq", "vote", "wgmma",
};
/* clang-format on */

static int compare(const void *key, const void *entry)
{
    const struct ptx_text *word = key;
    const char *known = entry;
    int order = strncmp(word->s, known, word->length);
    return order != 0 ? order : known[word->length] == '\0' ? 0 : -1;
}

static bool is_among(struct ptx_text word, const char (*list)[24], size_t n)
{
    return word.length < sizeof *list && bsearch(&word, list, n, sizeof *list, compare) != NULL;
}

static bool is_quiet(struct ptx_text word)
{
    return is_among(word, quiet, sizeof quiet / sizeof *quiet);
}

static enum word_class class_of(struct ptx_text word)
{
    assert(word.length > 0);
    if (is_quiet(word) || is_among(word, plain, sizeof plain / sizeof *plain)) {
        return WORD_PLAIN;
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (ptx_is(word, words[i].word)) {
            return words[i].class;
        }
    }
    return WORD_UNKNOWN;
}

bool access_is_quiet(const struct ptx_instruction *instruction)
{
    /* A call loses the carry of .cc, so that none is inserted behind it. */
    return is_quiet(instruction->word) ? !ptx_has(instruction, "cc")
                                       : ptx_is(instruction->word, "ld");
}

/* ---- Instructions ---------------------------------------------------------------------------- */

/* Returns the first operand of an instruction that is an address, or NULL. */
static const struct ptx_operand *address_of(const struct ptx_instruction *instruction)
{
    for (uint32_t i = 0; i < instruction->operand_count; i++) {
        const struct ptx_operand *operand = &instruction->operands[i];
        if (operand->kind == PTX_ADDRESS && operand->part_count > 0) {
            return operand;
        }
    }
    return NULL;
}

/* Returns the size in bytes of a whole access, or 0 if it is unknown. */
static uint32_t size_of(const struct ptx_instruction *instruction)
{
    struct ptx_type type = ptx_instruction_type(instruction);
    bool known = type.kind != PTX_NO_KIND && type.kind != PTX_PRED;
    return known ? type.bits / 8U * ptx_vector_size(instruction) : 0;
}

/* Returns the state space of an access. A generic access that names a variable is in the state
 * space of the variable. */
static enum ptx_space space_of(const struct ptx_instruction *instruction,
                               const struct ptx_operand *address)
{
    enum ptx_space space = ptx_instruction_space(instruction);
    assert(address == NULL || (address->kind == PTX_ADDRESS && address->part_count > 0));
    if (space == PTX_GENERIC && address != NULL && address->parts[0].kind == PTX_SYMBOL &&
        address->parts[0].variable != NULL) {
        return address->parts[0].variable->space;
    }
    return space;
}

static struct access memory_access(const struct ptx_instruction *instruction, enum access_type type)
{
    struct access access = {
        .kind = ACCESS_ELSEWHERE, .type = type, .address = address_of(instruction)};
    enum ptx_space space = space_of(instruction, access.address);
    bool apart = ptx_has(instruction, "async") || ptx_has(instruction, "bulk");
    if ((space != PTX_GLOBAL && space != PTX_GENERIC) || (apart && space == PTX_GENERIC)) {
        /* without a state space, st.async, red.async and st.bulk access shared memory */
        return access;
    }
    access.size = size_of(instruction);
    access.generic = space == PTX_GENERIC;
    access.kind = access.size == 0 || access.address == NULL ? ACCESS_UNTRACED : ACCESS_TRACED;
    return access;
}

/* Returns the place of the first modifier that begins with a word, or UINT32_MAX. */
static uint32_t place_of(const struct ptx_instruction *in, const char *word)
{
    for (uint32_t i = 0; i < in->modifier_count; i++) {
        if (in->modifiers[i].length >= strlen(word) &&
            memcmp(in->modifiers[i].s, word, strlen(word)) == 0) {
            return i;
        }
    }
    return UINT32_MAX;
}

/* Sets the size of a copy, of which `size` is an operand: a number or a register of 32 bits. Returns
 * false if it is something else. */
static bool copy_size(struct access *access, const struct ptx_operand *size)
{
    if (size->kind == PTX_INTEGER) {
        access->size = size->bits < access->size ? (uint32_t)size->bits : access->size;
        return true;
    }
    access->bytes = size;
    return size->kind == PTX_REGISTER && size->variable != NULL && size->variable->type.bits == 32;
}

/* Classifies a copy that accesses global memory. Its operands are the destination, the source and
 * the size. In cp.async without .bulk, the size is a constant, and a register or constant with the
 * number of bytes to read may follow, or a predicate to read nothing. A policy may be the last
 * operand. The modifiers state the spaces of destination and source, in this order. */
static struct access copy_access(const struct ptx_instruction *in)
{
    struct access untraced = {.kind = ACCESS_UNTRACED}, access = untraced;
    uint32_t global = place_of(in, "global"), shared = place_of(in, "shared");
    bool is_bulk = ptx_has(in, "bulk"), is_store = global < shared;
    uint32_t count = in->operand_count - (in->operand_count > 0 && ptx_has(in, "L2::cache_hint"));
    if (!ptx_has(in, "async") || ptx_has(in, "tensor") || shared == UINT32_MAX || count < 3 ||
        (is_store && !is_bulk)) {
        return untraced;
    }
    access.type = ptx_has(in, "reduce") ? ACCESS_ATOMIC : is_store ? ACCESS_STORE : ACCESS_LOAD;
    access.address = &in->operands[is_store ? 0 : 1];
    access.size = ACCESS_SIZE_MAX;
    bool good = access.address->kind == PTX_ADDRESS && access.address->part_count == 1 &&
                copy_size(&access, &in->operands[2]);
    const struct ptx_operand *more = count > 3 && !is_bulk ? &in->operands[3] : NULL;
    if (more != NULL && more->kind == PTX_REGISTER && more->variable != NULL &&
        more->variable->type.kind == PTX_PRED) {
        access.ignored = more;
    } else if (more != NULL) {
        good = good && copy_size(&access, more);
    }
    /* A copy of no bytes is no access. */
    access.kind = good && access.size > 0 ? ACCESS_TRACED : good ? ACCESS_NONE : ACCESS_UNTRACED;
    return access;
}

/* Classifies wmma.load and wmma.store. */
static struct access matrix_access(const struct ptx_instruction *in)
{
    bool is_store = ptx_has(in, "store");
    struct access access = {.kind = ACCESS_NONE, .type = is_store ? ACCESS_STORE : ACCESS_LOAD};
    enum ptx_space space = space_of(in, address_of(in));
    if ((!is_store && !ptx_has(in, "load")) || (space != PTX_GLOBAL && space != PTX_GENERIC)) {
        return access;
    }
    bool good = ptx_matrix(in, &access.matrix);
    access.size = access.matrix.part;
    access.generic = space == PTX_GENERIC;
    access.address = address_of(in);
    access.stride = in->operand_count > 2 ? &in->operands[2] : NULL;
    access.kind = good && access.address != NULL ? ACCESS_TRACED : ACCESS_UNTRACED;
    return access;
}

struct access access_of(const struct ptx_instruction *instruction)
{
    enum word_class class = class_of(instruction->word);
    struct access access = {.kind = ACCESS_NONE};
    switch (class) {
    case WORD_LOAD:
        return memory_access(instruction, ACCESS_LOAD);
    case WORD_STORE:
        return memory_access(instruction, ACCESS_STORE);
    case WORD_ATOM:
        return memory_access(instruction, ACCESS_ATOMIC);
    case WORD_COPY:
        /* A copy that accesses global memory has the modifier .global. Operands without a state
         * space are in shared memory. */
        return ptx_has(instruction, "global") && !ptx_has(instruction, "prefetch")
                   ? copy_access(instruction)
                   : access;
    case WORD_MATRIX:
        return matrix_access(instruction);
    case WORD_UNKNOWN:
        access.kind = ACCESS_UNKNOWN;
        return access;
    case WORD_PLAIN:
        return access;
    case WORD_MAP:
        access.kind =
            ptx_has(instruction, "global") || ptx_instruction_space(instruction) == PTX_GENERIC
                ? ACCESS_UNTRACED
                : ACCESS_NONE;
        return access;
    default:
        access.kind = ACCESS_UNTRACED;
        return access;
    }
}
