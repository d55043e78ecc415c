// Work of the importers of worlds, on worlds whose pieces have many names or share their data.

#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier): mkdtemp

#include "work.h"

#include "import/anvil_writer.h"
#include "import/luanti_map.h"
#include "import/nbt.h"
#include "place.h"

#include <terrane/import.h>

/// Loads a chunk of the world in a file, and removes the file. @return the work
static uint64_t work_of_world(const Place *place, const char *path)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    TrnBlockTypes *types;
    TrnImport *import;
    TrnStorageProblem problem = {""};
    TrnImportDef def = trn_import_def();
    bool uniform;
    assert_int_equal(trn_block_types_create_builtin(NULL, &types), TRN_RESULT_OK);
    def.path = path;
    def.types = types;
    def.are_types_fixed = true;
    if (trn_import_open(&def, &import, &problem) != TRN_RESULT_OK) {
        fail_msg("%s", problem.sentence);
    }
    const uint64_t start = work_start();
    const TrnResult result = trn_import_load(import, (TrnCoord){0, 0, -1}, blocks, &uniform);
    const uint64_t work = work_since(start);
    if (result == TRN_RESULT_NOT_FOUND) { // Minecraft's z goes the other way
        assert_int_equal(trn_import_load(import, (TrnCoord){0, 0, 0}, blocks, &uniform),
                         TRN_RESULT_OK);
    } else {
        assert_int_equal(result, TRN_RESULT_OK);
    }
    const uint64_t all = work_since(start);
    trn_import_destroy(import);
    trn_block_types_destroy(types);
    assert_int_equal(remove(path), 0);
    assert_true(place_end(place));
    return result == TRN_RESULT_OK ? work : all;
}

/// A map block whose table has `count` names that no table of ours knows.
static uint64_t work_of_luanti_names(uint32_t count)
{
    static LuantiWriter plain, bytes;
    static LuantiNodes nodes;
    const LuantiMap map = {.version = 29, .id_bytes = 2};
    char path[PLACE_PATH], name[16];
    Place place;
    assert_true(place_begin(&place));
    plain.size = bytes.size = 0;
    luanti_write(&plain, 0, 1);          // flags
    luanti_write(&plain, 0xFFFF, 2);     // light
    luanti_write(&plain, 0xFFFFFFFF, 4); // no time
    luanti_write(&plain, 0, 1);
    luanti_write(&plain, count, 2);
    for (uint32_t i = 0; i < count; i++) {
        const int size = snprintf(name, sizeof name, "a:%u", (unsigned)i);
        luanti_write(&plain, i, 2);
        luanti_write(&plain, (uint64_t)size, 2);
        luanti_write_bytes(&plain, name, (size_t)size);
    }
    luanti_write(&plain, map.id_bytes, 1);
    luanti_write(&plain, 2, 1);
    luanti_write_nodes(&plain, &map, &nodes);
    luanti_write_metadata(&plain, &map, &nodes);
    luanti_write_objects(&plain);
    luanti_write_timers(&plain);
    luanti_write(&bytes, map.version, 1);
    const size_t size =
        ZSTD_compress(bytes.bytes + 1, sizeof bytes.bytes - 1, plain.bytes, plain.size, 3);
    assert_false(ZSTD_isError(size));
    sqlite3 *db = luanti_create(place_path(&place, "map.sqlite", path), false);
    luanti_insert(db, false, &nodes, bytes.bytes, size + 1);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
    return work_of_world(&place, path);
}

/// A section whose palette has `count` names.
static uint64_t work_of_anvil_names(uint32_t count)
{
    static char names[4096][16];
    static const char *palette[4096];
    static AnvilSection section;
    char path[PLACE_PATH];
    Place place;
    Out column = {0}, packed = {0}, region;
    section.palette_count = count;
    section.palette = palette;
    for (uint32_t i = 0; i < count; i++) {
        (void)snprintf(names[i], sizeof names[i], "a:%u", (unsigned)i);
        palette[i] = names[i];
    }
    assert_true(place_begin(&place));
    anvil_write_column(&column, &anvil_1_21, &section, 1);
    anvil_compress(&packed, &column, 2);
    anvil_region_begin(&region);
    anvil_region_add(&region, 0, 0, &packed, 2);
    anvil_write_file(place_path(&place, "r.0.0.mca", path), region.bytes, region.size);
    out_free(&column);
    out_free(&packed);
    out_free(&region);
    return work_of_world(&place, path);
}

/// Visits a chunk of an import, and loads it.
static bool load_listed(void *user, TrnCoord coord)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    bool uniform;
    const TrnResult result = trn_import_load(user, coord, blocks, &uniform);
    assert_true(result == TRN_RESULT_OK || result == TRN_RESULT_NOT_FOUND);
    return true;
}

/// A region of `count` columns that all have the same half megabyte, which takes less than 1 KiB of
/// the file.
static uint64_t work_of_shared_columns(uint32_t count)
{
    enum { ITEMS = 500000 };
    char path[PLACE_PATH];
    Place place;
    Out column = {0}, packed = {0}, region;
    TrnBlockTypes *types;
    TrnImport *import;
    TrnImportDef def = trn_import_def();
    nbt_tag(&column, TRN_NBT_COMPOUND, "");
    nbt_tag(&column, TRN_NBT_LIST, "sections");
    out_number(&column, TRN_NBT_COMPOUND, 1);
    out_number(&column, ITEMS, 4);
    for (uint32_t i = 0; i <= ITEMS; i++) {
        out_number(&column, TRN_NBT_END, 1);
    }
    anvil_compress(&packed, &column, 2);
    anvil_region_begin(&region);
    anvil_region_add(&region, 0, 0, &packed, 2);
    for (uint32_t i = 1; i < count; i++) {
        memcpy(region.bytes + (size_t)i * 4, region.bytes, 4);
    }
    assert_true(place_begin(&place));
    def.path = place_path(&place, "r.0.0.mca", path);
    anvil_write_file(path, region.bytes, region.size);
    assert_int_equal(trn_block_types_create_builtin(NULL, &types), TRN_RESULT_OK);
    def.types = types;
    assert_int_equal(trn_import_open(&def, &import, NULL), TRN_RESULT_OK);
    const uint64_t start = work_start();
    assert_int_equal(trn_import_list(import, load_listed, import), TRN_RESULT_OK);
    const uint64_t work = work_since(start);
    trn_import_destroy(import);
    trn_block_types_destroy(types);
    out_free(&column);
    out_free(&packed);
    out_free(&region);
    assert_true(place_discard(&place));
    return work;
}

static void columns_that_share_their_data_take_the_work_of_one(void **state)
{
    (void)state;
    assert_work_grows(work_of_shared_columns, 64, 3, WORK_CONSTANT);
}

static void pieces_with_many_names_take_linear_work(void **state)
{
    (void)state;
    assert_work_grows(work_of_luanti_names, 250, 3, WORK_LINEAR);
    assert_true(work_of_luanti_names(2000) < UINT64_C(1500) * (2000 + 4096));
    assert_work_grows(work_of_anvil_names, 512, 3, WORK_LINEAR);
    assert_true(work_of_anvil_names(4096) < UINT64_C(1500) * (4096 + 4096));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_with_many_names_take_linear_work),
        cmocka_unit_test(columns_that_share_their_data_take_the_work_of_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
