/// Private: what leases and jobs use of a storage in PostgreSQL.
#ifndef TERRANE_SHARED_POSTGRES_STORAGE_H
#define TERRANE_SHARED_POSTGRES_STORAGE_H

#include <terrane/storage.h>

#include "leases.h"

/// What is done on a connection. @return false with a fault
typedef bool TrnPostgresWork(TrnPgLink *link, void *context);

/// Returns the leases of a storage; NULL: it is of another kind.
TrnLeases *trn_postgres_leases(const TrnStorage *storage);

/// Does work on a connection beside the one that puts, again after the connection broke.
TrnResult trn_postgres_work(const TrnStorage *storage, TrnPostgresWork *work, void *context);

/// Returns what receives the server's remarks, for connections beside those of the storage.
const TrnPgLog *trn_postgres_log(const TrnStorage *storage);

/// Returns the URL of a storage, with its password.
const char *trn_postgres_url(const TrnStorage *storage);

#endif
