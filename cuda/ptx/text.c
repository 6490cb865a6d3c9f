/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reading the text of a module, and pieces of it.
 */
#include "ptx/ptx.h"
#include "store/array.h"
#include <errno.h>
#include <string.h>

char *ptx_read(FILE *in, size_t *size)
{
    enum { PIECE = 1 << 16, MOST = 1 << 30 };
    char *text = NULL;
    size_t room = 0;
    bool good = in != NULL;
    *size = 0;
    while (good && !feof(in)) {
        good = *size < MOST && array_reserve(&text, &room, *size + PIECE, 1);
        errno = good ? errno : *size < MOST ? ENOMEM : EFBIG;
        *size += good ? fread(text + *size, 1, room - *size - 1, in) : 0;
        good = good && !ferror(in);
    }
    int reason = errno;
    if (in != NULL) {
        fclose(in);
    }
    if (!good) {
        free(text);
        errno = reason;
        return NULL;
    }
    text[*size] = '\0';
    return text;
}

bool ptx_is(struct ptx_text text, const char *word)
{
    return strlen(word) == text.length && memcmp(text.s, word, text.length) == 0;
}

int ptx_find(struct ptx_text text, const void *rows, size_t row_size, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char *name;
        memcpy(&name, (const char *)rows + i * row_size, sizeof name);
        if (ptx_is(text, name)) {
            return (int)i;
        }
    }
    return -1;
}

bool ptx_has(const struct ptx_instruction *instruction, const char *modifier)
{
    for (uint32_t i = 0; i < instruction->modifier_count; i++) {
        if (ptx_is(instruction->modifiers[i], modifier)) {
            return true;
        }
    }
    return false;
}

unsigned ptx_target_number(struct ptx_text target)
{
    unsigned number = 0;
    for (uint32_t i = 3; i < target.length && target.s[i] >= '0' && target.s[i] <= '9'; i++) {
        number = number > 9999 ? number : number * 10 + (unsigned)(target.s[i] - '0');
    }
    return target.length > 3 && memcmp(target.s, "sm_", 3) == 0 ? number : 0;
}
