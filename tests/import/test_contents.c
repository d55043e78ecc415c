/// What blocks of Minecraft worlds contain becomes block data, in a stream and in a saved world,
/// within the limits of block data, and what is left out is counted.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "anvil_writer.h"
#include "place.h"

#include <terrane/import.h>

static const char *const palette[] = {"minecraft:chest[facing=north]", "minecraft:air"};

/// Writes a block entity: a chest with some bytes.
static void write_entity(Out *out, int64_t x, int64_t y, int64_t z, uint32_t size, char fill)
{
    const int64_t at[3] = {x, y, z};
    for (int axis = 0; axis < 3; axis++) {
        const char name[2] = {(char)('x' + axis), '\0'};
        nbt_tag(out, 3, name);
        out_number(out, (uint64_t)at[axis], 4);
    }
    nbt_tag(out, 8, "id");
    nbt_text(out, "minecraft:chest");
    nbt_tag(out, 7, "bytes");
    out_number(out, size, 4);
    for (uint32_t i = 0; i < size; i++) {
        out_bytes(out, &fill, 1);
    }
    nbt_end(out);
}

/// Writes a block entity at the ends of the whole numbers.
static void write_far_entity(Out *out)
{
    const int64_t at[3] = {INT64_MAX, INT64_MAX, INT64_MIN};
    for (int axis = 0; axis < 3; axis++) {
        const char name[2] = {(char)('x' + axis), '\0'};
        nbt_tag(out, 4, name);
        out_number(out, (uint64_t)at[axis], 8);
    }
    nbt_tag(out, 8, "id");
    nbt_text(out, "minecraft:chest");
    nbt_end(out);
}

/// What write_entity() writes, as block data.
static Out data_of(uint32_t size, char fill)
{
    Out out = {0};
    out_number(&out, 10, 1);
    nbt_text(&out, "");
    nbt_tag(&out, 8, "id");
    nbt_text(&out, "minecraft:chest");
    nbt_tag(&out, 7, "bytes");
    out_number(&out, size, 4);
    for (uint32_t i = 0; i < size; i++) {
        out_bytes(&out, &fill, 1);
    }
    nbt_end(&out);
    return out;
}

enum {
    LARGEST = 65536 - 3 - (3 + 2 + 2 + 15) - (3 + 5 + 4) - 1
}; ///< bytes of a chest that still fits

/// Writes a region of one column at -1, 2: a section of chests below, and air in its first layer.
static void write_region(const Place *place, const AnvilStyle *style)
{
    static AnvilSection section;
    Out region, nbt = {0}, packed = {0};
    char path[PLACE_PATH];
    section = (AnvilSection){.palette_count = 2, .palette = palette, .is_plain = true};
    for (int i = 0; i < 4096; i++) {
        section.blocks[i] = i < 256;
    }
    out_number(&nbt, 10, 1);
    nbt_text(&nbt, "");
    if (!style->is_flat) {
        nbt_tag(&nbt, 10, "Level");
    }
    nbt_list(&nbt, style->is_flat ? "block_entities" : "TileEntities", 10, 9);
    write_far_entity(&nbt);
    write_entity(&nbt, -16, 3, 47, 5, 'a');
    write_entity(&nbt, -1, 15, 32, 0, 'b');
    write_entity(&nbt, -16, 3, 47, 7, 'c');          // again: it counts
    write_entity(&nbt, -2, 4, 33, LARGEST, 'd');     // fits
    write_entity(&nbt, -3, 4, 33, LARGEST + 1, 'e'); // does not
    write_entity(&nbt, -4, 0, 33, 1, 'f');           // air
    write_entity(&nbt, 3, 4, 33, 1, 'g');            // another column
    write_entity(&nbt, -4, 1000000, 33, 1, 'h');     // no height
    nbt_list(&nbt, style->is_flat ? "sections" : "Sections", 10, 1);
    anvil_write_section(&nbt, style, &section);
    if (!style->is_flat) {
        nbt_end(&nbt);
    }
    nbt_tag(&nbt, 3, "DataVersion");
    out_number(&nbt, style->version, 4);
    nbt_end(&nbt);
    anvil_compress(&packed, &nbt, 2);
    anvil_region_begin(&region);
    anvil_region_add(&region, 31, 2, &packed, 2);
    anvil_write_file(place_path(place, "r.-1.0.mca", path), region.bytes, region.size);
    out_free(&region);
    out_free(&nbt);
    out_free(&packed);
}

