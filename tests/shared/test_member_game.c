/// Plays examples/member_game.c: two processes in one world. Without a server it is skipped.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "postgres_place.h"

static PostgresPlace server;

static void two_players_meet_at_a_chest(void **state)
{
    char line[1024];
    (void)state;
    const int length =
        snprintf(line, sizeof line, "'%s' '%s' Ada & '%s' '%s' Bob; code=$?; wait $! && exit $code",
                 MEMBER_GAME, server.url, MEMBER_GAME, server.url);
    assert_in_range(length, 1, (int)sizeof line - 1);
    assert_int_equal(place_run(&server.place, line), 0);
    assert_non_null(strstr(server.place.text, "Ada met Bob. In the chest: "));
    assert_non_null(strstr(server.place.text, "Bob met Ada. In the chest: "));
    // One who comes later finds what they left.
    postgres_sql(&server, "SELECT count(*) FROM terrane_chunks WHERE level = 0");
    assert_int_equal(server.place.text[0], '2'); // the ground with two holes, and the chest above
}

static void a_wrong_url_is_told(void **state)
{
    char line[1024];
    (void)state;
    (void)snprintf(line, sizeof line, "'%s' postgresql://nowhere.invalid/world Ada 2>&1",
                   MEMBER_GAME);
    assert_int_equal(place_run(&server.place, line), 1);
    assert_non_null(strstr(server.place.text, "member_game: "));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(two_players_meet_at_a_chest),
                                       cmocka_unit_test(a_wrong_url_is_told)};
    const bool has_server = postgres_begin(&server);
    const int failures =
        has_server ? cmocka_run_group_tests_name("shared_member_game", tests, NULL, NULL) : 0;
    postgres_end(&server);
    return failures;
}
