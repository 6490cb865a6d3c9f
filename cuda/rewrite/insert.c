/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The texts that the rewriter inserts into functions; see insert.h.
 */
#include "rewrite/insert.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "rewrite/device.h"
#include "trace/slot.h"

/* Registers that the rewriter adds to traced functions. */
#define SLOT    "%ws_slot"    /* address of the slot; 0: the launch is not traced */
#define ADDRESS "%ws_address" /* address of the access */
#define ON      "%ws_on"      /* predicate: SLOT is not 0, and the instruction's guard is true */
#define LINE    "%ws_line" /* of a matrix: line of the lane's part, and place of the part in it */
#define PART    "%ws_part"
#define SKIP    "%ws_skip" /* bytes before the line */
#define WHAT    "%ws_what" /* type << 28 | size, if the size is in a register of the program */

/* Returns the first offset from `at` on that is neither white space nor in a comment. */
static uint32_t skip_blanks(const struct ptx_module *module, uint32_t at)
{
    const char *s = module->source;
    while (at < module->size) {
        const char *end = NULL;
        if (strchr(" \t\r\n\v\f", s[at]) != NULL && s[at] != '\0') {
            at++;
        } else if (module->size - at >= 2 && s[at] == '/' && s[at + 1] == '/') {
            end = memchr(s + at, '\n', module->size - at);
            at = end == NULL ? module->size : (uint32_t)(end - s) + 1;
        } else if (module->size - at >= 2 && s[at] == '/' && s[at + 1] == '*') {
            at += 2;
            while (at < module->size && !(s[at] == '/' && s[at - 1] == '*' && s[at - 2] != '/')) {
                at++;
            }
            at += at < module->size;
        } else {
            break;
        }
    }
    return at;
}

struct ptx_range insert_find_target(const struct ptx_module *module)
{
    struct ptx_text target = module->target;
    static const char option[] = "map_f64_to_f32";
    struct ptx_range range = {.begin = (uint32_t)(target.s - module->source)};
    uint32_t length = 0;
    while (length < target.length && strchr(", \t\r\n/", target.s[length]) == NULL) {
        length++;
    }
    for (uint32_t i = length; i + sizeof option - 1 <= target.length; i++) {
        bool is_option = memcmp(target.s + i, option, sizeof option - 1) == 0;
        length = is_option ? i + (uint32_t)sizeof option - 1 : length;
    }
    range.end = range.begin + length;
    return range;
}

struct ptx_range insert_find_version(const struct ptx_module *module)
{
    static const char directive[] = ".version";
    struct ptx_range range = {.begin = skip_blanks(module, 0)};
    if (module->size - range.begin > sizeof directive &&
        memcmp(module->source + range.begin, directive, sizeof directive - 1) == 0) {
        range.begin = skip_blanks(module, range.begin + (uint32_t)sizeof directive - 1);
    }
    assert(range.begin <= module->size);
    range.end = range.begin;
    while (range.end < module->size && strchr("0123456789.", module->source[range.end]) != NULL &&
           module->source[range.end] != '\0') {
        range.end++;
    }
    return range;
}

void insert_parameter(FILE *out, const struct ptx_function *kernel, bool listed)
{
    assert(kernel->entry && (listed || kernel->parameter_count == 0));
    fprintf(out, "%s.param .u64 %.*s" WS_HIDDEN_PARAMETER "%s",
            !listed                        ? "("
            : kernel->parameter_count == 0 ? ""
                                           : ", ",
            (int)kernel->name.length, kernel->name.s, listed ? "" : ")");
}

/* Inserts code at the beginning of a kernel. The code loads the hidden parameter, and stores it
 * together with a check word for the functions that the kernel calls. */
static void kernel_prologue(FILE *out, const struct ptx_function *kernel,
                            const struct plan_function *plan)
{
    assert(!plan->traced || plan->hidden);
    if (plan->traced) {
        fprintf(out, " .reg .b64 %s, %s; .reg .pred %s; ld.param.u64 %s, [%.*s%s];", SLOT, ADDRESS,
                ON, SLOT, (int)kernel->name.length, kernel->name.s, WS_HIDDEN_PARAMETER);
    }
    if (plan->stores && plan->traced) {
        fputs(" mov.u64 " ADDRESS ", %gridid; xor.b64 " ADDRESS ", " ADDRESS ", " SLOT
              "; xor.b64 " ADDRESS ", " ADDRESS ", " DEVICE_CHECK
              "; st.shared.v2.b64 [" DEVICE_SHARED "], {" SLOT ", " ADDRESS "};",
              out);
    } else if (plan->stores) {
        /* The kernel is not traced. Since the check word is invalid, the functions that the kernel
         * calls do not trace either. */
        fputs(" .reg .b64 " SLOT "; mov.u64 " SLOT ", 0; st.shared.v2.b64 [" DEVICE_SHARED
              "], {" SLOT ", " SLOT "};",
              out);
    }
}

void insert_prologue(FILE *out, const struct ptx_function *function,
                     const struct plan_function *plan)
{
    assert(function->body);
    if (plan->traced && plan->sized) {
        fputs(" .reg .b32 " WHAT ";", out);
    }
    if (plan->traced && plan->matrix) {
        fputs(" .reg .b32 " LINE ", " PART "; .reg .b64 " SKIP ";", out);
    }
    if (function->entry) {
        kernel_prologue(out, function, plan);
    } else if (plan->traced) {
        fputs(" .reg .b64 " SLOT ", " ADDRESS ", %ws_check; .reg .pred " ON
              "; ld.shared.v2.b64 {" SLOT ", %ws_check}, [" DEVICE_SHARED "]; mov.u64 " ADDRESS
              ", %gridid; xor.b64 " ADDRESS ", " ADDRESS ", " SLOT "; xor.b64 " ADDRESS ", " ADDRESS
              ", " DEVICE_CHECK "; setp.eq.b64 " ON ", " ADDRESS ", %ws_check; selp.b64 " SLOT
              ", " SLOT ", 0, " ON ";",
              out);
    }
}

