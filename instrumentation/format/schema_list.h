/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * schema_list.h - the only list of the fields of each kind of records.
 *
 * Each macro FMT_..._FIELDS lists the fields of one kind, as X(name, TYPE, SORT, unit, text). From
 * this list come the row struct that the recorder fills (common.h), the schema that every file
 * contains (schema.c), and thus the columns that the reader prints. The reader does not use these
 * lists: it uses the schema in the file.
 *
 * Append a new field at the end of its list; old files keep their own schema. A row must have at
 * least one 8-byte field, because its size is a multiple of 8. TYPE is U8 .. F64 of enum fmt_type.
 * SORT is the role of the field (enum fmt_role); if the field has no role, its measure (enum
 * fmt_measure) or NONE.
 *
 * Counts with SORT CHANGE are totals since the previous sample of the same kind and the same PE, KP
 * or LP. Their sums are the counters at the end of the run. Counts of events that may still be
 * undone never decrease: an executed event that is undone is also counted as undone.
 */
#ifndef WARPSCOPE_FORMAT_SCHEMA_LIST_H
#define WARPSCOPE_FORMAT_SCHEMA_LIST_H

/* ---- Fields that several records share ------------------------------------------------------- */

/* List of the counts of a PE. The names are those in ROSS's tools. */
#define FMT_PE_COUNTS(X)                                                                           \
    X(all_reduce_count, U64, CHANGE, "reductions", "reductions the GVT took, since last sample")   \
    X(events_processed, U64, CHANGE, "events", "executed forwards, since last sample")             \
    X(events_aborted, U64, CHANGE, "events", "cancelled by rollback of their cause, since last")   \
    X(events_rolled_back, U64, CHANGE, "events", "undone, since last sample")                      \
    X(event_ties, U64, CHANGE, "events", "same receive time as the one before, since last sample") \
    X(total_rollbacks, U64, CHANGE, "rollbacks", "of both kinds, since last sample")               \
    X(secondary_rollbacks, U64, CHANGE, "rollbacks", "by cancelled events, since last sample")     \
    X(fossil_collects, U64, CHANGE, "collections", "fossil collections, since last sample")        \
    X(network_sends, U64, CHANGE, "messages", "sent to other ranks, since last sample")            \
    X(network_recvs, U64, CHANGE, "messages", "received from other ranks, since last sample")      \
    X(remote_events, U64, CHANGE, "events", "sent to other ranks, since last sample")              \
    X(efficiency, F64, LEVEL, "%", "100 (1 - undone/net); 100 if none undone, 0 if net <= 0")      \
    X(sample, U64, IDENTITY, "", "number of the sampling point on this PE, from 0")                \
    X(num_gvt, U64, CHANGE, "computations", "GVT computations, since last sample")                 \
    X(events_committed, U64, CHANGE, "events", "committed, since last sample")                     \
    X(anti_sends, U64, CHANGE, "messages", "anti-messages sent to other ranks, since last sample") \
    X(pq_size, U64, LEVEL, "events", "in the pending queue now")                                   \
    X(event_bytes, U64, LEVEL, "bytes", "of events in use now: pending, executed or sent")         \
    X(saved_bytes, U64, LEVEL, "bytes", "of saved states and other data kept with these events")   \
    X(allocated_bytes, U64, LEVEL, "bytes", "obtained for events, queue and states of LPs")        \
    X(processor_wall_ns, U64, CHANGE, "ns", "wall clock that the next six cover, since last")      \
    X(processor_user_ns, U64, CHANGE, "ns", "processor time in the program, since last sample")    \
    X(processor_system_ns, U64, CHANGE, "ns", "processor time in the system, since last sample")   \
    X(processor_lost_ns, U64, CHANGE, "ns", "ready, but other threads ran, since last sample")     \
    X(switches_voluntary, U64, CHANGE, "switches", "times that the thread slept, since last")      \
    X(switches_involuntary, U64, CHANGE, "switches", "times that it had to stop, since last")      \
    X(page_faults, U64, CHANGE, "faults", "page faults, since last sample")

/* List of the counts of an LP. */
#define FMT_LP_COUNTS(X)                                                                           \
    X(events_processed, U64, CHANGE, "events", "executed forwards, since last sample")             \
    X(events_aborted, U64, CHANGE, "events", "cancelled by rollback of their cause, since last")   \
    X(events_rolled_back, U64, CHANGE, "events", "undone, since last sample")                      \
    X(network_sends, U64, CHANGE, "messages", "sent to other ranks, since last sample")            \
    X(network_recvs, U64, CHANGE, "messages", "received from other ranks, since last sample")      \
    X(remote_events, U64, CHANGE, "events", "sent to other ranks, since last sample")              \
    X(efficiency, F64, LEVEL, "%", "100 (1 - undone/net); 100 if none undone, 0 if net <= 0")

