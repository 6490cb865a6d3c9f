/* SPDX-License-Identifier: BSD-3-Clause */
/* ross_options.h - the part of ross.h about the command line: option tables. ross.h includes this
 * header. */
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
    TWOPTTYPE_CHAR,     /* string, in an array of char */
    TWOPTTYPE_FLAG,     /* unsigned int 0 or 1, given as --name, --name=1 or --name=0 */
    TWOPTTYPE_ARGSFILE, /* path of an args file, from which more options are read */
    TWOPTTYPE_BYTES,    /* unsigned integer: a number of bytes; the suffix K, M or G multiplies it
                           by 1024, 1024^2 or 1024^3 */
    TWOPTTYPE_WORD      /* one of a few words; the value is the index of the word */
} tw_opttype;

/*
 * An option. If its help begins with a word in angle brackets, such as "<DIR> directory for
 * results", that word represents the value: --path=DIR. A range such as "<0..3>", "<0.5..1e6>" or
 * "<1..>" limits a number; with "<0|1..9>", 0 is allowed as well. An option whose help begins with "no effect" is listed by --help=all only. Error
 * messages about the lookahead name the options whose help contains "the lookahead of --synch=2". A
 * table ends with TWOPT_END(). The caller owns the tables and keeps them valid.
 */
typedef struct tw_optdef {
    tw_opttype type;
    const char *name; /* name without the leading "--" */
    const char *help;
    void *value; /* variable that receives the value; its initial value is the default */
    size_t size; /* size of the variable at `value` in bytes; 0: unknown */
} tw_optdef;

#define TWOPT_OF(type, name, help, value, size)                                                    \
    {                                                                                              \
        type, (name), (help), (value), (size)                                                      \
    }
#define TWOPT_GROUP(h)           TWOPT_OF(TWOPTTYPE_GROUP, NULL, h, NULL, 0)
#define TWOPT_ULONG(n, v, h)     TWOPT_OF(TWOPTTYPE_ULONG, n, h, &(v), sizeof(v))
#define TWOPT_ULONGLONG(n, v, h) TWOPT_OF(TWOPTTYPE_ULONGLONG, n, h, &(v), sizeof(v))
#define TWOPT_UINT(n, v, h)      TWOPT_OF(TWOPTTYPE_UINT, n, h, &(v), sizeof(v))
#define TWOPT_STIME(n, v, h)     TWOPT_OF(TWOPTTYPE_STIME, n, h, &(v), sizeof(v))
#define TWOPT_DOUBLE(n, v, h)    TWOPT_OF(TWOPTTYPE_DOUBLE, n, h, &(v), sizeof(v))
#define TWOPT_FLAG(n, v, h)      TWOPT_OF(TWOPTTYPE_FLAG, n, h, &(v), sizeof(v))
#define TWOPT_ARGSFILE(n, v, h)  TWOPT_OF(TWOPTTYPE_ARGSFILE, n, h, &(v), sizeof(v))
#define TWOPT_BYTES(n, v, h)     TWOPT_OF(TWOPTTYPE_BYTES, n, h, &(v), sizeof(v))
/* Option whose value is one of the words at the start of its help, as in "<auto|on|off> use of a
 * cache". v: an integer or enum that receives the index of the word, from 0. */
#define TWOPT_WORD(n, v, h) TWOPT_OF(TWOPTTYPE_WORD, n, h, &(v), sizeof(v))
/* Option with a string. v: an array of char, its first element (*v or v[0]), or a char * to a
 * buffer. A buffer whose size the type of v does not state has at least 1024 bytes. */
#define TWOPT_CHAR(n, v, h) TWOPT_OF(TWOPTTYPE_CHAR, n, h, TWOPT_TEXT(v), TWOPT_ROOM(v))
#define TWOPT_END()         TWOPT_OF(TWOPTTYPE_END, NULL, NULL, NULL, 0)

/* TWOPT_TEXT() yields the address of the string; TWOPT_ROOM() yields the size of an array of char in
 * bytes, and 0 for an element, a pointer and an array of unknown length. */
#ifdef __cplusplus
extern "C++" {
constexpr char *tw_opt_text(char *text)
{
    return text;
}
constexpr char *tw_opt_text(char &text)
{
    return &text;
}
template <typename T> struct tw_opt_room {
    static const size_t bytes = sizeof(T);
};
template <> struct tw_opt_room<char *> {
    static const size_t bytes = 0;
};
template <> struct tw_opt_room<char[]> {
    static const size_t bytes = 0;
};
template <> struct tw_opt_room<char &> {
    static const size_t bytes = 0;
};
}
#define TWOPT_TEXT(v) tw_opt_text(v)
#define TWOPT_ROOM(v) tw_opt_room<decltype(v)>::bytes
#elif defined(__GNUC__)
#define TWOPT_IS_CHAR(v) __builtin_types_compatible_p(__typeof__(v), char)
#define TWOPT_TEXT(v)    __builtin_choose_expr(TWOPT_IS_CHAR(v), &(v), (v))
/* Yields true for a char, a pointer to char and an array of unknown length. Only the type of an
 * array of unknown length is compatible with array types of different lengths. */
#define TWOPT_NO_ROOM(v)                                                                           \
    (TWOPT_IS_CHAR(v) || __builtin_types_compatible_p(__typeof__(v), char *) ||                    \
     (__builtin_types_compatible_p(__typeof__(v), char[1]) &&                                      \
      __builtin_types_compatible_p(__typeof__(v), char[2])))
#define TWOPT_ROOM(v)                                                                              \
    (TWOPT_NO_ROOM(v) ? 0 : sizeof(__builtin_choose_expr(TWOPT_NO_ROOM(v), (char)0, (v))))
#else
#define TWOPT_TEXT(v) (v)
#define TWOPT_ROOM(v) sizeof(v)
#endif

/* Adds a table with options of the model to the command line. Call it before tw_init(). */
void tw_opt_add(const tw_optdef *options);

/*
 * States that the model takes at most `most` arguments that are not options, often 0. If argv has
 * more, rank 0 prints the first surplus argument and the program ends with status 2. "--" does not
 * count. Call it after tw_init() with the argc and argv that tw_init() left. Collective.
 *
 * Without this call tw_run() warns of the first argument before "--" that begins with a hyphen, as
 * in "model -v": the model may ignore it. Programs built for ROSS 8 get no warning.
 */
void tw_opt_words_max(int argc, char *const *argv, int most);

#ifdef __cplusplus
}
#endif

#endif
