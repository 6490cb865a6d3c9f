/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Lists of the instructions that are not traced.
 */
#ifndef WARPSCOPE_CUDA_REWRITE_UNTRACED_H
#define WARPSCOPE_CUDA_REWRITE_UNTRACED_H

#include "rewrite/rewrite.h"

/* Distinct instructions, and how often each occurs in the code. */
struct untraced_list {
    struct {
        struct ptx_text word;
        size_t times;
    } items[64];
    size_t n;
    size_t others; /* number of instructions that did not fit in `items` */
};

void untraced_add(struct untraced_list *list, struct ptx_text word);
/* Returns the list as a text, such as "tex.1d.v4.f32.s32 (2), suld.b.1d.b32.trap (1)", which the
 * caller frees. At most `most` instructions have their names; the rest is "other (3)". Returns NULL
 * if the list is empty, or if memory is exhausted. */
char *untraced_text(const struct untraced_list *list, size_t most);

/* Sets the member `untraced` of each kernel of the result, from its notes, those of the functions
 * that the kernel can call, and the reason of a kernel that is not traced. Returns false if memory
 * is exhausted. */
bool untraced_find(const struct ptx_module *module, struct rewrite_result *result);

#endif
