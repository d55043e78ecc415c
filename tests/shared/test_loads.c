/// Many chunks that are read in one question, over a network that delays and breaks connections.
/// Without a server the test is skipped. It is built with shorter limits of time.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "party.h"

#include <stdatomic.h>

#include <terrane/stream.h>

#include "relay.h"

enum { ROWS = 200, ROW_BYTES = 1500, EDGE_CHUNKS = 5 };

/// A way to the server with a relay on it.
typedef struct Way {
    Relay *relay;
    char url[2 * PLACE_PATH];
} Way;

static void way_open(Way *way, double round_trip_ms)
{
    char folder[PLACE_PATH], socket[PLACE_PATH];
    postgres_expect(&server, "mkdir -p relay");
    (void)place_path(&server.place, "relay", folder);
    (void)place_path(&server.place, RELAY_SOCKET, socket);
    way->relay = relay_open(folder, socket, round_trip_ms);
    assert_non_null(way->relay);
    (void)snprintf(way->url, sizeof way->url, "postgresql://terrane@/postgres?host=%s", folder);
}

static TrnStorage open_storage(const char *url)
{
    TrnStorage storage;
    TrnStorageProblem problem = {""};
    if (trn_storage_open_any(url, TRN_STORAGE_EITHER, &storage, &problem) != TRN_RESULT_OK) {
        fail_msg("%s", problem.sentence);
    }
    return storage;
}

// ---- rows --------------------------------------------------------------------------------------

static unsigned char rows_bytes[ROWS][ROW_BYTES];

static TrnStorageKey key_of(uint32_t i)
{
    return (TrnStorageKey){{(int32_t)(i * 37 % ROWS), -(int32_t)(i % 3), (int32_t)i}, i % 2};
}

static void put_rows(const TrnStorage *storage)
{
    TrnStorageRow rows[ROWS];
    for (uint32_t i = 0; i < ROWS; i++) {
        for (uint32_t at = 0; at < ROW_BYTES; at++) {
            rows_bytes[i][at] = (unsigned char)(i * 31 + at * at / 7);
        }
        rows[i] = (TrnStorageRow){key_of(i), i + 1, rows_bytes[i], ROW_BYTES - i};
    }
    const TrnStorageBatch batch = {.rows = rows, .row_count = ROWS};
    assert_int_equal(storage->put(storage->user, &batch), TRN_RESULT_OK);
}

typedef struct Rows {
    uint32_t count, most; ///< 0: any number
    uint32_t seen[ROWS];
} Rows;

static bool see(void *user, const TrnStorageRow *row)
{
    Rows *rows = user;
    const uint32_t i = (uint32_t)row->key.coord.z;
    assert_true(i < ROWS && trn_coord_equal(row->key.coord, key_of(i).coord));
    assert_int_equal(row->size, ROW_BYTES - i);
    assert_memory_equal(row->bytes, rows_bytes[i], row->size);
    rows->seen[i]++;
    return ++rows->count != rows->most;
}

/// The connection breaks after so many bytes of the answer. No row is visited twice.
static void a_broken_batch_goes_on_with_what_is_missing(void **state)
{
    (void)state;
    Way way;
    TrnStorageKey keys[ROWS + 2];
    postgres_drop(&server);
    way_open(&way, 0);
    TrnStorage storage = open_storage(way.url);
    put_rows(&storage);
    for (uint32_t i = 0; i < ROWS; i++) {
        keys[i] = key_of(i);
    }
    keys[ROWS] = keys[ROWS + 1] = (TrnStorageKey){{9999, 9, 9}, 0}; // absent
    Rows rows = {0};
    assert_int_equal(storage.get(storage.user, keys, ROWS, see, &rows), TRN_RESULT_OK);
    for (uint64_t bytes = 1; bytes < (uint64_t)ROWS * ROW_BYTES; bytes += 23456) {
        const uint32_t breaks = relay_breaks(way.relay);
        rows = (Rows){0};
        relay_break_after(way.relay, bytes);
        assert_int_equal(storage.get(storage.user, keys, ROWS + 2, see, &rows), TRN_RESULT_OK);
        assert_int_equal(relay_breaks(way.relay), breaks + 1);
        for (uint32_t i = 0; i < ROWS; i++) {
            assert_int_equal(rows.seen[i], 1);
        }
    }
    storage.close(storage.user);
    relay_close(way.relay);
}

