/* SPDX-License-Identifier: BSD-3-Clause */
/* record.c - see record.h. */
#include "checkpoint/record.h"

#include <assert.h>

#include "checkpoint/checkpoint_private.h"
#include "engine/engine.h"

struct lp_head {
    uint64_t record_bytes;
    uint64_t gid;
};

struct part_head {
    uint32_t tag;
    uint32_t reserved;
    uint64_t size; /* number of bytes that follow, without the padding to a multiple of 8 */
};

/* Flags of an event. Its other bits: send_order of the event, encoded by order_bits(). */
#define FLAG_WITHDRAWN 1u
#define ORDER_MAX      (INT32_MAX - 2)

/* Encodes a send_order in bits 1 to 31 of flags. Returns 0 for 0, 2 for -1, 2n + 2 for n > 0, and
 * the largest even number for -2. */
static uint32_t order_bits(int32_t order)
{
    if (order == 0) {
        return 0;
    }
    if (order < 0) {
        return order == -1 ? 2u : 2u * (uint32_t)INT32_MAX;
    }
    return 2u * ((uint32_t)(order < ORDER_MAX ? order : ORDER_MAX) + 1u);
}

static int32_t order_of_bits(uint32_t flags)
{
    const uint32_t number = flags >> 1;
    if (number == 0) {
        return 0;
    }
    if (number == 1) {
        return -1;
    }
    return number == INT32_MAX ? -2 : (int32_t)(number - 1);
}

static size_t padded(size_t size)
{
    return (size + 7) & ~(size_t)7;
}

/* ---- The run --------------------------------------------------------------------------------- */

_Static_assert(sizeof(struct part_head) >= STATE_WRITE_FENCE, "a part follows that of the state");
_Static_assert(sizeof(struct ckpt_run) % 8 == 0, "a record");

bool ckpt_add_run(struct ckpt_image *image, const struct ckpt_run *run)
{
    void *record = ckpt_image_add(image, CKPT_RUN, 0, sizeof *run);
    if (record != NULL) {
        uint64_t length = sizeof *run;
        memcpy(record, run, sizeof *run);
        memcpy(record, &length, sizeof length);
    }
    return record != NULL;
}

bool ckpt_read_run(const void *record, size_t size, struct ckpt_run *run)
{
    if (size != sizeof *run) {
        return false;
    }
    memcpy(run, record, sizeof *run);
    return run->n_counters == sizeof run->counters / sizeof(uint64_t) &&
           memchr(run->program, '\0', sizeof run->program) != NULL && run->rank < run->n_ranks;
}

/* ---- LPs ------------------------------------------------------------------------------------- */

const tw_state_io *ckpt_state_io(const struct pe *pe, const tw_lp *lp)
{
    const struct checkpoint *c = pe->checkpoint;
    size_t n = c != NULL ? c->n_types : 0;
    const tw_lptype *type = n > 0 ? engine_model_type(lp) : NULL;
    /* The search is backwards, since the model's last call for a type takes precedence. */
    for (size_t i = n; i > 0; i--) {
        if (c->types[i - 1].type == type) {
            return c->types[i - 1].io;
        }
    }
    return NULL;
}

static size_t state_bytes(const tw_lp *lp, const tw_state_io *io)
{
    return io != NULL && io->size != NULL ? io->size(lp->cur_state, lp) : lp->type->state_sz;
}

static size_t part_bytes(size_t size)
{
    return sizeof(struct part_head) + padded(size);
}

/* Writes the header of a part of `size` bytes to *at, zeroes the padding behind the part, and moves
 * *at past the padding. Returns the address to which the caller writes the `size` bytes. */
static unsigned char *begin_part(unsigned char **at, enum ckpt_part_tag tag, size_t size)
{
    assert(tag > 0 && tag < CKPT_PARTS);
    struct part_head head = {.tag = tag, .size = size};
    unsigned char *bytes = *at + sizeof head;
    memcpy(*at, &head, sizeof head);
    memset(bytes + size, 0, padded(size) - size);
    *at = bytes + padded(size);
    return bytes;
}

