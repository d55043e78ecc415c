/// Private: one connection to PostgreSQL, with binary parameters and results, prepared statements,
/// and a limit of time on every wait. One thread at a time uses a link.
#ifndef TERRANE_SHARED_POSTGRES_LINK_H
#define TERRANE_SHARED_POSTGRES_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <libpq-fe.h>
#include <terrane/base.h>

#define TRN_PG_PARAMS_MAX 8
#define TRN_PG_TEXT_BYTES 380

/// What a put says whose leases are not held.
#define TRN_PG_LEASE_LOST                                                                          \
    "a region of these chunks is not, or no longer, this program's; nothing was written"

/// What is said of a pooler that hands connections on between transactions.
#define TRN_PG_POOLED                                                                              \
    "a pooler in transaction mode is in between, which keeps no prepared statements and "          \
    "settings; "                                                                                   \
    "use its session mode (pool_mode = session), or the server's own port"

// Types of parameters: stable numbers of PostgreSQL's catalogue (pg_type.dat).
#define TRN_PG_BYTEA 17
#define TRN_PG_INT8 20
#define TRN_PG_INT4 23
#define TRN_PG_FLOAT8 701
#define TRN_PG_BYTEAS 1001
#define TRN_PG_INT4S 1007
#define TRN_PG_INT8S 1016

/// A statement that is prepared at its first use on a link.
typedef struct TrnPgStatement {
    const char *name, *text;
    uint32_t number; ///< 0..63, unlike that of every other statement
    int count;       ///< parameters
    Oid types[TRN_PG_PARAMS_MAX];
} TrnPgStatement;

/// A parameter, in the member that the statement's type takes.
typedef struct TrnPgParam {
    int64_t number;         ///< INT4, INT8
    double real;            ///< FLOAT8
    const void *bytes;      ///< [count] BYTEA
    const int64_t *numbers; ///< [count] INT4S, INT8S
    size_t count;
} TrnPgParam;

/// A column of a row.
typedef struct TrnPgField {
    int64_t number; ///< of integers, 0 for NULL; of a double, its bits
    const void *bytes;
    size_t size;
} TrnPgField;

/// Receives a row of an answer, valid until it returns.
/// @param row  [TRN_PG_PARAMS_MAX]; columns that the answer lacks are empty
/// @return false to stop, without a fault
typedef bool TrnPgVisitor(void *user, const TrnPgField *row);

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

#define TRN_PG_PIPE_MAX 36

/// A statement of a pipeline whose answer has not been read.
typedef struct TrnPgAsked {
    uint64_t prepares;   ///< the bit of the statement that it prepares; 0: it runs one
    TrnPgVisitor *visit; ///< NULL: its rows are of no interest
    void *user;
} TrnPgAsked;

/// Statements that are sent together, as one transaction: the server wakes once for all of them.
typedef struct TrnPgPipe {
    TrnPgAsked asked[TRN_PG_PIPE_MAX]; ///< [count]
    int count;
    uint64_t preparing; ///< a bit for each statement that it prepares
} TrnPgPipe;

/// Receives what a server remarks without an error. Any thread that uses a link.
typedef struct TrnPgLog {
    void (*visit)(void *user, const char *sentence);
    void *user;
} TrnPgLog;

/// A process of a server, whose number alone comes again. All zeroes: it is not known yet.
typedef struct TrnPgProcess {
    int64_t number; ///< -1: none that may be ended
    int64_t began;  ///< microseconds of the server's clock
} TrnPgProcess;

typedef struct TrnPgLink {
    PGconn *db;          ///< NULL: not connected
    uint64_t prepared;   ///< a bit for each statement
    TrnPgPipe *pipe;     ///< NULL: each statement is answered before the next one is sent
    TrnPgFault fault;    ///< of the last call that failed
    const TrnPgLog *log; ///< outlives the connection; NULL: none
    TrnPgProcess server; ///< what answers, after trn_pg_take_over
} TrnPgLink;

