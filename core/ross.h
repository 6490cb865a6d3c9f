/*
 * ross.h - the public interface of the Warpscope engine, source-compatible with ROSS.
 *
 * A model includes this header and nothing else. It describes logical processes (LPs) by a
 * tw_lptype, creates them with tw_define_lps(), binds the types, and calls tw_run(). LPs exchange
 * time-stamped events; MPI ranks (one PE each) execute them sequentially, conservatively or
 * optimistically (Time Warp: Jefferson, "Virtual Time", ACM TOPLAS 7(3), 1985). Every scheduler on
 * any number of ranks commits exactly the same events.
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
 * "Collective" below means: every rank must call it, in the same order. Times are virtual times in
 * the model's own unit unless a unit is named.
 */
#ifndef WARPSCOPE_ROSS_H
#define WARPSCOPE_ROSS_H

#include "ross.config.h"
#include "ross_types.h"

/* The C++ interface that MPI had until version 3 would need one more library. */
#ifdef __cplusplus
#ifndef OMPI_SKIP_MPICXX
#define OMPI_SKIP_MPICXX 1
#endif
#ifndef MPICH_SKIP_MPICXX
#define MPICH_SKIP_MPICXX 1
#endif
#endif

/* Models rely on these. */
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

#ifdef __cplusplus
extern "C" {
#endif

/* Which of the two layouts of st_model_types (st.h) this file uses. */
#ifdef ROSS_MODEL_TYPES_V7
#undef ROSS_MODEL_TYPES_V8
#endif
#ifdef ROSS_MODEL_TYPES_V8
#define ST_MODEL_TYPES_OF_LP struct st_model_types_v8
#else
#define ST_MODEL_TYPES_OF_LP struct st_model_types
#endif

/* Bits for the reverse handler: all zero before the forward handler runs, kept with the event. */
typedef struct tw_bf {
    unsigned int c0 : 1, c1 : 1, c2 : 1, c3 : 1, c4 : 1, c5 : 1, c6 : 1, c7 : 1;
    unsigned int c8 : 1, c9 : 1, c10 : 1, c11 : 1, c12 : 1, c13 : 1, c14 : 1, c15 : 1;
    unsigned int c16 : 1, c17 : 1, c18 : 1, c19 : 1, c20 : 1, c21 : 1, c22 : 1, c23 : 1;
    unsigned int c24 : 1, c25 : 1, c26 : 1, c27 : 1, c28 : 1, c29 : 1, c30 : 1, c31 : 1;
} tw_bf;

enum tw_synch {
    NO_SYNCH = 0,            /* choose: sequential on one rank, optimistic on more */
    SEQUENTIAL = 1,          /* one rank, in event order */
    CONSERVATIVE = 2,        /* windows of g_tw_lookahead, no rollback */
    OPTIMISTIC = 3,          /* Time Warp; also on one rank */
    OPTIMISTIC_DEBUG = 4,    /* one rank: forwards without GVT, then all back; is it as before? */
    OPTIMISTIC_REALTIME = 5, /* Time Warp, GVT interval in milliseconds of wall clock */
    SEQUENTIAL_ROLLBACK_CHECK = 6 /* one rank: each event forwards, back, compared, forwards */
};
typedef enum tw_synch tw_synch;

enum tw_lp_map {
    LINEAR = 0,      /* rank 0 holds the first gids, rank 1 the next, ... */
    ROUND_ROBIN = 1, /* gid g lives on rank g % ranks */
    CUSTOM = 2       /* g_tw_custom_initial_mapping and g_tw_custom_lp_global_to_local_map */
};
typedef enum tw_lp_map tw_lp_map;

/* ---- Random streams: CLCG4, L'Ecuyer & Andres, Math. Comput. Simul. 44 (1997) ------------------
 *
 * With --rng=fast another generator with other numbers, see base/rng_fast.h.
 */

/* One stream. Models may read count (draws so far, undone draws subtracted) and nothing else. */
typedef struct tw_rng_stream {
    uint32_t c[4]; /* state of the coming draw */
    unsigned long count;
    uint64_t reserved; /* number of the coming draw, see base/rng.h */
} tw_rng_stream;

typedef struct tw_rng tw_rng; /* where a family of streams starts; pass NULL: the model's */

double tw_rand_unif(tw_rng_stream *g); /* one draw, in (0, 1); an end once in 1e16 */
/* Undoes exactly one draw and returns the number that it gave. */
double tw_rand_reverse_unif(tw_rng_stream *g);
/* Older names of the two. */
double rng_gen_val(tw_rng_stream *g);
double rng_gen_reverse_val(tw_rng_stream *g);

/* Distributions. "Draws" says how many tw_rand_reverse_unif() calls undo the call. */
long tw_rand_integer(tw_rng_stream *g, long low, long high); /* [low, high], 1 draw */
unsigned long tw_rand_ulong(tw_rng_stream *g, unsigned long low, unsigned long high); /* 1 draw */
long tw_rand_binomial(tw_rng_stream *g, long n, double p);                            /* n draws */
double tw_rand_exponential(tw_rng_stream *g, double mean);                            /* 1 draw */
double tw_rand_gamma(tw_rng_stream *g, double shape, double scale); /* varies: see rng->count */
long tw_rand_geometric(tw_rng_stream *g, double p);                 /* result draws */
double tw_rand_normal01(tw_rng_stream *g, unsigned int *rng_calls); /* *rng_calls: 2 or 0 draws */
double tw_rand_normal_sd(tw_rng_stream *g, double mean, double sd, unsigned int *rng_calls);
double tw_rand_lognormal(tw_rng_stream *g, double mean, double sd, unsigned int *rng_calls);
double tw_rand_pareto(tw_rng_stream *g, double shape, double scale); /* 1 draw */
long tw_rand_poisson(tw_rng_stream *g, double lambda);               /* result + 1 draws */
double tw_rand_weibull(tw_rng_stream *g, double mean, double shape); /* 1 draw */

/* Sets an LP's streams anew: n model and n_core core streams, in the LP's own places. */
void tw_rand_init_streams(tw_lp *lp, unsigned int n, unsigned int n_core);
/* Sets g to the start of stream number id of generator rng (NULL: the model generator). */
void tw_rand_initial_seed(tw_rng_stream *g, tw_lpid id, tw_rng *rng);
/* The state that g's last draw left. */
void rng_get_state(tw_rng_stream *g, uint32_t state[4]);
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
 * What an LP does. Each function may be NULL (map: see there); without event the LP must get none.
 * Without revent the engine saves the LP's state, its random streams and the message before each
 * event and restores them on rollback: the state must then hold no pointers to memory that handlers
 * change.
 */
typedef struct tw_lptype {
    init_f init;       /* once, before the run; may send events */
    pre_run_f pre_run; /* once, after every LP's init on every rank; may send events */
    event_f event;     /* forward handler */
    revent_f revent;   /* undoes the forward handler exactly; last processed, first undone */
    commit_f commit;   /* the event can never be undone; in event order within a PE */
    final_f final;     /* once, after the run */
    map_f map;         /* gid -> PE; needed for CUSTOM mapping only */
    size_t state_sz;   /* bytes of state, zeroed before init */
} tw_lptype;

/* The public head of an LP: one cache line. Read it; the engine alone writes it. */
struct tw_lp {
    tw_lpid gid; /* global number, 0 .. g_tw_total_lps-1 */
    tw_lpid id;  /* number within the PE, 0 .. g_tw_nlp-1 */
    tw_pe *pe;
    tw_kp *kp;
    void *cur_state; /* type->state_sz bytes */
    tw_lptype *type;
    tw_rng_stream *rng; /* g_tw_nRNG_per_lp streams for the model */
    /* What st_model_settype() or g_st_model_types gave, or NULL. Until init has returned, the model
     * may change the sizes in it. */
    ST_MODEL_TYPES_OF_LP *model_types;
    __extension__ tw_rng_stream core_rng[0]; /* the engine's own streams (tie breaking) */
};

/* The public head of a KP: the unit of rollback, a group of LPs of one PE. */
struct tw_kp {
    tw_stime last_time; /* receive time of the event in process, or of the last one processed */
    tw_kpid id;
    tw_pe *pe;
};

/* Functions of a PE, each optional: around LP initialisation, at GVT, at the end. */
typedef void (*pe_init_f)(tw_pe *pe);
typedef void (*pe_gvt_f)(tw_pe *pe);
typedef void (*pe_final_f)(tw_pe *pe);
typedef struct tw_petype {
    pe_init_f pre_lp_init;
    pe_init_f post_lp_init;
    pe_gvt_f gvt;
    pe_final_f final;
} tw_petype;

/*
 * Where an event stands in the total order: (recv_ts, priority, lineage), the lineage compared
 * lexicographically and, on a common prefix, the shorter first. An exchange type.
 */
#define MAX_TIE_CHAIN 20
typedef struct tw_event_sig {
    tw_stime recv_ts;
    tw_stime priority;
    unsigned int tie_lineage_length;
    double event_tiebreaker[MAX_TIE_CHAIN];
} tw_event_sig;

/* <0, 0, >0 as a comes before, is, or comes after b. */
int tw_event_sig_compare_ptr(const tw_event_sig *a, const tw_event_sig *b);

/* The public head of a PE: one per rank. Read it; of abort_event also set members. */
struct tw_pe {
    tw_peid id;
    tw_stime GVT;          /* lower bound on all future rollbacks, as last computed */
    tw_event *cur_event;   /* event in process, or NULL */
    tw_event *abort_event; /* stands for an event in functions at GVT, see ross_event.h */
    tw_event_sig GVT_sig;  /* GVT as a place in the order of events: at or before all to come */
    void *data;            /* the model's own */
    tw_rng *rng;           /* the model's generator */
    struct tw_pq *pq;      /* handles for the functions of ross_event.h */
    struct tw_hash *hash_t;
    unsigned int avl_tree_size; /* always 0 */
};

/* ---- Life cycle (all collective) ------------------------------------------------------------- */

/* Uses comm instead of MPI_COMM_WORLD; before tw_init(), MPI already initialised by the caller. */
void tw_comm_set(MPI_Comm comm);
/* Starts MPI unless the caller did, reads the options out of argv; a wrong one ends with status
 * 2. */
void tw_init(int *argc, char ***argv);
/* Creates n_lps LPs on this rank (ranks may differ) whose events carry msg_sz payload bytes. */
void tw_define_lps(tw_lpid n_lps, size_t msg_sz);
/* Gives local LP its type; type must stay valid until tw_end(). Not collective. */
void tw_lp_settype(tw_lpid local_id, tw_lptype *type);
/* Gives each local LP the type g_tw_lp_types[g_tw_lp_typemap(gid)], without g_tw_lp_typemap the
 * first one. Not collective. */
void tw_lp_setup_types(void);
void tw_pe_settype(const tw_petype *type);
/* For CUSTOM mapping, called from g_tw_custom_initial_mapping for each local LP and KP. */
void tw_lp_onpe(tw_lpid local_id, tw_pe *pe, tw_lpid gid);
void tw_lp_onkp(tw_lp *lp, tw_kp *kp);
void tw_kp_onpe(tw_kpid id, tw_pe *pe);
#ifndef __cplusplus
/* Older models pass g_tw_pe[0]: a rank had an array of pointers to PEs. */
#define TW_PE_POINTER(pe)       _Generic((pe), tw_pe : g_tw_pe, default : (pe))
#define tw_lp_onpe(id, pe, gid) tw_lp_onpe(id, TW_PE_POINTER(pe), gid)
#define tw_kp_onpe(id, pe)      tw_kp_onpe(id, TW_PE_POINTER(pe))
#endif
/* Initialises the LPs, runs the simulation to g_tw_ts_end, calls final, prints the report. Once. */
void tw_run(void);
/* Frees everything; finalises MPI if tw_init() started it. Where the caller did, another simulation
 * may follow, with other options and LPs: the globals below that models set have their first values
 * again, the others keep theirs to be read. */
void tw_end(void);

/* ---- Inside handlers ------------------------------------------------------------------------- */

/*
 * A new event from sender to LP dest (gid) at tw_now(sender) + offset; fill tw_event_data() and
 * tw_event_send() it in the same handler; what is not sent by its end is taken back. sender is the
 * LP whose handler runs. A negative or not finite offset and an unknown dest are fatal. An event at
 * or past g_tw_ts_end is counted and never delivered. prio in [0, 1], lower first, default 1.
 * Forward handlers, init and pre_run may send; reverse, commit and final may not. Not collective.
 * An event with offset 0 comes after its cause even when its prio is lower.
 */
tw_event *tw_event_new(tw_lpid dest, tw_stime offset, tw_lp *sender);
tw_event *tw_event_new_user_prio(tw_lpid dest, tw_stime offset, tw_lp *sender, tw_stime prio);
void *tw_event_data(tw_event *event);
void tw_event_send(tw_event *event);

/* Receive time of the event in process. */
static inline tw_stime tw_now(const tw_lp *lp)
{
    return lp->kp->last_time;
}
tw_event_sig tw_now_sig(const tw_lp *lp);

/*
 * Stops an LP, from its own forward handler: later events for it are taken and counted, and none of
 * its handlers is called for them, not even commit; final is. A rollback before the event takes it
 * back. The report says how many LPs are suspended in the end, and with which error_num.
 * do_orig_event_rc: undoing this event calls its reverse handler (1), or not (0: the handler has
 * changed nothing; a type without reverse handler gets its saved state back in either case). A
 * second call in the same event replaces the first. lp->type of a suspended LP is a copy with other
 * handlers, until final is called.
 */
void tw_lp_suspend(tw_lp *lp, int do_orig_event_rc, int error_num);

/* printf that appears on stdout when the event commits and never if it is rolled back. */
int tw_output(tw_lp *lp, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* ---- Looking things up ----------------------------------------------------------------------- */

tw_lp *tw_getlocal_lp(tw_lpid gid); /* gid must live on this rank */
tw_lp *tw_getlp(tw_lpid local_id);
tw_kp *tw_getkp(tw_kpid id);
tw_pe *tw_getpe(tw_peid id); /* id: 0 */
int tw_ismaster(void);       /* 1 on rank 0 of MPI_COMM_ROSS */
unsigned tw_nnodes(void);    /* ranks in MPI_COMM_ROSS */

/* ---- Messages, memory, clock ----------------------------------------------------------------- */

#define TW_LOC __FILE__, __LINE__
/* Fatal, from any one rank: message with place, LP and time; all ranks flush and exit with 3. */
void tw_error(const char *file, int line, const char *fmt, ...)
    __attribute__((format(printf, 3, 4), noreturn));
void tw_warning(const char *file, int line, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
void tw_printf(const char *file, int line, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* calloc that ends the run with a message naming what on failure. Free with free(). */
void *tw_calloc(const char *file, int line, const char *what, size_t elem_sz, size_t n);
tw_clock tw_clock_read(void); /* ticks of g_tw_clock_rate per second */
void tw_fprint_binary_array(FILE *f, const char *prefix, const void *bytes, size_t n);

#define ROSS_MAX(a, b)     ((a) > (b) ? (a) : (b))
#define ROSS_MIN(a, b)     ((a) < (b) ? (a) : (b))
#define TW_STIME_CRT(x)    (x)
#define TW_STIME_DBL(x)    (x)
#define TW_STIME_CMP(x, y) (((x) < (y)) ? -1 : ((x) > (y)))
#define TW_STIME_ADD(x, y) ((x) + (y))
#define TW_STIME_MAX       DBL_MAX
#define MPI_TYPE_TW_STIME  MPI_DOUBLE

/* ---- Globals: a facade. The engine reads them when the run starts
 * -------------------------------- */

extern MPI_Comm MPI_COMM_ROSS;
extern tw_synch g_tw_synchronization_protocol;
extern tw_lp_map g_tw_mapping; /* before tw_define_lps() */
extern void (*g_tw_custom_initial_mapping)(void);
extern tw_lp *(*g_tw_custom_lp_global_to_local_map)(tw_lpid gid);
extern tw_lpid g_tw_nlp;       /* LPs on this rank */
extern tw_lpid g_tw_total_lps; /* LPs on all ranks, after tw_define_lps() */
extern tw_lpid g_tw_lp_offset; /* LINEAR: first gid of this rank */
extern tw_kpid g_tw_nkp;       /* KPs on this rank */
extern tw_lp **g_tw_lp;
extern tw_kp **g_tw_kp;
extern tw_pe *g_tw_pe;
extern tw_peid g_tw_npe;              /* PEs on this rank: 1 */
extern unsigned int g_tw_nRNG_per_lp; /* model streams per LP, before tw_define_lps() */
extern unsigned int g_tw_nRNG_core_per_lp;
extern tw_rng *g_tw_rng_default;
extern uint32_t *g_tw_rng_seed;        /* four words for the model streams, or NULL */
extern uint32_t *g_tw_core_rng_seed;   /* four words for the core streams, or NULL */
extern unsigned int g_tw_mblock;       /* events per scheduling batch */
extern unsigned int g_tw_gvt_interval; /* batches between two GVT computations; 16: adaptive */
extern tw_stime g_tw_ts_end;           /* events at or past it are not delivered */
extern size_t g_tw_msg_sz;
extern tw_stime g_tw_lookahead;           /* least offset of events between ranks, --synch=2 */
extern tw_stime g_tw_min_detected_offset; /* DBL_MAX; nothing measures it */
extern unsigned int g_tw_events_per_pe;   /* accepted; memory grows on demand */
extern tw_stat g_tw_gvt_done;             /* GVT computations so far */
extern tw_peid g_tw_mynode;
extern tw_peid g_tw_masternode;
extern tw_lptype *g_tw_lp_types;
extern tw_lp_typemap_f g_tw_lp_typemap;
extern tw_clock g_tw_clock_rate; /* ticks per second */
extern tw_peid g_st_ross_rank;   /* as g_tw_mynode */
/* Accepted, without effect. */
extern unsigned int g_tw_memory_nqueues;
extern unsigned int g_tw_avl_node_count;

#ifdef __cplusplus
}
#endif

#include "ross_event.h"
#include "ross_options.h"
#include "ross_state.h"
#include "st.h"

#endif
