/* SPDX-License-Identifier: BSD-3-Clause */
// model.cc - model.c in C++17: the same events.
#include <ross.h>
#include <st_log.h>

#include <cstdint>
#include <cstring>
#include <new>
#include <type_traits>

namespace
{

struct message {
    std::int64_t hops;
};

class town
{
  public:
    void arrive(const message &arrived, tw_lp *lp)
    {
        ++visits_;
        send(lp, arrived.hops + 1);
    }

    void undo(tw_lp *lp)
    {
        --visits_;
        tw_rand_reverse_unif(lp->rng);
        tw_rand_reverse_unif(lp->rng);
    }

    static void send(tw_lp *lp, std::int64_t hops)
    {
        const auto to = static_cast<tw_lpid>(
            tw_rand_integer(lp->rng, 0, static_cast<long>(g_tw_total_lps) - 1));
        tw_event *event = tw_event_new(to, tw_rand_exponential(lp->rng, 1.0), lp);
        new (tw_event_data(event)) message{hops};
        tw_event_send(event);
    }

  private:
    std::int64_t visits_ = 0;
};
static_assert(std::is_trivially_copyable_v<town>);

tw_lptype make_type()
{
    tw_lptype type{};
    type.init = [](void *state, tw_lp *lp) {
        new (state) town;
        town::send(lp, 0);
    };
    type.event = [](void *state, tw_bf *, void *arrived, tw_lp *lp) {
        static_cast<town *>(state)->arrive(*static_cast<message *>(arrived), lp);
    };
    type.revent = [](void *state, tw_bf *, void *, tw_lp *lp) {
        static_cast<town *>(state)->undo(lp);
    };
    type.state_sz = sizeof(town);
    return type;
}

} // namespace

int main(int argc, char **argv)
{
    tw_lptype type = make_type();
    st_model_types records{};
    records.model_stat_fn = [](void *state, tw_lp *, char *buffer) {
        std::memcpy(buffer, state, sizeof(town));
    };
    records.mstat_sz = sizeof(town);

    g_tw_ts_end = 50;
    tw_init(&argc, &argv);
    tw_define_lps(24 / tw_nnodes(), sizeof(message));
    for (tw_lpid i = 0; i < g_tw_nlp; ++i) {
        tw_lp_settype(i, &type);
        st_model_settype(i, &records);
    }
    tw_run();
    tw_end();
    return 0;
}
