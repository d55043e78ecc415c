// Leases in PostgreSQL: see postgres_leases.h.

#include "postgres_leases.h"

#include <string.h>

/// Fails by a division by zero if one is not held. A row that another transaction is taking is
/// waited for, and compared as it is then.
static const TrnPgStatement LEASE_CHECK = {
    "terrane_lease_check",
    "SELECT 1 / (CASE WHEN count(*) = cardinality($1::bigint[]) THEN 1 ELSE 0 END) FROM "
    "(SELECT 1 FROM terrane_leases AS l "
    "JOIN unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS k (region, term, token) "
    "ON l.region = k.region AND l.term = k.term AND l.token = k.token "
    "ORDER BY l.region FOR SHARE OF l) AS held",
    10,
    3,
    {TRN_PG_INT8S, TRN_PG_INT8S, TRN_PG_INT8S}};
/// Whether the lease l, of another, holds. If it ends later than its length allows, it was written
/// before the server's clock was set back. Twice the length is allowed, so that small steps of the
/// clock end no lease. Any client may have written the row, so a length counts at most as the
/// longest lease.
#define LEASE_RUNS                                                                                 \
    "l.expires BETWEEN clock_timestamp() AND clock_timestamp() + "                                 \
    "2 * LEAST(GREATEST(l.ms, 0), 3600000) * interval '1 millisecond'"
#define LEASE_HOLDS "l.token <> $5 AND " LEASE_RUNS
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

/// Which of some regions have no owner, and whether liquids wait for one there (TRN_PG_NOTE_DUE).
static const TrnPgStatement LEASE_FREE = {
    "terrane_lease_free",
    "SELECT k.region, CASE WHEN EXISTS (SELECT 1 FROM terrane_edits AS e WHERE e.region = k.region "
    "AND e.member = 0 AND e.number = 1) THEN 1 ELSE 0 END FROM unnest($1::bigint[]) AS k (region) "
    "WHERE NOT EXISTS "
    "(SELECT 1 FROM terrane_leases AS l WHERE l.region = k.region AND " LEASE_RUNS ")",
    38,
    1,
    {TRN_PG_INT8S}};

/// A region without an owner whose levels of detail wait for one (TRN_PG_NOTE_LEVELS). Any client
/// may have written a note that stays, so chance decides which, and numbers below 0 are of none.
static const TrnPgStatement LEASE_ORPHAN = {
    "terrane_lease_orphan",
    "SELECT e.region FROM terrane_edits AS e WHERE e.member = 0 AND e.number = 2 AND e.region >= 0 "
    "AND NOT EXISTS (SELECT 1 FROM terrane_leases AS l WHERE l.region = e.region AND " LEASE_RUNS
    ") "
    "ORDER BY random() LIMIT 1",
    37,
    0,
    {0}};

bool trn_pg_lease_orphan(TrnPgLink *link, int64_t *region, bool *has_one)
{
    const int rows = trn_pg_ask(link, &LEASE_ORPHAN, NULL, 1, region);
    *has_one = rows > 0;
    return rows >= 0;
}

bool trn_pg_lease_free(TrnPgLink *link, const int64_t *regions, size_t count, TrnPgVisitor *visit,
                       void *user)
{
    const TrnPgParam param = {.numbers = regions, .count = count};
    return trn_pg_list(link, &LEASE_FREE, &param, visit, user);
}

bool trn_pg_lease_lock(TrnPgLink *link, const TrnLeaseColumns *leases)
{
    const TrnPgParam params[] = {{.numbers = leases->regions, .count = leases->count},
                                 {.numbers = leases->terms, .count = leases->count},
                                 {.numbers = leases->tokens, .count = leases->count}};
    return trn_pg_do(link, &LEASE_CHECK, params);
}

bool trn_pg_lease_take(TrnPgLink *link, TrnLease *lease, const char *owner, uint64_t ms,
                       bool by_force)
{
    const TrnPgParam params[] = {{.number = lease->region},
                                 {.bytes = owner, .count = strlen(owner)},
                                 {.number = (int64_t)ms},
                                 {.number = by_force},
                                 {.number = lease->token}};
    return trn_pg_ask(link, &LEASE_TAKE, params, 1, &lease->term) >= 0;
}

bool trn_pg_lease_renew(TrnPgLink *link, const TrnLeaseColumns *leases, uint64_t ms,
                        TrnPgVisitor *visit, void *user)
{
    const TrnPgParam params[] = {{.numbers = leases->regions, .count = leases->count},
                                 {.numbers = leases->terms, .count = leases->count},
                                 {.numbers = leases->tokens, .count = leases->count},
                                 {.number = (int64_t)ms}};
    return trn_pg_list(link, &LEASE_RENEW, params, visit, user);
}

bool trn_pg_lease_give(TrnPgLink *link, const TrnLease *lease)
{
    const TrnPgParam params[] = {
        {.number = lease->region}, {.number = lease->term}, {.number = lease->token}};
    return trn_pg_do(link, &LEASE_GIVE, params);
}
