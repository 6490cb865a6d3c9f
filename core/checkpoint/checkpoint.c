/* SPDX-License-Identifier: BSD-3-Clause */
/* checkpoint.c - options, set-up and report of checkpoints: see checkpoint.h. */
#include "checkpoint/checkpoint.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <unistd.h>

#include "base/marker.h"
#include "checkpoint/checkpoint_private.h"
#include "engine/engine.h"
#include "engine/process/run.h"
#include "files/trust.h"
#include "store/array.h"
#include "text/json.h"

#define DEFAULT_PATH "checkpoints"

static struct checkpoint *checkpoint_of(struct pe *pe)
{
    if (pe->checkpoint == NULL) {
        pe->checkpoint = tw_calloc(TW_LOC, "checkpoints", sizeof *pe->checkpoint, 1);
    }
    return pe->checkpoint;
}

/* ---- LP types with a tw_state_io ------------------------------------------------------------- */

void tw_lptype_state_io(const tw_lptype *type, const tw_state_io *io)
{
    struct checkpoint *c = checkpoint_of(engine_self("tw_lptype_state_io()"));
    if (type == NULL || io == NULL) {
        tw_error(TW_LOC, "tw_lptype_state_io(): %s is NULL", type == NULL ? "the type" : "io");
    }
    if ((io->size == NULL) != (io->save == NULL) || (io->save != NULL && io->restore == NULL)) {
        tw_error(TW_LOC,
                 "tw_lptype_state_io(): give size and save together, and restore with them");
    }
    if (!array_append(&c->types, c->n_types, sizeof *c->types)) {
        tw_error(TW_LOC, "out of memory for %zu LP types", c->n_types + 1);
    }
    c->types[c->n_types++] = (struct ckpt_type){type, io};
}

/* ---- Set-up ---------------------------------------------------------------------------------- */

/* Returns the name of the option that requests checkpoints; NULL: none was given. */
static const char *writing_option(const struct run_settings *s)
{
    return s->checkpoint_every[0] != '\0'  ? "--checkpoint-every"
           : s->checkpoint_on[0] != '\0'   ? "--checkpoint-on"
           : s->checkpoint_path[0] != '\0' ? "--checkpoint-path"
                                           : NULL;
}

/* Returns the name of the option that requires copies of states; NULL: none was given. */
static const char *copying_option(const struct pe *pe)
{
    const char *option = writing_option(&g_run.settings);
    return option == NULL && pe->mover != NULL ? "--map=auto" : option;
}

/* Reads text as an interval of virtual time or, with the suffix "s", of wall-clock time in seconds.
 * Sets one of *every and *every_seconds to the interval, and the other to 0. Returns false if text
 * is no interval. */
static bool interval_read(const char *text, double *every, double *every_seconds)
{
    double value;
    bool seconds;
    if (!duration_read(text, &value, &seconds)) {
        return false;
    }
    *every = seconds ? 0.0 : value;
    *every_seconds = seconds ? value : 0.0;
    return true;
}

#define INTERVAL_WORDS "must be a virtual time greater than 0, or seconds such as 600s"

static void parse_interval(struct checkpoint *c, const char *text)
{
    if (text[0] == '\0') { /* no interval: checkpoints are written only at signals */
        return;
    }
    if (!interval_read(text, &c->every, &c->every_seconds) ||
        !(c->every > 0.0 || c->every_seconds > 0.0)) {
        run_refuse("--checkpoint-every=%s: " INTERVAL_WORDS, text);
    }
}

/* Returns true if path and restarted are the same directory. restarted: directory that contains the
 * checkpoint from which the run continues; "": none. */
static bool goes_on_in(const char *path, const char *restarted)
{
    char a[PATH_MAX];
    char b[PATH_MAX];
    return restarted[0] != '\0' && realpath(path, a) != NULL && realpath(restarted, b) != NULL &&
           strcmp(a, b) == 0;
}

/* Creates the directory for checkpoints, checks its contents, and sets c->number to the newest
 * number in it. On failure writes one line to error. Called on rank 0. */
static void prepare_folder(struct checkpoint *c, const char *restarted, char *error, size_t size)
{
    const char *path = c->writer.path;
    char why[TRUST_WHY_MAX];
    bool good = trust_make_directory(path, 0777, why, sizeof why);
    if (good && access(path, W_OK | X_OK) != 0) {
        good = false;
        snprintf(why, sizeof why, "%s", strerror(errno));
    }
    if (!good) {
        snprintf(error, size, "--checkpoint-path=%s: cannot be written: %s", path, why);
    } else if (!goes_on_in(path, restarted) && ckpt_folder_newest(path, true) != 0) {
        snprintf(error, size,
                 "--checkpoint-path=%s: holds checkpoints of another run; give another directory, "
                 "remove them, or continue from them with --restart=%s",
                 path, path);
    } else {
        c->number = ckpt_folder_newest(path, false);
    }
}

/* Checks, by the marker `id`, that this rank sees rank 0's directory for checkpoints, and checks
 * that it can write there. Otherwise writes an error message to error. host: name of rank 0's
 * host. */
