/// Private: the leases that a storage holds, as far as this program knows.
#ifndef TERRANE_SHARED_LEASES_H
#define TERRANE_SHARED_LEASES_H

#include "base/thread.h"
#include "postgres_leases.h"

#define TRN_LEASE_OWNER_MAX 255

/// What a member has done in the transaction of the put that writes its chunks.
typedef struct TrnPgRider {
    int64_t region;
    size_t rows; ///< of level 0 in that region, all of which the put must have
    /// Sends statements. @return false with a fault
    bool (*add)(TrnPgLink *link, void *context);
    void *context;
    bool is_done; ///< it is committed
} TrnPgRider;

/// All zeroes, with `mutex` made, is one that checks nothing.
typedef struct TrnLeases {
    TrnMutex *mutex; ///< of all that follows
    bool is_on;
    char owner[TRN_LEASE_OWNER_MAX + 1];
    uint64_t ms;     ///< that a lease lasts
    TrnLease *items; ///< [count], by region
    size_t count, capacity;
    TrnPgRider *rider; ///< NULL: none
} TrnLeases;

/// From now on, puts are checked. @param owner  shorter than the array
/// @return false if they were before
bool trn_leases_begin(TrnLeases *leases, const char *owner, uint64_t ms);

/// Whether puts are checked.
bool trn_leases_are_on(TrnLeases *leases);

/// Whether a region is held, as far as this program knows.
bool trn_leases_hold(TrnLeases *leases, int64_t region);

/// Sets what the next put of a region does too, or nothing. It lives until it is set again, while
/// no put is under way.
void trn_leases_set_rider(TrnLeases *leases, TrnPgRider *rider);
TrnPgRider *trn_leases_rider(TrnLeases *leases);

/// Notes the change of a region that is held. @param change  0: it is not known any more
void trn_leases_note_change(TrnLeases *leases, int64_t region, int64_t change);

/// Returns the change of a region since this program's last put there; 0: not known.
int64_t trn_leases_change(TrnLeases *leases, int64_t region);

/// In a transaction: locks the leases of some regions against others, and checks that they are
/// still held; if not, the statement fails with STALE_ID.
/// @param regions  [count] in order, none twice @return false with a fault
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
