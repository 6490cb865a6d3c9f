/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * control_files.h - removes the files for requests (warpscope ctl) that a killed run has left.
 */
#ifndef WARPSCOPE_READER_INFO_CONTROL_FILES_H
#define WARPSCOPE_READER_INFO_CONTROL_FILES_H

/* Removes the request files from the directory of the record file, which may be a symbolic link.
 * Keeps files of a run that holds its lock, files of other users, and all files if the file system
 * has no locks. */
void control_files_remove(const char *record_file);

#endif
