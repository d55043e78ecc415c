/// Buildings put at a place: turned and mirrored with their blocks, merged into a world voxel by
/// voxel, compared with the simplest way to do it.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "place.h"
#include "testing.h"

#include <stdio.h>

#include <import/placing.h>
#include <save_internal.h>

#include <terrane/schematic.h>

static const TrnImportPlace places[] = {
    {true, false, false, 0}, {true, false, false, 1}, {true, false, false, 2},
    {true, false, false, 3}, {true, true, false, 0},  {true, true, false, 1},
    {true, false, true, 0},  {true, false, true, 3},  {true, true, true, 2},
};
enum { PLACES = sizeof places / sizeof *places };

// ---- blocks -------------------------------------------------------------------------------------

/// Whether a model is another one, mirrored and turned, box for box in any order.
static bool model_is_turned(const TrnBlockModel *from, const TrnBlockModel *to,
                            const TrnImportPlace *place)
{
    for (uint32_t i = 0; i < from->box_count; i++) {
        int x0 = from->boxes[i].min[0], x1 = from->boxes[i].max[0];
        int z0 = from->boxes[i].min[2], z1 = from->boxes[i].max[2];
        if (place->mirrors_x) {
            const int x = x0;
            x0 = 16 - x1;
            x1 = 16 - x;
        }
        if (place->mirrors_z) {
            const int z = z0;
            z0 = 16 - z1;
            z1 = 16 - z;
        }
        for (uint32_t k = 0; k < place->quarters; k++) {
            const int old[4] = {x0, x1, z0, z1};
            x0 = 16 - old[3];
            x1 = 16 - old[2];
            z0 = old[0];
            z1 = old[1];
        }
        bool has = false;
        for (uint32_t k = 0; k < to->box_count; k++) {
            const TrnBlockBox *box = &to->boxes[k];
            has = has || (box->min[0] == x0 && box->max[0] == x1 && box->min[2] == z0 &&
                          box->max[2] == z1 && box->min[1] == from->boxes[i].min[1] &&
                          box->max[1] == from->boxes[i].max[1]);
        }
        if (!has) {
            return false;
        }
    }
    return from->box_count == to->box_count;
}

static void blocks_turn_as_their_models_do(void **state)
{
    TrnBlockTypes *types;
    uint32_t turned = 0;
    (void)state;
    assert_int_equal(trn_block_types_create_builtin(NULL, &types), TRN_RESULT_OK);
    for (uint32_t i = 0; i < PLACES; i++) {
        for (uint32_t number = 0; number < TRN_BLOCK_BUILTIN_COUNT; number++) {
            const TrnBlock block = (TrnBlock)number;
            const TrnBlockType *type = trn_block_types_get(types, block);
            const TrnBlock got = trn_place_block(&places[i], types, block);
            if (!type->model || trn_block_types_variant(types, type->family, 3) == TRN_BLOCK_AIR) {
                assert_int_equal(got, block);
                continue;
            }
            const TrnBlockType *to = trn_block_types_get(types, got);
            assert_int_equal(to->family, type->family);
            if (!model_is_turned(type->model, to->model, &places[i])) {
                fail_msg("place %u: %s became %s", i, type->name, to->name);
            }
            turned++;
        }
    }
    assert_true(turned > PLACES * 200);
    trn_block_types_destroy(types);
}

// ---- merging ------------------------------------------------------------------------------------

static bool write_file(void *user, const void *bytes, size_t size)
{
    return fwrite(bytes, 1, size, user) == size;
}

enum { SIZE_X = 37, SIZE_Y = 5, SIZE_Z = 20 };

/// A building in memory, in the chunks 0,0,0 and 1,0,0.
typedef struct Building {
    TrnBlockTypes *types;
    TrnBlock blocks[2][TRN_CHUNK_VOXELS];
} Building;

static const unsigned char chest_data[] = "\x0A\0\0\x08\0\x02id\0\x05\x63hest";

static TrnBlock building_at(const Building *building, uint32_t x, uint32_t y, uint32_t z)
{
    return building->blocks[x / 32][trn_local_index(x % 32, y, z)];
}

