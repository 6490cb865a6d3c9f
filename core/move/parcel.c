/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * parcel.c - carries out a move: LPs and events travel between ranks as records of a checkpoint.
 *
 * Each rank writes its LPs and pending events to one image per destination rank
 * (checkpoint/format.h). If all ranks have enough memory, they free their LPs and create those of
 * the new placement. Then they exchange the images: in step s, rank r sends to rank r + s and
 * receives from rank r - s.
 */
#include <assert.h>
#include <limits.h>

#include "checkpoint/checkpoint_private.h"
#include "engine/engine.h"
#include "engine/process/run.h"
#include "move/move_private.h"

/* Header of a block, sent before the records of the block. size: size of the records in bytes; 0:
 * no further block follows. */
struct block_head {
    uint64_t kind, n_records, size;
};

struct writer {
    const struct pe *pe;
    struct ckpt_image *images; /* indexed by destination rank */
};

static bool fits_message(const struct ckpt_image *image)
{
    return image->last == NULL || image->last->size <= INT_MAX;
}

static bool event_write(void *ctx, tw_event *event)
{
    const struct writer *w = ctx;
    const struct pe *pe = w->pe;
    struct ckpt_image *image = &w->images[mapping_rank(&pe->mapping, event->dest_lpid, NULL)];
    return ckpt_add_event(image, pe, event) && fits_message(image);
}

/* Writes all local LPs and events to the images of their new ranks. Returns false if memory is
 * exhausted. */
static bool images_write(struct pe *pe, struct ckpt_image *images)
{
    bool fits = ckpt_observers_begin();
    for (tw_lpid i = 0; fits && i < pe->lps.count; i++) {
        const tw_lp *lp = lp_table_at(&pe->lps, i);
        struct ckpt_image *image = &images[mapping_rank(&pe->mapping, lp->gid, NULL)];
        fits = ckpt_add_lp(image, pe, lp) && fits_message(image);
    }
    ckpt_observers_end();
    struct writer w = {pe, images};
    return fits && pending_each(pe->pending, event_write, &w) &&
           engine_each_withdrawn(pe, event_write, &w);
}

static void images_fini(struct ckpt_image *images, int n_ranks)
{
    for (int r = 0; r < n_ranks; r++) {
        ckpt_image_fini(&images[r]);
    }
    free(images);
}

/* ---- Exchange -------------------------------------------------------------------------------- */

static void block_restore(struct restart *r, const struct block_head *head,
                          const unsigned char *bytes)
{
    struct ckpt_view view = {.kind = (enum ckpt_kind)head->kind,
                             .n_records = head->n_records,
                             .bytes = bytes,
                             .size = head->size};
    const void *record;
    size_t at = 0, size;
    while (r->error[0] == '\0' && (record = ckpt_view_record(&view, &at, &size)) != NULL) {
        if (view.kind == CKPT_LPS) {
            ckpt_take_lp(r, record, size);
        } else {
            ckpt_take_event(r, record, size);
        }
    }
}

static void image_restore(struct restart *r, const struct ckpt_image *image)
{
    for (const struct ckpt_block *b = image->first; b != NULL; b = b->next) {
        const struct block_head head = {b->kind, b->n_records, b->size};
        block_restore(r, &head, b->bytes);
    }
}

/* Sends an image to rank `to`, and restores the LPs and events that rank `from` sends. */
static void image_exchange(struct restart *r, const struct ckpt_image *image, int to, int from)
{
    assert(to != r->pe->comm.rank && from != r->pe->comm.rank);
    MPI_Comm comm = r->pe->comm.comm;
    const struct ckpt_block *b = image->first;
    unsigned char *bytes = NULL;
    size_t room = 0;
    bool sends = true, receives = true;
    while (sends || receives) {
        struct block_head out = {0}, in = {0};
        int to_now = sends ? to : MPI_PROC_NULL, from_now = receives ? from : MPI_PROC_NULL;
        if (b != NULL) {
            out = (struct block_head){b->kind, b->n_records, b->size};
        }
        MPI_Sendrecv(&out, 3, MPI_UINT64_T, to_now, COMM_TAG_MOVE, &in, 3, MPI_UINT64_T, from_now,
                     COMM_TAG_MOVE, comm, MPI_STATUS_IGNORE);
        sends = sends && out.size > 0;
        receives = receives && in.size > 0;
        assert(out.size <= INT_MAX && in.size <= INT_MAX); /* see fits_message() */
        if (in.size > room) {
            free(bytes);
            bytes = tw_calloc(TW_LOC, "LPs that move", 1, in.size);
            room = in.size;
        }
        MPI_Sendrecv(b != NULL ? b->bytes : NULL, (int)out.size, MPI_BYTE,
                     sends ? to : MPI_PROC_NULL, COMM_TAG_MOVE, bytes, (int)in.size, MPI_BYTE,
                     receives ? from : MPI_PROC_NULL, COMM_TAG_MOVE, comm, MPI_STATUS_IGNORE);
        if (receives) {
            block_restore(r, &in, bytes);
        }
        b = b != NULL ? b->next : NULL;
    }
    free(bytes);
}

