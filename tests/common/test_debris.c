// Debris: bits stay out of rock, come to rest, float and sink; debris.h's promises one by one.

#include "debris_place.h"

// ---- scenes -------------------------------------------------------------------------------------

static void put_block(const Place *place, TrnVoxel voxel, TrnBlock block)
{
    assert_int_equal(trn_store_set_block(place->store, voxel, block, NULL), TRN_RESULT_OK);
}

// ---- random digging -----------------------------------------------------------------------------

/// Returns a voxel near the corner where the 2 x 2 x 2 chunks from `coord` on meet.
static TrnVoxel random_voxel(TestRandom *random, TrnCoord coord)
{
    return voxel_of(coord, test_random_range(random, 24, 39), test_random_range(random, 24, 39),
                    test_random_range(random, 24, 39));
}

static void put_ruin(const Place *place, TestRandom *random, TrnCoord coord)
{
    for (int32_t i = 0; i < 8; i++) {
        put_chunk(place, trn_coord_add(coord, i & 1, i >> 1 & 1, i >> 2), TRN_BLOCK_AIR);
    }
    for (int i = 0; i < 1500; i++) {
        put_block(place, random_voxel(random, coord), TRN_BLOCK_STONE);
    }
}

/// Digs a block and throws its bits, or builds one if there is air.
static void dig_or_build(const Place *place, TestRandom *random, TrnCoord coord)
{
    const TrnVoxel voxel = random_voxel(random, coord);
    TrnBlock block;
    if (trn_store_get_block(place->store, voxel, &block) != TRN_RESULT_OK) {
        assert_int_equal(debris_throw(place->debris, voxel, TRN_BLOCK_STONE, TRN_FACE_COUNT, 9), 0);
    } else if (block == TRN_BLOCK_AIR) {
        put_block(place, voxel, TRN_BLOCK_STONE);
    } else {
        put_block(place, voxel, TRN_BLOCK_AIR);
        const uint32_t count = (uint32_t)test_random_range(random, 0, 60);
        const TrnFace face = (TrnFace)test_random_range(random, 0, TRN_FACE_COUNT);
        assert_int_equal(debris_throw(place->debris, voxel, block, face, count),
                         count < place->debris->bits.capacity ? count
                                                              : place->debris->bits.capacity);
    }
}

static void remove_or_insert(const Place *place, TestRandom *random, TrnCoord coord)
{
    const int32_t i = (int32_t)test_random_range(random, 0, 7);
    const TrnCoord at = trn_coord_add(coord, i & 1, i >> 1 & 1, i >> 2);
    if (trn_store_remove(place->store, at) != TRN_RESULT_OK) {
        put_chunk(place, at, TRN_BLOCK_AIR);
    }
}

static void live_at(TrnCoord coord, uint32_t capacity, TestRandom *random)
{
    Place place;
    place_begin(&place, capacity);
    put_ruin(&place, random, coord);
    for (int i = 0; i < 900; i++) {
        const int64_t what = test_random_range(random, 0, 99);
        if (what < 30) {
            dig_or_build(&place, random, coord);
        } else if (what == 30) {
            remove_or_insert(&place, random, coord);
        } else {
            checked_step(&place);
        }
        check_books(place.debris);
        check_sums(place.debris);
    }
    const DebrisStats stats = debris_stats(place.debris);
    assert_true(capacity == 1 || (stats.thrown > 300 && stats.lost > 0));
    assert_true(stats.faded > 0 || stats.dropped_oldest > 0);
    place_end(&place);
}

static void bits_stay_out_of_rock_and_never_gain_energy(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(1);
    live_at((TrnCoord){-1, -1, -1}, DEBRIS_CAPACITY, &random);
    live_at((TrnCoord){INT32_MAX - 1, INT32_MAX - 1, INT32_MAX - 1}, 300, &random);
    live_at((TrnCoord){INT32_MIN, INT32_MIN, INT32_MIN}, 300, &random);
    live_at((TrnCoord){5, 5, 5}, 1, &random);
}

