// The kernels that handle four rows at a time in the compiler's vector types: SSE2 on every x86-64,
// NEON on every 64-bit ARM.

#include "mesh_kernels.h"

#define MESH_LANES 4
#define MESH_SUFFIX four
#define MESH_TARGET
#define MESH_KERNELS trn_mesh_kernels_four
#define MESH_KERNELS_NAME TRN_CPU_VECTORS_NAME
#if defined(__SSE2__)
#include <emmintrin.h>
#define MESH_HAS_NONZERO
#define MESH_HAS_SAME
typedef uint32_t MeshFourLanes __attribute__((vector_size(16)));

static inline __attribute__((always_inline)) uint32_t mesh_nonzero_four(MeshFourLanes lanes)
{
    const __m128i zero = _mm_cmpeq_epi32((__m128i)lanes, _mm_setzero_si128());
    return (uint32_t)_mm_movemask_ps((__m128)zero) ^ 15u;
}

static inline __attribute__((always_inline)) __m128i mesh_load_four_(const void *from)
{
    return _mm_loadu_si128(from);
}

static inline __attribute__((always_inline)) uint32_t mesh_same_four(const uint8_t *a,
                                                                     const uint8_t *b)
{
    const __m128i low = _mm_cmpeq_epi8(mesh_load_four_(a), mesh_load_four_(b));
    const __m128i high = _mm_cmpeq_epi8(mesh_load_four_(a + 16), mesh_load_four_(b + 16));
    return (uint32_t)_mm_movemask_epi8(low) | (uint32_t)_mm_movemask_epi8(high) << 16;
}

static inline __attribute__((always_inline)) uint32_t mesh_same_half_four(const TrnBlock *a,
                                                                          const TrnBlock *b)
{
    const __m128i low = _mm_cmpeq_epi16(mesh_load_four_(a), mesh_load_four_(b));
    const __m128i high = _mm_cmpeq_epi16(mesh_load_four_(a + 8), mesh_load_four_(b + 8));
    return (uint32_t)_mm_movemask_epi8(_mm_packs_epi16(low, high));
}

static inline __attribute__((always_inline)) uint32_t mesh_same_blocks_four(const TrnBlock *a,
                                                                            const TrnBlock *b)
{
    return mesh_same_half_four(a, b) | mesh_same_half_four(a + 16, b + 16) << 16;
}
#endif
#include "mesh_kernels_body.h"
