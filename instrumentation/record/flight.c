/* SPDX-License-Identifier: BSD-3-Clause */
/* flight.c - see flight.h. */
#include "record/flight.h"

#include <stdlib.h>

#include "engine/control.h"
#include "record/recorder.h"
#include "text/utf8.h"

/* Environment variable for tests: period of the trigger in milliseconds. */
#define PERIOD_VARIABLE "WARPSCOPE_FLIGHT_MS"

enum tw_status flight_init(struct recorder *recorder, char *error, size_t size)
{
    struct flight *flight = &recorder->flight;
    const struct record_options *o = &recorder->options;
    const char *period = getenv(PERIOD_VARIABLE);
    if (!flight_trigger_read(&flight->trigger, o->flight_trigger, error, size)) {
        return TW_ERR_USAGE;
    }
    flight->trigger.period = period != NULL ? strtod(period, NULL) * 1e-3 : flight->trigger.period;
    flight->is_on = o->buffer_overwrite != 0 && o->disable_output == 0;
    return TW_OK;
}

bool flight_want(struct recorder *recorder, const char *reason)
{
    struct flight *flight = &recorder->flight;
    if (!flight->is_on || !recorder->running || recorder->limit.is_reached) {
        return false;
    }
    if (!flight->is_wanted) {
        snprintf(flight->reason, sizeof(flight->reason), "%s", reason);
        utf8_drop_controls(flight->reason);
        flight->is_wanted = true;
    }
    return true;
}

void flight_look(struct recorder *recorder, const tw_pe *pe)
{
    struct flight *flight = &recorder->flight;
    bool has_trigger = flight->trigger.efficiency > 0.0 || flight->trigger.stuck > 0.0;
    if (!flight->is_on || pe->id != 0 || !has_trigger) {
        return;
    }
    char reason[FLIGHT_REASON_MAX];
    struct control_state s = control_state(pe);
    const struct flight_state now = {s.seconds, s.gvt, s.net, s.processed};
    if (flight_trigger_fires(&flight->trigger, &now, reason, sizeof(reason))) {
        flight_want(recorder, reason);
    }
}
