/// What members ask of a server, asked of PostgreSQL: the same cases as of the simulator's server.
/// Without a server, or without libpq, the test is skipped.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "postgres_place.h"
#include "server_cases.h"

#include <time.h>

static PostgresPlace place;

static void pause_seconds(double seconds)
{
    const struct timespec pause = {.tv_nsec = (long)(seconds * 1e9)};
    (void)nanosleep(&pause, NULL);
}

static void open_storage(Fixture *fixture)
{
    TrnStorageProblem problem = {""};
    fixture->kind = STORAGE_POSTGRES;
    if (trn_storage_open_any(place.url, TRN_STORAGE_EITHER, &fixture->storage, &problem) !=
        TRN_RESULT_OK) {
        fail_msg("%s", problem.sentence);
    }
}

static int server_setup(void **state)
{
    static Server server;
    server = (Server){.pause = pause_seconds};
    postgres_drop(&place);
    open_storage(&server.one);
    open_storage(&server.other);
    assert_true(trn_pg_connect(&server.link, place.url));
    *state = &server;
    return 0;
}

static int server_teardown(void **state)
{
    Server *server = *state;
    trn_pg_disconnect(&server->link);
    server->one.storage.close(server->one.storage.user);
    server->other.storage.close(server->other.storage.user);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {SERVER_CASES};
    const bool has_server = postgres_begin(&place);
    const int failures =
        has_server ? cmocka_run_group_tests_name("shared_conformance", tests, NULL, NULL) : 0;
    postgres_end(&place);
    return failures;
}
