// Payload memory taken ahead: between the writer, which takes and links it, and the workers, which
// fill it.

#include "voxel_slot_internal.h"

#include <string.h>

#include "voxel_heap_impl.h"
#include "voxels_internal.h"

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

// ---- codes --------------------------------------------------------------------------------------

TrnVoxelCode trn_voxels_code(const TrnVoxelHeap *heap, TrnBlock *blocks)
{
    _Alignas(TRN_CACHE_LINE) uint8_t entry_of[UINT16_MAX + 1];
    _Alignas(TRN_CACHE_LINE) uint8_t entries[TRN_CHUNK_VOXELS];
    TrnVoxelIndexing indexing;
    trn_voxel_indexing_begin(&indexing, entry_of, true);
    if (!heap->kernels->index(blocks, TRN_CHUNK_ROWS, &indexing, entries)) {
        return TRN_VOXEL_CODE_BLOCKS;
    }
    if (indexing.count == 1) {
        return TRN_VOXEL_CODE_UNIFORM;
    }
    TrnPayload *payload = (TrnPayload *)(void *)blocks;
    *payload = (TrnPayload){0};
    (void)trn_payload_lay_out(trn_payload_shape_for(heap, &indexing), payload);
    memset(payload + 1, 0, payload->solid_at - sizeof *payload);
    trn_payload_put_entries(heap, &indexing, entries, payload);
    trn_payload_mask_entries(heap, entries, payload);
    return TRN_VOXEL_CODE_CODED;
}

/// Whether the header of a code is valid.
static bool voxel_code_is_valid(const TrnPayload *code)
{
    if (code->code_version != TRN_VOXEL_CODE_VERSION || code->bits_shift >= TRN_BITS_SHIFT_PLAIN ||
        code->palette_count < 2) {
        return false;
    }
    TrnPayload layout = {0};
    (void)trn_payload_lay_out(trn_payload_shape(code), &layout);
    return layout.solid_at == code->solid_at && layout.opaque_at == code->opaque_at &&
           layout.words_at == code->words_at && layout.bits == code->bits &&
           code->palette_count <= 1u << code->bits;
}

uint32_t trn_voxel_code_class(const void *code)
{
    return voxel_code_is_valid(code) ? trn_shape_class(trn_payload_shape(code))
                                     : TRN_VOXEL_CLASS_COUNT;
}

void trn_voxel_code_copy(const TrnPayload *code, TrnPayload *payload)
{
    const size_t bytes = code->words_at + (size_t)TRN_CHUNK_VOXELS / 8 * code->bits;
    memcpy(payload + 1, code + 1, bytes - sizeof *payload);
    payload->palette_count = code->palette_count;
}

TrnSnapshot trn_voxel_code_snapshot(const TrnVoxelHeap *heap, void *code)
{
    ((TrnPayload *)code)->kernels = heap->kernels_row;
    return (TrnSnapshot){(uintptr_t)code};
}

TrnResult trn_voxels_decode(TrnVoxelHeap *heap, TrnVoxels *voxels, const void *code,
                            uint64_t revision)
{
    const TrnPayload *from = code;
    if (!voxel_code_is_valid(from)) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    TrnPayload *payload;
    TrnResult result = trn_voxel_heap_take(heap, trn_payload_shape(from), &payload);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    trn_voxel_code_copy(from, payload);
    payload->revision = revision & TRN_REVISION_MAX;
    trn_voxels_publish(heap, voxels, (uintptr_t)payload);
    return TRN_RESULT_OK;
}
