// Noise kernels for AVX2: eight points at a time.

#include "terrain/noise_kernels.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define NOISE_LANES 8
#define NOISE_SUFFIX avx2
#define NOISE_TARGET __attribute__((target("avx2")))
#define NOISE_KERNELS trn_noise_kernels_avx2
#define NOISE_KERNELS_NAME "AVX2"
#define NOISE_CORNERS
#define NOISE_LIMITS

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
#endif
