/// Private: the tables of a world in PostgreSQL, and how they are made, checked and brought up to
/// date.
#ifndef TERRANE_SHARED_POSTGRES_SCHEMA_H
#define TERRANE_SHARED_POSTGRES_SCHEMA_H

#include <terrane/storage.h>

#include "postgres_link.h"

#define TRN_PG_SERVERS_MAX 64 ///< of a world

/// Which server of a world one is. A world of one server has no such row.
typedef struct TrnPgServer {
    int64_t number, count; ///< from 1; of how many
    int64_t world;         ///< random, the same on all servers of a world; 0: not known yet
} TrnPgServer;

/// Whether the tables of a world are there, of this version, and those of a server. A mode that
/// makes a world makes them; a mode that writes brings those of the version before up to date.
/// @param server  what the caller takes it for; receives the world if that is not known
/// @return false with a fault; with is_again, another process is making them
bool trn_pg_prepare_world(TrnPgLink *link, TrnStorageMode mode, TrnPgServer *server);

/// What tells databases apart, also by different URLs: cluster, database and schema, as numbers.
/// All zeroes: the server has no answer.
typedef struct TrnPgDatabase {
    int64_t system, database, schema;
} TrnPgDatabase;

/// @return false with a fault: the connection is lost
bool trn_pg_database(TrnPgLink *link, TrnPgDatabase *database);

#endif
