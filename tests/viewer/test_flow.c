/// Water and lava in the viewer's world: the sea fills what is dug next to it, also after the world
/// was saved and opened again.
#include "unseen_world.h"

#include <hand/hand.h>
#include <terrane/batch.h>
#include <world/flow.h>

#define SEA TRN_TERRAIN_SEA_LEVEL
#define CHANNEL 6      ///< voxels from the shore to the pit
#define PIT INT64_C(3) ///< voxels along each edge
#define DEEP (SEA - 3) ///< the bottom of the pit
#define FLOW_STEPS 400 ///< in which the channel and the pit fill
#define FLOW_VALUE "viewer/flow"

/// A world of little land at a shore. The sea is towards -x.
typedef struct Shore {
    World *world;
    Keep *keep;
    TrnBlockTypes *types;
    TrnVoxel first; ///< of the channel, at the sea level; next to it is sea
} Shore;

static TrnBlock block_at(const Shore *shore, int64_t x, int64_t y, int64_t z)
{
    TrnBlock block = TRN_BLOCK_AIR;
    const TrnVoxel at = {shore->first.x + x, SEA + y, shore->first.z + z};
    assert_int_equal(trn_store_get_block(world_store(shore->world), at, &block), TRN_RESULT_OK);
    return block;
}

/// Looks for water next to land that is dry, but not much higher, for as far as is dug.
static TrnVoxel find_shore(const TrnTerrain *terrain)
{
    int64_t z = 0;
    for (; z < 4096; z += 16) {
        int64_t before = 0, dry = 0;
        for (int64_t x = -256; x < 256; x++) {
            int64_t height;
            assert_int_equal(trn_terrain_height(terrain, x, z, &height), TRN_RESULT_OK);
            const bool is_dry = height >= SEA && height < SEA + 8;
            dry = is_dry && (dry || before < SEA) ? dry + 1 : 0;
            before = height;
            if (dry > CHANNEL + PIT + 1) {
                return (TrnVoxel){x - dry + 1, SEA, z};
            }
        }
    }
    fail_msg("no shore");
    return (TrnVoxel){0, 0, z};
}

static Camera camera_at_shore(const Shore *shore)
{
    const double pose[5] = {(double)shore->first.x, SEA + 10, (double)shore->first.z, 90, -40};
    return camera_at(pose);
}

static void load(const Shore *shore)
{
    const Camera camera = camera_at_shore(shore);
    world_load_all(shore->world, &camera);
}

/// @param storage  NULL: the world is in memory alone
static void open_shore(Shore *shore, const TrnStorage *storage)
{
    Message problem;
    assert_int_equal(trn_block_types_create_builtin(NULL, &shore->types), TRN_RESULT_OK);
    shore->keep = NULL;
    if (storage) {
        const KeepDef keep = {.storage = storage, .types = shore->types};
        assert_true(keep_open(&shore->keep, &keep, &problem));
    }
    const WorldDef def = {.terrain = trn_terrain_def(),
                          .view_distance = 2,
                          .view_height = 1,
                          .keep = shore->keep,
                          .types = shore->types,
                          .sink = unseen_sink()};
    assert_true(world_create(&shore->world, &def, &problem));
    shore->first = find_shore(world_terrain(shore->world));
    load(shore);
    assert_int_equal(block_at(shore, -1, 0, 0), TRN_BLOCK_WATER);
}

static void close_shore(Shore *shore)
{
    world_destroy(shore->world);
    keep_close(shore->keep);
    trn_block_types_destroy(shore->types);
}

static void fill(const Shore *shore, TrnVoxel low, TrnVoxel high, TrnBlock block)
{
    TrnBatch *batch;
    const TrnVoxel first = shore->first;
    assert_int_equal(trn_batch_begin(world_edit_store(shore->world), NULL, &batch), TRN_RESULT_OK);
    assert_int_equal(
        trn_batch_fill_box(batch, (TrnVoxel){first.x + low.x, SEA + low.y, first.z + low.z},
                           (TrnVoxel){first.x + high.x, SEA + high.y, first.z + high.z}, block),
        TRN_RESULT_OK);
    assert_int_equal(trn_batch_commit(batch, NULL), TRN_RESULT_OK);
}

