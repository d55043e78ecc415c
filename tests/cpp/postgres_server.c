#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "postgres_server.h"

#include "shared/postgres_place.h"

static PostgresPlace postgres_server;

const char *postgres_server_begin(void)
{
    return postgres_begin(&postgres_server) ? postgres_server.url : NULL;
}

void postgres_server_end(void)
{
    postgres_end(&postgres_server);
}
