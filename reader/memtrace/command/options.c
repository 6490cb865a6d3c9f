/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * options.c - reads the command line of "warpscope memtrace"; see options.h.
 */
#include "memtrace/command/options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/args.h"
#include "data/number.h"
#include "store/array.h"
#include "text/text_new.h"

#define RING_MIN 64u
#define RING_MAX (1u << 26)

#define INTO(member) WS_INTO(struct ws_memtrace_options, member)
static const struct ws_option options[] = {
    {"json", NULL, "print JSON", INTO(json)},
    {"csv", NULL, "print CSV with a header line", INTO(csv)},
    {"sqlite", "FILE", "write all results to tables of this database", INTO(sqlite)},
    {"svg", "FILE", "write a picture of the matrix to this file", INTO(svg)},
    {"force", NULL, "replace existing files", INTO(force)},
    {"by", "kernel|cta|sm", "grouping of volumes and of the matrix (default kernel)", INTO(by)},
    {"top", "N", "maximum number of rows of text (default 20; volumes and\ndump: all)", INTO(top)},
    {"match", "start|bytes",
     "start: match accesses by the address of their first\nbyte (default); bytes: match each byte",
     INTO(by_bytes)},
    {"rule", "values|original",
     "values: a load reads the last value that was written\n(default); original: as the programs "
     "that introduced\nthe format, which lose values written again after a read",
     INTO(original)},
    {"addrset", "uses|records",
     "form of addrset in JSON: uses, addresses by kernel, CTA\nand superstep (default); records, "
     "records by address",
     INTO(set_of_records)},
    {"kernel", "GLOB",
     "kernels whose name, or STREAM:NAME, matches; patterns\nare separated by commas outside of <> "
     "and ()",
     INTO(choice.kernels)},
    {"superstep", "LIST", "launches with these indices, from 0: 0-3,7", INTO(superstep)},
    {"cta", "X,Y,Z", "this CTA; * stands for any X, Y or Z", INTO(cta)},
    {"sm", "LIST", "accesses from these SMs: 0-3,7", INTO(sm)},
    {"address", "FROM-TO",
     "accesses that begin in this range, which includes both\nends; 0x begins a hexadecimal number",
     INTO(address)},
    {"polls", "collapse|all",
     "dump: show a load that a CTA repeats, without another\naccess between, twice: the first one, "
     "and the last one\nwith the number of the others (default); or each one",
     INTO(all_polls)},
    /* From here on: options of the subcommand "record". The limits of numbers are those of the CUDA
     * runtime for the CPU. */
    {"output", "DIR",
     "record: directory for the traces (default\nmemtrace-traces), or a free one of DIR-1, "
     "DIR-2, ...\nif it has traces; %p in it stands for the process id,\n%r for the MPI rank; -o "
     "is "
     "the same option",
     INTO(record.directory), .min = 1},
    {"on", "auto|gpu|cpu",
     "record: device that runs the kernels (default auto: a\nGPU if there is one)",
     INTO(record.on)},
    {"sms", "N", "record on the CPU: number of SMs of the emulated GPU", INTO(record.sms), .min = 1,
     .max = 4096},
    {"devices", "N", "record on the CPU: number of emulated GPUs", INTO(record.devices), .min = 1,
     .max = 16},
    {"ring", "N",
     "record: size of the ring between a kernel and the host,\nin accesses: a power of two, with k "
     "or M (default 1M)",
     INTO(record.ring)},
    {"limit", "N",
     "record: maximum number of accesses in a file; the trace\nsays that it ends there",
     INTO(record.limit), .min = 1},
    {"format", "plain|compressed", "record: form of the trace files (default plain)",
     INTO(record.is_compressed)},
    {"names", "demangled|mangled", "record: form of kernel names (default demangled)",
     INTO(record.is_mangled)},
    {NULL, NULL, NULL},
};
#define FIRST_OF_RECORD "output"
static const struct ws_section sections[] = {
    {"streams and matches",
     "Memory traces are not record files, and need not come from a simulation. If\n"
     "there are several files, each is a stream. Streams are read in lockstep: launch\n"
     "0 of each, then launch 1 of each, and so on.\n"
     "\n"
     "With --match=start, accesses match if they begin at the same address. With\n"
     "--match=bytes, an access of n bytes counts as n accesses of one byte, and\n"
     "consecutive bytes with the same records are listed as one address, with their\n"
     "number as the size. docs/memory-traces.md in the sources defines communication.\n"},
    {"recording", "record runs a CUDA program that warpscope-nvcc has compiled, and writes a file\n"
                  "per stream to a new directory. Without a GPU, kernels are interpreted on the\n"
                  "CPU; then nvcc alone may have compiled the program, if it contains its PTX.\n"
                  "Words after -- belong to the program. The exit status is that of the program,\n"
                  "but 1 instead of 0 if no kernel was traced, if a trace is incomplete, or if\n"
                  "one of its processes or libraries was not recorded.\n"},
    {NULL, NULL},
};
static const struct ws_usage usage = {
    "memtrace",
    "WHAT FILE|DIR...",
    "Reads traces of the accesses of GPU kernels to global memory, one file per\n"
    "stream, and finds the data that CTAs and kernels exchange through this memory.\n"
    "A directory stands for the traces MemTrace-pipe-N in it.\n"
    "The subcommand record makes traces: record [options] -- PROGRAM [ARGUMENTS].\n"
    "\n"
    "WHAT is one of:\n"
    "\n"
    "  info         files and launches\n"
    "  dump         every access\n"
    "  volumes      bytes accessed by each launch, and bytes of communication\n"
    "  transfers    for each CTA of a launch, the data that it read from other CTAs\n"
    "  matrix       bytes from kernel to kernel, or from SM to SM\n"
    "  addresses    the addresses used for communication, with their accesses\n"
    "  allocations  bytes that kernels load from and write to each allocation\n"
    "  lines        bytes that each line of the source loads and writes\n"
    "  all          info, volumes, transfers and matrix; with --json volumes,\n"
    "               transfers and the addresses (--addrset) in one object\n"
    "  page         a page with pictures and tables; warpscope report is the same for\n"
    "               a directory; --output names the file\n"
    "  convert      writes a trace in another form, or recovers an incomplete one,\n"
    "               with its own options: warpscope memtrace convert --help\n"
    "  record       runs a CUDA program and writes its traces\n"
    "\n"
    "The whole trace is analysed. --kernel, --superstep, --cta and --sm then select\n"
    "the transfers with a matching reader or writer, and the launches of a matching\n"
    "kernel and superstep. --address excludes other accesses from the analysis.\n",
    options,
    .words =
        "info|dump|volumes|transfers|matrix|addresses|allocations|lines|all|page|record|convert",
    .examples = "Trace a CUDA program, with or without a GPU:\n"
                "  warpscope-nvcc -o prog prog.cu\n"
                "  warpscope memtrace record -o traces ./prog\n"
                "A picture of the data that kernels receive from other kernels:\n"
                "  warpscope memtrace matrix --svg=matrix.svg MemTrace-*.bin\n"
                "What is read from other kernels, byte by byte?\n"
                "  warpscope memtrace transfers --match=bytes MemTrace-1.bin\n",
    .sections = sections,
    .see = "nvcc"};

