/* SPDX-License-Identifier: BSD-3-Clause
 *
 * modules.c - hooks of the driver's functions that load modules, libraries and linker input. They
 * rewrite PTX text, but not cubins and fat binaries.
 */
#define _GNU_SOURCE
#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rewrite/rewrite.h"
#include "trace/hooks/hooks.h"
#include "trace/options.h"
#include "trace/preload/driver.h"
#include "trace/say.h"

/* ---- Images ---------------------------------------------------------------------------------- */

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

/* Returns the rewritten text of an image, which the caller frees with free(). Sets *new_size to the
 * text's size in bytes, including its terminating zero. Returns NULL if the original image should
 * be loaded: tracing is off, or a message has stated why. size: size in bytes of a text without a
 * terminating zero; 0: the image ends with a zero byte, or states its size in a header. */
static char *image_rewrite(const void *image, size_t size, size_t *new_size)
{
    char error[PTX_ERROR_MAX];
    assert(new_size != NULL);
    if (image == NULL || !is_tracing() || !is_text(image)) {
        return NULL;
    }
    size_t length = size == 0 ? strlen(image) : strnlen(image, size);
    struct rewrite_result *result = rewrite_text(image, length, NULL, error);
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

/* Like image_rewrite(), for the image in a file. Also returns NULL if the file cannot be read, which
 * the driver then reports. */
static char *image_rewrite_file(const char *path, size_t *new_size)
{
    size_t size = 0;
    char *bytes = path != NULL && is_tracing() ? ptx_read(fopen(path, "re"), &size) : NULL,
         *text = NULL;
    if (bytes != NULL && size >= 4) {
        text = image_rewrite(bytes, size, new_size);
    }
    free(bytes);
    return text;
}

/* ---- Hooks ----------------------------------------------------------------------------------- */

static int text_end(char *text, int result)
{
    free(text);
    return result;
}

/* Frees the rewritten text of a library that could not be loaded. After success the text stays: the
 * driver may use it as long as the library exists. */
static int library_end(char *text, int result)
{
    return result != 0 ? text_end(text, result) : 0;
}

/* A row: a function that loads `text`, an image that rewritten() has made of the program's, or else,
 * if that is NULL, the program's. */
enum { INPUT_PTX = 1 };
#define HOOK(name, parameters, rewritten, of_text, of_image, end)                                  \
    int name parameters;                                                                           \
    int name parameters                                                                            \
    {                                                                                              \
        size_t new_size = 0;                                                                       \
        char *text = rewritten;                                                                    \
        return end(text, text != NULL ? of_text : of_image);                                       \
    }

HOOK(cuModuleLoadData, (void **module, const void *image), image_rewrite(image, 0, &new_size),
     CU_REAL(cuModuleLoadData)(module, text), CU_REAL(cuModuleLoadData)(module, image), text_end)
HOOK(cuModuleLoadDataEx,
     (void **module, const void *image, unsigned count, int *options, void **values),
     image_rewrite(image, 0, &new_size),
     CU_REAL(cuModuleLoadDataEx)(module, text, count, options, values),
     CU_REAL(cuModuleLoadDataEx)(module, image, count, options, values), text_end)
HOOK(cuModuleLoadFatBinary, (void **module, const void *image), image_rewrite(image, 0, &new_size),
     CU_REAL(cuModuleLoadData)(module, text), CU_REAL(cuModuleLoadFatBinary)(module, image),
     text_end)
HOOK(cuModuleLoad, (void **module, const char *path), image_rewrite_file(path, &new_size),
     CU_REAL(cuModuleLoadData)(module, text), CU_REAL(cuModuleLoad)(module, path), text_end)
HOOK(cuLinkAddData_v2,
     (void *state, int type, void *data, size_t size, const char *name, unsigned count,
      int *options, void **values),
     type == INPUT_PTX && size > 0 ? image_rewrite(data, size, &new_size) : NULL,
     CU_REAL(cuLinkAddData_v2)(state, type, text, new_size, name, count, options, values),
     CU_REAL(cuLinkAddData_v2)(state, type, data, size, name, count, options, values), text_end)
HOOK(cuLinkAddFile_v2,
     (void *state, int type, const char *path, unsigned count, int *options, void **values),
     type == INPUT_PTX ? image_rewrite_file(path, &new_size) : NULL,
     CU_REAL(cuLinkAddData_v2)(state, type, text, new_size, path, count, options, values),
     CU_REAL(cuLinkAddFile_v2)(state, type, path, count, options, values), text_end)
#define LIBRARY_PARAMETERS(type, image)                                                            \
    (void **library, type image, int *options, void **values, unsigned count,                      \
     int *library_options, void **library_values, unsigned library_count)
#define LIBRARY_CALL(name, image)                                                                  \
    CU_REAL(name)                                                                                  \
    (library, image, options, values, count, library_options, library_values, library_count)
HOOK(cuLibraryLoadData, LIBRARY_PARAMETERS(const void *, code), image_rewrite(code, 0, &new_size),
     LIBRARY_CALL(cuLibraryLoadData, text), LIBRARY_CALL(cuLibraryLoadData, code), library_end)
HOOK(cuLibraryLoadFromFile, LIBRARY_PARAMETERS(const char *, path),
     image_rewrite_file(path, &new_size), LIBRARY_CALL(cuLibraryLoadData, text),
     LIBRARY_CALL(cuLibraryLoadFromFile, path), library_end)
