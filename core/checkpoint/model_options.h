/* SPDX-License-Identifier: BSD-3-Clause */
/* model_options.h - the options of the model, which a checkpoint stores and a restart compares. */
#ifndef WARPSCOPE_CHECKPOINT_MODEL_OPTIONS_H
#define WARPSCOPE_CHECKPOINT_MODEL_OPTIONS_H

#include "checkpoint/format.h"

/* Returns a string with all options of the model and their current values: one line "name=value"
 * per option. The caller frees the string. */
char *model_options_text(void);

/* Adds to image a record that holds text, a string made by model_options_text(). Returns false if
 * memory is short. */
bool model_options_add(struct ckpt_image *image, const char *text);
/* Returns the string in a record that model_options_add() made; NULL: the record is invalid. The
 * string is part of the record. */
const char *model_options_read(const void *record, size_t size);

/* Prints a warning on stderr if options have different values in two strings made by
 * model_options_text(). theirs: from the run that wrote the checkpoint; ours: from this run. */
void model_options_compare(const char *theirs, const char *ours);

#endif
