// The flat C interface that terrane.js calls in WebAssembly. Uses the public headers alone.
//
// Handles and arrays are addresses in the module's memory. terrane.js has checked the ranges of
// numbers; what depends on a world is checked here or in the library, and comes back as TrnResult.

#include <malloc.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <terrane/chunk_index.h>
#include <terrane/mesh_vertices.h>
#include <terrane/mesher.h>
#include <terrane/store.h>
#include <terrane/terrain.h>

#define BRIDGE __attribute__((used, visibility("default")))

// ---- the module --------------------------------------------------------------------------------

/// Returns the bytes that malloc has given out, for tests of leaks.
BRIDGE size_t bridge_used_bytes(void)
{
    return (size_t)mallinfo().uordblks;
}

BRIDGE const char *bridge_version(void)
{
    return trn_version();
}

BRIDGE const char *bridge_result_text(TrnResult result)
{
    return trn_result_text(result);
}

// ---- terrain -----------------------------------------------------------------------------------

#define SHAPE_FIELDS (sizeof(TrnTerrainShape) / sizeof(float))

/// @param shape  [SHAPE_FIELDS] in the order of TrnTerrainShape; NaN keeps the preset's value
/// @param fault  receives what is wrong with the settings, or NULL
BRIDGE TrnResult bridge_terrain_create(const char *preset, uint32_t seed_low, uint32_t seed_high,
                                       uint32_t version, uint32_t columns, const float *shape,
                                       TrnTerrain **terrain, const char **fault)
{
    TrnTerrainDef def = trn_terrain_def();
    *fault = NULL;
    const TrnResult result = trn_terrain_shape_preset(preset, &def.shape);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    float fields[SHAPE_FIELDS];
    memcpy(fields, &def.shape, sizeof fields);
    for (size_t i = 0; i < SHAPE_FIELDS; i++) {
        fields[i] = isnan(shape[i]) ? fields[i] : shape[i];
    }
    memcpy(&def.shape, fields, sizeof fields);
    def.seed = (uint64_t)seed_high << 32 | seed_low;
    def.version = version != 0 ? version : def.version;
    def.column_cache_max = columns != 0 ? columns : def.column_cache_max;
    *fault = trn_terrain_def_fault(&def);
    return trn_terrain_create(&def, terrain);
}

BRIDGE void bridge_terrain_destroy(TrnTerrain *terrain)
{
    trn_terrain_destroy(terrain);
}

/// Writes all of `blocks`, also for a uniform chunk.
BRIDGE TrnResult bridge_terrain_generate(TrnTerrain *terrain, int32_t x, int32_t y, int32_t z,
                                         uint32_t level, TrnBlock *blocks)
{
    bool uniform;
    const TrnCoord coord = {x, y, z};
    const TrnResult result = trn_terrain_generate_level(terrain, coord, level, blocks, &uniform);
    for (size_t i = 1; result == TRN_RESULT_OK && uniform && i < TRN_CHUNK_VOXELS; i++) {
        blocks[i] = blocks[0];
    }
    return result;
}

/// @param out  [5] receives height, biome, top, surface, surface_y
BRIDGE TrnResult bridge_terrain_sample(const TrnTerrain *terrain, double x, double z, double *out)
{
    TrnTerrainSample sample;
    const TrnResult result = trn_terrain_sample(terrain, (int64_t)x, (int64_t)z, &sample);
    if (result == TRN_RESULT_OK) {
        out[0] = (double)sample.height;
        out[1] = (double)sample.biome;
        out[2] = (double)sample.top;
        out[3] = (double)sample.surface;
        out[4] = (double)sample.surface_y;
    }
    return result;
}

// ---- store -------------------------------------------------------------------------------------

BRIDGE TrnResult bridge_store_create(size_t bytes_max, TrnStore **store)
{
    TrnStoreDef def = trn_store_def();
    def.bytes_max = bytes_max;
    return trn_store_create(&def, store);
}

BRIDGE void bridge_store_destroy(TrnStore *store)
{
    trn_store_destroy(store);
}

BRIDGE TrnResult bridge_store_insert_uniform(TrnStore *store, int32_t x, int32_t y, int32_t z,
                                             uint32_t block)
{
    return trn_store_insert_uniform(store, (TrnCoord){x, y, z}, (TrnBlock)block, NULL);
}

BRIDGE TrnResult bridge_store_insert_voxels(TrnStore *store, int32_t x, int32_t y, int32_t z,
                                            const TrnBlock *blocks)
{
    return trn_store_insert_voxels(store, (TrnCoord){x, y, z}, blocks, NULL);
}

