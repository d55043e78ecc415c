/// Shared by tests that need a PostgreSQL server: one of their own in a temporary folder, reached
/// by a Unix socket alone, and run by an unprivileged user. _XOPEN_SOURCE must be 700.
#pragma once

#include "place.h"

typedef struct PostgresPlace {
    Place place;
    char url[PLACE_PATH]; ///< of the database "postgres"
    bool is_running;
} PostgresPlace;

/// Runs a shell command in the folder as the server's user. $BIN has the server's programs, $D is
/// the folder. @return its exit code
static inline int postgres_run(PostgresPlace *postgres, const char *line)
{
    char command[2048];
    const int length = snprintf(
        command, sizeof command,
        "export D='%s' BIN=\"$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | tail -n 1)\" LC_ALL=C;"
        "export PGHOST=\"$D\" PGUSER=terrane PGDATABASE=postgres; cd \"$D\" &&"
        "as() { if [ \"$(id -u)\" = 0 ]; then setpriv --reuid=nobody --clear-groups \"$@\";"
        " else \"$@\"; fi; } && { %s; } 2>&1",
        postgres->place.folder, line);
    assert_in_range(length, 1, (int)sizeof command - 1);
    return place_run(&postgres->place, command);
}

static inline void postgres_expect(PostgresPlace *postgres, const char *line)
{
    if (postgres_run(postgres, line) != 0) {
        fail_msg("'%s' failed: %s", line, postgres->place.text);
    }
}

/// Runs SQL. Its output is in place.text.
static inline void postgres_sql(PostgresPlace *postgres, const char *sql)
{
    char line[1024];
    const int length = snprintf(line, sizeof line, "as \"$BIN/psql\" -qAtc \"%s\"", sql);
    assert_in_range(length, 1, (int)sizeof line - 1);
    postgres_expect(postgres, line);
}

/// Runs SQL commands in the background: options of psql.
static inline void postgres_background(PostgresPlace *postgres, const char *commands)
{
    char line[1024];
    const int length = snprintf(line, sizeof line,
                                "( as \"$BIN/psql\" -qAt %s ) >/dev/null 2>&1 & true", commands);
    assert_in_range(length, 1, (int)sizeof line - 1);
    postgres_expect(postgres, line);
}

/// Waits until a command in the background sleeps.
static inline void postgres_await_sleep(PostgresPlace *postgres)
{
    do {
        postgres_sql(postgres,
                     "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'");
    } while (postgres->place.text[0] != '1');
}

/// Removes the world.
static inline void postgres_drop(PostgresPlace *postgres)
{
    postgres_sql(postgres, "DROP TABLE IF EXISTS terrane_chunks, terrane_values, terrane_leases, "
                           "terrane_jobs, terrane_format, terrane_changes, terrane_regions, "
                           "terrane_edits, terrane_players, terrane_server");
}

static inline void postgres_start(PostgresPlace *postgres)
{
    postgres_expect(postgres, "as \"$BIN/pg_ctl\" -s -w -t 60 -D db -l log start");
    postgres->is_running = true;
}

/// @param how  "fast" or "immediate": as if it was killed
static inline void postgres_stop(PostgresPlace *postgres, const char *how)
{
    char line[128];
    (void)snprintf(line, sizeof line, "as \"$BIN/pg_ctl\" -s -w -D db -m %s stop", how);
    postgres_expect(postgres, line);
    postgres->is_running = false;
}

/// Starts a server. It keeps what was committed when it is killed, but not when the system is.
/// @return false if this system has none
static inline bool postgres_begin(PostgresPlace *postgres)
{
    memset(postgres, 0, sizeof *postgres);
    assert_true(place_begin(&postgres->place));
    if (postgres_run(postgres, "[ -x \"$BIN/initdb\" ] && [ -x \"$BIN/psql\" ]") != 0) {
        puts("There is no PostgreSQL server here, so this test is skipped; install postgresql-15.");
        return false;
    }
    postgres_expect(
        postgres,
        "[ \"$(id -u)\" != 0 ] || chown nobody .;"
        "as \"$BIN/initdb\" -N -D db -U terrane -A trust >/dev/null &&"
        "printf \"listen_addresses = ''\\nunix_socket_directories = '$D'\\n"
        "shared_buffers = 16MB\\nfsync = off\\nmax_connections = 40\\n\" >>db/postgresql.conf");
    const int length = snprintf(postgres->url, sizeof postgres->url,
                                "postgresql://terrane@/postgres?host=%s", postgres->place.folder);
    assert_in_range(length, 1, (int)sizeof postgres->url - 1);
    postgres_start(postgres);
    return true;
}

static inline void postgres_end(PostgresPlace *postgres)
{
    if (postgres->is_running) {
        postgres_stop(postgres, "immediate");
    }
    assert_true(place_discard(&postgres->place));
}
