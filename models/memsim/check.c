/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check.c - checks the invariants of the states of L2 slices and SMs. Every run checks the states
 * at its end; tests check them, too.
 *
 * Cost for a slice: O(places + MSHRs^2 + ways^2 * sets) time, and memory of one byte per place.
 * Cost for an SM: O(slots^2) time.
 */
#include "slice.h"

/* ---- Slices ---------------------------------------------------------------------------------- */

/* Sets the marks of the places of a list, and adds their number to *n. first: number of the first place;
 * 0: there is none. Returns the last place; UINT32_MAX if a place already has a mark or its number is out
 * of range. */
static uint32_t list_mark(const struct ms_model *m, struct ms_slice *s, uint32_t first,
                          uint8_t *marks, uint32_t *n)
{
    uint32_t last = 0;
    for (uint32_t place = first; place != 0; place = ms_place(m, s, place)->next, ++*n) {
        if (place > ms_places(m) || marks[place - 1]++ != 0) {
            return UINT32_MAX;
        }
        last = place;
    }
    return last;
}

/* Returns true if every place is exactly once in a list or on the stack, where all its members except
 * `next` are zero, and s->held is the number of places in lists. */
static bool places_check(const struct ms_model *m, struct ms_slice *s)
{
    static const struct ms_request zero;
    uint8_t *marks = tw_calloc(TW_LOC, "check of a slice", 1, ms_places(m));
    uint32_t held = 0, n_free = 0;
    bool ok = list_mark(m, s, s->stalled.first, marks, &held) == s->stalled.last;
    for (unsigned i = 0; ok && i < m->mshrs; i++) {
        const struct ms_list *list = &ms_mshrs(m, s)[i].waiting;
        ok = list_mark(m, s, list->first, marks, &held) == list->last;
    }
    for (uint32_t place = 1; ok && place <= ms_places(m); place++) {
        struct ms_request rest = *ms_place(m, s, place);
        rest.next = 0;
        ok = marks[place - 1] != 0 || memcmp(&rest, &zero, sizeof rest) == 0;
    }
    ok = ok && list_mark(m, s, s->free, marks, &n_free) != UINT32_MAX && held == s->held &&
         held + n_free == ms_places(m);
    free(marks);
    return ok;
}

static bool is_in_way(const struct ms_model *m, struct ms_slice *s, uint64_t line_plus_1)
{
    const struct ms_way *set = ms_slice_set(m, s, line_plus_1 - 1);
    for (unsigned way = 0; way < m->ways; way++) {
        if (set[way].word >> 1 == line_plus_1) {
            return true;
        }
    }
    return false;
}

/* Returns true if the MSHRs are consistent: an MSHR has waiting requests exactly if it is in use,
 * and the line of an MSHR that is not draining is neither in a way nor in another MSHR that is not
 * draining. */
static bool mshrs_check(const struct ms_model *m, struct ms_slice *s)
{
    const struct ms_mshr *mshrs = ms_mshrs(m, s);
    unsigned used = 0;
    for (unsigned i = 0; i < m->mshrs; i++) {
        used += mshrs[i].line != 0;
        if ((mshrs[i].line != 0) != (mshrs[i].waiting.first != 0) ||
            (mshrs[i].line == 0 && (mshrs[i].draining || mshrs[i].dirty))) {
            return false;
        }
        if (mshrs[i].line == 0 || mshrs[i].draining) {
            continue;
        }
        if (ms_mshr_find(m, s, mshrs[i].line) != i || is_in_way(m, s, mshrs[i].line)) {
            return false;
        }
    }
    return used == s->mshrs_used;
}

/* Returns true if each cached line is exactly once in its set, and no stamp is greater than
 * s->clock. */
static bool ways_check(const struct ms_model *m, struct ms_slice *s)
{
    for (size_t i = 0; i < (size_t)m->sets * m->ways; i++) {
        const struct ms_way *set = s->ways + i / m->ways * m->ways;
        uint64_t line_plus_1 = s->ways[i].word >> 1;
        if (line_plus_1 != 0 && ms_slice_set(m, s, line_plus_1 - 1) != set) {
            return false;
        }
        for (const struct ms_way *other = set; line_plus_1 != 0 && other < &s->ways[i]; other++) {
            if (other->word >> 1 == line_plus_1) {
                return false;
            }
        }
        if (s->ways[i].stamp > s->clock) {
            return false;
        }
    }
    return true;
}

const char *ms_slice_check(const struct ms_model *m, struct ms_slice *s)
{
    return !places_check(m, s)  ? "each place is on the stack or in one list"
           : !mshrs_check(m, s) ? "a line has one MSHR that waits for it"
           : !ways_check(m, s)  ? "a line is in one way of its set"
           : s->stalled.first != 0 && !s->retrying && s->mshrs_used < m->mshrs
               ? "stalled requests are tried again"
               : NULL;
}

/* ---- SMs ------------------------------------------------------------------------------------- */

/* Returns the number of slots that a stream uses. */
static uint64_t slots_used(const struct ms_model *m, struct ms_sm *sm, unsigned stream)
{
    uint64_t used = 0;
    for (unsigned i = 0; i < ms_n_slots(m); i++) {
        used += ms_slots(m, sm)[i].used && ms_slots(m, sm)[i].stream == stream;
    }
    return used;
}

/* Returns true if the stack holds exactly the unused slots, and all their members except `next` are
 * zero. */
static bool slots_check(const struct ms_model *m, struct ms_sm *sm)
{
    static const struct ms_slot zero;
    unsigned n_free = 0, used = 0;
    for (unsigned i = 0; i < ms_n_slots(m); i++) {
        used += ms_slots(m, sm)[i].used;
    }
    for (uint32_t place = sm->free; place != 0; place = ms_slots(m, sm)[place - 1].next) {
        if (place > ms_n_slots(m) || ++n_free > ms_n_slots(m)) {
            return false;
        }
        struct ms_slot rest = ms_slots(m, sm)[place - 1];
        rest.next = 0;
        if (memcmp(&rest, &zero, sizeof rest) != 0) {
            return false;
        }
    }
    return n_free + used == ms_n_slots(m);
}

static bool in_flight_check(const struct ms_model *m, struct ms_sm *sm)
{
    uint64_t pending = 0;
    for (unsigned i = 0; i < ms_n_slots(m); i++) {
        pending += ms_slots(m, sm)[i].pending;
    }
    return pending == sm->in_flight && pending <= m->outstanding;
}

/* Returns true if each finished task has reported its end, and the SM is not idle while it could
 * issue a request. */
static bool tasks_check(const struct ms_model *m, struct ms_sm *sm)
{
    for (unsigned i = 0; i < m->n_streams; i++) {
        const struct ms_task *task = &sm->tasks[i];
        bool is_done = task->at == task->end && task->pending == 0;
        bool may_issue = !sm->port_busy && sm->in_flight < m->outstanding;
        if (task->pending != slots_used(m, sm, i) || task->active != !is_done ||
            (may_issue && task->at < task->end)) {
            return false;
        }
    }
    return true;
}

const char *ms_sm_check(const struct ms_model *m, struct ms_sm *sm)
{
    return !slots_check(m, sm)       ? "a slot is used or on the stack"
           : !in_flight_check(m, sm) ? "requests under way are those of the slots"
           : !tasks_check(m, sm) ? "a free SM issues, and finished tasks have reported their end"
                                 : NULL;
}
