// The scalar kernels, for every machine, and the table of all sets. Tests compare the others with
// them, bit for bit.

#include "voxel_kernels.h"

#include <string.h>

#define ROW ((size_t)TRN_CHUNK_EDGE)

/// From so many rows on, decoding makes a table of the voxels of each byte.
#define VOXEL_TABLE_ROWS 256

static inline uint64_t voxel_scalar_load_bytes(const void *from, size_t bytes)
{
    uint64_t word = 0;
    memcpy(&word, from, bytes);
    return word;
}

// ---- fields and entries ------------------------------------------------------------------------

/// Spreads eight fields, in the low bits of a word, to eight bytes.
static inline uint64_t voxel_scalar_spread_fields(uint64_t fields, uint32_t bits_shift)
{
    if (bits_shift == 0) {
        // Each byte gets all eight bits and keeps its own. Adding 127 carries any bit to the top.
        uint64_t own = fields * UINT64_C(0x0101010101010101) & UINT64_C(0x8040201008040201);
        return (own + UINT64_C(0x7F7F7F7F7F7F7F7F)) >> 7 & UINT64_C(0x0101010101010101);
    }
    if (bits_shift == 1) {
        fields = (fields | fields << 24) & UINT64_C(0x000000FF000000FF);
        fields = (fields | fields << 12) & UINT64_C(0x000F000F000F000F);
        return (fields | fields << 6) & UINT64_C(0x0303030303030303);
    }
    fields = (fields | fields << 16) & UINT64_C(0x0000FFFF0000FFFF);
    fields = (fields | fields << 8) & UINT64_C(0x00FF00FF00FF00FF);
    return (fields | fields << 4) & UINT64_C(0x0F0F0F0F0F0F0F0F);
}

/// Gathers eight bytes to eight fields in the low bits of a word.
static inline uint64_t voxel_scalar_gather_fields(uint64_t entries, uint32_t bits_shift)
{
    if (bits_shift == 0) {
        return entries * UINT64_C(0x0102040810204080) >> 56;
    }
    if (bits_shift == 1) {
        entries = (entries | entries >> 6) & UINT64_C(0x000F000F000F000F);
        entries = (entries | entries >> 12) & UINT64_C(0x000000FF000000FF);
        return (entries | entries >> 24) & UINT64_C(0xFFFF);
    }
    entries = (entries | entries >> 4) & UINT64_C(0x00FF00FF00FF00FF);
    entries = (entries | entries >> 8) & UINT64_C(0x0000FFFF0000FFFF);
    return (entries | entries >> 16) & UINT64_C(0xFFFFFFFF);
}

// The compiler inlines each of these once a width, with constant sizes and shifts. That more than
// halves the time.

static inline void voxel_scalar_unpack_fields(uint32_t bits_shift, const unsigned char *fields,
                                              size_t rows, uint8_t *entries)
{
    const size_t bytes = (size_t)1 << bits_shift;
    for (size_t i = 0; i < rows * ROW / 8; i++) {
        uint64_t eight = voxel_scalar_spread_fields(
            voxel_scalar_load_bytes(fields + i * bytes, bytes), bits_shift);
        memcpy(entries + i * 8, &eight, 8);
    }
}

static void voxel_scalar_unpack(uint32_t bits_shift, const void *fields, size_t rows,
                                uint8_t *entries)
{
    switch (bits_shift) {
    case 0:
        voxel_scalar_unpack_fields(0, fields, rows, entries);
        return;
    case 1:
        voxel_scalar_unpack_fields(1, fields, rows, entries);
        return;
    case 2:
        voxel_scalar_unpack_fields(2, fields, rows, entries);
        return;
    default:
        memcpy(entries, fields, rows * ROW);
    }
}

static inline void voxel_scalar_pack_fields(uint32_t bits_shift, const uint8_t *entries,
                                            size_t rows, unsigned char *fields)
{
    const size_t bytes = (size_t)1 << bits_shift;
    for (size_t i = 0; i < rows * ROW / 8; i++) {
        uint64_t eight =
            voxel_scalar_gather_fields(voxel_scalar_load_bytes(entries + i * 8, 8), bits_shift);
        memcpy(fields + i * bytes, &eight, bytes);
    }
}

