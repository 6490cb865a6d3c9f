/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * choice.c - the user's selection of kernels, supersteps, CTAs, SMs and addresses; see analysis.h.
 */
#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "memtrace/analysis.h"
#include "text/utf8.h"

/* Maximum number of kernels that a message names. */
#define NAMES_MAX 8u

/* Returns the length of the first pattern in the list p. A pattern ends at a comma that is outside
 * of angle brackets and parentheses, because names such as f<int, 2>(int*) contain commas. */
static size_t pattern_length(const char *p)
{
    size_t n = 0, depth = 0;
    for (; p[n] != '\0' && (p[n] != ',' || depth > 0); n++) {
        depth += p[n] == '<' || p[n] == '(';
        depth -= depth > 0 && (p[n] == '>' || p[n] == ')');
    }
    return n;
}

bool ws_memtrace_has_kernel(const struct ws_memtrace_choice *choice, uint32_t stream,
                            const char *shown)
{
    char pattern[MEMTRACE_NAME_MAX + 1], label[WS_KERNEL_SHOWN_MAX + 16];
    snprintf(label, sizeof label, "%" PRIu32 ":%s", stream, shown);
    for (const char *p = choice->kernels; p != NULL; p = *p == ',' ? p + 1 : NULL) {
        size_t bytes = pattern_length(p), length = bytes;
        length = length < sizeof pattern ? length : sizeof pattern - 1;
        memcpy(pattern, p, length);
        pattern[length] = '\0';
        if (fnmatch(pattern, shown, 0) == 0 || fnmatch(pattern, label, 0) == 0) {
            return true;
        }
        p += bytes;
    }
    return choice->kernels == NULL;
}

/* ---- Selections that match nothing ------------------------------------------------------------ */

/* Prints the beginning of an error message: the option, its value and the reason. */
static void none_say(const char *option, const char *value, const char *reason)
{
    fprintf(stderr, "warpscope memtrace: --%s=", option);
    utf8_plain_print(stderr, value);
    fprintf(stderr, ": %s", reason);
}

static bool kernels_check(const struct ws_memtrace *m)
{
    const struct ws_actors *actors = &m->book.actors;
    bool any = m->book.actors.choice->kernels == NULL;
    for (uint32_t i = 0; i < actors->names.n && !any; i++) {
        any = actors->kernels[i].chosen;
    }
    if (any) {
        return true;
    }
    none_say("kernel", m->book.actors.choice->kernels, "no kernel has such a name; the trace has ");
    for (uint32_t i = 0; i < actors->names.n && i < NAMES_MAX; i++) {
        fputs(i == 0 ? "" : "; ", stderr);
        utf8_plain_print(stderr, actors->kernels[i].label);
    }
    if (actors->names.n > NAMES_MAX) {
        fprintf(stderr, " and %" PRIu32 " more (info lists them)", actors->names.n - NAMES_MAX);
    }
    fputs(actors->names.n == 0 ? "no kernels\n" : "\n", stderr);
    return false;
}

/* Checks that the kernels of the selection are launched in its supersteps. */
static bool supersteps_check(const struct ws_memtrace *m)
{
    const struct ws_ranges *steps = &m->book.actors.choice->steps;
    uint32_t least = UINT32_MAX, most = 0;
    for (size_t i = 0; i < m->n_launches; i++) {
        const struct ws_memtrace_launch *l = &m->launches[i];
        if (m->book.actors.kernels[l->kernel].chosen) {
            if (ws_allows(steps, l->superstep)) {
                return true;
            }
            least = l->superstep < least ? l->superstep : least;
            most = l->superstep > most ? l->superstep : most;
        }
    }
    if (steps->n > 0) {
        fprintf(stderr,
                "warpscope memtrace: --superstep: %s launched in such a superstep; the launches "
                "have the supersteps %" PRIu32 " to %" PRIu32 "\n",
                m->book.actors.choice->kernels == NULL ? "nothing is" : "none of these kernels is",
                least, most);
    }
    return steps->n == 0;
}

static bool ctas_check(const struct ws_memtrace *m)
{
    const struct ws_actors *actors = &m->book.actors;
    uint32_t most[3] = {0};
    if (m->book.actors.choice->cta_mask == 0) {
        return true;
    }
    for (uint32_t i = 0; i < actors->n; i++) {
        if (actors->actors[i].chosen) {
            return true;
        }
        for (int part = 0; part < 3; part++) {
            uint32_t x = ws_cta_part(actors->actors[i].cta, part);
            most[part] = x > most[part] ? x : most[part];
        }
    }
    fprintf(stderr,
            "warpscope memtrace: --cta: no access is from such a CTA; X is at most %" PRIu32
            ", Y %" PRIu32 " and Z %" PRIu32 "\n",
            most[0], most[1], most[2]);
    return false;
}

bool ws_memtrace_choice_check(const struct ws_memtrace *m)
{
    if (m->n_launches == 0) {
        return true;
    }
    if (!kernels_check(m) || !supersteps_check(m)) {
        return false;
    }
    if (m->book.actors.choice->addresses_given && m->records == 0 &&
        m->least_address <= m->most_address) {
        fprintf(
            stderr,
            "warpscope memtrace: --address: no access begins there; accesses begin at 0x%" PRIx64
            " to 0x%" PRIx64 "\n",
            m->least_address, m->most_address);
        return false;
    }
    if (m->depth == WS_MEMTRACE_COUNT || m->records == 0) {
        return true;
    }
    if (!m->has_sm) {
        fprintf(stderr,
                "warpscope memtrace: --sm: no access is from such an SM; their numbers are at most "
                "%" PRIu32 "\n",
                m->most_sm);
        return false;
    }
    return ctas_check(m);
}
