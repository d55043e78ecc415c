/// Private: what tests and the bench use of a solver in addition to its public functions. Valid
/// C++.
#ifndef TERRANE_LIGHT_LIGHT_INTERNAL_H
#define TERRANE_LIGHT_LIGHT_INTERNAL_H

#include <stdbool.h>

#include <terrane/light.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Makes a solver use other kernels than the fastest.
/// @param name  "AVX-512", "AVX2", "NEON", "SIMD128" or "scalar"
/// @return false if this machine cannot run them; the solver is unchanged then
bool trn_light_use_kernels(TrnLightSolver *solver, const char *name);

#ifdef __cplusplus
}
#endif
#endif
