// The kernels with AVX-512 (F, BW, VL: every machine since Skylake-X and Zen 4).

#include "voxel_kernels.h"

#if defined(__x86_64__)
#include <immintrin.h>
#include <string.h>

#define WIDE __attribute__((target("avx512f,avx512bw,avx512vl,popcnt,bmi")))
#define ROW ((size_t)TRN_CHUNK_EDGE)
#define CHUNK_ROWS (ROW * ROW)
#define UNDER_ROWS ROW ///< whose entries a buffer on the stack has room for

#include "voxel_kernels_body.h"

/// The most types that blocks are looked up by a hash in two registers for.
#define HASHED_TYPES_MAX 16
#define HASHED_SLOTS 64
#define HASHED_TRIES 256

// ---- fields and entries ------------------------------------------------------------------------

/// For each of 32 lanes of 16 bits: which 16-bit word of a row its field stands in, and how far up.
typedef struct FieldPlaces {
    __m512i word, shift, mask;
} FieldPlaces;

WIDE static inline FieldPlaces field_places(uint32_t bits_shift)
{
    uint16_t lanes[32];
    for (uint32_t i = 0; i < 32; i++) {
        lanes[i] = (uint16_t)i;
    }
    const __m512i bit =
        _mm512_sll_epi16(_mm512_loadu_si512(lanes), _mm_cvtsi32_si128((int)bits_shift));
    return (FieldPlaces){_mm512_srli_epi16(bit, 4), _mm512_and_si512(bit, _mm512_set1_epi16(15)),
                         _mm512_set1_epi16((short)((1 << (1 << bits_shift)) - 1))};
}

/// The fields of one row, of 1, 2 or 4 bits, as 32 lanes of 16 bits.
WIDE static inline __m512i row_fields(const void *fields, uint32_t bits_shift, FieldPlaces places)
{
    uint64_t low = 0, high = 0;
    const unsigned char *from = fields;
    if (bits_shift == 2) {
        memcpy(&low, from, 8);
        memcpy(&high, from + 8, 8);
    } else {
        memcpy(&low, from, (size_t)4 << bits_shift);
    }
    const __m512i row = _mm512_castsi128_si512(_mm_set_epi64x((long long)high, (long long)low));
    const __m512i words = _mm512_permutexvar_epi16(places.word, row);
    return _mm512_and_si512(_mm512_srlv_epi16(words, places.shift), places.mask);
}

WIDE static void unpack_avx512(uint32_t bits_shift, const void *fields, size_t rows,
                               uint8_t *entries)
{
    if (bits_shift == 3) {
        memcpy(entries, fields, rows * ROW);
        return;
    }
    const FieldPlaces places = field_places(bits_shift);
    const unsigned char *from = fields;
    for (size_t row = 0; row < rows; row++) {
        __m512i lanes = row_fields(from + row * ((size_t)4 << bits_shift), bits_shift, places);
        _mm256_storeu_si256((__m256i *)(void *)(entries + row * ROW), _mm512_cvtepi16_epi8(lanes));
    }
}

/// The entries of a row to its fields.
WIDE static inline void pack_row(uint32_t bits_shift, __m256i row, unsigned char *to)
{
    if (bits_shift == 0) {
        uint32_t bits = _mm256_test_epi8_mask(row, _mm256_set1_epi8(1));
        memcpy(to, &bits, sizeof bits);
        return;
    }
    // Neighbours together: first pairs, then with 2 bits pairs of pairs.
    const __m256i pairs = _mm256_maddubs_epi16(
        row, _mm256_set1_epi16((short)(bits_shift == 1 ? 1 | 4 << 8 : 1 | 16 << 8)));
    if (bits_shift == 2) {
        _mm_storeu_si128((__m128i *)(void *)to, _mm256_cvtepi16_epi8(pairs));
        return;
    }
    const __m256i fours = _mm256_madd_epi16(pairs, _mm256_set1_epi32(1 | 16 << 16));
    _mm_storel_epi64((__m128i *)(void *)to, _mm256_cvtepi32_epi8(fours));
}

