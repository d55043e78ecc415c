/// Terrane, voxels: the 32 x 32 x 32 blocks of one chunk, in as few bits as they need.
///
/// A chunk of a single block is uniform and takes no memory beyond one word. Any other chunk holds
/// a payload: 64 half-layers of 16 rows, each with 0, 1, 2, 4, 8 or 16 bits a voxel for the blocks
/// that occur in it, and with masks of one bit a voxel, solid and opaque, where it is mixed. Edits
/// change the width of a half-layer as needed. The memory layout of a payload is private; read it
/// through the functions below.
///
/// A published payload is never written (copy-on-write). An edit works on a private copy. Its
/// commit publishes the copy with one atomic store and retires the old payload. A snapshot is one
/// atomic load and stays valid until its reader ends the read section.
///
/// Threads: one thread at a time writes to a heap and its chunks (heap, encode, fill, compact,
/// edits). Any number of threads read concurrently: trn_voxels_snapshot and all trn_snapshot_
/// functions, inside a read section of the heap's index (trn_chunk_index_read_begin / _end). The
/// writer thread needs no section: its snapshots are valid until it changes, compacts or removes
/// that chunk.
///
/// Tier: stable.
#ifndef TERRANE_VOXELS_H
#define TERRANE_VOXELS_H

#include <stdbool.h>

#include <terrane/base.h>
#include <terrane/block_types.h>
#include <terrane/chunk_index.h>
#include <terrane/coord.h>
#include <terrane/private/payload.h>

TRN_C_BEGIN

/// Rows of 32 voxels along x in a chunk. Bit x of row y * 32 + z is the voxel at x, y, z.
#define TRN_CHUNK_ROWS 1024

/// A revision has 46 bits. Higher bits of a revision argument are cut off.
#define TRN_REVISION_BITS 46
/// The highest revision.
#define TRN_REVISION_MAX ((UINT64_C(1) << TRN_REVISION_BITS) - 1)

/// A heap. Opaque; the caller creates and destroys it.
typedef struct TrnVoxelHeap TrnVoxelHeap;

// ---- snapshots ---------------------------------------------------------------------------------

/// The voxels of one chunk. All zeroes is a uniform chunk of air at revision 0. Opaque: read it
/// through a snapshot.
typedef struct TrnVoxels {
    /// Atomic. 0: air. Bit 0 set: bits 1..16 are the uniform block, bits 17..62 the revision; bit
    /// 63 is the library's own. Otherwise: the address of the payload.
#if defined(__GNUC__) // otherwise a 32-bit machine may let it cross a cache line
    __attribute__((aligned(8)))
#endif
    uint64_t word;
} TrnVoxels;

/// The voxels of a chunk at one moment. Valid until the reader ends its section; on the writer
/// thread until the chunk is changed, compacted or removed.
typedef struct TrnSnapshot {
    uint64_t word; ///< as TrnVoxels.word
} TrnSnapshot;

/// Takes a snapshot of a chunk.
/// Threads: any, inside a read section. Cost: O(1), wait-free.
static inline TrnSnapshot trn_voxels_snapshot(const TrnVoxels *voxels)
{
    TrnSnapshot snapshot = {trn_load_acquire(&voxels->word)};
    return snapshot;
}

/// Makes a snapshot of a uniform chunk that no store holds, to stand for a chunk that is not
/// loaded.
/// Threads: any, without a section.
static inline TrnSnapshot trn_snapshot_of(TrnBlock block, uint64_t revision)
{
    TrnSnapshot snapshot = {(revision & TRN_REVISION_MAX) << 17 | (uint64_t)block << 1 | 1};
    return snapshot;
}

/// Tells whether all voxels are the same block.
static inline bool trn_snapshot_is_uniform(TrnSnapshot snapshot)
{
    return (snapshot.word & 1) != 0 || snapshot.word == 0;
}

/// Returns the block of a uniform snapshot.
static inline TrnBlock trn_snapshot_uniform(TrnSnapshot snapshot)
{
    return (TrnBlock)(snapshot.word >> 1);
}

/// Returns the revision of the change that made the snapshot.
static inline uint64_t trn_snapshot_revision(TrnSnapshot snapshot)
{
    return trn_snapshot_is_uniform(snapshot) ? snapshot.word >> 17 & TRN_REVISION_MAX
                                             : trn_word_payload(snapshot.word)->revision;
}

/// Returns the bits a voxel where the chunk needs most: 0 (uniform), 1, 2, 4, 8 or 16. Each 16 rows
/// have a width of their own. Cost: O(TRN_CHUNK_HALVES).
TRN_API uint32_t trn_snapshot_bits(TrnSnapshot snapshot);

