// One connection to PostgreSQL: see postgres_link.h.

#include "postgres_link.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"

// A test waits for less.
#if !defined LINK_WAIT_SECONDS
#define LINK_WAIT_SECONDS 30.0 // without a byte from the server, then it counts as lost
#define LINK_CONNECT_SECONDS "5"
#endif
#define LINK_NUMBER_BYTES_MAX 8

// ---- faults ------------------------------------------------------------------------------------

typedef struct LinkState {
    const char *state; ///< beginning of an SQLSTATE
    TrnResult result;
    bool is_lost, is_again;
    const char *text; ///< NULL: the server's
} LinkState;

/// What SQLSTATEs mean here; the first that fits. PostgreSQL's manual, appendix A.
static const LinkState LINK_STATES[] = {
    {"08", TRN_RESULT_IO, true, false, NULL},
    {"25P03", TRN_RESULT_IO, true, false,
     "the server ended a transaction of this program, which stood still for too long"},
    {"57P", TRN_RESULT_IO, true, false, NULL},
    {"40", TRN_RESULT_BUSY, false, true, NULL},
    {"42501", TRN_RESULT_IO, false, false,
     "its user lacks rights on the tables of the world; their owner gives them by GRANT SELECT, "
     "INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO that user"},
    {"25006", TRN_RESULT_IO, false, false, "it may only be read; use the primary server"},
    {"42P01", TRN_RESULT_NOT_FOUND, false, false,
     "there is no world in this database; terrane new makes one"},
    {"42703", TRN_RESULT_CORRUPT, false, false, "its tables are not those of a world of Terrane"},
    {"26000", TRN_RESULT_IO, false, false, TRN_PG_POOLED},
    {"42P05", TRN_RESULT_IO, false, false, TRN_PG_POOLED},
    {"53100", TRN_RESULT_IO, false, false, "the server's disk is full; free some space there"},
    {"53200", TRN_RESULT_NO_MEMORY, false, false, "the server has not enough memory"},
    {"53300", TRN_RESULT_BUSY, false, true, "the server has too many connections; close some"},
    {"55P03", TRN_RESULT_BUSY, false, false, "another program locks these rows; try again"},
    // trn_pg_lease_lock divides by zero, so that the transaction fails at once.
    {"22012", TRN_RESULT_STALE_ID, false, false, TRN_PG_LEASE_LOST},
    {"22021", TRN_RESULT_BAD_ARGUMENT, false, false, "a name is not valid UTF-8"},
    {"22003", TRN_RESULT_BAD_ARGUMENT, false, false, "a number is too large"},
    {"54", TRN_RESULT_BAD_ARGUMENT, false, false, "it is too large for the database"},
    {"XX001", TRN_RESULT_CORRUPT, false, false, "a table is damaged; restore a backup"},
    {"XX002", TRN_RESULT_CORRUPT, false, false, "an index is damaged; run REINDEX there"},
    {"", TRN_RESULT_IO, false, false, NULL},
};

/// Copies a message as one sentence without a full stop. A URL of several hosts has a line for each
/// of them; lines that begin with a tab are advice about the one before.
static void link_set_text(TrnPgFault *fault, const char *text)
{
    size_t length = 0;
    fault->text[0] = '\0';
    for (const char *line = text; *line;) {
        const size_t size = strcspn(line, "\n");
        if (size && line[0] != '\t' && length < sizeof fault->text - 1) {
            (void)snprintf(fault->text + length, sizeof fault->text - length, "%s%.*s",
                           length ? "; " : "", (int)size, line);
            length = strlen(fault->text);
        }
        while (length && strchr(". ", fault->text[length - 1])) {
            fault->text[--length] = '\0';
        }
        line += size + (line[size] != '\0');
    }
}

static void link_fail(TrnPgLink *link, TrnResult result, bool is_lost, const char *text)
{
    link->fault = (TrnPgFault){.result = result, .is_lost = is_lost};
    link_set_text(&link->fault, text);
}

bool trn_pg_refuse(TrnPgLink *link, TrnResult result, const char *text)
{
    link_fail(link, result, false, text);
    return false;
}

