/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * trust.h - decides whether a file, link, directory or library of another user is used.
 *
 * All code that opens a named file for writing, makes directories, loads libraries, or reads input
 * that acts with the rights of the caller opens it here. docs/trust.md has the policy and its
 * exceptions. It does not depend on fs.protected_symlinks and similar settings of the kernel.
 *
 * An object is *own* if it belongs to the effective user or to root. A directory is *open* if every
 * user may write to it, with or without the sticky bit; others may then have put anything into it.
 *
 *  - A symbolic link that is not own is never followed out of an open directory. As the last name
 *    of a path to be written, it is not followed out of any directory.
 *  - A file to be written that exists in an open directory must be own, and have one name only.
 *  - Input and directories for files must be own. If they are not, neither the object nor a
 *    directory on the way to it, up to the last own object, may be open or stand in an open one.
 *  - The file descriptors of the process, such as /dev/stdout, are used as they are.
 *
 * In a user namespace, root of the host has another number. In directories that are not open, the
 * owner of "/" therefore counts as root.
 *
 * Functions that fail set errno and write the reason to why (size bytes; TRUST_WHY_MAX suffices):
 * the system's error message, or which object of which user is refused, and what to do. errno is
 * EPERM if the policy refuses. The functions are not collective, keep no state, and cost a few
 * system calls for each name in a path.
 */
#ifndef WARPSCOPE_FILES_TRUST_H
#define WARPSCOPE_FILES_TRUST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/stat.h>

enum { TRUST_WHY_MAX = 768 };

/* How the object at a path is used. */
enum trust_use {
    TRUST_WRITE, /* a file to be written, which may be missing */
    TRUST_INPUT, /* a library, file or directory that acts with the rights of the caller */
    TRUST_MADE   /* a file that only Warpscope makes, and that is read: never a link */
};

/*
 * Checks the object at path. Stores the path without symbolic links in real (PATH_MAX bytes), and
 * information about the object in *st; st->st_mode is 0 if a file to be written is missing. real or
 * st may be NULL. Returns false if the policy refuses the object, or if it is missing or cannot be
 * examined.
 */
bool trust_check(enum trust_use use, const char *path, char *real, struct stat *st, char *why,
                 size_t size);

/*
 * Opens the file at path for the use, and returns the descriptor, which is closed on exec; -1 on
 * failure. flags: as for open(2). A file that O_CREAT creates is a new one: it has not existed
 * under another user. Between the check and the opening, nobody can replace the file unnoticed.
 * mode: permissions of a new file before the umask is applied.
 */
int trust_open(enum trust_use use, const char *path, int flags, unsigned mode, char *why,
               size_t size);

/* Like trust_open() for TRUST_WRITE: opens a stream that replaces the file, or appends to it. */
FILE *trust_rewrite(const char *path, char *why, size_t size);
FILE *trust_append(const char *path, char *why, size_t size);
/* Like trust_open() for TRUST_INPUT: opens a stream that reads the file. */
FILE *trust_read(const char *path, char *why, size_t size);

/* Creates the missing directories above path, with the permissions of mode before the umask is
 * applied, but not through links that TRUST_WRITE refuses. Returns false on failure. */
bool trust_make_parents(const char *path, unsigned mode, char *why, size_t size);

/* Creates the directory at path in this way; its parents must exist. Returns false on failure; errno
 * is EEXIST if there is an object at path already. */
bool trust_new_directory(const char *path, unsigned mode, char *why, size_t size);

/* Creates the directory at path and its missing parents in this way. If it exists already, it must
 * fulfil TRUST_INPUT. Returns false on failure. */
bool trust_make_directory(const char *path, unsigned mode, char *why, size_t size);

/* Stores the name of a user in `out`, or the number if the user has no name. Returns `out`. */
enum { TRUST_USER_MAX = 64 };
const char *trust_user_name(uid_t uid, char out[TRUST_USER_MAX]);

/* Returns NULL if only the effective user may open the file: a regular file of this user, with one
 * name and without permissions for others. Otherwise writes the reason to why, and returns it. */
const char *trust_private(const struct stat *st, char *why, size_t size);

/* Opens a private file (trust_private()) for reading or writing, without waiting for other
 * processes. Returns the descriptor; -1 on failure. */
int trust_open_private(const char *path, int flags, char *why, size_t size);

#endif
