/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * part_file.h - files that are written under the temporary name PATH.part-PID, and renamed to PATH
 * once they are complete.
 *
 * The temporary file is created with O_EXCL. If a file with this name exists, it possibly belongs
 * to another writer in this process or to a killed process. It possibly also belongs to a process
 * with the same id on another machine or in another container. These cases look alike. The existing
 * file is therefore kept, and the next name is tried: PATH.part-PID-2 and so on. Depends only on
 * libc.
 */
#ifndef WARPSCOPE_FORMAT_PART_FILE_H
#define WARPSCOPE_FORMAT_PART_FILE_H

#include <stddef.h>

/* Creates a temporary file for path and opens it for reading and writing. mode: permissions of the
 * file before the umask is applied. Returns the descriptor, and sets *name to the temporary name,
 * which the caller frees. After an error returns -1 with errno set, and sets *name to NULL. */
int fmt_part_create(const char *path, unsigned mode, char **name);

/*
 * Returns the number of files that have a temporary name for path, and may be complete or
 * incomplete. Writes the alphabetically first of these names, with its directory, to `name`,
 * truncated to size bytes. If there are no such files, `name` is unchanged. Cost: one comparison
 * for each name in the directory.
 */
size_t fmt_part_list(const char *path, char *name, size_t size);

#endif