/// Notes the fault of a result that is no success, and frees it. @param failed  may be NULL
static void link_fail_result(TrnPgLink *link, PGresult *failed)
{
    const char *state = failed ? PQresultErrorField(failed, PG_DIAG_SQLSTATE) : NULL;
    const char *message = failed ? PQresultErrorField(failed, PG_DIAG_MESSAGE_PRIMARY) : NULL;
    state = state ? state : "";
    size_t i = 0;
    while (strncmp(state, LINK_STATES[i].state, strlen(LINK_STATES[i].state)) != 0) {
        i++;
    }
    const LinkState *known = &LINK_STATES[i];
    const bool is_lost = known->is_lost || PQstatus(link->db) != CONNECTION_OK;
    link_fail(link, known->result, is_lost,
              known->text ? known->text
              : message   ? message
                          : PQerrorMessage(link->db));
    link->fault.is_again = known->is_again;
    (void)snprintf(link->fault.state, sizeof link->fault.state, "%s", state);
    PQclear(failed);
}

// ---- waiting -----------------------------------------------------------------------------------

/// Waits until a result can be read without waiting. @return false with a fault
static bool link_wait(TrnPgLink *link)
{
    double until_us = trn_clock_us() + LINK_WAIT_SECONDS * 1e6;
    for (;;) {
        const int unsent = PQflush(link->db);
        if (unsent < 0 || (unsent == 0 && !PQisBusy(link->db))) {
            return true; // a failure is in the result
        }
        struct pollfd poller = {PQsocket(link->db), (short)(unsent ? POLLIN | POLLOUT : POLLIN), 0};
        const double left_ms = (until_us - trn_clock_us()) * 1e-3;
        const int ready = left_ms > 0 ? poll(&poller, 1, (int)left_ms + 1) : 0;
        if (ready == 0) {
            link_fail(link, TRN_RESULT_IO, true, "the server does not answer");
            return false;
        }
        if (ready > 0) {
            until_us = trn_clock_us() + LINK_WAIT_SECONDS * 1e6;
            if (!PQconsumeInput(link->db)) {
                return true; // likewise
            }
        } else if (errno != EINTR) {
            link_fail(link, TRN_RESULT_IO, true, "the system cannot wait for the server");
            return false;
        }
    }
}

/// Takes what is left of a call's results. @return the first that is no success, or else the last;
/// NULL with a fault
static PGresult *link_finish(TrnPgLink *link)
{
    PGresult *kept = NULL;
    bool is_bad = false;
    for (;;) {
        if (!link_wait(link)) {
            PQclear(kept);
            return NULL;
        }
        PGresult *result = PQgetResult(link->db);
        if (!result) {
            break;
        }
        PGresult *dropped = is_bad ? result : kept;
        kept = is_bad ? kept : result;
        PQclear(dropped);
        const ExecStatusType status = PQresultStatus(kept);
        is_bad = status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK;
    }
    if (kept && !is_bad) {
        return kept;
    }
    link_fail_result(link, kept);
    return NULL;
}

// ---- calls -------------------------------------------------------------------------------------

/// Whether libpq takes a URL. What it says of a wrong one may have the password.
static bool link_is_url(const char *url)
{
    PQconninfoOption *options = PQconninfoParse(url, NULL);
    PQconninfoFree(options);
    return options != NULL;
}

/// What a server remarks without an error is for the game's log, not for its standard error.
static void link_log_notice(void *user, const PGresult *notice)
{
    const TrnPgLog *log = user;
    const char *text = PQresultErrorField(notice, PG_DIAG_MESSAGE_PRIMARY);
    if (log && text) {
        log->visit(log->user, text);
    }
}

bool trn_pg_connect(TrnPgLink *link, const char *url)
{
    static const char *const names[] = {"dbname", "connect_timeout", "fallback_application_name",
                                        "client_encoding", NULL};
    const char *const values[] = {url, LINK_CONNECT_SECONDS, "terrane", "UTF8", NULL};
    *link = (TrnPgLink){.log = link->log};
    if (!link_is_url(url)) {
        return trn_pg_refuse(link, TRN_RESULT_BAD_ARGUMENT,
                             "this is no valid URL; write postgresql://user@host/database");
    }
    link->db = PQconnectdbParams(names, values, 1);
    if (!link->db) {
        return trn_pg_refuse(link, TRN_RESULT_NO_MEMORY, "there is not enough memory");
    }
    (void)PQsetNoticeReceiver(link->db, link_log_notice, (void *)link->log);
    if (PQstatus(link->db) != CONNECTION_OK || PQsetnonblocking(link->db, 1) != 0) {
        link_fail(link, TRN_RESULT_IO, true, PQerrorMessage(link->db));
        return false;
    }
    // Acknowledged means on the server's disk; a program that stands still gives its locks up.
    const bool is_set = trn_pg_run(
        link, "SET synchronous_commit = on; SET idle_in_transaction_session_timeout = 5000; "
              "SET lock_timeout = 5000");
    // Statements are planned once: planning takes longer than most of them. So keys must come from
    // an index, however few rows there are at that time; and none is worth compiling, which takes
    // seconds, each time that a statement runs. What speaks the protocol and lacks these settings
    // plans as it likes.
    return is_set &&
           (trn_pg_run(link, "SET enable_hashjoin = off; SET enable_mergejoin = off; "
                             "SET enable_seqscan = off; SET plan_cache_mode = force_generic_plan; "
                             "SET jit = off") ||
            !link->fault.is_lost);
}