/* ---- Values of options ----------------------------------------------------------------------- */

/* Parses the number at *text: decimal, or hexadecimal after 0x. The number must end at a character
 * in `ends`, or at the end of the text; *text is moved there. Returns false if the number is
 * invalid or too large. */
static bool number_parse(const char **text, const char *ends, uint64_t *value)
{
    bool hex = (*text)[0] == '0' && (*text)[1] == 'x';
    const char *digits = hex ? *text + 2 : *text;
    size_t length = strcspn(digits, ends);
    if (length == 0 || strspn(digits, hex ? "0123456789abcdefABCDEF" : "0123456789") != length) {
        return false;
    }
    errno = 0;
    *value = strtoull(digits, NULL, hex ? 16 : 10);
    *text = digits + length;
    return errno == 0;
}

static bool address_parse(struct ws_memtrace_choice *c, const char *text)
{
    c->addresses_given = true;
    if (!number_parse(&text, "-", &c->address_from)) {
        return false;
    }
    c->address_to = c->address_from;
    if (*text == '\0') {
        return true;
    }
    text++;
    return number_parse(&text, "", &c->address_to) && c->address_to >= c->address_from;
}

static bool cta_parse(struct ws_memtrace_choice *c, const char *text)
{
    static const uint64_t masks[3] = {UINT32_MAX, UINT16_MAX, UINT16_MAX};
    static const int shifts[3] = {32, 16, 0};
    for (int i = 0; i < 3; i++) {
        uint64_t n;
        if (*text == '*') {
            text++;
        } else if (number_parse(&text, ",", &n) && n <= masks[i]) {
            c->cta_mask |= masks[i] << shifts[i];
            c->cta |= n << shifts[i];
        } else {
            return false;
        }
        if (*text != (i < 2 ? ',' : '\0')) {
            return false;
        }
        text += i < 2;
    }
    return true;
}

