// The kernels four rows at a time, by the compiler's own vectors: SSE2 on every x86-64, NEON on
// every 64-bit ARM.

#include "mesh_kernels.h"

#define MESH_LANES 4
#define MESH_SUFFIX four
#define MESH_TARGET
#define MESH_KERNELS trn_mesh_kernels_four
#if defined(__SSE2__)
#include <emmintrin.h>
#define MESH_KERNELS_NAME "SSE2"
#define MESH_HAS_NONZERO
typedef uint32_t MeshFourLanes __attribute__((vector_size(16)));

static inline __attribute__((always_inline)) uint32_t mesh_nonzero_four(MeshFourLanes lanes)
{
    const __m128i zero = _mm_cmpeq_epi32((__m128i)lanes, _mm_setzero_si128());
    return (uint32_t)_mm_movemask_ps((__m128)zero) ^ 15u;
}
#elif defined(__ARM_NEON)
#define MESH_KERNELS_NAME "NEON"
#else
#define MESH_KERNELS_NAME "vectors of four"
#endif
#include "mesh_kernels_body.h"
