// The kernels with AVX2.

#include "voxel_kernels.h"

#if defined(__x86_64__)
#include <immintrin.h>
#include <string.h>

#define WIDE __attribute__((target("avx2,popcnt,bmi")))
#define ROW ((size_t)TRN_CHUNK_EDGE)
#define VOXEL_WIDE(name) voxel_avx2_##name

#include "voxel_kernels_body.h"
#include "voxel_kernels_rows.h"

// ---- fields and entries ------------------------------------------------------------------------

/// Puts byte x / 8 of 32 bits into byte x, and keeps bit x % 8 of it.
WIDE static inline __m256i voxel_avx2_unpack_row_1(const unsigned char *from)
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

WIDE static inline __m256i voxel_avx2_unpack_row(uint32_t bits_shift, const unsigned char *from)
{
    return bits_shift == 0   ? voxel_avx2_unpack_row_1(from)
           : bits_shift == 1 ? voxel_avx2_unpack_row_2(from)
                             : voxel_avx2_unpack_row_4(from);
}

WIDE static void voxel_avx2_unpack(uint32_t bits_shift, const void *fields, size_t rows,
                                   uint8_t *entries)
{
    if (bits_shift == 3) {
        memcpy(entries, fields, rows * ROW);
        return;
    }
    const unsigned char *from = fields;
    for (size_t row = 0; row < rows; row++) {
        voxel_avx2_store_row(
            entries + row * ROW,
            voxel_avx2_unpack_row(bits_shift, from + row * ((size_t)4 << bits_shift)));
    }
}

WIDE static inline void voxel_avx2_pack_row(uint32_t bits_shift, __m256i row, unsigned char *to)
{
    if (bits_shift == 0) {
        uint32_t bits = (uint32_t)_mm256_movemask_epi8(_mm256_slli_epi16(row, 7));
        memcpy(to, &bits, sizeof bits);
        return;
    }
    const __m256i pairs = voxel_avx2_join_pairs(bits_shift, row); // each fits a byte
    if (bits_shift == 2) {
        _mm_storeu_si128(
            (__m128i *)(void *)to,
            _mm_packus_epi16(_mm256_castsi256_si128(pairs), _mm256_extracti128_si256(pairs, 1)));
        return;
    }
    const __m256i fours = voxel_avx2_join_fours(pairs);
    const __m128i words =
        _mm_packus_epi32(_mm256_castsi256_si128(fours), _mm256_extracti128_si256(fours, 1));
    _mm_storel_epi64((__m128i *)(void *)to, _mm_packus_epi16(words, words));
}

// ---- fields to blocks --------------------------------------------------------------------------

/// The low and the high bytes of 16 blocks, each in both halves of a register.
typedef struct BlockTable {
    __m256i low, high;
} BlockTable;

WIDE static BlockTable voxel_avx2_block_table(const TrnBlock *palette, uint32_t count)
{
    uint8_t low[16] = {0}, high[16] = {0};
    for (uint32_t i = 0; i < count; i++) {
        low[i] = (uint8_t)palette[i];
        high[i] = (uint8_t)(palette[i] >> 8);
    }
    return (BlockTable){voxel_avx2_load_twice(low), voxel_avx2_load_twice(high)};
}

WIDE static inline void voxel_avx2_decode_row(BlockTable table, __m256i at, TrnBlock *blocks)
{
    const __m256i low = _mm256_shuffle_epi8(table.low, at);
    const __m256i high = _mm256_shuffle_epi8(table.high, at);
    const __m256i even = _mm256_unpacklo_epi8(low, high), odd = _mm256_unpackhi_epi8(low, high);
    voxel_avx2_store_row(blocks, _mm256_permute2x128_si256(even, odd, 0x20));
    voxel_avx2_store_row(blocks + 16, _mm256_permute2x128_si256(even, odd, 0x31));
}

WIDE static void voxel_avx2_decode(uint32_t bits_shift, const void *fields, const TrnBlock *palette,
                                   size_t rows, TrnBlock *blocks)
{
    if (bits_shift == 3) {
        trn_voxel_kernels_scalar.decode(bits_shift, fields, palette, rows, blocks);
        return;
    }
    const BlockTable table = voxel_avx2_block_table(palette, 1u << (1u << bits_shift));
    const unsigned char *from = fields;
    for (size_t row = 0; row < rows; row++) {
        voxel_avx2_decode_row(
            table, voxel_avx2_unpack_row(bits_shift, from + row * ((size_t)4 << bits_shift)),
            blocks + row * ROW);
    }
}

// ---- counts, masks, maps -----------------------------------------------------------------------

/// Counts the bytes equal to `entry`. Sums of at most 255 rows fit a byte.
WIDE static uint32_t voxel_avx2_count_entry(const uint8_t *entries, size_t rows, uint32_t entry)
{
    const __m256i wanted = _mm256_set1_epi8((char)entry);
    __m256i total = _mm256_setzero_si256();
    for (size_t row = 0; row < rows;) {
        __m256i sums = _mm256_setzero_si256();
        const size_t end = rows - row < 255 ? rows : row + 255;
        for (; row < end; row++) {
            sums = _mm256_sub_epi8(
                sums, _mm256_cmpeq_epi8(voxel_avx2_load_row(entries + row * ROW), wanted));
        }
        total = _mm256_add_epi64(total, _mm256_sad_epu8(sums, _mm256_setzero_si256()));
    }
    uint64_t parts[4];
    voxel_avx2_store_row(parts, total);
    return (uint32_t)(parts[0] + parts[1] + parts[2] + parts[3]);
}

