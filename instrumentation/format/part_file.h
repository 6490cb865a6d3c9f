/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * part_file.h - incomplete files: PATH.part-PID until they are complete and renamed to PATH.
 *
 * O_EXCL reserves the name. An existing file of that name may belong to another writer in this
 * process or to a killed process. It may also belong to a process with the same number on another
 * machine or in another container. These cases look alike, so the file is kept and another name is
 * used: PATH.part-PID-2 and so on. Depends on libc only.
 */
#ifndef WARPSCOPE_FORMAT_PART_FILE_H
#define WARPSCOPE_FORMAT_PART_FILE_H

#include <stddef.h>

/* Creates a file beside path, for reading and writing, with these permissions (less the umask).
 * Returns its descriptor. *name receives its name, which the caller frees. After an error returns
 * -1, with *name NULL and errno set. */
int fmt_part_create(const char *path, unsigned mode, char **name);

/*
 * Returns the number of files PATH.part-PID, complete or not. The first of them by name goes to
 * name (truncated to size, with its directory); name is unchanged if there is none. Cost: one
 * comparison per name in the directory.
 */
size_t fmt_part_list(const char *path, char *name, size_t size);

#endif
