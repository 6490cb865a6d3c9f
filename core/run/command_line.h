/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * command_line.h - the command line of a program: options and other arguments. ross_options.h
 * declares the functions for models.
 */
#ifndef WARPSCOPE_RUN_COMMAND_LINE_H
#define WARPSCOPE_RUN_COMMAND_LINE_H

#include "engine/pe/pe.h"

/* If the only argument is --help=bash, --help=zsh or --help=fish, prints the completion script for
 * that shell; if it is --help=roff, a manual page. Then ends the program. MPI need not be
 * initialised, so that a shell or a build can request them on any machine. */
void command_line_complete(int argc, char **argv);
/* Reads the options and removes them from argv. Ends the program on all ranks after an error, or
 * after printing help. Collective. */
void command_line_read(struct pe *pe, int *argc, char **argv);
/* Prints a warning, on rank 0, about an argument that the model possibly does not read. Call it at
 * the start of the run. */
void command_line_warn(const struct pe *pe);

#endif
