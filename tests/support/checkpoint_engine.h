/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * checkpoint_engine.h - an engine whose checkpoint is one file in memory, which a test may change
 * between writing and reading.
 *
 * The engine is one rank with some LPs of two types: the states of one are bytes, those of the
 * other are written by the model. Needs _GNU_SOURCE for memfd_create().
 */
#ifndef WARPSCOPE_TESTS_CHECKPOINT_ENGINE_H
#define WARPSCOPE_TESTS_CHECKPOINT_ENGINE_H

#include <float.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "checkpoint/checkpoint_private.h"
#include "checkpoint/writer.h"
#include "support/hand_engine.h"

#define LPS       6u
#define MSG_BYTES 20u /* no multiple of 8 */
#define CUT_AT    5.0
#define END_AT    50.0
#define SAVED_MAX 40u /* bytes of a state that the model accepts */

/* ---- The model ------------------------------------------------------------------------------- */

static void handle(void *state, tw_bf *bf, void *msg, tw_lp *lp)
{
    (void)state;
    (void)bf;
    (void)msg;
    (void)lp;
}

static tw_peid map(tw_lpid gid)
{
    (void)gid;
    return 0;
}

static tw_lptype types[] = {
    {.event = handle, .revent = handle, .map = map, .state_sz = 16},
    {.event = handle, .revent = handle, .map = map, .state_sz = 32},
};

static size_t state_size(const void *state, const tw_lp *lp)
{
    (void)state;
    return 8 + lp->gid;
}

static void state_save(const void *state, const tw_lp *lp, void *bytes)
{
    memcpy(bytes, state, state_size(state, lp));
}

static bool state_restore(void *state, tw_lp *lp, const void *bytes, size_t size)
{
    (void)lp;
    memcpy(state, bytes, size < 32 ? size : 32);
    return size <= SAVED_MAX;
}

static const tw_state_io io = {.size = state_size, .save = state_save, .restore = state_restore};

/* ---- The observers --------------------------------------------------------------------------- */

#define KNOWN 1000u /* observers know a multiple of it about an LP; 0: nothing */

static uint64_t known[LPS];
static bool is_packed;

static bool known_begin(void)
{
    is_packed = true;
    return true;
}

static void known_end(void)
{
    is_packed = false;
}

static size_t known_write(const tw_lp *lp, void *bytes, size_t size)
{
    if (!is_packed) {
        abort();
    }
    if (bytes != NULL) {
        memcpy(bytes, &known[lp->id], size);
    }
    return known[lp->id] > 0 ? sizeof known[0] : 0;
}

static bool known_read(tw_lp *lp, const void *bytes, size_t size, bool takes_over)
{
    uint64_t read = 0;
    if (size == sizeof read) {
        memcpy(&read, bytes, size);
    }
    known[lp->id] = takes_over ? read : known[lp->id];
    return size == 0 || (size == sizeof read && read > 0 && read % KNOWN == 0);
}

const struct tw_extension tw_extension = {.lps_pack = known_begin,
                                          .lps_packed = known_end,
                                          .lp_write = known_write,
                                          .lp_read = known_read};

/* The tests need it to be so, in every build. */
static void engine_need(bool is_so, const char *words)
{
    if (!is_so) {
        fprintf(stderr, "checkpoint_engine.h: not so: %s\n", words);
        abort();
    }
}

/* ---- The engine ------------------------------------------------------------------------------ */

static struct pe *pe;
static int fd = -1; /* of the checkpoint's only file */
static char folder[] = "fuzz-checkpoint-XXXXXX";

static void folder_remove(void)
{
    char name[CKPT_PATH_MAX];
    ckpt_file_name(name, folder, 0, 1);
    unlink(name);
    rmdir(folder);
}

/* Makes the engine, at the first call. After MPI_Init(). */
static void engine_begin(void)
{
    char name[CKPT_PATH_MAX], memory[64];
    if (pe != NULL) {
        return;
    }
    pe = hand_begin(LPS, MSG_BYTES, types, 2, SEQUENTIAL, END_AT);
    tw_lptype_state_io(&types[1], &io);
    pe->checkpoint->model_options = strdup("nodes=4\nname=a b\n");
    pe->gvt.cut.at = CUT_AT;
    fd = memfd_create("checkpoint", MFD_CLOEXEC);
    snprintf(memory, sizeof memory, "/proc/self/fd/%d", fd);
    engine_need(fd >= 0 && mkdtemp(folder) != NULL, "a folder can be made");
    ckpt_file_name(name, folder, 0, 1);
    engine_need(symlink(memory, name) == 0, "a link can be made");
    atexit(folder_remove);
    snprintf(pe->checkpoint->from, sizeof pe->checkpoint->from, "%s", folder);
    pe->checkpoint->from_ranks = 1;
}

