/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * decide.c - computes a placement on rank 0, and decides whether it is worth a move. Also the texts
 * about it, for the report and for notices.
 *
 * Sending an event to another rank is assumed to cost as much as executing it. A placement then
 * costs balance * (1 + remote). Here, `balance` is the load of the busiest rank divided by the mean
 * load, and `remote` is the share of remote events among the events that were held back (see
 * counts.c). The LPs move if the cost decreases by at least the share COST_FALLS, and by at least
 * ERRORS standard errors.
 *
 * Cost: all ranks send their counts to rank 0. Until the placement is found, rank 0 needs about 130
 * bytes per pair of LPs and 80 bytes per LP.
 */
#include <assert.h>

#include "move/move_private.h"
#include "placement/place.h"
#include "store/array.h"
#include "text/json.h"

#define COST_FALLS 0.02 /* minimum decrease of the cost for a move, as a share of the cost */
/* Minimum decrease of the cost for a move, as a multiple of the standard error of the cost. */
#define ERRORS     3.0
#define IMBALANCE  0.03
#define SEED       1u
#define ITEMS_MOST ((size_t)1 << 20) /* maximum number of items in an MPI message */

/* A growing list on rank 0 with the items of all ranks. */
struct items {
    struct partition_pair *list;
    size_t n, room;
};

static void items_add(struct items *all, const struct partition_pair *list, size_t n)
{
    if (!array_reserve(&all->list, &all->room, all->n + n, sizeof *all->list)) {
        tw_error(TW_LOC, "out of memory for the counts of --map=auto");
    }
    if (n > 0) {
        memcpy(all->list + all->n, list, n * sizeof *list);
        all->n += n;
    }
}

/* Appends the n items of list on each rank to *all on rank 0. Collective. */
static void items_gather(struct items *all, const struct partition_pair *list, size_t n,
                         const struct comm *comm)
{
    const int words = (int)(sizeof *list / sizeof(uint64_t));
    if (comm->rank > 0) {
        uint64_t count = n;
        MPI_Send(&count, 1, MPI_UINT64_T, 0, COMM_TAG_MOVE, comm->comm);
        for (size_t at = 0; at < n; at += ITEMS_MOST) {
            int now = (int)ROSS_MIN(ITEMS_MOST, n - at);
            MPI_Send(list + at, now * words, MPI_UINT64_T, 0, COMM_TAG_MOVE, comm->comm);
        }
        return;
    }
    struct partition_pair *piece = tw_calloc(TW_LOC, "counts", sizeof *piece, ITEMS_MOST);
    items_add(all, list, n);
    for (int rank = 1; rank < comm->n_ranks; rank++) {
        uint64_t count;
        MPI_Recv(&count, 1, MPI_UINT64_T, rank, COMM_TAG_MOVE, comm->comm, MPI_STATUS_IGNORE);
        for (size_t at = 0; at < count; at += ITEMS_MOST) {
            size_t now = ROSS_MIN(ITEMS_MOST, count - at);
            MPI_Recv(piece, (int)now * words, MPI_UINT64_T, rank, COMM_TAG_MOVE, comm->comm,
                     MPI_STATUS_IGNORE);
            items_add(all, piece, now);
        }
    }
    free(piece);
}

static int by_key(const void *a, const void *b)
{
    const struct partition_pair *x = a, *y = b;
    return x->key < y->key ? -1 : x->key > y->key;
}

/* Sorts the pairs, and merges pairs with equal keys by adding up their events. */
static void pairs_join(struct items *all)
{
    size_t n = 0;
    if (all->n > 0) {
        qsort(all->list, all->n, sizeof *all->list, by_key);
    }
    for (size_t i = 0; i < all->n; i++) {
        if (n > 0 && all->list[n - 1].key == all->list[i].key) {
            all->list[n - 1].events += all->list[i].events;
        } else {
            all->list[n++] = all->list[i];
        }
    }
    all->n = n;
}

/* Stores in rank 0's graph, for each LP, its load, its number of received events and its rank.
 * Collective. */
