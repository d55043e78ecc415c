/// The cases that every server of shared worlds passes: leases, the queue of edits, changes, hints.
/// Shared by tests that fill a Server in their own setup: PostgreSQL, and the simulator's. Those of
/// storages are in save/storage_cases.h.
#pragma once

#include "save/storage_cases.h"

#include <terrane/shared.h>

#include "leases.h"
#include "postgres_members.h"
#include "postgres_put.h"
#include "postgres_storage.h"
#include "region.h"

/// Two programs that have one empty world open.
typedef struct Server {
    Fixture one, other;
    TrnPgLink link;
    void (*pause)(double seconds);
} Server;

#define SERVER_LEASE_SECONDS 0.3

static const TrnStorageKey server_key = {{0, 0, 0}, 0}, server_next = {{15, 0, 0}, 0},
                           server_far = {{16, 0, 0}, 0};

static inline TrnRegion server_region_of(TrnStorageKey key)
{
    return trn_region_of(key.coord, key.level);
}

/// Takes leases that last long in the first storage, and short ones in the other.
static inline void server_begin_leases(const Server *server)
{
    assert_int_equal(trn_lease_begin(&server->one.storage, "one", 600), TRN_RESULT_OK);
    assert_int_equal(trn_lease_begin(&server->other.storage, "other", SERVER_LEASE_SECONDS),
                     TRN_RESULT_OK);
}

static inline TrnResult server_take(const Fixture *fixture, TrnStorageKey key, bool by_force)
{
    return trn_lease_take(&fixture->storage, server_region_of(key), by_force);
}

static inline TrnResult server_put(const Fixture *fixture, TrnStorageKey key, const char *text)
{
    const TrnStorageRow row = row_of(key, 1, text);
    return put_row(fixture, &row);
}

// ---- leases ------------------------------------------------------------------------------------

static inline void a_region_has_one_writer(void **state)
{
    const Server *server = *state;
    server_begin_leases(server);
    assert_int_equal(server_put(&server->one, server_key, "1"), TRN_RESULT_STALE_ID);
    assert_int_equal(server_take(&server->one, server_key, false), TRN_RESULT_OK);
    assert_int_equal(server_take(&server->one, server_key, false), TRN_RESULT_BUSY);
    assert_int_equal(server_take(&server->other, server_key, false), TRN_RESULT_BUSY);
    assert_int_equal(server_put(&server->one, server_key, "1"), TRN_RESULT_OK);
    assert_int_equal(server_put(&server->other, server_key, "2"), TRN_RESULT_STALE_ID);
    assert_int_equal(server_take(&server->other, server_key, true), TRN_RESULT_OK);
    assert_int_equal(server_put(&server->other, server_key, "2"), TRN_RESULT_OK);
    assert_int_equal(server_put(&server->one, server_key, "1"), TRN_RESULT_STALE_ID);
    assert_string_equal(get(&server->one, server_key).text, "2");
    assert_int_equal(trn_lease_renew(&server->one.storage), TRN_RESULT_STALE_ID);
    assert_int_equal(trn_lease_renew(&server->one.storage), TRN_RESULT_OK);
}

/// Of a batch with a region that is not held, nothing is written.
static inline void a_batch_needs_all_its_regions(void **state)
{
    const Server *server = *state;
    server_begin_leases(server);
    assert_int_equal(server_take(&server->one, server_key, false), TRN_RESULT_OK);
    const TrnStorageRow rows[] = {row_of(server_key, 1, "1"), row_of(server_far, 1, "1")};
    const TrnStorageBatch batch = {.rows = rows, .row_count = 2};
    const TrnStorage *storage = &server->one.storage;
    assert_int_equal(storage->put(storage->user, &batch), TRN_RESULT_STALE_ID);
    assert_int_equal(get(&server->one, server_key).count, 0);
    assert_int_equal(server_take(&server->one, server_far, false), TRN_RESULT_OK);
    assert_int_equal(storage->put(storage->user, &batch), TRN_RESULT_OK);
    assert_int_equal(get(&server->one, server_far).count, 1);
}

