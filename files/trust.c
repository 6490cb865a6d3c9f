/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * trust.c - see trust.h.
 *
 * A path is resolved name by name, as the kernel does, because a link must be judged together with
 * the directory in which it stands. The result has no links; what is opened must be the object that
 * was judged, or a new one.
 *
 * Invariant: `at` names `object`, which is `directory` while names are left.
 */
#define _GNU_SOURCE /* required for O_NOFOLLOW */
#include "files/trust.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pwd.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LINKS_MAX 40u /* links on the way to a file, as in the kernel */
#define TRIES     8u  /* how often a file is opened anew that changes between check and opening */

struct walk {
    enum trust_use use;
    char *at;   /* path so far, without links; "": the current directory */
    char *left; /* names that are left */
    unsigned n_links;
    bool is_descriptor; /* `at` is a descriptor of a process */
    bool exists;        /* false: the last name is free */
    bool is_doubtful;   /* another user may have made the object */
    bool is_beside;     /* its doubtful directory stands in an open one, else is open itself */
    uid_t doubtful_owner;
    char *doubtful;        /* path of the doubtful object or directory */
    struct stat directory; /* where the object stands */
    struct stat object;
    char *why;
    size_t size;
};

/* ---- Reasons --------------------------------------------------------------------------------- */

static __attribute__((format(printf, 3, 4))) bool refuse(char *why, size_t size, const char *words,
                                                         ...)
{
    va_list args;
    va_start(args, words);
    vsnprintf(why, size, words, args);
    va_end(args);
    for (char *c = why; size > 0 && *c != '\0'; c++) {
        *c = (unsigned char)*c < ' ' || *c == 127 ? '?' : *c;
    }
    errno = EPERM;
    return false;
}

static bool give_error(char *why, size_t size, int error)
{
    snprintf(why, size, "%s", strerror(error));
    errno = error;
    return false;
}

static bool fail(struct walk *w, int error)
{
    return give_error(w->why, w->size, error);
}

const char *trust_user_name(uid_t uid, char out[TRUST_USER_MAX])
{
    const struct passwd *user = getpwuid(uid);
    if (user != NULL) {
        snprintf(out, TRUST_USER_MAX, "%s", user->pw_name);
    } else {
        snprintf(out, TRUST_USER_MAX, "number %lu", (unsigned long)uid);
    }
    return out;
}

/* ---- Owners ---------------------------------------------------------------------------------- */

static bool is_open(const struct stat *directory)
{
    return (directory->st_mode & S_IWOTH) != 0;
}

/* Returns true if the object belongs to the effective user or to root. */
static bool is_own(const struct stat *object, const struct stat *directory)
{
    struct stat top;
    return object->st_uid == geteuid() || object->st_uid == 0 ||
           (!is_open(directory) && stat("/", &top) == 0 && top.st_uid == object->st_uid);
}

static bool link_check(struct walk *w, const char *path, bool is_last)
{
    char user[TRUST_USER_MAX];
    assert(S_ISLNK(w->object.st_mode));
    if (is_last && w->use == TRUST_MADE) {
        return refuse(w->why, w->size, "%.300s is a symbolic link; a run makes none", path);
    }
    bool is_strange =
        is_open(&w->directory) || w->is_doubtful || (is_last && w->use == TRUST_WRITE);
    if (!is_strange || is_own(&w->object, &w->directory)) {
        return true;
    }
    return refuse(w->why, w->size,
                  "%.300s is a symbolic link of user %s; name the file that it points to, or use a "
                  "directory of your own",
                  path, trust_user_name(w->object.st_uid, user));
}

/* Notes whether another user may have made the object or what it contains. */
static void object_judge(struct walk *w)
{
    if (is_own(&w->object, &w->directory)) {
        w->is_doubtful = false;
    } else if (is_open(&w->directory) || (is_open(&w->object) && !S_ISCHR(w->object.st_mode))) {
        w->is_doubtful = true;
        w->is_beside = is_open(&w->directory);
        w->doubtful_owner = w->object.st_uid;
        snprintf(w->doubtful, PATH_MAX, "%s", w->at[0] == '\0' ? "." : w->at);
    }
}

