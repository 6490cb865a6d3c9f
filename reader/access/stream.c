/* SPDX-License-Identifier: BSD-3-Clause */
/* stream.c - presents the record files of a stream as one; see stream.h. */
#include "access/stream.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "access/bind.h"
#include "access/facts.h"
#include "access/payload_types.h"
#include "data/lp_names.h"

/* ---- Kinds of records ------------------------------------------------------------------------ */

/* Adds the kinds of a part to those of the stream. If a kind has other fields in the part than in
 * the stream, or if there are too many kinds, adds none and returns the name of the kind that
 * cannot be added. Otherwise returns NULL. */
static const char *kinds_add(struct ws_file *s, const struct ws_file *part)
{
    const struct fmt_superblock *sb = part->sb;
    uint32_t n = s->view.n_schemas;
    for (uint32_t i = 0; i < sb->n_schemas; i++) {
        uint32_t k = 0;
        while (k < s->view.n_schemas && s->view_schemas[k]->id != sb->schemas[i]->id) {
            k++;
        }
        bool known = k < s->view.n_schemas;
        if ((known && !ws_schema_same(s->view_schemas[k], sb->schemas[i])) ||
            (!known && k == FMT_SCHEMAS_MAX)) {
            s->view.n_schemas = n;
            return sb->schemas[i]->name;
        }
        if (!known) {
            s->view_schemas[s->view.n_schemas++] = sb->schemas[i];
        }
    }
    return NULL;
}

/* ---- Payload descriptions -------------------------------------------------------------------- */

/* Returns the id in the stream for a description of a part. If the stream has an equal description,
 * sets *known to true and returns its id. Otherwise returns the description's id in the part if the
 * stream does not use it yet, or else the largest id of the stream plus 1. */
static uint32_t id_find(const struct fmt_desc_set *set, const struct fmt_payload_desc *desc,
                        bool *known)
{
    bool is_free = fmt_desc_set_find(set, desc->id) == NULL;
    for (size_t i = 0; i < set->n; i++) {
        if (ws_payload_desc_compare(&set->descs[i], desc) == 0) {
            *known = true;
            return set->descs[i].id;
        }
    }
    *known = false;
    return is_free ? desc->id : set->descs[set->n - 1].id + 1;
}

/* Inserts a description into the set, which is sorted by id, under an id that is not in use. */
static void desc_insert(struct fmt_desc_set *set, const struct fmt_payload_desc *desc, uint32_t id)
{
    size_t at = set->n++;
    for (; at > 0 && set->descs[at - 1].id > id; at--) {
        set->descs[at] = set->descs[at - 1];
    }
    set->descs[at] = *desc; /* the texts stay owned by the part */
    set->descs[at].id = id;
}

/* Adds the descriptions of a part to those of the stream, and sets part->type_ids. Returns false if
 * out of memory, or if all ids are used. */
static bool descs_add(struct ws_file *s, struct ws_file *part)
{
    bool differ = false;
    struct fmt_payload_desc *descs =
        realloc(s->descs.descs, (s->descs.n + part->descs.n + 1) * sizeof *descs);
    part->type_ids = calloc(part->descs.n + 1, sizeof *part->type_ids);
    if (descs == NULL || part->type_ids == NULL) {
        s->descs.descs = descs == NULL ? s->descs.descs : descs;
        return false;
    }
    s->descs.descs = descs;
    for (size_t i = 0; i < part->descs.n; i++) {
        bool known;
        uint32_t id = id_find(&s->descs, &part->descs.descs[i], &known);
        if (id == 0) {
            return false;
        }
        if (!known) {
            desc_insert(&s->descs, &part->descs.descs[i], id);
        }
        part->type_ids[i] = id;
        differ |= id != part->descs.descs[i].id;
    }
    if (!differ) {
        free(part->type_ids);
        part->type_ids = NULL;
    }
    return true;
}

/* ---- Sums ------------------------------------------------------------------------------------ */

