/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * command_line.h - the command line of a program: options and other arguments. ross_options.h has
 * the functions for models.
 */
#ifndef WARPSCOPE_RUN_COMMAND_LINE_H
#define WARPSCOPE_RUN_COMMAND_LINE_H

#include "engine/pe/pe.h"

/* With --help=bash, zsh or fish alone: prints the completion script of that shell and ends the
 * program. MPI need not be initialised, so that a shell or a build can request the script on any
 * machine. */
void command_line_complete(int argc, char **argv);
/* Reads the options and removes them from argv. Ends the program on all ranks on errors, or after
 * printing help. Collective. */
void command_line_read(struct pe *pe, int *argc, char **argv);
/* At the start of the run: rank 0 warns of an argument that the model may not read. */
void command_line_warn(const struct pe *pe);

#endif
