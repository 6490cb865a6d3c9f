/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * PTX on hostile input. For any text, parsing ends with a tree that holds its invariants, or with a message of one
 * line that states a line of the text.
 */
#include "fuzz/fuzz_promise.h"
#include "ptx/ptx.h"
#include "support/ptx_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char error[PTX_ERROR_MAX] = "";
    char *copy =
        fuzz_string(data, size); /* memory of its own: sanitizers see reads behind the end */
    struct ptx_module *module = ptx_parse(copy, size, error);
    if (module) {
        ptx_check(module);
        promise(module->source == copy, "a tree points into its text");
        ptx_free(module);
    } else {
        promise_message(error, sizeof error);
        promise(strncmp(error, "line ", 5) == 0, "a message states a line");
    }
    free(copy);
    return 0;
}
