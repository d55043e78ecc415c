// The kernels on vectors of 16 bytes, two to a row: NEON on 64-bit ARM, SIMD128 in WebAssembly.
//
// docs/kernels.md has the estimates by which a kernel is here or left to the scalar set.

#include "voxel_kernels.h"

#include "base/vectors.h"

#if defined(TRN_VECTORS)

#define WIDE
#define ROW ((size_t)TRN_CHUNK_EDGE)
#define VOXEL_WIDE(name) voxel_four_##name
#define VOXEL_WIDE_HAS_COUNT

#include "voxel_kernels_body.h"

/// Up to this many types, comparing with each in turn is faster than counting in a table.
#define TALLIED_TYPES_MAX 16

/// The bytes of a row.
typedef struct VoxelRow {
    TrnU8x16 low, high;
} VoxelRow;

static inline VoxelRow voxel_four_load_row(const void *from)
{
    const unsigned char *bytes = from;
    return (VoxelRow){trn_u8x16_load(bytes), trn_u8x16_load(bytes + 16)};
}

static inline void voxel_four_store_row(void *to, VoxelRow row)
{
    unsigned char *bytes = to;
    trn_u8x16_store(bytes, row.low);
    trn_u8x16_store(bytes + 16, row.high);
}

static inline VoxelRow voxel_four_and(VoxelRow a, VoxelRow b)
{
    return (VoxelRow){a.low & b.low, a.high & b.high};
}

/// Has all ones in the bytes that are not 0.
static inline VoxelRow voxel_four_nonzero(VoxelRow row)
{
    return (VoxelRow){(TrnU8x16)(row.low != 0), (TrnU8x16)(row.high != 0)};
}

/// @param row  bytes that are all ones or 0
static inline uint32_t voxel_four_bits(VoxelRow row)
{
    return trn_u8x16_bits(row.low, row.high);
}

// ---- fields and entries ------------------------------------------------------------------------

static inline TrnU8x16 voxel_four_powers(void)
{
    return (TrnU8x16){1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
}

/// Expands the bits of a row to bytes, all ones or 0: puts byte x / 8 of the bits into byte x, and
/// tests bit x % 8 of it.
static inline VoxelRow voxel_four_mask_bytes(uint32_t bits)
{
    const TrnU8x16 all = (TrnU8x16)(bits - (TrnU32x4){0});
    const TrnU8x16 low = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1};
    const VoxelRow own = {trn_u8x16_look_up(all, low), trn_u8x16_look_up(all, low + 2)};
    const VoxelRow powers = {voxel_four_powers(), voxel_four_powers()};
    return voxel_four_nonzero(voxel_four_and(own, powers));
}

/// Loads the fields of a row into the low end of a register.
static inline TrnU8x16 voxel_four_load_fields(uint32_t bits_shift, const unsigned char *fields)
{
    uint64_t word = 0;
    if (bits_shift == 2) {
        return trn_u8x16_load(fields);
    }
    memcpy(&word, fields, (size_t)4 << bits_shift);
    return (TrnU8x16)(TrnU64x2){word, 0};
}

/// Keeps the low bits of bytes.
static inline VoxelRow voxel_four_low_bits(TrnU8x16 low, TrnU8x16 high, uint8_t mask)
{
    return (VoxelRow){low & trn_u8x16_all(mask), high & trn_u8x16_all(mask)};
}

/// Unpacks fields of two or four bits: puts each half of a byte next to the other, once or twice.
static inline VoxelRow voxel_four_unpack_fields(uint32_t bits_shift, TrnU8x16 fields)
{
    const TrnU8x16 shifted = fields >> 4, fours = TRN_U8X16_ZIP_LOW(fields, shifted);
    if (bits_shift == 2) {
        return voxel_four_low_bits(fours, TRN_U8X16_ZIP_HIGH(fields, shifted), 15);
    }
    const TrnU8x16 moved = fours >> 2;
    return voxel_four_low_bits(TRN_U8X16_ZIP_LOW(fours, moved), TRN_U8X16_ZIP_HIGH(fours, moved),
                               3);
}

static inline VoxelRow voxel_four_unpack_row(uint32_t bits_shift, const unsigned char *fields)
{
    if (bits_shift > 0) {
        return voxel_four_unpack_fields(bits_shift, voxel_four_load_fields(bits_shift, fields));
    }
    uint32_t bits;
    memcpy(&bits, fields, sizeof bits);
    const VoxelRow mask = voxel_four_mask_bytes(bits);
    return voxel_four_low_bits(mask.low, mask.high, 1);
}

