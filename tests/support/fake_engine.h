/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fake_engine.h - what the recorder needs of an engine, without one: drives the probe table by
 * hand.
 *
 * Defines the engine's functions and globals, so include it in exactly one file of a program that
 * calls nothing else of the engine. Time stands still unless the test moves fake.seconds.
 */
#ifndef WARPSCOPE_TESTS_FAKE_ENGINE_H
#define WARPSCOPE_TESTS_FAKE_ENGINE_H

#include <setjmp.h>
#include <stdarg.h>

#include "engine/in_process.h"
#include "engine/probe.h"
#include "engine/words.h"
#include "record/context.h"
#include "record/recorder.h"
#include "session.h"
#include "support/fake_control.h"

struct fake_engine {
    tw_pe pe;
    tw_kp kps[4];
    tw_kp *kp_list[4];
    tw_lp *lps;
    tw_lp **lp_list;
    unsigned char *states; /* 64 bytes per LP */
    struct tw_counters counters;
    struct probe_table probes;
    double seconds;
    unsigned clock_reads; /* calls of run_seconds() */
    unsigned warnings;
    char last_message[4096]; /* text of tw_warning or tw_error */
    jmp_buf on_error;        /* target of longjmp in tw_error() if expects_error */
    bool expects_error;
    struct tw_phase_ticks phase_ticks;
    struct processor_time processor;
    enum tw_phase phase;
    uint64_t pending; /* events in the queue */
    struct pe_memory memory;
    bool results_lost; /* set by run_results_are_lost() */
    const char *given; /* options that count as given, each between blanks: " pe-data " */
    struct probe_now now;
    uint64_t *numbers;     /* by LP */
    const tw_lp *numbered; /* the last LP that took a number */
    int64_t observer_bytes;
    int64_t observer_bytes_most;
    const char *observer; /* name of the observer called last */
    unsigned observer_depth;
    struct probe_commit_guard commit_guard;
    struct probe_rollback_cause cause; /* result of probe_rollback_cause() */
    bool stamps;                       /* set by probe_stamp_messages() */
    double stamp;                      /* set by probe_stamp() */
};

static struct fake_engine fake;

MPI_Comm MPI_COMM_ROSS;
tw_lpid g_tw_nlp;
tw_lpid g_tw_total_lps;
tw_kpid g_tw_nkp = 4;
tw_lp **g_tw_lp;
tw_kp **g_tw_kp;
tw_pe *g_tw_pe;
tw_peid g_tw_mynode;
tw_stime g_tw_ts_end = 1000.0;
tw_stime g_tw_lookahead = 0.5;
size_t g_tw_msg_sz = 16;
unsigned int g_tw_mblock = 16;
unsigned int g_tw_gvt_interval = 16;
void (*g_tw_gvt_hook)(tw_pe *pe, bool past_end_time);
tw_lp_typemap_f g_tw_lp_typemap;
tw_lp_map g_tw_mapping = LINEAR;
tw_lp *(*g_tw_custom_lp_global_to_local_map)(tw_lpid gid);

void *tw_calloc(const char *file, int line, const char *what, size_t elem_sz, size_t n)
{
    void *memory = calloc(n == 0 ? 1 : n, elem_sz == 0 ? 1 : elem_sz);
    if (memory == NULL) {
        tw_error(file, line, "out of memory for %s", what);
    }
    return memory;
}

void tw_error(const char *file, int line, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    vsnprintf(fake.last_message, sizeof(fake.last_message), fmt, args);
    va_end(args);
    if (fake.expects_error) {
        longjmp(fake.on_error, 1);
    }
    fprintf(stderr, "unexpected tw_error: %s (%s:%d)\n", fake.last_message, file, line);
    exit(3);
}

void tw_warning(const char *file, int line, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    vsnprintf(fake.last_message, sizeof(fake.last_message), fmt, args);
    va_end(args);
    (void)file;
    (void)line;
    fake.warnings++;
}

unsigned tw_nnodes(void)
{
    int n = 1;
    MPI_Comm_size(MPI_COMM_ROSS, &n);
    return (unsigned)n;
}

tw_lp *tw_getlocal_lp(tw_lpid gid)
{
    return g_tw_lp[gid - g_tw_lp[0]->gid];
}

tw_lp *probe_local_lp(tw_lpid gid)
{
    const tw_lpid first = g_tw_lp != NULL ? g_tw_lp[0]->gid : 0;
    return g_tw_lp != NULL && gid >= first && gid - first < g_tw_nlp ? g_tw_lp[gid - first] : NULL;
}

