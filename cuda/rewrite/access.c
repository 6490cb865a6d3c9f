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
    WORD_RED,
    WORD_COPY,   /* cp: some forms access global memory */
    WORD_MATRIX, /* wmma: .load and .store access memory */
    WORD_MAP,    /* tensormap: accesses global memory unless its operand is in shared memory */
    /* Accesses global memory in a way that is not traced: textures, surfaces, multimem. */
    WORD_UNTRACED,
    WORD_CALL
};

struct known_word {
    char word[20];
    enum word_class class;
};

/* The instruction words, in the order of strcmp(). */
/* clang-format off */
static const struct known_word words[] = {
    {"abs", WORD_PLAIN}, {"activemask", WORD_PLAIN}, {"add", WORD_PLAIN}, {"addc", WORD_PLAIN},
    {"alloca", WORD_PLAIN}, {"and", WORD_PLAIN}, {"applypriority", WORD_PLAIN},
    {"atom", WORD_ATOM}, {"bar", WORD_PLAIN}, {"barrier", WORD_PLAIN}, {"bfe", WORD_PLAIN},
    {"bfi", WORD_PLAIN}, {"bfind", WORD_PLAIN}, {"bmsk", WORD_PLAIN}, {"bra", WORD_PLAIN},
    {"brev", WORD_PLAIN}, {"brkpt", WORD_PLAIN}, {"brx", WORD_PLAIN}, {"call", WORD_CALL},
    {"clusterlaunchcontrol", WORD_PLAIN}, {"clz", WORD_PLAIN}, {"cnot", WORD_PLAIN},
    {"copysign", WORD_PLAIN}, {"cos", WORD_PLAIN}, {"cp", WORD_COPY},
    {"createpolicy", WORD_PLAIN}, {"cvt", WORD_PLAIN}, {"cvta", WORD_PLAIN},
    {"discard", WORD_PLAIN}, {"div", WORD_PLAIN}, {"dp2a", WORD_PLAIN}, {"dp4a", WORD_PLAIN},
    {"elect", WORD_PLAIN}, {"ex2", WORD_PLAIN}, {"exit", WORD_PLAIN}, {"fence", WORD_PLAIN},
    {"fma", WORD_PLAIN}, {"fns", WORD_PLAIN}, {"getctarank", WORD_PLAIN},
    {"griddepcontrol", WORD_PLAIN}, {"isspacep", WORD_PLAIN}, {"istypep", WORD_PLAIN},
    {"ld", WORD_LOAD}, {"ldmatrix", WORD_PLAIN}, {"ldu", WORD_LOAD}, {"lg2", WORD_PLAIN},
    {"lop3", WORD_PLAIN}, {"mad", WORD_PLAIN}, {"mad24", WORD_PLAIN}, {"madc", WORD_PLAIN},
    {"mapa", WORD_PLAIN}, {"match", WORD_PLAIN}, {"max", WORD_PLAIN}, {"mbarrier", WORD_PLAIN},
    {"membar", WORD_PLAIN}, {"min", WORD_PLAIN}, {"mma", WORD_PLAIN}, {"mov", WORD_PLAIN},
    {"movmatrix", WORD_PLAIN}, {"mul", WORD_PLAIN}, {"mul24", WORD_PLAIN},
    {"multimem", WORD_UNTRACED}, {"nanosleep", WORD_PLAIN}, {"neg", WORD_PLAIN},
    {"not", WORD_PLAIN}, {"or", WORD_PLAIN}, {"pmevent", WORD_PLAIN}, {"popc", WORD_PLAIN},
    {"prefetch", WORD_PLAIN}, {"prefetchu", WORD_PLAIN}, {"prmt", WORD_PLAIN},
    {"rcp", WORD_PLAIN}, {"red", WORD_RED}, {"redux", WORD_PLAIN}, {"rem", WORD_PLAIN},
    {"ret", WORD_PLAIN}, {"rsqrt", WORD_PLAIN}, {"sad", WORD_PLAIN}, {"selp", WORD_PLAIN},
    {"set", WORD_PLAIN}, {"setmaxnreg", WORD_PLAIN}, {"setp", WORD_PLAIN}, {"shf", WORD_PLAIN},
    {"shfl", WORD_PLAIN}, {"shl", WORD_PLAIN}, {"shr", WORD_PLAIN}, {"sin", WORD_PLAIN},
    {"slct", WORD_PLAIN}, {"sqrt", WORD_PLAIN}, {"st", WORD_STORE}, {"stackrestore", WORD_PLAIN},
    {"stacksave", WORD_PLAIN}, {"stmatrix", WORD_PLAIN}, {"sub", WORD_PLAIN},
    {"subc", WORD_PLAIN}, {"suld", WORD_UNTRACED}, {"suq", WORD_PLAIN}, {"sured", WORD_UNTRACED},
    {"sust", WORD_UNTRACED}, {"szext", WORD_PLAIN}, {"tanh", WORD_PLAIN},
    {"tcgen05", WORD_PLAIN}, {"tensormap", WORD_MAP}, {"testp", WORD_PLAIN},
    {"tex", WORD_UNTRACED}, {"tld4", WORD_UNTRACED}, {"trap", WORD_PLAIN}, {"txq", WORD_PLAIN},
    {"vabsdiff", WORD_PLAIN}, {"vabsdiff2", WORD_PLAIN}, {"vabsdiff4", WORD_PLAIN},
    {"vadd", WORD_PLAIN}, {"vadd2", WORD_PLAIN}, {"vadd4", WORD_PLAIN}, {"vavrg2", WORD_PLAIN},
    {"vavrg4", WORD_PLAIN}, {"vmad", WORD_PLAIN}, {"vmax", WORD_PLAIN}, {"vmax2", WORD_PLAIN},
    {"vmax4", WORD_PLAIN}, {"vmin", WORD_PLAIN}, {"vmin2", WORD_PLAIN}, {"vmin4", WORD_PLAIN},
    {"vote", WORD_PLAIN}, {"vset", WORD_PLAIN}, {"vset2", WORD_PLAIN}, {"vset4", WORD_PLAIN},
    {"vshl", WORD_PLAIN}, {"vshr", WORD_PLAIN}, {"vsub", WORD_PLAIN}, {"vsub2", WORD_PLAIN},
    {"vsub4", WORD_PLAIN}, {"wgmma", WORD_PLAIN}, {"wmma", WORD_MATRIX}, {"xor", WORD_PLAIN},
};
/* clang-format on */

