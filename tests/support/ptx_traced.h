/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ptx_traced.h - runs a kernel on the interpreter three times: as it is with an observer, rewritten with a slot, and
 * rewritten without one. The records in the slot's ring must be the observer's, and memory must be the same.
 *
 * The kernel is called k, and has two parameters of 64 bits: the address of a buffer and a number.
 */
#ifndef WARPSCOPE_TESTS_PTX_TRACED_H
#define WARPSCOPE_TESTS_PTX_TRACED_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interp/interp.h"
#include "rewrite/rewrite.h"
#include "trace/slot.h"

enum { TRACED_BUFFER = 1 << 16, TRACED_RING = 1 << 18 };

struct traced_list {
    struct ws_slot_record *records;
    size_t count, size;
};

/* One run of a kernel, and what it left. */
struct traced_run {
    struct interp *device;
    struct interp_module *loaded;
    uint64_t buffer;
    struct ws_slot *slot;
    struct traced_list list; /* records that were observed, or written */
    uint8_t *memory;         /* the buffer's contents */
};

static inline void traced_observe(void *user, const struct interp_access *accesses, size_t count)
{
    struct traced_list *list = user;
    for (size_t i = 0; i < count; i++) {
        const struct interp_access *a = &accesses[i];
        if (list->count == list->size) {
            list->size = list->size * 2 + 1024;
            list->records = realloc(list->records, list->size * sizeof *list->records);
        }
        list->records[list->count++] = (struct ws_slot_record){
            (uint64_t)a->sm << 32 | (uint64_t)a->type << 28 | a->size, a->address,
            (uint64_t)a->cta[0] << 32 | (uint64_t)a->cta[1] << 16 | a->cta[2]};
    }
}

/* Makes a slot with a ring in the device's memory. Returns its address. */
static inline uint64_t traced_slot(struct traced_run *run)
{
    uint64_t slot = interp_alloc_apart(run->device, sizeof *run->slot);
    uint64_t ring = interp_alloc_apart(run->device, TRACED_RING * sizeof(struct ws_slot_record));
    uint64_t control = interp_alloc_apart(run->device, sizeof(struct ws_slot_control));
    run->slot = (struct ws_slot *)(uintptr_t)slot;
    run->slot->records = ring;
    run->slot->mask = TRACED_RING - 1;
    run->slot->patience = 1000000000;
    run->slot->control = control;
    return slot;
}

/* Takes the records out of the ring. Returns false if some are missing. */
static inline bool traced_drain(struct traced_run *run)
{
    const struct ws_slot_record *ring =
        (const struct ws_slot_record *)(uintptr_t)run->slot->records;
    size_t count = run->slot->reserved;
    if (run->slot->lost != 0 || count > TRACED_RING) {
        printf("\n    %" PRIu64 " records lost, %zu reserved\n", run->slot->lost, count);
        return false;
    }
    run->list.records = malloc(count * sizeof *ring + 1);
    for (size_t i = 0; i < count; i++) {
        if (ring[i].what == 0) {
            printf("\n    record %zu of %zu was not written\n", i, count);
            return false;
        }
        run->list.records[run->list.count++] = ring[i];
    }
    return true;
}

static inline void traced_end(struct traced_run *run)
{
    free(run->list.records);
    free(run->memory);
    if (run->loaded != NULL) {
        interp_unload(run->loaded);
    }
    if (run->device != NULL) {
        interp_destroy(run->device);
    }
}

enum traced_way { TRACED_OBSERVED, TRACED_WRITTEN, TRACED_OFF };

