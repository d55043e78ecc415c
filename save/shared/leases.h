/// Private: the leases that a storage holds, and their rows in the table terrane_leases.
#ifndef TERRANE_SHARED_LEASES_H
#define TERRANE_SHARED_LEASES_H

#include "base/thread.h"
#include "postgres_link.h"

#define TRN_LEASE_OWNER_MAX 255

/// Two takes of a region have different terms, unless a server that knew of the first was replaced
/// by one that does not. Their tokens differ in any case.
typedef struct TrnLease {
    int64_t region, term;
    int64_t token; ///< random
} TrnLease;

/// All zeroes, with `mutex` made, is one that checks nothing.
typedef struct TrnLeases {
    TrnMutex *mutex; ///< of all that follows
    bool is_on;
    char owner[TRN_LEASE_OWNER_MAX + 1];
    uint64_t ms;     ///< that a lease lasts
    TrnLease *items; ///< [count], by region
    size_t count, capacity;
} TrnLeases;

/// From now on, puts are checked. @param owner  shorter than the array
/// @return false if they were before
bool trn_leases_begin(TrnLeases *leases, const char *owner, uint64_t ms);

/// Whether puts are checked.
bool trn_leases_are_on(TrnLeases *leases);

/// Whether a region is held, as far as this program knows.
bool trn_leases_hold(TrnLeases *leases, int64_t region);

/// In a transaction: locks the leases of some regions against others, and checks that they are
/// still held. @param regions  [count] in order, none twice @return false with a fault
bool trn_leases_check(TrnLeases *leases, TrnPgLink *link, const int64_t *regions, size_t count);

/// A call of terrane/shared.h.
typedef struct TrnLeaseCall {
    TrnLeases *leases;
    int64_t region; ///< unless it renews all
    bool by_force;
    int64_t token; ///< of a take: random, and the same when it is repeated
} TrnLeaseCall;

/// What trn_lease_take, _renew and _give do on a connection. @param context  a TrnLeaseCall
/// @return false with a fault
bool trn_leases_take(TrnPgLink *link, void *context);
bool trn_leases_renew(TrnPgLink *link, void *context);
bool trn_leases_give(TrnPgLink *link, void *context);

#endif