static void the_ends_of_the_world_hold_bits(void **state)
{
    (void)state;
    // The last chunks at one end of the world, and chunks of air just past the end, where
    // coordinates wrap.
    static const TrnCoord corners[2] = {{INT32_MAX, INT32_MAX, INT32_MAX},
                                        {INT32_MIN, INT32_MIN, INT32_MIN}};
    Place place;
    place_begin(&place, 2000);
    for (int i = 0; i < 8; i++) {
        const TrnCoord coord = {i & 1 ? INT32_MAX : INT32_MIN, i & 2 ? INT32_MAX : INT32_MIN,
                                i & 4 ? INT32_MAX : INT32_MIN};
        put_chunk(&place, coord, TRN_BLOCK_AIR);
    }
    for (int i = 0; i < 2; i++) {
        const int64_t at = i ? 0 : 31;
        for (int face = 0; face < TRN_FACE_COUNT; face++) {
            const TrnVoxel voxel = voxel_of(corners[i], at, at, at);
            assert_int_equal(debris_throw(place.debris, voxel, TRN_BLOCK_STONE, (TrnFace)face, 100),
                             100);
        }
    }
    for (int i = 0; i < 60; i++) {
        checked_step(&place);
    }
    check_books(place.debris);
    assert_int_equal(place.debris->bits.cells->count, 2); // none wrapped around
    assert_int_equal(debris_stats(place.debris).alive, 1200);
    place_end(&place);
}

// ---- equal results ------------------------------------------------------------------------------

/// Digs the same blocks at a place, and lists the bits as seen from there.
static uint32_t dig_the_same(TrnCoord coord, uint64_t seed, DebrisInstance *instances,
                             uint32_t capacity)
{
    Place place;
    TestRandom random = {3};
    place_begin(&place, capacity);
    debris_destroy(place.debris);
    DebrisDef def = debris_def(place.store);
    def.capacity = capacity;
    def.seed = seed;
    assert_int_equal(debris_create(&def, &place.debris), TRN_RESULT_OK);
    put_ruin(&place, &random, coord);
    look_right_of(place.debris, coord, -EVERYTHING);
    for (int i = 0; i < 40; i++) {
        dig_or_build(&place, &random, coord);
        assert_in_range(debris_step(place.debris, 0.021), 1, 2);
    }
    const uint32_t count = debris_list(place.debris, instances, capacity);
    place.memory.live_blocks = 0;
    place_end(&place);
    return count;
}

static void equal_digs_give_equal_bits_anywhere(void **state)
{
    (void)state;
    static const TrnCoord places[] = {{0, 0, 0},
                                      {-1, -1, -1},
                                      {1000000, -7, 123456789},
                                      {INT32_MAX - 1, INT32_MAX - 1, INT32_MAX - 1},
                                      {INT32_MIN, INT32_MIN, INT32_MIN}};
    static DebrisInstance first[400], again[400];
    const uint32_t count = dig_the_same(places[0], 9, first, 400);
    assert_int_equal(count, 400);
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        assert_int_equal(dig_the_same(places[i], 9, again, 400), count);
        assert_memory_equal(first, again, sizeof first);
    }
    (void)dig_the_same(places[0], 10, again, 400);
    assert_memory_not_equal(first, again, sizeof first);
}

static void no_two_digs_fly_alike(void **state)
{
    (void)state;
    static DebrisInstance instances[100];
    Place place;
    place_begin(&place, 100);
    put_flat(&place);
    for (int i = 0; i < 2; i++) {
        (void)debris_throw(place.debris, voxel_of(home, 4, 6, 4), TRN_BLOCK_DIRT, TRN_FACE_POS_Y,
                           50);
    }
    assert_int_equal(debris_list(place.debris, instances, 100), 100);
    for (int i = 0; i < 50; i++) {
        assert_memory_not_equal(&instances[i], &instances[50 + i], sizeof instances[i]);
    }
    place_end(&place);
}

static void results_do_not_depend_on_the_frame_rate(void **state)
{
    (void)state;
    static DebrisInstance instances[2][100];
    for (int i = 0; i < 2; i++) {
        Place place;
        place_begin(&place, 100);
        put_flat(&place);
        (void)debris_throw(place.debris, voxel_of(home, 4, 6, 4), TRN_BLOCK_DIRT, TRN_FACE_POS_Y,
                           100);
        uint32_t steps = 0;
        for (int k = 0; k < (i ? 64 : 8); k++) {
            steps += debris_step(place.debris, i ? 1.0 / 64 : 8.0 / 64);
        }
        // 60 steps a second are 7 or 8 in an eighth of a second, of which 6 are made; in shorter
        // frames all are.
        assert_int_equal(steps, i ? 60 : 48);
        place.debris->left = 0;
        make_steps(&place, 60 - steps);
        place.debris->left = 0;
        assert_int_equal(debris_list(place.debris, instances[i], 100), 100);
        place_end(&place);
    }
    assert_memory_equal(instances[0], instances[1], sizeof instances[0]);
}

// ---- rest and removal ---------------------------------------------------------------------------

