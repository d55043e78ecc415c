// Levels of detail of a world in a file: folded from what is saved, and loaded like any chunk.

#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier): place.h

#include "save_world.h"

#include <terrane/fold.h>

enum { LEVELS = 3 };

/// Chunks of a small world on both sides of the origin.
static const TrnCoord coords[] = {{0, 0, 0}, {1, 0, 0},   {1, 1, 0},    {-1, 0, 0}, {-1, -1, -1},
                                  {5, 2, 3}, {-9, 0, 12}, {-10, 1, 12}, {7, 7, 7},  {0, -1, 0}};
enum { COORDS = sizeof coords / sizeof coords[0] };

/// The block of a voxel: hills of several blocks; the eighth chunk is all water.
static TrnBlock land_block(uint32_t number, uint32_t voxel)
{
    const uint32_t x = voxel & 31, z = voxel >> 5 & 31, y = voxel >> 10;
    const uint32_t top = (x * 3 ^ z) % 29 + number % 3;
    return number == 7 ? TRN_BLOCK_WATER
           : y > top   ? TRN_BLOCK_AIR
           : y == top  ? TRN_BLOCK_GRASS
                       : (TrnBlock)(1 + (x + z + y * number) % 5);
}

static void save_land(SaveWorld *world, uint32_t number)
{
    TrnBlock *blocks = world->got;
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        blocks[i] = land_block(number, i);
    }
    assert_int_equal(trn_save_put(world->save, coords[number], 0, blocks, number == 7),
                     TRN_RESULT_OK);
}

/// Computes what a chunk should be. @return whether anything is there
static bool expect(const SaveWorld *world, uint32_t level, TrnCoord coord, TrnBlock *blocks)
{
    bool is_there = false;
    memset(blocks, 0, sizeof(TrnBlock[TRN_CHUNK_VOXELS]));
    for (uint32_t i = 0; level == 0 && i < COORDS; i++) {
        for (uint32_t k = 0; trn_coord_equal(coords[i], coord) && k < TRN_CHUNK_VOXELS; k++) {
            blocks[k] = land_block(i, k);
        }
    }
    for (uint32_t i = 0; i < COORDS; i++) {
        is_there |= coords[i].x >> level == coord.x && coords[i].y >> level == coord.y &&
                    coords[i].z >> level == coord.z;
    }
    if (level == 0 || !is_there) {
        return is_there;
    }
    const size_t size = (size_t)TRN_CHUNK_VOXELS;
    TrnBlock *children = malloc(8 * size * sizeof *children);
    assert_non_null(children);
    for (uint32_t octant = 0; octant < 8; octant++) {
        const TrnCoord child = {coord.x * 2 + (int32_t)(octant & 1),
                                coord.y * 2 + (int32_t)(octant >> 2),
                                coord.z * 2 + (int32_t)(octant >> 1 & 1)};
        (void)expect(world, level - 1, child, children + octant * size);
    }
    for (uint32_t octant = 0; octant < 8; octant++) {
        const size_t above = octant | 4;
        trn_fold_blocks(world->types, children + octant * size,
                        octant & 4 ? NULL : children + above * size, octant, blocks);
    }
    free(children);
    return is_there;
}

/// Loads a chunk as a stream does. @return whether it has a row
static bool load(SaveWorld *world, uint32_t level, TrnCoord coord)
{
    const TrnStreamSource source = trn_save_source(world->save);
    const TrnStreamJob job = {.coord = coord, .level = level};
    bool is_uniform = false;
    const TrnResult result = source.load(source.user, &job, world->got, &is_uniform);
    assert_true(result == TRN_RESULT_OK || result == TRN_RESULT_NOT_FOUND);
    for (uint32_t i = 1; is_uniform && i < TRN_CHUNK_VOXELS; i++) {
        world->got[i] = world->got[0];
    }
    return result == TRN_RESULT_OK;
}

/// Compares all chunks of all levels with what they should be.
static void check_levels(SaveWorld *world, uint32_t levels)
{
    static TrnBlock expected[TRN_CHUNK_VOXELS];
    for (uint32_t level = 1; level <= levels; level++) {
        const int32_t reach = 13 >> level;
        for (int32_t y = -reach - 1; y <= reach; y++) {
            for (int32_t i = 0; i < (2 * reach + 2) * (2 * reach + 2); i++) {
                const TrnCoord coord = {i % (2 * reach + 2) - reach - 1, y,
                                        i / (2 * reach + 2) - reach - 1};
                const bool is_there = expect(world, level, coord, expected);
                assert_int_equal(load(world, level, coord), is_there);
                if (is_there) {
                    assert_memory_equal(world->got, expected, sizeof expected);
                }
            }
        }
    }
}

