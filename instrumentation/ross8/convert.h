/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * convert.h - converts the record files of a run to files of ROSS 8.
 *
 *     ross8_convert_begin(&c, dir, prefix, wanted, notes)
 *     ross8_convert_file(&c, path)   for each record file
 *     ross8_convert_end(&c)          gives the files their final names
 *     ross8_convert_fini(&c)         even after an error; removes incomplete files
 *
 * A function that fails returns false and sets c.error to one line, which includes a path. Files
 * are written under the name NAME.part-PID and renamed together at the end, so that an incomplete
 * file never has its final name. Records keep the order of the record file: those of PE 0, then
 * those of PE 1, and so on.
 */
#ifndef WARPSCOPE_ROSS8_CONVERT_H
#define WARPSCOPE_ROSS8_CONVERT_H

#include "ross8/layout.h"

/* An output file of the conversion. */
struct ross8_out {
    char *path; /* owned; final path; NULL: this file is not wanted */
    char *part; /* owned; temporary name; NULL once the file has its final name */
    int fd;     /* descriptor of the file; -1: closed */
    uint8_t *buffer;
    size_t used;
    uint64_t bytes;
    uint64_t records;
};

struct ross8_convert {
    struct ross8_out outs[ROSS8_FILES];
    struct ross8_notes notes;
    struct fmt_columns columns; /* temporary; the block that is being converted */
    char error[512];            /* text of the first error */
    char damage[768];           /* text of the first error in a record file; "": none */
};

/* Creates the files of ROSS 8 for which `wanted` is true, as <prefix>-<name>.bin in dir. *notes is
 * copied. */
bool ross8_convert_begin(struct ross8_convert *convert, const char *dir, const char *prefix,
                         const bool wanted[ROSS8_FILES], const struct ross8_notes *notes);

/*
 * Appends the records of the record file at path to the files of ROSS 8. Skips records whose file
 * was not wanted. If the record file is damaged, converts its readable part and sets
 * convert->damage.
 */
bool ross8_convert_file(struct ross8_convert *convert, const char *path);

bool ross8_convert_end(struct ross8_convert *convert);
void ross8_convert_fini(struct ross8_convert *convert);

#endif