/* Judges the last object. */
static bool last_check(struct walk *w)
{
    char user[TRUST_USER_MAX];
    const char *path = w->at[0] == '\0' ? "." : w->at;
    if (w->use == TRUST_INPUT) {
        return !w->is_doubtful ||
               refuse(w->why, w->size,
                      "%.300s belongs to user %s, and every user may write %s it; use a copy or a "
                      "directory of your own",
                      w->doubtful, trust_user_name(w->doubtful_owner, user),
                      w->is_beside ? "beside" : "to");
    }
    if (!w->exists || !is_open(&w->directory) || S_ISDIR(w->object.st_mode)) {
        return true;
    }
    if (!is_own(&w->object, &w->directory)) {
        return refuse(
            w->why, w->size,
            "%.300s belongs to user %s, and every user may write beside it; use a directory "
            "of your own",
            path, trust_user_name(w->object.st_uid, user));
    }
    return w->use != TRUST_WRITE || !S_ISREG(w->object.st_mode) || w->object.st_nlink == 1 ||
           refuse(
               w->why, w->size,
               "%.300s has several names (hard links), and every user may write beside it; use a "
               "directory of your own",
               path);
}

/* ---- Resolution of a path -------------------------------------------------------------------- */

/* Removes the next name from `left` and appends it to `at`. Returns the length of `at` before. */
static bool name_take(struct walk *w, size_t *before)
{
    char *name = w->left + strspn(w->left, "/");
    size_t length = strcspn(name, "/");
    *before = strlen(w->at);
    bool slash = *before > 0 && w->at[*before - 1] != '/';
    if (*before + slash + length + 1 > PATH_MAX || length > NAME_MAX) {
        return fail(w, ENAMETOOLONG);
    }
    snprintf(w->at + *before, PATH_MAX - *before, "%s%.*s", slash ? "/" : "", (int)length, name);
    name += length;
    name += strspn(name, "/");
    memmove(w->left, name, strlen(name) + 1);
    return true;
}

/* Returns true if `at`, which is a link, stands for an open file of a process. */
static bool is_descriptor(const char *at)
{
    const char *slash = strrchr(at, '/');
    return strncmp(at, "/proc/", 6) == 0 && slash - at > 3 && strncmp(slash - 3, "/fd", 3) == 0;
}

/* Puts the target of the link `at` before the names that are left. */
static bool link_follow(struct walk *w, size_t before)
{
    char target[PATH_MAX];
    ssize_t length = readlink(w->at, target, sizeof target - 1);
    if (length <= 0) {
        return fail(w, length < 0 ? errno : ENOENT);
    }
    target[length] = '\0';
    size_t rest = strlen(w->left);
    if (++w->n_links > LINKS_MAX) {
        return fail(w, ELOOP);
    }
    if ((size_t)length + 1 + rest >= PATH_MAX) {
        return fail(w, ENAMETOOLONG);
    }
    memmove(w->left + length + 1, w->left, rest + 1);
    memcpy(w->left, target, (size_t)length);
    w->left[length] = '/';
    if (rest == 0) {
        w->left[length] = '\0';
    }
    w->at[target[0] == '/' ? 0 : before] = '\0';
    if (target[0] == '/') {
        snprintf(w->at, PATH_MAX, "/");
        w->is_doubtful = false;
        return stat("/", &w->directory) == 0 || fail(w, errno);
    }
    return true;
}

/* Resolves the names in w->left. */
static bool names_resolve(struct walk *w)
{
    w->exists = true;
    while (w->left[strspn(w->left, "/")] != '\0') {
        size_t before;
        if (!name_take(w, &before)) {
            return false;
        }
        bool is_last = w->left[0] == '\0';
        if (lstat(w->at, &w->object) != 0) {
            w->exists = false;
            w->object.st_mode = 0;
            return (errno == ENOENT && is_last && w->use == TRUST_WRITE) || fail(w, errno);
        }
        if (!S_ISLNK(w->object.st_mode)) {
            object_judge(w);
            if (!is_last) {
                w->directory = w->object;
            }
        } else if (!link_check(w, w->at, is_last)) {
            return false;
        } else if (is_last && is_descriptor(w->at)) {
            w->is_descriptor = true;
            return stat(w->at, &w->object) == 0 || fail(w, errno);
        } else if (!link_follow(w, before)) {
            return false;
        }
    }
    return true;
}

