// Leases in PostgreSQL: see postgres_leases.h. A lease is a row with a term that only grows. A put
// locks its row FOR SHARE, so that nobody takes the region over until the put has ended.

#include "postgres_leases.h"

#include <stdio.h>
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
    // A lease that ends later than one of its length can is of before the server's clock was set
    // back. Twice the length, so that small steps of the clock end no lease.
    "INSERT INTO terrane_leases AS l (region, owner, term, expires, ms) VALUES ($1, "
    "$2, 1, clock_timestamp() + $3 * interval '1 millisecond', $3) "
    "ON CONFLICT (region) DO UPDATE SET owner = excluded.owner, term = l.term + 1, "
    "expires = excluded.expires, ms = excluded.ms WHERE $4 <> 0 OR l.expires NOT BETWEEN "
    "clock_timestamp() AND clock_timestamp() + 2 * l.ms * interval '1 millisecond' "
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

static bool lease_fail(TrnPgLink *link, TrnResult result, const char *text)
{
    link->fault = (TrnPgFault){.result = result};
    (void)snprintf(link->fault.text, sizeof link->fault.text, "%s", text);
    return false;
}

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

bool trn_leases_check(TrnLeases *leases, TrnPgLink *link, const int64_t *regions, size_t count)
{
    TrnPgBytes param = {0};
    trn_pg_begin_array(&param, TRN_PG_INT8, count);
    for (size_t i = 0; i < count; i++) {
        trn_pg_append_number_item(&param, (uint64_t)regions[i], 8);
    }
    PGresult *rows = trn_pg_call(link, &LEASE_CHECK, &param);
    (void)trn_pg_free_params(&param, 1);
    if (!rows) {
        return false;
    }
    bool is_held = (size_t)PQntuples(rows) == count;
    for (int i = 0; is_held && (size_t)i < count; i++) {
        const int64_t term = trn_pg_number(rows, i, 1);
        is_held = trn_pg_number(rows, i, 0) == regions[i] && term == lease_term(leases, regions[i]);
    }
    PQclear(rows);
    return is_held || lease_fail(link, TRN_RESULT_STALE_ID,
                                 "a region of these chunks is not, or no longer, this program's; "
                                 "nothing was written");
}

bool trn_leases_take(TrnLeases *leases, TrnPgLink *link, int64_t region, bool by_force)
{
    if (!lease_reserve(leases)) {
        return lease_fail(link, TRN_RESULT_NO_MEMORY, "there is not enough memory");
    }
    TrnPgBytes params[4] = {{0}};
    trn_pg_append_number(&params[0], (uint64_t)region, 8);
    trn_pg_append(&params[1], leases->owner, strlen(leases->owner));
    trn_pg_append_number(&params[2], leases->ms, 8);
    trn_pg_append_number(&params[3], by_force, 4);
    PGresult *rows = trn_pg_call(link, &LEASE_TAKE, params);
    (void)trn_pg_free_params(params, 4);
    const int64_t term = rows && PQntuples(rows) ? trn_pg_number(rows, 0, 0) : 0;
    const bool is_answered = rows != NULL;
    PQclear(rows);
    if (!is_answered) {
        return false;
    }
    return (term && lease_note(leases, region, term)) ||
           lease_fail(link, TRN_RESULT_BUSY, "another program holds this region");
}

bool trn_leases_renew(TrnLeases *leases, TrnPgLink *link)
{
    TrnPgBytes params[3] = {{0}};
    trn_mutex_lock(leases->mutex);
    const size_t count = leases->count;
    TrnLease *held = calloc(count + 1, sizeof *held);
    if (held && count) {
        memcpy(held, leases->items, count * sizeof *held);
    }
    trn_mutex_unlock(leases->mutex);
    if (!held) {
        return lease_fail(link, TRN_RESULT_NO_MEMORY, "there is not enough memory");
    }
    trn_pg_begin_array(&params[0], TRN_PG_INT8, count);
    trn_pg_begin_array(&params[1], TRN_PG_INT8, count);
    for (size_t i = 0; i < count; i++) {
        trn_pg_append_number_item(&params[0], (uint64_t)held[i].region, 8);
        trn_pg_append_number_item(&params[1], (uint64_t)held[i].term, 8);
    }
    trn_pg_append_number(&params[2], leases->ms, 8);
    PGresult *rows = trn_pg_call(link, &LEASE_RENEW, params);
    (void)trn_pg_free_params(params, 3);
    const bool is_answered = rows != NULL;
    const bool all = is_answered && (size_t)PQntuples(rows) == count;
    for (size_t i = 0; is_answered && !all && i < count; i++) {
        bool is_renewed = false;
        for (int row = 0; row < PQntuples(rows) && !is_renewed; row++) {
            is_renewed = trn_pg_number(rows, row, 0) == held[i].region;
        }
        if (!is_renewed && lease_term(leases, held[i].region) == held[i].term) {
            (void)lease_note(leases, held[i].region, 0);
        }
    }
    PQclear(rows);
    free(held);
    return all || (is_answered && lease_fail(link, TRN_RESULT_STALE_ID,
                                             "another program has taken regions of this one"));
}

bool trn_leases_give(TrnLeases *leases, TrnPgLink *link, int64_t region)
{
    const int64_t term = lease_term(leases, region);
    if (!term) {
        return true;
    }
    TrnPgBytes params[2] = {{0}};
    trn_pg_append_number(&params[0], (uint64_t)region, 8);
    trn_pg_append_number(&params[1], (uint64_t)term, 8);
    PGresult *done = trn_pg_call(link, &LEASE_GIVE, params);
    (void)trn_pg_free_params(params, 2);
    PQclear(done);
    return done && lease_note(leases, region, 0);
}
