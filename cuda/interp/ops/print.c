/* SPDX-License-Identifier: BSD-3-Clause
 *
 * printf() of kernels.
 */
#include "interp/ops/print.h"
#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { FORMAT_MAX = 4096, STRING_MAX = 4096, CONVERSION_MAX = 64 };

void print_string(struct warp *warp, unsigned lane, uint64_t address, char *text, size_t size)
{
    size_t length = 0;
    assert(size > 0 && lane < WARP_LANES);
    while (length + 1 < size) {
        const char *at = access_generic(warp, lane, address + length, 1, false);
        if (!at || !*at) {
            break;
        }
        text[length++] = *at;
    }
    text[length] = '\0';
}

/* Arguments of one call of printf(). next: device address of the next argument; count: number of
 * arguments taken so far. */
struct arguments {
    struct warp *warp;
    const struct op *op;
    unsigned lane;
    uint64_t next;
    int count;
    bool failed;
};

static uint64_t take(struct arguments *arguments, uint64_t bytes)
{
    uint64_t value = 0;
    assert(bytes == 4 || bytes == 8);
    arguments->next = (arguments->next + bytes - 1) & ~(bytes - 1);
    const char *at =
        access_generic(arguments->warp, arguments->lane, arguments->next, bytes, false);
    if (!at) {
        fault(arguments->warp, arguments->op, arguments->lane, INTERP_BAD_ADDRESS,
              "arguments of printf() outside allocations at address 0x%llx",
              (unsigned long long)arguments->next);
        arguments->failed = true;
        return 0;
    }
    memcpy(&value, at, bytes);
    arguments->next += bytes;
    arguments->count++;
    return value;
}

/* Prints one argument. flags: text of the conversion, from the % to the precision; longs: number of
 * modifiers for a long integer; letter: last letter of the conversion. */
static void print_one(struct arguments *arguments, const char *flags, unsigned longs, char letter)
{
    char format[CONVERSION_MAX + 8], text[STRING_MAX];
    double real;
    uint64_t bits;
    switch (letter) {
    case 'd':
    case 'i':
        bits = take(arguments, longs ? 8 : 4);
        snprintf(format, sizeof format, "%s%s%c", flags, "ll", letter);
        printf(format, longs ? (long long)bits : (long long)(int32_t)bits);
        break;
    case 'u':
    case 'x':
    case 'X':
    case 'o':
        bits = take(arguments, longs ? 8 : 4);
        snprintf(format, sizeof format, "%s%s%c", flags, "ll", letter);
        printf(format, (unsigned long long)bits);
        break;
    case 'c':
        snprintf(format, sizeof format, "%sc", flags);
        printf(format, (int)take(arguments, 4));
        break;
    case 'p':
        bits = take(arguments, 8);
        snprintf(format, sizeof format, "%ss", flags);
        snprintf(text, sizeof text, "0x%llx", (unsigned long long)bits);
        printf(format, text);
        break;
    case 's':
        print_string(arguments->warp, arguments->lane, take(arguments, 8), text, sizeof text);
        snprintf(format, sizeof format, "%ss", flags);
        printf(format, text);
        break;
    default: /* e, f, g and a, or their capitals */
        bits = take(arguments, 8);
        memcpy(&real, &bits, sizeof real);
        snprintf(format, sizeof format, "%s%c", flags, letter);
        printf(format, real);
    }
}

/* Prints the argument for the conversion at format, which begins with %. Returns the text after the
 * conversion. */
static const char *print_conversion(struct arguments *arguments, const char *format)
{
    char flags[CONVERSION_MAX] = "%";
    size_t length = 1;
    unsigned longs = 0;
    const char *at = format + 1;
    for (; *at && strchr("-+ #0123456789.*", *at) && length < CONVERSION_MAX - 16; at++) {
        if (*at == '*') {
            length += (size_t)snprintf(flags + length, sizeof flags - length, "%d",
                                       (int)take(arguments, 4));
        } else {
            flags[length++] = *at;
        }
    }
    assert(length < sizeof flags);
    flags[length] = '\0';
    for (; *at && strchr("hlLqjzt", *at); at++) {
        longs += *at != 'h';
    }
    if (*at == '%') {
        putchar('%');
    } else if (*at && strchr("diuxXocpsfFeEgGaA", *at)) {
        print_one(arguments, flags, longs, *at);
    } else {
        fputs(format, stdout);
        return "";
    }
    return *at ? at + 1 : at;
}

int print_format(struct warp *warp, const struct op *op, unsigned lane, uint64_t format,
                 uint64_t from)
{
    char text[FORMAT_MAX];
    struct arguments arguments = {warp, op, lane, from, 0, false};
    print_string(warp, lane, format, text, sizeof text);
    flockfile(stdout);
    for (const char *at = text; *at && !arguments.failed;) {
        if (*at == '%') {
            at = print_conversion(&arguments, at);
        } else {
            putchar(*at++);
        }
    }
    funlockfile(stdout);
    return arguments.failed ? -1 : arguments.count;
}