/// Returns one block.
/// @param index  linear index, 0..32767 (trn_local_index); higher bits are ignored
/// Cost: O(1); the only branches are on the width.
static inline TrnBlock trn_snapshot_get(TrnSnapshot snapshot, uint32_t index)
{
    if (trn_snapshot_is_uniform(snapshot)) {
        return trn_snapshot_uniform(snapshot);
    }
    return trn_payload_get(trn_word_payload(snapshot.word), index & (TRN_CHUNK_VOXELS - 1));
}

/// Writes all blocks in linear order.
/// @param blocks  [TRN_CHUNK_VOXELS]; caller owns
/// Cost: O(TRN_CHUNK_VOXELS): writes 64 KiB.
TRN_API void trn_snapshot_decode(TrnSnapshot snapshot, TrnBlock *blocks);

/// Writes the 32 blocks of one row along x.
/// @param y,z     local, 0..31; higher bits are ignored
/// @param blocks  [32]; caller owns
TRN_API void trn_snapshot_decode_row(TrnSnapshot snapshot, uint32_t y, uint32_t z,
                                     TrnBlock *blocks);

/// A block and the number of its voxels.
typedef struct TrnBlockCount {
    TrnBlock block; ///< its id
    uint16_t count; ///< 1..32768
} TrnBlockCount;

/// Lists the blocks that occur, in ascending order, with their numbers of voxels.
/// @param counts  [capacity]; caller owns
/// @return the number of different blocks, 1..32768; only the first `capacity` are written
/// Cost: O(palette). With 16 bits, one pass over the chunk for every 4096 ids
/// between the lowest and the highest.
TRN_API uint32_t trn_snapshot_counts(TrnSnapshot snapshot, TrnBlockCount *counts,
                                     uint32_t capacity);

/// Counts the voxels of one block. Cost: O(palette); with 16 bits one pass over the chunk.
TRN_API uint32_t trn_snapshot_count(TrnSnapshot snapshot, TrnBlock block);

/// Half-layers of a chunk: half-layer h is the 16 rows from row 16 * h on, so that y is h / 2.
#define TRN_CHUNK_HALVES 64
#define TRN_HALF_ROWS 16 ///< rows of a half-layer

/// Returns 16 rows of the mask of solid voxels.
/// @param solid_bits  [TRN_BLOCK_BITS_WORDS] the bits that the heap was created with; only read for
///                    uniform chunks
/// @param half        half-layer, 0..63; that of a voxel is its linear index >> 9
/// @return [TRN_HALF_ROWS] rows, valid as long as the snapshot; static for uniform chunks
/// Cost: O(1).
TRN_API const uint32_t *trn_snapshot_solid(TrnSnapshot snapshot, const uint32_t *solid_bits,
                                           uint32_t half);

/// Returns 16 rows of the mask of opaque voxels, which hide what is behind them. As
/// trn_snapshot_solid.
TRN_API const uint32_t *trn_snapshot_opaque(TrnSnapshot snapshot, const uint32_t *opaque_bits,
                                            uint32_t half);

/// Copies the whole mask of solid voxels.
/// @param solid_bits  as in trn_snapshot_solid
/// @param rows        [TRN_CHUNK_ROWS] bit x of row y * 32 + z is the voxel at x, y, z; caller owns
/// Cost: O(TRN_CHUNK_ROWS): writes 4 KiB.
TRN_API void trn_snapshot_solid_rows(TrnSnapshot snapshot, const uint32_t *solid_bits,
                                     uint32_t rows[TRN_CHUNK_ROWS]);

/// Copies the whole mask of opaque voxels. As trn_snapshot_solid_rows.
TRN_API void trn_snapshot_opaque_rows(TrnSnapshot snapshot, const uint32_t *opaque_bits,
                                      uint32_t rows[TRN_CHUNK_ROWS]);

/// Tells whether a chunk may hold a block of a set, such as the blocks that tick.
/// @param block_bits  [TRN_BLOCK_BITS_WORDS] block b belongs to the set if bit b % 32 of word
///                    b / 32 is set
/// @return false: no voxel holds one. True, and wrongly so, for more than 256 types, and for blocks
/// that the chunk held before an edit for which memory was short
/// Cost: O(palette).
TRN_API bool trn_snapshot_may_hold(TrnSnapshot snapshot, const uint32_t *block_bits);

