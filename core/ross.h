/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ross.h - the public interface of the Warpscope engine, source-compatible with ROSS.
 *
 * A model includes this header and nothing else. It describes logical processes (LPs) by a
 * tw_lptype, creates them with tw_define_lps(), gives each LP its type, and calls tw_run(). LPs
 * exchange time-stamped events; MPI ranks (one PE each) execute them sequentially, conservatively
 * or optimistically (Time Warp: Jefferson, "Virtual Time", ACM TOPLAS 7(3), 1985). Every scheduler
 * on any number of ranks commits exactly the same events.
 *
 * Calling order:
 *
 *     tw_opt_add(options);
 *     tw_init(&argc, &argv);
 *     set g_tw_ globals;
 *     tw_define_lps(n, msg_size);
 *     tw_lp_settype(i, type) for each local LP, or g_tw_lp_types + tw_lp_setup_types();
 *     tw_run();
 *     tw_end();
 *
 * "Collective" below means: every rank must call the function, in the same order. A function whose
 * comment does not say so, or stand under such a heading, is not collective. An object to which a
 * function returns a pointer belongs to the engine, unless the comment says otherwise. A call at the
 * wrong time, or with a number that does not exist, ends the run with a message that names the
 * function. Times are virtual times in the model's own unit unless a unit is named.
 */
#ifndef WARPSCOPE_ROSS_H
#define WARPSCOPE_ROSS_H

#include "ross.config.h"
#include "ross_types.h"

/* Excludes the C++ bindings of MPI (removed in MPI 3), which would require another library. */
#ifdef __cplusplus
#ifndef OMPI_SKIP_MPICXX
#define OMPI_SKIP_MPICXX 1
#endif
#ifndef MPICH_SKIP_MPICXX
#define MPICH_SKIP_MPICXX 1
#endif
#endif

/* These includes are part of the interface: models rely on them. */
#include <assert.h>
#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <mpi.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

/* C++ models rely on the headers that the C++ bindings of some MPIs include. Some of the models
 * include ross.h within extern "C". */
#ifdef __cplusplus
extern "C++" {
#include <iostream>
#include <map>
#include <string>
#include <utility>
#include <vector>
}