WIDE static void pack_avx512(uint32_t bits_shift, const uint8_t *entries, size_t rows, void *fields)
{
    if (bits_shift == 3) {
        memcpy(fields, entries, rows * ROW);
        return;
    }
    for (size_t row = 0; row < rows; row++) {
        __m256i from = _mm256_loadu_si256((const __m256i *)(const void *)(entries + row * ROW));
        pack_row(bits_shift, from, (unsigned char *)fields + row * ((size_t)4 << bits_shift));
    }
}

// ---- fields to blocks --------------------------------------------------------------------------

/// 256 blocks are four look-ups in 64 each, of which bits 6 and 7 choose one.
WIDE static void decode_bytes(const uint8_t *fields, const TrnBlock *palette, size_t rows,
                              TrnBlock *blocks)
{
    __m512i table[8];
    for (uint32_t i = 0; i < 8; i++) {
        table[i] = _mm512_loadu_si512(palette + (size_t)i * 32);
    }
    for (size_t row = 0; row < rows; row++) {
        const __m512i at = _mm512_cvtepu8_epi16(
            _mm256_loadu_si256((const __m256i *)(const void *)(fields + row * ROW)));
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

WIDE static void decode_bits(const unsigned char *fields, const TrnBlock *palette, size_t rows,
                             TrnBlock *blocks)
{
    const __m512i zero = _mm512_set1_epi16((short)palette[0]);
    const __m512i one = _mm512_set1_epi16((short)palette[1]);
    for (size_t row = 0; row < rows; row++) {
        uint32_t bits;
        memcpy(&bits, fields + row * 4, sizeof bits);
        _mm512_storeu_si512(blocks + row * ROW, _mm512_mask_blend_epi16(bits, zero, one));
    }
}

WIDE static void decode_avx512(uint32_t bits_shift, const void *fields, const TrnBlock *palette,
                               size_t rows, TrnBlock *blocks)
{
    if (bits_shift == 3) {
        decode_bytes(fields, palette, rows, blocks);
        return;
    }
    if (bits_shift == 0) {
        decode_bits(fields, palette, rows, blocks);
        return;
    }
    const FieldPlaces places = field_places(bits_shift);
    const __m512i table = _mm512_maskz_loadu_epi16(bits_shift == 1 ? 0xF : 0xFFFF, palette);
    const unsigned char *from = fields;
    if (bits_shift == 1) {
        for (size_t row = 0; row < rows; row++) {
            __m512i at = row_fields(from + row * 8, 1, places);
            _mm512_storeu_si512(blocks + row * ROW, _mm512_permutexvar_epi16(at, table));
        }
        return;
    }
    for (size_t row = 0; row < rows; row++) {
        __m512i at = row_fields(from + row * 16, 2, places);
        _mm512_storeu_si512(blocks + row * ROW, _mm512_permutexvar_epi16(at, table));
    }
}

// ---- blocks to entries -------------------------------------------------------------------------

/// A hash without collisions of up to 16 blocks: the top six bits of block * factor are the place
/// in a table of 64 entries.
typedef struct BlockHash {
    __m512i entries[2], palette, factor;
} BlockHash;

/// Looks for a factor that keeps all blocks apart; with 16 blocks every seventh or so does.
static bool hash_is_apart(const TrnVoxelIndexing *indexing, uint16_t factor, uint16_t *table)
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

WIDE static bool hash_build(const TrnVoxelIndexing *indexing, BlockHash *hash)
{
    uint16_t table[HASHED_SLOTS] = {0}, palette[32] = {0};
    if (indexing->count > HASHED_TYPES_MAX) {
        return false;
    }
    uint16_t factor = 0x9E37;
    for (uint32_t tries = 0; !hash_is_apart(indexing, factor, table); tries++) {
        if (tries == HASHED_TRIES) {
            return false;
        }
        factor = (uint16_t)(factor * 0x6255u + 0x3618u); // stays odd
    }
    for (uint32_t e = 0; e < indexing->count; e++) {
        palette[e] = (uint16_t)indexing->palette[e];
    }
    hash->entries[0] = _mm512_loadu_si512(table);
    hash->entries[1] = _mm512_loadu_si512(table + 32);
    hash->palette = _mm512_loadu_si512(palette);
    hash->factor = _mm512_set1_epi16((short)factor);
    return true;
}

/// @param wrong  receives the lanes whose block is not in the palette
WIDE static inline __m512i hash_row(const BlockHash *hash, __m512i row, __mmask32 *wrong)
{
    const __m512i place = _mm512_srli_epi16(_mm512_mullo_epi16(row, hash->factor), 10);
    const __m512i at = _mm512_permutex2var_epi16(hash->entries[0], place, hash->entries[1]);
    *wrong = _mm512_cmpneq_epi16_mask(_mm512_permutexvar_epi16(at, hash->palette), row);
    return at;
}

WIDE static bool index_avx512(const TrnBlock *blocks, TrnVoxelIndexing *indexing, uint8_t *entries)
{
    BlockHash hash;
    bool is_hashed = trn_voxel_indexing_add(indexing, blocks[0]) && hash_build(indexing, &hash);
    for (size_t row = 0; row < CHUNK_ROWS; row++) {
        if (!is_hashed) {
            return trn_voxel_index_rows(blocks, indexing, entries, row);
        }
        const __m512i from = _mm512_loadu_si512(blocks + row * ROW);
        __mmask32 wrong;
        __m512i at = hash_row(&hash, from, &wrong);
        while (wrong && is_hashed) {
            const TrnBlock fresh = blocks[row * ROW + (size_t)__builtin_ctz(wrong)];
            is_hashed = trn_voxel_indexing_add(indexing, fresh) && hash_build(indexing, &hash);
            at = hash_row(&hash, from, &wrong);
        }
        _mm256_storeu_si256((__m256i *)(void *)(entries + row * ROW), _mm512_cvtepi16_epi8(at));
        row -= !is_hashed; // that row again
    }
    return true;
}

// ---- counts, masks, maps -----------------------------------------------------------------------

/// How many bytes are `entry`, in the columns of x_mask.
WIDE static uint32_t count_entry(const uint8_t *entries, size_t rows, uint32_t x_mask,
                                 uint32_t entry)
{
    const __m512i wanted = _mm512_set1_epi8((char)entry);
    const uint64_t columns = x_mask | (uint64_t)x_mask << 32;
    uint64_t count = 0;
    size_t row = 0;
    for (; row + 2 <= rows; row += 2) {
        const __m512i two = _mm512_loadu_si512(entries + row * ROW);
        count += (uint64_t)__builtin_popcountll(_mm512_mask_cmpeq_epi8_mask(columns, two, wanted));
    }
    if (row < rows) {
        const __m256i one =
            _mm256_loadu_si256((const __m256i *)(const void *)(entries + row * ROW));
        count += (uint64_t)__builtin_popcount(
            _mm256_mask_cmpeq_epi8_mask(x_mask, one, _mm512_castsi512_si256(wanted)));
    }
    return (uint32_t)count;
}

WIDE static void tally_avx512(const uint8_t *entries, size_t rows, uint32_t x_mask,
                              uint32_t palette_count, uint32_t *counts)
{
    if (palette_count > 32) {
        trn_voxel_kernels_scalar.tally(entries, rows, x_mask, palette_count, counts);
        return;
    }
    uint32_t left = (uint32_t)(rows * (uint32_t)__builtin_popcount(x_mask));
    for (uint32_t entry = 1; entry < palette_count && left; entry++) {
        const uint32_t count = count_entry(entries, rows, x_mask, entry);
        counts[entry] += count;
        left -= count;
    }
    counts[0] += left;
}

/// How many bytes that have their bit in mask_rows are `entry`.
WIDE static uint32_t count_entry_under(const uint8_t *entries, size_t rows,
                                       const uint32_t *mask_rows, uint32_t entry)
{
    const __m512i wanted = _mm512_set1_epi8((char)entry);
    uint64_t count = 0;
    for (size_t row = 0; row + 2 <= rows; row += 2) {
        const uint64_t bits = mask_rows[row] | (uint64_t)mask_rows[row + 1] << 32;
        const __m512i two = _mm512_loadu_si512(entries + row * ROW);
        count += (uint64_t)__builtin_popcountll(_mm512_mask_cmpeq_epi8_mask(bits, two, wanted));
    }
    if (rows % 2) {
        count += count_entry(entries + (rows - 1) * ROW, 1, mask_rows[rows - 1], entry);
    }
    return (uint32_t)count;
}

/// Entries that have no bit become 0, and are taken off its count again.
WIDE static void tally_many_under(const uint8_t *entries, size_t rows, const uint32_t *mask_rows,
                                  uint32_t palette_count, uint32_t *counts)
{
    uint8_t under[UNDER_ROWS * ROW];
    for (size_t from = 0; from < rows; from += UNDER_ROWS) {
        const size_t some = rows - from < UNDER_ROWS ? rows - from : UNDER_ROWS;
        for (size_t row = 0; row < some; row++) {
            const __m256i kept =
                _mm256_maskz_loadu_epi8(mask_rows[from + row], entries + (from + row) * ROW);
            _mm256_storeu_si256((__m256i *)(void *)(under + row * ROW), kept);
        }
        trn_voxel_kernels_scalar.tally(under, some, UINT32_MAX, palette_count, counts);
    }
    counts[0] -= (uint32_t)(rows * ROW) - count_wide(mask_rows, rows);
}

WIDE static void tally_under_avx512(const uint8_t *entries, size_t rows, const uint32_t *mask_rows,
                                    uint32_t palette_count, uint32_t *counts)
{
    if (palette_count > 32) {
        tally_many_under(entries, rows, mask_rows, palette_count, counts);
        return;
    }
    uint32_t left = count_wide(mask_rows, rows);
    for (uint32_t entry = 1; entry < palette_count && left; entry++) {
        const uint32_t count = count_entry_under(entries, rows, mask_rows, entry);
        counts[entry] += count;
        left -= count;
    }
    counts[0] += left;
}

WIDE static void put_avx512(uint8_t *entries, size_t rows, const uint32_t *mask_rows, uint8_t entry)
{
    const __m256i wanted = _mm256_set1_epi8((char)entry);
    for (size_t row = 0; row < rows; row++) {
        _mm256_mask_storeu_epi8(entries + row * ROW, mask_rows[row], wanted);
    }
}

WIDE static void put_blocks_avx512(TrnBlock *blocks, size_t rows, const uint32_t *mask_rows,
                                   TrnBlock block)
{
    const __m512i wanted = _mm512_set1_epi16((short)block);
    for (size_t row = 0; row < rows; row++) {
        _mm512_mask_storeu_epi16(blocks + row * ROW, mask_rows[row], wanted);
    }
}

/// Byte b is in a set of 256 bits: its byte b >> 3 is looked up in two halves, and bit b & 7 of
/// that tested.
WIDE static void mask_avx512(const uint8_t *entries, size_t rows, const uint32_t entry_bits[8],
                             uint32_t *mask_rows)
{
    const __m256i low =
        _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)entry_bits));
    const __m256i high = _mm256_broadcastsi128_si256(
        _mm_loadu_si128((const __m128i *)(const void *)(entry_bits + 4)));
    const __m256i powers = _mm256_set1_epi64x((long long)UINT64_C(0x8040201008040201));
    for (size_t row = 0; row < rows; row++) {
        const __m256i at = _mm256_loadu_si256((const __m256i *)(const void *)(entries + row * ROW));
        const __m256i byte = _mm256_and_si256(_mm256_srli_epi16(at, 3), _mm256_set1_epi8(15));
        const __m256i set =
            _mm256_mask_blend_epi8(_mm256_movepi8_mask(at), _mm256_shuffle_epi8(low, byte),
                                   _mm256_shuffle_epi8(high, byte));
        const __m256i bit = _mm256_shuffle_epi8(powers, _mm256_and_si256(at, _mm256_set1_epi8(7)));
        mask_rows[row] = _mm256_test_epi8_mask(set, bit);
    }
}

