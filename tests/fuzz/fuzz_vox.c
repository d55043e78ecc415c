/// Models of MagicaVoxel: each voxel of a scene is in one chunk, and its colour is marked as used.
#include "fuzz.h"
#include "import/vox_scene.h"

static void check_chunk(const TrnVoxScene *scene, const TrnVoxChunk *chunk)
{
    FUZZ_REQUIRE((uint64_t)chunk->first + chunk->count <= scene->voxels.count);
    for (uint32_t i = 0; i < chunk->count; i++) {
        const uint32_t voxel = scene->voxels.items[chunk->first + i];
        FUZZ_REQUIRE((voxel & 0xFFFF) < TRN_CHUNK_VOXELS);
        FUZZ_REQUIRE(voxel >> 16 < TRN_VOX_COLOURS && scene->is_used[voxel >> 16]);
    }
}

int fuzz_vox(const uint8_t *bytes, size_t size);

int fuzz_vox(const uint8_t *bytes, size_t size)
{
    const TrnAllocator allocator = trn_allocator_default();
    const TrnVoxel offset = {1, -40, 1000000};
    const char *fault = NULL;
    TrnVoxScene scene;
    uint64_t voxels = 0;
    const TrnResult result = trn_vox_scene_read(&scene, bytes, size, offset, &allocator, &fault);
    FUZZ_REQUIRE(result == TRN_RESULT_OK || (result == TRN_RESULT_CORRUPT && fault && *fault));
    if (result != TRN_RESULT_OK) {
        return 0;
    }
    for (uint32_t i = 0; i < scene.chunks.count; i++) {
        check_chunk(&scene, &scene.chunks.items[i]);
        voxels += scene.chunks.items[i].count;
    }
    FUZZ_REQUIRE(voxels == scene.voxels.count);
    trn_vox_scene_free(&scene);
    return 0;
}
