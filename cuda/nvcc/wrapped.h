/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wrapped.h - the functions of the CUDA runtime that the tracing library wraps.
 */
#ifndef WARPSCOPE_CUDA_NVCC_WRAPPED_H
#define WARPSCOPE_CUDA_NVCC_WRAPPED_H

/* Names of the functions, terminated by NULL. The build makes this table from trace/wrap.txt. */
extern const char *const nvcc_wrapped[];

#endif
