/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * actors.c - see actors.h. Memory per actor: 16 to 32 bytes in the array, 11 to 21 in the index.
 *
 * Invariants:
 * 1. A search by kernel and CTA finds each actor from 0 to n - 1.
 * 2. No two actors have the same kernel and CTA.
 * 3. n < WS_ACTOR_NONE / 2.
 */
#include "memtrace/actors.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/text_new.h"

#include "format/memtrace.h"
#include "render/text.h"
#include "store/array.h"
#include "store/check.h"

#define ACTORS_MAX  (1u << 30)
#define KERNELS_MAX (1u << 24)

/* ---- Kernels --------------------------------------------------------------------------------- */

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

char *ws_kernel_show(char *to, const char *name)
{
    static const char hex[] = "0123456789abcdef";
    size_t size = strlen(name);
    for (size_t i = 0; i < size;) {
        size_t n = utf8_length(name + i, size - i);
        /* Each invalid byte is written as \xNN. One replacement character for all invalid bytes
         * would make different names equal. */
        if (n == 0) {
            unsigned byte = (unsigned char)name[i++];
            const char text[4] = {'\\', 'x', hex[byte >> 4], hex[byte & 15]};
            memcpy(to, text, sizeof text);
            to += sizeof text;
        }
        memcpy(to, name + i, n);
        to += n;
        i += n;
    }
    *to = '\0';
    return to;
}

uint32_t ws_kernel_find(const struct ws_actors *actors, uint32_t stream, const char *name)
{
    char key[4 + MEMTRACE_NAME_MAX];
    size_t length = strlen(name);
    if (length > MEMTRACE_NAME_MAX) {
        return WS_NAMES_NONE;
    }
    memcpy(key, &stream, 4);
    memcpy(key + 4, name, length);
    return ws_intern_find(&actors->names, key, length + 4);
}

uint32_t ws_kernel_add(struct ws_actors *actors, uint32_t stream, const char *name)
{
    size_t length = strlen(name);
    char *key = malloc(length + 4), *label = malloc(4 * length + 16);
    uint32_t number = WS_NAMES_NONE, before = actors->names.n;
    if (key != NULL && label != NULL &&
        array_reserve(&actors->kernels, &actors->kernels_room, before + 1u,
                      sizeof *actors->kernels)) {
        memcpy(key, &stream, 4);
        memcpy(key + 4, name, length);
        number = ws_intern_add(&actors->names, key, length + 4, KERNELS_MAX);
    }
    free(key);
    if (number == WS_NAMES_NONE || number != before) {
        free(label);
        return number;
    }
    int before_name = actors->several ? snprintf(label, 16, "%" PRIu32 ":", stream) : 0;
    const char *shown = label + before_name;
    ws_kernel_show(label + before_name, name);
    actors->kernels[number] =
        (struct ws_kernel){.label = label,
                           .shown = shown,
                           .stream = stream,
                           .chosen = ws_memtrace_has_kernel(actors->choice, stream, shown)};
    return number;
}

/* ---- Short names ------------------------------------------------------------------------------ */

/* Parts of a demangled name: without type, parameters and template arguments; with the latter; all. */
enum part { PART_NAME, PART_TEMPLATE, PART_ALL };
struct piece {
    const char *s;
    size_t length;
};

/* Returns how much deeper in brackets the text before a character is than the text after it. */
static int depth_before(char c)
{
    return c == ')' || c == '>' ? 1 : c == '(' || c == '<' ? -1 : 0;
}

/* Returns the length of the text before the bracket that its last character closes. */
static size_t before_bracket(const char *s, size_t length)
{
    int depth = 0;
    while (length > 0) {
        depth += depth_before(s[--length]);
        if (depth == 0) {
            return length;
        }
    }
    return 0;
}

static struct piece piece_of(const char *name, enum part part)
{
    struct piece all = {name, strlen(name)}, p = all;
    if (part == PART_ALL || p.length == 0 || name[p.length - 1] != ')') {
        return all;
    }
    p.length = before_bracket(name, p.length);
    size_t core = p.length;
    if (core > 0 && name[core - 1] == '>') {
        core = before_bracket(name, core);
        p.length = part == PART_NAME ? core : p.length;
    }
    int depth = 0;
    for (size_t i = core; i > 0; i--) { /* the type ends with the last blank outside of brackets */
        depth += depth_before(name[i - 1]);
        if (name[i - 1] == ' ' && depth == 0) {
            return (struct piece){name + i, p.length - i};
        }
    }
    return core > 0 ? p : all;
}

