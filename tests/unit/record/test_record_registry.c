/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The callbacks of LPs, the fields of their payloads, and the identity of payload types.
 *
 * test: alone=yes
 */
#include "support/fake_engine.h"
#include "support/suite.h"

static void trace(void *msg, tw_lp *lp, char *buffer, int *collect_flag)
{
    (void)msg;
    (void)lp;
    (void)buffer;
    (void)collect_flag;
}

static void stat(void *state, tw_lp *lp, char *buffer)
{
    (void)state;
    (void)lp;
    (void)buffer;
}

static st_model_types both = {.rbev_trace = trace,
                              .rbev_sz = 24,
                              .ev_trace = trace,
                              .ev_sz = 16,
                              .model_stat_fn = stat,
                              .mstat_sz = 8};
static st_model_types by_type[] = {{.ev_trace = trace, .ev_sz = 4},
                                   {.model_stat_fn = stat, .mstat_sz = 12}};

static tw_lpid odd_or_even(tw_lpid gid)
{
    return gid % 2;
}

/* ---- Registration ---------------------------------------------------------------------------- */

static void test_by_lp(void)
{
    fake_begin(10);
    st_model_settype(7, &both);
    st_model_settype(2, &both);
    st_model_settype(2, NULL);
    const struct registry *registry = &context_recorder()->registry;
    for (tw_lpid i = 0; i < 10; i++) {
        CU_ASSERT_PTR_EQUAL(registry_get(registry, i), i == 7 ? &both : NULL);
    }
    fake_end();
}

static void test_by_type(void)
{
    fake_begin(10);
    st_model_settype(3, &both);
    g_st_model_types = by_type;
    g_tw_lp_typemap = odd_or_even;
    g_st_ev_trace = 1;
    g_st_options.disable_output = 1;
    CU_ASSERT_EQUAL(fake_setup(), TW_OK);
    const struct registry *registry = &context_recorder()->registry;
    for (tw_lpid i = 0; i < 10; i++) {
        CU_ASSERT_PTR_EQUAL(registry_get(registry, i), i == 3 ? &both : &by_type[i % 2]);
    }
    fake_finish();
    fake_end();
    CU_ASSERT_PTR_NULL(g_st_model_types);
}

/* Callbacks as in ROSS 8, positional, beside those of our own. */
static void test_v8(void)
{
    static st_model_types_v8 v8 = {trace, 24, stat, 8, NULL, NULL, 0};
    static st_model_types_v8 v8_by_type[2] = {{trace, 1, NULL, 0, NULL, NULL, 0}, {0}};
    static const st_field fields[] = {{"late", ST_U64, 32, "", 1}, {NULL, ST_U8, 0, NULL, 0}};
    fake_begin(10);
    st_model_settype(2, &both);
    st_model_settype_v8(3, &v8);
    st_model_settype_v8(4, &v8);
    st_model_settype_v8(5, &v8);
    st_model_settype_v8(5, NULL);
    st_model_fields_v8(&v8, ST_PAYLOAD_EV, fields);
    v8.ev_sz = 40; /* filled in later: the values at set-up count */
    g_st_model_types_v8 = v8_by_type;
    g_tw_lp_typemap = odd_or_even;
    g_st_ev_trace = 1;
    g_st_options.disable_output = 1;
    CU_ASSERT_EQUAL(fake_setup(), TW_OK);
    const struct registry *registry = &context_recorder()->registry;
    const st_model_types *types = registry_get(registry, 3);
    CU_ASSERT_PTR_EQUAL(registry_get(registry, 2), &both);
    CU_ASSERT_PTR_EQUAL(registry_get(registry, 4), types);
    CU_ASSERT(types->ev_trace == trace && types->ev_sz == 40);
    CU_ASSERT(types->rbev_trace == trace && types->rbev_sz == 40);
    CU_ASSERT(types->model_stat_fn == stat && types->mstat_sz == 8);
    CU_ASSERT(types->sample_event_fn == NULL && types->sample_struct_sz == 0);
    CU_ASSERT_PTR_EQUAL(registry_find(registry, types, ST_PAYLOAD_EV)->fields, fields);
    CU_ASSERT_EQUAL(registry_get(registry, 0)->ev_sz, 1);
    CU_ASSERT_EQUAL(registry_get(registry, 8)->ev_sz, 1);
    CU_ASSERT_PTR_NULL(registry_get(registry, 5)->ev_trace);
    fake_finish();
    fake_end();
    CU_ASSERT_PTR_NULL(g_st_model_types_v8);
}

