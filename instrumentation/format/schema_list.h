/*
 * schema_list.h - the one list of what the records of our files hold.
 *
 * Each list is X(name, TYPE, ROLE, unit, text): it makes the row struct that the recorder fills
 * (format.h), the schema that is written into every file (schema.c), and so the columns that the
 * reader prints. The reader itself never uses these lists: it goes by the schema in the file.
 *
 * Adding a field: append it; old files keep their own schema. Rows must hold at least one 8-byte
 * field (their size is a multiple of 8). TYPE: U8 .. F64 of enum fmt_type; ROLE of enum fmt_role.
 */
#ifndef WARPSCOPE_FORMAT_SCHEMA_LIST_H
#define WARPSCOPE_FORMAT_SCHEMA_LIST_H

/* One sample of one PE after a GVT computation. Counts are changes since the PE's last sample. */
#define FMT_GVT_FIELDS(X)                                                                          \
    X(pe, U32, PE, "", "PE that took the sample")                                                  \
    X(gvt, F64, VIRTUAL_TIME, "virtual time", "global virtual time, just computed")                \
    X(real_time, F64, REAL_TIME, "s", "wall clock since the run began")                            \
    X(all_reduce_count, U64, NONE, "reductions", "reductions the GVT took, since last sample")     \
    X(events_processed, U64, NONE, "events", "executed forwards, since last sample")               \
    X(events_aborted, U64, NONE, "events", "cancelled by rollback of their cause, since last")     \
    X(events_rolled_back, U64, NONE, "events", "undone, since last sample")                        \
    X(event_ties, U64, NONE, "events", "same receive time as the one before, since last sample")   \
    X(total_rollbacks, U64, NONE, "rollbacks", "of both kinds, since last sample")                 \
    X(secondary_rollbacks, U64, NONE, "rollbacks", "by cancelled events, since last sample")       \
    X(fossil_collects, U64, NONE, "collections", "fossil collections, since last sample")          \
    X(network_sends, U64, NONE, "messages", "sent to other ranks, since last sample")              \
    X(network_recvs, U64, NONE, "messages", "received from other ranks, since last sample")        \
    X(remote_events, U64, NONE, "events", "sent to other ranks, since last sample")                \
    X(efficiency, F64, NONE, "%", "100 (1 - undone/net); 100 if none undone, 0 if net <= 0")

/* One execution (or rollback cause, or commit) of an event. */
#define FMT_EVTRACE_FIELDS(X)                                                                      \
    X(src_lp, U64, NONE, "", "LP that sent the event")                                             \
    X(dest_lp, U64, NONE, "", "LP that received it")                                               \
    X(send_ts, F64, NONE, "virtual time", "when it was sent")                                      \
    X(recv_ts, F64, VIRTUAL_TIME, "virtual time", "when it takes effect")                          \
    X(prio, F64, NONE, "", "priority among events of the same receive time, lower first")          \
    X(real_time, F64, REAL_TIME, "s", "wall clock since the run began")                            \
    X(pe, U32, PE, "", "PE of the receiver")                                                       \
    X(kp, U32, NONE, "", "KP of the receiver within its PE")                                       \
    X(payload_type, U32, PAYLOAD_TYPE, "", "description of the model's bytes, 0 for none")         \
    X(payload_size, U32, PAYLOAD_SIZE, "bytes", "length of the model's bytes")

/* One LP's model values at a sampling point. */
#define FMT_MODEL_FIELDS(X)                                                                        \
    X(pe, U32, PE, "", "PE of the LP")                                                             \
    X(kp, U32, NONE, "", "KP of the LP within its PE")                                             \
    X(lp, U64, NONE, "", "the LP")                                                                 \
    X(gvt, F64, VIRTUAL_TIME, "virtual time", "global virtual time of the sample")                 \
    X(real_time, F64, REAL_TIME, "s", "wall clock since the run began")                            \
    X(kind, U32, NONE, "", "why it was taken: 1 GVT, 2 real time")                                 \
    X(payload_type, U32, PAYLOAD_TYPE, "", "description of the model's bytes, 0 for none")         \
    X(payload_size, U32, PAYLOAD_SIZE, "bytes", "length of the model's bytes")

#endif