static void check_shared(const struct pe *pe, uint64_t id, const char *host, char *error,
                         size_t size)
{
    const char *path = pe->checkpoint->writer.path;
    char mine[CKPT_HOST_MAX];
    ckpt_host(mine);
    if (!marker_sees(path, id)) {
        snprintf(
            error, size,
            "--checkpoint-path=%s: rank %d, on host %s, does not see this directory of rank 0, "
            "on host %s; give a directory that all hosts share",
            path, pe->comm.rank, mine, host);
    } else if (access(path, W_OK | X_OK) != 0) {
        snprintf(error, size, "--checkpoint-path=%s: cannot be written by rank %d, on host %s: %s",
                 path, pe->comm.rank, mine, strerror(errno));
    }
}

/* Creates the directory for checkpoints on rank 0, and checks that all ranks see it. Ends the
 * program with status 2 otherwise. Collective. */
static void make_shared(struct pe *pe, const char *restarted)
{
    struct checkpoint *c = pe->checkpoint;
    char error[CKPT_ERROR_SIZE] = "";
    struct {
        uint64_t id, number;
        char host[CKPT_HOST_MAX];
    } made = {0};
    if (pe->comm.rank == 0) {
        prepare_folder(c, restarted, error, sizeof error);
        made.id = marker_new_id();
        made.number = c->number;
        ckpt_host(made.host);
        if (error[0] == '\0') {
            marker_leave(c->writer.path, made.id, error, sizeof error);
        }
    }
    ckpt_agree(pe, error);
    MPI_Bcast(&made, (int)sizeof made, MPI_BYTE, 0, pe->comm.comm);
    c->number = made.number;
    check_shared(pe, made.id, made.host, error, sizeof error);
    MPI_Barrier(pe->comm.comm); /* waits until all ranks have searched for the marker */
    if (pe->comm.rank == 0) {
        marker_remove(c->writer.path, made.id);
    }
    ckpt_agree(pe, error);
}

/* Prepares the writing of checkpoints. restarted: directory that contains the checkpoint from which
 * the run continues; "": none. */
static void setup_writing(struct pe *pe, const char *restarted)
{
    struct checkpoint *c = pe->checkpoint;
    assert(c != NULL);
    const struct run_settings *s = &g_run.settings;
    const char *path = s->checkpoint_path[0] != '\0' ? s->checkpoint_path
                       : restarted[0] != '\0'        ? restarted
                                                     : DEFAULT_PATH;
    parse_interval(c, s->checkpoint_every);
    if (s->checkpoint_keep == 0) {
        run_refuse("--checkpoint-keep: must be at least 1");
    }
    if (pe->synch == OPTIMISTIC_DEBUG) {
        run_refuse("%s: --synch=4 computes no GVT, so no checkpoint can be written",
                   writing_option(s));
    }
    snprintf(c->writer.path, sizeof c->writer.path, "%s", path);
    c->writer.rank = (unsigned)pe->comm.rank;
    c->writer.n_ranks = (unsigned)pe->comm.n_ranks;
    c->writer.keep = s->checkpoint_keep;
    make_shared(pe, restarted);
}

void checkpoint_setup(struct pe *pe)
{
    const struct run_settings *s = &g_run.settings;
    char restarted[CKPT_PATH_MAX] = "";
    if (writing_option(s) == NULL && s->restart[0] == '\0') {
        return;
    }
    checkpoint_of(pe)->model_options = model_options_text();
    if (s->restart[0] != '\0') {
        ckpt_restart_find(pe, s->restart, restarted);
        ckpt_restart_check(pe);
    }
    if (writing_option(s) != NULL) {
        setup_writing(pe, restarted);
        pe->gvt.cut.at_signal = s->checkpoint_on[0] != '\0';
        ckpt_cut_begin(pe, checkpoint_is_restart(pe) ? pe->checkpoint->from_run.at : 0.0);
    }
}

enum tw_status checkpoint_check_interval(const struct pe *pe, char *error, size_t size)
{
    const char *text = g_run.settings.checkpoint_every;
    double every, seconds;
    if (text[0] == '\0') {
        return TW_OK;
    }
    if (!interval_read(text, &every, &seconds)) {
        return REFUSE(error, size, "--checkpoint-every=%s: " INTERVAL_WORDS ", or 0 for none",
                      text);
    }
    if (pe->gvt.cut.make[GVT_CUT_CHECKPOINT] == NULL && (every > 0.0 || seconds > 0.0)) {
        return REFUSE(
            error, size,
            "--checkpoint-every=%s: this run has no directory for checkpoints; start it with "
            "--checkpoint-path=DIR",
            text);
    }
    return TW_OK;
}

void checkpoint_change_interval(struct pe *pe)
{
    double every = 0.0, seconds = 0.0;
    struct checkpoint *c = pe->checkpoint;
    if (pe->gvt.cut.make[GVT_CUT_CHECKPOINT] == NULL) {
        return;
    }
    interval_read(g_run.settings.checkpoint_every, &every, &seconds);
    if (every < c->every || every > c->every || seconds < c->every_seconds ||
        seconds > c->every_seconds) {
        c->every = every;
        c->every_seconds = seconds;
        ckpt_cut_again(pe);
    }
}