/// Connects. @return false with a fault. Takes at most some 5 s for each host of the URL
bool trn_pg_connect(TrnPgLink *link, const char *url);

void trn_pg_disconnect(TrnPgLink *link);

/// Whether a pooler, such as PgBouncer in transaction mode, hands the server's processes on between
/// transactions. It asks on a second connection: a process that both get cannot belong to one.
/// @return false with a fault if it does, or a connection failed
bool trn_pg_is_direct(TrnPgLink *link, const char *url);

/// Ends the process that answered an earlier link, before this one writes. What a program sent on a
/// link that it gave up may still be unread there, and would be written over what is newer.
/// Waits up to 0.2 s for its end: one that stands still longer ends before it reads on.
/// Does nothing on a link that has taken over, behind a pooler, and on an engine without such
/// processes.
/// @param before  that process; receives the one that answers now
/// @return false with a fault if the connection is lost
bool trn_pg_take_over(TrnPgLink *link, TrnPgProcess *before);

/// Sets a fault. @return false
bool trn_pg_refuse(TrnPgLink *link, TrnResult result, const char *text);

/// Runs commands without parameters or rows. @return false with a fault
bool trn_pg_run(TrnPgLink *link, const char *text);

/// Begins a pipeline: until it ends, trn_pg_do and the two trn_pg_list only send their
/// statements, at most TRN_PG_PIPE_MAX / 2, and no other call may be made. What they send should be
/// small: a server has no limit of time for a program that stops in the middle.
/// @param pipe  lives until trn_pg_pipe_end
bool trn_pg_pipe_begin(TrnPgLink *link, TrnPgPipe *pipe);

/// Has the server run the pipeline as one transaction, and visits the rows in order.
/// @param is_sent  all was sent; otherwise the connection is closed, and the fault stays
/// @return false with a fault: nothing was changed, and the rows of some statements were visited
bool trn_pg_pipe_end(TrnPgLink *link, bool is_sent);

/// Runs a statement whose answer is of no interest. @param params  [statement->count]
/// @return false with a fault
bool trn_pg_do(TrnPgLink *link, const TrnPgStatement *statement, const TrnPgParam *params);

/// Runs a statement.
/// @param first  [columns] receives the first row's columns, integers; 0 if the answer has fewer
/// @return how many rows there are; -1 with a fault
int trn_pg_ask(TrnPgLink *link, const TrnPgStatement *statement, const TrnPgParam *params,
               int columns, int64_t *first);

/// Runs a statement and visits its rows. @return false with a fault
bool trn_pg_list(TrnPgLink *link, const TrnPgStatement *statement, const TrnPgParam *params,
                 TrnPgVisitor *visit, void *user);

/// Runs a statement whose parameters are bytes already, and visits its rows.
/// @param params  [statement->count]  @param visit  may be NULL  @return false with a fault
bool trn_pg_list_bytes(TrnPgLink *link, const TrnPgStatement *statement, const TrnPgBytes *params,
                       TrnPgVisitor *visit, void *user);

/// Runs a statement whose parameters are bytes already. @param params  [statement->count]
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
/// Frees the parameters. @return whether all of them had memory
bool trn_pg_free_params(TrnPgBytes *params, int count);

/// Reads a number in a row of a result. @return 0 if it is NULL
int64_t trn_pg_number(const PGresult *rows, int row, int column);

/// Returns the double in a field.
static inline double trn_pg_real(const TrnPgField *field)
{
    double number;
    memcpy(&number, &field->number, sizeof number);
    return number;
}

// ---- news --------------------------------------------------------------------------------------

/// Returns the link's descriptor, for poll(); -1: it is not connected.
int trn_pg_socket(const TrnPgLink *link);

/// A NOTIFY that has come.
typedef struct TrnPgNotice {
    char channel[64], text[64];
} TrnPgNotice;

/// Takes the next NOTIFY that has come.
/// @return false: there is none, or the connection is broken, which the next call tells
bool trn_pg_next_notice(TrnPgLink *link, TrnPgNotice *notice);

#endif
