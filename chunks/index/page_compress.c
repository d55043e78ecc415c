// Compresses the values of a full page: the inner loop of every gather.

#include "page.h"

#include "base/vectors.h"

/// Up to this many set bits in a page are copied one by one, for every instruction set.
#define PAGE_FEW_BITS 32

/// Copies values, in steps of four on x86-64, where that is no other instruction set. It then reads
/// up to three more than `count` (within the page, whose planes follow its values) and writes them
/// (within the slack).
static inline void page_copy_run(const _Atomic(uint32_t) *values, uint32_t count, uint32_t *out)
{
#if defined(TRN_PAGE_WIDE_LOADS) && defined(__x86_64__)
    typedef uint32_t FourValues __attribute__((vector_size(16), aligned(4), may_alias));
    for (uint32_t i = 0; i < count; i += 4) {
        *(FourValues *)(out + i) = *(const FourValues *)(const void *)(values + i);
    }
#else
    for (uint32_t i = 0; i < count; i++) {
        out[i] = atomic_load_explicit(&values[i], memory_order_acquire);
    }
#endif
}

/// Copies the values of the set bits as runs. Inside a world all bits are set, so most words are
/// one run.
static size_t page_compress_runs(const _Atomic(uint32_t) *values, uint64_t word, uint32_t *out)
{
    size_t count = 0;
    while (word) {
        uint32_t start = (uint32_t)__builtin_ctzll(word);
        uint64_t rest = ~(word >> start);
        uint32_t length = rest ? (uint32_t)__builtin_ctzll(rest) : TRN_PAGE_WORD_BITS;
        length = length < TRN_PAGE_WORD_BITS - start ? length : TRN_PAGE_WORD_BITS - start;
        page_copy_run(values + start, length, out + count);
        count += length;
        if (start + length == TRN_PAGE_WORD_BITS) {
            break;
        }
        word &= ~UINT64_C(0) << (start + length);
    }
    return count;
}

/// Returns the values of the cells of a word.
static inline const _Atomic(uint32_t) *page_word_values(const TrnFullPage *page, uint32_t word)
{
    return page->values + (size_t)word * TRN_PAGE_WORD_BITS;
}

static size_t page_compress_scalar(const TrnFullPage *page, const TrnPageWords *words,
                                   uint32_t *out)
{
    size_t count = 0;
    for (uint32_t word = 0; word < TRN_PAGE_WORDS; word++) {
        count += page_compress_runs(page_word_values(page, word), words->words[word], out + count);
    }
    return count;
}

#if defined(TRN_PAGE_WIDE_LOADS) || defined(TRN_PAGE_PAIR_LOADS)
/// Copies the values of the set bits, one by one.
static size_t page_compress_bits(const TrnFullPage *page, const TrnPageWords *words, uint32_t *out)
{
    size_t count = 0;
    for (uint32_t word = 0; word < TRN_PAGE_WORDS; word++) {
        for (uint64_t bits = words->words[word]; bits; bits &= bits - 1) {
            uint32_t cell = trn_page_cell(word, (uint32_t)__builtin_ctzll(bits));
            out[count++] = trn_full_page_value(page, cell);
        }
    }
    return count;
}

#if defined(__x86_64__)
#include <immintrin.h>
#include <string.h>

/// Counts the set bits of all words. A macro, so that it is compiled for the target of the function
/// that uses it.
#define PAGE_POPCOUNT(page_words)                                                                  \
    (__builtin_popcountll((page_words)->words[0]) + __builtin_popcountll((page_words)->words[1]) + \
     __builtin_popcountll((page_words)->words[2]) + __builtin_popcountll((page_words)->words[3]) + \
     __builtin_popcountll((page_words)->words[4]) + __builtin_popcountll((page_words)->words[5]) + \
     __builtin_popcountll((page_words)->words[6]) + __builtin_popcountll((page_words)->words[7]))
static_assert(TRN_PAGE_WORDS == 8, "PAGE_POPCOUNT counts eight words");

