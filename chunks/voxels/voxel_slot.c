// Payload memory taken ahead: between the writer, which takes and links it, and the workers, which
// fill it.

#include "voxel_slot_internal.h"

#include <assert.h>
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
    trn_voxel_heap_count(heap, size_class, true);
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
        trn_voxel_heap_count(heap, slot->size_class, false);
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
    trn_voxel_heap_init_payload(heap, slot->size_class, slot->id, payload);
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
    _Alignas(TRN_CACHE_LINE) unsigned char lines[TRN_DRAFT_LINES_CODED * TRN_CACHE_LINE];
    TrnDraft draft;
    const TrnDraftSetup setup = {heap->kernels, heap->solid_bits, heap->opaque_bits, entry_of, true,
                                 lines};
    if (!trn_draft_coded(&draft, &setup, blocks)) {
        return TRN_VOXEL_CODE_BLOCKS;
    }
    if (draft.palette.count == 1) {
        return TRN_VOXEL_CODE_UNIFORM;
    }
    TrnPayload *code = (TrnPayload *)(void *)blocks;
    memset(code, 0, TRN_CACHE_LINE);
    code->code_version = TRN_VOXEL_CODE_VERSION;
    trn_draft_write(&draft, code);
    return TRN_VOXEL_CODE_CODED;
}

/// Whether a half-layer of a code stays inside it. @param first  line of its half-layers
static bool voxel_code_has_half(const TrnPayload *code, uint32_t h, uint32_t first)
{
    const TrnHalf half = code->half[h];
    const uint32_t end = code->line_count, bits = half.bits;
    const uint32_t lut_end = half.lut * TRN_LUT_STEP + (1u << bits % 16);
    const bool by_palette = code->by_palette >> h & 1;
    return (bits == 0 || bits == 1 || bits == 2 || bits == 4 || bits == 8) &&
           (by_palette ? half.lut == code->palette_lut : lut_end <= code->lut_ids) &&
           (bits == 0 ? half.fields == 1 : half.fields >= first && half.fields + bits <= end) &&
           (half.solid < TRN_LINES_SHARED || (half.solid >= first && half.solid < end)) &&
           (half.opaque < TRN_LINES_SHARED || (half.opaque >= first && half.opaque < end));
}

/// Whether nothing in a code's header and lists leads out of it.
static bool voxel_code_is_valid(const TrnPayload *code)
{
    const size_t bytes = sizeof *code + (size_t)code->lut_ids * (sizeof(TrnBlock) + 1);
    const uint32_t first = (uint32_t)((bytes + TRN_CACHE_LINE - 1) / TRN_CACHE_LINE);
    bool is_valid =
        code->code_version == TRN_VOXEL_CODE_VERSION && code->palette_count >= 2 &&
        code->palette_count <= TRN_PALETTE_MAX && code->lut_ids <= TRN_LUT_IDS_MAX &&
        code->palette_lut <= TRN_LUT_STEPS_MAX &&
        (uint32_t)code->palette_lut * TRN_LUT_STEP + code->palette_count <= code->lut_ids &&
        code->line_count >= first && code->line_count <= first + TRN_DRAFT_LINES_CODED;
    for (uint32_t h = 0; is_valid && h < TRN_CHUNK_HALVES; h++) {
        is_valid = voxel_code_has_half(code, h, first);
    }
    return is_valid;
}

uint32_t trn_voxel_code_class(const void *code)
{
    return voxel_code_is_valid(code) ? trn_bytes_class(trn_payload_bytes(code))
                                     : TRN_VOXEL_CLASS_COUNT;
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
    TrnResult result = trn_payload_copy(heap, from, &payload);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    payload->revision = revision & TRN_REVISION_MAX;
    trn_voxels_publish(heap, voxels, (uintptr_t)payload);
    return TRN_RESULT_OK;
}
