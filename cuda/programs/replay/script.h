/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Scripts of launches: the actions of the host part of a program, one per line.
 *
 *     module FILE.ptx            a module of the program; NAME.txt without modules uses NAME.ptx
 *     unordered                  results depend on the order of CTAs, so that records may differ
 *     array NAME BYTES           zeroed memory of the device
 *     variable NAME              a variable of the module
 *     values NAME TYPE V...      sets the first elements of an array; TYPE: u8 u32 f32
 *     stream N                   the stream of the following launches; initially 1
 *     launch KERNEL GRID BLOCK [shared=BYTES] [cooperative] ARGUMENT...
 *
 * GRID and BLOCK are X, X,Y or X,Y,Z. An argument is the name of an array, an integer, f:NUMBER
 * (float), d:NUMBER (double), or x:HEX:OFFSET=NAME. The last form is a structure: HEX has its first
 * bytes, its other bytes are zero, and the address of array NAME is at OFFSET. Text from # on is a
 * comment.
 */
#ifndef WARPSCOPE_CUDA_REPLAY_SCRIPT_H
#define WARPSCOPE_CUDA_REPLAY_SCRIPT_H

#include "programs/replay/run.h"

/* Data of a script that must be known before the run. */
struct script {
    char modules[RUN_MODULES][512]; /* paths of the modules */
    size_t module_count;
    bool unordered;
};

/* Reads the script at path into *script. directory: directory of the PTX files. */
void script_read(struct script *script, const char *path, const char *directory);

/* Executes all lines of the script at path. */
void script_run(const char *path, struct run *run);

#endif
