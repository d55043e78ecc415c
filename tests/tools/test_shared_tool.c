/// terrane on worlds in a PostgreSQL database. Without a server, or without libpq, it is skipped.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "shared/postgres_place.h"
#include "tool_place.h"

static PostgresPlace server;

static void commands_take_a_url_for_a_file(void **state)
{
    Place *place = *state;
    char line[512];
    (void)snprintf(line, sizeof line,
                   "U='%s'; $T new --seed 7 --radius 1 \"$U\" && $T info \"$U\" &&"
                   "$T verify \"$U\" && $T map --world \"$U\" --size 64x64 --out m.png",
                   server.url);
    expect_code(place, line, 0);
    assert_non_null(strstr(place->text, "0 are damaged"));
    assert_non_null(strstr(place->text, "\n  database    PostgreSQL"));
    assert_null(strstr(place->text, "  file "));
    (void)snprintf(line, sizeof line, "$T info --json '%s'", server.url);
    expect_code(place, line, 0);
    assert_non_null(strstr(place->text, "\"database\""));
    assert_null(strstr(place->text, "file_bytes"));
    (void)snprintf(line, sizeof line, "$T compact '%s'", server.url);
    expect_code(place, line, 1);
    assert_non_null(strstr(place->text, "works on files"));
    (void)snprintf(line, sizeof line,
                   "for c in info 'info --json' verify 'verify --json' fold 'fold --json' prune "
                   "'prune --json' 'shared status' 'shared status --json' 'pregen --radius 1' new "
                   "repair copy backup; do $T $c '%s&password=secret'; done; [ $? != 0 ]",
                   server.url);
    expect_code(place, line, 0);
    assert_non_null(strstr(place->text, "postgresql:///postgres"));
    assert_null(strstr(place->text, "secret"));
}

/// A copy that is killed goes on, and no program opens it before it is complete.
static void a_copy_that_is_killed_goes_on(void **state)
{
    Place *place = *state;
    char line[1024];
    postgres_drop(&server);
    expect_code(place, "$T new --seed 7 --radius 4 a.world", 0);
    (void)snprintf(line, sizeof line,
                   "for t in 0.02 0.04 0.08 0.1; do timeout -s KILL $t $BARE copy a.world '%s'; "
                   "done; $T copy a.world '%s'; $T copy '%s' b.world && $T verify b.world",
                   server.url, server.url, server.url);
    expect_code(place, line, 0);
    assert_non_null(strstr(place->text, "0 are damaged"));
    expect_code(place,
                "$T info --json a.world | grep -v file >a; $T info --json b.world | grep -v file "
                ">b; cmp a b",
                0);
    expect_code(place, "$T copy a.world b.world", 1);
    assert_non_null(strstr(place->text, "holds a world already"));
}

/// What four processes make, of which two are killed, is what one makes.
static void processes_share_an_area(void **state)
{
    Place *place = *state;
    char line[1024];
    postgres_sql(&server, "CREATE SCHEMA one; CREATE SCHEMA four");
    (void)snprintf(line, sizeof line,
                   "P='%s&options=-csearch_path%%3D'; A='--area 0,0,511,511'; "
                   "$T new --seed 7 \"${P}one\" && $T new --seed 7 \"${P}four\" && "
                   "$T pregen \"${P}one\" $A && for i in 1 2; do timeout -s KILL 0.2 $BARE pregen "
                   "\"${P}four\" $A & $T pregen \"${P}four\" $A & done; wait; "
                   "$T pregen \"${P}four\" $A && $T verify \"${P}four\" && "
                   "$T new --seed 7 f.world && $T pregen f.world $A && $T pregen f.world $A",
                   server.url);
    expect_code(place, line, 0);
    assert_non_null(strstr(place->text, "f.world: all parts are done, 0 of them"));
    // Apart from revisions, and the checksums that cover them: those are in the first 48 bytes.
    postgres_sql(&server,
                 "SELECT count(*) > 100, (SELECT count(*) FROM four.terrane_chunks) = count(*), "
                 "(SELECT count(*) FROM one.terrane_chunks a JOIN four.terrane_chunks b USING "
                 "(region, level, x, y, z) WHERE substring(a.bytes from 49) = substring(b.bytes "
                 "from 49)) = count(*), count(DISTINCT level) = 5 FROM one.terrane_chunks");
    assert_string_equal(server.place.text, "t|t|t|t\n");
}