/// Whoever has seen enough gets no more, and the connection can be used again.
static void a_visitor_may_stop_in_the_middle(void **state)
{
    (void)state;
    TrnStorageKey keys[ROWS];
    postgres_drop(&server);
    TrnStorage storage = open_storage(server.url);
    put_rows(&storage);
    for (uint32_t i = 0; i < ROWS; i++) {
        keys[i] = key_of(i);
    }
    for (uint32_t most = 1; most <= ROWS; most += 66) {
        Rows rows = {.most = most};
        assert_int_equal(storage.get(storage.user, keys, ROWS, see, &rows), TRN_RESULT_OK);
        assert_int_equal(rows.count, most);
    }
    storage.close(storage.user);
}

// ---- streams -----------------------------------------------------------------------------------

/// A game that loads a world from the server.
typedef struct Game {
    TrnBlockTypes *types;
    TrnSave *save;
    TrnStore *store;
    TrnStream *stream;
    TrnStreamAnchorId id;
    atomic_uint calls, most; ///< of load_many; the most chunks of one
    uint32_t failed[TRN_STREAM_STAGE_COUNT];
    TrnStreamSource source;
} Game;

/// Of 16 different blocks, by place.
static TrnBlock block_of(TrnCoord coord, uint32_t voxel)
{
    return (TrnBlock)(1 + ((uint32_t)(coord.x * 3 + coord.y * 5 + coord.z * 7) + voxel / 900) % 16);
}

static void game_load_many(void *user, TrnStreamLoadJob *loads, size_t count)
{
    Game *game = user;
    atomic_fetch_add(&game->calls, 1);
    if (count > atomic_load(&game->most)) {
        atomic_store(&game->most, (unsigned)count);
    }
    game->source.load_many(game->source.user, loads, count);
}

static TrnResult game_load(void *user, const TrnStreamJob *job, TrnBlock *blocks, bool *uniform)
{
    const Game *game = user;
    return game->source.load(game->source.user, job, blocks, uniform);
}

static void game_hear(void *user, const TrnStreamEvent *event)
{
    Game *game = user;
    game->failed[event->stage] += event->kind == TRN_STREAM_EVENT_FAILED;
}

static void game_open(Game *game, const char *url)
{
    TrnSaveDef def = trn_save_def();
    TrnStoreDef store = trn_store_def();
    TrnStreamDef stream = trn_stream_def();
    TrnStreamAnchor anchor = trn_stream_anchor();
    memset(game, 0, sizeof *game);
    assert_int_equal(trn_block_types_create_builtin(NULL, &game->types), TRN_RESULT_OK);
    def.types = store.types = game->types;
    def.storage = open_storage(url);
    def.damaged = TRN_SAVE_REFUSE_DAMAGED;
    assert_int_equal(trn_save_create(&def, &game->save, NULL), TRN_RESULT_OK);
    assert_int_equal(trn_store_create(&store, &game->store), TRN_RESULT_OK);
    game->source = trn_save_source(game->save);
    stream.store = game->store;
    stream.generator.generate = generate;
    stream.source = game->source;
    stream.source.load = game_load;
    stream.source.load_many = game_load_many;
    stream.source.save = NULL;
    stream.source.user = game;
    stream.listener = game_hear;
    stream.listener_user = game;
    stream.workers = 2;
    assert_int_equal(trn_stream_create(&stream, &game->stream), TRN_RESULT_OK);
    anchor.radius_chunks = EDGE_CHUNKS - 1;
    anchor.height_chunks = 1;
    assert_int_equal(trn_stream_anchor_add(game->stream, &anchor, &game->id), TRN_RESULT_OK);
}

static void game_close(Game *game)
{
    trn_stream_destroy(game->stream);
    trn_store_destroy(game->store);
    (void)trn_save_destroy(game->save);
    trn_block_types_destroy(game->types);
}

/// Saves what a game sees, except every ninth chunk.
static void save_land(void)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    TrnBlockTypes *types;
    TrnSaveDef def = trn_save_def();
    TrnSave *save;
    postgres_drop(&server);
    assert_int_equal(trn_block_types_create_builtin(NULL, &types), TRN_RESULT_OK);
    def.types = types;
    def.storage = open_storage(server.url);
    assert_int_equal(trn_save_create(&def, &save, NULL), TRN_RESULT_OK);
    for (int32_t i = 0; i < 5 * 13 * 13; i++) {
        const TrnCoord coord = {i % 13 - 6, i / 169 - 2, i / 13 % 13 - 6};
        for (uint32_t at = 0; at < TRN_CHUNK_VOXELS; at++) {
            blocks[at] = block_of(coord, at);
        }
        if (i % 9) {
            assert_int_equal(trn_save_put(save, coord, 0, blocks, false), TRN_RESULT_OK);
        }
    }
    assert_int_equal(trn_save_destroy(save), TRN_RESULT_OK);
    trn_block_types_destroy(types);
}

