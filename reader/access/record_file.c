/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * record_file.c - an overview of one record file; see record_file.h.
 */
#include "access/record_file.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "access/bind.h"
#include "access/facts.h"
#include "access/joined.h"
#include "access/journals.h"
#include "access/select.h"
#include "access/so_far.h"
#include "data/lp_names.h"

bool ws_file_good(const struct ws_file *s)
{
    return ws_file_good_here(s) && s->pes_absent == 0;
}

bool ws_file_good_here(const struct ws_file *s)
{
    return s->sb != NULL && s->n_faults == 0 && s->pes_unknown_loss == 0 && s->dropped == 0 &&
           !s->is_running && !ws_file_is_limited(s);
}

bool ws_file_good_so_far(const struct ws_file *s)
{
    return s->sb != NULL && s->n_faults == 0 && s->pes_unknown_loss == 0 && s->dropped == 0 &&
           s->pes_absent == 0;
}

bool ws_pe_complete(const struct ws_pe *pe)
{
    return pe->ended && !pe->damaged && !pe->unknown_loss && pe->dropped == 0 && pe->missing == 0;
}

void ws_range_add(struct ws_range *range, double min, double max)
{
    if (min != min || max != max) {
        return;
    }
    range->min = !range->known || min < range->min ? min : range->min;
    range->max = !range->known || max > range->max ? max : range->max;
    range->known = true;
}

/* ---- End of the run -------------------------------------------------------------------------- */

unsigned ws_end_rank(uint32_t code)
{
    switch (code) {
    case FMT_END_TIME:
    case FMT_END_NO_EVENTS:
    case FMT_END_CHANGED:
        return 0;
    case FMT_END_SIGNAL:
    case FMT_END_UNDONE:
        return 2;
    case FMT_END_ERROR:
        return 3;
    case FMT_END_KILLED:
        return 4;
    default:
        return 1; /* the file has no code, or one that this version does not know */
    }
}

bool ws_end_is_early(uint32_t code)
{
    return ws_end_rank(code) > 1;
}

bool ws_file_is_limited(const struct ws_file *s)
{
    return s->pes_ended > 0 && s->end_code == FMT_END_CHANGED &&
           strcmp(s->end_text, FMT_END_TEXT_LIMIT) == 0;
}

const char *ws_end_cause(const char *text)
{
    if (strncmp(text, FMT_END_TEXT_SAVED, strlen(FMT_END_TEXT_SAVED)) == 0) {
        return "the flight recorder was saved";
    }
    return strcmp(text, FMT_END_TEXT_LIMIT) == 0   ? "it reached --stats-limit"
           : strcmp(text, FMT_END_TEXT_MOVED) == 0 ? "LPs moved to other ranks"
                                                   : "a request ended it";
}

const char *ws_end_words(uint32_t code, uint32_t n)
{
    switch (code) {
    case FMT_END_TIME:
        return "reached the end time";
    case FMT_END_NO_EVENTS:
        return "had no events left";
    case FMT_END_SIGNAL:
        return n == 1 ? "was stopped by a signal" : "were stopped by a signal";
    case FMT_END_ERROR:
        return n == 1 ? "was stopped by an error" : "were stopped by an error";
    case FMT_END_KILLED:
        return n == 1 ? "was killed" : "were killed";
    case FMT_END_UNDONE:
        return n == 1 ? "was rolled back to the beginning" : "were rolled back to the beginning";
    case FMT_END_CHANGED:
        return "went on to another file";
    default:
        return "ended for an unknown reason";
    }
}

const char *ws_end_phrase(uint32_t code, const char *text)
{
    return code == FMT_END_SIGNAL && strcmp(text, FMT_END_TEXT_REQUEST) == 0
               ? "was " FMT_END_TEXT_REQUEST
               : ws_end_words(code, 1);
}

/* Merges `end`, the end of a PE, into the end of the file. A kill stops PEs at different GVTs; the
 * file is complete up to the smallest of these GVTs. */
static void outcome_add(struct ws_file *s, const struct fmt_end_info *end)
{
    bool first = s->pes_ended++ == 0;
    unsigned rank = ws_end_rank(end->code), worst = ws_end_rank(s->end_code);
    s->ends_differ |= !first && end->code != s->end_code;
    if (first || end->real_time > s->end_real_time) {
        s->end_real_time = end->real_time;
    }
    if (first || rank > worst || (rank == worst && end->gvt < s->end_gvt)) {
        s->end_code = end->code;
        s->end_gvt = end->gvt;
        snprintf(s->end_text, sizeof s->end_text, "%s", end->text);
    }
}