static inline void a_lease_ends(void **state)
{
    const Server *server = *state;
    server_begin_leases(server);
    assert_int_equal(server_take(&server->other, server_key, false), TRN_RESULT_OK);
    for (int i = 0; i < 4; i++) {
        server->pause(SERVER_LEASE_SECONDS / 3);
        assert_int_equal(trn_lease_renew(&server->other.storage), TRN_RESULT_OK);
    }
    assert_int_equal(server_take(&server->one, server_key, false), TRN_RESULT_BUSY);
    server->pause(SERVER_LEASE_SECONDS * 2);
    assert_int_equal(server_take(&server->one, server_key, false), TRN_RESULT_OK);
    assert_int_equal(server_put(&server->other, server_key, "2"), TRN_RESULT_STALE_ID);
    assert_int_equal(trn_lease_give(&server->other.storage, server_region_of(server_key)),
                     TRN_RESULT_OK); // of a lease that another has now
    assert_int_equal(server_put(&server->one, server_key, "1"), TRN_RESULT_OK);
    assert_int_equal(server_take(&server->other, server_key, false), TRN_RESULT_BUSY);
    assert_int_equal(trn_lease_give(&server->one.storage, server_region_of(server_key)),
                     TRN_RESULT_OK);
    assert_int_equal(server_take(&server->other, server_key, false), TRN_RESULT_OK);
}

/// A lease that expired, and that none has taken, can be renewed.
static inline void an_expired_lease_is_renewed(void **state)
{
    const Server *server = *state;
    server_begin_leases(server);
    assert_int_equal(server_take(&server->other, server_key, false), TRN_RESULT_OK);
    server->pause(SERVER_LEASE_SECONDS * 2);
    assert_int_equal(trn_lease_renew(&server->other.storage), TRN_RESULT_OK);
    assert_int_equal(server_take(&server->one, server_key, false), TRN_RESULT_BUSY);
}

// ---- the queue of edits ------------------------------------------------------------------------

typedef struct ServerRows {
    uint32_t count;
    int64_t numbers[16][3];
    char text[64]; ///< the bytes of all rows
} ServerRows;

static inline bool server_see(void *user, const TrnPgField *row)
{
    ServerRows *rows = user;
    assert_true(rows->count < 16);
    const size_t length = strlen(rows->text), size = row[2].bytes ? row[2].size : 0;
    for (int i = 0; i < 3; i++) {
        rows->numbers[rows->count][i] = row[i].number;
    }
    assert_true(length + size < sizeof rows->text);
    if (size) {
        memcpy(rows->text + length, row[2].bytes, size);
    }
    rows->text[length + size] = '\0';
    rows->count++;
    return true;
}

static inline ServerRows server_queue(Server *server, int64_t region)
{
    ServerRows rows = {0};
    TrnPgLook look = {.owned = &region, .owned_count = 1, .edit = server_see, .user = &rows};
    assert_true(trn_pg_look(&server->link, &look));
    return rows;
}

static inline void edits_wait_in_their_order(void **state)
{
    Server *server = *state;
    const int64_t region = trn_storage_region(&server_key), far = trn_storage_region(&server_far);
    assert_true(trn_pg_edit_submit(&server->link, false, region, 7, 1, "a", 1));
    assert_true(trn_pg_edit_submit(&server->link, false, far, 7, 2, "x", 1));
    assert_true(trn_pg_edit_submit(&server->link, true, region, 8, 1, "b", 1));
    assert_true(trn_pg_edit_submit(&server->link, false, region, 7, 1, "c", 1)); // once more
    const ServerRows rows = server_queue(server, region);
    assert_string_equal(rows.text, "ab");
    assert_true(rows.numbers[0][1] < rows.numbers[1][1]);
    assert_string_equal(server_queue(server, far).text, "x");
}

/// Lists the edits of member 7, by number.
static inline ServerRows server_answers(Server *server, int64_t region)
{
    ServerRows rows = {0};
    TrnPgLook look = {.is_waiting = true,
                      .member = 7,
                      .regions = &region,
                      .count = 1,
                      .answer = server_see,
                      .user = &rows};
    assert_true(trn_pg_look(&server->link, &look));
    return rows;
}

