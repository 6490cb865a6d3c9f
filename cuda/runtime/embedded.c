/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Programs and libraries with the CUDA runtime linked into them, as nvcc does by default. "warpscope
 * memtrace record" preloads this library. Before any of their code runs, the first bytes of each
 * function of the runtime that is in them become a jump to the function of that name in this
 * library. The symbol tables of the files say where the functions are. A file of which this is not
 * certain is left as it is, and a message says why.
 */
#define _GNU_SOURCE
#include "files/elf.h"
#include "runtime/api.h"
#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef __x86_64__
#define REGISTER "__cudaRegisterFatBinary"

enum {
    JUMP_BYTES = 5,
    FAR_JUMP_BYTES = 16,
    FAR_LEAST = 1 << 16,
    NEAR_STEP = 1 << 20,
    NEAR_MOST = 1 << 30
};

/* A program, or a library that it loads. */
struct program {
    struct elf file;
    Elf64_Shdr symbols, names; /* the symbol table in the file; all zero if there is none */
    char *base;                /* base of the addresses of symbols */
    char *text;                /* executable part of the program in memory */
    size_t text_size;
};

static void find_text(struct program *p, const struct dl_phdr_info *info)
{
    p->base = (char *)info->dlpi_addr;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const Elf64_Phdr *part = &info->dlpi_phdr[i];
        if (part->p_type == PT_LOAD && part->p_flags & PF_X) {
            size_t page = (size_t)sysconf(_SC_PAGESIZE), odd = part->p_vaddr % page;
            p->text = p->base + part->p_vaddr - odd;
            p->text_size = part->p_memsz + odd;
        }
    }
}

static void find_symbols(struct program *p)
{
    Elf64_Shdr section;
    for (size_t i = 0; elf_section(&p->file, i, &section); i++) {
        if (section.sh_type == SHT_SYMTAB && elf_section(&p->file, section.sh_link, &p->names)) {
            p->symbols = section;
        }
    }
}

/* Copies symbol i. Returns its name if it is a function of the program, or ""; NULL if there is no such
 * symbol. */
static const char *name_of(const struct program *p, size_t i, Elf64_Sym *s)
{
    if (!elf_entry(&p->file, &p->symbols, i, s, sizeof *s)) {
        return NULL;
    }
    size_t from = (size_t)(p->base + s->st_value - p->text);
    bool is_code = ELF64_ST_TYPE(s->st_info) == STT_FUNC && s->st_shndx != SHN_UNDEF &&
                   from < p->text_size && s->st_size >= JUMP_BYTES &&
                   s->st_size <= p->text_size - from;
    return is_code ? elf_text(&p->file, &p->names, s->st_name) : "";
}

/* Returns the address of a function of the program, or NULL. */
static const char *find_function(const struct program *p, const char *wanted)
{
    const char *name;
    Elf64_Sym symbol;
    for (size_t i = 0; (name = name_of(p, i, &symbol)) != NULL; i++) {
        if (strcmp(name, wanted) == 0) {
            return p->base + symbol.st_value;
        }
    }
    return NULL;
}

/* Memory for far jumps, of all objects near it. */
static unsigned char *far, *far_end;

/* Lets `far` be memory that near jumps of the code at `text` reach: below it, as the stack may grow
 * above. Returns false if there is none. */