static void end_add(struct ws_file *s, struct ws_pe *pe, const struct fmt_block *block)
{
    assert(block->kind == FMT_BLOCK_END);
    struct fmt_end end = {0};
    if (fmt_block_read_end(s->reader, block, &end, NULL) != FMT_OK) {
        return;
    }
    pe->ended = true;
    pe->unknown_loss = end.info.records_dropped == FMT_DROPPED_UNKNOWN;
    pe->dropped = pe->unknown_loss ? 0 : end.info.records_dropped;
    pe->end_code = end.info.code;
    pe->end_gvt = end.info.gvt;
    pe->end_real_time = end.info.real_time;
    pe->overwritten = end.info.overwritten;
    if (pe->overwritten > 0) {
        s->kept_gvt = fmax(s->kept_gvt, end.info.kept_gvt);
        s->kept_real_time = fmax(s->kept_real_time, end.info.kept_real_time);
    }
    outcome_add(s, &end.info);
    fmt_end_free(&end);
}

static void change_add(struct ws_file *s, const struct fmt_block *block)
{
    struct fmt_error error = {0};
    struct fmt_change *changes = realloc(s->changes, (s->n_changes + 1) * sizeof *changes);
    if (changes == NULL) {
        ws_fault_memory(&error, NULL);
        ws_file_fault(s, &error);
        return;
    }
    s->changes = changes;
    if (fmt_block_read_change(s->reader, block, &changes[s->n_changes], &error) != FMT_OK) {
        ws_file_fault(s, &error);
        return;
    }
    s->n_changes++;
}

static void block_add(struct ws_file *s, struct ws_pe *pe, const struct fmt_block *block)
{
    struct fmt_error error = {0};
    pe->blocks++;
    pe->records += block->n_records;
    s->stored_bytes += block->stored_size;
    s->raw_bytes += block->raw_size;
    switch (block->kind) {
    case FMT_BLOCK_DATA:
        s->kind_records[ws_schema_number(s->sb, block->schema)] += block->n_records;
        ws_range_add(&s->virtual_time, block->min_virtual_time, block->max_virtual_time);
        ws_range_add(&s->real_time, block->min_real_time, block->max_real_time);
        break;
    case FMT_BLOCK_META:
        if (fmt_block_read_meta(s->reader, block, &s->descs, &error) != FMT_OK) {
            ws_file_fault(s, &error);
        }
        break;
    case FMT_BLOCK_NAMES:
        if (ws_lp_names_note(s->reader, block, &s->descs, &error) != FMT_OK) {
            ws_file_fault(s, &error);
        }
        break;
    case FMT_BLOCK_END:
        end_add(s, pe, block);
        break;
    case FMT_BLOCK_CHANGE:
        change_add(s, block);
        break;
    default:
        s->unknown_blocks++;
        break;
    }
}

static void pe_survey(struct ws_file *s, uint32_t number, bool strict)
{
    assert(number < s->sb->layout.n_pes);
    struct fmt_scan scan;
    struct fmt_block block;
    struct fmt_error error = {0};
    struct ws_pe *pe = &s->pes[number];
    enum fmt_status status;
    fmt_scan_init(&scan, s->reader, number);
    if (strict) {
        fmt_scan_strict(&scan);
    }
    while ((status = fmt_scan_next(&scan, &block, &error)) != FMT_END) {
        if (status == FMT_OK) {
            block_add(s, pe, &block);
        } else {
            ws_file_fault(s, &error);
        }
    }
    pe->missing = scan.missing_records;
    pe->damaged = scan.damaged;
    s->records += pe->records;
    s->missing += pe->missing;
    s->dropped += pe->dropped;
    s->overwritten += pe->overwritten;
    s->pes_unknown_loss += pe->unknown_loss;
    s->blocks += pe->blocks;
}

