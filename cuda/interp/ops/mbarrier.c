/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Barriers in shared memory (mbarrier): objects of 8 bytes that count arrivals, and bytes of copies, in phases.
 *
 * PTX leaves the contents of an object open. Here they are, from the lowest bit on: arrivals that the
 * phase still waits for (20 bits), arrivals of each phase (20), bytes still expected (21, modulo
 * 2^21), number of the phase (3, modulo 8). The state that an arrival returns is the object before it.
 */
#include "interp/rules.h"
#include <string.h>

#define COUNT_MAX ((1u << 20) - 1)

union mbarrier {
    uint64_t word;
    struct {
        uint64_t pending : 20, expected : 20, bytes : 21, phase : 3;
    };
};

/* Begins the next phase if this one waits for nothing more. */
static void complete(union mbarrier *b)
{
    if (b->pending == 0 && b->bytes == 0) {
        b->pending = b->expected;
        b->phase++;
    }
}

enum {
    ARRIVE_TX = 1,      /* expects op->b more bytes, and arrives once */
    ARRIVE_DROP = 2,    /* later phases expect one arrival less */
    ARRIVE_NOTHING = 4, /* does not arrive */
    ARRIVE_DONE = 8     /* op->b bytes are there */
};

/* Handler of arrivals and of changes of the expected bytes. op->a, imm: address; op->b: count or
 * bytes; op->size: ARRIVE_*; op->d: state. */
static void arrive(struct warp *warp, const struct op *op)
{
    const uint32_t *amount = reg(warp, op->b);
    uint64_t *state = reg(warp, op->d);
    unsigned how = op->size;
    if (!access_memory(warp, op, 8, 8, ACCESS_STORE)) {
        return;
    }
    FOR_MASK(warp->mask, {
        uint64_t *at = (uint64_t *)warp->at[i];
        union mbarrier b = {*at};
        uint32_t n = how & ARRIVE_NOTHING ? 0 : how & ARRIVE_TX ? 1 : amount[i];
        if (n > b.pending) {
            fault(warp, op, i, INTERP_TRAP, "mbarrier: %u arrivals, %u are expected", n, b.pending);
            return;
        }
        state[i] = *at;
        uint32_t more = how & ARRIVE_TX ? amount[i] : how & ARRIVE_DONE ? 0 - amount[i] : 0;
        b.bytes = (b.bytes + more) & 0x1fffff;
        b.pending = (b.pending - n) & COUNT_MAX;
        b.expected = (b.expected - (how & ARRIVE_DROP ? n : 0)) & COUNT_MAX;
        complete(&b);
        *at = b.word;
    })
}

static void begin(struct warp *warp, const struct op *op)
{
    const uint32_t *count = reg(warp, op->b);
    if (!access_memory(warp, op, 8, 8, ACCESS_STORE)) {
        return;
    }
    FOR_MASK(warp->mask, {
        if (count[i] == 0 || count[i] > COUNT_MAX) {
            fault(warp, op, i, INTERP_TRAP, "mbarrier: a count of %u", count[i]);
            return;
        }
        *(union mbarrier *)warp->at[i] =
            (union mbarrier){.pending = count[i] & COUNT_MAX, .expected = count[i] & COUNT_MAX};
    })
}

/* Handler of tests. op->d: predicate; op->b: state, or parity of the phase if op->size is 1. If the phase
 * has not ended for a lane, other warps run first. */
static void test(struct warp *warp, const struct op *op)
{
    const uint64_t *state = reg(warp, op->b);
    const uint32_t *parity = reg(warp, op->b);
    uint32_t done = 0, *result = reg(warp, op->d);
    if (!access_memory(warp, op, 8, 8, ACCESS_LOAD)) {
        return;
    }
    FOR_MASK(warp->mask, {
        uint32_t phase = ((const union mbarrier *)warp->at[i])->phase;
        bool has_ended =
            op->size ? (phase & 1) != (parity[i] & 1) : phase != ((union mbarrier){state[i]}).phase;
        done |= (uint32_t)has_ended << i;
    })
    *result = (*result & ~warp->mask) | done;
    if (done != warp->mask) {
        warp_sleep(warp);
    }
}

static void pending_count(struct warp *warp, const struct op *op)
{
    uint32_t *count = reg(warp, op->d);
    const uint64_t *state = reg(warp, op->b);
    FOR_MASK(warp->mask, { count[i] = ((union mbarrier){state[i]}).pending; })
}

