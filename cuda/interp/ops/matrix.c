/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Matrices that the threads of a warp hold together: wmma, mma, and ldmatrix, stmatrix and movmatrix.
 *
 * The ISA states which thread holds which elements for mma; for wmma it leaves this open. Here, each
 * thread then holds as many consecutive elements, row by row. Its access to memory is one of 32 equal
 * parts of the matrix (struct ptx_matrix), which the rewriter records, too.
 *
 * Products and their sums are computed as f64, and rounded once.
 */
#include "interp/rules.h"
#include "ptx/small_float.h"
#include <assert.h>
#include <string.h>

enum element { E_F16, E_BF16, E_TF32, E_F32, E_F64, E_S32, E_U8, E_S8, E_U4, E_S4, E_B1, ELEMENTS };
/* real: type of real numbers; NUMBERS: integers. */
static const struct {
    const char *name;
    uint8_t bits;
    bool is_signed;
    enum number real;
} elements[ELEMENTS] = {
    {"f16", 16, false, N_F16}, {"bf16", 16, false, N_BF16}, {"tf32", 32, false, N_TF32},
    {"f32", 32, false, N_F32}, {"f64", 64, false, N_F64},   {"s32", 32, true, NUMBERS},
    {"u8", 8, false, NUMBERS}, {"s8", 8, true, NUMBERS},    {"u4", 4, false, NUMBERS},
    {"s4", 4, true, NUMBERS},  {"b1", 1, false, NUMBERS}};

/* Which elements a thread holds: parts of A, B and C of mma, those of mma.m8n8k4 with f16, in which four
 * groups of eight threads multiply matrices of their own, and those of wmma. */
enum layout { PART_A, PART_B, PART_C, QUAD_ROW, QUAD_COLUMN, QUAD_C, PART_WMMA };
struct fragment {
    enum element type;
    enum layout layout;
    bool is_right; /* QUAD_...: the matrix B */
    uint32_t rows, columns;
    uint32_t count; /* number of registers */
    const operand *registers;
};

union cell {
    uint64_t bits;
    double value;
};
enum { CELLS_MAX = 16 * 256 }; /* A of mma.m16n8k256 */

/* Returns the number of matrices that a fragment is part of. */
static uint32_t matrices(const struct fragment *f)
{
    return f->layout == QUAD_ROW || f->layout == QUAD_COLUMN || f->layout == QUAD_C ? 4 : 1;
}

/* Returns the number of elements in one register. */
static uint32_t packed(const struct fragment *f)
{
    return elements[f->type].bits >= 32 ? 1 : 32u / elements[f->type].bits;
}

/* Returns the index of an element of mma.m8n8k4. */
static uint32_t quad_cell(const struct fragment *f, unsigned lane, uint32_t slot)
{
    uint32_t in_quad = lane & 3, high = lane >> 4 << 2, row = in_quad + high, column = slot;
    if (f->layout == QUAD_C && f->type == E_F32) {
        row = (in_quad & 1) + (slot & 2) + high;
        column = (slot & 4) + (in_quad & 2) + (slot & 1);
    } else if (f->layout != QUAD_C && f->is_right) {
        row = f->layout == QUAD_ROW ? in_quad : slot;
        column = (f->layout == QUAD_ROW ? slot : in_quad) + high;
    } else if (f->layout == QUAD_COLUMN) {
        row = slot + high;
        column = in_quad;
    }
    return ((lane >> 2 & 3) * f->rows + row) * f->columns + column;
}

/* Returns the index, row by row, of the element that is in a slot of a lane's registers. */
static uint32_t cell_of(const struct fragment *f, unsigned lane, uint32_t slot)
{
    uint32_t n = packed(f), r = slot / n, i = slot % n, group = lane >> 2, in_group = lane & 3;
    uint32_t each = f->rows * f->columns / WARP_LANES;
    switch (f->layout) {
    case PART_A:
        return (group + 8 * (r & 1)) * f->columns + in_group * n + i + (r >> 1) * 4 * n;
    case PART_B:
        return (in_group * n + i + 4 * n * r) * f->columns + group;
    case PART_C:
        return (group + 8 * (slot >> 1)) * f->columns + 2 * in_group + (slot & 1);
    case PART_WMMA:
        return lane * each + slot % each; /* A and B of f16 may be there twice */
    default:
        return quad_cell(f, lane, slot);
    }
}

