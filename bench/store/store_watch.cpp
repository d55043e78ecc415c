#include "store_watch.hpp"

namespace {

TrnResult hear(TrnStore *, const TrnStoreEvent *event, void *user)
{
    auto *const ear = static_cast<StoreEar *>(user);
    ear->events++;
    ear->chunks += event->count;
    return TRN_RESULT_OK;
}

} // namespace

void StoreEar::listen(TrnStore *store)
{
    const std::uint32_t all = TRN_EVENT_BIT(TRN_EVENT_INSERTED) | TRN_EVENT_BIT(TRN_EVENT_CHANGED) |
                              TRN_EVENT_BIT(TRN_EVENT_REMOVED);
    store_demand(trn_store_subscribe(store, all, hear, this));
}

void StoreEar::leave(TrnStore *store)
{
    store_demand(trn_store_unsubscribe(store, hear, this));
}

BenchHistory::BenchHistory(const Ground &of) : ground(of)
{
    store_demand(trn_history_create(ground->store(), nullptr, &history));
}

BenchHistory::~BenchHistory()
{
    trn_history_destroy(history);
}

TrnHistory *BenchHistory::get() const
{
    return history;
}
