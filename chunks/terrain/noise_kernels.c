// The kernels of a noise, which take 1, 4, 8 or 16 points at a time, and the table of them.

#include "terrain/noise_kernels.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

const uint32_t trn_noise_twists[3] = {0, 0x68E31DA4u, 0xB5297A4Du};

// One point at a time: every machine can run it, and tests hold the others against it.
#define NOISE_LANES 1
#define NOISE_SUFFIX scalar
#define NOISE_TARGET
#define NOISE_KERNELS_NAME "scalar"
#include "terrain/noise_kernels_body.h"

// Four points at a time, in the compiler's vector types.
#define NOISE_LANES 4
#define NOISE_SUFFIX four
#define NOISE_TARGET
#define NOISE_KERNELS_NAME TRN_CPU_VECTORS_NAME
#include "terrain/noise_kernels_body.h"

#if defined(__x86_64__)
// ---- AVX2 --------------------------------------------------------------------------------------

#define NOISE_LANES 8
#define NOISE_SUFFIX avx2
#define NOISE_TARGET __attribute__((target("avx2")))
#define NOISE_KERNELS_NAME "AVX2"
#define NOISE_CORNERS
#define NOISE_LIMITS
#define NOISE_HASHES 16

/// The entries of TrnNoiseHashes that the lowest four bits of `cell` select.
NOISE_TARGET static inline __attribute__((always_inline)) __m256i
noise_pick_eight(const uint32_t *hashes, __m256i cell)
{
    const __m256i low = _mm256_load_si256((const __m256i *)hashes);
    const __m256i high = _mm256_load_si256((const __m256i *)(hashes + 8));
    return _mm256_castps_si256(
        _mm256_blendv_ps(_mm256_castsi256_ps(_mm256_permutevar8x32_epi32(low, cell)),
                         _mm256_castsi256_ps(_mm256_permutevar8x32_epi32(high, cell)),
                         _mm256_castsi256_ps(_mm256_slli_epi32(cell, 28))));
}

#define noise_pick_avx2(hashes, cell) ((NoiseUint)noise_pick_eight(hashes, (__m256i)(cell)))

/// One component of the first eight gradients.
/// @param number  only the lower three bits count
NOISE_TARGET static inline __attribute__((always_inline)) __m256
noise_look_up_avx2(const float *column, __m256i number)
{
    return _mm256_permutevar8x32_ps(_mm256_loadu_ps(column), number);
}

/// Negates lanes where a sign bit is set. Negating the distance instead of the gradient saves an
/// operation.
NOISE_TARGET static inline __attribute__((always_inline)) __m256
noise_flip_sign_avx2(__m256 distance, __m256i signs)
{
    const __m256 turned = _mm256_xor_ps(distance, _mm256_set1_ps(-0.0f));
    return _mm256_blendv_ps(distance, turned, _mm256_castsi256_ps(signs));
}

// The upper five bits of a hash select the gradient: the sign of y, the sign of x, and one of
// eight.

NOISE_TARGET static inline __attribute__((always_inline)) __m256
noise_dot_2d_avx2(__m256i hash, __m256 x, __m256 z)
{
    const __m256i number = _mm256_srli_epi32(hash, 27);
    const __m256 along_x = noise_flip_sign_avx2(x, _mm256_slli_epi32(hash, 1));
    const __m256 along_z = noise_flip_sign_avx2(z, hash);
    return noise_look_up_avx2(trn_noise_components_2d[0], number) * along_x +
           noise_look_up_avx2(trn_noise_components_2d[1], number) * along_z;
}

NOISE_TARGET static inline __attribute__((always_inline)) __m256
noise_dot_3d_avx2(__m256i hash, __m256 x, __m256 y, __m256 z)
{
    const __m256i number = _mm256_srli_epi32(hash, 27);
    const __m256 along_x = noise_flip_sign_avx2(x, _mm256_slli_epi32(hash, 1));
    const __m256 along_y = noise_flip_sign_avx2(y, hash);
    return noise_look_up_avx2(trn_noise_components_3d[0], number) * along_x +
           noise_look_up_avx2(trn_noise_components_3d[1], number) * along_y +
           noise_look_up_avx2(trn_noise_components_3d[2], number) * z;
}