static bool walk_path(struct walk *w, const char *path)
{
    bool is_absolute = path[0] == '/';
    size_t length = strlen(path);
    if (length == 0 || length >= PATH_MAX) {
        return fail(w, length == 0 ? ENOENT : ENAMETOOLONG);
    }
    snprintf(w->at, PATH_MAX, "%s", is_absolute ? "/" : "");
    snprintf(w->left, PATH_MAX, "%s", path);
    if (stat(is_absolute ? "/" : ".", &w->object) != 0) {
        return fail(w, errno);
    }
    /* The directory of the start does not count: the user has chosen to be there. */
    w->directory = (struct stat){.st_mode = S_IFDIR};
    object_judge(w);
    w->directory = w->object;
    if (!names_resolve(w)) {
        return false;
    }
    if (path[length - 1] == '/' && !S_ISDIR(w->object.st_mode)) {
        return fail(w, w->exists ? ENOTDIR : EISDIR);
    }
    return w->is_descriptor || last_check(w);
}

bool trust_check(enum trust_use use, const char *path, char *real, struct stat *st, char *why,
                 size_t size)
{
    char at[PATH_MAX], left[PATH_MAX], doubtful[PATH_MAX];
    struct walk w = {
        .use = use, .at = at, .left = left, .doubtful = doubtful, .why = why, .size = size};
    if (!walk_path(&w, path)) {
        return false;
    }
    if (real != NULL) {
        snprintf(real, PATH_MAX, "%s", at[0] == '\0' ? "." : at);
    }
    if (st != NULL) {
        *st = w.object;
    }
    return true;
}

/* ---- Opening --------------------------------------------------------------------------------- */

/* Opens an existing object. If it is to be written and is a descriptor of this process, duplicates
 * it, so that all writers share one position in the file. */
static int existing_open(const char *real, int flags)
{
    long pid;
    int fd, end = 0;
    if ((flags & O_ACCMODE) != O_RDONLY &&
        sscanf(real, "/proc/%ld/fd/%d%n", &pid, &fd, &end) == 2 && end > 0 && real[end] == '\0' &&
        pid == (long)getpid()) {
        return fcntl(fd, F_DUPFD_CLOEXEC, 0);
    }
    return open(real, flags & ~(O_CREAT | O_TRUNC));
}

/* Opens the object that trust_check() has found. Returns -1 with EAGAIN if it is another one now. */
static int found_open(const char *real, const struct stat *found, int flags, unsigned mode)
{
    struct stat st;
    if (found->st_mode == 0) {
        bool creates = (flags & O_CREAT) != 0;
        int fd = creates ? open(real, flags | O_EXCL | O_NOFOLLOW, mode) : -1;
        errno = fd >= 0 ? 0 : !creates ? ENOENT : errno == EEXIST ? EAGAIN : errno;
        return fd;
    }
    if ((flags & O_EXCL) != 0) {
        errno = EEXIST;
        return -1;
    }
    bool is_descriptor = strncmp(real, "/proc/", 6) == 0;
    int fd = existing_open(real, flags), error = 0;
    if (fd < 0 || fstat(fd, &st) != 0) {
        error = errno;
    } else if (st.st_dev != found->st_dev || st.st_ino != found->st_ino) {
        error = EAGAIN;
    } else if ((flags & O_TRUNC) != 0 && S_ISREG(st.st_mode) && !is_descriptor &&
               ftruncate(fd, 0) != 0) {
        error = errno;
    }
    if (error != 0 && fd >= 0) {
        close(fd);
    }
    errno = error;
    return error == 0 ? fd : -1;
}

int trust_open(enum trust_use use, const char *path, int flags, unsigned mode, char *why,
               size_t size)
{
    char real[PATH_MAX];
    struct stat st;
    int fd = -1;
    errno = EAGAIN;
    for (unsigned i = 0; i < TRIES && fd < 0 && errno == EAGAIN; i++) {
        if (!trust_check(use, path, real, &st, why, size)) {
            return -1;
        }
        fd = found_open(real, &st, flags | O_CLOEXEC, mode);
    }
    if (fd < 0) {
        give_error(why, size, errno);
    }
    return fd;
}