// ---- tests -------------------------------------------------------------------------------------

typedef struct Steps {
    uint32_t count, level, stops_after;
    uint64_t done;
} Steps;

static bool step(void *user, TrnSaveFoldProgress now)
{
    Steps *steps = user;
    assert_true(now.level == steps->level || now.level == steps->level + 1);
    assert_true(now.done == (now.level == steps->level ? steps->done + 1 : 1));
    assert_true(now.done <= now.total);
    steps->level = now.level;
    steps->done = now.done;
    return ++steps->count != steps->stops_after;
}

static void a_world_gets_its_levels(void **state)
{
    (void)state;
    SaveWorld world;
    save_world_create(&world);
    assert_int_equal(save_world_open(&world, TRN_STORAGE_CREATE), TRN_RESULT_OK);
    for (uint32_t i = 0; i + 1 < COORDS; i++) {
        save_land(&world, i);
    }
    Steps steps = {0};
    assert_int_equal(trn_save_fold(world.save, NULL, LEVELS, step, &steps), TRN_RESULT_OK);
    assert_int_equal(steps.level, LEVELS);
    assert_int_equal(save_world_close(&world), TRN_RESULT_OK);

    assert_int_equal(save_world_open(&world, TRN_STORAGE_OPEN), TRN_RESULT_OK);
    save_land(&world, COORDS - 1); // one more chunk
    assert_int_equal(trn_save_fold(world.save, NULL, LEVELS, NULL, NULL), TRN_RESULT_OK);
    check_levels(&world, LEVELS);
    assert_false(load(&world, LEVELS + 1, (TrnCoord){0, 0, 0}));
    assert_int_equal(trn_save_stats(world.save).damaged, 0);
    assert_int_equal(save_world_close(&world), TRN_RESULT_OK);
    save_world_destroy(&world);
}

/// A queue that holds a chunk or two makes the fold wait for the disk, and lose nothing.
static void a_small_queue_suffices(void **state)
{
    (void)state;
    SaveWorld world;
    save_world_create(&world);
    world.def.queue_bytes = (size_t)100 * 1024;
    assert_int_equal(save_world_open(&world, TRN_STORAGE_CREATE), TRN_RESULT_OK);
    for (uint32_t i = 0; i < COORDS; i++) {
        save_land(&world, i);
        assert_int_equal(trn_save_flush(world.save), TRN_RESULT_OK);
    }
    assert_int_equal(trn_save_fold(world.save, NULL, LEVELS, NULL, NULL), TRN_RESULT_OK);
    check_levels(&world, LEVELS);
    assert_int_equal(save_world_close(&world), TRN_RESULT_OK);
    save_world_destroy(&world);
}

static void a_fold_can_be_stopped(void **state)
{
    (void)state;
    SaveWorld world;
    save_world_create(&world);
    assert_int_equal(save_world_open(&world, TRN_STORAGE_CREATE), TRN_RESULT_OK);
    for (uint32_t i = 0; i < COORDS; i++) {
        save_land(&world, i);
    }
    Steps steps = {.stops_after = 2};
    assert_int_equal(trn_save_fold(world.save, NULL, LEVELS, step, &steps), TRN_RESULT_OK);
    assert_int_equal(steps.count, 2);
    assert_int_equal(trn_save_stats(world.save).in_queue, 0);
    assert_int_equal(trn_save_fold(world.save, NULL, 100, NULL, NULL), TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn_save_fold(NULL, NULL, 1, NULL, NULL), TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn_save_fold(world.save, NULL, 0, NULL, NULL), TRN_RESULT_OK);
    assert_int_equal(trn_save_fold(world.save, NULL, LEVELS, NULL, NULL), TRN_RESULT_OK);
    check_levels(&world, LEVELS);
    assert_int_equal(save_world_close(&world), TRN_RESULT_OK);
    save_world_destroy(&world);
}

static bool count_step(void *user, TrnSaveFoldProgress now)
{
    (void)now;
    ++*(uint32_t *)user;
    return true;
}