static bool settype_is_fatal(tw_lpid lp)
{
    fake.expects_error = true;
    bool fatal = setjmp(fake.on_error) != 0;
    if (!fatal) {
        st_model_settype(lp, &both);
    }
    fake.expects_error = false;
    return fatal;
}

static bool fields_are_fatal(const st_model_types *types, int kind)
{
    static const st_field none[] = {{NULL, ST_U8, 0, NULL, 0}};
    fake.expects_error = true;
    bool fatal = setjmp(fake.on_error) != 0;
    if (!fatal) {
        st_model_fields(types, (st_payload_kind)kind, none);
    }
    fake.expects_error = false;
    return fatal;
}

static void test_wrong_calls(void)
{
    fake_begin(4);
    CU_ASSERT_FALSE(settype_is_fatal(3));
    CU_ASSERT_TRUE(settype_is_fatal(4));
    CU_ASSERT_PTR_NOT_NULL(strstr(fake.last_message, "no LP 4"));
    CU_ASSERT_TRUE(fields_are_fatal(NULL, ST_PAYLOAD_EV));
    CU_ASSERT_TRUE(fields_are_fatal(&both, 4));
    CU_ASSERT_FALSE(fields_are_fatal(&both, ST_PAYLOAD_MODEL));
    fake_end();
}

/* ---- Descriptions ---------------------------------------------------------------------------- */

/* Returns the status of a set-up in which ev_trace's 16 bytes have these two fields. */
static enum tw_status setup_with(st_field first, st_field second)
{
    st_field fields[] = {first, second, {NULL, ST_U8, 0, NULL, 0}};
    char error[600] = "";
    fake_begin(4);
    st_model_fields(&both, ST_PAYLOAD_EV, fields);
    enum tw_status status = registry_check(&context_recorder()->registry, error, sizeof(error));
    CU_ASSERT(status == TW_OK || strstr(error, "ev_trace block of 16 bytes") != NULL);
    fake_end();
    return status;
}

static void test_field_checks(void)
{
    st_field good = {"kind", ST_U32, 0, "", 1};
    CU_ASSERT_EQUAL(setup_with(good, (st_field){"delay", ST_F64, 8, "s", 1}), TW_OK);
    CU_ASSERT_EQUAL(setup_with(good, (st_field){"x", ST_F64, 1, "s", 1}), TW_OK);
    CU_ASSERT_EQUAL(setup_with(good, (st_field){"name", ST_CHAR, 4, "", 12}), TW_OK);
    CU_ASSERT_EQUAL(setup_with(good, (st_field){"v", ST_U16, 4, "", 6}), TW_OK);
    CU_ASSERT_EQUAL(setup_with(good, (st_field){"delay", ST_F64, 9, "s", 1}), TW_ERR_USAGE);
    CU_ASSERT_EQUAL(setup_with(good, (st_field){"v", ST_U16, 4, "", 7}), TW_ERR_USAGE);
    CU_ASSERT_EQUAL(setup_with(good, (st_field){"v", ST_U8, SIZE_MAX, "", 1}), TW_ERR_USAGE);
    CU_ASSERT_EQUAL(setup_with(good, (st_field){"v", ST_U64, 0, "", UINT_MAX}), TW_ERR_USAGE);
    CU_ASSERT_EQUAL(setup_with(good, (st_field){"kind", ST_U32, 4, "", 1}), TW_ERR_USAGE);
    CU_ASSERT_EQUAL(setup_with(good, (st_field){"", ST_U32, 4, "", 1}), TW_ERR_USAGE);
    CU_ASSERT_EQUAL(setup_with(good, (st_field){"a b", ST_U32, 4, "", 1}), TW_ERR_USAGE);
    CU_ASSERT_EQUAL(setup_with(good, (st_field){"v", ST_U32, 4, "", 0}), TW_ERR_USAGE);
    CU_ASSERT_EQUAL(setup_with(good, (st_field){"v", ST_U32, 4, NULL, 1}), TW_ERR_USAGE);
    CU_ASSERT_EQUAL(setup_with(good, (st_field){"v", (st_field_type)11, 4, "", 1}), TW_ERR_USAGE);
}

