/*
 * options.c - which parameters make sense.
 */
#include "agents.h"

const char *ag_options_error(const struct ag_options *o, char *text, size_t size)
{
    const struct {
        const char *option;
        double value, low, high;
    } ranges[] = {
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
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        /* NaN fails every comparison, hence the form. */
        if (!(ranges[i].value >= ranges[i].low && ranges[i].value <= ranges[i].high)) {
            snprintf(text, size, "--%s=%g is out of range: %g to %g", ranges[i].option,
                     ranges[i].value, ranges[i].low, ranges[i].high);
            return text;
        }
    }
    if (g_tw_synchronization_protocol == CONSERVATIVE && o->rest == 0) {
        return "--synch=2 needs a least time between visits, and --rest=0 leaves none; use "
               "--synch=3";
    }
    return NULL;
}
