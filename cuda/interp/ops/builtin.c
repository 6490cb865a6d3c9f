/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Functions of CUDA's device library: vprintf, malloc, free, assertions.
 */
#include "interp/machine.h"
#include <assert.h>
#include <stdio.h>
#include <string.h>

/* ---- printf() of kernels ----------------------------------------------------------------------- */

enum { FORMAT_MAX = 4096, STRING_MAX = 4096, CONVERSION_MAX = 64 };

/* Copies the string at a device address to text (size bytes). The copy ends at the end of the
 * string, at the end of readable memory, or after size - 1 characters. */
static void print_string(struct warp *warp, unsigned lane, uint64_t address, char *text,
                         size_t size)
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
    snprintf(format, sizeof format, "%s%s%c", flags, strchr("diuxXo", letter) ? "ll" : "",
             letter == 'p' ? 's' : letter);
    switch (letter) {
    case 'd':
    case 'i':
    case 'u':
    case 'x':
    case 'X':
    case 'o':
        bits = take(arguments, longs ? 8 : 4);
        printf(format, longs || !strchr("di", letter) ? (long long)bits : (int32_t)bits);
        break;
    case 'c':
        printf(format, (int)take(arguments, 4));
        break;
    case 'p':
        snprintf(text, sizeof text, "0x%llx", (unsigned long long)take(arguments, 8));
        printf(format, text);
        break;
    case 's':
        print_string(arguments->warp, arguments->lane, take(arguments, 8), text, sizeof text);
        printf(format, text);
        break;
    default: /* e, f, g and a, or their capitals */
        bits = take(arguments, 8);
        memcpy(&real, &bits, sizeof real);
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

/* Prints a formatted text to standard output at once. format, from: device addresses of the format
 * and of the first argument. The arguments lie one after the other, each aligned to its size.
 * Returns the number of arguments, or -1 after a fault. */
static int print_format(struct warp *warp, const struct op *op, unsigned lane, uint64_t format,
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

/* ---- Functions --------------------------------------------------------------------------------- */

/* Returns argument n of a lane, or only its first 8 bytes if it is longer. */
static uint64_t argument(const struct warp *warp, const struct call *call, uint32_t n,
                         unsigned lane)
{
    uint64_t value = 0;
    if (n < call->argument_count) {
        struct end from = frame_end(warp, warp->frame, &call->arguments[n]);
        memcpy(&value, from.at + lane * from.stride,
               from.bytes < sizeof value ? from.bytes : sizeof value);
    }
    return value;
}

static void set_result(struct warp *warp, const struct call *call, unsigned lane, uint64_t value)
{
    if (call->result_count > 0) {
        struct end to = frame_end(warp, warp->frame, &call->results[0]);
        memcpy(to.at + lane * to.stride, &value, to.bytes < sizeof value ? to.bytes : sizeof value);
    }
}

static void print(struct warp *warp, const struct op *op)
{
    const struct call *call = op->extra;
    FOR_MASK(warp->mask, {
        if (warp->launch->end != INTERP_DONE) {
            return;
        }
        set_result(warp, call, i,
                   (uint64_t)print_format(warp, op, i, argument(warp, call, 0, i),
                                          argument(warp, call, 1, i)));
    })
}

static void allocate(struct warp *warp, const struct op *op)
{
    const struct call *call = op->extra;
    FOR_MASK(warp->mask, {
        set_result(warp, call, i,
                   device_alloc(warp->launch->device, ARENA_HEAP, argument(warp, call, 0, i)));
    })
}

static void release(struct warp *warp, const struct op *op)
{
    const struct interp *device = warp->launch->device;
    const struct call *call = op->extra;
    FOR_MASK(warp->mask, {
        uint64_t address = argument(warp, call, 0, i);
        if (address &&
            (address - device->base < HEAP_BEGIN || address - device->base >= MAIN_BEGIN ||
             !device_free(warp->launch->device, address))) {
            fault(warp, op, i, INTERP_BAD_ADDRESS,
                  "free() of address 0x%llx, which malloc() has not returned",
                  (unsigned long long)address);
            return;
        }
    })
}

static void assertion(struct warp *warp, const struct op *op)
{
    const struct call *call = op->extra;
    unsigned lane = (unsigned)__builtin_ctz(warp->mask);
    char message[128];
    char file[128];
    char function[96];
    print_string(warp, lane, argument(warp, call, 0, lane), message, sizeof message);
    print_string(warp, lane, argument(warp, call, 1, lane), file, sizeof file);
    print_string(warp, lane, argument(warp, call, 3, lane), function, sizeof function);
    fault(warp, op, lane, INTERP_TRAP, "assertion `%s' failed at %s:%u in %s", message, file,
          (unsigned)argument(warp, call, 2, lane), function);
}

op_handler builtin_find(struct ptx_text name)
{
    static const struct {
        const char *name;
        op_handler run;
    } functions[] = {
        {"vprintf", print}, {"malloc", allocate}, {"free", release}, {"__assertfail", assertion}};
    int i = PTX_FIND(name, functions);
    return i < 0 ? NULL : functions[i].run;
}
