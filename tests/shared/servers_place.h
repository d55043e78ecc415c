/// Shared by tests of worlds on several servers: three PostgreSQL servers. _XOPEN_SOURCE must be
/// 700.
#pragma once

#include "postgres_place.h"

#define SERVERS 3

static PostgresPlace servers[SERVERS];

/// The URLs of some servers in an order, such as "012".
typedef struct ServersUrl {
    char text[(SERVERS + 1) * PLACE_PATH + 64];
} ServersUrl;

static inline ServersUrl servers_url(const char *order)
{
    ServersUrl url = {""};
    for (const char *c = order; *c; c++) {
        const size_t length = strlen(url.text);
        (void)snprintf(url.text + length, sizeof url.text - length, "%s%s", length ? " " : "",
                       servers[*c - '0'].url);
    }
    return url;
}

/// @return false if this system has none
static inline bool servers_begin(void)
{
    bool has_servers = true;
    for (int i = 0; i < SERVERS && has_servers; i++) {
        has_servers = postgres_begin(&servers[i]);
    }
    return has_servers;
}

static inline void servers_end(void)
{
    for (int i = 0; i < SERVERS && servers[i].url[0]; i++) {
        postgres_end(&servers[i]);
    }
}

/// Removes the world.
static inline void servers_drop(void)
{
    for (int i = 0; i < SERVERS; i++) {
        postgres_drop(&servers[i]);
    }
}
