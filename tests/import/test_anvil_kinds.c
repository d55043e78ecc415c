/// Worlds of Minecraft of kinds that exist: land beyond the usual heights, palettes of more names
/// than blocks, data without its checksum, packings of other programs. Nothing is lost without a
/// note, and copying has the same as streaming.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "anvil_writer.h"
#include "place.h"

#include <sys/stat.h>

#include <import/anvil_level.h>
#include <import/anvil_section.h>

#include <terrane/import.h>

// ---- worlds -------------------------------------------------------------------------------------

static const char *const air_and_stone[] = {"minecraft:air", "minecraft:stone"};

/// A section of one block, or of another in all voxels. @param block  an index into the palette
static AnvilSection section_of(int y, uint16_t block)
{
    AnvilSection section = {.y = y, .palette_count = 2, .palette = air_and_stone, .is_plain = true};
    for (int i = 0; i < 4096; i++) {
        section.blocks[i] = block;
    }
    return section;
}

/// Adds a column of some sections of stone, and air alone at others.
static void add_column(Out *region, uint32_t x, int low, int high, int stone_low, int stone_high)
{
    enum { MOST = 64 };
    static AnvilSection sections[MOST];
    Out nbt = {0}, packed = {0};
    uint32_t count = 0;
    for (int y = low; y < high; y++) {
        sections[count] = section_of(y, y >= stone_low && y < stone_high);
        if (y < stone_low || y >= stone_high) {
            sections[count].palette_count = 1;
        }
        count++;
    }
    anvil_write_column(&nbt, &anvil_1_18, sections, count);
    anvil_compress(&packed, &nbt, 2);
    anvil_region_add(region, x, 0, &packed, 2);
    out_free(&nbt);
    out_free(&packed);
}

typedef struct Opened {
    TrnBlockTypes *types;
    TrnImport *import;
} Opened;

static Opened open_file(const Place *place, const char *name, TrnVoxel offset)
{
    char path[PLACE_PATH];
    TrnImportDef def = trn_import_def();
    TrnStorageProblem problem = {""};
    Opened opened = {0};
    assert_int_equal(trn_block_types_create_builtin(NULL, &opened.types), TRN_RESULT_OK);
    def.path = place_path(place, name, path);
    def.types = opened.types;
    def.offset = offset;
    if (trn_import_open(&def, &opened.import, &problem) != TRN_RESULT_OK) {
        fail_msg("%s", problem.sentence);
    }
    return opened;
}

static void opened_end(Opened *opened)
{
    trn_import_destroy(opened->import);
    trn_block_types_destroy(opened->types);
}

/// Counts the voxels of what is listed.
typedef struct Count {
    TrnImport *import;
    TrnStreamSource source;           ///< loads instead, if it has a function
    uint64_t chunks, voxels, strange; ///< not air; other than stone
    int64_t sum;                      ///< of their heights
    TrnCoord last;
} Count;

static bool count_chunk(void *user, TrnCoord coord)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    Count *count = user;
    const TrnStreamJob job = {.coord = coord};
    bool uniform = false;
    assert_true(count->chunks == 0 || memcmp(&count->last, &coord, sizeof coord) != 0);
    count->last = coord;
    count->chunks++;
    const TrnResult result = count->source.load
                                 ? count->source.load(count->source.user, &job, blocks, &uniform)
                                 : trn_import_load(count->import, coord, blocks, &uniform);
    for (uint32_t i = 0; result == TRN_RESULT_OK && i < TRN_CHUNK_VOXELS; i++) {
        const TrnBlock block = blocks[uniform ? 0 : i];
        count->voxels += block != TRN_BLOCK_AIR;
        count->strange += block != TRN_BLOCK_AIR && block != TRN_BLOCK_STONE;
        count->sum += block ? (int64_t)coord.y * TRN_CHUNK_EDGE + (int64_t)(i / 1024) : 0;
    }
    return true;
}

/// Adds up notes of a kind.
typedef struct Notes {
    TrnImportNoteKind kind;
    uint64_t count;
} Notes;

