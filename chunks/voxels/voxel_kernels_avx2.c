// The kernels with AVX2.

#include "voxel_kernels.h"

#if defined(__x86_64__)
#include <immintrin.h>
#include <string.h>

#define WIDE __attribute__((target("avx2,popcnt,bmi")))
#define ROW ((size_t)TRN_CHUNK_EDGE)
#define UNDER_ROWS ROW ///< whose entries a buffer on the stack has room for

#include "voxel_kernels_body.h"

WIDE static inline __m256i load_row(const uint8_t *entries)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)entries);
}

WIDE static inline void store_row(void *to, __m256i row)
{
    _mm256_storeu_si256((__m256i *)to, row);
}

/// 16 bytes in both halves.
WIDE static inline __m256i load_twice(const void *from)
{
    return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)from));
}

WIDE static inline __m256i all_ones(void)
{
    return _mm256_set1_epi8(-1);
}

// ---- fields and entries ------------------------------------------------------------------------

/// Byte x of a register is byte x / 8 of 32 bits.
WIDE static inline __m256i unpack_row_1(const unsigned char *from)
{
    uint32_t bits;
    memcpy(&bits, from, sizeof bits);
    const __m256i places =
        _mm256_setr_epi64x(0, 0x0101010101010101, 0x0202020202020202, 0x0303030303030303);
    const __m256i powers = _mm256_set1_epi64x((long long)UINT64_C(0x8040201008040201));
    const __m256i spread = _mm256_shuffle_epi8(_mm256_set1_epi32((int)bits), places);
    const __m256i is_set = _mm256_cmpeq_epi8(_mm256_and_si256(spread, powers), powers);
    return _mm256_and_si256(is_set, _mm256_set1_epi8(1));
}

/// Byte x of a register is byte x / 4 of 64 bits, of which it keeps two bits and brings them down.
WIDE static inline __m256i unpack_row_2(const unsigned char *from)
{
    uint64_t bits;
    memcpy(&bits, from, sizeof bits);
    const __m256i places = _mm256_setr_epi64x(0x0101010100000000, 0x0303030302020202,
                                              0x0505050504040404, 0x0707070706060606);
    const __m256i own =
        _mm256_and_si256(_mm256_shuffle_epi8(_mm256_set1_epi64x((long long)bits), places),
                         _mm256_set1_epi32((int)0xC0300C03));
    const __m256i two = _mm256_or_si256(own, _mm256_srli_epi16(own, 2));
    const __m256i four = _mm256_or_si256(two, _mm256_srli_epi16(two, 4));
    return _mm256_and_si256(four, _mm256_set1_epi8(3));
}

WIDE static inline __m256i unpack_row_4(const unsigned char *from)
{
    const __m256i pairs =
        _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)(const void *)from));
    return _mm256_and_si256(_mm256_or_si256(pairs, _mm256_slli_epi16(pairs, 4)),
                            _mm256_set1_epi8(15));
}

WIDE static inline __m256i unpack_row(uint32_t bits_shift, const unsigned char *from)
{
    return bits_shift == 0   ? unpack_row_1(from)
           : bits_shift == 1 ? unpack_row_2(from)
                             : unpack_row_4(from);
}

WIDE static void unpack_avx2(uint32_t bits_shift, const void *fields, size_t rows, uint8_t *entries)
{
    if (bits_shift == 3) {
        memcpy(entries, fields, rows * ROW);
        return;
    }
    const unsigned char *from = fields;
    for (size_t row = 0; row < rows; row++) {
        store_row(entries + row * ROW,
                  unpack_row(bits_shift, from + row * ((size_t)4 << bits_shift)));
    }
}

