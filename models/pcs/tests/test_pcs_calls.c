/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pcs's list of calls: against an array, while steps are made, undone from the last one back, and
 * committed from the first one on.
 */
/* test: libs=pcs_calls,warpscope_bare */
#include "call_list.h"
#include "support/suite.h"

enum { STEPS = 4000, MOST_CALLS = 40 };

struct naive_list {
    struct {
        uint64_t phone;
        double since;
        bool is_urgent;
    } calls[MOST_CALLS];
    size_t n;
};

/* A step: an addition or a removal that can be undone, and the array before it. */
struct step {
    bool added;
    struct removed_call removed;
    struct naive_list before;
};

static struct step steps[STEPS];
static struct naive_list now;
static struct call *list;

static void compare(void)
{
    CU_ASSERT_PTR_NULL(call_list_check(list));
    CU_ASSERT_EQUAL_FATAL(call_list_length(list), now.n);
    const struct call *call = list;
    for (size_t i = 0; i < now.n; i++, call = call->next) {
        CU_ASSERT(call->phone == now.calls[i].phone && call->since == now.calls[i].since &&
                  (call->is_urgent != 0) == now.calls[i].is_urgent);
    }
}

/* Removes the first matching call from the array. Returns its place, or n. */
static size_t naive_remove(uint64_t phone, bool any_ordinary)
{
    size_t i = 0;
    while (i < now.n && (any_ordinary ? now.calls[i].is_urgent : now.calls[i].phone != phone)) {
        i++;
    }
    for (size_t j = i; j + 1 < now.n; j++) {
        now.calls[j] = now.calls[j + 1];
    }
    now.n -= i < now.n;
    return i;
}

static void do_step(struct step *s, uint64_t time, uint64_t *random)
{
    *s = (struct step){.before = now};
    if (random_below(random, 2) == 0 && now.n < MOST_CALLS) {
        bool is_urgent = random_below(random, 3) == 0;
        s->added = true;
        call_list_add(&list, time, (double)(time / 2), is_urgent);
        now.calls[now.n].phone = time;
        now.calls[now.n].since = (double)(time / 2);
        now.calls[now.n++].is_urgent = is_urgent;
        return;
    }
    bool any = random_below(random, 2) == 0;
    uint64_t phone = now.n == 0 ? 7 : now.calls[random_below(random, now.n)].phone;
    phone += random_below(random, 8) == 0 ? STEPS * 100 : 0; /* no such call */
    s->removed = any ? call_list_remove_ordinary(&list) : call_list_remove(&list, phone);
    bool was_there = naive_remove(phone, any) < s->before.n;
    CU_ASSERT_EQUAL(s->removed.call != NULL, was_there);
}

static void undo_step(const struct step *s)
{
    if (s->added) {
        call_list_undo_add(&list);
    } else {
        call_list_undo_remove(s->removed);
    }
    now = s->before;
}

static void test_steps_and_back(void)
{
    uint64_t seed = suite_seed();
    suite_print_seed("pcs calls", seed);
    size_t done = 0;
    size_t committed = 0;
    uint64_t time = 0;
    for (unsigned turn = 0; turn < 20000 && done < STEPS; turn++) {
        uint64_t choice = random_below(&seed, 10);
        if (choice < 5) {
            do_step(&steps[done++], ++time, &seed);
        } else if (choice < 9 && done > committed) {
            undo_step(&steps[--done]);
        } else if (committed < done) {
            free(steps[committed++].removed.call);
        }
        compare();
    }
    CU_ASSERT(committed > 100);
    while (committed < done) {
        free(steps[committed++].removed.call);
    }
    call_list_free(&list);
    CU_ASSERT_PTR_NULL(list);
}

static void test_copies(void)
{
    struct call *a = NULL;
    CU_ASSERT(call_list_equal(NULL, call_list_copy(NULL)));
    for (uint64_t i = 0; i < 5; i++) {
        call_list_add(&a, i, (double)i, i == 2);
    }
    struct call *b = call_list_copy(a);
    CU_ASSERT(call_list_equal(a, b));
    struct removed_call last = call_list_remove(&b, 4);
    CU_ASSERT(!call_list_equal(a, b) && !call_list_equal(b, a));
    call_list_undo_remove(last);
    CU_ASSERT(call_list_equal(a, b));
    b->next->since += 1;
    CU_ASSERT(!call_list_equal(a, b));
    b->next->since -= 1;
    b->is_urgent = 1;
    CU_ASSERT(!call_list_equal(a, b));
    call_list_free(&a);
    call_list_free(&b);
}

static void test_check(void)
{
    struct call second = {NULL, 3, 1.0, 0};
    struct call first = {&second, 2, 1.0, 0};
    CU_ASSERT_PTR_NULL(call_list_check(&first));
    first.since = 2.0;
    CU_ASSERT_PTR_NOT_NULL(call_list_check(&first));
    first.since = 0.5;
    first.phone = 3;
    CU_ASSERT_PTR_NOT_NULL(call_list_check(&first));
}

int main(void)
{
    CU_TestInfo tests[] = {
        {"done, undone, committed as an array", test_steps_and_back},
        {"copies are equal", test_copies},
        {"the check sees what is wrong", test_check},
    };
    return suite_run("pcs calls", tests, sizeof tests / sizeof tests[0]);
}
