/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A PTX interpreter: a GPU on the processor, for tests and for users without a GPU.
 *
 * A device has memory, modules and streaming multiprocessors (SMs). A launch runs a kernel over a
 * grid. The threads of a warp run in lock step, and CTA n runs on SM n modulo the number of SMs.
 * Results and the order of accesses depend only on the module and the launch. The warps of a CTA
 * run in order; the interpreter changes to another warp only where one waits (barrier, nanosleep)
 * or loops for long.
 *
 * Device addresses are addresses of the process: all memory of a device lies in one reserved range
 * at a fixed address. Host code may therefore read and write it, like mapped and managed memory,
 * and addresses are the same in each run. Accesses outside allocations are faults.
 *
 * Subset: all instructions on integers, f32, f64, f16, bf16 and pairs of halves that compute,
 * compare, convert and move; ld, st, atom, red and fences of all spaces; cp.async, done at once and
 * not observed; branches, calls (direct, indirect, recursive) and exits; barriers of CTAs and
 * warps, votes, shuffles, matches, reductions; vprintf, malloc, free and __assertfail. Not in it:
 * matrices (wmma, mma), textures and surfaces, mbarrier, bulk and tensor copies, clusters of more
 * than one CTA, vector atomics, 128-bit registers, video instructions, f8 and smaller types.
 *
 * Differences from GPUs: approximate functions (.approx) are more exact; atomic f32 additions keep
 * denormals; %clock counts instructions of the warps so far. All other results agree with the PTX
 * ISA in every bit that the ISA defines.
 *
 * Threads of a warp that diverged are scheduled independently. A thread that loops for long lets
 * others of its warp run, then other warps, then other CTAs. The interpreter measures a loop by its
 * taken backward branches. These count more in loops with atomic, volatile or ordered accesses,
 * because such loops may be waiting for other threads.
 *
 * Names that contain "warpscope" belong to an instrumentation tool. Its variables lie apart from
 * those of the program. Accesses to them and to memory of interp_alloc_apart() are not observed.
 * Loops and nanosleep in its functions do not change to another warp. A rewritten program therefore
 * makes its accesses in the same order as the original.
 *
 * Functions with an error parameter write a message of at most INTERP_ERROR_MAX bytes and return
 * NULL or false. Several threads may launch kernels on one device at the same time (streams); each
 * thread has an error of its own. All other functions of a device are safe to call from several
 * threads.
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

/* An access to global memory by one thread, as the original instruction makes it. A vector access
 * is one access, not one for each element. */
struct interp_access {
    uint64_t address;
    uint32_t size; /* bytes of the whole access */
    uint32_t type; /* 0: load; 1: store; 2: atomic (atom and red) */
    uint32_t sm;
    uint32_t cta[3];
    uint32_t thread; /* linear number in the CTA */
    uint32_t line;   /* line of the PTX */
};

/* Receives accesses of one launch in order of execution. Accesses of one instruction are in
 * ascending order of lanes. */
typedef void (*interp_observer)(void *user, const struct interp_access *accesses, size_t count);

struct interp_options {
    unsigned sms;    /* number of SMs; 0: 16 */
    unsigned number; /* number of the device; each device has a range of addresses of its own */
    uint64_t memory; /* bytes of global memory; 0: 16 GiB (pages are used only when touched) */
    /* Instructions that the warps of one launch may execute; 0: no limit. It ends kernels that
     * would run forever. */
    uint64_t instruction_limit;
};

struct interp *interp_create(const struct interp_options *options, char *error);
void interp_destroy(struct interp *device);

/* Allocates global memory, aligned to 256 bytes. Pages are zero when they are first used. Returns 0
 * if no range of this size is free. Addresses depend only on the sequence of calls. interp_free()
 * returns false if the address is not the begin of an allocation. interp_alloc_apart() uses another
 * part of the range, so that memory of a tool does not change the addresses of the program. */
uint64_t interp_alloc(struct interp *device, uint64_t bytes);
uint64_t interp_alloc_apart(struct interp *device, uint64_t bytes);
bool interp_free(struct interp *device, uint64_t address);
/* Finds the allocation or variable that contains the address, and sets its begin and size. Returns
 * false if none does. */
bool interp_find(struct interp *device, uint64_t address, uint64_t *begin, uint64_t *bytes);

/* Links and loads modules: resolves .extern and .weak, allocates and initialises global and
 * constant variables. The syntax trees may be freed afterwards. */
struct interp_module *interp_load(struct interp *device, const struct ptx_module *const *modules,
                                  size_t count, char *error);
void interp_unload(struct interp_module *module);

/* Lists the instructions that the interpreter cannot run, one "line 12: tensormap.replace" a line,
 * in text of size bytes. Returns their number. Without this call, a launch that reaches such an
 * instruction ends with an error. */
size_t interp_unsupported(const struct interp_module *module, char *text, size_t size);

/* Finds a global or constant variable by name, and sets its address and size in bytes. Returns
 * false if the module has none. */
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
    uint32_t shared_bytes; /* static shared memory */
    uint32_t local_bytes;
    uint32_t max_threads;  /* of .maxntid or .reqntid, or 1024 */
    uint32_t architecture; /* 80 for .target sm_80 */
};
const struct interp_kernel_facts *interp_kernel_facts(const struct interp_kernel *kernel);

struct interp_launch {
    uint32_t grid[3], block[3];
    uint32_t shared_bytes; /* dynamic shared memory */
    /* All CTAs are resident at once, as barriers of the whole grid require. */
    bool cooperative;
    const void *parameters;  /* parameter_bytes bytes */
    interp_observer observe; /* NULL: accesses are not observed */
    void *user;
    const volatile int
        *cancel; /* the launch ends with an error when this becomes non-zero; NULL: never */
};

enum interp_end {
    INTERP_DONE,
    /* Sizes of the grid or of shared memory are invalid, or memory is exhausted. */
    INTERP_BAD_LAUNCH,
    INTERP_BAD_ADDRESS, /* an access outside allocations */
    INTERP_MISALIGNED,
    INTERP_TRAP,        /* trap instruction, failed assertion or unreachable code */
    INTERP_UNSUPPORTED, /* an instruction outside the subset */
    INTERP_DEADLOCK,    /* all threads wait for each other */
    INTERP_LIMIT,       /* instruction_limit was reached, or *cancel was set */
};

/* Runs a kernel to its end in the calling thread. Unless it returns INTERP_DONE, error names the
 * problem, the kernel, CTA, thread and line of the PTX. */
enum interp_end interp_launch(struct interp *device, const struct interp_kernel *kernel,
                              const struct interp_launch *launch, char *error);

#endif
