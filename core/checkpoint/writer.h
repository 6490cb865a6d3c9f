/*
 * writer.h - writes the files of a rank, one at a time, beside the simulation.
 *
 * The simulation hands over an image and goes on; a thread compresses it, writes it to a file of
 * another name, waits until it is on the disk, and gives it its name. Only the thread touches the
 * image. On rank 0 it then removes checkpoints that are no longer needed. Threads never call MPI.
 *
 * A file that cannot be written is removed again, then those of other ranks, and nothing older is:
 * the last complete checkpoint stays.
 */
#ifndef WARPSCOPE_CHECKPOINT_WRITER_H
#define WARPSCOPE_CHECKPOINT_WRITER_H

#include <pthread.h>

#include "checkpoint/folder.h"
#include "checkpoint/format.h"

struct ckpt_writer {
    char path[CKPT_PATH_MAX]; /* of all checkpoints of the run */
    unsigned rank;
    unsigned n_ranks;
    unsigned keep;
    /* from ckpt_writer_start() to ckpt_writer_wait() the thread's, if there is one */
    bool started;
    bool has_thread;
    pthread_t thread;
    uint64_t number;
    struct ckpt_image image;
    uint64_t bytes;      /* of all files so far */
    uint64_t last_bytes; /* of the last one; 0: there is none */
    double seconds;
    int error;        /* of the last file; 0: written */
    const char *what; /* that failed */
};

/* Writes the image, which is empty then, as number; not before ckpt_writer_wait(). Should there be
 * no thread to be had, it does so at once. */
void ckpt_writer_start(struct ckpt_writer *w, uint64_t number, struct ckpt_image *image);
/* Until the file is written, or has failed: then false. True when there was none. */
bool ckpt_writer_wait(struct ckpt_writer *w);
/* When all ranks have done that, and some have failed: removes the file of checkpoint number, which
 * would take room from the next one, unless the files of all ranks have their names after all. */
void ckpt_writer_remove(struct ckpt_writer *w, uint64_t number);

#endif
