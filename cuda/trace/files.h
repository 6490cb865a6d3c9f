/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Trace files of streams: MemTrace-pipe-1, MemTrace-pipe-2 ... in the directory of the options.
 *
 * struct ws_trace_file *f = ws_trace_file_create(&options, 1, error);
 *     ws_trace_file_launch(f, "_Z5saxpyifPfS_");
 *     ws_trace_file_add(f, records, n);
 *     if (!ws_trace_file_finish(f, error)) { ... }
 *
 * Files have mode 0600 and never replace others. A file gets its final name in
 * ws_trace_file_finish(). Before that, and after an error, its name is NAME.part-PID. If records
 * are missing, the file ends with one launch without records for each reason. The name of such a
 * launch is "[trace incomplete] " and the reason. For kernels of which some accesses are not
 * recorded there is a launch "[not traced] KERNEL: INSTRUCTIONS". Programs that read the format
 * treat these like any other launch.
 *
 * The parameter `error` points to WS_TRACE_ERROR_MAX bytes for an error message. Only one thread at
 * a time may use a file; several threads may use different files.
 */
#ifndef WARPSCOPE_CUDA_FILES_H
#define WARPSCOPE_CUDA_FILES_H

#include <assert.h>

#include "trace/options.h"
#include "trace/slot.h"

struct ws_trace_file;

/* Creates the file of a stream, and the directory if it does not exist. number: number of the
 * stream, from 1 in the order of first launches. Stores an error message in error and returns NULL
 * if this fails, if the file exists, or if another process writes a file of the same name. */
struct ws_trace_file *ws_trace_file_create(const struct ws_trace_options *options, unsigned number,
                                           char *error);

/* Returns true after an error, such as a full disk. The functions below then do nothing and return
 * false. ws_trace_file_finish() reports the error. */
bool ws_trace_file_failed(const struct ws_trace_file *file);

/* Begins a launch in the file. The current launch, if there is one, ends. kernel: name of the
 * kernel as in the PTX; the file contains it demangled if the options say so. Returns false after
 * an error. */
bool ws_trace_file_launch(struct ws_trace_file *file, const char *kernel);
/* Adds n records of accesses to the current launch. Drops records beyond the limit in the options,
 * and counts them. Returns the number of records that were added; 0 after an error. */
size_t ws_trace_file_add(struct ws_trace_file *file, const struct ws_slot_record *records,
                         size_t n);
/* Adds to the file a note that records are missing. words: format as for printf(). The file keeps
 * at most 16 notes. */
void ws_trace_file_incomplete(struct ws_trace_file *file, const char *words, ...)
    __attribute__((format(printf, 2, 3)));
/* Adds to the file a note that some accesses of the kernel are not recorded, once for each kernel.
 * kernel: mangled name. text: instructions, or the reason, as in struct ws_traced_kernel. */
void ws_trace_file_untraced(struct ws_trace_file *file, const char *kernel, const char *text);
/* Writes all buffered data to the file, where they remain even if the program is killed. Returns
 * false after an error. */
bool ws_trace_file_flush(struct ws_trace_file *file);
/* Returns true if the file has as many records as the limit allows. */
bool ws_trace_file_is_full(const struct ws_trace_file *file);
/* Completes a file with launches or notes, and removes any other file. Then frees `file`, which may
 * be NULL. If completion fails, the incomplete file remains, and this function returns false, with
 * an error message in error that names that file. */
bool ws_trace_file_finish(struct ws_trace_file *file, char *error);
/* Writes a kernel's name to the WS_TRACE_NAME_MAX bytes at `to` in the form that trace files
 * contain: demangled if requested and possible, 1 to 4095 bytes, with blanks instead of line feeds.
 * A longer name is cut, and ends with "..." and a hash of the whole name. */
enum { WS_TRACE_NAME_MAX = 4096 };
void ws_trace_name(char *to, const char *mangled, bool demangle);

/* Returns the FNV-1a hash of a text. */
uint64_t ws_trace_hash(const char *text);

/* Returns an access of a thread as a record. type: 0: load; 1: store; 2: atomic. */
static inline struct ws_slot_record ws_trace_record(uint64_t address, uint32_t size, uint32_t type,
                                                    uint32_t sm, const uint32_t cta[3])
{
    assert(type <= 2 && size > 0 && size < 1u << 28);
    return (struct ws_slot_record){.what = (uint64_t)sm << 32 | (uint64_t)type << 28 | size,
                                   .address = address,
                                   .cta = (uint64_t)cta[0] << 32 |
                                          (uint64_t)(cta[1] & 0xffffu) << 16 | (cta[2] & 0xffffu)};
}

#endif
