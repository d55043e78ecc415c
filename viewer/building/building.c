#include "building/building.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files/file_list.h"

/// One chunk of a building.
typedef struct BuildingChunk {
    TrnCoord coord;
    TrnBlock *blocks;   ///< [TRN_CHUNK_VOXELS]
    TrnBlockData *data; ///< [data_count] each with its own bytes
    uint32_t data_count;
} BuildingChunk;

struct Building {
    char path[FILE_PATH_MAX];
    pthread_t thread;
    bool has_thread;
    atomic_int state; ///< BuildingState; the thread's last write
    atomic_bool stops;
    Message text;
    TrnBlockTypes *types; ///< of its own, while a world is open
    int64_t size[3];
    TrnVoxel corner;
    TrnImportPlace place;
    TrnVoxel min, max;     ///< of the placed box
    BuildingChunk *chunks; ///< [chunk_count]
    uint32_t chunk_count;
    TrnResult result; ///< of collecting
};

// ---- the thread ---------------------------------------------------------------------------------

static bool building_step(void *user, uint64_t done, uint64_t total)
{
    (void)done, (void)total;
    return !atomic_load(&((Building *)user)->stops);
}

/// Opens the file. @param place  NULL: as it lies in it
static TrnImport *building_open(Building *building, const TrnImportPlace *place)
{
    TrnImportDef def = trn_import_def();
    TrnStorageProblem why = {""};
    TrnImport *import;
    def.path = building->path;
    def.types = building->types;
    def.progress = (TrnStorageProgress){building_step, building};
    if (place) {
        def.place = *place;
        def.offset = building->corner;
    }
    if (trn_import_open(&def, &import, &why) == TRN_RESULT_OK) {
        return import;
    }
    (void)message_set(&building->text, "%s", why.sentence);
    return NULL;
}

/// Whether a box touches few enough chunks, wherever it lies.
static bool building_fits(const int64_t size[3])
{
    int64_t chunks = 1;
    for (int axis = 0; axis < 3; axis++) {
        const int64_t across = (size[axis] + TRN_CHUNK_EDGE - 2) / TRN_CHUNK_EDGE + 1;
        if (across > BUILDING_CHUNKS_MAX) {
            return false;
        }
        chunks *= across;
    }
    return chunks <= BUILDING_CHUNKS_MAX;
}

static BuildingState building_measure(Building *building)
{
    TrnVoxel min, max;
    TrnImport *import = building_open(building, NULL);
    if (!import) {
        return BUILDING_FAILED;
    }
    const bool is_building = trn_import_box(import, &min, &max);
    trn_import_destroy(import);
    if (!is_building) {
        return BUILDING_WORLD;
    }
    building->size[0] = max.x - min.x + 1;
    building->size[1] = max.y - min.y + 1;
    building->size[2] = max.z - min.z + 1;
    if (building_fits(building->size)) {
        return BUILDING_IS;
    }
    (void)message_set(&building->text,
                      "It is too large to be put into a world here. In a terminal, 'terrane "
                      "import --at' does it.");
    return BUILDING_WORLD;
}

/// Reads on another thread what kind of file it is.
static void *building_run_read(void *user)
{
    Building *building = user;
    atomic_store(&building->state, (int)building_measure(building));
    return NULL;
}

static TrnResult building_keep_data(void *user, const TrnBlockData *data)
{
    BuildingChunk *chunk = user;
    TrnBlockData *grown = realloc(chunk->data, (chunk->data_count + 1) * sizeof *grown);
    if (!grown) {
        return TRN_RESULT_NO_MEMORY;
    }
    chunk->data = grown;
    void *bytes = malloc(data->size ? data->size : 1);
    if (!bytes) {
        return TRN_RESULT_NO_MEMORY;
    }
    if (data->size) {
        memcpy(bytes, data->bytes, data->size);
    }
    grown[chunk->data_count] = *data;
    grown[chunk->data_count++].bytes = bytes;
    return TRN_RESULT_OK;
}

/// What building_collect needs.
typedef struct BuildingCollect {
    Building *building;
    TrnStreamSource source;
} BuildingCollect;

