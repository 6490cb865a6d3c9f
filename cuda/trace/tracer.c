/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tracer.c - see tracer.h.
 *
 * An additional thread checks contexts for errors, because CUDA calls no host function after a
 * fault. The threads that drain slots never call CUDA: a call could wait for a lock that the
 * program holds until a kernel ends, and that kernel may wait for the drain.
 */
#define _GNU_SOURCE
#include "trace/tracer.h"

#include <assert.h>
#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "abi/abi.h"
#include "trace/memory.h"
#include "trace/say.h"

#define WATCH_NANOSECONDS 50000000L
/* Maximum time in nanoseconds that kernels have to end after the program has ended. */
#define GRACE_MOST UINT64_C(10000000000)
/* Size in bytes of the space for `control` and `copy`, which precedes the image and the ring. */
#define SLOT_SPACE 512u

enum { UNREAD, ON, OFF };
enum { UNTRACED_MAX = 64 };

static struct {
    pthread_mutex_t lock; /* protects all members that are not atomic */
    int state;            /* atomic */
    struct ws_trace_options options;
    struct ws_traced_stream *streams;
    struct ws_traced_stream *kept; /* those that the end of the program has ended */
    struct ws_slot_memory *unused;
    unsigned numbers; /* number of trace files so far */
    bool has_watch;
    bool is_closed; /* true if no more streams are traced */
    unsigned n_untraced;
    struct ws_untraced untraced[UNTRACED_MAX]; /* further kernels are left out */
} tracer = {.lock = PTHREAD_MUTEX_INITIALIZER};

static int state_now(void)
{
    return __atomic_load_n(&tracer.state, __ATOMIC_ACQUIRE);
}

static void state_set(int state)
{
    assert(state == ON || state == OFF);
    __atomic_store_n(&tracer.state, state, __ATOMIC_RELEASE);
}

/* ---- Memory of slots ------------------------------------------------------------------------- */

/* Returns true if an error number means that the machine has no usable GPU. The runtime and the
 * driver use the same numbers. */
static bool is_without_gpu(int reason)
{
    return reason == GPU_INITIALIZATION_ERROR || reason == GPU_INSUFFICIENT_DRIVER ||
           reason == GPU_NO_DEVICE;
}

static void say_no_memory(const struct ws_calls *calls, int reason, size_t size, char *error)
{
    if (is_without_gpu(reason)) {
        snprintf(error, WS_TRACE_ERROR_MAX,
                 "no GPU can be used: %.200s; warpscope memtrace record -- PROGRAM runs it without",
                 calls->error_text(reason));
        return;
    }
    snprintf(error, WS_TRACE_ERROR_MAX, "no memory for the ring of a stream (%zu bytes): %.200s",
             size, reason == 0 ? "out of memory" : calls->error_text(reason));
}

static struct ws_slot_memory *memory_create(const struct ws_stream_key *key, char *error)
{
    const struct ws_calls *calls = key->calls;
    const struct ws_trace_options *o = &tracer.options;
    assert(o->ring > 0 && (o->ring & (o->ring - 1)) == 0);
    struct ws_slot_memory *m = calloc(1, sizeof *m);
    void *host = NULL;
    uint64_t address = 0;
    size_t size = 2 * SLOT_SPACE + sizeof(struct ws_slot) + o->ring * sizeof(struct ws_slot_record);
    calls->apart(1);
    int reason = m == NULL ? 0 : calls->host_alloc(&host, &address, size);
    if (m != NULL && reason == 0) {
        reason = calls->device_alloc(&m->slot, sizeof(struct ws_slot));
    }
    calls->apart(0);
    if (m == NULL || reason != 0) {
        say_no_memory(calls, reason, size, error);
        if (host != NULL) {
            calls->host_free(host);
        }
        free(m);
        return NULL;
    }
    uint8_t *bytes = host;
    memset(bytes, 0, size);
    *m = (struct ws_slot_memory){
        .calls = calls, .place = key->place, .slot = m->slot, .is_new = true};
    m->ring.control = (void *)bytes;
    m->copy = (void *)(bytes + 256);
    m->image = (void *)(bytes + SLOT_SPACE);
    m->ring.records = (void *)(bytes + 2 * SLOT_SPACE + sizeof(struct ws_slot));
    m->ring.mask = o->ring - 1;
    *m->image = (struct ws_slot){.records = address + 2 * SLOT_SPACE + sizeof(struct ws_slot),
                                 .mask = m->ring.mask,
                                 .patience = o->patience,
                                 .control = address};
    return m;
}

