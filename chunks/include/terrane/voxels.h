/// Terrane, voxels: the 32 x 32 x 32 blocks of one chunk, in as few bits as its variety needs.
///
/// A chunk of one single block is uniform and takes no memory beyond the word it stands in. Any
/// other holds a payload: a palette of the blocks that occur with 1, 2, 4 or 8 bits a voxel, or
/// plain 16-bit ids where there are more than 256 of them; and with either, masks of one bit a
/// voxel that say what is solid and what is opaque. Widths change by themselves.
///
/// A published payload is never written. An edit works on a private copy; its commit publishes the
/// copy in one atomic store and retires the payload before it. A snapshot is one atomic load, and
/// stays what it is until its reader ends the section.
///
/// Threads: one thread at a time writes to a heap and the chunks in it (heap, encode, fill,
/// release, compact, edits). Any number of threads read beside it: trn_voxels_snapshot and all
/// trn_snapshot_ and trn_payload_ functions, inside a read section of the heap's index
/// (trn_chunk_index_read_begin / _end). The writer's own thread needs no section: what it snapshots
/// holds until it changes, compacts or removes that chunk.
#ifndef TERRANE_VOXELS_H
#define TERRANE_VOXELS_H

#include <stdbool.h>
#include <string.h>

#include <terrane/base.h>
#include <terrane/block_types.h>
#include <terrane/chunk_index.h>
#include <terrane/coord.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Rows of 32 voxels along x: row y * 32 + z, in which bit x is the voxel at x.
#define TRN_CHUNK_ROWS 1024

/// Revisions have 47 bits; what is handed in beyond them is cut off.
#define TRN_REVISION_BITS 47
#define TRN_REVISION_MAX ((UINT64_C(1) << TRN_REVISION_BITS) - 1)

typedef struct TrnVoxelHeap TrnVoxelHeap;

// ---- a payload ---------------------------------------------------------------------------------

/// What a non-uniform chunk holds: this header of 64 bytes and, from `this` on,
///     64           palette   [1 << bits] TrnBlock, each block once; entries from palette_count on
///     are 0.   Not with 16 bits. then         counts    [1 << bits] uint16_t, voxels of each
///     entry, 0 for one that occurs no more.    Not with 16 bits. solid_at     solid     [1024]
///     uint32_t rows, 4 KiB opaque_at    opaque    [1024] uint32_t rows; the same place as solid
///     where the two are equal words_at     voxels    voxel i is bits [i * bits, (i + 1) * bits) of
///     little-endian 64-bit words, i being trn_local_index:
///                            its place in the palette, or with 16 bits the block itself
/// Payload, masks and voxels begin at multiples of 64 bytes. Read through the functions below; only
/// link is written once published.
typedef struct TrnPayload {
    TrnRetireLink link; ///< for when the payload is retired; no reader looks at it
    uint64_t revision;  ///< of the change that made it
    /// how this machine reads it; NULL once the payload is given back
    const struct TrnVoxelKernels *kernels;
    TrnPoolId slot; ///< the memory that it lies in
    uint16_t solid_at, opaque_at, words_at;
    uint8_t bits;       ///< 1, 2, 4, 8 or 16
    uint8_t bits_shift; ///< bits is 1 << bits_shift
    uint8_t size_class; ///< place in TrnVoxelHeapStats.classes
    uint8_t reserved;
    uint16_t palette_count; ///< entries in use, 1..256; 0 with 16 bits
    uint16_t entry_mask;    ///< (1 << bits) - 1
} TrnPayload;

/// The blocks that occur, and some that may have occurred before. @return [palette_count]; nothing
/// with 16 bits
static inline const TrnBlock *trn_payload_palette(const TrnPayload *payload)
{
    return (const TrnBlock *)(const void *)((const unsigned char *)payload + sizeof(TrnPayload));
}

/// How many voxels are each palette entry. @return [palette_count]; nothing with 16 bits
static inline const uint16_t *trn_payload_counts(const TrnPayload *payload)
{
    return trn_payload_palette(payload) + ((size_t)1 << payload->bits);
}

