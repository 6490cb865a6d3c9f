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
#include "store/chunks.h"
#include <assert.h>

/* BARRIER_CLUSTER: in place of the index of a barrier, that of the cluster. */
enum { WARP_LANES = 32, BARRIERS = 16, BARRIER_CLUSTER = BARRIERS, OBSERVED_MAX = 1024 };
enum { CLUSTER_MAX = 16, CLUSTER_SHIFT = 18, CLUSTER_STRIDE = 1 << CLUSTER_SHIFT };
#define ALL_LANES 0xffffffffu

struct warp;
struct op;
typedef void (*op_handler)(struct warp *, const struct op *);

/* An operand refers to an array. It is the sum of a base, which selects a memory area, and the
 * offset of the array in that area, which is a multiple of 4. */
enum operand_base {
    BASE_FRAME,     /* registers of the current call frame */
    BASE_CONSTANTS, /* constants of the function */
    BASE_SPECIAL,   /* special registers such as %tid, see special.c */
    BASE_KERNEL,    /* addresses of shared variables, which depend on the kernel */
    BASES
};
typedef uint32_t operand;

enum op_flags {
    OP_FTZ = 1,   /* denormal operands and results become 0 */
    OP_SAT = 2,   /* real results are clamped to 0...1, integers to the range of their type */
    OP_WIDE = 4,  /* the address register is 64 bits wide */
    OP_FRAME = 8, /* the address is relative to the frame's own memory (variables, parameters) */
    /* An atomic, volatile or ordered access: other threads may read or write the address. */
    OP_STRONG = 16,
    OP_TOOL = 32, /* the instruction belongs to an instrumentation tool */
    OP_PART = 64  /* a part of an access that was observed as a whole */
};

/* A decoded instruction. Its handler defines the meaning of the operands, imm and extra. */
struct op {
    op_handler run;
    operand guard;   /* predicate register; without a guard: a constant that is true */
    uint32_t invert; /* ALL_LANES for @!p, else 0 */
    operand d, a, b, c, e;
    uint32_t line;
    uint8_t round; /* enum rounding (ptx/small_float.h) */
    uint8_t flags; /* bits of enum op_flags */
    uint8_t space; /* enum ptx_space */
    uint8_t size;  /* size of a memory access in bytes */
    int64_t imm;
    const void *extra;
};

/* ---- Linked modules -------------------------------------------------------------------------- */

struct shared_variable {
    uint64_t bytes; /* size in bytes; 0: the size is dynamic */
    uint32_t align;
    bool tool;
};

struct function {
    char *name;
    uint32_t unit;
    enum ptx_linkage linkage;
    const struct ptx_function *source; /* until the module is loaded */
    struct interp_module *module;
    bool entry, tool;
    bool address_taken;
    /* True for a kernel, and for a function of which a parameter or return value has 128 bits. */
    bool uncallable;
    uint64_t address;
    struct op *ops;
    size_t op_count;
    char *constants;         /* aligned to 64 bytes */
    uint32_t register_bytes; /* size in bytes of the registers in a frame */
    uint32_t param_bytes;    /* size in bytes of parameter memory in a frame, per lane */
    const struct interp_parameter *returns; /* places in a frame of the function */
    uint32_t return_count;
    struct chunks memory; /* to which the members `extra` of the ops point */
    uint32_t *shared;     /* indexes in module->shared of the variables that the body names */
    size_t shared_count;
    const struct function **callees;
    size_t callee_count;
    bool calls_indirectly;
    uint32_t number;                  /* index in module->functions */
    struct interp_kernel_facts facts; /* of other functions: parameters and local memory only */
    /* Of kernels: memory of BASE_KERNEL: the address of each shared variable, for each lane. */
    char *kernel_base;
};

/* A kernel, or another function of the module. */
struct interp_kernel {
    struct function function;
};

/* ---- Execution ------------------------------------------------------------------------------- */

/* Frame of a function call by some threads of a warp. It exists until all of them have returned. */
struct frame {
    const struct function *function;
    struct frame *parent;
    const struct op *call; /* call instruction in the parent frame; NULL in the kernel's frame */
    uint32_t lanes;        /* bit mask of the threads that have not returned */
    uint32_t depth;
    uint64_t order; /* number of frames that the warp created before this one */
    uint32_t local_begin;
    char *registers;
    char *params; /* parameter memory: param_bytes of the function, for each lane */
    struct frame *next_free;
};

enum group_state { GROUP_READY, GROUP_BARRIER, GROUP_SYNC };

struct group {
    const struct op *pc;
    struct frame *frame;
    uint32_t mask;
    enum group_state state;
    uint64_t last;         /* value of warp->loads when the group last began to run, for fairness */
    uint32_t barrier;      /* with GROUP_BARRIER: index of the barrier */
    uint32_t members;      /* with GROUP_SYNC: bit mask of the member threads */
    const struct op *wait; /* instruction at which the group waits */
};

/* A value of 128 bits in a register. */
struct wide {
    uint64_t low, high;
};

struct cta;
struct launch;