/// @param blocks  [TRN_CHUNK_VOXELS] scratch
BRIDGE TrnResult bridge_store_insert_terrain(TrnStore *store, TrnTerrain *terrain, int32_t x,
                                             int32_t y, int32_t z, TrnBlock *blocks)
{
    bool uniform;
    const TrnCoord coord = {x, y, z};
    if (trn_store_find(store, coord)) {
        return TRN_RESULT_EXISTS; // before the time is spent on generating it
    }
    const TrnResult result = trn_terrain_generate(terrain, coord, blocks, &uniform);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    return uniform ? trn_store_insert_uniform(store, coord, blocks[0], NULL)
                   : trn_store_insert_voxels(store, coord, blocks, NULL);
}

BRIDGE TrnResult bridge_store_remove(TrnStore *store, int32_t x, int32_t y, int32_t z)
{
    return trn_store_remove(store, (TrnCoord){x, y, z});
}

BRIDGE TrnResult bridge_store_get_chunk(const TrnStore *store, int32_t x, int32_t y, int32_t z,
                                        TrnBlock *blocks)
{
    TrnSnapshot snapshot;
    const TrnResult result = trn_store_snapshot(store, (TrnCoord){x, y, z}, &snapshot);
    if (result == TRN_RESULT_OK) {
        trn_snapshot_decode(snapshot, blocks);
    }
    return result;
}

BRIDGE TrnResult bridge_store_get_block(const TrnStore *store, double x, double y, double z,
                                        TrnBlock *block)
{
    return trn_store_get_block_at(store, (int64_t)x, (int64_t)y, (int64_t)z, block);
}

/// @param is_changed  receives 0 or 1
BRIDGE TrnResult bridge_store_set_block(TrnStore *store, double x, double y, double z,
                                        uint32_t block, uint32_t *is_changed)
{
    bool changed = false;
    const TrnVoxel voxel = {(int64_t)x, (int64_t)y, (int64_t)z};
    const TrnResult result = trn_store_set_block(store, voxel, (TrnBlock)block, &changed);
    *is_changed = changed;
    return result;
}

BRIDGE TrnResult bridge_store_block_id(const TrnStore *store, const char *name, TrnBlock *block)
{
    return trn_block_types_find(trn_store_block_types(store), name, block);
}

/// Returns the name of a block, or NULL where no type has the id.
BRIDGE const char *bridge_store_block_name(const TrnStore *store, uint32_t block)
{
    uint32_t count;
    const TrnBlockType *types = trn_block_types_all(trn_store_block_types(store), &count);
    return block < count ? types[block].name : NULL;
}

/// @param out  [4] receives chunks, uniform chunks, used bytes, allocated bytes
BRIDGE void bridge_store_stats(const TrnStore *store, double *out)
{
    const TrnStoreStats stats = trn_store_stats(store);
    out[0] = stats.chunks;
    out[1] = stats.uniform_chunks;
    out[2] = (double)stats.used_bytes;
    out[3] = (double)stats.total_bytes;
}

BRIDGE TrnChunkIndex *bridge_store_index(const TrnStore *store)
{
    return trn_store_index(store);
}

// ---- chunk index -------------------------------------------------------------------------------

/// @param names  [count] the names of the caller's planes
BRIDGE TrnResult bridge_index_create(const char *const *names, uint32_t count,
                                     TrnChunkIndex **index)
{
    TrnPlaneDef planes[TRN_PLANE_COUNT_MAX] = {{NULL, false}};
    for (uint32_t i = 0; i < count && i < TRN_PLANE_COUNT_MAX; i++) {
        planes[i].name = names[i];
    }
    TrnChunkIndexDef def = trn_chunk_index_def();
    def.planes = planes;
    def.plane_count = count;
    return trn_chunk_index_create(&def, index);
}

BRIDGE void bridge_index_destroy(TrnChunkIndex *index)
{
    trn_chunk_index_destroy(index);
}

BRIDGE TrnResult bridge_index_insert(TrnChunkIndex *index, int32_t x, int32_t y, int32_t z,
                                     uint32_t value)
{
    return trn_chunk_index_insert(index, (TrnCoord){x, y, z}, value);
}

BRIDGE TrnResult bridge_index_set(TrnChunkIndex *index, int32_t x, int32_t y, int32_t z,
                                  uint32_t value)
{
    return trn_chunk_index_set(index, (TrnCoord){x, y, z}, value);
}