static void add_streams(unsigned char **at, enum ckpt_part_tag tag, const tw_rng_stream *streams,
                        size_t n)
{
    unsigned char *bytes = begin_part(at, tag, n * sizeof(struct ckpt_stream));
    for (size_t i = 0; i < n; i++) {
        struct ckpt_stream stream = {.count = streams[i].count, .reserved = streams[i].reserved};
        memcpy(stream.c, streams[i].c, sizeof stream.c);
        memcpy(bytes + i * sizeof stream, &stream, sizeof stream);
    }
}

bool ckpt_observers_begin(void)
{
    return tw_extension.lps_pack == NULL || tw_extension.lps_pack();
}

void ckpt_observers_end(void)
{
    if (tw_extension.lps_packed != NULL) {
        tw_extension.lps_packed();
    }
}

/* Returns the size of what observers know of lp, and writes it to bytes unless that is NULL. */
static size_t observers_write(const tw_lp *lp, void *bytes, size_t size)
{
    return tw_extension.lp_write != NULL ? tw_extension.lp_write(lp, bytes, size) : 0;
}

static size_t core_streams(const tw_lp *lp)
{
    return (size_t)(lp->rng - lp->core_rng);
}

bool ckpt_add_lp(struct ckpt_image *image, const struct pe *pe, const tw_lp *lp)
{
    const tw_state_io *io = ckpt_state_io(pe, lp);
    bool of_model = io != NULL && io->save != NULL;
    size_t n_state = state_bytes(lp, io);
    size_t n_core = core_streams(lp);
    uint64_t numbers = probe_record_numbers(lp);
    int error_num = 0;
    bool suspended = engine_is_suspended(lp, &error_num);
    int64_t error = error_num;
    size_t n_observers = observers_write(lp, NULL, 0);
    size_t size = sizeof(struct lp_head) + part_bytes(n_state) +
                  part_bytes(pe->n_streams * sizeof(struct ckpt_stream)) +
                  part_bytes(n_core * sizeof(struct ckpt_stream)) + part_bytes(sizeof numbers) +
                  (suspended ? part_bytes(sizeof error) : 0) +
                  (n_observers > 0 ? part_bytes(n_observers) : 0);
    unsigned char *at = ckpt_image_add(image, CKPT_LPS, lp->gid, size);
    if (at == NULL) {
        return false;
    }
    memcpy(at + offsetof(struct lp_head, gid), &lp->gid, sizeof lp->gid);
    at += sizeof(struct lp_head);
    unsigned char *state = begin_part(&at, of_model ? CKPT_STATE_OF_MODEL : CKPT_STATE, n_state);
    if (of_model) {
        memset(state, 0, n_state);
        fingerprint_write_state(lp, io, state, n_state);
        memset(state + n_state, 0, padded(n_state) - n_state);
    } else if (n_state > 0) {
        memcpy(state, lp->cur_state, n_state);
    }
    add_streams(&at, CKPT_STREAMS, lp->rng, pe->n_streams);
    add_streams(&at, CKPT_CORE_STREAMS, lp->core_rng, n_core);
    memcpy(begin_part(&at, CKPT_NUMBERS, sizeof numbers), &numbers, sizeof numbers);
    if (suspended) {
        memcpy(begin_part(&at, CKPT_SUSPENDED, sizeof error), &error, sizeof error);
    }
    if (n_observers > 0) {
        observers_write(lp, begin_part(&at, CKPT_OBSERVERS, n_observers), n_observers);
    }
    return true;
}

