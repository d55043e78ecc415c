/// Fluids of stores that share a world: what is due goes from one to another, and each moves only
/// what it owns.
#include "fluid_world.h"

static const TrnBox all = {{-1, 0, -1}, {1, 1, 1}};

/// Loads the chunks of one world into another, as from a file.
static void copy_chunks(const FluidWorld *from, FluidWorld *to)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    for (int32_t i = 0; i < 18; i++) {
        const TrnCoord coord = {i % 3 - 1, i / 9, i / 3 % 3 - 1};
        TrnSnapshot snapshot;
        assert_int_equal(trn_store_snapshot(from->store, coord, &snapshot), TRN_RESULT_OK);
        trn_snapshot_decode(snapshot, blocks);
        assert_int_equal(trn_store_insert_voxels(to->store, coord, blocks, NULL), TRN_RESULT_OK);
    }
}

static void another_fluid_goes_on(void **state)
{
    static unsigned char bytes[1 << 20];
    FluidWorld one, other;
    size_t size = 1;
    (void)state;
    world_start(&one);
    assert_ptr_equal(trn_fluid_of(one.store), one.fluid);
    world_set(&one, 20, 20, 20, WORLD_STONE); // far from any liquid
    assert_int_equal(trn_fluid_save_box(one.fluid, all, NULL, 0, &size), TRN_RESULT_OK);
    assert_int_equal(size, 0);
    world_set(&one, 5, 10, 5, WORLD_WATER);
    world_set(&one, 30, 6, 5, WORLD_LAVA);
    for (int i = 0; i < 6; i++) {
        (void)world_step(&one);
    }
    const TrnBox beside = {{-1, 1, -1}, {1, 1, 1}};
    assert_int_equal(trn_fluid_save_box(one.fluid, beside, NULL, 0, &size), TRN_RESULT_OK);
    assert_int_equal(size, 0);
    assert_int_equal(trn_fluid_save_box(one.fluid, all, bytes, sizeof bytes, &size), TRN_RESULT_OK);
    assert_in_range(size, 1, sizeof bytes);
    world_liquids(&other);
    const TrnFluidDef def = trn_fluid_describe(one.fluid);
    other.def = def;
    world_open(&other, NULL);
    copy_chunks(&one, &other);
    for (size_t cut = 0; cut < size; cut++) { // each byte from outside is safe
        unsigned char *part = malloc(cut + 1);
        memcpy(part, bytes, cut);
        const TrnResult result = trn_fluid_merge(other.fluid, part, cut);
        assert_true(result == TRN_RESULT_CORRUPT || result == TRN_RESULT_OK);
        free(part);
    }
    assert_int_equal(trn_fluid_merge(other.fluid, bytes, size), TRN_RESULT_OK);
    (void)world_rest(&one);
    (void)world_rest(&other);
    assert_int_equal(world_level(&one, WORLD_WATER, 5, 1, 5), WORLD_FALLING);
    assert_true(world_hash(&one, all) == world_hash(&other, all));
    world_close(&other);
    world_close(&one);
}

typedef struct Owner {
    TrnStoreWatch watch;
    uint32_t moved, edited; ///< chunks that changed by themselves, or by an edit
} Owner;

/// The store owns what lies at x >= 0.
static bool owns(void *user, TrnCoord coord)
{
    (void)user;
    return coord.x >= 0;
}

static void changing(void *user, TrnCoord coord, TrnSnapshot before, TrnSnapshot after)
{
    Owner *owner = user;
    (void)coord, (void)before, (void)after;
    owner->moved += owner->watch.is_self_moved;
    owner->edited += !owner->watch.is_self_moved;
}

static void liquids_flow_where_the_store_owns(void **state)
{
    FluidWorld world;
    Owner owner = {.moved = 0};
    (void)state;
    world_start(&world);
    owner.watch = (TrnStoreWatch){.changing = changing, .user = &owner, .owns = owns};
    trn_store_watch(world.store, &owner.watch);
    world_set(&world, 2, 1, 5, WORLD_WATER);
    assert_true(owner.moved == 0 && owner.edited == 1);
    (void)world_rest(&world);
    assert_true(owner.moved > 0 && owner.edited == 1);
    assert_int_equal(world_level(&world, WORLD_WATER, 0, 1, 5), 2);
    assert_int_equal(world_level(&world, WORLD_WATER, -1, 1, 5), 3); // it flows over the border
    assert_int_equal(world_level(&world, WORLD_WATER, -2, 1, 5), -1);
    // The owner of the other side goes on, and removes that flow: this side has its own.
    world_set(&world, -2, 1, 5, WORLD_WATER + 4);
    world_set(&world, -1, 1, 5, WORLD_AIR);
    (void)world_rest(&world);
    assert_int_equal(world_level(&world, WORLD_WATER, -1, 1, 5), 3);
    assert_int_equal(world_level(&world, WORLD_WATER, -2, 1, 5), 4);
    trn_store_unwatch(world.store, &owner.watch);
    world_close(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(another_fluid_goes_on),
                                       cmocka_unit_test(liquids_flow_where_the_store_owns)};
    return cmocka_run_group_tests_name("fluid_owners", tests, NULL, NULL);
}
