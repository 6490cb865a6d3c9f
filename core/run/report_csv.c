/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report_csv.c - see report_csv.h.
 *
 * The same calls write the names of the columns and their values, so that both always agree. Rows
 * are appended under a file lock if the file system supports locks. Two runs that find the file
 * empty then do not both write the names, and an incomplete row can be removed.
 */
#include "run/report_csv.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "files/trust.h"
#include "run/report_fields.h"
#include "text/csv.h"
#include "text/decimal.h"

/* ---- Line of names or values ----------------------------------------------------------------- */

struct csv_line {
    FILE *out;
    bool names; /* true: the line of names; false: a row of values */
    unsigned n; /* number of cells begun so far */
};

/* Begins a cell. In the line of names, writes `name` to it and returns false. In a row of values,
 * returns true; the caller then writes the value. */
static bool begin_cell(struct csv_line *line, const char *name)
{
    assert(name != NULL && name[0] != '\0');
    fputs(line->n++ > 0 ? "," : "", line->out);
    if (line->names) {
        fputs(name, line->out);
    }
    return !line->names;
}

static void cell_text(struct csv_line *line, const char *name, const char *text)
{
    if (begin_cell(line, name) && text != NULL) {
        csv_print(line->out, text, strlen(text));
    }
}

static void cell_u64(struct csv_line *line, const char *name, uint64_t value)
{
    if (begin_cell(line, name)) {
        fprintf(line->out, "%" PRIu64, value);
    }
}

static void cell_double(struct csv_line *line, const char *name, double value)
{
    char digits[DECIMAL_MAX];
    if (begin_cell(line, name) && isfinite(value)) {
        fwrite(digits, 1, decimal_f64(digits, value), line->out);
    }
}

static void cell_hash(struct csv_line *line, const char *name, bool known, uint64_t value)
{
    if (begin_cell(line, name) && known) {
        fprintf(line->out, "%016" PRIx64, value);
    }
}

static void cell_date(struct csv_line *line, const char *name)
{
    char text[32] = "";
    struct tm utc;
    time_t now = time(NULL);
    if (gmtime_r(&now, &utc) != NULL) {
        strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
    }
    cell_text(line, name, text);
}

/* ---- Columns --------------------------------------------------------------------------------- */

/* Each macro CELL_type writes a cell for a figure of that type in report_fields.h. */
#define CELL_string(name, value) cell_text(line, name, value)
#define CELL_u64(name, value)    cell_u64(line, name, value)
#define CELL_flag(name, value)   cell_u64(line, name, value)
#define CELL_double(name, value) cell_double(line, name, value)
#define CELL_hash(name, value)   cell_hash(line, name, r->has_fingerprints, value)
#define CELL(type, name, value)  CELL_##type(#name, value);

static void put_figures(struct csv_line *line, const struct report *r)
{
    cell_date(line, "date");
    REPORT_RUN_FIELDS(CELL, r)
    REPORT_DERIVED_FIELDS(CELL, r)
#define X(name, text) cell_u64(line, #name, r->counters.name);
    TW_COUNTER_LIST(X)
#undef X
    REPORT_MEMORY_FIELDS(CELL, &r->memory)
}

/* Writes a cell per phase with the seconds that the phase took. The cell is empty if the phase was
 * not timed. */
static void put_phases(struct csv_line *line, const struct report *r)
{
    assert(r->n_phases <= TW_PHASES);
    static const char *const names[] = {
#define X(name, text) "seconds_" #name,
        TW_PHASE_LIST(X)
#undef X
    };
    for (size_t i = 0; i < TW_PHASES; i++) {
        cell_double(line, names[i], i < r->n_phases ? r->phases[i].seconds : (double)NAN);
    }
}

/* Returns a line of names or of values with its newline, and sets *length to its length in bytes.
 * The caller frees the line. NULL: memory is short. */