WIDE static inline __mmask16 mask_sixteen(const TrnBlock *blocks, const uint32_t *block_bits)
{
    const __m512i at =
        _mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)(const void *)blocks));
    const __m512i words = _mm512_i32gather_epi32(_mm512_srli_epi32(at, 5), block_bits, 4);
    const __m512i bit =
        _mm512_sllv_epi32(_mm512_set1_epi32(1), _mm512_and_si512(at, _mm512_set1_epi32(31)));
    return _mm512_test_epi32_mask(words, bit);
}

/// The bits of the first ids, which two registers hold; and whether a row has no other blocks.
#define MASKED_IDS 1024

WIDE static inline bool row_has_first_ids(__m512i row)
{
    return _mm512_cmplt_epu16_mask(row, _mm512_set1_epi16(MASKED_IDS)) == UINT32_MAX;
}

WIDE static inline __mmask32 mask_first_ids(__m512i row, const __m512i bits[2])
{
    const __m512i words = _mm512_permutex2var_epi16(bits[0], _mm512_srli_epi16(row, 4), bits[1]);
    const __m512i bit =
        _mm512_sllv_epi16(_mm512_set1_epi16(1), _mm512_and_si512(row, _mm512_set1_epi16(15)));
    return _mm512_test_epi16_mask(words, bit);
}

