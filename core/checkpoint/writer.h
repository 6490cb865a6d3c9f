/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * writer.h - writes the checkpoint files of a rank, one at a time, in a thread beside the
 * simulation.
 *
 * The simulation's thread hands over an image and continues. The writer thread compresses it,
 * writes it under a temporary name, syncs it, and renames it. Only the writer thread uses the
 * image. On rank 0 it then removes obsolete checkpoints. Writer threads never call MPI.
 *
 * A file that cannot be written is removed, and so are those of the other ranks. The last complete
 * checkpoint remains.
 */
#ifndef WARPSCOPE_CHECKPOINT_WRITER_H
#define WARPSCOPE_CHECKPOINT_WRITER_H

#include <pthread.h>

#include "checkpoint/folder.h"
#include "checkpoint/format.h"

struct ckpt_writer {
    char path[CKPT_PATH_MAX]; /* directory of all checkpoints of the run, --checkpoint-path */
    unsigned rank;
    unsigned n_ranks;
    unsigned keep;
    /* Members that only the writer thread uses from ckpt_writer_start() to ckpt_writer_wait(). */
    bool started;
    bool has_thread;
    pthread_t thread;
    uint64_t number;
    struct ckpt_image image;
    uint64_t bytes;      /* size of all files written so far, in bytes */
    uint64_t last_bytes; /* bytes of the last file; 0: none */
    double seconds;
    int error;        /* errno value of the last file; 0: it was written */
    const char *what; /* name of the step that failed */
};

/* Writes the image as this rank's file of checkpoint `number`; the image is empty afterwards. Call
 * ckpt_writer_wait() before each further file. Writes at once if no thread can be created. */
void ckpt_writer_start(struct ckpt_writer *w, uint64_t number, struct ckpt_image *image);
/* Waits until the file is written. Returns false if it failed, true if it was written or there was
 * none. */
bool ckpt_writer_wait(struct ckpt_writer *w);
/* Removes this rank's file of checkpoint `number`, unless the files of all ranks are complete. Call
 * it when all ranks have called ckpt_writer_wait() and some failed. */
void ckpt_writer_remove(struct ckpt_writer *w, uint64_t number);

#endif
