/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * task_rows.c - reads records of tasks from columns, and filters them.
 *
 * Fields are found by name, so that files of later versions with more fields can be read. A missing
 * field counts as empty.
 */
#include <assert.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/number.h"
#include "figures/tasks.h"

char *ws_task_id_text(char to[WS_TASK_ID_MAX], struct ws_task_id id)
{
    int length = snprintf(to, WS_TASK_ID_MAX, id.lp == -1 ? "%" PRId64 : "%" PRIu64, id.lp);
    length += snprintf(to + length, WS_TASK_ID_MAX - (size_t)length, ".%" PRIu64, id.number);
    if (id.from != -1) {
        snprintf(to + length, WS_TASK_ID_MAX - (size_t)length, ".%" PRIu64, (uint64_t)id.from);
    }
    return to;
}

bool ws_task_id_parse(const char *text, struct ws_task_id *id)
{
    char words[3][24];
    uint64_t numbers[3] = {0};
    int two = 0, three = 0;
    int n =
        sscanf(text, "%23[0-9].%23[0-9]%n.%23[0-9]%n", words[0], words[1], &two, words[2], &three);
    if (n < 2 || text[n > 2 ? three : two] != '\0') {
        return false;
    }
    for (int i = 0; i < n; i++) {
        if (!ws_parse_u64(words[i], &numbers[i]) || numbers[i] == UINT64_MAX) {
            return false;
        }
    }
    *id = (struct ws_task_id){(int64_t)numbers[0], n > 2 ? (int64_t)numbers[2] : -1, numbers[1]};
    return true;
}

enum ws_task_what ws_task_schema(const struct fmt_schema *schema)
{
    static const char *const names[] = {"", "task_begin", "task_step", "task_end"};
    for (int i = WS_TASK_BEGIN; i <= WS_TASK_END; i++) {
        if (strcmp(schema->name, names[i]) == 0) {
            return (enum ws_task_what)i;
        }
    }
    return WS_TASK_OTHER;
}

/* Places in ws_task_row.field. */
enum { LP, FROM, NUMBER, PARENT_LP, PARENT_FROM, PARENT_NUMBER, VT, START, ORDER, DETAIL };

/* Finds the fields of a kind of record. */
static void fields_find(struct ws_task_row *row, const struct fmt_schema *schema)
{
    static const char *const names[WS_TASK_FIELDS] = {
        "lp", "from",  "number", "parent_lp", "parent_from", "parent_number",
        "vt", "start", "order",  "detail"};
    row->schema = schema;
    row->what_is = ws_task_schema(schema);
    for (int i = 0; i < (int)WS_TASK_FIELDS; i++) {
        bool is_step = i == START && row->what_is == WS_TASK_STEP;
        row->field[i] = ws_field_find(schema, is_step ? "at" : names[i]);
    }
}

/* Returns the id of a task whose fields are those from `first` on; -1 as the number of an LP: none. */
static struct ws_task_id id_of(const struct ws_task_row *row, const struct fmt_columns *c,
                               int first, uint32_t number)
{
    const int32_t *f = &row->field[first];
    return (struct ws_task_id){f[0] < 0 ? -1 : fmt_columns_value(c, (uint32_t)f[0], number).as.i,
                               f[1] < 0 ? -1 : fmt_columns_value(c, (uint32_t)f[1], number).as.i,
                               ws_whole_at(c, f[2], number)};
}

bool ws_task_text_read(char to[WS_TASKS_TEXT + 1], const char *name, const struct ws_part *part,
                       uint32_t number)
{
    const struct fmt_columns *c = part->columns;
    assert(number < c->n_records);
    int32_t type = c->schema->role_field[FMT_ROLE_PAYLOAD_TYPE];
    if (type < 0 || c->payload_offset == NULL) {
        return false;
    }
    uint64_t id = fmt_columns_value(c, (uint32_t)type, number).as.u;
    const struct fmt_payload_desc *desc = fmt_desc_set_find(&part->file->descs, (uint32_t)id);
    uint64_t size = c->payload_offset[number + 1] - c->payload_offset[number];
    if (desc == NULL || desc->size != size) {
        return false;
    }
    const uint8_t *payload = c->payload + c->payload_offset[number];
    for (uint32_t i = 0; i < desc->n_fields; i++) {
        const struct fmt_payload_field *f = &desc->fields[i];
        if (f->type == FMT_CHAR && strcmp(f->name, name) == 0) {
            size_t most = f->count < WS_TASKS_TEXT ? f->count : WS_TASKS_TEXT;
            size_t length = strnlen((const char *)payload + f->offset, most);
            memcpy(to, payload + f->offset, length);
            to[length] = '\0';
            return true;
        }
    }
    return false;
}

static bool texts_read(struct ws_task_row *row, const struct ws_part *part, uint32_t number)
{
    if (row->what_is == WS_TASK_STEP) {
        row->kind[0] = '\0';
        row->where[0] = '\0';
        return ws_task_text_read(row->what, "step", part, number);
    }
    return ws_task_text_read(row->kind, "kind", part, number) &&
           ws_task_text_read(row->what, "what", part, number) &&
           ws_task_text_read(row->where, "where", part, number);
}

static bool row_read(struct ws_task_row *row, const struct ws_part *part, uint32_t number)
{
    const struct fmt_columns *c = part->columns;
    assert(number < c->n_records);
    row->id = id_of(row, c, LP, number);
    row->parent = id_of(row, c, PARENT_LP, number);
    row->vt = ws_number_at(c, row->field[VT], number);
    row->start = ws_number_at(c, row->field[START], number);
    row->order = ws_whole_at(c, row->field[ORDER], number);
    row->detail = ws_whole_at(c, row->field[DETAIL], number) != 0;
    return texts_read(row, part, number);
}

bool ws_task_row_next(struct ws_task_row *row, const struct ws_part *part, uint32_t *at,
                      uint64_t *unreadable)
{
    const struct fmt_columns *c = part->columns;
    if (*at == 0 || row->schema != c->schema) {
        fields_find(row, c->schema);
    }
    while (row->what_is != WS_TASK_OTHER && *at < c->n_records) {
        uint32_t number = (*at)++;
        if (!ws_part_has(part, number)) {
            continue;
        }
        if (row_read(row, part, number)) {
            return true;
        }
        ++*unreadable;
    }
    return false;
}

static bool fits(const char *pattern, const char *text)
{
    return pattern == NULL || fnmatch(pattern, text, 0) == 0;
}

bool ws_tasks_fits(const struct ws_tasks_filter *filter, const struct ws_task_row *row)
{
    return fits(filter->kind, row->kind) && fits(filter->what, row->what) &&
           fits(filter->where, row->where);
}
