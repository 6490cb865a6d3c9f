/*
 * survey.h - one record file looked through: what is in it, and what is wrong with it.
 *
 * The walk over the headers alone gives structure, totals, descriptions and completeness; a second
 * walk hands out the good blocks. Faults are printed to stderr when they are found, FAULTS_SHOWN of
 * them per file, and kept for the JSON output.
 */
#ifndef WARPSCOPE_READER_SURVEY_H
#define WARPSCOPE_READER_SURVEY_H

#include "format/format.h"

#define WS_FAULTS_SHOWN 20

/* One PE's part of a file. */
struct ws_pe {
    uint64_t records;  /* in blocks with good headers */
    uint64_t missing;  /* known to be lost to damage */
    uint64_t dropped;  /* said by the END block to be lost on the way to the file */
    bool unknown_loss; /* the END block says that this number is not known; dropped is 0 */
    uint64_t blocks;
    uint32_t end_code;
    bool ended;
    bool damaged;
    double end_gvt;
    double end_real_time;
};

struct ws_range {
    bool known;
    double min, max;
};

/* Makes the range include [min, max]; not if one is NaN. */
void ws_range_add(struct ws_range *range, double min, double max);

struct ws_survey {
    const char *path; /* borrowed */
    struct fmt_file file;
    struct fmt_reader *reader;       /* NULL: the file could not be opened */
    const struct fmt_superblock *sb; /* NULL as well then */
    struct ws_pe *pes;               /* one per PE */
    uint64_t records, missing, dropped, blocks;
    uint64_t stored_bytes, raw_bytes;       /* of the blocks; bodies only for raw */
    uint64_t kind_records[FMT_SCHEMAS_MAX]; /* by number of the kind of record */
    uint32_t pes_ended;
    uint32_t pes_unknown_loss;               /* PEs of which that is so */
    struct ws_range virtual_time, real_time; /* of the data blocks' headers */
    /* How the run ended: as it did for the PE for which it ended worst (ws_end_rank()). */
    uint32_t end_code;
    char end_text[128];
    double end_gvt;          /* the least of the PEs that ended so */
    double end_real_time;    /* the greatest of all PEs */
    bool ends_differ;        /* PEs have other end codes */
    uint64_t unknown_blocks; /* of kinds of a later version: skipped */
    struct fmt_desc_set descs;
    struct fmt_columns columns; /* scratch of the block functions */
    uint64_t n_faults;
    struct fmt_error faults[WS_FAULTS_SHOWN];
};

/* Opens path and walks over its headers. strict: see fmt_scan_strict(). Always leaves a survey that
 * can be asked and closed; path must stay valid. */
void ws_survey_open(struct ws_survey *survey, const char *path, bool strict);
void ws_survey_close(struct ws_survey *survey);

/* Did PEs that ended with this code stop before the simulation was over? */
bool ws_end_is_early(uint32_t code);
/* What became of n PEs that ended with this code: "reached the end time". */
const char *ws_end_words(uint32_t code, uint32_t n);
/* The worse a code, the greater: 0 for a run that came to its end. */
unsigned ws_end_rank(uint32_t code);
#define WS_END_RANKS 5u

/* Is the PE's part there as a whole: ended, undamaged, and no record lost as far as is known? */
bool ws_pe_complete(const struct ws_pe *pe);

/* Complete and without faults so far? A file is complete if it has an END block of each PE and no
 * record of the run was lost: not to damage, and not on the way to the file, on purpose or not. */
bool ws_survey_good(const struct ws_survey *survey);

/* Counts a fault and shows it. */
void ws_survey_fault(struct ws_survey *survey, const struct fmt_error *error);
/* The same for something wrong in a block that the format itself accepts. */
void ws_survey_block_fault(struct ws_survey *survey, const struct fmt_block *block,
                           const char *words);
/* Says how many faults were not shown. Once, after the last fault. */
void ws_survey_faults_end(const struct ws_survey *survey);

/* Called for a good block; false ends the walk. */
typedef bool (*ws_block_f)(struct ws_survey *survey, const struct fmt_block *block, void *ctx);
/* All good blocks of a PE in order. Structure faults were reported by ws_survey_open(). False if fn
 * ended the walk. */
bool ws_survey_each(struct ws_survey *survey, uint32_t pe, ws_block_f fn, void *ctx);

/* Checks the bodies of all blocks against their checksums. */
void ws_survey_check_bodies(struct ws_survey *survey);

#endif