/// Four processes, of which two are killed, draw the tiles that one draws.
static void processes_share_a_map(void **state)
{
    Place *place = *state;
    char line[1024];
    postgres_drop(&server);
    (void)snprintf(line, sizeof line,
                   "U='%s'; M='--size 1280x400'; $T new --seed 7 --radius 2 \"$U\" && "
                   "$T map --world \"$U\" $M --tiles one && for i in 1 2; do "
                   "timeout -s KILL 0.2 $BARE map --world \"$U\" $M --tiles four & "
                   "$T map --world \"$U\" $M --tiles four & done; wait; "
                   "$T map --world \"$U\" $M --tiles four && "
                   "diff -r -x '.terrane-tmp-*' one four && rm -r one",
                   server.url);
    expect_code(place, line, 0);
    assert_non_null(strstr(place->text, " tiles in 4 zooms, 0 of them by this process"));
    postgres_sql(&server, "SELECT count(*) FROM terrane_jobs");
    assert_string_equal(server.place.text, "0\n");
}

/// Of two programs that make a world in one empty database, one wins, and the other is refused.
static void programs_that_race_make_one_world(void **state)
{
    Place *place = *state;
    const int rounds = getenv("TERRANE_TEST_FULL") ? 100 : 10;
    char line[1024];
    expect_code(place, "rm -f *.world; $T new --seed 7 7.world && $T new --seed 8 8.world", 0);
    static const char *const racers[][2] = {
        {"new --seed 7", "new --seed 8"}, // two new worlds
        {"new --seed 7", "copy 8.world"}, // a new world and a copy
        {"copy 7.world", "copy 8.world"}, // two copies
    };
    for (int i = 0; i < 3 * rounds; i++) {
        const char *const *racer = racers[i % 3];
        postgres_drop(&server);
        (void)snprintf(
            line, sizeof line,
            "U='%s'; ($T %s \"$U\" && echo 7 >w7) & ($T %s \"$U\" && echo 8 >w8) & wait; "
            "echo winner $(cat w[78]) of $($T info \"$U\" | sed -n "
            "'s/^ *land *seed \\([0-9]*\\),.*/\\1/p'); rm w[78]",
            server.url, racer[0], racer[1]);
        expect_code(place, line, 0);
        if (!strstr(place->text, "winner 7 of 7\n") && !strstr(place->text, "winner 8 of 8\n")) {
            fail_msg("round %d: %s", i, place->text);
        }
    }
}

/// A copy that is not complete goes on only as a copy of the same world.
static void a_copy_goes_on_with_its_own_world(void **state)
{
    Place *place = *state;
    char line[1024];
    postgres_drop(&server);
    expect_code(place, "rm -f *.world; $T new --seed 7 7.world && $T new --seed 8 8.world", 0);
    (void)snprintf(line, sizeof line, "$T copy 7.world '%s'", server.url);
    expect_code(place, line, 0);
    postgres_sql(&server, "INSERT INTO terrane_values VALUES ('terrane/copying', '1')");
    (void)snprintf(line, sizeof line, "$T copy 8.world '%s'", server.url);
    expect_code(place, line, 1);
    assert_non_null(strstr(place->text, "of the seed 7, not 8"));
    (void)snprintf(line, sizeof line, "$T new --seed 9 '%s'", server.url);
    expect_code(place, line, 1);
    (void)snprintf(line, sizeof line, "$T copy 7.world '%s' && $T info '%s'", server.url,
                   server.url);
    expect_code(place, line, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(commands_take_a_url_for_a_file),
                                       cmocka_unit_test(a_copy_that_is_killed_goes_on),
                                       cmocka_unit_test(processes_share_an_area),
                                       cmocka_unit_test(processes_share_a_map),
                                       cmocka_unit_test(programs_that_race_make_one_world),
                                       cmocka_unit_test(a_copy_goes_on_with_its_own_world)};
    int failures = 0;
    if (postgres_begin(&server)) {
        failures = cmocka_run_group_tests_name("shared_tool", tests, place_make, place_remove);
    }
    postgres_end(&server);
    return failures;
}
