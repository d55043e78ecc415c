// Kernels of the land's shape for AVX2.

#include <string.h>

#include "terrain/land_shape.h"

#if defined(__x86_64__)
#define LAND_SUFFIX avx2
#define LAND_TARGET __attribute__((target("avx2")))
#define LAND_KERNELS trn_land_kernels_avx2
#define LAND_KERNELS_NAME "AVX2"
#include "terrain/land_shape_body.h"
#endif