static bool notes_add(void *user, const TrnImportNote *note)
{
    Notes *notes = user;
    notes->count += note->kind == notes->kind ? note->count : 0;
    return true;
}

static uint64_t notes_count(TrnImport *import, TrnImportNoteKind kind)
{
    Notes notes = {kind, 0};
    assert_int_equal(trn_import_report(import, notes_add, &notes), TRN_RESULT_OK);
    return notes.count;
}

/// The chunks of a save.
typedef struct Rows {
    TrnCoord coords[1024];
    uint32_t count;
} Rows;

static bool add_row(void *user, const TrnStorageRow *row)
{
    Rows *rows = user;
    assert_true(rows->count < 1024);
    rows->coords[rows->count++] = row->key.coord;
    return true;
}

/// Copies an import, and counts what the copy has.
static Count count_copied(const Opened *opened)
{
    static Rows rows;
    TrnSaveDef def = trn_save_def();
    TrnSave *save;
    TrnStorage storage;
    assert_int_equal(trn_storage_memory(NULL, &storage), TRN_RESULT_OK);
    def.storage = storage;
    def.types = opened->types;
    def.has_thread = false;
    assert_int_equal(trn_save_create(&def, &save, NULL), TRN_RESULT_OK);
    assert_int_equal(trn_import_into(opened->import, save, NULL, NULL), TRN_RESULT_OK);
    Count count = {.source = trn_save_source(save)};
    const TrnStorageRange range = {
        .box = {{INT32_MIN, INT32_MIN, INT32_MIN}, {INT32_MAX, INT32_MAX, INT32_MAX}}};
    rows.count = 0;
    assert_int_equal(storage.list(storage.user, &range, add_row, &rows), TRN_RESULT_OK);
    for (uint32_t i = 0; i < rows.count; i++) {
        (void)count_chunk(&count, rows.coords[i]);
    }
    assert_int_equal(trn_save_destroy(save), TRN_RESULT_OK);
    return count;
}

// ---- heights ------------------------------------------------------------------------------------

static void every_section_of_every_column_is_listed_and_copied(void **state)
{
    Place *place = *state;
    static const TrnVoxel offsets[] = {{0, 0, 0}, {64, 16, -32}, {0, -4048, 0}};
    Out region;
    char path[PLACE_PATH];
    anvil_region_begin(&region);
    add_column(&region, 0, 0, 4, 0, 4);     // the first column has no more than usual
    add_column(&region, 2, 0, 40, 0, 40);   // another is higher
    add_column(&region, 4, -20, 4, -20, 4); // and one deeper
    add_column(&region, 6, -8, 50, 5, 6);   // one has air there
    anvil_write_file(place_path(place, "r.0.0.mca", path), region.bytes, region.size);
    for (size_t i = 0; i < sizeof offsets / sizeof *offsets; i++) {
        Opened opened = open_file(place, "r.0.0.mca", offsets[i]);
        Count listed = {.import = opened.import};
        assert_int_equal(trn_import_list(opened.import, count_chunk, &listed), TRN_RESULT_OK);
        assert_int_equal(listed.voxels, (4 + 40 + 24 + 1) * 4096);
        assert_int_equal(listed.strange, 0);
        opened_end(&opened);
        opened = open_file(place, "r.0.0.mca", offsets[i]);
        const Count copied = count_copied(&opened);
        assert_int_equal(copied.voxels, listed.voxels);
        assert_int_equal(copied.sum, listed.sum);
        for (int kind = 0; kind < TRN_IMPORT_NOTE_COUNT; kind++) {
            assert_int_equal(notes_count(opened.import, (TrnImportNoteKind)kind), 0);
        }
        opened_end(&opened);
    }
    out_free(&region);
}

// ---- palettes and packings ----------------------------------------------------------------------

