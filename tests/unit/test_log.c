/*
 * Loggers: states, formats, combinators, disks that are full; random entries come back from CSV as
 * they went in, and their JSON is JSON, whatever the texts are.
 */
/* test: libs=warpscope_log */
#include <errno.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "st_log.h"
#include "support/json_check.h"
#include "support/suite.h"

/* ---- Support -----------------------------------------------------------------------------------
 */

/* A target in memory that fails after some bytes. */
struct sink {
    char *data;
    size_t used, max, writes;
};

static int sink_write(void *ctx, const void *data, size_t size)
{
    struct sink *s = ctx;
    s->writes++;
    if (size > s->max - s->used) {
        return ENOSPC;
    }
    memcpy(s->data + s->used, data, size);
    s->used += size;
    s->data[s->used] = '\0';
    return 0;
}

static struct sink sink_make(size_t max)
{
    return (struct sink){.data = calloc(1, max + 1), .max = max};
}

static st_log_target target_of(struct sink *s)
{
    return (st_log_target){.path = "sink", .write = sink_write, .ctx = s};
}

typedef st_result (*create_f)(const st_log_target *, const st_log_options *, st_logger **);
static const create_f creates[] = {st_log_csv_create, st_log_chrome_create, st_log_text_create};

static st_log_arg text_arg(const char *key, const char *text)
{
    return (st_log_arg){.key = key, .kind = ST_LOG_TEXT, .value = {.text = text}};
}

static st_log_arg f64_arg(const char *key, double value)
{
    return (st_log_arg){.key = key, .kind = ST_LOG_F64, .value = {.f64 = value}};
}

/* What a logger makes of entries; to be freed. */
static char *log_text(create_f create, const st_log_options *options, const st_log_entry *entries,
                      size_t n)
{
    struct sink s = sink_make(1u << 20);
    st_log_target target = target_of(&s);
    st_logger *log = NULL;
    CU_ASSERT_EQUAL_FATAL(create(&target, options, &log), ST_OK);
    CU_ASSERT_EQUAL(st_logger_start(log), ST_OK);
    for (size_t i = 0; i < n; i++) {
        CU_ASSERT_EQUAL(st_logger_add(log, &entries[i]), ST_OK);
    }
    CU_ASSERT_EQUAL(st_logger_finish(log), ST_OK);
    CU_ASSERT_EQUAL(st_logger_entries(log), n);
    CU_ASSERT_EQUAL(st_logger_lost(log), 0);
    CU_ASSERT_STRING_EQUAL(st_logger_error(log), "");
    st_logger_destroy(log);
    return s.data;
}

/* ---- States ------------------------------------------------------------------------------------
 */

static void states_check(st_logger *log)
{
    st_log_entry entry = {.name = "a"};
    CU_ASSERT_EQUAL(st_logger_add(log, &entry), ST_WRONG_STATE);
    CU_ASSERT_EQUAL(st_logger_flush(log), ST_WRONG_STATE);
    CU_ASSERT_EQUAL(st_logger_finish(log), ST_WRONG_STATE);
    CU_ASSERT_EQUAL(st_logger_start(log), ST_OK);
    CU_ASSERT_EQUAL(st_logger_start(log), ST_WRONG_STATE);
    CU_ASSERT_EQUAL(st_logger_add(log, &entry), ST_OK);
    CU_ASSERT_EQUAL(st_logger_flush(log), ST_OK);
    CU_ASSERT_EQUAL(st_logger_finish(log), ST_OK);
    CU_ASSERT_EQUAL(st_logger_finish(log), ST_WRONG_STATE);
    CU_ASSERT_EQUAL(st_logger_add(log, &entry), ST_WRONG_STATE);
    CU_ASSERT_EQUAL(st_logger_start(log), ST_WRONG_STATE);
    CU_ASSERT_EQUAL(st_logger_entries(log), 1);
    CU_ASSERT_EQUAL(st_logger_lost(log), 0);
    st_logger_destroy(log);
}

