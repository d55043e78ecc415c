// Noise kernels for AVX-512: sixteen points at a time.

#include "terrain/noise_kernels.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define NOISE_LANES 16
#define NOISE_SUFFIX avx512
#define NOISE_TARGET __attribute__((target("avx512f,avx512vl,avx512dq")))
#define NOISE_KERNELS trn_noise_kernels_avx512
#define NOISE_KERNELS_NAME "AVX-512"
#define NOISE_CORNERS
#define NOISE_LIMITS

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
