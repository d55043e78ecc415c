// clang-format off
// Made by tools/bindings/generate.py from packaging/api/terrane.json; change the headers instead.
// Inline functions for languages that cannot call them: trn_x is trnx_x. Sizes of structs, by which a
// binding notices that it was made for another library.
#include <stddef.h>

#include <terrane/base.h>
#include <terrane/batch.h>
#include <terrane/block_data.h>
#include <terrane/block_types.h>
#include <terrane/body.h>
#include <terrane/chunk_index.h>
#include <terrane/chunk_pages.h>
#include <terrane/coord.h>
#include <terrane/delta.h>
#include <terrane/far.h>
#include <terrane/features.h>
#include <terrane/fluid.h>
#include <terrane/fold.h>
#include <terrane/generator.h>
#include <terrane/history.h>
#include <terrane/light.h>
#include <terrane/noise.h>
#include <terrane/pool.h>
#include <terrane/raycast.h>
#include <terrane/registry.h>
#include <terrane/spatial_array.h>
#include <terrane/store.h>
#include <terrane/stream.h>
#include <terrane/terrain.h>
#include <terrane/ticks.h>
#include <terrane/voxels.h>
#include <terrane/mesh_vertices.h>
#include <terrane/mesher.h>
#include <terrane/terrane.h>
#include <terrane/visibility.h>
#include <terrane/repair.h>
#include <terrane/save.h>
#include <terrane/storage.h>

#if defined(_WIN32)
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif

EXPORT bool trnx_coord_equal(TrnCoord a, TrnCoord b);
bool trnx_coord_equal(TrnCoord a, TrnCoord b)
{
    return trn_coord_equal(a, b);
}

EXPORT TrnCoord trnx_coord_add(TrnCoord coord, int32_t dx, int32_t dy, int32_t dz);
TrnCoord trnx_coord_add(TrnCoord coord, int32_t dx, int32_t dy, int32_t dz)
{
    return trn_coord_add(coord, dx, dy, dz);
}

EXPORT TrnCoord trnx_coord_neighbour(TrnCoord coord, TrnFace face);
TrnCoord trnx_coord_neighbour(TrnCoord coord, TrnFace face)
{
    return trn_coord_neighbour(coord, face);
}

EXPORT TrnCoord trnx_coord_around(TrnCoord coord, uint32_t place);
TrnCoord trnx_coord_around(TrnCoord coord, uint32_t place)
{
    return trn_coord_around(coord, place);
}

EXPORT bool trnx_box_is_empty(TrnBox box);
bool trnx_box_is_empty(TrnBox box)
{
    return trn_box_is_empty(box);
}

EXPORT bool trnx_box_contains(TrnBox box, TrnCoord coord);
bool trnx_box_contains(TrnBox box, TrnCoord coord)
{
    return trn_box_contains(box, coord);
}

EXPORT TrnBox trnx_box_around(TrnCoord centre, int32_t radius_x, int32_t radius_y, int32_t radius_z);
TrnBox trnx_box_around(TrnCoord centre, int32_t radius_x, int32_t radius_y, int32_t radius_z)
{
    return trn_box_around(centre, radius_x, radius_y, radius_z);
}

EXPORT bool trnx_voxel_in_world(TrnVoxel voxel);
bool trnx_voxel_in_world(TrnVoxel voxel)
{
    return trn_voxel_in_world(voxel);
}

EXPORT TrnCoord trnx_voxel_chunk(TrnVoxel voxel);
TrnCoord trnx_voxel_chunk(TrnVoxel voxel)
{
    return trn_voxel_chunk(voxel);
}

EXPORT uint32_t trnx_local_index(uint32_t x, uint32_t y, uint32_t z);
uint32_t trnx_local_index(uint32_t x, uint32_t y, uint32_t z)
{
    return trn_local_index(x, y, z);
}

EXPORT uint32_t trnx_voxel_local_index(TrnVoxel voxel);
uint32_t trnx_voxel_local_index(TrnVoxel voxel)
{
    return trn_voxel_local_index(voxel);
}

EXPORT TrnVoxel trnx_voxel_neighbour(TrnVoxel voxel, TrnFace face);
TrnVoxel trnx_voxel_neighbour(TrnVoxel voxel, TrnFace face)
{
    return trn_voxel_neighbour(voxel, face);
}

EXPORT TrnPosition trnx_voxel_position(TrnVoxel voxel);
TrnPosition trnx_voxel_position(TrnVoxel voxel)
{
    return trn_voxel_position(voxel);
}

