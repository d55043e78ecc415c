/// Private: rows of 32 entries in registers of 256 bits, which the kernels with AVX2 and those with
/// AVX-512 share. Each of the two sources includes it once, after the definitions that
/// voxel_kernels_body.h states.

WIDE static inline __m256i VOXEL_WIDE(load_row)(const void *from)
{
    return _mm256_loadu_si256((const __m256i *)from);
}

WIDE static inline void VOXEL_WIDE(store_row)(void *to, __m256i row)
{
    _mm256_storeu_si256((__m256i *)to, row);
}

/// Loads 16 bytes into both halves.
WIDE static inline __m256i VOXEL_WIDE(load_twice)(const void *from)
{
    return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)from));
}

/// Puts byte x / 4 of 64 bits into byte x, and shifts its two bits down.
WIDE static inline __m256i VOXEL_WIDE(unpack_row_2)(const unsigned char *from)
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

/// Widens each byte to 16 bits, and moves its high half into the high byte.
WIDE static inline __m256i VOXEL_WIDE(unpack_row_4)(const unsigned char *from)
{
    const __m256i pairs =
        _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)(const void *)from));
    return _mm256_and_si256(_mm256_or_si256(pairs, _mm256_slli_epi16(pairs, 4)),
                            _mm256_set1_epi8(15));
}

/// Joins adjacent entries of 2 or 4 bits in 16 bits, the first of them lowest.
WIDE static inline __m256i VOXEL_WIDE(join_pairs)(uint32_t bits_shift, __m256i row)
{
    const int high = bits_shift == 1 ? 4 : 16;
    return _mm256_maddubs_epi16(row, _mm256_set1_epi16((short)(1 | high << 8)));
}

/// Joins adjacent pairs of entries of 2 bits in 32 bits: all four fit a byte.
WIDE static inline __m256i VOXEL_WIDE(join_fours)(__m256i pairs)
{
    return _mm256_madd_epi16(pairs, _mm256_set1_epi32(1 | 16 << 16));
}

/// Packs the entries of a row. Each source defines it.
WIDE static inline void VOXEL_WIDE(pack_row)(uint32_t bits_shift, __m256i row, unsigned char *to);

WIDE static void VOXEL_WIDE(pack)(uint32_t bits_shift, const uint8_t *entries, size_t rows,
                                  void *fields)
{
    if (bits_shift == 3) {
        memcpy(fields, entries, rows * ROW);
        return;
    }
    for (size_t row = 0; row < rows; row++) {
        VOXEL_WIDE(pack_row)
        (bits_shift, VOXEL_WIDE(load_row)(entries + row * ROW),
         (unsigned char *)fields + row * ((size_t)4 << bits_shift));
    }
}

/// `used` for up to 64 entries: shifts a bit for each.
WIDE static void VOXEL_WIDE(used_of_64)(const uint8_t *entries, size_t rows, uint32_t used[8])
{
    const __m256i one = _mm256_set1_epi64x(1);
    __m256i all = _mm256_setzero_si256();
    for (size_t i = 0; i < rows * ROW; i += 4) {
        int four;
        memcpy(&four, entries + i, sizeof four);
        const __m256i at = _mm256_cvtepu8_epi64(_mm_cvtsi32_si128(four));
        all = _mm256_or_si256(all, _mm256_sllv_epi64(one, at));
    }
    uint64_t words[4];
    VOXEL_WIDE(store_row)(words, all);
    const uint64_t any = words[0] | words[1] | words[2] | words[3];
    used[0] |= (uint32_t)any;
    used[1] |= (uint32_t)(any >> 32);
}

/// Looks up a bit for each of up to 16 entries, in two tables of bytes.
WIDE static void VOXEL_WIDE(used)(const uint8_t *entries, size_t rows, uint32_t palette_count,
                                  uint32_t used[8])
{
    static const uint8_t bits[32] = {
        1, 2, 4, 8, 16, 32, 64, 128, [24] = 1, 2, 4, 8, 16, 32, 64, 128};
    if (palette_count > 64) {
        trn_voxel_kernels_scalar.used(entries, rows, palette_count, used);
        return;
    }
    if (palette_count > 16) {
        VOXEL_WIDE(used_of_64)(entries, rows, used);
        return;
    }
    const __m256i low_bits = VOXEL_WIDE(load_twice)(bits);
    const __m256i high_bits = VOXEL_WIDE(load_twice)(bits + 16);
    __m256i low = _mm256_setzero_si256(), high = low;
    for (size_t row = 0; row < rows; row++) {
        const __m256i at = VOXEL_WIDE(load_row)(entries + row * ROW);
        low = _mm256_or_si256(low, _mm256_shuffle_epi8(low_bits, at));
        high = _mm256_or_si256(high, _mm256_shuffle_epi8(high_bits, at));
    }
    uint64_t words[8], of_low, of_high;
    VOXEL_WIDE(store_row)(words, low);
    VOXEL_WIDE(store_row)(words + 4, high);
    of_low = words[0] | words[1] | words[2] | words[3];
    of_high = words[4] | words[5] | words[6] | words[7];
    for (uint32_t shift = 32; shift >= 8; shift /= 2) {
        of_low |= of_low >> shift;
        of_high |= of_high >> shift;
    }
    used[0] |= (uint32_t)((of_low & 255) | (of_high & 255) << 8);
}
