// Where the parts of a payload lie: palette, counts, masks and voxels, by its size class. A code
// has the same layout, so changing it needs another TRN_VOXEL_CODE_VERSION.

#include "voxels/voxel_heap_impl.h"

size_t trn_payload_lay_out(TrnPayloadShape shape, TrnPayload *payload)
{
    const uint32_t bits = 1u << shape.bits_shift;
    size_t at = sizeof(TrnPayload);
    if (shape.bits_shift != TRN_BITS_SHIFT_PLAIN) {
        at += (sizeof(TrnBlock) + sizeof(uint16_t)) << bits;
    }
    at = (at + TRN_CACHE_LINE - 1) & ~(size_t)(TRN_CACHE_LINE - 1);
    payload->bits = (uint8_t)bits;
    payload->bits_shift = (uint8_t)shape.bits_shift;
    payload->size_class = (uint8_t)trn_shape_class(shape);
    payload->code_version = TRN_VOXEL_CODE_VERSION;
    payload->entry_mask = (uint16_t)((1u << bits) - 1);
    payload->solid_at = (uint16_t)at;
    at += shape.has_two_masks ? TRN_MASK_BYTES : 0;
    payload->opaque_at = (uint16_t)at;
    at += TRN_MASK_BYTES;
    payload->words_at = (uint16_t)at;
    return at + (size_t)TRN_CHUNK_VOXELS / 8 * bits;
}
