// Hints by a NATS server (TrnMemberDef.hints), which the test runs if there is one.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)

#include "party.h"

#include <math.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define RECONNECT_MS 10000.0

static char hints[64];
static int port;
static pid_t nats;

/// Finds a port that is free now.
static int free_port(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    const int probe = socket(AF_INET, SOCK_STREAM, 0);
    assert_true(probe >= 0 && bind(probe, (struct sockaddr *)&address, sizeof address) == 0 &&
                getsockname(probe, (struct sockaddr *)&address, &size) == 0);
    (void)close(probe);
    return ntohs(address.sin_port);
}

static bool has_nats(void)
{
    return system("nats-server --version >/dev/null 2>&1") == 0; // NOLINT(cert-env33-c)
}

static void nats_start(void)
{
    char text[16];
    (void)snprintf(text, sizeof text, "%d", port);
    nats = fork();
    assert_true(nats >= 0);
    if (nats == 0) {
        (void)execlp("nats-server", "nats-server", "-a", "127.0.0.1", "-p", text, "-l", "/dev/null",
                     (char *)NULL);
        _exit(127);
    }
}

static void nats_stop(void)
{
    if (nats > 0) {
        (void)kill(nats, SIGKILL);
        (void)waitpid(nats, NULL, 0);
        nats = 0;
    }
}

/// Members that see what others do by polls within 5 s, and by hints at once.
static TrnMemberDef nats_def(const char *name)
{
    TrnMemberDef def = party_def();
    def.hints = hints;
    def.name = name;
    def.poll_seconds = 5;
    return def;
}

static void await_hints(const Party *party, bool wanted)
{
    const double start = now_ms();
    while (trn_member_stats(party->member).has_hints != wanted) {
        if (now_ms() - start > RECONNECT_MS) {
            fail_msg("hints do not %s", wanted ? "arrive" : "end");
        }
        (void)trn_member_update(party->member);
        pause_ms(5);
    }
}

static void open_two(Party *ada, Party *bob)
{
    assert_int_equal(party_open(ada, nats_def("Ada")), TRN_RESULT_OK);
    assert_int_equal(party_open(bob, nats_def("Bob")), TRN_RESULT_OK);
    party_load(ada, here);
    party_load(bob, here);
    await_hints(ada, true);
    await_hints(bob, true);
}

static void close_two(Party *ada, Party *bob)
{
    party_close(ada);
    party_close(bob);
    postgres_drop(&server);
}

/// How long an edit of one takes until the other has it. @return milliseconds
static double exchange(const Party *from, const Party *to, TrnVoxel voxel, TrnBlock block)
{
    set(from, voxel, block);
    (void)trn_member_update(from->member);
    const double start = now_ms();
    while (block_at(to, voxel) != block) {
        assert_true(now_ms() - start < SETTLE_SECONDS * 1e3);
        assert_int_equal(trn_member_update(from->member), TRN_RESULT_OK);
        assert_int_equal(trn_member_update(to->member), TRN_RESULT_OK);
        pause_ms(1);
    }
    settle(from);
    return now_ms() - start;
}

/// Edits of the owner, and of another through the queue, are seen long before the next poll.
static void hints_come_before_polls(void **state)
{
    (void)state;
    Party ada, bob;
    open_two(&ada, &bob);
    (void)exchange(&ada, &bob, spot, TRN_BLOCK_SAND); // Ada owns the region
    pause_ms(300);                                    // subscriptions are there
    double slowest = 0;
    for (TrnBlock block = 1; block <= 5; block++) {
        slowest = fmax(slowest, exchange(&ada, &bob, spot, block));
        slowest = fmax(slowest, exchange(&bob, &ada, other_spot, block));
    }
    assert_true(slowest < 2000);
    assert_true(trn_member_stats(bob.member).notifies > 0);
    close_two(&ada, &bob);
}

