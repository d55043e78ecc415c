// The kernels with AVX-512 (F, BW, VL: every machine since Skylake-X and Zen 4).

#include "voxel_kernels.h"

#if defined(__x86_64__)
#include <immintrin.h>
#include <string.h>

#define WIDE __attribute__((target("avx512f,avx512bw,avx512vl,popcnt,bmi")))
#define ROW ((size_t)TRN_CHUNK_EDGE)
#define VOXEL_WIDE(name) voxel_avx512_##name

#include "voxel_kernels_body.h"
#include "voxel_kernels_rows.h"

/// The most types for which two registers hold a hash of the blocks.
#define HASHED_TYPES_MAX 16
#define HASHED_SLOTS 64
#define HASHED_TRIES 256

// ---- fields and entries ------------------------------------------------------------------------

/// For each of 32 lanes of 16 bits: the 16-bit word of a row that holds its field, and the shift.
typedef struct FieldPlaces {
    __m512i word, shift, mask;
} FieldPlaces;

WIDE static inline FieldPlaces voxel_avx512_field_places(uint32_t bits_shift)
{
    static const uint16_t lanes[32] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10,
                                       11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
                                       22, 23, 24, 25, 26, 27, 28, 29, 30, 31};
    const __m512i bit =
        _mm512_sll_epi16(_mm512_loadu_si512(lanes), _mm_cvtsi32_si128((int)bits_shift));
    return (FieldPlaces){_mm512_srli_epi16(bit, 4), _mm512_and_si512(bit, _mm512_set1_epi16(15)),
                         _mm512_set1_epi16((short)((1 << (1 << bits_shift)) - 1))};
}

/// Spreads the fields of one row, of 2 or 4 bits, to 32 lanes of 16 bits.
WIDE static inline __m512i voxel_avx512_row_fields(const void *fields, uint32_t bits_shift,
                                                   FieldPlaces places)
{
    uint64_t low = 0, high = 0;
    const unsigned char *from = fields;
    memcpy(&low, from, 8);
    if (bits_shift == 2) {
        memcpy(&high, from + 8, 8);
    }
    const __m512i row = _mm512_castsi128_si512(_mm_set_epi64x((long long)high, (long long)low));
    const __m512i words = _mm512_permutexvar_epi16(places.word, row);
    return _mm512_and_si512(_mm512_srlv_epi16(words, places.shift), places.mask);
}

WIDE static inline __m256i voxel_avx512_unpack_row_1(const unsigned char *from)
{
    uint32_t bits;
    memcpy(&bits, from, sizeof bits);
    return _mm256_maskz_set1_epi8(bits, 1);
}

/// @param bits_shift  0..2, a constant: a test for each row takes longer than the row
WIDE static inline void voxel_avx512_unpack_rows(uint32_t bits_shift, const unsigned char *fields,
                                                 size_t rows, uint8_t *entries)
{
    for (size_t row = 0; row < rows; row++) {
        const unsigned char *from = fields + row * ((size_t)4 << bits_shift);
        voxel_avx512_store_row(entries + row * ROW,
                               bits_shift == 0   ? voxel_avx512_unpack_row_1(from)
                               : bits_shift == 1 ? voxel_avx512_unpack_row_2(from)
                                                 : voxel_avx512_unpack_row_4(from));
    }
}

WIDE static void voxel_avx512_unpack(uint32_t bits_shift, const void *fields, size_t rows,
                                     uint8_t *entries)
{
    switch (bits_shift) {
    case 0:
        voxel_avx512_unpack_rows(0, fields, rows, entries);
        return;
    case 1:
        voxel_avx512_unpack_rows(1, fields, rows, entries);
        return;
    case 2:
        voxel_avx512_unpack_rows(2, fields, rows, entries);
        return;
    default:
        memcpy(entries, fields, rows * ROW);
    }
}

WIDE static inline void voxel_avx512_pack_row(uint32_t bits_shift, __m256i row, unsigned char *to)
{
    if (bits_shift == 0) {
        uint32_t bits = _mm256_test_epi8_mask(row, _mm256_set1_epi8(1));
        memcpy(to, &bits, sizeof bits);
        return;
    }
    const __m256i pairs = voxel_avx512_join_pairs(bits_shift, row); // each fits a byte
    if (bits_shift == 2) {
        _mm_storeu_si128((__m128i *)(void *)to, _mm256_cvtepi16_epi8(pairs));
        return;
    }
    const __m256i fours = voxel_avx512_join_fours(pairs);
    _mm_storel_epi64((__m128i *)(void *)to, _mm256_cvtepi32_epi8(fours));
}