static inline void answers_stay_until_they_are_read(void **state)
{
    Server *server = *state;
    const int64_t region = trn_storage_region(&server_key);
    const int64_t regions[] = {region, region}, numbers[] = {1, 2};
    assert_true(trn_pg_edit_submit(&server->link, false, region, 7, 1, "a", 1));
    assert_true(trn_pg_edit_submit(&server->link, false, region, 8, 1, "b", 1));
    assert_true(trn_pg_edit_submit(&server->link, false, region, 7, 2, "c", 1));
    const int64_t ticket = server_queue(server, region).numbers[0][1];
    assert_true(trn_pg_edit_answer(&server->link, region, &ticket, 1, 5));
    assert_true(trn_pg_edit_answer(&server->link, region, &ticket, 1, 6)); // too late
    assert_string_equal(server_queue(server, region).text, "bc");
    ServerRows rows = server_answers(server, region);
    assert_int_equal(rows.count, 2);
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(rows.numbers[i][2], rows.numbers[i][1] == 1 ? 5 : 0);
    }
    assert_true(trn_pg_edit_drop_old(&server->link, region)); // not yet
    assert_true(trn_pg_edit_drop(&server->link, regions, numbers, 2, 7));
    rows = server_answers(server, region);
    assert_int_equal(rows.count, 1); // the other has no answer
    assert_int_equal(rows.numbers[0][1], 2);
    assert_string_equal(server_queue(server, region).text, "bc");
}

typedef struct ServerRide {
    int64_t region, ticket;
    TrnPgEpoch epoch;
} ServerRide;

static inline bool server_ride(TrnPgLink *link, void *context)
{
    ServerRide *ride = context;
    return trn_pg_place(link, &ride->epoch) &&
           trn_pg_edit_answer_put(link, ride->region, &ride->ticket, 1);
}

/// Of two puts in a region, the one that has all rows of a rider answers its edits.
static inline void answers_ride_with_puts(void **state)
{
    Server *server = *state;
    const int64_t region = trn_storage_region(&server_key);
    server_begin_leases(server);
    assert_int_equal(server_take(&server->one, server_key, false), TRN_RESULT_OK);
    assert_int_equal(server_take(&server->one, server_far, false), TRN_RESULT_OK);
    assert_true(trn_pg_edit_submit(&server->link, false, region, 7, 1, "a", 1));
    ServerRide ride = {.region = region, .ticket = server_queue(server, region).numbers[0][1]};
    TrnPgRider rider = {region, 1, server_ride, &ride, false};
    TrnLeases *leases = trn_postgres_leases(&server->one.storage);
    assert_int_equal(server_put(&server->one, server_key, "1"), TRN_RESULT_OK);
    trn_leases_set_rider(leases, &rider);
    assert_int_equal(server_put(&server->one, server_far, "1"), TRN_RESULT_OK);
    assert_false(rider.is_done);
    assert_int_equal(server_put(&server->one, server_key, "2"), TRN_RESULT_OK);
    trn_leases_set_rider(leases, NULL);
    assert_true(rider.is_done && ride.epoch.timeline > 0 && ride.epoch.place > 0);
    assert_int_equal(trn_leases_change(leases, region), 2);
    assert_int_equal(server_answers(server, region).numbers[0][2], 2);
    assert_int_equal(server_queue(server, region).count, 0);
}

static inline void a_pipeline_is_one_transaction(void **state)
{
    Server *server = *state;
    const int64_t region = trn_storage_region(&server_key);
    TrnPgPipe pipe;
    assert_true(trn_pg_pipe_begin(&server->link, &pipe));
    bool is_sent = trn_pg_edit_submit(&server->link, true, region, 7, 1, "a", 1);
    is_sent = is_sent && trn_pg_edit_submit(&server->link, false, region, 7, 2, "b", 1);
    assert_true(trn_pg_pipe_end(&server->link, is_sent));
    assert_string_equal(server_queue(server, region).text, "ab");
}

