/* SPDX-License-Identifier: BSD-3-Clause */
/* layout_v7 - the older st_model_types where the build defines ROSS_MODEL_TYPES_V8 for all
 * files. */
#define ROSS_MODEL_TYPES_V8
#define ROSS_MODEL_TYPES_V7
#include "support/layout_model.h"

static st_model_types types[] = {
    {layout_trace, sizeof(struct layout_message), layout_trace, sizeof(struct layout_message),
     layout_stats, sizeof(struct layout_state), layout_sample, NULL, sizeof(struct layout_state)},
    {NULL, 0, NULL, 0, NULL, 0},
};

int main(int argc, char **argv)
{
    return layout_main(argc, argv, types);
}
