/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wrapped.h - the functions of the CUDA runtime that the tracing library wraps.
 */
#ifndef WARPSCOPE_CUDA_NVCC_WRAPPED_H
#define WARPSCOPE_CUDA_NVCC_WRAPPED_H

/* Their names, with a NULL behind them. The build makes this table from trace/wrap.txt. */
extern const char *const nvcc_wrapped[];

#endif
