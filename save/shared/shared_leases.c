// Leases of shared worlds: see terrane/shared.h.

#include <string.h>

#include <terrane/shared.h>

#include "base/entropy.h"
#include "postgres_storage.h"
#include "region.h"

static TrnResult shared_lease(const TrnStorage *storage, TrnPostgresWork *work, TrnRegion region,
                              bool by_force)
{
    TrnLeaseCall call = {trn_postgres_leases(storage), trn_region_number(region), by_force,
                         (int64_t)(trn_entropy_key() >> 1)};
    return call.leases && trn_leases_are_on(call.leases) ? trn_postgres_work(storage, work, &call)
                                                         : TRN_RESULT_BAD_ARGUMENT;
}

TrnResult trn_lease_begin(const TrnStorage *storage, const char *owner, double seconds)
{
    const size_t length = owner ? strlen(owner) : 0;
    TrnLeases *leases = trn_postgres_leases(storage);
    return leases && length > 0 && length <= TRN_LEASE_OWNER_MAX && seconds >= 0.1 &&
                   seconds <= 3600 && trn_leases_begin(leases, owner, (uint64_t)(seconds * 1e3))
               ? TRN_RESULT_OK
               : TRN_RESULT_BAD_ARGUMENT;
}

TrnResult trn_lease_take(const TrnStorage *storage, TrnRegion region, bool by_force)
{
    return shared_lease(storage, trn_leases_take, region, by_force);
}

TrnResult trn_lease_renew(const TrnStorage *storage)
{
    return shared_lease(storage, trn_leases_renew, (TrnRegion){0, 0, 0}, false);
}

TrnResult trn_lease_give(const TrnStorage *storage, TrnRegion region)
{
    return shared_lease(storage, trn_leases_give, region, false);
}
