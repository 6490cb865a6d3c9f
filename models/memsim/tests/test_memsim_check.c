/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The checks of slices and SMs: valid states pass, and each way to break one is found, even where
 * all sums are right.
 */
/* test: libs=memsim_model,warpscope */
#include "support/memsim_bench.h"
#include "support/suite.h"

/* ---- Slices ---------------------------------------------------------------------------------- */

static uint32_t append(struct ms_slice *s, unsigned list, const struct ms_request *r)
{
    struct ms_slice_undo undo;
    ms_list_append(&model, s, list_of(s, list), r, &undo);
    return list_of(s, list)->last;
}

/* Places 1 and 2 are stalled. 3 and 4 wait for line 8 at MSHR 2, where 4 is all zero. 5 waits at
 * MSHR 3, whose line 4 has arrived. Lines 6 and 2 are cached as well. */
static struct ms_slice *slice_in_use(void)
{
    static const struct ms_request r = {.number = 1, .bytes = 4};
    static const struct ms_request zero;
    struct ms_slice *s = slice_new();
    append(s, 0, &r);
    append(s, 0, &r);
    append(s, 3, &r);
    append(s, 3, &zero);
    append(s, 4, &r);
    mshrs_follow(s);
    struct ms_mshr *mshrs = ms_mshrs(&model, s);
    mshrs[2].line = 8 + 1;
    mshrs[3].line = 4 + 1;
    mshrs[3].draining = 1;
    mshrs[3].dirty = 1;
    s->ways[0] = (struct ms_way){(4 + 1) << 1 | 1, 2};
    s->ways[2] = (struct ms_way){(6 + 1) << 1, 1};
    s->ways[3] = (struct ms_way){(2 + 1) << 1, 2};
    s->clock = 2;
    return s;
}

/* Returns the free place that is n places below the top of the stack. */
static struct ms_request *free_place(struct ms_slice *s, unsigned below)
{
    uint32_t place = s->free;
    while (below-- > 0) {
        place = ms_place(&model, s, place)->next;
    }
    return ms_place(&model, s, place);
}

static void break_held(struct ms_slice *s)
{
    s->held++;
}

static void break_place_is_lost(struct ms_slice *s)
{
    s->free = free_place(s, 0)->next;
}

static void break_last_of_stalled(struct ms_slice *s)
{
    s->stalled.last = s->stalled.first;
}

static void break_last_of_mshr(struct ms_slice *s)
{
    list_of(s, 4)->last = 1;
}

/* place 2 is lost instead */
static void break_two_lists_share(struct ms_slice *s)
{
    ms_place(&model, s, 1)->next = 4;
    s->stalled.last = 4;
}

static void break_list_leads_outside(struct ms_slice *s)
{
    ms_place(&model, s, 1)->next = PLACES + 1;
    s->stalled.last = PLACES + 1;
}

static void break_list_goes_round(struct ms_slice *s)
{
    ms_place(&model, s, 2)->next = 1;
}

/* The last free place is lost instead. */
static void break_stack_shares_with_list(struct ms_slice *s)
{
    free_place(s, PLACES - 5 - 2)->next = 4;
}

static void break_stack_leads_outside(struct ms_slice *s)
{
    free_place(s, PLACES - 5 - 2)->next = PLACES + 1;
}

static void break_stack_goes_round(struct ms_slice *s)
{
    free_place(s, PLACES - 5 - 1)->next = s->free;
}

static void break_free_place(struct ms_slice *s)
{
    free_place(s, 0)->number = 9;
}

static void break_missing_retry(struct ms_slice *s)
{
    s->retrying = 0;
}

static void break_mshr_without_request(struct ms_slice *s)
{
    ms_mshrs(&model, s)[0].line = 9 + 1;
    s->mshrs_used++;
}

static void break_request_at_free_mshr(struct ms_slice *s)
{
    ms_mshrs(&model, s)[2].line = 0;
    s->mshrs_used--;
}

static void break_free_mshr_drains(struct ms_slice *s)
{
    ms_mshrs(&model, s)[0].draining = 1;
}

static void break_free_mshr_is_dirty(struct ms_slice *s)
{
    ms_mshrs(&model, s)[0].dirty = 1;
}

static void break_line_is_there(struct ms_slice *s)
{
    ms_mshrs(&model, s)[2].line = 6 + 1;
}