/// The entries of a row to its fields.
WIDE static inline void pack_row(uint32_t bits_shift, __m256i row, unsigned char *to)
{
    if (bits_shift == 0) {
        uint32_t bits = (uint32_t)_mm256_movemask_epi8(_mm256_slli_epi16(row, 7));
        memcpy(to, &bits, sizeof bits);
        return;
    }
    // Neighbours together: first pairs, then with 2 bits pairs of pairs. Each then fits a byte.
    const __m256i pairs = _mm256_maddubs_epi16(
        row, _mm256_set1_epi16((short)(bits_shift == 1 ? 1 | 4 << 8 : 1 | 16 << 8)));
    if (bits_shift == 2) {
        _mm_storeu_si128(
            (__m128i *)(void *)to,
            _mm_packus_epi16(_mm256_castsi256_si128(pairs), _mm256_extracti128_si256(pairs, 1)));
        return;
    }
    const __m256i fours = _mm256_madd_epi16(pairs, _mm256_set1_epi32(1 | 16 << 16));
    const __m128i words =
        _mm_packus_epi32(_mm256_castsi256_si128(fours), _mm256_extracti128_si256(fours, 1));
    _mm_storel_epi64((__m128i *)(void *)to, _mm_packus_epi16(words, words));
}

WIDE static void pack_avx2(uint32_t bits_shift, const uint8_t *entries, size_t rows, void *fields)
{
    if (bits_shift == 3) {
        memcpy(fields, entries, rows * ROW);
        return;
    }
    for (size_t row = 0; row < rows; row++) {
        pack_row(bits_shift, load_row(entries + row * ROW),
                 (unsigned char *)fields + row * ((size_t)4 << bits_shift));
    }
}

// ---- fields to blocks --------------------------------------------------------------------------

/// 16 blocks as their low and their high bytes, in both halves of a register.
typedef struct BlockTable {
    __m256i low, high;
} BlockTable;

WIDE static BlockTable block_table(const TrnBlock *palette, uint32_t count)
{
    uint8_t low[16] = {0}, high[16] = {0};
    for (uint32_t i = 0; i < count; i++) {
        low[i] = (uint8_t)palette[i];
        high[i] = (uint8_t)(palette[i] >> 8);
    }
    return (BlockTable){load_twice(low), load_twice(high)};
}

WIDE static inline void decode_row(BlockTable table, __m256i at, TrnBlock *blocks)
{
    const __m256i low = _mm256_shuffle_epi8(table.low, at);
    const __m256i high = _mm256_shuffle_epi8(table.high, at);
    const __m256i even = _mm256_unpacklo_epi8(low, high), odd = _mm256_unpackhi_epi8(low, high);
    store_row(blocks, _mm256_permute2x128_si256(even, odd, 0x20));
    store_row(blocks + 16, _mm256_permute2x128_si256(even, odd, 0x31));
}

WIDE static void decode_avx2(uint32_t bits_shift, const void *fields, const TrnBlock *palette,
                             size_t rows, TrnBlock *blocks)
{
    if (bits_shift == 3) {
        trn_voxel_kernels_scalar.decode(bits_shift, fields, palette, rows, blocks);
        return;
    }
    const BlockTable table = block_table(palette, 1u << (1u << bits_shift));
    const unsigned char *from = fields;
    for (size_t row = 0; row < rows; row++) {
        decode_row(table, unpack_row(bits_shift, from + row * ((size_t)4 << bits_shift)),
                   blocks + row * ROW);
    }
}

// ---- counts, masks, maps -----------------------------------------------------------------------

/// How many bytes are `entry`, in the columns that are all ones. Sums of at most 255 rows fit a
/// byte.
WIDE static uint32_t count_entry(const uint8_t *entries, size_t rows, __m256i columns,
                                 uint32_t entry)
{
    const __m256i wanted = _mm256_set1_epi8((char)entry);
    __m256i total = _mm256_setzero_si256();
    for (size_t row = 0; row < rows;) {
        __m256i sums = _mm256_setzero_si256();
        const size_t end = rows - row < 255 ? rows : row + 255;
        for (; row < end; row++) {
            sums = _mm256_sub_epi8(sums, _mm256_cmpeq_epi8(load_row(entries + row * ROW), wanted));
        }
        total = _mm256_add_epi64(
            total, _mm256_sad_epu8(_mm256_and_si256(sums, columns), _mm256_setzero_si256()));
    }
    uint64_t parts[4];
    store_row(parts, total);
    return (uint32_t)(parts[0] + parts[1] + parts[2] + parts[3]);
}

