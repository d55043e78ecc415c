/// Terrane, deltas: what changed in a part of the world, as bytes for a game's own network.
///
///     // Server, on a reader's or the writer's thread, every 50 ms:
///     count = trn_delta_base(store, box, base, CAPACITY); // once, in a read section
///     ...                                                 // the world changes; the section stays
///     size = trn_delta_write(store, box, base, count, bytes, BYTES);
///     // Client:
///     result = trn_delta_apply(its_store, bytes, size, NULL);
///
/// A delta lists chunks that were inserted, changed or removed since the base. Of a changed chunk
/// it has only the voxels and the block data that differ: one voxel takes some 15 bytes. Bytes are
/// not compressed: zstd makes whole chunks ten times as small. docs/deltas.md describes the format.
///
/// The receiver must hold the chunks of the base, with the base's voxels where they have changed.
/// A delta has no checksum; networks have their own.
///
/// Tier: experimental.
#ifndef TERRANE_DELTA_H
#define TERRANE_DELTA_H

#include <terrane/store.h>

TRN_C_BEGIN

/// The most chunks that a delta's box may hold, loaded or not.
#define TRN_DELTA_BOX_MAX (1u << 20)

/// A chunk of a base: its voxels and block data at one moment.
typedef struct TrnDeltaBase {
    TrnCoord coord;       ///< its place
    TrnSnapshot snapshot; ///< valid as any snapshot (terrane/voxels.h)
} TrnDeltaBase;

/// Takes a base: a snapshot of every loaded chunk of a box.
/// @param box   at most TRN_DELTA_BOX_MAX chunks
/// @param base  [capacity] receives it: x fastest, then z, then y; caller owns
/// @return how many chunks of the box are loaded; only the first `capacity` are written; 0 also for
/// an empty or too large box
/// Threads: any, inside a read section that stays open as long as the base is used. Such a section
/// delays the reclaim of memory that is replaced meanwhile, so keep it for a fraction of a second.
/// Cost: O(chunks of the box).
TRN_API size_t trn_delta_base(const TrnStore *store, TrnBox box, TrnDeltaBase *base,
                              size_t capacity);

/// Writes what differs between a base and the store.
/// @param box    that of the base
/// @param base   [count] from trn_delta_base
/// @param bytes  [capacity] receives the delta; caller owns; may be NULL if capacity is 0
/// @return the size of the whole delta: at least 2. If it is more than `capacity`, `bytes` has its
/// beginning alone. 0 if an argument is bad: the box is empty or too large, or the base is not in
/// the order of trn_delta_base or has chunks outside the box
/// Threads: any, inside the base's read section. Concurrently with the writer: of each chunk what
/// it holds at one moment. Needs TRN_STACK_BYTES of stack; no allocation.
/// Cost: O(chunks of the box), a comparison of snapshots for each that has changed, and O(runs of
/// voxels that differ).
TRN_API size_t trn_delta_write(const TrnStore *store, TrnBox box, const TrnDeltaBase *base,
                               size_t count, void *bytes, size_t capacity);

/// What a delta did.
typedef struct TrnDeltaOutcome {
    uint64_t revision; ///< of the store afterwards
    uint32_t inserted; ///< chunks
    uint32_t changed;  ///< loaded chunks that the delta has voxels or data of
    uint32_t removed;  ///< chunks
} TrnDeltaOutcome;

/// Applies a delta: inserts whole chunks or replaces them where they are loaded, writes what
/// changed as one batch, and removes chunks. Chunks to remove that are not loaded are skipped.
/// @param bytes    [size] any bytes are safe: they are checked before anything is changed
/// @param outcome  receives what the delta did; may be NULL; untouched on failure
/// Errors: BAD_ARGUMENT; CORRUPT (no delta, or of another version); NOT_FOUND (a changed chunk is
/// not loaded: ask the sender for whole chunks, with an empty base); BUSY, NO_MEMORY, FULL, READERS
/// as of batches and inserts. The store is then as it was, but for chunks whose removal failed:
/// everything else of the delta is applied then, and applying it again removes them.
/// Threads: the writer's. Needs TRN_STACK_BYTES of stack.
/// Cost: O(size), and that of the inserts and the batch.
TRN_API TrnResult trn_delta_apply(TrnStore *store, const void *bytes, size_t size,
                                  TrnDeltaOutcome *outcome);

TRN_C_END
#endif
