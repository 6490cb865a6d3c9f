/* SPDX-License-Identifier: BSD-3-Clause */
/* elf.c - see elf.h. */
#include "files/elf.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Returns the first of `size` bytes at an offset of the file; NULL if they are not within it. */
static const unsigned char *part(const struct elf *e, uint64_t offset, uint64_t size)
{
    return offset <= e->size && size <= e->size - offset ? e->bytes + offset : NULL;
}

bool elf_use(struct elf *e, const void *bytes, size_t size)
{
    *e = (struct elf){.bytes = bytes, .size = size};
    if (size < sizeof e->head) {
        return false;
    }
    memcpy(&e->head, bytes, sizeof e->head);
    const unsigned char *ident = e->head.e_ident;
    return memcmp(ident, ELFMAG, SELFMAG) == 0 &&
           ident[EI_CLASS] == (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32) &&
           ident[EI_DATA] ==
               (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB) &&
           e->head.e_shentsize == sizeof(ElfW(Shdr));
}

bool elf_map(struct elf *e, const char *path)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    *e = (struct elf){.bytes = NULL};
    bool is_file = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0;
    void *bytes =
        is_file ? mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
    if (fd >= 0) {
        close(fd);
    }
    return bytes != MAP_FAILED && elf_use(e, bytes, (size_t)st.st_size);
}

void elf_unmap(struct elf *e)
{
    if (e->bytes != NULL) {
        munmap((void *)(uintptr_t)e->bytes, e->size);
    }
}

bool elf_section(const struct elf *e, size_t i, ElfW(Shdr) * section)
{
    const unsigned char *table =
        part(e, e->head.e_shoff, (uint64_t)e->head.e_shnum * sizeof *section);
    if (table == NULL || i >= e->head.e_shnum) {
        return false;
    }
    memcpy(section, table + i * sizeof *section, sizeof *section);
    return true;
}

bool elf_entry(const struct elf *e, const ElfW(Shdr) * section, size_t i, void *entry, size_t size)
{
    const unsigned char *table = part(e, section->sh_offset, section->sh_size);
    if (table == NULL || i >= section->sh_size / size) {
        return false;
    }
    memcpy(entry, table + i * size, size);
    return true;
}

const char *elf_text(const struct elf *e, const ElfW(Shdr) * texts, uint64_t offset)
{
    const unsigned char *table = part(e, texts->sh_offset, texts->sh_size);
    bool is_text = table != NULL && offset < texts->sh_size &&
                   memchr(table + offset, '\0', (size_t)(texts->sh_size - offset)) != NULL;
    return is_text ? (const char *)table + offset : "";
}