void trn_pg_disconnect(TrnPgLink *link)
{
    PQfinish(link->db);
    link->db = NULL;
    link->prepared = 0;
    link->pipe = NULL;
}

bool trn_pg_run(TrnPgLink *link, const char *text)
{
    if (!PQsendQuery(link->db, text)) {
        link_fail_result(link, NULL);
        return false;
    }
    PGresult *result = link_finish(link);
    PQclear(result);
    return result != NULL;
}

// ---- who wrote before --------------------------------------------------------------------------

#define LINK_BEGAN "(extract(epoch FROM backend_start) * 1000000)::bigint"
static const TrnPgStatement LINK_END = {
    "terrane_end",
    "SELECT pg_terminate_backend(pid, 200) FROM pg_stat_activity WHERE pid = $1 AND " LINK_BEGAN
    " = $2",
    24,
    2,
    {TRN_PG_INT8, TRN_PG_INT8}};
static const TrnPgStatement LINK_PROCESS = {"terrane_process",
                                            "SELECT pid::bigint, " LINK_BEGAN
                                            " FROM pg_stat_activity WHERE pid = pg_backend_pid()",
                                            25,
                                            0,
                                            {0}};

bool trn_pg_take_over(TrnPgLink *link, TrnPgProcess *before)
{
    if (link->server.number) {
        return true;
    }
    const TrnPgParam params[] = {{.number = before->number}, {.number = before->began}};
    int64_t now[2] = {-1, 0};
    link->fault = (TrnPgFault){.result = TRN_RESULT_OK};
    const bool is_asked = (before->number <= 0 || trn_pg_do(link, &LINK_END, params)) &&
                          trn_pg_ask(link, &LINK_PROCESS, NULL, 2, now) >= 0;
    if (!is_asked && link->fault.is_lost) {
        return false;
    }
    // The process that a pooler gave may serve another program later, and must not be ended then.
    // What it has read of us by then, it has done.
    const bool is_own = now[0] == PQbackendPID(link->db);
    link->server = is_own ? (TrnPgProcess){now[0], now[1]} : (TrnPgProcess){-1, 0};
    *before = link->server;
    return true;
}

// ---- poolers -----------------------------------------------------------------------------------

#define LINK_POOL_ROUNDS 3

/// Asks which process of the server answers. @return false with a fault
static bool link_ask_process(TrnPgLink *link, int *process)
{
    if (!PQsendQuery(link->db, "SELECT pg_backend_pid()")) {
        link_fail_result(link, NULL);
        return false;
    }
    PGresult *rows = link_finish(link);
    *process = rows && PQntuples(rows) == 1 ? atoi(PQgetvalue(rows, 0, 0)) : 0;
    PQclear(rows);
    return rows != NULL;
}

/// Whether another connection gets the process that answered a link, or the link another process
/// while that one is busy. @param other  is connected
static bool link_is_alone(TrnPgLink *link, TrnPgLink *other)
{
    int first, second, third;
    const bool is_asked = link_ask_process(link, &first) && trn_pg_run(other, "BEGIN") &&
                          link_ask_process(other, &second) && link_ask_process(link, &third) &&
                          trn_pg_run(other, "COMMIT");
    if (!is_asked) {
        link->fault = link->fault.text[0] ? link->fault : other->fault;
        return false;
    }
    return (first != second && first == third) || trn_pg_refuse(link, TRN_RESULT_IO, TRN_PG_POOLED);
}

bool trn_pg_is_direct(TrnPgLink *link, const char *url)
{
    int process;
    if (!link_ask_process(link, &process)) { // an engine without such processes has no such pooler
        return !link->fault.is_lost;
    }
    if (process == PQbackendPID(link->db)) {
        return true;
    }
    TrnPgLink other = {.log = link->log};
    link->fault = (TrnPgFault){.result = TRN_RESULT_OK};
    bool is_direct = trn_pg_connect(&other, url);
    if (!is_direct) {
        link->fault = other.fault;
    }
    for (int i = 0; i < LINK_POOL_ROUNDS && is_direct; i++) {
        is_direct = link_is_alone(link, &other);
    }
    trn_pg_disconnect(&other);
    return is_direct;
}