/* Collects the bits of all elements from the registers of the lanes in the mask; those of lanes that have
 * exited are 0. */
static void gather(const struct warp *warp, const struct fragment *f, union cell *cells)
{
    uint32_t n = packed(f), bits = elements[f->type].bits, width = bits == 64 ? 8 : 4;
    memset(cells, 0, f->rows * f->columns * matrices(f) * sizeof *cells);
    for (uint32_t slot = 0; slot < f->count * n; slot++) {
        const void *from = reg(warp, f->registers[slot / n]);
        FOR_MASK(warp->mask, {
            cells[cell_of(f, i, slot)].bits =
                (uint64_t)extended(lane_value(from, width, i) >> (slot % n * bits), bits, false);
        })
    }
}

static void scatter(const struct warp *warp, const struct fragment *f, const union cell *cells)
{
    uint32_t n = packed(f), bits = elements[f->type].bits, width = bits == 64 ? 8 : 4;
    for (uint32_t r = 0; r < f->count; r++) {
        void *to = reg(warp, f->registers[r]);
        FOR_MASK(warp->mask, {
            uint64_t value = 0;
            for (uint32_t k = 0; k < n; k++) {
                value |= cells[cell_of(f, i, r * n + k)].bits << (k * bits);
            }
            set_lane(to, width, i, value);
        })
    }
}

/* ---- Products (mma, wmma.mma) ----------------------------------------------------------------- */

struct product {
    struct fragment d, a, b, c;
    bool saturates, by_xor; /* by_xor: bits that differ are counted; else those that are both 1 */
    const struct op *meet;
};

static double value_of(enum element type, uint64_t bits)
{
    return elements[type].real != NUMBERS
               ? number_value(elements[type].real, bits)
               : (double)extended(bits, elements[type].bits, elements[type].is_signed);
}

static uint64_t bits_of(enum element type, double value, bool saturates)
{
    if (elements[type].real != NUMBERS) {
        return number_bits(elements[type].real, value, ROUND_NEAREST, false);
    }
    /* integers below 2^53 */
    return (uint32_t)(saturates ? limited((int64_t)value, 32, true) : (int64_t)value);
}

static void take_numbers(const struct warp *warp, const struct fragment *f, union cell *cells)
{
    gather(warp, f, cells);
    for (uint32_t i = 0; i < f->rows * f->columns * matrices(f); i++) {
        cells[i].value = value_of(f->type, cells[i].bits);
    }
}

static void multiply(const struct product *p, const union cell *a, const union cell *b,
                     union cell *c)
{
    for (uint32_t row = 0; row < p->c.rows; row++) {
        for (uint32_t column = 0; column < p->c.columns; column++) {
            union cell *to = &c[row * p->c.columns + column];
            double sum = 0;
            for (uint32_t k = 0; k < p->a.columns; k++) {
                double x = a[row * p->a.columns + k].value, y = b[k * p->b.columns + column].value;
                sum += p->by_xor ? (double)(x != y) : x * y;
            }
            to->bits = bits_of(p->d.type, to->value + sum, p->saturates);
        }
    }
}

static void product_run(struct warp *warp, const struct op *op)
{
    const struct product *p = op->extra;
    union cell a[CELLS_MAX], b[CELLS_MAX], c[CELLS_MAX];
    if (!sync_aligned(warp, op, p->meet)) {
        return;
    }
    take_numbers(warp, &p->a, a);
    take_numbers(warp, &p->b, b);
    take_numbers(warp, &p->c, c);
    for (uint32_t i = 0; i < matrices(&p->c); i++) {
        multiply(p, a + i * p->a.rows * p->a.columns, b + i * p->b.rows * p->b.columns,
                 c + i * p->c.rows * p->c.columns);
    }
    scatter(warp, &p->d, c);
}

