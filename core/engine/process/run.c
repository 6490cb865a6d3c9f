/* SPDX-License-Identifier: BSD-3-Clause */
/* run.c - facts about the run, and its messages to the user; see run.h, extension.h and probe.h. */
#include <assert.h>
#include <stdarg.h>

#include "base/clock.h"
#include "engine/pe/pe.h"
#include "engine/process/run.h"
#include "text/utf8.h"

struct pe *engine_self(const char *caller)
{
    struct pe *pe = pe_self();
    if (pe == NULL) {
        tw_error(TW_LOC, "%s before tw_init() or after tw_end()", caller);
    }
    return pe;
}

/* ---- Facts about the run --------------------------------------------------------------------- */

const char *run_end_text(enum run_end why)
{
    switch (why) {
    case RUN_END_NONE:
        return "still running";
    case RUN_END_TIME:
        return "reached the end time";
    case RUN_END_NO_EVENTS:
        return "no events left";
    case RUN_END_SIGNAL:
        return g_run.stop_requested ? "stopped by a request of warpscope ctl"
                                    : "stopped by a signal";
    case RUN_END_ERROR:
        return "fatal error";
    case RUN_END_UNDONE:
        return "all was rolled back";
    }
    return "unknown";
}

const char *run_command_line(void)
{
    return g_run.command_line;
}

const char *run_program_name(void)
{
    return g_run.program;
}

bool run_checks_memory(void)
{
    return g_run.settings.memory_check != 0;
}

bool run_option_was_given(const char *name)
{
    return options_was_given(&g_run.options, name);
}

void run_option_text(const char *name, char *out, size_t size)
{
    options_value_text(&g_run.options, name, out, size);
}

const char *run_phase_times(void)
{
    return phase_times_name(g_run.settings.phase_times);
}

const char *run_version(void)
{
    return "Warpscope " WARPSCOPE_VERSION;
}

tw_lpid run_lps_end(void)
{
    assert(pe_self() != NULL);
    return pe_self()->mapping.end;
}

const char *run_scheduler_name(void)
{
    assert(pe_self() != NULL);
    switch (pe_self()->synch) {
    case SEQUENTIAL:
        return "sequential";
    case CONSERVATIVE:
        return "conservative";
    case OPTIMISTIC_REALTIME:
        return "optimistic, GVT by wall clock";
    case OPTIMISTIC_DEBUG:
        return "optimistic, all rolled back";
    case SEQUENTIAL_ROLLBACK_CHECK:
        return "sequential, with each event undone";
    default:
        return "optimistic";
    }
}

/* Numbers near this one are multiples of 2^-32. */
#define MULTIPLES_OF_2_32 0x1.8p20

double run_seconds(void) /* avoids a division, since it is called for each traced event */
{
    const double s = (double)(int64_t)(clock_ticks() - g_run.start_ticks) * g_run.seconds_per_tick;
    /* Rounds to 0.2 ns, which is less than a tick, so that records of times take less space. */
    return s + MULTIPLES_OF_2_32 - MULTIPLES_OF_2_32;
}

struct processor_time run_processor_time(bool now)
{
    return processor_clock_read(&g_run.processor_clock, now ? 0 : 10000000);
}

struct run_samples run_samples_before(void)
{
    return g_run.samples_before;
}

double run_ticks_per_second(void)
{
    return g_run.ticks_per_second;
}

/* ---- Messages to the user -------------------------------------------------------------------- */

/* Prints the line "program: [kind]text" on stderr, in one write. kind: "" or "warning: ". */
static void print_line(const char *kind, const char *fmt, va_list args)
{
    char text[2048];
    vsnprintf(text, sizeof text, fmt, args);
    progress_hide(&g_run.progress);
    fflush(stdout);
    fprintf(stderr, "%s: %s%s\n", g_run.program, kind, text);
    fflush(stderr);
}

void run_notice(const char *fmt, ...)
{
    va_list args;
    if (g_run.settings.quiet == 0) {
        va_start(args, fmt);
        print_line("", fmt, args);
        va_end(args);
    }
}

void run_warning(const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    print_line("warning: ", fmt, args);
    va_end(args);
}

void run_refuse(const char *fmt, ...)
{
    struct pe *pe = pe_self();
    assert(pe != NULL);
    if (pe->comm.rank == 0) {
        char line[4096];
        va_list args;
        va_start(args, fmt);
        vsnprintf(line, sizeof(line), fmt, args);
        va_end(args);
        fprintf(stderr, "%s: ", g_run.program);
        utf8_plain_print(stderr, line);
        fputc('\n', stderr);
    }
    fflush(stderr);
    MPI_Barrier(pe->comm.comm);
    comm_fini(&pe->comm);
    exit(TW_EXIT_USAGE);
}

/* ---- Calls that mark the run ----------------------------------------------------------------- */

void run_as_for_ross8(void)
{
    g_run.as_for_ross8 = true;
    snprintf(g_run.settings.csv, sizeof g_run.settings.csv, "ross.csv");
}

void run_results_are_lost(void)
{
    g_run.results_lost = true;
}