static TrnResult building_load(void *user, const TrnStreamJob *job, TrnBlock *blocks, bool *uniform)
{
    const Building *building = user;
    if (job->coord.y || job->coord.z || job->coord.x < 0 || job->coord.x > 1) {
        return TRN_RESULT_NOT_FOUND;
    }
    memcpy(blocks, building->blocks[job->coord.x], sizeof building->blocks[0]);
    *uniform = false;
    const TrnBlockData data = {chest_data, sizeof chest_data, (uint16_t)trn_local_index(3, 1, 2),
                               TRN_DATA_WITH_BLOCK};
    return job->coord.x == 1 ? trn_stream_job_set_data(job, &data) : TRN_RESULT_OK;
}

static Building *building_make(const char *path)
{
    Building *building = calloc(1, sizeof *building);
    TrnSchematicDef def = trn_schematic_def();
    TestRandom random = test_random_seeded(63);
    TrnBlock door, chest, stairs;
    assert_non_null(building);
    assert_int_equal(trn_block_types_create_builtin(NULL, &building->types), TRN_RESULT_OK);
    assert_int_equal(trn_block_types_find(building->types, "terrane:oak_door_open", &door),
                     TRN_RESULT_OK);
    assert_int_equal(trn_block_types_find(building->types, "terrane:chest", &chest), TRN_RESULT_OK);
    assert_int_equal(trn_block_types_find(building->types, "terrane:oak_stairs", &stairs),
                     TRN_RESULT_OK);
    for (uint32_t i = 0; i < SIZE_X * SIZE_Y * SIZE_Z; i++) {
        const uint32_t x = i % SIZE_X, y = i / SIZE_X % SIZE_Y, z = i / SIZE_X / SIZE_Y;
        const uint64_t number = test_random_next(&random);
        TrnBlock block = TRN_BLOCK_AIR;
        if (number % 3) {
            block = number % 5 == 0 ? trn_block_types_variant(building->types, door, number / 8 % 4)
                    : number % 5 == 1
                        ? trn_block_types_variant(building->types, stairs, number / 8 % 8)
                        : TRN_BLOCK_STONE;
        }
        building->blocks[x / 32][trn_local_index(x % 32, y, z)] = block;
    }
    building->blocks[0][trn_local_index(0, 0, 0)] = TRN_BLOCK_STONE; // so that models have corners
    building->blocks[1][trn_local_index(SIZE_X - 33, SIZE_Y - 1, SIZE_Z - 1)] = TRN_BLOCK_STONE;
    building->blocks[1][trn_local_index(3, 1, 2)] = chest;
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    def.max = (TrnVoxel){SIZE_X - 1, SIZE_Y - 1, SIZE_Z - 1};
    def.types = building->types;
    def.source = (TrnStreamSource){.load = building_load, .user = building};
    def.write = write_file;
    def.user = file;
    assert_int_equal(trn_schematic_save(&def, NULL, NULL), TRN_RESULT_OK);
    assert_int_equal(fclose(file), 0);
    return building;
}

/// Where a voxel of the building comes to lie, in the box that it fills then.
static void placed(const TrnImportPlace *place, int64_t *x, int64_t *z)
{
    int64_t size_x = SIZE_X, size_z = SIZE_Z;
    *x = place->mirrors_x ? size_x - 1 - *x : *x;
    *z = place->mirrors_z ? size_z - 1 - *z : *z;
    for (uint32_t i = 0; i < place->quarters; i++) {
        const int64_t old_x = *x, old_size = size_x;
        *x = size_z - 1 - *z;
        *z = old_x;
        size_x = size_z;
        size_z = old_size;
    }
}

/// What every chunk has that is not saved: layers of dirt and sand.
static TrnResult land_generate(void *user, TrnCoord coord, uint32_t level, TrnBlock *blocks,
                               bool *uniform)
{
    (void)user;
    (void)level;
    *uniform = false;
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        blocks[i] = i / 1024 % 2 ? TRN_BLOCK_DIRT : coord.x % 2 ? TRN_BLOCK_SAND : TRN_BLOCK_AIR;
    }
    return TRN_RESULT_OK;
}

typedef struct Merged {
    TrnSave *save;
    TrnVoxel chest;
    uint32_t own_data, chest_data;
    TrnCoord coord;
} Merged;

