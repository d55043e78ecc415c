/// Private: the storage of a world on several servers, above a storage of each. Rows, leases, edits
/// and changes of a region live on the server that the hash of its column names, values and jobs on
/// the first. The revision of the world is on every server with rows, and the highest counts, so
/// that a put of rows of one server is a transaction there alone.
#ifndef TERRANE_SHARED_SERVERS_H
#define TERRANE_SHARED_SERVERS_H

#include "postgres_storage.h"

/// Returns which server has a region, from 0: splitmix64 of the number of its column, modulo
/// `count`. Regions above each other have the same. It must stay as it is: worlds depend on it.
uint32_t trn_servers_hash(int64_t region, uint32_t count);

/// Returns how many servers a world has; 0: it is in no PostgreSQL database.
uint32_t trn_servers_count(const TrnStorage *storage);

/// Returns the storage of a server; that of a world on one server is the storage itself.
const TrnStorage *trn_servers_at(const TrnStorage *storage, uint32_t i);

/// Returns the storage of the server that has a region.
const TrnStorage *trn_servers_of(const TrnStorage *storage, int64_t region);

/// Makes a storage of several. @param parts  [count] owned from now on, also on failure
TrnResult trn_servers_create(const TrnStorage *parts, uint32_t count, TrnStorage *storage);

#endif