static void voxel_scalar_pack(uint32_t bits_shift, const uint8_t *entries, size_t rows,
                              void *fields)
{
    switch (bits_shift) {
    case 0:
        voxel_scalar_pack_fields(0, entries, rows, fields);
        return;
    case 1:
        voxel_scalar_pack_fields(1, entries, rows, fields);
        return;
    case 2:
        voxel_scalar_pack_fields(2, entries, rows, fields);
        return;
    default:
        memcpy(fields, entries, rows * ROW);
    }
}

static inline void voxel_scalar_decode_fields(uint32_t bits_shift, const unsigned char *fields,
                                              const TrnBlock *palette, size_t rows,
                                              TrnBlock *blocks)
{
    const uint32_t bits = 1u << bits_shift, mask = (1u << bits) - 1, per_byte = 8 >> bits_shift;
    for (size_t i = 0; i < rows * ROW / per_byte; i++) {
        for (uint32_t at = 0; at < per_byte; at++) {
            blocks[i * per_byte + at] = palette[fields[i] >> (at * bits) & mask];
        }
    }
}

/// The same for many rows: looks up all voxels of a byte at once.
static inline void voxel_scalar_decode_by_table(uint32_t bits_shift, const unsigned char *fields,
                                                const TrnBlock *palette, size_t rows,
                                                TrnBlock *blocks)
{
    const uint32_t per_byte = 8 >> bits_shift;
    TrnBlock table[256][8];
    for (uint32_t byte = 0; byte < 256; byte++) {
        for (uint32_t at = 0; at < per_byte; at++) {
            table[byte][at] =
                palette[byte >> (at << bits_shift) & ((1u << (1u << bits_shift)) - 1)];
        }
    }
    for (size_t i = 0; i < rows * ROW / per_byte; i++) {
        memcpy(blocks + i * per_byte, table[fields[i]], per_byte * sizeof *blocks);
    }
}

static inline void voxel_scalar_decode_width(uint32_t bits_shift, const unsigned char *fields,
                                             const TrnBlock *palette, size_t rows, TrnBlock *blocks)
{
    if (rows >= VOXEL_TABLE_ROWS) {
        voxel_scalar_decode_by_table(bits_shift, fields, palette, rows, blocks);
    } else {
        voxel_scalar_decode_fields(bits_shift, fields, palette, rows, blocks);
    }
}

static void voxel_scalar_decode(uint32_t bits_shift, const void *fields, const TrnBlock *palette,
                                size_t rows, TrnBlock *blocks)
{
    switch (bits_shift) {
    case 0:
        voxel_scalar_decode_width(0, fields, palette, rows, blocks);
        return;
    case 1:
        voxel_scalar_decode_width(1, fields, palette, rows, blocks);
        return;
    case 2:
        voxel_scalar_decode_width(2, fields, palette, rows, blocks);
        return;
    default:
        voxel_scalar_decode_fields(3, fields, palette, rows, blocks);
    }
}

// ---- blocks to entries -------------------------------------------------------------------------

void trn_voxel_indexing_begin(TrnVoxelIndexing *indexing, uint8_t *entry_of, bool is_fresh)
{
    memset(indexing->palette, 0xFF, sizeof indexing->palette);
    indexing->count = 0;
    indexing->entry_of = entry_of;
    indexing->is_fresh = is_fresh;
    indexing->hashed = 0;
}

bool trn_voxel_indexing_add(TrnVoxelIndexing *indexing, TrnBlock block)
{
    if (indexing->count == TRN_PALETTE_MAX) {
        return false;
    }
    indexing->entry_of[block] = (uint8_t)indexing->count;
    indexing->palette[indexing->count++] = block;
    return true;
}