static inline void voxel_four_unpack_rows(uint32_t bits_shift, const unsigned char *fields,
                                          size_t rows, uint8_t *entries)
{
    for (size_t row = 0; row < rows; row++) {
        voxel_four_store_row(
            entries + row * ROW,
            voxel_four_unpack_row(bits_shift, fields + row * ((size_t)4 << bits_shift)));
    }
}

static void voxel_four_unpack(uint32_t bits_shift, const void *fields, size_t rows,
                              uint8_t *entries)
{
    switch (bits_shift) {
    case 0:
        voxel_four_unpack_rows(0, fields, rows, entries);
        return;
    case 1:
        voxel_four_unpack_rows(1, fields, rows, entries);
        return;
    case 2:
        voxel_four_unpack_rows(2, fields, rows, entries);
        return;
    default:
        memcpy(entries, fields, rows * ROW);
    }
}

/// Joins adjacent bytes of two registers to one byte each.
static inline TrnU8x16 voxel_four_join(TrnU8x16 low, TrnU8x16 high, int bits)
{
    return TRN_U8X16_EVEN(low, high) | TRN_U8X16_ODD(low, high) << bits;
}

/// Packs the entries of a row.
static inline void voxel_four_pack_row(uint32_t bits_shift, VoxelRow row, unsigned char *to)
{
    if (bits_shift == 0) {
        const uint32_t bits = trn_u8x16_bits(0 - row.low, 0 - row.high);
        memcpy(to, &bits, sizeof bits);
    } else if (bits_shift == 1) {
        const TrnU8x16 pairs = voxel_four_join(row.low, row.high, 2);
        const uint64_t fours = ((TrnU64x2)voxel_four_join(pairs, pairs, 4))[0];
        memcpy(to, &fours, sizeof fours);
    } else {
        trn_u8x16_store(to, voxel_four_join(row.low, row.high, 4));
    }
}

static inline void voxel_four_pack_rows(uint32_t bits_shift, const uint8_t *entries, size_t rows,
                                        unsigned char *fields)
{
    for (size_t row = 0; row < rows; row++) {
        voxel_four_pack_row(bits_shift, voxel_four_load_row(entries + row * ROW),
                            fields + row * ((size_t)4 << bits_shift));
    }
}

static void voxel_four_pack(uint32_t bits_shift, const uint8_t *entries, size_t rows, void *fields)
{
    switch (bits_shift) {
    case 0:
        voxel_four_pack_rows(0, entries, rows, fields);
        return;
    case 1:
        voxel_four_pack_rows(1, entries, rows, fields);
        return;
    case 2:
        voxel_four_pack_rows(2, entries, rows, fields);
        return;
    default:
        memcpy(fields, entries, rows * ROW);
    }
}

// ---- fields to blocks --------------------------------------------------------------------------

/// The low and the high bytes of 16 blocks.
typedef struct VoxelBlockTable {
    TrnU8x16 low, high;
} VoxelBlockTable;

static VoxelBlockTable voxel_four_block_table(const TrnBlock *palette, uint32_t count)
{
    uint8_t low[16] = {0}, high[16] = {0};
    for (uint32_t i = 0; i < count; i++) {
        low[i] = (uint8_t)palette[i];
        high[i] = (uint8_t)(palette[i] >> 8);
    }
    return (VoxelBlockTable){trn_u8x16_load(low), trn_u8x16_load(high)};
}

/// Looks up half a row.
static inline void voxel_four_decode_half(VoxelBlockTable table, TrnU8x16 at, TrnBlock *blocks)
{
    const TrnU8x16 low = trn_u8x16_look_up(table.low, at);
    const TrnU8x16 high = trn_u8x16_look_up(table.high, at);
    trn_u8x16_store(blocks, TRN_U8X16_ZIP_LOW(low, high));
    trn_u8x16_store(blocks + 8, TRN_U8X16_ZIP_HIGH(low, high));
}

