/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * select.c - the selection of the records that a command or program reads; see select.h.
 */
#include "access/select.h"

#include <assert.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NO_LP "18446744073709551615"

/* ---- Texts ----------------------------------------------------------------------------------- */

bool ws_select_set(struct ws_select *s, const struct ws_select_texts *texts,
                   struct ws_select_bad *bad)
{
    const struct {
        const char *option, *text;
        struct ws_ranges *ranges;
    } lists[] = {
        {"pe", texts->pes, &s->pes}, {"kp", texts->kps, &s->kps}, {"lp", texts->lps, &s->lps}};
    *s = (struct ws_select){.from = -INFINITY, .to = INFINITY};
    *bad = (struct ws_select_bad){.option = NULL};
    s->seen = calloc(1, sizeof *s->seen);
    if (s->seen == NULL) {
        return false;
    }
    s->seen->least_kp = s->seen->least_lp = UINT64_MAX;
    s->seen->least_time = s->seen->most_time = (double)NAN;
    for (int i = 0; i < 3; i++) {
        const char *text = lists[i].text;
        if (text == NULL || ws_ranges_parse(lists[i].ranges, text)) {
            continue;
        }
        if (i < 2 || text[strspn(text, "0123456789-,")] == '\0') {
            *bad = (struct ws_select_bad){lists[i].option, text, "must be a list such as 0,2,4-7"};
            return false;
        }
        s->lp_names = strdup(text);
        if (s->lp_names == NULL || !ws_ranges_parse(&s->lps, NO_LP)) {
            return false;
        }
    }
    s->has_to = !isnan(texts->to);
    s->by_time = s->has_to || !isnan(texts->from);
    s->from = isnan(texts->from) ? s->from : texts->from;
    s->to = s->has_to ? texts->to : s->to;
    if (s->from > s->to) {
        bad->option = "from";
        return false;
    }
    bool good = texts->types == NULL || ws_name_list_read(&s->types, texts->types);
    if (!good && s->types.n > 0) {
        *bad = (struct ws_select_bad){"type", texts->types,
                                      "must be names or patterns, such as gvt_kp,router*"};
    }
    return good;
}

void ws_select_free(struct ws_select *s)
{
    ws_where_free(s->where);
    ws_ranges_free(&s->pes);
    ws_ranges_free(&s->kps);
    ws_ranges_free(&s->lps);
    free(s->lp_names);
    ws_name_list_free(&s->types);
    free(s->seen);
    *s = (struct ws_select){0};
}

bool ws_select_given(const struct ws_select *s)
{
    return s->pes.n > 0 || s->kps.n > 0 || s->lps.n > 0 || s->by_time || s->types.n > 0 ||
           s->where != NULL;
}

/* ---- Selection in a file --------------------------------------------------------------------- */

/* Returns the index of the field called name if its type is an unsigned integer; otherwise -1. */
static int32_t number_field(const struct fmt_schema *schema, const char *name)
{
    int32_t i = ws_field_find(schema, name);
    return i >= 0 && schema->fields[i].type <= FMT_U64 ? i : -1;
}

/* Returns true if name matches at least one pattern of --type. If found is not NULL, sets found[i]
 * to true for each pattern i that matches. */
static bool type_matches(const struct ws_select *s, const char *name, bool *found)
{
    bool any = false;
    const char *pattern = s->types.text;
    for (size_t i = 0; i < s->types.n; i++) {
        if (fnmatch(pattern, name, 0) == 0) {
            any = true;
            if (found != NULL) {
                found[i] = true;
            }
        }
        pattern += strlen(pattern) + 1;
    }
    return any;
}

/* Returns true if --type chooses an LP type that records of this kind can have. */
static bool owner_is_wanted(const struct ws_select *s, const struct ws_select_kind *kind)
{
    for (size_t i = 0; kind->payload_type >= 0 && i < s->descs->n; i++) {
        if (type_matches(s, s->descs->descs[i].owner, NULL)) {
            return true;
        }
    }
    return false;
}

/* Returns true if records of the kind can satisfy all options except --where. */
static bool kind_is_wanted(const struct ws_select *s, const struct ws_select_kind *kind)
{
    return (kind->by_name || owner_is_wanted(s, kind)) && (s->kps.n == 0 || kind->kp >= 0) &&
           (s->lps.n == 0 || kind->lp >= 0) && (!s->by_time || kind->virtual_time >= 0);
}

