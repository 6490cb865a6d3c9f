/*
 * database_inside.h - what database.c and database_merge.c share.
 */
#ifndef WARPSCOPE_TRACE_DATABASE_INSIDE_H
#define WARPSCOPE_TRACE_DATABASE_INSIDE_H

/* The tables; rows lie in the order of their keys. location: a name in parts, a number in the
 * end. */
#define DATABASE_TASKS(location)                                                                   \
    "CREATE TABLE tasks (lp INTEGER, number INTEGER, from_lp INTEGER, begun_order INTEGER, "       \
    "parent_lp INTEGER, parent_number INTEGER, parent_from INTEGER, kind TEXT, what "              \
    "TEXT, " location ", start REAL, \"end\" REAL, open INTEGER, "                                 \
    "PRIMARY KEY (lp, number, from_lp, begun_order)) WITHOUT ROWID;"
#define DATABASE_STEPS                                                                             \
    "CREATE TABLE steps (lp INTEGER, number INTEGER, from_lp INTEGER, begun_order INTEGER, "       \
    "step INTEGER, time REAL, what TEXT, detail INTEGER, "                                         \
    "PRIMARY KEY (lp, number, from_lp, begun_order, step)) WITHOUT ROWID;"

/* The part of a rank; -1: the database of all. Heap. */
char *database_path(const char *dir, int rank);

#endif