/// Indexes a row with a block that is new to the palette.
static bool voxel_scalar_index_new_row(const TrnBlock *row, TrnVoxelIndexing *indexing,
                                       uint8_t *entries)
{
    for (uint32_t x = 0; x < ROW; x++) {
        if (indexing->palette[indexing->entry_of[row[x]]] != row[x] &&
            !trn_voxel_indexing_add(indexing, row[x])) {
            return false;
        }
        entries[x] = indexing->entry_of[row[x]];
    }
    return true;
}

static bool voxel_scalar_index_row(const TrnBlock *row, TrnVoxelIndexing *indexing,
                                   uint8_t *entries)
{
    uint32_t wrong = 0;
    for (uint32_t x = 0; x < ROW; x++) {
        entries[x] = indexing->entry_of[row[x]];
        wrong |= indexing->palette[entries[x]] ^ row[x];
    }
    return wrong == 0 || voxel_scalar_index_new_row(row, indexing, entries);
}

/// Clears entry_of, except for the blocks of the palette.
static void voxel_scalar_clear_fresh(TrnVoxelIndexing *indexing)
{
    memset(indexing->entry_of, 0, UINT16_MAX + 1);
    for (uint32_t e = 0; e < indexing->count; e++) {
        indexing->entry_of[indexing->palette[e]] = (uint8_t)e;
    }
    indexing->is_fresh = false;
}

bool trn_voxel_index_rows(const TrnBlock *blocks, size_t rows, TrnVoxelIndexing *indexing,
                          uint8_t *entries, size_t first_row)
{
    if (indexing->is_fresh) {
        voxel_scalar_clear_fresh(indexing);
    }
    for (size_t row = first_row; row < rows; row++) {
        const TrnBlock *from = blocks + row * ROW;
        uint8_t *to = entries + row * ROW;
        // Land has layers: most rows equal the row before.
        if (row > 0 && memcmp(from, from - ROW, ROW * sizeof *from) == 0) {
            memcpy(to, to - ROW, ROW);
        } else if (!voxel_scalar_index_row(from, indexing, to)) {
            return false;
        }
    }
    return true;
}

static bool voxel_scalar_index(const TrnBlock *blocks, size_t rows, TrnVoxelIndexing *indexing,
                               uint8_t *entries)
{
    return trn_voxel_index_rows(blocks, rows, indexing, entries, 0);
}

// ---- counts, masks, maps -----------------------------------------------------------------------

static void voxel_scalar_used(const uint8_t *entries, size_t rows, uint32_t palette_count,
                              uint32_t used[8])
{
    uint8_t is_used[TRN_PALETTE_MAX] = {0};
    uint64_t few = 0;
    if (palette_count <= 64) {
        for (size_t i = 0; i < rows * ROW; i++) {
            few |= UINT64_C(1) << entries[i];
        }
        used[0] |= (uint32_t)few;
        used[1] |= (uint32_t)(few >> 32);
        return;
    }
    for (size_t i = 0; i < rows * ROW; i++) {
        is_used[entries[i]] = 1;
    }
    for (uint32_t e = 0; e < palette_count; e++) {
        used[e / 32] |= (uint32_t)is_used[e] << e % 32;
    }
}

/// Counts in four banks in turn, so that increments for equal neighbours do not wait for each
/// other.
static void voxel_scalar_tally(const uint8_t *entries, size_t rows, uint32_t palette_count,
                               uint32_t *counts)
{
    uint32_t banks[4][TRN_PALETTE_MAX];
    for (uint32_t bank = 0; bank < 4; bank++) {
        memset(banks[bank], 0, palette_count * sizeof(uint32_t));
    }
    for (size_t i = 0; i < rows * ROW; i += 4) {
        banks[0][entries[i]]++;
        banks[1][entries[i + 1]]++;
        banks[2][entries[i + 2]]++;
        banks[3][entries[i + 3]]++;
    }
    for (uint32_t e = 0; e < palette_count; e++) {
        counts[e] += banks[0][e] + banks[1][e] + banks[2][e] + banks[3][e];
    }
}

