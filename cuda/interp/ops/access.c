/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ld, st, cp.async, prefetches and fences.
 */
#include "interp/rules.h"
#include <assert.h>
#include <string.h>

/* Marks the running loop of the warp if the access is strong. Handlers of ld and st use these
 * members of the op: d: register of a single element; extra: registers of a vector; a, imm:
 * address; c: number of elements; b: alignment. */
static inline void note(struct warp *warp, const struct op *op)
{
    if ((op->flags & (OP_STRONG | OP_TOOL)) == OP_STRONG) {
        warp->strong = true;
    }
}

/* Defines the handler of a load of type M into registers of type R. Each element is loaded
 * atomically and in order (acquire), which costs nothing on processors such as x86. */
#define LOAD(name, M, R)                                                                           \
    static void name(struct warp *warp, const struct op *op)                                       \
    {                                                                                              \
        const operand *parts = op->extra;                                                          \
        if (!access_memory(warp, op, op->size, op->b, ACCESS_LOAD)) {                              \
            return;                                                                                \
        }                                                                                          \
        note(warp, op);                                                                            \
        for (uint32_t n = 0; n < op->c; n++) {                                                     \
            R *d = reg(warp, parts ? parts[n] : op->d);                                            \
            FOR_MASK(warp->mask, {                                                                 \
                const M *from = (const M *)warp->at[i] + n;                                        \
                d[i] = (R)__atomic_load_n(from, __ATOMIC_ACQUIRE);                                 \
            })                                                                                     \
        }                                                                                          \
    }

#define STORE(name, M, R)                                                                          \
    static void name(struct warp *warp, const struct op *op)                                       \
    {                                                                                              \
        const operand *parts = op->extra;                                                          \
        if (!access_memory(warp, op, op->size, op->b, ACCESS_STORE)) {                             \
            return;                                                                                \
        }                                                                                          \
        FOR_MASK(warp->mask, {                                                                     \
            for (uint32_t n = 0; n < op->c; n++) {                                                 \
                const R *a = reg(warp, parts ? parts[n] : op->d);                                  \
                __atomic_store_n((M *)warp->at[i] + n, (M)a[i], __ATOMIC_RELEASE);                 \
            }                                                                                      \
        })                                                                                         \
    }

/* Define the handlers of three widths of registers for elements of type M, which is signed if the bits above
 * them are copies of their sign; and name them. */
