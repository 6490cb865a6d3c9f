/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * actors.c - see actors.h. A hash table with open addressing over an array of
 * actors. Memory: 16 to 32 bytes per actor and 8 to 16 of the table.
 *
 * Invariants:
 * 1. Each actor of 0 .. n - 1 is found by its kernel and CTA.
 * 2. No actor is there twice.
 * 3. n < WS_ACTOR_NONE / 2.
 */
#include "memtrace/actors.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "render/text.h"

#define ACTORS_MAX  (1u << 30)
#define KERNELS_MAX (1u << 24)

/* ---- Kernels --------------------------------------------------------------------------------- */

static bool kernel_room(struct ws_actors *actors)
{
    if (actors->names.n < actors->kernels_room) {
        return true;
    }
    uint32_t room = actors->kernels_room == 0 ? 16 : 2 * actors->kernels_room;
    struct ws_kernel *kernels = realloc(actors->kernels, room * sizeof *kernels);
    if (kernels == NULL) {
        return false;
    }
    actors->kernels = kernels;
    actors->kernels_room = room;
    return true;
}

char *ws_kernel_show(char *to, const char *name)
{
    static const char hex[] = "0123456789abcdef";
    size_t size = strlen(name);
    for (size_t i = 0; i < size;) {
        size_t n = utf8_length(name + i, size - i);
        if (n == 0) { /* a common replacement would make different names equal */
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

uint32_t ws_kernel_add(struct ws_actors *actors, uint32_t stream, const char *name, bool several,
                       bool *is_new)
{
    size_t length = strlen(name);
    char *key = malloc(length + 4), *label = malloc(4 * length + 16);
    uint32_t number = WS_NAMES_NONE, before = actors->names.n;
    if (key != NULL && label != NULL && kernel_room(actors)) {
        memcpy(key, &stream, 4);
        memcpy(key + 4, name, length);
        number = ws_intern_add(&actors->names, key, length + 4, KERNELS_MAX);
    }
    free(key);
    *is_new = number != WS_NAMES_NONE && number == before;
    if (!*is_new) {
        free(label);
        return number;
    }
    int before_name = several ? snprintf(label, 16, "%" PRIu32 ":", stream) : 0;
    ws_kernel_show(label + before_name, name);
    actors->kernels[number] =
        (struct ws_kernel){.label = label, .shown = label + before_name, .stream = stream};
    return number;
}

/* ---- Actors ---------------------------------------------------------------------------------- */

static uint32_t *slot_of(const struct ws_actors *actors, uint32_t kernel, uint64_t cta)
{
    uint64_t h = (cta ^ (uint64_t)kernel << 40) * 0x9e3779b97f4a7c15u;
    h = (h ^ h >> 32) * 0xbf58476d1ce4e5b9u;
    uint32_t mask = actors->n_slots - 1, at = (uint32_t)(h >> 32) & mask;
    while (actors->slots[at] != 0) {
        const struct ws_actor *a = &actors->actors[actors->slots[at] - 1];
        if (a->cta == cta && a->kernel == kernel) {
            break;
        }
        at = (at + 1) & mask;
    }
    return &actors->slots[at];
}

static bool grow(struct ws_actors *actors)
{
    uint32_t room = actors->room == 0 ? 256 : 2 * actors->room;
    if (room > ACTORS_MAX) {
        return false;
    }
    struct ws_actor *list = realloc(actors->actors, room * sizeof *list);
    uint32_t *slots = calloc(2 * (size_t)room, sizeof *slots);
    actors->actors = list == NULL ? actors->actors : list;
    if (list == NULL || slots == NULL) {
        free(slots);
        return false;
    }
    free(actors->slots);
    actors->slots = slots;
    actors->n_slots = 2 * room;
    actors->room = room;
    for (uint32_t i = 0; i < actors->n; i++) {
        *slot_of(actors, list[i].kernel, list[i].cta) = i + 1;
    }
    return true;
}

uint32_t ws_actor_add(struct ws_actors *actors, uint32_t kernel, uint64_t cta, bool *is_new)
{
    *is_new = false;
    if (actors->n > 0 && actors->actors[actors->last].cta == cta &&
        actors->actors[actors->last].kernel == kernel) {
        return actors->last;
    }
    if (actors->n == actors->room && !grow(actors)) {
        return WS_ACTOR_NONE;
    }
    uint32_t *slot = slot_of(actors, kernel, cta);
    if (*slot == 0) {
        actors->actors[actors->n] = (struct ws_actor){.cta = cta, .kernel = kernel};
        *slot = ++actors->n;
        *is_new = true;
    }
    actors->last = *slot - 1;
    return actors->last;
}

void ws_actors_free(struct ws_actors *actors)
{
    for (uint32_t i = 0; i < actors->names.n; i++) {
        free(actors->kernels[i].label);
    }
    ws_intern_free(&actors->names);
    free(actors->kernels);
    free(actors->actors);
    free(actors->slots);
    *actors = (struct ws_actors){0};
}

void ws_actors_check(const struct ws_actors *actors)
{
    ws_intern_check(&actors->names);
    for (uint32_t i = 0; i < actors->n; i++) {
        assert(*slot_of(actors, actors->actors[i].kernel, actors->actors[i].cta) == i + 1);
        assert(actors->actors[i].kernel < actors->names.n);
    }
}