static char *make_line(const struct report *report, bool names, size_t *length)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, length);
    if (out == NULL) {
        return NULL;
    }
    struct csv_line line = {.out = out, .names = names};
    put_figures(&line, report);
    put_phases(&line, report);
    fputc('\n', out);
    bool made = ferror(out) == 0;
    made = fclose(out) == 0 && made;
    if (!made) {
        free(text);
        text = NULL;
    }
    return text;
}

/* ---- File ------------------------------------------------------------------------------------ */

struct csv_file {
    int fd;
    bool regular;    /* true for a regular file; a pipe or a device cannot be read back */
    off_t size;      /* size in bytes; 0 if the file is not regular */
    bool line_ended; /* true if the last line ends with a newline, or the file is empty */
};

static enum tw_status fail(char *error, size_t error_size, enum tw_status status, const char *what)
{
    snprintf(error, error_size, "%s", what);
    return status;
}

static enum tw_status fail_io(char *error, size_t error_size, const char *what, int number)
{
    snprintf(error, error_size, "%s: %s", what, strerror(number));
    return TW_ERR_IO;
}

/* Opens the file at path, unless file->fd is already open, and sets the members of *file. */
static enum tw_status open_file(struct csv_file *file, const char *path, char *error,
                                size_t error_size)
{
    struct stat about;
    char why[TRUST_WHY_MAX], unused[TRUST_WHY_MAX];
    if (file->fd < 0) {
        file->fd =
            trust_open(TRUST_WRITE, path, O_RDWR | O_APPEND | O_CREAT, 0666, why, sizeof why);
        if (file->fd < 0 && errno == EACCES) { /* a terminal may be writable only */
            file->fd = trust_open(TRUST_WRITE, path, O_WRONLY | O_APPEND, 0, unused, sizeof unused);
        }
    }
    if (file->fd < 0) {
        snprintf(error, error_size, "cannot be written: %s", why);
        return TW_ERR_IO;
    }
    if (fstat(file->fd, &about) != 0) {
        return fail_io(error, error_size, "cannot be written", errno);
    }
    file->regular = S_ISREG(about.st_mode);
    if (file->regular) {
        flock(file->fd, LOCK_EX); /* ignores errors: the file system may not support locks */
    }
    file->size = file->regular && fstat(file->fd, &about) == 0 ? about.st_size : 0;
    char last = '\n';
    if (file->size > 0 && pread(file->fd, &last, 1, file->size - 1) != 1) {
        return fail_io(error, error_size, "cannot be read", errno);
    }
    file->line_ended = last == '\n';
    return TW_OK;
}

/* Returns TW_OK if the file is empty or begins with the line `names`, of `length` bytes. */
static enum tw_status check_names(const struct csv_file *file, const char *names, size_t length,
                                  char *error, size_t error_size)
{
    if (file->size == 0) {
        return TW_OK;
    }
    char *found = malloc(length);
    if (found == NULL) {
        return fail(error, error_size, TW_ERR_MEMORY, "out of memory");
    }
    ssize_t n = pread(file->fd, found, length, 0);
    bool same = n == (ssize_t)length && memcmp(found, names, length) == 0;
    free(found);
    if (n < 0) {
        return fail_io(error, error_size, "cannot be read", errno);
    }
    return same ? TW_OK
                : fail(error, error_size, TW_ERR_USAGE,
                       "is not a table of this version: its first line names other columns; give "
                       "another file, or move this one away");
}

static enum tw_status write_row(const struct csv_file *file, const char *text, size_t length,
                                char *error, size_t error_size)
{
    assert(file->fd >= 0 && length > 0);
    ssize_t written;
    size_t done = 0;
    /* A pipe may accept a long row in several parts. A full disk accepts a part of the row, and the
     * next write reports the error. */
    do {
        errno = 0;
        written = write(file->fd, text + done, length - done);
        done += written > 0 ? (size_t)written : 0;
    } while ((written < 0 && errno == EINTR) || (written > 0 && done < length));
    if (done == length) {
        return TW_OK;
    }
    int number = written < 0 ? errno : ENOSPC;
    if (done > 0 && file->regular && ftruncate(file->fd, file->size) != 0) {
        return fail_io(error, error_size, "a part of the row was written", number);
    }
    return fail_io(error, error_size, "cannot be written", number);
}

