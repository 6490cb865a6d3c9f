/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random kernels, original and rewritten, on the interpreter. The rewritten kernel writes the records of the accesses
 * that the interpreter observes of the original one, in the same order for each CTA, and computes the same values.
 * With a slot of 0 it records nothing.
 *
 *   test_cuda_kernels [COUNT]
 *
 * Without COUNT, 300 kernels of fixed seeds. With it, the seeds follow WS_TEST_SEED or the clock.
 *
 * test: libs=random_kernels,warpscope_cuda_rewrite,warpscope_cuda_interp,warpscope_cuda_ptx,pthread
 */
#include "interp/interp.h"
#include "ptx/ptx.h"
#include "rewrite/rewrite.h"
#include "trace/slot.h"

#include "support/generate/generate.h"
#include "support/suite.h"

enum { KERNELS = 300, RING = 1 << 17, TYPE_SHIFT = 28 };

struct records {
    struct ws_slot_record *items;
    size_t count, capacity;
};

struct bench {
    struct interp *device;
    uint64_t data, slot, ring, control;
    unsigned char *first, *expected; /* contents of the array: before, and after the original */
    struct records oracle, traced;
};

static uint64_t seed;
static uint64_t kernels = KERNELS;
static uint64_t accesses; /* compared */

static void add(struct records *to, struct ws_slot_record record)
{
    if (to->count == to->capacity) {
        to->capacity = to->capacity ? to->capacity * 2 : 1024;
        to->items = realloc(to->items, to->capacity * sizeof *to->items);
    }
    to->items[to->count++] = record;
}

static void observe(void *user, const struct interp_access *seen, size_t count)
{
    struct records *to = user;
    for (size_t i = 0; i < count; i++) {
        const struct interp_access *a = &seen[i];
        add(to, (struct ws_slot_record){
                    .what = (uint64_t)a->sm << 32 | (uint64_t)a->type << TYPE_SHIFT | a->size,
                    .address = a->address,
                    .cta = (uint64_t)a->cta[0] << 32 | a->cta[1] << 16 | a->cta[2]});
    }
}

/* Loads a module and runs its kernel. Returns false after writing a message. */
static bool run(struct bench *b, const char *text, size_t size, const struct generate_kernel *made,
                uint64_t slot, struct records *oracle, char *error)
{
    struct ptx_module *module = ptx_parse(text, size, error);
    if (!module) {
        return false;
    }
    const struct ptx_module *modules[] = {module};
    struct interp_module *loaded = interp_load(b->device, modules, 1, error);
    const struct interp_kernel *kernel = loaded ? interp_kernel(loaded, "kernel") : NULL;
    uint64_t parameters[2] = {b->data, slot};
    bool done = false;
    if (kernel) {
        struct interp_launch launch = {
            .parameters = parameters, .observe = oracle ? observe : NULL, .user = oracle};
        memcpy(launch.grid, made->grid, sizeof launch.grid);
        memcpy(launch.block, made->block, sizeof launch.block);
        done = interp_launch(b->device, kernel, &launch, error) == INTERP_DONE;
    }
    if (loaded) {
        interp_unload(loaded);
    }
    ptx_free(module);
    return done;
}

/* Memory of the device is memory of this process. */
static void *memory_of(uint64_t address)
{
    return (void *)(uintptr_t)address; // NOLINT(performance-no-int-to-ptr)
}

static void reset(struct bench *b)
{
    struct ws_slot *slot = memory_of(b->slot);
    memcpy(memory_of(b->data), b->first, GENERATE_BYTES);
    memset(slot, 0, sizeof *slot);
    memset(memory_of(b->control), 0, sizeof(struct ws_slot_control));
    slot->records = b->ring;
    slot->mask = RING - 1;
    slot->patience = 1000000000;
    slot->control = b->control;
}

/* Takes the records that the kernel wrote out of the ring. */
static bool drain(struct bench *b, char *error)
{
    const struct ws_slot *slot = memory_of(b->slot);
    struct ws_slot_record *ring = memory_of(b->ring);
    b->traced.count = 0;
    if (slot->lost || slot->reserved > RING) {
        snprintf(error, INTERP_ERROR_MAX, "%" PRIu64 " records, %" PRIu64 " lost", slot->reserved,
                 slot->lost);
        return false;
    }
    for (uint64_t i = 0; i < slot->reserved; i++) {
        if (!ring[i].what) {
            snprintf(error, INTERP_ERROR_MAX, "record %" PRIu64 " is not written", i);
            return false;
        }
        add(&b->traced, ring[i]);
        ring[i].what = 0;
    }
    return true;
}

/* Keeps the order of records that have the same CTA. */
static int by_cta(const void *a, const void *b)
{
    const struct ws_slot_record *const *x = a, *const *y = b;
    if ((*x)->cta != (*y)->cta) {
        return (*x)->cta < (*y)->cta ? -1 : 1;
    }
    return *x < *y ? -1 : *x > *y;
}

static const struct ws_slot_record **sorted(const struct records *records)
{
    const struct ws_slot_record **order = malloc((records->count + 1) * sizeof *order);
    for (size_t i = 0; i < records->count; i++) {
        order[i] = &records->items[i];
    }
    qsort(order, records->count, sizeof *order, by_cta);
    return order;
}