/// @return [1024] rows
static inline const uint32_t *trn_payload_solid(const TrnPayload *payload)
{
    return (const uint32_t *)(const void *)((const unsigned char *)payload + payload->solid_at);
}

/// @return [1024] rows; the same address as trn_payload_solid where one mask serves for both
static inline const uint32_t *trn_payload_opaque(const TrnPayload *payload)
{
    return (const uint32_t *)(const void *)((const unsigned char *)payload + payload->opaque_at);
}

/// @return [512 * bits] words
static inline const uint64_t *trn_payload_words(const TrnPayload *payload)
{
    return (const uint64_t *)(const void *)((const unsigned char *)payload + payload->words_at);
}

// ---- what a chunk holds, and snapshots of it ---------------------------------------------------

/// The blocks of one chunk. All zeroes is a uniform chunk of air at revision 0. Opaque: take a
/// snapshot to read it.
typedef struct TrnVoxels {
    /// Atomic. 0: air. Bit 0 set: bits 1..16 are the uniform block, bits 17..63 the revision.
    /// Otherwise the address of a TrnPayload.
    uint64_t word;
} TrnVoxels;

/// What a chunk held at one moment. Valid until the reader ends its section; on the writer's
/// thread, until anything changes, compacts or removes the chunk.
typedef struct TrnSnapshot {
    uint64_t word; ///< as in TrnVoxels
} TrnSnapshot;

/// What the chunk holds now. O(1), wait-free.
static inline TrnSnapshot trn_voxels_snapshot(const TrnVoxels *voxels)
{
    TrnSnapshot snapshot = {__atomic_load_n(&voxels->word, __ATOMIC_ACQUIRE)};
    return snapshot;
}

/// A snapshot of a chunk of one block, made up: what a reader takes for a chunk that is not there.
/// Needs no section.
static inline TrnSnapshot trn_snapshot_of(TrnBlock block, uint64_t revision)
{
    TrnSnapshot snapshot = {revision << 17 | (uint64_t)block << 1 | 1};
    return snapshot;
}

static inline bool trn_snapshot_is_uniform(TrnSnapshot snapshot)
{
    return (snapshot.word & 1) != 0 || snapshot.word == 0;
}

/// The block of a uniform snapshot.
static inline TrnBlock trn_snapshot_uniform(TrnSnapshot snapshot)
{
    return (TrnBlock)(snapshot.word >> 1);
}

/// The payload of a snapshot that is not uniform.
static inline const TrnPayload *trn_snapshot_payload(TrnSnapshot snapshot)
{
    return (const TrnPayload *)(uintptr_t)snapshot.word;
}

/// The revision of the change that made it.
static inline uint64_t trn_snapshot_revision(TrnSnapshot snapshot)
{
    return trn_snapshot_is_uniform(snapshot) ? snapshot.word >> 17
                                             : trn_snapshot_payload(snapshot)->revision;
}

/// Bits a voxel: 0 (uniform), 1, 2, 4, 8 or 16.
static inline uint32_t trn_snapshot_bits(TrnSnapshot snapshot)
{
    return trn_snapshot_is_uniform(snapshot) ? 0 : trn_snapshot_payload(snapshot)->bits;
}

/// The palette entry of a voxel; with 16 bits its block.
static inline uint32_t trn_payload_entry(const TrnPayload *payload, uint32_t index)
{
    const uint32_t bit = index << payload->bits_shift;
    uint64_t word; // copied: with 16 bits, others look at the same memory as TrnBlock
    memcpy(&word, trn_payload_words(payload) + (bit >> 6), sizeof word);
    return (uint32_t)(word >> (bit & 63)) & payload->entry_mask;
}

/// The block at a linear index. @param index  0..32767 (trn_local_index); higher bits are ignored.
/// O(1), no branch but on the width.
static inline TrnBlock trn_snapshot_get(TrnSnapshot snapshot, uint32_t index)
{
    if (trn_snapshot_is_uniform(snapshot)) {
        return trn_snapshot_uniform(snapshot);
    }
    const TrnPayload *payload = trn_snapshot_payload(snapshot);
    const uint32_t entry = trn_payload_entry(payload, index & (TRN_CHUNK_VOXELS - 1));
    return payload->bits == 16 ? (TrnBlock)entry : trn_payload_palette(payload)[entry];
}