static int ranges_read(struct ws_ranges *ranges, const char *name, const char *text)
{
    return text == NULL || ws_ranges_parse(ranges, text)
               ? WS_EXIT_OK
               : ws_usage_error(&usage, "--%s=%s: must be a list like 0-3,7", name, text);
}

static int choice_read(struct ws_memtrace_options *o)
{
    if (o->choice.kernels != NULL && o->choice.kernels[0] == '\0') {
        return ws_usage_error(&usage, "--kernel needs a name or pattern");
    }
    if (o->cta != NULL && !cta_parse(&o->choice, o->cta)) {
        return ws_usage_error(&usage, "--cta=%s: must be X,Y,Z with numbers or *", o->cta);
    }
    if (o->address != NULL && !address_parse(&o->choice, o->address)) {
        return ws_usage_error(&usage,
                              "--address=%s: must be FROM-TO or one address, with 0x before "
                              "hexadecimal numbers",
                              o->address);
    }
    int status = ranges_read(&o->choice.steps, "superstep", o->superstep);
    status = status != WS_EXIT_OK ? status : ranges_read(&o->choice.sms, "sm", o->sm);
    o->choice.any = o->choice.kernels != NULL || o->choice.steps.n > 0 || o->choice.sms.n > 0 ||
                    o->choice.cta_mask != 0;
    return status;
}

/* ---- Valid combinations of options ----------------------------------------------------------- */

#define WHAT(what) (1u << WS_MEMTRACE_##what)

/* Options that have an effect only with certain subcommands. With any other subcommand, these
 * options are errors. */
static const struct {
    const char *option;
    unsigned whats;
    const char *words;
} limits[] = {
    {"svg", WHAT(MATRIX) | WHAT(ALL), "matrix and all"},
    {"by", WHAT(VOLUMES) | WHAT(MATRIX) | WHAT(ALL), "volumes, matrix and all"},
    {"sqlite", ~WHAT(DUMP), "all but dump"},
    {"match", ~(WHAT(DUMP) | WHAT(INFO)), "all but info and dump"},
    {"rule", ~(WHAT(DUMP) | WHAT(INFO)), "all but info and dump"},
    {"addrset", WHAT(ADDRESSES_OF) | WHAT(ALL), "addresses and all"},
    {"polls", WHAT(DUMP), "dump"},
    {"cta", ~(WHAT(INFO) | WHAT(LINES_OF)), "all but info and lines"},
    {"sm", ~(WHAT(INFO) | WHAT(LINES_OF)), "all but info and lines"},
    {"superstep", ~WHAT(LINES_OF), "all but lines"},
    {"address", ~WHAT(LINES_OF), "all but lines"},
};