/// Finds the voxels that hold a block of a set.
/// @param block_bits  as in trn_snapshot_may_hold
/// @param row,count   consecutive rows, y * 32 + z; row + count is at most TRN_CHUNK_ROWS
/// @param rows        [count] receives bit x of each row: the voxel is in the set; caller owns
/// Cost: O(palette + count).
TRN_API void trn_snapshot_match(TrnSnapshot snapshot, const uint32_t *block_bits, uint32_t row,
                                uint32_t count, uint32_t *rows);

/// Extracts the outermost layer of a mask at one face.
/// @param mask  [TRN_CHUNK_ROWS] rows, as from trn_snapshot_solid_rows
/// @param rows  [32]; caller owns. Faces along x: row y, bit z. Along y: row z, bit x. Along z: row
///              y, bit x.
TRN_API void trn_mask_border(const uint32_t *mask, TrnFace face, uint32_t rows[32]);

/// Tells whether two snapshots hold the same blocks. Widths, palettes and revisions do not matter.
/// Cost: O(1) for the same snapshot; otherwise O(TRN_CHUNK_VOXELS).
TRN_API bool trn_snapshot_equal(TrnSnapshot a, TrnSnapshot b);

/// Finds the voxels that differ between two snapshots. Widths and palettes do not matter.
/// @param rows  [TRN_CHUNK_ROWS] receives one bit a differing voxel; caller owns
/// @return the number of differing voxels
/// Cost: the same snapshot only clears the rows; O(bytes of the voxels) if the palettes match;
/// otherwise some ten times that, and O(types of one * types of the other).
TRN_API uint32_t trn_snapshot_diff(TrnSnapshot a, TrnSnapshot b, uint32_t rows[TRN_CHUNK_ROWS]);

/// Finds the chunks that voxels of a mask touch: the chunk itself, and neighbours at faces, edges
/// and corners whose border is adjacent to such a voxel.
/// @param mask  [TRN_CHUNK_ROWS] rows of one chunk
/// @return bit 13: the chunk itself (any bit is set). The other 26 bits: its neighbours, in the
/// order of trn_store_snapshot_around (x fastest, then z, then y). 0 for an empty mask.
TRN_API uint32_t trn_mask_around(const uint32_t mask[TRN_CHUNK_ROWS]);

/// Hashes the blocks. The same on every machine and for every width and palette; may change between
/// versions. Not safe against attackers. Cost: O(TRN_CHUNK_VOXELS).
TRN_API uint64_t trn_snapshot_hash(TrnSnapshot snapshot);

// ---- heap --------------------------------------------------------------------------------------

/// Settings of a heap. Start from trn_voxel_heap_def() and change what you need.
typedef struct TrnVoxelHeapDef {
    /// Which blocks are solid: [TRN_BLOCK_BITS_WORDS], from trn_block_types_solid_bits(). Borrowed:
    /// must outlive the heap; do not change the bit of a block that some chunk contains. NULL:
    /// every block except 0 is.
    const uint32_t *solid_bits;
    /// Which blocks are opaque: as solid_bits, from trn_block_types_opaque_bits().
    const uint32_t *opaque_bits;
    /// The most bytes that the heap may hold from the allocator, including its own tables and
    /// retired payloads; 0 means no cap.
    size_t bytes_max;
    /// The most bytes of block data and its tables (TrnVoxelHeapStats.data_bytes). New data that
    /// would exceed it is refused with FULL; 0 means no cap.
    size_t data_bytes_max;
    /// The index whose readers may see payloads. Borrowed, outlives the heap. NULL: there are no
    /// readers, and replaced payloads are freed at once.
    TrnChunkIndex *index;
    /// For an allocator with a shared cap. When the allocator returns NULL, this tells whether the
    /// cap was the reason; the call then fails with FULL or READERS, as for bytes_max. Borrowed.
    /// NULL: the allocator has no cap.
    const bool *is_capped;
    const TrnAllocator *allocator; ///< copied; NULL means malloc
} TrnVoxelHeapDef;

/// Returns default settings: no cap, no readers, every block except 0 solid and opaque.
TRN_API TrnVoxelHeapDef trn_voxel_heap_def(void);

/// Creates a heap: the payload memory for the chunks of one world, with one pool a size class. An
/// empty heap takes about 120 KiB.
/// @param def   NULL means trn_voxel_heap_def()
/// @param heap  receives the heap; the caller destroys it
/// Errors: BAD_ARGUMENT, NO_MEMORY, FULL (bytes_max is less than an empty heap takes).
TRN_API TrnResult trn_voxel_heap_create(const TrnVoxelHeapDef *def, TrnVoxelHeap **heap);

/// Frees all payloads, including those of chunks. No reader may be in a section and no edit open.
/// @param heap  may be NULL
TRN_API void trn_voxel_heap_destroy(TrnVoxelHeap *heap);