// ---- statements --------------------------------------------------------------------------------

/// Notes a statement of the pipeline. @return false with a fault
static bool link_pipe_add(TrnPgLink *link, TrnPgAsked asked)
{
    if (link->pipe->count == TRN_PG_PIPE_MAX) {
        return trn_pg_refuse(link, TRN_RESULT_BAD_ARGUMENT, "a pipeline has too many statements");
    }
    link->pipe->asked[link->pipe->count++] = asked;
    return true;
}

static bool link_prepare(TrnPgLink *link, const TrnPgStatement *statement)
{
    const uint64_t bit = UINT64_C(1) << statement->number;
    if ((link->prepared | (link->pipe ? link->pipe->preparing : 0)) & bit) {
        return true;
    }
    if (!PQsendPrepare(link->db, statement->name, statement->text, statement->count,
                       statement->types)) {
        link_fail_result(link, NULL);
        return false;
    }
    if (link->pipe) {
        link->pipe->preparing |= bit;
        return link_pipe_add(link, (TrnPgAsked){.prepares = bit});
    }
    PGresult *result = link_finish(link);
    PQclear(result);
    link->prepared |= result ? bit : 0;
    return result != NULL;
}

static bool link_send(TrnPgLink *link, const TrnPgStatement *statement, const TrnPgBytes *params)
{
    const char *values[TRN_PG_PARAMS_MAX];
    int lengths[TRN_PG_PARAMS_MAX], formats[TRN_PG_PARAMS_MAX];
    for (int i = 0; i < statement->count; i++) {
        if (params[i].has_failed || params[i].count > INT32_MAX / 2) {
            return trn_pg_refuse(
                link, params[i].has_failed ? TRN_RESULT_NO_MEMORY : TRN_RESULT_BAD_ARGUMENT,
                "there is not enough memory");
        }
        values[i] = params[i].bytes ? (const char *)params[i].bytes : "";
        lengths[i] = (int)params[i].count;
        formats[i] = 1;
    }
    if (!link_prepare(link, statement)) {
        return false;
    }
    if (!PQsendQueryPrepared(link->db, statement->name, statement->count, values, lengths, formats,
                             1)) {
        link_fail_result(link, NULL);
        return false;
    }
    return true;
}

PGresult *trn_pg_call(TrnPgLink *link, const TrnPgStatement *statement, const TrnPgBytes *params)
{
    return link_send(link, statement, params) ? link_finish(link) : NULL;
}

bool trn_pg_start(TrnPgLink *link, const TrnPgStatement *statement, const TrnPgBytes *params)
{
    return link_send(link, statement, params) && PQsetSingleRowMode(link->db);
}

PGresult *trn_pg_next(TrnPgLink *link, bool *is_good)
{
    if (!link_wait(link)) {
        *is_good = false;
        return NULL;
    }
    PGresult *row = PQgetResult(link->db);
    if (row && PQresultStatus(row) == PGRES_SINGLE_TUPLE) {
        return row;
    }
    if (row && PQresultStatus(row) == PGRES_TUPLES_OK) { // behind the last
        PQclear(row);
        while ((*is_good = link_wait(link)) && (row = PQgetResult(link->db))) {
            PQclear(row);
        }
        return NULL;
    }
    link_fail_result(link, row);
    *is_good = false;
    return NULL;
}

/// Writes a parameter as the statement's type says.
static void link_append_param(TrnPgBytes *to, Oid type, const TrnPgParam *param)
{
    const bool is_array = type == TRN_PG_INT8S || type == TRN_PG_INT4S;
    const size_t size = type == TRN_PG_INT4 || type == TRN_PG_INT4S ? 4 : 8;
    uint64_t bits = (uint64_t)param->number;
    if (is_array) {
        trn_pg_begin_array(to, size == 4 ? TRN_PG_INT4 : TRN_PG_INT8, param->count);
        for (size_t i = 0; i < param->count; i++) {
            trn_pg_append_number_item(to, (uint64_t)param->numbers[i], size);
        }
    } else if (type == TRN_PG_BYTEA) {
        trn_pg_append(to, param->bytes, param->count);
    } else {
        if (type == TRN_PG_FLOAT8) {
            memcpy(&bits, &param->real, sizeof bits);
        }
        trn_pg_append_number(to, bits, size);
    }
}

