/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The scripts of SMs in a temporary file: random launches against arrays, read at random places.
 * Also the places of lines in memory: no two lines share one, and neighbours are spread evenly.
 */
/* test: libs=memsim_model,warpscope */
#include "address.h"
#include "script.h"
#include "support/suite.h"

enum { SMS = 7, STREAMS = 2, LAUNCHES = 90, NAMES = 80, ITEMS = 6000 };

static uint64_t seed;

static unsigned draw(unsigned n)
{
    return (unsigned)random_below(&seed, n);
}

/* The naive model: the accesses of an SM in a stream, and the beginning of each launch. */
struct naive {
    struct ms_item items[ITEMS];
    uint64_t n;
    uint64_t begin[LAUNCHES + 1];
};

static struct naive naive[STREAMS][SMS];

static bool is_local(unsigned sm)
{
    return sm != 3;
}

static void fill(struct ms_script *s)
{
    struct model_error error;
    for (unsigned stream = 0; stream < STREAMS; stream++) {
        for (unsigned launch = 0; launch < LAUNCHES; launch++) {
            char name[16];
            snprintf(name, sizeof name, "kernel %u", launch % NAMES);
            ms_script_launch(s, stream, name);
            for (unsigned sm = 0; sm < SMS; sm++) {
                naive[stream][sm].begin[launch] = naive[stream][sm].n;
            }
            for (unsigned i = draw(4) == 0 ? 0 : draw(400); i > 0; i--) {
                struct memtrace_access a = {draw(1000), draw(9), draw(SMS), 1 + draw(8), draw(3)};
                struct naive *n = &naive[stream][a.sm];
                n->items[n->n++] =
                    (struct ms_item){s->accesses, a.address, a.cta, a.sm, a.size, a.type, 0};
                CU_ASSERT_TRUE_FATAL(ms_script_add(s, stream, &a, is_local(a.sm), &error));
            }
        }
        for (unsigned sm = 0; sm < SMS; sm++) {
            naive[stream][sm].begin[LAUNCHES] = naive[stream][sm].n;
        }
    }
    CU_ASSERT_TRUE_FATAL(ms_script_seal(s, &error));
}

static void test_script(void)
{
    struct ms_script s;
    struct model_error error;
    CU_ASSERT_TRUE_FATAL(ms_script_init(&s, STREAMS, SMS, "", &error));
    fill(&s);
    unsigned bad = 0;
    for (unsigned stream = 0; stream < STREAMS; stream++) {
        for (unsigned sm = 0; sm < SMS; sm++) {
            const struct naive *n = &naive[stream][sm];
            for (unsigned launch = 0; launch < LAUNCHES; launch++) {
                uint64_t begin, end;
                uint64_t count = is_local(sm) ? n->begin[launch + 1] - n->begin[launch] : 0;
                ms_script_span(&s, stream, sm, launch, &begin, &end);
                bad += end - begin != count || begin != (is_local(sm) ? n->begin[launch] : 0);
            }
            for (unsigned i = 0; is_local(sm) && i < 3000; i++) {
                uint64_t at = i < n->n ? i : draw((unsigned)n->n);
                const struct ms_item *item = ms_script_item(&s, stream, sm, at);
                bad += item == NULL || memcmp(item, &n->items[at], sizeof *item) != 0;
            }
        }
    }
    CU_ASSERT_EQUAL(bad, 0);
    CU_ASSERT_STRING_EQUAL(ms_script_name(&s, 1, 7), "kernel 7");
    CU_ASSERT_STRING_EQUAL(ms_script_name(&s, 0, NAMES + 3), "kernel 3");
    CU_ASSERT_EQUAL(s.name_index.n, NAMES);
    ms_script_fini(&s);
}

/* Lines of two slices may share a channel, bank and row, but the row then has space for all of
 * them. */
static void test_address_of(unsigned row_lines)
{
    enum { LINES = 1 << 14 };
    for (unsigned slice_bits = 0; slice_bits < 5; slice_bits++) {
        for (unsigned hash = 0; hash < 2; hash++) {
            struct ms_model m = {.slices = 1u << slice_bits,
                                 .slice_bits = slice_bits,
                                 .hash = hash != 0,
                                 .sets = 64,
                                 .channels = 1u << slice_bits / 2,
                                 .channel_bits = slice_bits / 2,
                                 .banks = 4,
                                 .row_lines = row_lines};
            unsigned of_slice[16] = {0};
            static unsigned char of_row[16][4][LINES];
            memset(of_row, 0, sizeof of_row);
            unsigned bad = 0;
            for (uint64_t line = 0; line < LINES; line++) {
                unsigned slice = ms_slice_of_line(&m, line);
                struct ms_dram_place place = ms_dram_place_of_line(&m, line);
                of_slice[slice]++;
                bad += ++of_row[ms_channel_of_slice(&m, slice)][place.bank][place.row] > row_lines;
                bad += ms_set_of_line(&m, line) != (line >> slice_bits) % 64;
            }
            for (unsigned slice = 0; slice < m.slices; slice++) {
                bad += of_slice[slice] != LINES / m.slices;
            }
            CU_ASSERT_EQUAL(bad, 0);
        }
    }
}

static void test_address(void)
{
    for (unsigned row_lines = 1; row_lines <= 16; row_lines *= 2) {
        test_address_of(row_lines);
    }
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"accesses in a file", test_script},
        {"places of lines", test_address},
    };
    seed = suite_seed();
    suite_print_seed("memsim script", seed);
    return suite_run("memsim script", tests, sizeof tests / sizeof *tests);
}