/// Writes all blocks in linear order. @param blocks  [TRN_CHUNK_VOXELS]; caller owns. Cost: 1 to 3
/// us.
TRN_API void trn_snapshot_decode(TrnSnapshot snapshot, TrnBlock *blocks);

/// Writes the 32 blocks of one row along x. @param y,z  local, higher bits are ignored. @param
/// blocks  [32]; caller owns
TRN_API void trn_snapshot_decode_row(TrnSnapshot snapshot, uint32_t y, uint32_t z,
                                     TrnBlock *blocks);

/// Writes the blocks of a box, x fastest, then z, then y, without gaps.
/// @param min,max  local x, y, z, both inclusive
/// @param blocks   [(max[0] - min[0] + 1) * (max[1] - min[1] + 1) * (max[2] - min[2] + 1)]; caller
///                 owns
/// Errors: BAD_ARGUMENT (empty, or reaching out of the chunk); nothing is written then.
TRN_API TrnResult trn_snapshot_decode_box(TrnSnapshot snapshot, const uint32_t min[3],
                                          const uint32_t max[3], TrnBlock *blocks);

/// The palette entries of whole rows along x, one byte a voxel: what a mesher compares, since a
/// palette holds each block once.
/// @param payload  with a palette: bits 1 to 8
/// @param row      the first, y * 32 + z; row + count is at most TRN_CHUNK_ROWS
/// @param entries  [count * 32]; caller owns
/// Cost: 1 to 2 ns a row of many.
TRN_API void trn_payload_entries(const TrnPayload *payload, uint32_t row, uint32_t count,
                                 uint8_t *entries);

/// Which of such entries are in a set.
/// @param payload     whose entries they are
/// @param count       rows
/// @param entry_bits  [8] bit e % 32 of word e / 32: entry e is in the set
/// @param rows        [count] receives a mask for each row; caller owns
TRN_API void trn_payload_match(const TrnPayload *payload, const uint8_t *entries, uint32_t count,
                               const uint32_t entry_bits[8], uint32_t *rows);

/// How often a block occurs.
typedef struct TrnBlockCount {
    TrnBlock block;
    uint16_t count; ///< 1..32768
} TrnBlockCount;

/// The blocks that occur, in ascending order, with how often each does.
/// @param counts  [capacity]; caller owns
/// @return how many there are, 1..32768; only the first `capacity` are written
/// Cost: tens of ns for a few types; with 16 bits, a pass over the chunk for every 4096 ids between
/// the least and the greatest.
TRN_API uint32_t trn_snapshot_counts(TrnSnapshot snapshot, TrnBlockCount *counts,
                                     uint32_t capacity);

/// How many voxels are this block. O(palette); with 16 bits a pass over the chunk.
TRN_API uint32_t trn_snapshot_count(TrnSnapshot snapshot, TrnBlock block);

/// Which voxels are solid.
/// @param solid_bits  [TRN_BLOCK_BITS_WORDS] as handed to the heap; looked at for uniform chunks
///                    alone
/// @return [1024] rows, as long valid as the snapshot; static for uniform chunks. O(1).
TRN_API const uint32_t *trn_snapshot_solid(TrnSnapshot snapshot, const uint32_t *solid_bits);

/// Which voxels hide what is behind them; as trn_snapshot_solid.
TRN_API const uint32_t *trn_snapshot_opaque(TrnSnapshot snapshot, const uint32_t *opaque_bits);

/// The outermost layer of a mask behind one face.
/// @param mask  [1024] rows, of trn_snapshot_solid or _opaque
/// @param rows  [32]; caller owns. Faces along x: row y, bit z. Along y: row z, bit x. Along z: row
///              y, bit x.
TRN_API void trn_mask_border(const uint32_t *mask, TrnFace face, uint32_t rows[32]);

