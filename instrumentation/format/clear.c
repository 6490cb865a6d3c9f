/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * clear.c - zeroes the parts of a file that contain no blocks, see clear.h.
 */
#include "format/clear.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

bool fmt_all_zero(const uint8_t *p, size_t size)
{
    return size == 0 || (p[0] == 0 && memcmp(p, p + 1, size - 1) == 0);
}

/* Clears the first part of [*from, to): skips a hole, or overwrites at most 4096 bytes. Sets *from
 * to the end of this part. Returns 0 or an errno value. */
static int step(const struct fmt_io *io, uint64_t *from, uint64_t to)
{
    assert(*from < to);
    static const uint8_t zeros[4096];
    uint8_t buffer[sizeof zeros];
    uint64_t data = *from;
    size_t got = 0;
    if (io->next_data != NULL && io->next_data(io->ctx, *from, &data) == 0 && data > *from) {
        *from = data;
        return 0;
    }
    size_t size = to - *from < sizeof buffer ? (size_t)(to - *from) : sizeof buffer;
    int err = io->read_at(io->ctx, buffer, size, *from, &got);
    if (err == 0 && !fmt_all_zero(buffer, got)) {
        err = io->write_at(io->ctx, zeros, got, *from);
    }
    *from = got < size ? to : *from + size;
    return err;
}

int fmt_clear(const struct fmt_io *io, uint64_t offset, uint64_t size)
{
    int err = io->release == NULL ? EOPNOTSUPP : io->release(io->ctx, offset, size);
    if (err != EOPNOTSUPP) {
        return err;
    }
    err = 0;
    for (uint64_t from = offset; from < offset + size && err == 0;) {
        err = step(io, &from, offset + size);
    }
    return err;
}
