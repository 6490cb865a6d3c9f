/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The machine: decoded instructions, functions, call frames, warps, CTAs and launches.
 *
 * A register is an array of WARP_LANES values of its width, so that an instruction is a loop over lanes. Predicate
 * registers are masks, one bit a lane. An operand names an array by one of four bases and an offset.
 *
 * The threads of a warp that are at the same instruction of the same call frame form a group. One group runs; the
 * scheduler (warp.c) prefers the deepest frame, then the lowest instruction, so that diverged groups meet again.
 */
#ifndef WARPSCOPE_CUDA_INTERP_MACHINE_H
#define WARPSCOPE_CUDA_INTERP_MACHINE_H

#include "interp/device.h"
#include <setjmp.h>

enum { WARP_LANES = 32, BARRIERS = 16, OBSERVED_MAX = 1024 };
#define ALL_LANES 0xffffffffu

struct warp;
struct op;
typedef void (*op_handler)(struct warp *, const struct op *);

/* An operand: offset of an array (a multiple of 4) plus one of these. */
enum operand_base {
    BASE_FRAME,     /* registers of the call */
    BASE_CONSTANTS, /* of the function */
    BASE_SPECIAL,   /* %tid and the like, see special.h */
    BASE_KERNEL,    /* addresses of shared variables, which depend on the kernel */
    BASES
};
typedef uint32_t operand;

enum rounding { ROUND_NEAREST, ROUND_ZERO, ROUND_DOWN, ROUND_UP };
enum op_flags {
    OP_FTZ = 1,     /* denormal operands and results become 0 */
    OP_SAT = 2,     /* results are clamped to 0...1, or to the type's range */
    OP_WIDE = 4,    /* the address register has 64 bits */
    OP_FRAME = 8,   /* the address is relative to the frame's local memory */
    OP_STRONG = 16, /* other threads may act on it: atomics, volatile and ordered accesses */
    OP_TOOL = 32,   /* part of an instrumentation tool */
    OP_UNSEEN = 64  /* not for observers */
};

/* A decoded instruction. Meanings of fields after c depend on the handler. */
struct op {
    op_handler run;
    operand guard;   /* a predicate; always true without a guard */
    uint32_t invert; /* ALL_LANES for @!p, else 0 */
    operand d, a, b, c, e;
    uint32_t line;
    uint8_t round; /* enum rounding */
    uint8_t flags; /* enum op_flags */
    uint8_t space; /* enum ptx_space */
    uint8_t size;  /* bytes of a memory access */
    int64_t imm;
    const void *extra;
};

/* ---- Linked modules ---------------------------------------------------------------------------- */

struct shared_variable {
    uint64_t bytes; /* 0: dynamic */
    uint32_t align;
    bool tool;
};

/* Where a parameter or return of a function lies in a frame, for calls of the function. */
struct param {
    uint32_t offset, bytes; /* bytes 0: a register */
    uint32_t width;         /* of a register */
};

struct function {
    char *name;
    uint32_t unit;
    enum ptx_linkage linkage;
    const struct ptx_function *source; /* while its module is loaded */
    struct interp_module *module;
    bool entry, tool;
    bool address_taken;
    uint64_t address;
    struct op *ops;
    size_t op_count;
    char *constants;         /* 64-byte aligned */
    uint32_t register_bytes; /* of a frame */
    uint32_t param_bytes;    /* of a frame, each lane */
    uint32_t local_bytes;    /* of a frame, each lane */
    struct param *parameters, *returns;
    uint32_t parameter_count, return_count;
    operand *parameter_registers, *return_registers; /* of .reg parameters, or NULL */
    void **owned;                                    /* extras of ops */
    size_t owned_count, owned_room;
    uint32_t *shared; /* numbers of shared variables that its body names */
    size_t shared_count, shared_room;
    const struct function **callees;
    size_t callee_count, callee_room;
    bool calls_indirectly;
    uint32_t number; /* in the module */
    /* Of kernels. */
    struct interp_parameter *facts_parameters;
    struct interp_kernel_facts facts;
    char *kernel_base; /* of BASE_KERNEL: an address of each shared variable */
};

/* A kernel is its function. */
struct interp_kernel {
    struct function function;
};

/* ---- Execution --------------------------------------------------------------------------------- */

/* An activation of a function by some threads of a warp. */
struct frame {
    const struct function *function;
    struct frame *parent;
    const struct op *call; /* the call in the parent, or NULL */
    uint32_t lanes;        /* threads that have not returned */
    uint32_t depth;
    uint64_t order; /* of creation */
    uint32_t local_begin;
    char *registers;
    char *params; /* function->param_bytes of each lane */
    struct frame *next_free;
};

enum group_state { GROUP_READY, GROUP_BARRIER, GROUP_SYNC };

struct group {
    const struct op *pc;
    struct frame *frame;
    uint32_t mask;
    enum group_state state;
    uint64_t last;         /* when it ran, for fairness */
    uint32_t barrier;      /* of GROUP_BARRIER */
    uint32_t members;      /* of GROUP_SYNC */
    const struct op *wait; /* the instruction that it waits at */
};

struct cta;
struct launch;

