/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The table of points against a naive model; ids that never change, and ids that collide.
 *
 * test: libs=warpscope
 */
#include <stdlib.h>
#include <string.h>

#include "bus/tables/points.h"
#include "support/suite.h"

/* ---- Points ---------------------------------------------------------------------------------- */

#define PLACES 1500

struct place {
    char function[64], file[64];
    uint32_t line, column;
    struct point_entry *entry;
    char values[3][8]; /* values of three keys, "" for none */
};

static bool is_place(const struct place *place, const char *function, const char *file,
                     uint32_t line, uint32_t column)
{
    return strcmp(place->function, function) == 0 && strcmp(place->file, file) == 0 &&
           place->line == line && place->column == column;
}

/* Sets one of three keys at random. */
static void note(uint64_t *random, struct points *p, struct place *place)
{
    static const char *const keys[3] = {"who", "why", "unit"};
    uint64_t k = random_below(random, 3);
    char value[8];
    snprintf(value, sizeof value, "%u", (unsigned)random_below(random, 100));
    st_result result = points_set(p, place->entry, keys[k], value);
    CU_ASSERT_EQUAL(result, place->values[k][0] == '\0' ? ST_OK : ST_DUPLICATE);
    memcpy(place->values[k], value, sizeof value);
    for (int i = 0; i < 3; i++) {
        const char *is = points_get(p, place->entry, keys[i]);
        CU_ASSERT_STRING_EQUAL(is == NULL ? "" : is, place->values[i]);
    }
}

static void test_points(void)
{
    uint64_t random = suite_seed();
    suite_print_seed("points", random);
    struct strings s = {0};
    struct points p = {.strings = &s};
    struct place *model = calloc(PLACES, sizeof *model);
    uint32_t n = 0;
    CU_ASSERT_TRUE(points_check(&p));
    for (unsigned step = 0; step < 5000 && n < PLACES; step++) {
        struct place new = {.line = (uint32_t)random_below(&random, 7),
                            .column = (uint32_t)random_below(&random, 2)};
        snprintf(new.function, sizeof new.function, "f%u", (unsigned)random_below(&random, 20));
        snprintf(new.file, sizeof new.file, "%u.c", (unsigned)random_below(&random, 7));
        uint32_t i = 0;
        while (i < n && !is_place(&model[i], new.function, new.file, new.line, new.column)) {
            i++;
        }
        struct point_entry *entry = NULL;
        CU_ASSERT_EQUAL_FATAL(points_make(&p, new.function, new.file, new.line, new.column, &entry),
                              ST_OK);
        if (i == n) {
            model[n] = new;
            model[n++].entry = entry;
        }
        CU_ASSERT_PTR_EQUAL(entry, model[i].entry);
        CU_ASSERT_PTR_EQUAL(points_find(&p, entry->point.id), entry);
        CU_ASSERT_PTR_EQUAL(points_entry(&p, &entry->point), entry);
        CU_ASSERT_STRING_EQUAL(strings_text(&s, entry->point.function), new.function);
        CU_ASSERT_STRING_EQUAL(strings_text(&s, entry->point.file), new.file);
        note(&random, &p, &model[i]);
    }
    CU_ASSERT_EQUAL(p.n, n);
    CU_ASSERT_TRUE(points_check(&p));
    st_point foreign = model[0].entry->point;
    CU_ASSERT_PTR_NULL(points_entry(&p, &foreign));
    points_reset(&p);
    CU_ASSERT_PTR_NULL(points_get(&p, model[0].entry, "who"));
    CU_ASSERT_TRUE(points_check(&p));
    points_fini(&p);
    strings_fini(&s);
    free(model);
}

/* An id depends on the place only: these never change, whatever was added before. */
static void test_point_ids(void)
{
    uint64_t wide[2], other[2];
    points_hash("f", "g.c", 1, 2, wide);
    CU_ASSERT_EQUAL(wide[0], 0x25fe2dcbf184c7c2);
    CU_ASSERT_EQUAL(wide[1], 0x4cdcba6ee77c983d);
    points_hash("fg", ".c", 1, 2, other);
    CU_ASSERT_NOT_EQUAL(wide[0], other[0]);
    points_hash("f", "g.c", 2, 1, other);
    CU_ASSERT_NOT_EQUAL(wide[0], other[0]);
}

