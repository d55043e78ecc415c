// Whole chunks: encoded, filled, compacted and released.

#include <terrane/voxels.h>

#include "pool/pool_internal.h"
#include "voxel_heap_impl.h"
#include "voxels_internal.h"

TrnResult trn_voxels_encode(TrnVoxelHeap *heap, TrnVoxels *voxels, const TrnBlock *blocks,
                            uint64_t revision)
{
    TrnSnapshot made;
    TrnResult result = trn_payload_encode(heap, blocks, &made.word);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    if (trn_snapshot_is_uniform(made)) {
        made = trn_snapshot_of(trn_snapshot_uniform(made), revision);
    } else {
        TrnPayload *payload = (TrnPayload *)(uintptr_t)made.word;
        payload->revision = revision & TRN_REVISION_MAX;
    }
    trn_voxels_publish(heap, voxels, made.word);
    return TRN_RESULT_OK;
}

void trn_voxels_fill(TrnVoxelHeap *heap, TrnVoxels *voxels, TrnBlock block, uint64_t revision)
{
    trn_voxels_publish(heap, voxels, trn_snapshot_of(block, revision).word);
}

void trn_voxels_omit(TrnVoxelHeap *heap, TrnVoxels *voxels)
{
    const uint64_t revision = trn_snapshot_revision(trn_voxels_snapshot(voxels));
    const TrnSnapshot air = trn_snapshot_of(TRN_BLOCK_AIR, revision);
    trn_voxels_publish(heap, voxels, air.word | TRN_SNAPSHOT_OMITTED);
}

void trn_voxels_prefetch_block(const TrnVoxelHeap *heap, TrnSnapshot voxels)
{
    if (!trn_snapshot_is_uniform(voxels)) {
        const TrnPayload *payload = trn_snapshot_payload(voxels);
        trn_pool_prefetch_block(heap->pools[payload->size_class],
                                trn_payload_owner_const(payload)->slot.index1 - 1);
    }
}

void trn_voxels_prefetch_release(const TrnVoxelHeap *heap, TrnSnapshot voxels)
{
    if (!trn_snapshot_is_uniform(voxels)) {
        const TrnPayload *payload = trn_snapshot_payload(voxels);
        trn_pool_prefetch(heap->pools[payload->size_class],
                          trn_payload_owner_const(payload)->slot.index1 - 1);
    }
}

void trn_voxels_release(TrnVoxelHeap *heap, const TrnVoxels *voxels, TrnRetireList *list)
{
    trn_voxel_heap_retire(heap, trn_voxels_snapshot(voxels), list);
}

void trn_voxels_discard(TrnVoxelHeap *heap, TrnVoxels *voxels)
{
    const TrnSnapshot now = trn_voxels_snapshot(voxels);
    if (!trn_snapshot_is_uniform(now)) {
        trn_voxel_heap_give(heap, (TrnPayload *)(uintptr_t)now.word);
    }
    *voxels = (TrnVoxels){0};
}

TrnResult trn_voxels_compact(TrnVoxelHeap *heap, TrnVoxels *voxels)
{
    const TrnSnapshot now = trn_voxels_snapshot(voxels);
    if (trn_snapshot_is_uniform(now)) {
        return TRN_RESULT_OK;
    }
    uint64_t word;
    TrnResult result = trn_payload_least(heap, trn_snapshot_payload(now), &word);
    if (result == TRN_RESULT_OK) {
        trn_voxels_publish(heap, voxels, word);
    }
    return result;
}
