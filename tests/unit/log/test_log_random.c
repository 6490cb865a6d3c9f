/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loggers: random entries read back unchanged from CSV, and their JSON is valid, for any texts.
 */
/* test: libs=warpscope_log */
#include <math.h>

#include "support/json_check.h"
#include "support/log_sink.h"
#include "support/suite.h"
#include "text/utf8.h"

/* ---- Random entries -------------------------------------------------------------------------- */

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

/* Returns the next cell, unquoted. Moves at behind the comma or the end of the line. */
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

/* Checks that a cell is the text, with U+FFFD for bytes that are not UTF-8. */
static void text_compare(const char *cell, const char *text)
{
    static char expected[16 << 10];
    CU_ASSERT_FATAL(utf8_repair_max(strlen(text)) <= sizeof expected);
    *utf8_repair(expected, text, strlen(text)) = '\0';
    CU_ASSERT_STRING_EQUAL(cell, expected);
}

static void csv_compare(const char *text, const st_log_entry *list, size_t n)
{
    static char cell[64 << 10]; /* a byte of a text takes up to six bytes in JSON */
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
        text_compare(cell, e->name);
        cell_read(&at, cell);
        text_compare(cell, e->category);
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

/* Checks with Python's own reader, if available. */
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
    static const CU_TestInfo tests[] = {{"random entries", test_random}};
    return suite_run("log random", tests, sizeof tests / sizeof tests[0]);
}
