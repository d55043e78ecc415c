/// Private: the parts of a payload (terrane/private/payload.h) that no inline function of a public
/// header reads, and the heap's part of its header. For voxels alone; other parts read through
/// voxel_read_internal.h.
#ifndef TERRANE_VOXELS_VOXEL_PAYLOAD_INTERNAL_H
#define TERRANE_VOXELS_VOXEL_PAYLOAD_INTERNAL_H

#include <assert.h>

#include <terrane/voxels.h>

#include "base/retire.h"
#include "index/chunk_index_internal.h"

/// TrnPayload.code_version. A code (trn_voxels_code) is a payload with a palette.
#define TRN_VOXEL_CODE_VERSION 1

/// Returns the payload of a snapshot that is not uniform. Valid as long as the snapshot.
static inline const TrnPayload *trn_snapshot_payload(TrnSnapshot snapshot)
{
    return trn_word_payload(snapshot.word);
}

/// The content of TrnPayload.owner.
typedef struct TrnPayloadOwner {
    TrnRetireLink link;        ///< used once the payload is retired; readers ignore it
    struct TrnDataTable *data; ///< block data; NULL: none
    TrnPoolId slot;            ///< memory of the payload, in the pool of its size class
} TrnPayloadOwner;

static_assert(sizeof(TrnPayloadOwner) <= sizeof(uint64_t[5]), "the header holds the owner");

static inline TrnPayloadOwner *trn_payload_owner(TrnPayload *payload)
{
    return (TrnPayloadOwner *)(void *)payload->owner;
}

static inline const TrnPayloadOwner *trn_payload_owner_const(const TrnPayload *payload)
{
    return (const TrnPayloadOwner *)(const void *)payload->owner;
}

/// Returns the number of voxels of each palette entry.
/// @return [palette_count]; nothing with 16 bits
static inline const uint16_t *trn_payload_counts(const TrnPayload *payload)
{
    return trn_payload_palette(payload) + ((size_t)1 << payload->bits);
}

/// Returns the solid mask. @return [TRN_CHUNK_ROWS] rows
static inline const uint32_t *trn_payload_solid(const TrnPayload *payload)
{
    return (const uint32_t *)(const void *)((const unsigned char *)payload + payload->solid_at);
}

/// Returns the opaque mask.
/// @return [TRN_CHUNK_ROWS] rows; the address of trn_payload_solid if both masks are equal
static inline const uint32_t *trn_payload_opaque(const TrnPayload *payload)
{
    return (const uint32_t *)(const void *)((const unsigned char *)payload + payload->opaque_at);
}

#endif
