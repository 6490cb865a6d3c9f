/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program.c - finds a program, and checks that it can run with the CUDA runtime for the CPU;
 * see record.h. All offsets that are read from a file are checked, since the file may be damaged.
 */
#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/child.h"
#include "memtrace/record/record.h"

#define RUNTIME  "libcudart.so."
#define VERSION  "13"
#define REGISTER "__cudaRegisterFatBinary"

bool ws_record_program(const char *name, char *out)
{
    struct stat st;
    bool is_path = strchr(name, '/') != NULL;
    bool found = ws_program_find(name, getenv("PATH"), NULL, out);
    if (!found) {
        ws_record_say("%s: %s%s", name,
                      !is_path               ? "is not in PATH; a program in this directory is ./"
                      : stat(name, &st) == 0 ? "is not a program that runs here"
                                             : "is missing",
                      is_path ? "" : name);
    }
    return found;
}

/* ---- Libraries of the program ---------------------------------------------------------------- */

struct elf {
    const uint8_t *bytes;
    size_t size;
    Elf64_Ehdr head;
};

/* Facts about a program, from the headers of its file. */
struct linked {
    char runtime[32]; /* file name of the CUDA runtime that it loads; empty: none */
    bool has_kernels;
    bool has_runtime; /* true if its symbols say where the CUDA runtime is in the program */
};

static bool part_is_inside(const struct elf *e, uint64_t offset, uint64_t size)
{
    return offset <= e->size && size <= e->size - offset;
}

/* Copies the header of section i to *section. Returns false if the header or the section lies
 * outside the file. */
static bool section_get(const struct elf *e, uint32_t i, Elf64_Shdr *section)
{
    uint64_t offset = e->head.e_shoff + (uint64_t)i * sizeof *section;
    if (e->head.e_shentsize != sizeof *section || e->head.e_shoff > e->size ||
        !part_is_inside(e, offset, sizeof *section)) {
        return false;
    }
    memcpy(section, e->bytes + offset, sizeof *section);
    return section->sh_type == SHT_NOBITS ||
           part_is_inside(e, section->sh_offset, section->sh_size);
}

/* Returns the text at an offset in the string table `table`, or "" if the table or the offset is
 * invalid. */
static const char *text_at(const struct elf *e, const Elf64_Shdr *table, uint64_t offset)
{
    bool ends = table->sh_type == SHT_STRTAB && table->sh_size > 0 &&
                e->bytes[table->sh_offset + table->sh_size - 1] == '\0';
    return ends && offset < table->sh_size ? (const char *)e->bytes + table->sh_offset + offset
                                           : "";
}

/* Copies entry i of a section of entries of `size` bytes. Returns false if there is none. */
static bool entry_get(const struct elf *e, const Elf64_Shdr *section, uint64_t i, void *entry,
                      size_t size)
{
    const bool is_there = i < section->sh_size / size;
    if (is_there) {
        memcpy(entry, e->bytes + section->sh_offset + i * size, size);
    }
    return is_there;
}

static void dynamic_read(const struct elf *e, const Elf64_Shdr *section, struct linked *linked)
{
    Elf64_Shdr texts;
    Elf64_Dyn entry;
    bool has_texts = section_get(e, section->sh_link, &texts);
    for (uint64_t i = 0; has_texts && entry_get(e, section, i, &entry, sizeof entry); i++) {
        const char *text = text_at(e, &texts, entry.d_un.d_val);
        if (entry.d_tag == DT_NEEDED && strncmp(text, RUNTIME, sizeof RUNTIME - 1) == 0) {
            snprintf(linked->runtime, sizeof linked->runtime, "%s", text);
        }
    }
}

/* Looks in a symbol table for a function of the CUDA runtime, which the library for the CPU can
 * replace on this processor (cuda/runtime/embedded.c). */
static void symbols_read(const struct elf *e, const Elf64_Shdr *section, struct linked *linked)
{
    Elf64_Shdr texts;
    Elf64_Sym symbol;
    bool has_texts = section_get(e, section->sh_link, &texts);
    for (uint64_t i = 0; has_texts && entry_get(e, section, i, &symbol, sizeof symbol); i++) {
        linked->has_runtime |= e->head.e_machine == EM_X86_64 && symbol.st_shndx != SHN_UNDEF &&
                               strcmp(text_at(e, &texts, symbol.st_name), REGISTER) == 0;
    }
}

static void sections_read(struct elf *e, struct linked *linked)
{
    Elf64_Shdr names, section;
    memcpy(&e->head, e->bytes, sizeof e->head);
    bool is_known = e->head.e_ident[EI_CLASS] == ELFCLASS64 && e->head.e_type != ET_CORE &&
                    e->head.e_ident[EI_DATA] ==
                        (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB);
    if (!is_known || !section_get(e, e->head.e_shstrndx, &names)) {
        return;
    }
    for (uint32_t i = 0; i < e->head.e_shnum; i++) {
        if (!section_get(e, i, &section)) {
            continue;
        }
        const char *name = text_at(e, &names, section.sh_name);
        linked->has_kernels |= strcmp(name, ".nv_fatbin") == 0;
        if (section.sh_type == SHT_DYNAMIC) {
            dynamic_read(e, &section, linked);
        } else if (section.sh_type == SHT_SYMTAB) {
            symbols_read(e, &section, linked);
        }
    }
}

/* Returns the facts about the program `path`. All members are zero if it is not an ELF file. */
static struct linked linked_read(const char *path)
{
    struct linked linked = {.has_kernels = false};
    struct elf e = {.size = 0};
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd >= 0 && fstat(fd, &st) == 0 && (size_t)st.st_size >= sizeof e.head) {
        e.size = (size_t)st.st_size;
        void *bytes = mmap(NULL, e.size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (bytes != MAP_FAILED) {
            e.bytes = bytes;
            if (memcmp(bytes, ELFMAG, SELFMAG) == 0) {
                sections_read(&e, &linked);
            }
            munmap(bytes, e.size);
        }
    }
    if (fd >= 0) {
        close(fd);
    }
    return linked;
}

bool ws_record_fits_cpu(const char *path)
{
    struct linked linked = linked_read(path);
    if (linked.runtime[0] == '\0' && linked.has_kernels && !linked.has_runtime) {
        return ws_record_say(
            "%s: has the CUDA runtime linked into it, and no symbols that say where; do not strip "
            "it, or link it with -cudart=shared (CMake: CMAKE_CUDA_RUNTIME_LIBRARY=Shared)",
            path);
    }
    return linked.runtime[0] == '\0' || strcmp(linked.runtime, RUNTIME VERSION) == 0 ||
           ws_record_say("%s: needs %s; the runtime for the CPU is that of CUDA " VERSION, path,
                         linked.runtime);
}
