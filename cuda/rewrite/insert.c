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

/* Registers that the rewriter adds to traced functions: the first three in formats of printf(), */
#define SLOT    "%%ws_slot" /* address of the slot; 0: the launch is not traced */
#define ADDRESS "%%ws_a"    /* and the index of a record in its call: address of the access */
#define WHAT    "%%ws_what" /* of the call: word of its access, or codes, see device.h; */
#define LINE    "%ws_line"  /* of a matrix: line of the lane's part, and place of the part in it */
#define PART    "%ws_part"
#define SKIP    "%ws_skip" /* bytes before the line */
#define FIRST   ADDRESS "0"

/* Declares registers for n records of a call. */
#define REGISTERS " .reg .b64 " SLOT ", " ADDRESS "<%d>; .reg .b32 " WHAT ";"

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
        fprintf(out, REGISTERS " ld.param.u64 " SLOT ", [%.*s%s];", DEVICE_GROUP,
                (int)kernel->name.length, kernel->name.s, WS_HIDDEN_PARAMETER);
    }
    if (plan->stores && plan->traced) {
        fprintf(out, " mov.u64 " FIRST ", %%gridid; xor.b64 " FIRST ", " FIRST ", " SLOT
                     "; xor.b64 " FIRST ", " FIRST ", " DEVICE_CHECK
                     "; st.shared.v2.b64 [" DEVICE_SHARED "], {" SLOT ", " FIRST "};");
    } else if (plan->stores) {
        /* The kernel is not traced. Since the check word is invalid, the functions that the kernel
         * calls do not trace either. */
        fprintf(out, " .reg .b64 " SLOT "; mov.u64 " SLOT ", 0; st.shared.v2.b64 [" DEVICE_SHARED
                     "], {" SLOT ", " SLOT "};");
    }
}

