/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes the record files of an artificial run of any size. For scripts that test the reader. See
 * support/run_example.h.
 *
 *     make_run DIR PREFIX [pes=2] [kps=4] [lps=64] [first_lp=0] [samples=50] [records=10000]
 *         [rollbacks=64] [granularity=1] [seed=1] [dropped=0] [only_events=0] [cut=0]
 *         [end_code=0] [end_pe=all] [elsewhere=0]
 *
 *     records    events in the event trace
 *     rollbacks  one in so many events causes a rollback; 0: none
 *     lps        LPs of all PEs together
 *     first_lp   number of the first LP
 *     dropped    lost records that each PE reports; 18446744073709551615: an unknown number
 *     cut        events of the trace before the run stopped; 0: all
 *     end_code   reason of the end, of end_pe alone or of all PEs
 *     elsewhere  number of first PEs whose records are on a disk of another host
 *
 * test: libs=warpscope_format
 */
#include "support/run_example_streams.h"

struct option {
    const char *name;
    unsigned long long value;
};

enum {
    PES,
    KPS,
    LPS,
    FIRST_LP,
    SAMPLES,
    RECORDS,
    ROLLBACKS,
    GRANULARITY,
    SEED,
    DROPPED,
    ONLY_EVENTS,
    CUT,
    END_CODE,
    END_PE,
    ELSEWHERE,
    N
};

static bool option_read(struct option *options, const char *word)
{
    for (int i = 0; i < N; i++) {
        size_t length = strlen(options[i].name);
        if (strncmp(word, options[i].name, length) == 0 && word[length] == '=') {
            char *end;
            options[i].value = strtoull(word + length + 1, &end, 10);
            return *end == '\0' && word[length + 1] != '\0';
        }
    }
    return false;
}

int main(int argc, char **argv)
{
    struct option o[N] = {[PES] = {"pes", 2},
                          [KPS] = {"kps", 4},
                          [LPS] = {"lps", 64},
                          [FIRST_LP] = {"first_lp", 0},
                          [SAMPLES] = {"samples", 50},
                          [RECORDS] = {"records", 10000},
                          [ROLLBACKS] = {"rollbacks", 64},
                          [GRANULARITY] = {"granularity", 1},
                          [SEED] = {"seed", 1},
                          [DROPPED] = {"dropped", 0},
                          [ONLY_EVENTS] = {"only_events", 0},
                          [CUT] = {"cut", 0},
                          [END_CODE] = {"end_code", 0},
                          [END_PE] = {"end_pe", UINT32_MAX},
                          [ELSEWHERE] = {"elsewhere", 0}};
    bool good = argc >= 3;
    for (int i = 3; i < argc; i++) {
        good = good && option_read(o, argv[i]);
    }
    if (!good || o[PES].value <= o[ELSEWHERE].value || o[KPS].value == 0 || o[LPS].value == 0) {
        fputs("usage: make_run DIR PREFIX", stderr);
        for (int i = 0; i < N; i++) {
            fprintf(stderr, " [%s=N]", o[i].name);
        }
        fputc('\n', stderr);
        return EXIT_FAILURE;
    }
    struct run_example run = {.folder = argv[1],
                              .prefix = argv[2],
                              .n_pes = (uint32_t)o[PES].value,
                              .n_kps = (uint32_t)o[KPS].value,
                              .n_lps = o[LPS].value,
                              .first_lp = o[FIRST_LP].value,
                              .samples = o[SAMPLES].value,
                              .events = o[RECORDS].value,
                              .rollbacks = o[ROLLBACKS].value,
                              .seed = o[SEED].value,
                              .dropped = o[DROPPED].value,
                              .cut = o[CUT].value,
                              .end_code = (uint32_t)o[END_CODE].value,
                              .end_pe = (uint32_t)o[END_PE].value,
                              .granularity = (unsigned)o[GRANULARITY].value,
                              .elsewhere = (uint32_t)o[ELSEWHERE].value};
    good = o[ONLY_EVENTS].value != 0 ? run_events_write(&run) : run_example_write(&run);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