WIDE static void voxel_avx2_tally(const uint8_t *entries, size_t rows, uint32_t palette_count,
                                  uint32_t *counts)
{
    if (palette_count > 32) {
        trn_voxel_kernels_scalar.tally(entries, rows, palette_count, counts);
        return;
    }
    uint32_t left = (uint32_t)(rows * ROW);
    for (uint32_t entry = 1; entry < palette_count && left; entry++) {
        const uint32_t count = voxel_avx2_count_entry(entries, rows, entry);
        counts[entry] += count;
        left -= count;
    }
    counts[0] += left;
}

WIDE static inline __m256i voxel_avx2_mask_bytes(uint32_t bits)
{
    return _mm256_sub_epi8(_mm256_setzero_si256(),
                           voxel_avx2_unpack_row_1((const unsigned char *)&bits));
}

WIDE static bool voxel_avx2_put(uint8_t *entries, size_t rows, const uint32_t *mask_rows,
                                uint8_t entry)
{
    const __m256i wanted = _mm256_set1_epi8((char)entry);
    __m256i others = _mm256_setzero_si256();
    for (size_t row = 0; row < rows; row++) {
        uint8_t *at = entries + row * ROW;
        const __m256i old = voxel_avx2_load_row(at);
        const __m256i now = _mm256_blendv_epi8(old, wanted, voxel_avx2_mask_bytes(mask_rows[row]));
        others = _mm256_or_si256(others, _mm256_xor_si256(old, now));
        voxel_avx2_store_row(at, now);
    }
    return !_mm256_testz_si256(others, others);
}

/// Tests each byte b against a set of 256 bits: looks up byte b >> 3 of the set in two halves, and
/// tests its bit b & 7.
WIDE static void voxel_avx2_mask(const uint8_t *entries, size_t rows, const uint32_t entry_bits[8],
                                 uint32_t *mask_rows)
{
    const __m256i low = voxel_avx2_load_twice(entry_bits),
                  high = voxel_avx2_load_twice(entry_bits + 4);
    const __m256i powers = _mm256_set1_epi64x((long long)UINT64_C(0x8040201008040201));
    for (size_t row = 0; row < rows; row++) {
        const __m256i at = voxel_avx2_load_row(entries + row * ROW);
        const __m256i byte = _mm256_and_si256(_mm256_srli_epi16(at, 3), _mm256_set1_epi8(15));
        const __m256i set =
            _mm256_blendv_epi8(_mm256_shuffle_epi8(low, byte), _mm256_shuffle_epi8(high, byte), at);
        const __m256i bit = _mm256_shuffle_epi8(powers, _mm256_and_si256(at, _mm256_set1_epi8(7)));
        mask_rows[row] =
            (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(_mm256_and_si256(set, bit), bit));
    }
}

/// Looks bytes up in several tables of 16. Each table yields a byte for its own indices and 0 for
/// others, because a shuffle yields 0 for indices with the top bit set.
WIDE static inline __m256i voxel_avx2_map_row(const __m256i *tables, uint32_t count, __m256i at)
{
    __m256i found = _mm256_setzero_si256();
    for (uint32_t i = 0; i < count; i++) {
        const __m256i own = _mm256_adds_epu8(at, _mm256_set1_epi8(0x70));
        found = _mm256_or_si256(found, _mm256_shuffle_epi8(tables[i], own));
        at = _mm256_sub_epi8(at, _mm256_set1_epi8(16));
    }
    return found;
}

WIDE static void voxel_avx2_map(uint8_t *entries, size_t rows, const uint8_t table[TRN_PALETTE_MAX],
                                uint32_t palette_count)
{
    __m256i tables[TRN_PALETTE_MAX / 16];
    const uint32_t count = (palette_count + 15) / 16;
    for (uint32_t i = 0; i < count; i++) {
        tables[i] = voxel_avx2_load_twice(table + (size_t)i * 16);
    }
    for (size_t row = 0; row < rows; row++) {
        const __m256i at = voxel_avx2_load_row(entries + row * ROW);
        voxel_avx2_store_row(entries + row * ROW, count == 1
                                                      ? _mm256_shuffle_epi8(tables[0], at)
                                                      : voxel_avx2_map_row(tables, count, at));
    }
}

WIDE static void voxel_avx2_planes(const uint8_t *bytes, size_t rows, uint32_t bits,
                                   uint32_t *planes)
{
    for (; bits; bits &= bits - 1) {
        const uint32_t bit = (uint32_t)__builtin_ctz(bits);
        const __m128i shift = _mm_cvtsi32_si128(7 - (int)bit);
        uint32_t *plane = planes + bit * rows;
        for (size_t row = 0; row < rows; row++) {
            const __m256i at = voxel_avx2_load_row(bytes + row * ROW);
            plane[row] = (uint32_t)_mm256_movemask_epi8(_mm256_sll_epi16(at, shift));
        }
    }
}