static void pe_add(struct ws_pe *to, const struct ws_pe *from)
{
    /* Parts are added in their order, so that the end of the PE is that of the last part. */
    struct ws_pe sum = *from;
    sum.records += to->records;
    sum.missing += to->missing;
    sum.dropped += to->dropped;
    sum.overwritten += to->overwritten;
    sum.blocks += to->blocks;
    sum.unknown_loss |= to->unknown_loss;
    sum.damaged |= to->damaged;
    *to = sum;
}

static void counts_add(struct ws_file *s, const struct ws_file *part)
{
    s->records += part->records;
    s->missing += part->missing;
    s->dropped += part->dropped;
    s->overwritten += part->overwritten;
    s->blocks += part->blocks;
    s->pes_absent = s->pes_absent > part->pes_absent ? s->pes_absent : part->pes_absent;
    s->stored_bytes += part->stored_bytes;
    s->raw_bytes += part->raw_bytes;
    s->unknown_blocks += part->unknown_blocks;
    for (uint32_t i = 0; i < part->sb->n_schemas; i++) {
        for (uint32_t k = 0; k < s->view.n_schemas; k++) {
            if (s->view_schemas[k]->id == part->sb->schemas[i]->id) {
                s->kind_records[k] += part->kind_records[i];
            }
        }
    }
    if (part->virtual_time.known) {
        ws_range_add(&s->virtual_time, part->virtual_time.min, part->virtual_time.max);
    }
    if (part->real_time.known) {
        ws_range_add(&s->real_time, part->real_time.min, part->real_time.max);
    }
    for (uint32_t pe = 0; pe < part->sb->layout.n_pes; pe++) {
        pe_add(&s->pes[pe], &part->pes[pe]);
    }
}

/* Sets the end of the stream (end codes, final GVT and time) to that of a part. Called for each
 * part, in order. */
static void end_take(struct ws_file *s, const struct ws_file *part)
{
    s->is_running |= part->is_running;
    s->pes_ended = part->pes_ended;
    s->end_code = part->end_code;
    memcpy(s->end_text, part->end_text, sizeof s->end_text);
    s->end_gvt = part->end_gvt;
    s->end_real_time = part->end_real_time;
    s->ends_differ = part->ends_differ;
}

/* Replaces the list of changes of the stream by that of a part if the latter is longer. The list in
 * a part contains all changes of the run up to the end of that part. */
static bool changes_take(struct ws_file *s, const struct ws_file *part)
{
    if (part->n_changes <= s->n_changes) {
        return true;
    }
    struct fmt_change *changes = realloc(s->changes, part->n_changes * sizeof *changes);
    if (changes == NULL) {
        return false;
    }
    memcpy(changes, part->changes, part->n_changes * sizeof *changes);
    s->changes = changes;
    s->n_changes = part->n_changes;
    return true;
}

/* Adds the faults of a part, which were reported when the part was opened, to those of the
 * stream. */
static void faults_take(struct ws_file *s, const struct ws_file *part)
{
    for (uint64_t i = 0; i < part->n_faults; i++) {
        if (i < WS_FAULTS_SHOWN && s->n_faults < WS_FAULTS_SHOWN) {
            s->faults[s->n_faults] = part->faults[i];
        }
        s->n_faults++;
    }
    /* If memory is exhausted, a fault may be counted twice. */
    (void)id_set_add(&s->fault_places, part->fault_places.ids, part->fault_places.n);
}

/* ---- Opening --------------------------------------------------------------------------------- */

/* Creates the superblock of the stream from that of its first readable part. Returns false if out
 * of memory. */
static bool view_make(struct ws_file *s, const struct ws_file *part)
{
    if (s->sb != NULL) {
        return true;
    }
    s->view = *part->sb;
    s->view.n_schemas = 0;
    s->view_schemas = calloc(FMT_SCHEMAS_MAX, sizeof *s->view_schemas);
    s->pes = calloc(part->sb->layout.n_pes, sizeof *s->pes);
    if (s->view_schemas == NULL || s->pes == NULL) {
        return false;
    }
    s->view.schemas = s->view_schemas;
    s->sb = &s->view;
    return true;
}