/// Digs a pit in stone, so that no cave drains it, and a channel from the sea to it.
static void dig(const Shore *shore)
{
    const TrnVoxel stone[2] = {{0, DEEP - 1, -PIT}, {CHANNEL + PIT, SEA - 1, PIT}};
    const TrnVoxel channel[2] = {{0, 0, 0}, {CHANNEL, 12, 0}};
    const TrnVoxel pit[2] = {{CHANNEL, DEEP, -1}, {CHANNEL + PIT - 1, 12, PIT - 2}};
    fill(shore, stone[0], stone[1], TRN_BLOCK_STONE);
    fill(shore, channel[0], channel[1], TRN_BLOCK_AIR);
    fill(shore, pit[0], pit[1], TRN_BLOCK_AIR);
}

static void flow(const Shore *shore, int steps)
{
    const Camera camera = camera_at_shore(shore);
    for (int i = 0; i < steps; i++) {
        world_flow(shore->world, FLOW_STEP_SECONDS, true);
        world_update(shore->world, &camera, AT_REST, (TrnStreamBudget){.units = 50}, NULL);
    }
}

/// Counts sources of water in the pit.
static uint32_t count_pit(const Shore *shore)
{
    uint32_t count = 0;
    for (int64_t i = 0; i < PIT * PIT * (SEA - DEEP + 1); i++) {
        count += block_at(shore, CHANNEL + i % PIT, DEEP + i / (PIT * PIT), i / PIT % PIT - 1) ==
                 TRN_BLOCK_WATER;
    }
    return count;
}

static const uint32_t FULL_PIT = PIT * PIT * (SEA - DEEP + 1);

static void the_sea_fills_what_is_dug_next_to_it(void **state)
{
    (void)state;
    Shore shore;
    open_shore(&shore, NULL);
    dig(&shore);
    assert_int_equal(count_pit(&shore), 0);
    flow(&shore, 40);
    assert_in_range(block_at(&shore, 0, 0, 0), TRN_BLOCK_WATER, TRN_BLOCK_LAVA_FLOW);
    flow(&shore, FLOW_STEPS);
    assert_int_equal(count_pit(&shore), FULL_PIT);
    assert_int_equal(block_at(&shore, CHANNEL, 1, 0), TRN_BLOCK_AIR);
    for (int64_t x = 0; x < CHANNEL; x++) {
        assert_int_equal(block_at(&shore, x, 0, 0), TRN_BLOCK_WATER);
        assert_int_equal(block_at(&shore, x, 1, 0), TRN_BLOCK_AIR);
    }
    close_shore(&shore);
}

static void an_untouched_sea_rests(void **state)
{
    (void)state;
    Shore shore;
    open_shore(&shore, NULL);
    const uint64_t revision = trn_store_revision(world_store(shore.world));
    flow(&shore, 40);
    assert_int_equal(trn_store_revision(world_store(shore.world)), revision);
    close_shore(&shore);
}

static void switched_off_water_stands_and_flows_once_it_is_on(void **state)
{
    (void)state;
    Shore shore;
    open_shore(&shore, NULL);
    dig(&shore);
    for (int i = 0; i < 100; i++) {
        world_flow(shore.world, FLOW_STEP_SECONDS, false);
    }
    assert_int_equal(block_at(&shore, 0, 0, 0), TRN_BLOCK_AIR);
    flow(&shore, FLOW_STEPS);
    assert_int_equal(count_pit(&shore), FULL_PIT);
    close_shore(&shore);
}

