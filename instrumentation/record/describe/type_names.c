/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * type_names.c - see type_names.h. The file of the program may be replaced since the program started.
 */
#define _GNU_SOURCE /* required for dladdr1() */
#include "record/describe/type_names.h"

#include <dlfcn.h>
#include <stdint.h>
#include <string.h>

#include "files/elf.h"

/* ---- Symbols of the program ------------------------------------------------------------------ */

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
static bool shorten(const char *name, char *out)
{
    size_t length = strcspn(name, ".");
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
static bool search(const struct elf *file, const ElfW(Shdr) * table, size_t address,
                   struct program_symbol *out)
{
    ElfW(Shdr) texts;
    ElfW(Sym) symbol;
    bool has_texts = elf_section(file, table->sh_link, &texts);
    for (size_t i = 0; has_texts && elf_entry(file, table, i, &symbol, sizeof symbol); i++) {
        unsigned char type = symbol.st_info & 0xf; /* the same in files of 32 and 64 bits */
        bool is_named = (type == STT_OBJECT || type == STT_FUNC) && symbol.st_shndx != SHN_UNDEF;
        if (is_named && address >= symbol.st_value && address - symbol.st_value < symbol.st_size &&
            shorten(elf_text(file, &texts, symbol.st_name), out->name)) {
            out->size = (size_t)symbol.st_size;
            out->offset = address - (size_t)symbol.st_value;
            return true;
        }
    }
    return false;
}

static bool search_tables(const struct elf *file, size_t address, struct program_symbol *out)
{
    static const unsigned wanted[] = {SHT_SYMTAB, SHT_DYNSYM};
    for (size_t kind = 0; kind < sizeof wanted / sizeof wanted[0]; kind++) {
        ElfW(Shdr) section;
        for (size_t i = 0; elf_section(file, i, &section); i++) {
            if (section.sh_type == wanted[kind] && search(file, &section, address, out)) {
                return true;
            }
        }
    }
    return false;
}

bool program_symbol_in(const unsigned char *bytes, size_t size, size_t address,
                       struct program_symbol *out)
{
    struct elf file;
    return elf_use(&file, bytes, size) && search_tables(&file, address, out);
}

bool program_symbol_find(const void *address, struct program_symbol *out)
{
    Dl_info info;
    struct link_map *map = NULL;
    struct elf file;
    if (dladdr1(address, &info, (void **)&map, RTLD_DL_LINKMAP) == 0 || map == NULL) {
        return false;
    }
    /* The program itself has no name here. */
    bool found = elf_map(&file, map->l_name[0] != '\0' ? map->l_name : "/proc/self/exe") &&
                 search_tables(&file, (uintptr_t)address - map->l_addr, out);
    elf_unmap(&file);
    return found;
}

/* ---- Types ----------------------------------------------------------------------------------- */

#define TYPES_MAX 256u /* more types get no names */

/* Functions of CODES (codes/codes_mapping.h, codes/lp-type-lookup.h); NULL in other programs. */
void codes_mapping_get_lp_info2(tw_lpid gid, const char **group, const char **type,
                                const char **annotation, int *repetition, int *offset)
    __attribute__((weak));
const tw_lptype *lp_type_lookup(const char *name) __attribute__((weak));

/* Returns true if CODES maps the LPs: its functions know them only then. */
static bool codes_maps_lps(void)
{
    struct program_symbol map;
    const void *function = (const void *)(uintptr_t)g_tw_custom_lp_global_to_local_map;
    return codes_mapping_get_lp_info2 != NULL && lp_type_lookup != NULL && g_tw_mapping == CUSTOM &&
           function != NULL && program_symbol_find(function, &map) &&
           strcmp(map.name, "codes_mapping_to_lp") == 0;
}

/* Returns the name of lp's type in CODES, as long as CODES has it; NULL: none. */
static const char *name_in_codes(const tw_lp *lp)
{
    const char *group = NULL, *type = NULL, *annotation = NULL;
    int repetition = 0, offset = 0;
    codes_mapping_get_lp_info2(lp->gid, &group, &type, &annotation, &repetition, &offset);
    return type != NULL && lp_type_lookup(type) == lp->type ? type : NULL;
}

/* Key of an LP in CODES, where a router and a terminal share their type: the address of the name of
 * its type, which is used only to compare it. */
static const tw_lptype *key_in_codes(const tw_lp *lp)
{
    const char *name = name_in_codes(lp);
    return name != NULL ? (const tw_lptype *)(const void *)name : lp->type;
}

/* Writes the name of the variable that holds the type to out. Returns false if there is none. */
static bool name_in_program(const tw_lptype *type, char out[LP_NAME_MAX + 1])
{
    struct program_symbol found;
    if (!program_symbol_find(type, &found) || found.offset % sizeof(tw_lptype) != 0) {
        return false;
    }
    int length = found.size < 2 * sizeof(tw_lptype)
                     ? snprintf(out, LP_NAME_MAX + 1, "%s", found.name)
                     : snprintf(out, LP_NAME_MAX + 1, "%s:%zu", found.name,
                                found.offset / sizeof(tw_lptype));
    return length > 0 && length <= LP_NAME_MAX;
}

static void name_key(struct lp_names *names, const tw_lp *lp, const tw_lptype *key)
{
    char text[LP_NAME_MAX + 1];
    const char *name = key != lp->type ? name_in_codes(lp) : NULL;
    if (name == NULL && name_in_program(lp->type, text)) {
        name = text;
    }
    if (name != NULL && lp_names_fault(name) == NULL && lp_names_set(names, key, name) != TW_OK) {
        tw_error(TW_LOC, "out of memory for the names of LP types");
    }
}

void type_names_find(struct lp_names *names, tw_lp *const *lps, tw_lpid n_lps)
{
    const tw_lptype *seen[TYPES_MAX];
    size_t n_seen = 0;
    /* Names that the model has given are for types. */
    names->key = names->n_types == 0 && codes_maps_lps() ? key_in_codes : names->key;
    for (tw_lpid i = 0; i < n_lps; i++) {
        const tw_lptype *key = lp_names_key(names, lps[i]);
        size_t at = 0;
        while (at < n_seen && seen[at] != key) {
            at++;
        }
        if (at == n_seen && n_seen < TYPES_MAX) {
            seen[n_seen++] = key;
            if (lp_names_of_type(names, key) == NULL) {
                name_key(names, lps[i], key);
            }
        }
    }
}