static enum tw_status setup_with_names(const char *const *names)
{
    st_field good = {"delay", ST_F64, 8, "s", 1};
    return setup_with((st_field){"kind", ST_U32, 0, "", 1, ST_IDENTITY, names}, good);
}

static void test_name_checks(void)
{
    static const char *names[ST_VALUE_NAMES_MAX + 2];
    static char text[ST_VALUE_NAME_MAX + 2];
    st_field good = {"kind", ST_U32, 0, "", 1, ST_IDENTITY, names};
    CU_ASSERT_EQUAL(setup_with_names(names), TW_OK); /* an empty list */
    names[0] = "";
    names[1] = "stra\xc3\x9f"
               "e";
    CU_ASSERT_EQUAL(setup_with_names(names), TW_OK);
    CU_ASSERT_EQUAL(setup_with(good, (st_field){"b", ST_I8, 8, "", 1, ST_IDENTITY, names}), TW_OK);
    CU_ASSERT_EQUAL(setup_with(good, (st_field){"b", ST_U8, 8, "", 2, ST_IDENTITY, names}),
                    TW_ERR_USAGE);
    CU_ASSERT_EQUAL(setup_with(good, (st_field){"b", ST_F32, 8, "", 1, ST_IDENTITY, names}),
                    TW_ERR_USAGE);
    CU_ASSERT_EQUAL(setup_with(good, (st_field){"b", ST_CHAR, 8, "", 1, ST_IDENTITY, names}),
                    TW_ERR_USAGE);
    static const char *const wrong[] = {"a\nb", "\x7f", "\xff", "\xc3", "\xc2\x80", "\xed\xa0\x80"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        names[1] = wrong[i];
        CU_ASSERT_EQUAL(setup_with_names(names), TW_ERR_USAGE);
    }
    memset(text, 'x', ST_VALUE_NAME_MAX);
    names[1] = text;
    CU_ASSERT_EQUAL(setup_with_names(names), TW_OK);
    text[ST_VALUE_NAME_MAX] = 'x';
    CU_ASSERT_EQUAL(setup_with_names(names), TW_ERR_USAGE);
    for (size_t i = 0; i <= ST_VALUE_NAMES_MAX; i++) {
        names[i] = "n";
    }
    CU_ASSERT_EQUAL(setup_with_names(names), TW_ERR_USAGE);
    names[ST_VALUE_NAMES_MAX] = NULL;
    CU_ASSERT_EQUAL(setup_with_names(names), TW_OK);
    for (size_t i = 0; i < ST_VALUE_NAMES_MAX; i++) {
        names[i] = "sixteen bytes..";
    }
    CU_ASSERT_EQUAL(setup_with_names(names), TW_OK);
    /* too much for the two fields together */
    CU_ASSERT_EQUAL(setup_with(good, (st_field){"b", ST_I8, 8, "", 1, ST_IDENTITY, &names[1023]}),
                    TW_ERR_USAGE);
    names[0] = "seventeen bytes..";
    CU_ASSERT_EQUAL(setup_with_names(names), TW_ERR_USAGE);
}

/* Wrong descriptions are found also when nothing is recorded. */
static void test_checked_without_recording(void)
{
    static const st_field wrong[] = {{"x", ST_F64, 100, "", 1}, {NULL, ST_U8, 0, NULL, 0}};
    fake_begin(4);
    st_model_fields(&both, ST_PAYLOAD_MODEL, wrong);
    CU_ASSERT_EQUAL(fake_setup(), TW_ERR_USAGE);
    fake_end();
}

static void test_described_twice(void)
{
    static const st_field a[] = {{"a", ST_U8, 0, "", 1}, {NULL, ST_U8, 0, NULL, 0}};
    static const st_field b[] = {{"b", ST_U8, 0, "", 1}, {NULL, ST_U8, 0, NULL, 0}};
    fake_begin(1);
    st_model_fields(&both, ST_PAYLOAD_EV, a);
    st_model_fields(&both, ST_PAYLOAD_MODEL, a);
    st_model_fields(&both, ST_PAYLOAD_EV, b);
    const struct registry *registry = &context_recorder()->registry;
    CU_ASSERT_EQUAL(registry->n_described, 2);
    CU_ASSERT_PTR_EQUAL(registry_find(registry, &both, ST_PAYLOAD_EV)->fields, b);
    CU_ASSERT_PTR_EQUAL(registry_find(registry, &both, ST_PAYLOAD_MODEL)->fields, a);
    CU_ASSERT_PTR_NULL(registry_find(registry, &both, ST_PAYLOAD_RBEV));
    fake_end();
}

