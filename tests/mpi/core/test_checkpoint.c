/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_checkpoint.c - checkpoints have equal LPs and events under every scheduler and on any number
 * of ranks. Runs that continue from them end like an uninterrupted run.
 *
 * The model has everything that a checkpoint could lose: states with pointers (the values received
 * are a list on the heap), chains of events with offset 0, priorities, normal deviates in pairs,
 * suspended LPs, events past the end, and types whose states are saved by copy.
 */
#include <unistd.h>
#include <xxhash.h>

#include "checkpoint/format.h"
#include "checkpoint/writer.h"
#include "support/part_run.h"
#include "support/suite.h"

#define LPS         37
#define END_TIME    60.0
#define EVERY       9.0 /* 6 checkpoints */
#define CHECKPOINTS 6

struct message {
    uint64_t depth; /* remaining events of a chain */
    double sum_before;
    uint64_t draws;
    uint64_t normal_calls;
};

struct value {
    struct value *older;
    double number;
};

/* The list of a type without reverse handler stays empty: the engine copies bytes. */
struct state {
    struct value *newest;
    uint64_t received;
    double sum;
};

static uint64_t failures;
static bool is_restart;
static uint64_t final_hash, final_received, finals, restored;
static tw_lptype types[2];

static bool keeps_list(const tw_lp *lp)
{
    return lp->gid % 3 != 2;
}

static void send(tw_lp *lp, tw_lpid dest, double offset, double prio, uint64_t depth)
{
    tw_event *event = tw_event_new_user_prio(dest, offset, lp, prio);
    *(struct message *)tw_event_data(event) = (struct message){.depth = depth};
    tw_event_send(event);
}

static void init(void *sv, tw_lp *lp)
{
    (void)sv;
    failures += is_restart;
    send(lp, lp->gid, 1.0 + tw_rand_unif(lp->rng), 0.5, 0);
    send(lp, (lp->gid + 1) % LPS, floor(30.0 * tw_rand_unif(lp->rng)), 1.0, 0); /* ties */
}

static void push(struct state *s, double number)
{
    struct value *value = malloc(sizeof *value);
    *value = (struct value){s->newest, number};
    s->newest = value;
}

static void pop(struct state *s)
{
    struct value *value = s->newest;
    s->newest = value->older;
    free(value);
}

static void event(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
    struct state *s = sv;
    struct message *m = msg;
    unsigned normal_calls;
    unsigned long before = lp->rng->count;
    m->sum_before = s->sum;
    s->received++;
    double number = tw_rand_normal01(lp->rng, &normal_calls);
    s->sum = s->sum / 2.0 + number;
    if (keeps_list(lp)) {
        push(s, number);
    }
    if (m->depth > 0) { /* to itself: the lookahead forbids others */
        send(lp, lp->gid, 0.0, tw_rand_unif(lp->rng), m->depth - 1);
    } else {
        tw_lpid dest = tw_rand_ulong(lp->rng, 0, LPS - 1);
        double offset = tw_rand_unif(lp->rng) < 0.3 ? 1.0 : 0.5 + tw_rand_exponential(lp->rng, 2.0);
        send(lp, dest, offset, 1.0, tw_rand_ulong(lp->rng, 0, 5) == 0 ? 3 : 0);
    }
    m->draws = lp->rng->count - before;
    if (lp->gid % 18 == 4 && tw_now(lp) > 20.0) {
        bf->c0 = 1;
        tw_lp_suspend(lp, 1, (int)lp->gid);
    }
}

static void reverse(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
    struct state *s = sv;
    struct message *m = msg;
    (void)bf;
    for (uint64_t i = 0; i < m->draws; i++) {
        tw_rand_reverse_unif(lp->rng);
    }
    if (keeps_list(lp)) {
        pop(s);
    }
    s->received--;
    s->sum = m->sum_before;
    m->sum_before = 0.0; /* restores the sent message: it may be saved */
    m->draws = 0;
}

static void final(void *sv, tw_lp *lp)
{
    struct state *s = sv;
    uint64_t hash = XXH3_64bits_withSeed(&s->sum, sizeof s->sum, s->received);
    uint64_t n = 0;
    while (s->newest != NULL) {
        hash = hash * 31 + XXH3_64bits(&s->newest->number, sizeof s->newest->number);
        pop(s);
        n++;
    }
    failures += keeps_list(lp) && n != s->received;
    final_hash += hash * (2 * lp->gid + 1);
    final_received += s->received;
    finals++;
}