/// Writes indices in some bits, whatever the palette needs.
static void write_indices(Out *out, uint32_t bits, bool is_padded, const uint16_t *indices)
{
    const uint32_t each = 64 / bits;
    const uint32_t longs = is_padded ? (4096 + each - 1) / each : bits * 64;
    uint64_t *words = calloc(longs + 1, sizeof *words);
    for (uint32_t i = 0; i < 4096; i++) {
        const uint32_t at = is_padded ? i / each * 64 + i % each * bits : i * bits;
        words[at / 64] |= (uint64_t)indices[i] << at % 64;
        if (at % 64 + bits > 64) {
            words[at / 64 + 1] |= (uint64_t)indices[i] >> (64 - at % 64);
        }
    }
    for (uint32_t i = 0; i < longs; i++) {
        out_number(out, words[i], 8);
    }
    free(words);
}

static void bits_follow_from_the_length_of_the_data(void **state)
{
    (void)state;
    static uint16_t indices[4096], unpacked[4096];
    for (uint32_t palette = 2; palette <= 5000; palette = palette * 3 - 1) {
        for (uint32_t bits = 1; bits <= 16; bits++) {
            for (int is_padded = 0; is_padded < 2; is_padded++) {
                const uint32_t most = bits < 13 ? 1u << bits : 8192;
                const uint32_t used = palette < most ? palette : most;
                Out data = {0};
                for (uint32_t i = 0; i < 4096; i++) {
                    indices[i] = (uint16_t)(i * 7 % used);
                }
                write_indices(&data, bits, is_padded, indices);
                const TrnAnvilSection section = {.palette_count = palette,
                                                 .long_count = (uint32_t)(data.size / 8),
                                                 .data = data.bytes};
                const bool fits = trn_anvil_section_unpack(
                    &section, is_padded ? TRN_ANVIL_PADDED : TRN_ANVIL_SPANNING, unpacked);
                // 11 and 12, and 13 to 16 padded bits take as many longs: the palette decides then.
                if (!is_padded || bits < 11) {
                    assert_true(fits);
                    assert_memory_equal(unpacked, indices, sizeof indices);
                }
                out_free(&data);
            }
        }
    }
}

/// Writes a column of two sections with a palette of some names: those of voxels i are i % count.
static void write_wide_column(Place *place, const AnvilStyle *style, uint32_t count,
                              bool has_version)
{
    static char names[5000][24];
    static const char *palette[5000];
    static AnvilSection section;
    Out nbt = {0}, region;
    char path[PLACE_PATH];
    for (uint32_t i = 0; i < count; i++) {
        (void)snprintf(names[i], sizeof names[i], i ? "mod:s%u" : "minecraft:air", (unsigned)i);
        palette[i] = names[i];
    }
    section = (AnvilSection){.palette_count = count, .palette = palette, .is_plain = true};
    for (uint32_t i = 0; i < 4096; i++) {
        section.blocks[i] = (uint16_t)(count > 4096 ? i + 1 : i % count);
    }
    AnvilStyle written = *style;
    written.version = has_version ? style->version : 0;
    anvil_write_column(&nbt, &written, &section, 1);
    anvil_region_begin(&region);
    anvil_region_add(&region, 0, 0, &nbt, 3);
    anvil_write_file(place_path(place, "r.0.0.mca", path), region.bytes, region.size);
    out_free(&nbt);
    out_free(&region);
}

static void expect_wide_column(Place *place, uint32_t count)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    bool uniform;
    Opened opened = open_file(place, "r.0.0.mca", (TrnVoxel){0, 0, 0});
    assert_int_equal(trn_import_load(opened.import, (TrnCoord){0, 0, 0}, blocks, &uniform),
                     TRN_RESULT_OK);
    for (uint32_t i = 0; i < 4096; i++) {
        char name[24];
        const uint32_t index = count > 4096 ? i + 1 : i % count;
        const TrnBlock block = blocks[trn_local_index(i % 16, i / 256, i / 16 % 16)];
        (void)snprintf(name, sizeof name, index ? "mod:s%u" : "terrane:air", (unsigned)index);
        assert_string_equal(trn_block_types_get(opened.types, block)->name, name);
    }
    assert_int_equal(notes_count(opened.import, TRN_IMPORT_NOTE_DAMAGED), 0);
    opened_end(&opened);
}

