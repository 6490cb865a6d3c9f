/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Copies of boxes of tensors (tensor.h): cp.async.bulk.tensor and cp.reduce.async.bulk.tensor, executed
 * at once. A row of a box is its elements along dimension 0. Those of them that are inside of the
 * tensor are one access to global memory; the rows of a box are accessed in the order of addresses in
 * shared memory.
 */
#include "interp/tensor.h"
#include "interp/rules.h"
#include <string.h>

enum { ROW_MAX = INTERP_TENSOR_BOX * 8, PART = 16 };

struct tensor_copy {
    struct bulk bulk;
    struct op map; /* at the tensor map */
    struct op row; /* of global memory, at the address in the register row.a */
    operand *at;   /* coordinates */
    operand bytes; /* gets the number of bytes of the box */
    uint32_t rank;
    enum access access;
    struct op elements[INTERP_TENSOR_TYPES]; /* [type]: a reduction; .run NULL: there is none */
};

/* The box of a lane. */
struct box {
    struct interp_tensor map;
    int64_t at[INTERP_TENSOR_RANK];     /* coordinates of the first element */
    uint32_t count[INTERP_TENSOR_RANK]; /* numbers of elements */
    uint32_t row;                       /* bytes of a row */
    uint64_t rows, bytes;               /* number of rows, bytes of all */
};

/* Returns true if a map has so many dimensions, and allows no copy outside of the memory that is checked:
 * kernels may have changed it. */
static bool map_holds(const struct interp_tensor *map, uint32_t rank)
{
    uint32_t row = (uint32_t)map->box[0] * map->bytes;
    bool good = map->magic == INTERP_TENSOR_MAGIC && map->rank == rank && row > 0 &&
                map->type < INTERP_TENSOR_TYPES && row % PART == 0 && row <= ROW_MAX &&
                (map->swizzle == 1 || (row == PART * map->swizzle && map->swizzle <= 8 &&
                                       !(map->swizzle & (map->swizzle - 1))));
    for (uint32_t d = 0; d < rank; d++) {
        good = good && map->box[d] > 0 && map->step[d] > 0;
    }
    return good;
}

/* Sets *box to the box of the only lane of warp->mask. */
static bool box_find(struct warp *warp, const struct op *op, struct box *box)
{
    const struct tensor_copy *copy = op->extra;
    struct interp_tensor *map = &box->map;
    unsigned i = (unsigned)__builtin_ctz(warp->mask);
    if (!access_memory(warp, &copy->map, PART, 64, ACCESS_LOAD) ||
        !access_range(warp, &copy->map, sizeof *map, PART, ACCESS_LOAD)) {
        return false;
    }
    memcpy(map, warp->at[i], sizeof *map);
    if (!map_holds(map, copy->rank)) {
        fault(warp, op, i, INTERP_BAD_ADDRESS, "no tensor map of %u dimensions is at 0x%llx",
              copy->rank, (unsigned long long)lane_address(warp, &copy->map, i));
        return false;
    }
    box->rows = 1;
    for (unsigned d = 0; d < map->rank; d++) {
        unsigned step = d > 0 ? map->step[d] : 1;
        box->at[d] = ((const int32_t *)reg(warp, copy->at[d]))[i];
        box->count[d] = (map->box[d] + step - 1) / step;
        box->rows *= d > 0 ? box->count[d] : 1;
    }
    box->row = box->count[0] * map->bytes;
    box->bytes = box->rows * box->row;
    if (box->bytes > CLUSTER_STRIDE) {
        fault(warp, op, i, INTERP_BAD_ADDRESS, "a box of %llu bytes",
              (unsigned long long)box->bytes);
    }
    return box->bytes <= CLUSTER_STRIDE;
}

static int64_t clamped(int64_t i, int64_t most)
{
    return i < 0 ? 0 : i > most ? most : i;
}

/* Sets *begin and *end to the range of bytes of row n that are inside of the tensor. Returns the
 * address of the row. */
static uint64_t row_find(const struct box *box, uint32_t n, uint32_t *begin, uint32_t *end)
{
    const struct interp_tensor *map = &box->map;
    int64_t first = clamped(-box->at[0], box->count[0]);
    int64_t last = clamped((int64_t)map->size[0] - box->at[0], box->count[0]);
    uint64_t address = map->address + (uint64_t)box->at[0] * map->bytes;
    for (unsigned d = 1; d < map->rank; d++) {
        int64_t at = box->at[d] + (int64_t)(n % box->count[d]) * map->step[d];
        last = at < 0 || at >= (int64_t)map->size[d] ? 0 : last;
        address += (uint64_t)at * map->stride[d - 1];
        n /= box->count[d];
    }
    *begin = (uint32_t)first * map->bytes;
    *end = last > first ? (uint32_t)last * map->bytes : *begin;
    return address;
}

/* Copies a row to (inward) or from shared memory, where it begins `skip` bytes after the begin of the
 * box: the address `shared`, of which the process has the address `memory`. */
static void row_move(const struct box *box, uint64_t shared, char *memory, uint64_t skip, char *row,
                     bool inward)
{
    for (uint32_t k = 0; k < box->row; k += PART) {
        uint64_t at = shared + skip + k;
        at ^= (at >> 7 & (box->map.swizzle - 1u)) * PART;
        char *part = memory + (at - shared);
        memcpy(inward ? part : row + k, inward ? row + k : part, PART);
    }
}

