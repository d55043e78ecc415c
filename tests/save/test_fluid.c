// A liquid that flows while its world is saved goes on when the world is opened again, and comes to
// rest in the same voxels.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier): place.h
#include "save_world.h"

#include <terrane/fluid.h>

#define FLUID_VALUE "game/fluid"

/// What the stream keeps loaded, and two chunks more to all sides.
static const TrnBox box = {{-6, -6, -6}, {6, 6, 6}};

/// A game that streams a world from its file.
typedef struct Game {
    SaveWorld world;
    TrnStore *store;
    TrnStream *stream;
    TrnFluid *fluid;
} Game;

/// Stone with steps down to +x, below air.
static TrnResult generate(void *user, TrnCoord coord, uint32_t level, TrnBlock *blocks,
                          bool *uniform)
{
    const TrnVoxel base = trn_coord_voxel(coord);
    (void)user, (void)level;
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        const int64_t x = base.x + i % 32, y = base.y + i / 1024;
        blocks[i] = y * 4 < 3 - x ? TRN_BLOCK_STONE : TRN_BLOCK_AIR;
    }
    *uniform = false;
    return TRN_RESULT_OK;
}

static void game_load_chunks(Game *game)
{
    TrnStreamReport report = {0};
    for (uint32_t i = 0; !report.is_idle; i++) {
        assert_true(i < 10000);
        assert_int_equal(trn_stream_update(game->stream, NULL, &report), TRN_RESULT_OK);
    }
}

static void game_open(Game *game)
{
    assert_int_equal(save_world_open(&game->world, TRN_STORAGE_EITHER), TRN_RESULT_OK);
    TrnStoreDef store_def = trn_store_def();
    store_def.types = game->world.types;
    assert_int_equal(trn_store_create(&store_def, &game->store), TRN_RESULT_OK);
    TrnFluidLiquid liquids[2];
    assert_int_equal(trn_fluid_liquid(game->world.types, TRN_BLOCK_WATER, &liquids[0]),
                     TRN_RESULT_OK);
    assert_int_equal(trn_fluid_liquid(game->world.types, TRN_BLOCK_LAVA, &liquids[1]),
                     TRN_RESULT_OK);
    liquids[1].delay = 7;
    TrnFluidDef fluid_def = trn_fluid_def();
    fluid_def.liquids = liquids;
    fluid_def.liquid_count = 2;
    assert_int_equal(trn_fluid_create(game->store, &fluid_def, &game->fluid), TRN_RESULT_OK);
    TrnStreamDef def = trn_stream_def();
    def.store = game->store;
    def.generator = (TrnGenerator){.generate = generate};
    def.source = trn_save_source(game->world.save);
    def.workers = 0;
    def.budget = (TrnStreamBudget){.units = 200};
    assert_int_equal(trn_stream_create(&def, &game->stream), TRN_RESULT_OK);
    TrnStreamAnchor anchor = trn_stream_anchor();
    anchor.radius_chunks = 2;
    anchor.height_chunks = 2;
    TrnStreamAnchorId id;
    assert_int_equal(trn_stream_anchor_add(game->stream, &anchor, &id), TRN_RESULT_OK);
}

static void game_close(Game *game)
{
    trn_stream_destroy(game->stream);
    trn_fluid_destroy(game->fluid);
    trn_store_destroy(game->store);
    assert_int_equal(save_world_close(&game->world), TRN_RESULT_OK);
}

/// Saves everything in one transaction, as a game does.
static void game_save(Game *game)
{
    const size_t size = trn_fluid_save(game->fluid, NULL, 0);
    void *bytes = malloc(size);
    assert_non_null(bytes);
    assert_int_equal(trn_fluid_save(game->fluid, bytes, size), size);
    assert_int_equal(trn_stream_save(game->stream), TRN_RESULT_OK);
    assert_int_equal(trn_save_set_value(game->world.save, FLUID_VALUE, bytes, size), TRN_RESULT_OK);
    assert_int_equal(trn_save_flush(game->world.save), TRN_RESULT_OK);
    free(bytes);
}