/// Adds bits in groups of two, four and eight; the product adds up the bytes.
static uint32_t voxel_scalar_count(const uint32_t *mask_rows, size_t rows)
{
    uint32_t count = 0;
    for (size_t row = 0; row < rows; row++) {
        uint32_t bits = mask_rows[row];
        bits -= bits >> 1 & 0x55555555;
        bits = (bits & 0x33333333) + (bits >> 2 & 0x33333333);
        count += ((bits + (bits >> 4)) & 0x0F0F0F0F) * 0x01010101 >> 24;
    }
    return count;
}

static bool voxel_scalar_put(uint8_t *entries, size_t rows, const uint32_t *mask_rows,
                             uint8_t entry)
{
    uint32_t others = 0;
    for (size_t row = 0; row < rows; row++) {
        for (uint32_t left = mask_rows[row]; left; left &= left - 1) {
            uint8_t *at = &entries[row * ROW + (uint32_t)__builtin_ctz(left)];
            others |= *at ^ entry;
            *at = entry;
        }
    }
    return others != 0;
}

static void voxel_scalar_mask(const uint8_t *entries, size_t rows, const uint32_t entry_bits[8],
                              uint32_t *mask_rows)
{
    for (size_t row = 0; row < rows; row++) {
        uint32_t bits = 0;
        for (uint32_t x = 0; x < ROW; x++) {
            uint32_t entry = entries[row * ROW + x];
            bits |= (entry_bits[entry >> 5] >> (entry & 31) & 1) << x;
        }
        mask_rows[row] = bits;
    }
}

static void voxel_scalar_mask_blocks(const TrnBlock *blocks, size_t rows,
                                     const uint32_t *block_bits, uint32_t *mask_rows)
{
    for (size_t row = 0; row < rows; row++) {
        uint32_t bits = 0;
        for (uint32_t x = 0; x < ROW; x++) {
            uint32_t block = blocks[row * ROW + x];
            bits |= (block_bits[block >> 5] >> (block & 31) & 1) << x;
        }
        mask_rows[row] = bits;
    }
}

static void voxel_scalar_map(uint8_t *entries, size_t rows, const uint8_t table[TRN_PALETTE_MAX],
                             uint32_t palette_count)
{
    (void)palette_count;
    for (size_t i = 0; i < rows * ROW; i++) {
        entries[i] = table[entries[i]];
    }
}

static void voxel_scalar_planes(const uint8_t *bytes, size_t rows, uint32_t bits, uint32_t *planes)
{
    for (; bits; bits &= bits - 1) {
        const uint32_t bit = (uint32_t)__builtin_ctz(bits);
        for (size_t row = 0; row < rows; row++) {
            uint32_t own = 0;
            for (uint32_t x = 0; x < ROW; x++) {
                own |= (uint32_t)(bytes[row * ROW + x] >> bit & 1) << x;
            }
            planes[bit * rows + row] = own;
        }
    }
}

// ---- differences -------------------------------------------------------------------------------

/// Tells which of eight fields, in the low bits of a word, are not 0.
static inline uint32_t voxel_scalar_eight_set(uint64_t fields, uint32_t bits_shift)
{
    const uint64_t bytes =
        bits_shift == 3 ? fields : voxel_scalar_spread_fields(fields, bits_shift);
    const uint64_t low = UINT64_C(0x7F7F7F7F7F7F7F7F);
    return (uint32_t)voxel_scalar_gather_fields((((bytes & low) + low) | bytes) >> 7 & ~low >> 7,
                                                0);
}

/// Compares eight voxels at a time; most are equal.
static inline void voxel_scalar_differ_fields(uint32_t bits_shift, const unsigned char *a,
                                              const unsigned char *b, size_t rows,
                                              uint32_t *mask_rows)
{
    const size_t bytes = (size_t)1 << bits_shift;
    for (size_t row = 0; row < rows; row++) {
        uint32_t bits = 0;
        for (uint32_t x = 0; x < ROW; x += 8, a += bytes, b += bytes) {
            const uint64_t fields =
                voxel_scalar_load_bytes(a, bytes) ^ voxel_scalar_load_bytes(b, bytes);
            bits |= fields ? voxel_scalar_eight_set(fields, bits_shift) << x : 0;
        }
        mask_rows[row] = bits;
    }
}

