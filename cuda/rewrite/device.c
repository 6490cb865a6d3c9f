/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Device functions that the rewriter adds to a module, as PTX; see device.h.
 */
#include "rewrite/device.h"

#include <stddef.h>

#include "trace/slot.h"

#define PARAMETERS "(.reg .b64 %ws_slot, .reg .b64 %ws_address, .reg .b32 %ws_what)"

/* The code below uses the offsets of trace/slot.h as numbers. */
_Static_assert(WS_SLOT_RESERVED == 0 && WS_SLOT_LOST == 8 && WS_SLOT_DRAINED == 128 &&
                   WS_SLOT_RECORDS == 256 && WS_SLOT_MASK == 264 && WS_SLOT_PATIENCE == 272 &&
                   WS_SLOT_CONTROL == 280 && WS_CONTROL_DRAINED == 0 && WS_CONTROL_STOP == 8 &&
                   WS_CONTROL_FORGIVEN == 16,
               "offsets in the slot");
_Static_assert(offsetof(struct ws_slot_record, address) == 8 &&
                   offsetof(struct ws_slot_record, cta) == 16 &&
                   sizeof(struct ws_slot_record) == 24,
               "a record");

static const char registers[] =
    "{\n"
    "\t.reg .pred %ws_p;\n"
    "\t.reg .b32 %ws_mask, %ws_rank, %ws_count, %ws_first, %ws_low, %ws_high, %ws_x, %ws_y;\n"
    "\t.reg .b64 %ws_place, %ws_top, %ws_last, %ws_a, %ws_b, %ws_control, %ws_begin,"
    " %ws_forgiven;\n"
    "\tsetp.eq.s64 %ws_p, %ws_slot, 0;\n"
    "\t@%ws_p ret;\n"
    "\tand.b32 %ws_x, %ws_what, 268435455;\n"
    "\tsetp.eq.u32 %ws_p, %ws_x, 0;\n"
    "\t@%ws_p ret;\n";

/* Returns from the device function if a generic address is not in global memory. */
static const char only_global[] = "\tsetp.ge.s32 %ws_p, %ws_what, 0;\n"
                                  "\t@%ws_p bra WS_GLOBAL;\n"
                                  "\tand.b32 %ws_what, %ws_what, 2147483647;\n"
                                  "\tisspacep.global %ws_p, %ws_address;\n"
                                  "\t@!%ws_p ret;\n"
                                  "\tisspacep.const %ws_p, %ws_address;\n"
                                  "\t@%ws_p ret;\n";
/* Returns from the device function if the address is that of a kernel parameter, since the window
 * of kernel parameters lies in that of global memory. */
static const char no_parameter[] = "\tisspacep.param %ws_p, %ws_address;\n"
                                   "\t@%ws_p ret;\n";

static const char reserve[] =
    "\t// Threads that are active together, this thread's place among them, the lowest one.\n"
    "\tactivemask.b32 %ws_mask;\n"
    "\tmov.u32 %ws_rank, %lanemask_lt;\n"
    "\tand.b32 %ws_rank, %ws_rank, %ws_mask;\n"
    "\tpopc.b32 %ws_rank, %ws_rank;\n"
    "\tpopc.b32 %ws_count, %ws_mask;\n"
    "\tbrev.b32 %ws_first, %ws_mask;\n"
    "\tclz.b32 %ws_first, %ws_first;\n"
    "\tld.global.u64 %ws_top, [%ws_slot+264];\n"
    "\tmov.u64 %ws_place, 0;\n"
    "\tsetp.ne.u32 %ws_p, %ws_rank, 0;\n"
    "\t@%ws_p bra WS_MEET;\n"
    "\t// The lowest thread reserves places for all, and waits for room.\n"
    "\tcvt.u64.u32 %ws_last, %ws_count;\n"
    "\tatom.relaxed.gpu.global.add.u64 %ws_place, [%ws_slot], %ws_last;\n"
    "\tadd.s64 %ws_last, %ws_last, %ws_place;\n"
    "\tadd.s64 %ws_last, %ws_last, -1;\n"
    "\tld.relaxed.gpu.global.u64 %ws_a, [%ws_slot+128];\n"
    "\tsub.s64 %ws_a, %ws_last, %ws_a;\n"
    "\tsetp.le.u64 %ws_p, %ws_a, %ws_top;\n"
    "\t@%ws_p bra WS_MEET;\n"
    "\tld.global.u64 %ws_control, [%ws_slot+280];\n"
    "\tmov.u64 %ws_begin, %globaltimer;\n"
    "WS_WAIT:\n"
    "\tld.acquire.sys.global.u64 %ws_a, [%ws_control];\n"
    "\tsub.s64 %ws_b, %ws_last, %ws_a;\n"
    "\tsetp.le.u64 %ws_p, %ws_b, %ws_top;\n"
    "\t@%ws_p bra WS_ROOM;\n"
    "\tld.relaxed.sys.global.u64 %ws_b, [%ws_control+8];\n"
    "\tld.relaxed.gpu.global.u64 %ws_a, [%ws_slot+8];\n"
    "\tld.relaxed.sys.global.u64 %ws_forgiven, [%ws_control+16];\n"
    "\txor.b64 %ws_a, %ws_a, %ws_forgiven;\n"
    "\tor.b64 %ws_b, %ws_b, %ws_a;\n"
    "\tsetp.ne.u64 %ws_p, %ws_b, 0;\n"
    "\t@%ws_p bra WS_LOSE;\n"
    "\tnanosleep.u32 400;\n"
    "\tmov.u64 %ws_b, %globaltimer;\n"
    "\tsub.s64 %ws_b, %ws_b, %ws_begin;\n"
    "\tld.global.u64 %ws_a, [%ws_slot+272];\n"
    "\tsetp.lt.u64 %ws_p, %ws_b, %ws_a;\n"
    "\t@%ws_p bra WS_WAIT;\n"
    "WS_LOSE:\n"
    "\tcvt.u64.u32 %ws_a, %ws_count;\n"
    "\tred.relaxed.gpu.global.add.u64 [%ws_slot+8], %ws_a;\n"
    "\tmov.u64 %ws_place, -1;\n"
    "\tbra WS_MEET;\n"
    "WS_ROOM:\n"
    "\tred.relaxed.gpu.global.max.u64 [%ws_slot+128], %ws_a;\n";