/* Checks that options of the subcommand "record" are given only with "record", and other options
 * only with other subcommands. Returns WS_EXIT_OK, or another exit status after an error
 * message. */
static int record_check(const struct ws_memtrace_options *o, const struct ws_args *args)
{
    bool is_recording = false;
    for (int i = 0; options[i].name != NULL; i++) {
        bool is_output = strcmp(options[i].name, FIRST_OF_RECORD) == 0;
        is_recording |= is_output;
        if (args->values[i] != NULL && !(is_output && o->what == WS_MEMTRACE_PAGE) &&
            is_recording != (o->what == WS_MEMTRACE_RECORD)) {
            return ws_usage_error(&usage,
                                  is_recording ? "--%s is for record" : "--%s is not for record",
                                  options[i].name);
        }
    }
    return WS_EXIT_OK;
}

/* Returns true if a text is a valid size of a ring: a power of two, with the suffix k or M or
 * without one, from RING_MIN to RING_MAX. */
static bool ring_check(const char *text)
{
    uint64_t n;
    if (strchr(text, 'x') != NULL || !number_parse(&text, "kM", &n) || n > RING_MAX) {
        return false;
    }
    n <<= *text == 'k' ? 10 : *text == 'M' ? 20 : 0;
    return (*text == '\0' || text[1] == '\0') && n >= RING_MIN && n <= RING_MAX &&
           (n & (n - 1)) == 0;
}

static int combination_check(const struct ws_memtrace_options *o, const struct ws_args *args)
{
    int status = record_check(o, args);
    if (status == WS_EXIT_OK && o->record.ring != NULL && !ring_check(o->record.ring)) {
        return ws_usage_error(&usage, "--ring=%s: must be a power of two from 64 to 64M",
                              o->record.ring);
    }
    if (status != WS_EXIT_OK || o->what == WS_MEMTRACE_RECORD) {
        return status;
    }
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        if (ws_args_has(args, limits[i].option) && (limits[i].whats >> o->what & 1) == 0) {
            return ws_usage_error(&usage, "--%s is for %s", limits[i].option, limits[i].words);
        }
    }
    if (o->by == WS_MEMTRACE_BY_CTA && o->what != WS_MEMTRACE_VOLUMES) {
        return ws_usage_error(&usage, "--by=cta is for volumes");
    }
    if (o->what == WS_MEMTRACE_ALL && o->form == WS_MEMTRACE_CSV) {
        return ws_usage_error(&usage, "all is several tables: no --csv; see --sqlite");
    }
    if (ws_args_has(args, "addrset") && o->form != WS_MEMTRACE_JSON) {
        return ws_usage_error(&usage, "--addrset is for --json");
    }
    if (o->top_given && o->form != WS_MEMTRACE_TEXT && o->what != WS_MEMTRACE_DUMP) {
        return ws_usage_error(&usage, "--top is for text and dump: --csv and --json have all rows");
    }
    return WS_EXIT_OK;
}

static int outputs_check(const struct ws_memtrace_options *o)
{
    const struct {
        const char *name, *path;
    } outputs[] = {{"sqlite", o->sqlite}, {"svg", o->svg}};
    for (int i = 0; i < 2; i++) {
        const char *path = outputs[i].path;
        if (path != NULL && (path[0] == '\0' || strcmp(path, "-") == 0)) {
            return ws_usage_error(&usage,
                                  "--%s needs a file of its own: standard output has the %s",
                                  outputs[i].name, o->form == WS_MEMTRACE_TEXT ? "text" : "table");
        }
    }
    return o->sqlite != NULL && o->svg != NULL && strcmp(o->sqlite, o->svg) == 0
               ? ws_usage_error(&usage, "--sqlite and --svg name the same file")
               : WS_EXIT_OK;
}