/* ---- Decoding --------------------------------------------------------------------------------- */

/* Stores the types among the modifiers. Returns their number, at most 4. */
static uint32_t types_of(const struct ptx_instruction *in, enum element *types)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < in->modifier_count && count < 4; i++) {
        int type = PTX_FIND(in->modifiers[i], elements);
        if (type >= 0) {
            types[count++] = (enum element)type;
        }
    }
    return count;
}

/* Decodes the registers of a fragment, of which the other members are set. */
static bool decode_fragment(struct decoder *decoder, struct fragment *f, uint32_t n, bool is_result)
{
    const struct ptx_operand *list =
        decode_elements(decoder, decode_operand(decoder, n), &f->count);
    uint32_t width = f->type == E_F64 ? 8 : 4;
    uint32_t held = f->rows * f->columns * matrices(f) / WARP_LANES;
    if (held == 0 || f->rows * f->columns > CELLS_MAX) {
        return false;
    }
    f->registers = decode_registers(decoder, list, f->count, width, is_result);
    uint32_t slots = f->count * packed(f);
    return f->layout == PART_WMMA ? slots % held == 0 : slots == held;
}

/* Returns true if mma has this shape: the rows of A have 128 or 256 bits, those of f64 up to 1024. */
static bool is_mma(struct ptx_shape s, enum element type)
{
    uint32_t bits = s.k * elements[type].bits;
    return s.n == 8 && ((s.m == 8 && bits == (type == E_F64 ? 256 : 128)) ||
                        (s.m == 16 && (type == E_F64 ? s.k == 4 || s.k == 8 || s.k == 16
                                                     : bits == 128 || bits == 256)));
}

static bool decode_product(struct decoder *decoder, const struct ptx_instruction *in, struct op *op)
{
    bool is_wmma = ptx_is(in->word, "wmma");
    struct product *p = decode_memory(decoder, sizeof *p);
    struct ptx_shape s;
    enum element t[4];
    uint32_t count = types_of(in, t);
    if (!ptx_shape(in, &s) || ptx_has(in, "sp") || (count != 4 && (count != 2 || !is_wmma))) {
        return false;
    }
    if (count == 2) { /* wmma of f16 names the types of D and C only */
        t[3] = t[1];
        t[1] = t[2] = E_F16;
    }
    bool is_quad = !is_wmma && s.m == 8 && s.n == 8 && s.k == 4 && t[1] == E_F16;
    if (!is_wmma && !is_quad && !is_mma(s, t[1])) {
        return false;
    }
    enum layout a = PART_A, b = PART_B, c = PART_C;
    if (is_wmma) {
        a = b = c = PART_WMMA;
    } else if (is_quad) {
        /* .sync.aligned, the shape, and the layouts */
        a = ptx_is(in->modifiers[3], "col") ? QUAD_COLUMN : QUAD_ROW;
        b = ptx_is(in->modifiers[4], "col") ? QUAD_COLUMN : QUAD_ROW;
        c = QUAD_C;
    }
    p->a = (struct fragment){t[1], a, false, s.m, s.k, 0, NULL};
    p->b = (struct fragment){t[2], b, true, s.k, s.n, 0, NULL};
    p->c = (struct fragment){t[3], c, false, s.m, s.n, 0, NULL};
    p->d = (struct fragment){t[0], c, false, s.m, s.n, 0, NULL};
    p->saturates = ptx_has(in, "satfinite");
    p->by_xor = ptx_has(in, "xor");
    p->meet = decode_meeting(decoder);
    op->extra = p;
    op->run = product_run;
    return decode_fragment(decoder, &p->d, 0, true) && decode_fragment(decoder, &p->a, 1, false) &&
           decode_fragment(decoder, &p->b, 2, false) && decode_fragment(decoder, &p->c, 3, false);
}