/* Runs the modules' kernel k. Returns false after printing a message. */
static inline bool traced_launch(struct traced_run *run, const struct ptx_module *const *modules,
                                 size_t n_modules, enum traced_way way, unsigned ctas,
                                 unsigned threads)
{
    char error[INTERP_ERROR_MAX] = "";
    const struct interp_options options = {.sms = 3, .instruction_limit = 50000000};
    uint64_t parameters[3] = {0, 5, 0};
    *run = (struct traced_run){.device = interp_create(&options, error)};
    if (run->device != NULL) {
        run->loaded = interp_load(run->device, modules, n_modules, error);
    }
    if (run->loaded == NULL) {
        printf("\n    not loaded: %s\n", error);
        return false;
    }
    parameters[0] = run->buffer = interp_alloc(run->device, TRACED_BUFFER);
    for (uint32_t i = 0; i < TRACED_BUFFER / 4; i++) {
        ((uint32_t *)(uintptr_t)run->buffer)[i] = i * 2654435761u;
    }
    parameters[2] = way == TRACED_WRITTEN ? traced_slot(run) : 0;
    const struct interp_launch launch = {
        .grid = {ctas, 1 + ctas % 2, 1},
        .block = {threads, 1, 1},
        .parameters = parameters,
        .observe = way == TRACED_OBSERVED ? traced_observe : NULL,
        .user = &run->list,
    };
    if (interp_launch(run->device, interp_kernel(run->loaded, "k"), &launch, error) !=
        INTERP_DONE) {
        printf("\n    failed (%d): %s\n", (int)way, error);
        return false;
    }
    run->memory = malloc(TRACED_BUFFER);
    memcpy(run->memory, (const void *)(uintptr_t)run->buffer, TRACED_BUFFER);
    return way != TRACED_WRITTEN || traced_drain(run);
}

static inline bool traced_same(const struct traced_list *expected, const struct traced_list *got)
{
    for (size_t i = 0; i < expected->count && i < got->count; i++) {
        const struct ws_slot_record *e = &expected->records[i], *g = &got->records[i];
        if (e->what != g->what || e->address != g->address || e->cta != g->cta) {
            printf("\n    record %zu: expected %" PRIx64 " %" PRIx64 " %" PRIx64 ", got %" PRIx64
                   " %" PRIx64 " %" PRIx64 "\n",
                   i, e->what, e->address, e->cta, g->what, g->address, g->cta);
            return false;
        }
    }
    if (expected->count != got->count) {
        printf("\n    %zu records instead of %zu\n", got->count, expected->count);
    }
    return expected->count == got->count;
}

/* Parses a text; rewritten: what the rewriter makes of it. Returns NULL after printing a message. */
static inline struct ptx_module *traced_parse(const char *text, struct rewrite_result **rewritten,
                                              struct ptx_module **parsed)
{
    char error[PTX_ERROR_MAX] = "";
    struct ptx_module *module = ptx_parse(text, strlen(text), error);
    *rewritten = module == NULL ? NULL : rewrite_module(module, NULL, error);
    *parsed = *rewritten == NULL ? NULL : ptx_parse((*rewritten)->text, (*rewritten)->size, error);
    if (*parsed == NULL) {
        printf("\n    %s\n", error);
    }
    return module;
}

enum { TRACED_MODULES = 4 };

/* Returns true if all three runs agree; *records is the number of records then. texts: of the modules. */
static inline bool traced_check(const char *const *texts, size_t n_texts, unsigned ctas,
                                unsigned threads, size_t *records)
{
    struct ptx_module *plain[TRACED_MODULES] = {NULL}, *traced[TRACED_MODULES] = {NULL};
    struct rewrite_result *rewritten[TRACED_MODULES] = {NULL};
    struct traced_run runs[3] = {0};
    bool good = n_texts <= TRACED_MODULES;
    for (size_t i = 0; good && i < n_texts; i++) {
        plain[i] = traced_parse(texts[i], &rewritten[i], &traced[i]);
        good = traced[i] != NULL;
    }
    for (int way = TRACED_OBSERVED; good && way <= TRACED_OFF; way++) {
        struct ptx_module **modules = way == TRACED_OBSERVED ? plain : traced;
        good = traced_launch(&runs[way], (const struct ptx_module *const *)modules, n_texts,
                             (enum traced_way)way, ctas, threads);
        if (way != TRACED_OBSERVED && good &&
            memcmp(runs[0].memory, runs[way].memory, TRACED_BUFFER) != 0) {
            printf("\n    memory differs (%d)\n", way);
            good = false;
        }
        if (runs[way].device != NULL && way == TRACED_WRITTEN) {
            good = good && traced_same(&runs[0].list, &runs[way].list);
        }
        if (runs[way].device != NULL) { /* one device has the range of addresses at a time */
            interp_unload(runs[way].loaded);
            interp_destroy(runs[way].device);
            runs[way].loaded = NULL;
            runs[way].device = NULL;
        }
    }
    *records = runs[0].list.count;
    for (size_t i = 0; i < 3; i++) {
        traced_end(&runs[i]);
    }
    for (size_t i = 0; i < n_texts && i < TRACED_MODULES; i++) {
        ptx_free(traced[i]);
        rewrite_free(rewritten[i]);
        ptx_free(plain[i]);
    }
    return good;
}

#endif
