// Which bits are removed first, against a plain list, and which are listed.

#include "debris_place.h"

// ---- which bits are removed first ---------------------------------------------------------------

typedef struct Known {
    uint64_t number;
    bool is_seen;
} Known;

/// Records all bits, oldest first, and whether they are right of x = from. Bits reach a quarter
/// voxel to each side.
static uint32_t note_bits(const Debris *debris, TrnCoord chunk, double from, Known *known)
{
    uint32_t count = 0;
    for (const DebrisBit *bit = debris->bits.oldest; bit; bit = bit->younger) {
        const double x = ((double)bit->cell->coord.x - chunk.x) * TRN_CHUNK_EDGE +
                         (double)bit->at[0] / DEBRIS_UNIT;
        known[count++] = (Known){bit->number, x >= from - 0.25};
    }
    return count;
}

/// Removes from a list, oldest first, the bit that should be removed next.
static uint32_t drop_known(Known *known, uint32_t count)
{
    uint32_t victim = 0;
    while (victim < count && known[victim].is_seen) {
        victim++;
    }
    victim = victim < count ? victim : 0;
    memmove(known + victim, known + victim + 1, (count - victim - 1) * sizeof *known);
    return count - 1;
}

static void check_known(const Debris *debris, const Known *known, uint32_t count)
{
    assert_int_equal(debris->bits.alive->count, count);
    uint32_t i = 0;
    for (const DebrisBit *bit = debris->bits.oldest; bit; bit = bit->younger) {
        assert_int_equal(bit->number, known[i++].number);
    }
}

static void unseen_bits_are_removed_first_then_the_oldest(void **state)
{
    (void)state;
    enum { CAPACITY = 120 };
    static Known known[CAPACITY + 1];
    Place place;
    TestRandom random = test_random_seeded(2);
    const TrnCoord chunk = {-1, 2, -3};
    place_begin(&place, CAPACITY);
    put_flat(&place);
    float from = -EVERYTHING;
    look_right_of(place.debris, chunk, from);
    uint32_t count = 0;
    for (int round = 0; round < 400; round++) {
        if (round % 3 == 0) {
            make_steps(&place, (uint32_t)test_random_range(&random, 1, 20));
        }
        if (round % 4 == 0) {
            from = (float)test_random_range(&random, 10, 80);
            look_right_of(place.debris, chunk, from);
        }
        if (round % 50 == 0) {
            debris_clear(place.debris);
            count = 0;
        }
        if (round % 3 == 0 || round % 4 == 0) {
            count = note_bits(place.debris, chunk, (double)from, known);
        }
        const uint32_t thrown = (uint32_t)test_random_range(&random, 1, 40);
        const TrnVoxel voxel = voxel_of(home, test_random_range(&random, -32, 63), 3, 5);
        uint64_t number = debris_stats(place.debris).thrown;
        assert_int_equal(debris_throw(place.debris, voxel, TRN_BLOCK_DIRT, TRN_FACE_COUNT, thrown),
                         thrown);
        for (uint32_t i = 0; i < thrown; i++) {
            count = count == CAPACITY ? drop_known(known, count) : count;
            // Bits just thrown count as seen, wherever they are.
            known[count++] = (Known){number++, true};
        }
        check_known(place.debris, known, count);
        check_books(place.debris);
    }
    const DebrisStats stats = debris_stats(place.debris);
    print_message("  %llu unseen and %llu oldest made room\n",
                  (unsigned long long)stats.dropped_unseen,
                  (unsigned long long)stats.dropped_oldest);
    assert_true(stats.dropped_unseen > 500 && stats.dropped_oldest > 500);
    check_sums(place.debris);
    place_end(&place);
}