// ---- fields to blocks --------------------------------------------------------------------------

/// Looks up in four tables of 64 blocks each; bits 6 and 7 choose one.
WIDE static void voxel_avx512_decode_bytes(const uint8_t *fields, const TrnBlock *palette,
                                           size_t rows, TrnBlock *blocks)
{
    __m512i table[8];
    for (uint32_t i = 0; i < 8; i++) {
        table[i] = _mm512_loadu_si512(palette + (size_t)i * 32);
    }
    for (size_t row = 0; row < rows; row++) {
        const __m512i at = _mm512_cvtepu8_epi16(voxel_avx512_load_row(fields + row * ROW));
        const __mmask32 bit6 = _mm512_test_epi16_mask(at, _mm512_set1_epi16(64));
        const __mmask32 bit7 = _mm512_test_epi16_mask(at, _mm512_set1_epi16(128));
        const __m512i low =
            _mm512_mask_blend_epi16(bit6, _mm512_permutex2var_epi16(table[0], at, table[1]),
                                    _mm512_permutex2var_epi16(table[2], at, table[3]));
        const __m512i high =
            _mm512_mask_blend_epi16(bit6, _mm512_permutex2var_epi16(table[4], at, table[5]),
                                    _mm512_permutex2var_epi16(table[6], at, table[7]));
        _mm512_storeu_si512(blocks + row * ROW, _mm512_mask_blend_epi16(bit7, low, high));
    }
}

WIDE static void voxel_avx512_decode_bits(const unsigned char *fields, const TrnBlock *palette,
                                          size_t rows, TrnBlock *blocks)
{
    const __m512i zero = _mm512_set1_epi16((short)palette[0]);
    const __m512i one = _mm512_set1_epi16((short)palette[1]);
    for (size_t row = 0; row < rows; row++) {
        uint32_t bits;
        memcpy(&bits, fields + row * 4, sizeof bits);
        _mm512_storeu_si512(blocks + row * ROW, _mm512_mask_blend_epi16(bits, zero, one));
    }
}

WIDE static void voxel_avx512_decode(uint32_t bits_shift, const void *fields,
                                     const TrnBlock *palette, size_t rows, TrnBlock *blocks)
{
    if (bits_shift == 3) {
        voxel_avx512_decode_bytes(fields, palette, rows, blocks);
        return;
    }
    if (bits_shift == 0) {
        voxel_avx512_decode_bits(fields, palette, rows, blocks);
        return;
    }
    const FieldPlaces places = voxel_avx512_field_places(bits_shift);
    const __m512i table = _mm512_maskz_loadu_epi16(bits_shift == 1 ? 0xF : 0xFFFF, palette);
    const unsigned char *from = fields;
    if (bits_shift == 1) {
        for (size_t row = 0; row < rows; row++) {
            __m512i at = voxel_avx512_row_fields(from + row * 8, 1, places);
            _mm512_storeu_si512(blocks + row * ROW, _mm512_permutexvar_epi16(at, table));
        }
        return;
    }
    for (size_t row = 0; row < rows; row++) {
        __m512i at = voxel_avx512_row_fields(from + row * 16, 2, places);
        _mm512_storeu_si512(blocks + row * ROW, _mm512_permutexvar_epi16(at, table));
    }
}

// ---- blocks to entries -------------------------------------------------------------------------

/// A perfect hash of up to 16 blocks: the top six bits of block * factor index a table of 64
/// entries.
typedef struct BlockHash {
    __m512i entries[2], palette, factor;
} BlockHash;

/// Tells whether a factor gives each block a different place; with 16 blocks about every seventh
/// factor does.
static bool voxel_avx512_hash_is_apart(const TrnVoxelIndexing *indexing, uint16_t factor,
                                       uint16_t *table)
{
    uint64_t taken = 0;
    for (uint32_t e = 0; e < indexing->count; e++) {
        uint32_t place = (uint16_t)(indexing->palette[e] * factor) >> 10;
        if (taken >> place & 1) {
            return false;
        }
        taken |= UINT64_C(1) << place;
        table[place] = (uint16_t)e;
    }
    return true;
}

