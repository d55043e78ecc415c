/// World files in which bytes, pages or the end differ. Opening is refused with a sentence, or each
/// row that can be read has the voxels that were saved, and the world can be written and closed.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier): mkdtemp
#include <terrane/batch.h>
#include <terrane/save.h>

#include "fuzz_files.h"
#include "fuzz_voxels.h"

#define CHUNKS 6
#define PAGE 4096u

/// The file of a whole world.
typedef struct Original {
    uint8_t *bytes; ///< [size]
    size_t size;
} Original;

typedef struct WorldFuzz {
    char folder[FUZZ_FOLDER_BYTES], file[FUZZ_PATH_BYTES];
    TrnBlockTypes *types;
    TrnSave *save;
    TrnStorage storage; ///< the save's
    bool is_wrong;
} WorldFuzz;

/// Chunk i, its last at level 1.
static TrnStorageKey key_of(uint32_t i)
{
    return (TrnStorageKey){{(int32_t)i - 2, -(int32_t)(i * i), 1000}, i == CHUNKS - 1};
}

static FuzzPattern pattern_of(uint32_t i)
{
    return (FuzzPattern){.first = i, .step = 1, .types = i + 1, .run = 3 + i * 40};
}

static TrnResult open_world(WorldFuzz *fuzz, TrnStorageMode mode)
{
    TrnStorageProblem problem = {""};
    TrnSaveDef def = trn_save_def();
    TrnResult result = trn_storage_sqlite(fuzz->file, mode, &def.storage, &problem);
    fuzz->save = NULL;
    fuzz->storage = def.storage;
    FUZZ_REQUIRE(trn_block_types_create_builtin(NULL, &fuzz->types) == TRN_RESULT_OK);
    def.types = fuzz->types;
    def.has_thread = false;
    def.commit_seconds = 3600;
    if (result == TRN_RESULT_OK) {
        result = trn_save_create(&def, &fuzz->save, &problem);
    }
    FUZZ_REQUIRE(result == TRN_RESULT_OK || *problem.sentence);
    return result;
}

static TrnResult close_world(WorldFuzz *fuzz)
{
    const TrnResult result = trn_save_destroy(fuzz->save);
    trn_block_types_destroy(fuzz->types);
    return result;
}

static TrnResult put(WorldFuzz *fuzz, uint32_t i)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    const FuzzPattern pattern = pattern_of(i);
    fuzz_fill(&pattern, blocks);
    return trn_save_put(fuzz->save, key_of(i).coord, key_of(i).level, blocks, i == 0);
}

static void read_file(const char *path, Original *original)
{
    FILE *file = fopen(path, "rb");
    FUZZ_REQUIRE(file && fseek(file, 0, SEEK_END) == 0);
    original->size = (size_t)ftell(file);
    original->bytes = malloc(original->size);
    rewind(file);
    FUZZ_REQUIRE(original->bytes &&
                 fread(original->bytes, 1, original->size, file) == original->size);
    (void)fclose(file);
}

/// Stores edits that are pending for a chunk that the world lacks.
static void save_pending(WorldFuzz *fuzz)
{
    TrnStoreDef def = trn_store_def();
    TrnStore *store;
    TrnBatch *batch;
    def.types = fuzz->types;
    FUZZ_REQUIRE(trn_store_create(&def, &store) == TRN_RESULT_OK);
    FUZZ_REQUIRE(trn_batch_begin(store, NULL, &batch) == TRN_RESULT_OK);
    (void)trn_batch_set(batch, (TrnVoxel){-500, 20, 9}, TRN_BLOCK_STONE);
    FUZZ_REQUIRE(trn_batch_commit(batch, NULL) == TRN_RESULT_OK);
    FUZZ_REQUIRE(trn_save_pending(fuzz->save, store) == TRN_RESULT_OK);
    FUZZ_REQUIRE(trn_save_flush(fuzz->save) == TRN_RESULT_OK);
    trn_store_destroy(store);
}

static void create_original(WorldFuzz *fuzz, Original *original)
{
    FUZZ_REQUIRE(open_world(fuzz, TRN_STORAGE_CREATE) == TRN_RESULT_OK);
    FUZZ_REQUIRE(trn_save_bind_land(fuzz->save, "seed 1", NULL) == TRN_RESULT_OK);
    FUZZ_REQUIRE(trn_save_set_value(fuzz->save, "spawn", "1,2,3", 5) == TRN_RESULT_OK);
    for (uint32_t i = 0; i < CHUNKS; i++) {
        FUZZ_REQUIRE(put(fuzz, i) == TRN_RESULT_OK);
    }
    save_pending(fuzz);
    FUZZ_REQUIRE(close_world(fuzz) == TRN_RESULT_OK);
    read_file(fuzz->file, original);
    FUZZ_REQUIRE(remove(fuzz->file) == 0);
}

