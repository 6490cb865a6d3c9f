/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * completion_scripts.h - the fixed parts of completion scripts, for completion.c. "@P" stands for
 * the name of the program, "@F" for the form of this name within names of functions.
 */
#ifndef WARPSCOPE_TEXT_COMPLETION_SCRIPTS_H
#define WARPSCOPE_TEXT_COMPLETION_SCRIPTS_H

extern const char completion_bash_begin[];
extern const char completion_bash_spaced[];
extern const char completion_bash_names_end[];
extern const char completion_bash_end[];
extern const char completion_zsh_begin[];
extern const char completion_zsh_names_end[];
extern const char completion_zsh_end[];
extern const char completion_fish_begin[];
extern const char completion_fish_names_end[];
extern const char completion_fish_end[];

#endif