static struct ws_slot_memory *memory_get(const struct ws_stream_key *key, char *error)
{
    for (struct ws_slot_memory **at = &tracer.unused; *at != NULL; at = &(*at)->next) {
        struct ws_slot_memory *m = *at;
        if (m->calls->kind == key->calls->kind && m->place == key->place) {
            *at = m->next;
            return m;
        }
    }
    return memory_create(key, error);
}

static void memory_put(struct ws_slot_memory *m)
{
    if (m != NULL) {
        m->next = tracer.unused;
        tracer.unused = m;
    }
}

/* ---- Faults ---------------------------------------------------------------------------------- */

/* Checks the context of each stream with running launches for an error. */
static void faults_find(void)
{
    for (struct ws_traced_stream *s = tracer.streams; s != NULL; s = s->next) {
        ws_stream_check(s);
    }
}

static void *watch_run(void *unused)
{
    bool is_relaxed = false;
    while (state_now() == ON) {
        nanosleep(&(struct timespec){.tv_nsec = WATCH_NANOSECONDS}, NULL);
        /* A thread that holds the lock to end streams checks for faults itself. */
        if (pthread_mutex_trylock(&tracer.lock) == 0) {
            if (!is_relaxed && tracer.streams != NULL) {
                tracer.streams->key.calls->relax(WS_RELAXED);
                is_relaxed = true;
            }
            if (state_now() == ON) {
                faults_find();
            }
            pthread_mutex_unlock(&tracer.lock);
        }
    }
    return unused;
}

static bool watch_start(void)
{
    pthread_t thread;
    bool good = ws_thread_start(&thread, watch_run, NULL);
    if (good) {
        pthread_detach(thread);
    }
    return good;
}

/* ---- Begin and end --------------------------------------------------------------------------- */

/* Ends a stream that is not in the list of streams. Keeps its memory for another stream. */
static void stream_finish(struct ws_traced_stream *s, uint64_t grace)
{
    char error[WS_TRACE_ERROR_MAX];
    bool good = true;
    memory_put(ws_stream_end(s, grace, tracer.untraced, tracer.n_untraced, &good, error));
    if (!good) {
        ws_trace_say("%s", error);
    }
}

/* Ends each destroyed stream whose launches have all ended. */
static void retired_finish(void)
{
    for (struct ws_traced_stream **at = &tracer.streams; *at != NULL;) {
        struct ws_traced_stream *s = *at;
        if (s->is_retired && ws_stream_is_idle(s)) {
            *at = s->next;
            stream_finish(s, 0);
        } else {
            at = &s->next;
        }
    }
}

static uint64_t grace_of(void)
{
    return tracer.options.patience < GRACE_MOST ? tracer.options.patience : GRACE_MOST;
}

void ws_tracer_end(void)
{
    if (state_now() != ON) {
        return;
    }
    state_set(OFF);
    pthread_mutex_lock(&tracer.lock);
    while (tracer.streams != NULL) {
        struct ws_traced_stream *s = tracer.streams;
        tracer.streams = s->next;
        s->is_kept = true; /* another thread may be launching into it */
        stream_finish(s, grace_of());
        s->next = tracer.kept;
        tracer.kept = s;
    }
    ws_memory_finish();
    pthread_mutex_unlock(&tracer.lock);
}

/* Ends tracing in the child process after fork(). The child does not have the tracer's threads, and
 * the parent continues to write the files. */
static void child_begin(void)
{
    if (state_now() == ON) {
        state_set(OFF);
    }
}

static void options_read(void)
{
    char error[WS_TRACE_ERROR_MAX];
    bool good = ws_trace_options_read(&tracer.options, error);
    bool is_on = good && tracer.options.directory[0] != '\0';
    if (!good) {
        ws_trace_say("%s; the program runs untraced", error);
        ws_trace_lost();
    }
    if (is_on) {
        pthread_atfork(NULL, NULL, child_begin);
        atexit(ws_tracer_end);
    }
    state_set(is_on ? ON : OFF);
}

/* ---- Launches -------------------------------------------------------------------------------- */

static bool is_same(const struct ws_stream_key *a, const struct ws_stream_key *b)
{
    return a->handle == b->handle && a->place == b->place && a->thread == b->thread &&
           a->calls->kind == b->calls->kind;
}

static struct ws_traced_stream *stream_find(const struct ws_stream_key *key)
{
    for (struct ws_traced_stream *s = tracer.streams; s != NULL; s = s->next) {
        if (!s->is_retired && is_same(&s->key, key)) {
            return s;
        }
    }
    return NULL;
}

