/* SPDX-License-Identifier: BSD-3-Clause */
/* guard.c - secrets, and numbers from requests; see serve.h. */
#include <stdio.h>
#include <unistd.h>

#include "data/number.h"
#include "serve/serve.h"

bool serve_secret_make(char secret[SERVE_SECRET + 1])
{
    unsigned char bits[SERVE_SECRET / 2];
    if (getentropy(bits, sizeof bits) != 0) {
        return false;
    }
    for (size_t i = 0; i < sizeof bits; i++) {
        snprintf(secret + 2 * i, 3, "%02x", bits[i]);
    }
    return true;
}

bool serve_secret_is(const char *given, size_t size, const char *secret)
{
    volatile unsigned char differ = size != SERVE_SECRET;
    for (size_t i = 0; i < SERVE_SECRET; i++) {
        differ |= (unsigned char)((i < size ? given[i] : 0) ^ secret[i]);
    }
    return differ == 0;
}

bool serve_number_read(const char *text, uint64_t max, uint64_t missing, uint64_t *number)
{
    *number = missing;
    return text == NULL || (ws_parse_u64(text, number) && *number <= max);
}
