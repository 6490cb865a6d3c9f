/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Additions of owners and tools to points through st_point.h: kinds, activities, values, and points
 * of addresses; and the version text of streams.
 *
 * test: libs=warpscope
 */
#define _GNU_SOURCE /* dladdr, through CUnit's own headers as well */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "bus/state.h"
#include "support/suite.h"

/* ---- Kinds and activities -------------------------------------------------------------------- */

static void test_kinds(void)
{
    st_kind kind = 9, again = 9, other = 9;
    st_activity activity = 9;
    CU_ASSERT_STRING_EQUAL(st_kind_name(0), "none");
    CU_ASSERT_STRING_EQUAL(st_kind_name(ST_KIND_OFFLOAD_READ), "offload read");
    CU_ASSERT_STRING_EQUAL(st_activity_name(ST_ACTIVITY_SLEEP), "sleep");
    CU_ASSERT_STRING_EQUAL(st_activity_name(5), "unknown 5");
    CU_ASSERT_EQUAL(st_kind_register(NULL, 1, &kind), ST_INVALID);
    CU_ASSERT_EQUAL(st_kind_register("", 1, &kind), ST_INVALID);
    CU_ASSERT_EQUAL(st_kind_register("tool", 128, &kind), ST_INVALID);
    CU_ASSERT_EQUAL(st_kind_register("tool", 1, NULL), ST_INVALID);
    CU_ASSERT_EQUAL(kind, 9);
    CU_ASSERT_EQUAL(st_kind_register("tool", 127, &kind), ST_OK);
    CU_ASSERT_EQUAL(st_kind_register("tool", 127, &again), ST_DUPLICATE);
    CU_ASSERT_EQUAL(st_kind_register("other tool", 127, &other), ST_OK);
    CU_ASSERT_EQUAL(kind, again);
    CU_ASSERT_NOT_EQUAL(kind, other);
    CU_ASSERT_STRING_EQUAL(st_kind_name(kind), "tool 127");
    CU_ASSERT_STRING_EQUAL(st_kind_name(other), "other tool 127");
    /* a kind is neither an activity nor a type of records */
    CU_ASSERT_STRING_EQUAL(st_activity_name(kind), "unknown 383");
    CU_ASSERT_EQUAL(st_activity_register("tool", 127, &activity), ST_OK);
    CU_ASSERT_STRING_EQUAL(st_activity_name(activity), "tool 127");
    st_type type = 0;
    CU_ASSERT_EQUAL(st_type_register("tool", 127, &type), ST_OK);
    CU_ASSERT_STRING_EQUAL(st_type_name(type), "tool 127 begin");
    CU_ASSERT_TRUE(bus_check());
    bus_fini();
    CU_ASSERT_STRING_EQUAL(st_kind_name(kind), "unknown 383");
}

static void test_describe(void)
{
    st_kind kind = 0;
    const st_point *point = ST_POINT();
    CU_ASSERT(point->kind == 0 && point->activity == 0);
    CU_ASSERT_EQUAL(st_point_describe(point, ST_KIND_LOCK, 0), ST_OK);
    CU_ASSERT(point->kind == ST_KIND_LOCK && point->activity == 0);
    CU_ASSERT_EQUAL(st_point_describe(point, 0, ST_ACTIVITY_SLEEP), ST_OK);
    CU_ASSERT(point->kind == ST_KIND_LOCK && point->activity == ST_ACTIVITY_SLEEP);
    CU_ASSERT_EQUAL(st_point_describe(point, ST_KIND_LOCK, ST_ACTIVITY_SLEEP), ST_OK);
    CU_ASSERT_EQUAL(st_kind_register("tool", 0, &kind), ST_OK);
    CU_ASSERT_EQUAL(st_point_describe(point, kind, 0), ST_DUPLICATE);
    CU_ASSERT_EQUAL(point->kind, kind);
    CU_ASSERT_EQUAL(st_point_describe(point, (st_kind)(kind + 1), 0), ST_INVALID);
    CU_ASSERT_EQUAL(st_point_describe(point, 0, 99), ST_INVALID);
    CU_ASSERT_EQUAL(st_point_describe(NULL, ST_KIND_LOCK, 0), ST_INVALID);
    CU_ASSERT(point->kind == kind && point->activity == ST_ACTIVITY_SLEEP);
    bus_fini(); /* the tool's kind is removed, with its descriptions */
    CU_ASSERT(point->kind == 0 && point->activity == 0);
}