static inline void voxel_four_decode_rows(uint32_t bits_shift, const unsigned char *fields,
                                          const TrnBlock *palette, size_t rows, TrnBlock *blocks)
{
    const VoxelBlockTable table = voxel_four_block_table(palette, 1u << (1u << bits_shift));
    for (size_t row = 0; row < rows; row++) {
        const VoxelRow at =
            voxel_four_unpack_row(bits_shift, fields + row * ((size_t)4 << bits_shift));
        voxel_four_decode_half(table, at.low, blocks + row * ROW);
        voxel_four_decode_half(table, at.high, blocks + row * ROW + 16);
    }
}

static void voxel_four_decode(uint32_t bits_shift, const void *fields, const TrnBlock *palette,
                              size_t rows, TrnBlock *blocks)
{
    switch (bits_shift) {
    case 0:
        voxel_four_decode_rows(0, fields, palette, rows, blocks);
        return;
    case 1:
        voxel_four_decode_rows(1, fields, palette, rows, blocks);
        return;
    case 2:
        voxel_four_decode_rows(2, fields, palette, rows, blocks);
        return;
    default:
        trn_voxel_kernels_scalar.decode(bits_shift, fields, palette, rows, blocks);
    }
}

// ---- counts, masks, maps -----------------------------------------------------------------------

/// Counts the bytes equal to `entry`. Sums of at most 255 rows fit
/// a byte.
static uint32_t voxel_four_count_entry(const uint8_t *entries, size_t rows, uint32_t entry)
{
    const TrnU8x16 wanted = trn_u8x16_all((uint8_t)entry);
    uint32_t count = 0;
    for (size_t row = 0; row < rows;) {
        VoxelRow sums = {0};
        const size_t end = rows - row < 255 ? rows : row + 255;
        for (; row < end; row++) {
            const VoxelRow at = voxel_four_load_row(entries + row * ROW);
            sums.low -= (TrnU8x16)(at.low == wanted);
            sums.high -= (TrnU8x16)(at.high == wanted);
        }
        count += trn_u8x16_sum(sums.low) + trn_u8x16_sum(sums.high);
    }
    return count;
}

static void voxel_four_tally(const uint8_t *entries, size_t rows, uint32_t palette_count,
                             uint32_t *counts)
{
    if (palette_count > TALLIED_TYPES_MAX) {
        trn_voxel_kernels_scalar.tally(entries, rows, palette_count, counts);
        return;
    }
    uint32_t left = (uint32_t)(rows * ROW);
    for (uint32_t entry = 1; entry < palette_count && left; entry++) {
        const uint32_t count = voxel_four_count_entry(entries, rows, entry);
        counts[entry] += count;
        left -= count;
    }
    counts[0] += left;
}

/// The rows of 31 registers. No sum of a byte's bits exceeds a byte then.
#define COUNTED_ROWS ((size_t)31 * 4)

static uint32_t voxel_four_count(const uint32_t *mask_rows, size_t rows)
{
    uint32_t count = 0;
    size_t row = 0;
    while (row + 4 <= rows) {
        TrnU8x16 sums = {0};
        const size_t end = rows - row < COUNTED_ROWS ? rows - rows % 4 : row + COUNTED_ROWS;
        for (; row < end; row += 4) {
            sums += trn_u8x16_popcount(trn_u8x16_load(mask_rows + row));
        }
        count += trn_u8x16_sum(sums);
    }
    for (; row < rows; row++) {
        count += (uint32_t)__builtin_popcount(mask_rows[row]);
    }
    return count;
}

static bool voxel_four_put(uint8_t *entries, size_t rows, const uint32_t *mask_rows, uint8_t entry)
{
    const TrnU8x16 wanted = trn_u8x16_all(entry);
    TrnU8x16 others = {0};
    for (size_t row = 0; row < rows; row++) {
        const VoxelRow old = voxel_four_load_row(entries + row * ROW);
        const VoxelRow mask = voxel_four_mask_bytes(mask_rows[row]);
        const VoxelRow now = {trn_u8x16_pick(mask.low, wanted, old.low),
                              trn_u8x16_pick(mask.high, wanted, old.high)};
        others |= (old.low ^ now.low) | (old.high ^ now.high);
        voxel_four_store_row(entries + row * ROW, now);
    }
    uint64_t halves[2];
    memcpy(halves, &others, sizeof halves);
    return (halves[0] | halves[1]) != 0;
}

/// Tests each byte b against a set of 256 bits: looks up byte b >> 3 of the set, and tests its bit
/// b & 7. @return bytes that are not 0 where the bit is set
static inline TrnU8x16 voxel_four_test(const TrnU8x16 set[2], TrnU8x16 at)
{
    return trn_u8x16_look_up_32(set, at >> 3) &
           trn_u8x16_look_up(voxel_four_powers(), at & trn_u8x16_all(7));
}