static void print_record(char *to, size_t size, const struct ws_slot_record *record)
{
    snprintf(to, size, "%" PRIx64 " at %" PRIx64 " by CTA %" PRIx64, record->what, record->address,
             record->cta);
}

static bool compare_records(const struct bench *b, char *error)
{
    if (b->oracle.count != b->traced.count) {
        snprintf(error, INTERP_ERROR_MAX, "%zu accesses, but %zu records", b->oracle.count,
                 b->traced.count);
        return false;
    }
    const struct ws_slot_record **left = sorted(&b->oracle), **right = sorted(&b->traced);
    bool same = true;
    for (size_t i = 0; i < b->oracle.count && same; i++) {
        same = left[i]->what == right[i]->what && left[i]->address == right[i]->address &&
               left[i]->cta == right[i]->cta;
        if (!same) {
            char access[100], record[100];
            print_record(access, sizeof access, left[i]);
            print_record(record, sizeof record, right[i]);
            snprintf(error, INTERP_ERROR_MAX, "access %zu is %s, but its record %s", i, access,
                     record);
        }
    }
    free(left);
    free(right);
    return same;
}

/* Runs the rewritten module with a slot and without one. */
static bool compare_rewritten(struct bench *b, const struct generate_kernel *made,
                              const struct rewrite_result *rewritten, char *error)
{
    for (int traced = 1; traced >= 0; traced--) {
        reset(b);
        if (!run(b, rewritten->text, rewritten->size, made, traced ? b->slot : 0, NULL, error) ||
            !drain(b, error)) {
            return false;
        }
        if (traced && !compare_records(b, error)) {
            return false;
        }
        if (!traced && b->traced.count > 0) {
            snprintf(error, INTERP_ERROR_MAX, "records without a slot");
            return false;
        }
        if (memcmp(memory_of(b->data), b->expected, GENERATE_BYTES) != 0) {
            snprintf(error, INTERP_ERROR_MAX, "the rewritten kernel computes other values");
            return false;
        }
    }
    return true;
}

static bool compare_kernel(struct bench *b, uint64_t kernel_seed, char *error)
{
    struct generate_kernel made = generate_kernel(kernel_seed);
    bool same = false;
    b->oracle.count = 0;
    reset(b);
    if (made.text && run(b, made.text, made.size, &made, 0, &b->oracle, error)) {
        memcpy(b->expected, memory_of(b->data), GENERATE_BYTES);
        struct ptx_module *module = ptx_parse(made.text, made.size, error);
        struct rewrite_result *rewritten = module ? rewrite_module(module, NULL, error) : NULL;
        same = rewritten && compare_rewritten(b, &made, rewritten, error);
        rewrite_free(rewritten);
        ptx_free(module);
    }
    accesses += b->oracle.count;
    free(made.text);
    return same;
}

/* Compares all kernels. Returns the number of those that differ, of which it prints the first ones. */
static unsigned compare_all(struct bench *b)
{
    char error[INTERP_ERROR_MAX];
    unsigned different = 0;
    for (uint64_t i = 0; i < kernels && different < 3; i++) {
        error[0] = '\0';
        if (!compare_kernel(b, seed + i, error)) {
            printf("kernel of seed %" PRIu64 ": %s\n", seed + i, error);
            different++;
        }
    }
    return different;
}

static void test_kernels(void)
{
    char error[INTERP_ERROR_MAX] = "";
    struct interp_options options = {.sms = 4, .instruction_limit = 100000000};
    struct bench b = {.device = interp_create(&options, error)};
    CU_ASSERT_PTR_NOT_NULL(b.device);
    if (!b.device) {
        return;
    }
    b.data = interp_alloc(b.device, GENERATE_BYTES);
    b.slot = interp_alloc_apart(b.device, sizeof(struct ws_slot));
    b.control = interp_alloc_apart(b.device, sizeof(struct ws_slot_control));
    b.ring = interp_alloc_apart(b.device, RING * sizeof(struct ws_slot_record));
    b.first = malloc(GENERATE_BYTES);
    b.expected = malloc(GENERATE_BYTES);
    uint64_t state = seed;
    for (size_t i = 0; i < GENERATE_BYTES; i++) {
        b.first[i] = (unsigned char)random_bits(&state);
    }
    CU_ASSERT_EQUAL(compare_all(&b), 0);
    CU_ASSERT_TRUE(accesses > kernels);
    printf("%" PRIu64 " kernels, %" PRIu64 " accesses ", kernels, accesses);
    free(b.first);
    free(b.expected);
    free(b.oracle.items);
    free(b.traced.items);
    interp_destroy(b.device);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {{"random kernels", test_kernels}};
    if (argc > 1) {
        kernels = strtoull(argv[1], NULL, 10);
    }
    seed = argc > 1 || getenv("WS_TEST_SEED") != NULL ? suite_seed() : 1;
    suite_print_seed("cuda_kernels", seed);
    return suite_run("cuda_kernels", tests, sizeof tests / sizeof tests[0]);
}
