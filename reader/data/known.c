/* SPDX-License-Identifier: BSD-3-Clause */
/* known.c - see known.h. */
#include "data/known.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cli/args.h"
#include "text/text.h"

void ws_known_add(char *known, size_t size, const char *name)
{
    char plain[64];
    size_t used = strlen(known);
    ws_plain_text(plain, sizeof plain, name);
    size_t length = strlen(plain);
    if (length == 0) { /* an empty name would match past the end */
        return;
    }
    for (const char *at = strstr(known, plain); at != NULL; at = strstr(at + 1, plain)) {
        bool begins = at == known || at[-1] == ' ';
        if (begins && (at[length] == '\0' || at[length] == ',')) {
            return;
        }
    }
    if (used + length + 3 < size) {
        snprintf(known + used, size - used, "%s%s", used > 0 ? ", " : "", plain);
    }
}

void ws_known_nearest(const char *known, const char *word, char near[64])
{
    near[0] = '\0';
    while (*known != '\0') {
        char name[64];
        size_t length = strcspn(known, ",");
        snprintf(name, sizeof name, "%.*s", (int)length, known);
        const char *const names[] = {name, near};
        if (ws_nearest(word, names, near[0] == '\0' ? 1 : 2) == name) {
            memcpy(near, name, sizeof name);
        }
        known += length + strspn(known + length, ", ");
    }
}
