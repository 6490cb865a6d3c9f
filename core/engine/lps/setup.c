/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * setup.c - set-up by tw_define_lps() and tw_run(): gids, KPs, types and streams of LPs, and checks
 * of the globals.
 */
#include <assert.h>

#include "base/rng.h"
#include "engine/lps/lp_map.h"
#include "engine/lps/lp_numbers.h"
#include "engine/lps/lps.h"
#include "engine/probe.h"
#include "engine/process/run.h"

/* Creates the KPs. n_map_kps: minimum number of KPs that the map needs; 0: no map. */
static void make_kps(struct pe *pe, tw_kpid n_map_kps)
{
    assert(pe->kps == NULL && g_tw_nkp > 0);
    pe->n_kps = g_tw_nkp;
    if (pe->n_kps > g_tw_nlp) {
        pe->n_kps = g_tw_nlp > 0 ? g_tw_nlp : 1; /* more KPs than LPs would be useless */
    }
    if (pe->n_kps < n_map_kps) {
        pe->n_kps = n_map_kps; /* KP numbers in a map may have gaps */
    }
    g_tw_nkp = pe->n_kps;
    nkp_per_pe = (unsigned int)pe->n_kps;
    pe->kps = tw_calloc(TW_LOC, "KPs", sizeof(struct kp), pe->n_kps);
    pe->busy_kps = tw_calloc(TW_LOC, "KPs", sizeof(struct kp *), pe->n_kps);
    g_tw_kp = tw_calloc(TW_LOC, "KPs", sizeof(tw_kp *), pe->n_kps);
    for (tw_kpid k = 0; k < pe->n_kps; k++) {
        kp_init(&pe->kps[k], k, &pe->head);
        g_tw_kp[k] = &pe->kps[k].head;
    }
}

static void make_lps(struct pe *pe)
{
    assert(pe->lps.blocks == NULL && g_tw_lp == NULL);
    lp_table_init(&pe->lps, g_tw_nlp, g_tw_nRNG_core_per_lp + g_tw_nRNG_per_lp);
    g_tw_lp = tw_calloc(TW_LOC, "LPs", sizeof(tw_lp *), g_tw_nlp);
    for (tw_lpid i = 0; i < g_tw_nlp; i++) {
        tw_lp *lp = lp_table_at(&pe->lps, i);
        g_tw_lp[i] = lp;
        lp->id = i;
        lp->pe = &pe->head;
        lp->rng = lp->core_rng + g_tw_nRNG_core_per_lp;
    }
}

/* Sets gid and KP of each local LP. LINEAR: each KP has consecutive LPs; ROUND_ROBIN: consecutive
 * LPs belong to consecutive KPs. */
static void map_lps(struct pe *pe)
{
    assert(pe->mapping.kind == LINEAR || pe->mapping.kind == ROUND_ROBIN);
    for (tw_lpid i = 0; i < g_tw_nlp; i++) {
        tw_lp *lp = g_tw_lp[i];
        tw_kpid k = g_tw_mapping == LINEAR
                        ? (tw_kpid)((double)i * (double)pe->n_kps / (double)g_tw_nlp)
                        : i % pe->n_kps;
        lp->gid = mapping_gid(&pe->mapping, i);
        lp->kp = g_tw_kp[k < pe->n_kps ? k : pe->n_kps - 1];
    }
}

static void map_lps_custom(struct pe *pe)
{
    if (g_tw_custom_initial_mapping == NULL || g_tw_custom_lp_global_to_local_map == NULL) {
        run_refuse("CUSTOM mapping needs g_tw_custom_initial_mapping and "
                   "g_tw_custom_lp_global_to_local_map, set before tw_define_lps()");
    }
    for (tw_lpid i = 0; i < g_tw_nlp; i++) {
        g_tw_lp[i]->gid = UINT64_MAX;
        g_tw_lp[i]->kp = NULL;
    }
    g_tw_custom_initial_mapping();
    for (tw_lpid i = 0; i < g_tw_nlp; i++) {
        tw_lp *lp = g_tw_lp[i];
        if (lp->gid == UINT64_MAX) {
            tw_error(TW_LOC,
                     "g_tw_custom_initial_mapping left local LP %" PRIu64 " without a number below "
                     "%" PRIu64 "; call tw_lp_onpe() for it",
                     i, UINT64_MAX);
        }
        if (lp->kp == NULL) {
            lp->kp = g_tw_kp[i % pe->n_kps];
        }
    }
    lp_numbers_settle(pe);
}

