/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages to the user of the program.
 */
#ifndef WARPSCOPE_CUDA_SAY_H
#define WARPSCOPE_CUDA_SAY_H

/* Writes one line to standard error: "warpscope: ", a part such as "memory trace: ", and the formatted
 * words. */
void ws_say(const char *part, const char *words, ...) __attribute__((format(printf, 2, 3)));
#define ws_trace_say(...) ws_say("memory trace: ", __VA_ARGS__)
/* Tells "warpscope memtrace record" that something is not recorded, as a message has said. It makes the
 * file that the environment variable WARPSCOPE_MEMTRACE_LOST names longer. */
void ws_trace_lost(void);

#endif
