/// Programs that make one world in an empty database at the same moment: the first wins, and the
/// others go on with its land or are refused. Without a server, or without libpq, it is skipped.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "shared/postgres_place.h"

#include <inttypes.h>
#include <pthread.h>

#include <terrane/shared.h>

#include "world_file.h"

static PostgresPlace server;

static WorldFacts facts_of(uint64_t seed, const char *preset, uint32_t version)
{
    WorldFacts facts = world_facts();
    facts.terrain.seed = seed;
    facts.terrain.version = version;
    assert_int_equal(trn_terrain_shape_preset(preset, &facts.terrain.shape), TRN_RESULT_OK);
    world_facts_set_preset(&facts, preset);
    return facts;
}

static bool open_world(const char *url, TrnStorageMode mode, const WorldFacts *facts,
                       WorldFile *file, TrnBlockTypes **types, Message *problem)
{
    TrnSaveDef def = trn_save_def();
    assert_int_equal(trn_block_types_create_builtin(NULL, types), TRN_RESULT_OK);
    def.types = *types;
    return world_file_open(file, url, mode, &def, facts, problem);
}

/// Opens a world, writes what it is, and closes it.
static bool describe_world(const char *url, TrnStorageMode mode, const WorldFacts *facts,
                           char *text, size_t size)
{
    WorldFile file;
    Message problem;
    TrnBlockTypes *types;
    bool good = open_world(url, mode, facts, &file, &types, &problem);
    if (good) {
        char land[1024];
        world_file_land(&file.facts.terrain, land, sizeof land);
        (void)snprintf(text, size, "%d %s %" PRIu32 " %" PRId64 ",%" PRId64 ",%" PRId64 " %s",
                       file.facts.has_terrain, file.facts.preset, file.facts.terrain.version,
                       file.facts.spawn.x, file.facts.spawn.y, file.facts.spawn.z, land);
        const TrnResult closed = world_file_close(&file);
        good = closed == TRN_RESULT_OK;
        (void)message_set(&problem, "It cannot be closed: %s", trn_result_text(closed));
    }
    if (!good) {
        (void)snprintf(text, size, "%s", problem.text);
    }
    trn_block_types_destroy(types);
    return good;
}

static void url_of(const char *schema, char url[2 * PLACE_PATH])
{
    (void)snprintf(url, (size_t)2 * PLACE_PATH, "%s&options=-csearch_path%%3D%s", server.url,
                   schema);
}

// ---- the worst moment --------------------------------------------------------------------------

static void *put_first_world(void *user)
{
    postgres_expect(user, "as \"$BIN/psql\" -qAt -v ON_ERROR_STOP=1 -f first.sql");
    return NULL;
}

/// The first program puts its notes after the second has seen that there are none, and commits
/// when the second waits to put its own.
static void begin_first_world(PostgresPlace *psql, pthread_t *thread)
{
    postgres_sql(&server, "DROP SCHEMA IF EXISTS second CASCADE; CREATE SCHEMA second");
    TrnStorage storage;
    char url[2 * PLACE_PATH];
    url_of("second", url);
    assert_int_equal(trn_storage_open_any(url, TRN_STORAGE_EITHER, &storage, NULL), TRN_RESULT_OK);
    storage.close(storage.user); // there are tables
    place_write(&server.place, "first.sql",
                "BEGIN; INSERT INTO second.terrane_values SELECT * FROM first.terrane_values;\n"
                "DO $$ BEGIN FOR i IN 1..400 LOOP EXIT WHEN EXISTS (SELECT 1 FROM pg_locks WHERE "
                "NOT granted); PERFORM pg_sleep(0.01); END LOOP; IF NOT EXISTS (SELECT 1 FROM "
                "pg_locks WHERE NOT granted) THEN RAISE 'no program waited'; END IF; END $$;\n"
                "COMMIT;\n");
    *psql = server;
    assert_int_equal(pthread_create(thread, NULL, put_first_world, psql), 0);
    for (int i = 0; i < 400; i++) {
        postgres_sql(&server, "SELECT count(*) FROM pg_locks WHERE mode = 'RowExclusiveLock' AND "
                              "relation = 'second.terrane_values'::regclass");
        if (server.place.text[0] == '1') {
            return;
        }
    }
    fail_msg("the first program put nothing");
}

