/*
 * Tables of the bus against naive models: texts, places, streams, types.
 * test: libs=warpscope
 */
#include <stdlib.h>
#include <string.h>

#include "bus/points.h"
#include "bus/streams.h"
#include "bus/types.h"
#include "support/suite.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* A text out of few or many, short or long. */
static void random_text(uint64_t *random, unsigned n, char *text, size_t size)
{
    unsigned long long number = random_below(random, n);
    snprintf(text, size, "%s%llu%*s", number % 3 == 0 ? "" : "t", number, (int)(number % 90), "");
}

/* ---- Strings ------------------------------------------------------------------------------------
 */

#define TEXTS 3000

/* The naive model: texts in the order in which they came. */
struct texts {
    char *text[TEXTS];
    const char *address[TEXTS];
    uint32_t n;
};

static uint32_t texts_find(const struct texts *model, const char *text)
{
    for (uint32_t i = 0; i < model->n; i++) {
        if (strcmp(model->text[i], text) == 0) {
            return i + 1;
        }
    }
    return 0;
}

static void test_strings(void)
{
    uint64_t random = suite_seed();
    suite_print_seed("strings", random);
    struct strings s = {0};
    struct texts *model = calloc(1, sizeof *model);
    CU_ASSERT_TRUE(strings_check(&s));
    CU_ASSERT_EQUAL(strings_find(&s, "nothing"), 0);
    CU_ASSERT_PTR_NULL(strings_text(&s, 0));
    for (unsigned step = 0; step < 6000; step++) {
        char text[128];
        random_text(&random, TEXTS, text, sizeof text);
        uint32_t known = texts_find(model, text);
        CU_ASSERT_EQUAL(strings_find(&s, text), known);
        if (random_below(&random, 2) == 0) {
            uint32_t id = strings_insert(&s, text);
            if (known == 0) {
                model->text[model->n] = strdup(text);
                model->address[model->n++] = strings_text(&s, id);
                known = model->n;
            }
            CU_ASSERT_EQUAL(id, known);
        }
        if (step % 1000 == 0) {
            CU_ASSERT_TRUE(strings_check(&s));
        }
    }
    CU_ASSERT_TRUE(strings_check(&s));
    CU_ASSERT_EQUAL(s.n, model->n + 1);
    for (uint32_t i = 0; i < model->n; i++) {
        CU_ASSERT_STRING_EQUAL(strings_text(&s, i + 1), model->text[i]);
        CU_ASSERT_PTR_EQUAL(strings_text(&s, i + 1), model->address[i]);
        free(model->text[i]);
    }
    CU_ASSERT_PTR_NULL(strings_text(&s, model->n + 1));
    CU_ASSERT_PTR_NULL(strings_text(&s, UINT32_MAX));
    free(model);
    strings_fini(&s);
    CU_ASSERT_TRUE(strings_check(&s));
}

static void test_string_sizes(void)
{
    struct strings s = {0};
    char *long_text = malloc(3u << 20);
    memset(long_text, 'x', 3u << 20);
    long_text[(3u << 20) - 1] = '\0';
    uint32_t empty = strings_insert(&s, "");
    uint32_t large = strings_insert(&s, long_text);
    CU_ASSERT_NOT_EQUAL(empty, 0);
    CU_ASSERT_EQUAL(strings_insert(&s, ""), empty);
    CU_ASSERT_EQUAL(strings_insert(&s, long_text), large);
    CU_ASSERT_STRING_EQUAL(strings_text(&s, large), long_text);
    CU_ASSERT_TRUE(strings_check(&s));
    free(long_text);
    strings_fini(&s);
}

/* The check finds what it is there for. */
static void test_strings_check(void)
{
    struct strings s = {0};
    uint32_t a = strings_insert(&s, "a");
    uint32_t b = strings_insert(&s, "b");
    const char *text = s.texts[a];
    s.texts[a] = s.texts[b];
    CU_ASSERT_FALSE(strings_check(&s));
    s.texts[a] = text;
    s.n--;
    CU_ASSERT_FALSE(strings_check(&s));
    s.n++;
    CU_ASSERT_TRUE(strings_check(&s));
    strings_fini(&s);
}

/* ---- Points -------------------------------------------------------------------------------------
 */

#define PLACES 1500

