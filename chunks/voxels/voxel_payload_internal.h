/// Private: the heap's part of a payload's header (TrnPayload.owner). The mesher's assertions read
/// it to detect payloads that were freed while they were read.
#ifndef TERRANE_VOXELS_VOXEL_PAYLOAD_INTERNAL_H
#define TERRANE_VOXELS_VOXEL_PAYLOAD_INTERNAL_H

#include <assert.h>

#include <terrane/voxels.h>

#include "base/retire.h"
#include "index/chunk_index_internal.h"

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

#endif
