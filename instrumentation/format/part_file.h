/*
 * part_file.h - files on their way: PATH.part-PID until they are complete and get the name PATH.
 *
 * The name is taken with O_EXCL. A file of that name may be there: of another writer in this
 * process, of a process of the same number on another machine or in another container, or left by
 * one that was killed. Nobody can tell which, so that it stays as it is, and another name is taken:
 * PATH.part-PID-2 and so on. Needs nothing but libc.
 */
#ifndef WARPSCOPE_FORMAT_PART_FILE_H
#define WARPSCOPE_FORMAT_PART_FILE_H

#include <stddef.h>

/* Makes a file beside path, for reading and writing. Its descriptor, and its name in *name (free()
 * it); -1 and NULL with errno. */
int fmt_part_create(const char *path, char **name);

/*
 * How many files PATH.part-PID are there, in whatever state; the first of them by name is written
 * to name (cut to size, with its folder), if there is one. Cost: a look at each name in the folder.
 */
size_t fmt_part_list(const char *path, char *name, size_t size);

#endif