struct warp {
    char *base[BASES];
    const struct op *pc, *stop; /* the running group; it leaves the loop at stop */
    uint32_t mask;              /* lanes that execute the current instruction */
    uint32_t active;            /* lanes of the running group */
    uint32_t live;              /* lanes that have not exited */
    uint32_t carry;             /* CC.CF of each lane */
    struct frame *frame;
    struct cta *cta;
    struct launch *launch;
    uint64_t executed; /* instructions, not yet in the launch's sum */
    uint64_t loops;    /* taken backward branches */
    uint64_t loads;    /* times that a group began to run, which orders turns */
    int32_t group_budget, warp_budget;
    bool strong;        /* the running loop has used strong accesses */
    bool yielded;       /* nanosleep or a spent budget: other warps go first */
    uint32_t turn_lane; /* a thread of the group that has a turn, as a mask */
    bool turn;          /* the running group was preferred for fairness */
    struct group groups[WARP_LANES + 1];
    uint32_t group_count, current;
    uint64_t frames_made;
    uint32_t number; /* in its CTA */
    char *local;     /* local memory of lane n begins at n * local_stride */
    uint32_t local_stride;
    void *at[WARP_LANES]; /* where the lanes of a memory access go */
    char *special;        /* memory of BASE_SPECIAL */
};

struct barrier {
    uint32_t arrived, expected; /* threads; expected 0: all of the CTA */
    uint32_t count_true;        /* of bar.red */
    uint32_t seen;
};

struct cta {
    uint32_t id[3];
    uint64_t linear;
    uint32_t sm;
    uint32_t live; /* threads that have not exited */
    char *shared;
    struct barrier barriers[BARRIERS];
    struct warp *warps;
    uint32_t next; /* warp that runs next */
    struct cta *next_free;
};

struct launch {
    struct interp *device;
    const struct function *kernel;
    const struct interp_launch *options;
    char *parameters;
    uint32_t shared_bytes; /* static and dynamic */
    uint32_t threads, warps;
    uint64_t grid_id;
    uint64_t
        workspace; /* of the grid's barrier: an address in %envreg1 and %envreg2; 0: not cooperative */
    uint64_t executed;
    uint64_t limit;
    enum interp_end end;
    char *error;
    struct frame **spare; /* unused frames of each function of the module */
    struct interp_access observed[OBSERVED_MAX];
    size_t observed_count;
};

static inline void *reg(const struct warp *warp, operand o)
{
    return warp->base[o & 3] + (o & ~3u);
}

static inline uint32_t pred(const struct warp *warp, operand o)
{
    return *(const uint32_t *)(const void *)(warp->base[o & 3] + (o & ~3u));
}

static inline void set_pred(const struct warp *warp, operand o, uint32_t value)
{
    uint32_t *p = reg(warp, o);
    *p = (*p & ~warp->mask) | (value & warp->mask);
}

#if defined(__clang__)
#define INDEPENDENT_LANES _Pragma("clang loop vectorize(assume_safety)")
#else
#define INDEPENDENT_LANES _Pragma("GCC ivdep")
#endif

/* Executes the statements for each lane i. Lanes that have exited may take part: their registers are never read again. */
#define FOR_LANES(warp, ...)                                                                       \
    do {                                                                                           \
        if ((warp)->mask == (warp)->live) {                                                        \
            INDEPENDENT_LANES for (unsigned i = 0; i < WARP_LANES; i++)                            \
            {                                                                                      \
                __VA_ARGS__                                                                        \
            }                                                                                      \
        } else {                                                                                   \
            for (uint32_t left_ = (warp)->mask; left_; left_ &= left_ - 1) {                       \
                unsigned i = (unsigned)__builtin_ctz(left_);                                       \
                __VA_ARGS__                                                                        \
            }                                                                                      \
        }                                                                                          \
    } while (0)

/* Executes the statements for each lane i of the mask, and no other. */
#define FOR_MASK(lanes, ...)                                                                       \
    for (uint32_t left_ = (lanes); left_; left_ &= left_ - 1) {                                    \
        unsigned i = (unsigned)__builtin_ctz(left_);                                               \
        __VA_ARGS__                                                                                \
    }

/* warp.c: groups of a warp. */
void warp_run(struct warp *warp); /* until it waits, yields, ends or faults */
void warp_branch(struct warp *warp, const struct op *op,
                 const struct op *target); /* of warp->mask */
void warp_sleep(struct warp *warp);        /* lets others run */
void warp_reschedule(struct warp *warp);   /* leaves the loop after this instruction */
struct group *warp_split(struct warp *warp, uint32_t mask,
                         const struct op *pc); /* of the running group */
void warp_exit_lanes(struct warp *warp, uint32_t mask);
bool warp_ready(const struct warp *warp);

/* frame.c */
struct frame *frame_push(struct warp *warp, const struct function *function, const struct op *call,
                         uint32_t lanes);
void frame_leave(struct warp *warp, struct frame *frame, uint32_t lanes);
bool frame_room(struct warp *warp, uint32_t local_bytes);

/* fault.c: ends the launch; the message names kernel, CTA, thread and line. */
void fault(struct warp *warp, const struct op *op, unsigned lane, enum interp_end end,
           const char *format, ...) __attribute__((format(printf, 5, 6)));

/* space.c: sets warp->at for the active lanes, or faults and returns false. */
void access_flush(struct launch *launch); /* hands accesses to the observer */
enum access { ACCESS_LOAD, ACCESS_STORE, ACCESS_ATOMIC };
bool access_memory(struct warp *warp, const struct op *op, uint32_t size, uint32_t align,
                   enum access access);
char *access_generic(struct warp *warp, unsigned lane, uint64_t address, uint64_t size, bool store);

/* barrier.c */
void barrier_exit(struct cta *cta);

/* sync.c: runs what waits for lanes that have exited. */
void sync_check(struct warp *warp);

#endif
