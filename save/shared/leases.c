// Leases in PostgreSQL: see leases.h. A lease is a row with a term that only grows, and the token
// of its holder. A put locks its row FOR SHARE, so that nobody takes the region over until the put
// has ended.

#include "leases.h"

#include <stdlib.h>
#include <string.h>

static const TrnPgStatement LEASE_CHECK = {
    "terrane_lease_check",
    "SELECT region, term, token FROM terrane_leases WHERE region = ANY ($1) ORDER BY region "
    "FOR SHARE",
    10,
    1,
    {TRN_PG_INT8S}};
/// Whether the lease l, of another, holds. If it ends later than its length allows, it was written
/// before the server's clock was set back. Twice the length is allowed, so that small steps of the
/// clock end no lease. Any client may have written the row, so a length counts at most as the
/// longest lease.
#define LEASE_HOLDS                                                                                \
    "l.token <> $5 AND l.expires BETWEEN clock_timestamp() AND clock_timestamp() + "               \
    "2 * LEAST(GREATEST(l.ms, 0), 3600000) * interval '1 millisecond'"
static const TrnPgStatement LEASE_TAKE = {
    "terrane_lease_take",
    // Asking for a lease that another holds reads, and neither locks nor writes. A term that
    // counting cannot have reached, which any client may have written, begins again.
    "INSERT INTO terrane_leases AS l (region, owner, term, expires, ms, token) SELECT $1, "
    "$2, 1, clock_timestamp() + $3 * interval '1 millisecond', $3, $5 WHERE $4 <> 0 OR NOT EXISTS "
    "(SELECT 1 FROM terrane_leases AS l WHERE l.region = $1 AND " LEASE_HOLDS ") "
    "ON CONFLICT (region) DO UPDATE SET owner = excluded.owner, "
    "term = CASE WHEN l.term BETWEEN 1 AND 4611686018427387904 THEN l.term + 1 ELSE 1 END, "
    "expires = excluded.expires, ms = excluded.ms, token = excluded.token "
    "WHERE $4 <> 0 OR NOT (" LEASE_HOLDS ") RETURNING term",
    11,
    5,
    {TRN_PG_INT8, TRN_PG_BYTEA, TRN_PG_INT8, TRN_PG_INT4, TRN_PG_INT8}};
static const TrnPgStatement LEASE_RENEW = {
    "terrane_lease_renew",
    "UPDATE terrane_leases AS l SET expires = clock_timestamp() + $4 * interval '1 millisecond' "
    "FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS k (region, term, token) "
    "WHERE l.region = k.region AND l.term = k.term AND l.token = k.token RETURNING l.region",
    12,
    4,
    {TRN_PG_INT8S, TRN_PG_INT8S, TRN_PG_INT8S, TRN_PG_INT8}};
static const TrnPgStatement LEASE_GIVE = {"terrane_lease_give",
                                          // The row stays: a term must not come back.
                                          "UPDATE terrane_leases SET expires = to_timestamp(0) "
                                          "WHERE region = $1 AND term = $2 AND token = $3",
                                          13,
                                          3,
                                          {TRN_PG_INT8, TRN_PG_INT8, TRN_PG_INT8}};

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
    const TrnLease lease = lease_find(check->leases, region);
    const bool is_held = check->held < check->count && region == check->regions[check->held] &&
                         row[1].number == lease.term && row[2].number == lease.token;
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
    TrnLease lease = {.region = call->region, .token = call->token};
    const TrnPgParam params[] = {{.number = call->region},
                                 {.bytes = leases->owner, .count = strlen(leases->owner)},
                                 {.number = (int64_t)leases->ms},
                                 {.number = call->by_force},
                                 {.number = lease.token}};
    return trn_pg_ask(link, &LEASE_TAKE, params, 1, &lease.term) >= 0 &&
           ((lease.term && lease_note(leases, lease)) ||
            trn_pg_refuse(link, TRN_RESULT_BUSY, "another program holds this region"));
}

/// The leases that are renewed.
typedef struct LeaseRenewal {
    int64_t *regions, *terms, *tokens; ///< [count]; a region that is renewed has a term of 0
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
                                 {.numbers = renewal->tokens, .count = renewal->count},
                                 {.number = (int64_t)leases->ms}};
    if (!trn_pg_list(link, &LEASE_RENEW, params, lease_visit_renewed, renewal)) {
        return false;
    }
    for (size_t i = 0; i < renewal->count; i++) {
        const int64_t term = renewal->terms[i], region = renewal->regions[i];
        if (term && lease_find(leases, region).token == renewal->tokens[i]) {
            (void)lease_note(leases, (TrnLease){.region = region});
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
    renewal.regions = calloc(3 * renewal.count + 1, sizeof *renewal.regions);
    renewal.terms = renewal.regions ? renewal.regions + renewal.count : NULL;
    renewal.tokens = renewal.regions ? renewal.terms + renewal.count : NULL;
    for (size_t i = 0; renewal.regions && i < renewal.count; i++) {
        renewal.regions[i] = leases->items[i].region;
        renewal.terms[i] = leases->items[i].term;
        renewal.tokens[i] = leases->items[i].token;
    }
    trn_mutex_unlock(leases->mutex);
    if (!renewal.regions) {
        return trn_pg_refuse(link, TRN_RESULT_NO_MEMORY, "there is not enough memory");
    }
    const bool is_good = lease_renew_listed(leases, link, &renewal);
    free(renewal.regions);
    return is_good;
}

bool trn_leases_give(TrnPgLink *link, void *context)
{
    const TrnLeaseCall *call = context;
    const TrnLease lease = lease_find(call->leases, call->region);
    const TrnPgParam params[] = {
        {.number = lease.region}, {.number = lease.term}, {.number = lease.token}};
    return !lease.term || (trn_pg_do(link, &LEASE_GIVE, params) &&
                           lease_note(call->leases, (TrnLease){.region = lease.region}));
}