static TrnResult building_load(const BuildingCollect *collect, TrnCoord coord, BuildingChunk *chunk)
{
    bool is_uniform = false;
    const TrnDataSink sink = {building_keep_data, chunk};
    const TrnStreamJob job = {.coord = coord, .data = &sink};
    chunk->coord = coord;
    chunk->blocks = malloc((size_t)TRN_CHUNK_VOXELS * sizeof *chunk->blocks);
    const TrnResult result =
        chunk->blocks ? collect->source.load(collect->source.user, &job, chunk->blocks, &is_uniform)
                      : TRN_RESULT_NO_MEMORY;
    for (uint32_t i = 1; i < TRN_CHUNK_VOXELS && is_uniform; i++) {
        chunk->blocks[i] = chunk->blocks[0];
    }
    return result;
}

static bool building_collect(void *user, TrnCoord coord)
{
    BuildingCollect *collect = user;
    Building *building = collect->building;
    if (atomic_load(&building->stops) || building->chunk_count == BUILDING_CHUNKS_MAX) {
        return false;
    }
    BuildingChunk *chunk = &building->chunks[building->chunk_count++];
    building->result = building_load(collect, coord, chunk);
    return building->result == TRN_RESULT_OK;
}

static void building_free_chunks(Building *building)
{
    for (uint32_t i = 0; i < building->chunk_count; i++) {
        BuildingChunk *chunk = &building->chunks[i];
        for (uint32_t k = 0; k < chunk->data_count; k++) {
            free((void *)(uintptr_t)chunk->data[k].bytes); // its own
        }
        free(chunk->data);
        free(chunk->blocks);
    }
    free(building->chunks);
    building->chunks = NULL;
    building->chunk_count = 0;
}

static BuildingState building_turn(Building *building)
{
    building_free_chunks(building);
    building->chunks = calloc(BUILDING_CHUNKS_MAX, sizeof *building->chunks);
    building->result = building->chunks ? TRN_RESULT_OK : TRN_RESULT_NO_MEMORY;
    TrnImport *import = building->chunks ? building_open(building, &building->place) : NULL;
    if (import) {
        (void)trn_import_box(import, &building->min, &building->max);
        BuildingCollect collect = {building, trn_import_source(import)};
        const TrnResult listed = trn_import_list(import, building_collect, &collect);
        building->result = building->result == TRN_RESULT_OK ? listed : building->result;
        trn_import_destroy(import);
    }
    if (building->result != TRN_RESULT_OK) {
        (void)message_set(&building->text, "Cannot read it: %s", trn_result_text(building->result));
    }
    return import && building->result == TRN_RESULT_OK ? BUILDING_READY : BUILDING_FAILED;
}

static void *building_run_turn(void *user)
{
    Building *building = user;
    atomic_store(&building->state, (int)building_turn(building));
    return NULL;
}

static void building_join(Building *building)
{
    if (building->has_thread) {
        (void)pthread_join(building->thread, NULL);
        building->has_thread = false;
    }
}

static bool building_start(Building *building, BuildingState state, void *(*run)(void *),
                           Message *problem)
{
    building_join(building);
    const int before = atomic_exchange(&building->state, (int)state);
    building->has_thread = pthread_create(&building->thread, NULL, run, building) == 0;
    if (!building->has_thread) {
        atomic_store(&building->state, before);
        return message_set(problem, "The system starts no thread for this.");
    }
    return true;
}

// ---- life ---------------------------------------------------------------------------------------

Building *building_read(const char *path, Message *problem)
{
    Building *building = calloc(1, sizeof *building);
    if (!building || trn_block_types_create_builtin(NULL, &building->types) != TRN_RESULT_OK) {
        (void)message_set(problem, "Out of memory for this file.");
        free(building);
        return NULL;
    }
    (void)snprintf(building->path, sizeof building->path, "%s", path);
    if (!building_start(building, BUILDING_READS, building_run_read, problem)) {
        building_end(building);
        return NULL;
    }
    return building;
}

void building_end(Building *building)
{
    if (building) {
        atomic_store(&building->stops, true);
        building_join(building);
        building_free_chunks(building);
        trn_block_types_destroy(building->types);
        free(building);
    }
}

BuildingState building_state(const Building *building)
{
    return (BuildingState)atomic_load(&building->state);
}

const char *building_name(const Building *building)
{
    return file_name(building->path);
}

const char *building_path(const Building *building)
{
    return building->path;
}