static int compare(const void *key, const void *entry)
{
    const struct ptx_text *word = key;
    const struct known_word *known = entry;
    int order = strncmp(word->s, known->word, word->length);
    return order != 0 ? order : known->word[word->length] == '\0' ? 0 : -1;
}

static enum word_class class_of(struct ptx_text word)
{
    assert(word.length > 0);
    if (word.length >= sizeof words[0].word) {
        return WORD_UNKNOWN;
    }
    const struct known_word *known =
        bsearch(&word, words, sizeof words / sizeof *words, sizeof *words, compare);
    return known == NULL ? WORD_UNKNOWN : known->class;
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

/* Returns the number of elements that an access transfers: 1 unless a modifier names a vector. */
static uint32_t elements_of(const struct ptx_instruction *instruction)
{
    for (uint32_t i = 0; i < instruction->modifier_count; i++) {
        struct ptx_text word = instruction->modifiers[i];
        if (word.length >= 2 && word.length <= 3 && word.s[0] == 'v') {
            uint32_t number = 0;
            for (uint32_t k = 1; k < word.length; k++) {
                unsigned digit = (unsigned)(unsigned char)word.s[k] - '0';
                number = digit > 9 ? 0 : number * 10 + digit;
            }
            return number == 0 ? 1 : number;
        }
    }
    return 1;
}

/* Returns the size in bytes of a whole access, or 0 if it is unknown. */
static uint32_t size_of(const struct ptx_instruction *instruction)
{
    struct ptx_type type = ptx_instruction_type(instruction);
    bool known = type.kind != PTX_NO_KIND && type.kind != PTX_PRED;
    return known ? type.bits / 8U * elements_of(instruction) : 0;
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

/* Returns the place of the modifier, or UINT32_MAX. Only its first `length` bytes are compared. */
static uint32_t place_of(const struct ptx_instruction *in, const char *modifier, size_t length)
{
    for (uint32_t i = 0; i < in->modifier_count; i++) {
        if (in->modifiers[i].length >= length &&
            memcmp(in->modifiers[i].s, modifier, length) == 0) {
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
    uint32_t global = place_of(in, "global", 6), shared = place_of(in, "shared", 6);
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

/* Returns true if an instruction that is not traced accesses global memory, or possibly does so. */
static bool touches_global(const struct ptx_instruction *instruction, enum word_class class)
{
    switch (class) {
    case WORD_MATRIX:
        return (ptx_has(instruction, "load") || ptx_has(instruction, "store")) &&
               ptx_instruction_space(instruction) != PTX_SHARED;
    case WORD_MAP:
        return ptx_has(instruction, "global") || ptx_instruction_space(instruction) == PTX_GENERIC;
    default:
        return class == WORD_UNTRACED;
    }
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
    case WORD_RED:
        return memory_access(instruction, ACCESS_ATOMIC);
    case WORD_COPY:
        /* A copy that accesses global memory has the modifier .global. Operands without a state
         * space are in shared memory. */
        return ptx_has(instruction, "global") && !ptx_has(instruction, "prefetch")
                   ? copy_access(instruction)
                   : access;
    case WORD_UNKNOWN:
        access.kind = ACCESS_UNKNOWN;
        return access;
    case WORD_PLAIN:
    case WORD_CALL:
        return access;
    default:
        access.kind = touches_global(instruction, class) ? ACCESS_UNTRACED : ACCESS_NONE;
        return access;
    }
}