/// Makes the hash of a palette, if it has one. @return whether it has
WIDE static bool voxel_avx512_hash_make(TrnVoxelIndexing *indexing)
{
    if (indexing->count > HASHED_TYPES_MAX) {
        return false;
    }
    uint16_t factor = 0x9E37;
    for (uint32_t tries = 0; !voxel_avx512_hash_is_apart(indexing, factor, indexing->hash_entries);
         tries++) {
        if (tries == HASHED_TRIES) {
            return false;
        }
        factor = (uint16_t)(factor * 0x6255u + 0x3618u); // stays odd
    }
    for (uint32_t e = 0; e < indexing->count; e++) {
        indexing->hash_palette[e] = (uint16_t)indexing->palette[e];
    }
    indexing->hash_factor = factor;
    indexing->hashed = indexing->count;
    return true;
}

/// Loads the hash of a palette. What the places without an entry hold is of no account, as long as
/// it is the number of a lane.
WIDE static inline bool voxel_avx512_hash_load(TrnVoxelIndexing *indexing, BlockHash *hash)
{
    if (indexing->hashed == 0) {
        memset(indexing->hash_entries, 0, sizeof indexing->hash_entries);
        memset(indexing->hash_palette, 0, sizeof indexing->hash_palette);
    }
    if (indexing->hashed != indexing->count && !voxel_avx512_hash_make(indexing)) {
        return false;
    }
    hash->entries[0] = _mm512_loadu_si512(indexing->hash_entries);
    hash->entries[1] = _mm512_loadu_si512(indexing->hash_entries + 32);
    hash->palette = _mm512_loadu_si512(indexing->hash_palette);
    hash->factor = _mm512_set1_epi16((short)indexing->hash_factor);
    return true;
}

/// @param wrong  receives the lanes whose block is not in the palette
WIDE static inline __m512i voxel_avx512_hash_row(const BlockHash *hash, __m512i row,
                                                 __mmask32 *wrong)
{
    const __m512i place = _mm512_srli_epi16(_mm512_mullo_epi16(row, hash->factor), 10);
    const __m512i at = _mm512_permutex2var_epi16(hash->entries[0], place, hash->entries[1]);
    *wrong = _mm512_cmpneq_epi16_mask(_mm512_permutexvar_epi16(at, hash->palette), row);
    return at;
}

WIDE static bool voxel_avx512_index(const TrnBlock *blocks, size_t rows, TrnVoxelIndexing *indexing,
                                    uint8_t *entries)
{
    BlockHash hash;
    bool is_hashed = (indexing->count || trn_voxel_indexing_add(indexing, blocks[0])) &&
                     voxel_avx512_hash_load(indexing, &hash);
    for (size_t row = 0; row < rows; row++) {
        if (!is_hashed) {
            return trn_voxel_index_rows(blocks, rows, indexing, entries, row);
        }
        const __m512i from = _mm512_loadu_si512(blocks + row * ROW);
        __mmask32 wrong;
        __m512i at = voxel_avx512_hash_row(&hash, from, &wrong);
        while (wrong && is_hashed) {
            const TrnBlock fresh = blocks[row * ROW + (size_t)__builtin_ctz(wrong)];
            is_hashed =
                trn_voxel_indexing_add(indexing, fresh) && voxel_avx512_hash_load(indexing, &hash);
            at = voxel_avx512_hash_row(&hash, from, &wrong);
        }
        voxel_avx512_store_row(entries + row * ROW, _mm512_cvtepi16_epi8(at));
        row -= !is_hashed; // repeats this row without the hash
    }
    return true;
}

// ---- counts, masks, maps -----------------------------------------------------------------------

/// Counts the bytes equal to `entry`.
WIDE static uint32_t voxel_avx512_count_entry(const uint8_t *entries, size_t rows, uint32_t entry)
{
    const __m512i wanted = _mm512_set1_epi8((char)entry);
    uint64_t count = 0;
    size_t row = 0;
    for (; row + 2 <= rows; row += 2) {
        const __m512i two = _mm512_loadu_si512(entries + row * ROW);
        count += (uint64_t)__builtin_popcountll(_mm512_cmpeq_epi8_mask(two, wanted));
    }
    if (row < rows) {
        const __m256i one = voxel_avx512_load_row(entries + row * ROW);
        count += (uint64_t)__builtin_popcount(
            _mm256_cmpeq_epi8_mask(one, _mm512_castsi512_si256(wanted)));
    }
    return (uint32_t)count;
}

