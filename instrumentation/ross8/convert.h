/*
 * convert.h - makes the files of ROSS 8 out of the record files of one run.
 *
 *     ross8_convert_begin(&c, dir, prefix, wanted, notes)
 *     ross8_convert_file(&c, path)   for each record file
 *     ross8_convert_end(&c)          gives the files their names
 *     ross8_convert_fini(&c)         in any case; removes what has no name
 *
 * A function that fails returns false and leaves one line in c.error, with the path. The files are
 * written as NAME.part-PID and get their names together, so that no part of one is ever taken for
 * the whole. Records are in the order of the record file: all of PE 0, then PE 1, and so on.
 */
#ifndef WARPSCOPE_ROSS8_CONVERT_H
#define WARPSCOPE_ROSS8_CONVERT_H

#include "ross8/layout.h"

/* A file on its way. */
struct ross8_out {
    char *path; /* owned; NULL: not wanted */
    char *part; /* owned; the name until it is complete, then NULL */
    int fd;     /* -1: closed */
    uint8_t *buffer;
    size_t used;
    uint64_t bytes;
    uint64_t records;
};

struct ross8_convert {
    struct ross8_out outs[ROSS8_FILES];
    struct ross8_notes notes;
    struct fmt_columns columns; /* scratch */
    char error[512];            /* the first failure */
    char damage[512];           /* the first fault of a record file; "": none */
};

/* Creates the wanted files. */
bool ross8_convert_begin(struct ross8_convert *convert, const char *dir, const char *prefix,
                         const bool wanted[ROSS8_FILES], const struct ross8_notes *notes);

/*
 * Appends what the record file holds. Records without a place in a wanted file are left out. What
 * can be read of a damaged file is converted; damage then says what is wrong.
 */
bool ross8_convert_file(struct ross8_convert *convert, const char *path);

bool ross8_convert_end(struct ross8_convert *convert);
void ross8_convert_fini(struct ross8_convert *convert);

#endif
