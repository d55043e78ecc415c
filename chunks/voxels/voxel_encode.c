// How payloads are made on the heap: from a draft, from blocks, as a copy, and in the least form.

#include <string.h>

#include "voxel_data_table_impl.h"
#include "voxel_draft.h"
#include "voxel_heap_impl.h"
#include "voxel_read_internal.h"

TrnResult trn_payload_write(TrnVoxelHeap *heap, const TrnDraft *draft, TrnPayload **payload)
{
    TrnResult result = trn_voxel_heap_take(heap, trn_draft_bytes(draft), payload);
    if (result == TRN_RESULT_OK) {
        trn_draft_write(draft, *payload);
    }
    return result;
}

TrnResult trn_payload_encode(TrnVoxelHeap *heap, const TrnBlock *blocks, uint64_t *word)
{
    const TrnDraftSetup setup = trn_heap_setup(heap);
    if (!trn_draft_coded(&heap->draft, &setup, blocks)) {
        trn_draft_plain(&heap->draft, &setup, blocks);
    } else if (heap->draft.palette.count == 1) {
        *word = trn_snapshot_of(blocks[0], 0).word;
        return TRN_RESULT_OK;
    }
    TrnPayload *payload;
    TrnResult result = trn_payload_write(heap, &heap->draft, &payload);
    if (result == TRN_RESULT_OK) {
        *word = (uintptr_t)payload;
    }
    return result;
}

void trn_voxel_code_copy(const TrnPayload *code, TrnPayload *payload)
{
    // The header's part of the heap is the first line, but for what follows.
    payload->line_count = code->line_count;
    payload->lut_ids = code->lut_ids;
    payload->fresh_ids = code->fresh_ids;
    payload->palette_lut = code->palette_lut;
    payload->palette_count = code->palette_count;
    memcpy((unsigned char *)payload + TRN_CACHE_LINE, (const unsigned char *)code + TRN_CACHE_LINE,
           trn_payload_bytes(code) - TRN_CACHE_LINE);
}

TrnResult trn_payload_copy(TrnVoxelHeap *heap, const TrnPayload *from, TrnPayload **to)
{
    const size_t bytes = trn_payload_bytes(from);
    TrnResult result = trn_voxel_heap_take(heap, bytes, to);
    if (result == TRN_RESULT_OK) {
        trn_voxel_code_copy(from, *to);
        (*to)->revision = from->revision;
    }
    return result;
}

size_t trn_snapshot_copy_bytes(TrnSnapshot snapshot)
{
    return trn_snapshot_is_uniform(snapshot) ? 0
                                             : trn_payload_bytes(trn_snapshot_payload(snapshot));
}

TrnSnapshot trn_snapshot_copy(TrnSnapshot snapshot, void *memory)
{
    if (trn_snapshot_is_uniform(snapshot)) {
        return trn_snapshot_of(trn_snapshot_uniform(snapshot), 0);
    }
    const TrnPayload *from = trn_snapshot_payload(snapshot);
    TrnPayload *copy = memory;
    memset(copy, 0, TRN_CACHE_LINE);
    trn_voxel_code_copy(from, copy);
    copy->kernels = from->kernels;
    return (TrnSnapshot){(uintptr_t)copy};
}

bool trn_payload_is_uniform(const TrnPayload *payload, TrnBlock *block)
{
    const TrnBlock *luts = trn_payload_luts(payload);
    for (uint32_t h = 0; h < TRN_CHUNK_HALVES; h++) {
        const TrnHalf half = payload->half[h];
        if (half.bits || luts[(size_t)half.lut * TRN_LUT_STEP] !=
                             luts[(size_t)payload->half[0].lut * TRN_LUT_STEP]) {
            return false;
        }
    }
    *block = luts[(size_t)payload->half[0].lut * TRN_LUT_STEP];
    return true;
}

TrnResult trn_payload_least(TrnVoxelHeap *heap, const TrnPayload *from, uint64_t *word)
{
    const TrnDraftUnits none = {0, NULL};
    const TrnDraftSetup setup = trn_heap_setup(heap);
    TrnPayload *to;
    trn_draft_all(&heap->draft, &setup, from, none);
    TrnResult result = trn_payload_write(heap, &heap->draft, &to);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    TrnBlock block;
    to->revision = from->revision;
    if (!trn_payload_data(from) && trn_payload_is_uniform(to, &block)) {
        trn_voxel_heap_give(heap, to);
        *word = trn_snapshot_of(block, from->revision).word;
        return TRN_RESULT_OK;
    }
    if (trn_payload_data(from)) {
        trn_payload_set_data(to, trn_payload_data(from));
    }
    *word = (uintptr_t)to;
    return TRN_RESULT_OK;
}