/// Whether the blocks are the same, whatever the widths, palettes and revisions. Cost: O(1) for one
/// and the same; up to some us.
TRN_API bool trn_snapshot_equal(TrnSnapshot a, TrnSnapshot b);

/// Which voxels differ between two snapshots, whatever their widths and palettes.
/// @param rows  [TRN_CHUNK_ROWS] receives row y * 32 + z, in which bit x says whether the voxel at
///              x differs; caller owns
/// @return how many differ. Cost: O(1) but for the rows where both are one and the same; some
/// hundred ns where they have a palette in common, some us otherwise; 20 us where both have 256
/// types.
TRN_API uint32_t trn_snapshot_diff(TrnSnapshot a, TrnSnapshot b, uint32_t rows[TRN_CHUNK_ROWS]);

/// Which chunks have a voxel of a mask inside them or right behind their border: faces, edges and
/// corners.
/// @param mask  [TRN_CHUNK_ROWS] rows of one chunk
/// @return bit 13: the chunk itself, has any bit set; the other 26 bits: its neighbours, in the
/// order of trn_store_snapshot_around (x fastest, then z, then y). 0 where the mask is empty.
TRN_API uint32_t trn_mask_around(const uint32_t mask[TRN_CHUNK_ROWS]);

/// A hash of the blocks alone: the same for every representation and on every machine, and from one
/// version to the next it may change. Not against attackers. Cost: some us.
TRN_API uint64_t trn_snapshot_hash(TrnSnapshot snapshot);

// ---- the heap ----------------------------------------------------------------------------------

/// Start from trn_voxel_heap_def() and change what you need.
typedef struct TrnVoxelHeapDef {
    /// [TRN_BLOCK_BITS_WORDS] each, trn_block_types_solid_bits and _opaque_bits: borrowed, they
    /// outlive the heap, and the bits of a block that some chunk holds do not change. NULL: every
    /// block but 0 is.
    const uint32_t *solid_bits, *opaque_bits;
    /// The most bytes that the heap takes from the allocator, its own tables and retired payloads
    /// included; 0 means no cap.
    size_t bytes_max;
    /// The index whose readers retired payloads wait for; borrowed, it outlives the heap. NULL:
    /// there are none, and payloads are freed at once.
    TrnChunkIndex *index;
    /// For an allocator that has a cap of its own, which it shares with others: what it points to
    /// says, when the allocator has answered NULL, whether that was for the cap. FULL or READERS
    /// come of that then, as of bytes_max. Borrowed; NULL: it has none.
    const bool *is_capped;
    const TrnAllocator *allocator; ///< copied; NULL means malloc
} TrnVoxelHeapDef;

/// No cap, no readers; every block but 0 solid and opaque.
TRN_API TrnVoxelHeapDef trn_voxel_heap_def(void);

/// Payload memory for the chunks of one world: one pool per size class. A heap without payloads
/// takes some 120 KiB.
/// @param def  NULL means trn_voxel_heap_def()
/// Errors: BAD_ARGUMENT, NO_MEMORY, FULL (bytes_max is less than an empty heap takes).
TRN_API TrnResult trn_voxel_heap_create(const TrnVoxelHeapDef *def, TrnVoxelHeap **heap);

/// Frees all payloads, those of chunks too. No reader may be in a section, no edit open. @param
/// heap  may be NULL
TRN_API void trn_voxel_heap_destroy(TrnVoxelHeap *heap);

/// Gives back every block of memory that holds no payload. Otherwise each size class keeps one such
/// block, and all of them together 8 MiB more. Done by itself when bytes_max is reached, or the
/// allocator has nothing left.
TRN_API void trn_voxel_heap_trim(TrnVoxelHeap *heap);

/// 5 widths, each with one mask or two.
#define TRN_VOXEL_CLASS_COUNT 10

/// Figures of one size class.
typedef struct TrnVoxelClassStats {
    uint32_t bits, masks; ///< bits a voxel; 1 mask where solid and opaque are equal, otherwise 2
    uint32_t payloads;    ///< taken: of chunks, of open edits, retired
    size_t payload_bytes; ///< of each
    size_t bytes;         ///< taken from the allocator
} TrnVoxelClassStats;

