/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fuzz_library.c - see fuzz_library.h. The library's own promises are asserted: every column can be
 * read as the interface says, and reading twice gives the same.
 */
#include "fuzz/fuzz_library.h"

#include <string.h>
#include <warpscope/reader.h>

#include "fuzz/fuzz_promise.h"

struct sum {
    uint64_t records, hash;
    int status;
};

static void hash_add(struct sum *sum, const void *bytes, uint64_t size)
{
    for (uint64_t i = 0; i < size; i++) {
        sum->hash = (sum->hash ^ ((const uint8_t *)bytes)[i]) * 0x100000001b3u;
    }
}

static void column_read(struct sum *sum, const struct wsr_column *c, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        bool present = c->present == NULL || c->present[i];
        if (c->offsets != NULL) {
            promise(c->offsets[i] <= c->offsets[i + 1], "offsets of texts ascend");
            promise(present || c->offsets[i] == c->offsets[i + 1], "absent texts are empty");
        } else if (c->field->type == WSR_NAME) {
            uint32_t name = ((const uint32_t *)c->values)[i];
            promise(present ? name < c->field->n_names : name == UINT32_MAX, "names exist");
        } else if (!present) {
            const uint8_t *value = (const uint8_t *)c->values + (size_t)i * c->field->size;
            promise(value[0] == 0 && memcmp(value, value + 1, c->field->size - 1) == 0,
                    "absent values are 0");
        }
        sum->hash += present;
    }
    hash_add(sum, c->values, c->offsets != NULL ? c->offsets[n] : (uint64_t)n * c->field->size);
}

static struct sum kind_read(wsr_run *run, const struct wsr_kind *kind,
                            const struct wsr_select *select)
{
    struct sum sum = {.hash = 0xcbf29ce484222325u};
    const struct wsr_block *block;
    wsr_scan *scan;
    sum.status = wsr_scan_begin(&scan, run, kind, select);
    while (sum.status == WSR_OK && (sum.status = wsr_scan_next(scan, &block)) == WSR_OK) {
        promise(block->n > 0 && block->pe < kind->file->n_pes, "a block has records of a PE");
        sum.records += block->n;
        for (uint32_t c = 0; c < block->n_columns; c++) {
            column_read(&sum, &block->columns[c], block->n);
        }
    }
    promise(sum.status == WSR_END || wsr_message(run)[0] != '\0', "a failure has a message");
    wsr_scan_end(scan);
    return sum;
}

static void kind_look(wsr_run *run, const struct wsr_kind *kind, uint64_t choice)
{
    static const char *const wheres[] = {NULL, "real_time > 1", "pe == 0 || lp < 3", "type == x"};
    static const char *const lists[] = {NULL, "0", "1-3,7", "0-18446744073709551615"};
    struct wsr_select select = WSR_SELECT_INIT;
    struct sum all = kind_read(run, kind, NULL), again = kind_read(run, kind, NULL);
    promise(all.records == again.records && all.hash == again.hash, "a second scan reads the same");
    if (wsr_fault_count(run) == 0) {
        promise(all.records == kind->records, "a file without faults has all its records");
    }
    select.where = wheres[choice % 4];
    select.pes = lists[choice / 4 % 3];
    select.lps = lists[choice / 16 % 4];
    select.kps = lists[choice / 64 % 4];
    select.from = choice / 256 % 2 == 0 ? NAN : 1.0;
    select.fields = choice / 512 % 2 == 0 ? NULL : kind->fields[kind->n_fields - 1].name;
    struct sum some = kind_read(run, kind, &select);
    /* with damage in one column, a block can be read without it */
    if (wsr_fault_count(run) == 0) {
        promise(some.records <= all.records, "a selection has no further records");
    }
}

void fuzz_library(const char *path, uint64_t choice)
{
    wsr_run *run;
    char *text;
    bool journals = choice / 1024 % 2 == 1;
    int status = wsr_open(&run, path, journals ? WSR_JOURNALS : 0);
    promise(run != NULL && (status == WSR_OK || wsr_message(run)[0] != '\0'),
            "a run that cannot be opened says why");
    for (size_t i = 0; i < wsr_file_count(run); i++) {
        const struct wsr_file *file = wsr_file_at(run, i);
        promise(file->readable || file->records == 0, "an unreadable file has no records");
        for (size_t f = 0; f < file->n_facts; f++) {
            promise(strlen(file->facts[f].name) + strlen(file->facts[f].text) < SIZE_MAX, "facts");
        }
    }
    for (size_t k = 0; k < wsr_kind_count(run); k++) {
        kind_look(run, wsr_kind_at(run, k), choice);
    }
    for (size_t i = 0; i < wsr_fault_count(run); i++) {
        promise(wsr_fault_at(run, i)[0] != '\0', "a fault has words");
    }
    promise(wsr_fault_at(run, wsr_fault_count(run)) == NULL, "there are no further faults");
    if (wsr_stats_json(run, NULL, &text) == WSR_OK) {
        promise(text[0] == '{', "statistics are an object");
        wsr_text_free(text);
    }
    if (wsr_info_json(run, &text) == WSR_OK) {
        promise(text[0] == '{', "facts are an object");
        wsr_text_free(text);
    }
    const struct wsr_finding *findings;
    size_t n;
    if (wsr_findings(run, &findings, &n) == WSR_OK) {
        for (size_t i = 0; i < n; i++) {
            promise(findings[i].text[0] != '\0' && findings[i].weight >= 0.0,
                    "findings have words");
        }
    }
    wsr_close(run);
}
