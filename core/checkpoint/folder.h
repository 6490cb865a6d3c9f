/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * folder.h - the directories of checkpoints: PATH/at-N/rank-R-of-M.ckpt.
 *
 * N counts the checkpoints of the run from 1, across restarts. A file has the suffix ".tmp" while
 * it is written, and gets its name when it is complete and on disk. A checkpoint is thus complete
 * if and only if all M files exist. Other files in the directory stay untouched.
 */
#ifndef WARPSCOPE_CHECKPOINT_FOLDER_H
#define WARPSCOPE_CHECKPOINT_FOLDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CKPT_PATH_MAX 1280

/* Creates the directory and its missing parents. Returns 0 or an errno value. */
int ckpt_folder_make(const char *path);

/* Write the name of a checkpoint, PATH/at-N, and the name of a rank's file in it. */
void ckpt_folder_name(char *text, const char *path, uint64_t number);
void ckpt_file_name(char *text, const char *at_folder, unsigned rank, unsigned n_ranks);

/* Returns the number of ranks that wrote the checkpoint in this directory; 0: the checkpoint is
 * incomplete. */
unsigned ckpt_folder_ranks(const char *at_folder);
/* Returns the number of the newest complete checkpoint or, if complete is false, of the newest one
 * in any state; 0: none. */
uint64_t ckpt_folder_newest(const char *path, bool complete);
/* Removes old checkpoints, except the newest `keep` complete ones and any
 * incomplete one that is newer than all of them. */
void ckpt_folder_prune(const char *path, unsigned keep);

#endif
