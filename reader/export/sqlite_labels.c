/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sqlite_labels.c - the names of numbers in the database of an export:
 *
 *     payload_types (stream, id, lp_type, kind, kind_name, size)  meaning of payload types, by file
 *     labels (table, column, code, name)                          names of the codes of fields
 *     view TABLE_named                                            a table with columns of names
 */
#include <stdlib.h>

#include "export/sqlite.h"

bool ws_sqlite_types(struct ws_export *x)
{
    const struct fmt_desc_set *descs = &x->survey->descs;
    sqlite3_stmt *insert =
        ws_sqlite_prepare(x, "INSERT OR IGNORE INTO payload_types VALUES (?,?,?,?,?,?)");
    bool good = insert != NULL;
    for (size_t d = 0; good && d < descs->n; d++) {
        const struct fmt_payload_desc *desc = &descs->descs[d];
        ws_sqlite_text(insert, 1, fmt_stream_name(x->survey->sb->stream));
        sqlite3_bind_int64(insert, 2, desc->id);
        ws_sqlite_text(insert, 3, desc->owner[0] == '\0' ? NULL : desc->owner);
        sqlite3_bind_int64(insert, 4, desc->kind);
        ws_sqlite_text(insert, 5, ws_payload_kind_name(desc->kind));
        sqlite3_bind_int64(insert, 6, desc->size);
        good = ws_sqlite_step(x, insert);
    }
    sqlite3_finalize(insert);
    return good;
}

/* Writes the codes of a field. */
static bool codes_write(struct ws_export *x, const char *table, const char *column,
                        const struct ws_labels *labels)
{
    sqlite3_stmt *insert = ws_sqlite_prepare(x, "INSERT OR IGNORE INTO labels VALUES (?,?,?,?)");
    bool good = insert != NULL;
    for (uint32_t code = 0; good && code < labels->n_places; code++) {
        if (labels->places[code] != WS_NO_LABEL) {
            ws_sqlite_text(insert, 1, table);
            ws_sqlite_text(insert, 2, column);
            sqlite3_bind_int64(insert, 3, code);
            ws_sqlite_text(insert, 4, labels->names[labels->places[code]]);
            good = ws_sqlite_step(x, insert);
        }
    }
    sqlite3_finalize(insert);
    return good;
}

/* Writes the meaning of a column of the view. */
static bool field_write(struct ws_export *x, const char *table, const struct ws_labels *labels)
{
    char *sql = sqlite3_mprintf("INSERT INTO fields VALUES ('%q_named', '%q', 'char', '', '%q')",
                                table, labels->column, labels->text);
    bool good = sql != NULL ? ws_sqlite_run(x, sql) : ws_export_no_memory(x);
    sqlite3_free(sql);
    return good;
}

static void view_join(sqlite3_str *names, sqlite3_str *joins, struct ws_export *x,
                      const char *table, const char *field, const struct ws_labels *labels)
{
    if (labels->descs != NULL) {
        sqlite3_str_appendf(names, ", p.lp_type AS \"%w\"", labels->column);
        sqlite3_str_appendf(joins,
                            " LEFT JOIN payload_types AS p ON p.stream = '%q' AND p.id = t.\"%w\"",
                            fmt_stream_name(x->survey->sb->stream), field);
    } else {
        sqlite3_str_appendf(names, ", \"of %w\".name AS \"%w\"", field, labels->column);
        sqlite3_str_appendf(joins,
                            " LEFT JOIN labels AS \"of %w\" ON \"of %w\".\"table\" = '%q'"
                            " AND \"of %w\".\"column\" = '%q' AND \"of %w\".code = t.\"%w\"",
                            field, field, table, field, field, field, field);
    }
}

bool ws_sqlite_labels(struct ws_export *x, const struct ws_table_schema *kind, const char *table)
{
    struct ws_sqlite *s = x->state;
    struct ws_label_set set;
    bool good = ws_label_set_init(&set, kind->schema, &x->survey->descs) || ws_export_no_memory(x);
    sqlite3_str *names = sqlite3_str_new(s->db), *joins = sqlite3_str_new(s->db);
    for (uint32_t i = 0; good && i < set.n; i++) {
        const char *field = kind->schema->fields[set.list[i].field].name;
        view_join(names, joins, x, table, field, &set.list[i]);
        good = field_write(x, table, &set.list[i]) &&
               (set.list[i].descs != NULL || codes_write(x, table, field, &set.list[i]));
    }
    char *name_list = sqlite3_str_finish(names), *join_list = sqlite3_str_finish(joins);
    if (good && set.n > 0) {
        char *sql = name_list == NULL || join_list == NULL
                        ? NULL
                        : sqlite3_mprintf("CREATE VIEW \"%w_named\" AS SELECT t.*%s FROM \"%w\""
                                          " AS t%s",
                                          table, name_list, table, join_list);
        good = sql != NULL ? ws_sqlite_run(x, sql) : ws_export_no_memory(x);
        sqlite3_free(sql);
    }
    sqlite3_free(name_list);
    sqlite3_free(join_list);
    ws_label_set_free(&set);
    return good;
}