static void test_states(void)
{
    struct sink s = sink_make(1u << 16);
    st_log_target target = target_of(&s);
    st_logger *log, *pair[2];
    for (size_t i = 0; i < 3; i++) {
        CU_ASSERT_EQUAL_FATAL(creates[i](&target, NULL, &log), ST_OK);
        states_check(log);
    }
    CU_ASSERT_EQUAL_FATAL(st_log_memory_create(5, &log), ST_OK);
    states_check(log);
    CU_ASSERT_EQUAL_FATAL(st_log_memory_create(5, &pair[0]), ST_OK);
    CU_ASSERT_EQUAL_FATAL(st_log_filter_create(NULL, NULL, 0, pair[0], &log), ST_OK);
    states_check(log);
    CU_ASSERT_EQUAL_FATAL(st_log_memory_create(5, &pair[0]), ST_OK);
    CU_ASSERT_EQUAL_FATAL(st_log_text_create(&target, NULL, &pair[1]), ST_OK);
    CU_ASSERT_EQUAL_FATAL(st_log_broadcast_create(pair, 2, &log), ST_OK);
    states_check(log);
    free(s.data);
}

static void test_invalid(void)
{
    struct sink s = sink_make(1000);
    st_log_target none = {.path = NULL}, target = target_of(&s);
    st_log_options negative = {.unit_s = -1};
    st_logger *log, *started;
    CU_ASSERT_EQUAL(st_log_csv_create(&none, NULL, &log), ST_INVALID);
    CU_ASSERT_EQUAL(st_log_csv_create(NULL, NULL, &log), ST_INVALID);
    CU_ASSERT_EQUAL(st_log_csv_create(&target, NULL, NULL), ST_INVALID);
    CU_ASSERT_EQUAL(st_log_chrome_create(&target, &negative, &log), ST_INVALID);
    CU_ASSERT_EQUAL(st_log_filter_create(NULL, NULL, 0, NULL, &log), ST_INVALID);
    CU_ASSERT_EQUAL(st_log_broadcast_create(NULL, 0, &log), ST_INVALID);
    CU_ASSERT_EQUAL(st_logger_start(NULL), ST_INVALID);
    CU_ASSERT_EQUAL_FATAL(st_log_csv_create(&target, NULL, &started), ST_OK);
    CU_ASSERT_EQUAL(st_logger_start(started), ST_OK);
    CU_ASSERT_EQUAL(st_log_filter_create(NULL, NULL, 0, started, &log), ST_INVALID);
    st_log_entry bad[] = {
        {.phase = 'Q'},   {.time = NAN},     {.time = INFINITY}, {.time = -1e291},
        {.duration = -1}, {.duration = NAN}, {.scope = 'x'},     {.n_args = 1, .args = NULL}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        CU_ASSERT_EQUAL(st_logger_add(started, &bad[i]), ST_INVALID);
    }
    CU_ASSERT_EQUAL(st_logger_add(started, NULL), ST_INVALID);
    CU_ASSERT_EQUAL(st_logger_entries(started) + st_logger_lost(started), 0);
    st_logger *twice[2] = {NULL, NULL};
    CU_ASSERT_EQUAL_FATAL(st_log_memory_create(1, &twice[0]), ST_OK);
    twice[1] = twice[0];
    CU_ASSERT_EQUAL(st_log_broadcast_create(twice, 2, &log), ST_INVALID);
    st_logger_destroy(twice[0]);
    st_logger_destroy(started);
    st_logger_destroy(NULL);
    free(s.data);
}

/* ---- Formats -----------------------------------------------------------------------------------
 */

