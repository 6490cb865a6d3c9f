/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * st_counter_state.c - the tables of st_counter.so in checkpoints, and with LPs that move.
 *
 * Lines with tabs between fields: "R", a row's key, its sums; "O", a row's key, the flags of the
 * LP's open begin records of that stream and type; "S", a row's key, an open begin record. A key
 * has the names of stream and type, and the point's id, function, file, line and column. Lines that
 * this process cannot understand, such as those with unknown types, are skipped.
 */
#include "st_counter.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void save_key(FILE *out, const char *what, const struct row *row)
{
    const st_point *p = row->point;
    fprintf(out, "%s\t%s\t%u\t%s\t%" PRIx64 "\t:%s\t:%s\t%u\t%u", what,
            the_counter.api->stream_name(row->stream), row->type,
            the_counter.api->type_name(row->type), p != NULL ? p->id : 0,
            p != NULL ? the_counter.api->string_text(p->function) : "",
            p != NULL ? the_counter.api->string_text(p->file) : "", p != NULL ? p->line : 0,
            p != NULL ? p->column : 0);
}

static void save_open(FILE *out, tw_lpid lp, const struct row *row)
{
    const struct open *open = counter_find(lp, row->stream, row->type);
    if (open != NULL) {
        save_key(out, "O", row);
        fprintf(out, "\t%d\t%d\n", open->has_no_end, open->has_ended);
    }
    for (uint32_t i = 0; open != NULL && i < open->n; i++) {
        save_key(out, "S", &the_counter.rows[open->starts[i].row]);
        fprintf(out, "\t%a\t%" PRIu64 "\n", open->starts[i].ts, open->starts[i].instance);
    }
}

size_t st_subscriber_save(tw_lpid lp, bool is_first, void *bytes, size_t size)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    for (size_t i = 0; out != NULL && i < the_counter.n_rows; i++) {
        const struct row *row = &the_counter.rows[i];
        size_t first = 0; /* the first row of this stream and type saves the open records of both */
        while (the_counter.rows[first].stream != row->stream ||
               the_counter.rows[first].type != row->type) {
            first++;
        }
        if (is_first) {
            save_key(out, "R", row);
            fprintf(out, "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRId64 "\t%a\n",
                    row->emitted, row->committed, row->wall_pairs, row->virtual_pairs, row->wall_ns,
                    row->virtual_time);
        }
        if (first == i) {
            save_open(out, lp, row);
        }
    }
    the_counter.is_out_of_memory |= out == NULL || fclose(out) != 0;
    if (bytes != NULL && text != NULL) {
        memcpy(bytes, text, size);
    }
    free(text);
    return length;
}

/* Returns the row that the key in a line names, and sets *rest to the text behind the key; NULL: it
 * cannot be understood. */
static struct row *restore_key(const char *line, const char **rest)
{
    char stream[64], type_name[128], function[1024], file[4096];
    uint64_t id;
    unsigned type, place[2];
    int used = 0;
    sscanf(line, "%*c\t%63[^\t]\t%u\t%127[^\t]\t%" SCNx64 "\t%1023[^\t]\t%4095[^\t]\t%u\t%u%n",
           stream, &type, type_name, &id, function, file, &place[0], &place[1], &used);
    st_record r = {.stream = used > 0 ? the_counter.api->stream_find(stream) : 0,
                   .type = (st_type)type};
    if (r.stream == 0 || strcmp(the_counter.api->type_name(r.type), type_name) != 0) {
        return NULL;
    }
    r.point = id != 0 ? the_counter.api->point_by_id(id) : NULL;
    if (id != 0 && r.point == NULL) {
        r.point = the_counter.api->point_make(function + 1, file + 1, place[0], place[1], NULL);
    }
    int64_t i = counter_row(&r);
    the_counter.is_out_of_memory |= i < 0;
    *rest = line + used;
    return i < 0 ? NULL : &the_counter.rows[i];
}

static void restore_line(tw_lpid lp, const char *line)
{
    const char *rest;
    struct row add = {.emitted = 0}, *row = restore_key(line, &rest);
    struct start start;
    int flags[2];
    const st_record r = {
        .stream = row != NULL ? row->stream : 0, .type = row != NULL ? row->type : 0, .lp = lp};
    if (row != NULL && line[0] == 'R' &&
        sscanf(rest, "%" SCNu64 "%" SCNu64 "%" SCNu64 "%" SCNu64 "%" SCNd64 "%la", &add.emitted,
               &add.committed, &add.wall_pairs, &add.virtual_pairs, &add.wall_ns,
               &add.virtual_time) == 6) {
        row->emitted += add.emitted;
        row->committed += add.committed;
        row->wall_pairs += add.wall_pairs;
        row->virtual_pairs += add.virtual_pairs;
        row->wall_ns += add.wall_ns;
        row->virtual_time += add.virtual_time;
        return;
    }
    struct open *open = row != NULL && line[0] != 'R' ? counter_open(&r) : NULL;
    the_counter.is_out_of_memory |= row != NULL && line[0] != 'R' && open == NULL;
    if (open != NULL && line[0] == 'S' &&
        sscanf(rest, "%la%" SCNu64, &start.ts, &start.instance) == 2) {
        the_counter.is_out_of_memory |=
            !counter_push(open, (uint32_t)(row - the_counter.rows),
                          &(st_record){.ts = start.ts, .instance = start.instance});
    } else if (open != NULL && line[0] == 'O' && sscanf(rest, "%d%d", &flags[0], &flags[1]) == 2) {
        open->has_no_end = flags[0] != 0;
        open->has_ended = flags[1] != 0;
    }
}

bool st_subscriber_restore(tw_lpid lp, const void *bytes, size_t size)
{
    char *text = strndup(bytes, size), *line = NULL;
    for (char *at = text; at != NULL && (line = strsep(&at, "\n")) != NULL;) {
        restore_line(lp, line);
    }
    the_counter.is_out_of_memory |= text == NULL;
    free(text);
    return true;
}

void st_subscriber_forget(void)
{
    counter_forget();
}
