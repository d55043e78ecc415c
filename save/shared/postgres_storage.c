// A storage in a PostgreSQL database. One connection writes; reads take one of their own from a
// list, as in SQLite. A connection that breaks is made again, and the call begins anew: what a
// batch writes is the same when it is written twice. A new writer first ends the server's process
// of the one before.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <terrane/shared.h>

#include "base/clock.h"
#include "base/thread.h"
#include "postgres_link.h"
#include "postgres_put.h"
#include "postgres_storage.h"
#include "region.h"

#define POSTGRES_READERS_KEPT 16
#define POSTGRES_BATCH_KEYS 64      // from there on, a row in a batch takes hardly less time
#if !defined POSTGRES_RETRY_SECONDS // a test waits for less
#define POSTGRES_RETRY_SECONDS 10.0 // from the first failure of a call
#endif
// Of a read from one of several servers: threads that wait for it do not serve the others.
#define POSTGRES_PART_SECONDS (POSTGRES_RETRY_SECONDS / 5)
#define POSTGRES_GONE_SECONDS 1.0 // between two tries to reach one of several that does not answer
#define POSTGRES_MADE_SECONDS 5.0 // for tables that another process makes
#define POSTGRES_DELAY_FIRST 0.05 // seconds; doubles
#define POSTGRES_DELAY_MAX 1.0
#define POSTGRES_REGIONS_MAX 1024 // of a range, until it is listed without them
#define POSTGRES_NAME_BYTES 128

typedef struct PostgresStorage {
    char *url;
    char name[POSTGRES_NAME_BYTES]; ///< the URL without user, password and options
    bool is_read_only;
    TrnStorageMode mode;
    TrnPgLog log; ///< of all its connections
    TrnPgLink writer;
    TrnPgProcess wrote;                       ///< answered the writer last
    TrnMutex mutex;                           ///< of what follows
    TrnCondition delayed;                     ///< nothing wakes it: a wait with a limit
    TrnPgLink readers[POSTGRES_READERS_KEPT]; ///< [reader_count] not in use
    uint32_t reader_count;
    TrnPgServer server; ///< which of the world's
    bool is_checked;    ///< its tables are those of the server
    double gone_us;     ///< of several servers: it does not answer; until then none asks it again
    TrnLeases leases;
    uint64_t watched;
    TrnStorageProblem problem;      ///< the last one
    TrnStorageNoticeVisitor notice; ///< NULL: none
    void *notice_user;
} PostgresStorage;

// ---- statements --------------------------------------------------------------------------------

#define POSTGRES_COLUMNS "level, x, y, z, revision, bytes"
#define POSTGRES_IN_BOX                                                                            \
    "level = $1 AND x BETWEEN $2 AND $3 AND y BETWEEN $4 AND $5 AND z BETWEEN $6 AND $7 "
#define POSTGRES_BOX_TYPES                                                                         \
    TRN_PG_INT4, TRN_PG_INT4, TRN_PG_INT4, TRN_PG_INT4, TRN_PG_INT4, TRN_PG_INT4, TRN_PG_INT4

static const TrnPgStatement POSTGRES_GET = {
    "terrane_get",
    "SELECT c.level, c.x, c.y, c.z, c.revision, c.bytes FROM " TRN_PG_KEYS
    "JOIN terrane_chunks AS c ON " TRN_PG_KEYS_ARE_EQUAL,
    0,
    5,
    {TRN_PG_KEY_TYPES}};
static const TrnPgStatement POSTGRES_LIST = {
    "terrane_list",
    "SELECT " POSTGRES_COLUMNS " FROM terrane_chunks WHERE " POSTGRES_IN_BOX "AND revision > $8",
    1,
    8,
    {POSTGRES_BOX_TYPES, TRN_PG_INT8}};
static const TrnPgStatement POSTGRES_LIST_NEAR = {"terrane_list_near",
                                                  "SELECT " POSTGRES_COLUMNS
                                                  " FROM terrane_chunks WHERE " POSTGRES_IN_BOX
                                                  "AND region = ANY ($8)",
                                                  2,
                                                  8,
                                                  {POSTGRES_BOX_TYPES, TRN_PG_INT8S}};
static const TrnPgStatement POSTGRES_VALUES = {
    "terrane_values_get",
    "SELECT name, bytes FROM terrane_values WHERE name >= $1 AND name < $2 ORDER BY name",
    3,
    2,
    {TRN_PG_BYTEA, TRN_PG_BYTEA}};