static void break_line_is_there_in_way_1(struct ms_slice *s)
{
    ms_mshrs(&model, s)[2].line = 2 + 1;
}

static void break_two_mshrs_for_a_line(struct ms_slice *s)
{
    struct ms_mshr *mshrs = ms_mshrs(&model, s);
    static const struct ms_request r = {.number = 7};
    append(s, 1, &r);
    mshrs[0].line = mshrs[2].line;
    s->mshrs_used++;
}

static void break_mshrs_used(struct ms_slice *s)
{
    s->mshrs_used = 0;
}

static void break_line_twice(struct ms_slice *s)
{
    s->ways[3] = s->ways[2];
}

/* All lines of this set, which belong to another. */
static void break_set(struct ms_slice *s)
{
    s->ways[1] = s->ways[2];
    s->ways[2].word = 0;
}

static void break_stamp(struct ms_slice *s)
{
    s->ways[2].stamp = s->clock + 1;
}

static const struct slice_fault {
    const char *what;
    void (*make)(struct ms_slice *s);
} slice_faults[] = {{"held", break_held},
                    {"a place is lost", break_place_is_lost},
                    {"the last one of those stalled", break_last_of_stalled},
                    {"the last one at an MSHR", break_last_of_mshr},
                    {"two lists share a place", break_two_lists_share},
                    {"a list leads outside", break_list_leads_outside},
                    {"a list goes round", break_list_goes_round},
                    {"the stack shares a place with a list", break_stack_shares_with_list},
                    {"the stack leads outside", break_stack_leads_outside},
                    {"the stack goes round", break_stack_goes_round},
                    {"a free place is not zero", break_free_place},
                    {"no retry of stalled requests", break_missing_retry},
                    {"an MSHR in use without a request", break_mshr_without_request},
                    {"a free MSHR with a request", break_request_at_free_mshr},
                    {"a free MSHR that drains", break_free_mshr_drains},
                    {"a free MSHR that is dirty", break_free_mshr_is_dirty},
                    {"waits for a line that is there", break_line_is_there},
                    {"the same in another way", break_line_is_there_in_way_1},
                    {"two MSHRs for a line", break_two_mshrs_for_a_line},
                    {"mshrs_used", break_mshrs_used},
                    {"a line twice in its set", break_line_twice},
                    {"a line in another set", break_set},
                    {"a stamp of the future", break_stamp}};

static void test_broken_slices(void)
{
    for (size_t i = 0; i < sizeof slice_faults / sizeof slice_faults[0]; i++) {
        struct ms_slice *s = slice_in_use();
        CU_ASSERT_PTR_NULL(ms_slice_check(&model, s));
        slice_faults[i].make(s);
        if (ms_slice_check(&model, s) == NULL) {
            printf("a slice seems whole: %s\n", slice_faults[i].what);
            CU_FAIL("a broken slice");
        }
        free(s);
    }
}

/* A stalled request may wait without a retry while all MSHRs are in use. */
static void test_whole_slices(void)
{
    static const struct ms_request r = {.number = 3};
    struct ms_slice *s = slice_new();
    CU_ASSERT_PTR_NULL(ms_slice_check(&model, s));
    for (unsigned list = 0; list < LISTS; list++) {
        append(s, list, &r);
    }
    mshrs_follow(s);
    CU_ASSERT_PTR_NULL(ms_slice_check(&model, s));
    s->retrying = 0;
    CU_ASSERT_PTR_NULL(ms_slice_check(&model, s));
    free(s);
}

/* A request that arrives while a line drains must not join the requests waiting for it: the line
 * may have been replaced. */
static void test_mshr_find(void)
{
    struct ms_slice *s = slice_in_use();
    CU_ASSERT_EQUAL(ms_mshr_find(&model, s, 8 + 1), 2);
    CU_ASSERT_EQUAL(ms_mshr_find(&model, s, 4 + 1), MSHRS);
    CU_ASSERT_EQUAL(ms_mshr_find(&model, s, 6 + 1), MSHRS);
    CU_ASSERT_EQUAL(ms_mshr_find(&model, s, 0), 0); /* a free slot */
    free(s);
}

/* ---- SMs ------------------------------------------------------------------------------------- */

