/* SPDX-License-Identifier: BSD-3-Clause
 *
 * run.c - a run of kernels; see run.h.
 */
#include "programs/replay/run.h"
#include "ptx/ptx.h"
#include "rewrite/rewrite.h"
#include "store/array.h"
#include "trace/files.h"
#include "trace/ring.h"
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

void run_fail(const char *words, ...)
{
    va_list arguments;
    va_start(arguments, words);
    fputs("cuda_replay: ", stderr);
    vfprintf(stderr, words, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(1);
}

static char *read_file(const char *path, size_t *size)
{
    FILE *f = fopen(path, "r");
    char *text = NULL;
    size_t space = 0;
    *size = 0;
    if (f == NULL) {
        run_fail("%s: cannot be opened", path);
    }
    do {
        if (!array_reserve(&text, &space, *size + 65536, 1)) {
            run_fail("no memory");
        }
        *size += fread(text + *size, 1, 65536, f);
    } while (!feof(f) && !ferror(f));
    fclose(f);
    return text;
}

static struct ptx_module *parse(const char *path, const char *text, size_t size)
{
    char error[PTX_ERROR_MAX];
    struct ptx_module *module = ptx_parse(text, size, error);
    if (module == NULL) {
        run_fail("%s: %s", path, error);
    }
    return module;
}

/* Loads modules, in original or in rewritten form. */
static void load(struct run *run, const char *const *files, size_t count)
{
    struct ptx_module *modules[RUN_MODULES];
    struct rewrite_result *results[RUN_MODULES] = {NULL};
    char *texts[RUN_MODULES], error[INTERP_ERROR_MAX], rewrite_error[PTX_ERROR_MAX];
    if (count > RUN_MODULES) {
        run_fail("too many modules");
    }
    for (size_t i = 0; i < count; i++) {
        size_t size;
        texts[i] = read_file(files[i], &size);
        modules[i] = parse(files[i], texts[i], size);
        if (run->rewritten) {
            results[i] = rewrite_module(modules[i], rewrite_error);
            if (results[i] == NULL) {
                run_fail("%s: %s", files[i], rewrite_error);
            }
            const struct rewrite_counts *counts = &results[i]->counts;
            run->instructions += counts->loads + counts->stores + counts->atomics;
            ptx_free(modules[i]);
            modules[i] = parse("the rewritten module", results[i]->text, results[i]->size);
        }
    }
    run->module = interp_load(run->device, (const struct ptx_module *const *)modules, count, error);
    if (run->module == NULL) {
        run_fail("%s: %s", files[0], error);
    }
    for (size_t i = 0; i < count; i++) {
        ptx_free(modules[i]);
        rewrite_free(results[i]);
        free(texts[i]);
    }
}

/* Returns a device address as a pointer: device memory is memory of this process. */
static void *memory(uint64_t address)
{
    if (address == 0) {
        run_fail("no memory on the device");
    }
    return (void *)(uintptr_t)address;
}

static void make_slot(struct run *run, size_t ring)
{
    uint64_t address = interp_alloc_apart(run->device, sizeof *run->slot);
    run->slot = memory(address);
    run->control = memory(interp_alloc_apart(run->device, sizeof *run->control));
    *run->slot = (struct ws_slot){
        .mask = ring - 1, .patience = 60000000000u, .control = (uint64_t)(uintptr_t)run->control};
    run->slot->records = (uint64_t)(uintptr_t)memory(
        interp_alloc_apart(run->device, ring * sizeof(struct ws_slot_record)));
    *run->control = (struct ws_slot_control){0};
}

void run_begin(struct run *run, bool rewritten, const char *const *files, size_t count, size_t ring)
{
    char error[INTERP_ERROR_MAX];
    struct interp_options options = {.memory = (uint64_t)1 << 30, .instruction_limit = 1u << 30};
    *run = (struct run){.rewritten = rewritten};
    run->device = interp_create(&options, error);
    if (run->device == NULL) {
        run_fail("%s", error);
    }
    load(run, files, count);
    if (rewritten) {
        make_slot(run, ring);
    }
}

void run_end(struct run *run)
{
    interp_unload(run->module);
    interp_destroy(run->device);
}

void run_free(struct run *run)
{
    for (size_t i = 0; i < run->launch_count; i++) {
        free(run->launches[i].records.list);
    }
}

static struct run_array *add_array(struct run *run, const char *name, uint64_t address,
                                   uint64_t bytes)
{
    struct run_array *a = &run->arrays[run->array_count++];
    if (run->array_count > RUN_ARRAYS) {
        run_fail("too many arrays");
    }
    snprintf(a->name, sizeof a->name, "%s", name);
    a->address = address;
    a->bytes = bytes;
    return a;
}

struct run_array *run_array(struct run *run, const char *name, uint64_t bytes)
{
    void *p = memory(interp_alloc(run->device, bytes));
    memset(p, 0, bytes);
    return add_array(run, name, (uint64_t)(uintptr_t)p, bytes);
}

void run_variable(struct run *run, const char *name)
{
    uint64_t address, bytes;
    if (!interp_variable(run->module, name, &address, &bytes)) {
        run_fail("the module has no variable %s", name);
    }
    add_array(run, name, address, bytes);
}

const struct run_array *run_find(const struct run *run, const char *name)
{
    for (size_t i = 0; i < run->array_count; i++) {
        if (strcmp(run->arrays[i].name, name) == 0) {
            return &run->arrays[i];
        }
    }
    run_fail("no array %s", name);
}

static struct ws_slot_record *add_records(struct run_records *records, size_t n)
{
    if (!array_reserve(&records->list, &records->space, records->count + n,
                       sizeof *records->list)) {
        run_fail("no memory");
    }
    records->count += n;
    return records->list + records->count - n;
}

static void observe(void *user, const struct interp_access *accesses, size_t count)
{
    struct ws_slot_record *to = add_records(user, count);
    for (size_t i = 0; i < count; i++) {
        const struct interp_access *a = &accesses[i];
        to[i] = ws_trace_record(a->address, a->size, a->type, a->sm, a->cta);
    }
}

struct drainer {
    struct ws_ring ring;
    struct run_records *records;
    atomic_bool ended; /* true when the kernel has ended, so that all its records are in the ring */
};

static void *drain(void *user)
{
    struct drainer *d = user;
    struct ws_slot_record buffer[256];
    for (;;) {
        bool ended = atomic_load(&d->ended);
        size_t n = ws_ring_take(&d->ring, buffer, 256);
        if (n > 0) {
            memcpy(add_records(d->records, n), buffer, n * sizeof *buffer);
        } else if (ended) {
            return NULL;
        } else {
            sched_yield();
        }
    }
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void launch_kernel(struct run *run, const struct interp_kernel *kernel,
                          const struct interp_launch *launch)
{
    char error[INTERP_ERROR_MAX];
    double begin = now();
    if (interp_launch(run->device, kernel, launch, error) != INTERP_DONE) {
        run_fail("%s", error);
    }
    run->seconds += now() - begin;
}

/* Runs a rewritten kernel while a thread drains the kernel's records. */
static void launch_rewritten(struct run *run, const struct interp_kernel *kernel,
                             const struct interp_launch *launch, struct run_records *records)
{
    struct drainer d = {.ring = {.records = memory(run->slot->records),
                                 .mask = run->slot->mask,
                                 .drained = run->control->drained,
                                 .control = run->control},
                        .records = records};
    pthread_t thread;
    if (pthread_create(&thread, NULL, drain, &d) != 0) {
        run_fail("cannot start a thread");
    }
    launch_kernel(run, kernel, launch);
    atomic_store(&d.ended, true);
    pthread_join(thread, NULL);
    if (run->slot->lost != 0 || run->slot->reserved != run->control->drained) {
        run_fail("records are missing: %llu reserved, %llu drained, %llu lost",
                 (unsigned long long)run->slot->reserved, (unsigned long long)run->control->drained,
                 (unsigned long long)run->slot->lost);
    }
}

void run_launch(struct run *run, const char *kernel, unsigned stream, struct interp_launch *launch)
{
    struct interp_kernel *k = interp_kernel(run->module, kernel);
    struct run_launch *l = &run->launches[run->launch_count++];
    unsigned char parameters[RUN_PARAMETER_BYTES] = {0};
    if (k == NULL || run->launch_count > RUN_LAUNCHES) {
        run_fail(k == NULL ? "no kernel %s" : "too many launches: %s", kernel);
    }
    snprintf(l->kernel, sizeof l->kernel, "%s", kernel);
    l->stream = stream;
    if (!run->rewritten) {
        launch->observe = observe;
        launch->user = &l->records;
        launch_kernel(run, k, launch);
        return;
    }
    const struct interp_kernel_facts *facts = interp_kernel_facts(k);
    const struct interp_parameter *hidden = &facts->parameters[facts->parameter_count - 1];
    uint64_t slot = (uint64_t)(uintptr_t)run->slot;
    memcpy(parameters, launch->parameters, hidden->offset);
    memcpy(parameters + hidden->offset, &slot, sizeof slot);
    launch->parameters = parameters;
    launch_rewritten(run, k, launch, &l->records);
}