void insert_prologue(FILE *out, const struct ptx_function *function,
                     const struct plan_function *plan)
{
    assert(function->body);
    if (plan->traced && plan->matrix) {
        fputs(" .reg .b32 " LINE ", " PART "; .reg .b64 " SKIP ";", out);
    }
    if (function->entry) {
        kernel_prologue(out, function, plan);
    } else if (plan->traced) {
        fprintf(out,
                REGISTERS " .reg .b64 %%ws_check; .reg .pred %%ws_on; ld.shared.v2.b64 {" SLOT
                          ", %%ws_check}, [" DEVICE_SHARED "]; mov.u64 " FIRST ", %%gridid; "
                          "xor.b64 " FIRST ", " FIRST ", " SLOT "; xor.b64 " FIRST ", " FIRST
                          ", " DEVICE_CHECK "; setp.eq.b64 %%ws_on, " FIRST ", %%ws_check; "
                          "selp.b64 " SLOT ", " SLOT ", 0, %%ws_on;",
                DEVICE_GROUP);
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

/* Inserts code that computes the address into register i of ADDRESS, and returns true. If a register of
 * the program contains the address already, inserts nothing and returns false. */
static bool insert_address(FILE *out, size_t i, const struct ptx_operand *address)
{
    assert(address->part_count > 0);
    const struct ptx_operand *base = &address->parts[0];
    int64_t offset = address->offset;
    if (base->kind == PTX_INTEGER) {
        fprintf(out, "mov.u64 " ADDRESS "%zu, %" PRId64 "; ", i,
                (int64_t)(base->bits + (uint64_t)offset));
        return true;
    }
    if (base->kind != PTX_REGISTER) {
        fprintf(out, "mov.u64 " ADDRESS "%zu, %.*s", i, (int)base->name.length, base->name.s);
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
        fprintf(out, "cvt.u64.u32 " ADDRESS "%zu, ", i);
        insert_register(out, base);
        fputs("; ", out);
    }
    if (offset != 0) {
        fprintf(out, "add.s64 " ADDRESS "%zu, ", i);
        if (wide) {
            insert_register(out, base);
        } else {
            fprintf(out, ADDRESS "%zu", i);
        }
        fprintf(out, ", %" PRId64 "; ", offset);
    }
    return true;
}

uint32_t insert_word(const struct access *access)
{
    return (uint32_t)access->type << 28 | access->size | (access->generic ? DEVICE_IS_GENERIC : 0);
}

/* Inserts code that clears bits of the word in WHAT if the predicate is true or, is_wanted, if it is false. */
static void insert_unless(FILE *out, const struct ptx_operand *predicate, bool is_wanted,
                          uint32_t bits)
{
    fprintf(out, "@%s", is_wanted != predicate->negated ? "!" : "");
    insert_register(out, predicate);
    fprintf(out, " and.b32 " WHAT ", " WHAT ", %" PRIu32 "; ", ~bits);
}

/* Inserts code that computes the word of a call into WHAT, and returns true. If it is the constant *word,
 * inserts nothing and returns false. */
static bool insert_what(FILE *out, const struct insert_access *records, size_t n, uint32_t *word)
{
    const struct ptx_operand *bytes = records[0].access.bytes;
    bool in_register = bytes != NULL;
    *word = n == 1 ? insert_word(&records[0].access) : 0;
    for (size_t i = 0; i < n; i++) {
        *word |= n == 1 ? 0 : device_code(insert_word(&records[i].access)) << 8 * i;
        in_register |= records[i].instruction->guard != NULL || records[i].access.ignored != NULL;
    }
    if (bytes != NULL) {
        uint32_t rest = *word & ~records[0].access.size;
        fprintf(out, "min.u32 " WHAT ", ");
        insert_register(out, bytes);
        fprintf(out, ", %" PRIu32 "; ", records[0].access.size);
        if (rest != 0) {
            fprintf(out, "or.b32 " WHAT ", " WHAT ", %" PRIu32 "; ", rest);
        }
    } else if (in_register) {
        fprintf(out, "mov.b32 " WHAT ", %" PRIu32 "; ", *word);
    }
    for (size_t i = 0; i < n; i++) {
        uint32_t bits = n == 1 ? UINT32_MAX : 255u << 8 * i;
        if (records[i].instruction->guard != NULL) {
            insert_unless(out, records[i].instruction->guard, true, bits);
        }
        if (records[i].access.ignored != NULL) {
            insert_unless(out, records[i].access.ignored, false, bits);
        }
    }
    return in_register;
}

/* Inserts code that computes the address of the lane's part of a matrix into register i of ADDRESS. */
static void insert_part(FILE *out, size_t i, const struct access *access, bool computed)
{
    unsigned each = 32 / access->matrix.lines;
    fprintf(out,
            "mov.u32 %s, %%laneid; shr.u32 %s, %s, %d; and.b32 %s, %s, %u; mul.wide.u32 %s, %s, ",
            PART, LINE, PART, __builtin_ctz(each), PART, PART, each - 1, SKIP, LINE);
    if (access->stride == NULL) {
        fprintf(out, "%" PRIu32, access->matrix.length);
    } else if (access->stride->kind == PTX_INTEGER) {
        fprintf(out, "%" PRIu64, access->stride->bits);
    } else {
        insert_register(out, access->stride);
    }
    fprintf(out,
            "; mul.lo.s64 %s, %s, %" PRIu32 "; shr.u64 %s, %s, 3; add.s64 " ADDRESS "%zu, %s, ",
            SKIP, SKIP, access->matrix.bits, SKIP, SKIP, i, SKIP);
    if (computed) {
        fprintf(out, ADDRESS "%zu", i);
    } else {
        insert_register(out, &access->address->parts[0]);
    }
    fprintf(out, "; mad.wide.u32 " ADDRESS "%zu, %s, %" PRIu32 ", " ADDRESS "%zu; ", i, PART,
            access->size, i);
}

void insert_records(FILE *out, const struct insert_access *records, size_t n)
{
    assert(n > 0 && n <= DEVICE_GROUP);
    bool computed[DEVICE_GROUP];
    uint32_t word;
    for (size_t i = 0; i < n; i++) {
        const struct access *access = &records[i].access;
        assert(access->kind == ACCESS_TRACED && access->address != NULL);
        assert(access->size > 0 && access->size < 1u << 28);
        computed[i] = insert_address(out, i, access->address);
        if (access->matrix.lines > 0) {
            insert_part(out, i, access, computed[i]);
            computed[i] = true;
        }
    }
    bool in_register = insert_what(out, records, n, &word);
    fputs("call " DEVICE_RECORD, out);
    if (n > 1) {
        fprintf(out, "s_%zu", n);
    }
    fprintf(out, ", (" SLOT ", ");
    for (size_t i = 0; i < n; i++) {
        if (computed[i]) {
            fprintf(out, ADDRESS "%zu, ", i);
        } else {
            insert_register(out, &records[i].access.address->parts[0]);
            fputs(", ", out);
        }
    }
    if (in_register) {
        fprintf(out, WHAT "); ");
    } else {
        fprintf(out, "%" PRIu32 "); ", word);
    }
}