/// Writes the parameters of a statement. Free them with trn_pg_free_params.
static void link_write_params(const TrnPgStatement *statement, const TrnPgParam *params,
                              TrnPgBytes bytes[TRN_PG_PARAMS_MAX])
{
    for (int i = 0; i < statement->count; i++) {
        link_append_param(&bytes[i], statement->types[i], &params[i]);
    }
}

int trn_pg_ask(TrnPgLink *link, const TrnPgStatement *statement, const TrnPgParam *params,
               int columns, int64_t *first)
{
    TrnPgBytes bytes[TRN_PG_PARAMS_MAX] = {{0}};
    link_write_params(statement, params, bytes);
    PGresult *rows = trn_pg_call(link, statement, bytes);
    (void)trn_pg_free_params(bytes, statement->count);
    const int count = rows ? PQntuples(rows) : -1;
    for (int i = 0; count > 0 && i < columns; i++) {
        first[i] = i < PQnfields(rows) ? trn_pg_number(rows, 0, i) : 0;
    }
    PQclear(rows);
    return count;
}

static void link_visit_rows(const PGresult *rows, TrnPgVisitor *visit, void *user)
{
    TrnPgField fields[TRN_PG_PARAMS_MAX];
    bool goes_on = visit != NULL;
    for (int row = 0; goes_on && row < PQntuples(rows); row++) {
        for (int i = 0; i < TRN_PG_PARAMS_MAX; i++) {
            fields[i] = i < PQnfields(rows)
                            ? (TrnPgField){trn_pg_number(rows, row, i), PQgetvalue(rows, row, i),
                                           (size_t)PQgetlength(rows, row, i)}
                            : (TrnPgField){0, "", 0};
        }
        goes_on = visit(user, fields);
    }
}

bool trn_pg_list_bytes(TrnPgLink *link, const TrnPgStatement *statement, const TrnPgBytes *params,
                       TrnPgVisitor *visit, void *user)
{
    if (link->pipe) {
        return link_send(link, statement, params) &&
               link_pipe_add(link, (TrnPgAsked){.visit = visit, .user = user});
    }
    PGresult *rows = trn_pg_call(link, statement, params);
    if (rows) {
        link_visit_rows(rows, visit, user);
    }
    PQclear(rows);
    return rows != NULL;
}

bool trn_pg_list(TrnPgLink *link, const TrnPgStatement *statement, const TrnPgParam *params,
                 TrnPgVisitor *visit, void *user)
{
    TrnPgBytes bytes[TRN_PG_PARAMS_MAX] = {{0}};
    link_write_params(statement, params, bytes);
    const bool is_good = trn_pg_list_bytes(link, statement, bytes, visit, user);
    (void)trn_pg_free_params(bytes, statement->count);
    return is_good;
}

bool trn_pg_do(TrnPgLink *link, const TrnPgStatement *statement, const TrnPgParam *params)
{
    return trn_pg_list(link, statement, params, NULL, NULL);
}

// ---- pipelines ---------------------------------------------------------------------------------

bool trn_pg_pipe_begin(TrnPgLink *link, TrnPgPipe *pipe)
{
    *pipe = (TrnPgPipe){.count = 0};
    if (!PQenterPipelineMode(link->db)) {
        link_fail_result(link, NULL);
        return false;
    }
    link->pipe = pipe;
    return true;
}

/// Takes the answer of a statement of the pipeline, and frees it.
/// @param failed  receives the first that is no success
static void link_take_piped(TrnPgLink *link, const TrnPgAsked *asked, PGresult *result,
                            PGresult **failed)
{
    const ExecStatusType status = PQresultStatus(result);
    const bool is_good = status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK;
    if (is_good && asked) {
        link->prepared |= asked->prepares;
        link_visit_rows(result, asked->visit, asked->user);
    } else if (!is_good && !*failed && status != PGRES_PIPELINE_ABORTED) {
        *failed = result;
        return;
    }
    PQclear(result);
}

/// Closes the connection; what was sent of a pipeline is not committed then. @return false
static bool link_drop_pipe(TrnPgLink *link)
{
    const TrnPgFault why = link->fault;
    trn_pg_disconnect(link);
    link->fault = why;
    return false;
}

