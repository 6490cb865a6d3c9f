/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fail.h - fills a fmt_error (internal to format/).
 */
#ifndef WARPSCOPE_FORMAT_FAIL_H
#define WARPSCOPE_FORMAT_FAIL_H

#include "format/format.h"

/* Place of an error. Values for an unknown place: path NULL, offset FMT_NO_OFFSET, pe FMT_NO_PE. */
struct fmt_place {
    const char *path;
    uint64_t offset;
    uint32_t pe;
};

/*
 * Fills error (if not NULL) with "path: byte N: PE p: words" and returns status. If sys_errno is
 * not 0, its strerror() is appended.
 */
enum fmt_status fmt_fail(struct fmt_error *error, enum fmt_status status, struct fmt_place place,
                         int sys_errno, const char *words, ...)
    __attribute__((format(printf, 5, 6)));

#endif