// ---- changes -----------------------------------------------------------------------------------

typedef struct ServerNews {
    uint32_t count;
    int64_t regions[16], last[16], changes[16];
    uint32_t x[16], chunks[16]; ///< of the first chunk; how many there are
    int64_t row_x[16];
    char text[64]; ///< the bytes of all rows
    uint32_t row_count;
    TrnPgEpoch epoch;
} ServerNews;

static inline bool server_see_news(void *user, const TrnPgField *row)
{
    ServerNews *news = user;
    const unsigned char *bytes = row[3].bytes;
    assert_true(news->count < 16);
    const uint32_t at = news->count++;
    news->regions[at] = row[0].number;
    news->last[at] = row[1].number;
    news->changes[at] = row[2].number;
    news->chunks[at] = (uint32_t)(row[3].size / TRN_PG_CHANGE_CHUNK_BYTES);
    news->x[at] = row[3].size ? (uint32_t)bytes[2] << 8 | bytes[3] : 0;
    return true;
}

static inline bool server_see_row(void *user, const TrnPgField *row)
{
    ServerNews *news = user;
    const size_t length = strlen(news->text);
    assert_true(news->row_count < 16 && length + row[5].size < sizeof news->text);
    assert_int_equal(row[0].number, 0);
    news->row_x[news->row_count++] = row[1].number;
    memcpy(news->text + length, row[5].bytes, row[5].size);
    news->text[length + row[5].size] = '\0';
    return true;
}

static inline ServerNews server_feed(Server *server, bool has_epoch, int64_t since,
                                     int64_t since_far)
{
    const int64_t regions[] = {trn_storage_region(&server_key), trn_storage_region(&server_far)};
    const int64_t changes[] = {since, since_far};
    ServerNews news = {0};
    TrnPgLook look = {.regions = regions,
                      .since = changes,
                      .count = 2,
                      .has_epoch = has_epoch,
                      .news = server_see_news,
                      .row = server_see_row,
                      .user = &news};
    assert_true(trn_pg_look(&server->link, &look));
    news.epoch = look.epoch;
    return news;
}

static inline void puts_are_listed_as_changes(void **state)
{
    Server *server = *state;
    int64_t change = 9;
    const int64_t region = trn_storage_region(&server_key), far = trn_storage_region(&server_far);
    assert_true(trn_pg_change(&server->link, region, &change));
    assert_int_equal(change, 0);
    assert_int_equal(server_feed(server, false, 0, 0).count, 0);
    assert_int_equal(server_put(&server->one, server_key, "1"), TRN_RESULT_OK);
    assert_int_equal(server_put(&server->one, server_next, "1"), TRN_RESULT_OK);
    assert_int_equal(server_put(&server->other, server_key, NULL), TRN_RESULT_OK);
    assert_true(trn_pg_change(&server->link, region, &change));
    assert_int_equal(change, 3);
    ServerNews news = server_feed(server, false, 1, 0);
    assert_int_equal(news.count, 2); // of the other region there is none
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(news.regions[i], region);
        assert_int_equal(news.last[i], 3);
        assert_int_equal(news.changes[i], 2 + i);
        assert_int_equal(news.chunks[i], 1);
        assert_int_equal(news.x[i], i ? 0 : 15);
    }
    const TrnStorageRow rows[] = {row_of(server_key, 1, "2"), row_of(server_next, 1, "2"),
                                  row_of(server_far, 1, "2"), row_of(server_key, 1, "3")};
    const TrnStorageBatch batch = {.rows = rows, .row_count = 4};
    assert_int_equal(server->one.storage.put(server->one.storage.user, &batch), TRN_RESULT_OK);
    assert_string_equal(get(&server->other, server_key).text, "3");
    news = server_feed(server, true, 3, 0);
    assert_int_equal(news.count, 2); // by region
    assert_true(news.regions[0] == region && news.last[0] == 4 && news.chunks[0] == 2);
    assert_true(news.regions[1] == far && news.last[1] == 1 && news.chunks[1] == 1);
    assert_int_equal(news.row_count, 3);
    for (uint32_t i = 0; i < 3; i++) { // in any order, as they are now
        assert_int_equal(news.text[i], news.row_x[i] == 0 ? '3' : '2');
    }
    assert_int_equal(news.x[1], 16);
    news = server_feed(server, false, INT64_MAX, 1); // none has happened, so all is news
    assert_true(news.count == 1 && news.last[0] == 4 && news.changes[0] == 0);
    news = server_feed(server, false, 9, 1); // more than there are
    assert_true(news.count == 1 && news.last[0] == 4 && news.changes[0] == 0);
}

