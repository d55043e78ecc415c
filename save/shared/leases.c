// The leases that a storage holds: see leases.h.

#include "leases.h"

#include <stdlib.h>
#include <string.h>

// ---- those that are held -----------------------------------------------------------------------

/// Returns where a region is, or belongs. The mutex is locked.
static size_t lease_place(const TrnLeases *leases, int64_t region)
{
    size_t low = 0, high = leases->count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (leases->items[middle].region < region) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/// @return the lease of a region; its term is 0 if it is not held
static TrnLease lease_find(const TrnLeases *leases, int64_t region)
{
    trn_mutex_lock(leases->mutex);
    const size_t at = lease_place(leases, region);
    const bool is_held = at < leases->count && leases->items[at].region == region;
    const TrnLease lease = is_held ? leases->items[at] : (TrnLease){.region = region};
    trn_mutex_unlock(leases->mutex);
    return lease;
}

bool trn_leases_hold(TrnLeases *leases, int64_t region)
{
    return lease_find(leases, region).term != 0;
}

/// Ensures that one more lease can be noted.
static bool lease_reserve(TrnLeases *leases)
{
    trn_mutex_lock(leases->mutex);
    if (leases->count == leases->capacity) {
        const size_t wanted = 2 * leases->capacity + 16;
        TrnLease *larger = realloc(leases->items, wanted * sizeof *larger);
        leases->items = larger ? larger : leases->items;
        leases->capacity = larger ? wanted : leases->capacity;
    }
    const bool is_good = leases->count < leases->capacity;
    trn_mutex_unlock(leases->mutex);
    return is_good;
}

/// Notes a lease. @param lease  with a term of 0: the region is no longer held
static bool lease_note(TrnLeases *leases, TrnLease lease)
{
    trn_mutex_lock(leases->mutex);
    const size_t at = lease_place(leases, lease.region);
    TrnLease *item = leases->items + at;
    const bool is_held = at < leases->count && item->region == lease.region;
    bool is_good = true;
    if (is_held && lease.term) {
        *item = lease;
    } else if (is_held) {
        memmove(item, item + 1, (leases->count-- - at - 1) * sizeof *item);
    } else if (lease.term && leases->count < leases->capacity) {
        memmove(item + 1, item, (leases->count++ - at) * sizeof *item);
        *item = lease;
    } else {
        is_good = !lease.term;
    }
    trn_mutex_unlock(leases->mutex);
    return is_good;
}

void trn_leases_set_rider(TrnLeases *leases, TrnPgRider *rider)
{
    trn_mutex_lock(leases->mutex);
    leases->rider = rider;
    trn_mutex_unlock(leases->mutex);
}

TrnPgRider *trn_leases_rider(TrnLeases *leases)
{
    trn_mutex_lock(leases->mutex);
    TrnPgRider *const rider = leases->rider;
    trn_mutex_unlock(leases->mutex);
    return rider;
}

void trn_leases_note_change(TrnLeases *leases, int64_t region, int64_t change)
{
    trn_mutex_lock(leases->mutex);
    const size_t at = lease_place(leases, region);
    if (at < leases->count && leases->items[at].region == region) {
        leases->items[at].change = change;
    }
    trn_mutex_unlock(leases->mutex);
}

int64_t trn_leases_change(TrnLeases *leases, int64_t region)
{
    return lease_find(leases, region).change;
}

bool trn_leases_begin(TrnLeases *leases, const char *owner, uint64_t ms)
{
    trn_mutex_lock(leases->mutex);
    const bool was_on = leases->is_on;
    if (!was_on) {
        memcpy(leases->owner, owner, strlen(owner) + 1);
        leases->ms = ms;
        leases->is_on = true;
    }
    trn_mutex_unlock(leases->mutex);
    return !was_on;
}

bool trn_leases_are_on(TrnLeases *leases)
{
    trn_mutex_lock(leases->mutex);
    const bool is_on = leases->is_on;
    trn_mutex_unlock(leases->mutex);
    return is_on;
}

// ---- questions ---------------------------------------------------------------------------------

bool trn_leases_check(TrnLeases *leases, TrnPgLink *link, const int64_t *regions, size_t count)
{
    int64_t *terms = malloc(2 * count * sizeof *terms), *tokens = terms + count;
    if (!terms) {
        return trn_pg_refuse(link, TRN_RESULT_NO_MEMORY, "there is not enough memory");
    }
    bool is_good = true;
    for (size_t i = 0; i < count; i++) {
        const TrnLease lease = lease_find(leases, regions[i]);
        terms[i] = lease.term;
        tokens[i] = lease.token;
        is_good = is_good && lease.term;
    }
    const TrnLeaseColumns held = {(int64_t *)regions, terms, tokens, count};
    is_good = is_good ? trn_pg_lease_lock(link, &held)
                      : trn_pg_refuse(link, TRN_RESULT_STALE_ID, TRN_PG_LEASE_LOST);
    free(terms);
    return is_good;
}

bool trn_leases_take(TrnPgLink *link, void *context)
{
    const TrnLeaseCall *call = context;
    TrnLeases *leases = call->leases;
    if (!lease_reserve(leases)) {
        return trn_pg_refuse(link, TRN_RESULT_NO_MEMORY, "there is not enough memory");
    }
    TrnLease lease = {.region = call->region, .token = call->token};
    return trn_pg_lease_take(link, &lease, leases->owner, leases->ms, call->by_force) &&
           ((lease.term && lease_note(leases, lease)) ||
            trn_pg_refuse(link, TRN_RESULT_BUSY, "another program holds this region"));
}

/// The leases that are renewed.
typedef struct LeaseRenewal {
    TrnLeaseColumns all; ///< a region that is renewed has a term of 0
    size_t renewed;
} LeaseRenewal;

static bool lease_visit_renewed(void *user, const TrnPgField *row)
{
    LeaseRenewal *renewal = user;
    for (size_t i = 0; i < renewal->all.count; i++) {
        if (renewal->all.regions[i] == row[0].number) {
            renewal->all.terms[i] = 0;
        }
    }
    renewal->renewed++;
    return true;
}

static bool lease_renew_listed(TrnLeases *leases, TrnPgLink *link, LeaseRenewal *renewal)
{
    const TrnLeaseColumns *all = &renewal->all;
    if (!trn_pg_lease_renew(link, all, leases->ms, lease_visit_renewed, renewal)) {
        return false;
    }
    for (size_t i = 0; i < all->count; i++) {
        const int64_t term = all->terms[i], region = all->regions[i];
        if (term && lease_find(leases, region).token == all->tokens[i]) {
            (void)lease_note(leases, (TrnLease){.region = region});
        }
    }
    return renewal->renewed == all->count ||
           trn_pg_refuse(link, TRN_RESULT_STALE_ID,
                         "another program has taken regions of this one");
}

bool trn_leases_renew(TrnPgLink *link, void *context)
{
    TrnLeases *leases = ((const TrnLeaseCall *)context)->leases;
    trn_mutex_lock(leases->mutex);
    TrnLeaseColumns all = {.count = leases->count};
    all.regions = calloc(3 * all.count + 1, sizeof *all.regions);
    all.terms = all.regions ? all.regions + all.count : NULL;
    all.tokens = all.regions ? all.terms + all.count : NULL;
    for (size_t i = 0; all.regions && i < all.count; i++) {
        all.regions[i] = leases->items[i].region;
        all.terms[i] = leases->items[i].term;
        all.tokens[i] = leases->items[i].token;
    }
    trn_mutex_unlock(leases->mutex);
    if (all.regions && !all.count) {
        free(all.regions);
        return true;
    }
    if (!all.regions) {
        return trn_pg_refuse(link, TRN_RESULT_NO_MEMORY, "there is not enough memory");
    }
    LeaseRenewal renewal = {.all = all};
    const bool is_good = lease_renew_listed(leases, link, &renewal);
    free(all.regions);
    return is_good;
}

bool trn_leases_give(TrnPgLink *link, void *context)
{
    const TrnLeaseCall *call = context;
    const TrnLease lease = lease_find(call->leases, call->region);
    return !lease.term || (trn_pg_lease_give(link, &lease) &&
                           lease_note(call->leases, (TrnLease){.region = lease.region}));
}