#define WIDTHS(define, name, M)                                                                    \
    define(name##_16, M, uint16_t) define(name##_32, M, uint32_t) define(name##_64, M, uint64_t)
#define NAMES(name)                                                                                \
    {                                                                                              \
        name##_16, name##_32, name##_64                                                            \
    }
WIDTHS(LOAD, load_u8, uint8_t)
WIDTHS(LOAD, load_u16, uint16_t)
WIDTHS(LOAD, load_u32, uint32_t)
WIDTHS(LOAD, load_u64, uint64_t)
WIDTHS(LOAD, load_s8, int8_t)
WIDTHS(LOAD, load_s16, int16_t)
WIDTHS(LOAD, load_s32, int32_t)
WIDTHS(STORE, store_u8, uint8_t)
WIDTHS(STORE, store_u16, uint16_t)
WIDTHS(STORE, store_u32, uint32_t)
WIDTHS(STORE, store_u64, uint64_t)

static void load_128(struct warp *warp, const struct op *op)
{
    struct wide *d = reg(warp, op->d);
    if (access_memory(warp, op, 16, 16, ACCESS_LOAD)) {
        note(warp, op);
        FOR_MASK(warp->mask, { d[i] = *(const struct wide *)warp->at[i]; })
    }
}

static void store_128(struct warp *warp, const struct op *op)
{
    const struct wide *a = reg(warp, op->d);
    if (access_memory(warp, op, 16, 16, ACCESS_STORE)) {
        FOR_MASK(warp->mask, { *(struct wide *)warp->at[i] = a[i]; })
    }
}

/* Handlers of loads and stores. The indexes are: of loads, 1 if the type is signed, else 0; log2 of
 * the element size in bytes; log2 of the register width in bytes, minus 1. */
static const op_handler loads[2][4][3] = {
    {NAMES(load_u8), NAMES(load_u16), NAMES(load_u32), NAMES(load_u64)},
    {NAMES(load_s8), NAMES(load_s16), NAMES(load_s32), NAMES(load_u64)},
};
static const op_handler stores[4][3] = {NAMES(store_u8), NAMES(store_u16), NAMES(store_u32),
                                        NAMES(store_u64)};

/* Decodes the registers of a load or store. Returns the width of the registers in bytes. */
static uint32_t decode_values(struct decoder *decoder, const struct ptx_operand *list,
                              uint32_t bytes, bool load)
{
    struct op *op = decoder->op;
    list = decode_elements(decoder, list, &op->c);
    if (op->c != ptx_vector_size(decoder->in)) {
        decode_refuse(decoder);
    }
    uint32_t width = decode_width_of(decoder, list, op->c, bytes);
    if (op->c > 1) {
        op->extra = decode_registers(decoder, list, op->c, width, load);
    } else {
        op->d =
            load ? decode_destination(decoder, list, width) : decode_source(decoder, list, width);
    }
    return width;
}

static bool is_strong(const struct ptx_instruction *in)
{
    return ptx_has(in, "volatile") || ptx_has(in, "relaxed") || ptx_has(in, "acquire") ||
           ptx_has(in, "release") || ptx_has(in, "mmio") || ptx_has(in, "cv");
}

static bool decode_access(struct decoder *decoder, const struct ptx_instruction *in, struct op *op,
                          bool load)
{
    struct ptx_type type = ptx_instruction_type(in);
    uint32_t bytes = type.bits / 8u;
    if (type.kind == PTX_PRED || bytes == 0 || bytes > 16 || (bytes & (bytes - 1))) {
        return false;
    }
    uint32_t width = decode_values(decoder, decode_operand(decoder, load ? 0 : 1), bytes, load);
    decode_address(decoder, decode_operand(decoder, load ? 1 : 0), ptx_instruction_space(in));
    op->flags |= is_strong(in) ? OP_STRONG : 0;
    if (bytes == 16 && width == 16 && op->c == 1) {
        op->size = 16;
        op->run = load ? load_128 : store_128;
        return true;
    }
    if (bytes > 8 || width < 2 || width < bytes || width > 8) {
        return false;
    }
    unsigned log_bytes = (unsigned)__builtin_ctz(bytes),
             log_width = (unsigned)__builtin_ctz(width) - 1;
    assert(log_bytes < 4 && log_width < 3);
    op->size = (uint8_t)(bytes * op->c);
    op->b = op->size;
    op->run =
        load ? loads[type.kind == PTX_SIGNED][log_bytes][log_width] : stores[log_bytes][log_width];
    return op->size <= 32;
}

static bool decode_ld(struct decoder *decoder, const struct ptx_instruction *in, struct op *op)
{
    return decode_access(decoder, in, op, true);
}

static bool decode_st(struct decoder *decoder, const struct ptx_instruction *in, struct op *op)
{
    if (ptx_has(in, "bulk") || !decode_access(decoder, in, op, false)) {
        return false;
    }
    if (ptx_has(in, "async")) {
        decode_completion(decoder, op->size, 2);
    }
    return true;
}

/* ---- Asynchronous copies to shared memory (cp.async), executed at once ----------------------- */

/* Writes op->size bytes to shared memory: first bytes from global memory, then zeros. op->a, imm:
 * address in shared memory; op->c: register with the number of bytes to copy; op->extra: op with
 * the address in global memory, and in e a predicate of the lanes that copy nothing. Lanes with
 * different sizes make their accesses one after the other, in the order of lanes. */
static void cp_async(struct warp *warp, const struct op *op)
{
    const struct op *from = op->extra;
    void *to[WARP_LANES];
    const uint32_t *given = reg(warp, op->c);
    uint32_t size[WARP_LANES], mask = warp->mask, left = 0;
    assert(op->size == 4 || op->size == 8 || op->size == 16);
    if (!access_memory(warp, op, op->size, op->size, ACCESS_STORE)) {
        return;
    }
    memcpy(to, warp->at, sizeof to);
    uint32_t ignored = pred(warp, from->e);
    FOR_MASK(mask, {
        size[i] = ignored >> i & 1 ? 0 : given[i] < op->size ? given[i] : op->size;
        left |= (uint32_t)(size[i] > 0) << i;
        memset((char *)to[i] + size[i], 0, op->size - size[i]);
    })
    while (left) {
        uint32_t bytes = size[__builtin_ctz(left)];
        for (warp->mask = 0; left && size[__builtin_ctz(left)] == bytes; left &= left - 1) {
            warp->mask |= left & (0 - left);
        }
        if (!access_memory(warp, from, bytes, op->size, ACCESS_LOAD)) {
            break;
        }
        FOR_MASK(warp->mask, { memcpy(to[i], warp->at[i], bytes); })
    }
    warp->mask = mask;
}

/* ---- Bulk copies (cp.async.bulk) and reductions (cp.reduce.async.bulk), executed at once --------- */

/* Of a range of bytes. op->b: number of bytes. */
struct bulk_range {
    struct bulk bulk;
    struct op from;
    struct op element; /* .run: operation of cp.reduce; NULL: a copy */
};

static bool range_copy(struct warp *warp, const struct op *op, bool is_first)
{
    const struct bulk_range *range = op->extra;
    unsigned i = (unsigned)__builtin_ctz(warp->mask);
    uint32_t size = ((const uint32_t *)reg(warp, op->b))[i];
    struct op from = range->from;
    from.flags |= is_first ? 0 : OP_PART;
    if (size % 16) {
        fault(warp, op, i, INTERP_MISALIGNED, "cp.async.bulk of %u bytes, not a multiple of 16",
              size);
        return false;
    }
    if (size > 0 && !access_range(warp, &from, size, 16, ACCESS_LOAD)) {
        return false;
    }
    const void *source = warp->at[i];
    enum access how = range->element.run ? ACCESS_ATOMIC : ACCESS_STORE;
    if (size > 0 && !access_range(warp, op, size, 16, how)) {
        return false;
    }
    if (range->element.run) {
        atomic_bulk(warp, &range->element, lane_address(warp, op, i), source, size);
    } else if (size > 0) {
        memcpy(warp->at[i], source, size);
    }
    return true;
}

static bool decode_bulk(struct decoder *decoder, const struct ptx_instruction *in, struct op *op)
{
    bool has_barrier = ptx_has(in, "mbarrier::complete_tx::bytes"), global = ptx_has(in, "global");
    struct bulk_range *range = decode_memory(decoder, sizeof *range);
    if (has_barrier == ptx_has(in, "bulk_group") || ptx_has(in, "cp_mask")) {
        return false;
    }
    if (ptx_has(in, "reduce") &&
        !decode_atomic_bulk(decoder, &range->element, global ? PTX_GLOBAL : PTX_SHARED,
                            ptx_instruction_type(in).name)) {
        return false;
    }
    /* Of the two spaces, the first is that of the destination. */
    bool is_from = global && ptx_instruction_space(in) == PTX_SHARED;
    op->b = decode_source_at(decoder, 2, 4);
    range->bulk.copy = range_copy;
    range->from =
        decode_addressed(decoder, decode_operand(decoder, 1), is_from ? PTX_GLOBAL : PTX_SHARED);
    if (has_barrier) {
        range->bulk.barrier = decode_complete(decoder, 3, op->b, PTX_SHARED);
    }
    decode_address(decoder, decode_operand(decoder, 0),
                   global && !is_from ? PTX_GLOBAL : PTX_SHARED);
    op->extra = range;
    op->run = bulk_run;
    return decode_ctas(decoder, 4);
}

static bool decode_cp(struct decoder *decoder, const struct ptx_instruction *in, struct op *op)
{
    if (!ptx_has(in, "async")) {
        return false;
    }
    if (ptx_has(in, "commit_group") || ptx_has(in, "wait_group") || ptx_has(in, "wait_all") ||
        ptx_has(in, "prefetch")) {
        op->run = op_nothing;
        return true;
    }
    if (ptx_has(in, "bulk") || ptx_has(in, "mbarrier")) {
        return ptx_has(in, "tensor") ? decode_tensor(decoder, in, op)
               : ptx_has(in, "bulk") ? decode_bulk(decoder, in, op)
                                     : decode_copy_arrival(decoder);
    }
    const struct ptx_operand *size = decode_operand(decoder, 2);
    struct op *from = decode_memory(decoder, sizeof *from);
    if (size->kind != PTX_INTEGER || (size->bits != 4 && size->bits != 8 && size->bits != 16)) {
        return false;
    }
    *from = decode_addressed(decoder, decode_operand(decoder, 1), PTX_GLOBAL);
    decode_address(decoder, decode_operand(decoder, 0), PTX_SHARED);
    op->size = (uint8_t)size->bits;
    bool has_policy = ptx_has(in, "L2::cache_hint");
    const struct ptx_operand *more =
        in->operand_count > (has_policy ? 4 : 3) ? &in->operands[3] : size;
    bool is_predicate = decode_register_width(decoder, more) == 1;
    from->e = is_predicate ? decode_source(decoder, more, 1) : decode_constant(decoder, 0, 1);
    if (more->negated) {
        return false;
    }
    op->c = decode_source(decoder, is_predicate ? size : more, 4);
    op->extra = from;
    return true;
}

/* ---- Fences and hints ------------------------------------------------------------------------------- */

static void fence(struct warp *warp, const struct op *op)
{
    (void)warp;
    (void)op;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

static bool decode_hint(struct decoder *decoder, const struct ptx_instruction *in, struct op *op)
{
    (void)decoder;
    (void)op;
    return !ptx_has(in, "bulk");
}

const struct rule memory_rules[] = {
    {"ld", .decode = decode_ld},
    {"ldu", .decode = decode_ld},
    {"st", .decode = decode_st},
    {"cp", cp_async, .decode = decode_cp},
    {"membar", fence, .decode = decode_hint},
    {"fence", fence, .decode = decode_hint},
    {"prefetch", op_nothing, .decode = decode_hint},
    {"prefetchu", op_nothing, .decode = decode_hint},
    {"discard", op_nothing, .decode = decode_hint},
    {"applypriority", op_nothing, .decode = decode_hint},
    {NULL, NULL, NULL, NULL},
};