/// Few games have more than 1024 types: without gathers a chunk takes 1 us in place of 9.
WIDE static void mask_blocks_avx512(const TrnBlock *blocks, size_t rows, const uint32_t *block_bits,
                                    uint32_t *mask_rows)
{
    const __m512i bits[2] = {_mm512_loadu_si512(block_bits), _mm512_loadu_si512(block_bits + 16)};
    for (size_t row = 0; row < rows; row++) {
        const __m512i all = _mm512_loadu_si512(blocks + row * ROW);
        if (row_has_first_ids(all)) {
            mask_rows[row] = mask_first_ids(all, bits);
            continue;
        }
        uint32_t low = mask_sixteen(blocks + row * ROW, block_bits);
        uint32_t high = mask_sixteen(blocks + row * ROW + 16, block_bits);
        mask_rows[row] = low | high << 16;
    }
}

/// 256 bytes as 128 words in two pairs of registers.
WIDE static inline __m512i map_lanes(const __m512i tables[4], __m512i at)
{
    const __m512i word = _mm512_srli_epi16(at, 1);
    const __m512i low = _mm512_permutex2var_epi16(tables[0], word, tables[1]);
    const __m512i high = _mm512_permutex2var_epi16(tables[2], word, tables[3]);
    const __mmask32 is_high = _mm512_test_epi16_mask(at, _mm512_set1_epi16(128));
    const __m512i pair = _mm512_mask_blend_epi16(is_high, low, high);
    const __m512i shift = _mm512_slli_epi16(_mm512_and_si512(at, _mm512_set1_epi16(1)), 3);
    return _mm512_srlv_epi16(pair, shift);
}

