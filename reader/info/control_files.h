/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * control_files.h - the files for requests of "warpscope ctl" that a killed run has left.
 */
#ifndef WARPSCOPE_READER_INFO_CONTROL_FILES_H
#define WARPSCOPE_READER_INFO_CONTROL_FILES_H

/* Removes them from the directory of the record file, also if that is a symbolic link. Leaves those
 * of a run that holds its lock, of other users, and where the file system has no locks. */
void control_files_remove(const char *record_file);

#endif
