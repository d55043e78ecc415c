#include "luanti_readers.h"

#include <stdlib.h>
#include <string.h>

#include <libpq-fe.h>

#define POSTGRES_CONNECT_SECONDS "5"

/// Says what the server, or libpq, says: its first line.
static bool luanti_postgres_fail(const LuantiMap *map, const char *text)
{
    char line[256];
    (void)snprintf(line, sizeof line, "%.*s", (int)strcspn(text, "\n"), text);
    const size_t length = strlen(line);
    if (length && line[length - 1] == '.') {
        line[length - 1] = '\0';
    }
    return luanti_copy_fail(map, *line ? line : "the server does not say why");
}

/// Reads a number of 32 bits as the server sends it.
static int64_t luanti_postgres_number(const PGresult *row, int column)
{
    const unsigned char *bytes = (const unsigned char *)PQgetvalue(row, 0, column);
    const uint32_t bits =
        (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
    return (int32_t)bits;
}

static bool luanti_postgres_add(LuantiMap *map, const PGresult *row)
{
    if (PQnfields(row) != 4 || PQgetlength(row, 0, 0) != 4 || PQgetlength(row, 0, 1) != 4 ||
        PQgetlength(row, 0, 2) != 4) {
        return luanti_copy_fail(map, "its table of map blocks is none of Luanti's");
    }
    const int64_t place[] = {luanti_postgres_number(row, 0), luanti_postgres_number(row, 1),
                             luanti_postgres_number(row, 2)};
    return luanti_copy_add(map, place, PQgetvalue(row, 0, 3), (size_t)PQgetlength(row, 0, 3));
}

/// Adds all rows, of which the server sends one after the other.
static bool luanti_postgres_add_all(LuantiMap *map, PGconn *db)
{
    bool is_good = PQsendQueryParams(db, "SELECT posx::int, posy::int, posz::int, data FROM blocks",
                                     0, NULL, NULL, NULL, NULL, 1) &&
                   PQsetSingleRowMode(db);
    if (!is_good) {
        return luanti_postgres_fail(map, PQerrorMessage(db));
    }
    PGresult *row;
    while (is_good && (row = PQgetResult(db))) {
        const ExecStatusType status = PQresultStatus(row);
        if (status == PGRES_SINGLE_TUPLE) {
            is_good = luanti_postgres_add(map, row);
        } else if (status != PGRES_TUPLES_OK) {
            is_good = luanti_postgres_fail(map, PQresultErrorMessage(row));
        }
        PQclear(row);
    }
    return is_good;
}

bool luanti_copy_postgres(LuantiMap *map)
{
    static const char *const names[] = {"dbname", "connect_timeout", "fallback_application_name",
                                        NULL};
    const char *const values[] = {map->def->path, POSTGRES_CONNECT_SECONDS, "terrane", NULL};
    // What libpq says of a wrong URL may have its password.
    PQconninfoOption *const options = PQconninfoParse(map->def->path, NULL);
    const bool is_url = options != NULL;
    PQconninfoFree(options);
    if (!is_url) {
        return luanti_copy_fail(map, "this is no valid URL; write postgresql://user@host/database");
    }
    PGconn *db = PQconnectdbParams(names, values, 1);
    const bool is_good =
        (PQstatus(db) == CONNECTION_OK || luanti_postgres_fail(map, PQerrorMessage(db))) &&
        luanti_copy_begin(map, true) && luanti_postgres_add_all(map, db);
    PQfinish(db);
    return is_good;
}
