/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * live.c - returns the records of a file that may still grow; see live.h.
 *
 * The records of one kind and PE have one order: first those in blocks, then those of closed
 * buffers, ordered by number, then those of the open buffer. When a buffer's rows become blocks,
 * their places in this order do not change. The number of records returned so far, for each kind
 * and PE, therefore determines which records are new.
 *
 * Invariants
 * L1 given[k] records of kind k of a PE were returned, or skipped because the kind was not wanted.
 * L2 in_blocks[k] records of kind k are in the blocks that the PE's scan has passed. These blocks
 *      are complete: the checkpoint of the journal counts them, or their checksums are good.
 */
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "access/facts.h"
#include "access/journals.h"
#include "data/lp_names.h"
#include "data/messages.h"
#include "live/live.h"

#define FILE_ID_OFFSET 16 /* offset of the file id in the superblock */

/* ---- Opening and closing --------------------------------------------------------------------- */

/* Describes the failure of fstat(). why: its errno. */
static enum fmt_status no_state(const char *path, int why, struct fmt_error *error)
{
    *error = (struct fmt_error){
        .status = FMT_ERR_IO, .sys_errno = why, .pe = FMT_NO_PE, .offset = FMT_NO_OFFSET};
    snprintf(error->text, sizeof error->text, "%.200s: %s", path, strerror(why));
    return FMT_ERR_IO;
}

/* Marks the PEs that recorded on disks of other hosts. Returns false if out of memory. */
static bool elsewhere_find(struct ws_live *live)
{
    uint32_t n_pes = live->sb->layout.n_pes;
    const char *text = ws_fact(live->sb, WS_PES_FACT);
    bool *has = text == NULL ? NULL : calloc(n_pes, sizeof *has);
    bool is_list = has != NULL && ws_pes_read(text, has, n_pes);
    live->n_here = n_pes;
    for (uint32_t i = 0; is_list && i < n_pes; i++) {
        live->pes[i].seen.elsewhere = !has[i];
        live->n_here -= !has[i];
    }
    free(has);
    return text == NULL || has != NULL;
}

static enum fmt_status pes_make(struct ws_live *live, struct fmt_error *error)
{
    uint32_t n_pes = live->sb->layout.n_pes, kinds = live->sb->n_schemas;
    live->pes = calloc(n_pes, sizeof *live->pes);
    live->counts = calloc((size_t)n_pes * kinds, 2 * sizeof *live->counts);
    if (live->pes == NULL || live->counts == NULL) {
        return ws_fault_memory(error, live->path);
    }
    for (uint32_t i = 0; i < n_pes; i++) {
        live->pes[i].in_blocks = live->counts + (size_t)i * 2 * kinds;
        live->pes[i].given = live->pes[i].in_blocks + kinds;
        fmt_scan_init(&live->pes[i].scan, live->reader, i);
    }
    return elsewhere_find(live) ? FMT_OK : ws_fault_memory(error, live->path);
}

enum fmt_status ws_live_open(struct ws_live **result, const char *path, struct fmt_error *error)
{
    struct ws_live *live = calloc(1, sizeof *live);
    *result = NULL;
    if (live == NULL) {
        return ws_fault_memory(error, path);
    }
    live->file.fd = live->view.file.fd = -1;
    live->path = strdup(path);
    live->target = ws_journals_linked_file(path);
    enum fmt_status status = live->path == NULL || live->target == NULL
                                 ? ws_fault_memory(error, path)
                                 : fmt_file_open_read(&live->file, live->path, error);
    if (status == FMT_OK && fstat(live->file.fd, &live->identity) != 0) {
        status = no_state(path, errno, error);
    }
    if (status == FMT_OK) {
        status = fmt_reader_open(&live->file.io, &live->reader, error);
    }
    if (status == FMT_OK) {
        live->sb = fmt_reader_superblock(live->reader);
        status = pes_make(live, error);
    }
    if (status != FMT_OK) {
        ws_live_close(live);
        return status;
    }
    *result = live;
    return FMT_OK;
}

void ws_live_close(struct ws_live *live)
{
    if (live == NULL) {
        return;
    }
    live_pe_leave(live);
    for (uint32_t i = 0; live->pes != NULL && i < live->sb->layout.n_pes; i++) {
        free(live->pes[i].buffers);
        fmt_end_free(&live->pes[i].seen.end);
    }
    fmt_columns_free(&live->columns);
    free(live->rows.offsets);
    free(live->rows.memory);
    ws_descs_free(&live->descs);
    fmt_reader_close(live->reader);
    fmt_file_close(&live->file, NULL);
    free(live->pes);
    free(live->counts);
    free(live->window);
    free(live->path);
    free(live->target);
    free(live);
}

/* ---- Rounds ---------------------------------------------------------------------------------- */

/* Returns true if the path still names the file that was opened, and the file has not been
 * truncated. */
static bool is_same_file(struct ws_live *live)
{
    struct stat now;
    uint8_t id[8];
    size_t got = 0;
    uint64_t file_id = 0;
    if (stat(live->path, &now) != 0 || now.st_dev != live->identity.st_dev ||
        now.st_ino != live->identity.st_ino || now.st_size < live->identity.st_size ||
        live->file.io.read_at(&live->file, id, sizeof id, FILE_ID_OFFSET, &got) != 0) {
        return false;
    }
    live->identity = now;
    for (size_t i = got; i > 0; i--) {
        file_id = file_id << 8 | id[i - 1];
    }
    return file_id == live->sb->layout.file_id;
}

enum ws_live_got ws_live_next(struct ws_live *live, struct ws_live_rows *rows,
                              struct fmt_error *error)
{
    if (!live->in_round) {
        if (!is_same_file(live)) {
            return WS_LIVE_REPLACED;
        }
        live->in_round = true;
        live->pe = 0;
    }
    while (live->pe < live->sb->layout.n_pes) {
        enum ws_live_got got = live_pe_next(live, rows, error);
        if (got != WS_LIVE_ROUND) {
            return got;
        }
        live_pe_leave(live);
        live->pe++;
    }
    live->in_round = false;
    live->first_round_done = true;
    return WS_LIVE_ROUND;
}

/* ---- Selection and queries ------------------------------------------------------------------- */

void ws_live_want(struct ws_live *live, uint32_t schema, const struct fmt_wanted *wanted)
{
    assert(schema < live->sb->n_schemas && !wanted->payload);
    live->wants[schema] = true;
    live->wanted[schema] = *wanted;
}

const struct ws_live_pe *ws_live_pe(const struct ws_live *live, uint32_t pe)
{
    assert(pe < live->sb->layout.n_pes);
    return &live->pes[pe].seen;
}

double ws_live_progress(const struct ws_live *live)
{
    uint32_t n_pes = live->sb->layout.n_pes;
    uint64_t bytes = live->pe < n_pes ? live->pes[live->pe].scan.bytes : 0;
    double all = (double)live->identity.st_blocks * 512 / n_pes;
    double part = all > 0 && (double)bytes < all ? (double)bytes / all : 1;
    return live->first_round_done ? 1 : ((double)live->pe + part) / n_pes;
}
