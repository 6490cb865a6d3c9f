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

/* The meanings of end codes. The last element stands for codes that this version does not know, and for
 * files without a code. */
static const struct end {
    uint32_t code;
    unsigned rank;
    const char *one, *several; /* verb phrases for one PE and several */
} ends[] = {
    {FMT_END_TIME, 0, "reached the end time", "reached the end time"},
    {FMT_END_NO_EVENTS, 0, "had no events left", "had no events left"},
    {FMT_END_CHANGED, 0, "went on to another file", "went on to another file"},
    {FMT_END_SIGNAL, 2, "was stopped by a signal", "were stopped by a signal"},
    {FMT_END_UNDONE, 2, "was rolled back to the beginning", "were rolled back to the beginning"},
    {FMT_END_ERROR, 3, "was stopped by an error", "were stopped by an error"},
    {FMT_END_KILLED, 4, "was killed", "were killed"},
    {FMT_END_UNKNOWN, 1, "ended for an unknown reason", "ended for an unknown reason"},
};

static const struct end *end_of(uint32_t code)
{
    const struct end *end = ends;
    while (end->code != code && end->code != FMT_END_UNKNOWN) {
        end++;
    }
    return end;
}

unsigned ws_end_rank(uint32_t code)
{
    return end_of(code)->rank;
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
    return n == 1 ? end_of(code)->one : end_of(code)->several;
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
    if (fmt_block_read_end(ws_file_reader(s, block), block, &end, NULL) != FMT_OK) {
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
        ws_file_fault_memory(s);
        return;
    }
    s->changes = changes;
    if (fmt_block_read_change(ws_file_reader(s, block), block, &changes[s->n_changes], &error) !=
        FMT_OK) {
        ws_file_fault(s, &error);
        return;
    }
    s->n_changes++;
}