/* List of the counts of a KP: the sums over its LPs, and counts of the KP itself. */
#define FMT_KP_COUNTS(X)                                                                           \
    X(total_rollbacks, U64, CHANGE, "rollbacks", "of both kinds, since last sample")               \
    X(secondary_rollbacks, U64, CHANGE, "rollbacks", "by cancelled events, since last sample")     \
    X(time_ahead_gvt, F64, LEVEL, "virtual time", "of the KP's last event beyond GVT, at least 0") \
    FMT_LP_COUNTS(X)

#define FMT_PE_ID(X) X(pe, U32, PE, "", "PE that took the sample")
#define FMT_KP_ID(X)                                                                               \
    FMT_PE_ID(X)                                                                                   \
    X(kp, U32, IDENTITY, "", "KP within its PE")
#define FMT_LP_ID(X)                                                                               \
    FMT_PE_ID(X)                                                                                   \
    X(kp, U32, IDENTITY, "", "KP of the LP within its PE")                                         \
    X(lp, U64, IDENTITY, "", "the LP")

#define FMT_CLOCKS(X)                                                                              \
    X(gvt, F64, VIRTUAL_TIME, "virtual time", "global virtual time, the latest known")             \
    X(real_time, F64, REAL_TIME, "s", "wall clock since the run began")

#define FMT_SAMPLE(X)                                                                              \
    X(sample, U64, IDENTITY, "", "number of the sampling point on this PE, from 0")

/* List of the wall-clock times that a PE spent in each phase, in clock ticks (see the fact
 * ticks_per_second of the file). The texts use the words of the report (TW_PHASE_LIST of the
 * engine). */
#define FMT_CYCLES(X)                                                                              \
    X(network_read_cc, U64, CHANGE, "ticks", "taking in messages, since last sample")              \
    X(gvt_cc, U64, CHANGE, "ticks", "computing GVT, since last sample")                            \
    X(fossil_collect_cc, U64, CHANGE, "ticks", "committing events, since last sample")             \
    X(event_abort_cc, U64, CHANGE, "ticks", "taking back what undone events had sent, since last") \
    X(event_processing_cc, U64, CHANGE, "ticks",                                                   \
      "executing events, sending included, since last sample")                                     \
    X(priority_queue_cc, U64, CHANGE, "ticks", "pending queue, since last sample")                 \
    X(rollbacks_cc, U64, CHANGE, "ticks", "undoing events, since last sample")                     \
    X(cancelq_cc, U64, CHANGE, "ticks", "anti-messages received, since last sample")               \
    X(avl_cc, U64, CHANGE, "ticks", "finding the events of anti-messages, since last sample")      \
    X(buddy_cc, U64, CHANGE, "ticks", "saving and restoring states, since last sample")            \
    X(lz4_cc, U64, CHANGE, "ticks", "writing instrumentation data, since last sample")             \
    X(other_cc, U64, CHANGE, "ticks", "the rest: waiting, scheduling, since last sample")

/* ---- Engine samples at GVT and by wall clock ------------------------------------------------- */

#define FMT_GVT_PE_FIELDS(X) FMT_PE_ID(X) FMT_CLOCKS(X) FMT_PE_COUNTS(X)
#define FMT_GVT_KP_FIELDS(X) FMT_KP_ID(X) FMT_CLOCKS(X) FMT_SAMPLE(X) FMT_KP_COUNTS(X)
#define FMT_GVT_LP_FIELDS(X) FMT_LP_ID(X) FMT_CLOCKS(X) FMT_SAMPLE(X) FMT_LP_COUNTS(X)

#define FMT_RT_PE_FIELDS(X) FMT_PE_ID(X) FMT_CLOCKS(X) FMT_CYCLES(X) FMT_PE_COUNTS(X)
#define FMT_RT_KP_FIELDS(X) FMT_GVT_KP_FIELDS(X)
#define FMT_RT_LP_FIELDS(X) FMT_GVT_LP_FIELDS(X)
/* Fields of a record of a KP's distance from GVT. Such records are made for every KP, unless sample
 * records of KPs are enabled, because these show the distance as well. */