// One decision per page. At the border of a world the words of a page are mixed, and a branch per
// word was mispredicted often enough to double the time of a gather.
__attribute__((target("avx512f,popcnt,bmi"))) static size_t
page_compress_avx512(const TrnFullPage *page, const TrnPageWords *words, uint32_t *out)
{
    const int total = PAGE_POPCOUNT(words);
    if (total <= PAGE_FEW_BITS) {
        return page_compress_bits(page, words, out);
    }
    if (total == TRN_PAGE_CELLS) {
        // Not memcpy, which gcc compiles to "rep movsq" here: twice as slow at this size.
        for (uint32_t i = 0; i < TRN_PAGE_CELLS; i += 16) {
            _mm512_storeu_si512(out + i, _mm512_load_si512((const void *)(page->values + i)));
        }
        return TRN_PAGE_CELLS;
    }
    uint32_t *place = out;
    for (uint32_t word = 0; word < TRN_PAGE_WORDS; word++) {
        const uint64_t bits = words->words[word];
        const _Atomic(uint32_t) *values = page_word_values(page, word);
        if (bits == ~UINT64_C(0)) {
            memcpy(place, (const void *)values, TRN_PAGE_WORD_BITS * sizeof *place);
            place += TRN_PAGE_WORD_BITS;
            continue;
        }
        if (bits == 0) {
            continue;
        }
        // Compresses in a register and stores it whole: compressing stores take a hundred cycles on
        // some machines. Each quarter's place is counted from the word's start, so that no quarter
        // depends on the one before.
        for (uint32_t i = 0; i < TRN_PAGE_WORD_BITS; i += 16) {
            __m512i lanes = _mm512_load_si512((const void *)(values + i));
            size_t before = (size_t)__builtin_popcountll(bits & ((UINT64_C(1) << i) - 1));
            _mm512_storeu_si512(place + before,
                                _mm512_maskz_compress_epi32((__mmask16)(bits >> i), lanes));
        }
        place += __builtin_popcountll(bits);
    }
    return (size_t)total;
}

/// For every byte, the positions of its set bits from the lowest: the permutation that moves the
/// selected ones of eight lanes to the front.
typedef struct PageLaneTable {
    uint64_t places[256];
} PageLaneTable;

#define PAGE_LANE_1(m, b, n) ((m) >> (b)&1 ? (uint64_t)(b) << (8 * (n)) : 0)
#define PAGE_RANK(m, b) __builtin_popcount((m) & ((1 << (b)) - 1))
#define PAGE_LANES(m)                                                                              \
    (PAGE_LANE_1(m, 0, PAGE_RANK(m, 0)) | PAGE_LANE_1(m, 1, PAGE_RANK(m, 1)) |                     \
     PAGE_LANE_1(m, 2, PAGE_RANK(m, 2)) | PAGE_LANE_1(m, 3, PAGE_RANK(m, 3)) |                     \
     PAGE_LANE_1(m, 4, PAGE_RANK(m, 4)) | PAGE_LANE_1(m, 5, PAGE_RANK(m, 5)) |                     \
     PAGE_LANE_1(m, 6, PAGE_RANK(m, 6)) | PAGE_LANE_1(m, 7, PAGE_RANK(m, 7)))
#define PAGE_LANES_4(m) PAGE_LANES(m), PAGE_LANES((m) + 1), PAGE_LANES((m) + 2), PAGE_LANES((m) + 3)
#define PAGE_LANES_16(m)                                                                           \
    PAGE_LANES_4(m), PAGE_LANES_4((m) + 4), PAGE_LANES_4((m) + 8), PAGE_LANES_4((m) + 12)
#define PAGE_LANES_64(m)                                                                           \
    PAGE_LANES_16(m), PAGE_LANES_16((m) + 16), PAGE_LANES_16((m) + 32), PAGE_LANES_16((m) + 48)

static const PageLaneTable page_lane_table = {
    {PAGE_LANES_64(0), PAGE_LANES_64(64), PAGE_LANES_64(128), PAGE_LANES_64(192)}};

__attribute__((target("avx2,popcnt,bmi"))) static size_t
page_compress_avx2(const TrnFullPage *page, const TrnPageWords *words, uint32_t *out)
{
    const int total = PAGE_POPCOUNT(words);
    if (total <= PAGE_FEW_BITS) {
        return page_compress_bits(page, words, out);
    }
    if (total == TRN_PAGE_CELLS) {
        for (uint32_t i = 0; i < TRN_PAGE_CELLS; i += 8) {
            _mm256_storeu_si256(
                (__m256i *)(void *)(out + i),
                _mm256_load_si256((const __m256i *)(const void *)(page->values + i)));
        }
        return TRN_PAGE_CELLS;
    }
    uint32_t *place = out;
    for (uint32_t word = 0; word < TRN_PAGE_WORDS; word++) {
        const uint64_t bits = words->words[word];
        const _Atomic(uint32_t) *values = page_word_values(page, word);
        for (uint32_t i = 0; i < TRN_PAGE_WORD_BITS; i += 8) {
            __m256i lanes = _mm256_load_si256((const __m256i *)(const void *)(values + i));
            size_t before = (size_t)__builtin_popcountll(bits & ((UINT64_C(1) << i) - 1));
            uint64_t bytes = page_lane_table.places[(bits >> i) & 255];
            __m256i places = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128((long long)bytes));
            _mm256_storeu_si256((__m256i *)(void *)(place + before),
                                _mm256_permutevar8x32_epi32(lanes, places));
        }
        place += __builtin_popcountll(bits);
    }
    return (size_t)total;
}

static const TrnPageKernels page_kernels_avx512 = {"AVX-512", page_compress_avx512,
                                                   trn_page_query_avx512};
static const TrnPageKernels page_kernels_avx2 = {"AVX2", page_compress_avx2, trn_page_query_avx2};
#else

