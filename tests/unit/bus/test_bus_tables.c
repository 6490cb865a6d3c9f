/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tables of the bus against naive models: texts, streams, types.
 * test: libs=warpscope
 */
#include <stdlib.h>
#include <string.h>

#include "bus/tables/streams.h"
#include "bus/tables/types.h"
#include "support/suite.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* Makes a random string over few or many characters, short or long. */
static void random_text(uint64_t *random, unsigned n, char *text, size_t size)
{
    unsigned long long number = random_below(random, n);
    snprintf(text, size, "%s%llu%*s", number % 3 == 0 ? "" : "t", number, (int)(number % 90), "");
}

/* ---- Strings --------------------------------------------------------------------------------- */

#define TEXTS 3000

/* The naive model: strings in the order of their first use. */
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

/* The check of the table detects damage. */
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
    s.index.n--;
    CU_ASSERT_FALSE(strings_check(&s));
    s.index.n++;
    CU_ASSERT_TRUE(strings_check(&s));
    strings_fini(&s);
}

/* ---- Streams --------------------------------------------------------------------------------- */

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
        st_result result =
            streams_open(&streams, &s, name, &(struct stream_version){step, 2, NULL}, &id);
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
    CU_ASSERT_EQUAL(streams_open(&streams, &s, NULL, &(struct stream_version){1, 0, NULL}, &id),
                    ST_INVALID);
    CU_ASSERT_EQUAL(streams_open(&streams, &s, "", &(struct stream_version){1, 0, NULL}, &id),
                    ST_INVALID);
    CU_ASSERT_EQUAL(streams_open(&streams, &s, "a\nb", &(struct stream_version){1, 0, NULL}, &id),
                    ST_INVALID);
    CU_ASSERT_EQUAL(streams_open(&streams, &s, longest, &(struct stream_version){1, 0, NULL}, &id),
                    ST_INVALID);
    CU_ASSERT_EQUAL(streams_open(&streams, &s, "a", &(struct stream_version){1, 0, NULL}, NULL),
                    ST_INVALID);
    CU_ASSERT_EQUAL(id, 77);
    longest[63] = '\0';
    CU_ASSERT_EQUAL(streams_open(&streams, &s, longest, &(struct stream_version){1, 0, NULL}, &id),
                    ST_OK);
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
        if (streams_open(&streams, &s, name, &(struct stream_version){1, 0, NULL}, &id) != ST_OK ||
            id != i) {
            CU_FAIL("a table with room");
            break;
        }
    }
    CU_ASSERT_EQUAL(
        streams_open(&streams, &s, "one more", &(struct stream_version){1, 0, NULL}, &id), ST_FULL);
    CU_ASSERT_EQUAL(streams_find(&streams, &s, "one more"), 0);
    CU_ASSERT_EQUAL(streams_open(&streams, &s, "77", &(struct stream_version){1, 0, NULL}, &id),
                    ST_DUPLICATE);
    CU_ASSERT_EQUAL(id, 77);
    CU_ASSERT_TRUE(streams_check(&streams, &s));
    CU_ASSERT_TRUE(strings_check(&s)); /* a large table of these, too */
    streams_fini(&streams);
    strings_fini(&s);
}

/* ---- Types ----------------------------------------------------------------------------------- */

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
        char text[32], shown[TYPES_NAME_MAX];
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
        CU_ASSERT_STRING_EQUAL(types_name(types, &s, type, shown), text);
        snprintf(text, sizeof text, "%s %u end", name, number);
        CU_ASSERT_STRING_EQUAL(types_name(types, &s, ST_TYPE_END(type), shown), text);
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
    char shown[TYPES_NAME_MAX];
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
    CU_ASSERT_STRING_EQUAL(types_name(types, &s, ST_TASK, shown), "task begin");
    CU_ASSERT_STRING_EQUAL(types_name(types, &s, ST_LOCK_END, shown), "lock end");
    CU_ASSERT_STRING_EQUAL(types_name(types, &s, 250, shown), "unknown type 250");
    CU_ASSERT_STRING_EQUAL(types_name(types, &s, 0x0302, shown), "unknown type 770");
    CU_ASSERT_STRING_EQUAL(types_name(types, &s, ST_ALL_TYPES, shown), "all types");
    free(types);
    strings_fini(&s);
}

/* Predefined types: one beginning and one end each, all different, with names of their own. */
static void test_predefined_types(void)
{
#define X(name, number) ST_##name##_BEGIN, ST_##name##_END,
    static const st_type all[] = {ST_TYPE_LIST(X)};
#undef X
    struct strings s = {0};
    struct types *types = calloc(1, sizeof *types);
    char names[COUNT(all)][32], shown[TYPES_NAME_MAX];
    for (size_t i = 0; i < COUNT(all); i++) {
        const char *kind = i % 2 == 0 ? " begin" : " end";
        snprintf(names[i], sizeof names[i], "%s", types_name(types, &s, all[i], shown));
        CU_ASSERT_EQUAL(all[i] % 2, i % 2);
        CU_ASSERT(i % 2 == 0 || all[i] == ST_TYPE_END(all[i - 1]));
        CU_ASSERT_STRING_EQUAL(names[i] + strlen(names[i]) - strlen(kind), kind);
        for (size_t j = 0; j < i; j++) {
            CU_ASSERT(all[j] != all[i] && strcmp(names[j], names[i]) != 0);
        }
    }
    CU_ASSERT_EQUAL(COUNT(all), 2 * 17);
    free(types);
    strings_fini(&s);
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"strings against a naive model", test_strings},
        {"empty and very long strings", test_string_sizes},
        {"the check of strings", test_strings_check},
        {"streams against a naive model", test_streams},
        {"names of streams", test_stream_names},
        {"a full table of streams", test_streams_full},
        {"types against a naive model", test_types},
        {"predefined types", test_predefined_types},
        {"limits and names of types", test_types_limits},
    };
    return suite_run("bus tables", tests, COUNT(tests));
}