#define noise_gradient_2d_avx2(hash, x, z)                                                         \
    ((NoiseFloat)noise_dot_2d_avx2((__m256i)(hash), (__m256)(x), (__m256)(z)))
#define noise_gradient_3d_avx2(hash, x, y, z)                                                      \
    ((NoiseFloat)noise_dot_3d_avx2((__m256i)(hash), (__m256)(x), (__m256)(y), (__m256)(z)))

// Where neither operand is less they give the second one, as noise_kernels_body.h does.
#define noise_min_avx2(a, b) ((NoiseFloat)_mm256_min_ps((__m256)(a), (__m256)(b)))
#define noise_max_avx2(a, b) ((NoiseFloat)_mm256_max_ps((__m256)(a), (__m256)(b)))

#include "terrain/noise_kernels_body.h"

// ---- AVX-512 -----------------------------------------------------------------------------------

#define NOISE_LANES 16
#define NOISE_SUFFIX avx512
#define NOISE_TARGET __attribute__((target("avx512f,avx512vl,avx512dq")))
#define NOISE_KERNELS_NAME "AVX-512"
#define NOISE_CORNERS
#define NOISE_LIMITS
#define NOISE_HASHES 32

/// The entries of TrnNoiseHashes that the lowest five bits of `cell` select.
#define noise_pick_avx512(hashes, cell)                                                            \
    ((NoiseUint)_mm512_permutex2var_epi32(_mm512_load_si512(hashes), (__m512i)(cell),              \
                                          _mm512_load_si512((hashes) + 16)))

/// One component of a gradient. Two registers hold all 32.
/// @param number  only the lower five bits count
NOISE_TARGET static inline __attribute__((always_inline)) __m512
noise_look_up_avx512(const float *column, __m512i number)
{
    return _mm512_permutex2var_ps(_mm512_loadu_ps(column), number, _mm512_loadu_ps(column + 16));
}

// The upper five bits of a hash select the gradient.

NOISE_TARGET static inline __attribute__((always_inline)) __m512
noise_dot_2d_avx512(__m512i hash, __m512 x, __m512 z)
{
    const __m512i number = _mm512_srli_epi32(hash, 27);
    return noise_look_up_avx512(trn_noise_components_2d[0], number) * x +
           noise_look_up_avx512(trn_noise_components_2d[1], number) * z;
}

NOISE_TARGET static inline __attribute__((always_inline)) __m512
noise_dot_3d_avx512(__m512i hash, __m512 x, __m512 y, __m512 z)
{
    const __m512i number = _mm512_srli_epi32(hash, 27);
    return noise_look_up_avx512(trn_noise_components_3d[0], number) * x +
           noise_look_up_avx512(trn_noise_components_3d[1], number) * y +
           noise_look_up_avx512(trn_noise_components_3d[2], number) * z;
}

#define noise_gradient_2d_avx512(hash, x, z)                                                       \
    ((NoiseFloat)noise_dot_2d_avx512((__m512i)(hash), (__m512)(x), (__m512)(z)))
#define noise_gradient_3d_avx512(hash, x, y, z)                                                    \
    ((NoiseFloat)noise_dot_3d_avx512((__m512i)(hash), (__m512)(x), (__m512)(y), (__m512)(z)))

// Where neither operand is less they give the second one, as noise_kernels_body.h does.
#define noise_min_avx512(a, b) ((NoiseFloat)_mm512_min_ps((__m512)(a), (__m512)(b)))
#define noise_max_avx512(a, b) ((NoiseFloat)_mm512_max_ps((__m512)(a), (__m512)(b)))

#include "terrain/noise_kernels_body.h"
#endif

// ---- the table ---------------------------------------------------------------------------------

static const TrnKernelRow noise_kernel_rows[] = {
#if defined(__x86_64__)
    {TRN_CPU_AVX512F | TRN_CPU_AVX512VL | TRN_CPU_AVX512DQ, &noise_kernels_avx512},
    {TRN_CPU_AVX2, &noise_kernels_avx2},
#endif
    {0, &noise_kernels_four},
    {0, &noise_kernels_scalar},
};
const TrnKernelTable trn_noise_kernels = {noise_kernel_rows,
                                          sizeof noise_kernel_rows / sizeof *noise_kernel_rows};