static void expect_values_of_first(void)
{
    postgres_sql(&server, "SELECT count(*) > 5, (SELECT count(*) FROM (TABLE first.terrane_values "
                          "EXCEPT TABLE second.terrane_values) AS lacks) FROM "
                          "first.terrane_values");
    assert_string_equal(server.place.text, "t|0\n");
}

static void the_first_world_wins_at_the_worst_moment(void **state)
{
    (void)state;
    const WorldFacts first = facts_of(7, "alps", TRN_TERRAIN_VERSION);
    WorldFacts others[] = {facts_of(8, "alps", TRN_TERRAIN_VERSION),
                           facts_of(7, "islands", TRN_TERRAIN_VERSION),
                           {.spawn = {1, 2, 3}}}; // without land
    char url[2 * PLACE_PATH], expected[2048], found[2048];
    postgres_sql(&server, "CREATE SCHEMA first");
    url_of("first", url);
    assert_true(describe_world(url, TRN_STORAGE_CREATE, &first, expected, sizeof expected));
    url_of("second", url);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        PostgresPlace psql;
        pthread_t thread;
        begin_first_world(&psql, &thread);
        const bool good = describe_world(url, TRN_STORAGE_EITHER, &others[i], found, sizeof found);
        pthread_join(thread, NULL);
        assert_true(good);
        assert_string_equal(found, expected);
        expect_values_of_first();
    }
}

/// A world that must be new is refused, with what both are.
static void a_new_world_is_refused_at_the_worst_moment(void **state)
{
    (void)state;
    const WorldFacts other = facts_of(8, "islands", TRN_TERRAIN_VERSION_OLDEST);
    char url[2 * PLACE_PATH], found[2048], words[128];
    PostgresPlace psql;
    pthread_t thread;
    url_of("second", url);
    begin_first_world(&psql, &thread);
    const bool good = describe_world(url, TRN_STORAGE_CREATE, &other, found, sizeof found);
    pthread_join(thread, NULL);
    assert_false(good);
    (void)snprintf(words, sizeof words, "seed 7, preset alps, land version %d",
                   TRN_TERRAIN_VERSION);
    assert_non_null(strstr(found, words));
    (void)snprintf(words, sizeof words, "seed 8, preset islands, land version %d",
                   TRN_TERRAIN_VERSION_OLDEST);
    assert_non_null(strstr(found, words));
    expect_values_of_first();
}

/// Tables without values are no world yet: another program is making it.
static void a_world_that_is_being_made_is_refused(void **state)
{
    (void)state;
    static const TrnStorageMode modes[] = {TRN_STORAGE_OPEN, TRN_STORAGE_READ_ONLY};
    TrnStorage storage;
    char text[2048];
    postgres_drop(&server);
    assert_int_equal(trn_storage_open_any(server.url, TRN_STORAGE_EITHER, &storage, NULL),
                     TRN_RESULT_OK);
    for (size_t i = 0; i < 2; i++) {
        assert_false(describe_world(server.url, modes[i], NULL, text, sizeof text));
        assert_non_null(strstr(text, "holds no world yet"));
    }
    storage.close(storage.user);
    postgres_sql(&server, "SELECT count(*) FROM terrane_values");
    assert_string_equal(server.place.text, "0\n");
}

// ---- tables made at the same moment ------------------------------------------------------------

/// What PostgreSQL answers to "CREATE TABLE" depends on how far the other program is: the relation
/// is seen, its type is, both are made at once, or nothing may be made here.
static const char *const MADE_STATES[] = {"42P07", "42710", "23505", "42501", "40001"};
#define MADE_STATES_SEEN 3 // the first, which say that another program makes the tables