/* Frees the KPs and LPs of this rank. */
static void unmake_lps(struct pe *pe)
{
    for (tw_kpid k = 0; k < pe->n_kps; k++) {
        kp_fini(&pe->kps[k]);
    }
    free(pe->kps);
    free(pe->busy_kps);
    free(g_tw_kp);
    free(g_tw_lp);
    lp_table_fini(&pe->lps);
    pe->kps = NULL;
    pe->busy_kps = NULL;
    g_tw_kp = NULL;
    g_tw_lp = NULL;
}

/* Finds out the numbers of the LPs of a model with CUSTOM mapping, whose LPs a map places: creates
 * the LPs as without a map, asks the model for their numbers, and frees them. A model without
 * functions for CUSTOM mapping has the numbers 0 to total - 1. Collective. */
static void learn_numbers(struct pe *pe)
{
    const tw_kpid n_kps = g_tw_nkp;
    const bool by_local_id = g_run.types_by_local_id;
    int has_functions =
        g_tw_custom_initial_mapping != NULL && g_tw_custom_lp_global_to_local_map != NULL;
    MPI_Allreduce(MPI_IN_PLACE, &has_functions, 1, MPI_INT, MPI_MIN, pe->comm.comm);
    if (has_functions == 0) {
        return;
    }
    g_tw_nlp = pe->mapping.count;
    make_kps(pe, 0);
    make_lps(pe);
    map_lps_custom(pe);
    lp_numbers_gather(pe);
    unmake_lps(pe);
    g_tw_nkp = n_kps;
    g_run.types_by_local_id = by_local_id;
}

/* Checks that memory suffices for n_lps LPs and their KPs. Seeding the LPs' streams will touch all
 * of this memory. */
static void ask_for_lps(tw_lpid n_lps)
{
    char what[96];
    double n_kps = g_tw_nkp < n_lps ? (double)g_tw_nkp : (double)n_lps;
    size_t lp_bytes = lp_table_stride(g_tw_nRNG_core_per_lp + g_tw_nRNG_per_lp) + sizeof(tw_lp *);
    size_t per_kp = kp_bytes() + sizeof(struct kp *) + sizeof(tw_kp *);
    snprintf(what, sizeof what, "%" PRIu64 " LPs and %.0f KPs%s", n_lps, n_kps,
             tw_nnodes() > 1 ? " on a rank" : "");
    tw_ask_memory(what, (double)n_lps * (double)lp_bytes + n_kps * (double)per_kp);
}

void tw_define_lps(tw_lpid n_lps, size_t msg_sz)
{
    struct pe *pe = engine_self("tw_define_lps()");
    if (pe->lps.stride != 0) {
        run_refuse("tw_define_lps() a second time");
    }
    if (g_tw_nkp == g_run.n_kps && nkp_per_pe != g_run.n_kps) {
        g_tw_nkp = nkp_per_pe; /* the model has set this variable after tw_init() */
    }
    if (g_tw_nkp == 0 || g_tw_nRNG_core_per_lp == 0) {
        run_refuse("g_tw_nkp is %lu and g_tw_nRNG_core_per_lp %u, must be at least 1", g_tw_nkp,
                   g_tw_nRNG_core_per_lp);
    }
    struct lp_map map = {.n_kps = lp_map_is_auto(pe) ? g_tw_nkp : 0};
    mapping_init(&pe->mapping, g_tw_mapping, n_lps, &pe->comm);
    if (pe->mapping.total == 0) {
        run_refuse("there are no LPs to simulate; tw_define_lps() got 0 on every rank");
    }
    if (g_tw_replication > 0 &&
        pe->mapping.total > RNG_REPLICATION_STREAMS / (g_tw_nRNG_per_lp + g_tw_nRNG_core_per_lp)) {
        run_refuse("--replication: %" PRIu64
                   " LPs have more than 2^28 random streams; the streams of "
                   "replications would overlap",
                   pe->mapping.total);
    }
    lp_map_check_model(pe);
    if (lp_map_has_file() && pe->mapping.kind == CUSTOM) {
        learn_numbers(pe);
    }
    lp_map_read(&map, pe);
    ask_for_lps(pe->mapping.count);
    g_tw_nlp = pe->mapping.count;
    g_tw_msg_sz = msg_sz;
    pe->msg_bytes = msg_sz;
    pe->n_streams = g_tw_nRNG_per_lp;
    g_tw_total_lps = pe->mapping.total;
    g_tw_lp_offset = pe->mapping.first;
    if (pe->mapping.kind == ROUND_ROBIN && !pe->mapping.even) {
        run_refuse("ROUND_ROBIN mapping needs the same number of LPs on every rank");
    }
    make_kps(pe, map.n_kps);
    make_lps(pe);
    if (pe->mapping.kind == MAPPING_PLACED) {
        lp_map_apply(&map, pe);
    } else if (pe->mapping.kind == CUSTOM) {
        map_lps_custom(pe);
    } else {
        map_lps(pe);
    }
    pe->dest_end = pe->mapping.end;
    lp_map_follow(pe);
    lp_table_seed(&pe->lps);
}

