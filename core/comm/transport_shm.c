/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * transport_shm.c - rings between the ranks of a node, in POSIX shared memory.
 *
 * Each rank owns one shared memory object. It holds first the ends of the rings from which the rank
 * receives, contiguous so that polling is cheap. The rank's board (see comm.h) and the bytes of
 * these rings follow. The owner allocates the object and touches it first, which places the object
 * in memory near the owner.
 *
 * POSIX shared memory is used instead of an MPI window because posix_fallocate() ensures that the
 * memory exists. If /dev/shm is too small, MPI_Win_allocate_shared() hangs (Open MPI 4.1), or
 * appears to work and ends the program when the memory is touched (MPICH 4.0).
 *
 * Size of a ring: RING_BYTES_DEFAULT, so that it fits into the cache together with the other data
 * of sender and receiver. In measurements with small flushes, this size was a third faster than 1
 * MiB. Rings are smaller if the rings of the node would together exceed RINGS_BYTES_MOST, or a
 * quarter of the free space (the MPI library needs space, too). A ring is never smaller than
 * RING_BYTES_LEAST, nor than twice the longest message.
 */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/clock.h"
#include "comm/ring.h"
#include "comm/transport_private.h"
#include "ross.h"

#define RING_BYTES_DEFAULT ((uint64_t)1 << 18)
#define RING_BYTES_LEAST   ((uint64_t)1 << 12)
#define RINGS_BYTES_MOST   ((uint64_t)256 << 20) /* limit in bytes for all rings of the node */
#define CHUNK_BYTES        ((size_t)1 << 16)
/* RELEASE_BYTES: number of bytes that a poll takes from a ring before it returns their space to the
 * sender. POLL_BYTES: number of bytes that a poll takes from a ring before it goes on to the next
 * ring. Many messages from one rank must not keep this rank from its other work. */
#define RELEASE_BYTES ((uint64_t)1 << 14)
#define POLL_BYTES    ((uint64_t)1 << 16)

#define PAGE       ((uint64_t)4096)
#define NAME_BYTES 64

/* Reasons why there are no rings, in ascending order of severity. All ranks agree on the most
 * severe reason that any rank has. */
enum trouble { TROUBLE_NONE, TROUBLE_NOT_SHARED, TROUBLE_NO_ROOM, TROUBLE_NO_MEMORY };

static const char *const trouble_texts[] = {
    NULL,
    "the ranks of a node cannot open each other's shared memory",
    "/dev/shm has too little space for rings between the ranks of a node",
    "there is no shared memory (/dev/shm) for rings between the ranks of a node",
};

/* Another rank of the node, with the two rings between it and this rank. */
struct peer {
    struct ring_receiver receiver;
    int rank; /* rank in the engine's communicator */
    struct ring_sender sender;
};

struct rings {
    struct peer *peers;
    int n_peers;
    struct ring_chunks chunks;
    /* node_rank: index of this rank within its node. n_node: number of ranks on the node. */
    int node_rank;
    int n_node;
    uint64_t capacity; /* capacity of each ring in bytes */
    size_t segment_bytes;
    void **segments;       /* [index within the node]: shared memory object of that rank */
    char name[NAME_BYTES]; /* name of this rank's object; empty after its removal by shm_unlink() */
};

/* ---- Layout of the shared memory ------------------------------------------------------------- */

static uint64_t round_up(uint64_t n, uint64_t to)
{
    return (n + to - 1) / to * to;
}

/* Returns the number of bytes that precede the first ring in a shared memory object: the ends of
 * the rings, the board and padding. */
static uint64_t ends_bytes(int n_node)
{
    return round_up((uint64_t)n_node * sizeof(struct ring_ends) + sizeof(struct comm_board), PAGE);
}

static uint64_t rings_on_node(int n_node)
{
    return (uint64_t)n_node * (uint64_t)(n_node - 1);
}

/* Returns the capacity of a ring in bytes; 0 if even the smallest rings that suffice for the
 * longest message would exceed a quarter of free_bytes. */
static uint64_t ring_capacity(int n_node, size_t max_message_bytes, uint64_t free_bytes)
{
    assert(n_node > 1);
    uint64_t extent = sizeof(struct message_header) + max_message_bytes;
    uint64_t least = RING_BYTES_LEAST;
    while (least < 2 * extent) { /* required by invariant R4 of ring.h */
        least *= 2;
    }
    uint64_t room = (free_bytes / 4) / rings_on_node(n_node);
    uint64_t share = RINGS_BYTES_MOST / rings_on_node(n_node);
    share = room < share ? room : share;
    uint64_t capacity = RING_BYTES_DEFAULT;
    while (capacity > share && capacity > least) {
        capacity /= 2;
    }
    capacity = capacity < least ? least : capacity;
    return capacity <= room ? capacity : 0;
}