/* ---- Saving and restoring the list ----------------------------------------------------------- */

struct saved {
    uint64_t received;
    double sum;
    double newest_first[];
};

static size_t saved_size(const void *sv, const tw_lp *lp)
{
    const struct state *s = sv;
    return sizeof(struct saved) + (keeps_list(lp) ? s->received * sizeof(double) : 0);
}

static void save(const void *sv, const tw_lp *lp, void *bytes)
{
    const struct state *s = sv;
    struct saved *to = bytes;
    size_t i = 0;
    (void)lp;
    to->received = s->received;
    to->sum = s->sum;
    for (const struct value *value = s->newest; value != NULL; value = value->older) {
        to->newest_first[i++] = value->number;
    }
}

static bool restore(void *sv, tw_lp *lp, const void *bytes, size_t size)
{
    struct state *s = sv;
    const struct saved *from = bytes;
    failures += s->newest != NULL || s->received != 0 || !is_restart;
    s->received = from->received;
    s->sum = from->sum;
    size_t n = (size - sizeof *from) / sizeof(double);
    failures += n != (keeps_list(lp) ? from->received : 0);
    for (size_t i = n; i > 0; i--) {
        push(s, from->newest_first[i - 1]);
    }
    restored++;
    return true;
}

static const tw_state_io list_io = {saved_size, save, restore};

static tw_lptype types[2] = {
    {init, NULL, event, reverse, NULL, final, NULL, sizeof(struct state)},
    {init, NULL, event, NULL, NULL, final, NULL, sizeof(struct state)},
};

static void before_run(void)
{
    for (tw_lpid i = 0; i < g_tw_nlp; i++) {
        tw_lp_settype(i, &types[keeps_list(g_tw_lp[i]) ? 0 : 1]);
    }
    tw_lptype_state_io(&types[0], &list_io);
}

/* ---- Runs ------------------------------------------------------------------------------------ */

static char folder[64]; /* directory of the whole test, equal on all ranks */

struct outcome {
    uint64_t hash, received, net, restored;
};

/* Runs on the first n ranks; the others return zeros. Sums are equal on all n. */
static struct outcome simulate(int n, tw_synch synch, const char *first, const char *second)
{
    int rank;
    MPI_Comm comm;
    struct outcome o = {0};
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank < n ? 0 : MPI_UNDEFINED, rank, &comm);
    final_hash = final_received = finals = restored = 0;
    if (comm != MPI_COMM_NULL) {
        struct part_run run = {.comm = comm,
                               .synch = synch,
                               .total_lps = LPS,
                               .msg_bytes = sizeof(struct message),
                               .type = &types[0],
                               .end = END_TIME,
                               .lookahead = 0.5,
                               .options = {first, second, "--checkpoint-keep=99"},
                               .before_run = before_run};
        o.net = part_simulate(&run).net;
        uint64_t sums[4] = {final_hash, final_received, finals, restored};
        MPI_Allreduce(MPI_IN_PLACE, sums, 4, MPI_UINT64_T, MPI_SUM, comm);
        CU_ASSERT_EQUAL(sums[2], LPS);
        o.hash = sums[0];
        o.received = sums[1];
        o.restored = sums[3];
        MPI_Comm_free(&comm);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    return o;
}

struct content {
    uint64_t lps, events, hash;
};

/* Returns the contents of a checkpoint, independent of its files. */
static struct content read_content(const char *path, uint64_t number)
{
    struct content c = {0};
    char at_folder[CKPT_PATH_MAX];
    char error[4096] = "";
    ckpt_folder_name(at_folder, path, number);
    unsigned n = ckpt_folder_ranks(at_folder);
    CU_ASSERT(n > 0);
    for (unsigned r = 0; r < n; r++) {
        char name[CKPT_PATH_MAX];
        struct ckpt_file file;
        struct ckpt_view view = {.kind = CKPT_RUN};
        ckpt_file_name(name, at_folder, r, n);
        CU_ASSERT(ckpt_file_open(&file, name, error, sizeof error));
        while (view.kind != CKPT_END && ckpt_file_next(&file, 0, UINT64_MAX, &view)) {
            size_t at = 0;
            size_t size;
            const void *record;
            while (view.kind != CKPT_END &&
                   (record = ckpt_view_record(&view, &at, &size)) != NULL) {
                c.lps += view.kind == CKPT_LPS;
                c.events += view.kind == CKPT_EVENTS;
                bool is_of_run = view.kind == CKPT_RUN || view.kind == CKPT_COURSE;
                c.hash += is_of_run ? 0 : XXH3_64bits(record, size);
            }
        }
        CU_ASSERT_EQUAL(view.kind, CKPT_END);
        ckpt_file_close(&file);
    }
    return c;
}