#define FMT_RT_AHEAD_FIELDS(X)                                                                     \
    FMT_KP_ID(X)                                                                                   \
    FMT_CLOCKS(X)                                                                                  \
    FMT_SAMPLE(X)                                                                                  \
    X(time_ahead_gvt, F64, LEVEL, "virtual time", "of the KP's last event beyond GVT, at least 0")

/* ---- Engine samples at exact virtual times --------------------------------------------------- */

/* Fields of a sample at the virtual time vt. Counts of committed events before vt do not depend on
 * the number of ranks. */
#define FMT_VT_SAMPLE(X)                                                                           \
    X(vt, F64, VIRTUAL_TIME, "virtual time", "of the sample: all events before it, none at it")    \
    X(real_time, F64, REAL_TIME, "s", "wall clock since the run began, when it was recorded")      \
    X(sample, U64, IDENTITY, "",                                                                   \
      "number of the sampling point, from 1: vt / interval but for the end")                       \
    X(events_committed, U64, CHANGE, "events", "of the committed run, since last sample")

#define FMT_VT_PE_FIELDS(X) FMT_PE_ID(X) FMT_VT_SAMPLE(X)
#define FMT_VT_KP_FIELDS(X) FMT_KP_ID(X) FMT_VT_SAMPLE(X)
#define FMT_VT_LP_FIELDS(X) FMT_LP_ID(X) FMT_VT_SAMPLE(X)

/* ---- Events ---------------------------------------------------------------------------------- */

/* Fields that the records of events and of rollbacks have in common: they describe an event. */
#define FMT_EVENT_ID(X)                                                                            \
    X(src_lp, U64, IDENTITY, "", "LP that sent the event")                                         \
    X(dest_lp, U64, IDENTITY, "", "LP that received it")                                           \
    X(send_ts, F64, NONE, "virtual time", "when it was sent")                                      \
    X(recv_ts, F64, VIRTUAL_TIME, "virtual time", "when it takes effect")                          \
    X(prio, F64, NONE, "", "priority among events of the same receive time, lower first")          \
    X(real_time, F64, REAL_TIME, "s", "wall clock since the run began")                            \
    X(pe, U32, PE, "", "PE of the receiver")                                                       \
    X(kp, U32, IDENTITY, "", "KP of the receiver within its PE")                                   \
    X(payload_type, U32, PAYLOAD_TYPE, "", "description of the model's bytes, 0 for none")         \
    X(payload_size, U32, PAYLOAD_SIZE, "bytes", "length of the model's bytes")

/* Fields of a record about one execution, or about the commit, of an event. */
#define FMT_EVENT_FIELDS(X)                                                                        \
    FMT_EVENT_ID(X)                                                                                \
    X(send_order, I32, IDENTITY, "",                                                               \
      "of its sender among the events of src_lp at send_ts, from 0; -1 no event sent it")          \
    X(sent, U32, LEVEL, "events", "that it sent, those past the end of the run excepted")          \
    X(handler_time, I64, LEVEL, "ns",                                                              \
      "wall clock that its forward handler took; -1 not measured, below: perhaps interrupted")

/* Fields of a record about an event that caused a rollback. */
#define FMT_ROLLBACK_FIELDS(X)                                                                     \
    FMT_EVENT_ID(X)                                                                                \
    X(kp_ts, F64, NONE, "virtual time", "of the last event that the KP had executed")              \
    X(events_undone, U64, CHANGE, "events", "that the rollback undid in this KP")                  \
    X(cause, U32, IDENTITY, "",                                                                    \
      "1 the event came late (straggler), 2 it was cancelled (secondary)")                         \
    X(trigger, U32, IDENTITY, "",                                                                  \
      "1 event of this PE, 2 of another, 3 cancelled here, 4 by another, 5 random, 6 back to GVT") \
    X(number, U64, IDENTITY, "", "of the rollback on its PE, from 1")                              \
    X(cause_number, U64, IDENTITY, "", "of the rollback that cancelled the event, 0 none")         \
    X(cause_pe, I32, IDENTITY, "", "PE of that rollback, -1 none")                                 \
    X(src_pe, I32, IDENTITY, "", "PE that sent the event")                                         \
    X(send_time, F64, NONE, "s", "wall clock since the run began, when the message was sent")      \
    X(passed_time, F64, NONE, "s", "wall clock since the run began, of the oldest undone event")   \
    X(undone_time, I64, CHANGE, "ns", "wall clock that the undone handlers took, -1 not measured")