static void a_dug_block_comes_back_with_undo_and_water_with_redo(void **state)
{
    (void)state;
    Shore shore;
    Hand *hand;
    open_shore(&shore, NULL);
    // Ground of stone under the block, and nothing above it.
    fill(&shore, (TrnVoxel){0, 1, 0}, (TrnVoxel){0, 12, 0}, TRN_BLOCK_AIR);
    fill(&shore, (TrnVoxel){0, -1, -1}, (TrnVoxel){1, -1, 1}, TRN_BLOCK_STONE);
    fill(&shore, (TrnVoxel){0, 0, 0}, (TrnVoxel){0, 0, 0}, TRN_BLOCK_GRANITE);
    flow(&shore, 40);
    const HandDef def = hand_def(world_edit_store(shore.world));
    assert_true(hand_create(&hand, &def));
    const double above[3] = {(double)shore.first.x + 0.5, SEA + 4, (double)shore.first.z + 0.5};
    const HandLook look = {.eye = trn_position_add((TrnPosition){{0, 0, 0}, {0, 0, 0}}, above),
                           .direction = {0, -1, 0},
                           .reach = 8};
    hand_aim(hand, &look);
    assert_int_equal(hand_aimed(hand).block, TRN_BLOCK_GRANITE);
    assert_int_equal(hand_press(hand, HAND_DIG), HAND_DONE);
    flow(&shore, 40);
    assert_int_equal(block_at(&shore, 0, 0, 0), TRN_BLOCK_WATER);
    assert_int_equal(hand_undo(hand), HAND_DONE);
    flow(&shore, 40);
    assert_int_equal(block_at(&shore, 0, 0, 0), TRN_BLOCK_GRANITE);
    assert_int_equal(hand_redo(hand), HAND_DONE);
    flow(&shore, 40);
    assert_int_equal(block_at(&shore, 0, 0, 0), TRN_BLOCK_WATER);
    hand_destroy(hand);
    close_shore(&shore);
}

static void lava_hardens_where_water_touches_it(void **state)
{
    (void)state;
    Shore shore;
    open_shore(&shore, NULL);
    dig(&shore);
    fill(&shore, (TrnVoxel){CHANNEL + 1, DEEP, 0}, (TrnVoxel){CHANNEL + 1, DEEP, 0},
         TRN_BLOCK_LAVA);
    flow(&shore, FLOW_STEPS);
    assert_int_equal(block_at(&shore, CHANNEL + 1, DEEP, 0), TRN_BLOCK_SLATE);
    close_shore(&shore);
}

// ---- time ---------------------------------------------------------------------------------------

static void a_long_frame_takes_few_steps_and_short_ones_add_up(void **state)
{
    (void)state;
    TrnStore *store;
    Flow *flow;
    TrnBlock block;
    assert_int_equal(trn_store_create(NULL, &store), TRN_RESULT_OK);
    assert_int_equal(trn_store_insert_uniform(store, (TrnCoord){0, 0, 0}, TRN_BLOCK_AIR, NULL),
                     TRN_RESULT_OK);
    assert_int_equal(flow_create(store, false, 0, &flow), TRN_RESULT_OK);
    assert_int_equal(trn_store_set_block(store, (TrnVoxel){9, 30, 9}, TRN_BLOCK_WATER, NULL),
                     TRN_RESULT_OK);
    const TrnVoxel below = {9, 30 - FLOW_STEPS_MAX, 9};
    flow_pass(flow, 1e9);
    assert_int_equal(trn_store_get_block(store, below, &block), TRN_RESULT_OK);
    assert_int_equal(block, TRN_BLOCK_AIR);
    for (int i = 0; i < 60; i++) { // a second: some 5 voxels
        flow_pass(flow, 1.0 / 60);
    }
    assert_int_equal(trn_store_get_block(store, (TrnVoxel){9, 26, 9}, &block), TRN_RESULT_OK);
    assert_int_not_equal(block, TRN_BLOCK_AIR);
    assert_int_equal(trn_store_get_block(store, (TrnVoxel){9, 23, 9}, &block), TRN_RESULT_OK);
    assert_int_equal(block, TRN_BLOCK_AIR);
    flow_destroy(flow);
    trn_store_destroy(store);
}

// ---- world files --------------------------------------------------------------------------------

static void stay_open(void *user)
{
    (void)user;
}

/// Returns a storage that outlives the saves that close it. @param memory  the same, to close it
static TrnStorage lasting_storage(TrnStorage *memory)
{
    assert_int_equal(trn_storage_memory(NULL, memory), TRN_RESULT_OK);
    TrnStorage lasting = *memory;
    lasting.close = stay_open;
    return lasting;
}

