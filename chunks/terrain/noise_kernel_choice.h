/// Private: forces a compiled noise to one set of kernels. For tests and the bench; the library
/// itself always uses the fastest set. C++ can include it.
#ifndef TERRANE_TERRAIN_NOISE_KERNEL_CHOICE_H
#define TERRANE_TERRAIN_NOISE_KERNEL_CHOICE_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

struct TrnNoise;

/// Makes a noise use one set of kernels.
/// @param name  "AVX-512", "AVX2", "SSE2" ("NEON" or "vectors of four" on other machines) or
///              "scalar"
/// @return whether this machine can run them; if not, the noise is unchanged
bool trn_noise_use_kernels(struct TrnNoise *noise, const char *name);

/// The name of the i-th fastest set of kernels of this machine; NULL past the last. Static text.
const char *trn_noise_kernels_name(unsigned i);

#ifdef __cplusplus
}
#endif
#endif
