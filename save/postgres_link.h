/// Private: one connection to PostgreSQL, with binary parameters and results, prepared statements,
/// and a limit of time on every wait. One thread at a time uses a link.
#ifndef TERRANE_SAVE_POSTGRES_LINK_H
#define TERRANE_SAVE_POSTGRES_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <libpq-fe.h>
#include <terrane/base.h>

#define TRN_PG_PARAMS_MAX 8
#define TRN_PG_TEXT_BYTES 256

// Types of parameters: stable numbers of PostgreSQL's catalogue (pg_type.dat).
#define TRN_PG_BYTEA 17
#define TRN_PG_INT8 20
#define TRN_PG_INT4 23
#define TRN_PG_TEXT 25
#define TRN_PG_FLOAT8 701
#define TRN_PG_BYTEAS 1001
#define TRN_PG_INT4S 1007
#define TRN_PG_TEXTS 1009
#define TRN_PG_INT8S 1016

/// A statement that is prepared at its first use on a link.
typedef struct TrnPgStatement {
    const char *name, *text;
    uint32_t number; ///< 0..63, unlike that of every other statement
    int count;       ///< parameters
    Oid types[TRN_PG_PARAMS_MAX];
} TrnPgStatement;

/// Bytes of a parameter. All zeroes is empty; free `bytes` with free().
typedef struct TrnPgBytes {
    unsigned char *bytes;
    size_t count, capacity;
    bool has_failed; ///< memory; later calls do nothing
} TrnPgBytes;

/// Why a call failed.
typedef struct TrnPgFault {
    TrnResult result;
    bool is_lost;                 ///< the connection is broken: connect again
    bool is_again;                ///< the same transaction may succeed now
    char text[TRN_PG_TEXT_BYTES]; ///< what is wrong, and what to do; without a full stop
    char state[6];                ///< SQLSTATE; empty: none
} TrnPgFault;

typedef struct TrnPgLink {
    PGconn *db;        ///< NULL: not connected
    uint64_t prepared; ///< a bit for each statement
    TrnPgFault fault;  ///< of the last call that failed
} TrnPgLink;

/// Connects. @return false with a fault. Takes at most some 5 s for each host of the URL
bool trn_pg_connect(TrnPgLink *link, const char *url);

void trn_pg_disconnect(TrnPgLink *link);

/// Runs commands without parameters or rows. @return false with a fault
bool trn_pg_run(TrnPgLink *link, const char *text);

/// Runs a statement. @param params  [statement->count]
/// @return its rows, for PQclear, or NULL with a fault
PGresult *trn_pg_call(TrnPgLink *link, const TrnPgStatement *statement, const TrnPgBytes *params);

/// Runs a statement whose rows trn_pg_next returns one by one. Read them all, or disconnect.
bool trn_pg_start(TrnPgLink *link, const TrnPgStatement *statement, const TrnPgBytes *params);

/// @return the next row, for PQclear; NULL: there are no more, or a fault
/// @param is_good  receives false on a fault
PGresult *trn_pg_next(TrnPgLink *link, bool *is_good);

// ---- parameters and fields ---------------------------------------------------------------------

/// Appends bytes. @param bytes  [count]; may be NULL if count is 0
void trn_pg_append(TrnPgBytes *to, const void *bytes, size_t count);
/// Appends a number of some bytes, as PostgreSQL sends numbers.
void trn_pg_append_number(TrnPgBytes *to, uint64_t number, size_t size);
/// Begins an array that has not begun: its items follow, with trn_pg_append_item.
void trn_pg_begin_array(TrnPgBytes *to, Oid item_type, size_t count);
void trn_pg_append_item(TrnPgBytes *to, const void *bytes, size_t size);
void trn_pg_append_number_item(TrnPgBytes *to, uint64_t number, size_t size);
/// Appends a number as PostgreSQL's double precision.
void trn_pg_append_double(TrnPgBytes *to, double number);
/// Frees the parameters. @return whether all of them had memory
bool trn_pg_free_params(TrnPgBytes *params, int count);

/// Reads a number in a row of a result. @return 0 if it is NULL
int64_t trn_pg_number(const PGresult *rows, int row, int column);
double trn_pg_double(const PGresult *rows, int row, int column);

#endif
