/// Private: opens the database of a world of Luanti, and says what is wrong with it.
#ifndef TERRANE_SAVE_IMPORT_LUANTI_DATABASE_H
#define TERRANE_SAVE_IMPORT_LUANTI_DATABASE_H

#include <stdbool.h>

#include <sqlite3.h>

#include <terrane/base.h>

/// Returns the result that a code of SQLite is.
TrnResult trn_luanti_result(int code);

/// Returns a sentence's end about a code of SQLite.
const char *trn_luanti_sentence(int code);

/// Whether a path is a regular file that may be read.
bool trn_luanti_is_file(const char *path);

/// Opens the file to read it. Its schema is not trusted: it runs no functions of its own. SQLite
/// would wait for pipes, and create files beside a database that keeps a log.
/// @return a code of SQLite
int trn_luanti_connect(const char *path, sqlite3 **db);

#endif