static void bits_come_to_rest_on_the_ground_and_fade(void **state)
{
    (void)state;
    Place place;
    place_begin(&place, 1000);
    put_flat(&place);
    assert_int_equal(
        debris_throw(place.debris, voxel_of(home, 0, 5, 0), TRN_BLOCK_DIRT, TRN_FACE_POS_Y, 1000),
        1000);
    for (int i = 0; i < 170; i++) {
        checked_step(&place);
    }
    DebrisStats stats = debris_stats(place.debris);
    assert_int_equal(stats.alive, 1000);
    assert_int_equal(stats.resting, 1000);
    assert_true(stats.chunks == 4); // thrown where four chunks meet
    for (const DebrisBit *bit = place.debris->bits.oldest; bit; bit = bit->younger) {
        assert_int_equal(bit->at[1], 0);
        assert_int_equal(bit->cell->coord.y, 0);
    }
    static DebrisInstance instances[1000];
    uint32_t smaller = 0, before = 1000;
    for (int i = 0; i < 260; i++) {
        make_steps(&place, 1);
        stats = debris_stats(place.debris);
        assert_true(stats.alive <= before);
        before = stats.alive;
        const uint32_t count = debris_list(place.debris, instances, 1000);
        assert_int_equal(count, stats.alive);
        for (uint32_t k = 0; k < count; k++) {
            assert_true((instances[k].shape & 0xffff) > 0);
            smaller += (instances[k].shape & 0xffff) < DEBRIS_HALF_MIN;
        }
    }
    assert_true(smaller > 0);
    assert_int_equal(stats.alive, 0);
    assert_int_equal(stats.faded, 1000);
    assert_int_equal(stats.chunks, 0);
    check_books(place.debris);
    place_end(&place);
}

static void resting_bits_fall_with_their_ground_and_are_removed_under_blocks(void **state)
{
    (void)state;
    Place place;
    place_begin(&place, 300);
    put_flat(&place);
    (void)debris_throw(place.debris, voxel_of(home, 8, 1, 8), TRN_BLOCK_DIRT, TRN_FACE_COUNT, 300);
    make_steps(&place, 120);
    const uint32_t resting = debris_stats(place.debris).resting;
    assert_true(resting > 290);
    uint32_t above = 0;
    for (const DebrisBit *bit = place.debris->bits.oldest; bit; bit = bit->younger) {
        above += edge_voxel(bit, 0, false) == 8 && edge_voxel(bit, 0, true) == 8 &&
                 edge_voxel(bit, 2, false) == 8 && edge_voxel(bit, 2, true) == 8;
    }
    print_message("  %u of 300 lie on one block\n", above);
    assert_true(above > 5);
    put_block(&place, voxel_of(home, 8, -1, 8), TRN_BLOCK_AIR); // the ground in another chunk
    make_steps(&place, 40);
    uint32_t fallen = 0;
    for (const DebrisBit *bit = place.debris->bits.oldest; bit; bit = bit->younger) {
        fallen += bit->cell->coord.y == -1 && bit->at[1] == 31 * DEBRIS_UNIT;
    }
    assert_true(fallen >= above);
    assert_int_equal(debris_stats(place.debris).lost, 0);
    put_block(&place, voxel_of(home, 8, -1, 8), TRN_BLOCK_STONE);
    make_steps(&place, 1);
    assert_true(debris_stats(place.debris).lost >= fallen);
    check_books(place.debris);
    check_sums(place.debris);
    place_end(&place);
}

static void bits_are_removed_with_their_chunk(void **state)
{
    (void)state;
    Place place;
    place_begin(&place, 300);
    put_flat(&place);
    (void)debris_throw(place.debris, voxel_of(home, 8, 1, 8), TRN_BLOCK_DIRT, TRN_FACE_COUNT, 200);
    (void)debris_throw(place.debris, voxel_of(home, 40, 1, 8), TRN_BLOCK_DIRT, TRN_FACE_COUNT, 100);
    make_steps(&place, 5);
    assert_int_equal(debris_stats(place.debris).alive, 300);
    assert_int_equal(trn_store_remove(place.store, home), TRN_RESULT_OK);
    make_steps(&place, 1);
    assert_int_equal(debris_stats(place.debris).alive, 100);
    assert_int_equal(debris_stats(place.debris).lost, 200);
    assert_int_equal(trn_store_remove(place.store, (TrnCoord){1, -1, 0}), TRN_RESULT_OK);
    make_steps(&place, 60); // the ground's chunk is not loaded, and counts as solid
    assert_int_equal(debris_stats(place.debris).alive, 100);
    debris_clear(place.debris);
    check_books(place.debris);
    check_sums(place.debris);
    assert_int_equal(debris_stats(place.debris).alive, 0);
    assert_int_equal(debris_stats(place.debris).resting, 0);
    place_end(&place);
}