struct warp {
    char *base[BASES];
    /* pc: next instruction of the running group; stop: instruction at which the scheduler next
     * chooses a group; NULL: none. */
    const struct op *pc, *stop;
    /* Bit mask of those lanes in `active` that execute the current instruction. */
    uint32_t mask;
    uint32_t active; /* bit mask of all lanes of the running group */
    uint32_t live;   /* bit mask of the lanes that have not exited */
    uint32_t carry;  /* bit mask with the carry flag (CC.CF) of each lane */
    struct frame *frame;
    struct cta *cta;
    struct launch *launch;
    uint32_t arrived;  /* bit mask of the lanes that have arrived at the barrier of the cluster */
    uint64_t executed; /* number of instructions that launch->executed does not include yet */
    uint64_t loops;    /* number of taken backward branches */
    uint64_t loads;    /* number of times that a group began to run */
    int32_t group_budget, warp_budget;
    bool strong; /* true if the running loop has made strong accesses (OP_STRONG) */
    /* true after nanosleep or when the budget is spent, so that other warps run first */
    bool yielded;
    /* bit mask of one lane: while `turn` is true, the group with this lane runs */
    uint32_t turn_lane;
    bool turn; /* true while the group that waited longest is preferred */
    struct group groups[WARP_LANES + 1];
    uint32_t group_count, current;
    uint64_t frames_made;
    uint32_t number; /* index of the warp in its CTA */
    char *local;     /* local memory of all lanes; that of lane n begins at n * local_stride */
    uint32_t local_stride;
    void *at[WARP_LANES]; /* [i]: host address of the access that lane i makes */
    char *special;        /* memory of BASE_SPECIAL */
};

struct barrier {
    /* arrived: number of threads that have arrived; expected: number of threads that must arrive,
     * 0: all threads of the CTA */
    uint32_t arrived, expected;
    uint32_t count_true; /* number of threads whose predicate was true, for bar.red */
};

/* The CTAs of a cluster, which are resident at the same time. */
struct cluster {
    uint32_t size, began, ended; /* numbers of CTAs */
    uint32_t arrived;            /* number of threads that have arrived at the cluster's barrier */
    uint32_t idle;               /* number of visits (run_cta()) since a thread has run */
    struct cta *ctas[CLUSTER_MAX]; /* [rank]; NULL: not resident */
};

struct cta {
    uint32_t id[3];
    uint64_t linear;
    uint32_t sm;
    uint32_t live; /* number of threads that have not exited */
    uint32_t rank; /* in its cluster */
    struct cluster *cluster;
    char *shared;
    struct barrier barriers[BARRIERS];
    struct warp *warps;
    struct cta *next_free;
};

struct launch {
    struct interp *device;
    const struct function *kernel;
    const struct interp_launch *options;
    char *parameters;
    uint32_t shared_bytes; /* size in bytes of static and dynamic shared memory */
    uint32_t threads, warps;
    uint32_t cluster[3]; /* size of clusters in CTAs */
    uint64_t grid_id;
    /* Address of the barrier of a cooperative grid, for %envreg1 and %envreg2; 0: the launch is not
     * cooperative. */
    uint64_t workspace;
    uint64_t executed;
    uint64_t limit;
    enum interp_end end;
    char *error;
    struct frame **spare; /* [i]: list of unused frames of function i of the module */
    struct interp_access observed[OBSERVED_MAX];
    size_t observed_count;
};

static inline void *reg(const struct warp *warp, operand o)
{
    assert(warp->base[o & 3]);
    return warp->base[o & 3] + (o & ~3u);
}

/* Returns the array of an operand in a frame that is possibly not the running one. */
static inline void *frame_array(const struct warp *warp, const struct frame *frame, operand o)
{
    char *base = (o & 3) == BASE_FRAME       ? frame->registers
                 : (o & 3) == BASE_CONSTANTS ? frame->function->constants
                                             : warp->base[o & 3];
    return base + (o & ~3u);
}

static inline uint32_t pred(const struct warp *warp, operand o)
{
    return *(const uint32_t *)(const void *)(warp->base[o & 3] + (o & ~3u));
}

static inline void set_pred(const struct warp *warp, operand o, uint32_t value)
{
    uint32_t *p = reg(warp, o);
    assert((o & 3) == BASE_FRAME);
    *p = (*p & ~warp->mask) | (value & warp->mask);
}

/* Makes the scheduler choose a group again after the current instruction. */
static inline void warp_reschedule(struct warp *warp)
{
    warp->stop = warp->pc;
}

#if defined(__clang__)
#define INDEPENDENT_LANES _Pragma("clang loop vectorize(assume_safety)")
#else
#define INDEPENDENT_LANES _Pragma("GCC ivdep")
#endif

/* Executes the statements for each lane i in warp->mask, and possibly for lanes that have exited,
 * since no instruction reads the registers of these again. */
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

/* Executes the statements for each lane i in the mask, and for no other lane. */
#define FOR_MASK(lanes, ...)                                                                       \
    for (uint32_t left_ = (lanes); left_; left_ &= left_ - 1) {                                    \
        unsigned i = (unsigned)__builtin_ctz(left_);                                               \
        __VA_ARGS__                                                                                \
    }