static void lps_gather(struct partition_graph *g, struct pe *pe)
{
    struct items all = {.n = 0};
    const struct move_counts *c = &pe->mover->counts;
    struct partition_pair *own = tw_calloc(TW_LOC, "counts", sizeof *own, pe->lps.count);
    for (tw_lpid i = 0; i < pe->lps.count; i++) {
        size_t place = mapping_place_of(&pe->mapping, lp_table_at(&pe->lps, i)->gid);
        own[i] = (struct partition_pair){place, c->received[i]};
    }
    items_gather(&all, own, pe->lps.count, &pe->comm);
    for (size_t i = 0; i < all.n; i++) {
        assert(all.list[i].key < g->n_lps);
        g->received[all.list[i].key] = all.list[i].events;
        g->load[all.list[i].key] = all.list[i].events;
    }
    for (size_t at = 0; pe->comm.rank == 0 && at < g->n_lps; at++) {
        g->pe[at] = mapping_rank(&pe->mapping, id_set_at(&pe->mapping.gids, at), NULL);
    }
    free(all.list);
    free(own);
}

/* Splits the two counts of each pair: *pairs keeps the numbers of events from which the placement
 * is computed, *held receives the numbers of events held back. */
static void pairs_split(struct items *pairs, struct items *held)
{
    size_t n = 0;
    assert(held->n == 0);
    items_add(held, pairs->list, pairs->n);
    for (size_t i = 0; i < pairs->n; i++) {
        uint64_t events = pairs->list[i].events;
        held->list[i].events = move_held(events);
        if (move_seen(events) > 0) {
            pairs->list[n++] = (struct partition_pair){pairs->list[i].key, move_seen(events)};
        }
    }
    pairs->n = n;
}

/* Builds the graph on rank 0, and stores in *held the pairs with their numbers of events held back.
 * Collective. */
static void graph_gather(struct partition_graph *g, struct items *held, struct pe *pe)
{
    struct items pairs = {.n = 0};
    const struct move_counts *c = &pe->mover->counts;
    struct move_outcome *outcome = &pe->mover->outcome;
    uint64_t sums[4] = {c->events, c->self, c->lost, c->held};
    MPI_Allreduce(MPI_IN_PLACE, sums, 4, MPI_UINT64_T, MPI_SUM, pe->comm.comm);
    outcome->events = sums[0];
    outcome->lost = sums[2];
    outcome->held = sums[3];
    *g = (struct partition_graph){.n_lps = 0};
    bool good = pe->comm.rank > 0 || partition_graph_init(g, pe->mapping.total);
    if (!good) {
        tw_error(TW_LOC, "out of memory for the graph of --map=auto");
    }
    lps_gather(g, pe);
    items_gather(&pairs, c->pairs, c->n_pairs, &pe->comm);
    if (pe->comm.rank == 0) {
        g->events = sums[0];
        g->self = sums[1];
        g->n_pes = (uint32_t)pe->comm.n_ranks;
        pairs_join(&pairs);
        pairs_split(&pairs, held);
        if (!partition_graph_link(g, pairs.list, pairs.n)) {
            tw_error(TW_LOC, "out of memory for the graph of --map=auto");
        }
    }
    free(pairs.list);
}

/* Returns the share of the held-back events that are remote in a placement. rank_of: [place of the
 * LP], its rank in this placement. events: number of events held back. */
static double remote_share(const struct items *held, const uint32_t *rank_of, uint64_t events)
{
    uint64_t remote = 0;
    for (size_t i = 0; i < held->n; i++) {
        const struct partition_pair *pair = &held->list[i];
        bool is_remote = rank_of[pair->key >> 32] != rank_of[(uint32_t)pair->key];
        remote += is_remote ? pair->events : 0;
    }
    return events > 0 ? (double)remote / (double)events : 0.0;
}

/* Decides on rank 0 whether the placement p is worth a move, and stores the decision in *o. held:
 * pairs with their numbers of events held back. */
static void judge(struct move_outcome *o, const struct partition *p, const struct items *held)
{
    const struct partition_graph *g = p->graph;
    assert(p->sums[PARTITION_RECORDED].known);
    o->remote_before = remote_share(held, g->pe, o->held);
    o->remote_after = remote_share(held, p->rank, o->held);
    o->balance_before = p->sums[PARTITION_RECORDED].balance;
    o->balance_after = p->sums[p->chosen].balance;
    for (uint64_t lp = 0; lp < g->n_lps; lp++) {
        o->n_lps += p->rank[lp] != g->pe[lp];
    }
    double before = o->balance_before * (1.0 + o->remote_before);
    double after = o->balance_after * (1.0 + o->remote_after);
    double error = sqrt(o->remote_before / fmax((double)o->held, 1.0) +
                        p->n_ranks / fmax((double)o->events, 1.0));
    o->moves = o->n_lps > 0 && before - after >= fmax(before * COST_FALLS, ERRORS * error);
    if (!o->moves) {
        snprintf(o->why, sizeof o->why, "no placement was found that is much better");
    }
}

