/*
 * The lists of requests in an L2 slice: random appending, popping and undoing against arrays, with
 * the state checked all the time; and that the checks of slices and SMs find what is broken.
 */
/* test: libs=memsim_model,warpscope */
#include "slice.h"
#include "support/suite.h"

enum { SMS = 3, OUTSTANDING = 5, PLACES = SMS * OUTSTANDING, MSHRS = 4, LISTS = MSHRS + 1 };
enum { OPERATIONS = 200000, DEPTH = 60 };

static const struct ms_model model = {.sms = SMS,
                                      .n_streams = 2,
                                      .outstanding = OUTSTANDING,
                                      .mshrs = MSHRS,
                                      .sets = 2,
                                      .ways = 2,
                                      .slices = 2,
                                      .slice_bits = 1,
                                      .line = 128,
                                      .line_bits = 7};

static uint64_t seed;

static unsigned draw(unsigned n)
{
    return (unsigned)random_below(&seed, n);
}

/* ---- Lists ----------------------------------------------------------------------------------- */

/* The naive model: the numbers of the requests of each list, and how to go back. */
struct naive {
    uint64_t numbers[LISTS][PLACES];
    unsigned n[LISTS];
};

struct step {
    bool pops;
    unsigned list;
    struct ms_slice_undo undo;
    struct naive before;
};

static struct ms_slice *slice_new(void)
{
    size_t size = sizeof(struct ms_slice) + 4 * sizeof(struct ms_way) +
                  MSHRS * sizeof(struct ms_mshr) + PLACES * sizeof(struct ms_request);
    struct ms_slice *s = calloc(1, size);
    s->held = PLACES;
    for (uint32_t place = PLACES; place > 0; place--) {
        ms_place_give_back(&model, s, place);
    }
    return s;
}

/* List 0: stalled; then those of the MSHRs. */
static struct ms_list *list_of(struct ms_slice *s, unsigned list)
{
    return list == 0 ? &s->stalled : &ms_mshrs(&model, s)[list - 1].waiting;
}

/* What the handlers do around lists: an MSHR is in use while somebody waits. */
static void mshrs_follow(struct ms_slice *s)
{
    s->mshrs_used = 0;
    for (unsigned i = 0; i < MSHRS; i++) {
        struct ms_mshr *mshr = &ms_mshrs(&model, s)[i];
        mshr->line = mshr->waiting.first != 0 ? i + 1 : 0;
        s->mshrs_used += mshr->line != 0;
    }
    s->retrying = s->stalled.first != 0;
}

static bool is_equal(struct ms_slice *s, const struct naive *naive)
{
    for (unsigned list = 0; list < LISTS; list++) {
        unsigned n = 0;
        uint32_t place = list_of(s, list)->first;
        for (; place != 0 && n < naive->n[list]; place = ms_place(&model, s, place)->next) {
            if (ms_place(&model, s, place)->number != naive->numbers[list][n++]) {
                return false;
            }
        }
        if (place != 0 || n != naive->n[list]) {
            return false;
        }
    }
    return true;
}

static void go(struct ms_slice *s, struct naive *naive, struct step *step, uint64_t number)
{
    unsigned list;
    do {
        list = draw(LISTS);
    } while (s->free == 0 && naive->n[list] == 0); /* then it must pop */
    unsigned *n = &naive->n[list];
    step->pops = *n > 0 && (s->free == 0 || draw(2) == 0);
    step->list = list;
    step->before = *naive;
    memset(&step->undo, 0, sizeof step->undo);
    if (step->pops) {
        ms_list_pop(&model, s, list_of(s, list), &step->undo);
        CU_ASSERT_EQUAL(step->undo.popped.number, naive->numbers[list][0]);
        CU_ASSERT_EQUAL(step->undo.popped.next, 0);
        memmove(naive->numbers[list], naive->numbers[list] + 1, --*n * sizeof(uint64_t));
    } else {
        struct ms_request r = {.number = number, .bytes = 1, .next = draw(PLACES)};
        ms_list_append(&model, s, list_of(s, list), &r, &step->undo);
        naive->numbers[list][(*n)++] = number;
    }
}

static void go_back(struct ms_slice *s, struct naive *naive, const struct step *step)
{
    if (step->pops) {
        ms_list_pop_undo(&model, s, list_of(s, step->list), &step->undo);
    } else {
        ms_list_append_undo(&model, s, list_of(s, step->list), &step->undo);
    }
    *naive = step->before;
}

static void test_lists(void)
{
    static struct step steps[DEPTH];
    static struct naive naive;
    struct ms_slice *s = slice_new();
    uint32_t free_before[DEPTH];
    unsigned depth = 0, bad = 0;
    for (unsigned i = 0; i < OPERATIONS; i++) {
        depth = draw(1000) == 0 ? 0 : depth; /* committed */
        if (depth == DEPTH || (depth > 0 && draw(3) == 0)) {
            go_back(s, &naive, &steps[--depth]);
            bad += s->free != free_before[depth]; /* the stack, too, is as it was */
        } else {
            free_before[depth] = s->free;
            go(s, &naive, &steps[depth++], i + 1);
        }
        mshrs_follow(s);
        bad += !is_equal(s, &naive) || ms_slice_check(&model, s) != NULL;
    }
    CU_ASSERT_EQUAL(bad, 0);
    free(s);
}

