/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * step.h - the steps of nvcc that this program stands in front of.
 *
 * nvcc's options --cudafe-prefix and --cicc-prefix put this program before the command of a step.
 * nvcc does all else itself, so its options, its order, its parallel steps and its exit statuses
 * stay as they are.
 *
 *  - cudafe++ writes the host code. Calls of the functions that the tracing library wraps are
 *    renamed in it, for programs that a plain host compiler links, as CMake does.
 *  - cicc writes PTX, which ptxas and fatbinary then read. It is rewritten in place. cicc also
 *    writes the host code that registers kernels; the table of traced kernels is added to it.
 */
#ifndef WARPSCOPE_CUDA_NVCC_STEP_H
#define WARPSCOPE_CUDA_NVCC_STEP_H

/* The first argument in front of a step. */
#define NVCC_STEP "--warpscope-step"

/* Runs the command of a step, argv, and does our part. Returns the exit status. */
int nvcc_step(char **argv);

#endif