WIDE static void voxel_avx512_tally(const uint8_t *entries, size_t rows, uint32_t palette_count,
                                    uint32_t *counts)
{
    if (palette_count > 32) {
        trn_voxel_kernels_scalar.tally(entries, rows, palette_count, counts);
        return;
    }
    uint32_t left = (uint32_t)(rows * ROW);
    for (uint32_t entry = 1; entry < palette_count && left; entry++) {
        const uint32_t count = voxel_avx512_count_entry(entries, rows, entry);
        counts[entry] += count;
        left -= count;
    }
    counts[0] += left;
}

WIDE static bool voxel_avx512_put(uint8_t *entries, size_t rows, const uint32_t *mask_rows,
                                  uint8_t entry)
{
    const __m256i wanted = _mm256_set1_epi8((char)entry);
    uint32_t others = 0;
    for (size_t row = 0; row < rows; row++) {
        uint8_t *at = entries + row * ROW;
        others |= _mm256_mask_cmpneq_epi8_mask(mask_rows[row], voxel_avx512_load_row(at), wanted);
        _mm256_mask_storeu_epi8(at, mask_rows[row], wanted);
    }
    return others != 0;
}

/// Tests each byte b against a set of 256 bits: looks up byte b >> 3 of the set in two halves, and
/// tests its bit b & 7.
WIDE static void voxel_avx512_mask(const uint8_t *entries, size_t rows,
                                   const uint32_t entry_bits[8], uint32_t *mask_rows)
{
    const __m256i low = voxel_avx512_load_twice(entry_bits);
    const __m256i high = voxel_avx512_load_twice(entry_bits + 4);
    const __m256i powers = _mm256_set1_epi64x((long long)UINT64_C(0x8040201008040201));
    for (size_t row = 0; row < rows; row++) {
        const __m256i at = voxel_avx512_load_row(entries + row * ROW);
        const __m256i byte = _mm256_and_si256(_mm256_srli_epi16(at, 3), _mm256_set1_epi8(15));
        const __m256i set =
            _mm256_mask_blend_epi8(_mm256_movepi8_mask(at), _mm256_shuffle_epi8(low, byte),
                                   _mm256_shuffle_epi8(high, byte));
        const __m256i bit = _mm256_shuffle_epi8(powers, _mm256_and_si256(at, _mm256_set1_epi8(7)));
        mask_rows[row] = _mm256_test_epi8_mask(set, bit);
    }
}

// Without optimisation gcc's gather is a macro that makes a mask of all bits a signed number.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-conversion"
WIDE static inline __mmask16 voxel_avx512_mask_sixteen(const TrnBlock *blocks,
                                                       const uint32_t *block_bits)
{
    const __m512i at = _mm512_cvtepu16_epi32(voxel_avx512_load_row(blocks));
    const __m512i words = _mm512_i32gather_epi32(_mm512_srli_epi32(at, 5), block_bits, 4);
    const __m512i bit =
        _mm512_sllv_epi32(_mm512_set1_epi32(1), _mm512_and_si512(at, _mm512_set1_epi32(31)));
    return _mm512_test_epi32_mask(words, bit);
}
#pragma GCC diagnostic pop

/// The ids whose bits two registers hold.
#define MASKED_IDS 1024

WIDE static inline bool voxel_avx512_row_has_first_ids(__m512i row)
{
    return _mm512_cmplt_epu16_mask(row, _mm512_set1_epi16(MASKED_IDS)) == UINT32_MAX;
}

WIDE static inline __mmask32 voxel_avx512_mask_first_ids(__m512i row, const __m512i bits[2])
{
    const __m512i words = _mm512_permutex2var_epi16(bits[0], _mm512_srli_epi16(row, 4), bits[1]);
    const __m512i bit =
        _mm512_sllv_epi16(_mm512_set1_epi16(1), _mm512_and_si512(row, _mm512_set1_epi16(15)));
    return _mm512_test_epi16_mask(words, bit);
}

