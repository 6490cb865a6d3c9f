/* SPDX-License-Identifier: BSD-3-Clause
 *
 * image.c - see image.h.
 */
#define _GNU_SOURCE
#include "trace/preload/image.h"

#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ptx/ptx.h"
#include "rewrite/rewrite.h"
#include "trace/hooks/hooks.h"
#include "trace/options.h"
#include "trace/say.h"

/* First four bytes of images that are not text. */
#define ELF_MAGIC     0x464c457fu
#define FATBIN_MAGIC  0xba55ed50u
#define WRAPPER_MAGIC 0x466243b1u

static bool is_tracing(void)
{
    const char *directory = getenv(WS_TRACE_VARIABLE);
    return directory != NULL && directory[0] != '\0';
}

static bool is_text(const void *image)
{
    uint32_t magic;
    memcpy(&magic, image, sizeof magic);
    bool is_fat = magic == FATBIN_MAGIC || magic == WRAPPER_MAGIC;
    if (is_fat || magic == ELF_MAGIC) {
        ws_trace_say(
            "a module is loaded as a %s, not as PTX text: its kernels are not traced; let the "
            "program load PTX, or compile it with warpscope-nvcc",
            is_fat ? "fat binary" : "cubin");
        return false;
    }
    return true;
}

/* Adds the rewritten kernels to the table of kernels, where they stay until the program ends.
 * Prints a message for each kernel that is not traced. */
static void kernels_note(const struct rewrite_result *result)
{
    struct ws_traced_kernel *kernels = calloc(result->kernel_count + 1, sizeof *kernels);
    size_t n = 0;
    for (size_t i = 0; kernels != NULL && i < result->kernel_count; i++) {
        const struct rewrite_kernel *k = &result->kernels[i];
        char *name = strndup(k->name.s, k->name.length);
        if (k->reason != NULL) {
            ws_trace_say("kernel %.*s is not traced: %s", (int)k->name.length, k->name.s,
                         k->reason);
        }
        if (name != NULL) {
            kernels[n++] = (struct ws_traced_kernel){
                .name = name,
                .parameters = k->parameters,
                .has_slot = k->reason == NULL,
                .untraced = k->untraced == NULL ? NULL : strdup(k->untraced)};
        }
    }
    assert(n <= result->kernel_count);
    warpscope_traced_kernels(kernels, n);
}

char *ws_image_rewrite(const void *image, size_t size, size_t *new_size)
{
    char error[PTX_ERROR_MAX];
    assert(new_size != NULL);
    if (image == NULL || !is_tracing() || !is_text(image)) {
        return NULL;
    }
    size_t length = size == 0 ? strlen(image) : strnlen(image, size);
    struct rewrite_result *result = rewrite_text(image, length, error);
    char *text = NULL;
    if (result == NULL) {
        ws_trace_say("a module cannot be rewritten, its kernels are not traced: %s", error);
    } else {
        text = malloc(result->size + 1);
    }
    if (text != NULL) {
        memcpy(text, result->text, result->size + 1);
        *new_size = result->size + 1;
        kernels_note(result);
    }
    rewrite_free(result);
    return text;
}

char *ws_image_rewrite_file(const char *path, size_t *new_size)
{
    size_t size = 0;
    char *bytes = path != NULL && is_tracing() ? ptx_read(fopen(path, "re"), &size) : NULL,
         *text = NULL;
    if (bytes != NULL && size >= 4) {
        text = ws_image_rewrite(bytes, size, new_size);
    }
    free(bytes);
    return text;
}
