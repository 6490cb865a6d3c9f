/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cuda_replay [--arrays=FILE] [--contents=FILE] PTX-DIRECTORY SCRIPT: the host part of a program of
 * the corpus. Runs the launches of a script by the functions of CUDA's driver, one after another.
 *
 *   --arrays=FILE    writes a line per array: name, address, size in bytes
 *   --contents=FILE  writes the final contents of all arrays
 *
 * The program is linked twice. Of cuda_replay, the interpreter observes the accesses.
 * cuda_replay_traced has the library for LD_PRELOAD as well, which rewrites the PTX, so that kernels
 * record their own accesses. Both have the same addresses.
 *
 * A script has the actions of the host part, one per line:
 *
 *     module FILE.ptx            a module of the program; NAME.txt without modules uses NAME.ptx
 *     unordered                  results depend on the order of CTAs, so that records may differ
 *     array NAME BYTES           zeroed memory of the device
 *     variable NAME              a variable of the module
 *     values NAME TYPE V...      sets the first elements of an array; TYPE: u8 u32 f32
 *     tensor NAME ARRAY SIZE BOX SWIZZLE
 *                                a tensor map of words in an array, without gaps; SIZE, BOX: W or W,H;
 *                                SWIZZLE: number of CUtensorMapSwizzle
 *     stream N                   the stream of the following launches; initially 1
 *     launch KERNEL GRID BLOCK [shared=BYTES] [cooperative] ARGUMENT...
 *     graph                      the stream captures the following launches, instead of running them,
 *     run N                      up to here, where the graph of them runs N times
 *
 * GRID and BLOCK are X, X,Y or X,Y,Z. An argument is the name of an array, t:TENSOR, an integer, f:NUMBER
 * (float), d:NUMBER (double), or x:HEX:OFFSET=NAME. The last form is a structure: HEX has its first
 * bytes, its other bytes are zero, and the address of array NAME is at OFFSET. Text from # on is a
 * comment.
 */
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ARRAYS = 64, STREAMS = 16, ARGUMENTS = 16, TENSOR_BYTES = 128, ARGUMENT_BYTES = 4096 };
enum { PTX = 1, MAX_DYNAMIC_SHARED = 8 }; /* CU_JIT_INPUT_PTX, CU_FUNC_ATTRIBUTE_... */

int cuInit(unsigned flags);
int cuDevicePrimaryCtxRetain(void **context, int device);
int cuCtxSetCurrent(void *context);
int cuLinkCreate_v2(unsigned count, int *options, void **values, void **state);
int cuLinkAddFile_v2(void *state, int type, const char *path, unsigned count, int *options,
                     void **values);
int cuLinkComplete(void *state, void **image, size_t *size);
int cuModuleLoad(void **module, const char *path);
int cuModuleLoadData(void **module, const void *image);
int cuModuleGetFunction(void **function, void *module, const char *name);
int cuModuleGetGlobal_v2(uint64_t *address, size_t *bytes, void *module, const char *name);
int cuFuncSetAttribute(void *function, int attribute, int value);
int cuMemAlloc_v2(uint64_t *address, size_t bytes);
int cuMemsetD8_v2(uint64_t address, unsigned char value, size_t count);
int cuMemcpyHtoD_v2(uint64_t to, const void *from, size_t bytes);
int cuMemcpyDtoH_v2(void *to, uint64_t from, size_t bytes);
int cuTensorMapEncodeTiled(void *map, int type, unsigned rank, uint64_t address,
                           const uint64_t *size, const uint64_t *stride, const unsigned *box,
                           const unsigned *step, int interleave, int swizzle, int promotion,
                           int fill);
