/// Shared by the tests of worlds in files: a folder, and a world with chunks whose voxels follow
/// from their number.
#pragma once

#include "place.h"
#include "save_chunk.h"

#include <terrane/save.h>

/// A world in a file of a folder of its own.
typedef struct SaveWorld {
    Place place;
    char file[PLACE_PATH];
    TrnBlockTypes *types;
    TrnSave *save;
    TrnSaveDef def;
    TrnStorageProblem problem;
    SaveChunk chunk;
    TrnBlock got[TRN_CHUNK_VOXELS];
} SaveWorld;

/// Creates the folder. Nothing is opened yet. _XOPEN_SOURCE must be 700.
static inline void save_world_create(SaveWorld *world)
{
    memset(world, 0, sizeof *world);
    assert_true(place_begin(&world->place));
    (void)place_path(&world->place, "a.world", world->file);
    world->def = trn_save_def();
    world->def.commit_seconds = 3600; // by flushes alone
    save_chunk_create(&world->chunk);
}

static inline void save_world_destroy(SaveWorld *world)
{
    save_chunk_destroy(&world->chunk);
    assert_true(place_discard(&world->place));
}

/// Closes a world that is open.
static inline TrnResult save_world_close(SaveWorld *world)
{
    const TrnResult result = trn_save_destroy(world->save);
    trn_block_types_destroy(world->types);
    world->save = NULL;
    world->types = NULL;
    return result;
}

/// Opens the file. On failure, `problem` has a sentence and nothing is left open.
static inline TrnResult save_world_open(SaveWorld *world, TrnStorageMode mode)
{
    world->problem.sentence[0] = '\0';
    assert_int_equal(trn_block_types_create_builtin(NULL, &world->types), TRN_RESULT_OK);
    world->def.types = world->types;
    TrnResult result = trn_storage_sqlite(world->file, mode, &world->def.storage, &world->problem);
    if (result == TRN_RESULT_OK) {
        result = trn_save_create(&world->def, &world->save, &world->problem);
    }
    if (result != TRN_RESULT_OK) {
        assert_true(*world->problem.sentence);
        (void)save_world_close(world);
    }
    return result;
}

/// The coordinate of a chunk by its number.
static inline TrnCoord save_world_coord(uint32_t number)
{
    return (TrnCoord){(int32_t)number - 3, -(int32_t)(number * number), 1000 - (int32_t)number};
}

/// The block of a voxel of a chunk in a version of it: some layers that compress badly, so that
/// rows take from a part of a page to several pages.
static inline TrnBlock save_world_block(uint32_t number, uint32_t version, uint32_t voxel)
{
    const uint32_t layer = voxel >> 10;
    TestRandom random = {voxel + ((uint64_t)version << 32)};
    return (TrnBlock)(layer < number ? 1 + test_random_next(&random) % 5 : version % 7);
}

static inline TrnResult save_world_put(SaveWorld *world, uint32_t number, uint32_t version)
{
    SaveChunk *chunk = &world->chunk;
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        chunk->blocks[i] = save_world_block(number, version, i);
    }
    assert_int_equal(trn_voxels_encode(chunk->heap, &chunk->voxels, chunk->blocks, 1),
                     TRN_RESULT_OK);
    const TrnStreamSource source = trn_save_source(world->save);
    const TrnStreamJob job = {.coord = save_world_coord(number)};
    return source.save(source.user, &job, trn_voxels_snapshot(&chunk->voxels));
}

/// Loads a chunk. Fails the test if it has other voxels than those of a version, or parts of two.
/// @param version  receives the version, below `versions`
static inline TrnResult save_world_get(SaveWorld *world, uint32_t number, uint32_t versions,
                                       uint32_t *version)
{
    const TrnStreamSource source = trn_save_source(world->save);
    const TrnStreamJob job = {.coord = save_world_coord(number)};
    bool is_uniform = false;
    const TrnResult result = source.load(source.user, &job, world->got, &is_uniform);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    assert_int_equal(is_uniform, number == 0);
    for (uint32_t i = 1; is_uniform && i < TRN_CHUNK_VOXELS; i++) {
        world->got[i] = world->got[0];
    }
    for (*version = 0; *version < versions; ++*version) {
        uint32_t i = 0;
        while (i < TRN_CHUNK_VOXELS && world->got[i] == save_world_block(number, *version, i)) {
            i++;
        }
        if (i == TRN_CHUNK_VOXELS) {
            return TRN_RESULT_OK;
        }
    }
    fail_msg("chunk %u has voxels that nothing saved", (unsigned)number);
    return TRN_RESULT_CORRUPT;
}

#define SAVE_WORLD_CHUNKS 4 // that save_world_setup() stores

/// A fixture of cmocka: a world that is closed, with version 0 of SAVE_WORLD_CHUNKS chunks.
static inline int save_world_setup(void **state)
{
    SaveWorld *world = calloc(1, sizeof *world);
    save_world_create(world);
    assert_int_equal(save_world_open(world, TRN_STORAGE_CREATE), TRN_RESULT_OK);
    for (uint32_t i = 0; i < SAVE_WORLD_CHUNKS; i++) {
        assert_int_equal(save_world_put(world, i, 0), TRN_RESULT_OK);
    }
    assert_int_equal(save_world_close(world), TRN_RESULT_OK);
    *state = world;
    return 0;
}

static inline int save_world_teardown(void **state)
{
    SaveWorld *world = *state;
    save_world_destroy(world);
    free(world);
    return 0;
}