/* Excludes a part in which the kind of record `kind` has other fields than in earlier parts. Counts
 * this as a fault of the stream. */
static void part_refuse(struct ws_file *s, struct ws_file *part, const char *kind)
{
    struct fmt_error error = {.status = FMT_ERR_DAMAGED, .pe = FMT_NO_PE, .offset = FMT_NO_OFFSET};
    snprintf(error.text, sizeof error.text,
             "%.90s: left out: records %.20s have other fields than in %.60s; copy it to read it",
             part->path, kind, s->path);
    ws_file_fault(s, &error);
    free(part->pes);
    part->pes = NULL;
}

static void part_add(struct ws_file *s, struct ws_file *part)
{
    if (part->pes == NULL) {
        return;
    }
    if (!view_make(s, part)) {
        ws_file_fault_memory(s);
        return;
    }
    const char *differs = kinds_add(s, part);
    if (differs != NULL) {
        part_refuse(s, part, differs);
        return;
    }
    if (!descs_add(s, part) || !ws_lp_names_join(&s->descs, &part->descs) ||
        !changes_take(s, part)) {
        ws_file_fault_memory(s);
        free(part->pes);
        part->pes = NULL;
        return;
    }
    counts_add(s, part);
    end_take(s, part);
}

/* Reports the number of missing parts before each part. numbers[i]: number of part i in the stream,
 * from 1. */
static void missing_say(const struct ws_file *s, const uint32_t *numbers)
{
    uint32_t next = 1;
    for (uint32_t i = 0; i < s->n_parts; i++) {
        uint32_t missing = numbers[i] - next;
        if (missing > 0) {
            ws_say(s->messages,
                   "%s: note: %" PRIu32 " part%s of the stream before it %s not among the files; "
                   "their records are left out",
                   s->parts[i].path, missing, missing == 1 ? "" : "s", missing == 1 ? "is" : "are");
        }
        next = numbers[i] + 1;
    }
}

void ws_stream_survey(struct ws_file *s, const struct ws_files *files, size_t i,
                      const struct ws_messages *messages)
{
    char *const *paths = files->paths + files->streams[i].first;
    size_t n = files->streams[i].n;
    if (n == 1) {
        ws_file_survey_joined(s, files, files->streams[i].first, WS_USUAL, messages);
        return;
    }
    *s = (struct ws_file){.path = paths[0], .messages = messages};
    s->parts = calloc(n, sizeof *s->parts);
    if (s->parts == NULL) {
        ws_file_fault_memory(s);
        return;
    }
    for (; s->n_parts < n; s->n_parts++) {
        struct ws_file *part = &s->parts[s->n_parts];
        ws_file_survey_joined(part, files, files->streams[i].first + s->n_parts, WS_USUAL,
                              messages);
        faults_take(s, part);
        part_add(s, part);
    }
    for (uint32_t pe = 0; s->sb != NULL && pe < s->sb->layout.n_pes; pe++) {
        s->pes_unknown_loss += s->pes[pe].unknown_loss;
    }
    missing_say(s, files->numbers + files->streams[i].first);
    s->is_surveyed = true;
    s->first_faults = s->n_faults;
}

/* ---- Time that is covered -------------------------------------------------------------------- */

bool ws_part_records(const struct ws_file *part, const struct fmt_schema *schema)
{
    return part->pes != NULL && (schema == NULL || ws_schema_of(part->sb, schema->id) != NULL);
}

bool ws_stream_moved(const struct ws_file *stream)
{
    bool moved = false;
    for (uint32_t i = 0; i + 1 < ws_stream_parts(stream); i++) {
        moved |= strcmp(ws_stream_part(stream, i)->end_text, FMT_END_TEXT_MOVED) == 0;
    }
    return moved;
}

bool ws_stream_records(const struct ws_file *s, const struct fmt_schema *schema)
{
    for (uint32_t i = 0; i < ws_stream_parts(s); i++) {
        const struct ws_file *part = ws_stream_part(s, i);
        if (part->pes != NULL && !ws_part_records(part, schema)) {
            return false;
        }
    }
    return true;
}