/* Exchanges the images between ranks, and restores LPs and events. Ends the program with status 2
 * if that fails. Collective. */
static void images_exchange(struct pe *pe, struct ckpt_image *images)
{
    const int rank = pe->comm.rank, n = pe->comm.n_ranks;
    struct restart r = {.pe = pe,
                        .takes_over = true,
                        .path = "--map=auto",
                        .at = pe->head.GVT,
                        .sent_before = INFINITY};
    r.seen = tw_calloc(TW_LOC, "LPs that move", 1, pe->lps.count);
    image_restore(&r, &images[rank]);
    ckpt_image_fini(&images[rank]);
    for (int step = 1; step < n; step++) {
        int to = (rank + step) % n;
        image_exchange(&r, &images[to], to, (rank + n - step) % n);
        ckpt_image_fini(&images[to]);
    }
    if (r.error[0] == '\0' && r.n_seen != pe->lps.count) {
        ckpt_refuse(&r, "an LP was lost on its way");
    }
    free(r.seen);
    ckpt_agree(pe, r.error);
}

/* ---- LPs of the new placement ---------------------------------------------------------------- */

/* Sets the types of the new LPs of this rank. `only`: type of all LPs; used if the model calls
 * tw_lp_settype() and has no function `arrive`. */
static void types_set(struct pe *pe, tw_lptype *only)
{
    if (g_run.moves->arrive != NULL) {
        g_run.moves->arrive();
    } else if (!g_run.types_by_local_id) {
        tw_lp_setup_types();
    }
    for (tw_lpid i = 0; i < pe->lps.count; i++) {
        tw_lp *lp = lp_table_at(&pe->lps, i);
        if (g_run.moves->arrive == NULL && g_run.types_by_local_id) {
            lp->type = only;
        }
        if (lp->type == NULL) {
            tw_error(TW_LOC,
                     "LP %" PRIu64 " has moved and has no type; the function arrive that was given "
                     "to tw_lp_map_moves() must call tw_lp_settype() for it",
                     lp->gid);
        }
        pe->probes.wanted |= lp->type->commit != NULL ? PROBE_ENGINE_COMMITS : 0;
    }
}

/* Calls the model's function `accept`; pe->mapping must have the new ranks. Returns the reason why
 * LPs must not move; NULL: they may. Collective. */
static const char *refusal(const struct pe *pe)
{
    bool good = g_run.moves->accept == NULL || g_run.moves->accept();
    if (comm_agree(&pe->comm, good ? TW_OK : TW_ERR_USAGE) != TW_OK) {
        return "the model refuses the placement that was found";
    }
    good = pe->synch != CONSERVATIVE || g_tw_lookahead >= pe->lookahead;
    if (comm_agree(&pe->comm, good ? TW_OK : TW_ERR_USAGE) != TW_OK) {
        return "the placement that was found has less lookahead between ranks";
    }
    return NULL;
}

bool move_lps(struct pe *pe, struct lp_places *places)
{
    assert(pe->n_loose == 0 && pe->mapping.kind == MAPPING_PLACED);
    struct move_outcome *outcome = &pe->mover->outcome;
    struct mapping before = pe->mapping;
    const double lookahead = g_tw_lookahead;
    tw_lptype *only = pe->lps.count > 0 ? engine_model_type(lp_table_at(&pe->lps, 0)) : NULL;
    struct ckpt_image *images =
        tw_calloc(TW_LOC, "LPs that move", sizeof *images, (size_t)pe->comm.n_ranks);
    pe->mapping.placed = places->placed;
    const char *why = refusal(pe);
    bool fits = why == NULL && images_write(pe, images);
    fits = comm_agree(&pe->comm, fits ? TW_OK : TW_ERR_MEMORY) == TW_OK;
    pe->mapping = before;
    if (!fits) {
        snprintf(outcome->why, sizeof outcome->why, "%s",
                 why != NULL ? why : "a rank has no memory for a copy of its LPs and events");
        g_tw_lookahead = lookahead;
        images_fini(images, pe->comm.n_ranks);
        free(places->placed);
        free(places->kps);
        return false;
    }
    if (tw_extension.lps_leave != NULL) {
        char text[200];
        move_text(pe, text, sizeof text);
        tw_extension.lps_leave(&pe->head, &pe->probes, text);
    }
    struct lp_map kps = {.kps = places->kps, .n_kps = places->n_kps};
    engine_drop_events(pe);
    engine_remake_lps(pe, places->placed, places->n_local, &kps);
    types_set(pe, only);
    lp_table_make_states(&pe->lps);
    if (tw_extension.lps_made != NULL) {
        tw_extension.lps_made(&pe->head);
    }
    images_exchange(pe, images);
    free(images);
    if (g_tw_lookahead < pe->lookahead || g_tw_lookahead > pe->lookahead) {
        pe->lookahead_kept = 0; /* not known of the new one */
    }
    pe->lookahead = g_tw_lookahead;
    if (tw_extension.lps_arrive != NULL) {
        tw_extension.lps_arrive(&pe->head, &pe->probes);
    }
    return true;
}
