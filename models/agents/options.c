/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * options.c - checks of the model's options.
 */
#include "agents.h"
#include "common/settings.h"

bool ag_options_check(const struct ag_options *o, int argc, char **argv, struct model_error *error)
{
    const struct model_range ranges[] = {
        {"end", g_tw_ts_end, 1e-6, 1e12},
        {"width", o->width, 1, AG_MAX_SIDE},
        {"height", o->height, 1, AG_MAX_SIDE},
        {"agents", o->agents, 0, 1000},
        {"energy", o->energy, 1e-6, 1e9},
        {"appetite", o->appetite, 0, 1e9},
        {"metabolism", o->metabolism, 0, 1e9},
        {"grass", o->grass, 0, 1e9},
        {"growth", o->growth, 0, 1e9},
        {"rest", o->rest, 0, 1e9},
        {"wander", o->wander, 1e-6, 1e9},
        {"infect", o->infect, 0, 1},
        {"ill", o->ill, 0, 1e12},
        {"spores", o->spores, 0, 1e12},
    };
    if (!model_arguments_check(argc, argv, error) ||
        !model_ranges_check(ranges, sizeof ranges / sizeof ranges[0], error)) {
        return false;
    }
    return g_tw_synchronization_protocol != CONSERVATIVE || o->rest != 0 ||
           model_fail(error, "--synch=2 needs a least time between visits, and --rest=0 leaves "
                             "none; use --synch=3");
}
