/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * no_sqlite.c - replaces sqlite.c in builds without SQLite.
 */
#include "memtrace/output.h"

const char *const ws_memtrace_sqlite_missing =
    "this program was built without SQLite, which --sqlite needs; install its development package"
    " (libsqlite3-dev) and build again";

bool ws_memtrace_sqlite(struct ws_memtrace *m, struct ws_outs *outs, const char *path)
{
    (void)m;
    (void)outs;
    (void)path;
    return false;
}
