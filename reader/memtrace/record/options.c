/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * options.c - reads the options of "warpscope memtrace record"; see record.h.
 */
#include <inttypes.h>
#include <string.h>

#include "cli/exit.h"
#include "memtrace/record/record.h"

/* Maximum numbers of SMs and devices in the CUDA runtime for the CPU. */
#define SMS_MAX     4096u
#define DEVICES_MAX 16u

#define RING_MIN 64u
#define RING_MAX (1u << 26)

/* Indices of the options in the arrays of struct given. */
enum { OUTPUT, ON, SMS, DEVICES, RING, FORMAT, NAMES };

/* The options of the subcommand "record", and their values. */
struct given {
    const struct ws_usage *usage;
    const struct ws_option *options;
    const char *const *values;
};

/* Returns true if a text is a valid size of a ring: a power of two, with the suffix k or M or
 * without one, from RING_MIN to RING_MAX. */
static bool ring_check(const char *text)
{
    char digits[24];
    uint64_t n;
    size_t length = strlen(text);
    char last = length == 0 ? '\0' : text[length - 1];
    unsigned shift = last == 'k' ? 10 : last == 'M' ? 20 : 0;
    if (length == 0 || length >= sizeof digits) {
        return false;
    }
    memcpy(digits, text, length + 1);
    digits[length - (shift > 0)] = '\0';
    if (!ws_parse_u64(digits, &n) || n > RING_MAX) {
        return false;
    }
    n <<= shift;
    return n >= RING_MIN && n <= RING_MAX && (n & (n - 1)) == 0;
}

/* Checks that the value of an option is a number from 1 to `most`. Accepts an option that was not
 * given. Returns WS_EXIT_OK, or another exit status after an error message. */
static int count_check(const struct given *g, int option, uint64_t most)
{
    const char *text = g->values[option];
    uint64_t n;
    if (text != NULL && (!ws_parse_u64(text, &n) || n < 1 || n > most)) {
        return ws_usage_error(g->usage, "--%s=%s: must be a whole number from 1 to %" PRIu64,
                              g->options[option].name, text, most);
    }
    return WS_EXIT_OK;
}

/* Sets *at to the index of an option's value in the list of words that the option accepts; 0 if the
 * option was not given. Returns WS_EXIT_OK, or another exit status after an error message. */
static int word_read(const struct given *g, int option, int *at)
{
    const char *text = g->values[option], *words = g->options[option].value_name;
    *at = 0;
    for (const char *word = words; text != NULL; *at += 1) {
        size_t length = strcspn(word, "|");
        if (strlen(text) == length && memcmp(word, text, length) == 0) {
            return WS_EXIT_OK;
        }
        if (word[length] == '\0') {
            return ws_usage_error(g->usage, "--%s=%s: must be one of %s", g->options[option].name,
                                  text, words);
        }
        word += length + 1;
    }
    return WS_EXIT_OK;
}

int ws_record_options_read(struct ws_record *r, const struct ws_usage *usage, int first,
                           struct ws_args *args)
{
    const struct given g = {usage, usage->options + first,
                            (const char *const *)args->values + first};
    const char *output = g.values[OUTPUT], *ring = g.values[RING];
    int on, form, names;
    int status = word_read(&g, ON, &on);
    status = status == WS_EXIT_OK ? word_read(&g, FORMAT, &form) : status;
    status = status == WS_EXIT_OK ? word_read(&g, NAMES, &names) : status;
    status = status == WS_EXIT_OK ? count_check(&g, SMS, SMS_MAX) : status;
    status = status == WS_EXIT_OK ? count_check(&g, DEVICES, DEVICES_MAX) : status;
    if (status != WS_EXIT_OK) {
        return status;
    }
    if (ring != NULL && !ring_check(ring)) {
        return ws_usage_error(usage, "--ring=%s: must be a power of two from 64 to 64M", ring);
    }
    if (output != NULL && output[0] == '\0') {
        return ws_usage_error(usage, "--output needs a directory");
    }
    args->operands[args->n_operands] = NULL; /* argv has space for this additional element */
    *r = (struct ws_record){.on = (enum ws_record_on)on,
                            .directory = output == NULL ? "memtrace-traces" : output,
                            .sms = g.values[SMS],
                            .devices = g.values[DEVICES],
                            .ring = ring,
                            .is_compressed = form == 1,
                            .is_mangled = names == 1,
                            .program = args->operands + 1};
    return WS_EXIT_OK;
}
