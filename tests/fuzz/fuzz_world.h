/// A world in a file, for targets that change the file: how it is made, and all that is done with
/// one that opens. _XOPEN_SOURCE must be 700.
#pragma once

#include <terrane/batch.h>
#include <terrane/save.h>

#include "fuzz_files.h"
#include "fuzz_voxels.h"

#define FUZZ_WORLD_CHUNKS 6

/// The file of a whole world.
typedef struct FuzzWorldFile {
    uint8_t *bytes; ///< [size]
    size_t size;
} FuzzWorldFile;

typedef struct FuzzWorld {
    char folder[FUZZ_FOLDER_BYTES], file[FUZZ_PATH_BYTES];
    TrnBlockTypes *types;
    TrnSave *save;
    TrnStorage storage; ///< the save's
    bool is_wrong;      ///< a row has other voxels than were saved
} FuzzWorld;

/// Chunk i, its last at level 1.
static inline TrnStorageKey fuzz_world_key(uint32_t i)
{
    return (TrnStorageKey){{(int32_t)i - 2, -(int32_t)(i * i), 1000}, i == FUZZ_WORLD_CHUNKS - 1};
}

static inline FuzzPattern fuzz_world_pattern(uint32_t i)
{
    return (FuzzPattern){.first = i, .step = 1, .types = i + 1, .run = 3 + i * 40};
}

static inline TrnResult fuzz_world_open(FuzzWorld *fuzz, TrnStorageMode mode)
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

static inline TrnResult fuzz_world_close(FuzzWorld *fuzz)
{
    const TrnResult result = trn_save_destroy(fuzz->save);
    trn_block_types_destroy(fuzz->types);
    return result;
}

static inline TrnResult fuzz_world_put(FuzzWorld *fuzz, uint32_t i)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    const FuzzPattern pattern = fuzz_world_pattern(i);
    fuzz_fill(&pattern, blocks);
    return trn_save_put(fuzz->save, fuzz_world_key(i).coord, fuzz_world_key(i).level, blocks,
                        i == 0);
}

static inline void fuzz_world_read_file(const char *path, FuzzWorldFile *original)
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
static inline void fuzz_world_save_pending(FuzzWorld *fuzz)
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

static inline void fuzz_world_create(FuzzWorld *fuzz, FuzzWorldFile *original)
{
    FUZZ_REQUIRE(fuzz_world_open(fuzz, TRN_STORAGE_CREATE) == TRN_RESULT_OK);
    FUZZ_REQUIRE(trn_save_bind_land(fuzz->save, "seed 1", NULL) == TRN_RESULT_OK);
    FUZZ_REQUIRE(trn_save_set_value(fuzz->save, "spawn", "1,2,3", 5) == TRN_RESULT_OK);
    for (uint32_t i = 0; i < FUZZ_WORLD_CHUNKS; i++) {
        FUZZ_REQUIRE(fuzz_world_put(fuzz, i) == TRN_RESULT_OK);
    }
    fuzz_world_save_pending(fuzz);
    FUZZ_REQUIRE(fuzz_world_close(fuzz) == TRN_RESULT_OK);
    fuzz_world_read_file(fuzz->file, original);
    FUZZ_REQUIRE(remove(fuzz->file) == 0);
}

/// Compares a row that can be read with what was saved.
static inline bool fuzz_world_check_row(void *user, const TrnStorageRow *row)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    FuzzWorld *fuzz = user;
    bool is_uniform;
    const char *fault = NULL;
    const TrnResult result = trn_save_read_row(fuzz->save, row, blocks, &is_uniform, &fault);
    FUZZ_REQUIRE(result == TRN_RESULT_OK || (result == TRN_RESULT_CORRUPT && fault));
    for (uint32_t i = 0; result == TRN_RESULT_OK && i < FUZZ_WORLD_CHUNKS; i++) {
        if (trn_coord_equal(fuzz_world_key(i).coord, row->key.coord) &&
            fuzz_world_key(i).level == row->key.level) {
            const FuzzPattern pattern = fuzz_world_pattern(i);
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

static inline void fuzz_world_hear(void *user, const char *sentence)
{
    (void)user;
    FUZZ_REQUIRE(*sentence);
}

/// Reads all that the world has, and writes to it.
static inline void fuzz_world_use(FuzzWorld *fuzz)
{
    char spawn[8];
    TrnStorageRange range = {
        .box = {{INT32_MIN, INT32_MIN, INT32_MIN}, {INT32_MAX, INT32_MAX, INT32_MAX}}};
    TrnStoreDef def = trn_store_def();
    TrnStore *store;
    TrnSaveEvent event;
    for (; range.level < 2; range.level++) {
        (void)fuzz->storage.list(fuzz->storage.user, &range, fuzz_world_check_row, fuzz);
    }
    (void)trn_save_get_value(fuzz->save, "spawn", spawn, sizeof spawn, NULL);
    (void)trn_storage_sqlite_check(&fuzz->storage, NULL, fuzz_world_hear, NULL);
    def.types = fuzz->types;
    FUZZ_REQUIRE(trn_store_create(&def, &store) == TRN_RESULT_OK);
    (void)trn_save_load_pending(fuzz->save, store);
    trn_store_destroy(store);
    (void)fuzz_world_put(fuzz, 1);
    (void)trn_save_flush(fuzz->save);
    while (trn_save_next_event(fuzz->save, &event)) {
        FUZZ_REQUIRE(*event.sentence);
    }
}

static inline void fuzz_world_remove(const char *folder, const char *name)
{
    char path[FUZZ_PATH_BYTES];
    fuzz_path(path, folder, name);
    (void)remove(path);
}
