// What goes on in a shared world, for its operators: see terrane/shared.h.

#include <stdio.h>
#include <string.h>

#include <terrane/shared.h>

#include "region.h"
#include "servers.h"

static const TrnPgStatement STATUS_TABLES = {
    "terrane_status_tables",
    "SELECT (SELECT count(*) FROM terrane_regions), "
    "(SELECT COALESCE(sum(change), 0)::bigint FROM terrane_regions), "
    "(SELECT count(*) FROM terrane_leases WHERE expires > clock_timestamp()), "
    "(SELECT count(*) FROM terrane_edits WHERE change = 0), "
    "(SELECT COALESCE(sum(octet_length(bytes)), 0)::bigint FROM terrane_edits WHERE change = 0), "
    "(SELECT count(*) FROM terrane_edits WHERE change <> 0 AND member <> 0), "
    "(SELECT count(*) FROM terrane_players WHERE expires > clock_timestamp())",
    57,
    0,
    {0}};
/// Of PostgreSQL itself: other engines may lack it, and a user may not see all.
static const TrnPgStatement STATUS_SERVER = {
    "terrane_status_server",
    "SELECT (SELECT count(*) FROM terrane_jobs WHERE NOT is_done), "
    "(SELECT count(*) FROM terrane_jobs WHERE is_done), "
    "(SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() "
    "AND backend_type = 'client backend'), "
    "(SELECT GREATEST(reltuples, 0)::bigint FROM pg_class WHERE oid = 'terrane_chunks'::regclass), "
    "(SELECT COALESCE(sum(pg_total_relation_size(c.oid)), 0)::bigint FROM pg_class AS c "
    "WHERE c.relkind = 'r' AND c.relname LIKE 'terrane\\_%' "
    "AND c.relnamespace = current_schema()::regnamespace), "
    "(SELECT count(*) FROM pg_stat_replication), "
    "(SELECT COALESCE(max(pg_current_wal_lsn() - replay_lsn), 0)::bigint "
    "FROM pg_stat_replication), "
    "(pg_current_wal_lsn() - '0/0')::bigint",
    58,
    0,
    {0}};
static const TrnPgStatement STATUS_REGIONS = {
    "terrane_status_regions",
    "SELECT k.region, COALESCE(r.change, 0), COALESCE(l.owner, ''::bytea), "
    "COALESCE(extract(epoch FROM l.expires - clock_timestamp()), 0)::double precision, k.waiting "
    "FROM (SELECT region, sum(waiting)::bigint AS waiting FROM ("
    "SELECT region, 0 AS waiting FROM terrane_leases WHERE expires > clock_timestamp() "
    "UNION ALL SELECT region, 1 FROM terrane_edits WHERE change = 0) AS a GROUP BY region) AS k "
    "LEFT JOIN terrane_leases AS l ON l.region = k.region AND l.expires > clock_timestamp() "
    "LEFT JOIN terrane_regions AS r ON r.region = k.region "
    "ORDER BY k.waiting DESC, k.region LIMIT 1000",
    59,
    0,
    {0}};
static const TrnPgStatement STATUS_CONNECTIONS = {
    "terrane_status_connections",
    "SELECT convert_to(application_name, 'UTF8'), "
    "convert_to(COALESCE(host(client_addr), ''), 'UTF8'), count(*) FROM pg_stat_activity "
    "WHERE datname = current_database() AND backend_type = 'client backend' "
    "GROUP BY 1, 2 ORDER BY 1, 2",
    60,
    0,
    {0}};

/// A question, and where its answer goes.
typedef struct StatusAsk {
    TrnSharedStatus *status;
    TrnSharedRegionVisitor region;
    TrnSharedConnectionVisitor connection;
    void *user;
    bool is_over; ///< the visitor has stopped
} StatusAsk;

/// Asks all servers in turn. @return OK if any answers; otherwise the first failure
static TrnResult status_ask(const TrnStorage *storage, TrnPostgresWork *work, StatusAsk *ask)
{
    const uint32_t count = trn_servers_count(storage);
    TrnResult result = TRN_RESULT_BAD_ARGUMENT;
    for (uint32_t i = 0; i < count && !ask->is_over; i++) {
        const TrnResult asked = trn_postgres_work(trn_servers_at(storage, i), work, ask);
        result = i == 0 || asked == TRN_RESULT_OK ? asked : result;
    }
    return result;
}

/// Copies a text of another program. @param to  [capacity]
static void status_copy(char *to, size_t capacity, const TrnPgField *field)
{
    const size_t size = field->size < capacity - 1 ? field->size : capacity - 1;
    memcpy(to, field->bytes, size);
    to[size] = '\0';
}

