/* SPDX-License-Identifier: BSD-3-Clause */
/* comm.c - see comm.h. */
#include "comm/comm.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "comm/nap.h"

#define ABORT_PAUSE_NS 1000000L /* pause between two polls for an acknowledgement, in nanoseconds */

/* Shortest time between two looks for a notification of a fatal error, in nanoseconds. */
#define ABORT_LOOK_NS 2000000u

extern char **environ;

/* Beginnings of the names of environment variables that launchers and batch systems set. */
static const char *const LAUNCHER_MARKS[] = {
    "OMPI_COMM_WORLD_", "PMI", "SLURM_", "FLUX_", "JSM_", "PBS", "LSB_", "ALPS_"};

/* Settings for Open MPI in a process that no launcher started, unless the user has made the first.
 * By default, such a process starts a daemon, for MPI_Comm_spawn() and MPI_Comm_connect() only, opens
 * the machine's networks, and loads libraries that look for screens and devices: several times the
 * work of the rest of MPI_Init(), and up to some tenths of a second. */
static const char *const ALONE[][2] = {
    {"OMPI_MCA_ess_singleton_isolated", "1"},
    {"OMPI_MCA_orte_create_session_dirs", "0"}, /* one for all processes without daemon */
    {"OMPI_MCA_pml", "ob1"},
    {"OMPI_MCA_btl", "self"},
    {"HWLOC_PLUGINS_PATH", "/dev/null"},
};
#define N_ALONE (sizeof ALONE / sizeof *ALONE)

/* Returns whether a launcher may have started this process. */
static bool is_launched(void)
{
    for (char **variable = environ; *variable != NULL; variable++) {
        for (size_t i = 0; i < sizeof LAUNCHER_MARKS / sizeof *LAUNCHER_MARKS; i++) {
            if (strncmp(*variable, LAUNCHER_MARKS[i], strlen(LAUNCHER_MARKS[i])) == 0) {
                return true;
            }
        }
    }
    return false;
}

/* Initialises MPI. Programs that the process starts later do not get the settings of ALONE. */
static void init_mpi(int *argc, char ***argv)
{
    bool is_set[N_ALONE] = {false};
    if (!is_launched() && getenv(ALONE[0][0]) == NULL) {
        for (size_t i = 0; i < N_ALONE; i++) {
            is_set[i] = getenv(ALONE[i][0]) == NULL && setenv(ALONE[i][0], ALONE[i][1], 0) == 0;
        }
        /* Stays set, since it is read when the model first opens a file by MPI: shared file pointers
         * are not to be kept in the session directory. */
        setenv("OMPI_MCA_sharedfp", "^sm", 0);
    }
    /* MPI_THREAD_FUNNELED suffices: other threads, such as the writer thread, do not call MPI. */
    int provided;
    MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided);
    for (size_t i = 0; i < N_ALONE; i++) {
        if (is_set[i]) {
            unsetenv(ALONE[i][0]);
        }
    }
}

/* Returns the number of ranks that share a simulated node; see comm_init(). */
static int ranks_per_node(const struct comm *c)
{
    const char *text = getenv("WARPSCOPE_RANKS_PER_NODE");
    long n = text != NULL ? strtol(text, NULL, 10) : 0;
    return n > 0 && n < c->ranks_on_node ? (int)n : c->ranks_on_node;
}

void comm_init(struct comm *c, MPI_Comm parent, int *argc, char ***argv)
{
    int initialised = 0;
    MPI_Initialized(&initialised);
    if (!initialised) {
        init_mpi(argc, argv);
    }
    *c = (struct comm){.owns_mpi = !initialised};
    MPI_Comm_dup(parent == MPI_COMM_NULL ? MPI_COMM_WORLD : parent, &c->comm);
    MPI_Comm_rank(c->comm, &c->rank);
    MPI_Comm_size(c->comm, &c->n_ranks);

    MPI_Comm node;
    MPI_Comm_split_type(c->comm, MPI_COMM_TYPE_SHARED, c->rank, MPI_INFO_NULL, &node);
    int rank_on_node;
    MPI_Comm_size(node, &c->ranks_on_node);
    MPI_Comm_rank(node, &rank_on_node);
    MPI_Comm_split(node, rank_on_node / ranks_per_node(c), rank_on_node, &c->node);
    c->cores = comm_cores(node);
    c->crowded = c->ranks_on_node > c->cores;
    c->takes_turns = c->crowded && c->cores <= 1;
    comm_pack_init(c);
    MPI_Comm_free(&node);
}

void comm_fini(struct comm *c)
{
    MPI_Comm_free(&c->node);
    MPI_Comm_free(&c->comm);
    int finalised = 0;
    MPI_Finalized(&finalised);
    if (c->owns_mpi && !finalised) {
        MPI_Finalize();
    }
}