/* Marks the PEs whose blocks are in files that the user did not name, and reports their number. */
static void absent_mark(struct ws_file *s)
{
    uint32_t n = s->sb->layout.n_pes;
    const char *pes = ws_fact(s->sb, WS_PES_FACT);
    bool *has = calloc(n, sizeof *has);
    bool known = has != NULL && pes != NULL && ws_pes_read(pes, has, n);
    for (uint32_t pe = 0; pe < n; pe++) {
        bool here = s->joined != NULL ? s->joined->owner[pe] != WS_NO_FILE : !known || has[pe];
        s->pes[pe].is_absent = !here;
        s->pes_absent += !here;
    }
    free(has);
    if (s->pes_absent > 0) {
        ws_say(s->messages,
               "%s: note: the records of %" PRIu32 " of %" PRIu32
               " PEs are on disks of other hosts; name the directories of all hosts",
               s->path, s->pes_absent, n);
    }
}

/* Reports losses, and what this version does not know. */
static void notes_say(const struct ws_file *s)
{
    ws_journals_hint(s);
    if (s->unknown_blocks > 0) {
        ws_say(s->messages,
               "%s: note: %" PRIu64 " blocks of kinds that this version does not know are left out",
               s->path, s->unknown_blocks);
    }
    if (s->dropped > 0) {
        ws_say(s->messages,
               "%s: incomplete: %" PRIu64 " records were lost while recording (dropped or not"
               " written)",
               s->path, s->dropped);
    }
    if (ws_file_is_limited(s)) {
        ws_say(s->messages, "%s: incomplete: recorded up to GVT %.6g only: %s", s->path, s->end_gvt,
               ws_end_cause(s->end_text));
    }
    if (s->pes_unknown_loss > 0) {
        ws_say(s->messages,
               "%s: incomplete: an unknown number of records of %" PRIu32 " PE%s may be missing",
               s->path, s->pes_unknown_loss, s->pes_unknown_loss == 1 ? "" : "s");
    }
}

/* ---- Opening --------------------------------------------------------------------------------- */

/* Walks over the block headers of all PEs that are here. */
static void pes_survey(struct ws_file *s, bool strict)
{
    for (uint32_t pe = 0; pe < s->sb->layout.n_pes; pe++) {
        if (!s->pes[pe].is_absent) {
            pe_survey(s, pe, strict);
        }
    }
}

static const char *pe_path(const void *ctx, uint32_t pe)
{
    const struct ws_file *s = ctx;
    if (s->joined != NULL && s->joined->owner[pe] != WS_NO_FILE) {
        return s->joined->files[s->joined->owner[pe]].io.path;
    }
    return s->pes[pe].is_absent ? NULL : s->path;
}

/* Walks over the contents of a file with its journals, in place of the walk before. before: state of s
 * before that walk. */
static void so_far_take(struct ws_file *s, struct ws_so_far *so_far, struct fmt_reader *reader,
                        const struct ws_file *before)
{
    fmt_reader_close(s->reader);
    ws_descs_free(&s->descs);
    id_set_free(&s->fault_places);
    free(s->changes);
    *s = *before;
    s->so_far = so_far;
    s->reader = reader;
    s->sb = fmt_reader_superblock(reader);
    for (uint32_t pe = 0; pe < s->sb->layout.n_pes; pe++) {
        s->pes[pe] = (struct ws_pe){.is_absent = s->pes[pe].is_absent};
    }
    pes_survey(s, false);
}

/* If the run is still going on, or was killed and all journals are wanted, walks over the file once
 * more, now with its journals. before: state of s before the first walk. */
static void so_far_survey(struct ws_file *s, const struct fmt_io *io, const struct ws_file *before,
                          enum ws_journals journals)
{
    struct ws_so_far *so_far = NULL;
    struct fmt_reader *reader = NULL;
    struct fmt_error damage = {0};
    bool is_open = s->pes_ended + s->pes_absent < s->sb->layout.n_pes;
    bool is_running = is_open && ws_journals_running(s);
    if (is_running || (is_open && journals == WS_JOURNALS_ALL && ws_journals_count(s) > 0)) {
        so_far = ws_so_far_open(io, pe_path, s, &damage);
    }
    if (so_far == NULL || !ws_so_far_is_open(so_far) ||
        fmt_reader_open(ws_so_far_io(so_far), &reader, NULL) != FMT_OK) {
        ws_so_far_close(so_far);
    } else {
        so_far_take(s, so_far, reader, before);
        s->is_running = is_running;
    }
    if (damage.status != FMT_OK && !is_running && s->n_faults == 0) {
        ws_file_fault(s, &damage);
    }
    if (!s->is_running) {
        return;
    }
    s->end_code = FMT_END_UNKNOWN;
    s->ends_differ = false;
    snprintf(s->end_text, sizeof s->end_text, "still running");
    for (uint32_t pe = 0; pe < s->sb->layout.n_pes; pe++) {
        s->pes[pe].end_code = FMT_END_UNKNOWN;
    }
}

