/* SPDX-License-Identifier: BSD-3-Clause
 *
 * expect.c - a literal implementation of the definition of communication; see expect.h.
 *
 * Accesses are sorted by address, then by the order that the analysis assumes: superstep, stream,
 * order of calls. The accesses to one address form the list of that address.
 */
#include "programs/expect/expect.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct launch {
    const char *kernel;
    unsigned stream;
    uint32_t step;
    /* Indexed by enum ex_type. all: number of bytes accessed; kept: number of bytes accessed in
     * communication. */
    uint64_t all[3], kept[3];
};

struct access {
    uint64_t address, cta;
    size_t launch, order;
    uint32_t size;
    enum ex_type type;
};

struct transfer {
    size_t from, to; /* indexes of launches */
    uint64_t from_cta, to_cta;
    uint64_t bytes, loads;
};

enum { LAUNCHES = 256, ARRAYS = 64 };

static struct launch launches[LAUNCHES];
static size_t launch_count;
static const char *arrays[ARRAYS];
static size_t array_count;
static struct access *accesses;
static size_t access_count, access_space;
static struct transfer *transfers;
static size_t transfer_count;

static void *must(void *p)
{
    if (p == NULL) {
        fputs("cuda_expect: no memory\n", stderr);
        exit(1);
    }
    return p;
}

void ex_launch(unsigned stream, const char *kernel)
{
    struct launch *l = &launches[launch_count++];
    *l = (struct launch){.kernel = kernel, .stream = stream};
    for (size_t i = 0; i + 1 < launch_count; i++) {
        l->step += launches[i].stream == stream;
    }
}

uint64_t ex_cta(uint64_t x, uint64_t y, uint64_t z)
{
    return x << 32 | y << 16 | z;
}

static size_t array_number(const char *name)
{
    size_t i = 0;
    while (i < array_count && strcmp(arrays[i], name) != 0) {
        i++;
    }
    if (i == array_count) {
        arrays[array_count++] = name;
    }
    return i;
}

void ex_access(enum ex_type type, const char *array, uint64_t offset, uint32_t size, uint64_t cta)
{
    if (access_count == access_space) {
        access_space = 2 * access_space + 1024;
        accesses = must(realloc(accesses, access_space * sizeof *accesses));
    }
    accesses[access_count] =
        (struct access){.address = (uint64_t)array_number(array) << 32 | offset,
                        .cta = cta,
                        .launch = launch_count - 1,
                        .order = access_count,
                        .size = size,
                        .type = type};
    access_count++;
}

/* Splits each access of n bytes into n accesses of one byte. */
static void split(void)
{
    size_t count = 0, n = 0;
    for (size_t i = 0; i < access_count; i++) {
        count += accesses[i].size;
    }
    struct access *bytes = must(malloc(count * sizeof *bytes));
    for (size_t i = 0; i < access_count; i++) {
        for (uint32_t b = 0; b < accesses[i].size; b++, n++) {
            bytes[n] = accesses[i];
            bytes[n].address += b;
            bytes[n].size = 1;
            bytes[n].order = n;
        }
    }
    free(accesses);
    accesses = bytes;
    access_count = n;
}