/// Figures of a heap.
typedef struct TrnVoxelHeapStats {
    TrnVoxelClassStats classes[TRN_VOXEL_CLASS_COUNT];
    uint32_t payloads;         ///< all taken
    uint32_t one_mask;         ///< those of them whose two masks are one
    uint32_t slots;            ///< those of them that were taken ahead, and no chunk's yet
    uint32_t retired_payloads; ///< kept only for readers
    size_t retired_bytes;
    size_t free_bytes; ///< room for payloads inside blocks: the next ones of their class go there
    size_t bytes, bytes_peak; ///< all that is taken from the allocator now, and at most so far
    size_t bytes_max;         ///< as in the def
} TrnVoxelHeapStats;

/// For the writer's thread. O(1).
TRN_API TrnVoxelHeapStats trn_voxel_heap_stats(const TrnVoxelHeap *heap);

// ---- a whole chunk at once ---------------------------------------------------------------------

/// Replaces all blocks.
/// @param blocks    [TRN_CHUNK_VOXELS] in linear order
/// @param revision  of this change
/// Errors: NO_MEMORY, FULL (bytes_max), READERS (bytes_max, and retired payloads wait for a
/// reader); the chunk is then as it was.
/// Cost: 5 to 10 us for up to 16 types.
TRN_API TrnResult trn_voxels_encode(TrnVoxelHeap *heap, TrnVoxels *voxels, const TrnBlock *blocks,
                                    uint64_t revision);

/// What trn_voxels_code made of blocks.
typedef enum TrnVoxelCode {
    TRN_VOXEL_CODE_CODED,   ///< a code
    TRN_VOXEL_CODE_UNIFORM, ///< nothing: they are all the first one
    TRN_VOXEL_CODE_BLOCKS   ///< nothing: there are over 256 types
} TrnVoxelCode;

/// The costly half of trn_voxels_encode, away from the heap: turns blocks, in their own place, into
/// a code, the bytes that a chunk of this heap holds.
/// @param blocks  [TRN_CHUNK_VOXELS] in linear order, aligned to 64 bytes; where they become a
///                code, 5 to 42 KiB of them are used, and none is a block any more; otherwise they
///                stay
/// Threads: any number, with blocks of their own, while nobody adds block types. 96 KiB of stack.
/// Cost: 6 to 11 us for up to 16 types.
TRN_API TrnVoxelCode trn_voxels_code(const TrnVoxelHeap *heap, TrnBlock *blocks);

/// Replaces all blocks by those of a code, which is what trn_voxels_encode would have made of the
/// blocks that it was made from.
/// @param code  CODED by trn_voxels_code, with the same kinds of block types; only read
/// Errors: as trn_voxels_encode, and BAD_ARGUMENT (not a code); the chunk is then as it was. Cost:
/// copying it, 1 to 2 us.
TRN_API TrnResult trn_voxels_decode(TrnVoxelHeap *heap, TrnVoxels *voxels, const void *code,
                                    uint64_t revision);

/// Memory for the payload of a chunk, taken ahead: other threads write a code into it, and the
/// writer then only links it (trn_store_insert_slot). All zeroes is none.
typedef struct TrnVoxelSlot {
    void *payload;       ///< NULL: none
    TrnPoolId id;        ///< in the heap's pool of its size class
    uint32_t size_class; ///< below TRN_VOXEL_CLASS_COUNT
    bool is_filled;      ///< trn_voxel_slot_fill has been there
} TrnVoxelSlot;

/// Takes memory for a payload without touching it; it counts as one. For the writer's thread.
/// @param size_class  below TRN_VOXEL_CLASS_COUNT
/// @param slot        receives it; goes back with trn_voxel_slot_give, where no chunk takes it
/// Errors: BAD_ARGUMENT, NO_MEMORY, FULL (bytes_max); nothing is given back to make room for it.
/// Cost: O(1).
TRN_API TrnResult trn_voxel_slot_take(TrnVoxelHeap *heap, uint32_t size_class, TrnVoxelSlot *slot);

