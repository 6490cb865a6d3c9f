/*
 * csv.h - the results of all links and all flows as CSV files (RFC 4180).
 */
#ifndef NETSIM_CSV_H
#define NETSIM_CSV_H

#include "report.h"

/* The files that were asked for; NULL for one that was not. Rank 0 alone holds open ones. */
struct ns_csv {
    FILE *links;
    FILE *flows;
};

/* Creates the files, so that a path that cannot be written is found before the run. Collective; all
 * ranks return the same, with the same message. */
bool ns_csv_open(struct ns_csv *csv, const struct ns_settings *settings, MPI_Comm comm,
                 struct model_error *error);

/* Writes and closes one of the files, if it was asked for. Rank 0 only. An error names the file. */
bool ns_csv_write_links(struct ns_csv *csv, const struct ns_model *m, const struct ns_results *r,
                        struct model_error *error);
bool ns_csv_write_flows(struct ns_csv *csv, const struct ns_model *m, const struct ns_results *r,
                        struct model_error *error);

#endif
