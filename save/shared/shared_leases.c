// Leases of shared worlds: see terrane/shared.h.

#include <string.h>

#include <terrane/shared.h>

#include "base/entropy.h"
#include "region.h"
#include "servers.h"

static TrnResult shared_lease(const TrnStorage *storage, TrnPostgresWork *work, TrnRegion region,
                              bool by_force)
{
    const int64_t number = trn_region_number(region);
    const TrnStorage *of = trn_servers_of(storage, number);
    TrnLeaseCall call = {trn_postgres_leases(of), number, by_force,
                         (int64_t)(trn_entropy_key() >> 1)};
    return call.leases && trn_leases_are_on(call.leases) ? trn_postgres_work(of, work, &call)
                                                         : TRN_RESULT_BAD_ARGUMENT;
}

TrnResult trn_lease_begin(const TrnStorage *storage, const char *owner, double seconds)
{
    const size_t length = owner ? strlen(owner) : 0;
    const uint32_t count = trn_servers_count(storage);
    bool is_good =
        count && length > 0 && length <= TRN_LEASE_OWNER_MAX && seconds >= 0.1 && seconds <= 3600;
    for (uint32_t i = 0; i < count && is_good; i++) {
        is_good = trn_leases_begin(trn_postgres_leases(trn_servers_at(storage, i)), owner,
                                   (uint64_t)(seconds * 1e3));
    }
    return is_good ? TRN_RESULT_OK : TRN_RESULT_BAD_ARGUMENT;
}

TrnResult trn_lease_take(const TrnStorage *storage, TrnRegion region, bool by_force)
{
    return shared_lease(storage, trn_leases_take, region, by_force);
}

TrnResult trn_lease_renew(const TrnStorage *storage)
{
    const uint32_t count = trn_servers_count(storage);
    TrnResult result = count ? TRN_RESULT_OK : TRN_RESULT_BAD_ARGUMENT;
    for (uint32_t i = 0; i < count; i++) { // also after one that does not answer
        const TrnStorage *of = trn_servers_at(storage, i);
        TrnLeaseCall call = {.leases = trn_postgres_leases(of)};
        const TrnResult renewed = trn_leases_are_on(call.leases)
                                      ? trn_postgres_work(of, trn_leases_renew, &call)
                                      : TRN_RESULT_BAD_ARGUMENT;
        result = result == TRN_RESULT_OK || renewed == TRN_RESULT_STALE_ID ? renewed : result;
    }
    return result;
}

TrnResult trn_lease_give(const TrnStorage *storage, TrnRegion region)
{
    return shared_lease(storage, trn_leases_give, region, false);
}