/// Few games have more than 1024 types. Without gathers a chunk takes 1 us instead of 9.
WIDE static void voxel_avx512_mask_blocks(const TrnBlock *blocks, size_t rows,
                                          const uint32_t *block_bits, uint32_t *mask_rows)
{
    const __m512i bits[2] = {_mm512_loadu_si512(block_bits), _mm512_loadu_si512(block_bits + 16)};
    for (size_t row = 0; row < rows; row++) {
        const __m512i all = _mm512_loadu_si512(blocks + row * ROW);
        if (voxel_avx512_row_has_first_ids(all)) {
            mask_rows[row] = voxel_avx512_mask_first_ids(all, bits);
            continue;
        }
        uint32_t low = voxel_avx512_mask_sixteen(blocks + row * ROW, block_bits);
        uint32_t high = voxel_avx512_mask_sixteen(blocks + row * ROW + 16, block_bits);
        mask_rows[row] = low | high << 16;
    }
}

/// Looks bytes up in a table of 256 bytes, held as 128 words in two pairs of registers.
WIDE static inline __m512i voxel_avx512_map_lanes(const __m512i tables[4], __m512i at)
{
    const __m512i word = _mm512_srli_epi16(at, 1);
    const __m512i low = _mm512_permutex2var_epi16(tables[0], word, tables[1]);
    const __m512i high = _mm512_permutex2var_epi16(tables[2], word, tables[3]);
    const __mmask32 is_high = _mm512_test_epi16_mask(at, _mm512_set1_epi16(128));
    const __m512i pair = _mm512_mask_blend_epi16(is_high, low, high);
    const __m512i shift = _mm512_slli_epi16(_mm512_and_si512(at, _mm512_set1_epi16(1)), 3);
    return _mm512_srlv_epi16(pair, shift);
}

WIDE static void voxel_avx512_map_many(uint8_t *entries, size_t rows,
                                       const uint8_t table[TRN_PALETTE_MAX])
{
    const __m512i tables[4] = {_mm512_loadu_si512(table), _mm512_loadu_si512(table + 64),
                               _mm512_loadu_si512(table + 128), _mm512_loadu_si512(table + 192)};
    for (size_t row = 0; row < rows; row++) {
        __m256i *at = (__m256i *)(void *)(entries + row * ROW);
        const __m512i lanes = _mm512_cvtepu8_epi16(_mm256_loadu_si256(at));
        _mm256_storeu_si256(at, _mm512_cvtepi16_epi8(voxel_avx512_map_lanes(tables, lanes)));
    }
}

WIDE static void voxel_avx512_map(uint8_t *entries, size_t rows,
                                  const uint8_t table[TRN_PALETTE_MAX], uint32_t palette_count)
{
    if (palette_count > 16) {
        voxel_avx512_map_many(entries, rows, table);
        return;
    }
    const __m256i all = voxel_avx512_load_twice(table);
    for (size_t row = 0; row < rows; row++) {
        __m256i *at = (__m256i *)(void *)(entries + row * ROW);
        _mm256_storeu_si256(at, _mm256_shuffle_epi8(all, _mm256_loadu_si256(at)));
    }
}

WIDE static void voxel_avx512_planes(const uint8_t *bytes, size_t rows, uint32_t bits,
                                     uint32_t *planes)
{
    for (; bits; bits &= bits - 1) {
        const uint32_t bit = (uint32_t)__builtin_ctz(bits);
        const __m512i own = _mm512_set1_epi8((char)(1 << bit));
        uint32_t *plane = planes + bit * rows;
        size_t row = 0;
        for (; row + 2 <= rows; row += 2) {
            const uint64_t two = _mm512_test_epi8_mask(_mm512_loadu_si512(bytes + row * ROW), own);
            memcpy(plane + row, &two, sizeof two);
        }
        if (row < rows) {
            const __m256i at = voxel_avx512_load_row(bytes + row * ROW);
            plane[row] = _mm256_test_epi8_mask(at, _mm512_castsi512_si256(own));
        }
    }
}

// ---- differences -------------------------------------------------------------------------------