static bool has_all(const Game *game)
{
    TrnStreamView view;
    const TrnStreamStats stats = trn_stream_stats(game->stream);
    assert_int_equal(trn_stream_view(game->stream, game->id, &view), TRN_RESULT_OK);
    return view.is_started && view.rings == view.rings_wanted && stats.loaded == stats.wanted;
}

/// Checks that each loaded chunk is the saved one, or else the generated one.
static void expect_land(const Game *game)
{
    uint32_t seen = 0;
    for (int32_t i = 0; i < 5 * 13 * 13; i++) {
        const TrnCoord coord = {i % 13 - 6, i / 169 - 2, i / 13 % 13 - 6};
        TrnSnapshot voxels;
        if (trn_store_snapshot(game->store, coord, &voxels) != TRN_RESULT_OK) {
            continue;
        }
        seen++;
        for (uint32_t at = 0; at < TRN_CHUNK_VOXELS; at += 711) {
            const TrnBlock made = (TrnBlock)(coord.y < 0 ? TRN_BLOCK_STONE : TRN_BLOCK_AIR);
            assert_int_equal(trn_snapshot_get(voxels, at), i % 9 ? block_of(coord, at) : made);
        }
    }
    assert_int_equal(seen, trn_stream_stats(game->stream).loaded);
}

static void a_stream_loads_many_chunks_of_a_server(void **state)
{
    (void)state;
    Way way;
    Game game;
    save_land();
    way_open(&way, 0.5);
    game_open(&game, way.url);
    for (int i = 0; i < 5000 && !has_all(&game); i++) {
        trn_stream_update(game.stream, NULL, NULL);
        pause_ms(1);
    }
    assert_true(has_all(&game));
    assert_int_equal(game.failed[TRN_STREAM_STAGE_LOAD], 0);
    expect_land(&game);
    const uint32_t loaded = trn_stream_stats(game.stream).loaded;
    assert_true(atomic_load(&game.calls) < loaded / 4);
    assert_in_range(atomic_load(&game.most), 9, TRN_STREAM_LOADS_MAX);
    game_close(&game);
    relay_close(way.relay);
}

static void connections_that_break_lose_no_chunk(void **state)
{
    (void)state;
    Way way;
    Game game;
    save_land();
    way_open(&way, 0.5);
    game_open(&game, way.url);
    for (int i = 0; i < 20000 && !has_all(&game); i++) {
        if (i % 8 == 7) {
            relay_break_after(way.relay, (uint64_t)(i % 5) * 3000);
        }
        trn_stream_update(game.stream, NULL, NULL);
        pause_ms(1);
    }
    assert_true(has_all(&game));
    assert_true(relay_breaks(way.relay) > 0);
    expect_land(&game);
    game_close(&game);
    relay_close(way.relay);
}

/// Loads fail and are tried again; what has come stays. The game can end at any time.
static void a_server_that_stops_in_a_batch_is_waited_for(void **state)
{
    (void)state;
    Game game;
    save_land();
    for (int is_ended = 0; is_ended < 2; is_ended++) {
        game_open(&game, server.url);
        while (trn_stream_stats(game.stream).loaded < 20) {
            trn_stream_update(game.stream, NULL, NULL);
        }
        postgres_stop(&server, "immediate");
        const double stopped_ms = now_ms();
        while (!is_ended && !game.failed[TRN_STREAM_STAGE_LOAD] && !has_all(&game)) {
            assert_true(now_ms() - stopped_ms < 20e3);
            trn_stream_update(game.stream, NULL, NULL);
            pause_ms(1);
        }
        if (is_ended) {
            game_close(&game);
            assert_true(now_ms() - stopped_ms < 20e3);
        }
        postgres_start(&server);
        for (int i = 0; !is_ended && i < 20000 && !has_all(&game); i++) {
            trn_stream_update(game.stream, NULL, NULL);
            pause_ms(1);
        }
        if (!is_ended) {
            assert_true(has_all(&game));
            expect_land(&game);
            game_close(&game);
        }
    }
}