void move_decide(struct pe *pe, struct lp_places *places)
{
    struct partition_graph graph;
    assert(pe->mover != NULL && places->n_local == 0);
    struct items held = {.n = 0};
    struct move_outcome *o = &pe->mover->outcome;
    uint64_t n_kps = pe->n_kps;
    MPI_Allreduce(MPI_IN_PLACE, &n_kps, 1, MPI_UINT64_T, MPI_MIN, pe->comm.comm);
    graph_gather(&graph, &held, pe);
    struct partition p = {.graph = &graph,
                          .n_ranks = (uint32_t)pe->comm.n_ranks,
                          .n_kps = (uint32_t)n_kps,
                          .cut = {.seed = SEED, .imbalance = IMBALANCE, .shares = NULL}};
    if (pe->comm.rank == 0 && partition_make(&p)) {
        judge(o, &p, &held);
    } else if (pe->comm.rank == 0) {
        snprintf(o->why, sizeof o->why, "%s", p.why);
    }
    MPI_Bcast(o, sizeof *o, MPI_BYTE, 0, pe->comm.comm);
    if (o->moves) {
        lp_places_share(places, p.rank, p.kp, pe);
    }
    free(held.list);
    partition_free(&p);
    partition_graph_free(&graph);
}

/* ---- Texts for the report and for notices ---------------------------------------------------- */

static const char *reason_of(const struct move_outcome *o)
{
    return o->is_decided ? o->why : "the run ended before the time of the move";
}

void move_text(const struct pe *pe, char *text, size_t size)
{
    assert(pe->mover != NULL);
    const struct move_outcome *o = &pe->mover->outcome;
    snprintf(text, size,
             "--map=auto: %" PRIu64 " of %" PRIu64
             " LPs move at time %.6g; remote events %.1f %% -> %.1f %%, balance %.3f -> %.3f",
             o->n_lps, (uint64_t)pe->mapping.total, o->at, 100.0 * o->remote_before,
             100.0 * o->remote_after, o->balance_before, o->balance_after);
}

void move_report_text(const struct pe *pe, FILE *out)
{
    const struct mover *m = pe->mover;
    const struct move_outcome *o = m != NULL ? &m->outcome : NULL;
    if (o == NULL) {
        return;
    }
    fputs("\nTW Placement Statistics:\n", out);
    if (!o->moves) {
        fprintf(out, "\tLPs Not Moved: %s\n", reason_of(o));
    }
    if (!o->is_decided) {
        return;
    }
    fprintf(out, "\t%-50s %11" PRIu64 "\n", "LPs Moved", o->moves ? o->n_lps : 0);
    fprintf(out, "\t%-50s %11.6g\n", "Events Counted until Time", o->at);
    fprintf(out, "\t%-50s %11" PRIu64 "\n", "Events Counted", o->events);
    if (o->lost > 0) {
        fprintf(out, "\t%-50s %11" PRIu64 "\n", "Events of Pairs without Space", o->lost);
    }
    fprintf(out, "\t%-50s %11.2f\n", "Remote Events (Percent)", 100.0 * o->remote_before);
    fprintf(out, "\t%-50s %11.2f\n", "Remote Events in the Placement Found (Percent)",
            100.0 * o->remote_after);
    fprintf(out, "\t%-50s %11.3f\n", "Balance", o->balance_before);
    fprintf(out, "\t%-50s %11.3f\n", "Balance in the Placement Found", o->balance_after);
    fprintf(out, "\t%-50s %11.4f\n", "Simulation Stopped for the Move (secs)", o->seconds);
}

void move_report_json(const struct pe *pe, struct json_writer *json)
{
    const struct mover *m = pe->mover;
    if (m == NULL) {
        return;
    }
    const struct move_outcome *o = &m->outcome;
    json_object_open(json, "placement");
    json_put_u64(json, "lps_moved", o->moves ? o->n_lps : 0);
    if (!o->moves) {
        json_put_string(json, "reason", reason_of(o));
    }
    if (o->is_decided) {
        json_put_double(json, "at", o->at);
        json_put_u64(json, "events", o->events);
        json_put_double(json, "remote_share_before", o->remote_before);
        json_put_double(json, "remote_share_after", o->remote_after);
        json_put_double(json, "balance_before", o->balance_before);
        json_put_double(json, "balance_after", o->balance_after);
        json_put_double(json, "seconds", o->seconds);
    }
    json_object_close(json);
}
