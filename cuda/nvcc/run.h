/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * run.h - runs a program and takes its exit status.
 */
#ifndef WARPSCOPE_CUDA_NVCC_RUN_H
#define WARPSCOPE_CUDA_NVCC_RUN_H

#include <stdbool.h>

/* Runs a program to its end. SIGTERM and SIGHUP are handed on to it; SIGINT and SIGQUIT come from
 * the terminal to both. Sets *status to what waitpid() gives. Returns false after a message. */
bool nvcc_run(char *const argv[], int *status);

/* Ends this process by the signal that ended the program, if one did. Returns its exit status. */
int nvcc_run_status(int status);

#endif