/// Makes the fluid go on from what was saved.
static void game_resume(Game *game)
{
    size_t size = 0;
    assert_int_equal(trn_save_get_value(game->world.save, FLUID_VALUE, NULL, 0, &size),
                     TRN_RESULT_OK);
    void *bytes = malloc(size);
    assert_non_null(bytes);
    assert_int_equal(trn_save_get_value(game->world.save, FLUID_VALUE, bytes, size, NULL),
                     TRN_RESULT_OK);
    assert_int_equal(trn_fluid_load(game->fluid, bytes, size), TRN_RESULT_OK);
    free(bytes);
}

static void game_step(Game *game, uint32_t steps)
{
    for (uint32_t i = 0; i < steps; i++) {
        assert_int_equal(trn_fluid_step(game->fluid, NULL), TRN_RESULT_OK);
    }
}

/// Pours water and lava at the corner of eight chunks, above the steps.
static void game_pour(Game *game)
{
    static const TrnVoxel water = {-1, 5, 0}, lava = {-2, 7, -5};
    assert_int_equal(trn_store_set_block(game->store, water, TRN_BLOCK_WATER, NULL), TRN_RESULT_OK);
    assert_int_equal(trn_store_set_block(game->store, lava, TRN_BLOCK_LAVA, NULL), TRN_RESULT_OK);
}

/// Steps until nothing changes any more. @return a hash of all voxels
static uint64_t game_rest(Game *game)
{
    for (uint32_t i = 0; trn_fluid_stats(game->fluid).due_voxels > 0; i++) {
        assert_true(i < 5000);
        game_step(game, 1);
    }
    uint64_t hash = 0;
    for (int64_t y = box.min.y; y <= box.max.y; y++) {
        for (int64_t z = box.min.z; z <= box.max.z; z++) {
            for (int64_t x = box.min.x; x <= box.max.x; x++) {
                TrnSnapshot snapshot;
                const TrnCoord coord = {(int32_t)x, (int32_t)y, (int32_t)z};
                hash *= UINT64_C(0x9E3779B97F4A7C15);
                hash ^= trn_store_snapshot(game->store, coord, &snapshot) == TRN_RESULT_OK
                            ? trn_snapshot_hash(snapshot)
                            : 1;
            }
        }
    }
    return hash;
}

/// Plays a world.
/// @param left_after  steps after which the world is closed and opened again; 0: never
/// @param resumes  whether the fluid goes on from what was saved
static uint64_t play(uint32_t left_after, bool resumes)
{
    Game *game = calloc(1, sizeof *game);
    assert_non_null(game);
    save_world_create(&game->world);
    game_open(game);
    game_load_chunks(game);
    game_pour(game);
    game_step(game, left_after);
    if (left_after) {
        game_save(game);
        const uint64_t due = trn_fluid_stats(game->fluid).due_voxels;
        assert_true(due > 0);
        game_close(game);
        game_open(game);
        if (resumes) {
            game_resume(game);
            assert_int_equal(trn_fluid_stats(game->fluid).steps, left_after);
        }
        game_load_chunks(game);
        const TrnFluidStats stats = trn_fluid_stats(game->fluid);
        assert_int_equal(stats.due_voxels + stats.asleep_voxels, resumes ? due : 0);
    }
    const uint64_t hash = game_rest(game);
    game_close(game);
    save_world_destroy(&game->world);
    free(game);
    return hash;
}

static void a_flow_goes_on_after_its_world_was_left(void **state)
{
    (void)state;
    const uint64_t expected = play(0, false);
    static const uint32_t lefts[] = {1, 4, 5, 23, 60, 200};
    for (size_t i = 0; i < sizeof lefts / sizeof *lefts; i++) {
        assert_int_equal(play(lefts[i], true), expected);
    }
}

/// What the test above compares does depend on the saved bytes.
static void a_flow_without_its_bytes_stands_still(void **state)
{
    (void)state;
    assert_int_not_equal(play(23, false), play(0, false));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_flow_goes_on_after_its_world_was_left),
        cmocka_unit_test(a_flow_without_its_bytes_stands_still),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