static FILE *stream_open(enum trust_use use, const char *path, int flags, const char *how,
                         char *why, size_t size)
{
    int fd = trust_open(use, path, flags, 0666, why, size);
    FILE *file = fd < 0 ? NULL : fdopen(fd, how);
    if (file == NULL && fd >= 0) {
        give_error(why, size, errno);
        close(fd);
    }
    return file;
}

FILE *trust_rewrite(const char *path, char *why, size_t size)
{
    return stream_open(TRUST_WRITE, path, O_WRONLY | O_CREAT | O_TRUNC, "w", why, size);
}

FILE *trust_append(const char *path, char *why, size_t size)
{
    return stream_open(TRUST_WRITE, path, O_WRONLY | O_CREAT | O_APPEND, "a", why, size);
}

FILE *trust_read(const char *path, char *why, size_t size)
{
    return stream_open(TRUST_INPUT, path, O_RDONLY, "r", why, size);
}

/* ---- Directories ----------------------------------------------------------------------------- */

bool trust_make_parents(const char *path, unsigned mode, char *why, size_t size)
{
    char part[PATH_MAX];
    struct stat st;
    if (snprintf(part, sizeof part, "%s", path) >= (int)sizeof part) {
        return give_error(why, size, ENAMETOOLONG);
    }
    bool is_new = false;
    for (char *end = part + strspn(part, "/");; end += strspn(end, "/")) {
        end += strcspn(end, "/");
        if (end[strspn(end, "/")] == '\0') {
            break;
        }
        *end = '\0';
        if (is_new || (lstat(part, &st) != 0 && errno == ENOENT)) {
            if (!is_new && !trust_check(TRUST_WRITE, part, NULL, NULL, why, size)) {
                return false;
            }
            is_new = true;
            if (mkdir(part, mode) != 0 && errno != EEXIST) {
                return give_error(why, size, errno);
            }
        }
        *end = '/';
    }
    return true;
}

bool trust_new_directory(const char *path, unsigned mode, char *why, size_t size)
{
    /* EISDIR: a slash ends the path, as it may for a directory. */
    if (!trust_check(TRUST_WRITE, path, NULL, NULL, why, size) && errno != EISDIR) {
        return false;
    }
    return mkdir(path, mode) == 0 || give_error(why, size, errno);
}

bool trust_make_directory(const char *path, unsigned mode, char *why, size_t size)
{
    struct stat st;
    if (!trust_make_parents(path, mode, why, size)) {
        return false;
    }
    if (lstat(path, &st) != 0 && !trust_new_directory(path, mode, why, size) && errno != EEXIST) {
        return false;
    }
    return trust_check(TRUST_INPUT, path, NULL, &st, why, size) &&
           (S_ISDIR(st.st_mode) || give_error(why, size, ENOTDIR));
}

/* ---- Private files --------------------------------------------------------------------------- */

const char *trust_private(const struct stat *st, char *why, size_t size)
{
    char owner[64], self[64];
    if (S_ISLNK(st->st_mode)) {
        refuse(why, size, "is a symbolic link; a run makes none");
    } else if (!S_ISREG(st->st_mode)) {
        refuse(why, size, "is no regular file; a run makes none of this kind");
    } else if (st->st_uid != geteuid()) {
        refuse(why, size, "belongs to user %s, and only its owner may control the run; you are %s",
               trust_user_name(st->st_uid, owner), trust_user_name(geteuid(), self));
    } else if ((st->st_mode & 0077) != 0) {
        refuse(why, size,
               "other users may open it (mode %04o): the run takes no requests from it any more, "
               "also if the mode changes back; signals still reach the run, such as SIGTERM",
               (unsigned)st->st_mode & 07777u);
    } else if (st->st_nlink > 1) {
        refuse(why, size, "has several names (hard links); a run makes none");
    } else {
        return NULL;
    }
    return why;
}

int trust_open_private(const char *path, int flags, char *why, size_t size)
{
    struct stat st;
    if (lstat(path, &st) == 0 && trust_private(&st, why, size) != NULL) {
        return -1;
    }
    int fd = open(path, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &st) != 0) {
        give_error(why, size, errno);
    } else if (trust_private(&st, why, size) == NULL) {
        return fd;
    }
    int error = errno;
    if (fd >= 0) {
        close(fd);
    }
    errno = error;
    return -1;
}
