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

/* Kind of an instruction that threads execute together: what it takes and gives, as bits, and its
 * function. */
enum takes { TAKES_VALUE = 1, TAKES_WIDE = 2, TAKES_TRUTH = 4, TAKES_PLACE = 8 };
enum gives { GIVES_VALUE = 1, GIVES_TRUTH = 2 };
struct kind {
    uint8_t takes, gives;
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
    if (kind->takes & TAKES_TRUTH) {
        together->truth |= (kind->negated ? ~a[0] : a[0]) & lanes;
    }
    if (kind->takes & TAKES_VALUE) {
        FOR_MASK(lanes, { together->a[i] = a[i]; })
    } else if (kind->takes & TAKES_WIDE) {
        FOR_MASK(lanes, { together->a[i] = wide[i]; })
    }
    if (kind->takes & TAKES_PLACE) {
        FOR_MASK(lanes, {
            together->b[i] = b[i];
            together->c[i] = c[i];
        })
    }
}

static void scatter(const struct warp *warp, const struct op *op, const struct frame *frame,
                    uint32_t lanes, const struct together *together)
{
    const struct kind *kind = op->extra;
    if (kind->gives & GIVES_VALUE) {
        uint32_t *d = frame_array(warp, frame, op->d);
        FOR_MASK(lanes, { d[i] = (uint32_t)together->d[i]; })
    }
    if (kind->gives & GIVES_TRUTH) {
        uint32_t *p = frame_array(warp, frame, (operand)op->imm);
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

/* Makes the current op one of this kind. members: true if the last operand names them. */
static struct kind *begin_kind(struct decoder *decoder, struct kind new, bool members)
{
    const struct ptx_instruction *in = decoder->in;
    struct kind *kind = decode_memory(decoder, sizeof *kind);
    new.plain = !ptx_has(in, "sync");
    *kind = new;
    decoder->op->extra = kind;
    decoder->op->run = sync_op;
    decoder->op->e = new.plain || !members ? decode_constant(decoder, UINT32_MAX, 4)
                                           : decode_source_at(decoder, in->operand_count - 1, 4);
    return kind;
}

/* Decodes an instruction with a result: d, a predicate p, or the pair d|p. */
static bool decode_together(struct decoder *decoder, const struct ptx_instruction *in,
                            struct op *op)
{
    static const struct {
        const char *word;
        struct kind kind;
        const char *names[8]; /* [how]: modifier; none: `how` is 0 */
    } forms[] = {
        {"shfl", {TAKES_VALUE | TAKES_PLACE, GIVES_VALUE, shuffle}, {"up", "down", "bfly", "idx"}},
        {"vote", {TAKES_TRUTH, GIVES_TRUTH, vote}, {"all", "any", "uni", "ballot"}},
        {"match", {TAKES_VALUE, GIVES_VALUE, match}, {"all", "any"}},
        {"redux",
         {TAKES_VALUE, GIVES_VALUE, redux},
         {"add", "min", "max", "min", "max", "and", "or", "xor"}},
        {"elect", {0, GIVES_VALUE, elect}, {NULL}},
    };
    int form = PTX_FIND(in->word, forms), how = 0;
    while (how < 8 && forms[form].names[how] && !ptx_has(in, forms[form].names[how])) {
        how++;
    }
    struct kind *kind = begin_kind(decoder, forms[form].kind, true);
    const struct ptx_operand *to = decode_operand(decoder, 0);
    if (ptx_has(in, "f32") || how == 8 || (how > 0 && !forms[form].names[how])) {
        return false;
    }
    kind->how = how;
    bool is_wide = kind->run == match && ptx_has(in, "b64");
    if (kind->run == redux && ptx_has(in, "s32") && (how == MIN_U || how == MAX_U)) {
        kind->how += MIN_S - MIN_U;
    } else if (is_wide) {
        kind->takes = TAKES_WIDE;
    } else if (kind->run == vote && how == BALLOT) {
        kind->gives = GIVES_VALUE;
    }
    if (to->kind == PTX_PAIR) {
        op->imm = decode_destination(decoder, &to->parts[1], 1);
        to = &to->parts[0];
        kind->gives |= GIVES_TRUTH;
    }
    if (kind->gives & GIVES_VALUE) {
        op->d = decode_destination(decoder, to, 4);
    } else {
        op->imm = decode_destination(decoder, to, 1);
    }
    if (kind->takes) {
        kind->negated = decode_operand(decoder, 1)->negated;
        op->a = decode_source_at(decoder, 1, kind->takes & TAKES_TRUTH ? 1 : is_wide ? 8 : 4);
    }
    if (kind->takes & TAKES_PLACE) {
        op->b = decode_source_at(decoder, 2, 4);
        op->c = decode_source_at(decoder, 3, 4);
    }
    return true;
}

void decode_warp_sync(struct decoder *decoder)
{
    begin_kind(decoder, (struct kind){0}, true);
}

const struct op *decode_meeting(struct decoder *decoder)
{
    struct op *meet = decode_memory(decoder, sizeof *meet), begun = *decoder->op;
    /* Only threads at the same instruction meet. */
    int how = (int)(decoder->op - decoder->function->ops) + 1;
    begin_kind(decoder, (struct kind){.how = how}, false);
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
