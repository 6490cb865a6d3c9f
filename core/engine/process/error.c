/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * error.c - the engine's part of tw_error() (base/error.h): the ends of runs after fatal errors.
 *
 * A fatal error may occur on one rank alone, inside a handler. That rank prints the error message
 * in one write, flushes its records and notifies the other ranks, which flush as well and
 * acknowledge. It then ends all ranks by MPI_Abort(), the only way to end ranks that do not
 * respond.
 *
 * If a rank ends the run because of --stall-limit, it flushes and notifies first. Its error message
 * then names the ranks that did not acknowledge.
 */
#include <unistd.h>

#include "base/error.h"
#include "engine/process/error.h"
#include "engine/process/run.h"

#define ABORT_PATIENCE_S 5.0

size_t error_begin(char *text, size_t size, const char *kind)
{
    size_t n = 0;
    const struct pe *pe = pe_self();
    const char *program = g_run.program != NULL ? g_run.program : "warpscope";
    n += (size_t)snprintf(text, size, "%.200s: %s", program, kind);
    if (pe != NULL && pe->comm.n_ranks > 1) {
        n += (size_t)snprintf(text + n, size - n, "rank %d: ", pe->comm.rank);
    }
    if (pe != NULL && pe->head.cur_event != NULL && pe->head.cur_event->dest_lp != NULL) {
        n += (size_t)snprintf(text + n, size - n,
                              "LP %" PRIu64 " at time %.17g, event from LP %" PRIu64 ": ",
                              pe->head.cur_event->dest_lpid, pe->head.cur_event->recv_ts,
                              pe->head.cur_event->send_lp);
    }
    progress_hide(&g_run.progress);
    return n;
}

static _Noreturn void end_all(struct pe *pe)
{
    fflush(stdout);
    MPI_Abort(pe->comm.comm, TW_EXIT_MODEL);
    _exit(TW_EXIT_MODEL);
}

void error_end(void)
{
    struct pe *pe = pe_self();
    int initialised = 0;
    int finalised = 0;
    MPI_Initialized(&initialised);
    MPI_Finalized(&finalised);
    if (g_run.failing || pe == NULL || !initialised || finalised) {
        _exit(TW_EXIT_MODEL);
    }
    g_run.failing = true;
    if (tw_extension.emergency_flush != NULL) {
        tw_extension.emergency_flush();
    }
    comm_abort_notify(&pe->comm);
    comm_abort_wait(&pe->comm, ABORT_PATIENCE_S, NULL);
    end_all(pe);
}

/* Lists in `text` the ranks r for which heard[r] is false, such as "; no answer from rank 3" or ";
 * no answer from ranks 2-3, 7". Writes "" if there are none. */
static void write_silent(const bool heard[], int n_ranks, char *text, size_t size)
{
    char ranges[160];
    size_t length = 0;
    int n = 0;
    for (int rank = 0; rank < n_ranks && length < sizeof ranges; rank++) {
        int first = rank;
        while (rank < n_ranks && !heard[rank]) {
            rank++;
        }
        if (rank > first) {
            n += rank - first;
            const char *comma = length > 0 ? ", " : "";
            length +=
                (size_t)snprintf(ranges + length, sizeof ranges - length,
                                 rank > first + 1 ? "%s%d-%d" : "%s%d", comma, first, rank - 1);
        }
    }
    text[0] = '\0';
    if (n > 0) {
        snprintf(text, size, "; no answer from rank%s %s%s", n > 1 ? "s" : "", ranges,
                 length >= sizeof ranges ? "..." : "");
    }
}

/* Ends the run because --stall-limit has passed. First waits for replies from the other ranks: at
 * most ABORT_PATIENCE_S seconds, or the time of --stall-limit if that is shorter. */
static _Noreturn void stop(struct pe *pe)
{
    const char *folder =
        tw_extension.recording_directory != NULL ? tw_extension.recording_directory() : NULL;
    bool *heard = tw_calloc(TW_LOC, "ranks", sizeof *heard, (size_t)pe->comm.n_ranks);
    char silent[200];
    progress_hide(&g_run.progress);
    g_run.failing = true;
    if (tw_extension.emergency_flush != NULL) {
        tw_extension.emergency_flush();
    }
    comm_abort_notify(&pe->comm);
    double patience_s = 0.0;
    bool in_seconds;
    duration_read(g_run.settings.stall_limit, &patience_s, &in_seconds);
    comm_abort_wait(&pe->comm, patience_s < ABORT_PATIENCE_S ? patience_s : ABORT_PATIENCE_S,
                    heard);
    write_silent(heard, pe->comm.n_ranks, silent, sizeof silent);
    tw_event *event = pe->head.cur_event;
    pe->head.cur_event = NULL; /* the message is not about an event */
    error_print(TW_LOC,
                "GVT has stood at %.17g for longer than --stall-limit=%s, so the run ends%s%s%s",
                pe->head.GVT, g_run.settings.stall_limit, silent,
                folder != NULL ? "; for what was recorded: warpscope recover " : "",
                folder != NULL ? folder : "");
    pe->head.cur_event = event;
    end_all(pe);
}

void messages_check_abort(struct pe *pe)
{
    if (atomic_load_explicit(&g_run.gives_up, memory_order_relaxed)) {
        stop(pe);
    }
    if (!comm_abort_poll(&pe->comm)) {
        return;
    }
    g_run.failing = true;
    progress_hide(&g_run.progress);
    if (tw_extension.emergency_flush != NULL) {
        tw_extension.emergency_flush();
    }
    fflush(stdout);
    comm_abort_acknowledge(&pe->comm);
    double end = MPI_Wtime() + 2.0 * ABORT_PATIENCE_S;
    while (MPI_Wtime() < end) {
        sleep(1); /* waits until the failed rank ends this process by MPI_Abort() */
    }
    end_all(pe);
}

void tw_fprint_binary_array(FILE *f, const char *prefix, const void *bytes, size_t n)
{
    const unsigned char *p = bytes;
    for (size_t row = 0; row < n; row += 16) {
        fprintf(f, "%s%08zx ", prefix, row);
        for (size_t i = row; i < n && i < row + 16; i++) {
            fprintf(f, " %02x", p[i]);
        }
        fputc('\n', f);
    }
}
