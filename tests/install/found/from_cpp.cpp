// Every public header, included from C++17 and used: one grass block in the air shows six quads.

#include <cstdio>

#include <terrane/base.h>
#include <terrane/batch.h>
#include <terrane/block_types.h>
#include <terrane/body.h>
#include <terrane/chunk_index.h>
#include <terrane/coord.h>
#include <terrane/generator.h>
#include <terrane/mesh_vertices.h>
#include <terrane/mesher.h>
#include <terrane/noise.h>
#include <terrane/pool.h>
#include <terrane/raycast.h>
#include <terrane/registry.h>
#include <terrane/spatial_array.h>
#include <terrane/store.h>
#include <terrane/stream.h>
#include <terrane/terrain.h>
#include <terrane/visibility.h>
#include <terrane/voxels.h>

int main()
{
    TrnStore *store = nullptr;
    if (trn_store_create(nullptr, &store) != TRN_RESULT_OK ||
        trn_store_insert_uniform(store, TrnCoord{0, 0, 0}, TRN_BLOCK_AIR, nullptr) !=
            TRN_RESULT_OK ||
        trn_store_set_block(store, TrnVoxel{5, 6, 7}, TRN_BLOCK_GRASS, nullptr) != TRN_RESULT_OK) {
        return 1;
    }
    TrnMeshInput input{};
    input.present = trn_store_snapshot_around(store, TrnCoord{0, 0, 0}, input.around);
    input.types = trn_block_types_all(trn_store_block_types(store), &input.type_count);
    void *const scratch = trn_aligned_alloc(TRN_MESH_SCRATCH_BYTES, 64);
    TrnMesh mesh;
    trn_mesh_init(&mesh, nullptr);
    if (trn_mesh_build(&mesh, &input, scratch) != TRN_RESULT_OK) {
        return 1;
    }
    const TrnVisibility visibility = trn_visibility_of_snapshot(
        input.around[TRN_AROUND_CENTRE], trn_block_types_opaque_bits(trn_store_block_types(store)));
    const uint32_t vertices = trn_mesh_vertex_count(&mesh.info, 0, TRN_MESH_GROUP_COUNT);
    if (visibility != TRN_VISIBILITY_ALL || vertices != 4 * trn_mesh_count(&mesh.info)) {
        return 1;
    }
    std::printf("Terrane %s: %u quads\n", trn_version(), trn_mesh_count(&mesh.info));
    trn_mesh_free(&mesh);
    trn_aligned_free(scratch);
    trn_store_destroy(store);
    return 0;
}
