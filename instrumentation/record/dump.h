/* SPDX-License-Identifier: BSD-3-Clause */
/* dump.h - prints the recorder's buffers to stderr, for use from a debugger; see
 * engine/checks/dump.h. */
#ifndef WARPSCOPE_RECORD_DUMP_H
#define WARPSCOPE_RECORD_DUMP_H

/* Prints on stderr, for each stream: its mode, its channels, the number of bytes used in their
 * sub-buffers, and the write queue. */
void ws_dump_streams(void);

#endif