/// Folds, and returns how many chunks were folded.
static uint32_t fold_count(SaveWorld *world, uint32_t levels)
{
    uint32_t count = 0;
    assert_int_equal(trn_save_fold(world->save, NULL, levels, count_step, &count), TRN_RESULT_OK);
    return count;
}

static void only_what_changed_is_folded_again(void **state)
{
    (void)state;
    SaveWorld world;
    save_world_create(&world);
    assert_int_equal(save_world_open(&world, TRN_STORAGE_CREATE), TRN_RESULT_OK);
    for (uint32_t i = 0; i + 1 < COORDS; i++) {
        save_land(&world, i);
    }
    assert_true(fold_count(&world, 2) > 2);
    assert_int_equal(fold_count(&world, 2), 0);
    assert_int_equal(save_world_close(&world), TRN_RESULT_OK);

    assert_int_equal(save_world_open(&world, TRN_STORAGE_OPEN), TRN_RESULT_OK);
    assert_int_equal(fold_count(&world, 2), 0);
    save_land(&world, COORDS - 1);
    assert_int_equal(fold_count(&world, 2), 2);  // its ancestors
    assert_true(fold_count(&world, LEVELS) > 2); // all of level 3, which is new
    assert_int_equal(fold_count(&world, LEVELS), 0);
    check_levels(&world, LEVELS);
    assert_int_equal(save_world_close(&world), TRN_RESULT_OK);
    save_world_destroy(&world);
}

/// What a far view has folded in a session is not folded again, except levels that it had not.
static void what_a_far_view_has_folded_is_noted(void **state)
{
    (void)state;
    SaveWorld world;
    save_world_create(&world);
    assert_int_equal(save_world_open(&world, TRN_STORAGE_CREATE), TRN_RESULT_OK);
    assert_int_equal(trn_save_note_folded(NULL, 1), TRN_RESULT_BAD_ARGUMENT);
    save_land(&world, 0);
    assert_int_equal(trn_save_note_folded(world.save, LEVELS), TRN_RESULT_OK);
    assert_int_equal(fold_count(&world, LEVELS), LEVELS); // it was not folded before the session

    save_land(&world, 1); // the far view's levels are as they were, to tell the difference
    assert_int_equal(trn_save_note_folded(world.save, 2), TRN_RESULT_OK);
    assert_int_equal(save_world_close(&world), TRN_RESULT_OK);
    assert_int_equal(save_world_open(&world, TRN_STORAGE_OPEN), TRN_RESULT_OK);
    assert_int_equal(fold_count(&world, LEVELS), 0);
    assert_int_equal(trn_save_put(world.save, (TrnCoord){9, 9, 9}, 2, world.got, true),
                     TRN_RESULT_OK);
    assert_int_equal(trn_save_note_folded(world.save, 2), TRN_RESULT_OK);
    assert_int_equal(fold_count(&world, LEVELS), 1); // of level 3
    save_land(&world, 2);
    assert_int_equal(save_world_close(&world), TRN_RESULT_OK);
    assert_int_equal(save_world_open(&world, TRN_STORAGE_OPEN), TRN_RESULT_OK);
    assert_int_equal(fold_count(&world, LEVELS), LEVELS); // the session ended without a note
    assert_int_equal(save_world_close(&world), TRN_RESULT_OK);
    save_world_destroy(&world);
}

static uint32_t list_count;
static TrnStorage storage_below;

static TrnResult count_list(void *user, const TrnStorageRange *range, TrnStorageRowVisitor visit,
                            void *visitor)
{
    list_count++;
    return storage_below.list(user, range, visit, visitor);
}

/// Opens the world of a storage that counts how often rows are listed.
static void open_counting(SaveWorld *world)
{
    assert_int_equal(trn_block_types_create_builtin(NULL, &world->types), TRN_RESULT_OK);
    assert_int_equal(
        trn_storage_sqlite(world->file, TRN_STORAGE_OPEN, &storage_below, &world->problem),
        TRN_RESULT_OK);
    world->def.types = world->types;
    world->def.storage = storage_below;
    world->def.storage.list = count_list;
    assert_int_equal(trn_save_create(&world->def, &world->save, &world->problem), TRN_RESULT_OK);
    list_count = 0;
}