static void insert_register(FILE *out, const struct ptx_operand *operand)
{
    fwrite(operand->name.s, 1, operand->name.length, out);
    if (operand->member != 0) {
        fprintf(out, ".%c", operand->member);
    }
    if (operand->offset != 0) {
        fprintf(out, "+%" PRId64, operand->offset);
    }
}

/* Inserts code that computes the address into the register ADDRESS, and returns true. If a register
 * of the program contains the address already, inserts nothing and returns false. */
static bool insert_address(FILE *out, const struct ptx_operand *address)
{
    assert(address->part_count > 0);
    const struct ptx_operand *base = &address->parts[0];
    int64_t offset = address->offset;
    if (base->kind == PTX_INTEGER) {
        fprintf(out, "mov.u64 %s, %" PRId64 "; ", ADDRESS,
                (int64_t)(base->bits + (uint64_t)offset));
        return true;
    }
    if (base->kind != PTX_REGISTER) {
        fprintf(out, "mov.u64 %s, %.*s", ADDRESS, (int)base->name.length, base->name.s);
        if (offset != 0) {
            fprintf(out, "%+" PRId64, offset);
        }
        fputs("; ", out);
        return true;
    }
    bool wide = base->variable == NULL || base->variable->type.bits != 32;
    if (wide && offset == 0) {
        return false;
    }
    if (!wide) {
        fputs("cvt.u64.u32 " ADDRESS ", ", out);
        insert_register(out, base);
        fputs("; ", out);
    }
    if (offset != 0) {
        fputs("add.s64 " ADDRESS ", ", out);
        if (wide) {
            insert_register(out, base);
        } else {
            fputs(ADDRESS, out);
        }
        fprintf(out, ", %" PRId64 "; ", offset);
    }
    return true;
}

/* Inserts code that computes the low half of the record's first word into the register WHAT, and
 * clears ON if the size is 0. */
static void insert_what(FILE *out, const struct access *access)
{
    fputs("min.u32 " WHAT ", ", out);
    insert_register(out, access->bytes);
    fprintf(out, ", %" PRIu32 "; setp.ne.and.u32 %s, %s, 0, %s; ", access->size, ON, WHAT, ON);
    if (access->type != ACCESS_LOAD) {
        fprintf(out, "or.b32 %s, %s, %" PRId64 "; ", WHAT, WHAT, (int64_t)access->type << 28);
    }
}

/* Inserts code that computes the address of the lane's part of a matrix into the register ADDRESS. */
static void insert_part(FILE *out, const struct access *access, bool computed)
{
    unsigned each = 32 / access->lines;
    fprintf(out,
            "mov.u32 %s, %%laneid; shr.u32 %s, %s, %d; and.b32 %s, %s, %u; mul.wide.u32 %s, %s, ",
            PART, LINE, PART, __builtin_ctz(each), PART, PART, each - 1, SKIP, LINE);
    if (access->stride == NULL) {
        fprintf(out, "%" PRIu32, access->length);
    } else if (access->stride->kind == PTX_INTEGER) {
        fprintf(out, "%" PRIu64, access->stride->bits);
    } else {
        insert_register(out, access->stride);
    }
    fprintf(out, "; mul.lo.s64 %s, %s, %" PRIu32 "; shr.u64 %s, %s, 3; add.s64 %s, %s, ", SKIP,
            SKIP, access->bits, SKIP, SKIP, ADDRESS, SKIP);
    if (computed) {
        fputs(ADDRESS, out);
    } else {
        insert_register(out, &access->address->parts[0]);
    }
    fprintf(out, "; mad.wide.u32 %s, %s, %" PRIu32 ", %s; ", ADDRESS, PART, access->size, ADDRESS);
}

void insert_record(FILE *out, const struct ptx_instruction *instruction,
                   const struct access *access)
{
    assert(access->kind == ACCESS_TRACED && access->address != NULL);
    assert(access->size > 0 && access->size < 1u << 28);
    if (instruction->guard == NULL) {
        fputs("setp.ne.s64 " ON ", " SLOT ", 0; ", out);
    } else {
        fputs("setp.ne.and.s64 " ON ", " SLOT ", 0, ", out);
        fputs(instruction->guard->negated ? "!" : "", out);
        insert_register(out, instruction->guard);
        fputs("; ", out);
    }
    if (access->ignored != NULL) {
        fputs(access->ignored->negated ? "@!" : "@", out);
        insert_register(out, access->ignored);
        fputs(" mov.pred " ON ", 0; ", out);
    }
    if (access->bytes != NULL) {
        insert_what(out, access);
    }
    bool computed = insert_address(out, access->address);
    if (access->lines > 0) {
        insert_part(out, access, computed);
        computed = true;
    }
    fputs(access->generic ? "@" ON " call " DEVICE_GENERIC ", (" SLOT ", "
                          : "@" ON " call " DEVICE_GLOBAL ", (" SLOT ", ",
          out);
    if (computed) {
        fputs(ADDRESS, out);
    } else {
        insert_register(out, &access->address->parts[0]);
    }
    if (access->bytes != NULL) {
        fputs(", " WHAT "); ", out);
    } else {
        fprintf(out, ", %" PRId64 "); ", (int64_t)access->type << 28 | access->size);
    }
}