/// Gives one back that no chunk has taken, filled or not; it is none after that. Nothing for one
/// that is none. For the writer's thread.
TRN_API void trn_voxel_slot_give(TrnVoxelHeap *heap, TrnVoxelSlot *slot);

/// The size class of the slot that a code needs, TRN_VOXEL_CLASS_COUNT where it is no code.
/// Threads: any. O(1).
TRN_API uint32_t trn_voxel_code_class(const void *code);

/// Writes a code into a slot.
/// @param code  CODED by trn_voxels_code with this heap; only read
/// Errors: BAD_ARGUMENT (no slot, or of another class); nothing is written then.
/// Threads: any, each with slots of its own, beside whatever else happens in the heap. Cost:
/// copying the code, 1 to 2 us, and the faults of memory that is touched for the first time.
TRN_API TrnResult trn_voxel_slot_fill(const TrnVoxelHeap *heap, TrnVoxelSlot *slot,
                                      const void *code);

/// Has a chunk of one block that no reader can find yet hold what was written into a slot. Both
/// hold the payload after that: either trn_voxel_slot_forget follows, or the chunk is thrown away
/// without giving it back. Cannot fail. O(1).
TRN_API void trn_voxels_adopt(TrnVoxels *voxels, const TrnVoxelSlot *slot, uint64_t revision);

/// The chunk that has adopted a slot's payload keeps it: the slot is none from now on. Nothing for
/// one that is none. For the writer's thread. O(1).
TRN_API void trn_voxel_slot_forget(TrnVoxelHeap *heap, TrnVoxelSlot *slot);

/// Makes the chunk one single block. Cannot fail. O(1).
TRN_API void trn_voxels_fill(TrnVoxelHeap *heap, TrnVoxels *voxels, TrnBlock block,
                             uint64_t revision);

/// Has the processor fetch what releasing a chunk's voxels will touch, as trn_pool_prefetch does.
/// For the writer.
/// @param voxels  as the chunk holds them. Their payload is looked at: ask for that some dozen
///                chunks before.
TRN_API void trn_voxels_prefetch_release(const TrnVoxelHeap *heap, TrnSnapshot voxels);

/// For a chunk that goes: retires its payload, and leaves `voxels` as it is for readers that have
/// found the chunk already. Nothing but a snapshot inside such a reader's section may follow.
/// Cannot fail. O(1).
TRN_API void trn_voxels_release(TrnVoxelHeap *heap, const TrnVoxels *voxels);

/// For a chunk that no reader has ever been able to find: gives its payload back at once. Cannot
/// fail. O(1).
TRN_API void trn_voxels_discard(TrnVoxelHeap *heap, TrnVoxels *voxels);

/// Brings the chunk to the least memory that holds its blocks, dropping palette entries that occur
/// no more. Commits narrow by themselves; this is for chunks that could not, since there was no
/// memory for it. Blocks and revision stay. Not while an edit of the chunk is open.
/// Errors: NO_MEMORY, FULL, READERS; the chunk is then as it was.
TRN_API TrnResult trn_voxels_compact(TrnVoxelHeap *heap, TrnVoxels *voxels);

// ---- an edit -----------------------------------------------------------------------------------

/// What an edit knows of a block in the palette of its private copy: the block in bits 0..15, its
/// entry in bits 16..23, whether it is solid in bit 24 and opaque in bit 25. Each block has one
/// place for that, which others may take from it; a place of which nothing is known holds a block
/// of another place.
#define TRN_KNOWN_PLACES 256
#define TRN_KNOWN_ENTRY_SHIFT 16
#define TRN_KNOWN_KIND_SHIFT 24
#define TRN_KIND_SOLID 1
#define TRN_KIND_OPAQUE 2

