/*
 * dump.c - "warpscope dump": the records of a file, PE by PE, each PE's in the order of writing.
 */
#include <errno.h>
#include <string.h>

#include "commands.h"
#include "emit.h"
#include "exit.h"
#include "walk.h"

enum { OPTION_FORMAT, OPTION_LIMIT, OPTION_SELECT, OPTION_END = OPTION_SELECT + WS_SELECT_COUNT };
static const struct ws_option options[] = {
    [OPTION_FORMAT] = {"format", "csv|json", "CSV with a header line (default), or a JSON array"},
    [OPTION_LIMIT] = {"limit", "N", "stop after N records"},
    [OPTION_SELECT] = WS_SELECT_OPTIONS,
    [OPTION_END] = {NULL, NULL, NULL},
};
static const struct ws_usage usage = {
    "dump", "FILE",
    "Prints the records of a file to standard output: all of PE 0 in the order in\n"
    "which they were written, then all of PE 1, and so on. Values that the model\n"
    "recorded are shown in columns of their own if it described them, otherwise as\n"
    "hexadecimal bytes. What can be read of a damaged file is printed; the exit\n"
    "status is 0 only if the file is complete and all that was read of it is valid.\n",
    options};

struct dump {
    struct ws_emitter emitter;
    struct ws_table table;
    struct ws_select select;
    uint64_t limit;
    bool output_failed;
    int output_errno;
};

static int options_read(struct dump *d, const struct ws_args *args)
{
    const char *format = args->values[OPTION_FORMAT], *limit = args->values[OPTION_LIMIT];
    if (format != NULL && strcmp(format, "csv") != 0 && strcmp(format, "json") != 0) {
        return ws_usage_error(&usage, "--format=%s: must be csv or json", format);
    }
    d->emitter.json = format != NULL && strcmp(format, "json") == 0;
    if (limit != NULL && !ws_parse_u64(limit, &d->limit)) {
        return ws_usage_error(&usage, "--limit=%s: must be a whole number", limit);
    }
    return ws_select_parse(&d->select, &usage, args, OPTION_SELECT);
}

static bool part_dump(struct ws_survey *s, const struct ws_part *part, void *ctx)
{
    struct dump *d = ctx;
    errno = 0;
    for (uint32_t row = 0; row < part->block->n_records; row++) {
        if (!ws_part_has(part, row)) {
            continue;
        }
        const char *wrong = ws_table_fill(&d->table, part->columns, row);
        if (wrong != NULL) {
            ws_survey_block_fault(s, part->block, wrong);
        }
        ws_emit_row(&d->emitter, &d->table);
        if (ferror(d->emitter.out)) {
            d->output_errno = errno;
            d->output_failed = true;
        }
        if (d->output_failed || d->emitter.rows == d->limit) {
            return false;
        }
    }
    return true;
}

static int file_dump(struct dump *d, struct ws_survey *s)
{
    if (s->pes == NULL) {
        return WS_EXIT_DAMAGED;
    }
    if (!ws_table_init(&d->table, s->sb, &s->descs)) {
        fputs("warpscope: out of memory\n", stderr);
        return WS_EXIT_DAMAGED;
    }
    ws_select_file(&d->select, s->sb, &s->descs);
    ws_emit_begin(&d->emitter, &d->table);
    if (d->limit > 0) {
        ws_walk(s, &d->select, NULL, part_dump, d);
    }
    if (d->output_failed) {
        return ws_output_failed(d->output_errno);
    }
    ws_emit_end(&d->emitter);
    bool found = ws_select_found(&d->select);
    return found && ws_survey_good(s) ? WS_EXIT_OK : WS_EXIT_DAMAGED;
}

int ws_command_dump(int argc, char **argv)
{
    struct ws_args args;
    struct ws_survey survey;
    struct dump d = {.emitter.out = stdout, .limit = UINT64_MAX};
    int status;
    if (!ws_args_parse(&args, &usage, argc, argv, &status)) {
        return status;
    }
    status = options_read(&d, &args);
    if (status == WS_EXIT_OK && args.n_operands != 1) {
        status = ws_usage_error(&usage, "needs exactly one file");
    }
    if (status == WS_EXIT_OK) {
        ws_survey_open(&survey, args.operands[0], false);
        status = file_dump(&d, &survey);
        ws_survey_faults_end(&survey);
        ws_table_fini(&d.table);
        ws_survey_close(&survey);
    }
    ws_select_free(&d.select);
    return status;
}