static const char record[] = "WS_MEET:\n"
                             "\tbar.warp.sync %ws_mask;\n"
                             "\tmov.b64 {%ws_low, %ws_high}, %ws_place;\n"
                             "\tshfl.sync.idx.b32 %ws_low, %ws_low, %ws_first, 31, %ws_mask;\n"
                             "\tshfl.sync.idx.b32 %ws_high, %ws_high, %ws_first, 31, %ws_mask;\n"
                             "\tmov.b64 %ws_place, {%ws_low, %ws_high};\n"
                             "\tsetp.eq.s64 %ws_p, %ws_place, -1;\n"
                             "\t@%ws_p ret;\n"
                             "\tcvt.u64.u32 %ws_a, %ws_rank;\n"
                             "\tadd.s64 %ws_place, %ws_place, %ws_a;\n"
                             "\tand.b64 %ws_place, %ws_place, %ws_top;\n"
                             "\tld.global.u64 %ws_a, [%ws_slot+256];\n"
                             "\tmad.lo.s64 %ws_place, %ws_place, 24, %ws_a;\n"
                             "\tmov.u32 %ws_y, %ctaid.y;\n"
                             "\tmov.u32 %ws_x, %ctaid.z;\n"
                             "\tshl.b32 %ws_y, %ws_y, 16;\n"
                             "\tor.b32 %ws_y, %ws_y, %ws_x;\n"
                             "\tmov.u32 %ws_x, %ctaid.x;\n"
                             "\tmov.b64 %ws_a, {%ws_y, %ws_x};\n"
                             "\tmov.u32 %ws_x, %smid;\n"
                             "\tmov.b64 %ws_b, {%ws_what, %ws_x};\n"
                             "\tst.global.u64 [%ws_place+8], %ws_address;\n"
                             "\tst.global.u64 [%ws_place+16], %ws_a;\n"
                             "\tst.release.sys.global.u64 [%ws_place], %ws_b;\n"
                             "\tret;\n"
                             "}\n";

/* Writes the head of the function that writes n records. */
static void head_write(FILE *out, unsigned n)
{
    if (n == 1) {
        fputs(".func " DEVICE_RECORD PARAMETERS, out);
        return;
    }
    fprintf(out, ".func " DEVICE_RECORDS "%u(.reg .b64 %%ws_slot", n);
    for (unsigned i = 0; i < n; i++) {
        fprintf(out, ", .reg .b64 %%ws_a%u", i);
    }
    fputs(", .reg .b32 %ws_codes)", out);
}

void device_declare(FILE *out, struct device_uses uses)
{
    for (unsigned n = 1; uses.records && n <= DEVICE_GROUP; n++) {
        if (n == 1 || uses.groups[n]) {
            fputc(' ', out);
            head_write(out, n);
            fputc(';', out);
        }
    }
    if (uses.shared) {
        fputs(" .weak .shared .align 16 .b64 " DEVICE_SHARED "[2];", out);
    }
}

void device_define(FILE *out, struct device_uses uses, unsigned version)
{
    if (!uses.records) {
        return;
    }
    fputs("\n// Added by Warpscope: records of accesses to global memory.\n", out);
    head_write(out, 1);
    fputc('\n', out);
    fputs(registers, out);
    if (uses.generic) {
        fputs(only_global, out);
        fputs(version >= DEVICE_PARAM_VERSION ? no_parameter : "", out);
        fputs("WS_GLOBAL:\n", out);
    }
    fputs(reserve, out);
    fputs(record, out);
    for (unsigned n = 2; n <= DEVICE_GROUP; n++) {
        if (uses.groups[n]) {
            head_write(out, n);
            fputs("\n{\n\t.reg .pred %ws_p;\n\t.reg .b32 %ws_what, %ws_x;\n"
                  "\tsetp.eq.s64 %ws_p, %ws_slot, 0;\n\t@%ws_p ret;\n",
                  out);
            for (unsigned i = 0; i < n; i++) {
                fprintf(out,
                        "\tbfe.u32 %%ws_x, %%ws_codes, %u, 3;\n"
                        "\tbfe.u32 %%ws_what, %%ws_codes, %u, 1;\n"
                        "\tshl.b32 %%ws_what, %%ws_what, %%ws_x;\n"
                        "\tshr.u32 %%ws_x, %%ws_codes, %u;\n"
                        "\tshl.b32 %%ws_x, %%ws_x, 28;\n"
                        "\tor.b32 %%ws_what, %%ws_what, %%ws_x;\n"
                        "\tcall " DEVICE_RECORD ", (%%ws_slot, %%ws_a%u, %%ws_what);\n",
                        8 * i, 8 * i + 3, 8 * i + 4, i);
            }
            fputs("\tret;\n}\n", out);
        }
    }
}