static void palettes_of_more_names_than_blocks_are_read(void **state)
{
    Place *place = *state;
    enum { STYLES = 3 };
    static const AnvilStyle *const styles[STYLES] = {&anvil_1_13, &anvil_1_16, &anvil_1_21};
    for (size_t i = 0; i < STYLES; i++) {
        write_wide_column(place, styles[i], 4097, true);
        expect_wide_column(place, 4097);
    }
}

static void columns_without_a_version_are_read_by_what_they_have(void **state)
{
    Place *place = *state;
    static const uint32_t counts[] = {2, 17, 33, 65, 300, 4096};
    enum { STYLES = 3 };
    static const AnvilStyle *const styles[STYLES] = {&anvil_1_13, &anvil_1_16, &anvil_1_18};
    for (size_t i = 0; i < STYLES; i++) {
        for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
            write_wide_column(place, styles[i], counts[k], false);
            expect_wide_column(place, counts[k]);
        }
    }
}

static void a_palette_that_cannot_be_read_is_counted(void **state)
{
    Place *place = *state;
    Out nbt = {0}, region;
    char path[PLACE_PATH];
    out_number(&nbt, 10, 1);
    nbt_text(&nbt, "");
    nbt_list(&nbt, "sections", 10, 1);
    nbt_tag(&nbt, 10, "block_states");
    nbt_tag(&nbt, 8, "palette");
    nbt_text(&nbt, "no list");
    nbt_end(&nbt);
    nbt_tag(&nbt, 1, "Y");
    out_number(&nbt, 0, 1);
    nbt_end(&nbt);
    nbt_tag(&nbt, 3, "DataVersion");
    out_number(&nbt, 2860, 4);
    nbt_end(&nbt);
    anvil_region_begin(&region);
    anvil_region_add(&region, 0, 0, &nbt, 3);
    anvil_write_file(place_path(place, "r.0.0.mca", path), region.bytes, region.size);
    Opened opened = open_file(place, "r.0.0.mca", (TrnVoxel){0, 0, 0});
    Count count = {.import = opened.import};
    assert_int_equal(trn_import_list(opened.import, count_chunk, &count), TRN_RESULT_OK);
    assert_int_equal(notes_count(opened.import, TRN_IMPORT_NOTE_DAMAGED), 1);
    opened_end(&opened);
    out_free(&nbt);
    out_free(&region);
}

// ---- data that is cut ---------------------------------------------------------------------------

/// Writes a column whose compressed data lacks its last bytes.
static void write_cut_column(Place *place, int compression, size_t cut)
{
    Out nbt = {0}, packed = {0}, region;
    char path[PLACE_PATH];
    const AnvilSection section = section_of(0, 1);
    anvil_write_column(&nbt, &anvil_1_18, &section, 1);
    anvil_compress(&packed, &nbt, compression);
    assert_true(cut <= packed.size);
    packed.size -= cut;
    anvil_region_begin(&region);
    anvil_region_add(&region, 0, 0, &packed, compression);
    anvil_write_file(place_path(place, "r.0.0.mca", path), region.bytes, region.size);
    out_free(&nbt);
    out_free(&packed);
    out_free(&region);
}

static void data_without_its_checksum_is_whole(void **state)
{
    Place *place = *state;
    static const size_t checksums[5] = {0, 8, 4, 0, 21}; // by compression
    for (int compression = 1; compression <= 4; compression++) {
        for (size_t cut = 0; cut <= checksums[compression]; cut++) {
            write_cut_column(place, compression, cut);
            Opened opened = open_file(place, "r.0.0.mca", (TrnVoxel){0, 0, 0});
            Count count = {.import = opened.import};
            assert_int_equal(trn_import_list(opened.import, count_chunk, &count), TRN_RESULT_OK);
            assert_int_equal(count.voxels, 4096);
            assert_int_equal(notes_count(opened.import, TRN_IMPORT_NOTE_DAMAGED), 0);
            opened_end(&opened);
        }
        write_cut_column(place, compression, checksums[compression] + 8);
        Opened opened = open_file(place, "r.0.0.mca", (TrnVoxel){0, 0, 0});
        Count count = {.import = opened.import};
        assert_int_equal(trn_import_list(opened.import, count_chunk, &count), TRN_RESULT_OK);
        assert_int_equal(count.voxels, 0);
        assert_int_equal(notes_count(opened.import, TRN_IMPORT_NOTE_DAMAGED), 1);
        opened_end(&opened);
    }
}

