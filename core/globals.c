/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * globals.c - the ROSS globals. Models write them before tw_run(). The engine reads them once at
 * the start of the run and then uses its own copies. It also writes some of them for models to
 * read, such as g_tw_gvt_done. This file also defines the objects of which a process has exactly
 * one: the PE (g_tw_pe), the run (g_run) and the signal (g_tw_signal).
 */
#include "base/error.h"
#include "base/rng.h"
#include "engine/pe/pe.h"
#include "engine/process/error.h"
#include "engine/process/run.h"
#include "ross.h"

/* Globals that models and options set, with their initial values: X(type, name, value). */
#define GLOBAL_SETTINGS(X)                                                                         \
    X(tw_synch, g_tw_synchronization_protocol, NO_SYNCH)                                           \
    X(tw_lp_map, g_tw_mapping, LINEAR)                                                             \
    X(custom_map_f, g_tw_custom_initial_mapping, NULL)                                             \
    X(map_local_f, g_tw_custom_lp_global_to_local_map, NULL)                                       \
    X(tw_kpid, g_tw_nkp, RUN_KPS_DEFAULT)                                                          \
    X(unsigned int, nkp_per_pe, RUN_KPS_DEFAULT)                                                   \
    X(unsigned int, g_tw_nRNG_per_lp, 1)                                                           \
    X(unsigned int, g_tw_nRNG_core_per_lp, 1)                                                      \
    X(rng_kind, g_tw_rng_kind, RNG_CLCG4)                                                          \
    X(unsigned int, g_tw_replication, 0)                                                           \
    X(words, g_tw_rng_seed, NULL)                                                                  \
    X(words, g_tw_core_rng_seed, NULL)                                                             \
    X(unsigned int, g_tw_mblock, 16)                                                               \
    X(unsigned int, g_tw_gvt_interval, TW_GVT_INTERVAL_DEFAULT)                                    \
    X(tw_stime, g_tw_ts_end, 100000.0)                                                             \
    X(tw_stime, g_tw_lookahead, 0.005)                                                             \
    X(unsigned int, g_tw_events_per_pe, 0)                                                         \
    X(unsigned long long, g_tw_max_opt_lookahead, ULLONG_MAX)                                      \
    X(unsigned int, g_tw_lz4_knob, 17)                                                             \
    X(lp_types, g_tw_lp_types, NULL)                                                               \
    X(tw_lp_typemap_f, g_tw_lp_typemap, NULL)                                                      \
    X(gvt_hook_f, g_tw_gvt_hook, NULL)

typedef void (*custom_map_f)(void);
typedef void (*gvt_hook_f)(tw_pe *pe, bool past_end_time);
typedef enum rng_kind rng_kind;
typedef uint32_t *words;
typedef tw_lptype *lp_types;

#define X(type, name, value) type name = value;
GLOBAL_SETTINGS(X)
#undef X

MPI_Comm MPI_COMM_ROSS = MPI_COMM_NULL;
tw_lpid g_tw_nlp = 0;
tw_lpid g_tw_total_lps = 0;
tw_lpid g_tw_lp_offset = 0;
tw_lp **g_tw_lp = NULL;
tw_kp **g_tw_kp = NULL;
tw_pe *g_tw_pe = NULL;
tw_peid g_tw_npe = 1;
tw_peid g_st_ross_rank = 0;
tw_stime g_tw_min_detected_offset = DBL_MAX;
const tw_event_sig g_tw_max_sig = {.recv_ts = DBL_MAX, .priority = DBL_MAX};
unsigned int g_tw_sim_started = 0;
unsigned g_tw_n_ranks = 1;
tw_rng *g_tw_rng_default = NULL;
size_t g_tw_msg_sz = 0;
tw_stat g_tw_gvt_done = 0;
tw_peid g_tw_mynode = 0;
tw_peid g_tw_masternode = 0;
tw_clock g_tw_clock_rate = 0;

/* Variables without an effect, see ross.h and ross_rest.h. */
unsigned int g_tw_memory_nqueues = 0;
unsigned int g_tw_avl_node_count = 0;
unsigned int g_tw_events_per_pe_extra = 0;
unsigned int g_tw_gvt_threshold = 0;
unsigned long long g_tw_gvt_realtime_interval = 0;
unsigned int g_tw_hash_size = 0;
unsigned int g_tw_net_device_size = 0;
uint32_t g_tw_buddy_alloc = 0;
size_t g_tw_delta_sz = 0;
int g_tw_fossil_attempts = 0;

volatile sig_atomic_t g_tw_signal = 0;
struct run g_run = RUN_INITIAL;
const struct error_handler g_error_handler = {error_begin, error_end};

void run_forget(void)
{
#define X(type, name, value) name = value;
    GLOBAL_SETTINGS(X)
#undef X
    MPI_COMM_ROSS = MPI_COMM_NULL;
    g_tw_sim_started = 0;
    g_tw_pe = NULL;
    g_tw_lp = NULL;
    g_tw_kp = NULL;
    /* Discards the clock rate if an option has set it; a measured rate stays valid. */
    if (options_was_given(&g_run.options, "clock-rate")) {
        g_tw_clock_rate = 0;
    }
    g_run = (struct run)RUN_INITIAL;
}
