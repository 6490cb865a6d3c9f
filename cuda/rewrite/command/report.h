/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reports of warpscope-ptx: what the rewriter changed in a module, and what is not traced.
 */
#ifndef WARPSCOPE_CUDA_REWRITE_REPORT_H
#define WARPSCOPE_CUDA_REWRITE_REPORT_H

#include "rewrite/rewrite.h"
#include <stdio.h>

/* Write the whole report, as lines of text or as a JSON object. */
void report_text(FILE *out, const struct rewrite_result *result);
void report_json(FILE *out, const struct rewrite_result *result);

/* Writes one line for each traced kernel: its name, a tab, and the number of its parameters without
 * the hidden one. */
void report_names(FILE *out, const struct rewrite_result *result);

#endif
