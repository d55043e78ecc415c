// What tests and the bench use of a terrain besides its chunks: other kernels, and columns and
// noise on their own.

#include "testing.h"

#include <terrane/terrain.h>

#include "terrain/noise_impl.h"
#include "terrain/terrain_test_hooks.h"

static TrnTerrain *make_terrain(TestAllocator *state)
{
    TrnTerrainDef def = trn_terrain_def();
    TrnAllocator allocator = test_allocator(state);
    def.allocator = &allocator;
    TrnTerrain *terrain = NULL;
    assert_int_equal(trn_terrain_create(&def, &terrain), TRN_RESULT_OK);
    return terrain;
}

/// Returns the kernels of all noises of a terrain, or -1 if they differ.
static int64_t kernels_of(const TrnTerrain *terrain)
{
    TrnNoise noise = {0};
    TrnNoiseGrid grid = {0};
    int64_t kernels = -2;
    for (unsigned i = 0; trn_terrain_noise_request(terrain, (TrnCoord){0}, i, &noise, &grid); i++) {
        const int64_t one = noise.kernels;
        kernels = kernels == -2 || kernels == one ? one : -1;
    }
    return kernels;
}

static void all_noises_use_the_chosen_kernels(void **state)
{
    (void)state;
    TestAllocator memory = {0};
    TrnTerrain *terrain = make_terrain(&memory);
    const int64_t fastest = kernels_of(terrain);
    unsigned count = 0;
    for (; trn_kernels_name(&trn_noise_kernels, count); count++) {
        const int64_t before = kernels_of(terrain);
        assert_true(trn_terrain_use_kernels(terrain, trn_kernels_name(&trn_noise_kernels, count)));
        assert_true(kernels_of(terrain) >= 0);
        assert_true(count == 0 || kernels_of(terrain) != before);
    }
    assert_true(count >= 2); // at least scalar kernels, and vectors of four
    assert_true(kernels_of(terrain) != fastest);
    trn_terrain_destroy(terrain);
    assert_int_equal(memory.live_blocks, 0);
}

static void unknown_kernels_are_refused_and_change_nothing(void **state)
{
    (void)state;
    TestAllocator memory = {0};
    TrnTerrain *terrain = make_terrain(&memory);
    assert_true(trn_terrain_use_kernels(terrain, "scalar"));
    const int64_t before = kernels_of(terrain);
    assert_false(trn_terrain_use_kernels(terrain, "abacus"));
    assert_false(trn_terrain_use_kernels(terrain, ""));
    assert_int_equal(kernels_of(terrain), before);
    trn_terrain_destroy(terrain);
}

static void a_touched_column_is_kept_for_its_chunks(void **state)
{
    (void)state;
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    TestAllocator memory = {0};
    TrnTerrain *terrain = make_terrain(&memory);
    const size_t none = memory.allocations;
    trn_terrain_touch_column(terrain, 7, -9);
    const size_t one = memory.allocations;
    assert_true(one > none);
    trn_terrain_touch_column(terrain, 7, -9);
    bool uniform = false;
    for (int32_t y = -2; y <= 2; y++) {
        const TrnCoord coord = {7, y, -9};
        assert_int_equal(trn_terrain_generate(terrain, coord, blocks, &uniform), TRN_RESULT_OK);
    }
    assert_int_equal(memory.allocations, one);
    trn_terrain_destroy(terrain);
    assert_int_equal(memory.live_blocks, 0);
}

/// Records the library's calls of noise functions: the linker redirects them here (CMakeLists.txt).
static struct {
    bool is_on;
    size_t count;
    struct {
        TrnNoise noise;
        TrnNoiseGrid grid;
    } calls[64];
} recorded;

// NOLINTBEGIN(bugprone-reserved-identifier): the linker's names
TrnResult __real_trn_noise_fill(const TrnNoise *noise, const TrnNoiseGrid *grid, float *out);
TrnResult __wrap_trn_noise_fill(const TrnNoise *noise, const TrnNoiseGrid *grid, float *out);