EXPORT TrnVoxel trnx_coord_voxel(TrnCoord coord);
TrnVoxel trnx_coord_voxel(TrnCoord coord)
{
    return trn_coord_voxel(coord);
}

EXPORT bool trnx_position_equal(TrnPosition a, TrnPosition b);
bool trnx_position_equal(TrnPosition a, TrnPosition b)
{
    return trn_position_equal(a, b);
}

EXPORT size_t trnx_chunk_index_gather_box(const TrnChunkIndex *index, TrnBox box, uint32_t *values, size_t capacity);
size_t trnx_chunk_index_gather_box(const TrnChunkIndex *index, TrnBox box, uint32_t *values, size_t capacity)
{
    return trn_chunk_index_gather_box(index, box, values, capacity);
}

EXPORT TrnBox trnx_box_everything(void);
TrnBox trnx_box_everything(void)
{
    return trn_box_everything();
}

EXPORT TrnSnapshot trnx_voxels_snapshot(const TrnVoxels *voxels);
TrnSnapshot trnx_voxels_snapshot(const TrnVoxels *voxels)
{
    return trn_voxels_snapshot(voxels);
}

EXPORT TrnSnapshot trnx_snapshot_of(TrnBlock block, uint64_t revision);
TrnSnapshot trnx_snapshot_of(TrnBlock block, uint64_t revision)
{
    return trn_snapshot_of(block, revision);
}

EXPORT bool trnx_snapshot_is_uniform(TrnSnapshot snapshot);
bool trnx_snapshot_is_uniform(TrnSnapshot snapshot)
{
    return trn_snapshot_is_uniform(snapshot);
}

EXPORT TrnBlock trnx_snapshot_uniform(TrnSnapshot snapshot);
TrnBlock trnx_snapshot_uniform(TrnSnapshot snapshot)
{
    return trn_snapshot_uniform(snapshot);
}

EXPORT uint64_t trnx_snapshot_revision(TrnSnapshot snapshot);
uint64_t trnx_snapshot_revision(TrnSnapshot snapshot)
{
    return trn_snapshot_revision(snapshot);
}

EXPORT TrnBlock trnx_snapshot_get(TrnSnapshot snapshot, uint32_t index);
TrnBlock trnx_snapshot_get(TrnSnapshot snapshot, uint32_t index)
{
    return trn_snapshot_get(snapshot, index);
}

EXPORT void *trnx_chunk_user(TrnChunk *chunk);
void *trnx_chunk_user(TrnChunk *chunk)
{
    return trn_chunk_user(chunk);
}

EXPORT uint64_t trnx_chunk_revision(const TrnChunk *chunk);
uint64_t trnx_chunk_revision(const TrnChunk *chunk)
{
    return trn_chunk_revision(chunk);
}

EXPORT TrnResult trnx_store_get_block(const TrnStore *store, TrnVoxel voxel, TrnBlock *block);
TrnResult trnx_store_get_block(const TrnStore *store, TrnVoxel voxel, TrnBlock *block)
{
    return trn_store_get_block(store, voxel, block);
}

EXPORT const TrnVoxels *trnx_cursor_find(TrnCursor *cursor, TrnVoxel voxel);
const TrnVoxels *trnx_cursor_find(TrnCursor *cursor, TrnVoxel voxel)
{
    return trn_cursor_find(cursor, voxel);
}

EXPORT TrnBlock trnx_cursor_get(TrnCursor *cursor, TrnVoxel voxel, TrnBlock unloaded);
TrnBlock trnx_cursor_get(TrnCursor *cursor, TrnVoxel voxel, TrnBlock unloaded)
{
    return trn_cursor_get(cursor, voxel, unloaded);
}

EXPORT TrnCoord trnx_page_coord(TrnCoord chunk);
TrnCoord trnx_page_coord(TrnCoord chunk)
{
    return trn_page_coord(chunk);
}

EXPORT TrnBox trnx_page_chunks(TrnCoord page);
TrnBox trnx_page_chunks(TrnCoord page)
{
    return trn_page_chunks(page);
}

EXPORT bool trnx_page_words_test(const uint64_t words[8], TrnCoord chunk);
bool trnx_page_words_test(const uint64_t words[8], TrnCoord chunk)
{
    return trn_page_words_test(words, chunk);
}

EXPORT TrnGenerator trnx_generator_def(TrnGenerateFn generate, void *user);
TrnGenerator trnx_generator_def(TrnGenerateFn generate, void *user)
{
    return trn_generator_def(generate, user);
}