BRIDGE uint32_t bridge_index_find(const TrnChunkIndex *index, int32_t x, int32_t y, int32_t z,
                                  uint32_t *value)
{
    return trn_chunk_index_find(index, (TrnCoord){x, y, z}, value);
}

BRIDGE TrnResult bridge_index_remove(TrnChunkIndex *index, int32_t x, int32_t y, int32_t z,
                                     uint32_t *value)
{
    return trn_chunk_index_remove(index, (TrnCoord){x, y, z}, value);
}

BRIDGE TrnResult bridge_index_plane_set(TrnChunkIndex *index, uint32_t plane, int32_t x, int32_t y,
                                        int32_t z, uint32_t bit)
{
    return trn_chunk_index_plane_set(index, plane, (TrnCoord){x, y, z}, bit != 0);
}

BRIDGE uint32_t bridge_index_plane_test(const TrnChunkIndex *index, uint32_t plane, int32_t x,
                                        int32_t y, int32_t z)
{
    return trn_chunk_index_plane_test(index, plane, (TrnCoord){x, y, z});
}

BRIDGE TrnResult bridge_index_plane_compute(TrnChunkIndex *index, uint32_t plane,
                                            const TrnPlaneQuery *query)
{
    return trn_chunk_index_plane_compute(index, plane, query);
}

/// @param query   NULL: present chunks
/// @param values  [capacity] or NULL
/// @param coords  [capacity] or NULL
/// @return how many coordinates match
BRIDGE size_t bridge_index_gather(const TrnChunkIndex *index, const TrnBox *box,
                                  const TrnPlaneQuery *query, uint32_t *values, TrnCoord *coords,
                                  size_t capacity)
{
    TrnChunkGather gather = {.box = *box, .values = values, .coords = coords, .capacity = capacity};
    if (query) {
        gather.planes = *query;
    }
    return trn_chunk_index_gather(index, &gather);
}

BRIDGE TrnResult bridge_index_clear(TrnChunkIndex *index)
{
    return trn_chunk_index_clear(index);
}

// ---- mesher ------------------------------------------------------------------------------------

typedef struct BridgeMesher {
    TrnMesh mesh; // the last one
    void *scratch;
} BridgeMesher;

BRIDGE TrnResult bridge_mesher_create(BridgeMesher **mesher)
{
    BridgeMesher *made = malloc(sizeof *made);
    void *scratch = trn_aligned_alloc(TRN_MESH_SCRATCH_BYTES, 64);
    if (!made || !scratch) {
        free(made);
        trn_aligned_free(scratch);
        return TRN_RESULT_NO_MEMORY;
    }
    trn_mesh_init(&made->mesh, NULL);
    made->scratch = scratch;
    *mesher = made;
    return TRN_RESULT_OK;
}

BRIDGE void bridge_mesher_destroy(BridgeMesher *mesher)
{
    trn_mesh_free(&mesher->mesh);
    trn_aligned_free(mesher->scratch);
    free(mesher);
}

/// What bridge_mesher_mesh reports.
typedef struct BridgeMesh {
    const TrnQuad *quads; // valid until the mesher's next mesh
    uint32_t model_faces;
    uint32_t first[TRN_MESH_GROUP_COUNT + 1]; // as TrnMeshInfo.first
} BridgeMesh;

/// Meshes a chunk of the store; the mesher keeps the mesh for bridge_mesher_geometry.
BRIDGE TrnResult bridge_mesher_mesh(BridgeMesher *mesher, const TrnStore *store, int32_t x,
                                    int32_t y, int32_t z, uint32_t missing_is_solid,
                                    uint32_t without_ao, uint32_t without_merging, BridgeMesh *out)
{
    TrnMeshInput input = {.missing_is_solid = missing_is_solid != 0,
                          .without_ao = without_ao != 0,
                          .without_merging = without_merging != 0};
    input.present = trn_store_snapshot_around(store, (TrnCoord){x, y, z}, input.around);
    if (!(input.present >> TRN_AROUND_CENTRE & 1u)) {
        return TRN_RESULT_NOT_FOUND;
    }
    input.types = trn_block_types_all(trn_store_block_types(store), &input.type_count);
    const TrnResult result = trn_mesh_build(&mesher->mesh, &input, mesher->scratch);
    if (result == TRN_RESULT_OK) {
        out->quads = mesher->mesh.quads;
        out->model_faces = mesher->mesh.model_count;
        memcpy(out->first, mesher->mesh.info.first, sizeof out->first);
    }
    return result;
}