// ---- problems ----------------------------------------------------------------------------------

/// Returns the host of a URL, which follows user and password. A password may have an '@', and as
/// libpq reads it a '?'.
static const char *postgres_host(const char *rest)
{
    static const char *const ends[] = {"?", "/"};
    const char *host = rest;
    for (int i = 0; i < 2 && host == rest; i++) {
        const char *const end = rest + strcspn(rest, ends[i]);
        for (const char *c = rest; c < end; c++) {
            host = *c == '@' ? c + 1 : host;
        }
    }
    return host;
}

/// Copies a URL without what may be secret, or too long.
static void postgres_set_name(PostgresStorage *storage)
{
    const char *rest = strstr(storage->url, "://");
    const char *host = postgres_host(rest ? rest + 3 : storage->url);
    char which[32] = "";
    if (storage->server.count > 1) {
        (void)snprintf(which, sizeof which, "server %d, ", (int)storage->server.number);
    }
    (void)snprintf(storage->name, sizeof storage->name, "%spostgresql://%.*s", which,
                   (int)strcspn(host, "?"), host);
}

/// Notes why a call on a link failed. @return the result for it
static TrnResult postgres_fail(PostgresStorage *storage, const TrnPgLink *link)
{
    trn_mutex_lock(&storage->mutex);
    (void)snprintf(storage->problem.sentence, sizeof storage->problem.sentence, "%s: %s.",
                   storage->name, link->fault.text);
    trn_mutex_unlock(&storage->mutex);
    return link->fault.result;
}

static void postgres_problem(void *user, char *text, size_t capacity)
{
    PostgresStorage *storage = user;
    trn_mutex_lock(&storage->mutex);
    (void)snprintf(text, capacity, "%s", storage->problem.sentence);
    trn_mutex_unlock(&storage->mutex);
}

/// Passes on what the server remarks.
static void postgres_log(void *user, const char *sentence)
{
    PostgresStorage *storage = user;
    trn_mutex_lock(&storage->mutex);
    const TrnStorageNoticeVisitor visit = storage->notice;
    void *const visitor = storage->notice_user;
    trn_mutex_unlock(&storage->mutex);
    if (visit) {
        visit(visitor, sentence);
    }
}

// ---- connections -------------------------------------------------------------------------------

static void postgres_take_reader(PostgresStorage *storage, TrnPgLink *link)
{
    *link = (TrnPgLink){.log = &storage->log};
    trn_mutex_lock(&storage->mutex);
    if (storage->reader_count) {
        *link = storage->readers[--storage->reader_count];
    }
    trn_mutex_unlock(&storage->mutex);
}

static void postgres_give_reader(PostgresStorage *storage, TrnPgLink *link)
{
    trn_mutex_lock(&storage->mutex);
    const bool is_kept = link->db && storage->reader_count < POSTGRES_READERS_KEPT;
    if (is_kept) {
        storage->readers[storage->reader_count++] = *link;
    }
    trn_mutex_unlock(&storage->mutex);
    if (!is_kept) {
        trn_pg_disconnect(link);
    }
}

static void postgres_delay(PostgresStorage *storage, double seconds)
{
    const double until_us = trn_clock_us() + seconds * 1e6;
    trn_mutex_lock(&storage->mutex);
    while (trn_clock_us() < until_us) {
        trn_condition_wait_for(&storage->delayed, &storage->mutex, seconds);
    }
    trn_mutex_unlock(&storage->mutex);
}

/// Whether a server may be asked: of several, one that does not answer is tried now and then, by
/// one thread, and fails at once for the others.
static bool postgres_may_ask(PostgresStorage *storage, bool *is_gone)
{
    const double now_us = trn_clock_us();
    trn_mutex_lock(&storage->mutex);
    *is_gone = storage->gone_us > 0;
    const bool may_ask = !*is_gone || now_us >= storage->gone_us;
    if (*is_gone && may_ask) {
        storage->gone_us = now_us + POSTGRES_GONE_SECONDS * 1e6;
    }
    trn_mutex_unlock(&storage->mutex);
    return may_ask;
}

