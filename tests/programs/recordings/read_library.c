/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads a recording through libwarpscope-reader, for scripts that compare it with the command.
 *
 *     read_library PATH KIND [NAME=TEXT...]   the chosen records as CSV, in the manner of dump
 *     read_library PATH stats|info            the JSON texts
 *     read_library PATH findings              RULE: TEXT
 *     read_library PATH kinds                 KIND: FIELD ...
 *     read_library PATH faults                a line for each fault
 *     read_library PATH threads KIND          reads all records in four threads with four handles
 *
 * NAME is pes, kps, lps, types, where, fields, from or to, or journals=1 to read crash-safe buffers.
 * Exit status: that of the library, or 100 if a promise of the interface is broken.
 *
 * test: libs=warpscope_reader_shared,warpscope_text,Threads::Threads
 */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <warpscope/reader.h>

#include "text/decimal.h"

#define THREADS 4

static void promise(bool kept, const char *words)
{
    if (!kept) {
        fprintf(stderr, "read_library: broken: %s\n", words);
        exit(100);
    }
}

static void real_print(double v)
{
    char text[DECIMAL_MAX + 1] = "";
    text[decimal_f64(text, v)] = '\0';
    fputs(text, stdout);
}

static void single_print(float v)
{
    char text[DECIMAL_MAX + 1] = "";
    text[decimal_f32(text, v)] = '\0';
    fputs(text, stdout);
}

static void text_print(const struct wsr_column *c, uint32_t i)
{
    const unsigned char *bytes = (const unsigned char *)c->values + c->offsets[i];
    uint64_t size = c->offsets[i + 1] - c->offsets[i];
    for (uint64_t b = 0; b < size; b++) {
        printf(c->field->type == WSR_BYTES ? "%02x" : "%c", bytes[b]);
    }
}

static void value_print(const struct wsr_column *c, uint32_t i)
{
    const void *v = c->values;
    switch (c->field->type) {
    case WSR_U8:
        printf("%u", ((const uint8_t *)v)[i]);
        break;
    case WSR_U16:
        printf("%u", ((const uint16_t *)v)[i]);
        break;
    case WSR_U32:
        printf("%" PRIu32, ((const uint32_t *)v)[i]);
        break;
    case WSR_U64:
        printf("%" PRIu64, ((const uint64_t *)v)[i]);
        break;
    case WSR_I8:
        printf("%d", ((const int8_t *)v)[i]);
        break;
    case WSR_I16:
        printf("%d", ((const int16_t *)v)[i]);
        break;
    case WSR_I32:
        printf("%" PRId32, ((const int32_t *)v)[i]);
        break;
    case WSR_I64:
        printf("%" PRId64, ((const int64_t *)v)[i]);
        break;
    case WSR_F32:
        single_print(((const float *)v)[i]);
        break;
    case WSR_F64:
        real_print(((const double *)v)[i]);
        break;
    case WSR_NAME:
        promise(((const uint32_t *)v)[i] < c->field->n_names, "a name has a number below n_names");
        fputs(c->field->names[((const uint32_t *)v)[i]], stdout);
        break;
    case WSR_TEXT:
    case WSR_BYTES:
        text_print(c, i);
        break;
    }
}

/* Absent values are as the interface says. */
static void absent_check(const struct wsr_column *c, uint32_t i)
{
    if (c->offsets != NULL) {
        promise(c->offsets[i] == c->offsets[i + 1], "an absent text is empty");
    } else if (c->field->type == WSR_NAME) {
        promise(((const uint32_t *)c->values)[i] == UINT32_MAX, "an absent name is UINT32_MAX");
    } else {
        for (uint32_t b = 0; b < c->field->size; b++) {
            promise(((const uint8_t *)c->values)[(size_t)i * c->field->size + b] == 0,
                    "an absent value is 0");
        }
    }
}

static void block_print(const struct wsr_block *block)
{
    promise(block->n > 0, "a block has records");
    for (uint32_t i = 0; i < block->n; i++) {
        for (uint32_t k = 0; k < block->n_columns; k++) {
            const struct wsr_column *c = &block->columns[k];
            promise((uintptr_t)c->values % 8 == 0 || c->offsets != NULL, "columns are aligned");
            promise(c->present == NULL || c->field->optional, "fields of records are present");
            fputs(k > 0 ? "," : "", stdout);
            if (c->present == NULL || c->present[i]) {
                value_print(c, i);
            } else {
                absent_check(c, i);
            }
        }
        putchar('\n');
    }
}

static int finish(wsr_run *run, int status)
{
    if (status != WSR_OK && status != WSR_END) {
        printf("%s: %s\n", wsr_status_text(status), wsr_message(run));
        promise(wsr_message(run)[0] != '\0', "a failure has a message");
    }
    wsr_close(run);
    return status == WSR_END ? WSR_OK : status;
}

static int records_print(wsr_run *run, const char *name, const struct wsr_select *select)
{
    const struct wsr_kind *kind = wsr_kind(run, name);
    const struct wsr_block *block;
    wsr_scan *scan;
    int status = wsr_scan_begin(&scan, run, kind, select);
    promise((scan == NULL) == (status != WSR_OK), "there is a scan if, and only if, it began");
    while (status == WSR_OK && (status = wsr_scan_next(scan, &block)) == WSR_OK) {
        block_print(block);
    }
    if (status == WSR_END) {
        promise(wsr_scan_next(scan, &block) == WSR_END && block == NULL, "the end stays");
    }
    wsr_scan_end(scan);
    return status;
}

