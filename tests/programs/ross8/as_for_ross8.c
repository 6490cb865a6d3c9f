/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * as_for_ross8 - a model in the style of real models for ROSS 8: its includes, variables, options
 * and calls are theirs. Depots send parcels to each other; a registry LP keeps no events.
 *
 * It prints results for the script that runs it:
 *
 *     argv 1 CONF              the word behind "--", as argv[2]
 *     text NAME                options of characters: an array, a pointer, an unknown length
 *     parcels N bad N          parcels delivered, and members with wrong values
 */
#define ROSS_MODEL_TYPES_V8
#include <ross-extern.h>
#include <ross.h>

#define DEPOTS 7u /* per PE, and one registry */

typedef struct {
    long n_parcels;
    double last;
    unsigned bad;
    double *log; /* on the heap, as models have it */
} depot_state;

typedef struct {
    double sent;
    int draws;
    int unwritten; /* read, never written */
} parcel;

extern char place[]; /* its length is not known here */
static char name[32] = "depot";
static char *comment;
static unsigned int n_starts = 2;
static unsigned long n_parcels_seen, n_bad;
static size_t sample_bytes;

static void depot_send(tw_lp *lp, double offset)
{
    tw_lpid const dest = (lp->gid / (DEPOTS + 1) * (DEPOTS + 1)) +
                         (tw_lpid)tw_rand_integer(lp->rng, 0, (long)DEPOTS - 1);
    tw_lpid const far = (dest + (DEPOTS + 1)) % g_tw_total_lps;
    tw_event *e = tw_event_new(tw_rand_unif(lp->rng) < 0.5 ? dest : far, offset, lp);
    parcel *m = tw_event_data(e);
    m->sent = tw_now(lp);
    tw_event_send(e);
}

static void depot_init(depot_state *s, tw_lp *lp)
{
    s->log = tw_calloc(TW_LOC, "log", sizeof(double), 4);
    /* The size of a sample is known here, and not before. */
    if (g_st_model_stats) {
        lp->model_types->mstat_sz = sample_bytes;
    }
    for (unsigned i = 0; i < n_starts; i++) {
        depot_send(lp, g_tw_lookahead + tw_rand_exponential(lp->rng, 1.0));
    }
}

static void depot_event(depot_state *s, tw_bf *bf, parcel *m, tw_lp *lp)
{
    unsigned long const before = lp->rng->count;
    tw_event const *now = lp->pe->cur_event;
    s->bad += now->recv_ts < tw_now(lp) || now->recv_ts > tw_now(lp) || now->dest_lpid != lp->gid ||
              now->dest_lp != lp || m->unwritten != 0 || now->send_ts > tw_now(lp);
    s->bad += lp->pe->GVT > tw_now(lp) || g_tw_pe->GVT_sig.recv_ts > tw_now(lp);
    s->bad += now->event_id != 0 && !now->state.remote; /* may be cancelled by another rank */
    bf->c0 = s->n_parcels % 3 == 0;
    m->sent = s->last;
    s->n_parcels++;
    s->last = tw_now(lp);
    s->log[s->n_parcels % 4] += 1.0;
    depot_send(lp, g_tw_lookahead + tw_rand_exponential(lp->rng, 1.0));
    m->draws = (int)(lp->rng->count - before);
}

static void depot_rc(depot_state *s, tw_bf *bf, parcel *m, tw_lp *lp)
{
    (void)bf;
    double undone = 0.0;
    for (int i = 0; i < m->draws; i++) {
        undone += tw_rand_reverse_unif(lp->rng); /* returns a double */
    }
    s->bad += !(undone >= 0.0);
    s->log[s->n_parcels % 4] -= 1.0;
    s->n_parcels--;
    s->last = m->sent;
}

static void depot_final(depot_state *s, tw_lp *lp)
{
    (void)lp;
    n_parcels_seen += (unsigned long)s->n_parcels;
    n_bad += s->bad;
    free(s->log);
}

static tw_peid map(tw_lpid gid)
{
    return gid / (DEPOTS + 1);
}

static void trace(parcel *m, tw_lp *lp, char *buffer, int *flag)
{
    (void)lp;
    (void)flag;
    memcpy(buffer, &m->draws, sizeof m->draws);
}

static void stats(depot_state *s, tw_lp *lp, char *buffer)
{
    memcpy(buffer, &s->n_parcels, sizeof s->n_parcels);
    memcpy(buffer + sizeof s->n_parcels, &lp->gid, sizeof lp->gid);
}

/* By position, with casts. The registry gets no event, so it has no handler. */
static tw_lptype types[] = {
    {(init_f)depot_init, (pre_run_f)NULL, (event_f)depot_event, (revent_f)depot_rc, (commit_f)NULL,
     (final_f)depot_final, (map_f)map, sizeof(depot_state)},
    {(init_f)NULL, (pre_run_f)NULL, (event_f)NULL, (revent_f)NULL, (commit_f)NULL, (final_f)NULL,
     (map_f)map, sizeof(long)},
    {NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0},
};