/// Frees all memory blocks that hold no payload. Without this call each size class keeps one empty
/// block, and all classes together 8 MiB more. The heap trims by itself when it reaches bytes_max
/// or the allocator fails.
TRN_API void trn_voxel_heap_trim(TrnVoxelHeap *heap);

/// Figures of a heap.
typedef struct TrnVoxelHeapStats {
    uint32_t payloads;         ///< in use: by chunks, by open edits, retired
    size_t payload_bytes;      ///< in them
    uint32_t slots;            ///< of these, taken ahead by the stream and not yet part of a chunk
    uint32_t retired_payloads; ///< of these, kept until no reader sees them
    size_t retired_bytes;      ///< in retired payloads, with block data that no chunk has any more
    size_t free_bytes;         ///< unused payload memory inside blocks, ready for the next payloads
    size_t data_bytes;         ///< of block data and its tables (terrane/block_data.h)
    size_t bytes;              ///< held from the allocator
    size_t bytes_peak;         ///< the highest `bytes` so far
    size_t bytes_max;          ///< as in the def
} TrnVoxelHeapStats;

/// Returns the figures of a heap. Threads: the writer. Cost: O(1).
TRN_API TrnVoxelHeapStats trn_voxel_heap_stats(const TrnVoxelHeap *heap);

// ---- whole chunks ------------------------------------------------------------------------------

/// Replaces all blocks of a chunk.
/// @param blocks    [TRN_CHUNK_VOXELS] in linear order
/// @param revision  of this change
/// Errors: NO_MEMORY, FULL (bytes_max), READERS (bytes_max, and readers hold retired payloads); the
/// chunk is unchanged then.
/// Threads: the writer. Cost: O(TRN_CHUNK_VOXELS): reads 64 KiB; least for up to 16 types.
TRN_API TrnResult trn_voxels_encode(TrnVoxelHeap *heap, TrnVoxels *voxels, const TrnBlock *blocks,
                                    uint64_t revision);

/// Makes the chunk uniform and retires its payload. A user of a heap without a store also calls
/// this with air for a chunk that is removed. Threads: the writer. Cannot fail. Cost: O(1).
TRN_API void trn_voxels_fill(TrnVoxelHeap *heap, TrnVoxels *voxels, TrnBlock block,
                             uint64_t revision);

/// Shrinks a chunk to the least memory that holds its blocks, without unused palette entries.
/// Commits already narrow chunks; this is for chunks for which memory was short then. Blocks and
/// revision stay. No edit of the chunk may be open.
/// Errors: NO_MEMORY, FULL, READERS; the chunk is unchanged then. Threads: the writer.
TRN_API TrnResult trn_voxels_compact(TrnVoxelHeap *heap, TrnVoxels *voxels);

// ---- codes -------------------------------------------------------------------------------------

/// The result of trn_voxels_code.
typedef enum TrnVoxelCode {
    TRN_VOXEL_CODE_CODED,   ///< the blocks became a code
    TRN_VOXEL_CODE_UNIFORM, ///< no code: all blocks are equal to the first
    TRN_VOXEL_CODE_BLOCKS   ///< no code: there are more than 256 types
} TrnVoxelCode;

/// Encodes blocks in place, without touching the heap: the costly half of trn_voxels_encode, for
/// worker threads. What a code contains is the library's own: it stands for the blocks until
/// trn_voxels_decode reads it in the same process. Its blocks are ids of one world, and its masks
/// depend on the kinds of the block types.
/// @param heap    only its block kinds are read
/// @param blocks  [TRN_CHUNK_VOXELS] in linear order, aligned to 64 bytes. CODED overwrites them:
///                the code takes the first 5 to 42 KiB, and the rest is undefined. Otherwise they
///                are unchanged.
/// Threads: any number, each with its own blocks, while no thread adds block types. 96 KiB of
/// stack.
/// Cost: 1.1 times that of trn_voxels_encode.
TRN_API TrnVoxelCode trn_voxels_code(const TrnVoxelHeap *heap, TrnBlock *blocks);

/// Replaces all blocks of a chunk by those of a code. The result is the same as that of
/// trn_voxels_encode with the original blocks.
/// @param code  from trn_voxels_code with the same block kinds, aligned to 64 bytes; only read. The
///              header is checked, the content is not: pass only bytes that you trust.
/// Errors: as trn_voxels_encode, and BAD_ARGUMENT (not a code); the chunk is unchanged then.
/// Threads: the writer. Cost: one copy.
TRN_API TrnResult trn_voxels_decode(TrnVoxelHeap *heap, TrnVoxels *voxels, const void *code,
                                    uint64_t revision);