/* Appends the row to the file by a single write. If the file is empty, the same write puts the line
 * `names` before the row. */
static enum tw_status append(const struct csv_file *file, const char *names, const char *row,
                             char *error, size_t error_size)
{
    const char *first = file->size == 0 ? names : file->line_ended ? "" : "\n";
    size_t length = strlen(first) + strlen(row);
    char *text = malloc(length + 1);
    if (text == NULL) {
        return fail(error, error_size, TW_ERR_MEMORY, "out of memory");
    }
    snprintf(text, length + 1, "%s%s", first, row);
    enum tw_status status = write_row(file, text, length, error, error_size);
    free(text);
    return status;
}

static enum tw_status close_file(struct csv_file *file, enum tw_status status, char *error,
                                 size_t error_size)
{
    if (file->fd >= 0 && close(file->fd) != 0 && status == TW_OK) {
        return fail_io(error, error_size, "cannot be written", errno);
    }
    return status;
}

enum tw_status report_csv_append(const struct report *report, const char *path, int pipe_fd,
                                 char *error, size_t error_size)
{
    struct csv_file file = {.fd = pipe_fd};
    size_t names_length = 0;
    size_t row_length = 0;
    char *names = make_line(report, true, &names_length);
    char *row = make_line(report, false, &row_length);
    enum tw_status status = names == NULL || row == NULL
                                ? fail(error, error_size, TW_ERR_MEMORY, "out of memory")
                                : open_file(&file, path, error, error_size);
    if (status == TW_OK) {
        status = check_names(&file, names, names_length, error, error_size);
    }
    if (status == TW_OK) {
        status = append(&file, names, row, error, error_size);
    }
    free(names);
    free(row);
    return close_file(&file, status, error, error_size);
}

/* Checks that a file can be created at path. Does not create it, since another run may be about to
 * append to it. */
static enum tw_status check_folder(const char *path, char *error, size_t error_size)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash == NULL ? strdup(".") : strndup(path, (size_t)(slash - path) + 1);
    if (folder == NULL) {
        return fail(error, error_size, TW_ERR_MEMORY, "out of memory");
    }
    bool writable = access(folder, W_OK | X_OK) == 0;
    int number = errno;
    free(folder);
    return writable ? TW_OK : fail_io(error, error_size, "cannot be written", number);
}

enum tw_status report_csv_check(const char *path, char *error, size_t error_size)
{
    static const struct report nothing = {0};
    struct stat about;
    struct csv_file file = {.fd = -1};
    char real[PATH_MAX], why[TRUST_WHY_MAX];
    size_t length = 0;
    if (!trust_check(TRUST_WRITE, path, real, &about, why, sizeof why)) {
        snprintf(error, error_size, "cannot be written: %s", why);
        return TW_ERR_IO;
    }
    if (about.st_mode == 0) {
        return check_folder(real, error, error_size);
    }
    if (S_ISDIR(about.st_mode) || access(path, W_OK) != 0) {
        return fail_io(error, error_size, "cannot be written",
                       S_ISDIR(about.st_mode) ? EISDIR : errno);
    }
    if (!S_ISREG(about.st_mode)) {
        return TW_OK;
    }
    char *names = make_line(&nothing, true, &length);
    enum tw_status status = names == NULL ? fail(error, error_size, TW_ERR_MEMORY, "out of memory")
                                          : open_file(&file, path, error, error_size);
    if (status == TW_OK) {
        status = check_names(&file, names, length, error, error_size);
    }
    free(names);
    return close_file(&file, status, error, error_size);
}
