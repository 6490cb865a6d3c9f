/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bus.h - the bus's interface for the rest of the instrumentation. Models and tools use st_bus.h.
 *
 * st_notify() passes each record to deferred_emit() (deferred.h). That function decides when each
 * class of subscribers gets the record, and then calls bus_dispatch(). No function here is
 * collective unless stated otherwise.
 */
#ifndef WARPSCOPE_BUS_BUS_H
#define WARPSCOPE_BUS_BUS_H

#include "base/status.h"
#include "ross.h"
#include "st_bus.h"

/* ---- Records --------------------------------------------------------------------------------- */

/* Returns true if a subscriber of this class listens to records of this type. False while the
 * stream is closed, and with ROSS_TRACE_ENABLE=0. */
bool bus_listens(st_stream_id stream, st_type type, st_class records);

/*
 * Calls the subscribers of the class that listen to the record, in the order of their
 * subscriptions. The list of subscribers is fixed when the call begins. record->data must be
 * 8-aligned. Callbacks run between probe_observer_enter() and _leave(). May be called from
 * callbacks.
 */
void bus_dispatch(const st_record *record, st_class records);

/* Delivers a record of type ST_ROLLBACK to the speculative subscribers to ST_ROLLBACK or
 * ST_ALL_TYPES. The record has the LP of the undone records and the number of the first. */
void bus_dispatch_undone(st_stream_id stream, const st_undone *undone, tw_stime ts);

/*
 * Functions for records of one type (`whole`) that include the information of another type
 * (`part`). bus_lacks_whole() returns true if a subscription of the class to `part` has no
 * subscription to `whole` with the same callback and argument. bus_dispatch_part() delivers the
 * record, as type `part`, to exactly these subscriptions; a callback calls it.
 */
bool bus_lacks_whole(st_stream_id stream, st_type part, st_type whole, st_class records);
void bus_dispatch_part(const st_record *whole, st_type part, st_class records);

/*
 * Registers the function `changed`. It is called for a stream each time the result of bus_listens()
 * may have changed, including when the stream is opened or closed and when the bus ends. It may be
 * called within a callback. More than BUS_WATCHERS_MAX functions are a fatal error. bus_fini()
 * removes them.
 */
#define BUS_WATCHERS_MAX 8
void bus_on_listen(void (*changed)(void *ctx, st_stream_id stream), void *ctx);

/* ---- Set-up and end of the bus --------------------------------------------------------------- */

/* The option --subscribers, for the list of option tables; ends with TWOPT_END. */
extern const tw_optdef bus_option_table[];

/*
 * Loads the libraries of --subscribers and ROSS_SUBSCRIBERS, and announces the open streams to
 * them. A library that cannot be used is left out, with a message of rank 0. Called before LPs are
 * initialised. Collective.
 */
void bus_load(void);

/* Returns true if at least one library is loaded. */
bool bus_has_libraries(void);

/* Notifies the libraries of the end of all open streams, and unloads the libraries. Call it while
 * MPI still works. A second call has no effect. */
void bus_unload(void);

/* Calls bus_unload() and frees everything except strings and points, which stay valid as long as
 * the process. The next call of a function of st_bus.h creates a new bus. Collective after
 * bus_load(). */
void bus_fini(void);

/* Sets the directory of this run's files, made by the recorder, for st_api.stats_path(); copied by
 * bus_load(). has_records: the recorder has files there, and has printed the directory. Called
 * before bus_load(), which makes a directory if none was set. */
void bus_set_stats_path(const char *path, bool has_records);

/* Returns true if subscriber libraries may write to that directory. The same on all ranks. */
bool bus_uses_stats_path(void);

#endif