/// Adds the figures of a server.
static void status_add(TrnSharedStatus *sum, const TrnSharedStatus *one)
{
    *sum = (TrnSharedStatus){
        .regions = sum->regions + one->regions,
        .changes = sum->changes + one->changes,
        .leases = sum->leases + one->leases,
        .waiting = sum->waiting + one->waiting,
        .waiting_bytes = sum->waiting_bytes + one->waiting_bytes,
        .answered = sum->answered + one->answered,
        .players = sum->players + one->players,
        .jobs_open = sum->jobs_open + one->jobs_open,
        .jobs_done = sum->jobs_done + one->jobs_done,
        .connections = sum->connections + one->connections,
        .chunks = sum->chunks + one->chunks,
        .bytes = sum->bytes + one->bytes,
        .standbys = sum->standbys + one->standbys,
        .lag_bytes = sum->lag_bytes > one->lag_bytes ? sum->lag_bytes : one->lag_bytes,
        .log_bytes = sum->log_bytes + one->log_bytes,
    };
}

static bool status_read(TrnPgLink *link, void *context)
{
    const StatusAsk *ask = context;
    int64_t tables[7] = {0}, server[8] = {0};
    if (trn_pg_ask(link, &STATUS_TABLES, NULL, 7, tables) < 0 ||
        (trn_pg_ask(link, &STATUS_SERVER, NULL, 8, server) < 0 && link->fault.is_lost)) {
        return false;
    }
    const TrnSharedStatus one = {
        .regions = (uint64_t)tables[0],
        .changes = (uint64_t)tables[1],
        .leases = (uint64_t)tables[2],
        .waiting = (uint64_t)tables[3],
        .waiting_bytes = (uint64_t)tables[4],
        .answered = (uint64_t)tables[5],
        .players = (uint64_t)tables[6],
        .jobs_open = (uint64_t)server[0],
        .jobs_done = (uint64_t)server[1],
        .connections = (uint64_t)server[2],
        .chunks = (uint64_t)server[3],
        .bytes = (uint64_t)server[4],
        .standbys = (uint64_t)server[5],
        .lag_bytes = (uint64_t)server[6],
        .log_bytes = (uint64_t)server[7],
    };
    status_add(ask->status, &one);
    return true;
}

TrnResult trn_shared_status(const TrnStorage *storage, TrnSharedStatus *status)
{
    TrnSharedStatus sum = {0};
    StatusAsk ask = {.status = &sum};
    const TrnResult result =
        status ? status_ask(storage, status_read, &ask) : TRN_RESULT_BAD_ARGUMENT;
    if (result == TRN_RESULT_OK) {
        *status = sum;
    }
    return result;
}

TrnResult trn_shared_servers(const TrnStorage *storage, TrnSharedServerVisitor visit, void *user)
{
    const uint32_t count = trn_servers_count(storage);
    bool goes_on = count && visit;
    for (uint32_t i = 0; i < count && goes_on; i++) {
        const TrnStorage *of = trn_servers_at(storage, i);
        TrnSharedServer server = {.number = i + 1, .count = count};
        StatusAsk ask = {.status = &server.status};
        (void)snprintf(server.name, sizeof server.name, "%s", trn_postgres_name(of));
        if (trn_postgres_work(of, status_read, &ask) != TRN_RESULT_OK) {
            of->problem(of->user, server.problem, sizeof server.problem);
        }
        goes_on = visit(user, &server);
    }
    return count && visit ? TRN_RESULT_OK : TRN_RESULT_BAD_ARGUMENT;
}

static bool status_visit_region(void *user, const TrnPgField *row)
{
    StatusAsk *ask = user;
    TrnSharedRegion region = {.region = trn_region_of_number(row[0].number),
                              .change = (uint64_t)row[1].number,
                              .lease_seconds = trn_pg_real(&row[3]),
                              .waiting = (uint64_t)row[4].number};
    status_copy(region.owner, sizeof region.owner, &row[2]);
    ask->is_over = !ask->region(ask->user, &region);
    return !ask->is_over;
}

static bool status_list_regions(TrnPgLink *link, void *context)
{
    return trn_pg_list(link, &STATUS_REGIONS, NULL, status_visit_region, context);
}

TrnResult trn_shared_regions(const TrnStorage *storage, TrnSharedRegionVisitor visit, void *user)
{
    StatusAsk ask = {.region = visit, .user = user};
    return visit ? status_ask(storage, status_list_regions, &ask) : TRN_RESULT_BAD_ARGUMENT;
}

static bool status_visit_connection(void *user, const TrnPgField *row)
{
    StatusAsk *ask = user;
    TrnSharedConnection connection = {.count = (uint64_t)row[2].number};
    status_copy(connection.name, sizeof connection.name, &row[0]);
    status_copy(connection.address, sizeof connection.address, &row[1]);
    ask->is_over = !ask->connection(ask->user, &connection);
    return !ask->is_over;
}

static bool status_list_connections(TrnPgLink *link, void *context)
{
    return trn_pg_list(link, &STATUS_CONNECTIONS, NULL, status_visit_connection, context) ||
           !link->fault.is_lost;
}

TrnResult trn_shared_connections(const TrnStorage *storage, TrnSharedConnectionVisitor visit,
                                 void *user)
{
    StatusAsk ask = {.connection = visit, .user = user};
    return visit ? status_ask(storage, status_list_connections, &ask) : TRN_RESULT_BAD_ARGUMENT;
}