// ---- level.dat ----------------------------------------------------------------------------------

/// Writes a level.dat. @param is_new  as Minecraft 1.21.9 does
static void write_level(const Place *place, const char *name, bool is_new, int x, int y, int z)
{
    static const char *const names[] = {"SpawnX", "SpawnY", "SpawnZ"};
    const int at[] = {x, y, z};
    Out nbt = {0}, packed = {0};
    char path[PLACE_PATH];
    out_number(&nbt, 10, 1);
    nbt_text(&nbt, "");
    nbt_tag(&nbt, 10, "Data");
    if (is_new) {
        nbt_tag(&nbt, 10, "spawn");
        nbt_tag(&nbt, 11, "pos");
        out_number(&nbt, 3, 4);
    }
    for (int i = 0; i < 3; i++) {
        if (!is_new) {
            nbt_tag(&nbt, 3, names[i]);
        }
        out_number(&nbt, (uint64_t)(uint32_t)at[i], 4);
    }
    for (int ends = is_new ? 3 : 2; ends > 0; ends--) {
        nbt_end(&nbt);
    }
    anvil_compress(&packed, &nbt, 1);
    anvil_write_file(place_path(place, name, path), packed.bytes, packed.size);
    out_free(&nbt);
    out_free(&packed);
}

static void the_spawn_is_that_of_level_dat(void **state)
{
    Place *place = *state;
    static const char *const sources[] = {"", "region", "region/", "region/r.0.0.mca"};
    Out region;
    char path[PLACE_PATH];
    assert_int_equal(mkdir(place_path(place, "region", path), 0777), 0);
    anvil_region_begin(&region);
    add_column(&region, 0, 0, 4, 0, 4);
    anvil_write_file(place_path(place, "region/r.0.0.mca", path), region.bytes, region.size);
    for (int is_new = 0; is_new < 2; is_new++) {
        write_level(place, "level.dat", is_new, -5, 70, 1234567);
        for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
            TrnVoxel spawn = {0, 0, 0};
            Opened opened = open_file(place, sources[i], (TrnVoxel){32, 16, 0});
            assert_true(trn_import_spawn(opened.import, &spawn));
            assert_int_equal(spawn.x, 27);
            assert_int_equal(spawn.y, 86);
            assert_int_equal(spawn.z, 1234567);
            opened_end(&opened);
        }
    }
    anvil_write_file(place_path(place, "level.dat", path), "\x1F\x8B damaged", 10);
    TrnVoxel spawn;
    Opened opened = open_file(place, "", (TrnVoxel){0, 0, 0});
    assert_false(trn_import_spawn(opened.import, &spawn));
    opened_end(&opened);
    out_free(&region);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_section_of_every_column_is_listed_and_copied,
                                        place_make, place_remove),
        cmocka_unit_test(bits_follow_from_the_length_of_the_data),
        cmocka_unit_test_setup_teardown(palettes_of_more_names_than_blocks_are_read, place_make,
                                        place_remove),
        cmocka_unit_test_setup_teardown(columns_without_a_version_are_read_by_what_they_have,
                                        place_make, place_remove),
        cmocka_unit_test_setup_teardown(a_palette_that_cannot_be_read_is_counted, place_make,
                                        place_remove),
        cmocka_unit_test_setup_teardown(data_without_its_checksum_is_whole, place_make,
                                        place_remove),
        cmocka_unit_test_setup_teardown(the_spawn_is_that_of_level_dat, place_make, place_remove),
    };
    return cmocka_run_group_tests_name("import_anvil_kinds", tests, NULL, NULL);
}
