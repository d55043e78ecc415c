// Noise kernels that take four points at a time, in the compiler's vector types: SSE2 on x86-64,
// NEON on 64-bit ARM.

#include "terrain/noise_kernels.h"

#define NOISE_LANES 4
#define NOISE_SUFFIX four
#define NOISE_TARGET
#define NOISE_KERNELS trn_noise_kernels_four
#define NOISE_KERNELS_NAME TRN_CPU_VECTORS_NAME
#include "terrain/noise_kernels_body.h"