/// A batch of changes to one chunk. The caller's memory, 1.4 KiB; the fields are the library's. One
/// edit at a time per chunk, and nothing else changes the chunk meanwhile. Edits of several chunks
/// may be open together.
///
/// Errors of all that change: NO_MEMORY, FULL, READERS as trn_voxels_encode, BAD_ARGUMENT. The
/// blocks are then as before the call. The private copy is made by the first call that changes a
/// block.
typedef struct TrnVoxelEdit {
    uint64_t *words; ///< of the private copy, as all up to has_one_mask
    uint16_t *counts;
    uint32_t *solid, *opaque;
    uint32_t entry_mask;
    uint8_t bits_shift;
    bool is_plain;                            ///< whether there is a private copy, with 16 bits
    bool has_one_mask;                        ///< whether solid and opaque are the same place
    bool is_changed;                          ///< true wherever there is a private copy
    const uint32_t *solid_bits, *opaque_bits; ///< of the heap
    TrnVoxelHeap *heap;                       ///< NULL when the edit is not open
    TrnVoxels *voxels;
    uint64_t base;                    ///< what was published when it began
    uint64_t now;                     ///< what the chunk holds, where there is no private copy
    TrnPayload *copy;                 ///< private, or NULL
    uint32_t known[TRN_KNOWN_PLACES]; ///< at block % 256; nothing without a copy, and with 16 bits
} TrnVoxelEdit;

/// Opens an edit. Cannot fail. Some 20 ns. End it with trn_voxel_edit_commit or
/// trn_voxel_edit_cancel.
TRN_API void trn_voxel_edit_begin(TrnVoxelEdit *edit, TrnVoxelHeap *heap, TrnVoxels *voxels);

/// What trn_voxel_edit_set does when it does not know the block yet; not called otherwise.
TRN_API TrnResult trn_voxel_edit_set_other(TrnVoxelEdit *edit, uint32_t index, TrnBlock block);

/// The block at a linear index, changes of this edit included. @param index  0..32767; higher bits
/// are ignored. O(1).
static inline TrnBlock trn_voxel_edit_get(const TrnVoxelEdit *edit, uint32_t index)
{
    TrnSnapshot now = {edit->copy ? (uint64_t)(uintptr_t)edit->copy : edit->now};
    return trn_snapshot_get(now, index);
}

/// Makes one bit of a mask what bit 0 of `bits` is.
static inline void trn_mask_put(uint32_t *mask, uint32_t index, uint32_t bits)
{
    uint32_t *const row = &mask[index >> TRN_CHUNK_SHIFT];
    const uint32_t x = index & (TRN_CHUNK_EDGE - 1);
    *row ^= ((*row >> x ^ bits) & 1) << x;
}

/// trn_voxel_edit_set where the private copy has 16 bits.
static inline TrnResult trn_voxel_edit_set_plain(TrnVoxelEdit *edit, uint32_t index, TrnBlock block)
{
    const uint32_t solid = edit->solid_bits[block >> 5] >> (block & 31);
    const uint32_t opaque = edit->opaque_bits[block >> 5] >> (block & 31);
    if (index >= TRN_CHUNK_VOXELS || ((solid ^ opaque) & edit->has_one_mask)) {
        return trn_voxel_edit_set_other(edit, index, block);
    }
    memcpy((unsigned char *)edit->words + index * sizeof block, &block, sizeof block);
    trn_mask_put(edit->solid, index, solid);
    if (!edit->has_one_mask) {
        trn_mask_put(edit->opaque, index, opaque);
    }
    return TRN_RESULT_OK;
}