static void voxel_scalar_differ_blocks(const TrnBlock *a, const TrnBlock *b, size_t rows,
                                       uint32_t *mask_rows)
{
    for (size_t row = 0; row < rows; row++) {
        uint32_t bits = 0;
        for (uint32_t x = 0; x < ROW; x++) {
            bits |= (uint32_t)(a[row * ROW + x] != b[row * ROW + x]) << x;
        }
        mask_rows[row] = bits;
    }
}

static void voxel_scalar_differ(uint32_t bits_shift, const void *a, const void *b, size_t rows,
                                uint32_t *mask_rows)
{
    switch (bits_shift) {
    case 0:
        voxel_scalar_differ_fields(0, a, b, rows, mask_rows);
        return;
    case 1:
        voxel_scalar_differ_fields(1, a, b, rows, mask_rows);
        return;
    case 2:
        voxel_scalar_differ_fields(2, a, b, rows, mask_rows);
        return;
    case 3:
        voxel_scalar_differ_fields(3, a, b, rows, mask_rows);
        return;
    default:
        voxel_scalar_differ_blocks(a, b, rows, mask_rows);
    }
}

// ---- hash --------------------------------------------------------------------------------------

// The first 64 bytes of the fraction of pi.
const uint64_t trn_voxel_hash_keys[8] = {
    UINT64_C(0x243F6A8885A308D3), UINT64_C(0x13198A2E03707344), UINT64_C(0xA4093822299F31D0),
    UINT64_C(0x082EFA98EC4E6C89), UINT64_C(0x452821E638D01377), UINT64_C(0xBE5466CF34E90C6C),
    UINT64_C(0xC0AC29B7C97C50DD), UINT64_C(0x3F84D5B5B5470917)};

static void voxel_scalar_hash(const TrnBlock *blocks, size_t rows, uint64_t lanes[8])
{
    for (size_t row = 0; row < rows; row++) {
        uint64_t words[8];
        memcpy(words, blocks + row * ROW, sizeof words);
        for (uint32_t lane = 0; lane < 8; lane++) {
            uint64_t mixed = words[lane] ^ (trn_voxel_hash_keys[lane] + row * TRN_VOXEL_HASH_STEP);
            lanes[lane] += words[lane ^ 1] + (mixed & UINT32_MAX) * (mixed >> 32);
        }
    }
}

// ---- table -------------------------------------------------------------------------------------

const TrnVoxelKernels trn_voxel_kernels_scalar = {.name = "scalar",
                                                  .unpack = voxel_scalar_unpack,
                                                  .pack = voxel_scalar_pack,
                                                  .decode = voxel_scalar_decode,
                                                  .index = voxel_scalar_index,
                                                  .used = voxel_scalar_used,
                                                  .tally = voxel_scalar_tally,
                                                  .put = voxel_scalar_put,
                                                  .mask = voxel_scalar_mask,
                                                  .mask_blocks = voxel_scalar_mask_blocks,
                                                  .differ = voxel_scalar_differ,
                                                  .count = voxel_scalar_count,
                                                  .map = voxel_scalar_map,
                                                  .planes = voxel_scalar_planes,
                                                  .hash = voxel_scalar_hash};

// ---- the table ---------------------------------------------------------------------------------

static const TrnKernelRow voxel_kernel_rows[] = {
#if defined(__x86_64__)
    {TRN_CPU_AVX512F | TRN_CPU_AVX512BW | TRN_CPU_AVX512VL | TRN_CPU_POPCNT | TRN_CPU_BMI,
     &trn_voxel_kernels_avx512},
    {TRN_CPU_AVX2 | TRN_CPU_POPCNT | TRN_CPU_BMI, &trn_voxel_kernels_avx2},
#endif
#if defined(TRN_VECTORS)
    {0, &trn_voxel_kernels_four},
#endif
    {0, &trn_voxel_kernels_scalar},
};
const TrnKernelTable trn_voxel_kernels = {voxel_kernel_rows,
                                          sizeof voxel_kernel_rows / sizeof *voxel_kernel_rows};
