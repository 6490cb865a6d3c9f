/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The texts that the rewriter inserts into functions; see insert.h.
 */
#include "rewrite/insert.h"

#include <assert.h>
#include <string.h>

#include "rewrite/device.h"
#include "trace/slot.h"

/* Registers that the rewriter adds to traced functions. */
#define SLOT    "%ws_slot"    /* address of the slot; 0: the launch is not traced */
#define ADDRESS "%ws_address" /* address of the access */
#define ON      "%ws_on"      /* predicate: SLOT is not 0, and the instruction's guard is true */
#define WHAT    "%ws_what"    /* type << 28 | size, if the size is in a register of the program */

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

void insert_parameter(struct buffer *buffer, const struct ptx_function *kernel, bool listed)
{
    assert(kernel->entry && (listed || kernel->parameter_count == 0));
    buffer_string(buffer, !listed ? "(" : kernel->parameter_count == 0 ? "" : ", ");
    buffer_string(buffer, ".param .u64 ");
    buffer_text(buffer, kernel->name);
    buffer_string(buffer, listed ? WS_HIDDEN_PARAMETER : WS_HIDDEN_PARAMETER ")");
}

/* Inserts code at the beginning of a kernel. The code loads the hidden parameter, and stores it
 * together with a check word for the functions that the kernel calls. */
static void kernel_prologue(struct buffer *buffer, const struct ptx_function *kernel,
                            const struct plan_function *plan)
{
    assert(!plan->traced || plan->hidden);
    if (plan->traced) {
        buffer_string(buffer, " .reg .b64 " SLOT ", " ADDRESS "; .reg .pred " ON
                              "; ld.param.u64 " SLOT ", [");
        buffer_text(buffer, kernel->name);
        buffer_string(buffer, WS_HIDDEN_PARAMETER "];");
    }
    if (plan->stores && plan->traced) {
        buffer_string(buffer, " mov.u64 " ADDRESS ", %gridid; xor.b64 " ADDRESS ", " ADDRESS
                              ", " SLOT "; xor.b64 " ADDRESS ", " ADDRESS ", " DEVICE_CHECK
                              "; st.shared.v2.b64 [" DEVICE_SHARED "], {" SLOT ", " ADDRESS "};");
    } else if (plan->stores) {
        /* The kernel is not traced. Since the check word is invalid, the functions that the kernel
         * calls do not trace either. */
        buffer_string(buffer, " .reg .b64 " SLOT "; mov.u64 " SLOT
                              ", 0; st.shared.v2.b64 [" DEVICE_SHARED "], {" SLOT ", " SLOT "};");
    }
}

void insert_prologue(struct buffer *buffer, const struct ptx_function *function,
                     const struct plan_function *plan)
{
    assert(function->body);
    if (plan->traced && plan->sized) {
        buffer_string(buffer, " .reg .b32 " WHAT ";");
    }
    if (function->entry) {
        kernel_prologue(buffer, function, plan);
    } else if (plan->traced) {
        buffer_string(buffer,
                      " .reg .b64 " SLOT ", " ADDRESS ", %ws_check; .reg .pred " ON
                      "; ld.shared.v2.b64 {" SLOT ", %ws_check}, [" DEVICE_SHARED
                      "]; mov.u64 " ADDRESS ", %gridid; xor.b64 " ADDRESS ", " ADDRESS ", " SLOT
                      "; xor.b64 " ADDRESS ", " ADDRESS ", " DEVICE_CHECK "; setp.eq.b64 " ON
                      ", " ADDRESS ", %ws_check; selp.b64 " SLOT ", " SLOT ", 0, " ON ";");
    }
}

static void insert_register(struct buffer *buffer, const struct ptx_operand *operand)
{
    buffer_text(buffer, operand->name);
    if (operand->member != 0) {
        buffer_add(buffer, ".", 1);
        buffer_add(buffer, &operand->member, 1);
    }
    if (operand->offset != 0) {
        buffer_string(buffer, "+");
        buffer_number(buffer, operand->offset);
    }
}