extern "C" {
#endif

/* Selects the version of st_model_types (see st.h) to which tw_lp.model_types points. */
#ifdef ROSS_MODEL_TYPES_V7
#undef ROSS_MODEL_TYPES_V8
#endif
#ifdef ROSS_MODEL_TYPES_V8
#define ST_MODEL_TYPES_OF_LP struct st_model_types_v8
#else
#define ST_MODEL_TYPES_OF_LP struct st_model_types
#endif

/* Marks a function that takes the arguments of printf(), so that the compiler checks them. Programs
 * built as for ROSS are not checked: ROSS's header does not ask for it, and some models turn all
 * warnings into errors. */
#if defined(ROSS_MODEL_TYPES_V8) || defined(ROSS_MODEL_TYPES_V7)
#define TW_LIKE_PRINTF(format_at, first_at)
#else
#define TW_LIKE_PRINTF(format_at, first_at) __attribute__((format(printf, format_at, first_at)))
#endif

/* Bits in which the forward handler leaves information for the reverse handler. The engine zeroes
 * them before the forward handler runs, and keeps them in the event. */
typedef struct tw_bf {
    unsigned int c0 : 1, c1 : 1, c2 : 1, c3 : 1, c4 : 1, c5 : 1, c6 : 1, c7 : 1;
    unsigned int c8 : 1, c9 : 1, c10 : 1, c11 : 1, c12 : 1, c13 : 1, c14 : 1, c15 : 1;
    unsigned int c16 : 1, c17 : 1, c18 : 1, c19 : 1, c20 : 1, c21 : 1, c22 : 1, c23 : 1;
    unsigned int c24 : 1, c25 : 1, c26 : 1, c27 : 1, c28 : 1, c29 : 1, c30 : 1, c31 : 1;
} tw_bf;

enum tw_synch {
    NO_SYNCH = 0,            /* default: sequential on one rank, optimistic on several ranks */
    SEQUENTIAL = 1,          /* on one rank, in event order */
    CONSERVATIVE = 2,        /* in windows of virtual time of length g_tw_lookahead; no rollback */
    OPTIMISTIC = 3,          /* Time Warp, even on a single rank */
    OPTIMISTIC_DEBUG = 4,    /* on one rank: executes all events, undoes them, compares states */
    OPTIMISTIC_REALTIME = 5, /* Time Warp, with the GVT interval in ms of wall-clock time */
    /* On one rank: executes each event, undoes it, compares states, and executes it again. */
    SEQUENTIAL_ROLLBACK_CHECK = 6
};
typedef enum tw_synch tw_synch;

enum tw_lp_map {
    LINEAR = 0,      /* rank 0 has the lowest gids, rank 1 the next ones, and so on */
    ROUND_ROBIN = 1, /* the LP with gid g is on rank g modulo the number of ranks */
    /* The model maps LPs, by g_tw_custom_initial_mapping and g_tw_custom_lp_global_to_local_map. It
     * may give them any distinct gids below 2^64 - 1; with the other mappings, gids are dense: 0 to
     * g_tw_total_lps - 1. */
    CUSTOM = 2
};
typedef enum tw_lp_map tw_lp_map;

/* ---- Random streams: CLCG4, L'Ecuyer & Andres, Math. Comput. Simul. 44 (1997) ---------------- */

/* The option --rng=fast selects another generator, which draws other numbers; see
 * base/rng_fast.h. */

/* A random stream. Models may read `count` (number of draws minus number of undone draws) and no
 * other member. */
typedef struct tw_rng_stream {
    uint32_t c[4]; /* state before the next draw */
    unsigned long count;
    uint64_t reserved; /* the random number that the next draw returns, see base/rng.h */
} tw_rng_stream;

/* Seeds of a family of streams. NULL as an argument selects the family of the model's streams. */
typedef struct tw_rng tw_rng;

/* Returns a number in (0, 1); rounding yields exactly 0 or 1 about once in 1e16 draws. Makes 1
 * draw. */
double tw_rand_unif(tw_rng_stream *g);
/* Undoes exactly one draw and returns the number that the draw had returned. */
double tw_rand_reverse_unif(tw_rng_stream *g);
/* Older names of tw_rand_unif() and tw_rand_reverse_unif(). */
double rng_gen_val(tw_rng_stream *g);
double rng_gen_reverse_val(tw_rng_stream *g);

/* Distributions. Each comment states the number of draws that a call makes. To undo the call, call
 * tw_rand_reverse_unif() once for each draw. Arguments are not checked: mean, shape, scale, sd and
 * lambda must be greater than 0, and p must be in 0 to 1. */
/* This function and the next return an integer from low to high, both included; 1 draw. If high is
 * less than low, they return 0 without a draw. */
long tw_rand_integer(tw_rng_stream *g, long low, long high);
unsigned long tw_rand_ulong(tw_rng_stream *g, unsigned long low, unsigned long high);
long tw_rand_binomial(tw_rng_stream *g, long n, double p); /* n draws */
double tw_rand_exponential(tw_rng_stream *g, double mean); /* 1 draw */
/* The number of draws varies; it is the increase of g->count. */
double tw_rand_gamma(tw_rng_stream *g, double shape, double scale);
long tw_rand_geometric(tw_rng_stream *g, double p); /* the number of draws equals the result */
/* The next three functions set *rng_calls to the number of draws, 2 or 0. */
double tw_rand_normal01(tw_rng_stream *g, unsigned int *rng_calls);
double tw_rand_normal_sd(tw_rng_stream *g, double mean, double sd, unsigned int *rng_calls);
double tw_rand_lognormal(tw_rng_stream *g, double mean, double sd, unsigned int *rng_calls);
double tw_rand_pareto(tw_rng_stream *g, double shape, double scale); /* 1 draw */
long tw_rand_poisson(tw_rng_stream *g, double lambda); /* number of draws: the result plus 1 */
double tw_rand_weibull(tw_rng_stream *g, double mean, double shape); /* 1 draw */

/* Resets the first n model streams and the first n_core core streams of the LP to their starts.
 * Fatal if the LP has fewer streams. */
void tw_rand_init_streams(tw_lp *lp, unsigned int n, unsigned int n_core);
/* Sets g to the start of stream `id` of the family rng. rng NULL: the family of the model. */
void tw_rand_initial_seed(tw_rng_stream *g, tw_lpid id, tw_rng *rng);
/* Copies the state of g after its last draw to the array `state`. */
void rng_get_state(tw_rng_stream *g, uint32_t state[4]);
/* Prints the state of g after its last draw to f, as a line of text. */
void rng_write_state(tw_rng_stream *g, FILE *f);

/* ---- LPs, KPs, PEs --------------------------------------------------------------------------- */

typedef void (*init_f)(void *state, tw_lp *lp);
typedef void (*pre_run_f)(void *state, tw_lp *lp);
typedef void (*event_f)(void *state, tw_bf *bf, void *msg, tw_lp *lp);
typedef void (*revent_f)(void *state, tw_bf *bf, void *msg, tw_lp *lp);
typedef void (*commit_f)(void *state, tw_bf *bf, void *msg, tw_lp *lp);
typedef void (*final_f)(void *state, tw_lp *lp);
typedef tw_peid (*map_f)(tw_lpid gid);
typedef tw_lp *(*map_local_f)(tw_lpid gid);
typedef tw_lpid (*tw_lp_typemap_f)(tw_lpid gid);

/*
 * Functions of an LP type. Each may be NULL, except `map` for CUSTOM mapping. An LP whose type has
 * no forward handler (event) must not receive events.
 *
 * A type without reverse handler (revent) uses state saving. Before each event, the engine copies
 * the LP's state, its random streams and the message; a rollback restores them. The state must then
 * not point to memory that handlers change.
 */
typedef struct tw_lptype {
    init_f init;       /* called once before the run; may send events */
    pre_run_f pre_run; /* called once, after init of all LPs of all ranks; may send events */
    event_f event;     /* forward handler: called for each event */
    revent_f revent;   /* reverse handler: undoes the forward handler exactly; latest event first */
    commit_f commit;   /* commit handler: called for final events, in event order within a PE */
    final_f final;     /* called once after the run */
    map_f map;         /* returns the rank of the LP with this gid; needed only for CUSTOM */
    size_t state_sz;   /* size of the state in bytes; the state is zeroed before init */
} tw_lptype;

/* Public part of an LP, as large as a cache line. Models may read it; only the engine writes it. */
struct tw_lp {
    tw_lpid gid; /* global number of the LP */
    tw_lpid id;  /* number of the LP within its PE, 0 .. g_tw_nlp-1 */
    tw_pe *pe;
    tw_kp *kp;
    void *cur_state; /* state of the LP, type->state_sz bytes */
    tw_lptype *type;
    tw_rng_stream *rng; /* array of the g_tw_nRNG_per_lp model streams of the LP */
    /* Callbacks for records, from st_model_settype() or g_st_model_types; NULL: none. Until init
     * returns, the model may change the payload sizes in this struct. */
    ST_MODEL_TYPES_OF_LP *model_types;
    __extension__ tw_rng_stream core_rng[0]; /* core streams, with which the engine breaks ties */
};

/* Public part of a KP: a group of LPs of one PE that roll back together. */
struct tw_kp {
    /* Receive time of the event that the KP is executing; otherwise, of the last one it
     * executed. */
    tw_stime last_time;
    tw_kpid id;
    tw_pe *pe;
};

/* Optional functions of a PE: called before and after the initialisation of LPs, after each GVT
 * computation, and at the end of the run. */
typedef void (*pe_init_f)(tw_pe *pe);
typedef void (*pe_gvt_f)(tw_pe *pe);
typedef void (*pe_final_f)(tw_pe *pe);
typedef struct tw_petype {
    pe_init_f pre_lp_init;
    pe_init_f post_lp_init;
    pe_gvt_f gvt;
    pe_final_f final;
} tw_petype;

/* Position of an event in the total order of events: (recv_ts, priority, lineage). Lineages are
 * compared lexicographically; if one is a prefix of the other, the shorter one comes first. The
 * engine itself does not use this type. */
#define MAX_TIE_CHAIN 20
typedef struct tw_event_sig {
    tw_stime recv_ts;
    tw_stime priority;
    unsigned int tie_lineage_length;        /* number of elements of the lineage */
    double event_tiebreaker[MAX_TIE_CHAIN]; /* lineage */
} tw_event_sig;

/* Returns a value < 0, 0 or > 0 if a comes before, equals or comes after b. */
int tw_event_sig_compare_ptr(const tw_event_sig *a, const tw_event_sig *b);

/* Public part of a PE; each rank has one PE. Models may read it; they may also set members of
 * *abort_event. */
struct tw_pe {
    tw_peid id;
    tw_stime GVT;          /* result of the last GVT computation; events before it are final */
    tw_event *cur_event;   /* event whose handler runs; NULL: none */
    tw_event *abort_event; /* equals cur_event while g_tw_gvt_hook runs, see ross_event.h */
    tw_event_sig GVT_sig;  /* GVT as a position in the event order; no future event precedes it */
    void *data;            /* for use by the model; the engine ignores it */
    tw_rng *rng;           /* seeds of the model's streams */
    struct tw_pq *pq;      /* handle of the pending queue for the functions of ross_event.h */
    struct tw_hash *hash_t;
    unsigned int avl_tree_size; /* unused, always 0 */
};

/* ---- Life cycle (all collective) ------------------------------------------------------------- */

/* Makes the simulation use comm instead of MPI_COMM_WORLD. The caller must have initialised MPI,
 * and calls this function before tw_init(). */
void tw_comm_set(MPI_Comm comm);
/* Initialises MPI unless the caller has done so. Reads the options and removes them from argv. An
 * invalid option ends the program with status 2. */
void tw_init(int *argc, char ***argv);
/* Creates n_lps LPs on this rank; n_lps may differ between ranks. Each event has a payload of
 * msg_sz bytes. */
void tw_define_lps(tw_lpid n_lps, size_t msg_sz);
/* Sets the type of a local LP. type must stay valid until tw_end(). Not collective. */
void tw_lp_settype(tw_lpid local_id, tw_lptype *type);
/* Gives each local LP the type g_tw_lp_types[g_tw_lp_typemap(gid)], or the first type if
 * g_tw_lp_typemap is NULL. Not collective. */
void tw_lp_setup_types(void);
/* Sets the functions of the PE. *type must stay valid until tw_end(). Not collective. */
void tw_pe_settype(const tw_petype *type);
/* With CUSTOM mapping, the model's g_tw_custom_initial_mapping calls the next two functions once
 * for each local LP, and tw_kp_onpe() once for each local KP. */
void tw_lp_onpe(tw_lpid local_id, tw_pe *pe, tw_lpid gid);
void tw_lp_onkp(tw_lp *lp, tw_kp *kp);
void tw_kp_onpe(tw_kpid id, tw_pe *pe);
#ifndef __cplusplus
/* Older models pass g_tw_pe[0], a struct. These macros replace it by the pointer g_tw_pe. */
#define TW_PE_POINTER(pe)       _Generic((pe), tw_pe : g_tw_pe, default : (pe))
#define tw_lp_onpe(id, pe, gid) tw_lp_onpe(id, TW_PE_POINTER(pe), gid)
#define tw_kp_onpe(id, pe)      tw_kp_onpe(id, TW_PE_POINTER(pe))
#endif
/* Initialises the LPs, runs the simulation to g_tw_ts_end, calls `final` of each LP, and prints
 * the report. Call this function once. */
void tw_run(void);
/* Frees all memory, and finalises MPI if tw_init() initialised it. If the caller initialised MPI,
 * another simulation with other options and LPs may follow. For that simulation, tw_end() restores
 * the initial values of the globals that models set; other globals keep their values. */
void tw_end(void);

/* ---- Inside handlers ------------------------------------------------------------------------- */

/*
 * Creates an event from sender to LP dest (gid) at tw_now(sender) + offset. sender is the LP whose
 * handler runs. The handler fills the message (tw_event_data()) and calls tw_event_send(). When the
 * handler returns, the engine frees events that have not been sent.
 *
 * Forward handlers, init and pre_run may send events; reverse, commit and final may not. A negative
 * or non-finite offset and an unknown dest are fatal. An event at or past g_tw_ts_end is counted,
 * but never executed. prio is in [0, 1], and lower values come first; tw_event_new() sets it to 1.
 * An event with offset 0 comes after its cause even if its prio is lower. Not collective.
 */
tw_event *tw_event_new(tw_lpid dest, tw_stime offset, tw_lp *sender);
tw_event *tw_event_new_user_prio(tw_lpid dest, tw_stime offset, tw_lp *sender, tw_stime prio);
void *tw_event_data(tw_event *event); /* returns the message, msg_sz bytes */
void tw_event_send(tw_event *event);  /* sends the event, once; its message must stay as it is */

/* Returns the receive time of the event that lp executes. */
static inline tw_stime tw_now(const tw_lp *lp)
{
    return lp->kp->last_time;
}
tw_event_sig tw_now_sig(const tw_lp *lp); /* returns its position in the event order */

/*
 * Suspends lp; only the forward handler of lp may call this function. The engine then counts later
 * events for the LP, but calls none of its functions except final. A rollback of the event that
 * made the call resumes the LP. For each error_num, the report states the number of suspended LPs.
 *
 * do_orig_event_rc: 1 if undoing the current event calls its reverse handler; 0 if not, because the
 * forward handler changed nothing. If the LP's type has no reverse handler, its saved state is
 * restored in either case. A second call in the same event replaces the first. Until final is
 * called, lp->type of a suspended LP points to a copy of its type with other handlers.
 */
void tw_lp_suspend(tw_lp *lp, int do_orig_event_rc, int error_num);

/* Prints to stdout when the current event commits; prints nothing if the event is rolled back.
 * Takes the arguments of printf(). Returns the length of the text, or a negative number after an
 * error. */
int tw_output(tw_lp *lp, const char *fmt, ...) TW_LIKE_PRINTF(2, 3);

/* ---- Look-up --------------------------------------------------------------------------------- */

/* The next four functions return NULL before tw_define_lps() and after tw_end(), except that
 * tw_getpe() returns the PE from tw_init() on. Otherwise a number that does not exist on this rank
 * is fatal. */
tw_lp *tw_getlocal_lp(tw_lpid gid); /* gid must belong to a local LP */
tw_lp *tw_getlp(tw_lpid local_id);
tw_kp *tw_getkp(tw_kpid id);
tw_pe *tw_getpe(tw_peid id); /* id must be 0 */
/* Return 1 on rank 0 of MPI_COMM_ROSS, else 0; and the number of ranks. After tw_end() they return
 * the same as before it; before tw_init(), both return 1. */
int tw_ismaster(void);
unsigned tw_nnodes(void);

/* ---- Messages, memory, clock ----------------------------------------------------------------- */

#define TW_LOC __FILE__, __LINE__
/* Reports a fatal error: prints the message with file, line, LP and virtual time. All ranks flush
 * their records and exit with status 3. Not collective. */
void tw_error(const char *file, int line, const char *fmt, ...) TW_LIKE_PRINTF(3, 4)
    __attribute__((noreturn));
/* Prints a warning, or a message, with file and line. */
void tw_warning(const char *file, int line, const char *fmt, ...) TW_LIKE_PRINTF(3, 4);
void tw_printf(const char *file, int line, const char *fmt, ...) TW_LIKE_PRINTF(3, 4);
/* Like calloc(), but ends the run if memory is exhausted; the error message contains `what`. The
 * caller frees the memory with free(). */
void *tw_calloc(const char *file, int line, const char *what, size_t elem_sz, size_t n);
tw_clock tw_clock_read(void); /* returns the clock in ticks of 1 / g_tw_clock_rate seconds */
/* Prints n bytes in hexadecimal, 16 in each line. prefix: at the start of each line. */
void tw_fprint_binary_array(FILE *f, const char *prefix, const void *bytes, size_t n);

#define ROSS_MAX(a, b)     ((a) > (b) ? (a) : (b))
#define ROSS_MIN(a, b)     ((a) < (b) ? (a) : (b))
#define TW_STIME_CRT(x)    (x)
#define TW_STIME_DBL(x)    (x)
#define TW_STIME_CMP(x, y) (((x) < (y)) ? -1 : ((x) > (y)))
#define TW_STIME_ADD(x, y) ((x) + (y))
#define TW_STIME_MAX       DBL_MAX
#define MPI_TYPE_TW_STIME  MPI_DOUBLE

/* ---- Globals: the engine reads them when the run starts -------------------------------------- */

extern MPI_Comm MPI_COMM_ROSS;
extern tw_synch g_tw_synchronization_protocol;
extern tw_lp_map g_tw_mapping; /* mapping of LPs to ranks; set it before tw_define_lps() */
extern void (*g_tw_custom_initial_mapping)(void);
extern tw_lp *(*g_tw_custom_lp_global_to_local_map)(tw_lpid gid);
extern tw_lpid g_tw_nlp;       /* number of LPs on this rank */
extern tw_lpid g_tw_total_lps; /* number of LPs on all ranks, valid after tw_define_lps() */
extern tw_lpid g_tw_lp_offset; /* LINEAR: first gid of this rank */
extern tw_kpid g_tw_nkp;       /* number of KPs on this rank */
extern tw_lp **g_tw_lp;
extern tw_kp **g_tw_kp;
extern tw_pe *g_tw_pe;
extern tw_peid g_tw_npe; /* number of PEs on this rank: 1 */
/* Number of model streams per LP; set it before tw_define_lps(). */
extern unsigned int g_tw_nRNG_per_lp;
extern unsigned int g_tw_nRNG_core_per_lp;
extern tw_rng *g_tw_rng_default;
extern uint32_t *g_tw_rng_seed;      /* four seeds of the model streams; NULL: the default */
extern uint32_t *g_tw_core_rng_seed; /* four seeds of the core streams; NULL: the default */
extern unsigned int g_tw_mblock;     /* maximum number of events in a batch */
/* Number of batches between two GVT computations; 16: adaptive. */
extern unsigned int g_tw_gvt_interval;
extern tw_stime g_tw_ts_end; /* end time: events at or past it are not executed */
extern size_t g_tw_msg_sz;
extern tw_stime g_tw_lookahead;           /* --synch=2: minimum offset of events between ranks */
extern tw_stime g_tw_min_detected_offset; /* always DBL_MAX: the engine measures no offsets */
extern unsigned int g_tw_events_per_pe;   /* ignored: event memory grows on demand */
extern tw_stat g_tw_gvt_done;             /* number of GVT computations so far */
extern tw_peid g_tw_mynode;
extern tw_peid g_tw_masternode;
extern tw_lptype *g_tw_lp_types;
extern tw_lp_typemap_f g_tw_lp_typemap;
extern tw_clock g_tw_clock_rate; /* ticks of tw_clock_read() per second */
extern tw_peid g_st_ross_rank;   /* equals g_tw_mynode */
/* The engine ignores the next two globals, which models for ROSS may set. */
extern unsigned int g_tw_memory_nqueues;
extern unsigned int g_tw_avl_node_count;

#ifdef __cplusplus
}
#endif

#include "ross_event.h"
#include "ross_options.h"
#include "ross_rest.h"
#include "ross_state.h"
#include "st.h"

#endif
