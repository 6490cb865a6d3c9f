/* SPDX-License-Identifier: BSD-3-Clause */
/* known.c - see known.h. */
#include "data/known.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "text/nearest.h"
#include "text/utf8.h"

void ws_known_add(char *known, size_t size, const char *name)
{
    assert(strlen(known) < size);
    char plain[64];
    size_t used = strlen(known);
    utf8_plain(plain, sizeof plain, name, SIZE_MAX);
    size_t length = strlen(plain);
    /* Without this check, the loop below would search for an empty name beyond the end of the
     * list. */
    if (length == 0) {
        return;
    }
    for (const char *at = strstr(known, plain); at != NULL; at = strstr(at + 1, plain)) {
        bool begins = at == known || at[-1] == ' ';
        if (begins && (at[length] == '\0' || at[length] == ',')) {
            return;
        }
    }
    if (used + length + 3 < size) {
        snprintf(known + used, size - used, "%s%s", used > 0 ? ", " : "", plain);
    }
}

void ws_known_nearest(const char *known, const char *word, char near[64])
{
    struct nearest search = nearest_of(word, strlen(word));
    near[0] = '\0';
    while (*known != '\0') {
        char name[64];
        size_t length = strcspn(known, ",");
        snprintf(name, sizeof name, "%.*s", (int)length, known);
        nearest_offer(&search, name);
        if (search.name == name) {
            memcpy(near, name, sizeof name);
            search.name = near;
        }
        known += length + strspn(known + length, ", ");
    }
}

bool ws_name_list_read(struct ws_name_list *list, const char *text)
{
    bool good = text[0] != '\0' && text[0] != ',';
    *list = (struct ws_name_list){.text = strdup(text), .n = 1};
    for (char *p = list->text; p != NULL && *p != '\0'; p++) {
        if (*p == ',') {
            good &= p[1] != ',' && p[1] != '\0';
            *p = '\0';
            list->n++;
        }
    }
    list->found = calloc(list->n, sizeof *list->found);
    list->n = list->text != NULL && list->found != NULL ? list->n : 0;
    return good && list->n > 0;
}

void ws_name_list_free(struct ws_name_list *list)
{
    free(list->text);
    free(list->found);
    *list = (struct ws_name_list){.n = 0};
}

bool ws_ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), end_length = strlen(end);
    return length > end_length && strcmp(text + length - end_length, end) == 0;
}

char *ws_find_ending(const char *folder, const char *end, int *error)
{
    DIR *dir = opendir(folder);
    const struct dirent *entry;
    char *name = NULL;
    *error = dir == NULL ? errno : 0;
    while (dir != NULL && name == NULL && (entry = readdir(dir)) != NULL) {
        name = ws_ends_with(entry->d_name, end) ? strdup(entry->d_name) : NULL;
    }
    if (dir != NULL) {
        closedir(dir);
    }
    return name;
}

void ws_words_add(char *text, size_t size, const char *format, ...)
{
    size_t used = strlen(text);
    used += (size_t)snprintf(text + used, size - used, "%s", used > 0 ? "; " : "");
    if (used < size) {
        WS_FORMAT(text + used, size - used, format);
    }
}
