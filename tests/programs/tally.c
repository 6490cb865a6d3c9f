/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tally - a model whose callback for the event trace counts its calls in the file COUNTS.RANK, an
 * 8-byte number mapped into memory. The data of each record is the count. The file outlives a kill,
 * so a test knows which records the killed run had put into its buffers.
 *
 * The model can also end its own process in the middle of the callback.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include "ross.h"
#include "st.h"
#include "support/even_ranks.h"

#define MEAN_OFFSET 1.0

struct message {
    uint64_t unused;
};

struct state {
    uint64_t received;
};

static unsigned int n_lps = 20; /* per rank */
static char counts[512] = "counts";
static unsigned long long die_at = 0;
static unsigned int die_rank = 0;
static unsigned int die_signal = SIGKILL;
static volatile uint64_t *count;

static void send(tw_lp *lp)
{
    tw_lpid dest = (tw_lpid)tw_rand_integer(lp->rng, 0, (long)g_tw_total_lps - 1);
    double offset = g_tw_lookahead + tw_rand_exponential(lp->rng, MEAN_OFFSET);
    tw_event_send(tw_event_new(dest, offset, lp));
}

static void init(void *sv, tw_lp *lp)
{
    (void)sv;
    send(lp);
}

static void forward(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
    struct state *s = sv;
    (void)bf;
    (void)msg;
    s->received++;
    send(lp);
}

static void reverse(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
    struct state *s = sv;
    (void)bf;
    (void)msg;
    s->received--;
    tw_rand_reverse_unif(lp->rng);
    tw_rand_reverse_unif(lp->rng);
}

static void trace(void *msg, tw_lp *lp, char *buffer, int *collect_flag)
{
    (void)msg;
    (void)lp;
    (void)collect_flag;
    uint64_t n = *count + 1;
    *count = n;
    memcpy(buffer, &n, sizeof(n));
    if (n == die_at && g_tw_mynode == die_rank) {
        raise((int)die_signal);
    }
}

static tw_lptype type = {
    .init = init,
    .event = forward,
    .revent = reverse,
    .map = rank_of,
    .state_sz = sizeof(struct state),
};

static st_model_types traced = {.ev_trace = trace, .ev_sz = sizeof(uint64_t)};
static const st_field fields[] = {{"count", ST_U64, 0, "", 1}, {NULL, ST_U8, 0, NULL, 0}};

static const tw_optdef options[] = {
    TWOPT_GROUP("tally"),
    TWOPT_UINT("nlp", n_lps, "LPs per rank"),
    TWOPT_CHAR("counts", counts, "beginning of the names of the files with the counts"),
    TWOPT_ULONGLONG("die-at", die_at, "count at which to die; 0: not"),
    TWOPT_UINT("die-rank", die_rank, "on this rank"),
    TWOPT_UINT("die-signal", die_signal, "of this signal"),
    TWOPT_END(),
};

/* Maps this rank's count. */
static void open_count(void)
{
    char path[600];
    snprintf(path, sizeof(path), "%s.%u", counts, (unsigned)g_tw_mynode);
    int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0666);
    if (fd < 0 || ftruncate(fd, sizeof(*count)) != 0) {
        tw_error(TW_LOC, "%s: %s", path, strerror(errno));
    }
    count = mmap(NULL, sizeof(*count), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (count == MAP_FAILED) {
        tw_error(TW_LOC, "%s: %s", path, strerror(errno));
    }
    close(fd);
}

int main(int argc, char **argv)
{
    g_tw_ts_end = 1e9;
    g_tw_lookahead = 0.1;
    tw_opt_add(options);
    tw_init(&argc, &argv);
    open_count();
    tw_define_lps(n_lps, sizeof(struct message));
    for (tw_lpid i = 0; i < g_tw_nlp; i++) {
        tw_lp_settype(i, &type);
        st_model_settype(i, &traced);
    }
    st_model_fields(&traced, ST_PAYLOAD_EV, fields);
    tw_run();
    tw_end();
    return 0;
}