WIDE static void map_many(uint8_t *entries, size_t rows, const uint8_t table[TRN_PALETTE_MAX])
{
    const __m512i tables[4] = {_mm512_loadu_si512(table), _mm512_loadu_si512(table + 64),
                               _mm512_loadu_si512(table + 128), _mm512_loadu_si512(table + 192)};
    for (size_t row = 0; row < rows; row++) {
        __m256i *at = (__m256i *)(void *)(entries + row * ROW);
        const __m512i lanes = _mm512_cvtepu8_epi16(_mm256_loadu_si256(at));
        _mm256_storeu_si256(at, _mm512_cvtepi16_epi8(map_lanes(tables, lanes)));
    }
}

WIDE static void map_avx512(uint8_t *entries, size_t rows, const uint8_t table[TRN_PALETTE_MAX],
                            uint32_t palette_count)
{
    if (palette_count > 16) {
        map_many(entries, rows, table);
        return;
    }
    const __m256i all =
        _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)table));
    for (size_t row = 0; row < rows; row++) {
        __m256i *at = (__m256i *)(void *)(entries + row * ROW);
        _mm256_storeu_si256(at, _mm256_shuffle_epi8(all, _mm256_loadu_si256(at)));
    }
}

// ---- differences -------------------------------------------------------------------------------

