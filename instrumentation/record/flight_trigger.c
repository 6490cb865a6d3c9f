/* SPDX-License-Identifier: BSD-3-Clause */
/* flight_trigger.c - see flight_trigger.h. */
#include "record/flight_trigger.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/options.h"

#define ITEM_MAX       64u
#define PERIOD_SECONDS 1.0
/* Minimum number of events in a period; fewer say nothing about efficiency. */
#define PERIOD_EVENTS 1000u
/* Minimum bound of gvt-stuck in seconds; GVT often stands still for a shorter time. */
#define STUCK_LEAST 1.0
#define EXAMPLE     "give efficiency:0.5 or gvt-stuck:10s, with a comma between several"

/* Returns the part of text after prefix; NULL if text does not begin with prefix. */
static const char *after(const char *text, const char *prefix)
{
    size_t length = strlen(prefix);
    return strncmp(text, prefix, length) == 0 ? text + length : NULL;
}

/* Reads an efficiency such as "0.5" or "50%" from text to *value. Returns false if it is
 * invalid. */
static bool efficiency_read(const char *text, double *value)
{
    char number[ITEM_MAX];
    bool is_seconds;
    size_t length = strlen(text);
    bool is_percent = length > 0 && text[length - 1] == '%';
    snprintf(number, sizeof number, "%.*s", (int)(length - is_percent), text);
    if (!duration_read(number, value, &is_seconds) || is_seconds) {
        return false;
    }
    *value = is_percent ? *value / 100.0 : *value;
    return *value > 0.0 && *value <= 1.0;
}

static bool stuck_read(const char *text, double *value)
{
    bool is_seconds;
    return duration_read(text, value, &is_seconds) && is_seconds && *value >= STUCK_LEAST;
}

/* Returns true if the condition in `item` is given for the first time; otherwise writes a line to
 * error and returns false. before: bound from an earlier item; 0: none. */
static bool is_first(double before, const char *item, char *error, size_t size)
{
    if (before > 0.0) {
        snprintf(error, size, "--flight-trigger: \"%s\": this condition is given twice", item);
    }
    return !(before > 0.0);
}

static bool item_read(struct flight_trigger *t, const char *item, char *error, size_t size)
{
    const char *value;
    double before;
    if ((value = after(item, "efficiency:")) != NULL) {
        before = t->efficiency;
        if (efficiency_read(value, &t->efficiency)) {
            return is_first(before, item, error, size);
        }
        snprintf(error, size,
                 "--flight-trigger: \"%s\": give a share over 0 and up to 1, such as "
                 "efficiency:0.5 or efficiency:50%%",
                 item);
    } else if ((value = after(item, "gvt-stuck:")) != NULL) {
        before = t->stuck;
        if (stuck_read(value, &t->stuck)) {
            return is_first(before, item, error, size);
        }
        snprintf(error, size,
                 "--flight-trigger: \"%s\": give at least one second, such as gvt-stuck:10s", item);
    } else {
        snprintf(error, size, "--flight-trigger: \"%s\" is no condition: " EXAMPLE, item);
    }
    return false;
}

bool flight_trigger_read(struct flight_trigger *t, const char *text, char *error, size_t size)
{
    *t = (struct flight_trigger){.period = PERIOD_SECONDS};
    bool good = true;
    while (good && *text != '\0') {
        char item[ITEM_MAX];
        size_t length = strcspn(text, ",");
        snprintf(item, sizeof item, "%.*s", (int)(length < ITEM_MAX ? length : ITEM_MAX - 1), text);
        good = item_read(t, item, error, size);
        text += length;
        if (good && *text == ',' && *++text == '\0') {
            snprintf(error, size, "--flight-trigger: nothing follows the last comma: " EXAMPLE);
            good = false;
        }
    }
    return good;
}

static bool efficiency_fires(struct flight_trigger *t, const struct flight_state *now, char *reason,
                             size_t size)
{
    uint64_t processed = now->processed - t->begin.processed;
    if (now->seconds - t->begin.seconds < t->period || processed < PERIOD_EVENTS) {
        return false;
    }
    double efficiency = ((double)now->net - (double)t->begin.net) / (double)processed;
    bool was_low = t->is_low;
    t->is_low = efficiency < t->efficiency;
    if (t->is_low && !was_low) {
        snprintf(reason, size, "efficiency %.3g below %.3g from GVT %.6g to %.6g", efficiency,
                 t->efficiency, t->begin.gvt, now->gvt);
    }
    t->begin = *now;
    return t->is_low && !was_low;
}

static bool stuck_fires(struct flight_trigger *t, const struct flight_state *now, char *reason,
                        size_t size)
{
    if (now->gvt > t->gvt) {
        t->gvt = now->gvt;
        t->gvt_seconds = now->seconds;
        t->is_stuck = false;
        return false;
    }
    if (t->is_stuck || now->seconds - t->gvt_seconds < t->stuck) {
        return false;
    }
    t->is_stuck = true;
    snprintf(reason, size, "GVT stuck at %.6g for %.3g s", now->gvt, now->seconds - t->gvt_seconds);
    return true;
}

bool flight_trigger_fires(struct flight_trigger *t, const struct flight_state *now, char *reason,
                          size_t size)
{
    if (!t->has_begun) {
        t->has_begun = true;
        t->begin = *now;
        t->gvt = now->gvt;
        t->gvt_seconds = now->seconds;
        return false;
    }
    bool low = t->efficiency > 0.0 && efficiency_fires(t, now, reason, size);
    return (t->stuck > 0.0 && stuck_fires(t, now, reason, size)) || low;
}