static void a_damaged_row_fails_alone(void **state)
{
    (void)state;
    Game game;
    save_land();
    postgres_sql(&server, "UPDATE terrane_chunks SET bytes = set_byte(bytes, 40, 255 - "
                          "get_byte(bytes, 40)) WHERE level = 0 AND x = 2 AND y = 0 AND z = 0");
    game_open(&game, server.url);
    for (int i = 0; i < 3000; i++) {
        trn_stream_update(game.stream, NULL, NULL);
        const TrnStreamStats stats = trn_stream_stats(game.stream);
        if (stats.wanted > 100 && stats.loaded + 1 == stats.wanted && i % 100 == 99) {
            break;
        }
        pause_ms(1);
    }
    const TrnStreamStats stats = trn_stream_stats(game.stream);
    assert_int_equal(stats.loaded + 1, stats.wanted);
    assert_null(trn_store_find(game.store, (TrnCoord){2, 0, 0}));
    assert_true(game.failed[TRN_STREAM_STAGE_LOAD] > 0);
    assert_int_equal(trn_save_stats(game.save).damaged, 1);
    expect_land(&game);
    game_close(&game);
}

// ---- members -----------------------------------------------------------------------------------

static void regions_of_chunks_that_are_loaded_together_are_followed(void **state)
{
    (void)state;
    Party ada, bob;
    static TrnBlock blocks[3][TRN_CHUNK_VOXELS];
    const TrnCoord coords[3] = {here, {1 + TRN_REGION_CHUNKS, 0, 1}, {2, 0, 1}};
    const TrnVoxel voxel = {spot.x + (int64_t)TRN_REGION_CHUNKS * TRN_CHUNK_EDGE, spot.y, spot.z};
    postgres_drop(&server);
    assert_int_equal(party_open(&ada, party_def()), TRN_RESULT_OK);
    party_load(&ada, coords[1]);
    set(&ada, voxel, TRN_BLOCK_SAND);
    settle(&ada);

    assert_int_equal(party_open(&bob, party_def()), TRN_RESULT_OK);
    const TrnStreamSource source = trn_member_source(bob.member);
    TrnStreamJob jobs[3];
    TrnStreamLoadJob loads[3];
    assert_int_equal(source.load_max, TRN_STREAM_LOADS_MAX);
    for (int i = 0; i < 3; i++) {
        jobs[i] = (TrnStreamJob){.coord = coords[i]};
        loads[i] = (TrnStreamLoadJob){&jobs[i], blocks[i], false, TRN_RESULT_NOT_FOUND};
    }
    source.load_many(source.user, loads, 3);
    assert_int_equal(trn_member_stats(bob.member).regions, 2);
    assert_int_equal(loads[0].result, TRN_RESULT_NOT_FOUND);
    assert_int_equal(loads[1].result, TRN_RESULT_OK);
    assert_int_equal(loads[2].result, TRN_RESULT_NOT_FOUND);
    assert_int_equal(
        trn_store_insert_data(bob.store, coords[1], blocks[1], loads[1].uniform, NULL, 0, NULL),
        TRN_RESULT_OK);
    assert_int_equal(block_at(&bob, voxel), TRN_BLOCK_SAND);
    set(&ada, voxel, TRN_BLOCK_GRASS);
    settle(&ada);
    (void)await_block(&bob, voxel, TRN_BLOCK_GRASS);

    // Without a server none of them is loaded.
    jobs[2].coord.x += 2 * TRN_REGION_CHUNKS; // of a region that is not followed
    postgres_stop(&server, "fast");
    source.load_many(source.user, loads, 3);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(loads[i].result, TRN_RESULT_IO);
    }
    postgres_start(&server);
    party_close(&bob);
    party_close(&ada);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_broken_batch_goes_on_with_what_is_missing),
        cmocka_unit_test(a_visitor_may_stop_in_the_middle),
        cmocka_unit_test(a_stream_loads_many_chunks_of_a_server),
        cmocka_unit_test(connections_that_break_lose_no_chunk),
        cmocka_unit_test(a_server_that_stops_in_a_batch_is_waited_for),
        cmocka_unit_test(a_damaged_row_fails_alone),
        cmocka_unit_test(regions_of_chunks_that_are_loaded_together_are_followed),
    };
    return PARTY_RUN("shared_loads", tests);
}
