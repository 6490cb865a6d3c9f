/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Trace files of streams: MemTrace-pipe-1, MemTrace-pipe-2 ... in the directory of the options.
 *
 *     struct ws_trace_file *f = ws_trace_file_create(&options, 1, error);
 *     ws_trace_file_launch(f, "_Z5saxpyifPfS_");
 *     ws_trace_file_add(f, records, n);
 *     if (!ws_trace_file_finish(f, error)) { ... }
 *
 * Files have mode 0600 and never replace others. A file gets its name in ws_trace_file_finish(); before, and after
 * an error, it is NAME.part-PID. Missing records are marked: for each reason, the file ends with a launch without
 * records that is named "[trace incomplete] " and the reason. Programs of the format read it as any other launch.
 *
 * error: WS_TRACE_ERROR_MAX bytes. A file must not be used by several threads at once; several files may.
 */
#ifndef WARPSCOPE_CUDA_FILES_H
#define WARPSCOPE_CUDA_FILES_H

#include "trace/options.h"
#include "trace/slot.h"

struct ws_trace_file;

/* Creates the file of a stream, numbered from 1 in the order of their first launches, and the directory if it is
 * absent. Returns NULL after an error: also if the file exists, or another process writes one of that name. */
struct ws_trace_file *ws_trace_file_create(const struct ws_trace_options *options, unsigned number,
                                           char *error);

/* From the first error on (a full disk), the functions below do nothing and return false.
 * ws_trace_file_finish() reports that error. */
bool ws_trace_file_failed(const struct ws_trace_file *file);

/* Ends the current launch, if any, and begins another. kernel: name as in the PTX; it is demangled by option. */
bool ws_trace_file_launch(struct ws_trace_file *file, const char *kernel);
/* Adds n accesses to the current launch. Records after the limit of the options are counted and dropped. */
bool ws_trace_file_add(struct ws_trace_file *file, const struct ws_slot_record *records, size_t n);
/* Notes that records are missing, in the words of printf(). At most 16 notes are kept. */
void ws_trace_file_incomplete(struct ws_trace_file *file, const char *words, ...)
    __attribute__((format(printf, 2, 3)));
/* Writes all data to the file, so that they survive the program. */
bool ws_trace_file_flush(struct ws_trace_file *file);
/* True if the limit is reached. */
bool ws_trace_file_is_full(const struct ws_trace_file *file);
/* The number of records added, without those that were dropped. */
uint64_t ws_trace_file_records(const struct ws_trace_file *file);
/* Ends the file and frees it. Returns false after an error, with the name of what was kept. NULL is allowed. */
bool ws_trace_file_finish(struct ws_trace_file *file, char *error);
/* Writes the kernel's name as files have it: demangled if wished and possible, 1 to 4095 bytes, line feeds as
 * blanks. A longer name ends with "..." and a hash of the whole. to: WS_TRACE_NAME_MAX bytes. */
enum { WS_TRACE_NAME_MAX = 4096 };
void ws_trace_name(char *to, const char *mangled, bool demangle);

/* One access of a thread as a record. type: 0 load, 1 store, 2 atomic. */
static inline struct ws_slot_record ws_trace_record(uint64_t address, uint32_t size, uint32_t type,
                                                    uint32_t sm, const uint32_t cta[3])
{
    return (struct ws_slot_record){.what = (uint64_t)sm << 32 | (uint64_t)type << 28 | size,
                                   .address = address,
                                   .cta = (uint64_t)cta[0] << 32 |
                                          (uint64_t)(cta[1] & 0xffffu) << 16 | (cta[2] & 0xffffu)};
}

#endif