static void *make_first_tables(void *user)
{
    PostgresPlace *psql = user;
    TrnStorage storage;
    char url[2 * PLACE_PATH];
    for (int i = 0; i < 400 && psql->place.text[0] != '1'; i++) {
        postgres_sql(psql, "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'");
    }
    url_of("third", url);
    const TrnResult result = trn_storage_open_any(url, TRN_STORAGE_EITHER, &storage, NULL);
    if (result == TRN_RESULT_OK) {
        storage.close(storage.user);
    }
    return result == TRN_RESULT_OK ? psql : NULL;
}

/// A program whose URL sets terrane.state waits before it makes its first table until another one
/// has made all, and fails with that state. If terrane.is_early is set, it waits until another one
/// makes them: so fails a program whose connection does not see yet that there are tables.
static void prepare_late_tables(void)
{
    place_write(
        &server.place, "late.sql",
        "CREATE FUNCTION public.make_late() RETURNS event_trigger LANGUAGE plpgsql AS $$\n"
        "BEGIN\n"
        "  IF current_setting('terrane.state', true) <> '' THEN\n"
        "    FOR i IN 1..1000 LOOP\n"
        "      EXIT WHEN EXISTS (SELECT 1 FROM pg_tables WHERE schemaname = 'third');\n"
        "      EXIT WHEN current_setting('terrane.is_early', true) <> '' AND EXISTS (SELECT "
        "1 FROM pg_locks WHERE mode = 'AccessExclusiveLock' AND pid <> pg_backend_pid());\n"
        "      PERFORM pg_sleep(0.01);\n"
        "    END LOOP;\n"
        "    RAISE 'too late' USING ERRCODE = current_setting('terrane.state');\n"
        "  END IF;\n"
        "END $$;\n"
        "CREATE EVENT TRIGGER late ON ddl_command_start WHEN TAG IN ('CREATE TABLE')\n"
        "EXECUTE FUNCTION public.make_late();\n");
    postgres_expect(&server, "as \"$BIN/psql\" -qAt -v ON_ERROR_STOP=1 -f late.sql");
}

static void expect_tables_taken(size_t count, bool is_early)
{
    for (size_t i = 0; i < count; i++) {
        PostgresPlace psql = server;
        pthread_t thread;
        void *first = NULL;
        TrnStorage storage;
        TrnStorageProblem problem = {""};
        char url[2 * PLACE_PATH + 128];
        postgres_sql(&server, "DROP SCHEMA IF EXISTS third CASCADE; CREATE SCHEMA third");
        psql.place.text[0] = '\0';
        url_of("third", url);
        (void)strcat(strcat(url, "%20-cterrane.state%3D"), MADE_STATES[i]);
        (void)strcat(url, is_early ? "%20-cterrane.is_early%3Don" : "");
        assert_int_equal(pthread_create(&thread, NULL, make_first_tables, &psql), 0);
        const TrnResult result = trn_storage_open_any(url, TRN_STORAGE_EITHER, &storage, &problem);
        pthread_join(thread, &first);
        assert_non_null(first);
        if (result != TRN_RESULT_OK) {
            fail_msg("%s: %s", MADE_STATES[i], problem.sentence);
        }
        storage.close(storage.user);
    }
}

static void tables_that_another_program_makes_are_taken(void **state)
{
    (void)state;
    prepare_late_tables();
    expect_tables_taken(sizeof MADE_STATES / sizeof *MADE_STATES, false);
    expect_tables_taken(MADE_STATES_SEEN, true);
}

/// If no program has made the tables, opening fails with the error of this one.
static void tables_that_nobody_makes_are_refused(void **state)
{
    (void)state;
    TrnStorage storage;
    TrnStorageProblem problem = {""};
    char url[2 * PLACE_PATH];
    postgres_sql(&server, "DROP SCHEMA third CASCADE; CREATE SCHEMA third;"
                          "CREATE DOMAIN third.terrane_chunks AS int");
    url_of("third", url);
    assert_int_equal(trn_storage_open_any(url, TRN_STORAGE_EITHER, &storage, &problem),
                     TRN_RESULT_IO);
    assert_non_null(strstr(problem.sentence, "type \"terrane_chunks\" already exists"));
    postgres_sql(&server, "DROP EVENT TRIGGER late; DROP FUNCTION public.make_late();"
                          "DROP SCHEMA third CASCADE");
}

