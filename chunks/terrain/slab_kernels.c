// The kernels of slabs, and the table of them.

#include "terrain/slab_kernels.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#define SLAB_SUFFIX scalar
#define SLAB_TARGET
#define SLAB_KERNELS_NAME "scalar"
#include "terrain/slab_kernels_body.h"

#if defined(__x86_64__)
#define SLAB_AVX512 __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq")))
#define SLAB_AVX2 __attribute__((target("avx2")))

SLAB_AVX512 static inline uint32_t slab_pack_zeros_avx512(const uint16_t *row)
{
    const __m512i values = _mm512_loadu_si512(row);
    return _mm512_testn_epi16_mask(values, values);
}

SLAB_AVX2 static inline uint32_t slab_pack_zeros_avx2(const uint16_t *row)
{
    const __m256i *from = (const __m256i *)(const void *)row, zero = _mm256_setzero_si256();
    const __m256i low = _mm256_cmpeq_epi16(_mm256_loadu_si256(from), zero);
    const __m256i high = _mm256_cmpeq_epi16(_mm256_loadu_si256(from + 1), zero);
    const __m256i bytes = _mm256_permute4x64_epi64(_mm256_packs_epi16(low, high), 0xD8);
    return (uint32_t)_mm256_movemask_epi8(bytes);
}

#define SLAB_SUFFIX avx512
#define SLAB_TARGET SLAB_AVX512
#define SLAB_KERNELS_NAME "AVX-512"
#define SLAB_HAS_PACK
#include "terrain/slab_kernels_body.h"

#define SLAB_SUFFIX avx2
#define SLAB_TARGET SLAB_AVX2
#define SLAB_KERNELS_NAME "AVX2"
#define SLAB_HAS_PACK
#include "terrain/slab_kernels_body.h"
#endif

static const TrnKernelRow slab_kernel_rows[] = {
#if defined(__x86_64__)
    {TRN_CPU_AVX512F | TRN_CPU_AVX512BW | TRN_CPU_AVX512VL | TRN_CPU_AVX512DQ,
     &slab_kernels_avx512},
    {TRN_CPU_AVX2, &slab_kernels_avx2},
#endif
    {0, &slab_kernels_scalar},
};
const TrnKernelTable trn_slab_kernels = {slab_kernel_rows,
                                         sizeof slab_kernel_rows / sizeof *slab_kernel_rows};
