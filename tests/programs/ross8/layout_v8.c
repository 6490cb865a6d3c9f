/* SPDX-License-Identifier: BSD-3-Clause */
/* layout_v8 - layout_model.h with st_model_types as in ROSS 8. */
#define ROSS_MODEL_TYPES_V8
#include "support/layout_model.h"

static st_model_types types[] = {
    {layout_trace, sizeof(struct layout_message), layout_stats, sizeof(struct layout_state),
     layout_sample, NULL, sizeof(struct layout_state)},
    {NULL, 0, NULL, 0, NULL, NULL, 0},
};

int main(int argc, char **argv)
{
    return layout_main(argc, argv, types);
}