static struct ring_ends *ring_ends(const struct rings *r, int from, int to)
{
    assert(from >= 0 && from <= r->n_node && to >= 0 && to < r->n_node);
    return (struct ring_ends *)r->segments[to] + from;
}

static unsigned char *ring_bytes(const struct rings *r, int from, int to)
{
    assert(from != to);
    /* Index of the sender among the other ranks: no rank sends to itself. */
    uint64_t slot = (uint64_t)(from < to ? from : from - 1);
    return (unsigned char *)r->segments[to] + ends_bytes(r->n_node) + slot * r->capacity;
}

/* ---- Allocation ------------------------------------------------------------------------------ */

/* Creates the shared memory object of this rank, still empty. Returns its file descriptor; -1 if
 * this fails. */
static int segment_create(struct rings *r)
{
    snprintf(r->name, sizeof r->name, "/warpscope-%ld-%" PRIx64, (long)getpid(),
             clock_monotonic_ns());
    int fd = shm_open(r->name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0) {
        r->name[0] = '\0';
    }
    return fd;
}

/* Returns the number of free bytes in the file system of the shared memory objects: the minimum over
 * the ranks of the node. Collective on the node. */
static uint64_t free_bytes(const struct comm *c, int fd)
{
    struct statvfs fs;
    uint64_t bytes = 0;
    if (fd >= 0 && fstatvfs(fd, &fs) == 0) {
        bytes = fs.f_blocks == 0 ? UINT64_MAX / 2 : (uint64_t)fs.f_bavail * fs.f_frsize;
    }
    MPI_Allreduce(MPI_IN_PLACE, &bytes, 1, MPI_UINT64_T, MPI_MIN, c->node);
    return bytes;
}

static void *segment_map(int fd, size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

/* Allocates the memory of this rank's shared memory object, whose file descriptor is fd, and maps
 * the object into the address space. */
static enum trouble segment_fill(struct rings *r, int fd)
{
    if (fd < 0) {
        return TROUBLE_NO_MEMORY;
    }
    if (r->capacity == 0) {
        return TROUBLE_NO_ROOM;
    }
    int error;
    do {
        error = posix_fallocate(fd, 0, (off_t)r->segment_bytes);
    } while (error == EINTR);
    if (error != 0) {
        return error == ENOSPC ? TROUBLE_NO_ROOM : TROUBLE_NO_MEMORY;
    }
    r->segments[r->node_rank] = segment_map(fd, r->segment_bytes);
    return r->segments[r->node_rank] == NULL ? TROUBLE_NO_MEMORY : TROUBLE_NONE;
}

/* Maps the shared memory objects of the other ranks of the node. Called after segment_fill(); the
 * exchange of names ensures that every rank has called segment_fill() before any rank maps an
 * object. Collective on the node. */
static enum trouble segments_open(struct rings *r, const struct comm *c)
{
    enum trouble trouble = TROUBLE_NONE;
    char *names = tw_calloc(TW_LOC, "transport", NAME_BYTES, (size_t)r->n_node);
    MPI_Allgather(r->name, NAME_BYTES, MPI_CHAR, names, NAME_BYTES, MPI_CHAR, c->node);
    for (int i = 0; i < r->n_node && trouble == TROUBLE_NONE; i++) {
        if (i == r->node_rank) {
            continue;
        }
        int fd = shm_open(names + (size_t)i * NAME_BYTES, O_RDWR | O_CLOEXEC, 0);
        if (fd >= 0) {
            r->segments[i] = segment_map(fd, r->segment_bytes);
            close(fd);
        }
        trouble = r->segments[i] == NULL ? TROUBLE_NOT_SHARED : TROUBLE_NONE;
    }
    free(names);
    return trouble;
}

/* Creates the shared memory objects of all ranks of the node and maps them. Collective on the
 * node. */
static enum trouble segments_make(struct rings *r, const struct comm *c, size_t max_message_bytes)
{
    int fd = segment_create(r);
    r->capacity = ring_capacity(r->n_node, max_message_bytes, free_bytes(c, fd));
    r->segment_bytes = ends_bytes(r->n_node) + (uint64_t)(r->n_node - 1) * r->capacity;
    enum trouble fill = segment_fill(r, fd);
    if (fd >= 0) {
        close(fd);
    }
    enum trouble open = segments_open(r, c);
    return fill > open ? fill : open;
}

/* ---- Creation and destruction ---------------------------------------------------------------- */

static void make_peers(struct rings *r, const struct comm *c)
{
    int *ranks = tw_calloc(TW_LOC, "transport", sizeof *ranks, (size_t)r->n_node);
    MPI_Allgather(&c->rank, 1, MPI_INT, ranks, 1, MPI_INT, c->node);
    for (int i = 0; i < r->n_node; i++) {
        if (i != r->node_rank) {
            struct peer *peer = &r->peers[r->n_peers++];
            peer->rank = ranks[i];
            ring_sender_init(&peer->sender, ring_ends(r, r->node_rank, i),
                             ring_bytes(r, r->node_rank, i), r->capacity, &r->chunks);
            ring_receiver_init(&peer->receiver, ring_ends(r, i, r->node_rank),
                               ring_bytes(r, i, r->node_rank), r->capacity);
        }
    }
    free(ranks);
}

struct rings *rings_create(const struct comm *c, size_t max_message_bytes, const char **trouble)
{
    struct rings *r = tw_calloc(TW_LOC, "transport", sizeof *r, 1);
    MPI_Comm_rank(c->node, &r->node_rank);
    MPI_Comm_size(c->node, &r->n_node);
    r->peers = tw_calloc(TW_LOC, "transport", sizeof(struct peer), (size_t)r->n_node);
    r->segments = tw_calloc(TW_LOC, "transport", sizeof(void *), (size_t)r->n_node);
    size_t extent = sizeof(struct message_header) + max_message_bytes;
    ring_chunks_init(&r->chunks, extent > CHUNK_BYTES ? extent : CHUNK_BYTES);
    int worst = r->n_node > 1 ? (int)segments_make(r, c, max_message_bytes) : TROUBLE_NONE;
    MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_INT, MPI_MAX, c->comm);
    /* Every rank that uses the object has mapped it. Without a name, the object vanishes when the
     * last of these ranks ends. */
    if (r->name[0] != '\0') {
        shm_unlink(r->name);
    }
    if (worst != TROUBLE_NONE) {
        *trouble = trouble_texts[worst];
        rings_destroy(r);
        return NULL;
    }
    if (r->n_node > 1) {
        make_peers(r, c);
    }
    return r;
}

