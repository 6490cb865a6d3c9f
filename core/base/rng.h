/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rng.h - random streams for use in the engine: inline draws, and the starts of streams. Models use
 * the functions of ross.h instead.
 *
 * There are two generators: CLCG4, which draws the same numbers as ROSS (rng_clcg4.h), and the fast
 * generator of --rng=fast (rng_fast.h). All streams of a run use the same generator. A bit in the
 * state of a stream, which a draw reads anyway, marks the generator.
 *
 * A stream holds the state of its next draw, and the random number that this draw returns. A draw
 * returns the prepared number and prepares the next one, which is not needed at once. The
 * computation of a number from a state, about 45 cycles, thus overlaps with the execution of the
 * event. (Sequential PHOLD with 2048 LPs, remote 0.5: 54 ns per event; 65 ns if a draw computes the
 * number that it returns; 64 ns with faster arithmetic alone.)
 *
 * Invariants of a stream:
 *   1. `reserved` holds the random number of the next draw as the bits of a non-negative double.
 *      Exception: if its highest bit, RNG_PAIR_DUE, is set, the other bits hold the mark of a pair
 *      of normal numbers.
 *   2. The mark of a pair is from 1 to count, the number of draws of the stream minus undone draws.
 *      A rollback past the draws of a pair withdraws the pair.
 *   3. A draw followed by its undo leaves the stream unchanged.
 *
 * Cost in ns (bench_rng), with many streams in turn: 3.8 per draw, 3.9 per undo, 9 to place the
 * next stream of a family, 140 to place any stream. The fast generator takes 1.8, 1.8, 6 and 17. On
 * a single stream, where each call depends on the previous one, a draw or an undo takes 8.8, with
 * the fast generator 1.3. With the plain code of CLCG4, a draw takes 3.8 and an undo 5.0. PHOLD,
 * which does other work between draws, is 3 % faster with the vector code.
 */
#ifndef WARPSCOPE_BASE_RNG_H
#define WARPSCOPE_BASE_RNG_H

#include "base/rng_clcg4.h"
#include "base/rng_fast.h"
#include "ross.h"

enum rng_kind { RNG_CLCG4, RNG_FAST };

/* Initialisers of a struct tw_rng: default seeds of the model streams, and of the core streams,
 * with which the engine breaks ties. */
#define RNG_MODEL_SEEDS {11111111u, 22222222u, 33333333u, 44444444u}, RNG_CLCG4
#define RNG_CORE_SEEDS  {55555555u, 66666666u, 77777777u, 88888888u}, RNG_CLCG4

/* Identity of a family of streams. Any seeds are valid; CLCG4 clamps them. */
struct tw_rng {
    uint32_t seed[4];
    enum rng_kind kind;
};

/* Generator of this run. It must be set before tw_define_lps() places the streams of LPs. */
extern enum rng_kind g_tw_rng_kind;

/* Number of this replication, --replication=N. Each N has random streams of its own. */
extern unsigned int g_tw_replication;

/* Streams of a replication, and the greatest number of one. */
#define RNG_REPLICATION_STREAMS (UINT64_C(1) << 28)
#define RNG_REPLICATIONS        32767

/* Returns the name of a generator, "clcg4" or "fast". */
const char *rng_kind_name(enum rng_kind kind);

/* This function and the next return the families of the model streams and of the core streams of
 * this run. Their seeds are the defaults above unless options or the model set others. In replication N of a
 * run with CLCG4, stream k is stream k + N * RNG_REPLICATION_STREAMS of these seeds, so that replications with
 * at most so many streams share none. With the fast generator, its streams have keys of their own. */
struct tw_rng rng_model_family(void);
struct tw_rng rng_core_family(void);

/* Sets g to the start of stream `number` of the family rng. Cost: O(log number). The starts of
 * consecutive CLCG4 streams are 2^72 draws apart. */
void rng_stream_place(tw_rng_stream *g, const struct tw_rng *rng, uint64_t number);

/* Sets g to a CLCG4 stream. state: state of that stream after its last draw, from
 * rng_get_state(). */
void rng_stream_resume(tw_rng_stream *g, const uint32_t state[4]);

/* Undoes n draws, like n calls of rng_undo(). Cost: O(log n). */
void rng_stream_rewind(tw_rng_stream *g, uint64_t n);

/* Generator of the starts of several streams of a family: stream first, first + stride, first +
 * 2*stride and so on. */
struct rng_stream_jumper {
    enum rng_kind kind;
    rng_lanes next;                /* CLCG4: state for the first draw of the next stream */
    struct rng_factors jump;       /* CLCG4: factors that lead from one stream to the next */
    struct rng_fast_source source; /* fast generator: source of the next stream */
    /* Fast generator: difference between the sources of successive streams. */
    uint64_t spacing;
};

