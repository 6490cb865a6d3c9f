/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * writer.h - writes the checkpoint files of a rank, one at a time, in a separate thread.
 *
 * The simulation's thread hands over an image and continues. The writer thread compresses the
 * image, writes a file under a temporary name, syncs the file, and renames it. Only the writer
 * thread uses the image. On rank 0, the writer thread then removes obsolete checkpoints. Writer
 * threads never call MPI.
 *
 * If one rank cannot write its file of a checkpoint, the files of all ranks are removed. The last
 * complete checkpoint remains.
 */
#ifndef WARPSCOPE_CHECKPOINT_WRITER_H
#define WARPSCOPE_CHECKPOINT_WRITER_H

#include <pthread.h>

#include "checkpoint/format.h"

/* ---- Directories of checkpoints: folder.c ----------------------------------------------------- */

/* The file of a rank is PATH/at-N/rank-R-of-M.ckpt. N is the number of the checkpoint in the run,
 * from 1; a restarted run continues the numbering. A file has the suffix ".tmp" while it is written,
 * and receives its final name when it is complete and on disk. A checkpoint is thus complete if and
 * only if all M files exist. Other files in the directory stay untouched. */
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

/* ---- Writing ---------------------------------------------------------------------------------- */

struct ckpt_writer {
    char path[CKPT_PATH_MAX]; /* directory of all checkpoints of the run, --checkpoint-path */
    unsigned rank;
    unsigned n_ranks;
    unsigned keep; /* number of complete checkpoints to keep */
    /* Members that only the writer thread uses from ckpt_writer_start() to ckpt_writer_wait(). */
    bool started;
    bool has_thread;
    pthread_t thread;
    uint64_t number; /* number of the checkpoint */
    struct ckpt_image image;
    uint64_t bytes;      /* total size of the files written so far, in bytes */
    uint64_t last_bytes; /* size of the last file in bytes; 0: it was not written */
    double seconds;      /* time that writing took so far, in seconds */
    int error;           /* errno value for the last file; 0: it was written */
    const char *what;    /* verb for the last action on this file, which failed if error is not 0 */
};

/* Begins to write the image as this rank's file of checkpoint `number`; the image is empty
 * afterwards. Call ckpt_writer_wait() before each further file. If no thread can be created, writes
 * the file before it returns. */
void ckpt_writer_start(struct ckpt_writer *w, uint64_t number, struct ckpt_image *image);
/* Waits until the last file is written. Returns false if writing it failed, true if it was written
 * or if no file was started. */
bool ckpt_writer_wait(struct ckpt_writer *w);
/* Removes this rank's file of checkpoint `number`, unless the files of all ranks are complete in
 * spite of the failure. If ckpt_writer_wait() has failed on any rank, every rank calls this
 * function, after all ranks have returned from ckpt_writer_wait(). */
void ckpt_writer_remove(struct ckpt_writer *w, uint64_t number);

#endif