/* Prepares the condition of --where for the current file. Returns false if out of memory. */
static bool where_file(struct ws_select *s)
{
    assert(s->where != NULL);
    const uint32_t n_kinds = s->sb->n_schemas;
    bool *chosen = calloc(n_kinds + s->descs->n, sizeof *chosen);
    if (chosen == NULL || !ws_where_file(s->where, s->sb, s->descs)) {
        free(chosen);
        return false;
    }
    for (uint32_t i = 0; i < n_kinds; i++) {
        const struct ws_select_kind *kind = &s->kinds[i];
        chosen[i] = kind_is_wanted(s, kind);
        for (size_t d = 0; chosen[i] && kind->payload_type >= 0 && d < s->descs->n; d++) {
            chosen[n_kinds + d] |= kind->by_name || type_matches(s, s->descs->descs[d].owner, NULL);
        }
    }
    ws_where_look(s->where, chosen);
    free(chosen);
    return true;
}

void ws_select_file(struct ws_select *s, const struct fmt_superblock *sb,
                    const struct fmt_desc_set *descs)
{
    assert(sb->n_schemas <= FMT_SCHEMAS_MAX);
    s->sb = sb;
    s->descs = descs;
    if (s->lp_names != NULL) {
        ws_ranges_free(&s->lps);
        bool is_found = ws_lp_ranges(&s->lps, descs, s->lp_names, s->lps_why);
        s->lps_found |= is_found;
        s->where_failed |= !is_found && !ws_ranges_parse(&s->lps, NO_LP);
    }
    if (s->seen != NULL) {
        memset(s->seen->noted, 0, sizeof s->seen->noted);
    }
    if (sb->layout.n_pes > s->most_pes) {
        s->most_pes = sb->layout.n_pes;
    }
    for (uint32_t i = 0; i < sb->n_schemas; i++) {
        const struct fmt_schema *schema = sb->schemas[i];
        struct ws_select_kind *kind = &s->kinds[i];
        kind->kp = number_field(schema, "kp");
        kind->lp = number_field(schema, "lp");
        if (kind->lp < 0) {
            kind->lp = number_field(schema, "dest_lp");
        }
        kind->virtual_time = schema->role_field[FMT_ROLE_VIRTUAL_TIME];
        kind->payload_type = schema->role_field[FMT_ROLE_PAYLOAD_TYPE];
        kind->by_name = s->types.n == 0 || type_matches(s, schema->name, s->types.found);
        ws_known_add(s->known, sizeof s->known, schema->name);
    }
    if (s->where != NULL && !where_file(s)) {
        s->where_failed = true;
    }
    for (size_t i = 0; s->types.n > 0 && i < descs->n; i++) {
        type_matches(s, descs->descs[i].owner, s->types.found);
        ws_known_add(s->known, sizeof s->known, descs->descs[i].owner);
    }
}

bool ws_select_found(const struct ws_select *s, const struct ws_messages *messages)
{
    bool good = true;
    const char *pattern = s->types.text;
    for (size_t i = 0; s->most_pes > 0 && i < s->pes.n; i++) {
        if (s->pes.spans[i].first >= s->most_pes) {
            ws_say(messages, "no PE %" PRIu64 ": the run had %" PRIu32 " (from 0)",
                   s->pes.spans[i].first, s->most_pes);
            good = false;
        }
    }
    if (s->most_pes > 0 && s->lp_names != NULL && !s->lps_found) {
        ws_say(messages, "%s", s->lps_why);
        good = false;
    }
    for (size_t i = 0; s->most_pes > 0 && i < s->types.n; i++) {
        if (!s->types.found[i]) {
            ws_say(messages, "no kind of record and no type of LP is called %s; there are %s",
                   pattern, s->known);
            good = false;
        }
        pattern += strlen(pattern) + 1;
    }
    if (s->where_failed) {
        ws_fail_memory(messages, NULL);
    } else if (s->where != NULL && s->most_pes > 0) {
        good &= ws_where_found(
            s->where, s->types.n == 0 && s->kps.n == 0 && s->lps.n == 0 && !s->by_time, messages);
    }
    return good && !s->where_failed;
}

/* ---- Empty selections ------------------------------------------------------------------------ */

static bool row_time_is_wanted(const struct ws_select *s, const struct fmt_columns *c,
                               int32_t field, uint32_t row)
{
    if (field < 0) {
        return false;
    }
    double t = fmt_columns_value(c, (uint32_t)field, row).as.f;
    return t >= s->from && (!s->has_to || t < s->to);
}

