/*
 * globals.c - the ROSS globals. Models write them before tw_run(); the engine reads them once when
 * the run starts and keeps its own state, but for those that it reports through (g_tw_gvt_done).
 * Also what the process has one of: the PE, the run, the signal.
 */
#include "base/rng.h"
#include "engine/pe.h"
#include "engine/run.h"
#include "ross.h"

MPI_Comm MPI_COMM_ROSS = MPI_COMM_NULL;
tw_synch g_tw_synchronization_protocol = NO_SYNCH;
tw_lp_map g_tw_mapping = LINEAR;
void (*g_tw_custom_initial_mapping)(void) = NULL;
tw_lp *(*g_tw_custom_lp_global_to_local_map)(tw_lpid gid) = NULL;
tw_lpid g_tw_nlp = 0;
tw_lpid g_tw_total_lps = 0;
tw_lpid g_tw_lp_offset = 0;
tw_kpid g_tw_nkp = 16;
tw_lp **g_tw_lp = NULL;
tw_kp **g_tw_kp = NULL;
tw_pe *g_tw_pe = NULL;
unsigned int g_tw_nRNG_per_lp = 1;
unsigned int g_tw_nRNG_core_per_lp = 1;
tw_rng *g_tw_rng_default = NULL;
enum rng_kind g_tw_rng_kind = RNG_CLCG4;
uint32_t *g_tw_rng_seed = NULL;
uint32_t *g_tw_core_rng_seed = NULL;
unsigned int g_tw_mblock = 16;
unsigned int g_tw_gvt_interval = TW_GVT_INTERVAL_DEFAULT;
tw_stime g_tw_ts_end = 100000.0;
size_t g_tw_msg_sz = 0;
tw_stime g_tw_lookahead = 0.005;
unsigned int g_tw_events_per_pe = 0;
tw_stat g_tw_gvt_done = 0;
tw_peid g_tw_mynode = 0;
tw_peid g_tw_masternode = 0;
tw_lptype *g_tw_lp_types = NULL;
tw_lp_typemap_f g_tw_lp_typemap = NULL;
tw_clock g_tw_clock_rate = 0;
void (*g_tw_gvt_hook)(tw_pe *pe, bool past_end_time) = NULL;

volatile sig_atomic_t g_tw_signal = 0;
struct run g_run = RUN_INITIAL;
