/* SPDX-License-Identifier: BSD-3-Clause */
/* memory.c - see memory.h. */
#include "machine/memory.h"

#include <stdlib.h>

bool wp_memory_init(struct wp_memory *memory, const struct wp_model *m, struct wp_result *result)
{
    *result =
        (struct wp_result){.n_ranks = m->ranks, .ranks = calloc(m->ranks, sizeof *result->ranks)};
    *memory =
        (struct wp_memory){.processors = calloc(m->processors, wp_processor_bytes(m)),
                           .kp_last = calloc((size_t)m->ranks * m->kps, sizeof *memory->kp_last),
                           .selves = calloc(m->ranks, sizeof *memory->selves)};
    if (result->ranks == NULL || memory->processors == NULL || memory->kp_last == NULL ||
        memory->selves == NULL || !wp_work_init(&memory->work, m->source)) {
        free(memory->processors);
        free(memory->kp_last);
        free(memory->selves);
        wp_result_fini(result);
        return false;
    }
    for (uint32_t r = 0; r < m->ranks; r++) {
        struct wp_processor *p = wp_memory_processor(memory, m, wp_processor_of(m, r));
        memory->selves[r] = (struct wp_self){.m = m,
                                             .rank = &p->ranks[r % m->per_processor],
                                             .kp_last = memory->kp_last + (size_t)r * m->kps,
                                             .work = &memory->work};
    }
    return true;
}

void wp_memory_fini(struct wp_memory *memory, const struct wp_model *m)
{
    for (uint32_t r = 0; r < m->ranks; r++) {
        free(memory->selves[r].slots);
    }
    free(memory->selves);
    free(memory->kp_last);
    free(memory->processors);
    wp_work_fini(&memory->work);
}

void wp_turn_note(struct wp_rank_result *result, const struct wp_turn *turn,
                  const struct wp_self *self)
{
    const struct wp_rank *r = self->rank;
    const uint32_t events = r->n_pending + r->n_inbox + r->n_history;
    result->execute_ns += turn->execute_ns;
    result->undo_ns += turn->undo_ns;
    result->message_ns += turn->message_ns;
    result->gvt_ns += turn->gvt_ns;
    result->most_events = events > result->most_events ? events : result->most_events;
}

void wp_result_finish(struct wp_result *result, const struct wp_memory *memory)
{
    struct wp_counts *sums = &result->sums;
    for (uint32_t r = 0; r < result->n_ranks; r++) {
        struct wp_rank_result *rank = &result->ranks[r];
        const struct wp_counts *c = &memory->selves[r].rank->counts;
        rank->counts = *c;
        rank->wait_ns =
            result->time_ns - rank->execute_ns - rank->undo_ns - rank->message_ns - rank->gvt_ns;
        result->rounds = c->rounds > result->rounds ? c->rounds : result->rounds;
        result->votes = c->votes > result->votes ? c->votes : result->votes;
        wp_counts_add(sums, c);
    }
}

void wp_result_fini(struct wp_result *result)
{
    free(result->ranks);
    result->ranks = NULL;
}
