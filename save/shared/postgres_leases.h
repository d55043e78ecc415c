/// Private: leases in PostgreSQL. A lease is a row with a term that only grows, and the token of
/// its holder. A put locks its row FOR SHARE, so that no other takes the region over until the put
/// has ended. All return false with a fault.
#ifndef TERRANE_SHARED_POSTGRES_LEASES_H
#define TERRANE_SHARED_POSTGRES_LEASES_H

#include "postgres_link.h"

/// Two takes of a region have different terms, unless a server that knew of the first was replaced
/// by one that does not. Their tokens differ in any case.
typedef struct TrnLease {
    int64_t region, term;
    int64_t token;  ///< random
    int64_t change; ///< of the region, of this program's last put there; 0: not known
} TrnLease;

/// Several leases, by column.
typedef struct TrnLeaseColumns {
    int64_t *regions, *terms, *tokens; ///< [count]
    size_t count;
} TrnLeaseColumns;

/// In a transaction: locks leases against takes. It fails with STALE_ID if the row of one has not
/// this term and token.
/// @param leases  by region, none twice
bool trn_pg_lease_lock(TrnPgLink *link, const TrnLeaseColumns *leases);

/// Takes a region that no other holds, or by force.
/// @param lease  its region and token are given; receives the term, or 0: another holds it
/// @param ms     that the lease lasts
bool trn_pg_lease_take(TrnPgLink *link, TrnLease *lease, const char *owner, uint64_t ms,
                       bool by_force);

/// Renews leases whose rows have this term and token, and lists their regions.
bool trn_pg_lease_renew(TrnPgLink *link, const TrnLeaseColumns *leases, uint64_t ms,
                        TrnPgVisitor *visit, void *user);

/// Lists those of some regions that have no owner. Columns: region, 1 if liquids wait there, or 0.
bool trn_pg_lease_free(TrnPgLink *link, const int64_t *regions, size_t count, TrnPgVisitor *visit,
                       void *user);

/// Finds a region without an owner, whose levels of detail an earlier owner has left outdated.
/// @param has_one  receives whether there is one  @param region  receives its number then
bool trn_pg_lease_orphan(TrnPgLink *link, int64_t *region, bool *has_one);

/// Ends a lease, if its row has this term and token.
bool trn_pg_lease_give(TrnPgLink *link, const TrnLease *lease);

#endif
