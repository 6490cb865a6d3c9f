/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * option_ross8.c - determines the file format and the meanings of options for ROSS 8, see
 * option_ross8.h.
 */
#include "record/options/option_ross8.h"

#include <string.h>

#include "engine/probe.h"

#define OWN_PREFIX       "warpscope"
#define OWN_OTHER_PREFIX "warpscope-records"
#define ROSS8_PREFIX     "ross-stats"

static const char *const format_words[] = {[RECORD_FORMAT_WARPSCOPE] = "warpscope",
                                           [RECORD_FORMAT_ROSS8] = "ross8",
                                           [RECORD_FORMAT_BOTH] = "both",
                                           NULL};

/* Returns the index of word in format_words; the index of the final NULL if word names no
 * format. */
static unsigned find_format(const char *word)
{
    unsigned i = 0;
    while (format_words[i] != NULL && strcmp(format_words[i], word) != 0) {
        i++;
    }
    return i;
}

static bool has_ross8_meanings(const struct record_options *o)
{
    return o->built_for_ross8 ||
           strcmp(o->stats_format, format_words[RECORD_FORMAT_WARPSCOPE]) != 0;
}

/* Returns the bitwise OR of enum record_model values that the value `given` of --model-stats stands
 * for. ross8: true if options have ROSS 8 meanings. */
static unsigned model_points(unsigned given, bool ross8)
{
    static const unsigned points[] = {RECORD_MODEL_OFF, RECORD_MODEL_GVT, RECORD_MODEL_RT,
                                      RECORD_MODEL_VT, RECORD_MODEL_ALL};
    bool is_known = given < sizeof(points) / sizeof(points[0]);
    return ross8 && is_known ? points[given] : given;
}

enum tw_status option_ross8_settle(struct record_options *o, char *error, size_t size)
{
    unsigned format = find_format(o->stats_format);
    if (format_words[format] == NULL) {
        snprintf(error, size, "--stats-format=%s: give warpscope, ross8 or both", o->stats_format);
        return TW_ERR_USAGE;
    }
    o->format = (enum record_format)format;
    o->has_ross8_meanings = has_ross8_meanings(o);
    o->model_stats = model_points(o->model_stats_given, o->has_ross8_meanings);
    return TW_OK;
}

const char *option_ross8_prefix(const struct record_options *o)
{
    bool is_alias = o->prefix_alias[0] != '\0';
    return is_alias ? o->prefix_alias
                    : (run_option_was_given("stats-filename") ? o->prefix : ROSS8_PREFIX);
}

void option_ross8_settle_names(struct record_options *o)
{
    if (o->format == RECORD_FORMAT_WARPSCOPE) {
        return;
    }
    snprintf(o->ross8_prefix, sizeof(o->ross8_prefix), "%s", option_ross8_prefix(o));
    bool is_ours = strcmp(o->ross8_prefix, OWN_PREFIX) == 0;
    snprintf(o->prefix, sizeof(o->prefix), "%s", is_ours ? OWN_OTHER_PREFIX : OWN_PREFIX);
}

bool option_ross8_wants_virtual_times(const struct record_options *o, unsigned model_stats)
{
    bool ross8 = has_ross8_meanings(o);
    bool alone = !ross8 && !run_option_was_given("engine-stats");
    return o->engine_stats >= 3 || (model_points(model_stats, ross8) & RECORD_MODEL_VT) != 0 ||
           (alone && run_option_was_given("vt-interval"));
}