static void voxel_four_mask(const uint8_t *entries, size_t rows, const uint32_t entry_bits[8],
                            uint32_t *mask_rows)
{
    const TrnU8x16 set[2] = {trn_u8x16_load(entry_bits), trn_u8x16_load(entry_bits + 4)};
    for (size_t row = 0; row < rows; row++) {
        const VoxelRow at = voxel_four_load_row(entries + row * ROW);
        const VoxelRow own = {voxel_four_test(set, at.low), voxel_four_test(set, at.high)};
        mask_rows[row] = voxel_four_bits(voxel_four_nonzero(own));
    }
}

/// Looks bytes up in several pairs of tables of 16. Each pair yields a byte for its own indices and
/// 0 for others.
static inline TrnU8x16 voxel_four_map_bytes(const TrnU8x16 *tables, uint32_t pairs, TrnU8x16 at)
{
    TrnU8x16 found = trn_u8x16_look_up_32(tables, at);
    for (uint32_t i = 1; i < pairs; i++) {
        at -= 32;
        found |= trn_u8x16_look_up_32(tables + (size_t)2 * i, at);
    }
    return found;
}

static void voxel_four_map(uint8_t *entries, size_t rows, const uint8_t table[TRN_PALETTE_MAX],
                           uint32_t palette_count)
{
    TrnU8x16 tables[TRN_PALETTE_MAX / 16];
    const uint32_t pairs = (palette_count + 31) / 32;
    for (size_t i = 0; i < (size_t)2 * pairs; i++) {
        tables[i] = trn_u8x16_load(table + i * 16);
    }
    for (size_t row = 0; row < rows; row++) {
        const VoxelRow at = voxel_four_load_row(entries + row * ROW);
        voxel_four_store_row(entries + row * ROW,
                             palette_count <= 16
                                 ? (VoxelRow){trn_u8x16_look_up(tables[0], at.low),
                                              trn_u8x16_look_up(tables[0], at.high)}
                                 : (VoxelRow){voxel_four_map_bytes(tables, pairs, at.low),
                                              voxel_four_map_bytes(tables, pairs, at.high)});
    }
}

static void voxel_four_planes(const uint8_t *bytes, size_t rows, uint32_t bits, uint32_t *planes)
{
    for (; bits; bits &= bits - 1) {
        const uint32_t bit = (uint32_t)__builtin_ctz(bits);
        const TrnU8x16 own = trn_u8x16_all((uint8_t)(1 << bit));
        for (size_t row = 0; row < rows; row++) {
            const VoxelRow at = voxel_four_load_row(bytes + row * ROW);
            const VoxelRow set = {at.low & own, at.high & own};
            planes[bit * rows + row] = voxel_four_bits(voxel_four_nonzero(set));
        }
    }
}

// ---- differences -------------------------------------------------------------------------------

/// Compares eight blocks. @return all ones where they differ
static inline TrnU8x16 voxel_four_differ_eight(const unsigned char *a, const unsigned char *b)
{
    return (TrnU8x16)((TrnU16x8)trn_u8x16_load(a) != (TrnU16x8)trn_u8x16_load(b));
}

static inline uint32_t voxel_four_differ_blocks(const unsigned char *a, const unsigned char *b)
{
    const TrnU8x16 parts[4] = {
        voxel_four_differ_eight(a, b), voxel_four_differ_eight(a + 16, b + 16),
        voxel_four_differ_eight(a + 32, b + 32), voxel_four_differ_eight(a + 48, b + 48)};
    return trn_u8x16_bits(TRN_U8X16_EVEN(parts[0], parts[1]), TRN_U8X16_EVEN(parts[2], parts[3]));
}

static inline uint32_t voxel_four_differ_row(uint32_t bits_shift, const unsigned char *a,
                                             const unsigned char *b)
{
    if (bits_shift == 4) {
        return voxel_four_differ_blocks(a, b);
    }
    if (bits_shift == 3) {
        const VoxelRow of_a = voxel_four_load_row(a), of_b = voxel_four_load_row(b);
        return trn_u8x16_bits((TrnU8x16)(of_a.low != of_b.low), (TrnU8x16)(of_a.high != of_b.high));
    }
    const TrnU8x16 fields =
        voxel_four_load_fields(bits_shift, a) ^ voxel_four_load_fields(bits_shift, b);
    return bits_shift == 0
               ? ((TrnU32x4)fields)[0]
               : voxel_four_bits(voxel_four_nonzero(voxel_four_unpack_fields(bits_shift, fields)));
}