WIDE static void tally_avx2(const uint8_t *entries, size_t rows, uint32_t x_mask,
                            uint32_t palette_count, uint32_t *counts)
{
    if (palette_count > 32) {
        trn_voxel_kernels_scalar.tally(entries, rows, x_mask, palette_count, counts);
        return;
    }
    const __m256i columns =
        _mm256_sub_epi8(_mm256_setzero_si256(), unpack_row_1((const unsigned char *)&x_mask));
    uint32_t left = (uint32_t)(rows * (uint32_t)__builtin_popcount(x_mask));
    for (uint32_t entry = 1; entry < palette_count && left; entry++) {
        const uint32_t count = count_entry(entries, rows, columns, entry);
        counts[entry] += count;
        left -= count;
    }
    counts[0] += left;
}

/// Bytes of all ones where a row of a mask has its bits.
WIDE static inline __m256i mask_bytes(uint32_t bits)
{
    return _mm256_sub_epi8(_mm256_setzero_si256(), unpack_row_1((const unsigned char *)&bits));
}

/// Entries that have no bit become UINT8_MAX, which is none of the entries that are counted here.
WIDE static void tally_few_under(const uint8_t *entries, size_t rows, const uint32_t *mask_rows,
                                 uint32_t palette_count, uint32_t *counts)
{
    uint8_t under[UNDER_ROWS * ROW];
    uint32_t left = 0;
    for (size_t row = 0; row < rows; row++) {
        const __m256i bytes = mask_bytes(mask_rows[row]);
        store_row(under + row * ROW, _mm256_or_si256(load_row(entries + row * ROW),
                                                     _mm256_xor_si256(bytes, all_ones())));
        left += (uint32_t)__builtin_popcount(mask_rows[row]);
    }
    for (uint32_t entry = 1; entry < palette_count && left; entry++) {
        const uint32_t count = count_entry(under, rows, all_ones(), entry);
        counts[entry] += count;
        left -= count;
    }
    counts[0] += left;
}

/// Entries that have no bit become 0, and are taken off its count again.
WIDE static void tally_many_under(const uint8_t *entries, size_t rows, const uint32_t *mask_rows,
                                  uint32_t palette_count, uint32_t *counts)
{
    uint8_t under[UNDER_ROWS * ROW];
    uint32_t others = 0;
    for (size_t row = 0; row < rows; row++) {
        const __m256i bytes = mask_bytes(mask_rows[row]);
        store_row(under + row * ROW, _mm256_and_si256(load_row(entries + row * ROW), bytes));
        others += (uint32_t)__builtin_popcount(~mask_rows[row]);
    }
    trn_voxel_kernels_scalar.tally(under, rows, UINT32_MAX, palette_count, counts);
    counts[0] -= others;
}

WIDE static void tally_under_avx2(const uint8_t *entries, size_t rows, const uint32_t *mask_rows,
                                  uint32_t palette_count, uint32_t *counts)
{
    for (size_t row = 0; row < rows; row += UNDER_ROWS) {
        const size_t some = rows - row < UNDER_ROWS ? rows - row : UNDER_ROWS;
        (palette_count <= 32 ? tally_few_under : tally_many_under)(
            entries + row * ROW, some, mask_rows + row, palette_count, counts);
    }
}

WIDE static void put_avx2(uint8_t *entries, size_t rows, const uint32_t *mask_rows, uint8_t entry)
{
    const __m256i wanted = _mm256_set1_epi8((char)entry);
    for (size_t row = 0; row < rows; row++) {
        uint8_t *at = entries + row * ROW;
        store_row(at, _mm256_blendv_epi8(load_row(at), wanted, mask_bytes(mask_rows[row])));
    }
}