/// The surface of models, after those of quads.
#define SURFACE_MODELS TRN_MESH_SURFACE_COUNT

/// Arrays of one surface, all in the memory at `positions`, which the caller frees.
typedef struct BridgeGeometry {
    uint32_t vertices; // 0: nothing to draw, and no memory
    float *positions;  // [vertices][3]
    float *normals;    // [vertices][3]
    float *uvs;        // [vertices][2]
    uint32_t *indices; // [vertices / 4 * 6]
    uint16_t *blocks;  // [vertices]
    uint8_t *colours;  // [vertices][3], sRGB
    uint8_t *ao;       // [vertices]
} BridgeGeometry;

#define GEOMETRY_VERTEX_BYTES (12 + 12 + 8 + 6 + 2 + 3 + 1)

static void geometry_place(BridgeGeometry *geometry, void *memory)
{
    const size_t count = geometry->vertices;
    geometry->positions = memory;
    geometry->normals = geometry->positions + 3 * count;
    geometry->uvs = geometry->normals + 3 * count;
    geometry->indices = (uint32_t *)(geometry->uvs + 2 * count);
    geometry->blocks = (uint16_t *)(geometry->indices + trn_mesh_index_count((uint32_t)count));
    geometry->colours = (uint8_t *)(geometry->blocks + count);
    geometry->ao = geometry->colours + 3 * count;
}

static void geometry_split(const BridgeGeometry *geometry, const TrnMeshVertex *vertices,
                           const TrnBlockType *types, uint32_t type_count)
{
    static const uint8_t white[3] = {255, 255, 255};
    for (size_t i = 0; i < geometry->vertices; i++) {
        const TrnMeshVertex *vertex = &vertices[i];
        const uint32_t face = vertex->face < TRN_FACE_COUNT ? vertex->face : TRN_FACE_POS_Y;
        memcpy(geometry->positions + 3 * i, vertex->position, sizeof vertex->position);
        memcpy(geometry->normals + 3 * i, vertex->normal, sizeof vertex->normal);
        memcpy(geometry->uvs + 2 * i, vertex->uv, sizeof vertex->uv);
        geometry->blocks[i] = vertex->block;
        memcpy(geometry->colours + 3 * i,
               vertex->block < type_count ? types[vertex->block].colour[face] : white, 3);
        geometry->ao[i] = vertex->ao;
    }
}

static TrnResult geometry_vertices(const TrnMesh *mesh, uint32_t surface, const float offset[3],
                                   TrnMeshVertex *vertices, uint32_t *indices)
{
    if (surface == SURFACE_MODELS) {
        return trn_mesh_model_vertices(mesh->models, mesh->model_count, offset, 0, vertices,
                                       indices);
    }
    return trn_mesh_vertices(mesh->quads, &mesh->info, trn_mesh_first_group(surface),
                             trn_mesh_first_group(surface + 1), offset, 0, vertices, indices);
}

/// Turns one surface of the mesher's last mesh into vertices.
/// @param store    of that mesh
/// @param surface  a TrnMeshSurface, or SURFACE_MODELS
BRIDGE TrnResult bridge_mesher_geometry(const BridgeMesher *mesher, const TrnStore *store,
                                        uint32_t surface, float x, float y, float z,
                                        BridgeGeometry *out)
{
    const TrnMesh *mesh = &mesher->mesh;
    const float offset[3] = {x, y, z};
    *out = (BridgeGeometry){0};
    const uint32_t count = surface == SURFACE_MODELS
                               ? 4 * mesh->model_count
                               : trn_mesh_vertex_count(&mesh->info, trn_mesh_first_group(surface),
                                                       trn_mesh_first_group(surface + 1));
    if (count == 0) {
        return TRN_RESULT_OK;
    }
    TrnMeshVertex *vertices = malloc(count * sizeof *vertices);
    void *memory = malloc((size_t)count * GEOMETRY_VERTEX_BYTES);
    TrnResult result = TRN_RESULT_NO_MEMORY;
    if (vertices && memory) {
        BridgeGeometry geometry = {.vertices = count};
        uint32_t type_count;
        const TrnBlockType *types = trn_block_types_all(trn_store_block_types(store), &type_count);
        geometry_place(&geometry, memory);
        result = geometry_vertices(mesh, surface, offset, vertices, geometry.indices);
        if (result == TRN_RESULT_OK) {
            geometry_split(&geometry, vertices, types, type_count);
            *out = geometry;
            memory = NULL;
        }
    }
    free(memory);
    free(vertices);
    return result;
}
