/// Whole worlds of other games: the first byte chooses the format, the others are a file of it, or
/// what the file has in the middle. All that is listed is loaded.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier): mkdtemp
#include <terrane/import.h>

#include "fuzz_files.h"
#include "import/anvil_writer.h"
#include "import/luanti_map.h"

#define LISTED_MAX 24

typedef struct ImportFuzz {
    char folder[FUZZ_FOLDER_BYTES], file[FUZZ_PATH_BYTES];
    const uint8_t *bytes; ///< [size] behind the first
    size_t size;
    TrnImport *import;
    TrnCoord listed[LISTED_MAX];
    uint32_t listed_count;
} ImportFuzz;

// ---- files -------------------------------------------------------------------------------------

/// Returns the content of a block of version 29 as the block. @param size  receives its bytes
static uint8_t *luanti_block_of(const ImportFuzz *fuzz, size_t *size)
{
    const size_t capacity = 1 + ZSTD_compressBound(fuzz->size);
    uint8_t *block = malloc(capacity);
    FUZZ_REQUIRE(block);
    block[0] = 29;
    *size = 1 + ZSTD_compress(block + 1, capacity - 1, fuzz->bytes, fuzz->size, -5);
    FUZZ_REQUIRE(!ZSTD_isError(*size - 1));
    return block;
}

/// A map with one block: the bytes if they begin with an old version, otherwise they are content.
static void write_luanti(ImportFuzz *fuzz)
{
    static const LuantiNodes at = {.x = 1, .y = -1, .z = 2};
    const bool is_block = fuzz->size > 0 && fuzz->bytes[0] >= 22 && fuzz->bytes[0] < 29;
    size_t size = fuzz->size;
    uint8_t *content = is_block ? NULL : luanti_block_of(fuzz, &size);
    sqlite3 *db = luanti_create(fuzz->file, fuzz->size % 2);
    luanti_insert(db, fuzz->size % 2, &at, is_block ? fuzz->bytes : content, size);
    FUZZ_REQUIRE(sqlite3_close(db) == SQLITE_OK);
    free(content);
}

/// A region with one column, whose NBT are the bytes.
static void write_anvil(ImportFuzz *fuzz)
{
    Out region, column = {0};
    out_bytes(&column, fuzz->bytes, fuzz->size);
    anvil_region_begin(&region);
    anvil_region_add(&region, 3, 5, &column, 3);
    fuzz_write_file(fuzz->file, region.bytes, region.size);
    out_free(&column);
    out_free(&region);
}

/// A region whose table begins with the first bytes. The others follow the tables.
static void write_region(ImportFuzz *fuzz)
{
    const size_t table = fuzz->size < 32 ? fuzz->size : 32;
    Out region;
    anvil_region_begin(&region);
    memcpy(region.bytes, fuzz->bytes, table);
    out_bytes(&region, fuzz->bytes + table, fuzz->size - table);
    fuzz_write_file(fuzz->file, region.bytes, region.size);
    out_free(&region);
}

/// The bytes in gzip, as schematics are.
static void write_gzip(ImportFuzz *fuzz)
{
    Out nbt = {0}, packed = {0};
    out_bytes(&nbt, fuzz->bytes, fuzz->size);
    anvil_compress(&packed, &nbt, 1);
    fuzz_write_file(fuzz->file, packed.bytes, packed.size);
    out_free(&nbt);
    out_free(&packed);
}

static void write_whole(ImportFuzz *fuzz)
{
    fuzz_write_file(fuzz->file, fuzz->bytes, fuzz->size);
}

typedef struct Kind {
    TrnImportFormat format;
    const char *name; ///< of the file
    void (*write)(ImportFuzz *fuzz);
} Kind;

static const Kind kinds[] = {
    {TRN_IMPORT_VOX, "a.vox", write_whole},          {TRN_IMPORT_HEIGHTMAP, "a.png", write_whole},
    {TRN_IMPORT_LUANTI, "map.sqlite", write_luanti}, {TRN_IMPORT_ANVIL, "r.0.0.mca", write_anvil},
    {TRN_IMPORT_ANVIL, "r.-1.2.mca", write_region},  {TRN_IMPORT_AUTO, "a.bin", write_whole},
    {TRN_IMPORT_SCHEMATIC, "a.schem", write_gzip}};

// ---- reading -----------------------------------------------------------------------------------

static bool hear_chunk(void *user, TrnCoord coord)
{
    ImportFuzz *fuzz = user;
    fuzz->listed[fuzz->listed_count++] = coord;
    return fuzz->listed_count < LISTED_MAX;
}

static bool hear_note(void *user, const TrnImportNote *note)
{
    (void)user;
    FUZZ_REQUIRE(note->kind < TRN_IMPORT_NOTE_COUNT && note->what && note->where);
    return true;
}

static void load_all(ImportFuzz *fuzz, const TrnBlockTypes *types)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    uint32_t type_count;
    bool is_uniform;
    (void)trn_import_list(fuzz->import, hear_chunk, fuzz);
    for (uint32_t i = 0; i < fuzz->listed_count; i++) {
        const TrnResult result =
            trn_import_load(fuzz->import, fuzz->listed[i], blocks, &is_uniform);
        (void)trn_block_types_all(types, &type_count);
        const uint32_t count = result != TRN_RESULT_OK ? 0 : is_uniform ? 1 : TRN_CHUNK_VOXELS;
        for (uint32_t v = 0; v < count; v++) {
            FUZZ_REQUIRE(blocks[v] < type_count);
        }
    }
    FUZZ_REQUIRE(trn_import_report(fuzz->import, hear_note, NULL) == TRN_RESULT_OK);
}

int fuzz_import(const uint8_t *bytes, size_t size);

int fuzz_import(const uint8_t *bytes, size_t size)
{
    const Kind *kind = &kinds[size ? bytes[0] % (sizeof kinds / sizeof *kinds) : 0];
    ImportFuzz fuzz = {.bytes = size ? bytes + 1 : bytes, .size = size ? size - 1 : 0};
    TrnImportDef def = trn_import_def();
    TrnStorageProblem problem = {""};
    TrnBlockTypes *types;
    fuzz_begin_folder(fuzz.folder);
    fuzz_path(fuzz.file, fuzz.folder, kind->name);
    kind->write(&fuzz);
    FUZZ_REQUIRE(trn_block_types_create_builtin(NULL, &types) == TRN_RESULT_OK);
    def.path = fuzz.file;
    def.format = kind->format;
    def.types = types;
    def.are_types_fixed = size % 3 == 0;
    if (trn_import_open(&def, &fuzz.import, &problem) == TRN_RESULT_OK) {
        load_all(&fuzz, types);
        trn_import_destroy(fuzz.import);
    } else {
        FUZZ_REQUIRE(*problem.sentence);
    }
    trn_block_types_destroy(types);
    FUZZ_REQUIRE(remove(fuzz.file) == 0);
    fuzz_end_folder(fuzz.folder);
    return 0;
}
