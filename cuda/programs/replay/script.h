/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Scripts of launches: what the host part of a program does, in lines of words.
 *
 *     module FILE.ptx            a module besides NAME.ptx; before all else
 *     unordered                  the order of CTAs has an influence: records of two runs may differ
 *     array NAME BYTES           zeroed memory of the device
 *     variable NAME              a variable of the module
 *     values NAME TYPE V...      sets the first elements of an array; TYPE: u8 u32 f32
 *     stream N                   the stream of the following launches; 1 at first
 *     launch KERNEL GRID BLOCK [shared=BYTES] [cooperative] ARGUMENT...
 *
 * GRID and BLOCK are X, X,Y or X,Y,Z. An argument is the name of an array, an integer, f:NUMBER (float), d:NUMBER
 * (double), or x:HEX:OFFSET=NAME, the first bytes of a structure with the address of an array at an offset; its other
 * bytes are zero. Text from # on is a comment.
 */
#ifndef WARPSCOPE_CUDA_REPLAY_SCRIPT_H
#define WARPSCOPE_CUDA_REPLAY_SCRIPT_H

#include "programs/replay/run.h"

/* Facts of a script that are needed before a run. */
struct script {
    char modules[RUN_MODULES][512]; /* paths */
    size_t module_count;
    bool unordered;
};

/* Reads the facts. directory: of the PTX. */
void script_read(struct script *script, const char *path, const char *directory);

/* Runs all lines of the script. */
void script_run(const char *path, struct run *run);

#endif