/* ---- Values ---------------------------------------------------------------------------------- */

static void find_value(const st_record *record, void *arg)
{
    const char **found = arg;
    *found = st_point_attached(record->point, found);
}

static void test_values(void)
{
    const st_point *point = ST_POINT();
    const st_point *other = ST_POINT();
    st_stream_id id = 0;
    const char *found[2] = {NULL, NULL};
    char mine[] = "mine", second[] = "second", theirs[] = "theirs";
    CU_ASSERT_PTR_NULL(st_point_attached(point, &found[0]));
    CU_ASSERT_PTR_NULL(st_point_attached(NULL, &found[0]));
    CU_ASSERT_EQUAL(st_point_attach(point, NULL, mine), ST_INVALID);
    CU_ASSERT_EQUAL(st_point_attach(NULL, &found[0], mine), ST_INVALID);
    CU_ASSERT_EQUAL(st_point_attach(point, &found[0], NULL), ST_OK);
    CU_ASSERT_EQUAL(st_point_attach(point, &found[0], mine), ST_OK);
    CU_ASSERT_EQUAL(st_point_attach(point, &found[1], theirs), ST_OK);
    CU_ASSERT_EQUAL(st_point_attach(point, &found[0], mine), ST_OK);
    CU_ASSERT_PTR_NULL(st_point_attached(other, &found[0]));
    st_stream_open("s", 1, 0, &id);
    st_subscribe(id, ST_TASK, ST_COMMITTED, find_value, &found[0]);
    st_subscribe(id, ST_TASK, ST_COMMITTED, find_value, &found[1]);
    ST_NOTIFY(id, ST_TASK, point, NULL, 0);
    CU_ASSERT_PTR_EQUAL(found[0], mine);
    CU_ASSERT_PTR_EQUAL(found[1], theirs);
    CU_ASSERT_EQUAL(st_point_attach(point, &found[0], second), ST_DUPLICATE);
    CU_ASSERT_EQUAL(st_point_attach(point, &found[1], NULL), ST_DUPLICATE);
    ST_NOTIFY(id, ST_TASK, point, NULL, 0);
    CU_ASSERT_PTR_EQUAL(found[0], second);
    CU_ASSERT_PTR_NULL(found[1]);
    CU_ASSERT_TRUE(bus_check());
    bus_fini();
    CU_ASSERT_PTR_NULL(st_point_attached(point, &found[0]));
}

/* ---- Addresses ------------------------------------------------------------------------------- */

/* Functions are not data for ISO C. */
static const void *address_of(int (*function)(const char *))
{
    const void *address;
    memcpy(&address, &function, sizeof address);
    return address;
}

static int not_exported(const char *text)
{
    return text[0];
}