static void rows_are_looked_through_only_if_some_are_newer(void **state)
{
    (void)state;
    SaveWorld world;
    save_world_create(&world);
    assert_int_equal(save_world_open(&world, TRN_STORAGE_CREATE), TRN_RESULT_OK);
    for (uint32_t i = 0; i + 1 < COORDS; i++) {
        save_land(&world, i);
    }
    assert_true(fold_count(&world, LEVELS) > 0);
    assert_int_equal(trn_save_set_value(world.save, "time", "noon", 4), TRN_RESULT_OK);
    assert_int_equal(trn_save_flush(world.save), TRN_RESULT_OK); // a transaction without rows
    assert_int_equal(save_world_close(&world), TRN_RESULT_OK);
    open_counting(&world);
    assert_int_equal(fold_count(&world, LEVELS), 0);
    assert_int_equal(list_count, 0);
    save_land(&world, COORDS - 1);
    assert_int_equal(fold_count(&world, LEVELS), LEVELS);
    assert_int_equal(list_count, LEVELS);
    check_levels(&world, LEVELS);
    assert_int_equal(save_world_close(&world), TRN_RESULT_OK);
    save_world_destroy(&world);
}

/// Generates the land of a world that has some: the hills of chunk 1, as high at every level.
static TrnResult generate_land(void *user, TrnCoord coord, uint32_t level, TrnBlock *blocks,
                               bool *uniform)
{
    (void)user;
    (void)level;
    *uniform = coord.y != 0;
    for (uint32_t i = 0; i < (*uniform ? 1u : TRN_CHUNK_VOXELS); i++) {
        blocks[i] = *uniform ? TRN_BLOCK_AIR : land_block(1, i);
    }
    return TRN_RESULT_OK;
}

/// A saved chunk that is as generated has no rows of levels, another folds to what it holds.
static void land_is_folded_only_where_it_differs(void **state)
{
    (void)state;
    static TrnBlock expected[TRN_CHUNK_VOXELS];
    const TrnGenerator land = {.generate = generate_land, .level_max = 2};
    SaveWorld world;
    save_world_create(&world);
    assert_int_equal(save_world_open(&world, TRN_STORAGE_CREATE), TRN_RESULT_OK);
    save_land(&world, 1); // as generated, at (1, 0, 0)
    assert_int_equal(trn_save_fold(world.save, &land, 3, NULL, NULL), TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn_save_fold(world.save, &land, 2, NULL, NULL), TRN_RESULT_OK);
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        expected[i] = land_block(1, i);
    }
    assert_false(load(&world, 1, (TrnCoord){0, 0, 0}) || load(&world, 2, (TrnCoord){0, 0, 0}));
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) { // a tower at (0..3, all of y, 0..3)
        const bool is_tower = (i & 31) < 4 && (i >> 5 & 31) < 4;
        world.got[i] = is_tower ? TRN_BLOCK_SNOW : land_block(1, i);
    }
    assert_int_equal(trn_save_put(world.save, coords[1], 0, world.got, false), TRN_RESULT_OK);
    assert_int_equal(trn_save_fold(world.save, &land, 2, NULL, NULL), TRN_RESULT_OK);
    for (uint32_t level = 1; level <= 2; level++) {
        const uint32_t at = 32u >> level, wide = 4u >> level;
        assert_true(load(&world, level, (TrnCoord){0, 0, 0}));
        for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
            const bool is_tower =
                (i & 31) >= at && (i & 31) < at + wide && (i >> 5 & 31) < wide && (i >> 10) < at;
            assert_int_equal(world.got[i], is_tower ? TRN_BLOCK_SNOW : expected[i]);
        }
    }
    save_land(&world, 1); // the tower is gone, and its rows are as the land
    assert_int_equal(trn_save_fold(world.save, &land, 2, NULL, NULL), TRN_RESULT_OK);
    for (uint32_t level = 1; level <= 2; level++) {
        assert_true(load(&world, level, (TrnCoord){0, 0, 0}));
        assert_memory_equal(world.got, expected, sizeof expected);
    }
    assert_int_equal(save_world_close(&world), TRN_RESULT_OK);
    save_world_destroy(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_world_gets_its_levels),
        cmocka_unit_test(a_small_queue_suffices),
        cmocka_unit_test(a_fold_can_be_stopped),
        cmocka_unit_test(land_is_folded_only_where_it_differs),
        cmocka_unit_test(only_what_changed_is_folded_again),
        cmocka_unit_test(what_a_far_view_has_folded_is_noted),
        cmocka_unit_test(rows_are_looked_through_only_if_some_are_newer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