TrnResult __wrap_trn_noise_fill(const TrnNoise *noise, const TrnNoiseGrid *grid, float *out)
{
    if (recorded.is_on) {
        assert_true(recorded.count < sizeof recorded.calls / sizeof recorded.calls[0]);
        recorded.calls[recorded.count].noise = *noise;
        recorded.calls[recorded.count++].grid = *grid;
    }
    return __real_trn_noise_fill(noise, grid, out);
}

void __real_trn_noise_add_part(const TrnNoise *noise, const TrnNoiseGrid *grid,
                               const TrnNoisePart *part, float *out);
void __wrap_trn_noise_add_part(const TrnNoise *noise, const TrnNoiseGrid *grid,
                               const TrnNoisePart *part, float *out);

void __wrap_trn_noise_add_part(const TrnNoise *noise, const TrnNoiseGrid *grid,
                               const TrnNoisePart *part, float *out)
{
    if (recorded.is_on) {
        assert_true(recorded.count < sizeof recorded.calls / sizeof recorded.calls[0]);
        recorded.calls[recorded.count].noise = *noise;
        recorded.calls[recorded.count++].grid = *grid;
    }
    __real_trn_noise_add_part(noise, grid, part, out);
}

// NOLINTEND(bugprone-reserved-identifier)

/// Whether points along an axis are among others that are `step` voxels apart.
static bool is_part_of_axis(int64_t part, uint32_t part_size, int64_t all, uint32_t all_size,
                            int64_t step)
{
    const int64_t after = part - all;
    return after >= 0 && after % step == 0 && after / step + part_size <= all_size;
}

/// Whether all points of a grid are points of another.
static bool is_part_of_grid(const TrnNoiseGrid *part, const TrnNoiseGrid *all)
{
    const int64_t step = (int64_t)1 << all->level;
    return part->level == all->level &&
           is_part_of_axis(part->origin.x, part->size_x, all->origin.x, all->size_x, step) &&
           is_part_of_axis(part->origin.y, part->size_y, all->origin.y, all->size_y, step) &&
           is_part_of_axis(part->origin.z, part->size_z, all->origin.z, all->size_z, step);
}

/// Returns the number of a recorded call among those that a chunk is documented to make at most, or
/// -1.
static int find_asked(const TrnTerrain *terrain, TrnCoord coord, size_t call)
{
    TrnNoise noise;
    TrnNoiseGrid grid;
    for (int i = 0; trn_terrain_noise_request(terrain, coord, (unsigned)i, &noise, &grid); i++) {
        if (noise.layers[0].seed == recorded.calls[call].noise.layers[0].seed) {
            return is_part_of_grid(&recorded.calls[call].grid, &grid) ? i : -1;
        }
    }
    return -1;
}

static void chunks_use_no_more_than_the_documented_noise(void **state)
{
    (void)state;
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    TestAllocator memory = {0};
    TrnTerrain *terrain = make_terrain(&memory);
    size_t asked[64] = {0};
    for (int32_t n = 0; n < 4; n++) { // rivers are solved for a whole region
        trn_terrain_touch_column(terrain, n % 2 ? 20 : -20, n / 2 ? 20 : -20);
    }
    for (int32_t n = 0; n < 40; n++) {
        const TrnCoord coord = {n % 8 - 4, n % 5 - 2, n / 8 - 2};
        bool uniform;
        recorded.count = 0;
        recorded.is_on = true;
        (void)trn_terrain_generate(terrain, coord, blocks, &uniform);
        recorded.is_on = false;
        for (size_t call = 0; call < recorded.count; call++) {
            const int number = find_asked(terrain, coord, call);
            assert_true(number >= 0);
            asked[number]++;
        }
    }
    TrnNoise noise;
    TrnNoiseGrid grid;
    for (unsigned i = 0; trn_terrain_noise_request(terrain, (TrnCoord){0}, i, &noise, &grid); i++) {
        assert_true(asked[i] > 0);
    }
    trn_terrain_destroy(terrain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_noises_use_the_chosen_kernels),
        cmocka_unit_test(unknown_kernels_are_refused_and_change_nothing),
        cmocka_unit_test(a_touched_column_is_kept_for_its_chunks),
        cmocka_unit_test(chunks_use_no_more_than_the_documented_noise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
