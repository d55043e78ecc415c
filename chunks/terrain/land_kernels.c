// The kernels of the land's shape, and the table of them.

#include <string.h>

#include "terrain/land_kernels.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

/// The samples of a lattice cell.
typedef float LandStep __attribute__((vector_size(TRN_LAND_STEP * sizeof(float))));

#define LAND_SUFFIX scalar
#define LAND_VECTOR 4
#define LAND_TARGET
#define LAND_KERNELS_NAME "scalar"
#include "terrain/land_kernels_body.h"

#if defined(__x86_64__)
#define LAND_TARGET_AVX512 __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq")))
#define LAND_TARGET_AVX2 __attribute__((target("avx2")))

// Rows of TRN_LAND_POINTS points between two rows, interpolated to the samples of a chunk's edge.

/// 16 samples at a time, of four cells.
LAND_TARGET_AVX512 static inline __attribute__((always_inline)) void
land_expand_sixteens(const float *near, const float *far, float weight, float *out)
{
    const __mmask16 points = (1u << TRN_LAND_POINTS) - 1;
    const __m512 below = _mm512_maskz_loadu_ps(points, near);
    const __m512 above = _mm512_maskz_loadu_ps(points, far);
    const __m512 all = below + (above - below) * _mm512_set1_ps(weight);
    const __m512i lanes = _mm512_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3);
    const __m512 weights = _mm512_broadcast_f32x4(_mm_setr_ps(0.0f, 0.25f, 0.5f, 0.75f));
    for (int cell = 0; cell < TRN_LAND_POINTS - 1; cell += 4) {
        const __m512i at = _mm512_add_epi32(lanes, _mm512_set1_epi32(cell));
        const __m512 left = _mm512_permutexvar_ps(at, all);
        const __m512 right = _mm512_permutexvar_ps(_mm512_add_epi32(at, _mm512_set1_epi32(1)), all);
        _mm512_storeu_ps(out + (size_t)cell * TRN_LAND_STEP, left + (right - left) * weights);
    }
}

/// 8 samples at a time, of two cells.
LAND_TARGET_AVX2 static inline __attribute__((always_inline)) void
land_expand_eights(const float *near, const float *far, float weight, float *out)
{
    const __m256 w = _mm256_set1_ps(weight);
    const __m256 near_left = _mm256_loadu_ps(near), near_right = _mm256_loadu_ps(near + 1);
    const __m256 lefts = near_left + (_mm256_loadu_ps(far) - near_left) * w;
    const __m256 rights = near_right + (_mm256_loadu_ps(far + 1) - near_right) * w;
    const __m256i lanes = _mm256_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1);
    const __m256 weights = _mm256_setr_ps(0.0f, 0.25f, 0.5f, 0.75f, 0.0f, 0.25f, 0.5f, 0.75f);
    for (int cell = 0; cell < TRN_LAND_POINTS - 1; cell += 2) {
        const __m256i at = _mm256_add_epi32(lanes, _mm256_set1_epi32(cell));
        const __m256 left = _mm256_permutevar8x32_ps(lefts, at);
        const __m256 right = _mm256_permutevar8x32_ps(rights, at);
        _mm256_storeu_ps(out + (size_t)cell * TRN_LAND_STEP, left + (right - left) * weights);
    }
}

#define LAND_SUFFIX avx512
#define LAND_VECTOR 16
#define LAND_TARGET LAND_TARGET_AVX512
#define LAND_KERNELS_NAME "AVX-512"
#define LAND_EXPAND land_expand_sixteens
#include "terrain/land_kernels_body.h"

#define LAND_SUFFIX avx2
#define LAND_VECTOR 8
#define LAND_TARGET LAND_TARGET_AVX2
#define LAND_KERNELS_NAME "AVX2"
#define LAND_EXPAND land_expand_eights
#include "terrain/land_kernels_body.h"
#endif

static const TrnKernelRow land_kernel_rows[] = {
#if defined(__x86_64__)
    {TRN_CPU_AVX512F | TRN_CPU_AVX512BW | TRN_CPU_AVX512VL | TRN_CPU_AVX512DQ,
     &land_kernels_avx512},
    {TRN_CPU_AVX2, &land_kernels_avx2},
#endif
    {0, &land_kernels_scalar},
};
const TrnKernelTable trn_land_kernels = {land_kernel_rows,
                                         sizeof land_kernel_rows / sizeof *land_kernel_rows};