bool ws_part_window(const struct ws_file *part, double *from, double *to)
{
    *from = ws_fact_number(part->sb, "option_trace_from", 0.0);
    *to = ws_fact_number(part->sb, "option_trace_to", (double)INFINITY);
    return part->sb->stream == FMT_STREAM_EVTRACE && (*from > 0.0 || isfinite(*to));
}

double ws_part_restart(const struct ws_file *part)
{
    bool goes_on = part->sb->stream == FMT_STREAM_TRACER;
    return goes_on ? 0.0 : ws_fact_number(part->sb, "restarted_at", 0.0);
}

double ws_part_begin(const struct ws_file *part)
{
    return fmax(ws_fact_number(part->sb, "begins_gvt", 0.0), ws_part_restart(part));
}

struct ws_cover ws_part_cover(const struct ws_file *part)
{
    struct ws_cover c = {.virtual_from = ws_part_begin(part),
                         .virtual_to = (double)INFINITY,
                         .real_from = ws_fact_number(part->sb, "begins_real_time", 0.0),
                         .real_to = (double)INFINITY};
    double from, to;
    if (ws_part_window(part, &from, &to)) {
        c.virtual_from = fmax(c.virtual_from, from);
        c.virtual_to = to;
    }
    /* Records at exactly kept_gvt may be missing. */
    if (part->overwritten > 0) {
        c.virtual_from = fmax(c.virtual_from, nextafter(part->kept_gvt, (double)INFINITY));
        c.real_from = fmax(c.real_from, part->kept_real_time);
    }
    if (part->pes_ended > 0 && part->end_code == FMT_END_CHANGED) {
        c.virtual_to = fmin(part->end_gvt, c.virtual_to);
        c.real_to = fmax(part->end_real_time, c.real_from);
    }
    c.virtual_to = fmax(c.virtual_to, c.virtual_from);
    return c;
}

struct ws_cover ws_stream_cover(const struct ws_file *s, uint32_t i)
{
    struct ws_cover c = ws_part_cover(ws_stream_part(s, i));
    if (i + 1 < ws_stream_parts(s) && ws_stream_part(s, i + 1)->pes != NULL) {
        struct ws_cover next = ws_part_cover(ws_stream_part(s, i + 1));
        if (!(c.virtual_to < next.virtual_from)) {
            c.virtual_to = fmax(c.virtual_from, next.virtual_from);
            c.real_to = fmax(c.real_from, next.real_from);
        }
    }
    return c;
}

bool ws_stream_gap(const struct ws_file *s, uint32_t i, const struct fmt_schema *schema,
                   struct ws_cover *gap)
{
    assert(i > 0 && i < ws_stream_parts(s));
    uint32_t before = i;
    while (before > 0 && !ws_part_records(ws_stream_part(s, before - 1), schema)) {
        before--;
    }
    if (before == 0 || !ws_part_records(ws_stream_part(s, i), schema)) {
        return false;
    }
    struct ws_cover a = ws_part_cover(ws_stream_part(s, before - 1));
    struct ws_cover b = ws_part_cover(ws_stream_part(s, i));
    *gap = (struct ws_cover){.virtual_from = a.virtual_to,
                             .virtual_to = b.virtual_from,
                             .real_from = a.real_to,
                             .real_to = b.real_from};
    return gap->virtual_from < gap->virtual_to;
}

double ws_stream_share(const struct ws_file *s, const struct fmt_schema *schema, bool virtual_time,
                       double from, double to)
{
    double covered = 0.0;
    for (uint32_t i = 0; i < ws_stream_parts(s); i++) {
        const struct ws_file *part = ws_stream_part(s, i);
        if (!ws_part_records(part, schema)) {
            continue;
        }
        struct ws_cover c = ws_stream_cover(s, i);
        double low = virtual_time ? c.virtual_from : c.real_from;
        double high = virtual_time ? c.virtual_to : c.real_to;
        covered += fmax(0.0, fmin(high, to) - fmax(low, from));
    }
    return covered > 0.0 && to > from ? covered / (to - from) : 0.0;
}