/* ---- Payload types --------------------------------------------------------------------------- */

static void test_sizes(void)
{
    st_model_types no_function = {.rbev_sz = 8, .ev_sz = 8, .mstat_sz = 8, .sample_struct_sz = 8};
    st_model_types no_size = {.rbev_trace = trace, .ev_trace = trace, .model_stat_fn = stat};
    for (int kind = ST_PAYLOAD_RBEV; kind <= ST_PAYLOAD_SAMPLE; kind++) {
        CU_ASSERT_EQUAL(registry_size(NULL, (st_payload_kind)kind), 0);
        CU_ASSERT_EQUAL(registry_size(&no_function, (st_payload_kind)kind), 0);
        CU_ASSERT_EQUAL(registry_size(&no_size, (st_payload_kind)kind), 0);
    }
    CU_ASSERT_EQUAL(registry_size(&both, ST_PAYLOAD_RBEV), 24);
    CU_ASSERT_EQUAL(registry_size(&both, ST_PAYLOAD_EV), 16);
    CU_ASSERT_EQUAL(registry_size(&both, ST_PAYLOAD_MODEL), 8);
}

static void test_payload_types(void)
{
    st_model_types twin = both;      /* same sizes, no description: the same type */
    st_model_types described = both; /* same sizes, but described */
    st_model_types larger = {.ev_trace = trace, .ev_sz = 17};
    static const st_field fields[] = {{"x", ST_F64, 8, "s", 1}, {NULL, ST_U8, 0, NULL, 0}};
    st_model_types *of_lp[] = {NULL, &both, &both, &twin, &larger, &described, &by_type[1], &both};
    static const uint32_t id[] = {0, 1, 1, 1, 2, 3, 0, 1};
    static const uint32_t size[] = {0, 16, 16, 16, 17, 16, 0, 16};
    struct payload_types types;
    char error[200];
    fake_begin(8);
    st_model_fields(&described, ST_PAYLOAD_EV, fields);
    for (tw_lpid i = 0; i < 8; i++) {
        st_model_settype(i, of_lp[i]);
    }
    CU_ASSERT_EQUAL(payload_types_collect(&types, &context_recorder()->registry,
                                          &context_recorder()->names, ST_PAYLOAD_EV, true, 8, error,
                                          sizeof(error)),
                    TW_OK);
    payload_types_number(&types, 1, MPI_COMM_SELF);
    CU_ASSERT_EQUAL(types.n_keys, 3);
    CU_ASSERT_EQUAL(types.n_lps, 6);
    CU_ASSERT_EQUAL(types.size_max, 17);
    for (tw_lpid i = 0; i < 8; i++) {
        CU_ASSERT_EQUAL(types.slots[i].id, id[i]);
        CU_ASSERT_EQUAL(types.slots[i].size, size[i]);
        CU_ASSERT_EQUAL(types.slots[i].types != NULL, id[i] != 0);
    }
    struct fmt_payload_desc *descs = payload_types_describe(&types);
    CU_ASSERT_EQUAL(descs[2].id, 3);
    CU_ASSERT_EQUAL(descs[2].kind, FMT_PAYLOAD_EV);
    CU_ASSERT_EQUAL(descs[2].n_fields, 1);
    CU_ASSERT_STRING_EQUAL(descs[2].fields[0].name, "x");
    CU_ASSERT_EQUAL(descs[2].fields[0].type, FMT_F64);
    CU_ASSERT_EQUAL(descs[2].fields[0].offset, 8);
    CU_ASSERT_EQUAL(descs[0].n_fields, 0);
    free(descs);
    payload_types_fini(&types);
    fake_end();
}

