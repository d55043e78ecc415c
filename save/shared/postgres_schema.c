// The tables of a world: see postgres_schema.h and docs/shared.md.

#include "postgres_schema.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/entropy.h"

#define SCHEMA_FORMAT 3
#define SCHEMA_FORMAT_SERVERS 4 ///< of a world on several servers, which programs of 3 refuse
#define SCHEMA_FORMAT_READ 2    ///< the oldest whose rows of chunks and values are those of today

static const TrnPgStatement SCHEMA_READ_FORMAT = {
    "terrane_read_format", "SELECT format FROM terrane_format", 8, 0, {0}};
static const TrnPgStatement SCHEMA_HAS_CONTENT = {
    "terrane_has_content",
    "SELECT CASE WHEN EXISTS (SELECT 1 FROM terrane_values) OR EXISTS (SELECT 1 FROM "
    "terrane_chunks) THEN 1 ELSE 0 END",
    9,
    0,
    {0}};

static const TrnPgStatement SCHEMA_SERVER = {
    "terrane_server", "SELECT number, count, world FROM terrane_server", 22, 0, {0}};
static const TrnPgStatement SCHEMA_DATABASE = {
    "terrane_database",
    "SELECT system_identifier, (SELECT oid::bigint FROM pg_database WHERE datname = "
    "current_database()), current_schema()::regnamespace::oid::bigint FROM pg_control_system()",
    23,
    0,
    {0}};

/// What changed in a region, in order: see postgres_put.h.
#define SCHEMA_CHANGES                                                                             \
    "terrane_changes (region bigint NOT NULL, change bigint NOT NULL, chunks bytea, "              \
    "PRIMARY KEY (region, change));"

/// Names are bytes, so that their order is that of files, whatever the database's language. The
/// key begins with the region, by which engines that spread a table over machines can do so. No
/// index has a column that an update changes, and pages have room for the next version of a row:
/// then an update writes no index, and its old version goes away without a vacuum.
static const char SCHEMA_TABLES[] =
    "CREATE TABLE terrane_chunks (region bigint NOT NULL, level int NOT NULL, x int NOT NULL, "
    "y int NOT NULL, z int NOT NULL, revision bigint NOT NULL, "
    "bytes bytea NOT NULL, PRIMARY KEY (region, level, x, y, z));"
    "CREATE TABLE terrane_regions (region bigint PRIMARY KEY, change bigint NOT NULL);"
    "CREATE TABLE " SCHEMA_CHANGES
    "CREATE TABLE terrane_edits (region bigint NOT NULL, member bigint NOT NULL, "
    "number bigint NOT NULL, ticket bigint GENERATED ALWAYS AS IDENTITY, bytes bytea NOT NULL, "
    "change bigint NOT NULL DEFAULT 0, expires timestamptz NOT NULL DEFAULT to_timestamp(0), "
    "PRIMARY KEY (region, member, number));"
    "CREATE TABLE terrane_players (member bigint PRIMARY KEY, name bytea NOT NULL, "
    "x double precision NOT NULL, y double precision NOT NULL, z double precision NOT NULL, "
    "yaw double precision NOT NULL, pitch double precision NOT NULL, "
    "expires timestamptz NOT NULL);"
    "CREATE TABLE terrane_values (name bytea PRIMARY KEY, bytes bytea NOT NULL);"
    "CREATE TABLE terrane_leases (region bigint PRIMARY KEY, owner bytea NOT NULL, "
    "term bigint NOT NULL, expires timestamptz NOT NULL, ms bigint NOT NULL, "
    "token bigint NOT NULL);"
    "CREATE TABLE terrane_jobs (region bigint NOT NULL, job bytea NOT NULL, x int NOT NULL, "
    "y int NOT NULL, z int NOT NULL, is_done boolean NOT NULL DEFAULT false, "
    "expires timestamptz NOT NULL DEFAULT to_timestamp(0), PRIMARY KEY (region, job));"
    "CREATE INDEX terrane_jobs_open ON terrane_jobs (job, region) WHERE NOT is_done;"
    "CREATE TABLE terrane_format (format int PRIMARY KEY);"
    "INSERT INTO terrane_format (format) VALUES (3);";

