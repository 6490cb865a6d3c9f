/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program_symbols.c - see program_symbols.h. Format: System V ABI, chapters "Sections" and "Symbol
 * Table". The file may be damaged or replaced since the program started, so every position is
 * checked before it is read.
 */
#define _GNU_SOURCE /* required for dladdr1() */
#include "record/describe/program_symbols.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct bytes {
    const unsigned char *at;
    size_t size;
};

/* Returns the part of `all` that begins at `offset` and has `size` bytes; an empty part if it is not
 * within `all`. */
static struct bytes part(struct bytes all, uint64_t offset, uint64_t size)
{
    bool is_inside = offset <= all.size && size <= all.size - offset;
    return is_inside ? (struct bytes){all.at + offset, (size_t)size} : (struct bytes){NULL, 0};
}

static bool read_section(struct bytes file, const ElfW(Ehdr) * head, size_t i, ElfW(Shdr) * out)
{
    struct bytes table = part(file, head->e_shoff, (uint64_t)head->e_shnum * sizeof *out);
    if (table.at == NULL || i >= head->e_shnum) {
        return false;
    }
    memcpy(out, table.at + i * sizeof *out, sizeof *out);
    return true;
}

/* Returns the last part of a name of C++ (_ZN5space4nameE, _ZL4name), and sets *length to its
 * length. Returns NULL if the name has another form. */
static const char *last_part(const char *name, size_t *length)
{
    const char *end = name + *length, *found = NULL;
    const char *at = name + 2 + strspn(name + 2, "NL");
    while (at < end && *at >= '0' && *at <= '9') {
        size_t n = 0;
        for (; at < end && *at >= '0' && *at <= '9' && n < 10000; at++) {
            n = 10 * n + (size_t)(*at - '0');
        }
        if (n == 0 || n > (size_t)(end - at)) {
            return NULL;
        }
        found = at;
        *length = n;
        at += n;
    }
    return found;
}

/* Copies a name to out, without namespaces of C++ and without suffixes of compilers (name.1).
 * Returns false if it is too long. */
static bool shorten(const char *name, size_t length, char *out)
{
    size_t n = strcspn(name, ".");
    length = n < length ? n : length;
    if (length > 2 && memcmp(name, "_Z", 2) == 0) {
        name = last_part(name, &length);
    }
    if (name == NULL || length == 0 || length > PROGRAM_SYMBOL_MAX) {
        return false;
    }
    memcpy(out, name, length);
    out[length] = '\0';
    return true;
}

/* Searches a symbol table. */
static bool search(struct bytes file, const ElfW(Ehdr) * head, const ElfW(Shdr) * table,
                   size_t address, struct program_symbol *out)
{
    ElfW(Shdr) texts;
    struct bytes symbols = part(file, table->sh_offset, table->sh_size);
    if (!read_section(file, head, table->sh_link, &texts)) {
        return false;
    }
    struct bytes names = part(file, texts.sh_offset, texts.sh_size);
    for (size_t at = 0; at + sizeof(ElfW(Sym)) <= symbols.size; at += sizeof(ElfW(Sym))) {
        ElfW(Sym) symbol;
        memcpy(&symbol, symbols.at + at, sizeof symbol);
        unsigned char type = symbol.st_info & 0xf; /* the same in files of 32 and 64 bits */
        bool is_named = (type == STT_OBJECT || type == STT_FUNC) && symbol.st_shndx != SHN_UNDEF;
        if (!is_named || address < symbol.st_value || address - symbol.st_value >= symbol.st_size ||
            symbol.st_name >= names.size) {
            continue;
        }
        const char *name = (const char *)names.at + symbol.st_name;
        size_t length = strnlen(name, names.size - symbol.st_name);
        bool is_ended = length < names.size - symbol.st_name;
        if (is_ended && shorten(name, length, out->name)) {
            out->size = (size_t)symbol.st_size;
            out->offset = address - (size_t)symbol.st_value;
            return true;
        }
    }
    return false;
}

bool program_symbol_in(const unsigned char *file, size_t size, size_t address,
                       struct program_symbol *out)
{
    static const unsigned wanted[] = {SHT_SYMTAB, SHT_DYNSYM};
    struct bytes all = {file, size};
    ElfW(Ehdr) head;
    if (size < sizeof head) {
        return false;
    }
    memcpy(&head, file, sizeof head);
    unsigned char class_here = sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32;
    if (memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_ident[EI_CLASS] != class_here ||
        head.e_shentsize != sizeof(ElfW(Shdr))) {
        return false;
    }
    for (size_t kind = 0; kind < sizeof wanted / sizeof wanted[0]; kind++) {
        ElfW(Shdr) section;
        for (size_t i = 0; read_section(all, &head, i, &section); i++) {
            if (section.sh_type == wanted[kind] && search(all, &head, &section, address, out)) {
                return true;
            }
        }
    }
    return false;
}

bool program_symbol_find(const void *address, struct program_symbol *out)
{
    Dl_info info;
    struct link_map *map = NULL;
    struct stat about;
    if (dladdr1(address, &info, (void **)&map, RTLD_DL_LINKMAP) == 0 || map == NULL) {
        return false;
    }
    /* The program itself has no name here. */
    int fd = open(map->l_name[0] != '\0' ? map->l_name : "/proc/self/exe", O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return false;
    }
    bool found = false;
    if (fstat(fd, &about) == 0 && S_ISREG(about.st_mode) && about.st_size > 0) {
        size_t size = (size_t)about.st_size;
        void *file = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (file != MAP_FAILED) {
            found = program_symbol_in(file, size, (uintptr_t)address - map->l_addr, out);
            munmap(file, size);
        }
    }
    close(fd);
    return found;
}