/// Notes whether one of several servers answers.
static void postgres_note_gone(PostgresStorage *storage, bool is_gone)
{
    if (storage->server.count > 1) {
        trn_mutex_lock(&storage->mutex);
        storage->gone_us = is_gone ? trn_clock_us() + POSTGRES_GONE_SECONDS * 1e6 : 0;
        trn_mutex_unlock(&storage->mutex);
    }
}

/// Connects, and checks a server that did not answer when the world was opened.
static bool postgres_connect(PostgresStorage *storage, TrnPgLink *link)
{
    TrnPgServer server = storage->server;
    if (!link->db && !trn_pg_connect(link, storage->url)) {
        return false;
    }
    trn_mutex_lock(&storage->mutex);
    const bool is_checked = storage->is_checked;
    trn_mutex_unlock(&storage->mutex);
    if (!is_checked && trn_pg_prepare_world(link, storage->mode, &server)) {
        trn_mutex_lock(&storage->mutex);
        storage->is_checked = true;
        trn_mutex_unlock(&storage->mutex);
        return true;
    }
    return is_checked;
}

/// Does work, again after a connection broke or a transaction lost against another, until that took
/// too long. Work that must not be repeated clears both flags of its fault.
/// @param seconds  from the first failure
static TrnResult postgres_work(PostgresStorage *storage, TrnPgLink *link, double seconds,
                               TrnPostgresWork *work, void *context)
{
    double delay = POSTGRES_DELAY_FIRST;
    bool is_gone;
    if (!postgres_may_ask(storage, &is_gone)) {
        return TRN_RESULT_IO; // the sentence is that of the last try
    }
    const double until_us = trn_clock_us() + (is_gone ? 0 : seconds * 1e6);
    for (;;) {
        if (postgres_connect(storage, link) && work(link, context)) {
            postgres_note_gone(storage, false);
            return TRN_RESULT_OK;
        }
        const bool is_again = link->fault.is_lost || link->fault.is_again;
        if (link->fault.is_lost || !is_again) {
            trn_pg_disconnect(link); // with it goes a transaction that is open
        }
        if (!is_again || trn_clock_us() + delay * 1e6 > until_us) {
            postgres_note_gone(storage, link->fault.is_lost);
            return postgres_fail(storage, link);
        }
        postgres_delay(storage, delay);
        delay = delay * 2 < POSTGRES_DELAY_MAX ? delay * 2 : POSTGRES_DELAY_MAX;
    }
}

static TrnResult postgres_read(PostgresStorage *storage, TrnPostgresWork *work, void *context)
{
    TrnPgLink link;
    postgres_take_reader(storage, &link);
    const TrnResult result = postgres_work(
        storage, &link, storage->server.count > 1 ? POSTGRES_PART_SECONDS : POSTGRES_RETRY_SECONDS,
        work, context);
    postgres_give_reader(storage, &link);
    return result;
}

// ---- reading -----------------------------------------------------------------------------------

/// Visits rows. @return false if the visitor stopped
static bool postgres_visit(const PGresult *rows, TrnStorageRowVisitor visit, void *visitor)
{
    const int count = PQntuples(rows);
    for (int i = 0; i < count; i++) {
        const TrnStorageRow row = {.key = {.coord = {(int32_t)trn_pg_number(rows, i, 1),
                                                     (int32_t)trn_pg_number(rows, i, 2),
                                                     (int32_t)trn_pg_number(rows, i, 3)},
                                           .level = (uint32_t)trn_pg_number(rows, i, 0)},
                                   .revision = (uint64_t)trn_pg_number(rows, i, 4),
                                   .bytes = PQgetvalue(rows, i, 5),
                                   .size = (size_t)PQgetlength(rows, i, 5)};
        if (!visit(visitor, &row)) {
            return false;
        }
    }
    return true;
}

typedef struct PostgresRead {
    const TrnPgStatement *statement;
    TrnPgBytes params[TRN_PG_PARAMS_MAX];
    PGresult *rows; ///< of postgres_fetch
    TrnStorageRowVisitor visit;
    void *visitor;
} PostgresRead;

static bool postgres_fetch(TrnPgLink *link, void *context)
{
    PostgresRead *read = context;
    read->rows = trn_pg_call(link, read->statement, read->params);
    return read->rows != NULL;
}

/// Rows by key while they are read.
typedef struct PostgresGet {
    const TrnStorageKey *keys[TRN_PG_ROWS_MAX]; ///< [count] NULL: its row was visited
    size_t count;
    size_t next; ///< where to look for the next row's: most come in order
    TrnStorageRowVisitor visit;
    void *visitor;
    bool goes_on; ///< the visitor does
} PostgresGet;