static bool tensor_copy(struct warp *warp, const struct op *op, bool is_first)
{
    const struct tensor_copy *copy = op->extra;
    bool inward = copy->access == ACCESS_LOAD, reduces = copy->access == ACCESS_ATOMIC;
    enum access access = inward ? ACCESS_STORE : ACCESS_LOAD;
    unsigned i = (unsigned)__builtin_ctz(warp->mask);
    struct op global = copy->row;
    struct box box;
    char row[ROW_MAX];
    uint32_t begin, end;
    if (!box_find(warp, op, &box) || !access_memory(warp, op, PART, 128, access) ||
        !access_range(warp, op, (uint32_t)box.bytes, PART, access)) {
        return false;
    }
    const struct op *element = &copy->elements[box.map.type];
    if (reduces && (!element->run || element->size != box.map.bytes)) {
        fault(warp, op, i, INTERP_UNSUPPORTED, "no such operation on elements of type %u",
              box.map.type);
        return false;
    }
    uint64_t shared = lane_address(warp, op, i);
    char *memory = warp->at[i];
    ((uint32_t *)reg(warp, copy->bytes))[i] = (uint32_t)box.bytes;
    global.flags |= is_first ? 0 : OP_PART;
    for (uint32_t n = 0; n < box.rows; n++) {
        uint64_t from = row_find(&box, n, &begin, &end), skip = (uint64_t)n * box.row;
        uint64_t align = (from + begin) | (end - begin) | PART;
        ((uint64_t *)reg(warp, global.a))[i] = from + begin;
        if (end > begin && !access_range(warp, &global, end - begin,
                                         (uint32_t)(align & (0 - align)), copy->access)) {
            return false;
        }
        memset(row, box.map.fill, box.row);
        memcpy(row + begin, warp->at[i], inward ? end - begin : 0);
        row_move(&box, shared, memory, skip, row, inward);
        if (reduces) {
            atomic_bulk(warp, element, from + begin, row + begin, end - begin);
        } else if (!inward && end > begin) {
            memcpy(warp->at[i], row + begin, end - begin);
        }
    }
    return true;
}

/* Returns false if the modifiers name a mode that is not supported. Sets *rank to the number of
 * dimensions. */
static bool decode_mode(const struct ptx_instruction *in, uint32_t *rank)
{
    static const char *const refused[] = {"im2col", "tile::", "cta_group"};
    for (uint32_t m = 0; m < in->modifier_count; m++) {
        struct ptx_text word = in->modifiers[m];
        for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
            size_t n = strlen(refused[i]);
            if (word.length >= n && memcmp(word.s, refused[i], n) == 0) {
                return false;
            }
        }
        if (word.length == 2 && word.s[1] == 'd') {
            *rank = (uint32_t)(word.s[0] - '0');
        }
    }
    return *rank >= 1 && *rank <= INTERP_TENSOR_RANK;
}

/* Decodes the reductions by the types of tensor maps. Returns false if there are none. */
static bool decode_elements_of(struct decoder *decoder, struct tensor_copy *copy)
{
    static const char *const names[INTERP_TENSOR_TYPES][2] = {
        {"u8", "b8"},   {"u16", "b16"}, {"u32", "b32"}, {"s32", "b32"}, {"u64", "b64"},
        {"s64", "b64"}, {"f16", ""},    {"f32", ""},    {"f64", ""},    {"bf16", ""}};
    bool found = false;
    for (int t = 0; t < INTERP_TENSOR_TYPES; t++) {
        for (int n = 0; n < 2; n++) {
            struct ptx_text type = {names[t][n], (uint32_t)strlen(names[t][n])};
            found |= decode_atomic_bulk(decoder, &copy->elements[t], PTX_GLOBAL, type);
        }
    }
    return found;
}

bool decode_tensor(struct decoder *decoder, const struct ptx_instruction *in, struct op *op)
{
    bool inward = ptx_has(in, "mbarrier::complete_tx::bytes"), reduces = ptx_has(in, "reduce");
    const struct ptx_operand *place = decode_operand(decoder, inward ? 1 : 0);
    struct tensor_copy *copy = decode_memory(decoder, sizeof *copy);
    uint32_t count = 0;
    if (place->kind != PTX_ADDRESS || place->part_count != 2 ||
        inward == ptx_has(in, "bulk_group") || !decode_mode(in, &copy->rank)) {
        return false;
    }
    struct ptx_operand map = *place;
    map.part_count = 1;
    copy->map = decode_addressed(decoder, &map, PTX_GENERIC);
    copy->map.flags |= OP_PART;
    const struct ptx_operand *list = decode_elements(decoder, &place->parts[1], &count);
    copy->at = decode_registers(decoder, list, count, 4, false);
    copy->bytes = decode_new_register(decoder, 4);
    copy->access = inward ? ACCESS_LOAD : reduces ? ACCESS_ATOMIC : ACCESS_STORE;
    copy->row = (struct op){.a = decode_new_register(decoder, 8),
                            .flags = OP_WIDE,
                            .space = PTX_GLOBAL,
                            .line = op->line};
    copy->bulk.copy = tensor_copy;
    if (inward) {
        copy->bulk.barrier = decode_complete(decoder, 2, copy->bytes, PTX_SHARED);
    }
    decode_address(decoder, decode_operand(decoder, inward ? 0 : 1), PTX_SHARED);
    op->extra = copy;
    op->run = bulk_run;
    return count == copy->rank && (!reduces || decode_elements_of(decoder, copy)) &&
           decode_ctas(decoder, 3);
}
