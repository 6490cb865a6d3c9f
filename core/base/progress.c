/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * progress.c - see progress.h. A line consists of fields; the first one that does not fit ends the
 * line.
 */
#include "base/progress.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/efficiency.h"

#define DEFAULT_COLUMNS      80
#define MIN_COLUMNS          2
#define MAX_COLUMNS          120
#define TERMINAL_SECONDS     0.25
#define PLAIN_SECONDS_FIRST  2.0
#define PLAIN_SECONDS_MOST   30.0
#define EVENT_RATE_SMOOTHING 2.0 /* smoothing time of the event rate, in seconds */
/* Smoothing time of the rate of GVT, in seconds; long, to keep the ETA steady. */
#define FRACTION_RATE_SMOOTHING 10.0
#define LEAST_INTERVAL_FRACTION 1e-4

struct line {
    char text[MAX_COLUMNS + 1];
    size_t length;
    size_t room; /* width of the line in columns: upper bound of length */
    bool full;   /* true once a field did not fit */
};

/* ---- Rates ----------------------------------------------------------------------------------- */

static void rate_add(struct progress_rate *rate, double delta, double seconds, double smoothing)
{
    assert(seconds > 0.0 && smoothing > 0.0);
    double weight = rate->known ? -expm1(-seconds / smoothing) : 1.0;
    rate->value += weight * (delta / seconds - rate->value);
    rate->known = true;
}

/* Returns GVT as a share of the end time, 0 to 1; negative if there is no end time. */
static double fraction_done(const struct progress *progress, double gvt)
{
    if (gvt >= progress->end_time) {
        return 1.0;
    }
    if (!(progress->end_time < DBL_MAX)) {
        return -1.0;
    }
    return gvt > 0.0 ? gvt / progress->end_time : 0.0;
}

/* Returns the estimated seconds until the end of the run; negative: unknown. */
static double seconds_left(const struct progress *progress, double fraction)
{
    if (fraction < 0.0 || fraction >= 1.0) {
        return fraction < 0.0 ? -1.0 : 0.0;
    }
    double rate = progress->fraction_rate.value;
    return rate > 0.0 ? (1.0 - fraction) / rate : -1.0;
}

static void take_sample(struct progress *progress, const struct progress_sample *sample)
{
    const struct progress_sample *last = &progress->last;
    double seconds = sample->wall_seconds - last->wall_seconds;
    if (!(seconds > 0.0)) {
        return;
    }
    /* Net events may decrease, since undone events are subtracted when they are undone. */
    double events = (double)sample->net_events - (double)last->net_events;
    double advance = fraction_done(progress, sample->gvt) - fraction_done(progress, last->gvt);
    rate_add(&progress->event_rate, events, seconds, EVENT_RATE_SMOOTHING);
    rate_add(&progress->fraction_rate, fmax(advance, 0.0), seconds, FRACTION_RATE_SMOOTHING);
    progress->last = *sample;
}

/* ---- Progress line --------------------------------------------------------------------------- */

/* Adds a field to the line, after two spaces. If the field does not fit, ends the line instead. */
__attribute__((format(printf, 2, 3))) static void line_add(struct line *line, const char *format,
                                                           ...)
{
    assert(line->length <= line->room && line->room <= MAX_COLUMNS);
    char text[MAX_COLUMNS + 1];
    size_t gap = line->length > 0 ? 2 : 0;
    va_list args;
    va_start(args, format);
    size_t length = (size_t)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (line->full || line->length + gap + length > line->room) {
        line->full = true;
        return;
    }
    memcpy(line->text + line->length, "  ", gap);
    memcpy(line->text + line->length + gap, text, length + 1);
    line->length += gap + length;
}

static void line_add_percent(struct line *line, double fraction)
{
    if (fraction < 0.0) {
        line_add(line, "  --%%");
    } else {
        /* The percentage is rounded down, so that 100.0% means the end. */
        line_add(line, "%5.1f%%", floor(fraction * 1000.0) / 10.0);
    }
}

static void line_add_gvt(struct line *line, const struct progress *progress, double gvt)
{
    if (isnan(gvt)) {
        line_add(line, "GVT --");
    } else {
        /* GVT is infinite past the last event, but the run ends at its end time. */
        line_add(line, "GVT %.4g", fmin(gvt, progress->end_time));
    }
}

static void line_add_event_rate(struct line *line, const struct progress_rate *rate)
{
    static const char prefix[] = {'\0', 'k', 'M', 'G', 'T'};
    size_t step = 0;
    double value = fmax(rate->value, 0.0);
    while (value >= 999.5 && step + 1 < sizeof prefix) {
        value /= 1000.0;
        step++;
    }
    if (!rate->known) {
        line_add(line, "-- ev/s");
    } else if (step == 0) {
        line_add(line, "%.0f ev/s", value);
    } else {
        int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
        line_add(line, "%.*f%c ev/s", decimals, value, prefix[step]);
    }
}

static void line_add_efficiency(struct line *line, const struct progress_sample *sample)
{
    uint64_t rolled_back =
        sample->processed > sample->net_events ? sample->processed - sample->net_events : 0;
    double efficiency = efficiency_percent(sample->processed, rolled_back);
    if (efficiency < -999.0) {
        line_add(line, "eff < -999%%");
    } else {
        line_add(line, "eff %.2f%%", efficiency);
    }
}