EXPORT uint32_t trnx_light_level(const TrnLight *light, int32_t x, int32_t y, int32_t z);
uint32_t trnx_light_level(const TrnLight *light, int32_t x, int32_t y, int32_t z)
{
    return trn_light_level(light, x, y, z);
}

EXPORT TrnResult trnx_stream_job_set_data(const TrnStreamJob *job, const TrnBlockData *data);
TrnResult trnx_stream_job_set_data(const TrnStreamJob *job, const TrnBlockData *data)
{
    return trn_stream_job_set_data(job, data);
}

EXPORT bool trnx_registry_contains(const TrnRegistry *registry, const void *object);
bool trnx_registry_contains(const TrnRegistry *registry, const void *object)
{
    return trn_registry_contains(registry, object);
}

EXPORT const void *trnx_spatial_array_cell(const TrnSpatialArray *array, TrnCoord coord);
const void *trnx_spatial_array_cell(const TrnSpatialArray *array, TrnCoord coord)
{
    return trn_spatial_array_cell(array, coord);
}

EXPORT void *trnx_spatial_array_pointer(const TrnSpatialArray *array, TrnCoord coord);
void *trnx_spatial_array_pointer(const TrnSpatialArray *array, TrnCoord coord)
{
    return trn_spatial_array_pointer(array, coord);
}

EXPORT uint32_t trnx_quad_x(TrnQuad quad);
uint32_t trnx_quad_x(TrnQuad quad)
{
    return trn_quad_x(quad);
}

EXPORT uint32_t trnx_quad_y(TrnQuad quad);
uint32_t trnx_quad_y(TrnQuad quad)
{
    return trn_quad_y(quad);
}

EXPORT uint32_t trnx_quad_z(TrnQuad quad);
uint32_t trnx_quad_z(TrnQuad quad)
{
    return trn_quad_z(quad);
}

EXPORT uint32_t trnx_quad_width(TrnQuad quad);
uint32_t trnx_quad_width(TrnQuad quad)
{
    return trn_quad_width(quad);
}

EXPORT uint32_t trnx_quad_height(TrnQuad quad);
uint32_t trnx_quad_height(TrnQuad quad)
{
    return trn_quad_height(quad);
}

EXPORT uint32_t trnx_quad_face(TrnQuad quad);
uint32_t trnx_quad_face(TrnQuad quad)
{
    return trn_quad_face(quad);
}

EXPORT uint32_t trnx_quad_ao(TrnQuad quad);
uint32_t trnx_quad_ao(TrnQuad quad)
{
    return trn_quad_ao(quad);
}

EXPORT TrnBlock trnx_quad_block(TrnQuad quad);
TrnBlock trnx_quad_block(TrnQuad quad)
{
    return trn_quad_block(quad);
}

EXPORT void trnx_quad_axes(TrnFace face, int *width_axis, int *height_axis);
void trnx_quad_axes(TrnFace face, int *width_axis, int *height_axis)
{
    trn_quad_axes(face, width_axis, height_axis);
}

EXPORT uint32_t trnx_quad_user_byte(TrnQuad quad);
uint32_t trnx_quad_user_byte(TrnQuad quad)
{
    return trn_quad_user_byte(quad);
}

EXPORT uint32_t trnx_quad_drop(TrnQuad quad);
uint32_t trnx_quad_drop(TrnQuad quad)
{
    return trn_quad_drop(quad);
}

EXPORT uint32_t trnx_quad_start(TrnQuad quad);
uint32_t trnx_quad_start(TrnQuad quad)
{
    return trn_quad_start(quad);
}

EXPORT bool trnx_quad_is_flipped(TrnQuad quad);
bool trnx_quad_is_flipped(TrnQuad quad)
{
    return trn_quad_is_flipped(quad);
}

EXPORT uint32_t trnx_model_face_x(const TrnModelFace *face);
uint32_t trnx_model_face_x(const TrnModelFace *face)
{
    return trn_model_face_x(face);
}

EXPORT uint32_t trnx_model_face_y(const TrnModelFace *face);
uint32_t trnx_model_face_y(const TrnModelFace *face)
{
    return trn_model_face_y(face);
}

EXPORT uint32_t trnx_model_face_z(const TrnModelFace *face);
uint32_t trnx_model_face_z(const TrnModelFace *face)
{
    return trn_model_face_z(face);
}

EXPORT uint32_t trnx_model_face_face(const TrnModelFace *face);
uint32_t trnx_model_face_face(const TrnModelFace *face)
{
    return trn_model_face_face(face);
}

EXPORT uint32_t trnx_model_face_box(const TrnModelFace *face);
uint32_t trnx_model_face_box(const TrnModelFace *face)
{
    return trn_model_face_box(face);
}

