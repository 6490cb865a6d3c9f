/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * out.c - the files that a command writes; see out.h.
 *
 * A file gets its final name by link(), which fails if the name has been taken in the meantime.
 * rename() is used if the file system has no links, or if replacing was requested.
 */
#include "cli/out.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files/trust.h"
#include "files/write_all.h"
#include "format/part_file.h"
#include "text/text_new.h"

#define BUFFER_SIZE ((size_t)256 << 10)

static bool outs_fail(struct ws_outs *outs, const char *path, const char *what, const char *why)
{
    if (!outs->failed) {
        fprintf(stderr, "warpscope: %s: %s%s%s\n", path, what, why[0] == '\0' ? "" : ": ", why);
    }
    outs->failed = true;
    return false;
}

bool ws_out_failed(struct ws_out *out, const char *what, int sys_errno)
{
    return outs_fail(out->outs, out->path, what, sys_errno == 0 ? "" : strerror(sys_errno));
}

static bool write_failed(struct ws_out *out, int sys_errno)
{
    if (strcmp(out->path, "-") == 0) {
        out->outs->pipe_errno = sys_errno;
        out->outs->failed = true;
        return false;
    }
    return ws_out_failed(out, "cannot write", sys_errno);
}

/* ---- Beginning of files ---------------------------------------------------------------------- */

bool ws_outs_protect(struct ws_outs *outs, const char *path)
{
    struct stat st;
    if (stat(path, &st) != 0) {
        return true; /* reading the file will report the error */
    }
    struct ws_out_input *inputs =
        realloc(outs->inputs, (outs->n_inputs + 1) * sizeof *outs->inputs);
    if (inputs == NULL) {
        return outs_fail(outs, path, "out of memory", "");
    }
    outs->inputs = inputs;
    outs->inputs[outs->n_inputs++] =
        (struct ws_out_input){(uint64_t)st.st_dev, (uint64_t)st.st_ino};
    return true;
}

bool ws_outs_folder(struct ws_outs *outs, const char *path)
{
    if (outs->failed) {
        return false;
    }
    struct stat st;
    char why[TRUST_WHY_MAX];
    /* Signals are blocked first, so that no signal leaves the directory behind. */
    if (!outs->held) {
        ws_interrupt_hold(&outs->interrupt);
        outs->held = true;
    }
    if (trust_new_directory(path, 0777, why, sizeof why)) {
        outs->folder = strdup(path);
        return outs->folder != NULL || outs_fail(outs, path, "out of memory", "");
    }
    if (errno != EEXIST || !trust_check(TRUST_INPUT, path, NULL, &st, why, sizeof why)) {
        return outs_fail(outs, path, "cannot make the directory", why);
    }
    if (!S_ISDIR(st.st_mode)) {
        return outs_fail(outs, path, "cannot make the directory", strerror(EEXIST));
    }
    return outs->force || outs_fail(outs, path, "exists already",
                                    "name another place, or replace it with --force");
}

static bool is_input(const struct ws_outs *outs, const struct stat *st)
{
    for (size_t i = 0; i < outs->n_inputs; i++) {
        if (outs->inputs[i].device == (uint64_t)st->st_dev &&
            outs->inputs[i].number == (uint64_t)st->st_ino) {
            return true;
        }
    }
    return false;
}

/* Returns true if the file `path` may be written; otherwise prints an error message. Sets
 * *temporary to true if the file is first written under a temporary name. */
static bool path_check(struct ws_outs *outs, const char *path, bool *temporary)
{
    struct stat st, link;
    char why[TRUST_WHY_MAX];
    *temporary = true;
    for (const struct ws_out *o = outs->first; o != NULL; o = o->next) {
        if (strcmp(o->path, path) == 0) {
            return outs_fail(outs, path, "would be written twice; export one at a time",
                             "several inputs give a file of this name");
        }
    }
    if (strcmp(path, "-") == 0) {
        *temporary = false;
        return true;
    }
    if (!trust_check(TRUST_WRITE, path, NULL, NULL, why, sizeof why) && errno == EPERM) {
        return outs_fail(outs, path, "cannot write", why);
    }
    bool is_link = lstat(path, &link) == 0 && S_ISLNK(link.st_mode);
    if (stat(path, &st) != 0) {
        return !is_link || outs_fail(outs, path, "is a symbolic link to a file that is missing",
                                     "remove the link, or name another place");
    }
    if (S_ISDIR(st.st_mode)) {
        return outs_fail(outs, path, "cannot write", "there is a directory of that name");
    }
    if (!S_ISREG(st.st_mode)) {
        *temporary = false;
        return true;
    }
    if (is_link) { /* a final rename() would replace the symbolic link itself */
        return outs_fail(outs, path, "is a symbolic link", "name the file that it points to");
    }
    if (is_input(outs, &st)) {
        return outs_fail(outs, path, "is one of the input files", "name another place");
    }
    return outs->force || outs_fail(outs, path, "exists already",
                                    "name another place, or replace it with --force");
}

