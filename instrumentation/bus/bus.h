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
#include "format/bytes.h"
#include "ross.h"
#include "st_bus.h"

/* ---- Records --------------------------------------------------------------------------------- */

/* Returns true if a subscriber of class `records` listens to records of this type on the stream.
 * Returns false while the stream is closed, and always with ROSS_TRACE_ENABLE=0. */
bool bus_listens(st_stream_id stream, st_type type, st_class records);

/*
 * Calls the subscribers of class `records` that listen to the record, in the order of their
 * subscriptions. The list of subscribers is fixed when the call begins. record->data must be
 * 8-aligned. Callbacks run between probe_observer_enter() and probe_observer_leave(). May be called
 * from callbacks.
 */
void bus_dispatch(const st_record *record, st_class records);

/* Delivers a record of type ST_ROLLBACK on the stream to the speculative subscribers to ST_ROLLBACK
 * or ST_ALL_TYPES. The record has the LP of the undone records, the first of their numbers, and the
 * time ts. */
void bus_dispatch_undone(st_stream_id stream, const st_undone *undone, tw_stime ts);

/*
 * Records of type `whole` include the information of records of type `part`. Returns true if at
 * least one subscription of class `records` to `part` is not accompanied by a subscription to
 * `whole` that has the same callback and argument.
 */
bool bus_lacks_whole(st_stream_id stream, st_type part, st_type whole, st_class records);
/* Delivers the record `whole`, as type `part`, to those subscriptions to `part` that are not
 * accompanied by a subscription to the record's own type (see bus_lacks_whole()). Called from
 * within a callback. */
void bus_dispatch_part(const st_record *whole, st_type part, st_class records);

/*
 * Registers the function `changed`, which is called with a stream whenever the result of
 * bus_listens() for that stream has possibly changed: also when the stream is opened or closed, and
 * when the bus ends. The function is possibly called within a callback. More than BUS_WATCHERS_MAX
 * functions are a fatal error. bus_fini() removes all functions.
 */
#define BUS_WATCHERS_MAX 8
void bus_on_listen(void (*changed)(void *ctx, st_stream_id stream), void *ctx);

/* ---- Set-up and end of the bus --------------------------------------------------------------- */

/* Option table with the option --subscribers; ends with TWOPT_END. */
extern const tw_optdef bus_option_table[];

/*
 * Loads the libraries that --subscribers and ROSS_SUBSCRIBERS name, and announces the open streams
 * to them. A library that cannot be used is left out, with a warning. Called before LPs are
 * initialised. Collective.
 */
void bus_load(void);

/* Returns true if at least one library is loaded on this rank. */
bool bus_has_libraries(void);

/* Let the libraries save and restore what they know of an LP, see st_subscriber_save(). The reading
 * function calls the libraries only if takes_over; it returns false if the data are damaged, or a
 * library cannot read them. */
void bus_libraries_write(const tw_lp *lp, struct fmt_out *out);
bool bus_libraries_read(const tw_lp *lp, struct fmt_in *in, bool takes_over);
/* Lets the libraries discard what they know of LPs, see st_subscriber_forget(). */
void bus_libraries_forget(void);

/* Announces the end of all open streams to the libraries, and switches the bus off. Call it while
 * MPI still works. A second call has no effect. */
void bus_unload(void);

/* Calls bus_unload() and frees everything except strings and points, which stay valid until the
 * process ends. The next call of a function of st_bus.h creates a new bus. Collective if bus_load()
 * was called. */
void bus_fini(void);

/* Sets the directory that st_api.stats_path() returns: path, which the recorder has made for this
 * run's files. NULL: the recorder has made none, so bus_load() makes a directory. has_records: true
 * if the recorder has files there and has printed the directory. Called before bus_load(), which
 * copies path. */
void bus_set_stats_path(const char *path, bool has_records);

/* Returns true if subscriber libraries may write to the directory of st_api.stats_path(). The
 * result is the same on all ranks. */
bool bus_uses_stats_path(void);

#endif
