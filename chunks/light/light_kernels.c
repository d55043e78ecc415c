// The sets of kernels. All are one source: the compiler's vectors of 1, 2, 4 and 8 words.

#include "light_kernels.h"

#define LIGHT_SET(set, text)                                                                       \
    {                                                                                              \
        .name = (text), .spread = light_##set##_spread, .add = light_##set##_add,                  \
        .toggle = light_##set##_toggle, .place = light_##set##_place, .fall = light_##set##_fall   \
    }

// ---- scalar -------------------------------------------------------------------------------------

#define WIDE
#define LIGHT_LANES 1
#define LIGHT(name) light_scalar_##name
#include "light_kernels_body.h"
#undef WIDE
#undef LIGHT_LANES
#undef LIGHT

const LightKernels trn_light_kernels_scalar = LIGHT_SET(scalar, "scalar");

// ---- 16 bytes: NEON, SIMD128 --------------------------------------------------------------------

#if defined(TRN_VECTORS)
#define WIDE
#define LIGHT_LANES 2
#define LIGHT(name) light_four_##name
#include "light_kernels_body.h"
#undef WIDE
#undef LIGHT_LANES
#undef LIGHT

static const LightKernels light_kernels_four = LIGHT_SET(four, TRN_CPU_VECTORS_NAME);
#endif

// ---- 32 and 64 bytes: x86-64 --------------------------------------------------------------------

#if defined(__x86_64__)
#define WIDE __attribute__((target("avx2")))
#define LIGHT_LANES 4
#define LIGHT(name) light_avx2_##name
#include "light_kernels_body.h"
#undef WIDE
#undef LIGHT_LANES
#undef LIGHT

static const LightKernels light_kernels_avx2 = LIGHT_SET(avx2, "AVX2");

#define WIDE __attribute__((target("avx512f")))
#define LIGHT_LANES 8
#define LIGHT(name) light_avx512_##name
#include "light_kernels_body.h"
#undef WIDE
#undef LIGHT_LANES
#undef LIGHT

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
    {0, &trn_light_kernels_scalar},
};

const TrnKernelTable trn_light_kernels = {light_kernel_rows,
                                          sizeof light_kernel_rows / sizeof *light_kernel_rows};
