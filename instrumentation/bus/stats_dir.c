/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stats_dir.c - the directory for files of subscriber libraries.
 *
 * Each library on each rank asks for the directory at its own time, but the name must be the same
 * on all ranks. The directory is therefore made at the start if any rank has libraries, and removed
 * at the end if it is empty.
 */
#include "bus/stats_dir.h"

#include <assert.h>
#include <stdlib.h>
#include <unistd.h>

#include "engine/probe.h"
#include "record/base/run_dir.h"
#include "record/options/options.h"

void stats_dir_init(struct stats_dir *dir, const char *of_recorder, bool has_records)
{
    assert(dir->path == NULL);
    char path[RECORD_PATH_MAX] = "";
    char error[RECORD_PATH_MAX + 128];
    if (of_recorder != NULL) {
        dir->path = strdup(of_recorder);
        dir->was_asked = has_records; /* the recorder has printed the directory already */
        dir->is_ours = !has_records;
        return;
    }
    if (g_st_options.disable_output != 0) {
        return;
    }
    if (tw_ismaster() &&
        run_dir_make(g_st_options.path, path, sizeof path, error, sizeof error) != TW_OK) {
        run_warning("%s; subscriber libraries cannot write files", error);
        path[0] = '\0';
    }
    MPI_Bcast(path, (int)sizeof path, MPI_BYTE, 0, MPI_COMM_ROSS);
    if (path[0] != '\0') {
        dir->path = strdup(path);
        dir->is_ours = true;
    }
}

const char *stats_dir_ask(struct stats_dir *dir)
{
    if (dir->path != NULL && !dir->was_asked && tw_ismaster()) {
        run_notice("subscriber libraries write to %s", dir->path);
    }
    dir->was_asked = true;
    return dir->path;
}

void stats_dir_fini(struct stats_dir *dir)
{
    if (dir->is_ours) {
        MPI_Barrier(MPI_COMM_ROSS);
        if (tw_ismaster()) {
            rmdir(dir->path); /* has no effect if the directory is not empty */
        }
    }
    free(dir->path);
    *dir = (struct stats_dir){0};
}
