/// Buildings put into a world, turned and mirrored: compared voxel by voxel with the simplest way
/// to do it. The bytes choose size, blocks, place and world.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include <terrane/schematic.h>

#include "fuzz_files.h"
#include "import/placing.h"

enum { SIDE_MAX = 40, HEIGHT_MAX = 6, ACROSS = 4, DOWN = 2 };

/// What the bytes choose.
typedef struct Case {
    int64_t size[3];
    TrnImportPlace place;
    TrnVoxel at;
    TrnImportAir air;
    uint32_t blocks; ///< seed of the blocks
    TrnBlockTypes *types;
    TrnBlock stairs;
} Case;

static TrnBlock own_block(const Case *from, int64_t x, int64_t y, int64_t z)
{
    uint32_t mixed = from->blocks + (uint32_t)(x * 31 + y * 977 + z * 7919);
    mixed = (mixed ^ mixed >> 15) * 0x2C1B3C6Du;
    mixed = (mixed ^ mixed >> 12) * 0x297A2D39u;
    const uint32_t number = mixed >> 16;
    return number % 3 == 0   ? TRN_BLOCK_AIR
           : number % 3 == 1 ? TRN_BLOCK_STONE
                             : trn_block_types_variant(from->types, from->stairs, number / 3 % 8);
}

static TrnResult load_building(void *user, const TrnStreamJob *job, TrnBlock *blocks, bool *uniform)
{
    const Case *from = user;
    const TrnVoxel low = trn_coord_voxel(job->coord);
    *uniform = false;
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        blocks[i] = own_block(from, low.x + i % 32, low.y + i / 1024, low.z + i / 32 % 32);
    }
    return TRN_RESULT_OK;
}

static bool write_file(void *user, const void *bytes, size_t size)
{
    return fwrite(bytes, 1, size, user) == size;
}

static void write_building(Case *from, const char *path)
{
    TrnSchematicDef def = trn_schematic_def();
    FILE *file = fopen(path, "wb");
    FUZZ_REQUIRE(file);
    def.max = (TrnVoxel){from->size[0] - 1, from->size[1] - 1, from->size[2] - 1};
    def.types = from->types;
    def.source = (TrnStreamSource){.load = load_building, .user = from};
    def.write = write_file;
    def.user = file;
    FUZZ_REQUIRE(trn_schematic_save(&def, NULL, NULL) == TRN_RESULT_OK && fclose(file) == 0);
}

static TrnBlock land_block(TrnVoxel at)
{
    return at.y % 2 ? TRN_BLOCK_DIRT : TRN_BLOCK_AIR;
}

static TrnResult land_generate(void *user, TrnCoord coord, uint32_t level, TrnBlock *blocks,
                               bool *uniform)
{
    (void)user, (void)level;
    const TrnVoxel low = trn_coord_voxel(coord);
    *uniform = false;
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        blocks[i] = land_block((TrnVoxel){low.x, low.y + i / 1024, low.z});
    }
    return TRN_RESULT_OK;
}

/// The voxel of the building that comes to lie at a place in its box.
static void taken_from(const Case *from, int64_t *x, int64_t *z)
{
    const bool is_across = from->place.quarters % 2 == 1;
    int64_t size_x = from->size[is_across ? 2 : 0], size_z = from->size[is_across ? 0 : 2];
    for (uint32_t i = 0; i < from->place.quarters; i++) { // back, counter-clockwise
        const int64_t old_x = *x, old_size = size_x;
        *x = *z;
        *z = size_x - 1 - old_x;
        size_x = size_z;
        size_z = old_size;
    }
    *x = from->place.mirrors_x ? size_x - 1 - *x : *x;
    *z = from->place.mirrors_z ? size_z - 1 - *z : *z;
}

static TrnBlock expected_at(const Case *from, TrnVoxel at)
{
    const bool is_across = from->place.quarters % 2 == 1;
    int64_t x = at.x - from->at.x, z = at.z - from->at.z;
    const int64_t y = at.y - from->at.y;
    if (x < 0 || y < 0 || z < 0 || x >= from->size[is_across ? 2 : 0] || y >= from->size[1] ||
        z >= from->size[is_across ? 0 : 2]) {
        return land_block(at);
    }
    taken_from(from, &x, &z);
    const TrnBlock block = trn_place_block(&from->place, from->types, own_block(from, x, y, z));
    return block == TRN_BLOCK_AIR && from->air == TRN_IMPORT_AIR_KEEPS ? land_block(at) : block;
}

