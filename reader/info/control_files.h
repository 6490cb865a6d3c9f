/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * control_files.h - removes the files for requests (warpscope ctl) that a killed run has left.
 */
#ifndef WARPSCOPE_READER_INFO_CONTROL_FILES_H
#define WARPSCOPE_READER_INFO_CONTROL_FILES_H

/* Removes the files for requests in the directory of a record file, or of its target if the record
 * file is a symbolic link. Keeps the files of a run that is still going on, which holds their lock,
 * and files of other users. Keeps all files if the file system has no locks. */
void control_files_remove(const char *record_file);

#endif