/* ---- Data of models -------------------------------------------------------------------------- */

/* Fields of a model sample, a record of one LP at a sampling point. */
#define FMT_MODEL_LP_FIELDS(X)                                                                     \
    FMT_LP_ID(X)                                                                                   \
    X(gvt, F64, VIRTUAL_TIME, "virtual time",                                                      \
      "GVT at the sample; kind 3: the sample's exact time")                                        \
    X(real_time, F64, REAL_TIME, "s", "wall clock since the run began")                            \
    X(kind, U32, IDENTITY, "", "why it was taken: 1 GVT, 2 real time, 3 virtual time")             \
    X(payload_type, U32, PAYLOAD_TYPE, "", "description of the model's bytes, 0 for none")         \
    X(payload_size, U32, PAYLOAD_SIZE, "bytes", "length of the model's bytes")                     \
    X(sample, U64, IDENTITY, "", "number of the sampling point of this kind on this PE")           \
    X(lp_ts, F64, NONE, "virtual time", "of the last event that the LP's KP had executed")

/* ---- Tasks and tracers ----------------------------------------------------------------------- */

/* Fields that identify a task. */
#define FMT_TASK_ID(X)                                                                             \
    X(lp, U64, IDENTITY, "", "the LP where the task lives")                                        \
    X(order, U64, IDENTITY, "", "of the LP's records of tasks and the like, ascending")            \
    X(number, U64, IDENTITY, "", "of the task, of those of the LP that made it")                   \
    X(from, I64, IDENTITY, "", "requests that come in: the LP that sent it and gave the number; -1")
#define FMT_TASK_PARENT(X)                                                                         \
    X(parent_lp, I64, IDENTITY, "", "the LP where its parent lives, -1: it has none")              \
    X(parent_number, U64, IDENTITY, "", "number of the parent")                                    \
    X(parent_from, I64, IDENTITY, "", "as from, of the parent")
#define FMT_TASK_WHERE(X)                                                                          \
    X(real_time, F64, REAL_TIME, "s", "wall clock since the run began, when it committed")         \
    X(pe, U32, PE, "", "PE of the LP")                                                             \
    X(kp, U32, IDENTITY, "", "KP of the LP within its PE")                                         \
    X(payload_type, U32, PAYLOAD_TYPE, "", "description of the texts that follow")                 \
    X(payload_size, U32, PAYLOAD_SIZE, "bytes", "length of the texts")

#define FMT_TASK_BEGIN_FIELDS(X)                                                                   \
    X(vt, F64, VIRTUAL_TIME, "virtual time", "of the event whose handler began the task")          \
    FMT_TASK_ID(X)                                                                                 \
    FMT_TASK_PARENT(X)                                                                             \
    X(start, F64, NONE, "virtual time", "beginning: vt, or earlier if added as a whole")           \
    FMT_TASK_WHERE(X)
#define FMT_TASK_STEP_FIELDS(X)                                                                    \
    X(vt, F64, VIRTUAL_TIME, "virtual time", "of the event whose handler made the step")           \
    FMT_TASK_ID(X)                                                                                 \
    X(at, F64, NONE, "virtual time", "of the step: vt, or earlier if added as a whole")            \
    X(detail, U32, IDENTITY, "", "1: no step, but more about the task")                            \
    FMT_TASK_WHERE(X)
#define FMT_TASK_END_FIELDS(X)                                                                     \
    X(vt, F64, VIRTUAL_TIME, "virtual time", "end of the task")                                    \
    FMT_TASK_ID(X)                                                                                 \
    FMT_TASK_PARENT(X)                                                                             \
    X(start, F64, NONE, "virtual time", "beginning of the task")                                   \
    FMT_TASK_WHERE(X)

/* Fields that identify a domain of a tracer. */
#define FMT_TRACER_ID(X)                                                                           \
    X(vt, F64, VIRTUAL_TIME, "virtual time", "up to which tasks were traced")                      \
    X(lp, U64, IDENTITY, "", "the LP where the tasks live")                                        \
    X(order, U64, IDENTITY, "", "of the LP's places, by their first tasks, from 1")                \
    X(tracer, U32, IDENTITY, "", "number of the tracer on the command line, from 1")