/// Puts a block over 16 others where they have their bit.
WIDE static inline void put_sixteen(TrnBlock *blocks, uint32_t bits, __m256i wanted)
{
    const __m256i powers = _mm256_setr_epi16(1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048,
                                             4096, 8192, 16384, INT16_MIN);
    const __m256i own = _mm256_and_si256(_mm256_set1_epi16((short)bits), powers);
    const __m256i old = _mm256_loadu_si256((const __m256i *)(const void *)blocks);
    store_row(blocks, _mm256_blendv_epi8(old, wanted, _mm256_cmpeq_epi16(own, powers)));
}

WIDE static void put_blocks_avx2(TrnBlock *blocks, size_t rows, const uint32_t *mask_rows,
                                 TrnBlock block)
{
    const __m256i wanted = _mm256_set1_epi16((short)block);
    for (size_t row = 0; row < rows; row++) {
        if (mask_rows[row]) {
            put_sixteen(blocks + row * ROW, mask_rows[row], wanted);
            put_sixteen(blocks + row * ROW + 16, mask_rows[row] >> 16, wanted);
        }
    }
}

/// Byte b is in a set of 256 bits: its byte b >> 3 is looked up in two halves, and bit b & 7 of
/// that tested.
WIDE static void mask_avx2(const uint8_t *entries, size_t rows, const uint32_t entry_bits[8],
                           uint32_t *mask_rows)
{
    const __m256i low = load_twice(entry_bits), high = load_twice(entry_bits + 4);
    const __m256i powers = _mm256_set1_epi64x((long long)UINT64_C(0x8040201008040201));
    for (size_t row = 0; row < rows; row++) {
        const __m256i at = load_row(entries + row * ROW);
        const __m256i byte = _mm256_and_si256(_mm256_srli_epi16(at, 3), _mm256_set1_epi8(15));
        const __m256i set =
            _mm256_blendv_epi8(_mm256_shuffle_epi8(low, byte), _mm256_shuffle_epi8(high, byte), at);
        const __m256i bit = _mm256_shuffle_epi8(powers, _mm256_and_si256(at, _mm256_set1_epi8(7)));
        mask_rows[row] =
            (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(_mm256_and_si256(set, bit), bit));
    }
}

/// A byte out of as many tables of 16 as are needed: each gives a byte where the index is one of
/// its own, and 0 elsewhere, since a shuffle gives 0 for indices with their top bit.
WIDE static inline __m256i map_row(const __m256i *tables, uint32_t count, __m256i at)
{
    __m256i found = _mm256_setzero_si256();
    for (uint32_t i = 0; i < count; i++) {
        const __m256i own = _mm256_adds_epu8(at, _mm256_set1_epi8(0x70));
        found = _mm256_or_si256(found, _mm256_shuffle_epi8(tables[i], own));
        at = _mm256_sub_epi8(at, _mm256_set1_epi8(16));
    }
    return found;
}

WIDE static void map_avx2(uint8_t *entries, size_t rows, const uint8_t table[TRN_PALETTE_MAX],
                          uint32_t palette_count)
{
    __m256i tables[TRN_PALETTE_MAX / 16];
    const uint32_t count = (palette_count + 15) / 16;
    for (uint32_t i = 0; i < count; i++) {
        tables[i] = load_twice(table + (size_t)i * 16);
    }
    for (size_t row = 0; row < rows; row++) {
        const __m256i at = load_row(entries + row * ROW);
        store_row(entries + row * ROW,
                  count == 1 ? _mm256_shuffle_epi8(tables[0], at) : map_row(tables, count, at));
    }
}

// ---- differences -------------------------------------------------------------------------------

WIDE static inline __m256i row_of(uint32_t bits_shift, const unsigned char *fields)
{
    return bits_shift == 3 ? load_row(fields) : unpack_row(bits_shift, fields);
}