enum tw_status comm_agree(const struct comm *c, enum tw_status mine)
{
    int worst = (int)mine;
    MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_INT, MPI_MAX, c->comm);
    return (enum tw_status)worst;
}

void comm_abort_notify(const struct comm *c)
{
    for (int rank = 0; rank < c->n_ranks; rank++) {
        if (rank != c->rank) {
            MPI_Request request;
            MPI_Isend(NULL, 0, MPI_BYTE, rank, COMM_TAG_ABORT, c->comm, &request);
            MPI_Request_free(&request);
        }
    }
}

bool comm_abort_poll(struct comm *c)
{
    if (c->n_ranks == 1 || (++c->abort_checks & 63) != 0) {
        return false;
    }
    const uint64_t now = clock_monotonic_ns();
    if (now < c->abort_look_ns) {
        return false;
    }
    c->abort_look_ns = now + ABORT_LOOK_NS;
    int flag = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, COMM_TAG_ABORT, c->comm, &flag, &status);
    return flag != 0;
}

void comm_abort_acknowledge(const struct comm *c)
{
    assert(c->n_ranks > 1);
    MPI_Status status;
    MPI_Recv(NULL, 0, MPI_BYTE, MPI_ANY_SOURCE, COMM_TAG_ABORT, c->comm, &status);
    MPI_Request request;
    MPI_Isend(NULL, 0, MPI_BYTE, status.MPI_SOURCE, COMM_TAG_ABORT, c->comm, &request);
    MPI_Request_free(&request);
}

void comm_abort_wait(const struct comm *c, double timeout_s, bool heard[])
{
    const struct timespec pause = {.tv_nsec = ABORT_PAUSE_NS};
    double end = MPI_Wtime() + timeout_s;
    for (int rank = 0; heard != NULL && rank < c->n_ranks; rank++) {
        heard[rank] = rank == c->rank;
    }
    for (int n = 0; n < c->n_ranks - 1 && MPI_Wtime() < end;) {
        int flag = 0;
        MPI_Status status;
        MPI_Iprobe(MPI_ANY_SOURCE, COMM_TAG_ABORT, c->comm, &flag, &status);
        if (flag) {
            MPI_Recv(NULL, 0, MPI_BYTE, status.MPI_SOURCE, COMM_TAG_ABORT, c->comm,
                     MPI_STATUS_IGNORE);
            n++;
            if (heard != NULL) {
                heard[status.MPI_SOURCE] = true;
            }
        } else {
            nanosleep(&pause, NULL); /* the other ranks may need this processor */
        }
    }
}

static void combine(const struct comm_vote *a, struct comm_vote *b)
{
    b->in_transit += a->in_transit;
    b->processed += a->processed;
    b->net += a->net;
    b->past_end += a->past_end;
    b->least = event_key_before(&a->least, &b->least) ? a->least : b->least;
    b->room = a->room < b->room ? a->room : b->room;
    b->overdrawn_bytes =
        a->overdrawn_bytes > b->overdrawn_bytes ? a->overdrawn_bytes : b->overdrawn_bytes;
    b->signal = a->signal > b->signal ? a->signal : b->signal;
    b->hook_requests += a->hook_requests;
    b->cut_wish = a->cut_wish > b->cut_wish ? a->cut_wish : b->cut_wish;
    b->status_wish = a->status_wish > b->status_wish ? a->status_wish : b->status_wish;
    b->checkpoint_wish =
        a->checkpoint_wish > b->checkpoint_wish ? a->checkpoint_wish : b->checkpoint_wish;
    b->control_wish = a->control_wish > b->control_wish ? a->control_wish : b->control_wish;
    b->waited_ticks = a->waited_ticks < b->waited_ticks ? a->waited_ticks : b->waited_ticks;
    b->lost_ns += a->lost_ns;
    b->ranks_per_core =
        a->ranks_per_core > b->ranks_per_core ? a->ranks_per_core : b->ranks_per_core;
    b->executed_ts = a->executed_ts > b->executed_ts ? a->executed_ts : b->executed_ts;
}

/* Combines in[i] into inout[i] for each i. Called by MPI (MPI_User_function). */
static void combine_votes(void *in, void *inout, int *n, MPI_Datatype *type)
{
    (void)type;
    const struct comm_vote *a = in;
    struct comm_vote *b = inout;
    for (int i = 0; i < *n; i++) {
        combine(&a[i], &b[i]);
    }
}

void comm_reduction_init(struct comm_reduction *r)
{
    *r = (struct comm_reduction){.request = MPI_REQUEST_NULL};
    MPI_Type_contiguous((int)sizeof(struct comm_vote), MPI_BYTE, &r->type);
    MPI_Type_commit(&r->type);
    MPI_Op_create(combine_votes, 1, &r->op);
}

void comm_reduction_fini(struct comm_reduction *r)
{
    MPI_Op_free(&r->op);
    MPI_Type_free(&r->type);
}