/* Prepares a jumper, which begins with stream `first` of the family rng. */
void rng_jumper_init(struct rng_stream_jumper *jumper, const struct tw_rng *rng, uint64_t first,
                     uint64_t stride);

/* ---- Draws ----------------------------------------------------------------------------------- */

#define RNG_PAIR_DUE (UINT64_C(1) << 63)

static inline double rng_from_bits(uint64_t bits)
{
    double u;
    memcpy(&u, &bits, sizeof u);
    return u;
}

static inline uint64_t rng_to_bits(double u)
{
    uint64_t bits;
    memcpy(&bits, &u, sizeof bits);
    return bits;
}

static inline bool rng_is_fast(const tw_rng_stream *g)
{
    return __builtin_expect((g->c[1] & RNG_FAST_FLAG) != 0, 0);
}

static inline rng_lanes rng_load(const uint32_t c[4])
{
    rng_lanes lanes;
    memcpy(&lanes, c, sizeof lanes);
    return lanes;
}

/* This function and the next move the state of g by one draw, forwards and backwards. They return
 * the random number of the new state. */
static inline double rng_step(tw_rng_stream *g)
{
    if (rng_is_fast(g)) {
        const uint64_t state = rng_fast_state(g->c) + rng_fast_gamma(g->c);
        rng_fast_set_state(g->c, state);
        return rng_fast_value(state);
    }
    const rng_lanes c = rng_lanes_step(rng_load(g->c));
    memcpy(g->c, &c, sizeof c);
    return rng_lanes_value(c);
}

static inline double rng_step_back(tw_rng_stream *g)
{
    if (rng_is_fast(g)) {
        const uint64_t state = rng_fast_state(g->c) - rng_fast_gamma(g->c);
        rng_fast_set_state(g->c, state);
        return rng_fast_value(state);
    }
    const rng_lanes c = rng_lanes_step_back(rng_load(g->c));
    memcpy(g->c, &c, sizeof c);
    return rng_lanes_value(c);
}

/* Like rng_draw(), for a stream with a pair of normal numbers of which the second has not been used
 * yet. */
double rng_draw_in_pair(tw_rng_stream *g);

/* Draws a number in (0, 1). With CLCG4, rounding yields exactly 0 or 1 about once in 10^16
 * draws. */
static inline double rng_draw(tw_rng_stream *g)
{
    const uint64_t coming = g->reserved;
    if (__builtin_expect((coming & RNG_PAIR_DUE) != 0, 0)) {
        return rng_draw_in_pair(g);
    }
    g->count++;
    g->reserved = rng_to_bits(rng_step(g));
    return rng_from_bits(coming);
}

/* Undoes one draw and returns the random number that the draw had returned. */
static inline double rng_undo(tw_rng_stream *g)
{
    const double number = rng_step_back(g);
    g->count--;
    if (__builtin_expect(g->reserved < RNG_PAIR_DUE || g->reserved > (RNG_PAIR_DUE | g->count),
                         1)) {
        g->reserved = rng_to_bits(number);
    }
    return number;
}

/* ---- Pairs of normal numbers ----------------------------------------------------------------- */

/* Returns the random number that the next draw will return. Draws nothing. */
double rng_peek(const tw_rng_stream *g);

/*
 * Returns the mark of the pair of normal numbers whose second number is due; 0: none.
 * tw_rand_normal01() creates numbers in pairs. The mark is the value of count right after the two
 * draws of the pair. Undoing one of these draws withdraws the pair.
 *
 * Taking the second number makes no draw, so no reverse handler can undo it. After a rollback has
 * undone the draws of an event, the engine therefore restores the mark from before the event. Only
 * non-zero marks need to be stored: undoing the draws restores a mark of 0.
 */
static inline uint64_t rng_pair_mark(const tw_rng_stream *g)
{
    return (g->reserved & RNG_PAIR_DUE) != 0 ? g->reserved ^ RNG_PAIR_DUE : 0;
}

static inline void rng_pair_restore(tw_rng_stream *g, uint64_t mark)
{
    g->reserved = mark != 0 ? RNG_PAIR_DUE | mark : rng_to_bits(rng_peek(g));
}

/* ---- Starts of streams ----------------------------------------------------------------------- */

/* Sets g to the start of the jumper's next stream. */
static inline void rng_jumper_next(struct rng_stream_jumper *jumper, tw_rng_stream *g)
{
    g->count = 0;
    if (jumper->kind == RNG_FAST) {
        rng_fast_begin(g->c, &jumper->source);
        g->reserved = rng_to_bits(rng_step(g));
        jumper->source.start += jumper->spacing;
        jumper->source.gamma += jumper->spacing;
        return;
    }
    memcpy(g->c, &jumper->next, sizeof jumper->next);
    g->reserved = rng_to_bits(rng_lanes_value(jumper->next));
    jumper->next = rng_lanes_mul(jumper->next, &jumper->jump);
}

#endif