/* Inserts code that computes the address into the register ADDRESS, and returns true. If a register
 * of the program contains the address already, inserts nothing and returns false. */
static bool insert_address(struct buffer *buffer, const struct ptx_operand *address)
{
    assert(address->part_count > 0);
    const struct ptx_operand *base = &address->parts[0];
    int64_t offset = address->offset;
    if (base->kind != PTX_REGISTER) {
        buffer_string(buffer, "mov.u64 " ADDRESS ", ");
        if (base->kind == PTX_INTEGER) {
            buffer_number(buffer, (int64_t)(base->bits + (uint64_t)offset));
        } else {
            buffer_text(buffer, base->name);
            if (offset != 0) {
                buffer_string(buffer, offset > 0 ? "+" : "");
                buffer_number(buffer, offset);
            }
        }
        buffer_string(buffer, "; ");
        return true;
    }
    bool wide = base->variable == NULL || base->variable->type.bits != 32;
    if (wide && offset == 0) {
        return false;
    }
    if (!wide) {
        buffer_string(buffer, "cvt.u64.u32 " ADDRESS ", ");
        insert_register(buffer, base);
        buffer_string(buffer, "; ");
    }
    if (offset != 0) {
        buffer_string(buffer, "add.s64 " ADDRESS ", ");
        if (wide) {
            insert_register(buffer, base);
        } else {
            buffer_string(buffer, ADDRESS);
        }
        buffer_string(buffer, ", ");
        buffer_number(buffer, offset);
        buffer_string(buffer, "; ");
    }
    return true;
}

/* Inserts code that computes the low half of the record's first word into the register WHAT, and
 * clears ON if the size is 0. */
static void insert_what(struct buffer *buffer, const struct access *access)
{
    buffer_string(buffer, "min.u32 " WHAT ", ");
    insert_register(buffer, access->bytes);
    buffer_string(buffer, ", ");
    buffer_number(buffer, access->size);
    buffer_string(buffer, "; setp.ne.and.u32 " ON ", " WHAT ", 0, " ON "; ");
    if (access->type != ACCESS_LOAD) {
        buffer_string(buffer, "or.b32 " WHAT ", " WHAT ", ");
        buffer_number(buffer, (int64_t)access->type << 28);
        buffer_string(buffer, "; ");
    }
}

void insert_record(struct buffer *buffer, const struct ptx_instruction *instruction,
                   const struct access *access)
{
    assert(access->kind == ACCESS_TRACED && access->address != NULL);
    assert(access->size > 0 && access->size < 1u << 28);
    if (instruction->guard == NULL) {
        buffer_string(buffer, "setp.ne.s64 " ON ", " SLOT ", 0; ");
    } else {
        buffer_string(buffer, "setp.ne.and.s64 " ON ", " SLOT ", 0, ");
        buffer_string(buffer, instruction->guard->negated ? "!" : "");
        insert_register(buffer, instruction->guard);
        buffer_string(buffer, "; ");
    }
    if (access->ignored != NULL) {
        buffer_string(buffer, access->ignored->negated ? "@!" : "@");
        insert_register(buffer, access->ignored);
        buffer_string(buffer, " mov.pred " ON ", 0; ");
    }
    if (access->bytes != NULL) {
        insert_what(buffer, access);
    }
    bool computed = insert_address(buffer, access->address);
    buffer_string(buffer, access->generic ? "@" ON " call " DEVICE_GENERIC ", (" SLOT ", "
                                          : "@" ON " call " DEVICE_GLOBAL ", (" SLOT ", ");
    if (computed) {
        buffer_string(buffer, ADDRESS);
    } else {
        insert_register(buffer, &access->address->parts[0]);
    }
    buffer_string(buffer, ", ");
    if (access->bytes != NULL) {
        buffer_string(buffer, WHAT);
    } else {
        buffer_number(buffer, (int64_t)access->type << 28 | access->size);
    }
    buffer_string(buffer, "); ");
}
