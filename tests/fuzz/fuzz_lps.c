/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The list of --trace-lps on hostile input. For any list, parsing ends; an error has a message of
 * one line, the same on all ranks. Each rank selects those of its LPs that a single rank with all
 * LPs selects.
 */
#include "fuzz/fuzz_promise.h"
#include "record/describe/trace_filter.h"

#define LPS  24u
#define HALF (LPS / 2)

static const char *known[] = {"host.fast", "router", "zone-1"};

static struct tw_lp lps[LPS];
static tw_lp *list[LPS];
static uint32_t types[LPS];

static enum tw_status choose(const char *text, bool named, tw_lpid first, tw_lpid n, bool *traced,
                             char *error, size_t room)
{
    const struct lp_names names = {
        .names = known, .n_names = named ? 3 : 0, .by_lp = named ? types + first : NULL};
    memset(traced, 0, n * sizeof *traced);
    error[0] = '\0';
    return trace_filter_read(text, &names, NULL, NULL, list + first, n, LPS, traced, error, room);
}

static void text_look(const char *text, bool named)
{
    bool all[LPS], parts[LPS];
    char error[300], part_error[300];
    enum tw_status status = choose(text, named, 0, LPS, all, error, sizeof error);
    if (status != TW_OK) {
        promise(status == TW_ERR_USAGE, "a mistake in a list is one of usage");
        promise_message(error, sizeof error);
    }
    for (tw_lpid first = 0; first < LPS; first += HALF) {
        enum tw_status part =
            choose(text, named, first, HALF, parts + first, part_error, sizeof part_error);
        promise(part == status && strcmp(error, part_error) == 0, "ranks agree on a mistake");
    }
    promise(memcmp(all, parts, sizeof all) == 0, "ranks select what one rank selects");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    for (tw_lpid i = 0; i < LPS; i++) {
        lps[i] = (struct tw_lp){.gid = i, .id = i};
        list[i] = &lps[i];
        types[i] = (uint32_t)(i % 4); /* 0: no name */
    }
    char *text = fuzz_string(data, size);
    text_look(text, true);
    text_look(text, false);
    free(text);
    return 0;
}
