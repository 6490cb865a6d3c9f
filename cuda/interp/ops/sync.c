/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Instructions in which threads of a warp act together: shuffles, votes, matches, reductions.
 *
 * Each instruction names its member threads. A group that executes the instruction waits until all
 * members that have not exited are at an instruction of the same kind with the same members,
 * anywhere in the code. Then all members receive their results.
 */
#include "interp/rules.h"
#include <assert.h>

enum shuffle { UP, DOWN, BUTTERFLY, INDEX };
enum vote { ALL, ANY, UNIFORM, BALLOT };
enum reduction { ADD, MIN_U, MAX_U, MIN_S, MAX_S, AND, OR, XOR };

/* One joint execution of an instruction: operands and results of all threads that take part. */
struct together {
    uint32_t lanes;
    uint64_t a[WARP_LANES];
    uint32_t b[WARP_LANES], c[WARP_LANES];
    uint32_t truth; /* bit mask with the predicate operand of each lane */
    uint64_t d[WARP_LANES];
    uint32_t p; /* bit mask with the predicate result of each lane */
};

/* Kind of an instruction that threads execute together: its operands (shape), results and
 * function. */
enum shape { SHAPE_NOTHING, SHAPE_SHUFFLE, SHAPE_PREDICATE, SHAPE_VALUE32, SHAPE_VALUE64 };
enum result { RESULT_NONE, RESULT_32, RESULT_PREDICATE, RESULT_BOTH };
struct kind {
    enum shape shape;
    enum result result;
    void (*run)(struct together *together, int how);
    int how;
    bool negated;
    bool plain; /* true for the form without .sync, whose members are the active threads */
};

static void gather(const struct warp *warp, const struct op *op, const struct frame *frame,
                   uint32_t lanes, struct together *together)
{
    const struct kind *kind = op->extra;
    const uint32_t *a = frame_array(warp, frame, op->a), *b = frame_array(warp, frame, op->b),
                   *c = frame_array(warp, frame, op->c);
    const uint64_t *wide = frame_array(warp, frame, op->a);
    together->lanes |= lanes;
    switch (kind->shape) {
    case SHAPE_NOTHING:
        break;
    case SHAPE_PREDICATE:
        together->truth |= (kind->negated ? ~a[0] : a[0]) & lanes;
        break;
    case SHAPE_VALUE64:
        FOR_MASK(lanes, { together->a[i] = wide[i]; })
        break;
    case SHAPE_SHUFFLE:
        FOR_MASK(lanes, {
            together->b[i] = b[i];
            together->c[i] = c[i];
        })
        FOR_MASK(lanes, { together->a[i] = a[i]; })
        break;
    default:
        FOR_MASK(lanes, { together->a[i] = a[i]; })
    }
}

static void scatter(const struct warp *warp, const struct op *op, const struct frame *frame,
                    uint32_t lanes, const struct together *together)
{
    const struct kind *kind = op->extra;
    if (kind->result == RESULT_32 || kind->result == RESULT_BOTH) {
        uint32_t *d = frame_array(warp, frame, op->d);
        FOR_MASK(lanes, { d[i] = (uint32_t)together->d[i]; })
    }
    if (kind->result == RESULT_PREDICATE || kind->result == RESULT_BOTH) {
        uint32_t *p =
            frame_array(warp, frame, kind->result == RESULT_BOTH ? (operand)op->imm : op->d);
        *p = (*p & ~lanes) | (together->p & lanes);
    }
}

static bool matches(const struct group *group, const struct op *op, uint32_t members)
{
    const struct kind *a = op->extra, *b;
    if (group->state != GROUP_SYNC || group->members != members) {
        return false;
    }
    b = group->wait->extra;
    return a->run == b->run && a->how == b->how;
}

/* Executes the instruction for the waiting groups and for `lanes` of the running group (0: for none
 * of its lanes). Returns false if members are missing. */
static bool run_together(struct warp *warp, const struct op *op, uint32_t lanes, uint32_t members)
{
    const struct kind *kind = op->extra;
    assert((lanes & ~warp->active) == 0);
    uint32_t there = lanes, need = members & warp->live;
    for (uint32_t g = 0; g < warp->group_count; g++) {
        if (matches(&warp->groups[g], op, members)) {
            there |= warp->groups[g].mask;
        }
    }
    if ((there & need) != need) {
        return false;
    }
    struct together together;
    together.lanes = together.truth = together.p = 0;
    if (lanes) {
        gather(warp, op, warp->frame, lanes, &together);
    }
    for (uint32_t g = 0; g < warp->group_count && there != lanes; g++) {
        const struct group *group = &warp->groups[g];
        if (matches(group, op, members)) {
            gather(warp, group->wait, group->frame, group->mask, &together);
        }
    }
    if (kind->run) {
        kind->run(&together, kind->how);
    }
    if (lanes) {
        scatter(warp, op, warp->frame, lanes, &together);
    }
    for (uint32_t g = 0; g < warp->group_count && there != lanes; g++) {
        struct group *group = &warp->groups[g];
        if (matches(group, op, members)) {
            scatter(warp, group->wait, group->frame, group->mask, &together);
            group->state = GROUP_READY;
            warp_reschedule(warp);
        }
    }
    return true;
}