static TrnResult merged_data(void *user, const TrnBlockData *data)
{
    Merged *merged = user;
    const uint32_t chest =
        trn_local_index((uint32_t)(merged->chest.x & 31), (uint32_t)(merged->chest.y & 31),
                        (uint32_t)(merged->chest.z & 31));
    if (data->size == 3) {
        merged->own_data++;
        assert_int_equal(data->index, 32767); // outside the building
        assert_int_equal(data->rule, TRN_DATA_STAYS);
    } else {
        assert_int_equal(data->size, sizeof chest_data);
        assert_int_equal(data->index, chest);
        assert_true(trn_coord_equal(trn_voxel_chunk(merged->chest), merged->coord));
        merged->chest_data++;
    }
    return TRN_RESULT_OK;
}

/// Expects the world around the building.
static void expect_world(Merged *merged, const Building *building, const TrnBlockTypes *types,
                         const TrnImportPlace *place, TrnVoxel at, bool air_replaces)
{
    static TrnBlock expected[4 * 3 * 4][TRN_CHUNK_VOXELS];
    static TrnBlock got[TRN_CHUNK_VOXELS];
    const TrnCoord low = {-2, -1, -2};
    bool uniform;
    for (uint32_t i = 0; i < 48; i++) {
        const TrnCoord coord =
            trn_coord_add(low, (int32_t)(i % 4), (int32_t)(i / 16), (int32_t)(i / 4 % 4));
        assert_int_equal(land_generate(NULL, coord, 0, expected[i], &uniform), TRN_RESULT_OK);
    }
    for (uint32_t i = 0; i < SIZE_X * SIZE_Y * SIZE_Z; i++) {
        const uint32_t x = i % SIZE_X, y = i / SIZE_X % SIZE_Y, z = i / SIZE_X / SIZE_Y;
        int64_t to_x = x, to_z = z;
        placed(place, &to_x, &to_z);
        const TrnVoxel to = {at.x + to_x, at.y + y, at.z + to_z};
        const TrnCoord chunk = trn_voxel_chunk(to);
        const TrnBlock block =
            trn_place_block(place, building->types, building_at(building, x, y, z));
        const uint32_t number =
            (uint32_t)((chunk.x - low.x) + (chunk.z - low.z) * 4 + (chunk.y - low.y) * 16);
        TrnBlock *is = &expected[number][trn_local_index(
            (uint32_t)(to.x & 31), (uint32_t)(to.y & 31), (uint32_t)(to.z & 31))];
        *is = block != TRN_BLOCK_AIR || air_replaces ? block : *is;
        if (x == 35 && y == 1 && z == 2) {
            merged->chest = to;
        }
    }
    const TrnStreamSource source = trn_save_source(merged->save);
    for (uint32_t i = 0; i < 48; i++) {
        const TrnCoord coord =
            trn_coord_add(low, (int32_t)(i % 4), (int32_t)(i / 16), (int32_t)(i / 4 % 4));
        const TrnDataSink sink = {merged_data, merged};
        const TrnStreamJob job = {.coord = coord, .data = &sink};
        merged->coord = coord;
        const TrnResult result = source.load(source.user, &job, got, &uniform);
        for (uint32_t k = 0; k < TRN_CHUNK_VOXELS && result == TRN_RESULT_OK; k++) {
            const TrnBlock block = got[uniform ? 0 : k];
            if (block != expected[i][k]) {
                fail_msg("chunk %d,%d,%d voxel %u: %s instead of %s", coord.x, coord.y, coord.z, k,
                         trn_block_types_get(types, block)->name,
                         trn_block_types_get(types, expected[i][k])->name);
            }
        }
        if (result == TRN_RESULT_NOT_FOUND) { // nothing of the building is in it
            TrnBlock land[TRN_CHUNK_VOXELS];
            assert_int_equal(land_generate(NULL, coord, 0, land, &uniform), TRN_RESULT_OK);
            assert_memory_equal(land, expected[i], sizeof land);
        }
    }
}