/* ---- What the checks find -------------------------------------------------------------------- */

/* A slice with two requests that are stalled, one at MSHR 2, and line 6 in its set. */
static struct ms_slice *slice_in_use(void)
{
    struct ms_slice *s = slice_new();
    struct ms_slice_undo undo;
    struct ms_request r = {.number = 1, .bytes = 4};
    ms_list_append(&model, s, &s->stalled, &r, &undo);
    ms_list_append(&model, s, &s->stalled, &r, &undo);
    ms_list_append(&model, s, list_of(s, 3), &r, &undo);
    mshrs_follow(s);
    s->ways[2] = (struct ms_way){(6 + 1) << 1, 1};
    s->clock = 1;
    return s;
}

static void break_slice(struct ms_slice *s, unsigned how)
{
    struct ms_mshr *mshr = &ms_mshrs(&model, s)[2];
    switch (how) {
    case 0:
        s->held++;
        break;
    case 1:
        s->free = ms_place(&model, s, s->free)->next; /* a place is lost */
        break;
    case 2:
        s->stalled.last = s->stalled.first;
        break;
    case 3:
        s->stalled.first = mshr->waiting.first; /* two lists share one */
        s->stalled.last = s->stalled.first;
        break;
    case 4:
        ms_place(&model, s, s->free)->number = 9;
        break;
    case 5:
        s->retrying = 0;
        break;
    case 6:
        mshr[1] = *mshr; /* nobody waits there */
        mshr[1].waiting = (struct ms_list){0, 0};
        break;
    case 7:
        mshr->line = 6 + 1; /* which is there */
        break;
    case 8:
        s->ways[3] = s->ways[2]; /* twice */
        break;
    case 9:
        s->ways[0] = s->ways[2]; /* another set's */
        s->ways[2].word = 0;
        break;
    case 10:
        s->ways[2].stamp = 2; /* of the future */
        break;
    case 11:
        s->mshrs_used = 0;
        break;
    default:
        mshr->line = 0; /* but somebody waits */
    }
}

static void test_broken_slices(void)
{
    for (unsigned how = 0; how <= 12; how++) {
        struct ms_slice *s = slice_in_use();
        CU_ASSERT_PTR_NULL(ms_slice_check(&model, s));
        break_slice(s, how);
        if (ms_slice_check(&model, s) == NULL) {
            printf("a slice that is broken in way %u seems whole\n", how);
            CU_FAIL("a broken slice");
        }
        free(s);
    }
}

/* An SM with an access of stream 1 that has two requests under way, in slot 0. */
static struct ms_sm *sm_in_use(void)
{
    unsigned n = ms_n_slots(&model);
    struct ms_sm *sm =
        calloc(1, sizeof *sm + 2 * sizeof(struct ms_task) + n * sizeof(struct ms_slot));
    struct ms_slot *slots = ms_slots(&model, sm);
    slots[0] = (struct ms_slot){.item = 4, .pending = 2, .stream = 1, .used = 1, .whole = 1};
    for (unsigned i = 1; i < n; i++) {
        slots[i].next = i + 1 < n ? i + 2 : 0;
    }
    sm->free = 2;
    sm->in_flight = 2;
    sm->tasks[1] = (struct ms_task){.at = 5, .end = 5, .active = 1, .pending = 1};
    return sm;
}

static void break_sm(struct ms_sm *sm, unsigned how)
{
    struct ms_slot *slots = ms_slots(&model, sm);
    switch (how) {
    case 0:
        sm->in_flight++;
        break;
    case 1:
        sm->free = 3; /* a slot is lost */
        break;
    case 2:
        slots[1].pending = 1; /* a free one */
        sm->in_flight++;
        break;
    case 3:
        slots[ms_n_slots(&model) - 1].next = 2; /* the stack goes round */
        break;
    case 4:
        sm->tasks[1].active = 0;
        break;
    case 5:
        sm->tasks[0].active = 1; /* without anything to do */
        break;
    case 6:
        sm->tasks[1].end = 6; /* which could be issued */
        break;
    default:
        slots[0].stream = 0; /* another stream's */
    }
}

static void test_broken_sms(void)
{
    for (unsigned how = 0; how <= 7; how++) {
        struct ms_sm *sm = sm_in_use();
        CU_ASSERT_PTR_NULL(ms_sm_check(&model, sm));
        break_sm(sm, how);
        if (ms_sm_check(&model, sm) == NULL) {
            printf("an SM that is broken in way %u seems whole\n", how);
            CU_FAIL("a broken SM");
        }
        free(sm);
    }
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"lists of requests", test_lists},
        {"broken slices are found", test_broken_slices},
        {"broken SMs are found", test_broken_sms},
    };
    seed = suite_seed();
    suite_print_seed("memsim lists", seed);
    return suite_run("memsim lists", tests, sizeof tests / sizeof *tests);
}