/* Creates a traced stream and adds it to the list. If this fails, prints a message and returns
 * NULL; from then on no more streams are traced. */
static struct ws_traced_stream *stream_create(const struct ws_stream_key *key)
{
    char error[WS_TRACE_ERROR_MAX] = "cannot start a thread", ignored[WS_TRACE_ERROR_MAX];
    if (tracer.is_closed) {
        return NULL;
    }
    int mode = key->calls->relax(WS_RELAXED);
    retired_finish();
    struct ws_slot_memory *memory = memory_get(key, error);
    struct ws_trace_file *file =
        memory == NULL ? NULL : ws_trace_file_create(&tracer.options, tracer.numbers + 1, error);
    tracer.has_watch = tracer.has_watch || (file != NULL && watch_start());
    struct ws_traced_stream *s =
        file == NULL || !tracer.has_watch ? NULL : ws_stream_create(key, memory, file);
    if (s == NULL) {
        ws_trace_file_finish(file, ignored);
        memory_put(memory);
        ws_trace_say(tracer.numbers == 0 ? "%s; the program runs untraced"
                                         : "%s; only the streams before are traced",
                     error);
        ws_trace_lost();
        tracer.is_closed = true;
    } else {
        s->number = ++tracer.numbers;
        ws_memory_create(&tracer.options);
        s->next = tracer.streams;
        tracer.streams = s;
    }
    key->calls->relax(mode);
    return s;
}

/* Copies the image of a new slot to the device, in the order of the stream. Returns false if CUDA
 * refuses. */
static bool slot_fill(struct ws_traced_stream *s)
{
    struct ws_slot_memory *m = s->memory;
    m->is_new =
        m->is_new && s->key.calls->copy_in(m->slot, m->image, sizeof *m->image, s->key.handle) != 0;
    return !m->is_new;
}

/* Returns the traced stream with this key, with `launching` locked, or NULL if the stream is not
 * traced. */
static struct ws_traced_stream *stream_lock(const struct ws_stream_key *key)
{
    pthread_mutex_lock(&tracer.lock);
    if (state_now() == UNREAD) {
        options_read();
    }
    struct ws_traced_stream *s = NULL;
    if (state_now() == ON) {
        s = stream_find(key);
        s = s == NULL ? stream_create(key) : s;
    }
    pthread_mutex_unlock(&tracer.lock);
    if (s != NULL) {
        pthread_mutex_lock(&s->launching);
        if (state_now() != ON || __atomic_load_n(&s->is_useless, __ATOMIC_RELAXED) ||
            __atomic_load_n(&s->is_faulty, __ATOMIC_RELAXED)) {
            pthread_mutex_unlock(&s->launching);
            s = NULL;
        }
    }
    return s;
}

static void own_untraced(const struct ws_traced_kernel *kernel, const char *why)
{
    pthread_mutex_lock(&tracer.lock);
    bool is_known = false;
    for (unsigned i = 0; i < tracer.n_untraced; i++) {
        is_known |= strcmp(tracer.untraced[i].kernel, kernel->name) == 0;
    }
    /* A copy, since the table goes away with the library that contains it. */
    char *name = is_known || tracer.n_untraced == UNTRACED_MAX ? NULL : strdup(kernel->name);
    if (name != NULL) {
        tracer.untraced[tracer.n_untraced++] = (struct ws_untraced){name, why};
    }
    pthread_mutex_unlock(&tracer.lock);
}

static void own_launch(struct ws_tracer_ticket *ticket, const struct ws_stream_key *key,
                       const struct ws_traced_kernel *kernel)
{
    *ticket = (struct ws_tracer_ticket){0};
    if (state_now() == OFF) {
        return;
    }
    if (key->calls->is_capturing(key->handle)) {
        return; /* hooks/plans.c traces launches of graphs */
    }
    struct ws_traced_stream *s = stream_lock(key);
    struct ws_traced_launch *launch =
        s != NULL && slot_fill(s) ? ws_stream_launch(s, kernel) : NULL;
    if (launch != NULL) {
        *ticket = (struct ws_tracer_ticket){s->memory->slot, s, launch};
    } else if (s != NULL) {
        pthread_mutex_unlock(&s->launching);
    }
}

/* Returns true if CUDA refused a launch because it cannot run the code of the kernel. Other errors
 * are those of the program's arguments. */