static st_model_types trace_types[] = {
    {(ev_trace_f)trace, sizeof(int), (model_stat_f)stats, 0, NULL, NULL, 0},
    {NULL, 0, NULL, 0, NULL, NULL, 0},
};

static void depot_save(depot_state *into, depot_state const *from)
{
    *into = *from;
    into->log = malloc(4 * sizeof(double));
    memcpy(into->log, from->log, 4 * sizeof(double));
}

static void depot_clean(depot_state *s)
{
    free(s->log);
}

static bool depot_check(depot_state *now, depot_state const *before)
{
    return now->n_parcels == before->n_parcels && now->bad == before->bad &&
           memcmp(now->log, before->log, 4 * sizeof(double)) == 0;
}

static void depot_print(FILE *out, char const *prefix, depot_state *s)
{
    fprintf(out, "%s parcels %ld\n", prefix, s->n_parcels);
}

static void parcel_print(FILE *out, char const *prefix, depot_state *s, parcel *m)
{
    (void)s;
    fprintf(out, "%s sent %g\n", prefix, m->sent);
}

static crv_checkpointer checkpointer = {&types[0],
                                        sizeof(depot_state),
                                        (save_checkpoint_state_f)depot_save,
                                        (clean_checkpoint_state_f)depot_clean,
                                        (check_states_f)depot_check,
                                        (print_lpstate_f)depot_print,
                                        (print_checkpoint_state_f)depot_print,
                                        (print_event_f)parcel_print};

/* Custom mapping as older models write it, with an array of PEs. */
static void place_lps(void)
{
    for (tw_lpid i = 0; i < g_tw_nlp; i++) {
        tw_kpid const kp = i % g_tw_nkp;
        tw_lp_onpe(i, g_tw_pe[0], g_tw_mynode * g_tw_nlp + i);
        if (g_tw_kp[kp] == NULL) {
            tw_kp_onpe(kp, g_tw_pe[0]);
        }
        tw_lp_onkp(g_tw_lp[i], g_tw_kp[kp]);
        tw_lp_settype(i, &types[i == DEPOTS]);
    }
}

static tw_lp *local_lp(tw_lpid gid)
{
    return g_tw_lp[gid - g_tw_mynode * g_tw_nlp];
}

/* The last line of ross.csv, which a run has written when tw_run() returns. */
static void read_csv(void)
{
    char line[4096];
    unsigned n = 0;
    FILE *csv = fopen("ross.csv", "r");
    while (csv != NULL && fgets(line, sizeof line, csv) != NULL) {
        n++;
    }
    if (csv != NULL) {
        fclose(csv);
    }
    printf("csv %u lines\n", n);
}

char place[64] = "here";

int main(int argc, char *argv[])
{
    char words[2 * sizeof name] = "none";
    comment = words;
    tw_optdef const options[] = {
        TWOPT_GROUP("Depots"),          TWOPT_UINT("starts", n_starts, "parcels at first"),
        TWOPT_CHAR("name", name, ""),   TWOPT_CHAR("comment", comment, "of any length"),
        TWOPT_CHAR("place", place, ""), TWOPT_END()};
    g_tw_ts_end = 50;
    g_tw_lookahead = 0.25;
    tw_opt_add(options);
    tw_init(&argc, &argv);
    sample_bytes = sizeof(long) + sizeof(tw_lpid);
    if (g_tw_mynode == 0 && g_st_ross_rank == g_tw_mynode) {
        printf("argv %d %s\n", argc > 1 ? argc - 2 : 0, argc > 1 ? argv[2] : "none");
        printf("text %s %s %s\n", name, comment, place);
    }
    g_tw_memory_nqueues = 1;
    g_tw_avl_node_count = 1 << 10;
    g_tw_events_per_pe = 100 / (unsigned)g_tw_npe;
    g_tw_mapping = CUSTOM;
    g_tw_custom_initial_mapping = place_lps;
    g_tw_custom_lp_global_to_local_map = local_lp;
    g_tw_nkp = 3;
    tw_define_lps(DEPOTS + 1, sizeof(parcel));
    for (tw_lpid i = 0; i < DEPOTS; i++) {
        st_model_settype(i, &trace_types[0]);
    }
    crv_add_custom_state_checkpoint(&checkpointer);
    tw_run();
    unsigned long sums[2] = {n_parcels_seen, n_bad};
    MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_UNSIGNED_LONG, MPI_SUM, MPI_COMM_ROSS);
    if (tw_ismaster()) {
        printf("parcels %lu bad %lu\n", sums[0], sums[1]);
        read_csv();
    }
    tw_end();
    return 0;
}