// ---- edits -------------------------------------------------------------------------------------

/// A series of changes to one chunk, published together. The memory is the caller's, 1.2 KiB; the
/// content is private, and a copy of the struct is no edit. While an edit is open, no other edit
/// and no other call may change its chunk. Edits of several chunks may be open together.
///
/// Errors of all calls that change blocks: NO_MEMORY, FULL, READERS as trn_voxels_encode, and
/// BAD_ARGUMENT (also if the edit is not open). The blocks are as before the call then. The first
/// call that changes a block makes the private copy.
/// Threads: the writer.
typedef struct TrnVoxelEdit {
    uint64_t storage[150]; ///< private
} TrnVoxelEdit;

/// Opens an edit. End it with trn_voxel_edit_commit or trn_voxel_edit_cancel.
/// @param edit  caller owns; needs no initial value
/// Cannot fail. Cost: O(1).
TRN_API void trn_voxel_edit_begin(TrnVoxelEdit *edit, TrnVoxelHeap *heap, TrnVoxels *voxels);

/// Returns the block at a linear index, including changes of this edit.
/// @param index  0..32767 (trn_local_index); higher bits are ignored
/// Cost: O(1).
TRN_API TrnBlock trn_voxel_edit_get(const TrnVoxelEdit *edit, uint32_t index);

/// Writes one block.
/// @param index  0..32767 (trn_local_index)
/// Cost: O(1); O(palette) for a block that is new to the chunk, and one pass over the chunk if that
/// widens it. Alternating between blocks whose ids are equal modulo 256 costs twice as much.
TRN_API TrnResult trn_voxel_edit_set(TrnVoxelEdit *edit, uint32_t index, TrnBlock block);

/// Writes one block into every voxel of a box.
/// @param min,max  local x, y, z, both inclusive
/// Errors: BAD_ARGUMENT also if the box is empty or leaves the chunk.
/// Cost: O(rows); O(1) for the whole chunk.
TRN_API TrnResult trn_voxel_edit_fill_box(TrnVoxelEdit *edit, const uint32_t min[3],
                                          const uint32_t max[3], TrnBlock block);

/// Writes one block into every voxel of a mask, such as a sphere, a brush or the result of a diff.
/// @param mask  [TRN_CHUNK_ROWS] rows: bit x of row y * 32 + z is the voxel at x, y, z. Must not be
///              a mask of this chunk.
/// Cost: O(rows), up to four times as much with more than 32 types; least for a full or empty mask.
TRN_API TrnResult trn_voxel_edit_fill_mask(TrnVoxelEdit *edit, const uint32_t mask[TRN_CHUNK_ROWS],
                                           TrnBlock block);

/// Copies a box of blocks out of a snapshot: of another chunk, of this chunk before the edit, or of
/// another heap with the same block ids.
/// @param to    local x, y, z of the lowest voxel written
/// @param from  local x, y, z of the lowest voxel read
/// @param size  voxels along x, y, z, each 1..32
/// Errors: BAD_ARGUMENT also if a box leaves its chunk.
/// Cost: O(voxels of the box); more with over 256 types.
TRN_API TrnResult trn_voxel_edit_copy_box(TrnVoxelEdit *edit, const uint32_t to[3],
                                          TrnSnapshot source, const uint32_t from[3],
                                          const uint32_t size[3]);

/// Replaces every `from` by `to`.
/// Cost: O(palette) if the chunk has no `to` and both are equally solid and opaque; otherwise one
/// pass over the chunk.
TRN_API TrnResult trn_voxel_edit_replace(TrnVoxelEdit *edit, TrnBlock from, TrnBlock to);

/// Replaces all blocks.
/// @param blocks  [TRN_CHUNK_VOXELS] in linear order
TRN_API TrnResult trn_voxel_edit_encode(TrnVoxelEdit *edit, const TrnBlock *blocks);

/// Publishes the changes under a revision, in the narrowest form that memory allows, retires the
/// old payload, and ends the edit. An edit of block data alone keeps the form. Cannot fail.
/// @return whether anything was published: false if no call changed a block; the chunk and its
/// revision are unchanged then
/// Cost: O(palette); one pass over the chunk if the width changes. With 16 bits one pass over the
/// chunk. With block data and changed blocks, also O(data), or one pass over the chunk. An edit of
/// block data alone: O(parts of the table that it changed).
TRN_API bool trn_voxel_edit_commit(TrnVoxelEdit *edit, uint64_t revision);

/// Drops the changes and ends the edit. Does nothing if the edit is not open.
TRN_API void trn_voxel_edit_cancel(TrnVoxelEdit *edit);

TRN_C_END
#endif