/* Returns true if no other kernel of the stream has the same part of its name. */
static bool is_unique(const struct ws_actors *actors, uint32_t kernel, enum part part)
{
    const struct ws_kernel *all = actors->kernels;
    struct piece mine = piece_of(all[kernel].shown, part);
    for (uint32_t i = 0; i < actors->names.n; i++) {
        struct piece other = piece_of(all[i].shown, part);
        if (i != kernel && all[i].stream == all[kernel].stream && other.length == mine.length &&
            memcmp(other.s, mine.s, mine.length) == 0) {
            return false;
        }
    }
    return true;
}

/* If there are more kernels, their names are not compared. */
enum { SHORTENED_MAX = 2000 };

bool ws_kernels_shorten(struct ws_actors *actors)
{
    for (uint32_t i = 0; i < actors->names.n; i++) {
        struct ws_kernel *k = &actors->kernels[i];
        enum part part = actors->names.n > SHORTENED_MAX ? PART_ALL : PART_NAME;
        while (part < PART_ALL && !is_unique(actors, i, part)) {
            part++;
        }
        struct piece piece = piece_of(k->shown, part);
        k->text =
            text_new("%.*s%.*s", (int)(k->shown - k->label), k->label, (int)piece.length, piece.s);
        if (k->text == NULL) {
            return false;
        }
    }
    return true;
}

/* ---- Actors ---------------------------------------------------------------------------------- */

static uint32_t hash_of(uint32_t kernel, uint64_t cta)
{
    uint64_t h = (cta ^ (uint64_t)kernel << 40) * 0x9e3779b97f4a7c15u;
    return (uint32_t)((h ^ h >> 32) * 0xbf58476d1ce4e5b9u >> 32);
}

static uint32_t find(const struct ws_actors *actors, uint32_t hash, uint32_t kernel, uint64_t cta)
{
    uint32_t number;
    for (uint32_t at = hash; index_next(&actors->index, hash, &at, &number);) {
        const struct ws_actor *a = &actors->actors[number];
        if (a->cta == cta && a->kernel == kernel) {
            return number;
        }
    }
    return WS_ACTOR_NONE;
}

uint32_t ws_actor_add(struct ws_actors *actors, uint32_t kernel, uint64_t cta)
{
    const struct ws_memtrace_choice *c = actors->choice;
    if (actors->n > 0 && actors->actors[actors->last].cta == cta &&
        actors->actors[actors->last].kernel == kernel) {
        return actors->last;
    }
    uint32_t hash = hash_of(kernel, cta), number = find(actors, hash, kernel, cta);
    if (number == WS_ACTOR_NONE) {
        if (actors->n == ACTORS_MAX ||
            !array_reserve(&actors->actors, &actors->room, actors->n + 1u,
                           sizeof *actors->actors) ||
            !index_add(&actors->index, hash, actors->n)) {
            return WS_ACTOR_NONE;
        }
        actors->actors[actors->n] = (struct ws_actor){.cta = cta,
                                                      .kernel = kernel,
                                                      .chosen = actors->kernels[kernel].chosen &&
                                                                (cta & c->cta_mask) == c->cta};
        number = actors->n++;
    }
    actors->last = number;
    return number;
}

void ws_actors_free(struct ws_actors *actors)
{
    for (uint32_t i = 0; i < actors->names.n; i++) {
        free(actors->kernels[i].label);
        free(actors->kernels[i].text);
    }
    ws_intern_free(&actors->names);
    free(actors->kernels);
    free(actors->actors);
    index_fini(&actors->index);
    *actors = (struct ws_actors){0};
}

bool ws_actors_check(const struct ws_actors *actors)
{
    HOLDS(ws_intern_check(&actors->names));
    HOLDS(index_check(&actors->index) && actors->index.n == actors->n);
    for (uint32_t i = 0; i < actors->n; i++) {
        const struct ws_actor *a = &actors->actors[i];
        HOLDS(find(actors, hash_of(a->kernel, a->cta), a->kernel, a->cta) == i);
        HOLDS(a->kernel < actors->names.n);
    }
    return true;
}
