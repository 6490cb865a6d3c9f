/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reports of warpscope-ptx on the changes that the rewriter made in a module, and on untraced code.
 */
#ifndef WARPSCOPE_CUDA_REWRITE_REPORT_H
#define WARPSCOPE_CUDA_REWRITE_REPORT_H

#include "rewrite/rewrite.h"
#include <stdio.h>

/* This function and the next write the whole report to out: this one as lines of text, the next one
 * as a JSON object. */
void report_text(FILE *out, const struct rewrite_result *result);
void report_json(FILE *out, const struct rewrite_result *result);

/* Writes one line to out for each traced kernel: its name, a tab, and the number of its parameters
 * without the hidden one. */
void report_names(FILE *out, const struct rewrite_result *result);

#endif
