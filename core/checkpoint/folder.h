/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * folder.h - the directories of checkpoints: PATH/at-N/rank-R-of-M.ckpt.
 *
 * N is the number of the checkpoint in the run, from 1; a restarted run continues the numbering. A
 * file has the suffix ".tmp" while it is written, and receives its final name when it is complete
 * and on disk. A checkpoint is thus complete if and only if all M files exist. Other files in the
 * directory stay untouched.
 */
#ifndef WARPSCOPE_CHECKPOINT_FOLDER_H
#define WARPSCOPE_CHECKPOINT_FOLDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CKPT_PATH_MAX 1280

/* Writes the name of a checkpoint's directory, PATH/at-N, to text (CKPT_PATH_MAX bytes). */
void ckpt_folder_name(char *text, const char *path, uint64_t number);
/* Writes the name of a rank's file in the directory at_folder to text (CKPT_PATH_MAX bytes). */
void ckpt_file_name(char *text, const char *at_folder, unsigned rank, unsigned n_ranks);

/* Returns the number of ranks that wrote the checkpoint in the directory at_folder; 0: the
 * checkpoint is incomplete. */
unsigned ckpt_folder_ranks(const char *at_folder);
/* Returns N of the newest checkpoint in the directory path; 0: there is none. If complete is true,
 * considers only complete checkpoints. */
uint64_t ckpt_folder_newest(const char *path, bool complete);
/* Removes old checkpoints from the directory path. Keeps the newest `keep` complete checkpoints,
 * and incomplete ones that are newer than all complete ones. */
void ckpt_folder_prune(const char *path, unsigned keep);

#endif