static void only_what_the_look_shows_is_listed(void **state)
{
    (void)state;
    static DebrisInstance instances[500];
    Place place;
    place_begin(&place, 500);
    put_flat(&place);
    for (int64_t x = -32; x < 64; x += 4) {
        (void)debris_throw(place.debris, voxel_of(home, x, 3, 5), TRN_BLOCK_DIRT, TRN_FACE_COUNT,
                           20);
    }
    make_steps(&place, 5);
    place.debris->left = DEBRIS_STEP_SECONDS * 0.999999;              // almost at the next step
    assert_int_equal(debris_list(place.debris, instances, 500), 480); // no bit has two places yet
    assert_int_equal(debris_list(place.debris, instances, 7), 7);
    for (float from = -40; from < 80; from += 7.3f) {
        look_right_of(place.debris, home, from);
        uint32_t seen = 0;
        for (const DebrisBit *bit = place.debris->bits.oldest; bit; bit = bit->younger) {
            const bool is_seen = debris_bits_is_seen(&place.debris->bits, bit);
            const double x = bit->cell->coord.x * 32.0 + (double)bit->at[0] / DEBRIS_UNIT;
            assert_true(is_seen || x < (double)from);
            assert_true(!is_seen || x > (double)from - 0.5);
            seen += is_seen;
        }
        const uint32_t listed = debris_list(place.debris, instances, 500);
        assert_true(listed + 2 >= seen && listed <= seen + 2); // one may be crossing
        for (uint32_t i = 0; i < listed; i++) {
            assert_true(instances[i].at[0] > from - 0.5f);
        }
    }
    const float broken[6][4] = {{NAN, 0, 0, 0}, {0, INFINITY, 0, 0}};
    look_right_of(place.debris, home, 200);
    debris_look(place.debris, home, broken); // removes the last one
    assert_int_equal(debris_list(place.debris, instances, 500), 0);
    place_end(&place);
}

static void bits_are_listed_between_their_last_two_places(void **state)
{
    (void)state;
    DebrisInstance instances[3][40];
    Place place;
    place_begin(&place, 40);
    put_flat(&place);
    // Throws across the border of two chunks.
    (void)debris_throw(place.debris, voxel_of(home, 31, 6, 8), TRN_BLOCK_DIRT, TRN_FACE_POS_X, 40);
    for (int i = 0; i < 30; i++) {
        place.debris->left = DEBRIS_STEP_SECONDS;
        assert_int_equal(debris_list(place.debris, instances[0], 40), 40);
        place.debris->left = 0;
        debris_move_all(&place.debris->bits, &place.debris->ground, ++place.debris->now,
                        &place.debris->fates);
        place.debris->left = DEBRIS_STEP_SECONDS / 2;
        assert_int_equal(debris_list(place.debris, instances[1], 40), 40);
        place.debris->left = DEBRIS_STEP_SECONDS;
        assert_int_equal(debris_list(place.debris, instances[2], 40), 40);
        for (int k = 0; k < 40; k++) {
            for (int axis = 0; axis < 3; axis++) {
                const float before = instances[0][k].at[axis], after = instances[2][k].at[axis];
                assert_true(fabsf(instances[1][k].at[axis] - (before + after) / 2) < 1e-4f);
            }
        }
    }
    assert_int_equal(place.debris->bits.cells->count, 2);
    place_end(&place);
}

static void a_bit_moves_from_chunk_to_chunk(void **state)
{
    (void)state;
    Place place;
    place_begin(&place, 1);
    put_flat(&place);
    uint32_t crossed = 0;
    for (int i = 0; i < 20; i++) {
        assert_int_equal(
            debris_throw(place.debris, voxel_of(home, 31, 5, 8), TRN_BLOCK_DIRT, TRN_FACE_POS_X, 1),
            1);
        checked_step(&place);
        make_steps(&place, 60);
        crossed += place.debris->bits.oldest->cell->coord.x == 1;
    }
    assert_true(crossed > 5);
    assert_int_equal(debris_stats(place.debris).lost, 0);
    place_end(&place);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unseen_bits_are_removed_first_then_the_oldest),
        cmocka_unit_test(only_what_the_look_shows_is_listed),
        cmocka_unit_test(bits_are_listed_between_their_last_two_places),
        cmocka_unit_test(a_bit_moves_from_chunk_to_chunk),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