struct place {
    char function[64], file[64];
    uint32_t line, column;
    struct point_entry *entry;
    char values[3][8]; /* of three keys, "" for none */
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

/* Ids are a function of the place: these never change, whatever came before. */
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

static void weak_hash(const char *function, const char *file, uint32_t line, uint32_t column,
                      uint64_t wide[2])
{
    (void)function, (void)file, (void)column;
    wide[0] = line; /* crowded slots, and the same number for places of one line */
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

/* ---- Streams ------------------------------------------------------------------------------------
 */

#define NAMES 200

static void test_streams(void)
{
    uint64_t random = suite_seed();
    suite_print_seed("streams", random);
    struct strings s = {0};
    struct streams streams = {0};
    st_stream_id ids[NAMES] = {0};
    unsigned references[NAMES] = {0};
    st_stream_id n = 0;
    CU_ASSERT_TRUE(streams_check(&streams, &s));
    for (unsigned step = 0; step < 4000; step++) {
        unsigned i = (unsigned)random_below(&random, NAMES);
        char name[32];
        snprintf(name, sizeof name, "stream %u", i);
        CU_ASSERT_EQUAL(streams_find(&streams, &s, name), ids[i]);
        if (random_below(&random, 3) == 0 && references[i] > 0) {
            references[i]--;
            streams_get(&streams, ids[i])->references--;
            continue;
        }
        st_stream_id id = 0;
        st_result result = streams_open(&streams, &s, name, step, 2, &id);
        CU_ASSERT_EQUAL(result, references[i]++ == 0 ? ST_OK : ST_DUPLICATE);
        ids[i] = ids[i] == 0 ? ++n : ids[i];
        CU_ASSERT_EQUAL(id, ids[i]);
        CU_ASSERT_TRUE((streams_get(&streams, id)->major == step) == (result == ST_OK));
    }
    CU_ASSERT_TRUE(streams_check(&streams, &s));
    CU_ASSERT_PTR_NULL(streams_get(&streams, 0));
    CU_ASSERT_PTR_NULL(streams_get(&streams, (st_stream_id)(n + 1)));
    streams_fini(&streams);
    strings_fini(&s);
}

static void test_stream_names(void)
{
    struct strings s = {0};
    struct streams streams = {0};
    st_stream_id id = 77;
    char longest[] = "0123456789012345678901234567890123456789012345678901234567890123";
    CU_ASSERT_EQUAL(streams_open(&streams, &s, NULL, 1, 0, &id), ST_INVALID);
    CU_ASSERT_EQUAL(streams_open(&streams, &s, "", 1, 0, &id), ST_INVALID);
    CU_ASSERT_EQUAL(streams_open(&streams, &s, "a\nb", 1, 0, &id), ST_INVALID);
    CU_ASSERT_EQUAL(streams_open(&streams, &s, longest, 1, 0, &id), ST_INVALID);
    CU_ASSERT_EQUAL(streams_open(&streams, &s, "a", 1, 0, NULL), ST_INVALID);
    CU_ASSERT_EQUAL(id, 77);
    longest[63] = '\0';
    CU_ASSERT_EQUAL(streams_open(&streams, &s, longest, 1, 0, &id), ST_OK);
    CU_ASSERT_EQUAL(id, 1);
    streams_fini(&streams);
    strings_fini(&s);
}

static void test_streams_full(void)
{
    struct strings s = {0};
    struct streams streams = {0};
    st_stream_id id = 0;
    char name[32];
    for (unsigned i = 1; i < ST_STREAMS_MAX; i++) {
        snprintf(name, sizeof name, "%u", i);
        if (streams_open(&streams, &s, name, 1, 0, &id) != ST_OK || id != i) {
            CU_FAIL("a table with room");
            break;
        }
    }
    CU_ASSERT_EQUAL(streams_open(&streams, &s, "one more", 1, 0, &id), ST_FULL);
    CU_ASSERT_EQUAL(streams_find(&streams, &s, "one more"), 0);
    CU_ASSERT_EQUAL(streams_open(&streams, &s, "77", 1, 0, &id), ST_DUPLICATE);
    CU_ASSERT_EQUAL(id, 77);
    CU_ASSERT_TRUE(streams_check(&streams, &s));
    streams_fini(&streams);
    strings_fini(&s);
}

/* ---- Types --------------------------------------------------------------------------------------
 */

static void test_types(void)
{
    uint64_t random = suite_seed();
    suite_print_seed("types", random);
    struct strings s = {0};
    struct types *types = calloc(1, sizeof *types);
    st_type known[10][128] = {{0}};
    for (unsigned step = 0; step < 3000; step++) {
        unsigned tool = (unsigned)random_below(&random, 10);
        unsigned number = (unsigned)random_below(&random, 140);
        char name[16];
        char text[32];
        st_type type = 1;
        snprintf(name, sizeof name, "tool%u", tool);
        st_result result = types_register(types, &s, name, number, &type);
        if (number > 127) {
            CU_ASSERT_EQUAL(result, ST_INVALID);
            CU_ASSERT_EQUAL(type, 1);
            continue;
        }
        CU_ASSERT_EQUAL(result, known[tool][number] == 0 ? ST_OK : ST_DUPLICATE);
        CU_ASSERT_TRUE(known[tool][number] == 0 || known[tool][number] == type);
        CU_ASSERT_EQUAL(type & 1u, 0);
        known[tool][number] = type;
        snprintf(text, sizeof text, "%s %u begin", name, number);
        CU_ASSERT_STRING_EQUAL(types_name(types, &s, type), text);
        snprintf(text, sizeof text, "%s %u end", name, number);
        CU_ASSERT_STRING_EQUAL(types_name(types, &s, ST_TYPE_END(type)), text);
    }
    for (unsigned i = 0; i < 10 * 128; i++) { /* all different, none predefined */
        for (unsigned j = 0; j < i; j++) {
            st_type a = known[i / 128][i % 128];
            CU_ASSERT_TRUE(a == 0 || (a > 255 && a != known[j / 128][j % 128]));
        }
    }
    CU_ASSERT_TRUE(types_check(types, &s));
    free(types);
    strings_fini(&s);
}

static void test_types_limits(void)
{
    struct strings s = {0};
    struct types *types = calloc(1, sizeof *types);
    st_type type = 0;
    CU_ASSERT_EQUAL(types_register(types, &s, NULL, 0, &type), ST_INVALID);
    CU_ASSERT_EQUAL(types_register(types, &s, "", 0, &type), ST_INVALID);
    CU_ASSERT_EQUAL(types_register(types, &s, "a", 128, &type), ST_INVALID);
    CU_ASSERT_EQUAL(types_register(types, &s, "a", 0, NULL), ST_INVALID);
    for (unsigned i = 0; i < 127; i++) {
        char name[16];
        snprintf(name, sizeof name, "tool%u", i);
        CU_ASSERT_EQUAL(types_register(types, &s, name, 127, &type), ST_OK);
        CU_ASSERT_NOT_EQUAL(ST_TYPE_END(type), ST_ALL_TYPES);
    }
    CU_ASSERT_EQUAL(types_register(types, &s, "one more", 0, &type), ST_FULL);
    CU_ASSERT_EQUAL(types_register(types, &s, "tool5", 0, &type), ST_OK);
    CU_ASSERT_TRUE(types_check(types, &s));
    CU_ASSERT_STRING_EQUAL(types_name(types, &s, ST_TASK), "task begin");
    CU_ASSERT_STRING_EQUAL(types_name(types, &s, ST_LOCK_END), "lock end");
    CU_ASSERT_STRING_EQUAL(types_name(types, &s, 250), "unknown type 250");
    CU_ASSERT_STRING_EQUAL(types_name(types, &s, 0x0302), "unknown type 770");
    CU_ASSERT_STRING_EQUAL(types_name(types, &s, ST_ALL_TYPES), "all types");
    free(types);
    strings_fini(&s);
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"strings against a naive model", test_strings},
        {"empty and very long strings", test_string_sizes},
        {"the check of strings", test_strings_check},
        {"points against a naive model", test_points},
        {"ids of points are fixed", test_point_ids},
        {"points with the same id", test_point_collisions},
        {"streams against a naive model", test_streams},
        {"names of streams", test_stream_names},
        {"a full table of streams", test_streams_full},
        {"types against a naive model", test_types},
        {"limits and names of types", test_types_limits},
    };
    return suite_run("bus tables", tests, COUNT(tests));
}