EXPORT uint32_t trnx_model_face_end(const TrnModelFace *face, uint32_t axis, uint32_t end);
uint32_t trnx_model_face_end(const TrnModelFace *face, uint32_t axis, uint32_t end)
{
    return trn_model_face_end(face, axis, end);
}

EXPORT uint32_t trnx_model_face_depth(const TrnModelFace *face);
uint32_t trnx_model_face_depth(const TrnModelFace *face)
{
    return trn_model_face_depth(face);
}

EXPORT TrnBlock trnx_model_face_block(const TrnModelFace *face);
TrnBlock trnx_model_face_block(const TrnModelFace *face)
{
    return trn_model_face_block(face);
}

EXPORT uint32_t trnx_model_face_ao(const TrnModelFace *face);
uint32_t trnx_model_face_ao(const TrnModelFace *face)
{
    return trn_model_face_ao(face);
}

EXPORT uint32_t trnx_model_face_user_byte(const TrnModelFace *face);
uint32_t trnx_model_face_user_byte(const TrnModelFace *face)
{
    return trn_model_face_user_byte(face);
}

EXPORT uint32_t trnx_mesh_light_sky(uint32_t light, uint32_t corner);
uint32_t trnx_mesh_light_sky(uint32_t light, uint32_t corner)
{
    return trn_mesh_light_sky(light, corner);
}

EXPORT uint32_t trnx_mesh_light_blocks(uint32_t light, uint32_t corner);
uint32_t trnx_mesh_light_blocks(uint32_t light, uint32_t corner)
{
    return trn_mesh_light_blocks(light, corner);
}

EXPORT TrnMeshInput trnx_mesh_input(const TrnStore *store, TrnCoord coord);
TrnMeshInput trnx_mesh_input(const TrnStore *store, TrnCoord coord)
{
    return trn_mesh_input(store, coord);
}

EXPORT TrnMeshInput trnx_mesh_input_of(const TrnStreamMeshInput *streamed, const TrnBlockTypes *types);
TrnMeshInput trnx_mesh_input_of(const TrnStreamMeshInput *streamed, const TrnBlockTypes *types)
{
    return trn_mesh_input_of(streamed, types);
}

EXPORT uint32_t trnx_mesh_first_group(uint32_t surface);
uint32_t trnx_mesh_first_group(uint32_t surface)
{
    return trn_mesh_first_group(surface);
}

EXPORT TrnMeshSurface trnx_mesh_surface(TrnBlockKind kind);
TrnMeshSurface trnx_mesh_surface(TrnBlockKind kind)
{
    return trn_mesh_surface(kind);
}

EXPORT uint32_t trnx_mesh_count(const TrnMeshInfo *info);
uint32_t trnx_mesh_count(const TrnMeshInfo *info)
{
    return trn_mesh_count(info);
}

EXPORT uint32_t trnx_mesh_vertex_count(const TrnMeshInfo *info, uint32_t first_group, uint32_t end_group);
uint32_t trnx_mesh_vertex_count(const TrnMeshInfo *info, uint32_t first_group, uint32_t end_group)
{
    return trn_mesh_vertex_count(info, first_group, end_group);
}

EXPORT uint32_t trnx_mesh_index_count(uint32_t vertex_count);
uint32_t trnx_mesh_index_count(uint32_t vertex_count)
{
    return trn_mesh_index_count(vertex_count);
}

EXPORT uint32_t trnx_visibility_bit(TrnFace a, TrnFace b);
uint32_t trnx_visibility_bit(TrnFace a, TrnFace b)
{
    return trn_visibility_bit(a, b);
}

EXPORT bool trnx_visibility_joins(TrnVisibility visibility, TrnFace a, TrnFace b);
bool trnx_visibility_joins(TrnVisibility visibility, TrnFace a, TrnFace b)
{
    return trn_visibility_joins(visibility, a, b);
}