static bool is_refusal(int error)
{
    return error == GPU_INVALID_FUNCTION || error == GPU_INVALID_IMAGE || error == GPU_NO_BINARY ||
           error == GPU_INVALID_PTX || error == GPU_UNSUPPORTED_PTX_VERSION ||
           error == GPU_NOT_SUPPORTED;
}

static void own_launched(struct ws_tracer_ticket *ticket, int error)
{
    if (ticket->stream == NULL) {
        return;
    }
    assert(ticket->launch != NULL && ticket->launch->stream == ticket->stream);
    if (error == 0) {
        ws_stream_launched(ticket->stream, ticket->launch);
        ws_memory_launch(ticket->stream->number);
    } else {
        ws_launch_set(ticket->launch, is_refusal(error) ? WS_REFUSED : WS_CANCELLED, error);
    }
    pthread_mutex_unlock(&ticket->stream->launching);
}

/* ---- Ends of streams, devices and contexts --------------------------------------------------- */

static void own_stream_end(const struct ws_stream_key *key)
{
    if (state_now() == ON) {
        pthread_mutex_lock(&tracer.lock);
        struct ws_traced_stream *s = stream_find(key);
        if (s != NULL) {
            s->is_retired = true;
        }
        retired_finish();
        pthread_mutex_unlock(&tracer.lock);
    }
}

static void own_place_end(const struct ws_calls *calls, uint64_t place)
{
    if (state_now() != ON) {
        return;
    }
    pthread_mutex_lock(&tracer.lock);
    for (struct ws_traced_stream **at = &tracer.streams; *at != NULL;) {
        struct ws_traced_stream *s = *at;
        if (s->key.calls->kind == calls->kind && s->key.place == place) {
            *at = s->next;
            stream_finish(s, grace_of());
        } else {
            at = &s->next;
        }
    }
    /* The reset of the device frees the CUDA memory of these slots. */
    for (struct ws_slot_memory **at = &tracer.unused; *at != NULL;) {
        struct ws_slot_memory *m = *at;
        if (m->calls->kind == calls->kind && m->place == place) {
            *at = m->next;
            free(m);
        } else {
            at = &m->next;
        }
    }
    pthread_mutex_unlock(&tracer.lock);
}

static const struct ws_tracer_functions ws_tracer_own = {.launch = own_launch,
                                                         .untraced = own_untraced,
                                                         .launched = own_launched,
                                                         .memory_begins = ws_memory_begins,
                                                         .memory_ends = ws_memory_ends,
                                                         .stream_end = own_stream_end,
                                                         .place_end = own_place_end};

/* ---- One tracer for all copies of this code in a process ----------------------------------------
 *
 * A program and its shared libraries may each contain a copy. The first copy that is loaded stores
 * the address of its functions in an environment variable, where later copies find the address. A
 * program and a library that it loads with dlopen() share no other memory that both could find.
 */

/* Environment variable that leads to the tracer. Its value is PID:VERSION:ADDRESS, where ADDRESS is
 * the hexadecimal address of the tracer's struct ws_tracer_functions. */
#define WS_TRACER_VARIABLE "WARPSCOPE_MEMTRACE_TRACER"
/* Version of struct ws_tracer_functions and of the structures that its functions use. */
enum { WS_TRACER_VERSION = 4 };

const struct ws_tracer_functions *ws_tracer = &ws_tracer_own;

/* Finds the tracer when the program or library is loaded. Other threads usually do not exist yet,
 * so that access to the environment, which is not thread-safe, is possible. */
__attribute__((constructor)) static void tracer_find(void)
{
    const char *tracing = getenv(WS_TRACE_VARIABLE), *known = getenv(WS_TRACER_VARIABLE);
    long pid = 0;
    unsigned version = 0;
    uintptr_t address = 0;
    if (tracing == NULL || tracing[0] == '\0') {
        return;
    }
    if (known != NULL && sscanf(known, "%ld:%u:%" SCNxPTR, &pid, &version, &address) == 3 &&
        pid == (long)getpid() && version == WS_TRACER_VERSION && address != 0) {
        ws_tracer = (const struct ws_tracer_functions *)address;
        return;
    }
    Dl_info info;
    /* Keeps the library in memory: threads of the tracer execute its code even after dlclose(). */
    if (dladdr(&ws_tracer_own, &info) != 0) {
        dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
    }
    char text[80];
    snprintf(text, sizeof text, "%ld:%u:%" PRIxPTR, (long)getpid(), (unsigned)WS_TRACER_VERSION,
             (uintptr_t)&ws_tracer_own);
    setenv(WS_TRACER_VARIABLE, text, 1);
}