/// Which of 32 fields of two bits are not 0: to every other bit, and those brought together.
static inline uint32_t pairs_set(uint64_t fields)
{
    uint64_t set = (fields | fields >> 1) & UINT64_C(0x5555555555555555);
    set = (set | set >> 1) & UINT64_C(0x3333333333333333);
    set = (set | set >> 2) & UINT64_C(0x0F0F0F0F0F0F0F0F);
    set = (set | set >> 4) & UINT64_C(0x00FF00FF00FF00FF);
    set = (set | set >> 8) & UINT64_C(0x0000FFFF0000FFFF);
    return (uint32_t)(set | set >> 16);
}

WIDE static inline uint32_t differ_row_4(const unsigned char *a, const unsigned char *b)
{
    const __m128i fields = _mm_xor_si128(_mm_loadu_si128((const __m128i *)(const void *)a),
                                         _mm_loadu_si128((const __m128i *)(const void *)b));
    const __m256i pairs = _mm256_cvtepu8_epi16(fields);
    return _mm256_test_epi8_mask(_mm256_or_si256(pairs, _mm256_slli_epi16(pairs, 4)),
                                 _mm256_set1_epi8(15));
}

WIDE static inline uint32_t differ_row(uint32_t bits_shift, const unsigned char *a,
                                       const unsigned char *b)
{
    uint64_t of_a = 0, of_b = 0;
    if (bits_shift < 2) {
        memcpy(&of_a, a, (size_t)4 << bits_shift);
        memcpy(&of_b, b, (size_t)4 << bits_shift);
        return bits_shift == 0 ? (uint32_t)(of_a ^ of_b) : pairs_set(of_a ^ of_b);
    }
    if (bits_shift == 2) {
        return differ_row_4(a, b);
    }
    if (bits_shift == 3) {
        return _mm256_cmpneq_epi8_mask(_mm256_loadu_si256((const __m256i *)(const void *)a),
                                       _mm256_loadu_si256((const __m256i *)(const void *)b));
    }
    return _mm512_cmpneq_epi16_mask(_mm512_loadu_si512(a), _mm512_loadu_si512(b));
}

WIDE static inline bool is_line_alike(const unsigned char *a, const unsigned char *b)
{
    return _mm512_cmpneq_epi64_mask(_mm512_loadu_si512(a), _mm512_loadu_si512(b)) == 0;
}

// ---- hash --------------------------------------------------------------------------------------

WIDE static void hash_avx512(const TrnBlock *blocks, size_t rows, uint64_t lanes[8])
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
                                                  .unpack = unpack_avx512,
                                                  .pack = pack_avx512,
                                                  .decode = decode_avx512,
                                                  .index = index_avx512,
                                                  .tally = tally_avx512,
                                                  .tally_under = tally_under_avx512,
                                                  .put = put_avx512,
                                                  .put_blocks = put_blocks_avx512,
                                                  .mask = mask_avx512,
                                                  .mask_blocks = mask_blocks_avx512,
                                                  .differ = differ_wide,
                                                  .count = count_wide,
                                                  .map = map_avx512,
                                                  .hash = hash_avx512};
#else
typedef int TrnVoxelKernelsNeedX86; // no file may be empty
#endif
