/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A PTX interpreter: a GPU on the processor, for tests and for users without a GPU.
 *
 * A device has memory, modules and streaming multiprocessors (SMs). A launch runs a kernel over a grid, warps in
 * lock step, CTA (cooperative thread array) n on SM n modulo the number of SMs. Its results and the order of its
 * accesses depend on the module and the launch alone: a CTA's warps run in order, and the interpreter changes to
 * another warp only where one waits (barrier, nanosleep) or loops for long.
 *
 * Device addresses are addresses of the process: all memory of a device lies in one reserved range at a fixed
 * address, so that host code may read and write it (as mapped and managed memory is), and addresses are the same in
 * each run. Accesses outside allocations are faults.
 *
 * Subset: all instructions on integers, f32, f64, f16, bf16 and pairs of halves that compute, compare, convert and
 * move; ld, st, atom, red and fences of all spaces; cp.async, done at once and not observed; branches, calls (direct,
 * indirect, recursive) and exits; barriers of CTAs and warps, votes, shuffles, matches, reductions; vprintf, malloc,
 * free and __assertfail. Not in it: matrices (wmma, mma), textures and surfaces, mbarrier, bulk and tensor copies,
 * clusters of more than one CTA, vector atomics, 128-bit registers, video instructions, f8 and smaller types.
 *
 * Differences from GPUs: approximate functions (.approx) are more exact; atomic f32 additions keep denormals; %clock
 * counts instructions of the warps so far. An instruction with exact results has those of the ISA in all bits, where
 * the ISA defines them.
 *
 * Threads of a warp that diverged are scheduled independently. One that loops for long lets others of its warp run,
 * then other warps, then other CTAs: the count is of taken backward branches, and higher in loops with atomic,
 * volatile or ordered accesses, which may be waits.
 *
 * Names that contain "warpscope" belong to a tool: its variables lie apart from the program's, accesses to them and
 * to memory of interp_alloc_apart() are not observed, and loops and nanosleep in its functions change to no other
 * warp, so that a program that a tool has rewritten makes its accesses in the same order.
 *
 * Functions with an error parameter write a message of at most INTERP_ERROR_MAX bytes and return NULL or false.
 * Several threads may launch kernels on one device at the same time (streams); each thread has an error of its own.
 * All other functions of a device are safe to call from several threads.
 */
#ifndef WARPSCOPE_CUDA_INTERP_H
#define WARPSCOPE_CUDA_INTERP_H

#include "ptx/ptx.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { INTERP_ERROR_MAX = 512 };

struct interp;        /* a device */
struct interp_module; /* linked PTX modules, loaded */
struct interp_kernel;

/* An access to global memory by one thread, as the original instruction makes it: one for a vector, not one for each
 * element. */
struct interp_access {
    uint64_t address;
    uint32_t size; /* bytes of the whole access */
    uint32_t type; /* 0 load, 1 store, 2 atomic (atom and red) */
    uint32_t sm;
    uint32_t cta[3];
    uint32_t thread; /* linear number in the CTA */
    uint32_t line;   /* of the PTX */
};

/* Receives accesses of one launch, in order of execution; threads of one instruction by ascending lane. */
typedef void (*interp_observer)(void *user, const struct interp_access *accesses, size_t count);

struct interp_options {
    unsigned sms;    /* 0: 16 */
    unsigned number; /* of the device; each has its own range of addresses */
    uint64_t memory; /* bytes of global memory; 0: 16 GiB (pages are used only when touched) */
    uint64_t instruction_limit; /* of warps, per launch, for kernels that never end; 0: none */
};

struct interp *interp_create(const struct interp_options *options, char *error);
void interp_destroy(struct interp *device);

/* Global memory, zeroed pages at first use, aligned to 256 bytes; 0 if there is no room. Addresses depend only on
 * the sequence of calls. interp_free() returns false for an address that is not an allocation's begin.
 * interp_alloc_apart() takes from another part of the range, so that a tool's own memory does not move a program's. */
uint64_t interp_alloc(struct interp *device, uint64_t bytes);
uint64_t interp_alloc_apart(struct interp *device, uint64_t bytes);
bool interp_free(struct interp *device, uint64_t address);
/* The allocation or variable that holds the address: its begin and size. */
bool interp_find(struct interp *device, uint64_t address, uint64_t *begin, uint64_t *bytes);

/* Links and loads modules: resolves .extern and .weak, allocates and initialises global and constant variables.
 * The trees are no longer needed afterwards. */
struct interp_module *interp_load(struct interp *device, const struct ptx_module *const *modules,
                                  size_t count, char *error);
void interp_unload(struct interp_module *module);

/* Instructions that the interpreter cannot run are found when a launch reaches them; this lists them at once, one
 * "line 12: tensormap.replace" a line, into text; returns their number. */
size_t interp_unsupported(const struct interp_module *module, char *text, size_t size);

/* A global or constant variable: its address and bytes. */
bool interp_variable(const struct interp_module *module, const char *name, uint64_t *address,
                     uint64_t *bytes);

struct interp_kernel *interp_kernel(const struct interp_module *module, const char *name);
struct interp_parameter {
    uint32_t offset, bytes;
};
struct interp_kernel_facts {
    const char *name;
    uint32_t parameter_count;
    const struct interp_parameter *parameters;
    uint32_t parameter_bytes;
    uint32_t shared_bytes; /* static */
    uint32_t local_bytes;
    uint32_t max_threads; /* of .maxntid or .reqntid, or 1024 */
    uint32_t architecture; /* 80 for .target sm_80 */
};
const struct interp_kernel_facts *interp_kernel_facts(const struct interp_kernel *kernel);

struct interp_launch {
    uint32_t grid[3], block[3];
    uint32_t shared_bytes;   /* dynamic */
    bool cooperative;        /* all CTAs are resident at once, as grid barriers need */
    const void *parameters;  /* parameter_bytes bytes */
    interp_observer observe; /* NULL: none */
    void *user;
    const volatile int
        *cancel; /* ends the launch with an error when it becomes non-zero; NULL: none */
};

enum interp_end {
    INTERP_DONE,
    INTERP_BAD_LAUNCH,  /* sizes, shared memory */
    INTERP_BAD_ADDRESS, /* an access outside allocations */
    INTERP_MISALIGNED,
    INTERP_TRAP,        /* trap, assertion, unreachable code */
    INTERP_UNSUPPORTED, /* an instruction outside the subset */
    INTERP_DEADLOCK,    /* every thread waits */
    INTERP_LIMIT,       /* instruction_limit, or cancelled */
};

/* Runs a kernel to its end in the calling thread. On any end but INTERP_DONE, error says what, in which kernel, CTA
 * and thread, and at which line of the PTX. */
enum interp_end interp_launch(struct interp *device, const struct interp_kernel *kernel,
                              const struct interp_launch *launch, char *error);

#endif