WIDE static inline uint32_t differ_row(uint32_t bits_shift, const unsigned char *a,
                                       const unsigned char *b)
{
    if (bits_shift < 4) {
        return ~(uint32_t)_mm256_movemask_epi8(
            _mm256_cmpeq_epi8(row_of(bits_shift, a), row_of(bits_shift, b)));
    }
    const __m256i low = _mm256_cmpeq_epi16(load_row(a), load_row(b));
    const __m256i high = _mm256_cmpeq_epi16(load_row(a + ROW), load_row(b + ROW));
    const __m256i same = _mm256_permute4x64_epi64(_mm256_packs_epi16(low, high), 0xD8);
    return ~(uint32_t)_mm256_movemask_epi8(same);
}

WIDE static inline bool is_line_alike(const unsigned char *a, const unsigned char *b)
{
    const __m256i low = _mm256_xor_si256(load_row(a), load_row(b));
    const __m256i high = _mm256_xor_si256(load_row(a + ROW), load_row(b + ROW));
    const __m256i either = _mm256_or_si256(low, high);
    return _mm256_testz_si256(either, either);
}

// ---- what plain C does as well -----------------------------------------------------------------

static bool index_avx2(const TrnBlock *blocks, TrnVoxelIndexing *indexing, uint8_t *entries)
{
    return trn_voxel_index_rows(blocks, indexing, entries, 0);
}

static void mask_blocks_avx2(const TrnBlock *blocks, size_t rows, const uint32_t *block_bits,
                             uint32_t *mask_rows)
{
    trn_voxel_kernels_scalar.mask_blocks(blocks, rows, block_bits, mask_rows);
}

// ---- hash --------------------------------------------------------------------------------------

WIDE static inline __m256i hash_half(__m256i sum, __m256i key, const TrnBlock *blocks)
{
    const __m256i words = _mm256_loadu_si256((const __m256i *)(const void *)blocks);
    const __m256i mixed = _mm256_xor_si256(words, key);
    const __m256i product = _mm256_mul_epu32(mixed, _mm256_srli_epi64(mixed, 32));
    return _mm256_add_epi64(sum, _mm256_add_epi64(_mm256_shuffle_epi32(words, 0x4E), product));
}

WIDE static void hash_avx2(const TrnBlock *blocks, size_t rows, uint64_t lanes[8])
{
    __m256i low = load_row((const uint8_t *)lanes), high = load_row((const uint8_t *)(lanes + 4));
    __m256i low_key = load_row((const uint8_t *)trn_voxel_hash_keys);
    __m256i high_key = load_row((const uint8_t *)(trn_voxel_hash_keys + 4));
    const __m256i step = _mm256_set1_epi64x((long long)TRN_VOXEL_HASH_STEP);
    for (size_t row = 0; row < rows; row++) {
        low = hash_half(low, low_key, blocks + row * ROW);
        high = hash_half(high, high_key, blocks + row * ROW + 16);
        low_key = _mm256_add_epi64(low_key, step);
        high_key = _mm256_add_epi64(high_key, step);
    }
    store_row(lanes, low);
    store_row(lanes + 4, high);
}

const TrnVoxelKernels trn_voxel_kernels_avx2 = {.name = "AVX2",
                                                .unpack = unpack_avx2,
                                                .pack = pack_avx2,
                                                .decode = decode_avx2,
                                                .index = index_avx2,
                                                .tally = tally_avx2,
                                                .tally_under = tally_under_avx2,
                                                .put = put_avx2,
                                                .put_blocks = put_blocks_avx2,
                                                .mask = mask_avx2,
                                                .mask_blocks = mask_blocks_avx2,
                                                .differ = differ_wide,
                                                .count = count_wide,
                                                .map = map_avx2,
                                                .hash = hash_avx2};
#else
typedef int TrnVoxelKernelsNeedX86; // no file may be empty
#endif
