/* SPDX-License-Identifier: BSD-3-Clause */
/* shell_words.c - see shell_words.h. */
#include "base/shell_words.h"

#include <assert.h>

#include "ross.h"

char *shell_words_join(int n, char *const *words)
{
    size_t size = 1;
    for (int i = 0; i < n; i++) {
        size += 4 * strlen(words[i]) + 3;
    }
    char *line = tw_calloc(TW_LOC, "command line", 1, size);
    char *at = line;
    for (int i = 0; i < n; i++) {
        bool quote =
            words[i][0] == '\0' || strpbrk(words[i], " \t\r\n'\"\\$*?[]{}()<>|&;`!#~") != NULL;
        at += sprintf(at, i == 0 ? "" : " ");
        at += sprintf(at, quote ? "'" : "");
        for (const char *c = words[i]; *c != '\0'; c++) {
            at += *c == '\'' ? sprintf(at, "'\\''") : sprintf(at, "%c", *c);
        }
        at += sprintf(at, quote ? "'" : "");
    }
    assert(at < line + size);
    return line;
}
