/*
 * info.h - the two shapes of "warpscope info" (inside reader/ only).
 */
#ifndef WARPSCOPE_READER_INFO_H
#define WARPSCOPE_READER_INFO_H

#include <stdio.h>

#include "survey.h"

/* For people. details: fields, payloads and PEs as well. show_run: the facts about the run. */
void ws_info_text(FILE *out, const struct ws_survey *survey, bool details, bool show_run);

/* One JSON object. */
void ws_info_json(FILE *out, const struct ws_survey *survey);

#endif