static void reopen(Shore *shore, const TrnStorage *storage)
{
    assert_int_equal(world_save(shore->world, 60), TRN_RESULT_OK);
    close_shore(shore);
    open_shore(shore, storage);
}

/// Checks that two worlds have the same blocks around the shore.
static void check_equal(const Shore *a, const Shore *b)
{
    for (int64_t y = -16; y < 8; y++) {
        for (int64_t z = -24; z < 24; z++) {
            for (int64_t x = -24; x < 24; x++) {
                assert_int_equal(block_at(a, x, y, z), block_at(b, x, y, z));
            }
        }
    }
}

static void a_flow_goes_on_after_its_world_was_opened_again(void **state)
{
    (void)state;
    Shore whole, parted;
    TrnStorage memory;
    const TrnStorage storage = lasting_storage(&memory);
    open_shore(&whole, NULL);
    open_shore(&parted, &storage);
    dig(&whole);
    dig(&parted);
    for (int part = 0; part < 3; part++) {
        // Not a multiple of the liquid's delay.
        flow(&whole, 12 + part);
        flow(&parted, 12 + part);
        assert_in_range(count_pit(&parted), 0, FULL_PIT - 1);
        check_equal(&whole, &parted);
        reopen(&parted, &storage);
    }
    flow(&whole, FLOW_STEPS);
    flow(&parted, FLOW_STEPS);
    check_equal(&whole, &parted);
    assert_int_equal(count_pit(&parted), FULL_PIT);
    close_shore(&whole);
    close_shore(&parted);
    memory.close(memory.user);
}

static void only_worlds_that_flow_note_it(void **state)
{
    (void)state;
    Shore shore;
    TrnStorage memory;
    size_t flowing = 0, rested = 0;
    const TrnStorage storage = lasting_storage(&memory);
    open_shore(&shore, &storage);
    flow(&shore, 3);
    assert_int_equal(world_save(shore.world, 60), TRN_RESULT_OK);
    assert_int_equal(trn_save_get_value(keep_save(shore.keep), FLOW_VALUE, NULL, 0, &flowing),
                     TRN_RESULT_NOT_FOUND);
    dig(&shore);
    reopen(&shore, &storage);
    assert_int_equal(trn_save_get_value(keep_save(shore.keep), FLOW_VALUE, NULL, 0, &flowing),
                     TRN_RESULT_OK);
    flow(&shore, FLOW_STEPS);
    reopen(&shore, &storage);
    assert_int_equal(trn_save_get_value(keep_save(shore.keep), FLOW_VALUE, NULL, 0, &rested),
                     TRN_RESULT_OK);
    assert_true(rested < flowing);
    close_shore(&shore);
    memory.close(memory.user);
}

static void a_damaged_note_leaves_the_water_at_rest(void **state)
{
    (void)state;
    Shore shore;
    TrnStorage memory;
    const TrnStorage storage = lasting_storage(&memory);
    open_shore(&shore, &storage);
    dig(&shore);
    assert_int_equal(world_save(shore.world, 60), TRN_RESULT_OK);
    assert_int_equal(trn_save_set_value(keep_save(shore.keep), FLOW_VALUE, "damaged", 7),
                     TRN_RESULT_OK);
    close_shore(&shore);
    open_shore(&shore, &storage);
    flow(&shore, 40);
    assert_int_equal(block_at(&shore, 0, 0, 0), TRN_BLOCK_AIR);
    close_shore(&shore);
    memory.close(memory.user);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_sea_fills_what_is_dug_next_to_it),
        cmocka_unit_test(an_untouched_sea_rests),
        cmocka_unit_test(switched_off_water_stands_and_flows_once_it_is_on),
        cmocka_unit_test(a_dug_block_comes_back_with_undo_and_water_with_redo),
        cmocka_unit_test(lava_hardens_where_water_touches_it),
        cmocka_unit_test(a_long_frame_takes_few_steps_and_short_ones_add_up),
        cmocka_unit_test(a_flow_goes_on_after_its_world_was_opened_again),
        cmocka_unit_test(only_worlds_that_flow_note_it),
        cmocka_unit_test(a_damaged_note_leaves_the_water_at_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