static bool decode_arrive(struct decoder *decoder, const struct ptx_instruction *in, struct op *op)
{
    bool is_tx = ptx_has(in, "expect_tx"), is_done = ptx_has(in, "complete_tx");
    bool arrives = ptx_has(in, "arrive") || ptx_has(in, "arrive_drop");
    uint32_t n = arrives ? 1 : 0;
    decode_address(decoder, decode_operand(decoder, n), ptx_instruction_space(in));
    op->b = in->operand_count > n + 1 ? decode_source(decoder, &in->operands[n + 1], 4)
                                      : decode_constant(decoder, 1, 4);
    op->d = arrives ? decode_destination_at(decoder, 0, 8) : decode_scratch(decoder, 8);
    op->size =
        (uint8_t)((is_tx ? ARRIVE_TX : 0) | (is_done ? ARRIVE_DONE : 0) |
                  (ptx_has(in, "arrive_drop") ? ARRIVE_DROP : 0) | (arrives ? 0 : ARRIVE_NOTHING));
    op->run = arrive;
    return in->operand_count > n;
}

static bool decode_mbarrier(struct decoder *decoder, const struct ptx_instruction *in,
                            struct op *op)
{
    bool tests = ptx_has(in, "test_wait") || ptx_has(in, "try_wait");
    if (ptx_has(in, "pending_count")) {
        op->d = decode_destination_at(decoder, 0, 4);
        op->b = decode_source_at(decoder, 1, 8);
        op->run = pending_count;
        return true;
    }
    if (!ptx_has(in, "init") && !ptx_has(in, "inval") && !tests) {
        return decode_arrive(decoder, in, op);
    }
    decode_address(decoder, decode_operand(decoder, tests ? 1 : 0), ptx_instruction_space(in));
    if (tests) {
        op->size = ptx_has(in, "parity");
        op->d = decode_destination_at(decoder, 0, 1);
    }
    op->b = ptx_has(in, "inval")
                ? decode_constant(decoder, 1, 4)
                : decode_source_at(decoder, tests ? 2 : 1, tests && !op->size ? 8 : 4);
    op->run = tests ? test : begin;
    return true;
}

/* ---- Accesses after which a barrier gets the number of bytes ------------------------------------- */

struct op decode_complete(struct decoder *decoder, uint32_t n, operand bytes, enum ptx_space space)
{
    struct op barrier = decode_addressed(decoder, decode_operand(decoder, n), space);
    barrier.b = bytes;
    barrier.size = ARRIVE_DONE | ARRIVE_NOTHING;
    barrier.d = decode_scratch(decoder, 8);
    barrier.run = arrive;
    return barrier;
}

/* Handler of st.async and red.async. op->extra: the access, and what completes it. */
static void completion_run(struct warp *warp, const struct op *op)
{
    const struct op *both = op->extra;
    both[0].run(warp, &both[0]);
    both[1].run(warp, &both[1]);
}

void decode_completion(struct decoder *decoder, uint32_t bytes, uint32_t n)
{
    struct op *both = decode_memory(decoder, 2 * sizeof *both);
    both[0] = *decoder->op;
    both[1] = decode_complete(decoder, n, decode_constant(decoder, bytes, 4),
                              ptx_instruction_space(decoder->in));
    decoder->op->extra = both;
    decoder->op->run = completion_run;
}

void bulk_run(struct warp *warp, const struct op *op)
{
    const struct bulk *bulk = op->extra;
    uint32_t mask = warp->mask;
    bool good = true;
    for (uint32_t left = mask; left && good; left &= left - 1) {
        unsigned i = (unsigned)__builtin_ctz(left);
        uint32_t ctas = op->size ? (uint32_t)lane_value(reg(warp, op->c), op->size, i) : 1;
        warp->mask = 1u << i;
        for (bool is_first = true; ctas && good; ctas &= ctas - 1, is_first = false) {
            int64_t rank = __builtin_ctz(ctas), window = op->size ? (rank + 1) << CLUSTER_SHIFT : 0;
            struct op to = *op, barrier = bulk->barrier;
            to.imm += window;
            barrier.imm += window;
            good = bulk->copy(warp, &to, is_first);
            if (good && barrier.run != NULL) {
                barrier.run(warp, &barrier);
            }
        }
    }
    warp->mask = mask;
}

bool decode_ctas(struct decoder *decoder, uint32_t n)
{
    struct op *op = decoder->op;
    if (ptx_has(decoder->in, "multicast::cluster")) {
        const struct ptx_operand *mask = decode_operand(decoder, n);
        op->size = (uint8_t)decode_register_width(decoder, mask);
        op->size = op->size ? op->size : 2;
        op->c = decode_source(decoder, mask, op->size);
    }
    return op->size == 0 || op->size == 2 || op->size == 4;
}

bool decode_copy_arrival(struct decoder *decoder)
{
    const struct ptx_instruction *in = decoder->in;
    decode_address(decoder, decode_operand(decoder, 0), ptx_instruction_space(in));
    decoder->op->b = decode_constant(decoder, 1, 4);
    decoder->op->d = decode_scratch(decoder, 8);
    decoder->op->run = arrive;
    /* Without .noinc, the arrival was expected by no one, and changes nothing. */
    decoder->op->size = ptx_has(in, "noinc") ? 0 : ARRIVE_NOTHING;
    return true;
}

const struct rule mbarrier_rules[] = {{"mbarrier", .decode = decode_mbarrier},
                                      {NULL, NULL, NULL, NULL}};