static int compare_numbers(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int compare_accesses(const void *pa, const void *pb)
{
    const struct access *a = pa, *b = pb;
    const struct launch *la = &launches[a->launch], *lb = &launches[b->launch];
    int d = compare_numbers(a->address, b->address);
    d = d != 0 ? d : compare_numbers(la->step, lb->step);
    d = d != 0 ? d : compare_numbers(la->stream, lb->stream);
    return d != 0 ? d : compare_numbers(a->order, b->order);
}

static bool same_actor(const struct access *a, const struct access *b)
{
    const struct launch *la = &launches[a->launch], *lb = &launches[b->launch];
    return a->cta == b->cta && la->stream == lb->stream && strcmp(la->kernel, lb->kernel) == 0;
}

static uint32_t step_of(const struct access *a)
{
    return launches[a->launch].step;
}

/* Returns the index of the last store or atomic in a list, or `count` if there is none. */
static size_t last_write(const struct access *list, size_t count)
{
    for (size_t i = count; i > 0; i--) {
        if (list[i - 1].type != EX_LOAD) {
            return i - 1;
        }
    }
    return count;
}

/* Returns true if the definition of communication keeps load `a` as the next element of `list`. */
static bool keeps_load(const struct access *list, size_t count, const struct access *a)
{
    size_t w = last_write(list, count);
    if (count == 0 || same_actor(&list[w], a)) {
        return false;
    }
    for (size_t i = w + 1; i < count; i++) {
        if (same_actor(&list[i], a) && step_of(&list[i]) == step_of(a)) {
            return false;
        }
    }
    return true;
}

/* Adds an access to a list, unless the definition of communication drops it. Returns the new number
 * of accesses in the list. */
static size_t add(struct access *list, size_t count, const struct access *a)
{
    bool kept = true;
    if (a->type == EX_LOAD) {
        kept = keeps_load(list, count, a);
    } else if (a->type == EX_STORE && count > 0 && list[count - 1].type == EX_STORE) {
        count--; /* no other actor has read this value */
    }
    if (kept) {
        list[count++] = *a;
    }
    return count;
}

static void add_transfer(const struct access *from, const struct access *to)
{
    for (size_t i = 0; i < transfer_count; i++) {
        struct transfer *t = &transfers[i];
        if (t->from == from->launch && t->to == to->launch && t->from_cta == from->cta &&
            t->to_cta == to->cta) {
            t->bytes += to->size;
            t->loads++;
            return;
        }
    }
    transfers = must(realloc(transfers, (transfer_count + 1) * sizeof *transfers));
    transfers[transfer_count++] =
        (struct transfer){from->launch, to->launch, from->cta, to->cta, to->size, 1};
}

/* Adds the accesses in a completed list to the results. */
static void finish_list(const struct access *list, size_t count)
{
    bool two = false;
    if (count > 0 && list[count - 1].type == EX_STORE) {
        count--;
    }
    for (size_t i = 1; i < count; i++) {
        two = two || !same_actor(&list[0], &list[i]);
    }
    for (size_t i = 0; two && i < count; i++) {
        launches[list[i].launch].kept[list[i].type] += list[i].size;
        if (list[i].type == EX_LOAD) {
            add_transfer(&list[last_write(list, i)], &list[i]);
        }
    }
}

static void analyse(const char *array)
{
    struct access *list = must(malloc((access_count + 1) * sizeof *list));
    qsort(accesses, access_count, sizeof *accesses, compare_accesses);
    for (size_t i = 0, count = 0; i < access_count; i++) {
        const struct access *a = &accesses[i];
        if (array == NULL || strcmp(arrays[a->address >> 32], array) == 0) {
            launches[a->launch].all[a->type] += a->size;
            count = add(list, count, a);
        }
        if (i + 1 == access_count || accesses[i + 1].address != a->address) {
            finish_list(list, count);
            count = 0;
        }
    }
    free(list);
}

static void print_volumes(FILE *out)
{
    static const char *const types[] = {"load", "store", "atomic"};
    fputs("stream,superstep,kernel,type,bytes,communication_bytes\n", out);
    for (size_t i = 0; i < launch_count; i++) {
        const struct launch *l = &launches[i];
        for (int type = 0; type < 3; type++) {
            if (l->all[type] > 0) {
                fprintf(out, "%u,%" PRIu32 ",%s,%s,%" PRIu64 ",%" PRIu64 "\n", l->stream, l->step,
                        l->kernel, types[type], l->all[type], l->kept[type]);
            }
        }
    }
}

static void print_end(FILE *out, size_t launch, uint64_t cta)
{
    const struct launch *l = &launches[launch];
    fprintf(out, "%u,%s,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu32 ",", l->stream, l->kernel,
            cta >> 32, cta >> 16 & 0xffff, cta & 0xffff, l->step);
}

static void print_transfers(FILE *out)
{
    fputs("source_stream,source_kernel,source_cta_x,source_cta_y,source_cta_z,source_superstep,"
          "stream,kernel,cta_x,cta_y,cta_z,superstep,bytes,loads\n",
          out);
    for (size_t i = 0; i < transfer_count; i++) {
        const struct transfer *t = &transfers[i];
        print_end(out, t->from, t->from_cta);
        print_end(out, t->to, t->to_cta);
        fprintf(out, "%" PRIu64 ",%" PRIu64 "\n", t->bytes, t->loads);
    }
}

/* Returns the index of the first launch that has the kernel and the stream of `launch`. The matrix
 * has one row and column for all launches with the same kernel and stream. */
static size_t first_launch(size_t launch)
{
    size_t i = 0;
    while (launches[i].stream != launches[launch].stream ||
           strcmp(launches[i].kernel, launches[launch].kernel) != 0) {
        i++;
    }
    return i;
}

static void print_matrix(FILE *out)
{
    static struct transfer sums[LAUNCHES][LAUNCHES];
    for (size_t i = 0; i < transfer_count; i++) {
        struct transfer *s = &sums[first_launch(transfers[i].from)][first_launch(transfers[i].to)];
        s->bytes += transfers[i].bytes;
        s->loads += transfers[i].loads;
    }
    fputs("source_stream,source_kernel,stream,kernel,bytes,loads\n", out);
    for (size_t i = 0; i < launch_count; i++) {
        for (size_t j = 0; j < launch_count; j++) {
            if (sums[i][j].loads > 0) {
                fprintf(out, "%u,%s,%u,%s,%" PRIu64 ",%" PRIu64 "\n", launches[i].stream,
                        launches[i].kernel, launches[j].stream, launches[j].kernel,
                        sums[i][j].bytes, sums[i][j].loads);
            }
        }
    }
}

void ex_print(FILE *out, enum ex_table table, const char *array, bool bytes)
{
    if (bytes) {
        split();
    }
    analyse(array);
    if (table == EX_VOLUMES) {
        print_volumes(out);
    } else if (table == EX_TRANSFERS) {
        print_transfers(out);
    } else {
        print_matrix(out);
    }
}
