/* SPDX-License-Identifier: BSD-3-Clause
 *
 * State of the machine: decoded instructions, functions, call frames, warps, CTAs and launches.
 *
 * A register is an array of WARP_LANES values of its width, so that an instruction is a loop over
 * lanes. Predicate registers are masks, one bit a lane. An operand names an array by one of four
 * bases and an offset.
 *
 * The threads of a warp that are at the same instruction of the same call frame form a group. One
 * group runs at a time. The scheduler (warp.c) prefers the deepest frame, then the lowest
 * instruction, so that diverged groups meet again.
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

/* An operand is the offset of an array (a multiple of 4) plus one of these bases. */
enum operand_base {
    BASE_FRAME,     /* registers of the current call frame */
    BASE_CONSTANTS, /* constants of the function */
    BASE_SPECIAL,   /* special registers such as %tid, see special.h */
    BASE_KERNEL,    /* addresses of shared variables, which depend on the kernel */
    BASES
};
typedef uint32_t operand;

enum rounding { ROUND_NEAREST, ROUND_ZERO, ROUND_DOWN, ROUND_UP };
enum op_flags {
    OP_FTZ = 1,   /* denormal operands and results become 0 */
    OP_SAT = 2,   /* results are clamped to 0...1, or to the type's range */
    OP_WIDE = 4,  /* the address register has 64 bits */
    OP_FRAME = 8, /* the address is relative to the frame's local memory */
    /* An atomic, volatile or ordered access: other threads may read or write the address. */
    OP_STRONG = 16,
    OP_TOOL = 32,  /* belongs to an instrumentation tool */
    OP_UNSEEN = 64 /* the access is not reported to observers */
};

/* A decoded instruction. The handler defines the meaning of the operands, imm and extra. */
struct op {
    op_handler run;
    operand guard;   /* predicate; a constant true without a guard */
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
    uint64_t bytes; /* 0: size is dynamic */
    uint32_t align;
    bool tool;
};

/* Place of a parameter or return value in a frame of its function. */
struct param {
    uint32_t offset, bytes; /* bytes 0: it is a register */
    uint32_t width;         /* width of the register in bytes */
};

struct function {
    char *name;
    uint32_t unit;
    enum ptx_linkage linkage;
    const struct ptx_function *source; /* valid while its module is loaded */
    struct interp_module *module;
    bool entry, tool;
    bool address_taken;
    uint64_t address;
    struct op *ops;
    size_t op_count;
    char *constants;         /* aligned to 64 bytes */
    uint32_t register_bytes; /* bytes of registers in a frame */
    uint32_t param_bytes;    /* bytes of parameter memory in a frame, per lane */
    uint32_t local_bytes;    /* bytes of local memory in a frame, per lane */
    struct param *parameters, *returns;
    uint32_t parameter_count, return_count;
    /* Operands of .reg parameters and return values. NULL: none. */
    operand *parameter_registers, *return_registers;
    /* Memory to which fields `extra` of ops point. */
    void **owned;
    size_t owned_count, owned_room;
    uint32_t *shared; /* numbers of the shared variables that the body names */
    size_t shared_count, shared_room;
    const struct function **callees;
    size_t callee_count, callee_room;
    bool calls_indirectly;
    uint32_t number; /* index in the array of functions of the module */
    /* The rest is used for kernels only. */
    struct interp_parameter *facts_parameters;
    struct interp_kernel_facts facts;
    /* Memory of BASE_KERNEL: the address of each shared variable, for each lane. */
    char *kernel_base;
};

/* A kernel, or another function of the module. */
struct interp_kernel {
    struct function function;
};

/* ---- Execution --------------------------------------------------------------------------------- */

/* A call of a function by some threads of a warp, until all of them have returned. */
struct frame {
    const struct function *function;
    struct frame *parent;
    const struct op *call; /* call instruction in the parent frame; NULL: the frame of the kernel */
    uint32_t lanes;        /* threads that have not returned */
    uint32_t depth;
    uint64_t order; /* number of the frame in order of creation */
    uint32_t local_begin;
    char *registers;
    char *params; /* param_bytes of the function, for each lane */
    struct frame *next_free;
};

enum group_state { GROUP_READY, GROUP_BARRIER, GROUP_SYNC };

struct group {
    const struct op *pc;
    struct frame *frame;
    uint32_t mask;
    enum group_state state;
    uint64_t last;         /* value of warp->loads when the group last ran, for fairness */
    uint32_t barrier;      /* with GROUP_BARRIER: number of the barrier */
    uint32_t members;      /* with GROUP_SYNC: mask of the member threads */
    const struct op *wait; /* instruction at which the group waits */
};

struct cta;
struct launch;

