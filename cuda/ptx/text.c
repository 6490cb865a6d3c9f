/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Comparing pieces of a module's text.
 */
#include "ptx/ptx.h"
#include <string.h>

bool ptx_is(struct ptx_text text, const char *word)
{
    return strlen(word) == text.length && memcmp(text.s, word, text.length) == 0;
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
