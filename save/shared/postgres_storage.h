/// Private: a storage on one server of PostgreSQL, and what leases and jobs use of it.
#ifndef TERRANE_SHARED_POSTGRES_STORAGE_H
#define TERRANE_SHARED_POSTGRES_STORAGE_H

#include <terrane/shared.h>

#include "leases.h"
#include "postgres_schema.h"

/// What is done on a connection. @return false with a fault
typedef bool TrnPostgresWork(TrnPgLink *link, void *context);

/// Opens one server of a world, or its only one.
/// @param server       what it must be; receives the world. Of several servers, a call on one that
///                     does not answer fails at once, until one that tries it every second succeeds
/// @param may_be_gone  it need not answer now: its tables are checked when it does
TrnResult trn_postgres_open(const char *url, TrnStorageMode mode, TrnPgServer *server,
                            bool may_be_gone, TrnStorage *storage, TrnStorageProblem *problem);

/// trn_storage_postgres_watch_notices of one server.
void trn_postgres_watch_notices(const TrnStorage *storage, TrnStorageNoticeVisitor visit,
                                void *user);

/// Returns the URL without what may be secret, and which server it is.
const char *trn_postgres_name(const TrnStorage *storage);

/// Returns the leases of a storage of one server; NULL: it is of another kind.
TrnLeases *trn_postgres_leases(const TrnStorage *storage);

/// Does work on a connection beside the one that puts, again after the connection broke.
TrnResult trn_postgres_work(const TrnStorage *storage, TrnPostgresWork *work, void *context);

/// Returns what receives the server's remarks, for connections beside those of the storage.
const TrnPgLog *trn_postgres_log(const TrnStorage *storage);

/// Returns the URL of a storage, with its password.
const char *trn_postgres_url(const TrnStorage *storage);

#endif