static bool find_far(char *text)
{
    ptrdiff_t away = far - (unsigned char *)text;
    if (far_end - far >= FAR_LEAST && away > -NEAR_MOST && away < NEAR_MOST) {
        return true;
    }
    for (away = -2 * NEAR_STEP; away > -NEAR_MOST; away -= NEAR_STEP) {
        void *wanted = text + away;
        void *got = mmap(wanted, NEAR_STEP, PROT_READ | PROT_WRITE | PROT_EXEC,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
        if (got == wanted) {
            far = got;
            far_end = far + NEAR_STEP;
            return true;
        }
        if (got != MAP_FAILED) {
            munmap(got, NEAR_STEP);
        }
    }
    return false;
}

/* Writes to *far a far jump to a function, and to `at` a near jump to *far. */
static void write_jump(char *at, const void *function)
{
    static const unsigned char indirect[] = {0xff, 0x25, 0, 0, 0, 0}; /* jmp *0(%rip) */
    int32_t distance = (int32_t)((char *)far - (at + JUMP_BYTES));
    memcpy(far, indirect, sizeof indirect);
    memcpy(far + sizeof indirect, &function, sizeof function);
    at[0] = (char)0xe9; /* jmp */
    memcpy(at + 1, &distance, sizeof distance);
    far += FAR_JUMP_BYTES;
}

/* Replaces the functions. Returns NULL, or the reason why this is not possible. */
static const char *replace(const struct program *p)
{
    if (!find_far(p->text) ||
        mprotect(p->text, p->text_size, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) {
        return strerror(errno);
    }
    const char *name;
    Elf64_Sym symbol;
    for (size_t i = 0; (name = name_of(p, i, &symbol)) != NULL; i++) {
        bool is_ours = strncmp(name, "cuda", 4) == 0 || strncmp(name, "__cuda", 6) == 0;
        const void *function = is_ours ? gpu_function_named(name, false) : NULL;
        if (function && far_end - far >= FAR_JUMP_BYTES) {
            write_jump(p->base + symbol.st_value, function);
        }
    }
    mprotect(p->text, p->text_size, PROT_READ | PROT_EXEC);
    return NULL;
}

/* True if a runtime was not replaced. getenv() does not work yet when this becomes known, so that
 * ws_trace_lost() is called at the end. */
static bool is_lost;

__attribute__((destructor)) static void tell_lost(void)
{
    if (is_lost) {
        ws_trace_lost();
    }
}

static void replace_in(struct program *p, const char *name)
{
    find_symbols(p);
    const char *found = find_function(p, REGISTER), *why = NULL;
    if (!found) {
        return;
    }
    /* Functions that the runtime of CUDA 13 no longer has. */
    if (find_function(p, "cudaGetDeviceProperties_v2") || find_function(p, "cudaBindTexture")) {
        why = "it is not that of CUDA 13";
    } else if (found != gpu_function_named(REGISTER, false)) { /* this library has it as well */
        why = replace(p);
    }
    if (why) {
        is_lost = true;
        gpu_say("the CUDA runtime in %s cannot be replaced: %s; link it with -cudart=shared of "
                "CUDA 13",
                name, why);
    }
}

/* Number of objects that were ever loaded, up to the last time that they were looked at. */
static unsigned long long seen;

/* Replaces the functions in one object, *index in the list of objects, if it is new. */
static int replace_object(struct dl_phdr_info *info, size_t size, void *index)
{
    bool is_program = info->dlpi_name[0] == '\0';
    struct program p = {.base = NULL};
    if (++*(unsigned long long *)index + info->dlpi_subs <= seen) {
        return 0;
    }
    if (elf_map(&p.file, is_program ? "/proc/self/exe" : info->dlpi_name)) {
        find_text(&p, info);
        replace_in(&p, is_program ? "this program" : info->dlpi_name);
    }
    elf_unmap(&p.file);
    return 0;
}

static int note_seen(struct dl_phdr_info *info, size_t size, void *data)
{
    seen = info->dlpi_adds;
    return 1;
}

/* The loader calls this each time when it begins or ends to change the list of objects. */
static void replace_loaded(void)
{
    unsigned long long index = 0;
    if (_r_debug.r_state == RT_CONSISTENT) {
        dl_iterate_phdr(replace_object, &index);
        dl_iterate_phdr(note_seen, NULL);
    }
}

/* Lets the loader call replace_loaded() in place of its empty function for debuggers, if that is the
 * one that is known here: a return, which nothing that is executed follows. */
static void watch_loader(void)
{
    static const char plain[] = "\xc3\x66\x66\x2e\x0f\x1f\x84", marked[] = "\xf3\x0f\x1e\xfa\xc3";
    char *at = (char *)_r_debug.r_brk; /* NOLINT */
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *from = at - (uintptr_t)at % page;
    bool is_known =
        at && (uintptr_t)at % 16 == 0 &&
        (memcmp(at, plain, sizeof plain - 1) == 0 || memcmp(at, marked, sizeof marked - 1) == 0);
    void (*const function)(void) = replace_loaded;
    const void *address;
    memcpy(&address, &function, sizeof address);
    if (is_known && find_far(from) &&
        mprotect(from, page, PROT_READ | PROT_WRITE | PROT_EXEC) == 0) {
        write_jump(at, address);
        mprotect(from, page, PROT_READ | PROT_EXEC);
    }
}

/* Libraries that LD_PRELOAD names are loaded before the program begins to call its own runtime. The
 * linker's option initfirst lets this run before the constructors of libraries, also of the C
 * library, so that getenv() does not work yet. */
__attribute__((constructor)) static void replace_embedded(int argc, char **argv, char **environment)
{
    for (; *environment; environment++) {
        if (strncmp(*environment, "LD_PRELOAD=", 11) == 0 &&
            strstr(*environment, "libcudart.so.13")) {
            replace_loaded();
            watch_loader();
        }
    }
}
#endif

/* Only a runtime that was not replaced calls this. */
int cuGetExportTable(const void **table, const void *id)
{
    static bool said;
    *table = NULL;
    ws_trace_lost();
    return gpu_refuse("cuGetExportTable",
                      "is called by a CUDA runtime that is linked into this program or one of its "
                      "libraries without symbols (do not strip it, or link it with "
                      "-cudart=shared)",
                      &said);
}