// ---- races of processes ------------------------------------------------------------------------

#define RACERS 3

/// A process of a race. The third one only reads, until it finds a world.
static void run_racer(int number, int begin, int out)
{
    const WorldFacts facts = number ? facts_of(8, "islands", TRN_TERRAIN_VERSION_OLDEST)
                                    : facts_of(7, "alps", TRN_TERRAIN_VERSION);
    char text[2048] = "", go;
    bool good = read(begin, &go, 1) == 1;
    if (number < 2) {
        good = good && describe_world(server.url, TRN_STORAGE_EITHER, &facts, text, sizeof text);
    } else {
        for (int i = 0; i < 2000; i++) {
            if (describe_world(server.url, TRN_STORAGE_READ_ONLY, NULL, text, sizeof text)) {
                break;
            }
            if (!strstr(text, "no world")) { // the sentence of the failure is what this process has
                good = false;
                break;
            }
        }
    }
    const ssize_t length = (ssize_t)strlen(text);
    _exit(write(out, text, (size_t)length) == length && good ? 0 : 1);
}

static void processes_that_race_have_one_world(void **state)
{
    (void)state;
    const int rounds = getenv("TERRANE_TEST_FULL") ? 300 : 30;
    int wins[2] = {0, 0};
    for (int round = 0; round < rounds; round++) {
        int begin[2], out[RACERS][2];
        pid_t racers[RACERS];
        char expected[2048];
        postgres_drop(&server);
        assert_int_equal(pipe(begin), 0);
        (void)fflush(stdout); // or each process writes what is buffered
        for (int i = 0; i < RACERS; i++) {
            assert_int_equal(pipe(out[i]), 0);
            racers[i] = fork();
            if (racers[i] == 0) {
                run_racer(i, begin[0], out[i][1]);
            }
            assert_true(racers[i] > 0);
            assert_int_equal(close(out[i][1]), 0);
        }
        assert_int_equal(write(begin[1], "123", RACERS), RACERS);
        int statuses[RACERS];
        char texts[RACERS][2048];
        for (int i = 0; i < RACERS; i++) {
            size_t length = 0;
            for (ssize_t part = 1; part > 0; length += part > 0 ? (size_t)part : 0) {
                part = read(out[i][0], texts[i] + length, sizeof texts[i] - 1 - length);
            }
            texts[i][length] = '\0';
            (void)close(out[i][0]);
            assert_int_equal(waitpid(racers[i], &statuses[i], 0), racers[i]);
        }
        (void)close(begin[0]);
        (void)close(begin[1]);
        if (!describe_world(server.url, TRN_STORAGE_READ_ONLY, NULL, expected, sizeof expected)) {
            fail_msg("round %d: no world: %s", round, expected);
        }
        for (int i = 0; i < RACERS; i++) {
            if (statuses[i] != 0 || strcmp(texts[i], expected) != 0) {
                fail_msg("round %d: process %d ended with status %d and has\n%s\nin a world of\n%s",
                         round, i, statuses[i], texts[i], expected);
            }
        }
        wins[strstr(expected, "alps") == NULL]++;
    }
    printf("the first of two processes made %d of %d worlds\n", wins[0], rounds);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_world_wins_at_the_worst_moment),
        cmocka_unit_test(a_new_world_is_refused_at_the_worst_moment),
        cmocka_unit_test(a_world_that_is_being_made_is_refused),
        cmocka_unit_test(tables_that_another_program_makes_are_taken),
        cmocka_unit_test(tables_that_nobody_makes_are_refused),
        cmocka_unit_test(processes_that_race_have_one_world),
    };
    TrnStorage none;
    TrnStorageProblem problem = {""};
    (void)trn_storage_postgres("postgresql:///w?host=/nowhere", TRN_STORAGE_OPEN, &none, &problem);
    if (strstr(problem.sentence, "without PostgreSQL")) {
        puts(problem.sentence);
        return 0;
    }
    int failures = 0;
    if (postgres_begin(&server)) {
        failures = cmocka_run_group_tests_name("world_race", tests, NULL, NULL);
    }
    postgres_end(&server);
    return failures;
}