/// Expects every voxel of the chunks around the building.
static void expect_world(const Case *from, TrnSave *save)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    const TrnStreamSource source = trn_save_source(save);
    const TrnCoord first = trn_voxel_chunk(from->at);
    for (int32_t i = 0; i < ACROSS * ACROSS * (DOWN + 1); i++) {
        const TrnCoord coord = trn_coord_add(first, i % ACROSS - 1, i / (ACROSS * ACROSS) - 1,
                                             i / ACROSS % ACROSS - 1);
        const TrnVoxel low = trn_coord_voxel(coord);
        const TrnStreamJob job = {.coord = coord};
        bool uniform = false;
        TrnResult result = source.load(source.user, &job, blocks, &uniform);
        if (result == TRN_RESULT_NOT_FOUND) {
            result = land_generate(NULL, coord, 0, blocks, &uniform);
        }
        FUZZ_REQUIRE(result == TRN_RESULT_OK);
        for (uint32_t k = 0; k < TRN_CHUNK_VOXELS; k++) {
            const TrnVoxel at = {low.x + k % 32, low.y + k / 1024, low.z + k / 32 % 32};
            FUZZ_REQUIRE(blocks[uniform ? 0 : k] == expected_at(from, at));
        }
    }
}

static void merge(Case *from, const char *path)
{
    TrnImportDef def = trn_import_def();
    TrnSaveDef save_def = trn_save_def();
    const TrnGenerator land = trn_generator_def(land_generate, NULL);
    TrnVoxel min, max;
    TrnImport *import;
    TrnSave *save;
    def.path = path;
    def.types = save_def.types = from->types;
    def.offset = from->at;
    def.place = from->place;
    save_def.has_thread = false;
    FUZZ_REQUIRE(trn_storage_memory(NULL, &save_def.storage) == TRN_RESULT_OK);
    FUZZ_REQUIRE(trn_save_create(&save_def, &save, NULL) == TRN_RESULT_OK);
    FUZZ_REQUIRE(trn_import_open(&def, &import, NULL) == TRN_RESULT_OK);
    FUZZ_REQUIRE(trn_import_box(import, &min, &max));
    FUZZ_REQUIRE(min.x == from->at.x && min.y == from->at.y && min.z == from->at.z);
    FUZZ_REQUIRE(max.y - min.y + 1 == from->size[1]);
    FUZZ_REQUIRE(trn_import_merge(import, save, &land, from->air, NULL, NULL) == TRN_RESULT_OK);
    expect_world(from, save);
    trn_import_destroy(import);
    FUZZ_REQUIRE(trn_save_destroy(save) == TRN_RESULT_OK);
}

int fuzz_place(const uint8_t *bytes, size_t size);

int fuzz_place(const uint8_t *bytes, size_t size)
{
    char folder[FUZZ_FOLDER_BYTES], path[FUZZ_PATH_BYTES];
    FuzzProgram program = fuzz_program(bytes, size);
    Case from = {.place = {.is_placed = true}};
    fuzz_begin_folder(folder);
    fuzz_path(path, folder, "a.schem");
    FUZZ_REQUIRE(trn_block_types_create_builtin(NULL, &from.types) == TRN_RESULT_OK);
    FUZZ_REQUIRE(trn_block_types_find(from.types, "terrane:oak_stairs", &from.stairs) ==
                 TRN_RESULT_OK);
    from.size[0] = fuzz_between(&program, 1, SIDE_MAX);
    from.size[1] = fuzz_between(&program, 1, HEIGHT_MAX);
    from.size[2] = fuzz_between(&program, 1, SIDE_MAX);
    from.at.x = fuzz_between(&program, -100, 100);
    from.at.y = fuzz_between(&program, -100, 100);
    from.at.z = fuzz_between(&program, -100, 100);
    from.place.quarters = fuzz_below(&program, 4);
    from.place.mirrors_x = fuzz_below(&program, 2);
    from.place.mirrors_z = fuzz_below(&program, 2);
    from.air = (TrnImportAir)fuzz_below(&program, TRN_IMPORT_AIR_COUNT);
    from.blocks = fuzz_number(&program, 4);
    write_building(&from, path);
    merge(&from, path);
    FUZZ_REQUIRE(unlink(path) == 0);
    fuzz_end_folder(folder);
    trn_block_types_destroy(from.types);
    return 0;
}