/// Writes one block. @param index  0..32767
/// Cost: O(1), some 2 ns; tens of ns for a block that is new to the chunk; some us when that widens
/// it. Blocks whose ids are equal modulo 256 and that are written in turn cost some ns more.
static inline TrnResult trn_voxel_edit_set(TrnVoxelEdit *edit, uint32_t index, TrnBlock block)
{
    const uint32_t known = edit->known[block % TRN_KNOWN_PLACES];
    if (index >= TRN_CHUNK_VOXELS || (TrnBlock)known != block) {
        return edit->is_plain ? trn_voxel_edit_set_plain(edit, index, block)
                              : trn_voxel_edit_set_other(edit, index, block);
    }
    // From here on no branch on whether the voxel changes: with blocks at random it is guessed
    // wrong half the time, which cost twice what it saved.
    const uint32_t entry = (uint8_t)(known >> TRN_KNOWN_ENTRY_SHIFT);
    const uint32_t bit = index << edit->bits_shift;
    uint64_t *const word = &edit->words[bit >> 6];
    const uint32_t old = (uint32_t)(*word >> (bit & 63)) & edit->entry_mask;
    *word ^= (uint64_t)(old ^ entry) << (bit & 63);
    edit->counts[old]--;
    edit->counts[entry]++;
    const uint32_t row = index >> TRN_CHUNK_SHIFT, x = index & (TRN_CHUNK_EDGE - 1);
    // Written, not turned over by what the old block is: its type may have been filled in since.
    const uint32_t kind = known >> TRN_KNOWN_KIND_SHIFT, others = ~(UINT32_C(1) << x);
    edit->solid[row] = (edit->solid[row] & others) | (kind & TRN_KIND_SOLID) << x;
    if (!edit->has_one_mask) {
        edit->opaque[row] = (edit->opaque[row] & others) | (kind / TRN_KIND_OPAQUE) << x;
    }
    return TRN_RESULT_OK;
}

/// Writes one block into every voxel of a box. @param min,max  local x, y, z, both inclusive
/// Errors: BAD_ARGUMENT also where the box is empty or reaches out of the chunk. Cost: up to some
/// us; O(1) for the whole chunk.
TRN_API TrnResult trn_voxel_edit_fill_box(TrnVoxelEdit *edit, const uint32_t min[3],
                                          const uint32_t max[3], TrnBlock block);

/// Writes one block wherever a mask has its bit: spheres, brushes, what a diff found.
/// @param mask  [TRN_CHUNK_ROWS] rows, in which bit x of row y * 32 + z is the voxel at x, y, z; it
///              must not be a mask of this chunk
/// Cost: some us, up to 12 where there are more than 32 types; 0.1 us for a full mask or an empty
/// one.
TRN_API TrnResult trn_voxel_edit_fill_mask(TrnVoxelEdit *edit, const uint32_t mask[TRN_CHUNK_ROWS],
                                           TrnBlock block);

/// Copies a box of blocks out of a snapshot: of another chunk, of this one before the edit, of
/// another heap with the same block ids.
/// @param to    local x, y, z of the lowest voxel written
/// @param from  local x, y, z of the lowest voxel read
/// @param size  voxels along x, y, z, each 1..32
/// Errors: BAD_ARGUMENT also where a box reaches out of its chunk. Cost: up to 20 us; more where
/// there are over 256 types.
TRN_API TrnResult trn_voxel_edit_copy_box(TrnVoxelEdit *edit, const uint32_t to[3],
                                          TrnSnapshot source, const uint32_t from[3],
                                          const uint32_t size[3]);

/// Makes every voxel that is `from` one of `to`. Cost: O(palette) where the chunk has no `to` and
/// both are as solid and opaque; otherwise up to some us.
TRN_API TrnResult trn_voxel_edit_replace(TrnVoxelEdit *edit, TrnBlock from, TrnBlock to);

/// Replaces all blocks. @param blocks  [TRN_CHUNK_VOXELS] in linear order
TRN_API TrnResult trn_voxel_edit_encode(TrnVoxelEdit *edit, const TrnBlock *blocks);

/// Publishes the changes under a revision, in the narrowest form that there is memory for, retires
/// what was there, and ends the edit. Cannot fail.
/// @return whether anything was published: false when no call had changed a block, and the chunk
/// and its revision stay as they were
/// Cost: O(palette); some us when the width changes. With 16 bits a pass over the chunk.
TRN_API bool trn_voxel_edit_commit(TrnVoxelEdit *edit, uint64_t revision);

/// Drops the changes and ends the edit.
TRN_API void trn_voxel_edit_cancel(TrnVoxelEdit *edit);

#ifdef __cplusplus
}
#endif
#endif
