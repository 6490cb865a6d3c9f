/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * no_sqlite.c - replaces sqlite.c in builds without SQLite.
 */
#include "export/export.h"

const struct ws_export_format ws_export_sqlite = {
    .name = "sqlite",
    .extension = ".sqlite",
    .missing = "this program was built without SQLite, which --format=sqlite needs; install its"
               " development package (libsqlite3-dev) and build again",
};