/* The table finds places by the ids of points_hash(), whatever file came before. */
static void test_point_files(void)
{
    static const char *const files[] = {"a.c", "a.c", "b.c", "", "a.c", "b.c", NULL, "b.c"};
    struct strings s = {0};
    struct points p = {.strings = &s};
    char file[8]; /* at one address, whatever its text */
    for (uint32_t i = 0; i < 800; i++) {
        const char *given = files[i % 8];
        snprintf(file, sizeof file, "%s", given == NULL ? "" : given);
        struct point_entry *entry = NULL;
        uint64_t wide[2];
        CU_ASSERT_EQUAL_FATAL(points_make(&p, "f", given == NULL ? NULL : file, i, 1, &entry),
                              ST_OK);
        points_hash("f", file, i, 1, wide);
        CU_ASSERT_EQUAL(entry->point.id, wide[0]);
        CU_ASSERT_EQUAL(memcmp(entry->point.id_wide, wide, sizeof wide), 0);
        CU_ASSERT_STRING_EQUAL(strings_text(&s, entry->point.file), file);
        CU_ASSERT_PTR_EQUAL(points_find(&p, wide[0]), entry);
    }
    CU_ASSERT_EQUAL(p.n, 800);
    CU_ASSERT_TRUE(points_check(&p));
    points_fini(&p);
    strings_fini(&s);
}

/* The check of the table detects damage. */
static void test_points_check(void)
{
    struct strings s = {0};
    struct points p = {.strings = &s};
    struct point_entry *a, *b;
    CU_ASSERT_EQUAL(points_make(&p, "a", "a.c", 1, 0, &a), ST_OK);
    CU_ASSERT_EQUAL(points_make(&p, "b", "a.c", 1, 0, &b), ST_OK);
    CU_ASSERT_TRUE(points_check(&p));
    a->point.line++;
    CU_ASSERT_FALSE(points_check(&p));
    a->point.line--;
    p.file.hash.high++;
    CU_ASSERT_FALSE(points_check(&p));
    p.file.hash.high--;
    struct point_entry **slot = points_probe(&p, b->point.id);
    *slot = NULL;
    CU_ASSERT_FALSE(points_check(&p));
    *slot = a;
    CU_ASSERT_FALSE(points_check(&p));
    *slot = b;
    p.n--;
    CU_ASSERT_FALSE(points_check(&p));
    p.n++;
    CU_ASSERT_TRUE(points_check(&p));
    points_fini(&p);
    strings_fini(&s);
}

static void weak_hash(const char *function, const char *file, uint32_t line, uint32_t column,
                      uint64_t wide[2])
{
    (void)function, (void)file, (void)column;
    wide[0] = line; /* crowded slots, and places of one line with the same number */
    wide[1] = 0;
}

static void test_point_collisions(void)
{
    struct strings s = {0};
    struct points p = {.strings = &s, .hash = weak_hash};
    struct point_entry *first, *entry;
    CU_ASSERT_EQUAL(points_make(&p, "f", "a.c", 1, 0, &first), ST_OK);
    CU_ASSERT_EQUAL(points_make(&p, "g", "a.c", 1, 0, &entry), ST_DUPLICATE);
    CU_ASSERT_PTR_EQUAL(entry, first);
    CU_ASSERT_EQUAL(p.n, 1);
    CU_ASSERT_EQUAL(points_make(&p, "f", "a.c", 1, 0, &entry), ST_OK);
    CU_ASSERT_PTR_EQUAL(entry, first);
    for (uint32_t line = 2; line < 600; line++) {
        CU_ASSERT_EQUAL(points_make(&p, "f", NULL, line, 0, &entry), ST_OK);
    }
    CU_ASSERT_TRUE(points_check(&p));
    CU_ASSERT_EQUAL(points_make(&p, NULL, "", 1, 0, &entry), ST_INVALID);
    points_fini(&p);
    strings_fini(&s);
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"points against a naive model", test_points},
        {"ids of points are fixed", test_point_ids},
        {"points with the same id", test_point_collisions},
        {"points of several files", test_point_files},
        {"the check of points", test_points_check},
    };
    return suite_run("bus points", tests, sizeof(tests) / sizeof(tests[0]));
}