static void block_add(struct ws_file *s, struct ws_pe *pe, const struct fmt_block *block)
{
    const struct fmt_reader *reader = ws_file_reader(s, block);
    struct fmt_error error = {0};
    pe->blocks++;
    pe->records += block->n_records;
    s->stored_bytes += block->stored_size;
    s->raw_bytes += block->raw_size;
    switch (block->kind) {
    case FMT_BLOCK_DATA:
        s->kind_records[ws_schema_number(s->sb, ws_schema_of(s->sb, block->schema->id))] +=
            block->n_records;
        ws_range_add(&s->virtual_time, block->min_virtual_time, block->max_virtual_time);
        ws_range_add(&s->real_time, block->min_real_time, block->max_real_time);
        break;
    case FMT_BLOCK_META:
        if (fmt_block_read_meta(reader, block, &s->descs, &error) != FMT_OK) {
            ws_file_fault(s, &error);
        }
        break;
    case FMT_BLOCK_NAMES:
        if (fmt_block_check(reader, block, &s->columns, &error) != FMT_OK ||
            ws_lp_names_note(reader, block, &s->descs, &error) != FMT_OK) {
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

static void pe_survey(struct ws_file *s, uint32_t number, enum ws_care care)
{
    assert(number < s->sb->layout.n_pes);
    struct fmt_scan scan;
    struct fmt_block block;
    struct fmt_error error = {0};
    struct ws_pe *pe = &s->pes[number];
    enum fmt_status status;
    fmt_scan_init(&scan, s->sources[s->pes[number].source].reader, number);
    if (care == WS_STRICT) {
        fmt_scan_strict(&scan);
    }
    while ((status = fmt_scan_next(&scan, &block, &error)) != FMT_END) {
        if (status == FMT_OK) {
            block_add(s, pe, &block);
        } else {
            ws_file_fault(s, &error);
        }
        scan.light = care == WS_LIGHT && ws_file_is_large(s);
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
static void pes_survey(struct ws_file *s, enum ws_care care)
{
    for (uint32_t pe = 0; pe < s->sb->layout.n_pes; pe++) {
        if (!s->pes[pe].is_absent) {
            pe_survey(s, pe, care);
        }
    }
}

/* If source number i lacks the end of a PE, lets it be read together with its journals. Returns true
 * if it is. *damage: as of ws_so_far_open(). */
static bool source_extend(struct ws_file *s, uint32_t i, struct fmt_error *damage)
{
    struct ws_disk_file *source = &s->sources[i];
    struct fmt_reader *reader = NULL;
    struct ws_so_far *so_far = ws_so_far_open(s, i, damage);
    if (so_far == NULL || !ws_so_far_is_open(so_far) ||
        fmt_reader_open(ws_so_far_io(so_far), &reader, NULL) != FMT_OK) {
        ws_so_far_close(so_far);
        return false;
    }
    fmt_reader_close(source->reader);
    source->reader = reader;
    source->so_far = so_far;
    return true;
}

/* If the run is still going on, or was killed and all journals are wanted, walks over the file once
 * more, now with its journals. before: state of s before the first walk. */
static void so_far_survey(struct ws_file *s, const struct ws_file *before,
                          enum ws_journals journals)
{
    struct fmt_error damage = {0};
    bool is_open = s->pes_ended + s->pes_absent < s->sb->layout.n_pes, is_extended = false;
    bool is_running = is_open && ws_journals_running(s);
    bool is_wanted =
        is_running || (is_open && journals == WS_JOURNALS_ALL && ws_journals_count(s) > 0);
    for (uint32_t i = 0; is_wanted && i < s->n_sources; i++) {
        is_extended |= source_extend(s, i, &damage);
    }
    if (is_extended) {
        ws_descs_free(&s->descs);
        id_set_free(&s->fault_places);
        free(s->changes);
        *s = *before;
        s->is_running = is_running;
        s->sb = fmt_reader_superblock(s->sources[0].reader);
        for (uint32_t pe = 0; pe < s->sb->layout.n_pes; pe++) {
            const struct ws_pe *old = &s->pes[pe];
            s->pes[pe] = (struct ws_pe){.is_absent = old->is_absent, .source = old->source};
        }
        pes_survey(s, WS_USUAL);
    }
    if (damage.status != FMT_OK && !is_running) {
        s->is_surveyed = true; /* the walk has possibly found it as well */
        ws_file_fault(s, &damage);
    }
    if (s->is_running) {
        s->end_code = FMT_END_UNKNOWN;
        s->ends_differ = false;
        snprintf(s->end_text, sizeof s->end_text, "still running");
    }
    for (uint32_t pe = 0; s->is_running && pe < s->sb->layout.n_pes; pe++) {
        s->pes[pe].end_code = FMT_END_UNKNOWN;
    }
}

/* Gives the latest source the PEs whose blocks it has, according to its superblock, and no earlier one
 * has. is_joined: true if there are several sources. */
static enum fmt_status pes_take(struct ws_file *s, bool is_joined, struct fmt_error *error)
{
    struct ws_disk_file *source = &s->sources[s->n_sources - 1];
    const struct fmt_superblock *sb = fmt_reader_superblock(source->reader);
    const struct fmt_layout *own = &sb->layout, *l = &s->sb->layout;
    const char *pes = ws_fact(sb, WS_PES_FACT);
    bool *has = calloc(own->n_pes, sizeof *has);
    if (has == NULL) {
        return ws_fault_memory(error, NULL);
    }
    bool known = pes != NULL && ws_pes_read(pes, has, own->n_pes);
    bool fits =
        !is_joined || (known && own->n_pes == l->n_pes && own->extent_size == l->extent_size &&
                       own->first_extent == l->first_extent && sb->n_schemas == s->sb->n_schemas);
    for (uint32_t i = 0; fits && i < sb->n_schemas; i++) {
        fits = sb->schemas[i]->id == s->sb->schemas[i]->id &&
               ws_schema_same(sb->schemas[i], s->sb->schemas[i]);
    }
    for (uint32_t pe = 0; fits && pe < own->n_pes; pe++) {
        if (s->pes[pe].is_absent && (!known || has[pe])) {
            s->pes[pe] = (struct ws_pe){.source = s->n_sources - 1};
            s->pes_absent--;
        }
    }
    free(has);
    if (!fits) {
        *error = (struct fmt_error){FMT_ERR_DAMAGED, .pe = FMT_NO_PE, .offset = FMT_NO_OFFSET};
        snprintf(error->text, sizeof error->text,
                 "%.150s: does not fit to the other files of its run", source->file.io.path);
    }
    return fits ? FMT_OK : FMT_ERR_DAMAGED;
}

/* Opens the file at path as a further source. */
static enum fmt_status source_open(struct ws_file *s, const char *path, bool is_joined,
                                   struct fmt_error *error)
{
    struct ws_disk_file *source = &s->sources[s->n_sources];
    enum fmt_status status = fmt_file_open_read(&source->file, path, error);
    if (status != FMT_OK) {
        return status;
    }
    s->n_sources++;
    status = fmt_reader_open(&source->file.io, &source->reader, error);
    if (status == FMT_OK && s->sb == NULL) {
        s->sb = fmt_reader_superblock(source->reader);
        s->pes_absent = s->sb->layout.n_pes;
        s->pes = calloc(s->pes_absent, sizeof *s->pes);
        for (uint32_t pe = 0; s->pes != NULL && pe < s->pes_absent; pe++) {
            s->pes[pe].is_absent = true;
        }
        status = s->pes == NULL ? ws_fault_memory(error, NULL) : FMT_OK;
    }
    return status == FMT_OK ? pes_take(s, is_joined, error) : status;
}

/* Opens the file at path. files: if not NULL, the file has number i there, and is opened together with
 * those joined to it. Walks over the block headers. */
static void file_survey(struct ws_file *s, const char *path, const struct ws_files *files, size_t i,
                        enum ws_care care, const struct ws_messages *messages)
{
    const size_t first = files == NULL ? 0 : files->n, end = files == NULL ? 0 : files->n_all;
    struct fmt_error error = {0};
    size_t n = 1;
    for (size_t k = first; k < end; k++) {
        n += files->joined_to[k] == i;
    }
    *s = (struct ws_file){.path = path, .messages = messages};
    s->sources = calloc(n, sizeof *s->sources);
    enum fmt_status status =
        s->sources == NULL ? ws_fault_memory(&error, NULL) : source_open(s, path, n > 1, &error);
    for (size_t k = first; status == FMT_OK && k < end; k++) {
        if (files->joined_to[k] == i) {
            status = source_open(s, files->paths[k], true, &error);
        }
    }
    if (status != FMT_OK) {
        ws_file_fault(s, &error);
        free(s->pes);
        s->pes = NULL;
        s->sb = NULL;
        return;
    }
    if (s->pes_absent > 0) {
        ws_say(messages,
               "%s: note: the records of %" PRIu32 " of %" PRIu32
               " PEs are on disks of other hosts; name the directories of all hosts",
               s->path, s->pes_absent, s->sb->layout.n_pes);
    }
    /* Faults are reported once it is known that the run does not go on. */
    s->messages = NULL;
    const struct ws_file before = *s;
    pes_survey(s, care);
    if (files == NULL || files->journals != WS_JOURNALS_NONE) {
        so_far_survey(s, &before, files == NULL ? WS_JOURNALS_OF_RUNNING : files->journals);
    }
    s->messages = messages;
    for (uint64_t k = 0; k < s->n_faults && k < WS_FAULTS_SHOWN; k++) {
        ws_say(messages, "%s", s->faults[k].text);
    }
    notes_say(s);
    s->is_surveyed = true;
    s->first_faults = s->n_faults;
}

void ws_file_survey(struct ws_file *s, const char *path, enum ws_care care,
                    const struct ws_messages *messages)
{
    file_survey(s, path, NULL, 0, care, messages);
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

void ws_file_survey_joined(struct ws_file *s, const struct ws_files *files, size_t i,
                           enum ws_care care, const struct ws_messages *messages)
{
    file_survey(s, files->paths[i], files, i, care, messages);
    ws_file_place(s, files, i);
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
    for (uint32_t i = 0; i < s->n_sources; i++) {
        fmt_reader_close(s->sources[i].reader);
        ws_so_far_close(s->sources[i].so_far);
        fmt_file_close(&s->sources[i].file, NULL);
    }
    free(s->sources);
    *s = (struct ws_file){0};
}

const struct fmt_schema *ws_file_kind(const struct ws_file *s, uint32_t id, uint64_t *n)
{
    const struct fmt_schema *schema = ws_schema_of(s->sb, id);
    *n = schema == NULL ? 0 : s->kind_records[ws_schema_number(s->sb, schema)];
    return *n == 0 ? NULL : schema;
}
