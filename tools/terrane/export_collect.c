#include "export_collect.h"

#include <terrane/mesher.h>

#include "interrupt.h"
#include "progress.h"

/// Bytes of a quad in a glTF: four vertices and six indices.
#define QUAD_BYTES (4 * EXPORT_VERTEX_BYTES_MAX + 6 * 4)

typedef struct ExportJob {
    ExportMesh *mesh;
    ExportSlabs *slabs;
    TrnMeshInput input;
    void *scratch;
    TrnMesh chunk;       ///< of the current chunk
    int64_t done, total; ///< chunks
    Progress progress;
    Message *problem;
} ExportJob;

static bool refuse_result(TrnResult result, Message *problem)
{
    return message_set(problem, "Cannot export the land: %s", trn_result_text(result));
}

/// Reports the estimated size, from the part that is done.
static bool refuse_quads(const ExportJob *job)
{
    const double max = (double)job->mesh->quads_max;
    const double all = max * (double)job->total / (double)(job->done + 1);
    const double mega = 1e6, giga = 1e9;
    return message_set(job->problem,
                       "This land would come to about %.1f million faces (%.2f GB), and at most "
                       "%.1f million (%.2f GB) can be exported at once; make the box smaller.",
                       all / mega, all * QUAD_BYTES / giga, max / mega, max * QUAD_BYTES / giga);
}

static bool mesh_chunk(ExportJob *job, TrnCoord coord)
{
    export_slabs_around(job->slabs, coord, &job->input);
    TrnResult result = trn_mesh_build(&job->chunk, &job->input, job->scratch);
    if (result == TRN_RESULT_OK) {
        result = export_mesh_add(job->mesh, coord, &job->chunk);
    }
    if (result == TRN_RESULT_OK) {
        job->done++;
        progress_step(&job->progress);
        return true;
    }
    return result == TRN_RESULT_FULL ? refuse_quads(job) : refuse_result(result, job->problem);
}

static bool load_chunk(ExportJob *job, TrnCoord coord)
{
    const TrnResult result = export_slabs_load(job->slabs, coord);
    if (result != TRN_RESULT_OK) {
        return refuse_result(result, job->problem);
    }
    return !interrupt_came() || message_set(job->problem, "Interrupted; nothing was written.");
}

/// Loads the chunks of a slab column by column, which generators do fastest.
static bool for_slab(ExportJob *job, int64_t z, bool (*act)(ExportJob *job, TrnCoord coord))
{
    const TrnBox chunks = job->mesh->chunks;
    for (int64_t x = chunks.min.x; x <= chunks.max.x; x++) {
        for (int64_t y = chunks.min.y; y <= chunks.max.y; y++) {
            const TrnCoord coord = {(int32_t)x, (int32_t)y, (int32_t)z};
            if (!act(job, coord)) {
                return false;
            }
        }
    }
    return true;
}

/// Meshes each slab once the slab behind it is loaded.
static bool collect_slabs(ExportJob *job)
{
    const TrnBox chunks = job->mesh->chunks;
    for (int64_t z = chunks.min.z; z <= chunks.max.z; z++) {
        if (!for_slab(job, z, load_chunk) ||
            (z > chunks.min.z && !for_slab(job, z - 1, mesh_chunk))) {
            return false;
        }
    }
    return for_slab(job, chunks.max.z, mesh_chunk);
}

static int64_t count_chunks(TrnBox chunks)
{
    return ((int64_t)chunks.max.x - chunks.min.x + 1) * ((int64_t)chunks.max.y - chunks.min.y + 1) *
           ((int64_t)chunks.max.z - chunks.min.z + 1);
}

static bool finish_mesh(const ExportJob *job)
{
    if (job->mesh->count == 0) {
        return message_set(job->problem, "There is nothing in this box but air; move it, or make "
                                         "it larger.");
    }
    const TrnResult result = export_mesh_finish(job->mesh);
    return result == TRN_RESULT_OK || refuse_result(result, job->problem);
}

bool export_collect(ExportMesh *mesh, TrnGenerator generator, Message *problem)
{
    ExportJob job = {.mesh = mesh, .problem = problem};
    job.input.types = trn_block_types_all(mesh->types, &job.input.type_count);
    job.input.without_ao = !mesh->has_ao;
    trn_mesh_init(&job.chunk, NULL);
    job.scratch = trn_aligned_alloc(TRN_MESH_SCRATCH_BYTES, 64);
    TrnResult result = export_slabs_create(&job.slabs, &mesh->box, mesh->types, generator);
    if (result == TRN_RESULT_OK && !job.scratch) {
        result = TRN_RESULT_NO_MEMORY;
    }
    bool good = result == TRN_RESULT_OK || refuse_result(result, problem);
    if (good) {
        job.total = count_chunks(mesh->chunks);
        job.progress = progress_start(stderr, "terrane export", job.total);
        good = collect_slabs(&job) && finish_mesh(&job);
        progress_end(&job.progress);
    }
    export_slabs_destroy(job.slabs);
    trn_mesh_free(&job.chunk);
    trn_aligned_free(job.scratch);
    return good;
}