/* An access of stream 1 in slot 0 has two requests under way. */
static struct ms_sm *sm_in_use(void)
{
    struct ms_sm *sm = sm_new();
    *slot_pop(sm) = (struct ms_slot){.item = 4, .pending = 2, .stream = 1, .used = 1, .whole = 1};
    sm->in_flight = 2;
    sm->tasks[1] = (struct ms_task){.at = 5, .end = 5, .active = 1, .pending = 1};
    return sm;
}

static void break_in_flight(struct ms_sm *sm)
{
    sm->in_flight++;
}

static void break_too_many(struct ms_sm *sm)
{
    ms_slots(&model, sm)[0].pending = OUTSTANDING + 1;
    sm->in_flight = OUTSTANDING + 1;
}

static void break_slot_is_lost(struct ms_sm *sm)
{
    sm->free = ms_slots(&model, sm)[sm->free - 1].next;
}

static void break_free_slot(struct ms_sm *sm)
{
    ms_slots(&model, sm)[1].pending = 1;
    sm->in_flight++;
}

static void break_slots_go_round(struct ms_sm *sm)
{
    ms_slots(&model, sm)[ms_n_slots(&model) - 1].next = 2;
}

/* The last free slot is lost instead. */
static void break_slots_lead_outside(struct ms_sm *sm)
{
    ms_slots(&model, sm)[ms_n_slots(&model) - 2].next = ms_n_slots(&model) + 1;
}

static void break_done_too_soon(struct ms_sm *sm)
{
    sm->tasks[1].active = 0;
}

static void break_nothing_to_do(struct ms_sm *sm)
{
    sm->tasks[0].active = 1;
}

static void break_could_be_issued(struct ms_sm *sm)
{
    sm->tasks[1].end++;
}

static void break_stream(struct ms_sm *sm)
{
    ms_slots(&model, sm)[0].stream = 0;
}

static const struct sm_fault {
    const char *what;
    void (*make)(struct ms_sm *sm);
} sm_faults[] = {{"in_flight", break_in_flight},
                 {"more than may be under way", break_too_many},
                 {"a slot is lost", break_slot_is_lost},
                 {"a free slot is not zero", break_free_slot},
                 {"the stack goes round", break_slots_go_round},
                 {"the stack leads outside", break_slots_lead_outside},
                 {"not active with something under way", break_done_too_soon},
                 {"active without anything to do", break_nothing_to_do},
                 {"something could be issued", break_could_be_issued},
                 {"another stream's", break_stream}};

static void test_broken_sms(void)
{
    for (size_t i = 0; i < sizeof sm_faults / sizeof sm_faults[0]; i++) {
        struct ms_sm *sm = sm_in_use();
        CU_ASSERT_PTR_NULL(ms_sm_check(&model, sm));
        sm_faults[i].make(sm);
        if (ms_sm_check(&model, sm) == NULL) {
            printf("an SM seems whole: %s\n", sm_faults[i].what);
            CU_FAIL("a broken SM");
        }
        free(sm);
    }
}

/* An SM does not issue while its port is busy, or while the maximum number of requests is under
 * way. */
static void test_whole_sms(void)
{
    struct ms_sm *sm = sm_new();
    CU_ASSERT_PTR_NULL(ms_sm_check(&model, sm));
    sm->tasks[0] = (struct ms_task){.at = 1, .end = 3, .active = 1};
    sm->port_busy = 1;
    CU_ASSERT_PTR_NULL(ms_sm_check(&model, sm));
    sm->port_busy = 0;
    CU_ASSERT_PTR_NOT_NULL(ms_sm_check(&model, sm));
    slot_pop(sm)->pending = OUTSTANDING;
    sm->tasks[0].pending = 1;
    sm->in_flight = OUTSTANDING;
    CU_ASSERT_PTR_NULL(ms_sm_check(&model, sm));
    free(sm);
    sm = sm_in_use(); /* the bytes behind the slots are not a slot */
    ms_slots(&model, sm)[ms_n_slots(&model)] =
        (struct ms_slot){.pending = 1, .stream = 1, .used = 1};
    CU_ASSERT_PTR_NULL(ms_sm_check(&model, sm));
    free(sm);
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"broken slices are found", test_broken_slices},
        {"whole slices", test_whole_slices},
        {"MSHRs of lines", test_mshr_find},
        {"broken SMs are found", test_broken_sms},
        {"whole SMs", test_whole_sms},
    };
    return suite_run("memsim check", tests, sizeof tests / sizeof *tests);
}