int cuStreamCreate(void **stream, unsigned flags);
int cuStreamSynchronize(void *stream);
int cuStreamBeginCapture_v2(void *stream, int mode);
int cuStreamEndCapture(void *stream, void **graph);
int cuGraphInstantiateWithFlags(void **exec, void *graph, unsigned long long flags);
int cuGraphLaunch(void *exec, void *stream);
int cuGraphExecDestroy(void *exec);
int cuGraphDestroy(void *graph);
int cuLaunchKernel(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                   unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                   void *stream, void **parameters, void **extra);
int cuLaunchCooperativeKernel(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                              unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                              void *stream, void **parameters);

static struct array {
    char name[32];
    uint64_t address;
    size_t bytes;
} arrays[ARRAYS];
static size_t array_count;
static void *module, *linker, *streams[STREAMS];
static bool captures;
static const char *directory, *path;
static unsigned line_number;

static _Noreturn void fail(const char *words, ...)
{
    va_list arguments;
    va_start(arguments, words);
    fprintf(stderr, "cuda_replay: %s:%u: ", path, line_number);
    vfprintf(stderr, words, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(1);
}

#define MUST(call)                                                                                 \
    do {                                                                                           \
        int result_ = (call);                                                                      \
        if (result_ != 0) {                                                                        \
            fail("error %d of %s", result_, #call);                                                \
        }                                                                                          \
    } while (0)

static char *must_word(char **rest)
{
    char *word = strtok_r(NULL, " ", rest);
    if (word == NULL) {
        fail("a word is missing");
    }
    return word;
}

static const struct array *find(const char *name)
{
    for (size_t i = 0; i < array_count; i++) {
        if (strcmp(arrays[i].name, name) == 0) {
            return &arrays[i];
        }
    }
    fail("no array %s", name);
}

/* ---- The actions ------------------------------------------------------------------------------ */

static void module_add(const char *name)
{
    char file[4096];
    if (linker == NULL) {
        MUST(cuLinkCreate_v2(0, NULL, NULL, &linker));
    }
    snprintf(file, sizeof file, "%s/%s", directory, name);
    MUST(cuLinkAddFile_v2(linker, PTX, file, 0, NULL, NULL));
}

/* Loads the module before the first action that needs it. */
static void module_load(void)
{
    char file[4096];
    const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
    void *image;
    size_t size;
    if (module != NULL) {
        return;
    }
    if (linker != NULL) {
        MUST(cuLinkComplete(linker, &image, &size));
        MUST(cuModuleLoadData(&module, image));
        return;
    }
    snprintf(file, sizeof file, "%s/%.*s.ptx", directory, (int)strcspn(name, "."), name);
    MUST(cuModuleLoad(&module, file));
}

static struct array *array_add(const char *name)
{
    if (array_count == ARRAYS) {
        fail("too many arrays");
    }
    snprintf(arrays[array_count].name, sizeof arrays[0].name, "%s", name);
    return &arrays[array_count++];
}

static void array(char **rest)
{
    struct array *a = array_add(must_word(rest));
    a->bytes = strtoull(must_word(rest), NULL, 0);
    MUST(cuMemAlloc_v2(&a->address, a->bytes));
    MUST(cuMemsetD8_v2(a->address, 0, a->bytes));
}

static void values(char **rest)
{
    const struct array *a = find(must_word(rest));
    const char *type = must_word(rest);
    size_t at = 0, size = strcmp(type, "u8") == 0 ? 1 : 4;
    for (char *word; (word = strtok_r(NULL, " ", rest)) != NULL; at += size) {
        uint32_t number = (uint32_t)strtoll(word, NULL, 0);
        float real = strtof(word, NULL);
        if (at + size > a->bytes) {
            fail("too many values");
        }
        MUST(cuMemcpyHtoD_v2(a->address + at,
                             strcmp(type, "f32") == 0 ? (void *)&real : (void *)&number, size));
    }
}

static void three(unsigned size[3], const char *word)
{
    size[0] = size[1] = size[2] = 1;
    if (sscanf(word, "%u,%u,%u", &size[0], &size[1], &size[2]) < 1) {
        fail("%s is no size", word);
    }
}

static void tensor(char **rest)
{
    enum { INT32 = 3 };
    _Alignas(64) char map[TENSOR_BYTES];
    unsigned shape[3], box[3], step[3] = {1, 1, 1};
    struct array *t = array_add(must_word(rest));
    uint64_t memory = find(must_word(rest))->address;
    const char *word = must_word(rest);
    three(shape, word);
    three(box, must_word(rest));
    const uint64_t size[] = {shape[0], shape[1]}, stride = 4ull * shape[0];
    MUST(cuTensorMapEncodeTiled(map, INT32, strchr(word, ',') ? 2 : 1, memory, size, &stride, box,
                                step, 0, atoi(must_word(rest)), 0, 0));
    t->bytes = sizeof map;
    MUST(cuMemAlloc_v2(&t->address, t->bytes));
    MUST(cuMemcpyHtoD_v2(t->address, map, sizeof map));
}

/* Writes the bytes of a structure to `to`. word: HEX[:OFFSET=NAME]. */
static void structure(unsigned char *to, const char *word)
{
    unsigned byte, offset;
    char name[32];
    for (size_t n = 0; n < ARGUMENT_BYTES && sscanf(word, "%2x", &byte) == 1; word += 2) {
        to[n++] = (unsigned char)byte;
    }
    if (sscanf(word, ":%u=%31s", &offset, name) == 2 && offset + 8 <= ARGUMENT_BYTES) {
        memcpy(to + offset, &find(name)->address, 8);
    }
}

static void argument(unsigned char *to, const char *word)
{
    char *end;
    double real = strtod(word + 1 + (word[1] == ':'), NULL);
    float single = (float)real;
    long long number = strtoll(word, &end, 0);
    memset(to, 0, ARGUMENT_BYTES);
    if (word[0] == 'x' && word[1] == ':') {
        structure(to, word + 2);
    } else if (word[0] == 't' && word[1] == ':') {
        MUST(cuMemcpyDtoH_v2(to, find(word + 2)->address, TENSOR_BYTES));
    } else if (word[0] == 'f' && word[1] == ':') {
        memcpy(to, &single, sizeof single);
    } else if (word[0] == 'd' && word[1] == ':') {
        memcpy(to, &real, sizeof real);
    } else if (*end == '\0') {
        memcpy(to, &number, sizeof number);
    } else {
        memcpy(to, &find(word)->address, sizeof(uint64_t));
    }
}

static void launch(char **rest, void *stream)
{
    static unsigned char bytes[ARGUMENTS][ARGUMENT_BYTES];
    void *function, *parameters[ARGUMENTS];
    unsigned grid[3], block[3], shared = 0;
    bool cooperative = false;
    size_t n = 0;
    MUST(cuModuleGetFunction(&function, module, must_word(rest)));
    three(grid, must_word(rest));
    three(block, must_word(rest));
    for (char *word; (word = strtok_r(NULL, " ", rest)) != NULL;) {
        if (strncmp(word, "shared=", 7) == 0) {
            shared = (unsigned)strtoul(word + 7, NULL, 10);
            MUST(cuFuncSetAttribute(function, MAX_DYNAMIC_SHARED, (int)shared));
        } else if (strcmp(word, "cooperative") == 0) {
            cooperative = true;
        } else if (n < ARGUMENTS) {
            argument(bytes[n], word);
            parameters[n] = bytes[n];
            n++;
        }
    }
    for (; n < ARGUMENTS; n++) {
        parameters[n] = memset(bytes[n], 0, ARGUMENT_BYTES);
    }
    MUST(cooperative ? cuLaunchCooperativeKernel(function, grid[0], grid[1], grid[2], block[0],
                                                 block[1], block[2], shared, stream, parameters)
                     : cuLaunchKernel(function, grid[0], grid[1], grid[2], block[0], block[1],
                                      block[2], shared, stream, parameters, NULL));
    MUST(captures ? 0 : cuStreamSynchronize(stream));
}

static void graph_run(char **rest, void *stream)
{
    void *graph, *exec;
    unsigned long count = strtoul(must_word(rest), NULL, 10);
    MUST(cuStreamEndCapture(stream, &graph));
    MUST(cuGraphInstantiateWithFlags(&exec, graph, 0));
    MUST(cuGraphDestroy(graph));
    for (unsigned long i = 0; i < count; i++) {
        MUST(cuGraphLaunch(exec, stream));
    }
    MUST(cuStreamSynchronize(stream));
    MUST(cuGraphExecDestroy(exec));
    captures = false;
}

static void script_run(void)
{
    char *line = NULL, *word, *rest;
    size_t room = 0, stream = 1;
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        fail("cannot be opened");
    }
    while (getline(&line, &room, file) >= 0) {
        line_number++;
        line[strcspn(line, "#\n")] = '\0';
        word = strtok_r(line, " ", &rest);
        if (word == NULL || strcmp(word, "unordered") == 0) {
            continue;
        }
        if (strcmp(word, "module") == 0) {
            module_add(must_word(&rest));
            continue;
        }
        module_load();
        if (strcmp(word, "array") == 0) {
            array(&rest);
        } else if (strcmp(word, "variable") == 0) {
            struct array *a = array_add(must_word(&rest));
            MUST(cuModuleGetGlobal_v2(&a->address, &a->bytes, module, a->name));
        } else if (strcmp(word, "values") == 0) {
            values(&rest);
        } else if (strcmp(word, "tensor") == 0) {
            tensor(&rest);
        } else if (strcmp(word, "stream") == 0) {
            stream = strtoul(must_word(&rest), NULL, 10) % STREAMS;
        } else if (strcmp(word, "launch") == 0) {
            if (streams[stream] == NULL) {
                MUST(cuStreamCreate(&streams[stream], 0));
            }
            launch(&rest, streams[stream]);
        } else if (strcmp(word, "graph") == 0) {
            MUST(cuStreamBeginCapture_v2(streams[stream], 0));
            captures = true;
        } else if (strcmp(word, "run") == 0) {
            graph_run(&rest, streams[stream]);
        } else {
            fail("unknown word %s", word);
        }
    }
    free(line);
    fclose(file);
}

/* Writes places (contents is false) or contents of the arrays to a file. */
static void arrays_write(const char *file, bool contents)
{
    FILE *f = file == NULL ? NULL : fopen(file, "w");
    for (size_t i = 0; f != NULL && i < array_count; i++) {
        const struct array *a = &arrays[i];
        if (contents) {
            void *copy = malloc(a->bytes + 1);
            MUST(copy == NULL);
            MUST(cuMemcpyDtoH_v2(copy, a->address, a->bytes));
            fwrite(copy, 1, a->bytes, f);
            free(copy);
        } else {
            fprintf(f, "%s 0x%llx %zu\n", a->name, (unsigned long long)a->address, a->bytes);
        }
    }
    if (file != NULL && (f == NULL || fclose(f) != 0)) {
        fail("%s cannot be written", file);
    }
}

int main(int argc, char **argv)
{
    const char *places = NULL, *contents = NULL;
    void *context;
    int i = 1;
    for (; i < argc && strncmp(argv[i], "--", 2) == 0; i++) {
        *(argv[i][2] == 'a' ? &places : &contents) = strchr(argv[i], '=') + 1;
    }
    if (i + 2 != argc) {
        fputs("usage: cuda_replay [--arrays=FILE] [--contents=FILE] PTX-DIRECTORY SCRIPT\n",
              stderr);
        return 2;
    }
    directory = argv[i];
    path = argv[i + 1];
    MUST(cuInit(0));
    MUST(cuDevicePrimaryCtxRetain(&context, 0));
    MUST(cuCtxSetCurrent(context));
    script_run();
    arrays_write(places, false);
    arrays_write(contents, true);
    return 0;
}