/* Notes a block with records: its kind and times. */
static void block_note(const struct ws_select *s, const struct fmt_block *block, uint32_t number)
{
    struct ws_select_seen *seen = s->seen;
    if (seen == NULL || seen->any || block->n_records == 0) {
        return;
    }
    if (!seen->noted[number]) {
        seen->noted[number] = true;
        ws_known_add(seen->kinds, sizeof seen->kinds, block->schema->name);
    }
    seen->least_time = fmin(seen->least_time, block->min_virtual_time);
    seen->most_time = fmax(seen->most_time, block->max_virtual_time);
}

/* Notes a number in a record: widens the range to it. Returns true if the option chooses it. */
static bool number_note(const struct ws_ranges *ranges, const struct fmt_columns *c, int32_t field,
                        uint32_t row, uint64_t *least, uint64_t *most)
{
    if (ranges->n == 0 || field < 0) {
        return false;
    }
    uint64_t number = fmt_columns_value(c, (uint32_t)field, row).as.u;
    *least = number < *least ? number : *least;
    *most = number > *most ? number : *most;
    return ws_ranges_have(ranges, number);
}

/* Notes records of which none is chosen: which options would have chosen them. where: the records for
 * which the condition is true. */
static void rows_note(const struct ws_select *s, const struct ws_select_kind *kind,
                      const struct fmt_columns *c, uint32_t first, uint64_t where)
{
    struct ws_select_seen *seen = s->seen;
    seen->where |= where != 0;
    for (uint32_t row = first; row < c->n_records && row - first < WS_GROUP; row++) {
        seen->records++;
        seen->times |= s->by_time && row_time_is_wanted(s, c, kind->virtual_time, row);
        seen->kps |= number_note(&s->kps, c, kind->kp, row, &seen->least_kp, &seen->most_kp);
        seen->lps |= number_note(&s->lps, c, kind->lp, row, &seen->least_lp, &seen->most_lp);
    }
}

/* Says which records there are in place of those that the options ask for. */
static void empty_say(const struct ws_select *s, const struct ws_messages *messages)
{
    const struct ws_select_seen *seen = s->seen;
    char text[2048] = "", names[1024];
    if (s->lps.n > 0 && !seen->lps && seen->least_lp <= seen->most_lp) {
        ws_words_add(text, sizeof text, "the records have LPs %" PRIu64 " to %" PRIu64,
                     seen->least_lp, seen->most_lp);
    }
    if (s->kps.n > 0 && !seen->kps && seen->least_kp <= seen->most_kp) {
        ws_words_add(text, sizeof text, "the records have KPs %" PRIu64 " to %" PRIu64,
                     seen->least_kp, seen->most_kp);
    }
    if (s->by_time && !seen->times && seen->least_time <= seen->most_time) {
        ws_words_add(text, sizeof text, "the records have virtual times %g to %g", seen->least_time,
                     seen->most_time);
    }
    if (s->where != NULL && seen->records > 0 && !seen->where) {
        bool known = ws_where_names(s->where, names, sizeof names);
        ws_words_add(text, sizeof text,
                     "the condition is true for none of %" PRIu64 " records%s%s%s", seen->records,
                     known ? " (" : "", known ? names : "", known ? ")" : "");
    }
    if (text[0] == '\0' && seen->records > 0) {
        /* Without their number: some commands read the records several times. */
        ws_words_add(text, sizeof text, "none satisfies everything asked for");
    } else if (text[0] == '\0') {
        ws_words_add(text, sizeof text, seen->kinds[0] == '\0' ? "there are none" : "there are %s",
                     seen->kinds);
    }
    ws_say(messages, "no record is selected: %s", text);
}

bool ws_select_answer(const struct ws_select *s, const struct ws_messages *messages)
{
    if (!ws_select_found(s, messages)) {
        return false;
    }
    if (s->seen != NULL && !s->seen->any && s->most_pes > 0 && ws_select_given(s)) {
        empty_say(s, messages);
    }
    return true;
}

/* ---- Selection of blocks and records --------------------------------------------------------- */

bool ws_select_pe(const struct ws_select *s, uint32_t pe)
{
    return s->pes.n == 0 || ws_ranges_have(&s->pes, pe);
}

bool ws_select_schema(const struct ws_select *s, const struct fmt_schema *schema)
{
    uint32_t number = ws_schema_number(s->sb, schema);
    return !s->where_failed && (s->where == NULL || ws_where_kind(s->where, number)) &&
           kind_is_wanted(s, &s->kinds[number]);
}

/* Returns the share of a block's records that --from and --to choose, according to the times in the
 * block's header. */