typedef struct Data {
    uint32_t count;
    uint32_t last; ///< index
} Data;

static TrnResult check_data(void *user, const TrnBlockData *data)
{
    Data *of = user;
    static const struct {
        uint32_t x, y, z, size;
        char fill;
    } wanted[] = {{16, 3, 15, 7, 'c'}, {30, 4, 1, LARGEST, 'd'}, {31, 15, 0, 0, 'b'}};
    assert_true(of->count < 3);
    assert_true(of->count == 0 || data->index > of->last);
    of->last = data->index;
    assert_int_equal(data->index, trn_local_index(wanted[of->count].x, wanted[of->count].y,
                                                  wanted[of->count].z));
    Out expected = data_of(wanted[of->count].size, wanted[of->count].fill);
    assert_int_equal(data->size, expected.size);
    assert_memory_equal(data->bytes, expected.bytes, expected.size);
    out_free(&expected);
    of->count++;
    return TRN_RESULT_OK;
}

static bool add_note(void *user, const TrnImportNote *note)
{
    uint64_t *counts = user;
    counts[0] += strstr(note->what, "beyond 64 KiB") ? note->count : 0;
    counts[1] += strstr(note->what, "that are air here") ? note->count : 0;
    return true;
}

/// Loads the chunk with the column. @return how many voxels have data
static uint32_t count_data(const TrnStreamSource *source)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    Data found = {0, 0};
    const TrnDataSink sink = {check_data, &found};
    const TrnStreamJob job = {.coord = {-1, 0, 1}, .data = &sink};
    bool uniform;
    assert_int_equal(source->load(source->user, &job, blocks, &uniform), TRN_RESULT_OK);
    return found.count;
}

static void contents_are_streamed_and_saved(void **state)
{
    Place *place = *state;
    const AnvilStyle *const styles[] = {&anvil_1_13, &anvil_1_17, &anvil_1_21};
    for (size_t i = 0; i < 3; i++) {
        TrnImportDef def = trn_import_def();
        TrnSaveDef save_def = trn_save_def();
        TrnBlockTypes *types;
        TrnImport *import;
        TrnSave *save;
        char path[PLACE_PATH];
        uint64_t counts[2] = {0};
        write_region(place, styles[i]);
        assert_int_equal(trn_block_types_create_builtin(NULL, &types), TRN_RESULT_OK);
        def.path = place_path(place, "r.-1.0.mca", path);
        def.types = save_def.types = types;
        assert_int_equal(trn_import_open(&def, &import, NULL), TRN_RESULT_OK);
        assert_int_equal(trn_storage_memory(NULL, &save_def.storage), TRN_RESULT_OK);
        assert_int_equal(trn_save_create(&save_def, &save, NULL), TRN_RESULT_OK);
        const TrnStreamSource source = trn_import_source(import), saved = trn_save_source(save);
        assert_int_equal(count_data(&source), 3);
        assert_int_equal(trn_import_into(import, save, NULL, NULL), TRN_RESULT_OK);
        assert_int_equal(count_data(&saved), 3);
        assert_int_equal(trn_import_report(import, add_note, counts), TRN_RESULT_OK);
        assert_int_equal(counts[0], 2); // once streamed, once copied
        assert_int_equal(counts[1], 2);
        assert_int_equal(trn_save_destroy(save), TRN_RESULT_OK);
        trn_import_destroy(import);
        trn_block_types_destroy(types);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(contents_are_streamed_and_saved, place_make, place_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