const char *building_text(const Building *building)
{
    return building->text.text;
}

void building_size(const Building *building, int64_t size[3])
{
    memcpy(size, building->size, sizeof building->size);
}

bool building_place(Building *building, TrnVoxel corner, const TrnImportPlace *place,
                    Message *problem)
{
    building_join(building);
    building->corner = corner;
    building->place = *place;
    return building_start(building, BUILDING_PLACES, building_run_turn, problem);
}

uint32_t building_chunks(const Building *building)
{
    return building->chunk_count;
}

// ---- the world ----------------------------------------------------------------------------------

/// Finds what a block of the building is in a world. @return false if it has none
static bool building_find(const Building *building, TrnBlock own, const TrnBlockTypes *types,
                          TrnBlock *block)
{
    return trn_block_types_find(types, trn_block_types_get(building->types, own)->name, block) ==
           TRN_RESULT_OK;
}

bool building_needs_types(const Building *building, const TrnBlockTypes *types)
{
    uint32_t count;
    TrnBlock block;
    bool needs = false;
    (void)trn_block_types_all(building->types, &count);
    for (uint32_t i = TRN_BLOCK_BUILTIN_COUNT; i < count && !needs; i++) {
        needs = !building_find(building, (TrnBlock)i, types, &block);
    }
    return needs;
}

/// Makes the table of the building's blocks in a world, and adds those that it lacks. Beyond the
/// built-in blocks, an import knows only placeholders and colours, each with a name alone.
static TrnResult building_map(const Building *building, TrnBlockTypes *types, TrnBlock *blocks,
                              uint32_t count)
{
    TrnResult result = TRN_RESULT_OK;
    for (uint32_t i = 0; i < count && result == TRN_RESULT_OK; i++) {
        const TrnBlockType *type = trn_block_types_get(building->types, (TrnBlock)i);
        if (i < TRN_BLOCK_BUILTIN_COUNT) {
            blocks[i] = (TrnBlock)i;
        } else if (building_find(building, (TrnBlock)i, types, &blocks[i])) {
            continue;
        } else if (type->is_unknown) {
            result = trn_block_types_add_unknown(types, type->name, &blocks[i]);
        } else {
            result = trn_block_types_add(types, type, &blocks[i]);
        }
    }
    return result;
}

static TrnResult building_put_chunk(const BuildingChunk *chunk, const TrnBlock *blocks,
                                    TrnBatch *batch)
{
    TrnVoxelEdit *edit;
    uint32_t first = 0;
    while (first < TRN_CHUNK_VOXELS && chunk->blocks[first] == TRN_BLOCK_AIR) {
        first++;
    }
    if (first == TRN_CHUNK_VOXELS) {
        return TRN_RESULT_OK; // it need not be loaded
    }
    TrnResult result = trn_batch_edit(batch, chunk->coord, &edit);
    for (uint32_t i = first; i < TRN_CHUNK_VOXELS && result == TRN_RESULT_OK; i++) {
        const TrnBlock own = chunk->blocks[i];
        if (own != TRN_BLOCK_AIR) {
            result = trn_voxel_edit_set(edit, i, blocks[own]);
        }
    }
    for (uint32_t i = 0; i < chunk->data_count && result == TRN_RESULT_OK; i++) {
        const TrnBlockData *data = &chunk->data[i];
        result = trn_voxel_edit_set_data(edit, data->index, data->bytes, data->size, data->rule);
    }
    return result;
}

TrnResult building_put(void *put, TrnBatch *batch)
{
    const BuildingPut *what = put;
    const Building *building = what->building;
    uint32_t count;
    (void)trn_block_types_all(building->types, &count);
    TrnBlock *blocks = malloc(count * sizeof *blocks);
    TrnResult result =
        blocks ? building_map(building, what->types, blocks, count) : TRN_RESULT_NO_MEMORY;
    if (result == TRN_RESULT_OK && what->clears) {
        result = trn_batch_fill_box(batch, building->min, building->max, TRN_BLOCK_AIR);
    }
    for (uint32_t i = 0; i < building->chunk_count && result == TRN_RESULT_OK; i++) {
        result = building_put_chunk(&building->chunks[i], blocks, batch);
    }
    free(blocks);
    return result;
}
