/// Private: the tables of a world's database.
#ifndef TERRANE_SAVE_SQLITE_SCHEMA_H
#define TERRANE_SAVE_SQLITE_SCHEMA_H

#include <stdbool.h>

#include <sqlite3.h>

/// Whose a database is.
typedef enum TrnSqliteSchema {
    TRN_SCHEMA_WORLD,   ///< a world of this format
    TRN_SCHEMA_BARE,    ///< nothing was put into it, no tables either
    TRN_SCHEMA_NEWER,   ///< a world of a later format
    TRN_SCHEMA_FOREIGN, ///< another program's
    TRN_SCHEMA_CHANGED  ///< a world's whose tables are not as Terrane makes them
} TrnSqliteSchema;

/// Compares what a database has with the tables of a world, text by text. A view, a trigger, a
/// virtual table, a generated column or another index makes it CHANGED.
/// @return a code of SQLite
int trn_sqlite_schema_read(sqlite3 *db, TrnSqliteSchema *schema);

/// Finds whether nothing was ever put into a database. @return a code of SQLite
int trn_sqlite_schema_is_empty(sqlite3 *db, TrnSqliteSchema schema, bool *is_empty);

/// Sets up a connection to a file that may be written: one of a world, or an empty one, which
/// becomes a world. @return a code of SQLite
int trn_sqlite_schema_prepare(sqlite3 *db, TrnSqliteSchema schema);

#endif