static uint32_t page_popcount(const TrnPageWords *words)
{
    TrnU8x16 sums = {0};
    for (uint32_t word = 0; word < TRN_PAGE_WORDS; word += 2) {
        sums += trn_u8x16_popcount(trn_u8x16_load(words->words + word));
    }
    return trn_u8x16_sum(sums);
}

/// Loads the values of four cells. @param values  aligned to 16 bytes
TRN_VECTOR_INLINE TrnU8x16 page_load_four(const _Atomic(uint32_t) *values)
{
#if defined(TRN_PAGE_PAIR_LOADS)
    typedef uint64_t PageTwoValues __attribute__((may_alias));
    const PageTwoValues *pairs = (const PageTwoValues *)(const void *)values;
    return (TrnU8x16)(TrnU64x2){__atomic_load_n(pairs, __ATOMIC_ACQUIRE),
                                __atomic_load_n(pairs + 1, __ATOMIC_ACQUIRE)};
#else
    return trn_u8x16_load((const void *)values);
#endif
}

/// For four bits, the shuffle that moves the selected ones of four values to the front.
static const uint8_t page_four_places[16][16] = {
    [1] = {0, 1, 2, 3},
    [2] = {4, 5, 6, 7},
    [3] = {0, 1, 2, 3, 4, 5, 6, 7},
    [4] = {8, 9, 10, 11},
    [5] = {0, 1, 2, 3, 8, 9, 10, 11},
    [6] = {4, 5, 6, 7, 8, 9, 10, 11},
    [7] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11},
    [8] = {12, 13, 14, 15},
    [9] = {0, 1, 2, 3, 12, 13, 14, 15},
    [10] = {4, 5, 6, 7, 12, 13, 14, 15},
    [11] = {0, 1, 2, 3, 4, 5, 6, 7, 12, 13, 14, 15},
    [12] = {8, 9, 10, 11, 12, 13, 14, 15},
    [13] = {0, 1, 2, 3, 8, 9, 10, 11, 12, 13, 14, 15},
    [14] = {4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
    [15] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
};

/// Copies the values of the set bits of a word, four cells at a time. @return the end of the copy
static uint32_t *page_compress_word(const _Atomic(uint32_t) *values, uint64_t bits, uint32_t *out)
{
    // How many bits are set in every four.
    const uint64_t twos = bits - (bits >> 1 & UINT64_C(0x5555555555555555));
    uint64_t fours =
        (twos & UINT64_C(0x3333333333333333)) + (twos >> 2 & UINT64_C(0x3333333333333333));
    for (uint32_t i = 0; i < TRN_PAGE_WORD_BITS; i += 4, bits >>= 4, fours >>= 4) {
        const TrnU8x16 lanes = page_load_four(values + i);
        trn_u8x16_store(out, trn_u8x16_look_up(lanes, trn_u8x16_load(page_four_places[bits & 15])));
        out += fours & 15;
    }
    return out;
}

static size_t page_compress_four(const TrnFullPage *page, const TrnPageWords *words, uint32_t *out)
{
    const uint32_t total = page_popcount(words);
    if (total <= PAGE_FEW_BITS) {
        return page_compress_bits(page, words, out);
    }
    if (total == TRN_PAGE_CELLS) {
        for (uint32_t i = 0; i < TRN_PAGE_CELLS; i += 4) {
            trn_u8x16_store(out + i, page_load_four(page->values + i));
        }
    } else {
        uint32_t *place = out;
        for (uint32_t word = 0; word < TRN_PAGE_WORDS; word++) {
            if (words->words[word]) { // an empty one costs more than a mispredicted branch
                place = page_compress_word(page_word_values(page, word), words->words[word], place);
            }
        }
    }
    trn_page_wide_loads_end();
    return total;
}

/// The query is written in vectors already.
static const TrnPageKernels page_kernels_four = {TRN_CPU_VECTORS_NAME, page_compress_four,
                                                 trn_page_query_scalar};
#endif
#endif

static const TrnPageKernels page_kernels_scalar = {"scalar", page_compress_scalar,
                                                   trn_page_query_scalar};

static const TrnKernelRow page_kernel_rows[] = {
#if defined(TRN_PAGE_WIDE_LOADS) && defined(__x86_64__)
    {TRN_CPU_AVX512F | TRN_CPU_POPCNT | TRN_CPU_BMI, &page_kernels_avx512},
    {TRN_CPU_AVX2 | TRN_CPU_POPCNT | TRN_CPU_BMI, &page_kernels_avx2},
#elif defined(TRN_PAGE_WIDE_LOADS) || defined(TRN_PAGE_PAIR_LOADS)
    {0, &page_kernels_four},
#endif
    {0, &page_kernels_scalar},
};
const TrnKernelTable trn_page_kernels = {page_kernel_rows,
                                         sizeof page_kernel_rows / sizeof *page_kernel_rows};