void sync_check(struct warp *warp)
{
    for (uint32_t g = 0; g < warp->group_count; g++) {
        const struct group *group = &warp->groups[g];
        if (group->state == GROUP_SYNC) {
            run_together(warp, group->wait, 0, group->members);
        }
    }
}

/* Handler of the instructions that threads execute together. op->e: bit mask of members, per lane.
 * Lanes with different masks are executed separately. */
static void sync_op(struct warp *warp, const struct op *op)
{
    const struct kind *kind = op->extra;
    const uint32_t *members = reg(warp, op->e);
    uint32_t left = warp->mask;
    while (left) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        uint32_t mask = kind->plain ? warp->mask : members[lane], same = 0;
        FOR_MASK(left, { same |= (uint32_t)(kind->plain || members[i] == mask) << i; })
        left &= ~same;
        if (!run_together(warp, op, same, mask)) {
            struct group *group = warp_split(warp, same, warp->pc);
            group->state = GROUP_SYNC;
            group->members = mask;
            group->wait = op;
        }
    }
}

/* ---- Computations ---------------------------------------------------------------------------- */

static void shuffle(struct together *t, int how)
{
    FOR_MASK(t->lanes, {
        int lane = (int)i, by = (int)(t->b[i] & 31), segment = (int)(t->c[i] >> 8 & 31),
            clamp = (int)(t->c[i] & 31);
        int most = (lane & segment) | (clamp & ~segment);
        int from = how == UP          ? lane - by
                   : how == DOWN      ? lane + by
                   : how == BUTTERFLY ? lane ^ by
                                      : (lane & segment) | (by & ~segment);
        bool inside = how == UP ? from >= most : from <= most;
        t->p |= (uint32_t)inside << i;
        from = inside && (t->lanes >> from & 1) ? from : lane;
        t->d[i] = t->a[from];
    })
}

static void vote(struct together *t, int how)
{
    bool result = how == ALL       ? t->truth == t->lanes
                  : how == ANY     ? t->truth != 0
                  : how == UNIFORM ? t->truth == 0 || t->truth == t->lanes
                                   : false;
    t->p = result ? ALL_LANES : 0;
    FOR_MASK(t->lanes, { t->d[i] = t->truth; })
}

static void match(struct together *t, int how)
{
    FOR_MASK(t->lanes, {
        uint32_t same = 0;
        for (uint32_t others = t->lanes; others; others &= others - 1) {
            unsigned other = (unsigned)__builtin_ctz(others);
            same |= (uint32_t)(t->a[other] == t->a[i]) << other;
        }
        t->d[i] = how == ALL && same != t->lanes ? 0 : same;
        t->p |= (uint32_t)(same == t->lanes) << i;
    })
}

static uint32_t reduced(uint32_t x, uint32_t y, int how)
{
    switch (how) {
    case ADD:
        return x + y;
    case MIN_U:
        return x < y ? x : y;
    case MAX_U:
        return x > y ? x : y;
    case MIN_S:
        return (int32_t)x < (int32_t)y ? x : y;
    case MAX_S:
        return (int32_t)x > (int32_t)y ? x : y;
    case AND:
        return x & y;
    case OR:
        return x | y;
    default:
        return x ^ y;
    }
}

static void redux(struct together *t, int how)
{
    assert(t->lanes != 0);
    uint32_t first = (uint32_t)__builtin_ctz(t->lanes), result = (uint32_t)t->a[first];
    FOR_MASK(t->lanes & ~(1u << first), { result = reduced(result, (uint32_t)t->a[i], how); })
    FOR_MASK(t->lanes, { t->d[i] = result; })
}

static void elect(struct together *t, int how)
{
    (void)how;
    t->p = t->lanes & (0 - t->lanes);
    FOR_MASK(t->lanes, { t->d[i] = (uint32_t)__builtin_ctz(t->lanes); })
}

/* ---- Decoding --------------------------------------------------------------------------------------- */

/* Returns the index of the first name that is among the modifiers, or -1 if there is none. */
static int number_of(const struct ptx_instruction *in, const char *const *names, int count)
{
    for (int i = 0; i < count && names[i]; i++) {
        if (ptx_has(in, names[i])) {
            return i;
        }
    }
    return -1;
}

static struct kind *begin_kind(struct decoder *decoder, struct kind new)
{
    struct kind *kind = decode_memory(decoder, sizeof *kind);
    if (kind) {
        *kind = new;
        kind->plain = !ptx_has(decoder->in, "sync");
    }
    decoder->op->extra = kind;
    decoder->op->run = sync_op;
    decoder->op->e = decode_constant(decoder, UINT32_MAX, 4);
    return kind;
}

