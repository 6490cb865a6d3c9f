/*
 * folder.h - where the checkpoints of a run are: PATH/at-N/rank-R-of-M.ckpt.
 *
 * N counts the checkpoints of the run from 1 on, restarts included. A file has its name when all of
 * it is on the disk; while it is being written it is called ".tmp". So a checkpoint is complete
 * when all M files are there, which names alone tell. Nothing else in the folder is touched.
 */
#ifndef WARPSCOPE_CHECKPOINT_FOLDER_H
#define WARPSCOPE_CHECKPOINT_FOLDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CKPT_PATH_MAX 1280

/* Makes the folder, and those above it as far as need be; 0 or an errno. */
int ckpt_folder_make(const char *path);

/* PATH/at-N, and the file of a rank in it. */
void ckpt_folder_name(char *text, const char *path, uint64_t number);
void ckpt_file_name(char *text, const char *at_folder, unsigned rank, unsigned n_ranks);

/* How many ranks wrote the checkpoint in this folder; 0: it is not complete. */
unsigned ckpt_folder_ranks(const char *at_folder);
/* The number of the newest complete checkpoint, or, with complete false, of the newest beginning of
 * one; 0: none. */
uint64_t ckpt_folder_newest(const char *path, bool complete);
/* Removes all checkpoints but the newest `keep` complete ones and those yet to be complete. */
void ckpt_folder_prune(const char *path, unsigned keep);

#endif
