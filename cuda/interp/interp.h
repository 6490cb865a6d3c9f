/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A PTX interpreter: it executes kernels on the processor, for tests and for users without a GPU.
 *
 * A device has memory, modules and streaming multiprocessors (SMs). A launch runs a kernel over a
 * grid. The threads of a warp run in lock step, and CTA n runs on SM n modulo the number of SMs.
 * Results and the order of accesses depend only on the module and the launch. The warps of a CTA
 * run in order; the interpreter changes to another warp only where a warp waits (barrier,
 * nanosleep) or loops for long.
 *
 * Device addresses are addresses of the process: all memory of a device lies in one reserved range
 * at a fixed address. Host code may therefore read and write device memory, like mapped and managed
 * memory, and addresses are the same each time the program runs. Accesses outside allocations are
 * faults.
 *
 * Subset: all instructions on integers, f32, f64, f16, bf16 and pairs of halves that compute,
 * compare, convert and move; ld, st, atom and red in all state spaces; fences; cp.async and
 * cp.async.bulk with reductions, also of tensors, which complete at once, and mbarrier; matrices
 * (wmma, mma, ldmatrix); branches, calls (direct, indirect, recursive) and exits; barriers of CTAs, clusters and warps,
 * votes, shuffles, matches, reductions; vprintf, malloc, free and __assertfail. The subset excludes
 * sparse matrices, wgmma and tcgen05, cube maps and mipmaps, tensors by im2col, 128-bit registers but
 * to load, store, move, exchange and compare them, predicates as parameters of functions, f8 and
 * smaller types.
 *
 * Differences from GPUs: approximate functions (.approx) are more exact; atomic f32 additions keep
 * denormals; %clock counts the instructions that warps have executed so far. All other results
 * agree with the PTX ISA in every bit that the ISA defines.
 *
 * Threads of a warp that have diverged are scheduled independently. A thread that loops for long
 * lets other threads of its warp run, then other warps, then other CTAs. The interpreter measures a
 * loop by its taken backward branches. These count more in loops with atomic, volatile or ordered
 * accesses, because such loops may be waiting for other threads.
 *
 * Names that contain "warpscope" belong to an instrumentation tool. The tool's variables lie apart
 * from those of the program. Accesses to them and to memory from interp_alloc_apart() are not
 * observed. Loops and nanosleep in the tool's functions do not change to another warp. A rewritten
 * program therefore makes its accesses in the same order as the original.
 *
 * Functions with the parameter `error` store an error message of at most INTERP_ERROR_MAX bytes
 * there if they return NULL or false. Several threads may launch kernels on one device at the same
 * time (streams); each thread passes its own `error`. All other functions of a device are safe to
 * call from several threads.
 */
#ifndef WARPSCOPE_CUDA_INTERP_H
#define WARPSCOPE_CUDA_INTERP_H

#include "ptx/ptx.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { INTERP_ERROR_MAX = 512 };

struct interp;        /* a device */
struct interp_module; /* PTX modules, linked and loaded on a device */
struct interp_kernel;

/* An access to global memory by one thread. A vector access is one access, not one for each
 * element. */
struct interp_access {
    uint64_t address;
    uint32_t size; /* size in bytes of the whole access */
    uint32_t type; /* 0: load; 1: store; 2: atomic (atom and red) */
    uint32_t sm;
    uint32_t cta[3];
    uint16_t thread; /* linear index of the thread in its CTA */
    uint16_t unit;   /* index of the PTX among the texts of the module */
    uint32_t line;   /* line number in this PTX */
};

/* Receives accesses of one launch, in order of execution. The accesses of one instruction are in
 * ascending order of lanes. */
typedef void (*interp_observer)(void *user, const struct interp_access *accesses, size_t count);

struct interp_options {
    unsigned sms;    /* number of SMs; 0: 16 */
    unsigned number; /* identifies the device, and selects its range of addresses */
    /* size of global memory in bytes; 0: 16 GiB (pages are allocated only when touched) */
    uint64_t memory;
    /* Maximum number of instructions that the warps of one launch may execute; 0: no limit. The
     * limit ends kernels that would run forever. */
    uint64_t instruction_limit;
};

struct interp *interp_create(const struct interp_options *options, char *error);
void interp_destroy(struct interp *device);

/* Allocates global memory, zeroed and aligned to 256 bytes. Returns 0 if no range of this size is
 * free. Addresses depend only on the sequence of calls. */
