// Leases in PostgreSQL: see leases.h. A lease is a row with a term that only grows. A put
// locks its row FOR SHARE, so that nobody takes the region over until the put has ended.

#include "leases.h"

#include <stdlib.h>
#include <string.h>

static const TrnPgStatement LEASE_CHECK = {
    "terrane_lease_check",
    "SELECT region, term FROM terrane_leases WHERE region = ANY ($1) ORDER BY region FOR SHARE",
    10,
    1,
    {TRN_PG_INT8S}};
static const TrnPgStatement LEASE_TAKE = {
    "terrane_lease_take",
    // If a lease ends later than its length allows, it was written before the server's clock was
    // set back. Twice the length is allowed, so that small steps of the clock end no lease. Any
    // client may have written the row, so a length counts at most as the longest lease, and a term
    // that counting cannot have reached begins again.
    "INSERT INTO terrane_leases AS l (region, owner, term, expires, ms) VALUES ($1, "
    "$2, 1, clock_timestamp() + $3 * interval '1 millisecond', $3) "
    "ON CONFLICT (region) DO UPDATE SET owner = excluded.owner, "
    "term = CASE WHEN l.term BETWEEN 1 AND 4611686018427387904 THEN l.term + 1 ELSE 1 END, "
    "expires = excluded.expires, ms = excluded.ms WHERE $4 <> 0 OR l.expires NOT BETWEEN "
    "clock_timestamp() AND clock_timestamp() + "
    "2 * LEAST(GREATEST(l.ms, 0), 3600000) * interval '1 millisecond' "
    "RETURNING term",
    11,
    4,
    {TRN_PG_INT8, TRN_PG_BYTEA, TRN_PG_INT8, TRN_PG_INT4}};
static const TrnPgStatement LEASE_RENEW = {
    "terrane_lease_renew",
    "UPDATE terrane_leases AS l SET expires = clock_timestamp() + $3 * interval '1 millisecond' "
    "FROM unnest($1::bigint[], $2::bigint[]) AS k (region, term) "
    "WHERE l.region = k.region AND l.term = k.term RETURNING l.region",
    12,
    3,
    {TRN_PG_INT8S, TRN_PG_INT8S, TRN_PG_INT8}};
static const TrnPgStatement LEASE_GIVE = {
    "terrane_lease_give",
    // The row stays: a term must not come back.
    "UPDATE terrane_leases SET expires = to_timestamp(0) WHERE region = $1 AND term = $2",
    13,
    2,
    {TRN_PG_INT8, TRN_PG_INT8}};

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

/// @return the term; 0: it is not held
static int64_t lease_term(const TrnLeases *leases, int64_t region)
{
    trn_mutex_lock(leases->mutex);
    const size_t at = lease_place(leases, region);
    const bool is_held = at < leases->count && leases->items[at].region == region;
    const int64_t term = is_held ? leases->items[at].term : 0;
    trn_mutex_unlock(leases->mutex);
    return term;
}

