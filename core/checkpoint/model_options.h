/* SPDX-License-Identifier: BSD-3-Clause */
/* model_options.h - the options of the model, which a checkpoint stores and a restart compares. */
#ifndef WARPSCOPE_CHECKPOINT_MODEL_OPTIONS_H
#define WARPSCOPE_CHECKPOINT_MODEL_OPTIONS_H

#include "checkpoint/format.h"

/* Returns all options of the model with their current values, one line "name=value" each. The
 * caller frees the string. */
char *model_options_text(void);

/* Adds the text of the options to the image as a record. Returns false if memory is short. */
bool model_options_add(struct ckpt_image *image, const char *text);
/* Returns the text in a record that model_options_add() made; NULL if it is invalid. */
const char *model_options_read(const void *record, size_t size);

/* Warns on stderr of options that differ. theirs: options of the run that wrote the checkpoint;
 * ours: options of this run; both as from model_options_text(). */
void model_options_compare(const char *theirs, const char *ours);

#endif
