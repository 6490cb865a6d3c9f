/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * database_private.h - interface between database.c and database_merge.c.
 */
#ifndef WARPSCOPE_TASK_DATABASE_PRIVATE_H
#define WARPSCOPE_TASK_DATABASE_PRIVATE_H

/* SQL that creates the tables. Rows are stored in the order of their keys. location: declaration of
 * the column of that name, which is a text in parts and a number in the merged database. */
#define DATABASE_TASKS(location)                                                                   \
    "CREATE TABLE tasks (lp INTEGER, number INTEGER, from_lp INTEGER, begun_order INTEGER, "       \
    "parent_lp INTEGER, parent_number INTEGER, parent_from INTEGER, kind TEXT, what "              \
    "TEXT, " location ", start REAL, \"end\" REAL, open INTEGER, "                                 \
    "PRIMARY KEY (lp, number, from_lp, begun_order)) WITHOUT ROWID;"
#define DATABASE_STEPS                                                                             \
    "CREATE TABLE steps (lp INTEGER, number INTEGER, from_lp INTEGER, begun_order INTEGER, "       \
    "step INTEGER, time REAL, what TEXT, detail INTEGER, "                                         \
    "PRIMARY KEY (lp, number, from_lp, begun_order, step)) WITHOUT ROWID;"

/* Returns the path in dir of the database that a rank writes; rank -1: the path of the merged
 * database. The caller frees the path. */
char *database_path(const char *dir, int rank);

#endif