struct warp {
    char *base[BASES];
    /* Instruction of the running group; at stop the scheduler chooses a group again. */
    const struct op *pc, *stop;
    uint32_t mask;   /* lanes that execute the current instruction */
    uint32_t active; /* lanes of the running group */
    uint32_t live;   /* lanes that have not exited */
    uint32_t carry;  /* carry flag (CC.CF) of each lane, as a mask */
    struct frame *frame;
    struct cta *cta;
    struct launch *launch;
    uint64_t executed; /* instructions that the sum of the launch does not include yet */
    uint64_t loops;    /* taken backward branches */
    uint64_t loads;    /* how often a group began to run; the clock of group.last */
    int32_t group_budget, warp_budget;
    bool strong;        /* true if the running loop has made strong accesses (OP_STRONG) */
    bool yielded;       /* true after nanosleep or a spent budget: other warps run first */
    uint32_t turn_lane; /* mask with one thread of the group that has a turn */
    bool turn;          /* true while a group runs because it waited longest */
    struct group groups[WARP_LANES + 1];
    uint32_t group_count, current;
    uint64_t frames_made;
    uint32_t number; /* number in its CTA */
    char *local;     /* local memory of lane n begins at n * local_stride */
    uint32_t local_stride;
    void *at[WARP_LANES]; /* host addresses of a memory access, per lane */
    char *special;        /* memory of BASE_SPECIAL */
};

struct barrier {
    uint32_t arrived, expected; /* numbers of threads; expected 0: all threads of the CTA */
    uint32_t count_true;        /* threads whose predicate was true, for bar.red */
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
    uint32_t next; /* number of the warp that runs next */
    struct cta *next_free;
};

struct launch {
    struct interp *device;
    const struct function *kernel;
    const struct interp_launch *options;
    char *parameters;
    uint32_t shared_bytes; /* bytes of static and dynamic shared memory */
    uint32_t threads, warps;
    uint64_t grid_id;
    uint64_t
        /* Address of the barrier of a cooperative grid, for %envreg1 and %envreg2; 0: the launch is
         * not cooperative. */
        workspace;
    uint64_t executed;
    uint64_t limit;
    enum interp_end end;
    char *error;
    struct frame **spare; /* lists of unused frames, one per function of the module */
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

/* Executes the statements for each lane i. Lanes that have exited may be included, since no
 * instruction reads their registers again. */
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

/* Executes the statements for each lane i of the mask only. */
#define FOR_MASK(lanes, ...)                                                                       \
    for (uint32_t left_ = (lanes); left_; left_ &= left_ - 1) {                                    \
        unsigned i = (unsigned)__builtin_ctz(left_);                                               \
        __VA_ARGS__                                                                                \
    }

/* warp.c: groups of a warp. warp_run() runs until the warp waits, yields, ends or faults. */
void warp_run(struct warp *warp);
/* Lets the lanes of warp->mask branch to target. */
void warp_branch(struct warp *warp, const struct op *op, const struct op *target);
/* Lets other warps run first. */
void warp_sleep(struct warp *warp);
/* Makes the scheduler choose a group after this instruction. */
void warp_reschedule(struct warp *warp);
/* Takes the lanes of mask out of the running group, into a group of their own at pc. */
struct group *warp_split(struct warp *warp, uint32_t mask, const struct op *pc);
void warp_exit_lanes(struct warp *warp, uint32_t mask);
bool warp_ready(const struct warp *warp);

/* frame.c: call frames. */
struct frame *frame_push(struct warp *warp, const struct function *function, const struct op *call,
                         uint32_t lanes);
void frame_leave(struct warp *warp, struct frame *frame, uint32_t lanes);
bool frame_room(struct warp *warp, uint32_t local_bytes);

/* fault.c: ends the launch with a message that names kernel, CTA, thread and line. */
void fault(struct warp *warp, const struct op *op, unsigned lane, enum interp_end end,
           const char *format, ...) __attribute__((format(printf, 5, 6)));

/* space.c: access_memory() checks an access and sets warp->at for the active lanes. It ends the
 * launch and returns false if the access is invalid. */
void access_flush(struct launch *launch); /* hands accesses to the observer */
enum access { ACCESS_LOAD, ACCESS_STORE, ACCESS_ATOMIC };
bool access_memory(struct warp *warp, const struct op *op, uint32_t size, uint32_t align,
                   enum access access);
char *access_generic(struct warp *warp, unsigned lane, uint64_t address, uint64_t size, bool store);

/* barrier.c: checks all barriers of the CTA after threads have exited. */
void barrier_exit(struct cta *cta);

/* sync.c: runs instructions that waited only for lanes that have exited. */
void sync_check(struct warp *warp);

#endif