/* Takes all events out of the engine and makes its LPs new. */
static void engine_empty(void)
{
    tw_event *event;
    while ((event = pending_pop(pe->pending)) != NULL) {
        event_pool_put(&pe->pool, event);
    }
    while ((event = pe->withdrawn) != NULL) {
        pe->withdrawn = event->prev;
        event_pool_put(&pe->pool, event);
    }
    for (tw_lpid i = 0; i < LPS; i++) {
        tw_lp *lp = lp_table_at(&pe->lps, i);
        tw_lptype *own = engine_model_type(lp);
        if (own != lp->type) { /* the type of a suspended LP, which begins the engine's structure */
            free(lp->type);
            lp->type = own;
        }
        memset(lp->cur_state, (int)i, own->state_sz);
        if (pe->lp_numbers != NULL) {
            pe->lp_numbers[i] = 0;
        }
    }
    pe->counters.events_past_end = 0;
    memset(known, 0, sizeof known);
}

/* An event from one LP to the next, with a lineage of so many numbers. */
static void event_add(tw_lpid src, double recv_ts, unsigned lineage_len, bool is_withdrawn)
{
    static const double lineage[] = {0.25, 0.125, 0.5};
    tw_event *event = event_pool_get(&pe->pool);
    event->recv_ts = recv_ts;
    event->send_ts = 1.0;
    event->prio = 1.0;
    event->tie = 0.75;
    event->dest_lpid = (src + 1) % LPS;
    event->dest_lp = lp_table_at(&pe->lps, event->dest_lpid);
    event_clear_effects(event);
    event->send_lp = src;
    event->handle = EVENT_HANDLE_NONE;
    event->event_id = 0;
    event->state.remote = 0;
    event->state.lineage_len = lineage_len & 0x7f;
    memset(event_payload(event), (int)src, MSG_BYTES);
    engine_need(event_pool_add_lineage(&pe->pool, event, lineage, lineage_len - 1),
                "there is memory");
    if (is_withdrawn) {
        engine_withdraw(pe, event);
    } else {
        engine_push(pe, event);
    }
}

/* Writes the engine's checkpoint to the file. */
static void engine_write(void)
{
    struct ckpt_image image = {0};
    uint64_t written = 0;
    engine_need(ckpt_gather(pe, &image), "there is memory for a checkpoint");
    engine_need(ftruncate(fd, 0) == 0 && lseek(fd, 0, SEEK_SET) == 0,
                "a file in memory can be cut");
    engine_need(ckpt_image_write(&image, fd, &written) == 0, "a file in memory can be written");
}

/* Reads the file, twice as a restart does. Returns true if it is accepted; its state is in the engine
 * then. Otherwise error has the message (CKPT_ERROR_SIZE bytes). */
static bool engine_read(char *error)
{
    struct restart check = {.pe = pe}, restore = {.pe = pe, .takes_over = true};
    bool good = ckpt_read_all(&check) && ckpt_read_all(&restore);
    memcpy(error, check.error[0] != '\0' ? check.error : restore.error, CKPT_ERROR_SIZE);
    return good;
}

/* Fills the engine: an event for each LP, one of them withdrawn, with lineages of 1 to 4 numbers; a
 * suspended LP; an LP with records; two LPs that observers know. */
static void engine_fill(void)
{
    engine_empty();
    for (tw_lpid i = 0; i < LPS; i++) {
        event_add(i, CUT_AT + 0.5 * (double)i, 1 + (unsigned)i % 4, i == 3);
    }
    engine_suspend(lp_table_at(&pe->lps, 2), NULL, false, -7);
    engine_restore_numbers(pe, lp_table_at(&pe->lps, 4), 99);
    known[0] = KNOWN;
    known[4] = 4 * KNOWN;
}

/* Replaces the contents of the file. */
static void engine_put(const uint8_t *data, size_t size)
{
    engine_need(ftruncate(fd, 0) == 0 && pwrite(fd, data, size, 0) == (ssize_t)size,
                "a file in memory can be written");
}

/* Returns the size of the file and its first bytes, as many as fit. */
static size_t engine_get(uint8_t *data, size_t room)
{
    struct stat facts;
    engine_need(fstat(fd, &facts) == 0 && pread(fd, data, room, 0) >= 0, "a file can be read");
    return (size_t)facts.st_size;
}

#endif