uint64_t interp_alloc(struct interp *device, uint64_t bytes);
/* Like interp_alloc(), but in a separate part of the address range, so that allocations of a tool
 * do not change the addresses of the program's allocations. */
uint64_t interp_alloc_apart(struct interp *device, uint64_t bytes);
/* Frees memory from interp_alloc() or interp_alloc_apart(). Returns false if no allocation begins
 * at the address. */
bool interp_free(struct interp *device, uint64_t address);
/* Lets kernels of a device access memory outside of it, or ends this: all memory of the device
 * `peer` or, if peer is NULL, `bytes` bytes of the host at an address. Returns false if memory is
 * exhausted. No kernel that accesses this memory may be running when access ends. */
bool interp_reach(struct interp *device, uint64_t address, uint64_t bytes,
                  const struct interp *peer, bool is_on);
/* Finds the allocation or variable that contains the address, and sets *begin and *bytes to its
 * address and size. Returns false if there is none. */
bool interp_find(struct interp *device, uint64_t address, uint64_t *begin, uint64_t *bytes);

/* Links and loads modules: resolves .extern and .weak, allocates and initialises global and
 * constant variables. The caller may free `modules` afterwards. */
struct interp_module *interp_load(struct interp *device, const struct ptx_module *const *modules,
                                  size_t count, char *error);
void interp_unload(struct interp_module *module);

/* Finds a global or constant variable by name, and sets *address and *bytes to its address and
 * size. Returns false if the module has no variable with this name. */
bool interp_variable(const struct interp_module *module, const char *name, uint64_t *address,
                     uint64_t *bytes);

/* Sets *name, *address and *bytes to those of variable `index` of the module, counted from 0; *address
 * is 0 unless it is in global memory and of the program. Returns false if there are fewer. */
bool interp_global(const struct interp_module *module, size_t index, const char **name,
                   uint64_t *address, uint64_t *bytes);

/* Returns the kernel with this name, or NULL. */
struct interp_kernel *interp_kernel(const struct interp_module *module, const char *name);
struct interp_parameter {
    uint32_t offset, bytes; /* bytes: size in bytes; 0: a register, of `width` bytes */
    uint32_t width;
    uint32_t from; /* operand that is the register, for the interpreter itself */
};
struct interp_kernel_facts {
    const char *name;
    uint32_t parameter_count;
    const struct interp_parameter *parameters;
    uint32_t parameter_bytes;
    uint32_t shared_bytes; /* size of static shared memory in bytes */
    uint32_t local_bytes;
    /* maximum number of threads in a CTA: from .maxntid or .reqntid, else 1024 */
    uint32_t max_threads;
    /* sizes of clusters in CTAs, from .reqnctapercluster; 0: the launch decides */
    uint32_t cluster[3];
    uint32_t architecture; /* number in the target: 80 for .target sm_80 */
};
const struct interp_kernel_facts *interp_kernel_facts(const struct interp_kernel *kernel);

struct interp_launch {
    uint32_t grid[3], block[3];
    uint32_t shared_bytes; /* size of dynamic shared memory in bytes */
    /* size of clusters in CTAs, if the kernel has none; 0: clusters of one CTA */
    uint32_t cluster[3];
    /* True if all CTAs must be resident at once, as barriers of the whole grid require. */
    bool cooperative;
    /* values of all parameters; size in bytes: parameter_bytes of the kernel's facts */
    const void *parameters;
    interp_observer observe; /* NULL: accesses are not observed */
    void *user;
    /* Address of a flag: the launch ends with an error when the flag becomes non-zero; NULL:
     * none. */
    const volatile int *cancel;
};

enum interp_end {
    INTERP_DONE,
    /* The size of the grid, of a CTA or of shared memory is invalid, or memory is exhausted. */
    INTERP_BAD_LAUNCH,
    INTERP_BAD_ADDRESS, /* access outside allocations */
    INTERP_MISALIGNED,
    INTERP_TRAP,        /* trap instruction, failed assertion or unreachable code */
    INTERP_UNSUPPORTED, /* instruction that the interpreter cannot execute */
    INTERP_DEADLOCK,    /* all threads wait for each other */
    INTERP_LIMIT,       /* instruction_limit was reached, or *cancel was set */
};

/* Runs a kernel to its end in the calling thread. Unless the result is INTERP_DONE, stores an error
 * message that names the problem, the kernel, CTA, thread and line of the PTX. */
enum interp_end interp_launch(struct interp *device, const struct interp_kernel *kernel,
                              const struct interp_launch *launch, char *error);

#endif
