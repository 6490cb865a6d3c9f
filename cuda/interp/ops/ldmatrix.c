/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ldmatrix, stmatrix, movmatrix: matrices of 8 x 8 elements of 16 bits in shared memory and registers.
 */
#include "interp/rules.h"
#include <string.h>

/* Matrices of 8 x 8 elements of 16 bits, of which each lane holds two neighbours in a register. */
struct eights {
    uint32_t count;
    bool is_store, is_transposed;
    const operand *registers;
    const struct op *meet;
};

/* Returns the place of the k-th element that a lane holds: row << 3 | column. */
static uint32_t eight_place(const struct eights *e, unsigned lane, uint32_t k)
{
    uint32_t row = lane >> 2, column = 2 * (lane & 3) + k;
    return e->is_transposed ? column << 3 | row : row << 3 | column;
}

/* Handler of ldmatrix and stmatrix: lane 8 m + r has the address of row r of matrix m. */
static void eights_run(struct warp *warp, const struct op *op)
{
    const struct eights *e = op->extra;
    uint32_t mask = warp->mask;
    if (!sync_aligned(warp, op, e->meet)) {
        return;
    }
    warp->mask &= e->count == 4 ? ALL_LANES : (1u << (8 * e->count)) - 1;
    bool good = access_memory(warp, op, 16, 16, e->is_store ? ACCESS_STORE : ACCESS_LOAD);
    uint32_t addressed = warp->mask;
    warp->mask = mask;
    for (uint32_t m = 0; good && m < e->count; m++) {
        uint16_t(*held)[2] = reg(warp, e->registers[m]);
        FOR_MASK(mask, {
            for (uint32_t k = 0; k < 2; k++) {
                uint32_t place = eight_place(e, i, k), lane = 8 * m + (place >> 3);
                uint16_t *at =
                    addressed >> lane & 1 ? (uint16_t *)warp->at[lane] + (place & 7) : NULL;
                if (e->is_store && at) {
                    *at = held[i][k];
                } else if (at) {
                    held[i][k] = *at;
                }
            }
        })
    }
}

/* Handler of movmatrix, which transposes. */
static void movmatrix_run(struct warp *warp, const struct op *op)
{
    const struct eights *e = op->extra;
    uint16_t(*to)[2] = reg(warp, op->d), from[WARP_LANES][2];
    if (!sync_aligned(warp, op, e->meet)) {
        return;
    }
    memcpy(from, reg(warp, op->a), sizeof from);
    FOR_MASK(warp->mask, {
        for (uint32_t k = 0; k < 2; k++) {
            uint32_t place = eight_place(e, i, k);
            to[i][k] = from[place >> 1][place & 1];
        }
    })
}

static bool decode_eights(struct decoder *decoder)
{
    const struct ptx_instruction *in = decoder->in;
    struct op *op = decoder->op;
    struct eights *e = decode_memory(decoder, sizeof *e);
    uint32_t count;
    if (!e || !ptx_has(in, "m8n8") || !ptx_has(in, "b16") || !(e->meet = decode_meeting(decoder))) {
        return false;
    }
    e->count = ptx_has(in, "x4") ? 4 : ptx_has(in, "x2") ? 2 : 1;
    e->is_store = ptx_is(in->word, "stmatrix");
    e->is_transposed = ptx_has(in, "trans");
    op->extra = e;
    if (ptx_is(in->word, "movmatrix")) {
        op->run = movmatrix_run;
        return decode_by_widths(decoder, "4=4");
    }
    const struct ptx_operand *list =
        decode_elements(decoder, decode_operand(decoder, e->is_store), &count);
    if (!list || count != e->count) {
        return false;
    }
    e->registers = decode_registers(decoder, list, count, 4, !e->is_store);
    decode_address(decoder, decode_operand(decoder, !e->is_store), ptx_instruction_space(in));
    op->run = eights_run;
    return true;
}

const struct rule eight_rules[] = {{"ldmatrix", .decode = decode_eights},
                                   {"stmatrix", .decode = decode_eights},
                                   {"movmatrix", .decode = decode_eights},
                                   {NULL, NULL, NULL, NULL}};
