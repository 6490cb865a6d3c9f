/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bus.h - the bus as the rest of the instrumentation sees it. Models and tools see st_bus.h.
 *
 * Who emits hands a record to st_notify(), which gives it to deferred_emit() (deferred.h); that decides
 * when each class of subscribers gets it and calls bus_dispatch(). Nothing here is collective
 * unless it says so.
 */
#ifndef WARPSCOPE_BUS_BUS_H
#define WARPSCOPE_BUS_BUS_H

#include "base/status.h"
#include "ross.h"
#include "st_bus.h"

/* ---- Records --------------------------------------------------------------------------------- */

/* Does a subscriber of this class listen to records of this type? False while the stream is closed,
 * and with ROSS_TRACE_ENABLE=0. */
bool bus_listens(st_stream_id stream, st_type type, st_class records);

/*
 * Calls the subscribers of the class that listen to the record, in the order of their
 * subscriptions. Who they are is settled when the call begins. record->data must be 8-aligned.
 * Callbacks run between probe_observer_enter() and _leave(). May be called from callbacks.
 */
void bus_dispatch(const st_record *record, st_class records);

/* Tells the speculative subscribers to ST_ROLLBACK (or to all types) that records of an LP were
 * undone; the record says the LP, and number is the first of them. */
void bus_dispatch_undone(st_stream_id stream, const st_undone *undone, tw_stime ts);

/*
 * For a record of the type whole that stands for records of other types. bus_lacks_whole(): is
 * there a subscription of the class to the type part that has none to whole with the same callback
 * and argument? bus_dispatch_part() calls these, and no others, with the record as one of the type
 * part; from a callback.
 */
bool bus_lacks_whole(st_stream_id stream, st_type part, st_type whole, st_class records);
void bus_dispatch_part(const st_record *whole, st_type part, st_class records);

/*
 * changed is called each time that bus_listens() may have changed its answers for a stream, also
 * when that is opened or closed, and when everything ends. It may run inside a callback. At most
 * BUS_WATCHERS_MAX functions, more are fatal; forgotten by bus_fini().
 */
#define BUS_WATCHERS_MAX 8
void bus_on_listen(void (*changed)(void *ctx, st_stream_id stream), void *ctx);

/* ---- The life of the bus --------------------------------------------------------------------- */

/* --subscribers, for the list of option tables; ends with TWOPT_END. */
extern const tw_optdef bus_option_table[];

/*
 * Loads the libraries of --subscribers and ROSS_SUBSCRIBERS and tells them which streams are open.
 * One that cannot be used gets a message (rank 0) and is left out. Before LPs are initialised.
 * Collective.
 */
void bus_load(void);

/* Is at least one library loaded? */
bool bus_has_libraries(void);

/* Ends all open streams for the libraries and forgets them. MPI still works. Does nothing the
 * second time. */
void bus_unload(void);

/* bus_unload(), and frees everything but strings and points, which live as long as the process. The
 * next call of st_bus.h starts afresh. Collective after bus_load(). */
void bus_fini(void);

/* The directory of this run's files, if the recorder has made one, for st_api.stats_path(). Before
 * bus_load(), which makes one if there is none; copied there. */
void bus_set_stats_path(const char *path);

#endif
