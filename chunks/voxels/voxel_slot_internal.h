/// Private: payload memory taken ahead for the stream. The writer takes slots, workers fill them
/// with codes, and the store links a filled slot to a new chunk.
#ifndef TERRANE_VOXELS_VOXEL_SLOT_INTERNAL_H
#define TERRANE_VOXELS_VOXEL_SLOT_INTERNAL_H

#include <terrane/voxels.h>

#include "pool/pool_internal.h"

/// Memory for one payload. All zeroes is no slot.
typedef struct TrnVoxelSlot {
    void *payload;       ///< NULL: no slot
    TrnPoolId id;        ///< in the heap's pool of its size class
    uint32_t size_class; ///< below TRN_VOXEL_CLASS_COUNT
    bool is_filled;      ///< trn_voxel_slot_fill has written it
} TrnVoxelSlot;

/// Takes memory for a payload without touching it. It counts as a payload.
/// @param size_class  below TRN_VOXEL_CLASS_COUNT
/// @param slot        receives the slot; return it with trn_voxel_slot_give if no chunk adopts it
/// Errors: BAD_ARGUMENT, NO_MEMORY, FULL (bytes_max); the heap does not trim to avoid them.
/// Threads: the writer. Cost: O(1).
TrnResult trn_voxel_slot_take(TrnVoxelHeap *heap, uint32_t size_class, TrnVoxelSlot *slot);

/// Allocates memory ahead if the next slot of a size class needs it: see trn_pool_prepare.
/// @param fresh  receives the memory
/// @return whether it has allocated any
/// Threads: the writer.
bool trn_voxel_slot_prepare(TrnVoxelHeap *heap, uint32_t size_class, TrnPoolFresh *fresh);

/// Returns a slot, filled or not, and zeroes it. Does nothing for no slot. Threads: the writer.
void trn_voxel_slot_give(TrnVoxelHeap *heap, TrnVoxelSlot *slot);

/// Returns the size class of the slot that a code needs, or TRN_VOXEL_CLASS_COUNT if it is no code.
/// Threads: any. Cost: O(1).
uint32_t trn_voxel_code_class(const void *code);

/// Writes a code into a slot.
/// @param code  from trn_voxels_code with this heap; only read
/// Errors: BAD_ARGUMENT (no slot, or of another class); nothing is written then.
/// Threads: any, each with its own slots, concurrently with all other calls of the heap.
/// Cost: one copy, 1 to 2 us, and page faults of memory that is touched for the first time.
TrnResult trn_voxel_slot_fill(const TrnVoxelHeap *heap, TrnVoxelSlot *slot, const void *code);

/// Gives the payload of a filled slot to a uniform chunk that no reader can find yet. Chunk and
/// slot share the payload then: either call trn_voxel_slot_forget, or drop the chunk without
/// releasing its voxels. Cannot fail. Cost: O(1).
void trn_voxels_adopt(TrnVoxels *voxels, const TrnVoxelSlot *slot, uint64_t revision);

/// Zeroes a slot whose payload now belongs to a chunk. Does nothing for no slot. Threads: the
/// writer. Cost: O(1).
void trn_voxel_slot_forget(TrnVoxelHeap *heap, TrnVoxelSlot *slot);

#endif