static inline bool voxel_four_is_line_alike(const unsigned char *a, const unsigned char *b)
{
    TrnU8x16 either = {0};
    for (size_t i = 0; i < 64; i += 16) {
        either |= trn_u8x16_load(a + i) ^ trn_u8x16_load(b + i);
    }
    const TrnU64x2 words = (TrnU64x2)either;
    return (words[0] | words[1]) == 0;
}

// ---- scalar code is as fast --------------------------------------------------------------------

static bool voxel_four_index(const TrnBlock *blocks, size_t rows, TrnVoxelIndexing *indexing,
                             uint8_t *entries)
{
    return trn_voxel_index_rows(blocks, rows, indexing, entries, 0);
}

static void voxel_four_used(const uint8_t *entries, size_t rows, uint32_t palette_count,
                            uint32_t used[8])
{
    trn_voxel_kernels_scalar.used(entries, rows, palette_count, used);
}

static void voxel_four_mask_blocks(const TrnBlock *blocks, size_t rows, const uint32_t *block_bits,
                                   uint32_t *mask_rows)
{
    trn_voxel_kernels_scalar.mask_blocks(blocks, rows, block_bits, mask_rows);
}

// ---- hash --------------------------------------------------------------------------------------

/// Adds half a row: four of the lanes.
static inline void voxel_four_hash_lanes(TrnU64x2 sums[2], TrnU64x2 keys[2], const TrnBlock *blocks)
{
    const TrnU64x2 low = (TrnU64x2)trn_u8x16_load(blocks);
    const TrnU64x2 high = (TrnU64x2)trn_u8x16_load(blocks + 8);
    const TrnU32x4 mixed_low = (TrnU32x4)(low ^ keys[0]), mixed_high = (TrnU32x4)(high ^ keys[1]);
    const TrnU32x4 even = TRN_SHUFFLE(TrnU32x4, mixed_low, mixed_high, 0, 2, 4, 6);
    const TrnU32x4 odd = TRN_SHUFFLE(TrnU32x4, mixed_low, mixed_high, 1, 3, 5, 7);
    sums[0] += TRN_SHUFFLE(TrnU64x2, low, low, 1, 0) + trn_u32x4_product_low(even, odd);
    sums[1] += TRN_SHUFFLE(TrnU64x2, high, high, 1, 0) + trn_u32x4_product_high(even, odd);
    keys[0] += TRN_VOXEL_HASH_STEP;
    keys[1] += TRN_VOXEL_HASH_STEP;
}

static void voxel_four_hash(const TrnBlock *blocks, size_t rows, uint64_t lanes[8])
{
    TrnU64x2 sums[4], keys[4];
    memcpy(sums, lanes, sizeof sums);
    memcpy(keys, trn_voxel_hash_keys, sizeof keys);
    for (size_t row = 0; row < rows; row++) {
        voxel_four_hash_lanes(sums, keys, blocks + row * ROW);
        voxel_four_hash_lanes(sums + 2, keys + 2, blocks + row * ROW + 16);
    }
    memcpy(lanes, sums, sizeof sums);
}

const TrnVoxelKernels trn_voxel_kernels_four = {.name = TRN_CPU_VECTORS_NAME,
                                                .unpack = voxel_four_unpack,
                                                .pack = voxel_four_pack,
                                                .decode = voxel_four_decode,
                                                .index = voxel_four_index,
                                                .used = voxel_four_used,
                                                .tally = voxel_four_tally,
                                                .put = voxel_four_put,
                                                .mask = voxel_four_mask,
                                                .mask_blocks = voxel_four_mask_blocks,
                                                .differ = voxel_four_differ,
                                                .count = voxel_four_count,
                                                .map = voxel_four_map,
                                                .planes = voxel_four_planes,
                                                .hash = voxel_four_hash};

#undef WIDE
#undef VOXEL_WIDE
#undef VOXEL_WIDE_HAS_COUNT
#else
typedef int TrnVoxelKernelsNeedVectors; // a source must not be empty
#endif
