/* SPDX-License-Identifier: BSD-3-Clause */
/* map_text.c - see map_text.h. */
#include "text/map_text.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#define TITLE   "warpscope-lp-map"
#define VERSION 1u

/* Larger numbers are read as NUMBER_MAX, which is no valid number in a map. */
#define NUMBER_MAX UINT64_MAX

__attribute__((format(printf, 2, 3))) static bool refuse(struct map_text *map, const char *fmt, ...)
{
    int n = map->line > 0
                ? snprintf(map->error, sizeof map->error, "%s:%" PRIu64 ": ", map->path, map->line)
                : snprintf(map->error, sizeof map->error, "%s: ", map->path);
    va_list args;
    va_start(args, fmt);
    if (n >= 0 && (size_t)n < sizeof map->error) {
        vsnprintf(map->error + n, sizeof map->error - (size_t)n, fmt, args);
    }
    va_end(args);
    return false;
}

enum line_result { LINE_READ, LINE_END, LINE_BAD };

/* Reads a line without its comment into text (MAP_TEXT_LINE_MAX + 1 bytes). A comment may have any
 * length. */
static enum line_result line_read(struct map_text *map, FILE *file, char *text)
{
    size_t n = 0;
    bool in_comment = false;
    int c = getc_unlocked(file);
    if (c == EOF) {
        return LINE_END;
    }
    map->line++;
    for (; c != EOF && c != '\n'; c = getc_unlocked(file)) {
        in_comment = in_comment || c == '#';
        if (in_comment) {
            continue;
        }
        if (c == '\0') {
            refuse(map, "is not text");
            return LINE_BAD;
        }
        if (n == MAP_TEXT_LINE_MAX) {
            refuse(map, "has more than %u characters", MAP_TEXT_LINE_MAX);
            return LINE_BAD;
        }
        text[n++] = (char)c;
    }
    text[n] = '\0';
    return LINE_READ;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static const char *blanks_skip(const char *at)
{
    while (is_blank(*at)) {
        at++;
    }
    return at;
}

/* Reads a decimal number at *at, and moves *at past its digits. Returns false if there are no
 * digits. */
static bool number_read(const char **at, uint64_t *number)
{
    const char *c = *at;
    uint64_t n = 0;
    for (; *c >= '0' && *c <= '9'; c++) {
        uint64_t digit = (uint64_t)(*c - '0');
        n = n > (NUMBER_MAX - digit) / 10 ? NUMBER_MAX : n * 10 + digit;
    }
    bool any = c != *at;
    *at = c;
    *number = n;
    return any;
}

/* Reads a number at *at, and moves *at past the number and the blanks behind it. Returns false
 * unless there is a number, followed by a blank or the end of the line. */
static bool word_read(const char **at, uint64_t *number)
{
    bool any = number_read(at, number) && (**at == '\0' || is_blank(**at));
    *at = blanks_skip(*at);
    return any;
}

static bool title_read(struct map_text *map, const char *text)
{
    uint64_t version;
    const char *at = blanks_skip(text);
    if (strncmp(at, TITLE, sizeof TITLE - 1) != 0 || !is_blank(at[sizeof TITLE - 1])) {
        return refuse(map, "is no map of LPs: the first line must be \"%s %u\"", TITLE, VERSION);
    }
    at = blanks_skip(at + sizeof TITLE - 1);
    if (!word_read(&at, &version) || *at != '\0') {
        return refuse(map, "must be \"%s %u\"", TITLE, VERSION);
    }
    return version == VERSION ||
           refuse(map, "the map has version %" PRIu64 "; this program reads version %u", version,
                  VERSION);
}

struct entry {
    uint64_t first, last, rank, kp;
    size_t at; /* place of LP first; set by entry_check() */
    bool has_kp;
};

static bool entry_parse(struct entry *e, const char *at)
{
    *e = (struct entry){.has_kp = false};
    if (!number_read(&at, &e->first)) {
        return false;
    }
    e->last = e->first;
    if (*at == '-') {
        at++;
        if (!number_read(&at, &e->last)) {
            return false;
        }
    }
    if (!is_blank(*at)) {
        return false;
    }
    at = blanks_skip(at);
    if (!word_read(&at, &e->rank)) {
        return false;
    }
    e->has_kp = *at != '\0';
    return (!e->has_kp || word_read(&at, &e->kp)) && *at == '\0';
}

static bool lp_refuse(struct map_text *map, uint64_t lp)
{
    const struct id_set *lps = map->lps;
    return refuse(map, "LP %" PRIu64 ", but the model has %zu LPs, %" PRIu64 " to %" PRIu64 "%s",
                  lp, lps->n, id_set_at(lps, 0), id_set_at(lps, lps->n - 1),
                  id_set_is_dense(lps) ? "" : " with holes");
}

static bool entry_check(struct map_text *map, struct entry *e)
{
    const struct id_set *lps = map->lps;
    e->at = id_set_from(lps, e->first);
    if (e->first > e->last) {
        return refuse(map, "the range %" PRIu64 "-%" PRIu64 " is empty", e->first, e->last);
    }
    if (!map->is_part && e->last > id_set_at(lps, lps->n - 1)) {
        return lp_refuse(map, e->last);
    }
    if (!map->is_part && id_set_at(lps, e->at) > e->last) {
        return lp_refuse(map, e->first);
    }
    if (e->rank >= map->n_ranks) {
        return refuse(map, "rank %" PRIu64 ", but the run has %" PRIu32 " rank%s, 0 to %" PRIu32,
                      e->rank, map->n_ranks, map->n_ranks == 1 ? "" : "s", map->n_ranks - 1);
    }
    if (e->has_kp && e->kp >= map->n_kps) {
        return refuse(map,
                      "KP %" PRIu64 ", but the run has %" PRIu64 " KP%s per rank, 0 to %" PRIu64
                      "; give --nkp=%" PRIu64 " or more",
                      e->kp, map->n_kps, map->n_kps == 1 ? "" : "s", map->n_kps - 1,
                      e->kp < UINT64_MAX ? e->kp + 1 : e->kp);
    }
    return true;
}

static bool entry_take(struct map_text *map, const char *text)
{
    struct entry e;
    const char *at = blanks_skip(text);
    if (*at == '\0') {
        return true;
    }
    if (!entry_parse(&e, at)) {
        return refuse(map, "must be \"LP RANK\", \"LP RANK KP\" or begin with a range of LPs, such "
                           "as \"0-99 1 3\"");
    }
    if (!entry_check(map, &e)) {
        return false;
    }
    for (size_t i = e.at; i < map->lps->n && id_set_at(map->lps, i) <= e.last; i++) {
        if (map->rank_of[i] != MAP_TEXT_NONE) {
            return refuse(map, "LP %" PRIu64 " has a line already", id_set_at(map->lps, i));
        }
        map->rank_of[i] = (uint32_t)e.rank;
        map->kp_of[i] = e.has_kp ? (uint32_t)e.kp : MAP_TEXT_NONE;
    }
    return true;
}

/* Returns true if each LP has a rank. Otherwise writes an error message and returns false. */
static bool all_placed(struct map_text *map)
{
    uint64_t first = 0;
    uint64_t missing = 0;
    for (size_t at = map->lps->n; at-- > 0;) {
        bool has = map->rank_of[at] != MAP_TEXT_NONE;
        missing += !has;
        first = has ? first : id_set_at(map->lps, at);
    }
    map->line = 0;
    if (missing > 1) {
        return refuse(map, "%" PRIu64 " of the model's %zu LPs have no line, LP %" PRIu64 " first",
                      missing, map->lps->n, first);
    }
    return missing == 0 || refuse(map, "LP %" PRIu64 " has no line", first);
}

static bool file_read(struct map_text *map, FILE *file)
{
    assert(map->lps->n > 0 && map->n_ranks > 0 && map->n_ranks < MAP_TEXT_NONE);
    char text[MAP_TEXT_LINE_MAX + 1];
    bool has_title = false;
    enum line_result result;
    map->line = 0;
    memset(map->rank_of, 0xff, map->lps->n * sizeof *map->rank_of);
    errno = 0;
    while ((result = line_read(map, file, text)) == LINE_READ) {
        bool is_empty = *blanks_skip(text) == '\0';
        if (!has_title && !is_empty && !title_read(map, text)) {
            return false;
        }
        if (has_title && !entry_take(map, text)) {
            return false;
        }
        has_title = has_title || !is_empty;
    }
    if (ferror(file)) {
        map->line = 0;
        return refuse(map, "%s", strerror(errno));
    }
    if (result == LINE_END && !has_title) {
        map->line = 0;
        return refuse(map, "is empty; a map of LPs begins with \"%s %u\"", TITLE, VERSION);
    }
    return result == LINE_END && all_placed(map);
}

bool map_text_read(struct map_text *map, FILE *file)
{
    FILE *own = file == NULL ? fopen(map->path, "r") : NULL;
    map->line = 0;
    if (file == NULL && own == NULL) {
        return refuse(map, "%s", strerror(errno));
    }
    bool good = file_read(map, file == NULL ? own : file);
    if (own != NULL) {
        fclose(own);
    }
    return good;
}
