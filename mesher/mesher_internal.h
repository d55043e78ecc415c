/// Private: meshes with chosen kernels, for tests and the bench. Valid C++.
///
/// All kernels produce the same quads in the same order, bit for bit. Implemented in mesher.c.
#ifndef TERRANE_MESHER_MESHER_INTERNAL_H
#define TERRANE_MESHER_MESHER_INTERNAL_H

#include <terrane/mesher.h>

#include "base/cpu.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Meshes like trn_mesh_quads(), with the kernels of a name.
/// @param name  "AVX-512", "AVX2", "SSE2" ("NEON", "vectors of four" elsewhere) or "scalar"; NULL
///               means the fastest
/// Errors: as trn_mesh_quads(), and BAD_ARGUMENT if no kernels have that name or this machine
/// cannot run them.
TrnResult trn_mesh_quads_by(const char *name, const TrnMeshInput *input, void *scratch,
                            TrnQuad *quads, uint32_t *light, size_t capacity, TrnMeshInfo *info);

/// All sets of kernels: TrnMeshKernels.
extern const TrnKernelTable trn_mesh_kernels;

#ifdef __cplusplus
}
#endif
#endif
