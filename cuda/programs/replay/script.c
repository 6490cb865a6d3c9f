/* SPDX-License-Identifier: BSD-3-Clause
 *
 * script.c - reads and runs scripts of launches; see script.h.
 */
#include "programs/replay/script.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reader {
    FILE *file;
    char *line, *rest; /* rest: state of strtok_r() */
    size_t space;
    const char *path;
    unsigned number;
};

static void open_script(struct reader *r, const char *path)
{
    *r = (struct reader){.file = fopen(path, "r"), .path = path};
    if (r->file == NULL) {
        run_fail("%s: cannot be opened", path);
    }
}

/* Returns the first word of the next line that is not empty, or NULL at the end of the script. */
static char *next_line(struct reader *r)
{
    while (getline(&r->line, &r->space, r->file) >= 0) {
        r->number++;
        r->line[strcspn(r->line, "#\n")] = '\0';
        char *word = strtok_r(r->line, " ", &r->rest);
        if (word != NULL) {
            return word;
        }
    }
    fclose(r->file);
    free(r->line);
    return NULL;
}

static char *next_word(struct reader *r)
{
    return strtok_r(NULL, " ", &r->rest);
}

static char *must_word(struct reader *r)
{
    char *word = next_word(r);
    if (word == NULL) {
        run_fail("%s:%u: a word is missing", r->path, r->number);
    }
    return word;
}

void script_read(struct script *script, const char *path, const char *directory)
{
    struct reader r;
    const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
    *script = (struct script){.module_count = 0};
    open_script(&r, path);
    for (char *word; (word = next_line(&r)) != NULL;) {
        if (strcmp(word, "module") == 0 && script->module_count < RUN_MODULES) {
            snprintf(script->modules[script->module_count++], sizeof script->modules[0], "%s/%s",
                     directory, must_word(&r));
        } else if (strcmp(word, "unordered") == 0) {
            script->unordered = true;
        }
    }
    if (script->module_count == 0) {
        snprintf(script->modules[script->module_count++], sizeof script->modules[0], "%s/%.*s.ptx",
                 directory, (int)strcspn(name, "."), name);
    }
}

static void values(struct reader *r, struct run *run)
{
    const struct run_array *a = run_find(run, must_word(r));
    const char *type = must_word(r);
    unsigned char *to = (unsigned char *)(uintptr_t)a->address;
    uint64_t room = a->bytes;
    for (char *word; (word = next_word(r)) != NULL;) {
        uint32_t number = (uint32_t)strtoll(word, NULL, 0);
        float real = strtof(word, NULL);
        uint64_t size = strcmp(type, "u8") == 0 ? 1 : 4;
        if (room < size) {
            run_fail("%s:%u: too many values", r->path, r->number);
        }
        memcpy(to, strcmp(type, "f32") == 0 ? (void *)&real : (void *)&number, size);
        to += size;
        room -= size;
    }
}

static void three(uint32_t size[3], const char *word)
{
    char *end;
    size[0] = size[1] = size[2] = 1;
    for (int i = 0; i < 3; i++) {
        size[i] = (uint32_t)strtoul(word, &end, 10);
        if (*end != ',') {
            return;
        }
        word = end + 1;
    }
}

/* Writes the bytes of a structure to `to`. word: HEX[:OFFSET=NAME], see script.h. */
static void structure(struct run *run, unsigned char *to, const struct interp_parameter *p,
                      const char *word)
{
    uint32_t n = 0;
    unsigned byte, offset;
    char name[32];
    for (; n < p->bytes && sscanf(word, "%2x", &byte) == 1; word += 2) {
        to[n++] = (unsigned char)byte;
    }
    if (sscanf(word, ":%u=%31s", &offset, name) == 2 && offset + 8 <= p->bytes) {
        memcpy(to + offset, &run_find(run, name)->address, 8);
    }
}

static void argument(struct reader *r, struct run *run, unsigned char *to,
                     const struct interp_parameter *p, const char *word)
{
    char *end;
    double real = strtod(word + 1 + (word[1] == ':'), NULL);
    float single = (float)real;
    long long number = strtoll(word, &end, 0);
    if (word[0] == 'x' && word[1] == ':') {
        structure(run, to, p, word + 2);
    } else if (word[0] == 'f' && word[1] == ':' && p->bytes == sizeof single) {
        memcpy(to, &single, sizeof single);
    } else if (word[0] == 'd' && word[1] == ':' && p->bytes == sizeof real) {
        memcpy(to, &real, sizeof real);
    } else if (*end == '\0' && p->bytes <= 8) {
        memcpy(to, &number, p->bytes);
    } else if (p->bytes == 8) {
        memcpy(to, &run_find(run, word)->address, 8);
    } else {
        run_fail("%s:%u: %s does not fit a parameter of %u bytes", r->path, r->number, word,
                 p->bytes);
    }
}

static void launch(struct reader *r, struct run *run, unsigned stream)
{
    const char *name = must_word(r);
    struct interp_kernel *kernel = interp_kernel(run->module, name);
    struct interp_launch l = {.cooperative = false};
    unsigned char parameters[RUN_PARAMETER_BYTES] = {0};
    if (kernel == NULL) {
        run_fail("%s:%u: no kernel %s", r->path, r->number, name);
    }
    const struct interp_kernel_facts *facts = interp_kernel_facts(kernel);
    uint32_t i = 0, count = facts->parameter_count - run->rewritten;
    three(l.grid, must_word(r));
    three(l.block, must_word(r));
    for (char *word; (word = next_word(r)) != NULL;) {
        if (strncmp(word, "shared=", 7) == 0) {
            l.shared_bytes = (uint32_t)strtoul(word + 7, NULL, 10);
        } else if (strcmp(word, "cooperative") == 0) {
            l.cooperative = true;
        } else if (i < count && facts->parameter_bytes <= sizeof parameters) {
            argument(r, run, parameters + facts->parameters[i].offset, &facts->parameters[i], word);
            i++;
        } else {
            i = count + 1;
        }
    }
    if (i != count) {
        run_fail("%s:%u: %s has %u parameters", r->path, r->number, name, count);
    }
    l.parameters = parameters;
    run_launch(run, name, stream, &l);
}

void script_run(const char *path, struct run *run)
{
    struct reader r;
    unsigned stream = 1;
    open_script(&r, path);
    for (char *word; (word = next_line(&r)) != NULL;) {
        if (strcmp(word, "array") == 0) {
            word = must_word(&r);
            run_array(run, word, strtoull(must_word(&r), NULL, 0));
        } else if (strcmp(word, "variable") == 0) {
            run_variable(run, must_word(&r));
        } else if (strcmp(word, "values") == 0) {
            values(&r, run);
        } else if (strcmp(word, "stream") == 0) {
            stream = (unsigned)strtoul(must_word(&r), NULL, 10);
        } else if (strcmp(word, "launch") == 0) {
            launch(&r, run, stream);
        } else if (strcmp(word, "module") != 0 && strcmp(word, "unordered") != 0) {
            run_fail("%s:%u: unknown word %s", path, r.number, word);
        }
    }
}