// ---- water --------------------------------------------------------------------------------------

/// Returns the mean height of 60 bits that were thrown 10 voxels under water, after some steps.
static double height_in_water(TrnBlock block, uint32_t steps)
{
    Place place;
    place_begin(&place, 60);
    put_flat(&place);
    TrnChunk *chunk = trn_store_find(place.store, home);
    TrnVoxelEdit edit;
    assert_int_equal(trn_store_edit_begin(place.store, chunk, &edit), TRN_RESULT_OK);
    const uint32_t min[3] = {0, 0, 0}, max[3] = {31, 19, 31};
    assert_int_equal(trn_voxel_edit_fill_box(&edit, min, max, TRN_BLOCK_WATER), TRN_RESULT_OK);
    assert_true(trn_store_edit_commit(place.store, &edit));
    assert_int_equal(
        debris_throw(place.debris, voxel_of(home, 16, 10, 16), block, TRN_FACE_COUNT, 60), 60);
    make_steps(&place, steps);
    double sum = 0;
    for (const DebrisBit *bit = place.debris->bits.oldest; bit; bit = bit->younger) {
        sum += (double)bit->at[1] / DEBRIS_UNIT / 60;
    }
    assert_int_equal(debris_stats(place.debris).alive, 60);
    place_end(&place);
    return sum;
}

static void wood_floats_and_stone_sinks_slowly(void **state)
{
    (void)state;
    const double stone = height_in_water(TRN_BLOCK_STONE, 150);
    const double wood = height_in_water(TRN_BLOCK_OAK_LOG, 175);
    print_message("  stone at %.1f, wood at %.1f of 20 voxels\n", stone, wood);
    assert_true(stone > 3 && stone < 9);
    assert_true(wood > 18.5 && wood < 20.2);
}

// ---- bad input ----------------------------------------------------------------------------------

static void nothing_is_thrown_where_nothing_was_dug(void **state)
{
    (void)state;
    Place place;
    place_begin(&place, 50);
    put_flat(&place);
    Debris *debris = place.debris;
    const TrnVoxel open = voxel_of(home, 4, 4, 4);
    const TrnVoxel outside[3] = {
        {TRN_VOXEL_MAX + 1, 0, 0}, {0, TRN_VOXEL_MIN - 1, 0}, {INT64_MIN, INT64_MAX, INT64_MIN}};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(debris_throw(debris, outside[i], TRN_BLOCK_DIRT, TRN_FACE_POS_X, 9), 0);
    }
    assert_int_equal(
        debris_throw(debris, voxel_of(home, 400, 0, 0), TRN_BLOCK_DIRT, TRN_FACE_POS_X, 9), 0);
    assert_int_equal(
        debris_throw(debris, voxel_of(home, 4, -1, 4), TRN_BLOCK_DIRT, TRN_FACE_POS_X, 9), 0);
    assert_int_equal(debris_throw(debris, open, TRN_BLOCK_AIR, TRN_FACE_POS_X, 9), 0);
    assert_int_equal(debris_throw(debris, open, TRN_BLOCK_WATER, TRN_FACE_POS_X, 9), 0);
    assert_int_equal(debris_throw(debris, open, TRN_BLOCK_DIRT, TRN_FACE_POS_X, 0), 0);
    assert_int_equal(debris_stats(debris).alive, 0);
    assert_int_equal(debris_throw(debris, open, 65535, (TrnFace)77, 9),
                     9); // a missing chunk counts as a block
    assert_int_equal(debris_throw(debris, open, TRN_BLOCK_FLOWER, TRN_FACE_COUNT, UINT32_MAX), 50);
    check_books(debris);
    place_end(&place);
}

static void any_time_step_is_handled(void **state)
{
    (void)state;
    static const double none[] = {0, -1, -0.0, 1e-300, -INFINITY, NAN, -NAN};
    static const double long_ones[] = {10, 1e300, INFINITY};
    Place place;
    place_begin(&place, 50);
    put_flat(&place);
    (void)debris_throw(place.debris, voxel_of(home, 4, 9, 4), TRN_BLOCK_DIRT, TRN_FACE_COUNT, 50);
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        assert_int_equal(debris_step(place.debris, none[i]), 0);
    }
    for (size_t i = 0; i < sizeof long_ones / sizeof long_ones[0]; i++) {
        assert_int_equal(debris_step(place.debris, long_ones[i]), DEBRIS_STEPS_MAX);
        assert_int_equal(debris_step(place.debris, 0.001), 0);
    }
    check_books(place.debris);
    place_end(&place);
}