int tw_ismaster(void)
{
    return fake.pe.id == 0;
}

const struct tw_counters *pe_counters(const tw_pe *pe)
{
    (void)pe;
    return &fake.counters;
}

uint64_t pe_lookahead_kept(const tw_pe *pe)
{
    (void)pe;
    return fake.counters.remote_events;
}

uint64_t pe_pending_count(const tw_pe *pe)
{
    (void)pe;
    return fake.pending;
}

struct pe_memory pe_memory_now(const tw_pe *pe)
{
    (void)pe;
    return fake.memory;
}

const struct tw_phase_ticks *pe_phase_ticks(const tw_pe *pe)
{
    (void)pe;
    return &fake.phase_ticks;
}

enum tw_phase probe_phase_enter(enum tw_phase phase)
{
    enum tw_phase before = fake.phase;
    fake.phase = phase;
    return before;
}

const tw_lptype *probe_lp_type(const tw_lp *lp)
{
    return lp->type;
}

struct run_samples run_samples_before(void)
{
    return (struct run_samples){0};
}

double run_seconds(void)
{
    fake.clock_reads++;
    return fake.seconds;
}

struct processor_time run_processor_time(bool now)
{
    (void)now;
    return fake.processor;
}

double run_ticks_per_second(void)
{
    return 1e9;
}

void run_results_are_lost(void)
{
    fake.results_lost = true;
}

void run_option_text(const char *name, char *out, size_t size)
{
    snprintf(out, size, "value of %s", name);
}

bool run_option_was_given(const char *name)
{
    char word[64];
    snprintf(word, sizeof(word), " %s ", name);
    return fake.given != NULL && strstr(fake.given, word) != NULL;
}

const char *run_command_line(void)
{
    return "fake --one '--two three'";
}

const char *run_program_name(void)
{
    return "fake";
}

void run_notice(const char *fmt, ...)
{
    (void)fmt;
}

void run_warning(const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    vsnprintf(fake.last_message, sizeof(fake.last_message), fmt, args);
    va_end(args);
    fake.warnings++;
}

void tw_ask_memory(const char *what, double bytes)
{
    (void)what;
    (void)bytes;
}

const char *run_phase_times(void)
{
    return "sampled";
}

const char *run_version(void)
{
    return "Warpscope 0.0";
}

const char *run_scheduler_name(void)
{
    return "optimistic";
}

tw_lpid run_lps_end(void)
{
    return g_tw_total_lps;
}

const struct run_words *run_words(void)
{
    static const struct run_words words;
    return &words;
}

void run_mpi_text(char *text, size_t size)
{
    snprintf(text, size, "an MPI");
}

const char *run_rng_name(void)
{
    return "clcg4";
}

void run_seed_text(char *text, size_t size, bool core)
{
    snprintf(text, size, core ? "5 6 7 8" : "1 2 3 4");
}

const char *run_end_text(enum run_end why)
{
    return why == RUN_END_TIME ? "reached the end time" : "something else";
}

void probe_refuse_function(const char *probe)
{
    tw_error(TW_LOC, "no place left for functions of the probe %s", probe);
}

/* fake.now, set by the test, is the code in progress. */
struct probe_now probe_now(void)
{
    return fake.now;
}

uint64_t probe_record_number(tw_lp *lp)
{
    fake.numbered = lp;
    return ++fake.numbers[lp->id];
}

uint64_t probe_record_numbers(const tw_lp *lp)
{
    return fake.numbers[lp->id];
}

void probe_hold_bytes(int64_t change)
{
    fake.observer_bytes += change;
    fake.observer_bytes_most = fake.observer_bytes > fake.observer_bytes_most
                                   ? fake.observer_bytes
                                   : fake.observer_bytes_most;
}

uint64_t probe_observer_bytes(void)
{
    return (uint64_t)fake.observer_bytes;
}

uint64_t probe_observer_limit_bytes(void)
{
    return UINT64_MAX;
}

void probe_observer_enter(const char *observer)
{
    fake.observer = observer;
    fake.observer_depth++;
}

void probe_observer_leave(void)
{
    fake.observer_depth--;
}

struct probe_commit_guard *probe_commit_guard(void)
{
    return &fake.commit_guard;
}

bool probe_is_guarded(void)
{
    return fake.observer_depth > 0 || fake.commit_guard.observer != NULL;
}

#include "support/fake_events.h"

#endif