/// Tells which of 32 fields of two bits are not 0: reduces each to one bit, and compacts the bits.
static inline uint32_t voxel_avx512_pairs_set(uint64_t fields)
{
    uint64_t set = (fields | fields >> 1) & UINT64_C(0x5555555555555555);
    set = (set | set >> 1) & UINT64_C(0x3333333333333333);
    set = (set | set >> 2) & UINT64_C(0x0F0F0F0F0F0F0F0F);
    set = (set | set >> 4) & UINT64_C(0x00FF00FF00FF00FF);
    set = (set | set >> 8) & UINT64_C(0x0000FFFF0000FFFF);
    return (uint32_t)(set | set >> 16);
}

WIDE static inline uint32_t voxel_avx512_differ_row_4(const unsigned char *a,
                                                      const unsigned char *b)
{
    const __m128i fields = _mm_xor_si128(_mm_loadu_si128((const __m128i *)(const void *)a),
                                         _mm_loadu_si128((const __m128i *)(const void *)b));
    const __m256i pairs = _mm256_cvtepu8_epi16(fields);
    return _mm256_test_epi8_mask(_mm256_or_si256(pairs, _mm256_slli_epi16(pairs, 4)),
                                 _mm256_set1_epi8(15));
}

WIDE static inline uint32_t voxel_avx512_differ_row(uint32_t bits_shift, const unsigned char *a,
                                                    const unsigned char *b)
{
    uint64_t of_a = 0, of_b = 0;
    if (bits_shift < 2) {
        memcpy(&of_a, a, (size_t)4 << bits_shift);
        memcpy(&of_b, b, (size_t)4 << bits_shift);
        return bits_shift == 0 ? (uint32_t)(of_a ^ of_b) : voxel_avx512_pairs_set(of_a ^ of_b);
    }
    if (bits_shift == 2) {
        return voxel_avx512_differ_row_4(a, b);
    }
    if (bits_shift == 3) {
        return _mm256_cmpneq_epi8_mask(voxel_avx512_load_row(a), voxel_avx512_load_row(b));
    }
    return _mm512_cmpneq_epi16_mask(_mm512_loadu_si512(a), _mm512_loadu_si512(b));
}

WIDE static inline bool voxel_avx512_is_line_alike(const unsigned char *a, const unsigned char *b)
{
    return _mm512_cmpneq_epi64_mask(_mm512_loadu_si512(a), _mm512_loadu_si512(b)) == 0;
}

// ---- hash --------------------------------------------------------------------------------------

WIDE static void voxel_avx512_hash(const TrnBlock *blocks, size_t rows, uint64_t lanes[8])
{
    __m512i sum = _mm512_loadu_si512(lanes);
    __m512i key = _mm512_loadu_si512(trn_voxel_hash_keys);
    const __m512i step = _mm512_set1_epi64((long long)TRN_VOXEL_HASH_STEP);
    for (size_t row = 0; row < rows; row++) {
        const __m512i words = _mm512_loadu_si512(blocks + row * ROW);
        const __m512i mixed = _mm512_xor_si512(words, key);
        const __m512i product = _mm512_mul_epu32(mixed, _mm512_srli_epi64(mixed, 32));
        const __m512i swapped = _mm512_shuffle_epi32(words, _MM_PERM_BADC);
        sum = _mm512_add_epi64(sum, _mm512_add_epi64(swapped, product));
        key = _mm512_add_epi64(key, step);
    }
    _mm512_storeu_si512(lanes, sum);
}

const TrnVoxelKernels trn_voxel_kernels_avx512 = {.name = "AVX-512",
                                                  .unpack = voxel_avx512_unpack,
                                                  .pack = voxel_avx512_pack,
                                                  .decode = voxel_avx512_decode,
                                                  .index = voxel_avx512_index,
                                                  .used = voxel_avx512_used,
                                                  .tally = voxel_avx512_tally,
                                                  .put = voxel_avx512_put,
                                                  .mask = voxel_avx512_mask,
                                                  .mask_blocks = voxel_avx512_mask_blocks,
                                                  .differ = voxel_avx512_differ,
                                                  .count = voxel_avx512_count,
                                                  .map = voxel_avx512_map,
                                                  .planes = voxel_avx512_planes,
                                                  .hash = voxel_avx512_hash};

#undef WIDE
#undef VOXEL_WIDE
#else
typedef int TrnVoxelKernelsNeedAvx512; // a source must not be empty
#endif
