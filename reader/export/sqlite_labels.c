/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sqlite_labels.c - writes the names of numeric values to the database of an export:
 *
 *     payload_types (stream, id, lp_type, kind, kind_name, size)  the payload types of each stream
 *     labels (table, column, payload_type, code, name)            names of the codes in columns
 *     view TABLE_named                                            a table with columns of names
 *
 * Codes in the engine's fields have payload_type 0. The view has a subquery for each column of
 * names, because SQLite joins at most 64 tables.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "export/sqlite.h"
#include "text/text_new.h"

char *ws_sqlite_column(const struct ws_table_schema *kind, uint32_t column)
{
    assert(column < kind->n_columns);
    const char *name = kind->columns[column].name;
    unsigned same = 1;
    for (uint32_t i = 0; i < column; i++) {
        same += strcasecmp(kind->columns[i].name, name) == 0;
    }
    return same == 1 ? strdup(name) : text_new("%s.%u", name, same);
}

/* Writes the names of the codes 0 to n - 1 in a column to the table `labels`. labels->places[first]
 * belongs to code 0. type: payload type; 0: a field of the engine. Returns false after an error
 * message. */
static bool codes_write(struct ws_export *x, const char *table, const char *column, uint32_t type,
                        const struct ws_labels *labels, uint32_t first, uint32_t n)
{
    bool good = true;
    for (uint32_t code = 0; good && code < n; code++) {
        uint32_t place = labels->places[first + code];
        good = place == WS_NO_LABEL ||
               ws_sqlite_put(x->state, "INSERT OR IGNORE INTO labels VALUES (?,?,?,?,?)",
                             doc_name(table), doc_name(column), doc_count(type), doc_count(code),
                             doc_name(labels->known.names[place]));
    }
    return good;
}

/* A view whose SQL is being composed. */
struct view {
    struct ws_export *x;
    const struct ws_table_schema *kind;
    const char *table, *type; /* name of the table; name of its column with payload types */
    sqlite3_str *names;       /* SQL of the columns of names, so far */
};

/* Appends to v->names the SQL that selects the name of the code in a column. type: name of the
 * column with payload types; NULL: the codes are those of a field of the engine. */
static void name_select(const struct view *v, const char *column, const char *type)
{
    sqlite3_str_appendf(v->names,
                        "(SELECT l.name FROM labels AS l WHERE l.\"table\" = '%q' AND"
                        " l.\"column\" = '%q' AND l.payload_type = %s%w%s AND l.code = t.\"%w\")",
                        v->table, column, type == NULL ? "0" : "t.\"", type == NULL ? "" : type,
                        type == NULL ? "" : "\"", column);
}

/* Writes the names of the values of a payload field, and appends to v->names the SQL of their
 * column. The values can be in several columns (table_schema.h), but those of one record are in one
 * column. Returns false after an error message. */
static bool sources_write(const struct view *v, struct ws_labels *labels)
{
    bool good = true;
    ws_table_schema_sort(v->kind, labels);
    const struct ws_label_source *s = labels->sources, *end = s + labels->n_sources;
    sqlite3_str_appendall(v->names, ", coalesce(NULL");
    while (good && s < end && s->column != WS_NO_COLUMN) {
        uint32_t column = s->column;
        char *name = ws_sqlite_column(v->kind, column);
        if (name == NULL) {
            return ws_no_memory(&v->x->outs.failed);
        }
        sqlite3_str_appendall(v->names, ", ");
        name_select(v, name, v->type);
        for (; good && s < end && s->column == column; s++) {
            good = codes_write(v->x, v->table, name, s->desc->id, labels, s->first, s->n);
        }
        free(name);
    }
    sqlite3_str_appendall(v->names, ", NULL)");
    return good;
}

static bool labels_write(const struct view *v, struct ws_labels *labels)
{
    const char *field = v->kind->schema->fields[labels->field].name;
    char view[300];
    snprintf(view, sizeof view, "%s_named", v->table);
    bool good =
        ws_sqlite_put(v->x->state, WS_SQLITE_FIELDS, doc_name(view), doc_name(labels->column),
                      doc_name("char"), doc_name(""), doc_name(labels->text));
    if (!good) {
        return false;
    }
    if (labels->kind == WS_LABELS_SOURCES) {
        good = sources_write(v, labels);
    } else if (labels->kind == WS_LABELS_CODES) {
        sqlite3_str_appendall(v->names, ", ");
        name_select(v, field, NULL);
        good = codes_write(v->x, v->table, field, 0, labels, 0, labels->n_places);
    } else {
        sqlite3_str_appendf(v->names,
                            ", (SELECT p.lp_type FROM payload_types AS p WHERE p.stream = '%q' AND"
                            " p.id = t.\"%w\")",
                            fmt_stream_name(v->x->stream->sb->stream), field);
    }
    sqlite3_str_appendf(v->names, " AS \"%w\"", labels->column);
    return good;
}

bool ws_sqlite_labels(struct ws_export *x, const struct ws_table_schema *kind, const char *table)
{
    struct ws_sqlite *s = x->state;
    struct ws_label_set set;
    int32_t type = kind->schema->role_field[FMT_ROLE_PAYLOAD_TYPE];
    struct view v = {.x = x,
                     .kind = kind,
                     .table = table,
                     .type = type < 0 ? "" : kind->schema->fields[type].name,
                     .names = sqlite3_str_new(s->db)};
    bool good =
        ws_label_set_init(&set, kind->schema, &x->stream->descs) || ws_no_memory(&x->outs.failed);
    for (uint32_t i = 0; good && i < set.n; i++) {
        good = labels_write(&v, &set.list[i]);
    }
    char *names = sqlite3_str_finish(v.names);
    if (good && set.n > 0) {
        char *sql = names == NULL ? NULL
                                  : sqlite3_mprintf("CREATE VIEW \"%w_named\" AS SELECT t.*%s"
                                                    " FROM \"%w\" AS t",
                                                    table, names, table);
        good = sql != NULL ? ws_sqlite_run(x->state, sql) : ws_no_memory(&x->outs.failed);
        sqlite3_free(sql);
    }
    sqlite3_free(names);
    ws_label_set_free(&set);
    return good;
}