void comm_reduction_share(struct comm_reduction *r, struct comm_board **boards, bool wakes)
{
    assert(r->number == 0 && r->request == MPI_REQUEST_NULL);
    r->boards = boards;
    r->wakes = wakes;
}

void comm_reduction_wake(struct comm_reduction *r, bool wakes)
{
    assert(r->boards != NULL && (r->number == 0 || r->in_all));
    comm_reduction_pass(r);
    r->wakes = wakes;
}

/* Combines the votes of all ranks in rank order, and publishes the result. */
static void publish_result(struct comm_reduction *r)
{
    assert(r->n_boards > 0);
    struct comm_board *first = r->boards[0];
    first->result = first->place[r->number % 2].vote;
    for (int i = 1; i < r->n_boards; i++) {
        combine(&r->boards[i]->place[r->number % 2].vote, &first->result);
    }
    atomic_store_explicit(&first->ended, (uint32_t)r->number, memory_order_seq_cst);
    r->owes_wake = true;
}

bool comm_reduction_pass(struct comm_reduction *r)
{
    const bool owes = r->owes_wake;
    r->owes_wake = false;
    if (owes) {
        nap_wake_all(r->boards, r->n_boards);
    }
    return owes;
}

bool comm_reduction_is_begun(const struct comm_reduction *r)
{
    return r->wakes && atomic_load_explicit(&r->boards[0]->votes, memory_order_relaxed) >
                           r->n_waking * (unsigned)r->n_boards;
}

bool comm_reduction_is_voted(const struct comm_reduction *r, const struct comm *c)
{
    const uint64_t next = r->number + 1;
    int i = 0;
    while (i < c->n_ranks && atomic_load_explicit(&r->boards[i]->place[next % 2].number,
                                                  memory_order_relaxed) != next) {
        i++;
    }
    return i < c->n_ranks;
}

static void show_vote(struct comm_reduction *r, const struct comm *c)
{
    r->number++;
    r->in_all = false;
    r->n_read = 0;
    r->n_boards = c->n_ranks;
    struct comm_place *place = &r->boards[c->rank]->place[r->number % 2];
    place->vote = r->mine;
    atomic_store_explicit(&place->number, r->number, memory_order_release);
    if (!r->wakes) {
        return;
    }
    uint64_t all = ++r->n_waking * (unsigned)r->n_boards;
    uint64_t before = atomic_fetch_add_explicit(&r->boards[0]->votes, 1, memory_order_acq_rel);
    if (before + 1 == all) {
        publish_result(r);
        if (!c->takes_turns) {
            comm_reduction_pass(r);
        }
    }
}

/* Combines the votes into r->all in rank order, up to the first vote that is missing. Returns true
 * if none is missing. */
static bool read_votes(struct comm_reduction *r)
{
    assert(r->n_boards > 0);
    for (; r->n_read < r->n_boards; r->n_read++) {
        struct comm_place *place = &r->boards[r->n_read]->place[r->number % 2];
        if (atomic_load_explicit(&place->number, memory_order_acquire) != r->number) {
            return false;
        }
        if (r->n_read == 0) {
            r->all = place->vote;
        } else {
            combine(&place->vote, &r->all);
        }
    }
    r->in_all = true;
    return true;
}

static bool read_result(struct comm_reduction *r)
{
    struct comm_board *first = r->boards[0];
    if (!r->in_all &&
        atomic_load_explicit(&first->ended, memory_order_acquire) == (uint32_t)r->number) {
        r->all = first->result;
        r->in_all = true;
    }
    return r->in_all;
}

int comm_reduction_awaits(const struct comm_reduction *r)
{
    for (int i = 0; r->boards != NULL && i < r->n_boards; i++) {
        struct comm_place *place = &r->boards[i]->place[r->number % 2];
        if (atomic_load_explicit(&place->number, memory_order_relaxed) < r->number) {
            return i;
        }
    }
    return -1;
}

void comm_reduction_start(struct comm_reduction *r, const struct comm *c,
                          const struct comm_vote *mine)
{
    /* The previous reduction must have ended, and this rank must have its result. */
    assert(r->request == MPI_REQUEST_NULL);
    assert(r->boards == NULL || r->number == 0 || r->in_all);
    r->mine = *mine;
    if (c->n_ranks == 1) {
        r->all = *mine;
        return;
    }
    if (r->boards != NULL) {
        show_vote(r, c);
        return;
    }
    MPI_Iallreduce(&r->mine, &r->all, 1, r->type, r->op, c->comm, &r->request);
}

bool comm_reduction_test(struct comm_reduction *r)
{
    int done = 1;
    if (r->boards != NULL) {
        return r->wakes ? read_result(r) : read_votes(r);
    }
    if (r->request != MPI_REQUEST_NULL) {
        MPI_Test(&r->request, &done, MPI_STATUS_IGNORE);
    }
    return done != 0;
}