void engine_remake_lps(struct pe *pe, uint32_t *placed, tw_lpid count, struct lp_map *map)
{
    assert(pe->pool.in_use == 0 && pe->head.cur_event == NULL && pe->lps.fence_bytes == 0);
    engine_resume_suspended(pe);
    lp_table_fini(&pe->lps);
    free(g_tw_lp);
    free(pe->lp_numbers);
    g_tw_lp = NULL;
    pe->lp_numbers = NULL;
    mapping_place(&pe->mapping, placed, count);
    g_tw_nlp = count;
    make_lps(pe);
    lp_map_apply(map, pe);
    if (pe->lp_times != NULL) {
        free(pe->lp_times);
        engine_begin_lp_times(pe);
    }
}

void engine_begin_lp_times(struct pe *pe)
{
    pe->lp_times = tw_calloc(TW_LOC, "times of LPs", sizeof *pe->lp_times, pe->lps.count);
    for (tw_lpid i = 0; i < pe->lps.count; i++) {
        pe->lp_times[i] = -1.0; /* the LP has executed no event yet */
    }
}

void engine_check_globals(struct pe *pe)
{
    if (pe->lps.stride == 0) {
        run_refuse("tw_run() before tw_define_lps()");
    }
    if (pe->transport != NULL) {
        run_refuse("tw_run() a second time; a program simulates once");
    }
    if (!(g_tw_ts_end > 0.0)) {
        run_refuse("g_tw_ts_end is %g, must be greater than 0", g_tw_ts_end);
    }
    if (g_tw_mblock == 0 || g_tw_gvt_interval == 0) {
        run_refuse("g_tw_mblock is %u and g_tw_gvt_interval %u, must be at least 1", g_tw_mblock,
                   g_tw_gvt_interval);
    }
}

static bool is_for_one_rank(tw_synch synch)
{
    return synch == SEQUENTIAL || synch == OPTIMISTIC_DEBUG || synch == SEQUENTIAL_ROLLBACK_CHECK;
}

void engine_choose_scheduler(struct pe *pe)
{
    pe->synch = g_tw_synchronization_protocol;
    if (pe->synch == NO_SYNCH) {
        pe->synch = pe->comm.n_ranks == 1 ? SEQUENTIAL : OPTIMISTIC;
        g_tw_synchronization_protocol = pe->synch;
    }
    if (pe->synch < SEQUENTIAL || pe->synch > SEQUENTIAL_ROLLBACK_CHECK) {
        run_refuse("g_tw_synchronization_protocol is %d; there are schedulers 1 to 6",
                   (int)pe->synch);
    }
    if (pe->comm.n_ranks > 1 && is_for_one_rank(pe->synch)) {
        run_refuse("--synch=%d (%s) runs on one rank, but there are %d; use --synch=2 or 3",
                   (int)pe->synch, run_scheduler_name(), pe->comm.n_ranks);
    }
    pe_keep_history(pe, pe->synch == OPTIMISTIC || pe->synch == OPTIMISTIC_REALTIME ||
                            pe->synch == OPTIMISTIC_DEBUG);
    if (pe->synch == CONSERVATIVE && pe->comm.n_ranks > 1 && !(g_tw_lookahead > 0.0)) {
        char setter[RUN_LOOKAHEAD_MAX];
        run_refuse("--synch=2 on several ranks needs a lookahead greater than 0; set %s or use "
                   "--synch=3",
                   run_lookahead_setter(setter));
    }
}

static tw_lp *local_lp(tw_lpid local_id, const char *caller)
{
    if (g_tw_lp == NULL || local_id >= g_tw_nlp) {
        (void)engine_self(caller);
        tw_error(TW_LOC, "%s: there is no local LP %" PRIu64 "; this rank has %" PRIu64 " LPs",
                 caller, local_id, g_tw_lp != NULL ? g_tw_nlp : 0);
    }
    return g_tw_lp[local_id];
}