/// Without the server polls find everything; when it is back, hints arrive again.
static void nats_gone_and_back(void **state)
{
    (void)state;
    Party ada, bob;
    open_two(&ada, &bob);
    (void)exchange(&ada, &bob, spot, TRN_BLOCK_SAND);
    nats_stop();
    await_hints(&ada, false);
    await_hints(&bob, false);
    (void)exchange(&ada, &bob, spot, TRN_BLOCK_STONE);
    (void)exchange(&bob, &ada, other_spot, TRN_BLOCK_STONE);
    nats_start();
    await_hints(&ada, true);
    await_hints(&bob, true);
    pause_ms(300);
    double slowest = 0;
    for (TrnBlock block = 1; block <= 3; block++) {
        slowest = fmax(slowest, exchange(&bob, &ada, other_spot, block));
    }
    assert_true(slowest < 2000);
    close_two(&ada, &bob);
}

/// A member whose NATS server is not there joins, plays by polls, and has hints once it is.
static void a_member_joins_without_it(void **state)
{
    (void)state;
    Party ada, bob;
    nats_stop();
    assert_int_equal(party_open(&ada, nats_def("Ada")), TRN_RESULT_OK);
    assert_int_equal(party_open(&bob, nats_def("Bob")), TRN_RESULT_OK);
    party_load(&ada, here);
    party_load(&bob, here);
    (void)exchange(&ada, &bob, spot, TRN_BLOCK_STONE);
    nats_start();
    await_hints(&ada, true);
    close_two(&ada, &bob);
}

/// Waits until a member knows of some other players.
static void await_others(const Party *party, size_t count)
{
    const double start = now_ms();
    while (trn_member_others(party->member, NULL, 0) != count) {
        if (now_ms() - start > RECONNECT_MS) {
            fail_msg("there are %zu others", trn_member_others(party->member, NULL, 0));
        }
        pause_ms(5);
    }
}

/// Places travel by NATS to those who are near, and vanish after a while.
static void places_travel(void **state)
{
    (void)state;
    Party ada, bob;
    TrnMemberPlayer other;
    const double near_here[3] = {40.5, 6, 45.25}, far_away[3] = {40.5, 6, 100000};
    open_two(&ada, &bob);
    pause_ms(300);
    trn_member_set_place(ada.member, near_here, 90, -10);
    await_others(&bob, 1);
    assert_int_equal(trn_member_others(bob.member, &other, 1), 1);
    assert_string_equal(other.name, "Ada");
    assert_true(other.place[2] == near_here[2] && other.yaw == 90 && other.pitch == -10);
    assert_int_equal(trn_member_others(ada.member, NULL, 0), 0);
    postgres_sql(&server, "SELECT count(*) FROM terrane_players");
    assert_int_equal(server.place.text[0], '0');
    trn_member_set_place(ada.member, far_away, 90, -10);
    await_others(&bob, 0);
    close_two(&ada, &bob);
}

static void wrong_urls_are_refused(void **state)
{
    (void)state;
    Party party;
    TrnMemberDef def = party_def();
    def.hints = "http://localhost";
    assert_int_equal(party_open(&party, def), TRN_RESULT_BAD_ARGUMENT);
    trn_store_destroy(party.store);
    (void)trn_save_destroy(party.save);
    trn_block_types_destroy(party.types);
    postgres_drop(&server);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hints_come_before_polls),   cmocka_unit_test(nats_gone_and_back),
        cmocka_unit_test(a_member_joins_without_it), cmocka_unit_test(places_travel),
        cmocka_unit_test(wrong_urls_are_refused),
    };
    if (!has_nats()) {
        puts("There is no NATS server here, so this test is skipped; install nats-server.");
        return 0;
    }
    port = free_port();
    (void)snprintf(hints, sizeof hints, "nats://127.0.0.1:%d", port);
    nats_start();
    const int failures = PARTY_RUN("shared_member_nats", tests);
    nats_stop();
    return failures;
}
