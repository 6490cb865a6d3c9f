/* SPDX-License-Identifier: BSD-3-Clause
 *
 * modules.c - hooks of the driver's functions that load modules, libraries and linker input.
 */
#include <stdlib.h>

#include "trace/preload/driver.h"
#include "trace/preload/hooks.h"
#include "trace/preload/image.h"

cu_result cuModuleLoadData(void **module, const void *image)
{
    size_t size;
    char *text = ws_image_rewrite(image, 0, &size);
    cu_result result = CU_REAL(cuModuleLoadData)(module, text != NULL ? text : image);
    free(text);
    return result;
}

cu_result cuModuleLoadDataEx(void **module, const void *image, unsigned count, int *options,
                             void **values)
{
    size_t size;
    char *text = ws_image_rewrite(image, 0, &size);
    cu_result result =
        CU_REAL(cuModuleLoadDataEx)(module, text != NULL ? text : image, count, options, values);
    free(text);
    return result;
}

cu_result cuModuleLoadFatBinary(void **module, const void *image)
{
    size_t size;
    char *text = ws_image_rewrite(image, 0, &size);
    cu_result result = text != NULL ? CU_REAL(cuModuleLoadData)(module, text)
                                    : CU_REAL(cuModuleLoadFatBinary)(module, image);
    free(text);
    return result;
}

cu_result cuModuleLoad(void **module, const char *path)
{
    size_t size;
    char *text = ws_image_rewrite_file(path, &size);
    cu_result result = text != NULL ? CU_REAL(cuModuleLoadData)(module, text)
                                    : CU_REAL(cuModuleLoad)(module, path);
    free(text);
    return result;
}

cu_result cuLinkAddData_v2(void *state, int type, void *data, size_t size, const char *name,
                           unsigned count, int *options, void **values)
{
    size_t new_size = 0;
    char *text = type == CU_INPUT_PTX && size > 0 ? ws_image_rewrite(data, size, &new_size) : NULL;
    cu_result result =
        CU_REAL(cuLinkAddData_v2)(state, type, text != NULL ? text : data,
                                  text != NULL ? new_size : size, name, count, options, values);
    free(text);
    return result;
}

cu_result cuLinkAddFile_v2(void *state, int type, const char *path, unsigned count, int *options,
                           void **values)
{
    size_t size = 0;
    char *text = type == CU_INPUT_PTX ? ws_image_rewrite_file(path, &size) : NULL;
    cu_result result =
        text == NULL
            ? CU_REAL(cuLinkAddFile_v2)(state, type, path, count, options, values)
            : CU_REAL(cuLinkAddData_v2)(state, type, text, size, path, count, options, values);
    free(text);
    return result;
}

/* Frees the rewritten text of a library that could not be loaded. After success the text stays: the
 * driver may use it as long as the library exists. */
static cu_result library_end(char *text, cu_result result)
{
    if (result != 0) {
        free(text);
    }
    return result;
}

cu_result cuLibraryLoadData(void **library, const void *code, int *options, void **values,
                            unsigned count, int *library_options, void **library_values,
                            unsigned library_count)
{
    size_t size;
    char *text = ws_image_rewrite(code, 0, &size);
    return library_end(text, CU_REAL(cuLibraryLoadData)(library, text != NULL ? text : code,
                                                        options, values, count, library_options,
                                                        library_values, library_count));
}

cu_result cuLibraryLoadFromFile(void **library, const char *path, int *options, void **values,
                                unsigned count, int *library_options, void **library_values,
                                unsigned library_count)
{
    size_t size;
    char *text = ws_image_rewrite_file(path, &size);
    if (text == NULL) {
        return CU_REAL(cuLibraryLoadFromFile)(library, path, options, values, count,
                                              library_options, library_values, library_count);
    }
    return library_end(text,
                       CU_REAL(cuLibraryLoadData)(library, text, options, values, count,
                                                  library_options, library_values, library_count));
}
