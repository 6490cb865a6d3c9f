/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * elf.h - reads the sections, symbols and texts of ELF files (System V ABI, chapters "Sections" and
 * "Symbol Table"). A file may be damaged, so every position is checked before it is read.
 */
#ifndef WARPSCOPE_FILES_ELF_H
#define WARPSCOPE_FILES_ELF_H

#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The contents of a file. */
struct elf {
    const unsigned char *bytes;
    size_t size;
    ElfW(Ehdr) head;
};

/* Describes an ELF file in memory. Returns false if the bytes are none with the word size and byte order
 * of this program. */
bool elf_use(struct elf *e, const void *bytes, size_t size);
/* Maps a file and describes it, like elf_use(). elf_unmap() must be called afterwards, also after an
 * error. */
bool elf_map(struct elf *e, const char *path);
void elf_unmap(struct elf *e);

/* Copies the header of section i. Returns false if there is none. */
bool elf_section(const struct elf *e, size_t i, ElfW(Shdr) * section);
/* Copies entry i of a section whose entries have `size` bytes. Returns false if there is none. */
bool elf_entry(const struct elf *e, const ElfW(Shdr) * section, size_t i, void *entry, size_t size);
/* Returns the text at an offset in a section of texts; "" if there is none. */
const char *elf_text(const struct elf *e, const ElfW(Shdr) * texts, uint64_t offset);

#endif
