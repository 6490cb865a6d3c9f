/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * format.h - the record files that the recorder writes and the reader reads.
 *
 * A file holds the records of one kind of instrumentation of one run, from all PEs. It starts with
 * a superblock (written by rank 0) that contains everything needed to read it: schemas, run,
 * layout. The space after it is divided into extents: extent k of PE r is at first_extent + (k *
 * n_pes + r) * extent_size, so that PEs write without communication. A PE writes sealed blocks one
 * after another into its extents. docs/FORMAT.md has every byte.
 *
 * Writing, on each PE (no call is collective, none uses MPI):
 *
 *     rank 0:    fmt_file_create(), fmt_superblock_write()
 *     all ranks, once the file exists:  fmt_file_open_write(), fmt_writer_init()
 *     [fmt_writer_meta() once with the payload descriptions]
 *     fmt_writer_append() for each buffer of rows
 *     fmt_writer_end(), fmt_writer_fini(), fmt_file_close()
 *
 * Reading: fmt_file_open_read(), fmt_reader_open(), then per PE fmt_scan_init(), fmt_scan_next()
 * and for data blocks fmt_block_decode().
 *
 * Depends on libc, lz4 and xxhash only. Functions have no global state: calls on different objects
 * may run in different threads.
 */
#ifndef WARPSCOPE_FORMAT_FORMAT_H
#define WARPSCOPE_FORMAT_FORMAT_H

#include "format/common.h"
#include "format/read.h"
#include "format/write.h"

#endif