static void bad_definitions_are_refused(void **state)
{
    (void)state;
    Debris *debris = NULL;
    Place place;
    place_begin(&place, DEBRIS_CAPACITY_MAX);
    DebrisDef def = debris_def(NULL);
    assert_int_equal(debris_create(&def, &debris), TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(debris_create(NULL, &debris), TRN_RESULT_BAD_ARGUMENT);
    def.store = place.store;
    def.capacity = 0;
    assert_int_equal(debris_create(&def, &debris), TRN_RESULT_BAD_ARGUMENT);
    def.capacity = DEBRIS_CAPACITY_MAX + 1;
    assert_int_equal(debris_create(&def, &debris), TRN_RESULT_BAD_ARGUMENT);
    assert_null(debris);
    debris_destroy(NULL);
    place_end(&place);
}

static void without_memory_fewer_bits_are_thrown(void **state)
{
    (void)state;
    uint32_t made = 0, whole = 0;
    for (size_t fail_at = 1; !whole; fail_at++) {
        assert_true(fail_at < 100);
        Place place = {0};
        assert_int_equal(trn_store_create(NULL, &place.store), TRN_RESULT_OK);
        put_flat(&place);
        const TrnAllocator allocator = test_allocator(&place.memory);
        DebrisDef def = debris_def(place.store);
        def.allocator = &allocator;
        place.memory.fail_at = fail_at;
        const TrnResult result = debris_create(&def, &place.debris);
        if (result != TRN_RESULT_OK) {
            assert_int_equal(result, TRN_RESULT_NO_MEMORY);
            assert_null(place.debris);
        } else {
            uint32_t thrown = 0;
            for (int64_t i = 0; i < 8; i++) { // at a corner of chunks, so that bits spread
                thrown += debris_throw(place.debris, voxel_of(home, 31 * (i & 1), i, 31 * (i >> 2)),
                                       TRN_BLOCK_DIRT, TRN_FACE_POS_Y, 500);
                make_steps(&place, 1);
            }
            for (int i = 0; i < 60; i++) {
                checked_step(&place);
            }
            check_books(place.debris);
            check_sums(place.debris);
            assert_int_equal(thrown + debris_stats(place.debris).refused, 4000);
            made++;
            whole = place.memory.allocations < fail_at;
            assert_true(!whole || (thrown == 4000 && debris_stats(place.debris).lost == 0));
        }
        place_end(&place);
    }
    assert_true(made > 2); // allocations also failed while bits were thrown
}

// ---- shares -------------------------------------------------------------------------------------

static void large_digs_share_the_bits_evenly(void **state)
{
    (void)state;
    static const uint64_t digs[] = {1, 2, 10, 62, 63, 64, 257, 1499, 1500, 1501, 33000, 1000000};
    for (size_t i = 0; i < sizeof digs / sizeof digs[0]; i++) {
        uint64_t sum = 0;
        uint32_t least = UINT32_MAX, most = 0;
        for (uint64_t nth = 0; nth < digs[i]; nth++) {
            const uint32_t share = debris_share(digs[i], nth);
            least = share < least ? share : least;
            most = share > most ? share : most;
            sum += share;
        }
        assert_true(most <= DEBRIS_BLOCK_BITS && most - least <= 1);
        assert_int_equal(sum, digs[i] <= DEBRIS_DIG_BITS / DEBRIS_BLOCK_BITS
                                  ? digs[i] * DEBRIS_BLOCK_BITS
                                  : DEBRIS_DIG_BITS);
    }
    assert_int_equal(debris_share(0, 0), 0);
    assert_int_equal(debris_share(5, 5), 0);
    assert_int_equal(debris_share(UINT64_MAX, 3), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bits_stay_out_of_rock_and_never_gain_energy),
        cmocka_unit_test(the_ends_of_the_world_hold_bits),
        cmocka_unit_test(no_two_digs_fly_alike),
        cmocka_unit_test(equal_digs_give_equal_bits_anywhere),
        cmocka_unit_test(results_do_not_depend_on_the_frame_rate),
        cmocka_unit_test(bits_come_to_rest_on_the_ground_and_fade),
        cmocka_unit_test(resting_bits_fall_with_their_ground_and_are_removed_under_blocks),
        cmocka_unit_test(bits_are_removed_with_their_chunk),
        cmocka_unit_test(wood_floats_and_stone_sinks_slowly),
        cmocka_unit_test(nothing_is_thrown_where_nothing_was_dug),
        cmocka_unit_test(any_time_step_is_handled),
        cmocka_unit_test(bad_definitions_are_refused),
        cmocka_unit_test(without_memory_fewer_bits_are_thrown),
        cmocka_unit_test(large_digs_share_the_bits_evenly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
