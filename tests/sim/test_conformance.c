/// The simulator's server and storage pass the cases that PostgreSQL passes (shared_conformance)
/// and that storages in memory and in files pass (save_storage): what holds on it holds on those.
#include "sim.h"

#include "shared/server_cases.h"

static SimProcess processes[2];

static void pause_seconds(double seconds)
{
    sim_sleep(seconds * 1e6);
}

static void open_storage(Fixture *fixture, uint32_t at)
{
    processes[at] = (SimProcess){.number = at, .life = at + 1};
    fixture->kind = STORAGE_SIMULATED;
    fixture->storage = processes[at].storage = sim_storage_open(&processes[at]);
}

static void begin_world(void)
{
    memset(&sim, 0, sizeof sim);
    sim.options = (SimOptions){.members = 2, .regions = 2, .servers = 1, .is_calm = true};
    sim.processes = processes;
    sim.slowness = 1;
    sim.servers[0] = (SimServer){.start = 1, .timeline = 1};
    sim.takes_any = true;
}

static void end_world(void)
{
    assert_false(sim.has_failed);
    sim_disk_clear(&sim.server);
}

static int server_setup(void **state)
{
    static Server server;
    begin_world();
    server = (Server){.pause = pause_seconds};
    open_storage(&server.one, 0);
    open_storage(&server.other, 1);
    assert_true(trn_pg_connect(&server.link, "0"));
    *state = &server;
    return 0;
}

static int server_teardown(void **state)
{
    Server *server = *state;
    trn_pg_disconnect(&server->link);
    server->one.storage.close(server->one.storage.user);
    server->other.storage.close(server->other.storage.user);
    end_world();
    return 0;
}

static int storage_setup(void **state)
{
    static Fixture fixture;
    begin_world();
    open_storage(&fixture, 0);
    *state = &fixture;
    return 0;
}

static int storage_teardown(void **state)
{
    const Fixture *fixture = *state;
    fixture->storage.close(fixture->storage.user);
    end_world();
    return 0;
}

#define STORAGE_CASE(name) cmocka_unit_test_setup_teardown(name, storage_setup, storage_teardown)

int main(void)
{
    (void)readers_see_whole_transactions; // the simulator has one thread
    const struct CMUnitTest tests[] = {STORAGE_CASE(rows_are_put_got_replaced_and_removed),
                                       STORAGE_CASE(boxes_and_revisions_choose_what_is_listed),
                                       STORAGE_CASE(values_come_by_prefix_in_order_of_their_names),
                                       STORAGE_CASE(new_values_replace_none), SERVER_CASES};
    return cmocka_run_group_tests_name("sim_conformance", tests, NULL, NULL);
}
