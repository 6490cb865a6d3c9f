/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The rewriter: returns a module's text with the code that records its accesses to global memory.
 *
 * The source is copied, with its comments and line information; text is only inserted, and only within lines or after
 * the last one, so that each line keeps its number. (One exception: a version before 6.3 is replaced by 6.3, the
 * first that has all instructions of the device functions.)
 *
 * Inserted are
 *  - the hidden last parameter of each kernel (WS_HIDDEN_PARAMETER in trace/slot.h), the address of a slot or 0,
 *  - before each ld, ldu, st, atom and red of global memory, a call under the instruction's own guard, which writes
 *    one record for each active thread if the slot is not 0; generic addresses are recorded if they lie in global
 *    memory when the instruction executes,
 *  - after the last line, the device functions that these calls name, so that nothing else must be linked.
 *
 * Device functions keep their signatures. A kernel that calls any stores the slot's address in a variable in shared
 * memory, which is one variable for all modules that are linked together (.weak); traced device functions read it. A
 * check word (address ^ %gridid ^ a constant) shows if a kernel that was not rewritten runs the function; then
 * nothing is recorded. Whole programs, -rdc=true, recursion and calls by pointer all work alike. The cost is 16 bytes
 * of static shared memory in kernels that call functions.
 *
 * Other ways were considered. A further parameter of each function breaks calls by pointer and calls between files. A
 * table in global memory by %gridid costs a load from global memory in each function, and relies on a register that
 * is meant for debuggers.
 *
 * Rewriting a rewritten module changes nothing. Functions of this room keep no state, and may run in several threads.
 */
#ifndef WARPSCOPE_CUDA_REWRITE_H
#define WARPSCOPE_CUDA_REWRITE_H

#include "ptx/ptx.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A kernel that the module defines. Texts of a result point into the module's source. */
struct rewrite_kernel {
    struct ptx_text name;
    uint32_t line;
    uint32_t parameters; /* of the original kernel, without the hidden one */
    const char *reason;  /* why it is not traced and has no hidden parameter; NULL: it is traced */
};

enum rewrite_note_kind {
    REWRITE_UNTRACED, /* accesses global memory, or may do so, and is not recorded */
    REWRITE_UNKNOWN   /* an instruction that the rewriter does not know */
};

/* An instruction that was left as it is. */
struct rewrite_note {
    enum rewrite_note_kind kind;
    uint32_t line;
    struct ptx_text instruction; /* "cp.async.ca.shared.global" */
    struct ptx_text function;
    const char *reason; /* NULL: the kind says all */
};

/* Instructions, not executions. */
struct rewrite_counts {
    uint64_t loads, stores, atomics; /* traced */
    uint64_t generic;                /* of these: with a generic address */
    uint64_t other_spaces;           /* ld, st, atom and red of shared, local, param and const */
};

struct rewrite_result {
    char *text;   /* of the rewritten module, with a zero after it */
    size_t size;  /* without that zero */
    bool already; /* the module was rewritten before; text is a copy of the source */
    struct rewrite_counts counts;
    uint64_t functions; /* device functions with traced accesses */
    struct rewrite_kernel *kernels;
    size_t kernel_count;
    struct rewrite_note *notes; /* by line */
    size_t note_count;
};

/*
 * Rewrites a module. Returns the result, to be freed with rewrite_free() before the module's source, or NULL with a
 * message in error (PTX_ERROR_MAX bytes): the module's target is older than sm_70, its addresses have 32 bits, or
 * memory is exhausted.
 */
struct rewrite_result *rewrite_module(const struct ptx_module *module, char *error);

void rewrite_free(struct rewrite_result *result);

#endif