void checkpoint_check_states(struct pe *pe)
{
    struct ckpt_pointer p;
    char error[CKPT_ERROR_SIZE] = "";
    const char *option = copying_option(pe);
    if (option == NULL || g_run.settings.checkpoint_pointers != 0) {
        return;
    }
    if (ckpt_find_pointer(pe, &p)) {
        snprintf(error, sizeof error,
                 "%s: the state of LP %" PRIu64
                 " holds a pointer, at offset %zu of %zu, which is invalid after a %s; give "
                 "its type functions for checkpoints with tw_lptype_state_io(), or give "
                 "--checkpoint-pointers if it is not a pointer",
                 option, p.gid, p.offset, p.state_bytes,
                 writing_option(&g_run.settings) != NULL ? "restart" : "move to another rank");
    }
    ckpt_agree(pe, error);
}

bool checkpoint_is_restart(const struct pe *pe)
{
    return pe->checkpoint != NULL && pe->checkpoint->from[0] != '\0';
}

double checkpoint_seconds_before(const struct pe *pe)
{
    return checkpoint_is_restart(pe) ? pe->checkpoint->from_run.run_seconds : 0.0;
}

/* ---- End of the run -------------------------------------------------------------------------- */

static bool writes(const struct pe *pe)
{
    return pe->checkpoint != NULL && pe->checkpoint->writer.path[0] != '\0';
}

void checkpoint_finish(struct pe *pe)
{
    struct checkpoint *c = pe->checkpoint;
    if (!writes(pe)) {
        return;
    }
    ckpt_cut_end(pe);
    uint64_t bytes = c->writer.bytes;
    double most[3] = {c->cut_seconds, c->wait_seconds, c->writer.seconds};
    MPI_Allreduce(&bytes, &c->bytes, 1, MPI_UINT64_T, MPI_SUM, pe->comm.comm);
    MPI_Allreduce(MPI_IN_PLACE, most, 3, MPI_DOUBLE, MPI_MAX, pe->comm.comm);
    c->cut_seconds = most[0];
    c->wait_seconds = most[1];
    c->write_seconds = most[2];
    if (pe->comm.rank == 0 && c->n_made > 0) {
        ckpt_folder_prune(c->writer.path, c->writer.keep);
    }
}

void checkpoint_report_text(const struct pe *pe, FILE *out)
{
    const struct checkpoint *c = pe->checkpoint;
    if (c == NULL || (!writes(pe) && !checkpoint_is_restart(pe))) {
        return;
    }
    fputs("\nTW Checkpoint Statistics:\n", out);
    if (checkpoint_is_restart(pe)) {
        fprintf(out, "\tRestarted From: %s\n", c->from);
        fprintf(out, "\t%-50s %11.6g\n", "Restarted at Time", c->from_run.at);
        fprintf(out, "\t%-50s %11" PRIu64 "\n", "Net Events Before, Included Above",
                pe_net_events(&c->from_run.counters));
    }
    assert(c->n_failed <= c->n_made);
    if (writes(pe)) {
        fprintf(out, "\tWritten To: %s\n", c->writer.path);
        fprintf(out, "\t%-50s %11" PRIu64 "\n", "Checkpoints Written", c->n_made - c->n_failed);
        fprintf(out, "\t%-50s %11" PRIu64 "\n", "Checkpoints Not Written for Errors", c->n_failed);
        fprintf(out, "\t%-50s %11" PRIu64 "\n", "Total Size of Checkpoints on Disk (KiB)",
                c->bytes / 1024 + (c->bytes % 1024 != 0));
        fprintf(out, "\t%-50s %11.4f\n", "Simulation Stopped for Copying (secs)", c->cut_seconds);
        fprintf(out, "\t%-50s %11.4f\n", "Simulation Stopped for the Disk (secs)", c->wait_seconds);
        fprintf(out, "\t%-50s %11.4f\n", "Writing Beside the Simulation (secs)", c->write_seconds);
    }
}

void checkpoint_report_json(const struct pe *pe, struct json_writer *json)
{
    const struct checkpoint *c = pe->checkpoint;
    if (checkpoint_is_restart(pe)) {
        json_put_double(json, "restarted_at", c->from_run.at);
        json_put_u64(json, "net_events_before", pe_net_events(&c->from_run.counters));
    }
    if (writes(pe)) {
        json_object_open(json, "checkpoints");
        json_put_u64(json, "written", c->n_made - c->n_failed);
        json_put_u64(json, "failed", c->n_failed);
        json_put_u64(json, "bytes", c->bytes);
        json_put_double(json, "copy_seconds", c->cut_seconds);
        json_put_double(json, "wait_seconds", c->wait_seconds);
        json_put_double(json, "write_seconds", c->write_seconds);
        json_object_close(json);
    }
}

void checkpoint_fini(struct pe *pe)
{
    if (pe->checkpoint != NULL) {
        free(pe->checkpoint->types);
        free(pe->checkpoint->model_options);
        free(pe->checkpoint);
        pe->checkpoint = NULL;
    }
}
