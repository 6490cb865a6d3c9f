/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ask_memory.c - tw_ask_memory(): checks that a node has enough memory for all its ranks.
 *
 * An operating system may grant more memory than it has, and kill the program when it uses that
 * memory. The engine therefore checks before it allocates. The ranks of a node share the memory of
 * the machine and of their cgroup; each rank has its own process limits.
 */
#include <assert.h>

#include "base/memory.h"
#include "engine/pe/pe.h"
#include "engine/process/run.h"

/* Approximate number of bytes that an event takes in the pending queue, including the copy made
 * while the queue's arrays grow. */
#define QUEUE_BYTES 32u
/* Minimum memory for events in bytes: a run with less makes no progress. */
#define MEMORY_LEAST ((size_t)16 << 20)

/* Memory that a rank and its node request, and the memory that is available. */
struct memory_request {
    double mine;    /* number of bytes that this rank needs */
    double on_node; /* number of bytes that all ranks of the node need */
    uint64_t ranks_on_node;
    /* Memory available to the process, if that is too little for it; otherwise memory available to
     * the node. */
    struct memory_left left;
};

/* Returns the memory available to all ranks of the node, whose cgroups may differ. */
static struct memory_left left_for_all(const struct comm *c, struct memory_left mine)
{
    uint64_t both[2] = {mine.bytes, (uint64_t)mine.bound};
    uint64_t least = mine.bytes;
    MPI_Allreduce(&both[0], &least, 1, MPI_UINT64_T, MPI_MIN, c->node);
    uint64_t bound = mine.bytes == least ? both[1] : 0;
    MPI_Allreduce(&bound, &both[1], 1, MPI_UINT64_T, MPI_MAX, c->node);
    return (struct memory_left){least, (enum memory_bound)both[1]};
}

/* Returns true if the memory left is too small for this rank, which needs r->mine bytes, or for its
 * node. Sets all members of *r except `mine`. */
static bool is_refused(const struct comm *c, struct memory_request *r)
{
    int ranks = 0;
    MPI_Allreduce(&r->mine, &r->on_node, 1, MPI_DOUBLE, MPI_SUM, c->node);
    MPI_Comm_size(c->node, &ranks);
    r->ranks_on_node = (uint64_t)ranks;
    struct memory_left node = left_for_all(c, memory_left_on_node(""));
    r->left = memory_left_of_process();
    if (memory_is_too_much(r->mine, r->left)) {
        r->on_node = r->mine;
        r->ranks_on_node = 1;
        return true;
    }
    r->left = node;
    return memory_is_too_much(r->on_node, node);
}

static _Noreturn void refuse(const struct memory_request *r, const char *what)
{
    assert(r->ranks_on_node > 0);
    char needed[32], left[128], ranks[64] = "";
    memory_say_bytes(r->on_node, needed, sizeof needed);
    memory_say_left(r->left, left, sizeof left);
    if (r->ranks_on_node > 1) {
        snprintf(ranks, sizeof ranks, " on the %" PRIu64 " ranks of a machine", r->ranks_on_node);
    }
    run_refuse("%s: this takes %s%s, but %s; %s, or give --memory-check=off to try nevertheless",
               what, needed, ranks, left,
               r->left.bound == MEMORY_OF_MACHINE ? "simulate less on each machine"
                                                  : "simulate less or raise the limit");
}

void tw_ask_memory(const char *what, double bytes)
{
    const struct comm *c = &engine_self("tw_ask_memory()")->comm;
    if (!run_checks_memory()) {
        return;
    }
    struct memory_request r = {.mine = bytes};
    int refusing = is_refused(c, &r) ? c->rank : c->n_ranks;
    int first = refusing;
    MPI_Allreduce(&refusing, &first, 1, MPI_INT, MPI_MIN, c->comm);
    if (first == c->n_ranks) {
        return;
    }
    char text[256];
    snprintf(text, sizeof text, "%s", what);
    MPI_Bcast(&r, (int)sizeof r, MPI_BYTE, first, c->comm);
    MPI_Bcast(text, (int)sizeof text, MPI_BYTE, first, c->comm);
    refuse(&r, text);
}

size_t engine_default_memory(const struct pe *pe, size_t to_come)
{
    assert(pe->comm.ranks_on_node > 0);
    double ranks = pe->comm.ranks_on_node;
    uint64_t total = memory_in_total("");
    struct memory_left node = memory_left_on_node("");
    struct memory_left own = memory_left_of_process();
    double most = 0.75 * (double)total / ranks;
    if (total == MEMORY_UNKNOWN) {
        most = 0.75 * (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE) / ranks;
    }
    double event = (double)(sizeof(tw_event) + pe->msg_bytes);
    double share = 0.9 * event / (event + QUEUE_BYTES);
    double left = share * ((double)node.bytes / ranks - (double)to_come);
    if (node.bytes != MEMORY_UNKNOWN && left < most) {
        most = left;
    }
    left = share * ((double)own.bytes - (double)to_come);
    if (own.bytes != MEMORY_UNKNOWN && left < most) {
        most = left;
    }
    return most > (double)MEMORY_LEAST ? (size_t)most : MEMORY_LEAST;
}