/* Decodes the destination: d, or the pair d|p. */
static void decode_result(struct decoder *decoder, struct kind *kind, uint32_t width)
{
    const struct ptx_operand *to = decode_operand(decoder, 0);
    struct op *op = decoder->op;
    if (!to) {
        return;
    }
    if (to->kind == PTX_PAIR) {
        op->d = decode_destination(decoder, &to->parts[0], width);
        op->imm = decode_destination(decoder, &to->parts[1], 1);
        kind->result = RESULT_BOTH;
        return;
    }
    op->d = decode_destination(decoder, to, width);
}

static void decode_members(struct decoder *decoder, const struct kind *kind, uint32_t n)
{
    if (!kind->plain) {
        decoder->op->e = decode_source_at(decoder, n, 4);
    }
}

/* Decodes an instruction with a result. */
static bool decode_together(struct decoder *decoder)
{
    static const struct {
        const char *word;
        struct kind kind;
        const char *names[8]; /* [how]: modifier; none: `how` is 0 */
    } forms[] = {
        {"shfl", {SHAPE_SHUFFLE, RESULT_32, shuffle}, {"up", "down", "bfly", "idx"}},
        {"vote", {SHAPE_PREDICATE, RESULT_PREDICATE, vote}, {"all", "any", "uni", "ballot"}},
        {"match", {SHAPE_VALUE32, RESULT_32, match}, {"all", "any"}},
        {"redux",
         {SHAPE_VALUE32, RESULT_32, redux},
         {"add", "min", "max", "min", "max", "and", "or", "xor"}},
        {"elect", {SHAPE_NOTHING, RESULT_32, elect}, {NULL}},
    };
    const struct ptx_instruction *in = decoder->in;
    size_t form = 0;
    while (!ptx_is(in->word, forms[form].word)) {
        form++;
    }
    struct kind *kind = begin_kind(decoder, forms[form].kind);
    if (!kind || ptx_has(in, "f32") ||
        (forms[form].names[0] && (kind->how = number_of(in, forms[form].names, 8)) < 0)) {
        return false;
    }
    uint32_t width = ptx_has(in, "b64") ? 8 : 4;
    if (kind->run == redux && ptx_has(in, "s32") && (kind->how == MIN_U || kind->how == MAX_U)) {
        kind->how += MIN_S - MIN_U;
    } else if (kind->run == match && width == 8) {
        kind->shape = SHAPE_VALUE64;
    } else if (kind->run == vote && kind->how == BALLOT) {
        kind->result = RESULT_32;
    }
    decode_result(decoder, kind, kind->result == RESULT_PREDICATE ? 1 : 4);
    if (kind->shape == SHAPE_PREDICATE) {
        const struct ptx_operand *truth = decode_operand(decoder, 1);
        kind->negated = truth && truth->negated;
        decoder->op->a = decode_source(decoder, truth, 1);
    } else if (kind->shape != SHAPE_NOTHING) {
        decoder->op->a = decode_source_at(decoder, 1, width);
    }
    if (kind->shape == SHAPE_SHUFFLE) {
        decoder->op->b = decode_source_at(decoder, 2, 4);
        decoder->op->c = decode_source_at(decoder, 3, 4);
    }
    decode_members(decoder, kind,
                   kind->shape == SHAPE_SHUFFLE   ? 4
                   : kind->shape == SHAPE_NOTHING ? 1
                                                  : 2);
    return true;
}

bool decode_warp_sync(struct decoder *decoder)
{
    struct kind *kind =
        begin_kind(decoder, (struct kind){.shape = SHAPE_NOTHING, .result = RESULT_NONE});
    if (!kind) {
        return false;
    }
    decode_members(decoder, kind, 0);
    return true;
}

const struct op *decode_meeting(struct decoder *decoder)
{
    struct op *meet = decode_memory(decoder, sizeof *meet), begun = *decoder->op;
    struct kind *kind =
        begin_kind(decoder, (struct kind){.shape = SHAPE_NOTHING, .result = RESULT_NONE});
    if (!meet || !kind) {
        return NULL;
    }
    /* Only threads at the same instruction meet. */
    kind->how = (int)(decoder->op - decoder->function->ops) + 1;
    *meet = *decoder->op;
    *decoder->op = begun;
    return meet;
}

bool sync_aligned(struct warp *warp, const struct op *op, const struct op *meet)
{
    if (warp->mask == warp->live) {
        return true;
    }
    bool are_all = run_together(warp, meet, warp->mask, ALL_LANES);
    struct group *group = warp_split(warp, warp->mask, op);
    if (!are_all) {
        group->state = GROUP_SYNC;
        group->members = ALL_LANES;
        group->wait = meet;
    }
    return false;
}

static void activemask(struct warp *warp, const struct op *op)
{
    uint32_t *d = reg(warp, op->d);
    FOR_MASK(warp->mask, { d[i] = warp->mask; })
}

const struct rule sync_rules[] = {
    {"shfl", .decode = decode_together},
    {"vote", .decode = decode_together},
    {"match", .decode = decode_together},
    {"redux", .decode = decode_together},
    {"elect", .decode = decode_together},
    {"activemask.b32", activemask, NULL, "4"},
    {NULL, NULL, NULL, NULL},
};
