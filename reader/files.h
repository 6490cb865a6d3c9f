/*
 * files.h - from the operands of a command to record files.
 */
#ifndef WARPSCOPE_READER_FILES_H
#define WARPSCOPE_READER_FILES_H

#include <stdbool.h>
#include <stddef.h>

struct ws_files {
    char **paths; /* heap */
    size_t n;
};

/*
 * The files that the operands stand for: themselves, or for a folder the files in it that are named
 * like record files, by name, without those in the layout of ROSS 8. False: a folder could not be
 * read or has none; a line was printed to stderr, and files holds what was found otherwise. Free in
 * any case.
 */
bool ws_files_find(struct ws_files *files, char **operands, int n);
void ws_files_free(struct ws_files *files);

#endif
