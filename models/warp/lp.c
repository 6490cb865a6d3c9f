/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lp.c - the events of processors, and their reversal.
 *
 * Bit c0 of an event: the message found no free slot.
 *
 * Every event is undone by tw_snapshot_restore(). Only turns change many slots. The snapshots of
 * other events therefore do not include the memory of the ranks' events. WP_DATA additionally
 * stores the old content of the slot that it overwrites.
 */
#include "lp.h"

#include <assert.h>

static struct wp_work work;

/* A scene, with what its functions need. */
struct stage {
    struct wp_scene scene; /* first member: stage_of() */
    struct wp_self self;
    tw_lp *lp;
};

static struct stage *stage_of(struct wp_scene *scene)
{
    return (struct stage *)(void *)scene;
}

static size_t events_bytes(const struct wp_model *m)
{
    return m->kps * sizeof(double) + m->slots * sizeof(struct wp_event);
}

size_t warp_state_bytes(const struct wp_model *m)
{
    return wp_processor_bytes(m) + m->per_processor * events_bytes(m);
}

void warp_lps_init(void)
{
    if (!wp_work_init(&work, wp_model()->source)) {
        tw_error(TW_LOC, "no memory for the turns of ranks");
    }
}

void warp_lps_fini(void)
{
    wp_work_fini(&work);
}

static struct wp_self *self_of(struct wp_scene *scene, uint32_t local)
{
    assert(local < scene->m->per_processor);
    const struct wp_model *m = scene->m;
    struct wp_self *self = &stage_of(scene)->self;
    unsigned char *memory = (unsigned char *)scene->processor;
    memory += wp_processor_bytes(m) + local * events_bytes(m);
    *self = (struct wp_self){.m = m,
                             .rank = &scene->processor->ranks[local],
                             .kp_last = (double *)(void *)memory,
                             .slots = (void *)(memory + m->kps * sizeof(double)),
                             .n_slots = m->slots,
                             .work = &work};
    return self;
}

static void post(struct wp_scene *scene, const struct wp_message *body, double offset)
{
    const tw_lpid dest = wp_processor_of(scene->m, body->rank);
    tw_event *event = tw_event_new(dest, offset, stage_of(scene)->lp);
    struct warp_message *message = tw_event_data(event);
    *message = (struct warp_message){.body = *body};
    tw_event_send(event);
}

static struct stage stage_make(void *state, tw_lp *lp)
{
    return (struct stage){.scene = {.m = wp_model(),
                                    .processor = state,
                                    .index = (uint32_t)lp->gid,
                                    .now = tw_now(lp),
                                    .work = &work,
                                    .self = self_of,
                                    .post = post},
                          .lp = lp};
}

/* Returns the slot in which a message of an event would be stored; NULL: no slot is free. */
static struct wp_event *free_slot(struct stage *stage, const struct wp_message *message)
{
    struct wp_self *self = self_of(&stage->scene, message->rank % wp_model()->per_processor);
    const struct wp_rank *r = self->rank;
    return wp_free(self) > 0 ? &self->slots[r->n_pending + r->n_inbox] : NULL;
}

/* Returns the number of bytes, from the start of a state, that an event may change. The slot that
 * WP_DATA overwrites is not included. */
static size_t changed_bytes(const struct wp_message *message)
{
    const struct wp_model *m = wp_model();
    return message->kind == WP_TURN ? warp_state_bytes(m) : wp_processor_bytes(m);
}

void warp_lp_init(void *state, tw_lp *lp)
{
    struct stage stage = stage_make(state, lp);
    wp_processor_begin(&stage.scene);
}

void warp_lp_event(void *state, tw_bf *bf, void *message_bytes, tw_lp *lp)
{
    struct stage stage = stage_make(state, lp);
    struct warp_message *message = message_bytes;
    tw_snapshot(lp, changed_bytes(&message->body));
    if (message->body.kind == WP_DATA) {
        const struct wp_event *slot = free_slot(&stage, &message->body);
        message->undo = slot != NULL ? *slot : (struct wp_event){0};
    }
    bf->c0 = !wp_processor_handle(&stage.scene, &message->body);
    if (work.failed) {
        tw_error(TW_LOC, "no memory for a turn of simulated rank %u", message->body.rank);
    }
    tw_snapshot_delta(lp, changed_bytes(&message->body));
}

void warp_lp_revent(void *state, tw_bf *bf, void *message_bytes, tw_lp *lp)
{
    struct stage stage = stage_make(state, lp);
    struct warp_message *message = message_bytes;
    tw_snapshot_restore(lp, changed_bytes(&message->body));
    if (message->body.kind == WP_DATA && !bf->c0) {
        *free_slot(&stage, &message->body) = message->undo;
        message->undo = (struct wp_event){0};
    }
}

void warp_lp_commit(void *state, tw_bf *bf, void *message_bytes, tw_lp *lp)
{
    (void)state;
    (void)lp;
    const struct warp_message *message = message_bytes;
    if (bf->c0) {
        tw_error(TW_LOC, "simulated rank %u has no slot for a message: give --slots=%u or more",
                 message->body.rank, 2 * wp_model()->slots);
    }
}
