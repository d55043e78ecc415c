#include "world/world_mesh.h"

#include <stdlib.h>
#include <string.h>

/// After the quads follow the faces of models, and, if light varies, the light of each quad.
struct WorldMesh {
    TrnMeshInfo info;
    uint32_t model_count;
    TrnQuad quads[];
};

/// The buffers of a worker.
typedef struct WorkerBuffers {
    unsigned char *scratch; ///< [TRN_MESH_SCRATCH_BYTES]
    TrnQuad *quads;         ///< [WORLD_MESH_QUADS]
    TrnModelFace *models;   ///< [WORLD_MESH_FACES]
    uint32_t *light;        ///< [WORLD_MESH_QUADS]
} WorkerBuffers;

static WorkerBuffers world_mesh_worker_buffers(unsigned char *memory)
{
    TrnQuad *quads = (TrnQuad *)(void *)(memory + TRN_MESH_SCRATCH_BYTES);
    TrnModelFace *models = (TrnModelFace *)(void *)(quads + WORLD_MESH_QUADS);
    return (WorkerBuffers){memory, quads, models, (uint32_t *)(void *)(models + WORLD_MESH_FACES)};
}

/// Returns the faces of models, which follow the quads.
static TrnModelFace *world_mesh_models(WorldMesh *mesh)
{
    return (TrnModelFace *)(void *)(mesh->quads + trn_mesh_count(&mesh->info));
}

/// Returns the light, which follows the faces.
static uint32_t *world_mesh_light(WorldMesh *mesh)
{
    return (uint32_t *)(void *)(world_mesh_models(mesh) + mesh->model_count);
}

/// Fills in the quads. @param meshed  they are in the buffers; otherwise they did not fit
static TrnResult world_mesh_put_quads(const TrnMeshInput *input, const WorkerBuffers *buffers,
                                      bool meshed, bool is_lit, WorldMesh *made)
{
    const uint32_t count = trn_mesh_count(&made->info);
    if (!meshed) {
        return trn_mesh_quads(input, buffers->scratch, made->quads, world_mesh_light(made), count,
                              &made->info);
    }
    memcpy(made->quads, buffers->quads, count * sizeof *made->quads);
    if (is_lit) {
        memcpy(world_mesh_light(made), buffers->light, count * sizeof *buffers->light);
    }
    return TRN_RESULT_OK;
}

/// Fills in the faces of models, like world_mesh_put_quads.
static TrnResult world_mesh_put_models(const TrnMeshInput *input, const WorkerBuffers *buffers,
                                       WorldMesh *made)
{
    const uint32_t count = made->model_count;
    uint32_t found;
    if (count > WORLD_MESH_FACES) {
        return trn_mesh_models(input, buffers->scratch, world_mesh_models(made), count, &found);
    }
    memcpy(world_mesh_models(made), buffers->models, count * sizeof *buffers->models);
    return TRN_RESULT_OK;
}

/// Hashes all that a sink shows of a mesh. @param contents  the quads, faces and light
static uint64_t world_mesh_hash(const TrnStreamJob *job, const TrnMeshInfo *info,
                                const void *contents, size_t bytes)
{
    const uint32_t rest[] = {info->min[0], info->min[1], info->min[2], info->max[0],
                             info->max[1], info->max[2], info->light,  info->models};
    uint64_t hash = trn_stream_mesh_hash(job, info->first, sizeof info->first, 0);
    hash = trn_stream_mesh_hash(job, rest, sizeof rest, hash); // `info` has padding
    return bytes ? trn_stream_mesh_hash(job, contents, bytes, hash) : hash;
}

/// Creates a mesh of exact size.
/// @param info    of the quads
/// @param meshed  the quads are in the buffers; otherwise they did not fit
/// @param faces   number of model faces, in the buffers if they fit
static TrnResult world_mesh_make(const TrnStreamJob *job, const TrnMeshInput *input,
                                 const WorkerBuffers *buffers, const TrnMeshInfo *info, bool meshed,
                                 uint32_t faces, TrnStreamMesh *mesh)
{
    const uint32_t count = trn_mesh_count(info);
    const bool is_lit = !meshed || info->light == TRN_MESH_LIGHT_VARIES;
    const size_t bytes = sizeof(WorldMesh) + count * sizeof(TrnQuad) +
                         faces * sizeof(TrnModelFace) + (is_lit ? count * sizeof(uint32_t) : 0);
    if (!count && !faces) {
        mesh->hash = world_mesh_hash(job, info, NULL, 0);
        return TRN_RESULT_OK;
    }
    WorldMesh *made = malloc(bytes);
    if (!made) {
        return TRN_RESULT_NO_MEMORY;
    }
    made->info = *info;
    made->model_count = faces;
    if (world_mesh_put_models(input, buffers, made) != TRN_RESULT_OK ||
        world_mesh_put_quads(input, buffers, meshed, is_lit, made) != TRN_RESULT_OK) {
        free(made);
        return TRN_RESULT_BAD_ARGUMENT;
    }
    const bool has_light = made->info.light == TRN_MESH_LIGHT_VARIES;
    const size_t contents = count * sizeof(TrnQuad) + faces * sizeof(TrnModelFace) +
                            (has_light ? count * sizeof(uint32_t) : 0);
    *mesh = (TrnStreamMesh){made, bytes, world_mesh_hash(job, &made->info, made->quads, contents)};
    return TRN_RESULT_OK;
}

TrnResult world_mesh_create(const TrnStreamJob *job, const TrnMeshInput *input,
                            unsigned char *memory, TrnStreamMesh *mesh)
{
    const WorkerBuffers to = world_mesh_worker_buffers(memory);
    TrnMeshInfo info;
    uint32_t faces = 0;
    const TrnResult quads =
        trn_mesh_quads(input, to.scratch, to.quads, to.light, WORLD_MESH_QUADS, &info);
    TrnResult result = quads;
    if ((quads == TRN_RESULT_OK || quads == TRN_RESULT_FULL) && info.models) {
        result = trn_mesh_models(input, to.scratch, to.models, WORLD_MESH_FACES, &faces);
    }
    if (result != TRN_RESULT_OK && result != TRN_RESULT_FULL) {
        return result;
    }
    return world_mesh_make(job, input, &to, &info, quads == TRN_RESULT_OK, faces, mesh);
}

ChunkMesh world_mesh_view(WorldMesh *mesh)
{
    static const TrnMeshInfo nothing = {.light = 0};
    return mesh ? (ChunkMesh){mesh->quads, world_mesh_light(mesh), &mesh->info,
                              world_mesh_models(mesh), mesh->model_count}
                : (ChunkMesh){.info = &nothing};
}
