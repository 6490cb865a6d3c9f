/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * step.h - the steps of nvcc that run through this program.
 *
 * The options --cudafe-prefix and --cicc-prefix of nvcc put this program before the command of a
 * step. nvcc itself does everything else: its options, the order of steps, parallel steps and exit
 * statuses are unchanged.
 *
 * - cudafe++ writes the host code. In that code, this program renames the calls of functions that
 *   the tracing library wraps. Tracing therefore works even if an ordinary host compiler links the
 *   program, as with CMake.
 * - cicc writes PTX, which ptxas and fatbinary then read. This program rewrites the PTX in place.
 *   cicc also writes host code that registers the kernels. This program adds the table of traced
 *   kernels to that code.
 */
#ifndef WARPSCOPE_CUDA_NVCC_STEP_H
#define WARPSCOPE_CUDA_NVCC_STEP_H

/* First argument of this program when it runs a step. */
#define NVCC_STEP "--warpscope-step"

/* Runs the command of a step, argv, then processes the step's output. Returns the exit status. */
int nvcc_step(char **argv);

#endif
