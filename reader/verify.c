/*
 * verify.c - "warpscope verify": every checksum, sequence number, total, size and unused byte.
 */
#include <inttypes.h>
#include <stdio.h>

#include "args.h"
#include "commands.h"
#include "exit.h"
#include "files.h"
#include "survey.h"
#include "table.h"
#include "text.h"

static const struct ws_option options[] = {{NULL, NULL, NULL}};
static const struct ws_usage usage = {
    "verify", "DIR-or-FILE...",
    "Checks record files completely: checksums, numbering and totals of all blocks,\n"
    "every record's times and payload, and that there is nothing where nothing\n"
    "should be. One line per file on standard output, one per fault on standard\n"
    "error. The exit status is 0 only if all files are complete and valid.\n",
    options};

/* The first payload of the block that does not go with its description. */
static const char *payloads_check(const struct ws_survey *s)
{
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

static bool block_verify(struct ws_survey *s, const struct fmt_block *block, void *ctx)
{
    struct fmt_error error = {0};
    (void)ctx;
    if (fmt_block_verify(s->reader, block, &s->columns, &error) != FMT_OK) {
        ws_survey_fault(s, &error);
        return true;
    }
    const char *wrong = block->kind == FMT_BLOCK_DATA ? payloads_check(s) : NULL;
    if (wrong != NULL) {
        ws_survey_block_fault(s, block, wrong);
    }
    return true;
}

static bool file_verify(const char *path)
{
    struct ws_survey s;
    ws_survey_open(&s, path, true);
    for (uint32_t pe = 0; s.pes != NULL && pe < s.sb->layout.n_pes; pe++) {
        ws_survey_each(&s, pe, block_verify, NULL);
    }
    ws_survey_faults_end(&s);
    bool good = ws_survey_good(&s);
    ws_plain_string(stdout, path);
    if (good) {
        printf(": complete and valid: %" PRIu64 " records in %" PRIu64 " blocks of %" PRIu32
               " PE%s\n",
               s.records, s.blocks, s.sb->layout.n_pes, s.sb->layout.n_pes == 1 ? "" : "s");
    } else if (s.reader != NULL && s.n_faults == 0 && s.pes_unknown_loss == 0) {
        printf(": valid but incomplete: %" PRIu64 " records; %" PRIu64
               " are missing (dropped or not written)\n",
               s.records, s.dropped);
    } else if (s.reader != NULL && s.n_faults == 0) {
        printf(": valid but incomplete: %" PRIu64
               " records; an unknown number of records of %" PRIu32 " PE%s is lost\n",
               s.records, s.pes_unknown_loss, s.pes_unknown_loss == 1 ? "" : "s");
    } else {
        printf(": damaged or incomplete: %" PRIu64 " fault%s\n", s.n_faults,
               s.n_faults == 1 ? "" : "s");
    }
    ws_survey_close(&s);
    return good;
}

int ws_command_verify(int argc, char **argv)
{
    struct ws_args args;
    struct ws_files files;
    int status;
    if (!ws_args_parse_paths(&args, &usage, argc, argv, &status)) {
        return status;
    }
    bool good = ws_files_find(&files, args.operands, args.n_operands);
    for (size_t i = 0; i < files.n; i++) {
        good &= file_verify(files.paths[i]);
    }
    ws_files_free(&files);
    return good ? WS_EXIT_OK : WS_EXIT_DAMAGED;
}
