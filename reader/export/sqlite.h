/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sqlite.h - declarations that the parts of the SQLite export share.
 */
#ifndef WARPSCOPE_READER_EXPORT_SQLITE_H
#define WARPSCOPE_READER_EXPORT_SQLITE_H

#include "export/export.h"
#include "sqlite/database.h"

/* x->state points to the struct ws_sqlite of the export. */

/* Adds the meaning of a column. */
#define WS_SQLITE_FIELDS "INSERT INTO fields VALUES (?,?,?,?,?)"

/* Returns the name that a column has in SQL, which the caller frees. It differs from the names of
 * earlier columns even if case is ignored, as SQLite requires. Returns NULL if out of memory. */
char *ws_sqlite_column(const struct ws_table_schema *kind, uint32_t column);

/* Writes the names of numeric values (labels.h) in a kind of record to the database. Creates a view
 * that shows the names beside the records in `table`, the table of this kind. Returns false after
 * an error message. */
bool ws_sqlite_labels(struct ws_export *x, const struct ws_table_schema *kind, const char *table);

#endif