#define FMT_TRACER_FIELDS(X)                                                                       \
    FMT_TRACER_ID(X)                                                                               \
    X(begun, U64, COUNTER, "tasks", "that began")                                                  \
    X(ended, U64, COUNTER, "tasks", "of these, that ended")                                        \
    X(busy, F64, COUNTER, "virtual time", "length of the union of the tasks' intervals")           \
    X(total, F64, COUNTER, "virtual time", "sum of the durations of tasks that ended")             \
    X(average, F64, LEVEL, "virtual time", "total / ended; 0 if none has ended")                   \
    X(least, F64, LEVEL, "virtual time", "shortest duration")                                      \
    X(most, F64, LEVEL, "virtual time", "longest duration")                                        \
    FMT_TASK_WHERE(X)
#define FMT_TRACER_STEP_FIELDS(X)                                                                  \
    FMT_TRACER_ID(X)                                                                               \
    X(place, U64, IDENTITY, "",                                                                    \
      "of the step among those of the domain, by first occurrence, from 1")                        \
    X(occurrences, U64, COUNTER, "steps", "how often it happened")                                 \
    X(tasks, U64, COUNTER, "tasks", "that made it at least once")                                  \
    X(first, F64, NONE, "virtual time", "of the event that made its first occurrence")             \
    X(first_order, U64, IDENTITY, "", "order of the LP's record of that occurrence")               \
    FMT_TASK_WHERE(X)
#define FMT_TRACER_OPEN_FIELDS(X)                                                                  \
    X(vt, F64, VIRTUAL_TIME, "virtual time", "up to which tasks were traced")                      \
    X(lp, U64, IDENTITY, "", "the LP where the task lives")                                        \
    X(tracer, U32, IDENTITY, "", "number of the tracer on the command line, from 1")               \
    X(number, U64, IDENTITY, "", "of the task, of those of the LP that made it")                   \
    X(from, I64, IDENTITY, "",                                                                     \
      "requests that come in: the LP that sent it and gave the number; -1")                        \
    FMT_TASK_PARENT(X)                                                                             \
    X(start, F64, NONE, "virtual time", "beginning of the task, which has not ended")              \
    FMT_TASK_WHERE(X)

/* ---- All kinds of records -------------------------------------------------------------------- */

/* List of all kinds of records, as Y(NAME, name, id, STREAM, text). A kind has the number
 * FMT_RECORD_NAME = id, the row struct fmt_name_row, the fields FMT_NAME_FIELDS, and the stream
 * FMT_STREAM_STREAM, whose file contains its records. Ids are part of the format. */
#define FMT_RECORDS(Y)                                                                             \
    Y(GVT_PE, gvt_pe, 1, GVT, "engine counters of one PE after a GVT computation")                 \
    Y(EVENT, event, 2, EVTRACE, "one event as it was executed, or committed")                      \
    Y(MODEL_LP, model_lp, 3, MODEL, "values of the model, one LP at one sampling point")           \
    Y(GVT_KP, gvt_kp, 4, GVT, "engine counters of one KP after a GVT computation")                 \
    Y(GVT_LP, gvt_lp, 5, GVT, "engine counters of one LP after a GVT computation")                 \
    Y(RT_PE, rt_pe, 6, RT, "engine counters and times of one PE at an interval of wall clock")     \
    Y(RT_KP, rt_kp, 7, RT, "engine counters of one KP at an interval of wall clock")               \
    Y(RT_LP, rt_lp, 8, RT, "engine counters of one LP at an interval of wall clock")               \
    Y(RT_AHEAD, rt_ahead, 9, RT, "how far one KP is ahead of GVT at an interval of wall clock")    \
    Y(VT_PE, vt_pe, 10, VT, "committed events of one PE before a virtual time")                    \
    Y(VT_KP, vt_kp, 11, VT, "committed events of one KP before a virtual time")                    \
    Y(VT_LP, vt_lp, 12, VT, "committed events of one LP before a virtual time")                    \
    Y(ROLLBACK, rollback, 13, EVTRACE, "one event that caused a rollback")                         \
    Y(TASK_BEGIN, task_begin, 14, TASK, "the beginning of one task")                               \
    Y(TASK_STEP, task_step, 15, TASK, "one step of a task, or more about it")                      \
    Y(TASK_END, task_end, 16, TASK, "the end of one task, with all that is known of it")           \
    Y(TRACER, tracer, 17, TRACER, "what a tracer found at one place of one LP")                    \
    Y(TRACER_STEP, tracer_step, 18, TRACER, "one step, as a tracer counted it at one place")       \
    Y(TRACER_OPEN, tracer_open, 19, TRACER, "one task under way when the run ended")

#endif
