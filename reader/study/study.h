/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * study.h - starts parts of the Python package from other commands.
 */
#ifndef WARPSCOPE_READER_STUDY_STUDY_H
#define WARPSCOPE_READER_STUDY_STUDY_H

#include <stdbool.h>

/* Returns true if the path is the directory of a study. */
bool ws_is_study(const char *path);

/* Replaces this process by Python running a module of the installed package with n words as arguments.
 * Returns, with an exit status, only if that fails; it has then said why. */
int ws_study_start(const char *module, int n, char **words);

#endif
