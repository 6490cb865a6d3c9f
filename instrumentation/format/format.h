/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * format.h - the record files, which the recorder writes and the reader reads.
 *
 * A file holds the records of one stream of one run, from all PEs. It starts with a superblock,
 * written by rank 0, which has all facts needed to read the file: schemas, facts about the run,
 * layout. The space after the superblock is divided into extents. Extent k of PE r begins at the
 * offset first_extent + (k * n_pes + r) * extent_size, so that PEs write without communication.
 * Each PE writes sealed blocks one after another into its extents. docs/FORMAT.md defines every
 * byte.
 *
 * Calls for writing, on each PE (no call is collective or uses MPI):
 *
 *     rank 0:    fmt_file_create(), fmt_superblock_write()
 *     all ranks, once the file exists:  fmt_file_open_write(), fmt_writer_init()
 *     [fmt_writer_meta() once with the payload descriptions]
 *     fmt_writer_append() for each buffer of rows
 *     fmt_writer_end(), fmt_writer_fini(), fmt_file_close()
 *
 * Calls for reading: fmt_file_open_read(), fmt_reader_open(), then for each PE fmt_scan_init(),
 * fmt_scan_next() and, for data blocks, fmt_block_decode().
 *
 * Depends only on libc, lz4 and xxhash. The functions have no global state: calls for different
 * objects may run in different threads.
 */
#ifndef WARPSCOPE_FORMAT_FORMAT_H
#define WARPSCOPE_FORMAT_FORMAT_H

#include "format/common.h"
#include "format/read.h"
#include "format/write.h"

#endif
