// Connections to SQLite databases, and what their codes mean.

#include "sqlite_link.h"

#include <stdio.h>

#include "storage_pages.h"

#define LINK_BUSY_MS 5000

// ---- codes -------------------------------------------------------------------------------------

int trn_sqlite_kind(int code)
{
    return code == SQLITE_IOERR_DATA ? SQLITE_CORRUPT : code & 0xFF;
}

TrnResult trn_sqlite_result(int code)
{
    switch (trn_sqlite_kind(code)) {
    case SQLITE_OK:
    case SQLITE_ROW:
    case SQLITE_DONE:
        return TRN_RESULT_OK;
    case SQLITE_NOMEM:
        return TRN_RESULT_NO_MEMORY;
    case SQLITE_TOOBIG:
        return TRN_RESULT_BAD_ARGUMENT;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return TRN_RESULT_BUSY;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
    case SQLITE_FORMAT:
        return TRN_RESULT_CORRUPT;
    default:
        return TRN_RESULT_IO;
    }
}

/// What is wrong and what to do, for a code of SQLite.
static const char *link_sentence(int code)
{
    switch (trn_sqlite_kind(code)) {
    case SQLITE_NOMEM:
        return "there is not enough memory.";
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return "another program has it open; close that first.";
    case SQLITE_CORRUPT:
        return "the file is damaged; 'terrane repair' copies what is whole into a new file.";
    case SQLITE_NOTADB:
        return "it is not a world of Terrane.";
    case SQLITE_FULL:
        return "the disk is full; free some space.";
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_AUTH:
        return "it may only be read; change its permissions, or those of its folder.";
    case SQLITE_CANTOPEN:
        return "it cannot be opened; see that its folder exists and may be written.";
    case SQLITE_IOERR:
        return "the system could not read or write it; see that the disk works and has space.";
    default:
        return NULL;
    }
}

void trn_sqlite_describe(const char *path, int code, const char *detail, TrnStorageProblem *problem)
{
    const char *sentence = link_sentence(code);
    if (problem && sentence) {
        (void)snprintf(problem->sentence, sizeof problem->sentence, "%s: %s", path, sentence);
    } else if (problem) {
        (void)snprintf(problem->sentence, sizeof problem->sentence, "%s: %s.", path, detail);
    }
}

// ---- connections -------------------------------------------------------------------------------

int trn_sqlite_connect(const char *path, int flags, sqlite3 **db)
{
    int code = trn_pages_register();
    if (code == SQLITE_OK) {
        code = sqlite3_open_v2(path, db, flags | SQLITE_OPEN_NOMUTEX, TRN_PAGES_VFS);
    }
    if (code == SQLITE_OK) {
        (void)sqlite3_extended_result_codes(*db, 1);
        return sqlite3_busy_timeout(*db, LINK_BUSY_MS);
    }
    return *db ? sqlite3_extended_errcode(*db) : code;
}

// ---- statements --------------------------------------------------------------------------------

int trn_sqlite_prepare(sqlite3 *db, const char *text, sqlite3_stmt **statement)
{
    return *statement
               ? SQLITE_OK
               : sqlite3_prepare_v3(db, text, -1, SQLITE_PREPARE_PERSISTENT, statement, NULL);
}

int trn_sqlite_run(sqlite3 *db, const char *text)
{
    return sqlite3_exec(db, text, NULL, NULL, NULL);
}

int trn_sqlite_finish(sqlite3_stmt *statement)
{
    (void)sqlite3_step(statement);
    const int code = sqlite3_reset(statement);
    (void)sqlite3_clear_bindings(statement);
    return code;
}

int trn_sqlite_number(sqlite3 *db, const char *text, sqlite3_int64 *number)
{
    sqlite3_stmt *statement = NULL;
    int code = trn_sqlite_prepare(db, text, &statement);
    if (code == SQLITE_OK) {
        code = sqlite3_step(statement);
        *number = code == SQLITE_ROW ? sqlite3_column_int64(statement, 0) : 0;
        code = code == SQLITE_ROW ? SQLITE_OK : code;
    }
    (void)sqlite3_finalize(statement);
    return code;
}
