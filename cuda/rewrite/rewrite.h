/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The rewriter: returns the text of a module with added code that records its accesses to global
 * memory.
 *
 * The rewriter copies the source, with its comments and line information. It inserts text only
 * within lines or after the last one, so that each line keeps its number. There is one exception:
 * if the module uses device functions, a version below 6.3 is replaced by 6.3, and a target below
 * sm_70 by sm_70, the first ones that have all their instructions. PTX 6.3 still has the forms of
 * old modules, such as shfl without .sync; those that it lacks (mad of reals without a rounding,
 * variables in .tex) are rewritten.
 *
 * The rewriter inserts
 * - the hidden last parameter of each kernel (WS_HIDDEN_PARAMETER in trace/slot.h): the address of
 *   a slot, or 0,
 * - for each ld, ldu, st, atom, red and copy (cp) of global memory, a call, which loads that lie together
 *   share with each other and with the access behind them (see rewrite.c). The call writes one record
 *   for each active thread and access if the slot is not 0 and the guard of the instruction is true. It
 *   records an access with a generic address if the address is in global memory when it executes,
 * - after the last line, the device functions that these calls name, so that no other code must be
 *   linked.
 *
 * Device functions of the program keep their signatures. A kernel that calls device functions
 * stores the address of the slot in a variable in shared memory, where traced device functions read
 * it. The variable is weak: all modules that are linked together share it. A check word (address ^
 * %gridid ^ a constant) shows whether a rewritten kernel stored the address. If the check fails,
 * nothing is recorded. This works for whole programs, -rdc=true, recursion and calls by pointer. It
 * costs 16 bytes of static shared memory in kernels that call functions.
 *
 * Two other designs were rejected. A further parameter of each function breaks calls by pointer and
 * calls between files. A table in global memory, indexed by %gridid, costs a load from global
 * memory in each function, and relies on a register that is meant for debuggers.
 *
 * A second rewriting of a module changes nothing. Functions of this room keep no state; several
 * threads may call them.
 */
#ifndef WARPSCOPE_CUDA_REWRITE_H
#define WARPSCOPE_CUDA_REWRITE_H

#include "ptx/ptx.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A kernel that the module defines. Pieces of text in a result point into the source of the
 * module. */
struct rewrite_kernel {
    struct ptx_text name;
    uint32_t line;
    uint32_t parameters; /* number of parameters, without the hidden one */
    /* reason why the kernel is not traced and has no hidden parameter; NULL: traced */
    const char *reason;
    /* Owned by the result. The instructions that are not traced in the kernel and in the functions
     * of the module that it can call, and their numbers: "tex.1d.v4.f32.s32 (2)". If the kernel is
     * not traced: the reason. NULL: all accesses are traced. */
    char *untraced;
};

enum rewrite_note_kind {
    REWRITE_UNTRACED, /* accesses global memory, or possibly does so, and is not recorded */
    REWRITE_UNKNOWN   /* the rewriter does not know the instruction */
};

/* An instruction, or a device function (".func"), that the rewriter did not trace. */
struct rewrite_note {
    enum rewrite_note_kind kind;
    uint32_t line;
    struct ptx_text instruction; /* word and modifiers, such as "cp.async.ca.shared.global" */
    struct ptx_text function;
    /* reason why the device function is not traced; NULL: only `kind` states the reason */
    const char *reason;
};

/* Number of instructions of each sort in the text of a module, regardless of how often they are
 * executed. */
struct rewrite_counts {
    uint64_t loads, stores, atomics; /* traced instructions of each type */
    uint64_t generic;                /* traced instructions with a generic address, of all types */
    uint64_t other_spaces;           /* ld, st, atom and red of shared, local, param and const */
};

struct rewrite_result {
    char *text;  /* text of the rewritten module, terminated by a zero byte */
    size_t size; /* length of the text without the zero byte */
    /* true if the rewriter changed the module before; text is then a copy of the source */
    bool already;
    const char *raised; /* target that replaces that of the module; NULL: none */
    struct rewrite_counts counts;
    uint64_t functions; /* number of device functions with traced accesses */
    struct rewrite_kernel *kernels;
    size_t kernel_count;
    struct rewrite_note *notes; /* notes, in the order of functions in the source */
    size_t note_count;
};

/*
 * Rewrites a module. kernels: words, separated by commas; only kernels are traced whose name in the PTX
 * contains one of them; NULL or an empty list: all kernels. Returns the result, which the caller frees
 * with rewrite_free() before it frees the module's source. Returns NULL, with an error message in error
 * (PTX_ERROR_MAX bytes), if the target is unknown, if addresses have 32 bits, or if memory is exhausted.
 */
struct rewrite_result *rewrite_module(const struct ptx_module *module, const char *kernels,
                                      char *error);

/* Reason of a kernel that such a list of kernels leaves out. */
extern const char rewrite_left_out[];

/* Parses and rewrites the text of a module. Returns the result as rewrite_module() does; the text is
 * its source. */
struct rewrite_result *rewrite_text(const char *text, size_t size, const char *kernels,
                                    char *error);

/* Frees a result. result may be NULL. */
void rewrite_free(struct rewrite_result *result);

#endif