bool ws_out_may_begin(struct ws_outs *outs, const char *path)
{
    bool temporary;
    return path_check(outs, path, &temporary);
}

static bool temp_create(struct ws_out *out)
{
    struct ws_outs *outs = out->outs;
    if (!outs->held) {
        ws_interrupt_hold(&outs->interrupt);
        outs->held = true;
    }
    bool first = outs->n_parts == 0;
    outs->n_parts += fmt_part_list(out->path, outs->part, first ? sizeof outs->part : 0);
    out->fd = fmt_part_create(out->path, 0666, &out->temp);
    return out->fd >= 0 || ws_out_failed(out, "cannot create", errno);
}

static bool out_open(struct ws_out *out, bool temporary)
{
    if (temporary) {
        return temp_create(out);
    }
    if (strcmp(out->path, "-") == 0) {
        out->fd = dup(STDOUT_FILENO);
        return out->fd >= 0 || write_failed(out, errno);
    }
    char why[TRUST_WHY_MAX];
    out->fd = trust_open(TRUST_WRITE, out->path, O_WRONLY, 0, why, sizeof why);
    return out->fd >= 0 || outs_fail(out->outs, out->path, "cannot write", why);
}

static struct ws_out *begin(struct ws_outs *outs, const char *path, size_t buffer_size)
{
    bool temporary;
    if (outs->failed || !path_check(outs, path, &temporary)) {
        return NULL;
    }
    struct ws_out *out = calloc(1, sizeof *out);
    char *copy = strdup(path);
    uint8_t *buffer = malloc(buffer_size + 1);
    if (out == NULL || copy == NULL || buffer == NULL) {
        free(out);
        free(copy);
        free(buffer);
        outs_fail(outs, path, "out of memory", "");
        return NULL;
    }
    *out = (struct ws_out){.path = copy,
                           .fd = -1,
                           .buffer = buffer,
                           .size = buffer_size,
                           .outs = outs,
                           .next = outs->first};
    outs->first = out;
    return out_open(out, temporary) ? out : NULL;
}

struct ws_out *ws_out_begin(struct ws_outs *outs, const char *path)
{
    return begin(outs, path, BUFFER_SIZE);
}

struct ws_out *ws_out_begin_name(struct ws_outs *outs, const char *path)
{
    struct ws_out *out = begin(outs, path, 0);
    if (out == NULL) {
        return NULL;
    }
    close(out->fd);
    out->fd = -1;
    if (out->temp == NULL) {
        outs_fail(outs, path, "cannot write", "this needs a regular file");
        return NULL;
    }
    return out;
}

struct ws_out *ws_out_begin_scratch(struct ws_outs *outs, const char *path)
{
    char *name = text_new("%s.scratch", path);
    if (name == NULL) {
        outs_fail(outs, path, "out of memory", "");
        return NULL;
    }
    struct ws_out *out = begin(outs, name, BUFFER_SIZE);
    if (out != NULL && out->temp != NULL) {
        unlink(out->temp);
        free(out->temp);
        out->temp = NULL;
    }
    free(name);
    return out;
}

/* ---- Writing of files ------------------------------------------------------------------------ */

static bool flush(struct ws_out *out)
{
    assert(out->used <= out->size);
    int why = write_all(out->fd, out->buffer, out->used);
    if (why != 0) {
        return write_failed(out, why);
    }
    out->written += out->used;
    out->used = 0;
    return true;
}

uint8_t *ws_out_make_room(struct ws_out *out, size_t size)
{
    if (out->outs->failed || !flush(out)) {
        return NULL;
    }
    if (size > out->size) {
        uint8_t *buffer = realloc(out->buffer, size);
        if (buffer == NULL) {
            ws_out_failed(out, "out of memory", 0);
            return NULL;
        }
        out->buffer = buffer;
        out->size = size;
    }
    return out->buffer;
}

bool ws_out_write(struct ws_out *out, const void *data, size_t size)
{
    const uint8_t *bytes = data;
    while (size > 0) {
        size_t part = size < BUFFER_SIZE ? size : BUFFER_SIZE;
        uint8_t *room = ws_out_room(out, part);
        if (room == NULL) {
            return false;
        }
        memcpy(room, bytes, part);
        ws_out_take(out, part);
        bytes += part;
        size -= part;
    }
    return true;
}

