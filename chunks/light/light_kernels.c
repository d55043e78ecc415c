// The kernels of light, the compiler's vectors of 1, 2, 4 or 8 words, and the table of them.

#include "light_kernels.h"

#include <assert.h>
#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#define LIGHT_SET(set, text)                                                                       \
    {                                                                                              \
        .name = (text), .join = light_##set##_join, .place = light_##set##_place,                  \
        .remove = light_##set##_remove, .fall = light_##set##_fall,                                \
        .spread = light_##set##_spread, .begin = light_##set##_begin, .pack = light_##set##_pack   \
    }

// ---- what all sets share ------------------------------------------------------------------------

/// The tiles that have slices and rows of the result.
static const LightMarks light_out = {{
    0,
    UINT64_C(0x7E00000000000000),
    UINT64_C(0x7E7E7E7E7E7E7E7E),
    UINT64_C(0x7E7E7E7E7E7E7E7E),
    UINT64_C(0x7E7E7E7E7E7E7E7E),
    UINT64_C(0x7E7E7E7E7E7E7E7E),
    UINT64_C(0x000000000000007E),
}};
static_assert(LIGHT_OUT_FIRST == 15 && LIGHT_OUT_LAST == 48, "what light_out marks");

// ---- scalar -------------------------------------------------------------------------------------

#define WIDE
#define LIGHT_LANES 1
#define LIGHT(name) light_scalar_##name
#define LIGHT_ANY(own) ((own) != 0)
#define LIGHT_ROWS(at) ((uint64_t) * (at))
#include "light_kernels_body.h"

static const LightKernels light_kernels_scalar = LIGHT_SET(scalar, "scalar");

// ---- 16 bytes: NEON, SIMD128 --------------------------------------------------------------------

#if defined(TRN_VECTORS)
typedef uint32_t LightRows __attribute__((vector_size(8), aligned(4), may_alias));

#define WIDE
#define LIGHT_LANES 2
#define LIGHT(name) light_four_##name
#define LIGHT_ANY(own) (((own)[0] | (own)[1]) != 0)
#define LIGHT_ROWS(at)                                                                             \
    __builtin_convertvector(*(const LightRows *)(const void *)(at), light_four_Words)
#include "light_kernels_body.h"

static const LightKernels light_kernels_four = LIGHT_SET(four, TRN_CPU_VECTORS_NAME);
#endif

// ---- 32 and 64 bytes: x86-64 --------------------------------------------------------------------

#if defined(__x86_64__)
#define WIDE __attribute__((target("avx2")))
#define LIGHT_LANES 4
#define LIGHT(name) light_avx2_##name
#define LIGHT_ANY(own) (!_mm256_testz_si256((__m256i)(own), (__m256i)(own)))
#define LIGHT_ROWS(at)                                                                             \
    ((light_avx2_Words)_mm256_cvtepu32_epi64(_mm_loadu_si128((const __m128i *)(const void *)(at))))
#include "light_kernels_body.h"

static const LightKernels light_kernels_avx2 = LIGHT_SET(avx2, "AVX2");

#define WIDE __attribute__((target("avx512f")))
#define LIGHT_LANES 8
#define LIGHT(name) light_avx512_##name
#define LIGHT_ANY(own) (_mm512_test_epi64_mask((__m512i)(own), (__m512i)(own)) != 0)
#define LIGHT_ROWS(at)                                                                             \
    ((light_avx512_Words)_mm512_cvtepu32_epi64(                                                    \
        _mm256_loadu_si256((const __m256i *)(const void *)(at))))
#include "light_kernels_body.h"

static const LightKernels light_kernels_avx512 = LIGHT_SET(avx512, "AVX-512");
#endif

// ---- choice -------------------------------------------------------------------------------------

static const TrnKernelRow light_kernel_rows[] = {
#if defined(__x86_64__)
    {TRN_CPU_AVX512F, &light_kernels_avx512},
    {TRN_CPU_AVX2, &light_kernels_avx2},
#endif
#if defined(TRN_VECTORS)
    {0, &light_kernels_four},
#endif
    {0, &light_kernels_scalar},
};

const TrnKernelTable trn_light_kernels = {light_kernel_rows,
                                          sizeof light_kernel_rows / sizeof *light_kernel_rows};