static void merge_at(const char *path, const Building *building, uint32_t number, TrnVoxel at,
                     TrnImportAir air)
{
    TrnImportDef def = trn_import_def();
    TrnSaveDef save_def = trn_save_def();
    TrnStorageProblem problem = {""};
    const TrnGenerator land = trn_generator_def(land_generate, NULL);
    Merged merged = {.own_data = 0};
    TrnBlockTypes *types;
    TrnImport *import;
    assert_int_equal(trn_block_types_create_builtin(NULL, &types), TRN_RESULT_OK);
    def.path = path;
    def.types = save_def.types = types;
    def.offset = at;
    def.place = places[number];
    assert_int_equal(trn_storage_memory(NULL, &save_def.storage), TRN_RESULT_OK);
    assert_int_equal(trn_save_create(&save_def, &merged.save, NULL), TRN_RESULT_OK);
    // One chunk is saved already, with data of the game's own.
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    bool uniform;
    const TrnCoord saved = {0, 1, 0};
    const TrnBlockData data = {"own", 3, 32767, TRN_DATA_STAYS};
    assert_int_equal(land_generate(NULL, saved, 0, blocks, &uniform), TRN_RESULT_OK);
    assert_int_equal(trn_save_put_data(merged.save, saved, blocks, false, &data, 1), TRN_RESULT_OK);
    if (trn_import_open(&def, &import, &problem) != TRN_RESULT_OK) {
        fail_msg("%s", problem.sentence);
    }
    const bool is_across = places[number].quarters % 2 == 1;
    TrnVoxel min, max;
    assert_true(trn_import_box(import, &min, &max));
    assert_true(min.x == at.x && min.y == at.y && min.z == at.z);
    assert_int_equal(max.x - min.x + 1, is_across ? SIZE_Z : SIZE_X);
    assert_int_equal(max.y - min.y + 1, SIZE_Y);
    assert_int_equal(max.z - min.z + 1, is_across ? SIZE_X : SIZE_Z);
    assert_int_equal(trn_import_merge(import, merged.save, &land, air, NULL, NULL), TRN_RESULT_OK);
    expect_world(&merged, building, types, &places[number], at, air == TRN_IMPORT_AIR_REPLACES);
    assert_int_equal(merged.own_data, 1);
    assert_int_equal(merged.chest_data, 1);
    trn_import_destroy(import);
    assert_int_equal(trn_save_destroy(merged.save), TRN_RESULT_OK);
    trn_block_types_destroy(types);
}

static void a_building_is_merged_wherever_and_however_it_lies(void **state)
{
    Place *place = *state;
    char path[PLACE_PATH];
    Building *building = building_make(place_path(place, "a.schem", path));
    static const TrnVoxel corners[] = {{0, 0, 0}, {-20, 30, -13}, {-64, 27, 5}};
    for (uint32_t i = 0; i < PLACES; i++) {
        for (uint32_t k = 0; k < 3; k++) {
            merge_at(path, building, i, corners[k],
                     (i + k) % 2 ? TRN_IMPORT_AIR_REPLACES : TRN_IMPORT_AIR_KEEPS);
        }
    }
    trn_block_types_destroy(building->types);
    free(building);
}

static void only_buildings_have_a_place(void **state)
{
    Place *place = *state;
    TrnImportDef def = trn_import_def();
    TrnStorageProblem problem = {""};
    TrnBlockTypes *types;
    TrnImport *import;
    char path[PLACE_PATH];
    static const unsigned char empty[8192];
    FILE *file = fopen(place_path(place, "r.0.0.mca", path), "wb");
    assert_int_equal(fwrite(empty, 1, sizeof empty, file), sizeof empty);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(trn_block_types_create_builtin(NULL, &types), TRN_RESULT_OK);
    def.path = path;
    def.types = types;
    def.place.is_placed = true;
    assert_int_equal(trn_import_open(&def, &import, &problem), TRN_RESULT_BAD_ARGUMENT);
    assert_non_null(strstr(problem.sentence, "only schematics and models"));
    TrnVoxel min, max;
    def.place.is_placed = false;
    assert_int_equal(trn_import_open(&def, &import, &problem), TRN_RESULT_OK);
    assert_false(trn_import_box(import, &min, &max));
    assert_false(trn_import_box(NULL, &min, &max));
    trn_import_destroy(import);
    trn_block_types_destroy(types);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_turn_as_their_models_do),
        cmocka_unit_test_setup_teardown(a_building_is_merged_wherever_and_however_it_lies,
                                        place_make, place_remove),
        cmocka_unit_test_setup_teardown(only_buildings_have_a_place, place_make, place_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
