/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Expressions of --where on hostile input: whatever the bytes are, reading them ends, a mistake has
 * words and a place within them, and what is read keeps the laws of logic.
 */
#include "fuzz/fuzz_promise.h"
#include "support/where_records.h"

/* Returns the records that "BEFORE TEXT AFTER" selects, as bits; -1: it is invalid. */
static int choose(struct where_records *r, const char *before, const char *text, const char *after)
{
    struct ws_where_error error = {NULL, 0};
    size_t size = strlen(before) + strlen(text) + strlen(after) + 1;
    char *whole = malloc(size);
    promise(whole != NULL, "there is memory");
    snprintf(whole, size, "%s%s%s", before, text, after);
    int chosen = where_choose(r, whole, &error);
    promise(chosen != -2, "a kind that has chosen records is known to have them");
    promise(chosen >= 0 || (error.words != NULL && error.at < size),
            "a mistake has words and a place");
    free(whole);
    return chosen;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct where_records r;
    char *text = fuzz_string(data, size);
    where_records_fill(&r);
    int chosen = choose(&r, "", text, "");
    int inside = choose(&r, "(", text, ")"), opposite = choose(&r, "!(", text, ")");
    if (chosen >= 0 && inside >= 0) { /* the brackets may be one level too deep */
        promise(chosen == inside, "brackets around all of it change nothing");
    }
    if (chosen >= 0 && inside >= 0 && opposite >= 0) { /* not "a) || (b", which brackets split */
        promise((inside & opposite) == 0, "nothing is true and not true");
    }
    free(text);
    return 0;
}