/* Opens a reader for the contents `io` of an open file, and walks over the block headers. */
static void headers_survey(struct ws_file *s, const struct fmt_io *io, bool strict,
                           enum ws_journals journals)
{
    struct fmt_error error = {0};
    if (fmt_reader_open(io, &s->reader, &error) != FMT_OK) {
        ws_file_fault(s, &error);
        return;
    }
    s->sb = fmt_reader_superblock(s->reader);
    s->pes = calloc(s->sb->layout.n_pes, sizeof *s->pes);
    if (s->pes == NULL) {
        ws_fault_memory(&error, NULL);
        ws_file_fault(s, &error);
        return;
    }
    absent_mark(s);
    /* Faults are reported once it is known that the run does not go on. */
    const struct ws_messages *messages = s->messages;
    s->messages = NULL;
    const struct ws_file before = *s;
    pes_survey(s, strict);
    if (journals != WS_JOURNALS_NONE) {
        so_far_survey(s, io, &before, journals);
    }
    s->messages = messages;
    for (uint64_t i = 0; i < s->n_faults && i < WS_FAULTS_SHOWN; i++) {
        ws_say(s->messages, "%s", s->faults[i].text);
    }
    notes_say(s);
}

static void file_survey(struct ws_file *s, const char *path, bool strict, enum ws_journals journals,
                        const struct ws_messages *messages)
{
    struct fmt_error error = {0};
    *s = (struct ws_file){.path = path, .file.fd = -1, .messages = messages};
    if (fmt_file_open_read(&s->file, path, &error) != FMT_OK) {
        ws_file_fault(s, &error);
        return;
    }
    headers_survey(s, &s->file.io, strict, journals);
}

void ws_file_survey(struct ws_file *s, const char *path, bool strict,
                    const struct ws_messages *messages)
{
    file_survey(s, path, strict, WS_JOURNALS_OF_RUNNING, messages);
}

void ws_file_place(struct ws_file *s, const struct ws_files *files, size_t i)
{
    size_t first = i < files->n ? i : files->joined_to[i];
    for (size_t k = 0; k < files->n_streams; k++) {
        const struct ws_stream_files *stream = &files->streams[k];
        if (first >= stream->first && first < stream->first + stream->n) {
            s->number = files->numbers[first];
            s->n_siblings = (uint32_t)stream->n;
        }
    }
}

void ws_file_survey_joined(struct ws_file *s, const struct ws_files *files, size_t i, bool strict,
                           const struct ws_messages *messages)
{
    bool is_joined = false;
    for (size_t k = files->n; k < files->n_all; k++) {
        is_joined |= files->joined_to[k] == i;
    }
    if (!is_joined) {
        file_survey(s, files->paths[i], strict, files->journals, messages);
        ws_file_place(s, files, i);
        return;
    }
    struct fmt_error error = {0};
    *s = (struct ws_file){.path = files->paths[i], .file.fd = -1, .messages = messages};
    ws_file_place(s, files, i);
    if (ws_joined_open(&s->joined, files, i, &error) != FMT_OK) {
        ws_file_fault(s, &error);
        return;
    }
    headers_survey(s, &s->joined->io, strict, files->journals);
}

void ws_file_close(struct ws_file *s)
{
    for (uint32_t i = 0; i < s->n_parts; i++) {
        ws_file_close(&s->parts[i]);
    }
    free(s->parts);
    free(s->view_schemas);
    free(s->type_ids);
    fmt_columns_free(&s->columns);
    id_set_free(&s->fault_places);
    ws_descs_free(&s->descs);
    free(s->pes);
    free(s->changes);
    fmt_reader_close(s->reader);
    ws_so_far_close(s->so_far);
    fmt_file_close(&s->file, NULL);
    ws_joined_close(s->joined);
    *s = (struct ws_file){.file.fd = -1};
}

const struct fmt_schema *ws_file_kind(const struct ws_file *s, uint32_t id, uint64_t *n)
{
    const struct fmt_schema *schema = ws_schema_of(s->sb, id);
    *n = schema == NULL ? 0 : s->kind_records[ws_schema_number(s->sb, schema)];
    return *n == 0 ? NULL : schema;
}
