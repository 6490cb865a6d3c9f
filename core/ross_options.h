/* SPDX-License-Identifier: BSD-3-Clause */
/* ross_options.h - the part of ross.h about the command line: option tables. Included by ross.h. */
#ifndef WARPSCOPE_ROSS_OPTIONS_H
#define WARPSCOPE_ROSS_OPTIONS_H

#include "ross.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum tw_opttype {
    TWOPTTYPE_END = 0,
    TWOPTTYPE_GROUP,
    TWOPTTYPE_ULONG,
    TWOPTTYPE_ULONGLONG,
    TWOPTTYPE_UINT,
    TWOPTTYPE_STIME,
    TWOPTTYPE_DOUBLE,
    TWOPTTYPE_CHAR,     /* array of char */
    TWOPTTYPE_FLAG,     /* unsigned int, given as --name, --name=1 or --name=0 */
    TWOPTTYPE_ARGSFILE, /* args file: reads more options from a file */
    TWOPTTYPE_BYTES,    /* unsigned integer in bytes; the suffix K, M or G multiplies it by 1024,
                           1024^2 or 1024^3 */
    TWOPTTYPE_WORD      /* one of a few words; the value is the position of the word */
} tw_opttype;

/*
 * An option. Help that begins with a word in angle brackets, such as "<DIR> directory for results",
 * shows that word as the value: --path=DIR. A range such as "<0..3>" or "<1..>" limits an integer.
 * Only --help=all lists options whose help begins with "no effect". Messages about the lookahead
 * name options whose help has "the lookahead of --synch=2". A table ends with TWOPT_END(). The
 * caller owns tables and keeps them valid.
 */
typedef struct tw_optdef {
    tw_opttype type;
    const char *name; /* name without the leading "--" */
    const char *help;
    void *value; /* variable that receives the value; it holds the default before */
    size_t size; /* size of that variable in bytes; TWOPTTYPE_CHAR: 0 if unknown */
} tw_optdef;

#define TWOPT_GROUP(h)                                                                             \
    {                                                                                              \
        TWOPTTYPE_GROUP, NULL, (h), NULL, 0                                                        \
    }
#define TWOPT_ULONG(n, v, h)                                                                       \
    {                                                                                              \
        TWOPTTYPE_ULONG, (n), (h), &(v), sizeof(v)                                                 \
    }
#define TWOPT_ULONGLONG(n, v, h)                                                                   \
    {                                                                                              \
        TWOPTTYPE_ULONGLONG, (n), (h), &(v), sizeof(v)                                             \
    }
#define TWOPT_UINT(n, v, h)                                                                        \
    {                                                                                              \
        TWOPTTYPE_UINT, (n), (h), &(v), sizeof(v)                                                  \
    }
#define TWOPT_STIME(n, v, h)                                                                       \
    {                                                                                              \
        TWOPTTYPE_STIME, (n), (h), &(v), sizeof(v)                                                 \
    }
#define TWOPT_DOUBLE(n, v, h)                                                                      \
    {                                                                                              \
        TWOPTTYPE_DOUBLE, (n), (h), &(v), sizeof(v)                                                \
    }
/* Option with a string. v: an array of char, or a char * to a buffer that is large enough for any
 * text. */
#define TWOPT_CHAR(n, v, h)                                                                        \
    {                                                                                              \
        TWOPTTYPE_CHAR, (n), (h), (v), TWOPT_ROOM(v)                                               \
    }
#define TWOPT_FLAG(n, v, h)                                                                        \
    {                                                                                              \
        TWOPTTYPE_FLAG, (n), (h), &(v), sizeof(v)                                                  \
    }
#define TWOPT_ARGSFILE(n, v, h)                                                                    \
    {                                                                                              \
        TWOPTTYPE_ARGSFILE, (n), (h), &(v), sizeof(v)                                              \
    }
#define TWOPT_BYTES(n, v, h)                                                                       \
    {                                                                                              \
        TWOPTTYPE_BYTES, (n), (h), &(v), sizeof(v)                                                 \
    }
/* Option with one of the words at the start of the help, as in "<auto|on|off> use of a cache". v:
 * an integer or enum that receives the position of the word, from 0. */
#define TWOPT_WORD(n, v, h)                                                                        \
    {                                                                                              \
        TWOPTTYPE_WORD, (n), (h), &(v), sizeof(v)                                                  \
    }
#define TWOPT_END()                                                                                \
    {                                                                                              \
        TWOPTTYPE_END, NULL, NULL, NULL, 0                                                         \
    }

/* Yields the size of an array of char in bytes; 0 for a pointer and for an array of unknown
 * length. */
#ifdef __cplusplus
extern "C++" {
template <typename T> struct tw_opt_room {
    static const size_t bytes = sizeof(T);
};
template <> struct tw_opt_room<char *> {
    static const size_t bytes = 0;
};
template <> struct tw_opt_room<char[]> {
    static const size_t bytes = 0;
};
}
#define TWOPT_ROOM(v) tw_opt_room<decltype(v)>::bytes
#elif defined(__GNUC__)
/* True for an array of unknown length: only the type of such an array is compatible with those of
 * arrays of different lengths. */
#define TWOPT_NO_ROOM(v)                                                                           \
    (__builtin_types_compatible_p(__typeof__(v), char *) ||                                        \
     (__builtin_types_compatible_p(__typeof__(v), char[1]) &&                                      \
      __builtin_types_compatible_p(__typeof__(v), char[2])))
#define TWOPT_ROOM(v)                                                                              \
    (TWOPT_NO_ROOM(v) ? 0 : sizeof(__builtin_choose_expr(TWOPT_NO_ROOM(v), (char)0, (v))))
#else
#define TWOPT_ROOM(v) sizeof(v)
#endif

/* Adds the options of the model to the command line. Call it before tw_init(). */
void tw_opt_add(const tw_optdef *options);

/*
 * Limits the arguments that are not options to `most`, often 0. If argv has more, rank 0 prints the
 * first surplus argument and the program ends with status 2. "--" does not count. Call it after
 * tw_init() with the argc and argv that tw_init() left. Collective.
 *
 * Without this call tw_run() warns of the first argument before "--" that begins with a hyphen, as
 * in "model -v", since the model may ignore it. Programs built for ROSS 8 get no warning.
 */
void tw_opt_words_max(int argc, char *const *argv, int most);

#ifdef __cplusplus
}
#endif

#endif