/* Types that differ in the names of values only are different types. */
static void test_payload_type_names(void)
{
    static const char *const lists[][4] = {
        {"a", "b", NULL}, {"a", "b", "", NULL}, {"ab", NULL}, {NULL}, {"a", "b", NULL}};
    static const uint32_t id[] = {1, 2, 3, 4, 1, 4};
    st_model_types described[6];
    st_field fields[6][2];
    struct payload_types types;
    char error[200];
    fake_begin(6);
    for (tw_lpid i = 0; i < 6; i++) {
        const char *const *names = i < 5 ? lists[i] : NULL;
        described[i] = both;
        fields[i][0] = (st_field){"kind", ST_U8, 0, "", 1, ST_IDENTITY, names};
        fields[i][1] = (st_field){NULL, ST_U8, 0, NULL, 0};
        st_model_fields(&described[i], ST_PAYLOAD_EV, fields[i]);
        st_model_settype(i, &described[i]);
    }
    CU_ASSERT_EQUAL(payload_types_collect(&types, &context_recorder()->registry,
                                          &context_recorder()->names, ST_PAYLOAD_EV, true, 6, error,
                                          sizeof(error)),
                    TW_OK);
    payload_types_number(&types, 1, MPI_COMM_SELF);
    for (tw_lpid i = 0; i < 6; i++) {
        CU_ASSERT_EQUAL(types.slots[i].id, id[i]);
    }
    struct fmt_payload_desc *descs = payload_types_describe(&types);
    CU_ASSERT_STRING_EQUAL(descs[0].fields[0].names[1], "b");
    free(descs);
    payload_types_fini(&types);
    fake_end();
}

static void test_payload_too_large(void)
{
    st_model_types huge = {.ev_trace = trace, .ev_sz = (size_t)FMT_PAYLOAD_MAX + 1};
    fake_begin(2);
    st_model_settype(1, &huge);
    g_st_ev_trace = 1;
    g_st_options.disable_output = 1;
    CU_ASSERT_EQUAL(fake_setup(), TW_ERR_USAGE);
    fake_end();
}

/* ---- Names of LPs ---------------------------------------------------------------------------- */

/* Random names, right and wrong, for LPs here and elsewhere, compared with a naive model. */
static void test_lp_names(void)
{
    enum { LPS = 200 };
    static const char *const wrong[] = {"", "12", "3-4,5", "\xff", "a\n", NULL};
    char model[LPS][ST_LP_NAME_MAX + 1] = {""};
    uint64_t random = suite_seed();
    suite_print_seed("st_lp_name", random);
    fake_begin(LPS);
    const struct own_names *names = &context_recorder()->own_names;
    for (unsigned round = 0; round < 2000; round++) {
        const tw_lpid lp = random_below(&random, LPS + 20);
        char name[ST_LP_NAME_MAX + 1];
        snprintf(name, sizeof name, "%.*s\xc3\xa9%d", (int)random_below(&random, 40),
                 "a name that is longer than most of the others", (int)random_below(&random, 2));
        bool is_wrong = random_below(&random, 10) == 0;
        int wanted = ST_OK;
        if (lp >= LPS) {
            wanted = ST_NOT_FOUND;
        } else if (is_wrong) {
            wanted = ST_INVALID;
        } else if (model[lp][0] != '\0' && strcmp(model[lp], name) != 0) {
            wanted = ST_DUPLICATE;
        }
        CU_ASSERT_EQUAL(st_lp_name(lp, is_wrong ? wrong[round % 6] : name), wanted);
        if (wanted == ST_OK) {
            strcpy(model[lp], name);
        }
    }
    CU_ASSERT(own_names_check(names));
    for (tw_lpid i = 0; i < LPS; i++) {
        const char *name = own_names_of(names, i);
        CU_ASSERT_STRING_EQUAL(name == NULL ? "" : name, model[i]);
    }
    CU_ASSERT_EQUAL(fake_setup(), TW_OK);
    CU_ASSERT_EQUAL(st_lp_name(0, "too late"), ST_WRONG_STATE);
    fake_end();
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {
        {"by lp", test_by_lp},
        {"by type", test_by_type},
        {"callbacks of ROSS 8", test_v8},
        {"wrong calls", test_wrong_calls},
        {"field checks", test_field_checks},
        {"checks of names of values", test_name_checks},
        {"checked without recording", test_checked_without_recording},
        {"described twice", test_described_twice},
        {"sizes", test_sizes},
        {"payload types", test_payload_types},
        {"payload types with names of values", test_payload_type_names},
        {"payload too large", test_payload_too_large},
        {"names of LPs", test_lp_names},
    };
    MPI_Init(&argc, &argv);
    int status = suite_run("record/registry", tests, sizeof(tests) / sizeof(tests[0]));
    MPI_Finalize();
    return status;
}
