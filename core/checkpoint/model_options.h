/*
 * model_options.h - the model's own options, which the engine does not understand but can compare.
 */
#ifndef WARPSCOPE_CHECKPOINT_MODEL_OPTIONS_H
#define WARPSCOPE_CHECKPOINT_MODEL_OPTIONS_H

#include "checkpoint/format.h"

/* All options of the model with their present values, a line for each, "name=value"; allocated. */
char *model_options_text(void);

/* Adds them as a record; false when there is no memory. */
bool model_options_add(struct ckpt_image *image, const char *text);
/* The text in such a record; NULL when it makes no sense. */
const char *model_options_read(const void *record, size_t size);

/* Says on stderr which options of the run that wrote the checkpoint were others. */
void model_options_compare(const char *theirs, const char *ours);

#endif
