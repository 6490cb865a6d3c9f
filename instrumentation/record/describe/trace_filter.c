/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * trace_filter.c - parses --trace-lps, one item after another.
 */
#include "record/describe/trace_filter.h"

#include <assert.h>
#include <errno.h>
#include <fnmatch.h>
#include <limits.h>

#include "base/options.h"
#include "text/nearest.h"
#include "text/utf8.h"

#define ITEM_MAX 255u /* maximum length of an item in bytes */

struct target {
    const struct lp_names *names;
    const struct own_names *own;
    bool *later;
    tw_lp *const *lps;
    tw_lpid n_lps;
    tw_lpid lps_end;
    bool *traced;
    char *error;
    size_t error_size;
};

static enum tw_status refuse(const struct target *t, const char *item, const char *why)
{
    char echo[OPTIONS_ECHO_MAX + 1];
    snprintf(t->error, t->error_size, "--trace-lps: \"%s\" %s", options_echo(item, echo), why);
    utf8_drop_controls(t->error);
    return TW_ERR_USAGE;
}

/* Parses a number and stores it in *gid. Returns the end of the digits; NULL if there are none, or
 * too many. */
static const char *read_gid(const char *text, tw_lpid *gid)
{
    char *end = NULL;
    if (text[0] < '0' || text[0] > '9') {
        return NULL;
    }
    errno = 0;
    *gid = strtoull(text, &end, 10);
    return errno == 0 ? end : NULL;
}

static const char no_item[] = "is neither a number, a range such as 0-15, nor a name";

static enum tw_status take_range(const struct target *t, const char *item)
{
    tw_lpid first = 0;
    tw_lpid last = 0;
    const char *end = read_gid(item, &first);
    last = first;
    if (end != NULL && *end == '-') {
        end = read_gid(end + 1, &last);
    }
    if (end == NULL || *end != '\0') {
        return refuse(t, item, no_item);
    }
    if (first > last) {
        return refuse(t, item, "is a range that ends before it begins");
    }
    if (first >= t->lps_end) {
        char why[100];
        snprintf(why, sizeof why, "has no LP: the largest number is %llu",
                 (unsigned long long)t->lps_end - 1);
        return refuse(t, item, why);
    }
    for (tw_lpid i = 0; i < t->n_lps; i++) {
        t->traced[i] |= t->lps[i]->gid >= first && t->lps[i]->gid <= last;
    }
    return TW_OK;
}

/* Appends the names of LP types to t->error, as many as fit. */
static void list_known(const struct target *t)
{
    assert(t->names->n_names > 0);
    size_t used = strlen(t->error);
    for (size_t i = 0; i < t->names->n_names && used < t->error_size; i++) {
        const char *name = t->names->names[i];
        bool fits = t->error_size - used > strlen(name) + sizeof(", ...");
        snprintf(t->error + used, t->error_size - used, "%s%s", i > 0 ? ", " : " ",
                 fits ? name : "...");
        used = fits ? strlen(t->error) : t->error_size;
    }
}

/* Finds, on all ranks, the name of an LP that is nearest to the item. Collective. */
static bool nearest_of_all(const struct target *t, const char *item, char name[FMT_LP_NAME_MAX + 1])
{
    struct nearest search = nearest_of(item, strlen(item));
    struct {
        int distance, rank;
    } best = {INT_MAX, 0};
    MPI_Comm_rank(MPI_COMM_ROSS, &best.rank);
    for (tw_lpid i = 0; i < t->n_lps; i++) {
        const char *known = own_names_of(t->own, i);
        if (known != NULL) {
            nearest_offer(&search, known);
        }
    }
    best.distance = search.name != NULL ? (int)search.distance : INT_MAX;
    snprintf(name, FMT_LP_NAME_MAX + 1, "%s", search.name != NULL ? search.name : "");
    MPI_Allreduce(MPI_IN_PLACE, &best, 1, MPI_2INT, MPI_MINLOC, MPI_COMM_ROSS);
    MPI_Bcast(name, FMT_LP_NAME_MAX + 1, MPI_CHAR, best.rank, MPI_COMM_ROSS);
    return best.distance < INT_MAX;
}

/* Takes the LPs whose own names are the item, or match it. Returns false if no rank has any.
 * Collective. */
static bool take_own_names(const struct target *t, const char *item)
{
    bool any = false;
    for (tw_lpid i = 0; i < t->n_lps; i++) {
        const char *name = own_names_of(t->own, i);
        bool fits = name != NULL && (strcmp(item, name) == 0 || fnmatch(item, name, 0) == 0);
        t->traced[i] |= fits;
        any |= fits;
    }
    MPI_Allreduce(MPI_IN_PLACE, &any, 1, MPI_C_BOOL, MPI_LOR, MPI_COMM_ROSS);
    return any;
}

static enum tw_status refuse_name(const struct target *t, const char *item)
{
    char near[FMT_LP_NAME_MAX + 1], why[FMT_LP_NAME_MAX + 80];
    if (t->own != NULL && nearest_of_all(t, item, near)) {
        snprintf(why, sizeof why, "names no type of LPs and no LP; did you mean \"%s\"?", near);
        return refuse(t, item, why);
    }
    if (item[0] >= '0' && item[0] <= '9') { /* as no name of a type begins */
        return refuse(t, item, no_item);
    }
    if (t->names->n_names == 0) {
        return refuse(t, item,
                      "names no type of LPs: this model gives its types no names "
                      "(st_lptype_name); give numbers or ranges of LPs");
    }
    refuse(t, item, "names no type of LPs; these are known:");
    list_known(t);
    return TW_ERR_USAGE;
}

static enum tw_status take_names(const struct target *t, const char *item)
{
    bool any = false;
    for (size_t i = 0; i < t->names->n_names; i++) {
        any |= fnmatch(item, t->names->names[i], 0) == 0;
    }
    if (!any && t->later != NULL) {
        *t->later = true;
        return TW_OK;
    }
    if (!any) {
        return t->own != NULL && take_own_names(t, item) ? TW_OK : refuse_name(t, item);
    }
    for (tw_lpid i = 0; i < t->n_lps; i++) {
        const char *name = lp_names_of(t->names, i);
        t->traced[i] |= name[0] != '\0' && fnmatch(item, name, 0) == 0;
    }
    return TW_OK;
}

enum tw_status trace_filter_read(const char *list, const struct lp_names *names,
                                 const struct own_names *own, bool *later, tw_lp *const *lps,
                                 tw_lpid n_lps, tw_lpid lps_end, bool *traced, char *error,
                                 size_t error_size)
{
    assert(lps_end > 0 && n_lps <= lps_end);
    const struct target t = {names, own, later, lps, n_lps, lps_end, traced, error, error_size};
    if (own != NULL && later == NULL && strchr(list, ',') != NULL && take_own_names(&t, list)) {
        return TW_OK; /* a name with commas */
    }
    for (const char *at = list;; at++) {
        size_t length = strcspn(at, ",");
        char item[ITEM_MAX + 1];
        if (length == 0) {
            return refuse(&t, list,
                          "has an empty item: give numbers, ranges or names of LPs, "
                          "such as 0-15,router*");
        }
        if (length > ITEM_MAX) {
            return refuse(&t, list, "has an item of more than 255 characters");
        }
        memcpy(item, at, length);
        item[length] = '\0';
        enum tw_status status =
            item[0] >= '0' && item[0] <= '9' && strspn(item, "0123456789-") == length
                ? take_range(&t, item)
                : take_names(&t, item);
        at += length;
        if (status != TW_OK || *at == '\0') {
            return status;
        }
    }
}