/// What an engine that speaks the protocol and keeps rows in another way may refuse. Rows are
/// compressed already.
static const char SCHEMA_STORAGE[] =
    "ALTER TABLE terrane_chunks ALTER COLUMN bytes SET STORAGE EXTERNAL;"
    "ALTER TABLE terrane_chunks SET (fillfactor = 85);"
    "ALTER TABLE terrane_regions SET (fillfactor = 50);"
    "ALTER TABLE terrane_leases SET (fillfactor = 50);"
    "ALTER TABLE terrane_players SET (fillfactor = 50);"
    "ALTER TABLE terrane_values SET (fillfactor = 50);"
    "ALTER TABLE terrane_edits SET (fillfactor = 70)";

/// From format 2. Each command is safe if another process has just run all of them. The numbers of
/// edits go on: the queue keeps its order.
static const char SCHEMA_UPDATE[] =
    "UPDATE terrane_format SET format = 3;" // another process that does so waits here
    "CREATE TABLE IF NOT EXISTS " SCHEMA_CHANGES "DROP INDEX IF EXISTS terrane_chunks_change;"
    "ALTER TABLE terrane_chunks DROP COLUMN IF EXISTS change;"
    "DROP TABLE IF EXISTS terrane_removals;"
    "ALTER TABLE terrane_leases ADD COLUMN IF NOT EXISTS token bigint NOT NULL DEFAULT 0;"
    "ALTER TABLE terrane_edits ALTER COLUMN ticket DROP IDENTITY IF EXISTS;"
    "ALTER TABLE terrane_edits ALTER COLUMN ticket DROP DEFAULT;"
    "DROP SEQUENCE IF EXISTS terrane_edits_ticket_seq;"
    "ALTER TABLE terrane_edits ALTER COLUMN ticket ADD GENERATED ALWAYS AS IDENTITY;"
    "SELECT setval(pg_get_serial_sequence('terrane_edits', 'ticket'), max(ticket)) "
    "FROM terrane_edits HAVING max(ticket) >= 1";

/// Reads a number. @return false with a fault; also if there is no row
static bool schema_read_number(TrnPgLink *link, const TrnPgStatement *statement, int64_t *number)
{
    const int rows = trn_pg_ask(link, statement, NULL, 1, number);
    return rows > 0 ||
           (rows == 0 && trn_pg_refuse(link, TRN_RESULT_CORRUPT,
                                       "its tables are not those of a world of Terrane"));
}

/// Whether a table could not be made because there is one, or the type of its rows.
static bool schema_is_made(const TrnPgFault *why)
{
    static const char *const STATES[] = {"42P07", "42710", "23505"};
    bool is_made = false;
    for (size_t i = 0; i < sizeof STATES / sizeof *STATES; i++) {
        is_made = is_made || strcmp(why->state, STATES[i]) == 0;
    }
    return is_made;
}

#define SCHEMA_SERVER_BYTES 384

/// Writes the commands that make the tables.
static void schema_write_tables(const TrnPgServer *server, char *text, size_t capacity)
{
    const int length = snprintf(text, capacity, "%s", SCHEMA_TABLES);
    if (server->count > 1) {
        const int64_t world = server->world ? server->world : (int64_t)(trn_entropy_key() >> 1) | 1;
        (void)snprintf(text + length, capacity - (size_t)length,
                       "UPDATE terrane_format SET format = %d;"
                       "CREATE TABLE terrane_server (number bigint PRIMARY KEY, "
                       "count bigint NOT NULL, world bigint NOT NULL);"
                       "INSERT INTO terrane_server (number, count, world) "
                       "VALUES (%" PRId64 ", %" PRId64 ", %" PRId64 ");",
                       SCHEMA_FORMAT_SERVERS, server->number, server->count, world);
    }
}

/// Makes the tables. If another process makes them at the same time, the server answers with one of
/// several errors. So this looks for the tables after any error. A connection that has looked for a
/// table in vain may see it only after a while: the server tells its connections that there is a
/// table a moment after it has committed it.
static bool schema_make(TrnPgLink *link, const TrnPgServer *server, int64_t *format)
{
    char text[sizeof SCHEMA_TABLES + SCHEMA_SERVER_BYTES];
    schema_write_tables(server, text, sizeof text);
    if (trn_pg_run(link, text)) { // one transaction
        *format = server->count > 1 ? SCHEMA_FORMAT_SERVERS : SCHEMA_FORMAT;
        return trn_pg_run(link, SCHEMA_STORAGE) || !link->fault.is_lost;
    }
    const TrnPgFault why = link->fault;
    if (schema_read_number(link, &SCHEMA_READ_FORMAT, format)) {
        return true;
    }
    link->fault = why;
    link->fault.is_again = why.is_again || schema_is_made(&why);
    return strcmp(why.state, "42501") == 0 &&
           trn_pg_refuse(link, TRN_RESULT_IO,
                         "its user may not make tables; grant CREATE on the schema");
}