/* ---- wmma.load, wmma.store -------------------------------------------------------------------- */

struct transfer {
    struct fragment f;
    struct op access; /* the access of each lane */
    operand stride;   /* elements from line to line */
    struct ptx_matrix matrix;
    bool is_store;
    const struct op *meet;
};

/* Sets the address of each lane's part of the matrix. */
static void set_parts(const struct warp *warp, const struct op *op, const struct transfer *t)
{
    uint32_t in_line = WARP_LANES / t->matrix.lines;
    const uint32_t *stride = reg(warp, t->stride);
    uint64_t *to = reg(warp, t->access.a);
    FOR_MASK(warp->mask, {
        to[i] = lane_address(warp, op, i) +
                (uint64_t)(i / in_line) * stride[i] * t->matrix.bits / 8 +
                (uint64_t)(i % in_line) * t->matrix.part;
    })
}

/* Returns the index of element `k` of the part of a lane. */
static uint32_t part_cell(const struct transfer *t, unsigned lane, uint32_t k)
{
    uint32_t rows = t->f.rows, columns = t->f.columns;
    uint32_t at = lane * (rows * columns / WARP_LANES) + k;
    return t->matrix.by_rows ? at : at % rows * columns + at / rows;
}

static void transfer_run(struct warp *warp, const struct op *op)
{
    const struct transfer *t = op->extra;
    union cell cells[CELLS_MAX];
    uint32_t bits = elements[t->f.type].bits;
    if (!sync_aligned(warp, op, t->meet)) {
        return;
    }
    uint32_t bytes = t->matrix.part;
    set_parts(warp, op, t);
    if (!access_range(warp, &t->access, bytes, bytes < 16 ? bytes : 16,
                      t->is_store ? ACCESS_STORE : ACCESS_LOAD)) {
        return;
    }
    gather(warp, &t->f, cells);
    FOR_MASK(warp->mask, {
        uint64_t words[4] = {0};
        assert(bytes <= sizeof words);
        memcpy(words, warp->at[i], t->is_store ? 0 : bytes);
        for (uint32_t k = 0; k < bytes * 8 / bits; k++) {
            union cell *one = &cells[part_cell(t, i, k)];
            uint64_t *word = &words[k * bits / 64];
            if (t->is_store) {
                *word |= one->bits << k * bits % 64;
            } else {
                one->bits = (uint64_t)extended(*word >> k * bits % 64, bits, false);
            }
        }
        memcpy(warp->at[i], words, t->is_store ? bytes : 0);
    })
    if (!t->is_store) {
        scatter(warp, &t->f, cells);
    }
}

static bool decode_wmma(struct decoder *decoder, const struct ptx_instruction *in, struct op *op)
{
    bool is_store = ptx_has(in, "store");
    if (!is_store && !ptx_has(in, "load")) {
        return decode_product(decoder, in, op);
    }
    struct transfer *t = decode_memory(decoder, sizeof *t);
    enum element types[4];
    if (!ptx_matrix(in, &t->matrix) || types_of(in, types) != 1) {
        return false;
    }
    t->f =
        (struct fragment){types[0], PART_WMMA, false, t->matrix.rows, t->matrix.columns, 0, NULL};
    t->is_store = is_store;
    if (!decode_fragment(decoder, &t->f, is_store ? 1 : 0, !is_store)) {
        return false;
    }
    decode_address(decoder, decode_operand(decoder, is_store ? 0 : 1), ptx_instruction_space(in));
    t->access = *op;
    t->access.a = decode_new_register(decoder, 8);
    t->access.imm = 0;
    t->access.flags |= OP_WIDE;
    t->stride = in->operand_count > 2 ? decode_source_at(decoder, 2, 4)
                                      : decode_constant(decoder, t->matrix.length, 4);
    t->meet = decode_meeting(decoder);
    op->extra = t;
    op->run = transfer_run;
    return true;
}