static inline void a_put_that_fails_is_no_change(void **state)
{
    Server *server = *state;
    int64_t change = 9;
    const int64_t region = trn_storage_region(&server_key);
    server_begin_leases(server);
    assert_int_equal(server_put(&server->one, server_key, "1"), TRN_RESULT_STALE_ID);
    assert_true(trn_pg_change(&server->link, region, &change));
    assert_int_equal(change, 0);
    assert_int_equal(server_feed(server, false, 0, 0).count, 0);
}

static inline void the_epoch_goes_forward(void **state)
{
    Server *server = *state;
    TrnPgEpoch first, second;
    assert_true(trn_pg_epoch(&server->link, &first));
    assert_int_equal(server_put(&server->one, server_key, "1"), TRN_RESULT_OK);
    const ServerNews news = server_feed(server, true, 0, 0);
    assert_true(trn_pg_epoch(&server->link, &second));
    assert_true(first.system != 0 && first.timeline > 0);
    assert_true(first.system == second.system && first.timeline == second.timeline);
    assert_int_equal(news.epoch.timeline, first.timeline);
    assert_true(first.place < news.epoch.place && news.epoch.place <= second.place);
    assert_int_equal(server_feed(server, false, 0, 0).epoch.place, 0);
}

// ---- hints -------------------------------------------------------------------------------------

/// Whether a hint of another member than 7 comes for a region, within some seconds.
static inline bool server_is_told(Server *server, int64_t region, int tries)
{
    int64_t hinted = 0;
    for (int i = 0; i < tries; i++) {
        while (trn_pg_next_hint(&server->link, 7, &hinted)) {
            if (hinted == region) {
                return true;
            }
        }
        server->pause(0.01);
    }
    return false;
}

static inline void regions_that_are_listened_to_tell(void **state)
{
    Server *server = *state;
    const int64_t region = trn_storage_region(&server_key), far = trn_storage_region(&server_far);
    const int64_t both[] = {region, far};
    assert_true(trn_pg_listen(&server->link, region, true));
    assert_true(trn_pg_tell(&server->link, both, 2, 7));
    assert_false(server_is_told(server, region, 10));
    assert_true(trn_pg_tell(&server->link, both, 2, 8));
    assert_true(server_is_told(server, region, 500));
    assert_false(server_is_told(server, far, 10));
    assert_true(trn_pg_listen(&server->link, region, false));
    assert_true(trn_pg_tell(&server->link, both, 2, 8));
    assert_false(server_is_told(server, region, 10));
}

#define SERVER_CASE(name) cmocka_unit_test_setup_teardown(name, server_setup, server_teardown)

/// All of them. The test has server_setup and server_teardown.
#define SERVER_CASES                                                                               \
    SERVER_CASE(a_region_has_one_writer), SERVER_CASE(a_batch_needs_all_its_regions),              \
        SERVER_CASE(a_lease_ends), SERVER_CASE(an_expired_lease_is_renewed),                       \
        SERVER_CASE(edits_wait_in_their_order), SERVER_CASE(answers_stay_until_they_are_read),     \
        SERVER_CASE(answers_ride_with_puts), SERVER_CASE(a_pipeline_is_one_transaction),           \
        SERVER_CASE(puts_are_listed_as_changes), SERVER_CASE(a_put_that_fails_is_no_change),       \
        SERVER_CASE(the_epoch_goes_forward), SERVER_CASE(regions_that_are_listened_to_tell)