static void test_csv(void)
{
    st_log_arg args[] = {text_arg("say", "\"hi\""), f64_arg("x", 0.1)};
    st_log_entry entries[] = {{.name = "a,b\"c",
                               .category = "two\r\nlines",
                               .phase = 'X',
                               .time = 0.1,
                               .duration = 2,
                               .pid = 1,
                               .tid = 2,
                               .level = -3},
                              {.name = "plain",
                               .time = -1e200,
                               .id = UINT64_MAX,
                               .scope = 'g',
                               .args = args,
                               .n_args = 2}};
    char *text = log_text(st_log_csv_create, NULL, entries, 2);
    CU_ASSERT_STRING_EQUAL(text, "time,duration,phase,name,category,pid,tid,id,scope,level,args\r\n"
                                 "0.1,2,X,\"a,b\"\"c\",\"two\r\nlines\",1,2,0,,-3,\r\n"
                                 "-1e+200,0,i,plain,,0,0,18446744073709551615,g,0,"
                                 "\"{\"\"say\"\":\"\"\\\"\"hi\\\"\"\"\",\"\"x\"\":0.1}\"\r\n");
    free(text);
    text = log_text(st_log_csv_create, NULL, NULL, 0);
    CU_ASSERT_STRING_EQUAL(text,
                           "time,duration,phase,name,category,pid,tid,id,scope,level,args\r\n");
    free(text);
}

static void test_text(void)
{
    st_log_arg args[] = {text_arg("to", "LP\n7"),
                         {.key = "n", .kind = ST_LOG_I64, .value = {.i64 = INT64_MIN}}};
    st_log_entry entry = {.name = "job\t1",
                          .category = "work",
                          .phase = 'X',
                          .time = 1.25,
                          .duration = 0.0005,
                          .pid = 3,
                          .tid = 4,
                          .id = 9,
                          .args = args,
                          .n_args = 2};
    char *text = log_text(st_log_text_create, NULL, &entry, 1);
    CU_ASSERT_STRING_EQUAL(
        text, "1.25 X 3.4 job 1 [work] for=0.0005 id=9 to=LP 7 n=-9223372036854775808\n");
    free(text);
}

static void test_chrome(void)
{
    st_log_arg args[] = {f64_arg("nan", NAN),
                         f64_arg("inf", -INFINITY),
                         {.key = "u", .kind = ST_LOG_U64, .value = {.u64 = UINT64_MAX}}};
    st_log_entry entries[] = {{.name = "slice",
                               .category = "c",
                               .phase = 'X',
                               .time = 1234567,
                               .duration = 89,
                               .pid = 1,
                               .tid = 2,
                               .color = "terrible",
                               .args = args,
                               .n_args = 3},
                              {.name = "flow", .phase = 'f', .time = 1e15 + 1, .id = 12},
                              {.name = "note", .time = 0},
                              {.name = "end", .phase = 'E', .time = 1e-3, .tid = 5}};
    st_log_options ns = {.unit_s = 1e-9};
    char *text = log_text(st_log_chrome_create, &ns, entries, 4);
    CU_ASSERT_STRING_EQUAL(
        text,
        "[\n{\"name\":\"slice\",\"cat\":\"c\",\"ph\":\"X\",\"ts\":1234.567,\"dur\":0.089,\"pid\":1,"
        "\"tid\":2,\"cname\":\"terrible\",\"args\":{\"nan\":\"NaN\",\"inf\":\"-inf\","
        "\"u\":18446744073709551615}},\n"
        "{\"name\":\"flow\",\"cat\":\"\",\"ph\":\"f\",\"ts\":1000000000000.001,\"pid\":0,\"tid\":0,"
        "\"id\":\"12\",\"bp\":\"e\"},\n"
        "{\"name\":\"note\",\"ph\":\"i\",\"ts\":0,\"pid\":0,\"tid\":0,\"s\":\"t\"},\n"
        "{\"name\":\"end\",\"ph\":\"E\",\"ts\":1e-06,\"pid\":0,\"tid\":5}\n]\n");
    CU_ASSERT(json_is_valid(text));
    free(text);
    st_log_entry second = {.name = "s", .phase = 'X', .time = 0.25, .duration = 1e-9};
    text = log_text(st_log_chrome_create, NULL, &second, 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"ts\":250000,\"dur\":0.001,"));
    free(text);
    text = log_text(st_log_chrome_create, NULL, NULL, 0);
    CU_ASSERT(json_is_valid(text));
    free(text);
}

