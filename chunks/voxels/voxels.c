#include <terrane/voxels.h>

#include <string.h>

#include "base/memory.h"

#define PAYLOAD_BYTES sizeof(TrnBlock[TRN_CHUNK_VOXELS])

TrnResult trn_voxels_pool_create(uint32_t payload_max, const TrnAllocator *allocator,
                                 TrnPool **pool)
{
    TrnPoolDef def = trn_pool_def(PAYLOAD_BYTES);
    def.slot_alignment = TRN_CACHE_LINE;
    def.slot_max = payload_max;
    def.block_slots =
        16; // 1 MiB: few enough calls of the allocator, little enough left over in a small world
    def.allocator = allocator;
    return trn_pool_create(&def, pool);
}

/// The payload for writing. It is the pool's memory; only readers see it as const.
static TrnBlock *payload_of(const TrnVoxels *voxels, TrnPool *pool)
{
    return trn_pool_get(pool, voxels->payload);
}

static void fill_payload(TrnBlock *blocks, TrnBlock block)
{
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        blocks[i] = block;
    }
}

/// Gives a uniform chunk a payload, contents undefined. On failure the chunk is as it was.
static TrnResult take_payload(TrnVoxels *voxels, TrnPool *pool, TrnBlock **blocks)
{
    void *slot;
    TrnPoolId id;
    TrnResult result = trn_pool_alloc(pool, &id, &slot);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    voxels->payload = id;
    voxels->blocks = *blocks = slot;
    return TRN_RESULT_OK;
}

TrnResult trn_voxels_set(TrnVoxels *voxels, TrnPool *pool, uint32_t index, TrnBlock block)
{
    if (index >= TRN_CHUNK_VOXELS) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    if (voxels->blocks) {
        payload_of(voxels, pool)[index] = block;
        return TRN_RESULT_OK;
    }
    if (block == voxels->uniform) {
        return TRN_RESULT_OK;
    }
    TrnBlock *blocks;
    TrnResult result = take_payload(voxels, pool, &blocks);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    fill_payload(blocks, voxels->uniform);
    blocks[index] = block;
    return TRN_RESULT_OK;
}

void trn_voxels_fill(TrnVoxels *voxels, TrnPool *pool, TrnBlock block)
{
    if (voxels->blocks) {
        trn_pool_free(pool, voxels->payload);
    }
    *voxels = (TrnVoxels){.uniform = block};
}

/// Whether all blocks are the first one. Leaves at the first difference, which in terrain comes early.
static bool blocks_are_one(const TrnBlock *blocks)
{
    // Each block equals its successor: one comparison of the whole with itself, shifted by one.
    return memcmp(blocks, blocks + 1, PAYLOAD_BYTES - sizeof *blocks) == 0;
}

TrnResult trn_voxels_encode(TrnVoxels *voxels, TrnPool *pool, const TrnBlock *blocks)
{
    if (blocks_are_one(blocks)) {
        trn_voxels_fill(voxels, pool, blocks[0]);
        return TRN_RESULT_OK;
    }
    TrnBlock *payload = NULL;
    if (voxels->blocks) {
        payload = payload_of(voxels, pool);
    } else {
        TrnResult result = take_payload(voxels, pool, &payload);
        if (result != TRN_RESULT_OK) {
            return result;
        }
    }
    memmove(payload, blocks, PAYLOAD_BYTES); // `blocks` may be this very payload
    return TRN_RESULT_OK;
}

void trn_voxels_decode(const TrnVoxels *voxels, TrnBlock *blocks)
{
    if (voxels->blocks) {
        memcpy(blocks, voxels->blocks, PAYLOAD_BYTES);
    } else {
        fill_payload(blocks, voxels->uniform);
    }
}

void trn_voxels_compact(TrnVoxels *voxels, TrnPool *pool)
{
    if (voxels->blocks && blocks_are_one(voxels->blocks)) {
        trn_voxels_fill(voxels, pool, voxels->blocks[0]);
    }
}