bool ws_out_print(struct ws_out *out, const char *words, ...)
{
    char text[1024];
    va_list args;
    va_start(args, words);
    int n = vsnprintf(text, sizeof text, words, args);
    va_end(args);
    return n >= 0 && ws_out_write(out, text, (size_t)n < sizeof text ? (size_t)n : sizeof text - 1);
}

uint64_t ws_out_position(const struct ws_out *out)
{
    return out->written + out->used;
}

bool ws_out_patch(struct ws_out *out, uint64_t offset, const void *data, size_t size)
{
    if (out->outs->failed || !flush(out)) {
        return false;
    }
    assert(offset <= out->written && size <= out->written - offset);
    ssize_t n = pwrite(out->fd, data, size, (off_t)offset);
    return n == (ssize_t)size || write_failed(out, n < 0 ? errno : ENOSPC);
}

bool ws_out_append(struct ws_out *out, struct ws_out *scratch)
{
    assert(out != scratch);
    if (scratch->outs->failed || !flush(scratch)) {
        return false;
    }
    for (uint64_t at = 0; at < scratch->written;) {
        uint8_t *room = ws_out_room(out, BUFFER_SIZE / 4);
        if (room == NULL) {
            return false;
        }
        ssize_t n = pread(scratch->fd, room, BUFFER_SIZE / 4, (off_t)at);
        if (n <= 0) {
            return ws_out_failed(scratch, "cannot read back", n < 0 ? errno : EIO);
        }
        ws_out_take(out, (size_t)n);
        at += (uint64_t)n;
    }
    return true;
}

bool ws_out_end(struct ws_out *out)
{
    bool good = !out->outs->failed && flush(out);
    int fd = out->fd;
    out->fd = -1;
    free(out->buffer);
    out->buffer = NULL;
    out->size = 0;
    if (fd >= 0 && close(fd) != 0 && good) {
        good = write_failed(out, errno);
    }
    return good;
}

FILE *ws_out_stream(struct ws_out *out)
{
    int fd = dup(out->fd);
    FILE *stream = fd < 0 ? NULL : fdopen(fd, "w");
    if (stream == NULL) {
        write_failed(out, errno);
        close(fd);
    }
    return stream;
}

bool ws_out_stream_end(struct ws_out *out, FILE *stream)
{
    if (stream == NULL) {
        return false;
    }
    errno = EIO;
    bool good = !ferror(stream);
    good = fclose(stream) == 0 && good;
    return (good || write_failed(out, errno)) && ws_out_end(out);
}

/* ---- Final names ----------------------------------------------------------------------------- */

static bool has_no_links(int sys_errno)
{
    return sys_errno == EPERM || sys_errno == ENOTSUP || sys_errno == EOPNOTSUPP ||
           sys_errno == ENOSYS || sys_errno == EMLINK;
}

static bool publish(struct ws_out *out)
{
    bool by_rename = out->outs->force;
    if (!by_rename) {
        if (link(out->temp, out->path) == 0) {
            unlink(out->temp);
        } else if (has_no_links(errno)) {
            by_rename = true;
        } else {
            return ws_out_failed(out, "cannot give the file its name", errno);
        }
    }
    if (by_rename && rename(out->temp, out->path) != 0) {
        return ws_out_failed(out, "cannot give the file its name", errno);
    }
    free(out->temp);
    out->temp = NULL;
    return true;
}

bool ws_outs_publish(struct ws_outs *outs)
{
    for (struct ws_out *o = outs->first; o != NULL && !outs->failed; o = o->next) {
        if (o->temp != NULL) {
            publish(o);
        }
    }
    if (!outs->failed && outs->n_parts > 0) {
        fprintf(stderr,
                "warpscope: note: %s: left by a program that is still writing or was killed (files "
                "like it: %zu); remove them if none is writing\n",
                outs->part, outs->n_parts);
    }
    return !outs->failed;
}

void ws_outs_free(struct ws_outs *outs)
{
    while (outs->first != NULL) {
        struct ws_out *o = outs->first;
        outs->first = o->next;
        if (o->fd >= 0) {
            close(o->fd);
        }
        if (o->temp != NULL) {
            unlink(o->temp);
        }
        free(o->buffer);
        free(o->path);
        free(o->temp);
        free(o);
    }
    free(outs->inputs);
    if (outs->folder != NULL) {
        rmdir(outs->folder); /* fails if the directory has files */
        free(outs->folder);
    }
    if (outs->held) {
        ws_interrupt_release(&outs->interrupt);
    }
    *outs = (struct ws_outs){0};
}
