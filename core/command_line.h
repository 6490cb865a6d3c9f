/*
 * command_line.h - the command line of a program: options, and words that no option takes. What
 * models call is in ross_options.h.
 */
#ifndef WARPSCOPE_COMMAND_LINE_H
#define WARPSCOPE_COMMAND_LINE_H

#include "engine/pe.h"

/* Reads the options and takes them out of argv. Collective; ends the program on all ranks when
 * something is wrong, or after printing help. */
void command_line_read(struct pe *pe, int *argc, char **argv);
/* When the run begins: rank 0 warns of a word that the model may not read. */
void command_line_warn(const struct pe *pe);

#endif
