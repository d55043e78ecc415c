// Versions of the land: each keeps exactly its voxels, and those that are not generated are
// refused.

#include "terrain_voxels.h"

#include "pinned_land.h"

static TrnTerrain *make_version(const char *preset, uint32_t version, uint64_t seed)
{
    TrnTerrainDef def = trn_terrain_def();
    def.version = version;
    def.seed = seed;
    assert_int_equal(trn_terrain_shape_preset(preset, &def.shape), TRN_RESULT_OK);
    TrnTerrain *terrain = NULL;
    assert_int_equal(trn_terrain_create(&def, &terrain), TRN_RESULT_OK);
    return terrain;
}

/// Hashes the chunks of all levels above 0 around sea level at a place of level 0.
static uint64_t hash_coarse(TrnTerrain *terrain, int32_t x, int32_t z)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    uint64_t hash = 0xCBF29CE484222325u;
    for (uint32_t level = 1; level <= TRN_TERRAIN_LEVEL_MAX; level++) {
        for (int32_t y = -1; y <= 2; y++) {
            bool uniform = false;
            const TrnCoord coord = {x >> level, y, z >> level};
            assert_int_equal(trn_terrain_generate_level(terrain, coord, level, blocks, &uniform),
                             TRN_RESULT_OK);
            for (int i = 1; uniform && i < TRN_CHUNK_VOXELS; i++) {
                blocks[i] = blocks[0];
            }
            hash = hash_blocks(hash, blocks);
        }
    }
    return hash;
}

/// Hashes of a preset's land: of level 0, and of all levels above it.
typedef struct VersionHashes {
    const char *preset;
    uint64_t near, far;
} VersionHashes;

static VersionHashes hash_version(const char *preset, uint32_t version)
{
    static const int32_t places[][2] = {{0, 0}, {-9, -23}, {1000, 77}, {-4321, 1234}, {7, -52}};
    VersionHashes hashes = {.preset = preset};
    TrnTerrain *terrain = make_version(preset, version, trn_terrain_def().seed);
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        int count = 0;
        hashes.near = (hashes.near ^ hash_place(terrain, places[i][0], places[i][1], &count)) *
                      0x9E3779B97F4A7C15u;
        hashes.far =
            (hashes.far ^ hash_coarse(terrain, places[i][0], places[i][1])) * 0x9E3779B97F4A7C15u;
    }
    trn_terrain_destroy(terrain);
    return hashes;
}

/// Worlds of these versions exist: a change of the hashes would leave walls in their land.
static void versions_are_frozen(void **state)
{
    (void)state;
    static const struct {
        uint32_t version;
        VersionHashes hashes;
    } expected[] = {
        {4, {"default", 0x27B9C1DE1B1C1571u, 0x601E94AC1C23E457u}},
        {4, {"islands", 0xE138BAAD4CC12764u, 0x2F7ADA57A30E01B3u}},
        {4, {"alps", 0x286C020FF531266Eu, 0x26EBDBF0DC284842u}},
        {4, {"canyons", 0xBA3D1E104EE0BAC0u, 0x28BD7DE171890D87u}},
        {4, {"flat", 0x6469D96D464E67DCu, 0xBF44D7ABE0B23D6Du}},
        {5, {"default", 0xBF509B3371E7498Eu, 0xB9C620967B097358u}},
        {5, {"islands", 0x963C04995DEDBC33u, 0xD2D6AFF2A5B0972Bu}},
        {5, {"alps", 0xAEEF786D333D88E1u, 0x0F1DE06D2B5BB539u}},
        {5, {"canyons", 0xA3EF7144823AED30u, 0x753ADFDA59CBD8B2u}},
        {5, {"flat", 0x34B2E6D13CD8A8AAu, 0x3CAD5DD46E25C5BEu}},
    };
    bool is_frozen = true;
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        const VersionHashes *pinned = &expected[i].hashes;
        const VersionHashes hashes = hash_version(pinned->preset, expected[i].version);
        print_message("  %u %-8s 0x%016llX, 0x%016llX\n", expected[i].version, hashes.preset,
                      (unsigned long long)hashes.near, (unsigned long long)hashes.far);
        is_frozen &= hashes.near == pinned->near && hashes.far == pinned->far;
    }
    assert_true(is_frozen);
}

static uint64_t hash_box(TrnTerrain *terrain, TrnCoord middle)
{
    TrnBlock blocks[TRN_CHUNK_VOXELS];
    const TrnBox box = trn_box_around(middle, 2, 1, 2);
    uint64_t hash = 0xCBF29CE484222325u;
    for (int32_t y = box.min.y; y <= box.max.y; y++) {
        for (int32_t z = box.min.z; z <= box.max.z; z++) {
            for (int32_t x = box.min.x; x <= box.max.x; x++) {
                generate_whole(terrain, (TrnCoord){x, y, z}, blocks);
                hash = hash_blocks(hash, blocks);
            }
        }
    }
    return hash;
}

static void pinned_boxes_keep_their_voxels(void **state)
{
    (void)state;
    bool is_kept = true;
    for (size_t i = 0; i < sizeof pinned_land / sizeof pinned_land[0]; i++) {
        const PinnedLand *land = &pinned_land[i];
        TrnTerrain *terrain = make_version(land->preset, land->version, land->seed);
        const uint64_t hash = hash_box(terrain, land->middle);
        print_message("  %-8s 0x%016llX\n", land->preset, (unsigned long long)hash);
        is_kept &= hash == land->hash;
        trn_terrain_destroy(terrain);
    }
    assert_true(is_kept);
}

static void versions_that_are_not_generated_are_refused(void **state)
{
    (void)state;
    static const struct {
        uint32_t version;
        const char *fault;
    } refused[] = {{TRN_TERRAIN_VERSION + 1, "above TRN_TERRAIN_VERSION"},
                   {UINT32_MAX, "above TRN_TERRAIN_VERSION"},
                   {3, "below TRN_TERRAIN_VERSION_OLDEST"},
                   {0, "below TRN_TERRAIN_VERSION_OLDEST"}};
    TrnTerrainDef def = trn_terrain_def();
    assert_int_equal(def.version, TRN_TERRAIN_VERSION);
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        TrnTerrain *terrain = NULL;
        def.version = refused[i].version;
        assert_non_null(strstr(trn_terrain_def_fault(&def), refused[i].fault));
        assert_int_equal(trn_terrain_create(&def, &terrain), TRN_RESULT_BAD_ARGUMENT);
        assert_null(terrain);
    }
    for (uint32_t version = TRN_TERRAIN_VERSION_OLDEST; version <= TRN_TERRAIN_VERSION; version++) {
        def.version = version;
        assert_null(trn_terrain_def_fault(&def));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(versions_are_frozen),
        cmocka_unit_test(pinned_boxes_keep_their_voxels),
        cmocka_unit_test(versions_that_are_not_generated_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