/* Replaces directories among the paths by the traces in them. Returns false after an error message. */
static bool paths_expand(struct ws_memtrace_options *o)
{
    struct stat facts;
    size_t room = 0;
    for (uint32_t i = 0; i < o->n_paths; i++) {
        struct ws_record_files found = {.paths = &o->paths[i], .n = 1}, in_it = {.n = 0};
        bool is_directory = stat(o->paths[i], &facts) == 0 && S_ISDIR(facts.st_mode);
        if (is_directory && !ws_record_files_in(&in_it, o->paths[i])) {
            return ws_memtrace_say(false, "out of memory");
        }
        if (is_directory && in_it.n == 0) {
            return ws_memtrace_say(false, "%s: has no traces MemTrace-pipe-N", o->paths[i]);
        }
        found = is_directory ? in_it : found;
        for (size_t k = 0; k < found.n; k++) {
            char *copy = strdup(found.paths[k]);
            if (copy == NULL ||
                !array_reserve(&o->files.paths, &room, o->files.n + 1, sizeof copy)) {
                free(copy);
                return ws_memtrace_say(false, "out of memory");
            }
            o->files.paths[o->files.n++] = copy;
        }
        ws_record_files_free(&in_it);
    }
    o->paths = o->files.paths;
    o->n_paths = (uint32_t)o->files.n;
    return true;
}

bool ws_memtrace_options_read(struct ws_memtrace_options *o, int argc, char **argv,
                              int *exit_status)
{
    struct ws_args args;
    o->record.directory = "memtrace-traces";
    if (!ws_args_parse(&args, &usage, o, argc, argv, exit_status)) {
        return false;
    }
    o->top_given = ws_args_has(&args, "top");
    o->form = o->json ? WS_MEMTRACE_JSON : o->csv ? WS_MEMTRACE_CSV : WS_MEMTRACE_TEXT;
    *exit_status = o->json && o->csv ? ws_usage_error(&usage, "--json and --csv exclude each other")
                                     : choice_read(o);
    if (*exit_status != WS_EXIT_OK) {
        return false;
    }
    if (args.n_operands < 2) {
        bool is_record = args.n_operands == 1 && strcmp(args.operands[0], "record") == 0;
        *exit_status = is_record
                           ? ws_usage_error(&usage, "record needs a program: record -- PROGRAM")
                           : ws_usage_error(&usage, "needs the name of a subcommand, and files");
        return false;
    }
    int what = ws_args_word(&usage, args.operands[0]);
    if (what < 0 || what == WS_MEMTRACE_WHATS) {
        *exit_status =
            what < 0 ? WS_EXIT_USAGE : ws_usage_error(&usage, "convert must be the first word");
        return false;
    }
    o->what = (enum ws_memtrace_what)what;
    o->paths = args.operands + 1;
    o->n_paths = (uint32_t)args.n_operands - 1;
    *exit_status = combination_check(o, &args);
    if (o->what == WS_MEMTRACE_PAGE) {
        size_t length = strlen(o->paths[0]);
        while (length > 1 && o->paths[0][length - 1] == '/') {
            length--;
        }
        size_t begin = length;
        while (begin > 0 && o->paths[0][begin - 1] != '/') {
            begin--;
        }
        o->title = o->paths[0];
        o->page = ws_args_has(&args, "output")
                      ? text_new("%s", o->record.directory)
                      : text_new("%.*s.html", (int)(length - begin), o->paths[0] + begin);
    }
    args.operands[args.n_operands] = NULL; /* argv has space for this additional element */
    o->record.program = args.operands + 1;
    if (*exit_status == WS_EXIT_OK && o->what != WS_MEMTRACE_RECORD && !paths_expand(o)) {
        *exit_status = WS_EXIT_DAMAGED;
    }
    if (*exit_status == WS_EXIT_OK && o->what != WS_MEMTRACE_RECORD) {
        *exit_status = outputs_check(o);
    }
    return *exit_status == WS_EXIT_OK;
}

void ws_memtrace_options_free(struct ws_memtrace_options *o)
{
    ws_ranges_free(&o->choice.steps);
    ws_ranges_free(&o->choice.sms);
    ws_record_files_free(&o->files);
    free(o->page);
}
