/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reading pieces of a module's text.
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

unsigned ptx_target_number(struct ptx_text target)
{
    unsigned number = 0;
    for (uint32_t i = 3; i < target.length && target.s[i] >= '0' && target.s[i] <= '9'; i++) {
        number = number > 9999 ? number : number * 10 + (unsigned)(target.s[i] - '0');
    }
    return target.length > 3 && memcmp(target.s, "sm_", 3) == 0 ? number : 0;
}