static void escape_check(const char *name, const char *expected)
{
    st_log_entry entry = {.name = name};
    char *text = log_text(st_log_chrome_create, NULL, &entry, 1), wanted[300];
    snprintf(wanted, sizeof wanted, "{\"name\":\"%s\",\"ph\"", expected);
    if (strstr(text, wanted) == NULL) {
        printf("%s lacks %s\n", text, wanted);
        CU_FAIL("escapes");
    }
    CU_ASSERT(json_is_valid(text));
    free(text);
}

static void test_escapes(void)
{
    escape_check(NULL, "");
    escape_check("\"\\/", "\\\"\\\\/");
    escape_check("\b\f\n\r\t\x01\x1f\x7f", "\\b\\f\\n\\r\\t\\u0001\\u001f\\u007f");
    escape_check("\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80", "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80");
    escape_check("\xff"
                 "a\xc3",
                 "\xef\xbf\xbd"
                 "a\xef\xbf\xbd");
    escape_check("\xc0\x80", "\xef\xbf\xbd\xef\xbf\xbd");                 /* overlong */
    escape_check("\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"); /* surrogate */
    escape_check("\xf4\x90\x80\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
    escape_check("\xf0\x9f\x98", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"); /* cut off */
}

static void test_names(void)
{
    struct sink s = sink_make(1000);
    st_log_target target = target_of(&s);
    st_logger *log;
    CU_ASSERT_EQUAL_FATAL(st_log_chrome_create(&target, NULL, &log), ST_OK);
    CU_ASSERT_EQUAL(st_log_process_name(log, 1, "PE 1"), ST_WRONG_STATE);
    CU_ASSERT_EQUAL(st_logger_start(log), ST_OK);
    CU_ASSERT_EQUAL(st_log_process_name(log, 1, "PE 1"), ST_OK);
    CU_ASSERT_EQUAL(st_log_thread_name(log, 1, 7, "KP 7"), ST_OK);
    st_logger_destroy(log); /* finishes it */
    CU_ASSERT_PTR_NOT_NULL(strstr(s.data, "{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":1,"
                                          "\"tid\":7,\"args\":{\"name\":\"KP 7\"}}"));
    CU_ASSERT(json_is_valid(s.data));
    free(s.data);
}

/* ---- Errors and bounds -------------------------------------------------------------------------
 */

static void test_full_sink(void)
{
    for (size_t i = 0; i < 3; i++) {
        struct sink s = sink_make(1000);
        st_log_target target = target_of(&s);
        st_log_options options = {.flush_entries = 4};
        st_log_entry entry = {.name = "a name of some length", .phase = 'X', .duration = 1};
        st_logger *log;
        uint64_t taken = 0;
        CU_ASSERT_EQUAL_FATAL(creates[i](&target, &options, &log), ST_OK);
        CU_ASSERT_EQUAL(st_logger_start(log), ST_OK);
        for (unsigned k = 0; k < 100; k++) {
            st_result result = st_logger_add(log, &entry);
            taken += result == ST_OK;
            CU_ASSERT(result == ST_OK || result == ST_IO);
        }
        CU_ASSERT_EQUAL(st_logger_flush(log), ST_IO);
        CU_ASSERT_EQUAL(st_logger_finish(log), ST_IO);
        CU_ASSERT_STRING_EQUAL(st_logger_error(log), "sink: cannot write: No space left on device");
        CU_ASSERT_EQUAL(st_logger_entries(log) + st_logger_lost(log), 100);
        CU_ASSERT_EQUAL(st_logger_entries(log) % 4, 0); /* whole buffers */
        CU_ASSERT(st_logger_entries(log) > 0 && taken - st_logger_entries(log) == 3);
        st_logger_destroy(log);
        free(s.data);
    }
}

static void test_paths(void)
{
    st_log_target nowhere = {.path = "/nowhere/log.json"}, full = {.path = "/dev/full"};
    st_logger *pair[2], *log;
    st_log_entry entry = {.name = "a"};
    size_t n;
    CU_ASSERT_EQUAL_FATAL(st_log_chrome_create(&nowhere, NULL, &log), ST_OK);
    CU_ASSERT_EQUAL(st_logger_start(log), ST_IO);
    CU_ASSERT_STRING_EQUAL(st_logger_error(log),
                           "/nowhere/log.json: cannot create: No such file or directory");
    CU_ASSERT_EQUAL(st_logger_add(log, &entry), ST_WRONG_STATE);
    st_logger_destroy(log);
    /* The one that works gets everything. */
    CU_ASSERT_EQUAL_FATAL(st_log_chrome_create(&nowhere, NULL, &pair[0]), ST_OK);
    CU_ASSERT_EQUAL_FATAL(st_log_memory_create(10, &pair[1]), ST_OK);
    CU_ASSERT_EQUAL_FATAL(st_log_broadcast_create(pair, 2, &log), ST_OK);
    CU_ASSERT_EQUAL(st_logger_start(log), ST_IO);
    CU_ASSERT_EQUAL(st_logger_add(log, &entry), ST_IO);
    CU_ASSERT_PTR_NOT_NULL(st_log_memory_entries(pair[1], &n));
    CU_ASSERT_EQUAL(n, 1);
    CU_ASSERT_EQUAL(st_logger_lost(log), 1);
    CU_ASSERT_EQUAL(st_logger_finish(log), ST_IO);
    st_logger_destroy(log);
    if (access("/dev/full", W_OK) == 0) {
        CU_ASSERT_EQUAL_FATAL(st_log_csv_create(&full, NULL, &log), ST_OK);
        CU_ASSERT_EQUAL(st_logger_start(log), ST_OK);
        CU_ASSERT_EQUAL(st_logger_add(log, &entry), ST_OK);
        CU_ASSERT_EQUAL(st_logger_finish(log), ST_IO);
        CU_ASSERT_STRING_EQUAL(st_logger_error(log),
                               "/dev/full: cannot write: No space left on device");
        CU_ASSERT_EQUAL(st_logger_lost(log), 1);
        CU_ASSERT_EQUAL(st_logger_entries(log), 0);
        st_logger_destroy(log);
    }
}

static void test_file(void)
{
    char path[] = "/tmp/test_log-XXXXXX", text[200];
    int fd = mkstemp(path);
    CU_ASSERT_FATAL(fd >= 0);
    CU_ASSERT_EQUAL(write(fd, "what was there before, and is long", 34), 34);
    st_log_target target = {.path = path};
    st_log_options each = {.flush_entries = 1};
    st_log_entry entry = {.name = "one"};
    st_logger *log;
    CU_ASSERT_EQUAL_FATAL(st_log_text_create(&target, &each, &log), ST_OK);
    CU_ASSERT_EQUAL(st_logger_start(log), ST_OK);
    CU_ASSERT_EQUAL(st_logger_add(log, &entry), ST_OK);
    ssize_t n = pread(fd, text, sizeof text - 1, 0); /* before the end: it was flushed */
    text[n < 0 ? 0 : n] = '\0';
    CU_ASSERT_STRING_EQUAL(text, "0 i 0.0 one\n");
    st_logger_destroy(log);
    close(fd);
    unlink(path);
}

static bool is_odd(const st_log_entry *entry, void *ctx)
{
    ++*(int *)ctx;
    return entry->id % 2 == 1;
}

static void test_filter(void)
{
    st_logger *memory, *log;
    int asked = 0;
    size_t n;
    CU_ASSERT_EQUAL_FATAL(st_log_memory_create(3, &memory), ST_OK);
    CU_ASSERT_EQUAL_FATAL(st_log_filter_create(is_odd, &asked, 2, memory, &log), ST_OK);
    CU_ASSERT_EQUAL(st_logger_start(log), ST_OK);
    for (uint64_t id = 0; id < 8; id++) {
        st_log_entry entry = {.name = "x", .id = id, .level = id == 3 ? 3 : 2};
        CU_ASSERT_EQUAL(st_logger_add(log, &entry), ST_OK);
    }
    const st_log_entry *list = st_log_memory_entries(memory, &n);
    CU_ASSERT_EQUAL_FATAL(n, 3);
    CU_ASSERT(list[0].id == 1 && list[1].id == 5 && list[2].id == 7);
    CU_ASSERT_EQUAL(asked, 7);
    CU_ASSERT_PTR_NULL(st_log_memory_entries(log, &n));
    st_log_entry more = {.id = 9};
    CU_ASSERT_EQUAL(st_logger_add(log, &more), ST_FULL);
    CU_ASSERT_EQUAL(st_logger_lost(memory), 1);
    CU_ASSERT_STRING_EQUAL(st_logger_error(log), "no room for more entries");
    st_logger_destroy(log);
}

/* ---- Random entries ----------------------------------------------------------------------------
 */

#define RANDOM_ENTRIES 3000

static const char *random_text(uint64_t *seed, char *text, size_t max)
{
    static const char likely[] = "abc \",\r\n\\{}:\xc3\xa4\xe2\x82\xff\x01";
    size_t n = random_below(seed, max);
    for (size_t i = 0; i < n; i++) {
        text[i] = random_below(seed, 4) == 0 ? (char)(1 + random_below(seed, 255))
                                             : likely[random_below(seed, sizeof likely - 1)];
    }
    text[n] = '\0';
    return text;
}

static double random_number(uint64_t *seed)
{
    double number = 0;
    switch (random_below(seed, 3)) {
    case 0:
        return (double)random_below(seed, 1000000) / 1000;
    case 1:
        return random_unit(seed) * 1e-7;
    default:
        do {
            uint64_t bits = random_bits(seed);
            memcpy(&number, &bits, sizeof number);
        } while (!isfinite(number));
        return number;
    }
}

/* The next cell, unquoted; at: moved behind the comma or the end of the line. */
static void cell_read(const char **at, char *to)
{
    bool quoted = **at == '"';
    *at += quoted;
    while (quoted ? **at != '"' || (*at)[1] == '"' : **at != ',' && **at != '\r') {
        *at += quoted && **at == '"';
        *to++ = *(*at)++;
    }
    *to = '\0';
    *at += quoted;
    *at += **at == ',' ? 1 : 2;
}

static void csv_compare(const char *text, const st_log_entry *list, size_t n)
{
    char cell[20000];
    const char *at = strchr(text, '\n') + 1;
    for (size_t i = 0; i < n; i++) {
        const st_log_entry *e = &list[i];
        cell_read(&at, cell);
        CU_ASSERT(strtod(cell, NULL) == e->time);
        cell_read(&at, cell);
        CU_ASSERT(strtod(cell, NULL) == e->duration);
        cell_read(&at, cell);
        CU_ASSERT_EQUAL(cell[0], e->phase);
        cell_read(&at, cell);
        CU_ASSERT_STRING_EQUAL(cell, e->name);
        cell_read(&at, cell);
        CU_ASSERT_STRING_EQUAL(cell, e->category);
        const uint64_t numbers[] = {e->pid, e->tid, e->id};
        for (size_t k = 0; k < 3; k++) {
            cell_read(&at, cell);
            CU_ASSERT_EQUAL(strtoull(cell, NULL, 10), numbers[k]);
        }
        cell_read(&at, cell);
        cell_read(&at, cell);
        CU_ASSERT_EQUAL(strtol(cell, NULL, 10), e->level);
        cell_read(&at, cell);
        CU_ASSERT(e->n_args == 0 ? cell[0] == '\0' : json_is_valid(cell));
    }
    CU_ASSERT_EQUAL(*at, '\0');
}

/* Python's own reader, where there is one. */
static void python_check(const char *json, size_t n)
{
    char command[200];
    FILE *pipe = system("python3 -c 1 2>/dev/null") == 0 ? NULL : stdout;
    if (pipe != NULL) {
        puts("no python3: the JSON is checked by our own reader alone");
        return;
    }
    snprintf(command, sizeof command,
             "python3 -c 'import json,sys\n"
             "a = json.loads(sys.stdin.buffer.read().decode())\nsys.exit(len(a) != %zu)'",
             n);
    pipe = popen(command, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(pipe);
    fputs(json, pipe);
    CU_ASSERT_EQUAL(pclose(pipe), 0);
}

static void random_fill(st_logger *log, uint64_t *seed)
{
    static const char phases[] = "XBEiCbnestfM";
    char name[200], category[40], value[9000], key[20];
    for (unsigned i = 0; i < RANDOM_ENTRIES; i++) {
        st_log_arg args[] = {f64_arg("f", random_number(seed)),
                             text_arg(random_text(seed, key, sizeof key), NULL)};
        args[1].value.text = random_text(seed, value, i % 100 == 0 ? sizeof value : 50);
        st_log_entry entry = {.name = random_text(seed, name, sizeof name),
                              .category = random_text(seed, category, sizeof category),
                              .phase = phases[random_below(seed, sizeof phases - 1)],
                              .time = random_number(seed),
                              .duration = fabs(random_number(seed)),
                              .pid = random_bits(seed),
                              .tid = random_below(seed, 10),
                              .id = random_below(seed, 3) * random_bits(seed),
                              .level = (int)random_below(seed, 9) - 4,
                              .args = args,
                              .n_args = random_below(seed, 3)};
        entry.time = fabs(entry.time) > ST_LOG_TIME_MAX ? 1 : entry.time;
        entry.duration = entry.duration > ST_LOG_TIME_MAX ? 1 : entry.duration;
        CU_ASSERT_EQUAL(st_logger_add(log, &entry), ST_OK);
        if (random_below(seed, 100) == 0) {
            CU_ASSERT_EQUAL(st_logger_flush(log), ST_OK);
        }
    }
}

static void test_random(void)
{
    uint64_t seed = suite_seed();
    suite_print_seed("log", seed);
    struct sink csv = sink_make(8u << 20), json = sink_make(8u << 20);
    st_log_target targets[] = {target_of(&csv), target_of(&json)};
    st_log_options options = {.flush_entries = random_below(&seed, 50)};
    st_logger *list[3], *log;
    size_t n;
    CU_ASSERT_EQUAL_FATAL(st_log_csv_create(&targets[0], NULL, &list[0]), ST_OK);
    CU_ASSERT_EQUAL_FATAL(st_log_chrome_create(&targets[1], &options, &list[1]), ST_OK);
    CU_ASSERT_EQUAL_FATAL(st_log_memory_create(RANDOM_ENTRIES, &list[2]), ST_OK);
    CU_ASSERT_EQUAL_FATAL(st_log_broadcast_create(list, 3, &log), ST_OK);
    CU_ASSERT_EQUAL(st_logger_start(log), ST_OK);
    random_fill(log, &seed);
    CU_ASSERT_EQUAL(st_logger_finish(log), ST_OK);
    CU_ASSERT_EQUAL(st_logger_entries(log), RANDOM_ENTRIES);
    const st_log_entry *entries = st_log_memory_entries(list[2], &n);
    CU_ASSERT_EQUAL_FATAL(n, RANDOM_ENTRIES);
    csv_compare(csv.data, entries, n);
    CU_ASSERT(json_is_valid(json.data));
    python_check(json.data, n);
    st_logger_destroy(log);
    free(csv.data);
    free(json.data);
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"states", test_states}, {"invalid", test_invalid},
        {"CSV", test_csv},       {"text", test_text},
        {"Chrome", test_chrome}, {"escapes", test_escapes},
        {"names", test_names},   {"a sink that gets full", test_full_sink},
        {"paths", test_paths},   {"a file", test_file},
        {"filter", test_filter}, {"random entries", test_random},
    };
    return suite_run("log", tests, sizeof tests / sizeof tests[0]);
}