/// Damages a copy of the file as the program says. @return its size then
static size_t damage(FuzzProgram *program, uint8_t *bytes, size_t size)
{
    const uint32_t pages = (uint32_t)(size / PAGE);
    for (int i = 0; i < 64 && fuzz_has_more(program); i++) {
        const uint32_t kind = fuzz_below(program, 8);
        const uint32_t page = fuzz_below(program, pages) * PAGE;
        const uint32_t at = page + fuzz_below(program, kind < 4 ? 128 : PAGE);
        if (kind == 7) { // a page instead of another
            memmove(bytes + page, bytes + (size_t)fuzz_below(program, pages) * PAGE, PAGE);
        } else if (kind == 6) {
            const size_t zeroes = fuzz_number(program, 2);
            memset(bytes + at, 0, zeroes < size - at ? zeroes : size - at);
        } else {
            bytes[at] = (uint8_t)fuzz_number(program, 1);
        }
    }
    const uint32_t cut = fuzz_number(program, 2); // 0: not at all
    return cut && cut < size ? size - cut : size;
}

/// Compares a row that can be read with what was saved.
static bool check_row(void *user, const TrnStorageRow *row)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    WorldFuzz *fuzz = user;
    bool is_uniform;
    const char *fault = NULL;
    const TrnResult result = trn_save_read_row(fuzz->save, row, blocks, &is_uniform, &fault);
    FUZZ_REQUIRE(result == TRN_RESULT_OK || (result == TRN_RESULT_CORRUPT && fault));
    for (uint32_t i = 0; result == TRN_RESULT_OK && i < CHUNKS; i++) {
        if (trn_coord_equal(key_of(i).coord, row->key.coord) && key_of(i).level == row->key.level) {
            const FuzzPattern pattern = pattern_of(i);
            for (uint32_t v = 0; v < (is_uniform ? 1 : TRN_CHUNK_VOXELS); v++) {
                // Ids of a damaged list of names become placeholders.
                fuzz->is_wrong |= blocks[v] != fuzz_pattern_block(&pattern, v) &&
                                  blocks[v] < TRN_BLOCK_BUILTIN_COUNT;
            }
            return true;
        }
    }
    return result != TRN_RESULT_OK;
}

static void hear_fault(void *user, const char *sentence)
{
    (void)user;
    FUZZ_REQUIRE(*sentence);
}

/// Reads all that the world has, and writes to it.
static void use_world(WorldFuzz *fuzz)
{
    char spawn[8];
    TrnStorageRange range = {
        .box = {{INT32_MIN, INT32_MIN, INT32_MIN}, {INT32_MAX, INT32_MAX, INT32_MAX}}};
    TrnStoreDef def = trn_store_def();
    TrnStore *store;
    TrnSaveEvent event;
    for (; range.level < 2; range.level++) {
        (void)fuzz->storage.list(fuzz->storage.user, &range, check_row, fuzz);
    }
    FUZZ_REQUIRE(!fuzz->is_wrong);
    (void)trn_save_get_value(fuzz->save, "spawn", spawn, sizeof spawn, NULL);
    (void)trn_storage_sqlite_check(&fuzz->storage, NULL, hear_fault, NULL);
    def.types = fuzz->types;
    FUZZ_REQUIRE(trn_store_create(&def, &store) == TRN_RESULT_OK);
    (void)trn_save_load_pending(fuzz->save, store);
    trn_store_destroy(store);
    (void)put(fuzz, 1);
    (void)trn_save_flush(fuzz->save);
    while (trn_save_next_event(fuzz->save, &event)) {
        FUZZ_REQUIRE(*event.sentence);
    }
}

static void remove_file(const char *folder, const char *name)
{
    char path[FUZZ_PATH_BYTES];
    fuzz_path(path, folder, name);
    (void)remove(path);
}

int fuzz_world(const uint8_t *bytes, size_t size);

int fuzz_world(const uint8_t *bytes, size_t size)
{
    static Original original;
    WorldFuzz fuzz = {.is_wrong = false};
    FuzzProgram program = fuzz_program(bytes, size);
    fuzz_begin_folder(fuzz.folder);
    fuzz_path(fuzz.file, fuzz.folder, "a.world");
    if (!original.bytes) {
        create_original(&fuzz, &original);
    }
    uint8_t *copy = malloc(original.size);
    FUZZ_REQUIRE(copy);
    memcpy(copy, original.bytes, original.size);
    fuzz_write_file(fuzz.file, copy, damage(&program, copy, original.size));
    free(copy);
    const TrnResult result = open_world(&fuzz, TRN_STORAGE_OPEN);
    if (result == TRN_RESULT_OK) {
        use_world(&fuzz);
    }
    (void)close_world(&fuzz);
    remove_file(fuzz.folder, "a.world");
    remove_file(fuzz.folder, "a.world-wal");
    remove_file(fuzz.folder, "a.world-shm");
    fuzz_end_folder(fuzz.folder);
    return 0;
}