/// Whether a row has a key that is left; if so, the key no longer is.
static bool postgres_take_key(PostgresGet *get, const PGresult *row)
{
    const TrnCoord coord = {(int32_t)trn_pg_number(row, 0, 1), (int32_t)trn_pg_number(row, 0, 2),
                            (int32_t)trn_pg_number(row, 0, 3)};
    for (size_t i = 0; i < get->count; i++) {
        const size_t at = (get->next + i) % get->count;
        const TrnStorageKey *key = get->keys[at];
        if (key && key->level == (uint32_t)trn_pg_number(row, 0, 0) &&
            trn_coord_equal(key->coord, coord)) {
            get->keys[at] = NULL;
            get->next = at + 1;
            return true;
        }
    }
    return false;
}

/// Visits rows as they come. It can be repeated: rows that were visited are not asked for again.
static bool postgres_get_rows(TrnPgLink *link, void *context)
{
    PostgresGet *get = context;
    TrnPgBytes params[5] = {{0}};
    size_t left = 0;
    for (size_t i = 0; i < get->count; i++) {
        get->keys[left] = get->keys[i];
        left += get->keys[i] != NULL;
    }
    get->count = left;
    get->next = 0;
    trn_pg_add_keys(params, get->keys, left);
    bool is_good = trn_pg_start(link, &POSTGRES_GET, params);
    PGresult *row = NULL;
    while (is_good && (row = trn_pg_next(link, &is_good))) {
        if (get->goes_on && postgres_take_key(get, row)) {
            get->goes_on = postgres_visit(row, get->visit, get->visitor);
        }
        PQclear(row);
    }
    (void)trn_pg_free_params(params, 5);
    if (!is_good) {
        link->fault.is_lost = link->fault.is_lost || link->fault.is_again;
        if (!get->goes_on) { // the rest is of no interest, but was not read
            trn_pg_disconnect(link);
        }
    }
    return is_good || !get->goes_on;
}

static TrnResult postgres_get(void *user, const TrnStorageKey *keys, size_t count,
                              TrnStorageRowVisitor visit, void *visitor)
{
    PostgresGet get = {.visit = visit, .visitor = visitor, .goes_on = true};
    TrnResult result = TRN_RESULT_OK;
    for (size_t at = 0; at < count && get.goes_on && result == TRN_RESULT_OK;) {
        for (get.count = 0; get.count < TRN_PG_ROWS_MAX && at < count; at++) {
            get.keys[get.count++] = &keys[at];
        }
        result = postgres_read(user, postgres_get_rows, &get);
    }
    return result;
}

/// Lets statements read whole tables, or no longer: see trn_pg_connect.
/// @param how  "on" or "off"  @return false if the connection is broken
static bool postgres_set_scans(TrnPgLink *link, const char *how)
{
    char text[64];
    (void)snprintf(text, sizeof text, "SET enable_seqscan = %s", how);
    return trn_pg_run(link, text) || !link->fault.is_lost;
}

/// Visits rows as they come. Rows that were visited cannot be visited again, so it is not repeated.
static bool postgres_stream(TrnPgLink *link, void *context)
{
    PostgresRead *read = context;
    const bool is_whole = read->statement == &POSTGRES_LIST; // for which no index helps
    bool is_good = (!is_whole || postgres_set_scans(link, "on")) &&
                   trn_pg_start(link, read->statement, read->params);
    bool is_first = true;
    PGresult *row = NULL;
    while (is_good && (row = trn_pg_next(link, &is_good))) {
        const bool goes_on = postgres_visit(row, read->visit, read->visitor);
        PQclear(row);
        is_first = false;
        if (!goes_on) {
            trn_pg_disconnect(link); // the server stops sending
            return true;
        }
    }
    if (!is_good && !is_first) {
        link->fault.is_lost = link->fault.is_again = false;
    } else if (!is_good) {
        link->fault.is_lost = link->fault.is_lost || link->fault.is_again;
    } else if (is_whole && !postgres_set_scans(link, "off")) {
        trn_pg_disconnect(link); // all rows were visited
    }
    return is_good;
}

