/* SPDX-License-Identifier: BSD-3-Clause */
/* layout_seed - layout_model.h with the older st_model_types; the second type sets only the members
 * that models have always named. */
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