static void line_add_eta(struct line *line, double seconds)
{
    if (seconds < 0.0) {
        line_add(line, "ETA --:--");
    } else if (seconds >= 99.0 * 86400.0) {
        line_add(line, "ETA > 99 d");
    } else {
        /* The factor compensates for rounding errors, which would otherwise add a second. */
        unsigned long s = (unsigned long)ceil(seconds * (1.0 - 1e-9));
        if (s >= 86400) {
            line_add(line, "ETA %lu d %lu h", s / 86400, s / 3600 % 24);
        } else if (s >= 3600) {
            line_add(line, "ETA %lu:%02lu:%02lu", s / 3600, s / 60 % 60, s % 60);
        } else {
            line_add(line, "ETA %lu:%02lu", s / 60, s % 60);
        }
    }
}

static void line_build(struct line *line, const struct progress *progress, unsigned columns,
                       const struct progress_sample *sample)
{
    assert(columns >= MIN_COLUMNS && columns <= MAX_COLUMNS);
    double fraction = fraction_done(progress, sample->gvt);
    *line = (struct line){.room = columns - 1};
    line_add(line, "%.*s", (int)(columns / 4), progress->name);
    line_add_percent(line, fraction);
    line_add_gvt(line, progress, sample->gvt);
    line_add_event_rate(line, &progress->event_rate);
    line_add_efficiency(line, sample);
    line_add_eta(line, seconds_left(progress, fraction));
}

/* ---- Output ---------------------------------------------------------------------------------- */

/* Returns the width of the terminal in columns. The terminal is queried for each line, since the
 * window may have been resized. */
static unsigned line_columns(const struct progress *progress)
{
    struct winsize size;
    unsigned columns = progress->columns;
    if (columns == 0) {
        int fd = fileno(progress->err);
        bool answered = fd >= 0 && ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
        columns = answered ? size.ws_col : DEFAULT_COLUMNS;
    }
    columns = columns < MIN_COLUMNS ? MIN_COLUMNS : columns;
    return columns > MAX_COLUMNS ? MAX_COLUMNS : columns;
}

static void show_line(struct progress *progress, const struct line *line)
{
    assert(line->length <= line->room);
    if (!progress->tty) {
        fprintf(progress->err, "%s\n", line->text);
        return;
    }
    /* Overwrites the rest of the previous line with spaces, which works on every terminal, unlike
     * escape sequences. */
    unsigned length = (unsigned)line->length;
    unsigned rest = progress->shown_columns > length ? progress->shown_columns - length : 0;
    fprintf(progress->err, "\r%s%*s", line->text, (int)rest, "");
    fflush(progress->err);
    progress->shown_columns = length;
}

/* Returns the GVT at which the next line is due: the first multiple of the interval after gvt. The
 * interval is a share of the end time. NaN: no such multiple is left before the end. */
static double next_step(const struct progress *progress, double gvt)
{
    double step = fmax(progress->interval_fraction, LEAST_INTERVAL_FRACTION);
    double next = step * (floor(fraction_done(progress, gvt) / step) + 1.0);
    if (next * progress->end_time <= gvt) { /* next was too small because of a rounding error */
        next += step;
    }
    return next < 1.0 + DBL_EPSILON * 4 ? fmin(next, 1.0) * progress->end_time : NAN;
}

/* Returns the seconds of wall-clock time from wall_seconds until the next line is due. */
static double next_interval(const struct progress *progress, double wall_seconds)
{
    if (progress->interval_seconds > 0.0) {
        return progress->interval_seconds;
    }
    return fmin(fmax(wall_seconds, PLAIN_SECONDS_FIRST), PLAIN_SECONDS_MOST);
}

static void schedule_next(struct progress *progress, double wall_seconds, double gvt)
{
    bool by_gvt =
        !progress->tty && progress->interval_fraction > 0.0 && fraction_done(progress, gvt) >= 0.0;
    progress->next_wall_seconds =
        by_gvt ? NAN : wall_seconds + next_interval(progress, wall_seconds);
    progress->next_gvt = by_gvt ? next_step(progress, gvt) : NAN;
}

void progress_init(struct progress *progress, FILE *err, bool tty, double end_time,
                   const struct progress_options *options)
{
    static const struct progress_options defaults = {.quiet = false};
    const struct progress_options *o = options != NULL ? options : &defaults;
    *progress = (struct progress){
        .err = err,
        .name = o->name != NULL ? o->name : "progress",
        .tty = tty,
        .columns = tty ? o->columns : DEFAULT_COLUMNS,
        .end_time = end_time,
        .interval_seconds = tty ? TERMINAL_SECONDS : 0.0,
        .interval_fraction = o->interval_fraction,
        .next_wall_seconds = NAN,
        .next_gvt = NAN,
    };
    if (o->interval_seconds > 0.0) {
        progress->interval_seconds = o->interval_seconds;
    }
    if (!o->quiet) {
        schedule_next(progress, 0.0, 0.0);
    }
}

void progress_show(struct progress *progress, const struct progress_sample *sample)
{
    struct line line;
    take_sample(progress, sample);
    line_build(&line, progress, line_columns(progress), sample);
    show_line(progress, &line);
    schedule_next(progress, sample->wall_seconds, sample->gvt);
}

void progress_hide(struct progress *progress)
{
    if (progress->shown_columns > 0) {
        fprintf(progress->err, "\r%*s\r", (int)progress->shown_columns, "");
        fflush(progress->err);
        progress->shown_columns = 0;
    }
}

void progress_done(struct progress *progress)
{
    progress_hide(progress);
    progress->next_wall_seconds = NAN;
    progress->next_gvt = NAN;
}