static void test_addresses(void)
{
    uint64_t instance = 0;
    void *exported = dlsym(RTLD_DEFAULT, "getenv");
    const st_point *named = st_point_make_at(NULL, exported, &instance);
    CU_ASSERT_PTR_NOT_NULL_FATAL(named);
    CU_ASSERT_EQUAL(instance, 1);
    CU_ASSERT_PTR_EQUAL(st_point_make_at("", exported, &instance), named);
    CU_ASSERT_EQUAL(instance, 2);
    CU_ASSERT_STRING_EQUAL(st_string_text(named->function), "getenv");
    CU_ASSERT_PTR_NOT_NULL(strstr(st_string_text(named->file), "libc"));
    CU_ASSERT_PTR_NULL(strchr(st_string_text(named->file), '/'));
    CU_ASSERT_EQUAL(named->line, 0);
    CU_ASSERT_PTR_EQUAL(st_point_address(named), exported);
    CU_ASSERT_PTR_EQUAL(st_point_by_id(named->id), named);

    /* another place of the same function is another point */
    const st_point *inside = st_point_make_at(NULL, (char *)exported + 1, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(inside);
    CU_ASSERT_EQUAL(inside->function, named->function);
    CU_ASSERT_EQUAL(inside->column, named->column + 1);
    CU_ASSERT_NOT_EQUAL(inside->id, named->id);
    const st_point *renamed = st_point_make_at("text to int", exported, NULL);
    CU_ASSERT_STRING_EQUAL(st_string_text(renamed->function), "text to int");
    CU_ASSERT_EQUAL(renamed->column, named->column);

    /* without a symbol: the offset in the file of this program */
    const st_point *bare = st_point_make_at(NULL, address_of(not_exported), NULL);
    char text[32];
    CU_ASSERT_PTR_NOT_NULL_FATAL(bare);
    snprintf(text, sizeof text, "0x%x", bare->column);
    CU_ASSERT_STRING_EQUAL(st_string_text(bare->function), text);
    CU_ASSERT_STRING_EQUAL(st_string_text(bare->file), "test_bus_described");

    /* an address outside of code: by its symbol, if any */
    CU_ASSERT_PTR_NULL(st_point_make_at(NULL, &instance, NULL));
    CU_ASSERT_PTR_NULL(st_point_make_at(NULL, NULL, NULL));
    const st_point *by_name = st_point_make_at("compiled at run time", &instance, NULL);
    CU_ASSERT_PTR_EQUAL(by_name, st_point_make("compiled at run time", NULL, 0, 0, NULL));
    CU_ASSERT_PTR_EQUAL(st_point_address(by_name), &instance);
    CU_ASSERT_PTR_NULL(st_point_address(ST_POINT()));
    CU_ASSERT_PTR_NULL(st_point_address(NULL));
    CU_ASSERT_TRUE(bus_check());
    bus_fini();
}

/* ---- Versions -------------------------------------------------------------------------------- */

static void test_versions(void)
{
    st_stream_id a = 0, b = 0, again = 0;
    char longest[257];
    memset(longest, 'v', sizeof longest);
    longest[256] = '\0';
    CU_ASSERT_EQUAL(st_stream_open("a", 3, 4, &a), ST_OK);
    CU_ASSERT_STRING_EQUAL(st_stream_version(a), "3.4");
    CU_ASSERT_EQUAL(st_stream_open_version("b", 2, 1, "2.1-rc3 (draft)", &b), ST_OK);
    CU_ASSERT_STRING_EQUAL(st_stream_version(b), "2.1-rc3 (draft)");
    CU_ASSERT_EQUAL(st_stream_open_version("b", 9, 9, "other", &again), ST_DUPLICATE);
    CU_ASSERT_STRING_EQUAL(st_stream_version(b), "2.1-rc3 (draft)");
    CU_ASSERT_EQUAL(st_stream_open_version("c", 1, 0, "two\nlines", &again), ST_INVALID);
    CU_ASSERT_EQUAL(st_stream_open_version("c", 1, 0, longest, &again), ST_INVALID);
    CU_ASSERT_EQUAL(st_stream_find("c"), 0);
    longest[255] = '\0';
    CU_ASSERT_EQUAL(st_stream_open_version("c", 1, 0, longest, &again), ST_OK);
    CU_ASSERT_STRING_EQUAL(st_stream_version(again), longest);
    CU_ASSERT_EQUAL(st_stream_open_version("d", 5, 6, "", &again), ST_OK);
    CU_ASSERT_STRING_EQUAL(st_stream_version(again), "5.6");
    CU_ASSERT_PTR_NULL(st_stream_version(0));
    st_stream_close("a");
    CU_ASSERT_STRING_EQUAL(st_stream_version(a), "3.4");
    CU_ASSERT_EQUAL(st_stream_open_version("a", 3, 5, "new", &a), ST_OK);
    CU_ASSERT_STRING_EQUAL(st_stream_version(a), "new");
    bus_fini();
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"kinds and activities", test_kinds},   {"points are described", test_describe},
        {"values of owners", test_values},      {"points of addresses", test_addresses},
        {"versions of streams", test_versions},
    };
    return suite_run("bus described", tests, sizeof(tests) / sizeof(tests[0]));
}