static const size_t struct_bytes[] = {
    sizeof(TrnAllocator),
    sizeof(TrnCoord),
    sizeof(TrnBox),
    sizeof(TrnVoxel),
    sizeof(TrnPosition),
    sizeof(TrnBlockBox),
    sizeof(TrnBlockModel),
    sizeof(TrnBlockType),
    sizeof(TrnBlockTypesProblem),
    sizeof(TrnPoolId),
    sizeof(TrnPoolDef),
    sizeof(TrnPoolStats),
    sizeof(TrnPlaneDef),
    sizeof(TrnChunkIndexDef),
    sizeof(TrnPlaneQuery),
    sizeof(TrnFrustum),
    sizeof(TrnChunkGather),
    sizeof(TrnChunkIndexStats),
    sizeof(TrnVoxels),
    sizeof(TrnSnapshot),
    sizeof(TrnBlockCount),
    sizeof(TrnVoxelHeapDef),
    sizeof(TrnVoxelHeapStats),
    sizeof(TrnVoxelEdit),
    sizeof(TrnBlockData),
    sizeof(TrnDataSink),
    sizeof(TrnChunk),
    sizeof(TrnStoreDef),
    sizeof(TrnVoxelData),
    sizeof(TrnCursorChunk),
    sizeof(TrnCursor),
    sizeof(TrnEventChunk),
    sizeof(TrnStoreEvent),
    sizeof(TrnStoreWatch),
    sizeof(TrnEviction),
    sizeof(TrnExplanation),
    sizeof(TrnStoreStats),
    sizeof(TrnBatchDef),
    sizeof(TrnBatchOutcome),
    sizeof(TrnPendingRun),
    sizeof(TrnEditsStats),
    sizeof(TrnOverlap),
    sizeof(TrnSweep),
    sizeof(TrnBodyDef),
    sizeof(TrnBody),
    sizeof(TrnBodyInput),
    sizeof(TrnPageFigures),
    sizeof(TrnDirectoryStep),
    sizeof(TrnDeltaBase),
    sizeof(TrnDeltaOutcome),
    sizeof(TrnGenerator),
    sizeof(TrnLight),
    sizeof(TrnStreamJob),
    sizeof(TrnStreamMesh),
    sizeof(TrnStreamMeshInput),
    sizeof(TrnStreamHooks),
    sizeof(TrnStreamLoadJob),
    sizeof(TrnStreamSource),
    sizeof(TrnStreamRunner),
    sizeof(TrnStreamEvent),
    sizeof(TrnStreamBudget),
    sizeof(TrnStreamDef),
    sizeof(TrnStreamAnchor),
    sizeof(TrnStreamView),
    sizeof(TrnStreamReport),
    sizeof(TrnStreamReadiness),
    sizeof(TrnStreamExplanation),
    sizeof(TrnStreamTimes),
    sizeof(TrnStreamStats),
    sizeof(TrnFarView),
    sizeof(TrnFarDef),
    sizeof(TrnFarLevelStats),
    sizeof(TrnFarStats),
    sizeof(TrnFeatures),
    sizeof(TrnFluidLiquid),
    sizeof(TrnFluidReaction),
    sizeof(TrnFluidDef),
    sizeof(TrnFluidOutcome),
    sizeof(TrnFluidStats),
    sizeof(TrnHistoryDef),
    sizeof(TrnHistoryStats),
    sizeof(TrnNoiseDef),
    sizeof(TrnNoiseLayer),
    sizeof(TrnNoise),
    sizeof(TrnNoiseGrid),
    sizeof(TrnRayDef),
    sizeof(TrnRayHit),
    sizeof(TrnRegistryDef),
    sizeof(TrnRegistry),
    sizeof(TrnSpatialArrayDef),
    sizeof(TrnSpatialArray),
    sizeof(TrnSpatialArrayStats),
    sizeof(TrnTerrainShape),
    sizeof(TrnTerrainDef),
    sizeof(TrnTerrainProblem),
    sizeof(TrnTerrainSample),
    sizeof(TrnTick),
    sizeof(TrnTicksDef),
    sizeof(TrnTicksOutcome),
    sizeof(TrnModelFace),
    sizeof(TrnMeshInput),
    sizeof(TrnMeshInfo),
    sizeof(TrnMesh),
    sizeof(TrnMeshVertex),
    sizeof(TrnStorageKey),
    sizeof(TrnStorageRow),
    sizeof(TrnStorageValue),
    sizeof(TrnStorageBatch),
    sizeof(TrnStorageRange),
    sizeof(TrnStorage),
    sizeof(TrnStorageProblem),
    sizeof(TrnStorageProgress),
    sizeof(TrnSaveDef),
    sizeof(TrnSaveFoldProgress),
    sizeof(TrnSaveEvent),
    sizeof(TrnSaveStats),
    sizeof(TrnRepairReport),
};

/// The size of a struct by its place in the binding's list; 0 past the last.
EXPORT size_t trnx_struct_bytes(size_t place);
size_t trnx_struct_bytes(size_t place)
{
    return place < sizeof struct_bytes / sizeof *struct_bytes ? struct_bytes[place] : 0;
}
