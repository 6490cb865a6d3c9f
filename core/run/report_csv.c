/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report_csv.c - the report as a row of a table to which each run adds a row (--csv=FILE), see
 * report_files.h.
 *
 * The same calls write the names of the columns and their values, so that both always agree. Rows
 * are appended under a file lock if the file system supports locks. Two runs that find the file
 * empty then do not both write the names, and an incomplete row can be removed.
 */
#include "run/report_files.h"

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
#include "text/date.h"
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
    char text[DATE_MAX];
    date_text(text, (double)time(NULL));
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

/* Returns a line of names or of values with its newline. The caller frees the line. NULL: memory is
 * short. */
static char *make_line(const struct report *report, bool names)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
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
    const char *path;
    char *error; /* buffer for a clause about an error */
    size_t error_size;
    int fd;
    bool regular;    /* true for a regular file; a pipe or a device cannot be read back */
    off_t size;      /* size in bytes; 0 if the file is not regular */
    bool line_ended; /* true if the last line ends with a newline, or the file is empty */
};

/* Writes to the file's error the clause `what`, and the reason `number`, an errno value; 0: none.
 * Returns false. */
static bool fail(const struct csv_file *file, const char *what, int number)
{
    snprintf(file->error, file->error_size, "%s%s%s", what, number != 0 ? ": " : "",
             number != 0 ? strerror(number) : "");
    return false;
}

/* Opens the file, unless file->fd is already open, and sets the other members of *file. */
static bool open_file(struct csv_file *file)
{
    struct stat about;
    char why[TRUST_WHY_MAX], unused[TRUST_WHY_MAX];
    if (file->fd < 0) {
        file->fd =
            trust_open(TRUST_WRITE, file->path, O_RDWR | O_APPEND | O_CREAT, 0666, why, sizeof why);
        if (file->fd < 0 && errno == EACCES) { /* a terminal may be writable only */
            file->fd =
                trust_open(TRUST_WRITE, file->path, O_WRONLY | O_APPEND, 0, unused, sizeof unused);
        }
    }
    if (file->fd < 0) {
        snprintf(file->error, file->error_size, "cannot be written: %s", why);
        return false;
    }
    if (fstat(file->fd, &about) != 0) {
        return fail(file, "cannot be written", errno);
    }
    file->regular = S_ISREG(about.st_mode);
    if (file->regular) {
        flock(file->fd, LOCK_EX); /* ignores errors: the file system may not support locks */
    }
    file->size = file->regular && fstat(file->fd, &about) == 0 ? about.st_size : 0;
    char last = '\n';
    if (file->size > 0 && pread(file->fd, &last, 1, file->size - 1) != 1) {
        return fail(file, "cannot be read", errno);
    }
    file->line_ended = last == '\n';
    return true;
}

/* Returns true if the file is empty or begins with the line `names`. */
static bool check_names(const struct csv_file *file, const char *names)
{
    size_t length = strlen(names);
    if (file->size == 0) {
        return true;
    }
    char *found = malloc(length);
    if (found == NULL) {
        return fail(file, "out of memory", 0);
    }
    ssize_t n = pread(file->fd, found, length, 0);
    int number = n < 0 ? errno : 0;
    bool same = n == (ssize_t)length && memcmp(found, names, length) == 0;
    free(found);
    return same || (number != 0 ? fail(file, "cannot be read", number)
                                : fail(file,
                                       "is not a table of this version: its first line names other "
                                       "columns; give another file, or move this one away",
                                       0));
}

static bool write_row(const struct csv_file *file, const char *text, size_t length)
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
        return true;
    }
    int number = written < 0 ? errno : ENOSPC;
    bool is_part = done > 0 && file->regular && ftruncate(file->fd, file->size) != 0;
    return fail(file, is_part ? "a part of the row was written" : "cannot be written", number);
}

/* Appends the row to the file by a single write. If the file is empty, the same write puts the line
 * `names` before the row. */
static bool append(const struct csv_file *file, const char *names, const char *row)
{
    const char *first = file->size == 0 ? names : file->line_ended ? "" : "\n";
    size_t length = strlen(first) + strlen(row);
    char *text = malloc(length + 1);
    if (text == NULL) {
        return fail(file, "out of memory", 0);
    }
    snprintf(text, length + 1, "%s%s", first, row);
    bool good = write_row(file, text, length);
    free(text);
    return good;
}

/* Checks the table in the file and, unless report is NULL, appends a row. */
static bool table_open(struct csv_file *file, const struct report *report)
{
    static const struct report nothing = {0};
    char *names = make_line(&nothing, true);
    char *row = report != NULL ? make_line(report, false) : NULL;
    bool good = names != NULL && (row != NULL || report == NULL);
    good = good ? open_file(file) && check_names(file, names) : fail(file, "out of memory", 0);
    good = good && (row == NULL || append(file, names, row));
    free(names);
    free(row);
    if (file->fd >= 0 && close(file->fd) != 0 && good) {
        return fail(file, "cannot be written", errno);
    }
    return good;
}

bool report_csv_append(const struct report *report, const char *path, int pipe_fd, char *error,
                       size_t error_size)
{
    struct csv_file file = {path, error, error_size, .fd = pipe_fd};
    return table_open(&file, report);
}

/* Checks that a file can be created at the real path. Does not create it, since another run may be
 * about to append to it. */
static bool check_folder(const struct csv_file *file, char *real)
{
    char *slash = strrchr(real, '/');
    if (slash != NULL) {
        slash[1] = '\0';
    }
    return access(slash == NULL ? "." : real, W_OK | X_OK) == 0 ||
           fail(file, "cannot be written", errno);
}

bool report_csv_check(const char *path, char *error, size_t error_size)
{
    struct stat about;
    struct csv_file file = {path, error, error_size, .fd = -1};
    char real[PATH_MAX], why[TRUST_WHY_MAX];
    if (!trust_check(TRUST_WRITE, path, real, &about, why, sizeof why)) {
        snprintf(error, error_size, "cannot be written: %s", why);
        return false;
    }
    if (about.st_mode == 0) {
        return check_folder(&file, real);
    }
    if (S_ISDIR(about.st_mode) || access(path, W_OK) != 0) {
        return fail(&file, "cannot be written", S_ISDIR(about.st_mode) ? EISDIR : errno);
    }
    return !S_ISREG(about.st_mode) || table_open(&file, NULL);
}