/* warp.c: groups of a warp. Runs the warp until it waits, yields or ends, or until an error
 * occurs. */
void warp_run(struct warp *warp);
/* Lets the lanes of warp->mask branch to target. */
void warp_branch(struct warp *warp, const struct op *op, const struct op *target);
/* Makes the warp yield, so that other warps run first. */
void warp_sleep(struct warp *warp);
/* Moves the lanes in mask from the running group to a new group at pc. */
struct group *warp_split(struct warp *warp, uint32_t mask, const struct op *pc);
/* Returns true if a group of the warp can run. */
bool warp_ready(const struct warp *warp);
/* Returns true if the groups of a warp that is not running are sound: no lane belongs to two
 * groups, has exited, or has returned from the frame of its group. */
bool warp_check(const struct warp *warp);

/* frame.c: call frames. Creates a frame in which the lanes in `lanes` execute `function`. Ends the
 * launch and returns NULL on a stack overflow. */
struct frame *frame_push(struct warp *warp, const struct function *function, const struct op *call,
                         uint32_t lanes);
/* Removes lanes from a frame. Releases the frame if no lane is left in it. */
void frame_leave(struct warp *warp, struct frame *frame, uint32_t lanes);
/* Makes room for local_bytes bytes of local memory in each lane. Returns false if this is
 * impossible. */
bool frame_room(struct warp *warp, uint32_t local_bytes);

/* fault.c: ends the launch with an error message that names kernel, CTA, thread and line. */
void fault(struct warp *warp, const struct op *op, unsigned lane, enum interp_end end,
           const char *format, ...) __attribute__((format(printf, 5, 6)));
/* Handler of instructions that the interpreter cannot execute: ends the launch. op->extra: name of
 * the instruction. */
void fault_unsupported(struct warp *warp, const struct op *op);

/* space.c: hands the collected accesses of a launch to the observer. */
void access_flush(struct launch *launch);
enum access { ACCESS_LOAD, ACCESS_STORE, ACCESS_ATOMIC };
/* Checks the access of an instruction and sets warp->at for the lanes of warp->mask. If the access
 * is invalid, ends the launch and returns false. */
bool access_memory(struct warp *warp, const struct op *op, uint32_t size, uint32_t align,
                   enum access access);
/* Like access_memory(), for more bytes too: one access of all. step: 1, 2, 4, 8 or 16, to a multiple of which
 * address and number of bytes must be aligned. */
bool access_range(struct warp *warp, const struct op *op, uint32_t bytes, uint32_t step,
                  enum access access);
/* Returns the host address of the `size` bytes at a generic address, or NULL if the lane must not
 * access them. store: true if the lane writes them. */
char *access_generic(struct warp *warp, unsigned lane, uint64_t address, uint64_t size, bool store);

/* barrier.c: ends the threads in mask, and releases the threads that waited for them. */
void warp_exit_lanes(struct warp *warp, uint32_t mask);

/* sync.c: runs instructions that waited only for lanes that have exited. */
void sync_check(struct warp *warp);

/* ---- Special registers: special.c ------------------------------------------------------------ */

/* Special registers whose values are constant while a warp runs are arrays of 32-bit values at
 * BASE_SPECIAL. */

/* Returns the size in bytes of the arrays of special registers of one warp. */
size_t special_bytes(void);

/* Sets the special registers of a warp that begins. */
void special_begin(struct warp *warp);

/* Sets *result to the operand of a special register. width: width of the operand in bytes. Returns
 * false if the register's value changes while a warp runs, or if the name is unknown. */
bool special_operand(const struct ptx_operand *name, uint32_t width, operand *result);

/* Size in bytes of one shared variable's addresses at BASE_KERNEL: for each lane, an address of 8
 * bytes and one of 4 bytes. */
enum { SHARED_STRIDE = WARP_LANES * 12 };
static inline operand shared_operand(uint32_t number, uint32_t width)
{
    return (number * SHARED_STRIDE + (width == 8 ? 0 : WARP_LANES * 8)) | BASE_KERNEL;
}

/* ---- Calls: ops/control.c, ops/builtin.c ----------------------------------------- */

/* An argument or result of a call is a struct interp_parameter in the frame of the caller. */

struct call {
    /* Called function; NULL: a built-in function, or an indirect call of the address in register
     * op->a. */
    const struct function *callee;
    op_handler builtin; /* handler of a built-in function such as vprintf; NULL: none */
    const struct interp_parameter *arguments, *results;
    uint32_t argument_count, result_count;
};

/* Source or destination of a value that a call copies. The values of adjacent lanes are `stride`
 * bytes apart. 0: a predicate, whose values are the bits of a mask of 4 bytes. */
struct end {
    char *at;
    size_t stride, bytes;
};
/* Returns the end of a parameter or return value in a frame of its function, or of an argument or result in
 * that of the caller (frame.c). */
struct end frame_end(const struct warp *warp, const struct frame *frame,
                     const struct interp_parameter *p);

/* builtin.c: returns the handler of a function of CUDA's device library, or NULL if the name is
 * unknown. */
op_handler builtin_find(struct ptx_text name);

#endif
