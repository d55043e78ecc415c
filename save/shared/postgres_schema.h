/// Private: the tables of a world in PostgreSQL, and how they are made, checked and brought up to
/// date.
#ifndef TERRANE_SHARED_POSTGRES_SCHEMA_H
#define TERRANE_SHARED_POSTGRES_SCHEMA_H

#include <terrane/storage.h>

#include "postgres_link.h"

/// Whether the tables of a world are there and of this version. A mode that makes a world makes
/// them; a mode that writes brings those of the version before up to date.
/// @return false with a fault; with is_again, another process is making them
bool trn_pg_prepare_world(TrnPgLink *link, TrnStorageMode mode);

#endif
