/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program.c - finds a program, and checks that it can run with the CUDA runtime for the CPU;
 * see record.h.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/child.h"
#include "files/elf.h"
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

/* Facts about a program, from the headers of its file. */
struct linked {
    char runtime[32]; /* file name of the CUDA runtime that it loads; empty: none */
    bool has_kernels;
    bool has_runtime; /* true if its symbols say where the CUDA runtime is in the program */
};

static void dynamic_read(const struct elf *e, const ElfW(Shdr) * section, struct linked *linked)
{
    ElfW(Shdr) texts;
    ElfW(Dyn) entry;
    bool has_texts = elf_section(e, section->sh_link, &texts);
    for (size_t i = 0; has_texts && elf_entry(e, section, i, &entry, sizeof entry); i++) {
        const char *text = elf_text(e, &texts, entry.d_un.d_val);
        if (entry.d_tag == DT_NEEDED && strncmp(text, RUNTIME, sizeof RUNTIME - 1) == 0) {
            snprintf(linked->runtime, sizeof linked->runtime, "%s", text);
        }
    }
}

/* Looks in a symbol table for a function of the CUDA runtime, which the library for the CPU can
 * replace on this processor (cuda/runtime/embedded.c). */
static void symbols_read(const struct elf *e, const ElfW(Shdr) * section, struct linked *linked)
{
    ElfW(Shdr) texts;
    ElfW(Sym) symbol;
    bool has_texts = elf_section(e, section->sh_link, &texts);
    for (size_t i = 0; has_texts && elf_entry(e, section, i, &symbol, sizeof symbol); i++) {
        linked->has_runtime |= e->head.e_machine == EM_X86_64 && symbol.st_shndx != SHN_UNDEF &&
                               strcmp(elf_text(e, &texts, symbol.st_name), REGISTER) == 0;
    }
}

/* Returns the facts about the program `path`. All members are zero if it is not an ELF file. */
static struct linked linked_read(const char *path)
{
    struct linked linked = {.has_kernels = false};
    struct elf e;
    ElfW(Shdr) names, section;
    bool is_known =
        elf_map(&e, path) && e.head.e_type != ET_CORE && elf_section(&e, e.head.e_shstrndx, &names);
    for (size_t i = 0; is_known && elf_section(&e, i, &section); i++) {
        linked.has_kernels |= strcmp(elf_text(&e, &names, section.sh_name), ".nv_fatbin") == 0;
        if (section.sh_type == SHT_DYNAMIC) {
            dynamic_read(&e, &section, &linked);
        } else if (section.sh_type == SHT_SYMTAB) {
            symbols_read(&e, &section, &linked);
        }
    }
    elf_unmap(&e);
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