static bool schema_update(TrnPgLink *link)
{
    if (trn_pg_run(link, SCHEMA_UPDATE)) { // one transaction
        return trn_pg_run(link, SCHEMA_STORAGE) || !link->fault.is_lost;
    }
    return strcmp(link->fault.state, "42501") == 0 &&
           trn_pg_refuse(link, TRN_RESULT_IO,
                         "its tables are of an older version, which their owner brings up to date "
                         "by 'terrane fold'");
}

/// Whether the tables are those of the server that the caller takes it for.
static bool schema_check_server(TrnPgLink *link, int64_t format, TrnPgServer *server)
{
    char text[TRN_PG_TEXT_BYTES];
    int64_t is[3] = {1, 1, 0};
    if (format == SCHEMA_FORMAT_SERVERS && trn_pg_ask(link, &SCHEMA_SERVER, NULL, 3, is) <= 0) {
        return !link->fault.is_lost &&
               trn_pg_refuse(link, TRN_RESULT_CORRUPT,
                             "its tables do not say which server of a world it is");
    }
    if (is[1] != server->count && is[1] > 1) {
        (void)snprintf(text, sizeof text,
                       "it is server %" PRId64 " of the %" PRId64
                       " of a world; give the URLs of all %" PRId64
                       " in their order, with spaces between",
                       is[0], is[1], is[1]);
        return trn_pg_refuse(link, TRN_RESULT_BAD_ARGUMENT, text);
    }
    if (is[1] != server->count) {
        return trn_pg_refuse(link, TRN_RESULT_BAD_ARGUMENT,
                             "it holds a world that is on one server; give its URL alone, or move "
                             "the world to several empty databases by 'terrane copy'");
    }
    if (server->world && is[2] != server->world) {
        return trn_pg_refuse(link, TRN_RESULT_BAD_ARGUMENT,
                             "it is a server of another world than the first URL; give the URLs of "
                             "one world");
    }
    if (is[0] != server->number) {
        (void)snprintf(text, sizeof text,
                       "it is server %" PRId64 " of the world, and not %" PRId64
                       "; give each server once, in the order in which the world was made",
                       is[0], server->number);
        return trn_pg_refuse(link, TRN_RESULT_BAD_ARGUMENT, text);
    }
    server->world = is[2];
    return true;
}

/// Whether this version knows the tables.
static bool schema_check_format(TrnPgLink *link, int64_t format)
{
    if (format > SCHEMA_FORMAT_SERVERS) {
        return trn_pg_refuse(link, TRN_RESULT_CORRUPT,
                             "a newer version of Terrane made its tables; update this program");
    }
    return format >= SCHEMA_FORMAT_READ ||
           trn_pg_refuse(link, TRN_RESULT_CORRUPT,
                         "its tables are of an older version; copy the world with that version's "
                         "'terrane copy' into a file, and from there");
}

bool trn_pg_prepare_world(TrnPgLink *link, TrnStorageMode mode, TrnPgServer *server)
{
    const bool may_create = mode == TRN_STORAGE_CREATE || mode == TRN_STORAGE_EITHER;
    int64_t format = 0, has_content = 0;
    bool is_there = schema_read_number(link, &SCHEMA_READ_FORMAT, &format);
    if (!is_there && may_create && strcmp(link->fault.state, "42P01") == 0) {
        is_there = schema_make(link, server, &format);
    }
    if (!is_there || !schema_check_format(link, format) ||
        !schema_check_server(link, format, server) ||
        !schema_read_number(link, &SCHEMA_HAS_CONTENT, &has_content)) {
        return false;
    }
    if (mode == TRN_STORAGE_CREATE && has_content) {
        return trn_pg_refuse(link, TRN_RESULT_EXISTS,
                             "there is a world in this database already; choose another one");
    }
    return mode == TRN_STORAGE_READ_ONLY || format >= SCHEMA_FORMAT || schema_update(link);
}

bool trn_pg_database(TrnPgLink *link, TrnPgDatabase *database)
{
    int64_t row[3] = {0};
    const bool is_known = trn_pg_ask(link, &SCHEMA_DATABASE, NULL, 3, row) > 0;
    *database = (TrnPgDatabase){row[0], row[1], row[2]};
    return is_known || !link->fault.is_lost;
}
