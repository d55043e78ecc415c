/// terrane on a world on three PostgreSQL servers. Without a server, or without libpq, it is
/// skipped.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "shared/servers_place.h"
#include "tool_place.h"

/// From a file to three servers, killed and run again, to one database and to a file.
static void a_world_moves_to_three_servers_and_back(void **state)
{
    Place *place = *state;
    const ServersUrl url = servers_url("012");
    char line[2048];
    servers_drop();
    postgres_sql(&servers[0], "CREATE SCHEMA one");
    (void)snprintf(line, sizeof line,
                   "N='%s'; O='%s&options=-csearch_path%%3Done'; "
                   "$T new --seed 7 --radius 8 a.world && "
                   "for t in 0.02 0.04 0.08 0.1; do timeout -s KILL $t $BARE copy a.world \"$N\"; "
                   "done; $T copy a.world \"$N\" && $T verify \"$N\" && $T copy \"$N\" \"$O\" && "
                   "$T copy \"$O\" b.world && $T verify b.world",
                   url.text, servers[0].url);
    expect_code(place, line, 0);
    assert_non_null(strstr(place->text, "0 are damaged"));
    expect_code(place,
                "$T info --json a.world | grep -v file >a; $T info --json b.world | grep -v file "
                ">b; cmp a b",
                0);
    for (int i = 0; i < SERVERS; i++) {
        postgres_sql(&servers[i], "SELECT count(*) > 10 FROM terrane_chunks");
        assert_string_equal(servers[i].place.text, "t\n");
    }
}

/// Two processes generate an area; info and status say what each server is, also of one that is
/// gone.
static void commands_say_what_each_server_is(void **state)
{
    Place *place = *state;
    const ServersUrl url = servers_url("012");
    char line[2048];
    servers_drop();
    (void)snprintf(line, sizeof line,
                   "N='%s'; A='--area 0,0,1023,511'; $T new --seed 7 \"$N\" && "
                   "{ $T pregen \"$N\" $A & $T pregen \"$N\" $A; wait; } && $T verify \"$N\" && "
                   "$T info \"$N\" && $T shared status \"$N\"",
                   url.text);
    expect_code(place, line, 0);
    assert_non_null(strstr(place->text, "  server      2 of 3"));
    assert_non_null(strstr(place->text, "  server 3, postgresql:///postgres: about"));
    postgres_stop(&servers[2], "immediate");
    (void)snprintf(line, sizeof line,
                   "N='%s'; $T shared status \"$N\" && $T shared status --json \"$N\"", url.text);
    expect_code(place, line, 0);
    assert_non_null(strstr(place->text, "server 3, postgresql:///postgres does not answer"));
    assert_non_null(strstr(place->text, "\"problem\""));
    postgres_start(&servers[2]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_world_moves_to_three_servers_and_back),
        cmocka_unit_test(commands_say_what_each_server_is),
    };
    const int failures = servers_begin() ? cmocka_run_group_tests_name("servers_tool", tests,
                                                                       place_make, place_remove)
                                         : 0;
    servers_end();
    return failures;
}
