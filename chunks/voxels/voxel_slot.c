// Payload memory taken ahead: between the writer, which takes and links it, and the workers, which
// fill it.

#include "voxel_slot_internal.h"

#include "voxel_heap_impl.h"

TrnResult trn_voxel_slot_take(TrnVoxelHeap *heap, uint32_t size_class, TrnVoxelSlot *slot)
{
    if (size_class >= TRN_VOXEL_CLASS_COUNT) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    TrnPoolId id;
    void *memory;
    heap->is_refused = false;
    const TrnResult result = trn_pool_alloc(heap->pools[size_class], &id, &memory);
    if (result != TRN_RESULT_OK) {
        return trn_voxel_heap_is_capped(heap) ? TRN_RESULT_FULL : result;
    }
    *slot = (TrnVoxelSlot){.payload = memory, .id = id, .size_class = size_class};
    heap->slots++;
    return TRN_RESULT_OK;
}

bool trn_voxel_slot_prepare(TrnVoxelHeap *heap, uint32_t size_class, TrnPoolFresh *fresh)
{
    return trn_pool_prepare(heap->pools[size_class], 1, fresh);
}

void trn_voxel_slot_give(TrnVoxelHeap *heap, TrnVoxelSlot *slot)
{
    if (slot->payload) {
        TrnResult result = trn_pool_free(heap->pools[slot->size_class], slot->id);
        TRN_ASSERT(result == TRN_RESULT_OK);
        (void)result;
        trn_voxel_slot_forget(heap, slot);
    }
}

void trn_voxel_slot_forget(TrnVoxelHeap *heap, TrnVoxelSlot *slot)
{
    heap->slots -= slot->payload != NULL;
    *slot = (TrnVoxelSlot){0};
}

TrnResult trn_voxel_slot_fill(const TrnVoxelHeap *heap, TrnVoxelSlot *slot, const void *code)
{
    if (!slot->payload || trn_voxel_code_class(code) != slot->size_class) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    TrnPayload *payload = slot->payload;
    trn_voxel_heap_init_payload(heap, trn_payload_shape(code), slot->id, payload);
    trn_voxel_code_copy(code, payload);
    slot->is_filled = true;
    return TRN_RESULT_OK;
}

void trn_voxels_adopt(TrnVoxels *voxels, const TrnVoxelSlot *slot, uint64_t revision)
{
    TrnPayload *payload = slot->payload;
    payload->revision = revision & TRN_REVISION_MAX;
    __atomic_store_n(&voxels->word, (uintptr_t)payload, __ATOMIC_RELEASE);
}