void rings_destroy(struct rings *r)
{
    for (int i = 0; i < r->n_peers; i++) {
        ring_sender_fini(&r->peers[i].sender);
    }
    /* Unmaps the objects without waiting, since other ranks keep their own mappings. */
    for (int i = 0; i < r->n_node; i++) {
        if (r->segments[i] != NULL) {
            munmap(r->segments[i], r->segment_bytes);
        }
    }
    ring_chunks_fini(&r->chunks);
    free(r->peers);
    free(r->segments);
    free(r);
}

int rings_count(const struct rings *r)
{
    return r->n_peers;
}

struct ring_sender *rings_at(struct rings *r, int i, int *rank)
{
    assert(i >= 0 && i < r->n_peers);
    *rank = r->peers[i].rank;
    return &r->peers[i].sender;
}

struct comm_board *rings_board(const struct rings *r, int node_rank)
{
    return (struct comm_board *)(void *)ring_ends(r, r->n_node, node_rank);
}

size_t rings_memory_bytes(const struct rings *r)
{
    size_t chunks = r->chunks.n_chunks * (sizeof(struct ring_chunk) + r->chunks.chunk_bytes);
    return r->segment_bytes + chunks;
}

/* ---- Receiving ------------------------------------------------------------------------------- */

/* Delivers messages up to position `end`, but stops after POLL_BYTES bytes. Returns false if it
 * delivered none because the first message has the held colour. */
static bool deliver_from(struct peer *peer, uint64_t end, const struct transport_sink *sink)
{
    struct ring_receiver *ring = &peer->receiver;
    assert(end != ring->head);
    uint64_t start = ring->head;
    bool any = false;
    do {
        const struct message_header *m = ring_first(ring);
        if (m->colour == sink->held_colour) {
            break;
        }
        any = true;
        transport_sink_put(sink, peer->rank, m);
        ring_take(ring, m);
        if (ring->head - ring->released >= RELEASE_BYTES) {
            ring_release(ring);
        }
    } while (ring->head != end && ring->head - start < POLL_BYTES);
    ring_release(ring);
    return any;
}

bool rings_poll(struct rings *r, const struct transport_sink *sink)
{
    bool any = false;
    for (int i = 0; i < r->n_peers; i++) {
        struct peer *peer = &r->peers[i];
        uint64_t end = ring_arrived(&peer->receiver);
        if (end != peer->receiver.head) {
            any |= deliver_from(peer, end, sink);
        }
    }
    for (int i = 0; i < r->n_peers && r->chunks.n_overflowing > 0; i++) {
        ring_publish(&r->peers[i].sender);
    }
    return any;
}