static enum ws_share share_by_time(const struct ws_select *s, const struct ws_select_kind *kind,
                                   const struct fmt_block *block)
{
    double min = block->min_virtual_time, max = block->max_virtual_time;
    if (!s->by_time) {
        return WS_SHARE_ALL;
    }
    /* If the times in the header are NaN, no record has a time. The following condition is then
     * true. */
    if (kind->virtual_time < 0 || !(max >= s->from) || (s->has_to && !(min < s->to))) {
        return WS_SHARE_NONE;
    }
    /* Not WS_SHARE_ALL, since some records may have a time of NaN. */
    return WS_SHARE_SOME;
}

enum ws_share ws_select_block(const struct ws_select *s, const struct fmt_block *block)
{
    if (block->kind != FMT_BLOCK_DATA || !ws_select_pe(s, block->pe)) {
        return WS_SHARE_NONE;
    }
    uint32_t number = ws_schema_number(s->sb, block->schema);
    block_note(s, block, number);
    const struct ws_select_kind *kind = &s->kinds[number];
    if (s->where_failed || (s->where != NULL && !ws_where_kind(s->where, number)) ||
        (s->kps.n > 0 && kind->kp < 0) || (s->lps.n > 0 && kind->lp < 0) ||
        (!kind->by_name && (kind->payload_type < 0 || s->descs->n == 0))) {
        return WS_SHARE_NONE;
    }
    enum ws_share share = share_by_time(s, kind, block);
    bool by_row = s->kps.n > 0 || s->lps.n > 0 || !kind->by_name || s->where != NULL;
    if (share == WS_SHARE_ALL && !by_row && s->seen != NULL) {
        s->seen->any |= block->n_records > 0;
    }
    return share == WS_SHARE_ALL && by_row ? WS_SHARE_SOME : share;
}

void ws_select_wanted(const struct ws_select *s, const struct fmt_schema *schema,
                      struct fmt_wanted *wanted)
{
    const struct ws_select_kind *kind = &s->kinds[ws_schema_number(s->sb, schema)];
    if (s->kps.n > 0) {
        ws_want(wanted, kind->kp);
    }
    if (s->lps.n > 0) {
        ws_want(wanted, kind->lp);
    }
    if (s->by_time) {
        ws_want(wanted, kind->virtual_time);
    }
    if (!kind->by_name) {
        ws_want(wanted, kind->payload_type);
    }
    if (s->where != NULL) {
        ws_where_wanted(s->where, ws_schema_number(s->sb, schema), wanted);
    }
}

static bool row_type_is_wanted(const struct ws_select *s, const struct fmt_columns *c,
                               int32_t field, uint32_t row)
{
    if (field < 0) {
        return false;
    }
    uint32_t type = (uint32_t)fmt_columns_value(c, (uint32_t)field, row).as.u;
    const struct fmt_payload_desc *desc = fmt_desc_set_find(s->descs, type);
    return desc != NULL && type_matches(s, desc->owner, NULL);
}

static bool row_number_is_wanted(const struct ws_ranges *ranges, const struct fmt_columns *c,
                                 int32_t field, uint32_t row)
{
    return field >= 0 && ws_ranges_have(ranges, fmt_columns_value(c, (uint32_t)field, row).as.u);
}

uint64_t ws_select_rows(const struct ws_select *s, const struct fmt_columns *c, uint32_t first)
{
    assert(s->sb != NULL && first < c->n_records);
    const struct ws_select_kind *kind = &s->kinds[ws_schema_number(s->sb, c->schema)];
    const uint64_t where = s->where == NULL ? 0 : ws_where_rows(s->where, c, first);
    const uint32_t n = c->n_records - first < WS_GROUP ? c->n_records - first : WS_GROUP;
    const bool by_row = s->by_time || s->kps.n > 0 || s->lps.n > 0 || !kind->by_name;
    uint64_t chosen = by_row ? 0 : ~UINT64_C(0) >> (WS_GROUP - n);
    for (uint32_t row = first; by_row && row < first + n; row++) {
        bool has = (!s->by_time || row_time_is_wanted(s, c, kind->virtual_time, row)) &&
                   (s->kps.n == 0 || row_number_is_wanted(&s->kps, c, kind->kp, row)) &&
                   (s->lps.n == 0 || row_number_is_wanted(&s->lps, c, kind->lp, row)) &&
                   (kind->by_name || row_type_is_wanted(s, c, kind->payload_type, row));
        chosen |= (uint64_t)has << (row - first);
    }
    chosen &= s->where == NULL ? chosen : where;
    if (s->seen != NULL && !s->seen->any) {
        s->seen->any = chosen != 0;
        rows_note(s, kind, c, first, where);
    }
    return chosen;
}