/* ---- ldmatrix, stmatrix, movmatrix ------------------------------------------------------------- */

/* Matrices of 8 x 8 elements of 16 bits. Registers hold 1, 2 or 4 of them like the part A of mma that
 * consists of them: the second one below the first, and the others to the right. */
struct eights {
    struct fragment f;
    struct fragment from; /* of movmatrix */
    bool is_store, is_transposed;
    const struct op *meet;
};

/* Returns the index of an element of matrix m. */
static uint32_t eight_cell(const struct eights *e, uint32_t m, uint32_t row, uint32_t column)
{
    uint32_t r = e->is_transposed ? column : row, c = e->is_transposed ? row : column;
    return (8 * (m & 1) + r) * e->f.columns + 8 * (m >> 1) + c;
}

/* Handler of ldmatrix and stmatrix: lane 8 m + r has the address of row r of matrix m. */
static void eights_run(struct warp *warp, const struct op *op)
{
    const struct eights *e = op->extra;
    union cell cells[256];
    uint32_t mask = warp->mask;
    if (!sync_aligned(warp, op, e->meet)) {
        return;
    }
    gather(warp, &e->f, cells); /* lanes that have exited load nothing */
    warp->mask &= e->f.count == 4 ? ALL_LANES : (1u << (8 * e->f.count)) - 1;
    bool good = access_memory(warp, op, 16, 16, e->is_store ? ACCESS_STORE : ACCESS_LOAD);
    FOR_MASK(good ? warp->mask : 0, {
        uint16_t *at = (uint16_t *)warp->at[i];
        for (uint32_t k = 0; k < 8; k++) {
            union cell *cell = &cells[eight_cell(e, i / 8, i % 8, k)];
            if (e->is_store) {
                at[k] = (uint16_t)cell->bits;
            } else {
                cell->bits = at[k];
            }
        }
    })
    warp->mask = mask;
    if (!e->is_store) {
        scatter(warp, &e->f, cells);
    }
}

static void movmatrix_run(struct warp *warp, const struct op *op)
{
    const struct eights *e = op->extra;
    union cell from[64], to[64];
    if (sync_aligned(warp, op, e->meet)) {
        gather(warp, &e->from, from);
        for (uint32_t i = 0; i < 64; i++) {
            to[i] = from[eight_cell(e, 0, i / 8, i % 8)];
        }
        scatter(warp, &e->f, to);
    }
}

static bool decode_eights(struct decoder *decoder, const struct ptx_instruction *in, struct op *op)
{
    struct eights *e = decode_memory(decoder, sizeof *e);
    uint32_t count = ptx_has(in, "x4") ? 4 : ptx_has(in, "x2") ? 2 : 1;
    uint32_t rows = count > 1 ? 16 : 8, columns = count == 4 ? 16 : 8;
    if (!ptx_has(in, "m8n8") || !ptx_has(in, "b16")) {
        return false;
    }
    e->meet = decode_meeting(decoder);
    e->f = e->from = (struct fragment){E_F16, PART_A, false, rows, columns, 0, NULL};
    e->is_store = ptx_is(in->word, "stmatrix");
    e->is_transposed = ptx_has(in, "trans");
    op->extra = e;
    op->run = eights_run;
    if (ptx_is(in->word, "movmatrix")) {
        op->run = movmatrix_run;
        return decode_fragment(decoder, &e->from, 1, false) &&
               decode_fragment(decoder, &e->f, 0, true);
    }
    decode_address(decoder, decode_operand(decoder, !e->is_store), ptx_instruction_space(in));
    return decode_fragment(decoder, &e->f, e->is_store, !e->is_store);
}

const struct rule matrix_rules[] = {
    {"wmma", .decode = decode_wmma},        {"mma", .decode = decode_product},
    {"ldmatrix", .decode = decode_eights},  {"stmatrix", .decode = decode_eights},
    {"movmatrix", .decode = decode_eights}, {NULL, NULL, NULL, NULL}};