static int world_size(void)
{
    int size;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    return size;
}

static struct outcome reference;
static struct content contents[CHECKPOINTS + 1];

/* A run that writes checkpoints ends like the others, and its checkpoints have equal contents. */
static void write_and_compare(int n, tw_synch synch)
{
    char path[96];
    char option[128];
    is_restart = false;
    snprintf(path, sizeof path, "%s/n%d-s%d", folder, n, (int)synch);
    snprintf(option, sizeof option, "--checkpoint-path=%s", path);
    struct outcome o = simulate(n, synch, "--checkpoint-every=9", option);
    CU_ASSERT(o.net == 0 || (o.hash == reference.hash && o.net == reference.net));
    for (uint64_t number = 1; number <= CHECKPOINTS; number++) {
        struct content c = read_content(path, number);
        if (contents[number].lps == 0) {
            contents[number] = c;
        }
        CU_ASSERT_EQUAL(c.lps, LPS);
        CU_ASSERT(c.events > 8);
        CU_ASSERT_EQUAL(c.events, contents[number].events);
        CU_ASSERT_EQUAL(c.hash, contents[number].hash);
    }
    CU_ASSERT_EQUAL(ckpt_folder_newest(path, true), CHECKPOINTS);
}

static void test_same_content(void)
{
    is_restart = false;
    reference = simulate(1, SEQUENTIAL, NULL, NULL);
    MPI_Bcast(&reference, sizeof reference, MPI_BYTE, 0, MPI_COMM_WORLD);
    CU_ASSERT(reference.net > 1000 && reference.received > 1000);
    write_and_compare(1, SEQUENTIAL);
    for (int n = 1; n <= world_size(); n++) {
        write_and_compare(n, CONSERVATIVE);
        write_and_compare(n, OPTIMISTIC);
    }
    CU_ASSERT_EQUAL(failures, 0);
}

static void restart_and_compare(int written_by, tw_synch written, int n, tw_synch synch,
                                uint64_t number)
{
    char option[160];
    is_restart = true;
    snprintf(option, sizeof option, "--restart=%s/n%d-s%d/at-%" PRIu64, folder, written_by,
             (int)written, number);
    struct outcome o = simulate(n, synch, option, "--random-rollbacks=5");
    if (o.restored != 0) {
        CU_ASSERT_EQUAL(o.hash, reference.hash);
        CU_ASSERT_EQUAL(o.received, reference.received);
        CU_ASSERT(o.net < reference.net && o.net > 0);
    }
    CU_ASSERT_EQUAL(failures, 0);
}

static void test_restarts(void)
{
    uint64_t number = 1;
    for (int n = 1; n <= world_size(); n++) {
        for (int from = 1; from <= world_size(); from++) {
            restart_and_compare(from, OPTIMISTIC, n, OPTIMISTIC, number++ % CHECKPOINTS + 1);
        }
        restart_and_compare(1, SEQUENTIAL, n, CONSERVATIVE, number++ % CHECKPOINTS + 1);
        restart_and_compare(world_size(), CONSERVATIVE, n, OPTIMISTIC, CHECKPOINTS);
    }
    restart_and_compare(world_size(), OPTIMISTIC, 1, SEQUENTIAL, 2);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {
        {"checkpoints hold the same", test_same_content},
        {"restarts end the same", test_restarts},
    };
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(folder, sizeof folder, "%s/checkpointsXXXXXX",
             access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    bool made = rank != 0 || mkdtemp(folder) != NULL;
    MPI_Bcast(folder, sizeof folder, MPI_CHAR, 0, MPI_COMM_WORLD);
    int status = suite_run("checkpoint", tests, sizeof tests / sizeof tests[0]);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        char command[96];
        snprintf(command, sizeof command, "rm -rf %s", folder);
        made = made && system(command) == 0;
    }
    MPI_Finalize();
    return made ? status : EXIT_FAILURE;
}
