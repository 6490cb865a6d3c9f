/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The list of --tracer on hostile input. For any list, parsing ends; an error has a message of one
 * line; an accepted specification decides about tasks in bounded time.
 */
#include "fuzz/fuzz_promise.h"
#include "task/tracer.h"

/* Kinds, contents and places of tasks. */
static const char *const tasks[][3] = {
    {"req_in", "GET", "router.3"},
    {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab", "", "[x]"},
    {"a,b;c\\", "*?", "\xc3\xa4"},
};

/* Returns false if the specification is refused. */
static bool spec_look(const char *text, size_t length)
{
    char error[256];
    struct tracer_spec spec;
    enum tw_status status = tracer_spec_read(&spec, text, length, error, sizeof error);
    if (status != TW_OK) {
        promise(status == TW_ERR_USAGE, "a mistake in a specification is one of usage");
        promise(spec.text == NULL && spec.patterns == NULL, "what is refused holds no memory");
        promise_message(error, sizeof error);
        return false;
    }
    promise((unsigned)spec.kind <= TRACER_DATABASE, "a tracer has a kind");
    bool any = spec.kinds == NULL && spec.whats == NULL && spec.wheres == NULL;
    for (size_t i = 0; i < sizeof tasks / sizeof tasks[0]; i++) {
        const struct task task = {.kind = tasks[i][0], .what = tasks[i][1], .where = tasks[i][2]};
        bool fits = tracer_spec_fits(&spec, &task);
        promise(fits || !any, "a tracer without patterns takes all tasks");
    }
    tracer_spec_fini(&spec);
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_string(data, size);
    const char *at = text;
    bool good = true;
    while (good && *at != '\0') {
        size_t length = tracer_spec_length(at, ';');
        promise(length <= strlen(at), "a specification ends within its text");
        good = length == 0 || spec_look(at, length);
        at += length + (at[length] == ';');
    }
    free(text);
    return 0;
}