bool ckpt_read_lp(const void *record, size_t size, struct ckpt_lp *lp)
{
    const unsigned char *bytes = record;
    struct lp_head head;
    *lp = (struct ckpt_lp){0};
    if (size < sizeof head) {
        return false;
    }
    memcpy(&head, bytes, sizeof head);
    lp->gid = head.gid;
    size_t at = sizeof head;
    while (at < size) {
        struct part_head part;
        if (size - at < sizeof part) {
            return false;
        }
        memcpy(&part, bytes + at, sizeof part);
        at += sizeof part;
        bool known = part.tag > 0 && part.tag < CKPT_PARTS && lp->part[part.tag].bytes == NULL;
        if (!known || part.size > size - at || padded(part.size) > size - at) {
            return false;
        }
        lp->part[part.tag] = (struct ckpt_part){bytes + at, part.size};
        at += padded(part.size);
    }
    return true;
}

void ckpt_restore_streams(const struct ckpt_part *part, tw_rng_stream *streams)
{
    assert(part->size % sizeof(struct ckpt_stream) == 0);
    const unsigned char *bytes = part->bytes;
    for (size_t i = 0; i < part->size / sizeof(struct ckpt_stream); i++) {
        struct ckpt_stream stream;
        memcpy(&stream, bytes + i * sizeof stream, sizeof stream);
        memcpy(streams[i].c, stream.c, sizeof stream.c);
        streams[i].count = (unsigned long)stream.count;
        streams[i].reserved = stream.reserved;
    }
}

/* ---- Events ---------------------------------------------------------------------------------- */

bool ckpt_add_event(struct ckpt_image *image, const struct pe *pe, const tw_event *event)
{
    assert(event->state.lineage_len >= 1);
    struct ckpt_event_head head = {.recv_ts = event->recv_ts,
                                   .send_ts = event->send_ts,
                                   .prio = event->prio,
                                   .tie = event->tie,
                                   .src = event->send_lp,
                                   .dest = event->dest_lpid,
                                   .lineage_len = event->state.lineage_len,
                                   .flags = order_bits(event->send_order)};
    head.flags |= event->state.owner == EVENT_WITHDRAWN ? FLAG_WITHDRAWN : 0;
    const size_t rest_bytes = (head.lineage_len - 1) * sizeof(double);
    head.record_bytes = sizeof head + padded(pe->msg_bytes) + rest_bytes;
    unsigned char *at = ckpt_image_add(image, CKPT_EVENTS, event->dest_lpid, head.record_bytes);
    if (at == NULL) {
        return false;
    }
    memcpy(at, &head, sizeof head);
    at += sizeof head;
    memcpy(at, event_payload(event), pe->msg_bytes);
    memset(at + pe->msg_bytes, 0, padded(pe->msg_bytes) - pe->msg_bytes);
    if (rest_bytes > 0) {
        event_copy_lineage(event, at + padded(pe->msg_bytes));
    }
    return true;
}

/* Returns true if the priority and all elements of the lineage have possible values. */
static bool order_is_possible(const struct ckpt_event_head *head, const unsigned char *lineage)
{
    bool possible = head->prio >= 0.0 && head->prio <= 1.0 && isfinite(head->tie);
    for (unsigned i = 0; i + 1 < head->lineage_len; i++) {
        double number;
        memcpy(&number, lineage + i * sizeof number, sizeof number);
        possible = possible && isfinite(number);
    }
    return possible;
}

bool ckpt_read_event(const void *record, size_t size, size_t msg_bytes, struct ckpt_event *event)
{
    const unsigned char *bytes = record;
    struct ckpt_event_head head;
    if (size < sizeof head + padded(msg_bytes)) {
        return false;
    }
    memcpy(&head, bytes, sizeof head);
    if (head.lineage_len < 1 || head.lineage_len > MAX_TIE_CHAIN ||
        size != sizeof head + padded(msg_bytes) + (head.lineage_len - 1) * sizeof(double) ||
        !order_is_possible(&head, bytes + sizeof head + padded(msg_bytes))) {
        return false;
    }
    *event = (struct ckpt_event){.head = head,
                                 .is_withdrawn = (head.flags & FLAG_WITHDRAWN) != 0,
                                 .send_order = order_of_bits(head.flags),
                                 .payload = bytes + sizeof head,
                                 .lineage = bytes + sizeof head + padded(msg_bytes)};
    return true;
}
