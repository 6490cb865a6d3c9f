/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Network files of qnet on hostile input. For any file, parsing, the checks of the network and its
 * exact results end; an error has a message of one line; exact results are possible values.
 */
#include <math.h>

#include "exact.h"
#include "fuzz/fuzz_promise.h"

#define JOBS_MAX 200 /* more stations only cost time */

static bool is_possible(double figure, double most)
{
    return isnan(figure) || (figure >= 0 && figure <= most);
}

static void solve(struct qn_network *net)
{
    static struct qn_exact exact;
    struct model_error error = {""};
    net->n_jobs = net->n_jobs < JOBS_MAX ? net->n_jobs : JOBS_MAX;
    if (!qn_exact_solve(&exact, net, 0.25, &error)) {
        promise_message(error.text, sizeof error.text);
        return;
    }
    for (unsigned i = 0; i < net->n; i++) {
        const struct qn_exact_station *e = &exact.stations[i];
        promise(is_possible(e->utilisation, 1 + 1e-6), "a station works some of the time");
        promise(is_possible(e->must_wait, 1 + 1e-6), "a probability is one");
        promise(is_possible(e->number, INFINITY) && is_possible(e->response, INFINITY) &&
                    is_possible(e->throughput, INFINITY),
                "numbers of jobs, times and rates are not negative");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct qn_network net;
    struct model_error error = {""};
    char *text = fuzz_string(data, size);
    bool good = qn_network_parse(&net, "fuzz", text, &error) && qn_network_check(&net, &error);
    if (good) {
        solve(&net);
    } else {
        promise_message(error.text, sizeof error.text);
    }
    qn_network_fini(&net);
    free(text);
    return 0;
}