void tw_lp_settype(tw_lpid local_id, tw_lptype *type)
{
    tw_lp *lp = local_lp(local_id, "tw_lp_settype()");
    if (lp->type != NULL && engine_self("tw_lp_settype()")->transport != NULL) {
        tw_error(TW_LOC,
                 "tw_lp_settype() of LP %" PRIu64 " after tw_run() has begun: LPs keep their types",
                 lp->gid);
    }
    lp->type = type;
    g_run.types_by_local_id = true;
}

void tw_lp_setup_types(void)
{
    if (g_tw_lp_types == NULL) {
        tw_error(TW_LOC, "tw_lp_setup_types() needs g_tw_lp_types");
    }
    for (tw_lpid i = 0; i < g_tw_nlp; i++) {
        tw_lpid number = g_tw_lp_typemap != NULL ? g_tw_lp_typemap(g_tw_lp[i]->gid) : 0;
        g_tw_lp[i]->type = &g_tw_lp_types[number];
    }
    g_run.types_by_local_id = false;
}

void tw_pe_settype(const tw_petype *type)
{
    engine_self("tw_pe_settype()")->type = type;
}

void(tw_lp_onpe)(tw_lpid local_id, tw_pe *pe, tw_lpid gid)
{
    tw_lp *lp = local_lp(local_id, "tw_lp_onpe()");
    lp->pe = pe;
    lp->gid = gid;
}

void tw_lp_onkp(tw_lp *lp, tw_kp *kp)
{
    lp->kp = kp;
}

void(tw_kp_onpe)(tw_kpid id, tw_pe *pe)
{
    tw_kp *kp = tw_getkp(id);
    if (kp == NULL) {
        tw_error(TW_LOC, "tw_kp_onpe() outside of g_tw_custom_initial_mapping");
    }
    kp->pe = pe;
}

/* The look-up functions of ross.h return NULL while there is no LP, KP or PE. */
tw_pe *tw_getpe(tw_peid id)
{
    if (g_tw_pe != NULL && id != 0) {
        tw_error(TW_LOC, "tw_getpe(): there is no PE %lu on this rank; its only PE is 0", id);
    }
    return g_tw_pe;
}

tw_lp *tw_getlp(tw_lpid local_id)
{
    return g_tw_lp != NULL ? local_lp(local_id, "tw_getlp()") : NULL;
}

tw_kp *tw_getkp(tw_kpid id)
{
    if (g_tw_kp == NULL) {
        return NULL;
    }
    if (id >= pe_self()->n_kps) {
        tw_error(TW_LOC, "tw_getkp(): there is no KP %lu; this PE has %lu KPs, numbered from 0", id,
                 pe_self()->n_kps);
    }
    return g_tw_kp[id];
}

/* Returns true if the model's map function puts the LP on another rank. The model may then not be
 * asked for the LP itself. */
static bool is_elsewhere(const struct pe *pe, tw_lpid gid)
{
    const tw_lptype *type = pe->lps.count > 0 ? lp_table_at(&pe->lps, 0)->type : NULL;
    return pe->mapping.kind == CUSTOM &&
           (pe->lps.count == 0 || (type != NULL && type->map != NULL &&
                                   mapping_rank(&pe->mapping, gid, type) != pe->mapping.rank));
}

tw_lp *probe_local_lp(tw_lpid gid)
{
    const struct pe *pe = g_tw_lp != NULL ? pe_self() : NULL;
    return pe == NULL || is_elsewhere(pe, gid) ? NULL
                                               : mapping_arrived(&pe->mapping, &pe->lps, gid);
}

tw_lp *tw_getlocal_lp(tw_lpid gid)
{
    tw_lp *lp = probe_local_lp(gid);
    if (lp == NULL && g_tw_lp != NULL) {
        tw_error(TW_LOC, "tw_getlocal_lp(): LP %" PRIu64 " is not on this rank", gid);
    }
    return lp;
}

int tw_ismaster(void)
{
    return g_tw_mynode == g_tw_masternode;
}

unsigned tw_nnodes(void)
{
    return g_tw_n_ranks;
}

tw_event_sig tw_now_sig(const tw_lp *lp)
{
    tw_event_sig sig = {.recv_ts = tw_now(lp)};
    const tw_event *event = lp->pe->cur_event;
    if (event != NULL) {
        event_signature(event, &sig);
    }
    return sig;
}