// ---- differences -------------------------------------------------------------------------------

WIDE static inline __m256i voxel_avx2_row_of(uint32_t bits_shift, const unsigned char *fields)
{
    return bits_shift == 3 ? voxel_avx2_load_row(fields)
                           : voxel_avx2_unpack_row(bits_shift, fields);
}

WIDE static inline uint32_t voxel_avx2_differ_row(uint32_t bits_shift, const unsigned char *a,
                                                  const unsigned char *b)
{
    if (bits_shift < 4) {
        return ~(uint32_t)_mm256_movemask_epi8(
            _mm256_cmpeq_epi8(voxel_avx2_row_of(bits_shift, a), voxel_avx2_row_of(bits_shift, b)));
    }
    const __m256i low = _mm256_cmpeq_epi16(voxel_avx2_load_row(a), voxel_avx2_load_row(b));
    const __m256i high =
        _mm256_cmpeq_epi16(voxel_avx2_load_row(a + ROW), voxel_avx2_load_row(b + ROW));
    const __m256i same = _mm256_permute4x64_epi64(_mm256_packs_epi16(low, high), 0xD8);
    return ~(uint32_t)_mm256_movemask_epi8(same);
}

WIDE static inline bool voxel_avx2_is_line_alike(const unsigned char *a, const unsigned char *b)
{
    const __m256i low = _mm256_xor_si256(voxel_avx2_load_row(a), voxel_avx2_load_row(b));
    const __m256i high =
        _mm256_xor_si256(voxel_avx2_load_row(a + ROW), voxel_avx2_load_row(b + ROW));
    const __m256i either = _mm256_or_si256(low, high);
    return _mm256_testz_si256(either, either);
}

// ---- scalar code is as fast --------------------------------------------------------------------

static bool voxel_avx2_index(const TrnBlock *blocks, size_t rows, TrnVoxelIndexing *indexing,
                             uint8_t *entries)
{
    return trn_voxel_index_rows(blocks, rows, indexing, entries, 0);
}

static void voxel_avx2_mask_blocks(const TrnBlock *blocks, size_t rows, const uint32_t *block_bits,
                                   uint32_t *mask_rows)
{
    trn_voxel_kernels_scalar.mask_blocks(blocks, rows, block_bits, mask_rows);
}

// ---- hash --------------------------------------------------------------------------------------

WIDE static inline __m256i voxel_avx2_hash_half(__m256i sum, __m256i key, const TrnBlock *blocks)
{
    const __m256i words = _mm256_loadu_si256((const __m256i *)(const void *)blocks);
    const __m256i mixed = _mm256_xor_si256(words, key);
    const __m256i product = _mm256_mul_epu32(mixed, _mm256_srli_epi64(mixed, 32));
    return _mm256_add_epi64(sum, _mm256_add_epi64(_mm256_shuffle_epi32(words, 0x4E), product));
}

WIDE static void voxel_avx2_hash(const TrnBlock *blocks, size_t rows, uint64_t lanes[8])
{
    __m256i low = voxel_avx2_load_row((const uint8_t *)lanes),
            high = voxel_avx2_load_row((const uint8_t *)(lanes + 4));
    __m256i low_key = voxel_avx2_load_row((const uint8_t *)trn_voxel_hash_keys);
    __m256i high_key = voxel_avx2_load_row((const uint8_t *)(trn_voxel_hash_keys + 4));
    const __m256i step = _mm256_set1_epi64x((long long)TRN_VOXEL_HASH_STEP);
    for (size_t row = 0; row < rows; row++) {
        low = voxel_avx2_hash_half(low, low_key, blocks + row * ROW);
        high = voxel_avx2_hash_half(high, high_key, blocks + row * ROW + 16);
        low_key = _mm256_add_epi64(low_key, step);
        high_key = _mm256_add_epi64(high_key, step);
    }
    voxel_avx2_store_row(lanes, low);
    voxel_avx2_store_row(lanes + 4, high);
}

const TrnVoxelKernels trn_voxel_kernels_avx2 = {.name = "AVX2",
                                                .unpack = voxel_avx2_unpack,
                                                .pack = voxel_avx2_pack,
                                                .decode = voxel_avx2_decode,
                                                .index = voxel_avx2_index,
                                                .used = voxel_avx2_used,
                                                .tally = voxel_avx2_tally,
                                                .put = voxel_avx2_put,
                                                .mask = voxel_avx2_mask,
                                                .mask_blocks = voxel_avx2_mask_blocks,
                                                .differ = voxel_avx2_differ,
                                                .count = voxel_avx2_count,
                                                .map = voxel_avx2_map,
                                                .planes = voxel_avx2_planes,
                                                .hash = voxel_avx2_hash};

#undef WIDE
#undef VOXEL_WIDE
#else
typedef int TrnVoxelKernelsNeedAvx2; // a source must not be empty
#endif