bool trn_pg_pipe_end(TrnPgLink *link, bool is_sent)
{
    const TrnPgPipe *pipe = link->pipe;
    PGresult *failed = NULL;
    bool is_synced = false;
    if (!is_sent) {
        return link_drop_pipe(link);
    }
    link->pipe = NULL;
    if (!PQpipelineSync(link->db)) {
        link_fail_result(link, NULL);
        return false;
    }
    // Each statement has an answer, and an end of it; behind the last the server tells that it is
    // through, or why it could not commit.
    for (int at = 0; !is_synced && at <= pipe->count;) {
        if (!link_wait(link)) {
            PQclear(failed);
            return false;
        }
        PGresult *result = PQgetResult(link->db);
        is_synced = result && PQresultStatus(result) == PGRES_PIPELINE_SYNC;
        if (!result) {
            at++;
        } else if (is_synced) {
            PQclear(result);
        } else {
            link_take_piped(link, at < pipe->count ? &pipe->asked[at] : NULL, result, &failed);
        }
    }
    if (!failed && is_synced && PQexitPipelineMode(link->db)) {
        return true;
    }
    if (is_synced) {
        (void)PQexitPipelineMode(link->db);
    }
    link_fail_result(link, failed);
    link->fault.is_lost |= !is_synced;
    return false;
}

// ---- parameters and fields ---------------------------------------------------------------------

void trn_pg_append(TrnPgBytes *to, const void *bytes, size_t count)
{
    if (!to->has_failed && to->capacity - to->count < count) {
        const size_t wanted = to->count + count + to->capacity;
        unsigned char *larger = realloc(to->bytes, wanted);
        to->has_failed = larger == NULL;
        to->bytes = larger ? larger : to->bytes;
        to->capacity = larger ? wanted : to->capacity;
    }
    if (!to->has_failed && count) {
        memcpy(to->bytes + to->count, bytes, count);
        to->count += count;
    }
}

void trn_pg_append_number(TrnPgBytes *to, uint64_t number, size_t size)
{
    unsigned char bytes[LINK_NUMBER_BYTES_MAX];
    for (size_t i = 0; i < size; i++) {
        bytes[i] = (unsigned char)(number >> 8 * (size - 1 - i));
    }
    trn_pg_append(to, bytes, size);
}

void trn_pg_begin_array(TrnPgBytes *to, Oid item_type, size_t count)
{
    trn_pg_append_number(to, count ? 1 : 0, 4); // dimensions
    trn_pg_append_number(to, 0, 4);             // no NULLs
    trn_pg_append_number(to, item_type, 4);
    if (count) {
        trn_pg_append_number(to, count, 4);
        trn_pg_append_number(to, 1, 4); // the first index
    }
}

void trn_pg_append_item(TrnPgBytes *to, const void *bytes, size_t size)
{
    trn_pg_append_number(to, size, 4);
    trn_pg_append(to, bytes, size);
}

void trn_pg_append_number_item(TrnPgBytes *to, uint64_t number, size_t size)
{
    trn_pg_append_number(to, size, 4);
    trn_pg_append_number(to, number, size);
}

bool trn_pg_free_params(TrnPgBytes *params, int count)
{
    bool is_good = true;
    for (int i = 0; i < count; i++) {
        is_good = is_good && !params[i].has_failed;
        free(params[i].bytes);
        params[i] = (TrnPgBytes){0};
    }
    return is_good;
}

int64_t trn_pg_number(const PGresult *rows, int row, int column)
{
    const unsigned char *bytes = (const unsigned char *)PQgetvalue(rows, row, column);
    const int size = PQgetlength(rows, row, column);
    uint64_t number = 0;
    for (int i = 0; i < size && i < LINK_NUMBER_BYTES_MAX; i++) {
        number = number << 8 | bytes[i];
    }
    return size == 4   ? (int64_t)(int32_t)(uint32_t)number
           : size == 2 ? (int64_t)(int16_t)(uint16_t)number
                       : (int64_t)number;
}

// ---- news --------------------------------------------------------------------------------------

int trn_pg_socket(const TrnPgLink *link)
{
    return link->db ? PQsocket(link->db) : -1;
}

bool trn_pg_next_notice(TrnPgLink *link, TrnPgNotice *notice)
{
    PGnotify *come = link->db && PQconsumeInput(link->db) ? PQnotifies(link->db) : NULL;
    if (come) {
        (void)snprintf(notice->channel, sizeof notice->channel, "%s", come->relname);
        (void)snprintf(notice->text, sizeof notice->text, "%s", come->extra);
        PQfreemem(come);
    }
    return come != NULL;
}
