/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Programs with the CUDA runtime linked into them, as nvcc does by default. "warpscope memtrace
 * record" preloads this library for them. Before any code of the program runs, the first bytes of
 * each function of the runtime that is in the program become a jump to the function of that name in
 * this library. The symbol table of the program's file says where the functions are. A program of
 * which this is not certain is left as it is, and a message says why.
 */
#define _GNU_SOURCE
#include "runtime/api.h"
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef __x86_64__
enum { JUMP_BYTES = 5, FAR_JUMP_BYTES = 16, NEAR_STEP = 1 << 20, NEAR_MOST = 1 << 30 };

struct program {
    const char *file; /* the program's file in memory */
    size_t size;
    const Elf64_Sym *symbols;
    size_t count;
    const char *names;
    size_t names_size;
    char *base; /* base of the addresses of symbols */
    char *text; /* executable part of the program in memory */
    size_t text_size;
};

static int find_text(struct dl_phdr_info *info, size_t size, void *data)
{
    struct program *p = data;
    p->base = (char *)info->dlpi_addr;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const Elf64_Phdr *part = &info->dlpi_phdr[i];
        if (part->p_type == PT_LOAD && part->p_flags & PF_X) {
            size_t page = (size_t)sysconf(_SC_PAGESIZE), odd = part->p_vaddr % page;
            p->text = p->base + part->p_vaddr - odd;
            p->text_size = part->p_memsz + odd;
        }
    }
    return 1; /* the first object is the program */
}

/* Sets p->symbols and p->names to those of the program's file. Returns false if it has none. */
static bool find_symbols(struct program *p)
{
    const Elf64_Ehdr *head = (const void *)p->file;
    const Elf64_Shdr *sections = (const void *)(p->file + head->e_shoff);
    if (head->e_shoff == 0 || head->e_shoff + head->e_shnum * sizeof *sections > p->size) {
        return false;
    }
    for (unsigned i = 0; i < head->e_shnum; i++) {
        const Elf64_Shdr *s = &sections[i];
        if (s->sh_type == SHT_SYMTAB && s->sh_link < head->e_shnum &&
            s->sh_offset + s->sh_size <= p->size) {
            const Elf64_Shdr *names = &sections[s->sh_link];
            p->symbols = (const void *)(p->file + s->sh_offset);
            p->count = s->sh_size / sizeof *p->symbols;
            p->names = p->file + names->sh_offset;
            p->names_size = names->sh_size;
            return names->sh_offset + names->sh_size <= p->size && names->sh_size > 0 &&
                   p->names[names->sh_size - 1] == '\0';
        }
    }
    return false;
}

/* Returns the name of a symbol that is a function of the program, or "". */
static const char *name_of(const struct program *p, const Elf64_Sym *s)
{
    const char *at = p->base + s->st_value;
    bool is_code = ELF64_ST_TYPE(s->st_info) == STT_FUNC && s->st_shndx != SHN_UNDEF &&
                   s->st_name < p->names_size && at >= p->text && s->st_size >= JUMP_BYTES &&
                   s->st_size <= (size_t)(p->text + p->text_size - at);
    return is_code ? p->names + s->st_name : "";
}

static bool has_function(const struct program *p, const char *name)
{
    size_t i = 0;
    while (i < p->count && strcmp(name_of(p, &p->symbols[i]), name) != 0) {
        i++;
    }
    return i < p->count;
}

/* Returns memory for far jumps that near jumps of the program reach, or NULL. */
static unsigned char *near_memory(const struct program *p, size_t bytes)
{
    bytes += NEAR_STEP - bytes % NEAR_STEP;
    for (size_t away = NEAR_STEP; away < NEAR_MOST; away += NEAR_STEP) {
        char *wanted = p->text - away - bytes;
        void *got = mmap(wanted, bytes, PROT_READ | PROT_WRITE | PROT_EXEC,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
        if (got == wanted) {
            return got;
        }
        if (got != MAP_FAILED) {
            munmap(got, bytes);
        }
    }
    return NULL;
}

/* Writes to *far a far jump to a function, and to `at` a near jump to *far. */
static void write_jump(char *at, unsigned char **far, const void *function)
{
    static const unsigned char indirect[] = {0xff, 0x25, 0, 0, 0, 0}; /* jmp *0(%rip) */
    int32_t distance = (int32_t)((char *)*far - (at + JUMP_BYTES));
    memcpy(*far, indirect, sizeof indirect);
    memcpy(*far + sizeof indirect, &function, sizeof function);
    at[0] = (char)0xe9; /* jmp */
    memcpy(at + 1, &distance, sizeof distance);
    *far += FAR_JUMP_BYTES;
}

/* Replaces the functions. Returns NULL, or the reason why this is not possible. */
static const char *replace(const struct program *p)
{
    unsigned char *far = near_memory(p, p->count * FAR_JUMP_BYTES);
    if (!far || mprotect(p->text, p->text_size, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) {
        return strerror(errno);
    }
    for (size_t i = 0; i < p->count; i++) {
        const char *name = name_of(p, &p->symbols[i]);
        bool is_ours = strncmp(name, "cuda", 4) == 0 || strncmp(name, "__cuda", 6) == 0;
        const void *function = is_ours ? gpu_function_named(name, false) : NULL;
        if (function) {
            write_jump(p->base + p->symbols[i].st_value, &far, function);
        }
    }
    mprotect(p->text, p->text_size, PROT_READ | PROT_EXEC);
    return NULL;
}

/* Only what LD_PRELOAD names is loaded before the program has begun to call its own runtime. */
static bool is_preloaded(void)
{
    const char *list = getenv("LD_PRELOAD");
    return list && strstr(list, "libcudart.so.13");
}

__attribute__((constructor)) static void replace_embedded(void)
{
    struct program p = {.file = NULL};
    struct stat st;
    int fd = is_preloaded() ? open("/proc/self/exe", O_RDONLY | O_CLOEXEC) : -1;
    if (fd < 0 || fstat(fd, &st) != 0) {
        return;
    }
    p.size = (size_t)st.st_size;
    void *file = mmap(NULL, p.size, PROT_READ, MAP_PRIVATE, fd, 0);
    close(fd);
    if (file == MAP_FAILED) {
        return;
    }
    p.file = file;
    dl_iterate_phdr(find_text, &p);
    if (find_symbols(&p) && has_function(&p, "__cudaRegisterFatBinary")) {
        /* Functions that the runtime of CUDA 13 no longer has. */
        bool is_old =
            has_function(&p, "cudaGetDeviceProperties_v2") || has_function(&p, "cudaBindTexture");
        const char *why = is_old ? "it is not that of CUDA 13" : replace(&p);
        if (why) {
            gpu_say("the CUDA runtime in this program cannot be replaced: %s; link the program "
                    "with -cudart=shared of CUDA 13",
                    why);
        }
    }
    munmap(file, p.size);
}
#endif
