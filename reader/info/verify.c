/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * verify.c - "warpscope verify": checks every checksum, sequence number, total, size and unused
 * byte in record files.
 */
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>

#include "access/record_file.h"
#include "access/table.h"
#include "cli/args.h"
#include "cli/colour.h"
#include "cli/files.h"
#include "commands.h"
#include "data/cell.h"
#include "render/text.h"
#include "text/json.h"

struct verify {
    bool json;
};

static const struct ws_option options[] = {
    {"json", NULL, "print one JSON object", WS_INTO(struct verify, json)},
    {NULL, NULL, NULL},
};
static const struct ws_usage usage = {
    "verify",
    "DIR-or-FILE...",
    "Checks record files completely: the checksums, numbers and totals of all blocks,\n"
    "the times and payloads of all records, and that there are no bytes outside of\n"
    "blocks. Prints one line per file on standard output, and one line per fault on\n"
    "standard error.\n"
    "The exit status is 0 only if all files are complete and valid.\n",
    options,
    .examples = "Did the files survive the copy?\n"
                "  warpscope verify stats-output\n",
    .see = "info recover"};

/* Returns the error in the first payload of the decoded block that contradicts its description, or
 * NULL if there is none. */
static const char *payloads_check(const struct ws_file *s)
{
    assert(s->columns.schema != NULL);
    const struct fmt_columns *c = &s->columns;
    int32_t type = c->schema->role_field[FMT_ROLE_PAYLOAD_TYPE];
    for (uint32_t row = 0; type >= 0 && row < c->n_records; row++) {
        const char *wrong =
            ws_payload_check(&s->descs, (uint32_t)fmt_columns_value(c, (uint32_t)type, row).as.u,
                             c->payload_offset[row + 1] - c->payload_offset[row]);
        if (wrong != NULL) {
            return wrong;
        }
    }
    return NULL;
}

static bool block_verify(struct ws_file *s, const struct fmt_block *block, void *ctx)
{
    struct fmt_error error = {0};
    (void)ctx;
    if (fmt_block_verify(ws_file_reader(s, block), block, &s->columns, &error) != FMT_OK) {
        ws_file_fault(s, &error);
        return true;
    }
    const char *wrong = block->kind == FMT_BLOCK_DATA ? payloads_check(s) : NULL;
    if (wrong != NULL) {
        ws_file_block_fault(s, block, wrong);
    }
    return true;
}

static void file_text(const struct ws_file *s, bool good)
{
    bool is_valid = s->sb != NULL && s->n_faults == 0;
    uint32_t n_pes = s->sb == NULL ? 0 : s->sb->layout.n_pes - s->pes_absent;
    utf8_plain_print(stdout, s->path);
    printf(": %s%s%s",
           ws_colour(stdout, good       ? WS_COLOUR_GOOD
                             : is_valid ? WS_COLOUR_DOUBT
                                        : WS_COLOUR_BAD),
           good       ? "complete and valid"
           : is_valid ? "valid but incomplete"
                      : "damaged or incomplete",
           ws_colour(stdout, WS_COLOUR_END));
    if (good) {
        printf(": %" PRIu64 " records in %" PRIu64 " blocks of %" PRIu32 " PE%s\n", s->records,
               s->blocks, n_pes, n_pes == 1 ? "" : "s");
    } else if (is_valid && ws_file_good_so_far(s)) {
        printf(": %" PRIu64 " records up to GVT %.6g: %s\n", s->records, s->end_gvt,
               s->is_running ? "the run is still going on" : ws_end_cause(s->end_text));
    } else if (is_valid && s->pes_unknown_loss == 0) {
        printf(": %" PRIu64 " records; %" PRIu64 " are missing (dropped or not written)\n",
               s->records, s->dropped);
    } else if (is_valid) {
        printf(": %" PRIu64 " records; an unknown number of records of %" PRIu32 " PE%s is lost\n",
               s->records, s->pes_unknown_loss, s->pes_unknown_loss == 1 ? "" : "s");
    } else {
        printf(": %" PRIu64 " fault%s\n", s->n_faults, s->n_faults == 1 ? "" : "s");
    }
}

static void file_json(struct json_writer *json, const struct ws_file *s, bool good)
{
    json_object_line(json, NULL);
    ws_put(json,
           "path|complete|readable|pes|records|blocks|records_dropped|records_missing|"
           "pes_of_unknown_loss|n_faults",
           doc_name(s->path), doc_bool(good), doc_bool(s->sb != NULL),
           doc_count(s->sb == NULL ? 0 : s->sb->layout.n_pes), doc_count(s->records),
           doc_count(s->blocks), doc_known(s->pes_unknown_loss == 0, s->dropped),
           doc_count(s->missing), doc_count(s->pes_unknown_loss), doc_count(s->n_faults));
    json_array_open(json, "faults");
    for (uint64_t i = 0; i < s->n_faults && i < WS_FAULTS_SHOWN; i++) {
        json_put_string(json, NULL, s->faults[i].text);
    }
    json_array_close(json);
    json_object_close(json);
}

/* Verifies a file. Prints the result as JSON, or as a line of text if json is NULL. Returns true if
 * the file is complete and valid. Sets *is_damaged to true if it has faults. */
static bool file_verify(struct json_writer *json, const char *path, bool *is_damaged)
{
    struct ws_file s;
    ws_file_survey(&s, path, WS_STRICT, &ws_on_stderr);
    for (uint32_t pe = 0; s.pes != NULL && pe < s.sb->layout.n_pes; pe++) {
        ws_file_each(&s, pe, block_verify, NULL);
    }
    ws_file_faults_end(&s);
    bool good = ws_file_good_here(&s);
    *is_damaged |= s.n_faults > 0;
    if (json != NULL) {
        file_json(json, &s, good);
    } else {
        file_text(&s, good);
    }
    ws_file_close(&s);
    return good;
}

static int files_verify(void *command, const struct ws_args *args, const struct ws_files *files,
                        bool good)
{
    bool as_json = ((const struct verify *)command)->json, is_damaged = false;
    (void)args;
    struct json_writer json = {.out = stdout, .compact = true};
    if (as_json) {
        ws_document_open(&json);
        json_array_open(&json, "files");
    }
    for (size_t i = 0; i < files->n_all; i++) {
        good &= file_verify(as_json ? &json : NULL, files->paths[i], &is_damaged);
    }
    if (as_json) {
        json_array_close(&json);
        ws_files_covers_json(&json, files, is_damaged);
        json_put_bool(&json, "complete", good);
        json_object_close(&json);
    }
    return good ? WS_EXIT_OK : WS_EXIT_DAMAGED;
}

int ws_command_verify(int argc, char **argv)
{
    struct verify verify = {.json = false};
    return ws_files_command(&usage, &verify, NULL, files_verify, argc, argv);
}