static TrnResult postgres_list(void *user, const TrnStorageRange *range, TrnStorageRowVisitor visit,
                               void *visitor)
{
    const TrnBox *box = &range->box;
    const int32_t bounds[] = {box->min.x, box->max.x, box->min.y,
                              box->max.y, box->min.z, box->max.z};
    int64_t regions[POSTGRES_REGIONS_MAX];
    const size_t count =
        range->since ? 0 : trn_storage_regions(box, range->level, regions, POSTGRES_REGIONS_MAX);
    PostgresRead read = {.statement = count ? &POSTGRES_LIST_NEAR : &POSTGRES_LIST,
                         .visit = visit,
                         .visitor = visitor};
    trn_pg_append_number(&read.params[0], range->level, 4);
    for (int i = 0; i < 6; i++) {
        trn_pg_append_number(&read.params[1 + i], (uint32_t)bounds[i], 4);
    }
    if (count) {
        trn_pg_begin_array(&read.params[7], TRN_PG_INT8, count);
        for (size_t i = 0; i < count; i++) {
            trn_pg_append_number_item(&read.params[7], (uint64_t)regions[i], 8);
        }
    } else {
        trn_pg_append_number(&read.params[7], range->since, 8);
    }
    const TrnResult result = postgres_read(user, postgres_stream, &read);
    (void)trn_pg_free_params(read.params, TRN_PG_PARAMS_MAX);
    return result;
}

static TrnResult postgres_values(void *user, const char *prefix, TrnStorageValueVisitor visit,
                                 void *visitor)
{
    PostgresRead read = {.statement = &POSTGRES_VALUES};
    trn_pg_append(&read.params[0], prefix, strlen(prefix));
    trn_pg_append(&read.params[1], prefix, strlen(prefix));
    trn_pg_append(&read.params[1], "\xFF", 1); // behind every name of UTF-8 that begins with it
    const TrnResult result = postgres_read(user, postgres_fetch, &read);
    bool goes_on = result == TRN_RESULT_OK;
    for (int i = 0; goes_on && i < PQntuples(read.rows); i++) {
        const TrnStorageValue value = {PQgetvalue(read.rows, i, 0), PQgetvalue(read.rows, i, 1),
                                       (size_t)PQgetlength(read.rows, i, 1)};
        goes_on = visit(visitor, &value);
    }
    PQclear(read.rows);
    (void)trn_pg_free_params(read.params, TRN_PG_PARAMS_MAX);
    return result;
}

/// Others may write at any time, and no number that all of them change would let them write at
/// once.
static uint64_t postgres_watch(void *user)
{
    PostgresStorage *storage = user;
    trn_mutex_lock(&storage->mutex);
    const uint64_t now = ++storage->watched;
    trn_mutex_unlock(&storage->mutex);
    return now;
}

// ---- writing -----------------------------------------------------------------------------------

typedef struct PostgresPut {
    TrnPgPut put;
    TrnPgProcess *wrote;
} PostgresPut;

static bool postgres_write(TrnPgLink *link, void *context)
{
    PostgresPut *put = context;
    return trn_pg_take_over(link, put->wrote) && trn_pg_put_write(link, &put->put);
}

static TrnResult postgres_put(void *user, const TrnStorageBatch *batch)
{
    PostgresStorage *storage = user;
    if (storage->is_read_only) {
        const TrnPgLink refused = {
            .fault = {.result = TRN_RESULT_IO,
                      .text = "it was opened for reading and may only be read"}};
        return postgres_fail(storage, &refused);
    }
    PostgresPut put = {.wrote = &storage->wrote};
    TrnResult result = TRN_RESULT_NO_MEMORY;
    if (trn_pg_put_begin(&put.put, batch, &storage->leases)) {
        result =
            postgres_work(storage, &storage->writer, POSTGRES_RETRY_SECONDS, postgres_write, &put);
    }
    trn_pg_put_end(&put.put);
    return result;
}

// ---- opening -----------------------------------------------------------------------------------

static void postgres_close(void *user)
{
    PostgresStorage *storage = user;
    for (uint32_t i = 0; i < storage->reader_count; i++) {
        trn_pg_disconnect(&storage->readers[i]);
    }
    trn_pg_disconnect(&storage->writer);
    trn_condition_destroy(&storage->delayed);
    trn_mutex_destroy(&storage->mutex);
    free(storage->leases.items);
    free(storage->url);
    free(storage);
}