bool trn_leases_hold(TrnLeases *leases, int64_t region)
{
    return lease_term(leases, region) != 0;
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

/// Notes the term of a region. @param term  0: it is no longer held
static bool lease_note(TrnLeases *leases, int64_t region, int64_t term)
{
    trn_mutex_lock(leases->mutex);
    const size_t at = lease_place(leases, region);
    TrnLease *item = leases->items + at;
    const bool is_held = at < leases->count && item->region == region;
    bool is_good = true;
    if (is_held && term) {
        item->term = term;
    } else if (is_held) {
        memmove(item, item + 1, (leases->count-- - at - 1) * sizeof *item);
    } else if (term && leases->count < leases->capacity) {
        memmove(item + 1, item, (leases->count++ - at) * sizeof *item);
        *item = (TrnLease){region, term};
    } else {
        is_good = !term;
    }
    trn_mutex_unlock(leases->mutex);
    return is_good;
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

typedef struct LeaseCheck {
    const TrnLeases *leases;
    const int64_t *regions; ///< [count]
    size_t count, held;
} LeaseCheck;

/// The rows come in order of the regions.
static bool lease_visit_checked(void *user, const TrnPgField *row)
{
    LeaseCheck *check = user;
    const int64_t region = row[0].number;
    const bool is_held = check->held < check->count && region == check->regions[check->held] &&
                         row[1].number == lease_term(check->leases, region);
    check->held += is_held;
    return is_held;
}

bool trn_leases_check(TrnLeases *leases, TrnPgLink *link, const int64_t *regions, size_t count)
{
    const TrnPgParam param = {.numbers = regions, .count = count};
    LeaseCheck check = {leases, regions, count, 0};
    return trn_pg_list(link, &LEASE_CHECK, &param, lease_visit_checked, &check) &&
           (check.held == count || trn_pg_refuse(link, TRN_RESULT_STALE_ID,
                                                 "a region of these chunks is not, or no longer, "
                                                 "this program's; nothing was written"));
}

bool trn_leases_take(TrnPgLink *link, void *context)
{
    const TrnLeaseCall *call = context;
    TrnLeases *leases = call->leases;
    if (!lease_reserve(leases)) {
        return trn_pg_refuse(link, TRN_RESULT_NO_MEMORY, "there is not enough memory");
    }
    const TrnPgParam params[] = {{.number = call->region},
                                 {.bytes = leases->owner, .count = strlen(leases->owner)},
                                 {.number = (int64_t)leases->ms},
                                 {.number = call->by_force}};
    int64_t term = 0;
    return trn_pg_ask(link, &LEASE_TAKE, params, 1, &term) >= 0 &&
           ((term && lease_note(leases, call->region, term)) ||
            trn_pg_refuse(link, TRN_RESULT_BUSY, "another program holds this region"));
}

/// The leases that are renewed.
typedef struct LeaseRenewal {
    int64_t *regions, *terms; ///< [count]; a region that is renewed has a term of 0
    size_t count, renewed;
} LeaseRenewal;

static bool lease_visit_renewed(void *user, const TrnPgField *row)
{
    LeaseRenewal *renewal = user;
    for (size_t i = 0; i < renewal->count; i++) {
        if (renewal->regions[i] == row[0].number) {
            renewal->terms[i] = 0;
        }
    }
    renewal->renewed++;
    return true;
}

static bool lease_renew_listed(TrnLeases *leases, TrnPgLink *link, LeaseRenewal *renewal)
{
    const TrnPgParam params[] = {{.numbers = renewal->regions, .count = renewal->count},
                                 {.numbers = renewal->terms, .count = renewal->count},
                                 {.number = (int64_t)leases->ms}};
    if (!trn_pg_list(link, &LEASE_RENEW, params, lease_visit_renewed, renewal)) {
        return false;
    }
    for (size_t i = 0; i < renewal->count; i++) {
        const int64_t term = renewal->terms[i];
        if (term && lease_term(leases, renewal->regions[i]) == term) {
            (void)lease_note(leases, renewal->regions[i], 0);
        }
    }
    return renewal->renewed == renewal->count ||
           trn_pg_refuse(link, TRN_RESULT_STALE_ID,
                         "another program has taken regions of this one");
}

bool trn_leases_renew(TrnPgLink *link, void *context)
{
    TrnLeases *leases = ((const TrnLeaseCall *)context)->leases;
    trn_mutex_lock(leases->mutex);
    LeaseRenewal renewal = {.count = leases->count};
    renewal.regions = calloc(2 * renewal.count + 1, sizeof *renewal.regions);
    for (size_t i = 0; renewal.regions && i < renewal.count; i++) {
        renewal.regions[i] = leases->items[i].region;
        renewal.regions[renewal.count + i] = leases->items[i].term;
    }
    trn_mutex_unlock(leases->mutex);
    if (!renewal.regions) {
        return trn_pg_refuse(link, TRN_RESULT_NO_MEMORY, "there is not enough memory");
    }
    renewal.terms = renewal.regions + renewal.count;
    const bool is_good = lease_renew_listed(leases, link, &renewal);
    free(renewal.regions);
    return is_good;
}

bool trn_leases_give(TrnPgLink *link, void *context)
{
    const TrnLeaseCall *call = context;
    const int64_t term = lease_term(call->leases, call->region);
    const TrnPgParam params[] = {{.number = call->region}, {.number = term}};
    return !term ||
           (trn_pg_do(link, &LEASE_GIVE, params) && lease_note(call->leases, call->region, 0));
}