static int text_show(wsr_run *run, bool stats)
{
    char *text;
    int status = stats ? wsr_stats_json(run, NULL, &text) : wsr_info_json(run, &text);
    if (status == WSR_OK) {
        fputs(text, stdout);
    }
    wsr_text_free(text);
    return status;
}

static int findings_show(wsr_run *run)
{
    const struct wsr_finding *findings, *again;
    size_t n, n_again;
    int status = wsr_findings(run, &findings, &n);
    for (size_t i = 0; i < n; i++) {
        promise(i == 0 || findings[i].weight <= findings[i - 1].weight ||
                    strcmp(findings[i - 1].rule, "ranks") == 0 ||
                    strcmp(findings[i - 1].rule, "shared") == 0,
                "the heaviest come first");
        promise(findings[i].advice != NULL, "a finding says what to try");
        printf("%s: %s\n", findings[i].rule, findings[i].text);
    }
    promise(wsr_findings(run, &again, &n_again) == status && again == findings && n_again == n,
            "findings stay");
    return status;
}

static void kinds_show(const wsr_run *run)
{
    for (size_t k = 0; k < wsr_kind_count(run); k++) {
        const struct wsr_kind *kind = wsr_kind_at(run, k);
        printf("%s", kind->name);
        for (uint32_t f = 0; f < kind->n_fields; f++) {
            printf(" %s", kind->fields[f].name);
        }
        putchar('\n');
    }
}

struct reading {
    const char *path, *kind;
    uint64_t records, sum;
    int status;
};

static void *reading_do(void *ctx)
{
    struct reading *r = ctx;
    wsr_run *run;
    wsr_scan *scan = NULL;
    const struct wsr_block *block;
    r->status = wsr_open(&run, r->path, 0);
    if (r->status == WSR_OK) {
        r->status = wsr_scan_begin(&scan, run, wsr_kind(run, r->kind), NULL);
    }
    while (r->status == WSR_OK && (r->status = wsr_scan_next(scan, &block)) == WSR_OK) {
        r->records += block->n;
        for (uint32_t k = 0; k < block->n_columns; k++) {
            const struct wsr_column *c = &block->columns[k];
            for (uint64_t b = 0; c->offsets == NULL && b < (uint64_t)block->n * c->field->size;
                 b++) {
                r->sum = r->sum * 31 + ((const uint8_t *)c->values)[b];
            }
        }
    }
    wsr_close(run);
    return NULL;
}

static int threads_read(const char *path, const char *kind)
{
    pthread_t threads[THREADS];
    struct reading readings[THREADS];
    for (int i = 0; i < THREADS; i++) {
        readings[i] = (struct reading){.path = path, .kind = kind};
        promise(pthread_create(&threads[i], NULL, reading_do, &readings[i]) == 0,
                "a thread begins");
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        promise(readings[i].status == WSR_END, "a thread reads to the end");
        promise(readings[i].records == readings[0].records && readings[i].sum == readings[0].sum,
                "all threads read the same");
    }
    printf("%" PRIu64 "\n", readings[0].records);
    return WSR_OK;
}

static const char *value_of(int argc, char **argv, const char *name)
{
    size_t length = strlen(name);
    for (int i = 3; i < argc; i++) {
        if (strncmp(argv[i], name, length) == 0 && argv[i][length] == '=') {
            return argv[i] + length + 1;
        }
    }
    return NULL;
}

int main(int argc, char **argv)
{
    wsr_run *run;
    if (argc < 3) {
        return 100;
    }
    if (strcmp(argv[2], "threads") == 0) {
        return threads_read(argv[1], argv[3]);
    }
    struct wsr_select select = WSR_SELECT_INIT;
    select.pes = value_of(argc, argv, "pes");
    select.kps = value_of(argc, argv, "kps");
    select.lps = value_of(argc, argv, "lps");
    select.types = value_of(argc, argv, "types");
    select.where = value_of(argc, argv, "where");
    select.fields = value_of(argc, argv, "fields");
    const char *from = value_of(argc, argv, "from"), *to = value_of(argc, argv, "to");
    select.from = from == NULL ? NAN : atof(from);
    select.to = to == NULL ? NAN : atof(to);
    int status =
        wsr_open(&run, argv[1], value_of(argc, argv, "journals") != NULL ? WSR_JOURNALS : 0);
    if (status != WSR_OK) {
        return finish(run, status);
    }
    if (strcmp(argv[2], "stats") == 0 || strcmp(argv[2], "info") == 0) {
        return finish(run, text_show(run, argv[2][0] == 's'));
    }
    if (strcmp(argv[2], "findings") == 0) {
        return finish(run, findings_show(run));
    }
    if (strcmp(argv[2], "kinds") == 0) {
        kinds_show(run);
        return finish(run, WSR_OK);
    }
    if (strcmp(argv[2], "faults") == 0) {
        for (size_t i = 0; i < wsr_fault_count(run); i++) {
            puts(wsr_fault_at(run, i));
        }
        return finish(run, WSR_OK);
    }
    return finish(run, records_print(run, argv[2], &select));
}