static PostgresStorage *postgres_new(const char *url, TrnStorageMode mode,
                                     const TrnPgServer *server)
{
    PostgresStorage *storage = calloc(1, sizeof *storage);
    const size_t bytes = strlen(url) + 1;
    if (!storage) {
        return NULL;
    }
    storage->url = malloc(bytes);
    if (!storage->url || !trn_mutex_init(&storage->mutex)) {
        free(storage->url);
        free(storage);
        return NULL;
    }
    if (!trn_condition_init(&storage->delayed)) {
        trn_mutex_destroy(&storage->mutex);
        free(storage->url);
        free(storage);
        return NULL;
    }
    memcpy(storage->url, url, bytes);
    storage->leases.mutex = &storage->mutex;
    storage->mode = mode;
    storage->is_read_only = mode == TRN_STORAGE_READ_ONLY;
    storage->server = *server;
    storage->log = (TrnPgLog){postgres_log, storage};
    storage->writer.log = &storage->log;
    postgres_set_name(storage);
    return storage;
}

/// Checks the tables. Waits for tables that another process makes.
static bool postgres_prepare(PostgresStorage *storage, TrnPgLink *link)
{
    const double until_us = trn_clock_us() + POSTGRES_MADE_SECONDS * 1e6;
    bool is_good = trn_pg_prepare_world(link, storage->mode, &storage->server);
    while (!is_good && link->fault.is_again && trn_clock_us() < until_us) {
        postgres_delay(storage, POSTGRES_DELAY_FIRST);
        is_good = trn_pg_prepare_world(link, storage->mode, &storage->server);
    }
    return is_good;
}

/// Connects once: a wrong URL is told at once.
static TrnResult postgres_open(PostgresStorage *storage, bool may_be_gone)
{
    TrnPgLink *link = &storage->writer;
    const bool is_connected = trn_pg_connect(link, storage->url);
    if (is_connected && trn_pg_is_direct(link, storage->url) && postgres_prepare(storage, link)) {
        storage->is_checked = true;
        return TRN_RESULT_OK;
    }
    const TrnResult result = postgres_fail(storage, link);
    const bool is_gone = link->fault.is_lost;
    trn_pg_disconnect(link);
    if (is_gone && may_be_gone) {
        postgres_note_gone(storage, true);
        return TRN_RESULT_OK;
    }
    return result;
}

TrnResult trn_postgres_open(const char *url, TrnStorageMode mode, TrnPgServer *server,
                            bool may_be_gone, TrnStorage *storage, TrnStorageProblem *problem)
{
    PostgresStorage *made = postgres_new(url, mode, server);
    if (!made) {
        return TRN_RESULT_NO_MEMORY;
    }
    const TrnResult result = postgres_open(made, may_be_gone);
    if (result != TRN_RESULT_OK) {
        if (problem) {
            *problem = made->problem;
        }
        postgres_close(made);
        return result;
    }
    *server = made->server;
    *storage = (TrnStorage){.get = postgres_get,
                            .list = postgres_list,
                            .values = postgres_values,
                            .put = postgres_put,
                            .watch = postgres_watch,
                            .problem = postgres_problem,
                            .close = postgres_close,
                            .user = made,
                            .batch_keys = POSTGRES_BATCH_KEYS};
    return TRN_RESULT_OK;
}

// ---- for leases and jobs -----------------------------------------------------------------------

TrnLeases *trn_postgres_leases(const TrnStorage *storage)
{
    PostgresStorage *shared = storage && storage->get == postgres_get ? storage->user : NULL;
    return shared ? &shared->leases : NULL;
}

void trn_postgres_watch_notices(const TrnStorage *storage, TrnStorageNoticeVisitor visit,
                                void *user)
{
    PostgresStorage *shared = storage->user;
    trn_mutex_lock(&shared->mutex);
    shared->notice = visit;
    shared->notice_user = user;
    trn_mutex_unlock(&shared->mutex);
}

const TrnPgLog *trn_postgres_log(const TrnStorage *storage)
{
    return &((const PostgresStorage *)storage->user)->log;
}

const char *trn_postgres_name(const TrnStorage *storage)
{
    return ((const PostgresStorage *)storage->user)->name;
}

const char *trn_postgres_url(const TrnStorage *storage)
{
    return ((const PostgresStorage *)storage->user)->url;
}

TrnResult trn_postgres_work(const TrnStorage *storage, TrnPostgresWork *work, void *context)
{
    return postgres_read(storage->user, work, context);
}
